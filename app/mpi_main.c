/* `mpirun seam-mpi sweep ...`: processes of MPI share the runs of a sweep and its folder. Neither `seam` nor the
 * library uses MPI. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/sweep/sweep.h"

static uint64_t minimum_of_all(uint64_t number) {
  uint64_t least = 0;
  MPI_Allreduce(&number, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

/* All processes read the same command line; the first prints messages. */
static int run_line(int n_arguments, char **arguments, const sweep_workers *workers, seam_error *error) {
  app_options parsed = {0};
  int exit_status = 2;
  const bool is_sweep = n_arguments >= 1 && strcmp(arguments[0], sweep_command.name) == 0;
  if (is_sweep && options_parse(sweep_command.options, n_arguments, arguments, &parsed, error) != SEAM_OK) {
    exit_status = seam_status_exit(error->status);
    error->status = workers->number == 0 ? error->status : SEAM_OK;
  } else if (is_sweep && parsed.n_operands == 1 && !options_flag(&parsed, "--merge") &&
             !options_flag(&parsed, "--help"))
    exit_status = sweep_run(&parsed, workers, error);
  else if (workers->number == 0)
    fputs("seam: usage: mpirun seam-mpi sweep [OPTIONS] MODEL; 'seam sweep --help' describes the options\n", stderr);
  options_free(&parsed);
  return exit_status;
}

int main(int n_arguments, char **arguments) {
  int number = 0;
  int size = 1;
  MPI_Init(&n_arguments, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  interrupt_end_at_once();
  seam_set_note_handler(number == 0 ? print_note : NULL, NULL);
  const sweep_workers workers = {(size_t)number, (size_t)size, minimum_of_all};
  seam_error error = {0};
  const int exit_status = run_line(n_arguments - 1, arguments + 1, &workers, &error);
  if (exit_status != 0 && error.status != SEAM_OK)
    print_failure(&error);
  int worst = 0;
  MPI_Allreduce(&exit_status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return worst;
}
