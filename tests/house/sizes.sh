#!/bin/sh
# Fails when a source file has grown beyond 1000 lines: split it by what it is about.
# usage: sizes.sh (in the root of the tree)
set -eu
find . -path './build*' -prune -o -name '*.[ch]' -exec awk '
FNR == 1001 {
  print FILENAME ": more than 1000 lines"
  long = 1
}
END { exit long }
' {} +
