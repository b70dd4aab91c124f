/* The two masses of the catalogue with model-based correction, mechanisms that are cut, against the figures of the
 * paper. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"

enum { MAX_LINE = 400, MAX_OVERRIDE = 40 };

static FILE *open_data(const char *name) {
  char path[512];
  char head[MAX_LINE];
  snprintf(path, sizeof path, SEAM_SOURCE_DIR "/tests/data/%s", name);
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file, "%s", path);
  cr_assert_not_null(fgets(head, sizeof head, file));
  return file;
}

/* Order of the hold from the letter before "OH". */
static int hold_of(char letter) { return letter == 'Z' ? 0 : letter == 'F' ? 1 : letter == 'S' ? 2 : letter - '0'; }

/* ---- The linear oscillator, step by step ---- */

static cosim_fixture begin_trace(int hold, bool corrected) {
  char text[MAX_OVERRIDE];
  snprintf(text, sizeof text, "parameters.hold=%d", hold);
  const char *const overrides[] = {
      text, "cosim.macro_step=1e-4", "cosim.rtol=1e-12", "cosim.atol=1e-14", corrected ? NULL : "cosim.corrections={}",
      NULL};
  cosim_fixture p = cosim_fixture_read("two_mass_mbcorr", overrides);
  start(&p);
  return p;
}

static void expect_state(const cosim_fixture *p, const double expected[4], const char *line) {
  const mbs_state *now = cosim_state(p->run);
  const size_t m1 = 3 * mbs_find_body(p->model, "m1");
  const size_t m2 = 3 * mbs_find_body(p->model, "m2");
  const double found[4] = {now->q[m1], now->v[m1], now->q[m2], now->v[m2]};
  for (int i = 0; i < 4; i++)
    cr_expect_float_eq(found[i], expected[i], 1e-11, "%.20s, state %d: %.15g, reference %.15g", line, i, found[i],
                       expected[i]);
}

/* Rows of a hold follow each other. */
Test(catalogue_mbcorr, traces) {
  FILE *file = open_data("mbcorr_trace.csv");
  char line[MAX_LINE];
  cosim_fixture p = {0};
  int taken = 0;
  int n_rows = 0;
  for (; fgets(line, sizeof line, file) != NULL; n_rows++) {
    char method[4];
    int corrected = 0;
    int n = 0;
    double x[4];
    cr_assert_eq(sscanf(line, "%3[^,],%d,%d,%lf,%lf,%lf,%lf", method, &corrected, &n, &x[0], &x[1], &x[2], &x[3]), 7);
    if (n == 1) {
      cosim_fixture_free(&p);
      p = begin_trace(hold_of(method[0]), corrected != 0);
      taken = 0;
    }
    advance(&p, (size_t)(n - taken));
    taken = n;
    expect_state(&p, x, line);
  }
  cr_assert_eq(n_rows, 200);
  cosim_fixture_free(&p);
  fclose(file);
}

/* ---- The nonlinear damper ---- */

static double damper_force(double exponent, const double x[4]) {
  const double v = x[3] - x[1];
  return 2e5 * (x[2] - x[0]) + fmax(10, fmin(1e4, 500 * pow(fabs(v), exponent - 1))) * v;
}

/* Of s1, v1 and the force, by [Haid] (33): macro steps of 1 ms for 0.3 s, against the whole. */
static double error_of_run(double exponent, int hold, bool corrected) {
  char texts[2][MAX_OVERRIDE];
  snprintf(texts[0], sizeof texts[0], "parameters.n=%g", exponent);
  snprintf(texts[1], sizeof texts[1], "parameters.hold=%d", hold);
  const char *const overrides[] = {texts[0], texts[1], corrected ? NULL : "cosim.corrections={}", NULL};
  cosim_fixture p = cosim_fixture_read("two_mass_mbcorr_nonlinear", overrides);
  mbs_state *whole = new_state(p.model);
  mbs_integrator *integrator = start_monolithic(&p, whole);
  deviation of[3] = {0};
  start(&p);
  for (int k = 1; k <= 300; k++) {
    double wrench[2][3];
    advance(&p, 1);
    const mbs_state *now = cosim_state(p.run);
    cr_assert_eq(mbs_integrator_advance(integrator, now->t, whole, NULL), SEAM_OK);
    cosim_coupling_wrenches(p.run, 0, wrench);
    const double x[4] = {whole->q[0], whole->v[0], whole->q[3], whole->v[3]};
    deviation_add(&of[0], now->q[0], x[0]);
    deviation_add(&of[1], now->v[0], x[1]);
    deviation_add(&of[2], wrench[0][0], damper_force(exponent, x));
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(whole);
  cosim_fixture_free(&p);
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += pow(deviation_of(&of[i]), 2) / 3;
  return sqrt(sum);
}

/* The reference's correction takes the damper as it is where a step begins; its outputs are corrected ones, where here
 * the bodies' motion counts. Along the step the correction is worth more, but for the linear damper. */
Test(catalogue_mbcorr, nonlinear_damper) {
  FILE *file = open_data("mbcorr_nonlinear.csv");
  char line[MAX_LINE];
  int n = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    char beginning[16];
    char method[4];
    double exponent = 0;
    double expected = 0;
    int corrected = 0;
    cr_assert_eq(sscanf(line, "%15[^,],%lf,%3[^,],%d,%lf", beginning, &exponent, method, &corrected, &expected), 5);
    if (strcmp(beginning, "v=1;s=1e-3") != 0)
      continue;
    const double error = error_of_run(exponent, hold_of(method[0]), corrected != 0);
    if (corrected)
      cr_expect_lt(error, expected * (exponent == 1 ? 1.05 : 0.9), "%s: %.8g", line, error);
    else
      cr_expect_float_eq(error, expected, 2e-6 * expected, "%s: %.8g", line, error);
    n++;
  }
  fclose(file);
  cr_assert_eq(n, 30);
}

/* From 10 m/s, with a hold of order 0, where the reference overflows too. */
static seam_status run_fast(bool corrected, double *speed) {
  const char *const overrides[] = {"parameters.n=2",
                                   "parameters.s0=1e-2",
                                   "parameters.v0=10",
                                   "cosim.history=raise",
                                   corrected ? NULL : "cosim.corrections={}",
                                   NULL};
  cosim_fixture p = cosim_fixture_read("two_mass_mbcorr_nonlinear", overrides);
  seam_status status = SEAM_OK;
  *speed = 0;
  start(&p);
  for (int k = 0; k < 300 && status == SEAM_OK; k++) {
    status = cosim_advance(p.run, p.definition.options.macro_step, NULL);
    *speed = fmax(*speed, fabs(cosim_state(p.run)->v[0]));
  }
  cosim_fixture_free(&p);
  return status;
}

Test(catalogue_mbcorr, the_correction_keeps_a_fast_motion_stable) {
  double speed = 0;
  cr_expect_eq(run_fast(true, &speed), SEAM_OK);
  cr_expect_lt(speed, 12);
  run_fast(false, &speed);
  cr_expect_gt(speed, 1e4);
}
