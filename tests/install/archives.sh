#!/bin/sh
# A library made of archives has the command load no more than libc, libm and what reads FMUs, and shows nothing of what is in it.
# usage: archives.sh COMMAND LIBRARY NM
set -eu
command=$1 library=$2 nm=$3
failed=0

loaded=$(LD_TRACE_LOADED_OBJECTS=1 "$command" | sed -n 's/^[[:space:]]*\(lib[^ ]*\) => .*/\1/p')
[ -n "$loaded" ] || { echo 'no libraries are listed' && exit 1; }
for name in $loaded; do
  case $name in
  libseam.so.* | libc.so.* | libm.so.* | libexpat.so.* | libminizip.so.* | libz.so.*) ;;
  *) echo "$name is loaded" && failed=1 ;;
  esac
done

shown=$("$nm" --dynamic --defined-only --format=posix "$library" | sed 's/[ @].*//' | grep -v -E '^(cosim|mbs|seam|SEAM)_' || true)
[ -z "$shown" ] || { echo "symbols that are not Seam's: $shown" && failed=1; }
exit $failed
