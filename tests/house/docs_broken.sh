#!/bin/sh
# docs.sh must notice each of these broken pages, and let the sound ones pass.
set -eu
docs=$(dirname "$(realpath "$0")")/docs.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs"
cd "$tree"
printf '# References\n\n### [Li]\n\n### [Hairer-Wanner]\n' >docs/references.md
printf '# Theory\n\n## 2. Joints — `mbs/model/joint.h`\n\n## Signs\n\n## Signs\n' >docs/theory.md

expect() { # VERDICT FILE TEXT
  echo "$3" >"$2"
  if "$docs"; then verdict=sound; else verdict=broken; fi
  rm "$2"
  if [ "$verdict" != "$1" ]; then
    echo "$2 with '$3' was taken for $verdict"
    exit 1
  fi
}

expect sound README.md '[theory](docs/theory.md), [joints](docs/theory.md#2-joints--mbsmodeljointh), [again](docs/theory.md#signs-1)'
expect sound docs/a.md '[theory](theory.md#signs), [above](../docs/theory.md), [outside](https://example.org/x), `[code](none.md)`'
expect sound docs/a.md '[Here](#top) is the
# Top'
expect sound a.c '/* [Li] 3.31, [Hairer-Wanner] IV.8; in [Hz], of [P, Q] */'
expect broken README.md '[theory](theory.md)'
expect broken README.md '[theory](docs/theory.md#sign)'
expect broken README.md '[below](#none)'
expect broken a.c '/* [Lee] 3.31 */'
expect broken docs/a.md 'as [Hairer] shows'
expect broken a.c '/* see recipes.md */'
expect broken a.c '/* see shared/refs/points.csv */'
