#!/bin/sh
# Fails when the engine of FMUs needs other libraries than libc and libm, or, built on Debian 12, a newer glibc than that
# of Debian 11 and RHEL 9, or shows other symbols than the functions of FMI 2.0 and 3.0, of which there are 44 and 75.
# usage: engine.sh LIBRARY
set -eu
libraries=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
[ "$libraries" = 'libc.so.6 libm.so.6 ' ] || { echo "the engine needs: $libraries"; exit 1; }

newest=$(objdump -T "$1" | grep -o 'GLIBC_2\.[0-9]*' | sed 's/.*\.//' | sort -n | tail -1)
own=$(getconf GNU_LIBC_VERSION | sed 's/.*\.//')
[ "$own" -gt 36 ] || [ "$newest" -le 34 ] || { echo "the engine needs glibc 2.$newest"; exit 1; }

symbols=$(nm -D --defined-only "$1" | awk '{ print $3 }')
foreign=$(echo "$symbols" | grep -vE '^fmi[23][A-Z][A-Za-z0-9]*$' || true)
[ -z "$foreign" ] || { echo "the engine shows: $foreign"; exit 1; }
[ "$(echo "$symbols" | grep -c '^fmi2')" -eq 44 ] && [ "$(echo "$symbols" | grep -c '^fmi3')" -eq 75 ] ||
  { echo "the engine does not show the 44 and 75 functions of FMI 2.0 and 3.0"; exit 1; }
