#!/bin/sh
# Builds Seam without all that is optional and with a static library. The command says what is left out, and how to have
# it; programs are linked by CMake and pkg-config against what is installed, which is then removed. At last a shared
# library of the same objects that loads the system's ones.
# usage: least.sh CMAKE SOURCE CC BUILD
set -eu
[ -n "${SEAM_LONG:-}" ] || { echo 'builds Seam anew: with SEAM_LONG only' && exit 77; }
cmake=$1 source=$2 cc=$3 build=$4
"$cmake" -S "$source" -B "$build" -D CMAKE_C_COMPILER="$cc" -D SEAM_WERROR=ON -D SEAM_TESTS=OFF -D SEAM_BENCH=OFF \
  -D BUILD_SHARED_LIBS=OFF -D SEAM_WITH_FMI=OFF -D SEAM_WITH_MPI=OFF -D SEAM_WITH_GNUPLOT=OFF -D SEAM_WITH_PYTHON=OFF
"$cmake" --build "$build" --parallel 2
failed=0

# STATUS:MESSAGE ARGUMENT...: what the command ends with and says, as a pattern.
says() {
  wanted=$1
  shift
  status=0
  said=$("$build/app/seam" "$@" 2>&1) || status=$?
  # shellcheck disable=SC2254 # a pattern
  case $status:$said in
  $wanted) ;;
  *)
    echo "'seam $*' ends with $status: $said"
    failed=1
    ;;
  esac
}
cd "$build"
says '0:*verdict: accurate*' run double_pendulum --end 0.1 -o results
says '0:*gnuplot is left out of this build (SEAM_WITH_GNUPLOT), so there is no picture*install gnuplot (Debian: gnuplot-nox), then run*' \
  plot results link1.x
says '2:seam: gnuplot, which makes .gif, is left out of this build (SEAM_WITH_GNUPLOT); install it, or write a .svg' animate results -o a.gif
says '0:wrote a.svg' animate results -o a.svg
says '2:the engine of FMUs *No such file or directory; it is built with Seam unless SEAM_WITH_FMI is off*' export double_pendulum -o a.fmu
[ ! -e app/seam-mpi ] || says 'no seam-mpi'

# ---- Packed into an archive

"$(dirname "$(command -v "$cmake")")/cpack" -G TGZ -B archive
for file in bin/seam lib.*/libseam.a include/seam/mbs.h share/man/man1/seam-run.1 share/doc/seam/LICENSE; do
  tar -tzf archive/seam-*.tar.gz | grep -q "/$file\$" || { echo "the archive lacks $file" && failed=1; }
done

# ---- Installed, linked and removed

outside=$source/tests/install/outside
prefix=$build/installed
rm -rf "$prefix" outside
"$cmake" --install . --prefix "$prefix"
library=$(dirname "$(find "$prefix" -name libseam.a)")
sh "$source/tests/install/pkg_config.sh" "$cc" "$outside/consumer.c" "$library"
"$cmake" -S "$outside" -B outside -D CMAKE_C_COMPILER="$cc" -D Seam_ROOT="$prefix" -D WANTED=0.3
"$cmake" --build outside
outside/consumer
"$cmake" --build . --target uninstall
nothing_is_left() {
  left=$(find "$prefix" ! -type d -o -iname '*seam*')
  [ -z "$left" ] || { echo "left behind: $left" && failed=1; }
}
nothing_is_left

# ---- Without archives in it, and with the package of Python

cp results/trajectory.csv before.csv
"$cmake" -D BUILD_SHARED_LIBS=ON -D SEAM_WITH_FMI=ON -D SEAM_WITH_ARCHIVES=OFF -D SEAM_WITH_PYTHON=ON .
"$cmake" --build . --parallel 2
LD_TRACE_LOADED_OBJECTS=1 app/seam | grep -q liblapack || says 'a library that loads LAPACK'
says '0:*verdict: accurate*' run double_pendulum --end 0.1 -o results
cmp before.csv results/trajectory.csv || failed=1
says '0:*' export double_pendulum -o a.fmu
"$cmake" --install . --prefix "$prefix"
[ ! -e "$prefix/lib/python3" ] || python3 -m compileall -q "$prefix/lib/python3"
"$cmake" --build . --target uninstall
nothing_is_left
exit $failed
