#include "tests/support/model_run.h"

#include <criterion/criterion.h>
#include <math.h>

model_run model_run_begin(const char *text, const char *const *overrides, const mbs_integrator_options *options,
                          double stop) {
  model_run r = {.file = read_model(text, overrides)};
  const mbs_model *model = NULL;
  cr_assert_eq(seam_model_whole(r.file, &model, NULL), SEAM_OK);
  const mbs_integrator_options *chosen = options != NULL ? options : &seam_model_simulation(r.file)->integrator;
  cr_assert_eq(mbs_workspace_create(model, &r.ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &r.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_assemble(r.ws, r.state, NULL, NULL, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_create(model, chosen, &r.integrator, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(r.integrator, r.state, NULL), SEAM_OK);
  mbs_integrator_set_stop(r.integrator, isnan(stop) ? seam_model_simulation(r.file)->end : stop);
  return r;
}

void model_run_advance(model_run *run, double t) {
  run->status = mbs_integrator_advance(run->integrator, t, run->state, &run->error);
}

double model_run_energy(const model_run *run) {
  const mbs_energy energy = mbs_energy_of(run->ws, run->state);
  return energy.kinetic + energy.potential;
}

void model_run_end(model_run *run) {
  mbs_integrator_destroy(run->integrator);
  mbs_state_destroy(run->state);
  mbs_workspace_destroy(run->ws);
  seam_model_file_destroy(run->file);
}
