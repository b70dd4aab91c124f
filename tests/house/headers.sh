#!/bin/sh
# Fails when a public header does not compile alone, in C or in C++.
# usage: headers.sh CC CXX (in the root of the tree)
set -eu

compile() { # HEADER COMPILER STANDARD LANGUAGE
  echo "#include <$1>" |
    "$2" "-std=$3" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude -fsyntax-only -x "$4" -
}

for path in include/seam/*.h; do
  compile "${path#include/}" "$1" c17 c
  compile "${path#include/}" "$2" c++11 c++
done
