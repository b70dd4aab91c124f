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
  seam_error error = {0};
  seam_model_file *file = bench_model(argv[1], (const char *[]){NULL});
  const mbs_model *model = seam_model_mechanism(file);
  mbs_integrator *integrator = NULL;
  mbs_workspace *ws = NULL;
  mbs_state *start = bench_state(model);
  mbs_state *state = bench_state(model);
  double *residuals = calloc(2 * mbs_n_constraints(model) + 1, sizeof *residuals);
  bench_check(mbs_integrator_create(model, &seam_model_simulation(file)->integrator, &integrator, &error), &error);
  bench_check(mbs_workspace_create(model, &ws, &error), &error);
  for (int block = 0; block < n_blocks; block++) {
    seam_run_record record = {0};
    bench_check(mbs_integrator_start(integrator, start, &error), &error);
    const double begin = bench_cpu();
    for (int i = 1; i <= n_steps; i++) {
      bench_check(mbs_integrator_advance(integrator, i * 1e-3, state, &error), &error);
      seam_run_record_add(&record, model, ws, state, residuals);
    }
    printf("%.6f\n", 1e6 * (bench_cpu() - begin) / n_steps);
  }
  free(residuals);
  mbs_state_destroy(start);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  mbs_integrator_destroy(integrator);
  seam_model_file_destroy(file);
  return 0;
}
