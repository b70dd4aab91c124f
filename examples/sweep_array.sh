#!/bin/sh
# A sweep as a job array of SLURM: every task computes a shard and needs nothing of the others. A second job, which depends
# on the array, merges the shards:
#
#   job=$(sbatch --parsable sweep_array.sh)
#   sbatch --dependency=afterany:$job --wrap 'seam sweep --merge results/shard-* -o results/all'
#
# A task that ended too early goes on where it was when it is submitted again: sbatch --array=3 sweep_array.sh
#SBATCH --job-name=seam-sweep
#SBATCH --array=1-4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
shards=4 # as many as --array has

seam sweep four_bar_bushing --sample lhs --count 48 \
  --vary parameters.c='uniform(500, 2000)' --vary parameters.d='uniform(5, 20)' --measure bar1.omega.max \
  --shard "$SLURM_ARRAY_TASK_ID/$shards" --threads "$SLURM_CPUS_PER_TASK" -o "results/shard-$SLURM_ARRAY_TASK_ID"
