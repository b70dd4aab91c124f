#!/bin/sh
# Follows the README in a fresh system of another release: a user without root, with umask 077, unpacks the tracked files
# without Git into a folder with blanks; root installs the packages of each purpose; the user runs tools/demo.sh, builds
# library and command by clang, and runs tools/test.sh. Prints the time and the number of packages of each step, and the
# skipped tests. A compiler's warning fails.
# usage: tools/elsewhere.sh RELEASE [FOLDER [STEP...]]
#   RELEASE  bookworm, trixie, noble: the name for debootstrap
#   FOLDER   of the system, which stays; default: a temporary one, which is removed
#   STEP     demo, clang, test: only these, in this order; default: all
# Needs root, debootstrap, and the network.
set -eu
cd "$(dirname "$0")/.."
refuse() {
  echo "$1" >&2
  exit 2
}
[ $# -gt 0 ] || refuse 'usage: tools/elsewhere.sh RELEASE [FOLDER [STEP...]]'
[ "$(id -u)" -eq 0 ] || refuse 'a fresh system needs root'
command -v debootstrap >/dev/null || refuse 'debootstrap is missing: apt-get install debootstrap'
release=$1 root=${2:-} steps='demo clang test'
if [ $# -gt 2 ]; then
  shift 2
  steps=$*
fi

temporary=
trap 'umount "$root/dev/pts" "$root/sys" "$root/proc" 2>/dev/null || true; [ -z "$temporary" ] || rm -rf --one-file-system "$root"' EXIT
[ -n "$root" ] || { temporary=yes && root=$(mktemp -d); }
mkdir -p "$root"
root=$(realpath "$root")
source=''
if [ "$release" = noble ]; then # not known to the debootstrap of Debian 12; SUNDIALS is in universe
  source='http://archive.ubuntu.com/ubuntu /usr/share/debootstrap/scripts/jammy'
fi
# shellcheck disable=SC2086 # no words are two
[ -e "$root/etc/os-release" ] ||
  debootstrap --variant=minbase ${source:+--components=main,universe} "$release" "$root" $source >"$root.log" 2>&1 ||
  { tail "$root.log" && exit 1; }
for kind in proc sysfs devpts; do # terminals for zsh, processors for MPI
  case $kind in proc) at=proc ;; sysfs) at=sys ;; devpts) at=dev/pts ;; esac
  mountpoint -q "$root/$at" || mount -t $kind $kind "$root/$at"
done
cp /etc/resolv.conf "$root/etc"

# ---- The source, of a user without root

place='/home/someone/a folder with blanks/seam'
by() { # USER COMMAND
  chroot "$root" env -i LC_ALL=C.UTF-8 HOME=/home/someone PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    setpriv --reuid="$1" --regid="$1" --clear-groups sh -euc "umask 077 && cd '$place' && $2"
}
chroot "$root" sh -euc 'id someone >/dev/null 2>&1 || useradd --create-home someone'
mkdir -p "$root$place"
git archive HEAD | tar --extract --directory="$root$place"
chroot "$root" sh -euc 'chown -R someone: /home/someone && chmod -R go= /home/someone'

# ---- Steps

failed=0
# step NAME USER COMMAND: carries out the command, prints one line on it; the output goes to ROOT.NAME.log.
step() {
  log=$root.$1.log
  before=$(chroot "$root" dpkg-query -W | wc -l)
  start=$(date +%s)
  done='done'
  by "$2" "$3" >"$log" 2>&1 || { done='FAILED' && failed=1; }
  packages=$(($(chroot "$root" dpkg-query -W | wc -l) - before))
  echo "$release: $1: $done in $(($(date +%s) - start)) s, $packages packages installed, $(grep -c ':[0-9]*: warning: ' "$log" || true) warnings ($log)"
  [ "$done" = 'done' ] || tail -30 "$log"
  ! grep ':[0-9]*: warning: ' "$log" || failed=1
}
for part in $steps; do
  case $part in
  demo)
    step run-packages root 'umask 022 && tools/dependencies.sh run'
    step demo someone tools/demo.sh
    ;;
  clang)
    step clang-packages root 'umask 022 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends clang libomp-dev'
    step clang someone "cmake --preset clang -D SEAM_TESTS=OFF -D SEAM_BENCH=OFF && cmake --build --preset clang --parallel $(nproc)"
    ;;
  test)
    step test-packages root 'umask 022 && tools/dependencies.sh'
    step test someone tools/test.sh
    echo "$release: skipped, or failed:"
    grep -E '\*\*\*(Skipped|Failed|Timeout|Exception)|lint.* left out' "$root.test.log" || true
    ;;
  *) refuse "there is no step '$part'" ;;
  esac
done
exit $failed
