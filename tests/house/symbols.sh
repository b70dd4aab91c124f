#!/bin/sh
# Fails when the library shows a symbol without one of Seam's prefixes.
# usage: symbols.sh LIBRARY
set -eu
nm -D --defined-only "$1" | awk '$3 !~ /^(seam|mbs|cosim)_/ { print $3; foreign = 1 } END { exit foreign }'
