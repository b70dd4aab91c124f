/* Compares a co-simulated run with a reference at macro points (<seam/analysis.h>). The reference is a monolithic run
 * or, if seam_reference_of_run() made it, another co-simulation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/errors.h"
#include "analysis/reference.h"
#include "analysis/run_verdict.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "mbs/model/model.h"
#include "mbs/subsystem/start.h"

/* A comparison in progress. */
typedef struct comparison_state {
  const seam_reference *reference;
  const mbs_model *model;
  compared_list *list;
  track *rows;
  size_t *bodies; /* index in the reference's model of each body of `model` */
  mbs_workspace *workspace;
  mbs_state *start, *between;
  double initial_energy; /* J; NaN: the run has not started */
  seam_growth growth;
  const seam_observer *observer; /* NULL: none */
  double observer_cpu;           /* s, CPU time used by the observer */
} comparison_state;

/* ---- The co-simulated run ---- */

/* Updates result->energy_drift, J: the largest |change of the energy balance| since the start. The drift stays NaN if
 * the reference is a co-simulation. It also stays NaN if the cut mechanism lacks bodies of the reference, since the
 * mechanism then exchanges energy with these bodies. */
static void add_drift(comparison_state *self, const mbs_state *state, seam_comparison *result) {
  if (isnan(result->energy_drift))
    return;
  const mbs_energy energy = mbs_energy_of(self->workspace, state);
  const double balance = analysis_energy_balance(&energy);
  if (isnan(self->initial_energy))
    self->initial_energy = balance;
  result->energy_drift = fmax(result->energy_drift, fabs(balance - self->initial_energy));
}

/* Records the present values at `point`, s, the start or the end of a macro step, and calls the observer. */
static seam_status record_point(comparison_state *self, double point, seam_comparison *result, seam_error *error) {
  const cosim_simulation *simulation = result->simulation;
  track_follow(self->rows, self->reference->points, (1 - analysis_sums_of_steps) * point,
               (1 + analysis_sums_of_steps) * point, self->list, self->workspace, simulation, self->between);
  add_drift(self, cosim_state(simulation), result);
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++) {
    double g[3], gd[3], gdd[3];
    const size_t n = cosim_coupling_residuals(simulation, k, g, gd, gdd);
    for (size_t i = 0; i < n; i++) {
      result->max_g = fmax(result->max_g, fabs(g[i]));
      result->max_gd = fmax(result->max_gd, fabs(gd[i]));
      result->max_gdd = fmax(result->max_gdd, fabs(gdd[i]));
    }
  }
  if (self->observer == NULL)
    return SEAM_OK;
  const double start = clock_cpu();
  const seam_status status = self->observer->see(self->observer->context, simulation, point, error);
  self->observer_cpu += clock_cpu() - start;
  return status;
}

/* Takes a macro step. A step that fails sets result->outcome and result->why. The function itself returns SEAM_OK or
 * SEAM_NO_MEMORY. */
static seam_status take_step(comparison_state *self, size_t step, seam_comparison *result, seam_error *error) {
  const cosim_step_plan *plan = &self->reference->plan;
  cosim_simulation *simulation = result->simulation;
  seam_error failure = {0};
  seam_status status = isnan(result->tolerance)
                           ? cosim_advance(simulation, cosim_step_plan_length(plan, step), &failure)
                           : cosim_advance_controlled(simulation, plan->end, &failure);
  if (status == SEAM_OK) {
    result->time = cosim_state(simulation)->t;
    status = seam_growth_check(&self->growth, self->model, self->start, simulation, result->time, plan->end, &failure);
  }
  if (status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", failure.message);
  if (status != SEAM_OK) {
    result->outcome = status == SEAM_BECAME_UNSTABLE || status == SEAM_NOT_FINITE ? SEAM_RUN_UNSTABLE
                      : status == SEAM_NOT_CONVERGED                              ? SEAM_RUN_NOT_CONVERGED
                                                                                  : SEAM_RUN_FAILED;
    snprintf(result->why, sizeof result->why, "%s", failure.message);
  }
  return SEAM_OK;
}

/* Advances to the end of the run, or until a step fails or the caller interrupts the run. */
static seam_status advance(comparison_state *self, const seam_interrupt *interrupt, seam_comparison *result,
                           seam_error *error) {
  const seam_reference *reference = self->reference;
  double point = reference->start->t;
  for (size_t step = 0; point < reference->plan.end; step++) {
    seam_status status = take_step(self, step, result, error);
    if (status != SEAM_OK || result->outcome != SEAM_RUN_FINISHED)
      return status;
    const mbs_state *state = cosim_state(result->simulation);
    if (isnan(result->tolerance)) /* fixed macro steps: summing their lengths would accumulate rounding */
      point = cosim_step_plan_time(&reference->plan, step + 1);
    else
      point = state->t >= (1 - analysis_sums_of_steps) * reference->plan.end ? reference->plan.end : state->t;
    status = record_point(self, point, result, error);
    if (status != SEAM_OK)
      return status;
    if (interrupt_is_requested(interrupt, state->t))
      return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", state->t);
  }
  return SEAM_OK;
}

/* ---- Errors ---- */

/* Adds the errors of value number `at` in each row to a column. A row stands for the macro points since the row before,
 * because the track may have dropped those. Omits the first row (the start) and rows later than rule.until (s), because
 * the reference is valid only up to this time. */
static void add_column(const comparison_state *self, size_t at, analysis_column *column) {
  const track *reference = self->reference->undivided.rows;
  const double H = cosim_step_plan_length(&self->reference->plan, 0);
  for (size_t i = 1; i < self->rows->n && i < reference->n; i++)
    if (reference->times[i] <= self->reference->rule.until) {
      const double n_points = fmax(round((reference->times[i] - reference->times[i - 1]) / H), 1);
      analysis_column_add(column, n_points, track_row(reference, i)[at], track_row(self->rows, i)[at]);
    }
}

/* Returns the index of a quantity in a row of the reference; SEAM_NONE: the reference lacks it. */
static size_t index_in_row(const compared_list *list, const mbs_quantity_info *info) {
  for (const compared_quantity *of = list->quantities; of < list->quantities + list->n; of++)
    if (strcmp(of->element, info->element) == 0 && strcmp(of->name, info->name) == 0)
      return of->first;
  return SEAM_NONE;
}

static seam_status find_errors(const comparison_state *self, seam_comparison *result, seam_error *error) {
  const mbs_integrator_options *options = &self->reference->options;
  const size_t n_motion = 3 * mbs_n_bodies(self->model);
  const size_t n_measures = seam_measured_quantities(self->model, NULL);
  const size_t n = 2 * n_motion + n_measures;
  mbs_quantity *measures = malloc((n_measures + 1) * sizeof *measures);
  analysis_column *columns = calloc(n + 1, sizeof *columns);
  result->columns = malloc((n + 1) * sizeof *result->columns);
  const bool has_memory = measures != NULL && columns != NULL && result->columns != NULL;
  if (has_memory) {
    for (size_t i = 0; i < n_motion; i++) {
      const size_t at = 6 * self->bodies[i / 3] + i % 3;
      add_column(self, at, &columns[i]);
      add_column(self, at + 3, &columns[n_motion + i]);
    }
    seam_measured_quantities(self->model, measures);
    for (size_t i = 0; i < n_measures; i++) {
      const mbs_quantity_info info = mbs_quantity_of(self->model, measures[i]);
      const size_t at = index_in_row(self->reference->list, &info);
      if (at != SEAM_NONE)
        add_column(self, at, &columns[2 * n_motion + i]);
    }
    for (size_t i = 0; i < n; i++)
      result->columns[i] =
          (seam_column_error){.nrmse = analysis_nrmse(&columns[i], options), .largest = columns[i].largest};
    result->error_position = analysis_combined(columns, n_motion, options);
    result->error_velocity = analysis_combined(columns + n_motion, n_motion, options);
  }
  free(measures);
  free(columns);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the errors of %zu columns", n);
}

static seam_status find_deviation(const comparison_state *self, seam_comparison *result, seam_error *error) {
  const seam_verdict_bounds bounds = SEAM_DEFAULT_VERDICT_BOUNDS;
  const seam_reference *reference = self->reference;
  deviation found;
  const seam_status status = deviation_find(reference->list, self->rows, reference->undivided.rows,
                                            &reference->undivided.jumps, &reference->rule, NULL, &found, NULL, error);
  if (status != SEAM_OK)
    return status;
  snprintf(result->error.why, sizeof result->error.why, "%s", reference->undivided.why);
  deviation_to_public(reference->list, &found, SEAM_TRUTH_WHOLE, &result->error);
  result->error.confirmed = reference->undivided.agreement;
  result->error.until = reference->undivided.until;
  result->word = analysis_word_of(&result->error, &bounds);
  return SEAM_OK;
}

/* ---- The start ---- */

static seam_status find_bodies(comparison_state *self, seam_error *error) {
  const mbs_model *reference_model = self->reference->model;
  const size_t n = mbs_n_bodies(self->model);
  self->bodies = malloc((n + 1) * sizeof *self->bodies);
  if (self->bodies == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu bodies", n);
  for (size_t i = 0; i < n; i++) {
    self->bodies[i] = mbs_find_body(reference_model, mbs_body_of(self->model, i).name);
    if (self->bodies[i] == SEAM_NONE)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam_comparison_create(): the reference has no body '%s': name bodies alike in both",
                       mbs_body_of(self->model, i).name);
  }
  return SEAM_OK;
}

static seam_status prepare(comparison_state *self, const seam_comparison *result, seam_error *error) {
  const seam_reference *reference = self->reference;
  seam_status status = find_bodies(self, error);
  THEN(status, compared_list_match(reference->list, self->model, result->simulation, &self->list, error));
  const compared_list *list = self->list;
  if (status == SEAM_OK && mbs_n_bodies(self->model) + list->motion.n + list->forces.n + list->n_signals == 0)
    status = seam_fail(error, SEAM_BAD_INPUT,
                       "the reference has no body, state, measure or signal of this model: "
                       "name them alike in both");
  THEN(status, track_create(reference->list, reference->points->n, &self->rows, error));
  THEN(status, mbs_workspace_create(self->model, &self->workspace, error));
  THEN(status, mbs_state_create(self->model, &self->between, error));
  THEN(status, mbs_state_create(self->model, &self->start, error));
  THEN(status, mbs_copy_start(reference->model, reference->start, self->model, self->start, error));
  return status;
}

static seam_status run(comparison_state *self, const seam_interrupt *interrupt, seam_comparison *result,
                       seam_error *error) {
  const seam_reference *reference = self->reference;
  seam_status status = cosim_start(result->simulation, self->start, error);
  THEN(status, record_point(self, reference->start->t, result, error));
  THEN(status, seam_growth_check(&self->growth, self->model, self->start, result->simulation, reference->start->t,
                                 reference->plan.end, error));
  if (status != SEAM_OK)
    return status;
  const double start = clock_cpu() + self->observer_cpu;
  status = advance(self, interrupt, result, error);
  result->cpu = clock_cpu() - start - self->observer_cpu;
  result->macro_steps = cosim_statistics_of(result->simulation).macro_steps;
  cosim_switches_explain(result->simulation, result->limit, sizeof result->limit);
  if (status == SEAM_OK && reference->record.largest_kinetic > 0)
    result->energy_drift /= reference->record.largest_kinetic;
  if (result->outcome == SEAM_RUN_FINISHED && !reference->is_refused) {
    THEN(status, find_errors(self, result, error));
    THEN(status, find_deviation(self, result, error));
  }
  return status;
}

/* ---- Creation ---- */

seam_status seam_comparison_create(const seam_reference *reference, const cosim_builder *builder,
                                   const seam_interrupt *interrupt, const seam_observer *observer,
                                   seam_comparison **created, seam_error *error) {
  ARGUMENTS(error, reference, builder, created);
  cosim_simulation *simulation = NULL;
  cosim_options options = cosim_builder_definition(builder)->options;
  cosim_builder *copy = NULL;
  options.macro_step = reference->plan.macro_step;
  seam_status status = cosim_builder_copy(builder, &copy, error);
  THEN(status, cosim_set_options(copy, &options, error));
  THEN(status, cosim_create(copy, &simulation, error));
  cosim_builder_destroy(copy);
  if (status != SEAM_OK)
    return status;
  comparison_state self = {
      .reference = reference, .model = cosim_builder_model(builder), .initial_energy = NAN, .observer = observer};
  const cosim_step_control *control = cosim_builder_definition(builder)->step_control;
  seam_comparison *result = malloc(sizeof *result);
  if (result == NULL) {
    cosim_destroy(simulation);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a comparison");
  }
  *result = (seam_comparison){.tolerance = control != NULL ? control->tolerance : NAN,
                              .error = {.of_travel = NAN, .confirmed = NAN, .until = NAN},
                              .error_position = NAN,
                              .error_velocity = NAN,
                              .time = reference->start->t,
                              .cpu_monolithic = reference->cpu,
                              .simulation = simulation};
  status = prepare(&self, result, error);
  if (reference->is_cosimulation || mbs_n_bodies(self.model) != mbs_n_bodies(reference->model))
    result->energy_drift = NAN;
  THEN(status, run(&self, interrupt, result, error));
  compared_list_destroy(self.list);
  track_destroy(self.rows);
  free(self.bodies);
  mbs_workspace_destroy(self.workspace);
  mbs_state_destroy(self.between);
  mbs_state_destroy(self.start);
  if (status == SEAM_OK)
    *created = result;
  else
    seam_comparison_destroy(result);
  return status;
}

void seam_comparison_destroy(seam_comparison *self) {
  if (self == NULL)
    return;
  cosim_destroy(self->simulation);
  free(self->columns);
  free(self);
}

const char *seam_comparison_text(const seam_comparison *self) {
  static const char *const ends[] = {
      [SEAM_RUN_UNSTABLE] = "unstable", [SEAM_RUN_NOT_CONVERGED] = "not converged", [SEAM_RUN_FAILED] = "failed"};
  if (self == NULL)
    return NULL;
  if (self->outcome != SEAM_RUN_FINISHED)
    return ends[self->outcome];
  return self->word == SEAM_WORD_NOT_CHECKED ? "not judged" : seam_word_text(self->word);
}
