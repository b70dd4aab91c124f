#!/bin/sh
# The Debian packages: built twice in different folders they are the same to the byte, lintian finds nothing, and in a
# fresh Debian they are installed, used and removed without a trace.
# usage: package.sh SOURCE FOLDER
#   FOLDER/debian.tar is the fresh Debian; it is kept for the next time
set -eu
source=$1 folder=$2
skip() {
  echo "$1"
  exit 77
}
[ -n "${SEAM_LONG:-}" ] || skip 'builds the packages: with SEAM_LONG only'
[ "$(id -u)" -eq 0 ] || skip 'a fresh Debian needs root'
for tool in dpkg-buildpackage dh lintian mmdebstrap doxygen sphinx-build; do
  command -v $tool >/dev/null || skip "$tool is missing: tools/dependencies.sh docs; apt-get install debhelper lintian mmdebstrap"
done
failed=0
fail() {
  echo "$1"
  failed=1
}

# ---- Built twice

mkdir -p "$folder"
cd "$folder"
rm -rf one two root
export DEB_BUILD_OPTIONS=nocheck
for build in one two; do
  "$source/tools/package.sh" "$folder/$build" >"$build.log" 2>&1 || { tail -40 "$build.log" && exit 1; }
done
for package in one/*.deb; do
  cmp "$package" "two/${package#one/}" || fail "$package is not the same when it is built elsewhere"
done
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs one/*.changes || fail 'lintian finds that'

# ---- In a fresh Debian

[ -e debian.tar ] || mmdebstrap --variant=minbase --include=man-db,zsh bookworm debian.tar
mkdir root
tar --extract --file=debian.tar --directory=root --exclude='./dev/*'
mkdir root/packages root/work
cp one/*.deb root/packages
cp /etc/resolv.conf root/etc
here() { chroot root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -euc "$1"; }
# What packages that Seam needs leave behind, or dpkg, is left out: logs, caches, backups of lists of users.
files() { (cd root && find . -path ./packages -prune -o -path ./work -prune -o -path ./var/log -prune -o \
  -path ./var/cache -prune -o -path ./var/lib/apt -prune -o -path ./var/lib/dpkg -prune -o -path ./tmp -prune -o -path ./run -prune -o \
  -path './etc/*-' -prune -o -print | sort); }
mknod -m 666 root/dev/null c 1 3
here 'apt-get -qq update'
files >before
here 'apt-get -qq install --no-install-recommends /packages/*.deb' >install.log 2>&1 || { tail install.log && exit 1; }

cp "$source"/debian/tests/* root/work
for test in command python; do
  here "/work/$test" || fail "debian/tests/$test fails"
done
here 'man seam-mpi' | grep -q 'seam-sweep' || fail 'man seam-mpi shows another page'
here 'test -f /usr/share/doc/seam/html/docs/cli.html' || fail 'seam-doc lacks a page'

# What a package that was there before only recommends goes too.
here 'apt-get -qq purge "*seam*" && apt-get -qq -o APT::AutoRemove::RecommendsImportant=0 \
  -o APT::AutoRemove::SuggestsImportant=0 autoremove --purge' >purge.log 2>&1 || { tail purge.log && exit 1; }
rm -rf root/work/*
files >after
diff before after || fail 'these files are there before or after only'
here 'dpkg -l' | grep seam && fail 'dpkg knows of packages that are gone'
rm -rf root
exit $failed
