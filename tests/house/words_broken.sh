#!/bin/sh
# words.sh must notice each of these dropped terms, and let plain English pass.
set -eu
words=$(dirname "$(realpath "$0")")/words.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree" "$tree.list"' EXIT
mkdir -p "$tree/cosim"
cd "$tree"

# All texts at once: every one has a file of its own in its folder.
n=0
expect() { # VERDICT FILE TEXT
  n=$((n + 1))
  file=$(dirname "./$2")/$n.${2##*.}
  echo "$3" >"$file"
  echo "$1 $file $3" >>"$tree.list"
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

status=0
found=$("$words") || status=$?
if [ "$status" != 1 ]; then
  echo "words.sh ends with status $status"
  exit 1
fi
while read -r verdict file text; do
  seen=sound
  if echo "$found" | grep -qF "$file:"; then seen=broken; fi
  if [ "$seen" != "$verdict" ]; then
    echo "$file with '$text' was taken for $seen"
    exit 1
  fi
done <"$tree.list"
