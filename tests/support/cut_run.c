#include "tests/support/cut_run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/model_run.h"

cut_run cut_run_begin(const char *text, const char *const *overrides) {
  cut_run run = {.file = read_model(text, overrides)};
  const mbs_model *model = seam_model_mechanism(run.file);
  seam_error error = {0};
  cr_assert_eq(mbs_workspace_create(model, &run.ws, &error), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &run.start, &error), SEAM_OK);
  cr_assert_eq(mbs_assemble(run.ws, run.start, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_create(seam_model_cosim(run.file), &run.simulation, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(run.simulation, run.start, &error), SEAM_OK, "%s", error.message);
  return run;
}

void cut_run_advance(const cut_run *run, double H, int n) {
  seam_error error = {0};
  for (int i = 0; i < n; i++)
    cr_assert_eq(cosim_advance(run->simulation, H, &error), SEAM_OK, "%s", error.message);
}

void cut_run_end(cut_run *run) {
  cosim_destroy(run->simulation);
  mbs_state_destroy(run->start);
  mbs_workspace_destroy(run->ws);
  seam_model_file_destroy(run->file);
}

double cut_run_signal(const cut_run *run, const char *name) {
  for (size_t i = 0; i < cosim_n_signals(run->simulation); i++)
    if (strcmp(cosim_signal_of(run->simulation, i).name, name) == 0)
      return cosim_signal_now(run->simulation, i);
  cr_assert_fail("%s", name);
  return NAN;
}

void cut_run_expect_whole(const char *text, double H, int n, double bound) {
  model_run whole = model_run_begin(text, NULL, NULL, NAN);
  cut_run cut = cut_run_begin(text, NULL);
  model_run_reach(&whole, H * n);
  cut_run_advance(&cut, H, n);
  for (size_t i = 0; i < 3 * mbs_n_bodies(seam_model_mechanism(cut.file)); i++)
    cr_expect_float_eq(cosim_state(cut.simulation)->q[i], whole.state->q[i], bound, "%zu", i);
  cut_run_end(&cut);
  model_run_end(&whole);
}
