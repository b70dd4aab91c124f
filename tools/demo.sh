#!/bin/sh
# Simulates the four-bar mechanism with a bushing from its model file, monolithic and cut into two subsystems at the
# bushing, and draws the motion and the cost of the cut: installs missing packages, builds, runs. A second call takes
# seconds.
set -eu
cd "$(dirname "$0")/.."
tools/dependencies.sh run

# The first call leaves tests and benchmarks out; a configured tree keeps its options.
if [ -e build/release/CMakeCache.txt ]; then
  cmake build/release
else
  cmake --preset release -D SEAM_TESTS=OFF -D SEAM_BENCH=OFF
fi
cmake --build --preset release --parallel "$(nproc)" --target seam_command seam_python

seam=build/release/app/seam
results=results/four_bar_bushing/run
schemes='ff-k0 ff-k1 ff-k2 ff-d-k2'
$seam run four_bar_bushing -o "$results"
$seam compare four_bar_bushing --schemes "$(echo "$schemes" | tr ' ' ','),fd-k1,dd-k1" --keep -o "$results"
echo "Next a scheme that damps the mechanism, on purpose: Seam says how far off it is."
$seam run four_bar_bushing --cosim --scheme fd-k0-explicit --macro-step 1e-2 --end 6 --accept-wrong -o "$results/held"
$seam animate "$results/held" --ghost "$results" -o "$results/moving.svg"   # docs/four_bar.svg
for format in png svg pdf; do
  LC_ALL=C.UTF-8 gnuplot -e "directory='$results'; schemes='$schemes'; format='$format'" tools/four_bar.gp
done

echo
echo "The four-bar mechanism has run, whole and co-simulated. In $PWD/$results:"
echo '  trajectory.csv              every pose, rate, reaction and energy over time; summary.json: how the run went'
echo '  SCHEME/couplings.csv        what the cut transmits, at every macro point'
echo '  compare.csv, errors.csv     each scheme beside the monolithic run'
echo '  four_bar.png, .svg, .pdf    a picture of it'
echo '  moving.svg                  the mechanism in motion, for a browser'
echo "More: build/release/app/seam --help"
