/* Laws of time that jump at the very time of a sample: it reads what they are from there on, however they are written
 * and however k T is rounded; whole, cut, under signals, and from an image. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/equations.h>

#include "tests/support/cut_run.h"
#include "tests/support/model_run.h"

/* 15 * 0.03 is less than 0.45, 17 * 0.03 is 0.51, and 5 * 0.03 is 0.15. */
static const struct {
  const char *override;
  int sample;
} jumps[] = {{"parameters.c=0.45", 15}, {"parameters.c=0.51", 17}, {"parameters.c=0.15", 5}, {"parameters.c=0.66", 22}};
enum { N_JUMPS = sizeof jumps / sizeof *jumps, N_SAMPLES = 34, N_COUNTS = 4 };

/* Samples from the jump on are counted. */
static const char counting[] =
    "seam: 1\n"
    "parameters: {c: 0.45}\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "measures: {behind: {expression: \"if(t > c, 1, 0)\"}}\n"
    "forces:\n"
    "  push: {type: force, body: a, x: \"if(t <= c, 0, 1)\"}\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1e-9}\n"
    "equations:\n"
    "  n:\n"
    "    sample: 0.03\n"
    "    inputs: {law: \"if(t < c, 0, 1)\", behind: behind, ax: a.ax, m: \"if(t <= c, 0, 1)\"}\n"
    "    states: {law_n: 0, measure: 0, force: 0, other: 0}\n"
    "    updates: {law_n: law_n + law, measure: measure + behind, force: force + floor(ax + 0.5), other: other + m}\n"
    "simulate: {end: 1}\n"
    "cosim: {macro_step: 0.01, scheme: ff-k1, subsystems: {A: [a], B: [b]}}\n";

static void expect_counts(const mbs_model *model, const mbs_state *state, size_t jump, const char *what) {
  static const char *const names[N_COUNTS] = {"n.law_n", "n.measure", "n.force", "n.other"};
  for (int i = 0; i < N_COUNTS; i++) {
    const size_t variable = mbs_find_variable(model, names[i]);
    cr_assert_neq(variable, SEAM_NONE);
    cr_expect_eq(state->z[mbs_variable_of(model, variable).state], N_SAMPLES - jumps[jump].sample, "%s, %s, %s: %g",
                 what, jumps[jump].override, names[i], state->z[mbs_variable_of(model, variable).state]);
  }
}

Test(samples_at_jumps, a_whole_run_reads_what_comes) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  for (size_t k = 0; k < N_JUMPS; k++)
    for (size_t m = 0; m < 4; m++) {
      mbs_integrator_options options = mbs_default_integrator_options();
      options.method = methods[m];
      model_run run = model_run_begin(counting, (const char *const[]){jumps[k].override, NULL}, &options, 1);
      model_run_advance(&run, 1);
      cr_assert_eq(run.status, SEAM_OK, "%s", run.error.message);
      expect_counts(seam_model_mechanism(run.file), run.state, k, methods[m]);
      model_run_end(&run);
    }
}

Test(samples_at_jumps, a_cut_run_reads_the_same) {
  static const char *const schemes[] = {"cosim.scheme=ff-k1", "cosim.scheme=ff-colloc-s2",
                                        "cosim.scheme=fd-k1-exchange"};
  static const double steps[] = {0.01, 0.004, 0.0625};
  for (size_t k = 0; k < N_JUMPS; k++)
    for (size_t m = 0; m < 9; m++) {
      cut_run run = cut_run_begin(counting, (const char *const[]){jumps[k].override, schemes[m % 3], NULL});
      cut_run_advance(&run, steps[m / 3], (int)lround(1 / steps[m / 3]));
      expect_counts(seam_model_mechanism(run.file), cosim_state(run.simulation), k, schemes[m % 3]);
      cut_run_end(&run);
    }
}

Test(samples_at_jumps, a_run_goes_on_from_there) {
  for (size_t k = 0; k < N_JUMPS; k++) {
    const char *const overrides[] = {jumps[k].override, NULL};
    cut_run run = cut_run_begin(counting, overrides);
    cut_run again = cut_run_begin(counting, overrides);
    const size_t size = cosim_image_size(run.simulation);
    void *image = malloc(size);
    cut_run_advance(&run, 0.01, 3 * jumps[k].sample); /* up to the jump */
    cosim_save(run.simulation, image);
    cr_assert_eq(cosim_restore(again.simulation, image, size, NULL), SEAM_OK);
    cut_run_advance(&again, 0.01, 100 - 3 * jumps[k].sample);
    expect_counts(seam_model_mechanism(again.file), cosim_state(again.simulation), k, "restored");
    free(image);
    cut_run_end(&run);
    cut_run_end(&again);
  }
}

/* As a subsystem in discrete time. */
Test(samples_at_jumps, subsystems_read_the_same) {
  static const char text[] =
      "seam: 1\n"
      "parameters: {c: 0.45}\n"
      "bodies: {a: {mass: 1, inertia: 1}}\n"
      "forces: {f: {type: force, body: a, x: 0}}\n"
      "simulate: {end: 1}\n"
      "cosim:\n"
      "  macro_step: 0.015\n"
      "  subsystems:\n"
      "    A: [a]\n"
      "    ctl:\n"
      "      sample: 0.03\n"
      "      inputs: [x]\n"
      "      states: {before: 0, behind: 0}\n"
      "      updates: {before: \"before + if(t < c, 0, 1)\", behind: \"behind + if(t > c, 1, 0)\"}\n"
      "      outputs: {F: \"if(t <= c, 0, 1)\", before: before, behind: behind}\n"
      "  signals: [{from: A.a.x, to: ctl.x}, {from: ctl.F, to: A.f.fx}]\n";
  for (size_t k = 0; k < N_JUMPS; k++) {
    const double c = 0.03 * jumps[k].sample;
    cut_run run = cut_run_begin(text, (const char *const[]){jumps[k].override, NULL});
    cut_run_advance(&run, 0.015, 2 * N_SAMPLES); /* outputs are those of the sample before */
    cr_expect_eq(cut_run_signal(&run, "ctl.before"), N_SAMPLES - jumps[k].sample, "%s", jumps[k].override);
    cr_expect_eq(cut_run_signal(&run, "ctl.behind"), N_SAMPLES - jumps[k].sample, "%s", jumps[k].override);
    cr_expect_float_eq(cosim_state(run.simulation)->v[0], 0.03 * N_SAMPLES - c, 1e-12, "%s", jumps[k].override);
    cut_run_end(&run);
  }
}
