#!/bin/sh
# A sweep under MPI: the processes of one job share its runs and leave one folder, which all of them must see.
#
#   sbatch sweep_mpi.sh               a job of SLURM; submitted again it goes on where it ended
#   SLURM_NTASKS=2 sh sweep_mpi.sh    the same without SLURM
#SBATCH --job-name=seam-sweep
#SBATCH --ntasks=32
#SBATCH --time=01:00:00

mpirun -n "$SLURM_NTASKS" seam-mpi sweep four_bar_bushing --sample lhs --count 48 \
  --vary parameters.c='uniform(500, 2000)' --vary parameters.d='uniform(5, 20)' --measure bar1.omega.max -o results/all
