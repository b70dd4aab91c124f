#!/bin/sh
# Builds the site of the documentation, with a search and the interfaces of C and Python, without network.
# A warning, such as a dead link, is an error. Needs the packages of tools/dependencies.sh docs.
# usage: tools/site.sh [FOLDER]   for the pages; default: build/site
set -eu
cd "$(dirname "$0")/.."
for tool in doxygen sphinx-build; do
  if ! command -v $tool >/dev/null; then
    echo "$tool is missing: tools/dependencies.sh docs" >&2
    exit 2
  fi
done
site=${1:-build/site}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Pages have the same relative paths as in the tree.
cp -r tools/site/pages "$work"
mkdir -p "$work/pages/api/c" "$work/pages/tests" "$work/doxygen"
for entry in README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff LICENSE docs examples bench mbs cosim tests/data; do
  ln -s "$PWD/$entry" "$work/pages/$entry"
done

# Writes a page for each header, by its groups if there are any.
{ cat tools/site/Doxyfile && echo "OUTPUT_DIRECTORY = $work/doxygen"; } | doxygen -
for header in include/seam/*.h; do
  name=$(basename "$header" .h)
  groups=$(sed -n 's/.*@defgroup \([a-z_]*\) .*/\1/p' "$header")
  {
    printf '# `<seam/%s.h>`\n\n```{doxygenfile} %s.h\n' "$name" "$name"
    if [ -n "$groups" ]; then echo ':sections: briefdescription detaileddescription'; fi
    printf '```\n'
    for group in $groups; do
      title=$(sed -n "s/.*@defgroup $group //p" "$header")
      printf '\n## %s\n\n```{doxygengroup} %s\n:content-only:\n:members:\n:undoc-members:\n```\n' "$title" "$group"
    done
  } >"$work/pages/api/c/$name.md"
done
rm -rf "$site"
SEAM_DOXYGEN=$work/doxygen/xml PYTHONDONTWRITEBYTECODE=1 \
  sphinx-build -q -W -n --keep-going -b html -c tools/site -d "$work/doctrees" "$work/pages" "$site"
rm -rf "$site/.buildinfo" "$site/.doctrees"
echo "the pages are in $site/index.html"
