#!/bin/sh
# words.sh must notice each of these dropped terms, and let plain English pass.
set -eu
words=$(dirname "$(realpath "$0")")/words.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/cosim"
cd "$tree"

expect() { # VERDICT FILE TEXT
  echo "$3" >"$2"
  if "$words"; then verdict=sound; else verdict=broken; fi
  rm "$2"
  if [ "$verdict" != "$1" ]; then
    echo "$2 with '$3' was taken for $verdict"
    exit 1
  fi
}

expect sound cosim/a.c '/* The order is known; there is no scheme for it, no more than that. */'
expect sound cosim/a.c 'at_most(u, v); /* the macro step turns out longer; far from the end */'
expect sound a.md 'The recommended method is not a scheme of this cut.'
expect broken cosim/a.c 'int n_riders;'
expect broken cosim/a.c 'seam_pace pace;'
expect broken cosim/a.c '/* what the part is told */'
expect broken cosim/a.c 'const size_t most_bodies = 3;'
expect broken cosim/a.c 'cosim_station *station;'
expect broken a.md "Stability of one's own mechanism"
expect broken a.md 'A message names the mend.'
expect broken cosim/a.c '"ff is no scheme of a joint"'
expect broken models.yaml '# The chassis tells its velocity.'
expect broken cosim/a.c "/* A user's part stands beside it. */"
expect broken cosim/a.c 'double cosim_identifier_answer(void);'
expect broken cosim/a.c '/* the wrench that a side feels */'
