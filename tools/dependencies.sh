#!/bin/sh
# Installs the missing packages of a purpose on Debian 12 and 13 and Ubuntu 24.04; elsewhere lists them.
# Only the installation needs root: without root it uses sudo.
# usage: tools/dependencies.sh [run] [test] [lint] [docs]
#   run   for Seam with the Python package and pictures, as in tools/demo.sh
#   test  for the tests, in addition to run     lint  for checks of the tree
#   docs  for the site of the documentation, its pictures and the notebook
#   default: run test lint, for tools/test.sh
set -eu
purposes=${*:-run test lint}
for purpose in $purposes; do
  case $purpose in
  run | test | lint | docs) ;;
  *)
    echo "usage: tools/dependencies.sh [run] [test] [lint] [docs]; there is no '$purpose'" >&2
    exit 2
    ;;
  esac
done

# Purpose; requirement; packages of Debian; of Fedora; of Homebrew. A - stands for none.
table='
run  | C compiler (gcc 12 or clang 14, or later) and make | gcc libc6-dev make | gcc make | gcc
run  | CMake 3.25 or later, Ninja, pkg-config            | cmake ninja-build pkgconf | cmake ninja-build pkgconf-pkg-config | cmake ninja pkgconf
run  | SUNDIALS 6.4 to 7, with CVODES and IDAS           | libsundials-dev | sundials-devel | sundials
run  | KLU and CAMD of SuiteSparse 5.12 or later         | libsuitesparse-dev | suitesparse-devel | suite-sparse
run  | LAPACK with LAPACKE, the reference implementation | liblapacke-dev liblapack-dev libblas-dev | lapack-devel | lapack
run  | libfyaml 0.7.12 or later                          | libfyaml-dev | libfyaml-devel | libfyaml
run  | Expat 2.4 or later, MiniZip 1, zlib               | libexpat1-dev libminizip-dev zlib1g-dev | expat-devel minizip-compat-devel zlib-devel | expat minizip zlib
run  | dygraphs 2, in the folder -D SEAM_DYGRAPHS=...    | libjs-dygraphs | - | -
run  | Python 3 with cffi and NumPy                      | python3-cffi python3-numpy | python3-cffi python3-numpy | cffi numpy
run  | gnuplot                                           | gnuplot-nox | gnuplot | gnuplot
test | xmllint, unzip                                    | libxml2-utils unzip | libxml2 unzip | libxml2 unzip
test | for Python: pytest, pandas, xarray, jsonschema, PyYAML | python3-pytest python3-pandas python3-xarray python3-jsonschema python3-yaml | python3-pytest python3-pandas python3-xarray python3-jsonschema python3-pyyaml | -
test | man, groff and zsh                                | man-db groff-base zsh | man-db groff-base zsh | man-db groff zsh
lint | C++ compiler                                      | g++ | gcc-c++ | gcc
lint | clang-format 14 and clang-tidy 14, no others      | clang-format-14 clang-tidy-14 | - | -
docs | nbconvert and the kernel of Jupyter               | jupyter-nbconvert python3-ipykernel | python3-nbconvert python3-ipykernel | jupyterlab
docs | Sphinx with MyST and Breathe, Doxygen          | python3-sphinx python3-myst-parser python3-breathe doxygen | python3-sphinx python3-myst-parser python3-breathe doxygen | sphinx-doc doxygen
docs | FFmpeg                                            | ffmpeg | ffmpeg-free | ffmpeg
'
# rows FIELD...: prints these fields of the rows of the wanted purposes, one row a line.
rows() {
  echo "$table" | awk -F ' *[|] *' -v purposes=" $purposes " -v fields="$*" '
    NF > 1 && index(purposes, " " $1 " ") {
      n = split(fields, wanted, " ")
      for (i = 1; i <= n; i++) printf "%s%s", $wanted[i], i < n ? "|" : "\n"
    }'
}

system=unknown
release=${SEAM_OS_RELEASE:-/etc/os-release} # the test of this script sets another file
[ ! -r "$release" ] || system=$(. "$release" && echo "${ID:-}-${VERSION_CODENAME:-}")
case $system in
debian-bookworm | ubuntu-noble) lacks='' ;;
debian-trixie) lacks='clang-format-14 clang-tidy-14' ;;
*)
  echo "For '$purposes' Seam needs what follows (packages of Debian; Fedora; Homebrew). Packages of this system are not known"
  echo 'here, so nothing is installed: the configuration says what it does not find.'
  rows 2 3 4 5 | awk -F '|' '{ printf "  %s (%s; %s; %s)\n", $1, $2, $3, $4 }'
  exit 0
  ;;
esac

missing=
for package in $(rows 3); do
  case " $lacks " in
  *" $package "*) continue ;; # this release has none; checks that need the package are left out
  esac
  if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
    missing="$missing $package"
  fi
done
[ -n "$missing" ] || exit 0
echo "installing packages:$missing"

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "packages are missing and there is no sudo; as root: apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  as_root=sudo
fi

# Without network the lists of packages may be old; the installation then shows whether they suffice.
$as_root apt-get update -qq || echo 'apt-get update failed; going on with the lists that are here' >&2
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing </dev/null
