#!/bin/sh
# keys.sh must notice a key and an option that the page does not name.
set -eu
keys=$(dirname "$(realpath "$0")")/keys.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs" "$tree/models/sections" "$tree/cosim/schemes"
cd "$tree"
touch models/model_file.c models/sections/a.h

expect() { # VERDICT KEY OPTION
  printf 'static const map_key keys[] = {{"mass", true}, {"%s", false}};\n' "$2" >models/sections/a.c
  printf 'static const struct option {\n} options[] = {\n    [A] = {METHOD, "%s", 1},\n};\n' "$3" >cosim/schemes/scheme.c
  if "$keys"; then verdict=sound; else verdict=broken; fi
  if [ "$verdict" != "$1" ]; then
    echo "key '$2' and option '$3' were taken for $verdict"
    exit 1
  fi
}

printf '# Keys\n\n`mass`, `{at: P}` but not rod; option `mu`\n\n```\nb: {angle: 1}\n```\n' >docs/model-file.md
expect sound at mu
expect sound angle mu
expect broken rod mu
expect broken angle nodes
