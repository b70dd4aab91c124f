#!/bin/sh
# Checks modelDescription.xml of exported FMUs with the schemas of both versions of FMI. They are not part of the tree: the
# test is skipped (77) where they are not, or xmllint is missing.
# usage: schemas.sh SEAM SCHEMAS
set -eu
seam=$1
schemas=$2
command -v xmllint >/dev/null && [ -f "$schemas/fmi2/fmi2ModelDescription.xsd" ] || { echo "skipped: fmu.schemas (libxml2-utils, and the schemas of FMI)"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
check() { # NAME ARGUMENTS...
  for version in 2 3; do
    "$seam" export "$@" --fmi $version -o "$folder/one.fmu"
    unzip -p "$folder/one.fmu" modelDescription.xml >"$folder/one.xml"
    xmllint --noout --schema "$schemas/fmi$version/fmi${version}ModelDescription.xsd" "$folder/one.xml"
  done
}
check four_bar_bushing
"$seam" export four_bar_bushing --subsystem left --fmi 3 -o "$folder/one.fmu"
unzip -p "$folder/one.fmu" "extra/*/fmi-ls-manifest.xml" | xmllint --noout -
check four_bar_bushing --subsystem left
check four_bar_bushing --subsystem right --set cosim.scheme=fd-i-k1
check four_bar_fixed --subsystem left --set cosim.scheme=ff-index2-k1
check cart_pole
check quarter_car_road
check cart_pole_sampled
