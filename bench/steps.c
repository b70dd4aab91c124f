/* Cost of a step of 1 ms in a C program: advances the integrator and adds the state to the verdict. bench/steps.py does
 * the same in Python. usage: bench_steps MODEL BLOCKS STEPS. Makes BLOCKS runs of STEPS steps, each from the start of
 * the model. Prints for each run the CPU time of a step, µs. */
#include <stdio.h>
#include <stdlib.h>

#include <seam/analysis.h>

#include "bench/bench.h"

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: bench_steps MODEL BLOCKS STEPS\n");
    return 2;
  }
  const int n_blocks = atoi(argv[2]);
  const int n_steps = atoi(argv[3]);
  bench_run run = bench_run_of(bench_model(argv[1], (const char *[]){NULL}), n_steps * 1e-3);
  mbs_workspace *ws = NULL;
  double *residuals = calloc(2 * mbs_n_constraints(run.model) + 1, sizeof *residuals);
  run.options = seam_model_simulation(run.file)->integrator;
  mbs_integrator *integrator = bench_run_begin(&run);
  bench_check(mbs_workspace_create(run.model, &ws, &bench_error));
  for (int block = 0; block < n_blocks; block++) {
    seam_run_record record = {0};
    bench_check(mbs_integrator_start(integrator, run.start, &bench_error));
    const double begin = clock_cpu();
    for (int i = 1; i <= n_steps; i++) {
      bench_check(mbs_integrator_advance(integrator, i * 1e-3, run.end, &bench_error));
      seam_run_record_add(&record, run.model, ws, run.end, residuals);
    }
    printf("%.6f\n", 1e6 * (clock_cpu() - begin) / n_steps);
  }
  free(residuals);
  mbs_workspace_destroy(ws);
  mbs_integrator_destroy(integrator);
  bench_run_destroy(&run);
  return 0;
}
