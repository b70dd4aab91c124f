#!/bin/sh
# Fails when the library needs, itself or through others, a part of SuiteSparse that is under the GPL: the licence of
# Seam's binaries is the BSD licence.
# usage: libraries.sh LIBRARY
set -eu
! ldd "$1" | grep -E 'lib(spqr|cholmod|umfpack|metis)\.'
