#!/bin/sh
# An exported FMU and `seam check` of it say which glibc its binary needs: the newest that the linker noted in it.
# usage: glibc.sh SEAM
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for fmi in 2 3; do
  "$1" export double_pendulum --fmi $fmi -o a.fmu
  rm -rf binaries && unzip -qo a.fmu
  newest=$(readelf --version-info binaries/*/double_pendulum.so | grep -o 'GLIBC_2\.[0-9]*' | sort -V | tail -1 | sed 's/.*_//')
  grep "description=\"for Linux with glibc $newest or newer\"" modelDescription.xml
  "$1" check a.fmu | grep "^needs: glibc $newest or newer\$"
done
