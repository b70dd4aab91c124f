#!/bin/sh
# Fails when a page or a comment points to what is not there: a relative link or an anchor of a page, a key [Author]
# without its entry in docs/references.md, or a file that is not part of the tree.
# usage: docs.sh (in the root of the tree)
set -eu

pages=$(find . \( -path './build*' -o -path './.git' -o -path './results' \) -prune -o -name '*.md' -print)
sources=$(find . \( -path './build*' -o -path './.git' -o -path './results' -o -path './tests/house' \) -prune -o \
  \( -name '*.[ch]' -o -name '*.md' -o -name '*.yaml' -o -name '*.sh' -o -name '*.py' -o -name '*.gp' -o -name '*.txt' \) -print)

# A line "FILE:LINE TARGET" for each link of a page; a line "FILE#ANCHOR" for each heading, named as GitHub does.
listing=$(mktemp -d)
trap 'rm -rf "$listing"' EXIT
# shellcheck disable=SC2086 # lists of files without spaces
awk -v links="$listing/links" -v anchors="$listing/anchors" '
FNR == 1 { fenced = 0; split("", seen) }
/^ *```/ { fenced = !fenced }
fenced { next }
/^#+ / {
  anchor = tolower($0)
  sub(/^#+ +/, "", anchor)
  gsub(/[!"#$%&\047()*+,.\/:;<=>?@\[\\\]^`{|}~]|—|–|…/, "", anchor)
  gsub(/ /, "-", anchor)
  count = seen[anchor]++
  print FILENAME "#" anchor (count ? "-" count : "") >anchors
}
{
  line = $0
  gsub(/`[^`]*`/, "", line)
  while (match(line, /\]\([^)]*\)/)) {
    target = substr(line, RSTART + 2, RLENGTH - 3)
    line = substr(line, RSTART + RLENGTH)
    sub(/ .*/, "", target)
    if (target !~ /^[a-z]+:/) print FILENAME ":" FNR " " target >links
  }
}' $pages
touch "$listing/links" "$listing/anchors"

# Each target, as a path from the root and an anchor, then what is not there.
sed 's/^[^ ]* //' "$listing/links" >"$listing/targets"
sed 's/:[0-9]* .*//' "$listing/links" | paste -d ' ' - "$listing/targets" |
  awk '{ file = $2; sub(/#.*/, "", file); dir = $1; sub(/[^\/]*$/, "", dir); print file == "" ? $1 : dir file }' |
  xargs -r -d '\n' realpath -m --relative-to=. | sed 's/^/.\//' | paste -d ' ' - "$listing/links" >"$listing/resolved"
broken=0
cut -d ' ' -f 1 "$listing/resolved" | sort -u | while read -r path; do [ -e "$path" ] || echo "$path"; done >"$listing/missing"
awk '
FILENAME ~ /missing$/ { missing[$1] = 1; next }
FILENAME ~ /anchors$/ { heading[$1] = 1; next }
$1 in missing { print $2 ": there is no file " $1; broken = 1; next }
$3 ~ /#/ {
  anchor = $3
  sub(/[^#]*/, "", anchor)
  if (!(($1 anchor) in heading)) { print $2 ": " $1 " has no heading " anchor; broken = 1 }
}
END { exit broken }' "$listing/missing" "$listing/anchors" "$listing/resolved" || broken=1

# Keys look like [Li] or [Hairer-Wanner]; units, the texts of links and types of Python do too.
# shellcheck disable=SC2086
awk '
FNR == 1 && FILENAME ~ /docs\/references.md$/ { listing = 1 }
FNR == 1 && FILENAME !~ /docs\/references.md$/ { listing = 0 }
listing && /^#+ \[/ { match($0, /\[[^]]*\]/); known[substr($0, RSTART, RLENGTH)] = 1 }
{
  line = $0
  while (match(line, /\[[A-Z][a-z]+([- ][A-Z][A-Za-z]+)*\]/)) {
    key = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    if (line !~ /^[(:]/ && FILENAME !~ /\/python\// && key !~ /^\[(Hz|Nm|Ns|Pa)\]$/) cited[FILENAME ":" FNR ": " key] = key
  }
}
END {
  for (place in cited)
    if (!(cited[place] in known)) { print place " is not in docs/references.md"; broken = 1 }
  exit broken
}' ./docs/references.md $sources || broken=1

# Files of those who wrote Seam, which a reader does not have.
# shellcheck disable=SC2086
if grep -nE 'recipes\.md|design\.md|anchors\.md|li-dissertation|(ecco|mbcorr|energy-correction|balance-correction)\.txt|(^|[^a-z_])(shared|papers)/' \
  $sources; then
  echo 'these files are not part of the tree: cite docs/references.md or docs/conventions.md'
  broken=1
fi
exit $broken
