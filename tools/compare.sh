#!/bin/sh
# usage: tools/compare.sh OLD NEW FOLDER [SCHEME ...]
# Co-simulates each model file of FOLDER with a section `cosim` by two builds, under its own scheme and each SCHEME,
# and names the files of results and messages that differ by a byte. CPU and wall times are not compared.
# OLD, NEW: folders of builds; app/seam and libseam.so* are enough. Status 1: something differs.
set -u
old=$(cd "$1" && pwd) new=$(cd "$2" && pwd) models=$(cd "$3" && pwd)
shift 3
work=$(mktemp -d)
n=0 differing=0

run() { # WHICH BUILD MODEL SCHEME
  mkdir -p "$work/$1" && cd "$work/$1" && rm -rf out
  LD_LIBRARY_PATH=$2 timeout 300 "$2/app/seam" run "$3" --cosim ${4:+--scheme "$4"} -o out --check never --quiet >messages 2>&1
  echo "status $?" >>messages
  [ ! -e out/summary.json ] || { grep -v '_s": ' out/summary.json >out/summary && rm out/summary.json; }
}

for model in "$models"/*.yaml; do
  grep -q '^cosim:' "$model" || continue
  for scheme in "" "$@"; do
    (run old "$old" "$model" "$scheme") &
    (run new "$new" "$model" "$scheme")
    wait
    n=$((n + 1))
    found=$(diff -rq "$work/old" "$work/new") && continue
    differing=$((differing + 1))
    echo "$(basename "$model") ${scheme:-(its own)}:" $(echo "$found" | sed "s,.* $work/new/,,; s, differ\$,,; s,^Only in $work/,only ,")
  done
done
rm -rf "$work"
echo "$n runs, $differing differ"
[ "$differing" -eq 0 ]
