#!/bin/sh
# layers.sh must notice each of these broken trees, and let the sound one pass.
set -eu
layers=$(dirname "$(realpath "$0")")/layers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include/seam" "$tree/solvers" "$tree/mbs/model" "$tree/mbs/stages" "$tree/models" "$tree/runs" "$tree/app" "$tree/base" \
  "$tree/cosim/parts" "$tree/cosim/schemes" "$tree/cosim/coupling" "$tree/cosim/mechanism"
cd "$tree"

expect() { # VERDICT FILE LINE
  echo "$3" >"$2"
  if "$layers"; then verdict=sound; else verdict=broken; fi
  rm "$2"
  if [ "$verdict" != "$1" ]; then
    echo "$2 with '$3' was taken for $verdict"
    exit 1
  fi
}

expect sound mbs/a.c '#include "solvers/klu.h"'
expect sound app/a.c '#include <seam/models.h>'
expect sound solvers/a.c '#include <seam/status.h>'
expect sound include/seam/mbs.h '#include <stddef.h>'
expect sound solvers/a.c '#include "base/vector.h"'
expect sound cosim/coupling/a.c '#include "cosim/parts/part.h"'
expect sound cosim/mechanism/a.c '#include "cosim/coupling/exchange.h"'
expect sound models/a.c '#include "cosim/schemes/scheme.h"'
expect sound runs/a.c '#include "models/model_file.h"'
expect sound app/a.c '#include <seam/runs.h>'
expect sound mbs/stages/a.c '#include "mbs/model/model.h"'
expect broken mbs/model/a.c '#include "mbs/stages/stages.h"'
expect broken solvers/a.c '#include "mbs/model/model.h"'
expect broken solvers/a.c '#include <seam/mbs.h>'
expect broken models/a.c '#include "analysis/norms.h"'
expect broken mbs/a.c '#include "model.h"'
expect broken include/seam/mbs.h '#include <klu.h>'
expect broken include/seam/mbs.h '#include <seam/models.h>'
expect broken models/a.c '#include <seam/runs.h>'
expect broken runs/a.c '#include "app/setup.h"'
expect broken runs/a.c '#include "drawing/scene.h"'
expect broken base/a.c '#include "solvers/lu.h"'
expect broken cosim/parts/a.c '#include "cosim/schemes/scheme.h"'
expect broken cosim/schemes/a.c '#include "cosim/coupling/master.h"'
expect broken cosim/coupling/a.c '#include "cosim/mechanism/partition.h"'
