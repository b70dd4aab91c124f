#!/bin/sh
# Configures where packages are hidden: one message names all of them, with Debian's packages and the options that do
# without.
# usage: missing.sh CMAKE SOURCE
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# NAME ARGUMENT...: what CMake says, on one line.
configure() {
  name=$1
  shift
  "$cmake" -S "$source" -B "$folder/$name" -D SEAM_BENCH=OFF "$@" >"$folder/log" 2>&1 && refused=no || refused=yes
  said=$(tr -s ' \n' ' ' <"$folder/log")
}
says() {
  case $said in *"$1"*) return ;; esac
  echo "'$1' is not in: $said"
  failed=1
}
cmake=$1 source=$2

export PKG_CONFIG_LIBDIR=/nowhere
configure hidden -D CMAKE_DISABLE_FIND_PACKAGE_SUNDIALS=ON -D CMAKE_DISABLE_FIND_PACKAGE_SuiteSparse=ON \
  -D CMAKE_DISABLE_FIND_PACKAGE_EXPAT=ON -D CMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -D CMAKE_DISABLE_FIND_PACKAGE_MPI=ON \
  -D SEAM_DYGRAPHS= -D SEAM_FMU_lapack= -D SEAM_FMU_z= -D SEAM_LINT=ON -D SEAM_CLANG_TIDY=
[ "$refused" = yes ] || says 'an end'
says 'seam-mpi is not built: there is no MPI; libopenmpi-dev and openmpi-bin have one'
says 'Seam is not configured: what follows is missing; behind it the packages of Debian that have it.'
says 'SUNDIALS 6.4 or later, with CVODES and IDAS: libsundials-dev KLU and CAMD of SuiteSparse: libsuitesparse-dev'
says 'LAPACKE: liblapacke-dev liblapack-dev libblas-dev libfyaml 0.7.12 or later: libfyaml-dev Expat 2.4 or later: libexpat1-dev'
says 'MiniZip 1: libminizip-dev zlib: zlib1g-dev dygraphs, with its licence: libjs-dygraphs'
says 'the engine of exported FMUs is not built, and libseam loads the system'"'s libraries: it needs the archives lib"
says ' liblapack.a libz.a '
says 'lint.format and lint.tidy are left out: other versions than clang-format-14 and clang-tidy-14 want another style'
says 'apt-get install --no-install-recommends libsundials-dev libsuitesparse-dev liblapacke-dev liblapack-dev libblas-dev libfyaml-dev'

# One that is missing is the only one that is named.
unset PKG_CONFIG_LIBDIR
configure one -D SEAM_DYGRAPHS=
[ "$refused" = yes ] || says 'an end'
says 'apt-get install --no-install-recommends libjs-dygraphs tools/dependencies.sh'

# Without what is optional nothing of it is asked for.
configure least -D SEAM_WITH_FMI=OFF -D SEAM_WITH_MPI=OFF -D SEAM_WITH_GNUPLOT=OFF -D SEAM_TESTS=OFF -D SEAM_FMU_z=
[ "$refused" = no ] || says 'no refusal'
case $said in *"is not built"*) echo "what is not wanted is missed: $said" && failed=1 ;; esac
if "$cmake" --build "$folder/least" --target help | grep seam_mpi; then failed=1; fi
exit $failed
