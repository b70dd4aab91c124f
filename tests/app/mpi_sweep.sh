#!/bin/sh
# Fails when processes of MPI do not leave the bytes of one process: from the beginning, and where a shard is completed.
# usage: mpi_sweep.sh SEAM SEAM_MPI MPIRUN
set -eu
seam=$1 launcher=$2 mpirun=$3

# Root in a container, on fewer cores than processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
sweep='sweep double_pendulum --end 1 --sample lhs --count 21 --seed 5 --quiet
       --measure energy.total.max --measure energy.kinetic.last --format csv,npy'
vary='--vary=simulate.rtol=[1e-7,1e-8,1e-9] --vary=gravity=[[0,-9.81],[0,-1.6]]'

# The date in a PDF is that of its making.
expect_same() {
  rm -f one/sweep.pdf "$1"/sweep.pdf
  diff -r one "$1"
}

# shellcheck disable=SC2086 # lists of words
{
  "$seam" $sweep $vary -o one
  "$mpirun" -n 2 "$launcher" $sweep $vary -o two
  expect_same two
  "$seam" $sweep $vary -o three --shard 1/3
  "$mpirun" -n 3 "$launcher" $sweep $vary -o three
  expect_same three
  if "$mpirun" -n 2 "$launcher" $sweep --vary=parameters.none=[1,2] -o refused 2>messages; then exit 1; fi
  [ "$(grep -c "there is no parameter 'none'" messages)" = 1 ]
}
