#!/bin/sh
# Fails when docs/model-file.md does not name, as code, a key of a reader's table or an option of a scheme. The tables of
# keys come from `seam schema` (tools/keys.py, which a test compares); this needs no build.
# usage: keys.sh (in the root of the tree)
set -eu
page=docs/model-file.md

# "key", true or false, ... in tables of keys; in tables of schemes the name is the second text.
keys=$(sed -n 's/"[a-z_A-Z]*", *\(true\|false\)[,}]/\n&\n/gp' models/model_file.c models/sections/*.[ch] |
  sed -n 's/^"\([a-z_A-Z]*\)", *\(true\|false\)[,}]$/\1/p' | sort -u)
options=$(sed -n '/^static const struct option {/,/^};/s/^ *\[[A-Z0-9_]*\] = {[A-Z_]*, "\([a-z_]*\)".*/\1/p' cosim/schemes/scheme.c)
[ -n "$keys" ] && [ -n "$options" ] || { echo "keys.sh finds no tables any more"; exit 1; }

code=$(mktemp)
trap 'rm -f "$code"' EXIT
awk '/^ *```/ { fenced = !fenced; next }
fenced { print; next }
{ n = split($0, part, "`"); for (i = 2; i <= n; i += 2) print part[i] }' "$page" >"$code"

missing=0
for key in $keys; do
  grep -qw -- "$key" "$code" && continue
  echo "$page does not name the key '$key': run tools/keys.py build/release/app/seam"
  missing=1
done
for option in $options; do
  grep -qF -- "\`$option\`" "$page" && continue
  echo "$page does not name the option '$option' of schemes"
  missing=1
done
exit $missing
