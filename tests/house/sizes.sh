#!/bin/sh
# Fails when a source file has grown beyond 600 lines: split it by what it is about.
# usage: sizes.sh (in the root of the tree)
set -eu
find . -path './build*' -prune -o -name '*.[ch]' -exec awk '
FNR == 601 {
  print FILENAME ": more than 600 lines"
  long = 1
}
END { exit long }
' {} +
