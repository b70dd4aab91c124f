#!/bin/sh
# Fails when clang-tidy finds something in a source file that the build compiles; generated files are left out.
# Without the analyser, which takes nine tenths of the time, and two checks of names, which take half of the rest; all of it with
# SEAM_LONG, one file a call then: the analyser of version 14 mistakes every va_list after the first file's.
# usage: tidy.sh CLANG_TIDY BUILD_DIR
set -eu
checks=-clang-analyzer-*,-bugprone-reserved-identifier,-readability-identifier-naming
files=16
if [ -n "${SEAM_LONG-}" ]; then
  checks=
  files=1
fi
sources=$(sed -n 's/^ *"file": "\(.*\.c\)",*$/\1/p' "$2/compile_commands.json" | grep -v "^$2/" | sort -u)
tests=$(dirname "$(dirname "$(realpath "$0")")")
# tidy SOURCES [OPTION...]: all of them, also where some have mistakes
tidy() {
  list=$1
  shift
  [ -z "$list" ] || echo "$list" | xargs -n $files -P 2 "$clang_tidy" --quiet -p "$build" --checks="$checks" "$@"
}
clang_tidy=$1
build=$2
status=0
tidy "$(echo "$sources" | grep "^$tests/")" "--extra-arg=-include" "--extra-arg=$tests/house/tidy_criterion.h" || status=1
tidy "$(echo "$sources" | grep -v "^$tests/")" || status=1
exit $status
