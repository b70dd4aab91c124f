#!/bin/sh
# Runs the tests: installs missing packages, builds the release and the sanitized versions, and runs their tests.
# The last line names skipped tests, with the packages they need, and tests left for --long.
# usage: tools/test.sh [--long]
#   --long  then the tests that take minutes, one after the other, and all of them built by clang and
#           run by Criterion (needs the packages clang and libcriterion-dev as well)
set -eu
cd "$(dirname "$0")/.."
case $* in
'' | --long) ;;
*)
  echo "usage: tools/test.sh [--long]" >&2
  exit 2
  ;;
esac
tools/dependencies.sh

# Warnings are errors in continuous integration, which sets CI; compilers of users may have other warnings.
werror=OFF
[ -z "${CI:-}" ] || werror=ON
# Each suite once: figures in the optimised build, all others under the sanitizers.
for preset in release sanitize; do
  suites=figures
  [ $preset = release ] || suites=others
  cmake --preset $preset -D SEAM_WERROR=$werror -D SEAM_SUITES=$suites -D SEAM_BENCH=OFF
  cmake --build --preset $preset --parallel "$(nproc)"
done
# One test more than processors: some tests wait for programs that they kill, or for keys on a terminal.
status=0
for preset in release sanitize; do
  ctest --preset $preset --parallel $(($(nproc) + 1)) || status=1
done
left=' For tools/test.sh --long: the analyser of clang-tidy, figures under the sanitizers and all others without, threads, benchmarks, clang, fuzzing, mutants.'
if [ "$*" = --long ]; then
  left=
  # Tests with the label `long` take more cases when SEAM_LONG is set.
  SEAM_LONG=1 ctest --preset release -L long || status=1
  for preset in release sanitize tsan clang; do
    cmake --preset $preset && cmake --build --preset $preset --parallel "$(nproc)" && ctest --preset $preset --parallel "$(nproc)" || status=1
  done
  tools/fuzz.sh 60 || status=1
  tools/mutants.py || status=1
fi
skipped=$(cat build/*/Testing/Temporary/LastTest.log | sed -n 's/^skipped: //p' | sort -u | paste -s -d ',' | sed 's/,/, /g')
echo "Skipped: ${skipped:-nothing}.$left"
exit $status
