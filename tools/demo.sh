#!/bin/sh
# Simulates the four-bar mechanism with a bushing from its model file and draws what it does: installs what is missing,
# builds, runs. A second call takes seconds.
set -eu
cd "$(dirname "$0")/.."
tools/dependencies.sh

cmake --preset release
cmake --build --preset release --parallel "$(nproc)" --target seam_command

results=results/four_bar_bushing
build/release/app/seam run four_bar_bushing -o "$results"
for format in png svg; do
  LC_ALL=C.UTF-8 gnuplot -e "directory='$results'; format='$format'" tools/four_bar.gp
done

echo
echo "The four-bar mechanism has run. In $PWD/$results:"
echo '  trajectory.csv              every pose, rate, reaction and energy over time'
echo '  summary.json                options, effective model, statistics, verdict'
echo '  four_bar.png, four_bar.svg  paths, angles and energies as a picture'
echo "More: build/release/app/seam --help"
