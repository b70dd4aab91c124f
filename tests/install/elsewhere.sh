#!/bin/sh
# The README's two commands in a fresh Debian 13.
# usage: elsewhere.sh SOURCE
set -eu
skip() {
  echo "$1"
  exit 77
}
[ -n "${SEAM_LONG:-}" ] || skip 'makes a system and passes all tests there: with SEAM_LONG only'
[ "$(id -u)" -eq 0 ] || skip 'a fresh system needs root'
command -v debootstrap >/dev/null || skip 'debootstrap is missing: apt-get install debootstrap'
[ -e "$1/.git" ] || skip 'what Git tracks is unpacked there, and this is no clone'
exec "$1/tools/elsewhere.sh" trixie
