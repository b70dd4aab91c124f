#!/bin/sh
# The commands in the heads of the catalogue's files have options that exist, and columns that `Look at` needs.
# usage: headers.sh SEAM CATALOGUE
set -eu
seam=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$2"
for file in *.yaml; do
  sed -n 's/^#   seam \([a-z]* .*\)/\1/p' "$file" | while read -r command rest; do
    for option in $(echo "$rest" | grep -o -e '--[a-z-]*' || true); do
      "$seam" help "$command" | grep -q -e "^  $option" || echo "$file: seam $command has no option $option"
    done
  done
  columns=$(sed -n 's/^# \(.*; \)*with --columns \(default,[^.]*\)\.$/\2/p' "$file")
  [ -z "$columns" ] ||
    "$seam" run "${file%.yaml}" --columns "$columns" --end 1e-6 --check never --quiet -o "$scratch/run" 2>&1 || true
done >"$scratch/found"
cat "$scratch/found"
[ ! -s "$scratch/found" ]
