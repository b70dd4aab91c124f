#!/bin/sh
# thresholds.sh must notice a chosen number beside the tables, and one in a table that does not say what it is.
set -eu
thresholds=$(dirname "$(realpath "$0")")/thresholds.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
for room in base solvers fmi mbs cosim models analysis/textbook runs fmu app/plots drawing; do
  mkdir -p $room
  echo 'static const double none = 1e-9; /* of X: less is none */' >${room%%/*}/thresholds.h
done
rm drawing/thresholds.h

expect() { # VERDICT FILE TEXT
  echo "$3" >"$2"
  if "$thresholds"; then verdict=sound; else verdict=broken; fi
  if [ "${2%/thresholds.h}" = "$2" ]; then rm "$2"; fi
  if [ "$verdict" != "$1" ]; then
    echo "$2 with '$3' was taken for $verdict"
    exit 1
  fi
}

expect sound mbs/a.c 'return x <= none * size ? 0.5 * x : 1e6; /* of 1e-9 */'
expect sound mbs/a.c 'printf("below 1e-9, \" 1e-9");'
expect sound solvers/a.c '[3] = {[0] = 8.298e-3, 5.61675022830479523393e-2, 1.25e3'
expect sound base/a.c 'return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;'
expect sound analysis/textbook/a.c 'static const double start = 1e-3;'
expect sound app/plots/a.c 'const double share = 1e-9;'
expect broken mbs/a.c 'return x <= 1e-9 * size;'
expect broken solvers/a.h 'static const double close = 2.5e-12;'
expect broken cosim/a.c 'return x <= 4 * DBL_EPSILON * size;'
expect broken analysis/a.c '/* begins'"
"'and ends */ const double none = 1e-9;'
expect broken app/a.c 'return fabs(x) > fmax("1e-9"[0], 1e-9);'
expect sound mbs/thresholds.h 'static const double none = 1e-12; /* absolute, m: there is no scale */'
expect broken mbs/thresholds.h 'static const double none = 1e-12; /* small */'
expect broken mbs/thresholds.h 'static const double none = 1e-12;'
