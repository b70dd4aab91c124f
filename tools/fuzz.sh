#!/bin/sh
# Fuzzes every target for some time with clang's libFuzzer and its address and undefined-behaviour sanitizers; new inputs
# go to build/fuzz/corpus, failing ones to build/fuzz.
# usage: tools/fuzz.sh [SECONDS [TARGET...]]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -lt 1 ] || shift
[ $# -gt 0 ] || set -- parse override scheme expression checkpoint image

CC=${CC:-clang} cmake -B build/fuzz -D SEAM_FUZZ=ON -D SEAM_SANITIZE=ON -D SEAM_BENCH=OFF -D CMAKE_BUILD_TYPE=RelWithDebInfo
for target in "$@"; do
  cmake --build build/fuzz --parallel "$(nproc)" --target "fuzz_$target"
done
status=0
for target in "$@"; do
  new=build/fuzz/corpus/$target
  mkdir -p "$new"
  seeds=tests/fuzz/corpus/$target
  [ "$target" != parse ] || seeds="$seeds models/catalogue"
  # shellcheck disable=SC2086 # a list of folders without spaces
  "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=100 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$target-" "$new" $seeds || status=1
done
exit $status
