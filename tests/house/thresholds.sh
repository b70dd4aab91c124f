#!/bin/sh
# Fails when a chosen number, a literal with a negative exponent or a multiple of DBL_EPSILON, stands in the product
# beside the tables of its rooms (thresholds.h), or when one in a table does not say what it is a ratio of: comments
# begin with "of X", "times X" or "absolute, UNIT". With --count prints how many there are of each kind.
# Not meant are, by kind: comments and texts; constants of published methods, which have eight digits and more or are
# entries [k] of a tableau; the problems of papers (analysis/textbook); nanoseconds of a clock; pictures.
# usage: thresholds.sh [--count] (in the root of the tree)
set -eu
rooms='base solvers fmi mbs cosim models analysis runs fmu app'

if [ "${1:-}" = --count ]; then
  # shellcheck disable=SC2086 # a list of folders
  for room in $rooms; do awk -v room="$room" '
/^#/ { next }
/^ *(static const double )?[a-z_0-9]+(\[\])? = .*[,;] +\/\* / {
  n++
  absolute += /\/\* absolute, /
  floors += /(or|and) its unit/
}
/^ *[A-Z_0-9]+ = .*, +\/\* / { counts++ }
END { printf "%-9s %4d numbers: %4d ratios, %2d of them with the unit as a floor; %2d absolute; %3d counts\n",
        room, n, n - absolute, floors, absolute, counts }' "$room/thresholds.h"; done
  exit
fi

# shellcheck disable=SC2086 # a list of folders
find $rooms drawing -name '*.[ch]' ! -name thresholds.h ! -path 'analysis/textbook/*' ! -path 'drawing/*' ! -path 'app/plots/*' -exec awk '
FNR == 1 { inside = 0 }
{
  text = $0
  code = ""
  while (text != "") {
    if (inside) {
      end = index(text, "*/")
      inside = end == 0
      text = end == 0 ? "" : substr(text, end + 2)
    } else if (match(text, /^"([^"\\]|\\.)*"/) || match(text, /^\047([^\047\\]|\\.)*\047/))
      text = substr(text, RLENGTH + 1)
    else if (text ~ /^\/\*/) {
      inside = 1
      text = substr(text, 3)
    } else if (text ~ /^\/\//)
      text = ""
    else {
      code = code substr(text, 1, 1)
      text = substr(text, 2)
    }
  }
  gsub(/[0-9]*\.?[0-9]*tv_nsec|1e-9 \* \([a-z]*\)[a-z.]*tv_nsec/, "", code)
  gsub(/\[[0-9]+\] = -?[0-9.]+e-[0-9]+/, "", code)
  gsub(/[0-9]\.?[0-9][0-9][0-9][0-9][0-9][0-9][0-9]+e-[0-9]+/, "", code)
  if (code ~ /[0-9.]e-[0-9]/ || code ~ /[0-9] \* DBL_EPSILON/ || code ~ /DBL_EPSILON \* [0-9]/) {
    print FILENAME ":" FNR ": a chosen number: name it in thresholds.h of its room, with what it is a ratio of:" $0
    found = 1
  }
}
END { exit found }
' {} + || broken=1

# shellcheck disable=SC2086 # a list of folders
for room in $rooms; do awk '
/^(static const double |    )[a-z_0-9]+(\[\])? = / && !/\/\* (of |times |times: |absolute, )/ {
  print FILENAME ":" FNR ": say what it is: \"of X: ...\", \"times X: ...\" or \"absolute, UNIT: ...\":" $0
  found = 1
}
END { exit found }
' "$room/thresholds.h" || broken=1; done
exit "${broken:-0}"
