#!/bin/sh
# Fails when clang-tidy finds something in a source file that the build compiles; generated files are left out.
# Without the tests, the analyser, which takes nine tenths of the time, and two checks of names, which take half of the rest; all of it
# with SEAM_LONG, one file a call then: the analyser of version 14 mistakes every va_list after the first file's.
# usage: tidy.sh CLANG_TIDY BUILD_DIR
set -eu
checks=-clang-analyzer-*,-bugprone-reserved-identifier,-readability-identifier-naming
files=16
left_out=/tests/
if [ -n "${SEAM_LONG-}" ]; then
  checks=
  files=1
  left_out=^$
fi
sources=$(sed -n 's/^ *"file": "\(.*\.c\)",*$/\1/p' "$2/compile_commands.json" | grep -v -e "^$2/" -e "$left_out" | sort -u)
echo "$sources" | tr '\n' '\0' | xargs -0 -n $files -P 2 "$1" --quiet -p "$2" --checks="$checks"
