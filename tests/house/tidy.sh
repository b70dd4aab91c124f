#!/bin/sh
# Fails when clang-tidy finds something in a source file that the build compiles; generated files are left out.
# One file a call: the analyzer of version 14 mistakes every va_list after the first file's.
# The analyser follows a third of its usual paths, which takes half of its time; all of them with SEAM_LONG.
# usage: tidy.sh CLANG_TIDY BUILD_DIR
set -eu
sources=$(sed -n 's/^ *"file": "\(.*\.c\)",*$/\1/p' "$2/compile_commands.json" | grep -v "^$2/" | sort -u)
paths=75000
[ -z "${SEAM_LONG-}" ] || paths=225000
tests=$(dirname "$(dirname "$(realpath "$0")")")
{
  echo "$sources" | grep "^$tests/" | sed "s|^|--extra-arg=-include --extra-arg=$tests/house/tidy_criterion.h |"
  echo "$sources" | grep -v "^$tests/"
} | xargs -L 1 -P 2 "$1" --quiet -p "$2" --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang \
  --extra-arg=max-nodes=$paths
