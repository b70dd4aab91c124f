/* A co-simulated run beside the monolithic one, point by point over the macro points (<seam/analysis.h>). The reference
 * is integrated once for a macro step and serves all schemes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <seam/analysis.h>

#include "analysis/errors.h"

static const double tighter = 100; /* tolerances of the reference */
static const double least_rtol = 1e-13;
static const double least_atol = 1e-15;
static const double largest_error = 0.1; /* of the position of a stable run */

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  mbs_workspace *workspace;
  size_t n_values;      /* 6 n_bodies: q, v */
  cosim_step_plan plan; /* its steps end at the points */
  double *values;       /* (n_points x n_values) */
  seam_bounds bounds;
  double first_energy, largest_kinetic; /* J */
  double cpu;                           /* s, of the plain run */
};

static double cpu_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Total energy, corrected for what was dissipated and driven in: constant but for errors. */
static double balance_of(const mbs_energy *energy) { return energy->total + energy->dissipated - energy->driven; }

/* ---- The monolithic run ---- */

static seam_status allocate(seam_reference *self, const mbs_state *start, seam_error *error) {
  const size_t n = self->plan.count * self->n_values;
  seam_status status = mbs_workspace_create(self->model, &self->workspace, error);
  if (status == SEAM_OK)
    status = mbs_state_create(self->model, &self->start, error);
  if (status != SEAM_OK)
    return status;
  self->values = malloc((n + 1) * sizeof *self->values);
  if (self->values == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference of %zu macro points", self->plan.count);
  mbs_state_copy(self->start, start);
  return SEAM_OK;
}

static seam_status create_integrator(const seam_reference *self, const mbs_integrator_options *options,
                                     const seam_interrupt *interrupt, mbs_integrator **integrator, seam_error *error) {
  seam_status status = mbs_integrator_create(self->model, options, integrator, error);
  if (status != SEAM_OK)
    return status;
  if (interrupt != NULL)
    mbs_integrator_set_interrupt(*integrator, interrupt->is_requested, interrupt->context);
  return mbs_integrator_start(*integrator, self->start, error);
}

/* What the run costs without observation. */
static seam_status time_plain_run(seam_reference *self, const mbs_integrator_options *options, double end,
                                  const seam_interrupt *interrupt, seam_error *error) {
  mbs_integrator *integrator = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(self->model, &state, error);
  if (status != SEAM_OK)
    return status;
  status = create_integrator(self, options, interrupt, &integrator, error);
  const double start = cpu_now();
  if (status == SEAM_OK) {
    mbs_integrator_set_stop(integrator, end);
    status = mbs_integrator_advance(integrator, end, state, error);
  }
  self->cpu = cpu_now() - start;
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  return status;
}

static void keep_point(seam_reference *self, size_t point, const mbs_state *state) {
  const size_t n = self->n_values / 2;
  double *values = self->values + point * self->n_values;
  memcpy(values, state->q, n * sizeof *values);
  memcpy(values + n, state->v, n * sizeof *values);
  seam_bounds_add(&self->bounds, self->model, state);
  self->largest_kinetic = fmax(self->largest_kinetic, mbs_energy_of(self->workspace, state).kinetic);
}

static mbs_integrator_options tighten(const mbs_integrator_options *options) {
  mbs_integrator_options tight = mbs_default_integrator_options();
  tight.rtol = fmax(options->rtol / tighter, least_rtol);
  tight.atol = fmax(options->atol / tighter, least_atol);
  tight.largest_step = options->largest_step;
  return tight;
}

static seam_status integrate(seam_reference *self, const mbs_integrator_options *options,
                             const seam_interrupt *interrupt, seam_error *error) {
  const mbs_integrator_options tight = tighten(options);
  mbs_integrator *integrator = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(self->model, &state, error);
  if (status != SEAM_OK)
    return status;
  status = create_integrator(self, &tight, interrupt, &integrator, error);
  const mbs_energy first = mbs_energy_of(self->workspace, self->start);
  self->first_energy = balance_of(&first);
  self->largest_kinetic = first.kinetic;
  seam_bounds_add(&self->bounds, self->model, self->start);
  double t = self->start->t;
  for (size_t i = 1; i <= self->plan.count && status == SEAM_OK; i++) {
    t += cosim_step_plan_length(&self->plan, i - 1);
    status = mbs_integrator_advance(integrator, t, state, error);
    if (status == SEAM_OK)
      keep_point(self, i - 1, state);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  return status;
}

seam_status seam_reference_create(const mbs_model *model, const mbs_state *start, const mbs_integrator_options *options,
                                  double macro_step, double end, const seam_interrupt *interrupt,
                                  seam_reference **created, seam_error *error) {
  cosim_step_plan plan;
  seam_status status = cosim_step_plan_make(macro_step, end, &plan, error);
  if (status != SEAM_OK)
    return status;
  seam_reference *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference");
  self->model = model;
  self->n_values = 6 * mbs_n_bodies(model);
  self->plan = plan;
  status = allocate(self, start, error);
  if (status == SEAM_OK)
    status = time_plain_run(self, options, end, interrupt, error);
  if (status == SEAM_OK)
    status = integrate(self, options, interrupt, error);
  if (status == SEAM_OK)
    *created = self;
  else
    seam_reference_destroy(self);
  return status;
}

void seam_reference_destroy(seam_reference *self) {
  if (self == NULL)
    return;
  mbs_workspace_destroy(self->workspace);
  mbs_state_destroy(self->start);
  free(self->values);
  free(self);
}

double seam_reference_cpu(const seam_reference *self) { return self->cpu; }

/* ---- The co-simulated run ---- */

static void add_residuals(const cosim_simulation *simulation, seam_comparison *result) {
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++) {
    double g[3];
    double gd[3];
    double gdd[3];
    const size_t n = cosim_coupling_residuals(simulation, k, g, gd, gdd);
    for (size_t i = 0; i < n; i++) {
      result->max_g = fmax(result->max_g, fabs(g[i]));
      result->max_gd = fmax(result->max_gd, fabs(gd[i]));
      result->max_gdd = fmax(result->max_gdd, fabs(gdd[i]));
    }
  }
}

static void add_point(const seam_reference *reference, size_t point, const mbs_state *state, analysis_column *columns,
                      seam_comparison *result) {
  const size_t n = reference->n_values / 2;
  const double *values = reference->values + point * reference->n_values;
  for (size_t i = 0; i < n; i++) {
    analysis_column_add(&columns[i], values[i], state->q[i]);
    analysis_column_add(&columns[n + i], values[n + i], state->v[i]);
  }
  const mbs_energy energy = mbs_energy_of(reference->workspace, state);
  result->energy_drift = fmax(result->energy_drift, fabs(balance_of(&energy) - reference->first_energy));
}

/* Whether the run is still stable; else why not. */
static bool is_stable(const seam_reference *reference, const mbs_state *state, seam_comparison *result) {
  seam_excess what;
  if (!seam_bounds_exceeded(&reference->bounds, reference->model, state, &what))
    return true;
  snprintf(result->why, sizeof result->why, "%s.%s is %.3g at t = %.6g s, beyond %.3g",
           mbs_body_name(reference->model, what.body), what.component, what.value, state->t, what.limit);
  return false;
}

static seam_status interrupted(double t, seam_error *error) {
  return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t);
}

/* To the end, or as far as the run is stable. */
static seam_status advance(const seam_reference *reference, cosim_simulation *simulation,
                           const seam_interrupt *interrupt, analysis_column *columns, seam_comparison *result,
                           seam_error *error) {
  for (size_t i = 1; i <= reference->plan.count; i++) {
    seam_error failure = {0};
    const seam_status status = cosim_advance(simulation, cosim_step_plan_length(&reference->plan, i - 1), &failure);
    if (status == SEAM_NO_MEMORY)
      return seam_fail(error, status, "%s", failure.message);
    if (status != SEAM_OK) {
      snprintf(result->why, sizeof result->why, "%s", failure.message);
      return SEAM_OK;
    }
    const mbs_state *state = cosim_state(simulation);
    result->time = state->t;
    if (!is_stable(reference, state, result))
      return SEAM_OK;
    add_point(reference, i - 1, state, columns, result);
    add_residuals(simulation, result);
    if (interrupt != NULL && interrupt->is_requested != NULL && interrupt->is_requested(interrupt->context, state->t))
      return interrupted(state->t, error);
  }
  result->finished = true;
  return SEAM_OK;
}

static seam_status fill_errors(const seam_reference *reference, const analysis_column *columns, seam_comparison *result,
                               seam_error *error) {
  const size_t n = reference->n_values;
  result->columns = malloc((n + 1) * sizeof *result->columns);
  if (result->columns == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the errors of %zu columns", n);
  for (size_t i = 0; i < n; i++)
    result->columns[i] = (seam_column_error){.nrmse = analysis_nrmse(&columns[i]), .largest = columns[i].largest};
  result->error_position = analysis_combined(columns, n / 2);
  result->error_velocity = analysis_combined(columns + n / 2, n / 2);
  result->stable = result->error_position <= largest_error;
  if (isnan(result->error_position))
    snprintf(result->why, sizeof result->why,
             "the error of positions is not a number: no position changes between the macro points");
  else if (!result->stable)
    snprintf(result->why, sizeof result->why, "the error of positions is %.3g, above %.3g", result->error_position,
             largest_error);
  return SEAM_OK;
}

static seam_status run(const seam_reference *reference, cosim_simulation *simulation, const seam_interrupt *interrupt,
                       analysis_column *columns, seam_comparison *result, seam_error *error) {
  seam_status status = cosim_start(simulation, reference->start, error);
  if (status != SEAM_OK)
    return status;
  add_residuals(simulation, result);
  const double start = cpu_now();
  status = advance(reference, simulation, interrupt, columns, result, error);
  result->cpu = cpu_now() - start;
  result->macro_steps = cosim_statistics_of(simulation).macro_steps;
  if (reference->largest_kinetic > 0)
    result->energy_drift /= reference->largest_kinetic;
  return status == SEAM_OK && result->finished ? fill_errors(reference, columns, result, error) : status;
}

/* Of a run that has not started. */
static seam_comparison *new_comparison(const seam_reference *reference) {
  seam_comparison *result = malloc(sizeof *result);
  if (result != NULL)
    *result = (seam_comparison){
        .error_position = NAN, .error_velocity = NAN, .time = reference->start->t, .cpu_monolithic = reference->cpu};
  return result;
}

/* With the macro step of the reference. */
static seam_status create(const seam_reference *reference, const cosim_builder *builder, cosim_simulation **created,
                          seam_error *error) {
  cosim_options options = cosim_options_of(builder);
  cosim_builder *copy = NULL;
  options.macro_step = reference->plan.macro_step;
  seam_status status = cosim_builder_copy(builder, &copy, error);
  if (status == SEAM_OK)
    status = cosim_set_options(copy, &options, error);
  if (status == SEAM_OK)
    status = cosim_create(copy, created, error);
  cosim_builder_destroy(copy);
  return status;
}

seam_status seam_comparison_create(const seam_reference *reference, const cosim_builder *builder,
                                   const seam_interrupt *interrupt, seam_comparison **created, seam_error *error) {
  cosim_simulation *simulation = NULL;
  seam_status status = create(reference, builder, &simulation, error);
  if (status != SEAM_OK)
    return status;
  seam_comparison *result = new_comparison(reference);
  analysis_column *columns = calloc(reference->n_values + 1, sizeof *columns);
  if (result == NULL || columns == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the errors of %zu columns", reference->n_values);
  else
    status = run(reference, simulation, interrupt, columns, result, error);
  free(columns);
  cosim_destroy(simulation);
  if (status == SEAM_OK)
    *created = result;
  else
    seam_comparison_destroy(result);
  return status;
}

void seam_comparison_destroy(seam_comparison *self) {
  if (self == NULL)
    return;
  free(self->columns);
  free(self);
}
