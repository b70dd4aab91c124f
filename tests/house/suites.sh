#!/bin/sh
# Fails when a suite does not have its file's name, by which CTest chooses it, or when no list of suites has the file:
# its tests would never run.
# usage: suites.sh (in the root of the tree)
set -eu
# shellcheck disable=SC2046 # lists of files without spaces
awk '
FNR == 1 {
  split(FILENAME, part, "/")
  name = FILENAME
  gsub(/.*\/|\.c$/, "", name)
  is_new = 1
}
FILENAME ~ /\.txt$/ {
  sub(/#.*/, "")
  gsub(/[()]/, " ")
  for (i = 1; i <= NF; i++) {
    word = $i
    sub(/.*\//, "", word)
    listed[part[2] " " word] = 1
  }
  next
}
/^(Test|TestSuite)\(/ && index($0, "(" name ",") == 0 {
  print FILENAME ":" FNR ": its suite is called " name
  broken = 1
}
/^Test\(/ && is_new {
  is_new = 0
  if (!((part[2] " " name) in listed)) {
    print FILENAME ": tests/" part[2] "/CMakeLists.txt does not name " name
    broken = 1
  }
}
END { exit broken }' $(find tests -name CMakeLists.txt) $(find tests -name '*.c')
