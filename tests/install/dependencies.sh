#!/bin/sh
# What tools/dependencies.sh would install, by purpose and release, in the hands of packages' tools that only write down.
# usage: dependencies.sh SOURCE
set -eu
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\necho 0\n' >"$folder/id"
printf '#!/bin/sh\nexit 1\n' >"$folder/dpkg-query" # nothing is installed
printf '#!/bin/sh\necho " $* " >>%s/asked\n' "$folder" >"$folder/apt-get"
chmod +x "$folder"/*
failed=0
fail() {
  echo "$1"
  failed=1
}

# ID CODENAME PURPOSE...: what the installation was asked for.
asked() {
  printf 'ID=%s\nVERSION_CODENAME=%s\n' "$1" "$2" >"$folder/os-release"
  shift 2
  : >"$folder/asked"
  PATH=$folder:$PATH SEAM_OS_RELEASE=$folder/os-release "$source/tools/dependencies.sh" "$@" >"$folder/said"
  installed=$(grep ' install ' "$folder/asked" || true)
}
has() { case $installed in *" $1 "*) ;; *) fail "$1 is not installed: $installed" ;; esac; }
lacks() { case $installed in *" $1 "*) fail "$1 is installed: $installed" ;; esac; }

asked debian bookworm run
for package in gcc cmake pkgconf libsundials-dev libblas-dev python3-cffi gnuplot-nox; do has $package; done
for package in g++ clang-tidy-14 libxml2-utils zsh man-db python3-pandas; do lacks $package; done
asked debian bookworm lint docs
for package in clang-format-14 clang-tidy-14 g++ ffmpeg python3-sphinx doxygen; do has $package; done
for package in gcc libxml2-utils; do lacks $package; done
asked ubuntu noble
for package in gcc libxml2-utils clang-tidy-14; do has $package; done
lacks ffmpeg
asked debian trixie
for package in gcc libxml2-utils g++; do has $package; done
lacks clang-tidy-14 # Debian 13 has none

# What the package of Debian is built with is there for those who build by hand.
asked debian bookworm run test
for package in $(sed -n '/^Build-Depends:/,/^[A-Z]/s/^ \([a-z0-9-]*\).*/\1/p' "$source/debian/control"); do
  case $package in
  debhelper-compat | dh-python | libopenmpi-dev | pkg-config | python3) ;;
  *) has "$package" ;;
  esac
done

# Elsewhere words, and no installation.
asked gentoo '' run
[ -z "$installed" ] || fail "installed on an unknown system: $installed"
grep -q '  SUNDIALS 6.4 to 7, with CVODES and IDAS (libsundials-dev; sundials-devel; sundials)' "$folder/said" || fail "$(cat "$folder/said")"
status=0
"$source/tools/dependencies.sh" everything 2>"$folder/said" || status=$?
[ $status -eq 2 ] && grep -q "there is no 'everything'" "$folder/said" || fail "status $status: $(cat "$folder/said")"
exit $failed
