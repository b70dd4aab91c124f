#include "tests/support/run_radius.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MAX_FITTED = 60 };
static const double absolute_tolerance = 1e-16;

/* ---- Prediction and run ---- */

cosim_fixture at_rest(const char *text, const char *const *overrides) {
  cosim_fixture f = cosim_fixture_read(text, overrides);
  seam_error error = {0};
  cr_assert_eq(mbs_find_equilibrium(f.workspace, f.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  return f;
}

/* About the equilibrium, or, of a model with signals, the start of the whole. */
static seam_status try_to_linearise(const cosim_fixture *f, seam_linearised **linear, seam_error *error) {
  cosim_builder *builder = NULL;
  const mbs_model *whole = NULL;
  cr_assert_eq(seam_model_whole(f->file, &whole, error), SEAM_OK, "%s", error->message);
  mbs_workspace *ws = new_workspace(whole);
  mbs_state *state = new_state(whole);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, error), SEAM_OK, "%s", error->message);
  cr_assert_eq(cosim_builder_of(f->model, &f->definition, &builder, NULL), SEAM_OK);
  const seam_status status =
      seam_linearised_create_of(whole, whole == f->model ? f->state : state, builder, linear, error);
  cosim_builder_destroy(builder);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}

seam_linearised *linearise(const cosim_fixture *f) {
  seam_linearised *linear = NULL;
  seam_error error = {0};
  cr_assert_eq(try_to_linearise(f, &linear, &error), SEAM_OK, "%s", error.message);
  return linear;
}

double predicted_radius(const cosim_fixture *f, double H) {
  seam_linearised *linear = linearise(f);
  seam_scheme_point point;
  cr_assert_eq(seam_linearised_stability(linear, H, &point, NULL), SEAM_OK);
  seam_linearised_destroy(linear);
  return point.rho;
}

/* The limit of the first interval of stable macro steps. */
double border_of(const cosim_fixture *f, double from, double to) {
  seam_linearised *linear = linearise(f);
  seam_stable_interval interval[8];
  size_t n = 0;
  cr_assert_eq(seam_linearised_intervals(linear, from, to, 41, NULL, interval, 8, &n, NULL), SEAM_OK);
  cr_assert_geq(n, 1);
  cr_assert_eq(interval[0].from, from);
  cr_assert_lt(interval[0].to, to);
  seam_linearised_destroy(linear);
  return interval[0].to;
}

/* Distances of coordinate `c`, which the mode moves, from rest, until one is larger than `most`; returns how many. */
size_t run_distances(const cosim_fixture *f, double H, size_t c, double first, double most, size_t n, double *y) {
  cosim_definition definition = f->definition;
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  mbs_state *begin = new_state(f->model);
  mbs_state_copy(begin, f->state);
  for (size_t i = 0; i < 3 * mbs_n_bodies(f->model); i++)
    begin->q[i] += first * cos((double)i);
  cr_assert_eq(mbs_assemble(f->workspace, begin, NULL, NULL, NULL), SEAM_OK);
  definition.options.macro_step = H;
  definition.options.integrator.rtol = 1e-10;
  definition.options.integrator.atol = absolute_tolerance;
  cr_assert_eq(create_simulation(f->model, &definition, &simulation, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(simulation, begin, &error), SEAM_OK, "%s", error.message);
  size_t k = 0;
  for (; k < n && (k == 0 || fabs(y[k - 1]) < most); k++) {
    cr_assert_eq(cosim_advance(simulation, H, &error), SEAM_OK, "%s", error.message);
    y[k] = cosim_state(simulation)->q[c] - f->state->q[c];
  }
  cosim_destroy(simulation);
  mbs_state_destroy(begin);
  return k;
}

double fitted_radius(const double *y, size_t n) {
  double s[5] = {0}; /* y1², y1 y0, y0², y2 y1, y2 y0 */
  const size_t n_fitted = n / 3 < MAX_FITTED ? n / 3 : MAX_FITTED;
  cr_assert_gt(n_fitted, 3, "%zu samples", n);
  for (size_t k = n - n_fitted - 2; k + 2 < n; k++) {
    const double products[] = {y[k + 1] * y[k + 1], y[k + 1] * y[k], y[k] * y[k], y[k + 2] * y[k + 1], y[k + 2] * y[k]};
    for (int i = 0; i < 5; i++)
      s[i] += products[i];
  }
  const double determinant = s[0] * s[2] - s[1] * s[1];
  if (!(s[2] > absolute_tolerance * absolute_tolerance)) /* it has rested long since */
    return 0;
  if (fabs(determinant) < 1e-6 * s[0] * s[2]) /* one real root */
    return fabs(s[1] / s[2]);
  const double a = (s[3] * s[2] - s[4] * s[1]) / determinant;
  const double b = (s[4] * s[0] - s[3] * s[1]) / determinant;
  const double complex root = csqrt(a * a / 4 + b);
  return fmax(cabs(a / 2 + root), cabs(a / 2 - root));
}

/* Where predictions and runs agree: rho to `accuracy` at 1.03 of the border, and what the runs say 2 % around it. */
void expect_border(const cosim_fixture *f, double H, size_t c, double accuracy) {
  double y[MAX_SAMPLES];
  size_t n = run_distances(f, 1.03 * H, c, 1e-9, 1e-5, MAX_SAMPLES, y);
  const double rho = predicted_radius(f, 1.03 * H);
  cr_expect_gt(rho, 1);
  cr_expect_float_eq(fitted_radius(y, n), rho, accuracy, "H = %g: %.12g instead of %.12g", 1.03 * H, rho,
                     fitted_radius(y, n));
  n = run_distances(f, 0.99 * H, c, 1e-9, 1e-4, MAX_SAMPLES, y);
  cr_expect(n == MAX_SAMPLES && fitted_radius(y, n) < 1, "%g grows below the border %g: %g", 0.99 * H, H, y[n - 1]);
  n = run_distances(f, 1.01 * H, c, 1e-9, 1e-5, MAX_SAMPLES, y);
  cr_expect(n < MAX_SAMPLES || fitted_radius(y, n) > 1, "%g shrinks beyond the border %g", 1.01 * H, H);
}
