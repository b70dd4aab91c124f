#!/bin/sh
# The jobs of examples/ for clusters, as SLURM starts them: tasks of the array one after the other, one of them again, and two
# processes of MPI leave the bytes of one sweep.
# usage: cluster_sweep.sh SEAM EXAMPLES [SEAM_MPI MPIRUN]
set -eu
examples=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export SLURM_CPUS_PER_TASK=2 SLURM_NTASKS=2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin one array mpi
ln -s "$1" bin/seam
PATH=$folder/bin:$PATH

(cd one && sed 's/^shards=4/shards=1/' "$examples/sweep_array.sh" >one.sh && SLURM_ARRAY_TASK_ID=1 sh one.sh && mv results/shard-1 results/all)
expect_same() { diff -r --exclude='*.pdf' one/results/all "$1"/results/all; } # a PDF has the date of its making

tasks=$(sed -n 's/^#SBATCH --array=1-//p' "$examples/sweep_array.sh")
for task in $(seq "$tasks") 3; do
  (cd array && SLURM_ARRAY_TASK_ID=$task sh "$examples/sweep_array.sh")
done
(cd array && sh -c "$(sed -n "s/.*--wrap '\(.*\)'/\1/p" "$examples/sweep_array.sh")")
expect_same array
[ "$(wc -l <array/results/all/sweep.csv)" -eq 49 ]

[ $# -eq 4 ] || exit 0
ln -s "$3" bin/seam-mpi
ln -s "$4" bin/mpirun
(cd mpi && sh "$examples/sweep_mpi.sh")
expect_same mpi
