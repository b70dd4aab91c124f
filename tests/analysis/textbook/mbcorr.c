/* Holds with and without model-based correction on the oscillator of [Haid], through the exchange that runs
 * co-simulations: against independent data, and what the paper says. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/textbook/mbcorr.h"
#include "tests/support/textbook_fixture.h"

static const seam_mbcorr_model moderate = {2e5, 5e2, 1e-4};

/* ---- Data ---- */

/* "ZOH,1" is "hold0-corrected". */
static const char *scheme_of(const data_row *row) {
  static const char *const names[] = {"ZOH", "FOH", "SOH", "3OH", "4OH"};
  static char scheme[32];
  for (int p = 0; p < 5; p++)
    if (strcmp(row->word[0], names[p]) == 0)
      snprintf(scheme, sizeof scheme, "hold%d%s", p, data_number(row, 1) > 0 ? "-corrected" : "");
  return scheme;
}

static seam_stability_point point_of(const seam_mbcorr_model *model, const char *scheme) {
  seam_stability_point point;
  seam_error error = {0};
  cr_assert_eq(seam_mbcorr_stability(model, scheme, &point, &error), SEAM_OK, "%s: %s", scheme, error.message);
  return point;
}

static seam_mbcorr_nrmse errors_of(const seam_mbcorr_model *model, const char *scheme) {
  seam_mbcorr_nrmse errors;
  seam_error error = {0};
  cr_assert_eq(seam_mbcorr_errors(model, scheme, &errors, &error), SEAM_OK, "%s: %s", scheme, error.message);
  return errors;
}

/* Macro steps are powers of sqrt(10); the file gives 13 digits of them. */
static double macro_step_of(double printed) { return pow(10, round(2 * log10(printed)) / 2); }

/* The data stop at 1e70 and call it infinite. */
static bool is_close(double value, double expected) {
  if (isinf(expected))
    return value > 1e70;
  return fabs(value - expected) <= 1e-8 * fmax(1, expected);
}

Test(mbcorr, points) {
  FILE *file = data_open("mbcorr_points.csv");
  int n = 0;
  for (data_row row; data_next(file, &row); n++) {
    const seam_mbcorr_model model = {data_number(&row, 2), data_number(&row, 3), macro_step_of(data_number(&row, 4))};
    const char *scheme = scheme_of(&row);
    const seam_mbcorr_nrmse errors = errors_of(&model, scheme);
    const seam_stability_point point = point_of(&model, scheme);
    const double rho = data_number(&row, 5);
    cr_expect_float_eq(point.rho, rho, 1e-12 * rho, "%s %g %g %g: rho %.14g", scheme, model.stiffness, model.damping,
                       model.macro_step, point.rho);
    cr_expect_lt(fabs(point.rho - rho), point.uncertainty + 1e-13 * rho);
    cr_expect(is_close(errors.global, data_number(&row, 6)), "%s %g %g %g: global %.10g", scheme, model.stiffness,
              model.damping, model.macro_step, errors.global);
    cr_expect(is_close(errors.local, data_number(&row, 7)), "%s %g %g %g: local %.10g", scheme, model.stiffness,
              model.damping, model.macro_step, errors.local);
  }
  fclose(file);
  cr_expect_eq(n, 180);
}

static analysis_mbcorr *run_of(const seam_mbcorr_model *model, const char *scheme) {
  analysis_mbcorr *run = NULL;
  seam_error error = {0};
  cr_assert_eq(analysis_mbcorr_create(model, scheme, &run, &error), SEAM_OK, "%s", error.message);
  return run;
}

/* s1 = s2 = 1e-3 m, v1 = v2 = 1 m/s and the exact past. */
static void begin(analysis_mbcorr *run) {
  double values[MBCORR_MAX_VALUES] = {1e-3, 1, 1e-3, 1};
  for (int i = 0; i <= run->hold; i++) {
    double E[mbcorr_states * mbcorr_states];
    double x[mbcorr_states];
    cr_assert_eq(analysis_mbcorr_exact(&run->model, -i * run->model.macro_step, E, NULL), SEAM_OK);
    analysis_propagate(E, values, x);
    analysis_mbcorr_outputs(&run->model, x, values + mbcorr_states + i * mbcorr_outputs);
  }
  analysis_mbcorr_set(run, values);
}

static void expect_row(const analysis_mbcorr *run, const char *scheme, const data_row *row) {
  static const double size[] = {3e-3, 1, 3e-3, 1, 3e-3, 1, 1e3, 50, 1e-4, 2e-2};
  double values[MBCORR_MAX_VALUES];
  analysis_mbcorr_get(run, values);
  if (run->correction != NULL)
    memmove(values + 7, values + analysis_mbcorr_n_values(run) - 3, 3 * sizeof *values);
  for (int i = 0; i < (run->correction != NULL ? 10 : 7); i++)
    cr_expect_float_eq(values[i], data_number(row, 3 + i), 1e-8 * size[i], "%s, step %s: value %d is %.15g", scheme,
                       row->word[2], i, values[i]);
}

Test(mbcorr, traces) {
  FILE *file = data_open("mbcorr_trace.csv");
  analysis_mbcorr *run = NULL;
  int done = 0;
  int n = 0;
  for (data_row row; data_next(file, &row); n++) {
    const char *scheme = scheme_of(&row);
    const int step = (int)data_number(&row, 2);
    if (step <= done || run == NULL) {
      analysis_mbcorr_destroy(run);
      run = run_of(&moderate, scheme);
      begin(run);
      done = 0;
    }
    for (; done < step; done++)
      cr_assert_eq(analysis_mbcorr_step(run, NULL), SEAM_OK);
    expect_row(run, scheme, &row);
  }
  analysis_mbcorr_destroy(run);
  fclose(file);
  cr_expect_eq(n, 200);
}

/* ---- Matrices ---- */

/* States (2) of a part at the end of a step from z under an input τ^power (input -1: none). */
static void advance_part(cosim_part *part, const double *z, int input, int power, double *end) {
  cosim_signal inputs[2] = {{.n_pieces = 1}, {.n_pieces = 1}};
  double y[2];
  if (input >= 0)
    inputs[input].c[0][power] = 1;
  const cosim_step step = {.H = moderate.macro_step, .inputs = inputs};
  part->ops->restore(part, z);
  cr_assert_eq(part->ops->advance(part, &step, y, NULL, NULL), SEAM_OK);
  part->ops->save(part, end);
}

/* Column j of Ad ("Ad"), of Bd_m ("Bd0" to "Bd4": answer to t^m / m!), of G_p ("G_order0" to "G_order4"). */
static void find_column(analysis_mbcorr *run, const char *name, int j, double column[4]) {
  const cosim_member *member = run->exchange->parts->member;
  memset(column, 0, 4 * sizeof *column);
  if (strcmp(name, "Ad") == 0) {
    const double unit[2] = {j % 2 == 0, j % 2 == 1};
    advance_part(member[j / 2].part, unit, -1, 0, column + j / 2 * 2);
  } else if (name[0] == 'B') {
    const double zero[2] = {0, 0};
    const int power = name[2] - '0';
    const int part = j > 0;
    advance_part(member[part].part, zero, part ? j - 1 : 0, power, column + 2 * part);
    for (int i = 0; i < 4; i++)
      column[i] *= pow(moderate.macro_step, power) / tgamma(power + 1);
  } else if (j == 0) {
    memcpy(column, member[0].derivatives, 2 * sizeof *column);
  } else {
    column[2] = member[1].derivatives[2 * (j - 1)];
  }
}

Test(mbcorr, matrices) {
  FILE *file = data_open("mbcorr_matrices.csv");
  int n = 0;
  for (data_row row; data_next(file, &row) && strncmp(row.word[0], "beta", 4) != 0; n++) {
    char scheme[32];
    snprintf(scheme, sizeof scheme, "hold%c-corrected", row.word[0][0] == 'G' ? row.word[0][7] : '4');
    analysis_mbcorr *run = run_of(&moderate, scheme);
    for (int j = 0; j < row.n_words - 2; j++) {
      double column[4];
      const double expected = data_number(&row, 2 + j);
      find_column(run, row.word[0], j, column);
      const double found = column[(int)data_number(&row, 1)];
      cr_expect_float_eq(found, expected, 1e-11 * fabs(expected), "%s (%s, %d): %.16g instead of %.16g", row.word[0],
                         row.word[1], j, found, expected);
    }
    analysis_mbcorr_destroy(run);
  }
  fclose(file);
  cr_expect_eq(n, 39);
}

/* ---- What the paper says ---- */

static double local_error(double macro_step, const char *scheme) {
  return errors_of(&(seam_mbcorr_model){moderate.stiffness, moderate.damping, macro_step}, scheme).local;
}

Test(mbcorr, correction_buys_thirty_times_the_macro_step) {
  cr_expect_float_eq(local_error(7.01e-6, "hold0"), 1e-3, 1e-6);
  cr_expect_float_eq(local_error(2.0e-4, "hold0-corrected"), 1e-3, 5e-6);
}

Test(mbcorr, correction_raises_the_order_by_one) {
  for (int p = 0; p <= 4; p++)
    for (int corrected = 0; corrected <= 1; corrected++) {
      char scheme[32];
      snprintf(scheme, sizeof scheme, "hold%d%s", p, corrected ? "-corrected" : "");
      const double order = log2(local_error(1e-4, scheme) / local_error(5e-5, scheme));
      cr_expect_float_eq(order, p + 1 + corrected, 0.05, "%s: %g", scheme, order);
    }
}

/* And stays below the plain hold of the next order. */
Test(mbcorr, correction_is_better_than_the_next_hold) {
  cr_expect_lt(local_error(1e-4, "hold0-corrected"), local_error(1e-4, "hold1"));
  cr_expect_lt(local_error(1e-4, "hold1-corrected"), local_error(1e-4, "hold2"));
  cr_expect_lt(local_error(1e-4, "hold2-corrected"), local_error(1e-4, "hold3"));
}

Test(mbcorr, hold_of_order_four_explodes) {
  cr_expect_lt(local_error(1.78e-4, "hold4"), 2e-5);
  cr_expect_lt(local_error(1.82e-4, "hold4"), 1e-2);
  cr_expect_gt(local_error(1.84e-4, "hold4"), 0.2);
  cr_expect_lt(local_error(4e-4, "hold4-corrected"), 1e-5);
}

static double radius_of_fig_5(double macro_step) {
  return point_of(&(seam_mbcorr_model){1e9, 3.6e5, macro_step}, "hold1").rho;
}

Test(mbcorr, first_order_hold_dips_below_one) {
  cr_expect_gt(radius_of_fig_5(1.36e-4), 1);
  cr_expect_lt(radius_of_fig_5(1.38e-4), 1);
  cr_expect_lt(radius_of_fig_5(3.05e-4), 1);
  cr_expect_gt(radius_of_fig_5(3.07e-4), 1);
}

/* ---- Refused ---- */

static void expect_refused(seam_mbcorr_model model, const char *scheme, const char *says) {
  seam_stability_point point;
  seam_error error = {0};
  cr_expect_eq(seam_mbcorr_stability(&model, scheme, &point, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, says) != NULL, "%s", error.message);
}

Test(mbcorr, nonsense_is_refused) {
  expect_refused(moderate, "hold5", "hold0 to hold4");
  expect_refused(moderate, "hold0-correct", "hold0-corrected");
  expect_refused(moderate, "ff-k1", "is not a scheme");
  expect_refused((seam_mbcorr_model){-1, 0, 1e-4}, "hold0", "negative");
  expect_refused((seam_mbcorr_model){1, NAN, 1e-4}, "hold0", "negative");
  expect_refused((seam_mbcorr_model){1, 0, 0}, "hold0", "positive");
}
