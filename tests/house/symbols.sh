#!/bin/sh
# Fails when the library shows a symbol without one of Seam's prefixes or without a version of cmake/seam.map.
# usage: symbols.sh LIBRARY
set -eu
nm -D --defined-only "$1" |
  awk '$2 != "A" && $3 !~ /^(seam|mbs|cosim)_[a-z0-9_]*@@SEAM_[0-9.]*$/ { print $3; foreign = 1 } END { exit foreign }'
