#!/bin/sh
# Installs the Debian 12 packages that Seam's build, tests and demonstration need and that are missing. Only this needs
# root: it uses sudo when it is not root.
set -eu

packages='
cmake gcc g++ make pkg-config libc6-dev
libsundials-dev libsuitesparse-dev liblapacke-dev libfyaml-dev libjs-dygraphs
libexpat1-dev libminizip-dev zlib1g-dev libxml2-utils
libcriterion-dev clang-format-14 clang-tidy-14
python3-jsonschema python3-yaml
python3-cffi python3-numpy python3-pytest python3-pandas python3-xarray
gnuplot-nox
groff-base man-db zsh'

missing=
for package in $packages; do
  if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
    missing="$missing $package"
  fi
done
[ -n "$missing" ] || exit 0
echo "installing Debian packages:$missing"

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "packages are missing and there is no sudo; as root: apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  as_root=sudo
fi

# Lists of repositories that cannot be reached may be old: the installation decides.
$as_root apt-get update -qq || echo 'apt-get update failed; going on with the lists that are here' >&2
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing </dev/null
