#!/bin/sh
# Fails when the blocks of C of docs/library.md, one after the other, are no program, or it does not print what the page
# says on the model of the page.
# usage: library_page.sh CC LIBRARY (in the root of the tree)
set -eu
cc=$1
library=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

blocks() { # LANGUAGE
  awk -v begin="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == begin { inside = 1 }' docs/library.md
}

blocks c >"$work/program.c"
blocks yaml >"$work/swing.yaml"
blocks text >"$work/expected"
test -s "$work/program.c" && test -s "$work/expected"
"$cc" -std=c17 -Wall -Wextra -Werror -I include -o "$work/program" "$work/program.c" "$library" \
  -Wl,-rpath,"$(dirname "$library")" -lm
cd "$work"
./program >printed
diff expected printed
