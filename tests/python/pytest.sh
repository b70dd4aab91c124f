#!/bin/sh
# Runs a suite of the Python package; status 77 where pytest or NumPy are missing, which CTest takes for skipped.
# usage: pytest.sh PYTHON SUITE
set -eu
if ! "$1" -c 'import pytest, numpy' 2>/dev/null; then
  echo "skipped: python.* (python3-pytest python3-numpy, for $1)"
  exit 77
fi
exec "$1" -m pytest -q -p no:cacheprovider "$2"
