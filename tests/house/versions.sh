#!/bin/sh
# Fails when a place that names the version says another one than include/seam/status.h.
# usage: versions.sh (in the root of the tree)
set -eu
part() { sed -n "s/#define SEAM_VERSION_$1 //p" include/seam/status.h; }
minor=$(part MAJOR).$(part MINOR)
version=$minor.$(part PATCH)
failed=0
expect() {
  grep -qE -- "$2" "$1" && return
  echo "$1 does not say '$2': the version is $version"
  failed=1
}
expect debian/changelog "^seam \\($version\\)"
expect debian/control "^Package: libseam$minor\$"
expect "debian/libseam$minor.symbols" "^libseam.so.$minor libseam$minor "
expect "debian/libseam$minor.symbols" "^ \\(symver\\)SEAM_$minor "
expect "debian/libseam$minor.install" "seam-$minor/fmu.so"
expect debian/copyright "seam-$minor/fmu.so"
expect cmake/seam.map "^SEAM_$minor \\{"
expect CHANGELOG.md "^## $version\$"
expect docs/library.md "find_package\\(Seam $minor "
exit $failed
