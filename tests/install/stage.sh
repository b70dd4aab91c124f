#!/bin/sh
# Installs a build into a fresh prefix and moves it: nothing in the package may remember where it was installed.
# usage: stage.sh CMAKE BUILD_DIR PREFIX MOVED_PREFIX
set -eu
rm -rf "$3" "$4"
"$1" --install "$2" --prefix "$3"
mv "$3" "$4"
