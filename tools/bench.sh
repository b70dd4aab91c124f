#!/bin/sh
# Builds and runs the benchmarks, a quarter of an hour: report.txt has all ratios with their spreads,
# performance.csv the data of the figures in docs/performance.md. Not run: bench_stability_study, half an hour or more,
# and bench_steps, which bench/steps.py runs.
# usage: tools/bench.sh [DIR]      default build/release/bench/results
#        tools/bench.sh --docs     only those of docs/performance.md, five minutes; renews the page and its figures
set -eu
cd "$(dirname "$0")/.."

to=build/release/bench/results
[ "${1:-}" = --docs ] || to=${1:-$to}
mkdir -p "$to"
csv=$(realpath "$to")/performance.csv
report=$(realpath "$to")/report.txt

names=$(sed -n 's/^foreach(name \(.*\))$/\1/p' bench/CMakeLists.txt | head -1 | tr ' ' '\n' | grep -v -e stability_study -e '^steps$')
if [ "${1:-}" = --docs ]; then
  names=$(for name in $names; do if grep -q bench_csv "bench/$name.c"; then echo "$name"; fi; done)
fi
cmake --preset release >/dev/null
# shellcheck disable=SC2046,SC2086 # lists of words
cmake --build --preset release --parallel 2 --target $(printf 'bench_%s ' $names) >/dev/null

conditions() {
  date -u '+%Y-%m-%d %H:%M UTC'
  git describe --always --dirty --abbrev=12 | sed 's/^/commit /'
  sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 processors /'
  sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' build/release/CMakeCache.txt | while read -r compiler; do "$compiler" --version | head -1; done
  sed 's/ .*//; s/^/load average at the beginning /' /proc/loadavg
}
conditions >"$report"
{ sed 's/^/# /' "$report"; echo 'case,quantity,series,x,median,least,most'; } >"$csv"

run() {
  name=$1
  shift
  start=$(date +%s)
  printf '\n== bench_%s\n\n' "$name" >>"$report"
  "build/release/bench/bench_$name" "$@" >>"$report"
  echo "bench_$name: $(($(date +%s) - start)) s"
}
for name in $names; do
  if grep -q bench_csv "bench/$name.c"; then run "$name" --csv "$csv"; else run "$name"; fi
done
echo "$report"
if [ "${1:-}" = --docs ]; then
  cp "$csv" docs/figures/performance.csv
  python3 tools/figures/performance.py
fi
