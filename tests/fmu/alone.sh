#!/bin/sh
# Runs an exported FMU where there is nothing but libc, libm and a master: in a folder of its own as the root. Needs
# root: the test is skipped (77) elsewhere.
# usage: alone.sh SEAM COMPILER SOURCE_DIR
set -eu
seam=$1
compiler=$2
source=$3
[ "$(id -u)" -eq 0 ] || { echo "skipped: fmu.alone (only root may change the root)"; exit 77; }

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
"$seam" export four_bar_bushing --subsystem left -o "$root/left.fmu"
unzip -q "$root/left.fmu" -d "$root"
"$compiler" -std=c17 -D_POSIX_C_SOURCE=200809L -I "$source" "$source/tests/fmu/alone.c" -o "$root/master"
for library in $(ldd "$root/master" | grep -o '/[^ ]*') $(ldconfig -p | sed -n 's/.*libm\.so\.6 (libc6,x86-64.* => //p'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
chroot "$root" /master /binaries/linux64/four_bar_bushing_left.so file:///resources "$(sed -n 's/.*guid="\([^"]*\)".*/\1/p' "$root/modelDescription.xml")"
