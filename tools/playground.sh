#!/bin/sh
# Builds Seam in the browser: build/playground/index.html, one file that opens from anywhere and sends nothing. On Debian 12.
# Installs missing packages (by sudo without root); fetches source packages into build/playground with separate lists,
# which leaves those of apt unchanged; the editor comes from npm by web/package-lock.json.
# usage: tools/playground.sh
set -eu
cd "$(dirname "$0")/.."
root=$PWD
there=$root/build/playground
sources=$there/sources
mkdir -p "$sources" "$there/apt/lists/partial" "$there/apt/cache/archives/partial"

packages='emscripten f2c node-acorn cmake ninja-build clang-14 dpkg-dev libjs-dygraphs python3'
command -v npm >/dev/null || packages="$packages nodejs npm"
missing=
for package in $packages; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
  as_root=
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  # shellcheck disable=SC2086
  $as_root apt-get install -y --no-install-recommends $missing
fi

if [ ! -e "$sources/complete" ]; then
  echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main' >"$there/apt/sources.list"
  (
    cd "$sources"
    apt() {
      apt-get -q -o Dir::Etc::SourceList="$there/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$there/apt/lists" -o Dir::Cache="$there/apt/cache" -o APT::Sandbox::User=root "$@"
    }
    apt update
    apt --download-only source expat lapack libf2c2 libfyaml minizip suitesparse sundials zlib
    for description in *.dsc; do
      dpkg-source --no-check -x "$description" >/dev/null # apt-get has checked them
    done
    touch complete
  )
fi

export NODE_PATH=/usr/share/nodejs # for emscripten's acorn
cmake -S . -B "$there/engine" -G Ninja -D CMAKE_BUILD_TYPE=Release -D "CMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG" \
  -D CMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake \
  -D "CMAKE_CROSSCOMPILING_EMULATOR=$(command -v node);--no-experimental-fetch" \
  -D CMAKE_PROJECT_TOP_LEVEL_INCLUDES="$root/web/libraries.cmake" -D SEAM_LIBRARY_SOURCES="$sources" \
  -D SEAM_DYGRAPHS=/usr/share/javascript/dygraphs -D SEAM_DYGRAPHS_LICENCE=/usr/share/doc/libjs-dygraphs/copyright \
  -D BUILD_SHARED_LIBS=OFF -D SEAM_TESTS=OFF -D SEAM_BENCH=OFF -D SEAM_WITH_FMI=OFF -D SEAM_WITH_PYTHON=OFF \
  -D SEAM_WITH_MPI=OFF -D SEAM_WITH_GNUPLOT=OFF -D SEAM_INSTALL=OFF
cmake --build "$there/engine" --parallel "$(nproc)" --target seam_command

rm -rf "$there/web"
cp -r web "$there/web"
cd "$there/web"
npm ci --no-audit --no-fund --ignore-scripts
node_modules/.bin/esbuild page.js --bundle --minify --format=iife --target=es2022 --legal-comments=none --outfile=page.min.js
node --no-experimental-fetch pack.mjs "$root" "$there/engine/app" "$sources" page.min.js "$there/index.html"
ls -l "$there/index.html"
