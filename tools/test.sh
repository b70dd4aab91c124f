#!/bin/sh
# Passes the tests: installs what is missing, builds the release and the sanitized version, and runs the tests of both.
set -eu
cd "$(dirname "$0")/.."
tools/dependencies.sh

for preset in release sanitize; do
  cmake --preset "$preset"
  cmake --build --preset "$preset" --parallel "$(nproc)"
done
status=0
for preset in release sanitize; do
  ctest --preset "$preset" --parallel "$(nproc)" || status=1
done
exit $status
