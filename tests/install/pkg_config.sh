#!/bin/sh
# Builds and runs a program against the installed library, found by pkg-config.
# usage: pkg_config.sh CC SOURCE LIBRARY_DIR
set -eu
PKG_CONFIG_PATH=$3/pkgconfig
export PKG_CONFIG_PATH
program=$(mktemp)
trap 'rm -f "$program"' EXIT
eval "\"\$1\" -std=c17 \"\$2\" -o $program $(pkg-config --cflags --libs "seam >= 0.3") -Wl,-rpath,'$3'" # flags are quoted words
"$program"
