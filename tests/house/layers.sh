#!/bin/sh
# Fails when a file includes one from a folder or room it may not know (the dependency rule), names an in-tree header by other
# than its path from the root, or when a public header needs more than the C library.
# A public header <seam/NAME.h> belongs to the folder NAME, or to all when there is none; results.h and verdict.h are of analysis.
# usage: layers.sh (in the root of the tree)
set -eu

find . -path './build*' -prune -o -name '*.[ch]' -exec awk '
BEGIN {
  knows["base"]            = " base "
  knows["solvers"]         = " base solvers "
  knows["fmi"]             = " base fmi "
  n_rooms = split("model stages output dynamics contact integrate statics build subsystem", rooms, " ")
  mbs = " mbs "
  for (i = 1; i <= n_rooms; i++)
    knows["mbs/" rooms[i]] = " base solvers" (mbs = mbs "mbs/" rooms[i] " ")
  knows["mbs"] = knows["mbs/subsystem"]
  n_rooms = split("parts schemes coupling mechanism steps", rooms, " ")
  cosim = mbs "cosim "
  for (i = 1; i <= n_rooms; i++)
    knows["cosim/" rooms[i]] = " base solvers fmi" (cosim = cosim "cosim/" rooms[i] " ")
  knows["cosim"] = knows["cosim/steps"]
  knows["analysis"]        = knows["cosim"] " analysis "
  knows["models"]          = knows["cosim"] " models "
  knows["runs"]            = knows["analysis"] " models runs "
  knows["drawing"]         = knows["models"] " drawing "
  knows["fmu"]             = knows["models"] " fmi fmu "
  knows["app"]             = " base solvers fmi" mbs "cosim analysis models runs drawing fmu app "
}
# The folder of a path; within mbs and cosim the room: mbs/model, cosim/parts, ...
function folder_of(header) {
  if (header ~ /^seam\//) sub(/^seam\//, "", header)
  if (header ~ /^(mbs|cosim)\/[a-z]*\//) {
    match(header, /^(mbs|cosim)\/[a-z]*/)
    return substr(header, 1, RLENGTH)
  }
  sub(/[.\/].*/, "", header)
  return header == "results" || header == "verdict" ? "analysis" : header
}
function complain(what) {
  print path ":" FNR ": " what
  broken = 1
}
FNR == 1 {
  path = substr(FILENAME, 3)
  public = path ~ /^include\//
  home = folder_of(public ? substr(path, 9) : path)
}
/^[ \t]*#[ \t]*include[ \t]/ {
  match($0, /[<"].*[>"]/)
  quote = substr($0, RSTART, 1)
  header = substr($0, RSTART + 1, RLENGTH - 2)
  if (quote == "\"" && header !~ /\//) complain("\"" header "\": give the path from the root of the tree")
  if (quote == "\"" && public) complain("\"" header "\": a public header includes <seam/...> or the C library")
  if (quote == "<" && public && header !~ /^seam\// && header !~ /^std[a-z]+\.h$/)
    complain("<" header ">: a public header includes <seam/...> or the C library")
  there = folder_of(header)
  if ((quote == "\"" || header ~ /^seam\//) && there in knows && home in knows && !index(knows[home], " " there " "))
    complain(home " may not know " there)
}
END { exit broken }
' {} +
