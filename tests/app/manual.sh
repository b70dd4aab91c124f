#!/bin/sh
# Manual pages: one for each command that the overviews list, which groff and man read without a warning, with every
# option of `seam help`.
# usage: manual.sh SEAM
set -eu
seam=$1
command -v groff >/dev/null || { echo 'skipped: app.manual (groff-base)' && exit 77; }
scratch=$(mktemp -d)
folder=$scratch/made
trap 'rm -rf "$scratch"' EXIT
"$seam" help --man "$folder"
export LC_ALL=C.UTF-8 MANWIDTH=100 MANROFFOPT=-c
failed=0
fail() {
  echo "$1"
  failed=1
}

# shellcheck disable=SC2086 # no word for the overview
commands() { "$seam" help $1 | sed -n 's/^  \([a-z]*\)  .*/\1/p'; }
pages=seam
for command in $(commands ''); do
  pages="$pages seam-$command"
  for part in $([ "$command" != stability ] || commands stability); do pages="$pages seam-$command-$part"; done
done
[ "$(echo "$pages" | wc -w)" -eq "$(find "$folder" -name "*.1" | wc -l)" ] || fail "there are other pages than $pages"

for page in $pages; do
  text=$(groff -man -Tutf8 -ww -P-c "$folder/$page.1" 2>"$folder/warnings" | sed 's/.\x08//g')
  [ ! -s "$folder/warnings" ] || fail "$page: $(cat "$folder/warnings")"
  for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS'; do
    echo "$text" | grep -qx "$section" || fail "$page: there is no section $section"
  done
  # shellcheck disable=SC2046 # words of a command
  [ "$page" = seam ] || "$seam" help $(echo "${page#seam-}" | tr - ' ') | sed -n 's/^  \(--*[a-z][-a-z]*\)\( .*\)\{0,1\}$/\1/p' |
    while read -r option; do
      echo "$text" | grep -qE -e "^ +$option( |\$)" || echo "$page lacks $option"
    done >>"$folder/lacking"
done
[ ! -s "$folder/lacking" ] || fail "$(cat "$folder/lacking")"

if command -v man >/dev/null; then
  text=$(man --warnings -E UTF-8 -l "$folder/seam-run.1" 2>&1)
  echo "$text" | grep -q 'seam run four_bar_bushing --cosim --scheme ff-d-k2 --macro-step 1e-3' ||
    fail "man does not show the examples as they are typed: $text"
fi
exit $failed
