#include "tests/support/model_run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

model_run model_run_by(const char *text, const char *method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.rtol = options.atol = 1e-11;
  return model_run_begin(text, NULL, &options, INFINITY);
}

model_run model_run_of_entry(const char *name, const char *const *overrides) {
  const char *text = seam_catalogue_text(name);
  cr_assert_not_null(text, "%s", name);
  return model_run_begin(text, overrides, NULL, NAN);
}

model_run model_run_at_rest(const char *text, const char *const *overrides, mbs_equilibrium *report) {
  model_run run = model_run_begin(text, overrides, NULL, INFINITY);
  cr_assert_eq(mbs_find_equilibrium(run.ws, run.state, report, NULL, &run.error), SEAM_OK, "%s", run.error.message);
  return run;
}

void model_run_advance(model_run *run, double t) {
  run->status = mbs_integrator_advance(run->integrator, t, run->state, &run->error);
}

void model_run_reach(model_run *run, double t) {
  model_run_advance(run, t);
  cr_assert_eq(run->status, SEAM_OK, "%s", run->error.message);
}

double model_run_energy(const model_run *run) {
  const mbs_energy energy = mbs_energy_of(run->ws, run->state);
  return energy.kinetic + energy.potential;
}

double model_run_imbalance(const model_run *run, double before) {
  const mbs_energy e = mbs_energy_of(run->ws, run->state);
  return fabs(e.total + e.dissipated - e.driven - before);
}

double model_run_read(const model_run *run, const char *name) {
  const mbs_model *model = NULL;
  mbs_quantity quantity;
  mbs_readout *readout = NULL;
  double value = NAN;
  seam_error error = {0};
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  cr_assert_eq(mbs_find_quantity(model, name, &quantity, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_readout_create(model, &quantity, 1, &readout, &error), SEAM_OK, "%s", error.message);
  mbs_read(readout, run->ws, run->state, &value);
  mbs_readout_destroy(readout);
  return value;
}

void model_run_end(model_run *run) {
  mbs_integrator_destroy(run->integrator);
  mbs_state_destroy(run->state);
  mbs_workspace_destroy(run->ws);
  seam_model_file_destroy(run->file);
}

void model_run_expect_same_end(const char *text, double saved, double end) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  model_run first = model_run_begin(text, NULL, &options, INFINITY);
  model_run second = model_run_begin(text, NULL, &options, INFINITY);
  const size_t size = mbs_integrator_image_size(first.integrator);
  void *image = malloc(size);
  cr_assert_not_null(image);
  model_run_reach(&first, saved);
  mbs_integrator_save(first.integrator, image);
  model_run_reach(&first, end);
  cr_assert_eq(mbs_integrator_restore(second.integrator, image, size, NULL), SEAM_OK);
  model_run_reach(&second, end);
  cr_expect_eq(memcmp(first.state->q, second.state->q, first.state->n_values * sizeof *first.state->q), 0);
  free(image);
  model_run_end(&first);
  model_run_end(&second);
}
