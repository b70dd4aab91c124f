#include "analysis/textbook/mbcorr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/errors.h"
#include "analysis/spectrum.h"
#include "analysis/textbook/test_model.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "solvers/expm.h"

static const double mass = 10;
static const double c1 = 1e6, d1 = 1, c2 = 1e7, d2 = 2;

enum { S1, V1, S2, V2 };

/* ---- Exact solution ---- */

seam_status analysis_mbcorr_exact(const seam_mbcorr_model *model, double dt, double E[mbcorr_states * mbcorr_states],
                                  seam_error *error) {
  const double c = model->stiffness, d = model->damping;
  const double by_rows[mbcorr_states][mbcorr_states] = {
      {0, 1, 0, 0},
      {-(c1 + c) / mass, -(d1 + d) / mass, c / mass, d / mass},
      {0, 0, 0, 1},
      {c / mass, d / mass, -(c2 + c) / mass, -(d2 + d) / mass},
  };
  double generator[mbcorr_states * mbcorr_states];
  for (int i = 0; i < mbcorr_states; i++)
    for (int j = 0; j < mbcorr_states; j++)
      generator[i + j * mbcorr_states] = by_rows[i][j] * dt;
  return seam_expm(mbcorr_states, generator, E, error);
}

void analysis_mbcorr_outputs(const seam_mbcorr_model *model, const double x[mbcorr_states], double y[mbcorr_outputs]) {
  y[0] = x[S1];
  y[1] = x[V1];
  y[2] = model->stiffness * (x[S2] - x[S1]) + model->damping * (x[V2] - x[V1]);
}

/* ---- Subsystems ---- */

static seam_status create_first(cosim_part **part, seam_error *error) {
  const double A[] = {0, 1, -c1 / mass, -d1 / mass};
  const double B[] = {0, 1 / mass};
  const double C[] = {1, 0, 0, 1};
  const double D[] = {0, 0};
  const cosim_linear_def def = {
      .name = "1", .n_states = 2, .n_inputs = 1, .n_outputs = 2, .A = A, .B = B, .C = C, .D = D};
  return cosim_linear_part_create(&def, part, error);
}

static seam_status create_second(const seam_mbcorr_model *model, cosim_part **part, seam_error *error) {
  const double c = model->stiffness, d = model->damping;
  const double A[] = {0, 1, -(c + c2) / mass, -(d + d2) / mass};
  const double B[] = {0, 0, c / mass, d / mass};
  const double C[] = {c, d};
  const double D[] = {-c, -d};
  const cosim_linear_def def = {
      .name = "2", .n_states = 2, .n_inputs = 2, .n_outputs = 1, .A = A, .B = B, .C = C, .D = D};
  return cosim_linear_part_create(&def, part, error);
}

/* Couples the subsystems and takes ownership: the force of `second` acts on `first`, whose motion `second` receives. */
static seam_status join(analysis_mbcorr *self, cosim_part *first, cosim_part *second, seam_error *error) {
  cosim_member_def members[] = {{first, 1}, {second, 1}};
  cosim_link links[] = {{.name = "1.F", .from = 1, .to = 0, .rate = -1, .gain = 1, .order = self->hold},
                        {.name = "2.s", .to = 1, .rate = -1, .gain = 1, .order = self->hold},
                        {.name = "2.v", .output = 1, .to = 1, .input = 1, .rate = -1, .gain = 1, .order = self->hold}};
  const cosim_exchange_plan plan = {.members = members,
                                    .n_members = 2,
                                    .links = links,
                                    .n_links = 3,
                                    .corrections = &self->correction,
                                    .n_corrections = self->correction != NULL};
  return cosim_exchange_make(&plan, &self->exchange, error);
}

/* ---- Creation ---- */

static seam_status check_model(const seam_mbcorr_model *model, seam_error *error) {
  if (!is_size(model->stiffness) || !is_size(model->damping))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "stiffness %g and damping %g of the coupling must be finite and not negative", model->stiffness,
                     model->damping);
  if (!is_positive(model->macro_step))
    return seam_fail(error, SEAM_BAD_INPUT, "the macro step %g s must be positive and finite", model->macro_step);
  return SEAM_OK;
}

static seam_status read_scheme(const char *scheme, int *hold, bool *corrected, seam_error *error) {
  int end = 0;
  if (sscanf(scheme, "hold%1d%n", hold, &end) == 1 && *hold >= 0 && *hold <= COSIM_MAX_HOLD) {
    *corrected = strcmp(scheme + end, "-corrected") == 0;
    if (*corrected || scheme[end] == '\0')
      return SEAM_OK;
  }
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "'%s' is not a scheme of the model mbcorr; its schemes are: hold0 to hold4, hold0-corrected to hold4-corrected",
      scheme);
}

/* Takes a macro step at rest to time 0, with zero past values. Saves the exchange's state in self->at_rest. */
static seam_status step_from_rest(analysis_mbcorr *self, seam_error *error) {
  static const double zeros[mbcorr_outputs];
  const double H = self->model.macro_step;
  self->at_rest = calloc(cosim_exchange_n_state(self->exchange) + 1, sizeof *self->at_rest);
  if (self->at_rest == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the test model");
  cosim_exchange_start(self->exchange, -H);
  for (int p = 0; p < 2; p++)
    for (int i = 1; i < COSIM_MAX_PAST; i++)
      cosim_exchange_remember(self->exchange, p, -H * (1 + i), zeros);
  TRY(cosim_exchange_advance(self->exchange, H, error));
  cosim_exchange_save(self->exchange, self->at_rest);
  return SEAM_OK;
}

seam_status analysis_mbcorr_create(const seam_mbcorr_model *model, const char *scheme, analysis_mbcorr **created,
                                   seam_error *error) {
  const cosim_model_based_def wanted = cosim_default_model_based_def();
  cosim_part *first = NULL, *second = NULL;
  int hold = 0;
  bool corrected = false;
  TRY(check_model(model, error));
  TRY(read_scheme(scheme, &hold, &corrected, error));
  analysis_mbcorr *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the test model");
  self->model = *model;
  self->hold = hold;
  seam_status status = create_first(&first, error);
  THEN(status, create_second(model, &second, error));
  if (corrected)
    THEN(status, cosim_model_based_correction_create(&wanted, &self->correction, error));
  if (status != SEAM_OK) {
    cosim_part_destroy(first);
    cosim_part_destroy(second);
  }
  THEN(status, join(self, first, second, error));
  THEN(status, step_from_rest(self, error));
  RETURN_CREATED(status, self, created, analysis_mbcorr_destroy);
}

void analysis_mbcorr_destroy(analysis_mbcorr *self) {
  if (self == NULL)
    return;
  cosim_exchange_destroy(self->exchange);
  free(self->at_rest);
  free(self);
}

/* ---- Recurrence ---- */

int analysis_mbcorr_n_values(const analysis_mbcorr *self) {
  return mbcorr_states + (self->hold + 1 + (self->correction != NULL)) * mbcorr_outputs;
}

/* Copies the values from the exchange to `values` (saves) or back. */
/* NOLINTNEXTLINE(readability-non-const-parameter): written if saves */
static void copy(const analysis_mbcorr *self, double *values, bool saves) {
  const cosim_exchange *exchange = self->exchange;
  cosim_image image = {.at = values, .saves = saves};
  cosim_parts_copy(exchange->parts, &image);
  for (int i = 0; i <= self->hold; i++) {
    cosim_image_copy(&image, exchange->history[0].past + 2 * i, 2);
    cosim_image_copy(&image, exchange->history[1].past + i, 1);
  }
  for (int p = 0; p < 2 && self->correction != NULL; p++)
    cosim_image_copy(&image, cosim_model_based_offset(self->correction, p), p == 0 ? 1 : 2);
}

void analysis_mbcorr_set(analysis_mbcorr *self, double *values) {
  cosim_exchange_restore(self->exchange, self->at_rest);
  copy(self, values, false);
}

void analysis_mbcorr_get(const analysis_mbcorr *self, double *values) { copy(self, values, true); }

seam_status analysis_mbcorr_step(analysis_mbcorr *self, seam_error *error) {
  return cosim_exchange_advance(self->exchange, self->model.macro_step, error);
}

/* ---- Stability ([Haid] eq. 26, 29) ---- */

seam_status seam_mbcorr_stability(const seam_mbcorr_model *model, const char *scheme, seam_stability_point *point,
                                  seam_error *error) {
  ARGUMENTS(error, model, scheme, point);
  double Phi[MBCORR_MAX_VALUES * MBCORR_MAX_VALUES];
  double unit[MBCORR_MAX_VALUES] = {0};
  analysis_mbcorr *run = NULL;
  TRY(analysis_mbcorr_create(model, scheme, &run, error));
  seam_status status = SEAM_OK;
  const int n = analysis_mbcorr_n_values(run);
  for (int j = 0; j < n && status == SEAM_OK; j++) {
    unit[j] = 1;
    analysis_mbcorr_set(run, unit);
    unit[j] = 0;
    status = analysis_mbcorr_step(run, error);
    analysis_mbcorr_get(run, Phi + j * n);
  }
  analysis_mbcorr_destroy(run);
  point->n_state = (size_t)n;
  THEN(status,
       analysis_spectral_radius(n, Phi, analysis_propagation_rounding, &point->rho, &point->uncertainty, error));
  return status;
}

/* ---- Errors ---- */

static const double x_start[mbcorr_states] = {1e-3, 1, 1e-3, 1};

/* Returns the NRMSE of all outputs. Errors are relative to the variation of the exact solution, also local ones. */
static double combine(const analysis_column *errors, const analysis_column *exact) {
  double sum = 0;
  for (int i = 0; i < mbcorr_outputs; i++)
    sum += errors[i].error_squares / exact[i].squares;
  return isfinite(sum) ? sqrt(sum / mbcorr_outputs) : INFINITY;
}

static seam_status begin(analysis_mbcorr *run, seam_error *error) {
  double values[MBCORR_MAX_VALUES] = {0};
  double E[mbcorr_states * mbcorr_states];
  memcpy(values, x_start, sizeof x_start);
  for (int i = 0; i <= run->hold; i++) {
    double x[mbcorr_states];
    TRY(analysis_mbcorr_exact(&run->model, -i * run->model.macro_step, E, error));
    analysis_propagate(E, x_start, x);
    analysis_mbcorr_outputs(&run->model, x, values + mbcorr_states + i * mbcorr_outputs);
  }
  analysis_mbcorr_set(run, values);
  return SEAM_OK;
}

/* Takes the macro steps and sums the errors of each output. Fails with SEAM_NOT_FINITE if the run overflows. */
static seam_status take_steps(analysis_mbcorr *run, analysis_column *of_global, analysis_column *of_local,
                              seam_error *error) {
  double E[mbcorr_states * mbcorr_states];
  double exact[mbcorr_states];
  double values[MBCORR_MAX_VALUES];
  TRY(analysis_mbcorr_exact(&run->model, run->model.macro_step, E, error));
  memcpy(exact, x_start, sizeof exact);
  const double n_steps = round(SEAM_MBCORR_END / run->model.macro_step);
  for (size_t n = 0; (double)n < n_steps; n++) {
    double local[mbcorr_states];
    double y_local[mbcorr_outputs], y_exact[mbcorr_outputs];
    analysis_mbcorr_get(run, values);
    analysis_propagate(E, values, local);
    analysis_propagate(E, exact, exact);
    TRY(analysis_mbcorr_step(run, error));
    analysis_mbcorr_get(run, values);
    const double *y = values + mbcorr_states;
    analysis_mbcorr_outputs(&run->model, local, y_local);
    analysis_mbcorr_outputs(&run->model, exact, y_exact);
    for (int i = 0; i < mbcorr_outputs; i++) {
      analysis_column_add(&of_global[i], 1, y_exact[i], y[i]);
      analysis_column_add(&of_local[i], 1, y_local[i], y[i]);
    }
  }
  return SEAM_OK;
}

seam_status seam_mbcorr_errors(const seam_mbcorr_model *model, const char *scheme, seam_mbcorr_nrmse *errors,
                               seam_error *error) {
  ARGUMENTS(error, model, scheme, errors);
  analysis_column of_global[mbcorr_outputs] = {0}, of_local[mbcorr_outputs] = {0};
  analysis_mbcorr *run = NULL;
  seam_status status = analysis_mbcorr_create(model, scheme, &run, error);
  THEN(status, begin(run, error));
  THEN(status, take_steps(run, of_global, of_local, error));
  analysis_mbcorr_destroy(run);
  *errors = (seam_mbcorr_nrmse){INFINITY, INFINITY};
  if (status == SEAM_NOT_FINITE)
    return SEAM_OK;
  if (status == SEAM_OK)
    *errors = (seam_mbcorr_nrmse){combine(of_global, of_global), combine(of_local, of_global)};
  return status;
}
