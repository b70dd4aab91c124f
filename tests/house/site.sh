#!/bin/sh
# The site of the documentation is built without a warning and, where the system lets a user cut it off, without network;
# site.py looks at the links of its pages.
# usage: site.sh SOURCE FOLDER
set -eu
[ -n "${SEAM_LONG:-}" ] || { echo 'builds the site: with SEAM_LONG only' && exit 77; }
if ! /usr/bin/python3 -c 'import breathe, myst_parser' 2>/dev/null || ! command -v doxygen >/dev/null; then
  echo 'skipped: house.site (tools/dependencies.sh docs)'
  exit 77
fi
alone=
! unshare --map-root-user --net true 2>/dev/null || alone='unshare --map-root-user --net'
$alone "$1/tools/site.sh" "$2"
"$1/tests/house/site.py" "$1" "$2"
