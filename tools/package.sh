#!/bin/sh
# Builds Debian packages of the tracked files, or of a source archive, in a temporary folder. The same files give the same
# bytes everywhere. apt-get build-dep . installs what a build needs.
# usage: tools/package.sh [FOLDER]   for the packages; default: build/packages
#   DEB_BUILD_OPTIONS=nocheck        without the tests, which take most of the time
set -eu
cd "$(dirname "$0")/.."
mkdir -p "${1:-build/packages}"
packages=$(realpath "${1:-build/packages}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/seam"
files() { if [ -e .git ]; then git ls-files -z; else find . -path ./build -prune -o -path ./results -prune -o -type f -print0; fi; }
files | tar --null --create --files-from=- | tar --extract --directory="$folder/seam"

DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} parallel=$(nproc)"
export DEB_BUILD_OPTIONS
(cd "$folder/seam" && dpkg-buildpackage --build=binary --no-sign)
cp "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo "$packages"
echo "packages of Seam are in $packages"
