/* Compares co-simulated runs with a reference at macro points (<seam/analysis.h>). The reference is a monolithic run,
 * integrated once for each macro step size and used for all schemes. Errors are computed only if a second run with
 * another integrator confirms the reference. A co-simulation may also be the reference (seam_reference_of_run()). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "analysis/errors.h"
#include "analysis/run_verdict.h"
#include "analysis/thresholds.h"
#include "analysis/undivided.h"
#include "base/argument.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/then.h"
#include "base/vector.h"
#include "cosim/steps/simulation.h"
#include "mbs/model/model.h"
#include "mbs/subsystem/start.h"

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  mbs_integrator_options options; /* the caller's options; the reference itself is integrated with tighter tolerances */
  cosim_step_plan plan;           /* macro steps, which end at the points */
  compared_list *list;            /* quantities to compare */
  track *points;                  /* times at which runs are compared; its rows only serve to choose these times */
  undivided undivided;
  deviation_rule rule;
  seam_run_record record; /* energies at the points */
  double cpu;      /* s, CPU time of a monolithic run by `options`, or of `cosimulation` if that is the reference */
  bool is_refused; /* seam_reference_check() has refused the reference, so no errors are computed */
  cosim_simulation *cosimulation; /* the reference, whose signal names `list` uses; NULL: a monolithic run */
};

size_t seam_measured_quantities(const mbs_model *model, mbs_quantity *list) {
  size_t n = 0;
  for (size_t m = 0; m < mbs_n_elements(model, MBS_MEASURES); m++)
    for (size_t i = 0; i < mbs_n_quantities(model, MBS_MEASURES, m); i++, n++)
      if (list != NULL)
        list[n] = (mbs_quantity){MBS_MEASURES, m, i};
  return n;
}

/* Creates a co-simulation with another macro step, s. */
static seam_status create_simulation(const cosim_builder *builder, double macro_step, cosim_simulation **created,
                                     seam_error *error) {
  cosim_options options = cosim_builder_definition(builder)->options;
  cosim_builder *copy = NULL;
  options.macro_step = macro_step;
  seam_status status = cosim_builder_copy(builder, &copy, error);
  THEN(status, cosim_set_options(copy, &options, error));
  THEN(status, cosim_create(copy, created, error));
  cosim_builder_destroy(copy);
  return status;
}

/* ---- The reference ---- */

static seam_status new_reference(const mbs_model *model, const mbs_state *start, const mbs_integrator_options *options,
                                 double macro_step, double end, seam_reference **made, seam_error *error) {
  cosim_step_plan plan;
  TRY(cosim_step_plan_make(macro_step, end, &plan, error));
  seam_reference *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference");
  *made = self;
  self->model = model;
  self->options = *options;
  self->plan = plan;
  self->rule = (deviation_rule){
      .late = cosim_step_plan_length(&plan, 0), .until = INFINITY, .atol = options->atol, .rtol = options->rtol};
  TRY(mbs_state_create(model, &self->start, error));
  mbs_state_copy(self->start, start);
  return compared_list_create(model, NULL, NULL, &self->list, error);
}

/* ---- The reference: a monolithic run ---- */

static seam_status start_undivided(const seam_reference *self, const seam_interrupt *interrupt, mbs_integrator **made,
                                   seam_error *error) {
  TRY(mbs_integrator_create(self->model, &self->options, made, error));
  if (interrupt != NULL)
    mbs_integrator_set_interrupt(*made, interrupt->is_requested, interrupt->context);
  return mbs_integrator_start(*made, self->start, error);
}

/* Measures the CPU time of the monolithic run, without the time for reading results. */
static seam_status measure_cpu_time(seam_reference *self, const seam_interrupt *interrupt, seam_error *error) {
  mbs_integrator *integrator = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(self->model, &state, error);
  THEN(status, start_undivided(self, interrupt, &integrator, error));
  const double start = clock_cpu();
  if (status == SEAM_OK) {
    mbs_integrator_set_stop(integrator, self->plan.end);
    status = mbs_integrator_advance(integrator, self->plan.end, state, error);
  }
  self->cpu = clock_cpu() - start;
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  return status;
}

/* Lists the start and the macro points as the times to compare. A full track drops times at which the motion curves
 * least. For this, its rows get the monolithic motion. If the reference is a co-simulation, the rows stay zero, and the
 * track drops every second time. */
static seam_status choose_points(seam_reference *self, bool is_monolithic, const seam_interrupt *interrupt,
                                 seam_error *error) {
  mbs_integrator *integrator = NULL;
  mbs_workspace *workspace = NULL;
  mbs_state *state = NULL;
  seam_status status =
      track_create(self->list, track_affordable_rows(self->list, ANALYSIS_MAX_POINTS), &self->points, error);
  const bool integrates = status == SEAM_OK && is_monolithic && self->plan.count >= self->points->capacity;
  if (integrates) {
    status = mbs_workspace_create(self->model, &workspace, error);
    THEN(status, mbs_state_create(self->model, &state, error));
    THEN(status, start_undivided(self, interrupt, &integrator, error));
  }
  double t = self->start->t;
  for (size_t i = 0; i <= self->plan.count && status == SEAM_OK; i++) {
    double *row = track_add(self->points, t);
    if (integrates && i > 0)
      status = mbs_integrator_advance(integrator, t, state, error);
    if (integrates && status == SEAM_OK)
      compared_list_read(self->list, workspace, i > 0 ? state : self->start, true, NULL, row);
    t += i < self->plan.count ? cosim_step_plan_length(&self->plan, i) : 0;
  }
  mbs_integrator_destroy(integrator);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
  return status;
}

static undivided_def definition(const seam_reference *self, const seam_interrupt *interrupt) {
  const seam_verdict_bounds bounds = SEAM_DEFAULT_VERDICT_BOUNDS;
  return (undivided_def){.list = self->list,
                         .rows = self->points,
                         .model = self->model,
                         .start = self->start,
                         .options = &self->options,
                         .rule = self->rule,
                         .limit = bounds.accurate,
                         .has_energies = true,
                         .interrupt = interrupt};
}

seam_status seam_reference_create(const mbs_model *model, const mbs_state *start, const mbs_integrator_options *options,
                                  double macro_step, double end, const seam_interrupt *interrupt,
                                  seam_reference **created, seam_error *error) {
  ARGUMENTS(error, model, start, options, created);
  seam_reference *self = NULL;
  seam_status status = mbs_state_check(__func__, model, start, error);
  THEN(status, new_reference(model, start, options, macro_step, end, &self, error));
  THEN(status, choose_points(self, true, interrupt, error));
  THEN(status, measure_cpu_time(self, interrupt, error));
  if (status == SEAM_OK) {
    const undivided_def def = definition(self, interrupt);
    status = undivided_make(&def, &self->undivided, error);
  }
  if (status == SEAM_OK) {
    const track *rows = self->undivided.rows; /* their extreme energies are recorded for comparisons */
    seam_run_record *record = &self->record;
    for (size_t i = 0; i < rows->n; i++) {
      const double *energy = track_row(rows, i) + rows->n_values - TRACK_ENERGIES;
      record->largest_kinetic = fmax(record->largest_kinetic, energy[0]);
      record->least_potential = i > 0 ? fmin(record->least_potential, energy[1]) : energy[1];
      record->largest_potential = i > 0 ? fmax(record->largest_potential, energy[1]) : energy[1];
      record->n_states++;
    }
    *created = self;
  } else
    seam_reference_destroy(self);
  return status;
}

/* ---- The reference: a co-simulation ---- */

/* Runs the co-simulation with macro steps of at most `fine`, s, and reads it at the points; their energies remain zero.
 */
static seam_status run_fine(seam_reference *self, const cosim_builder *builder, double fine,
                            const seam_interrupt *interrupt, seam_error *error) {
  mbs_workspace *workspace = NULL;
  track **rows = &self->undivided.rows;
  seam_status status = create_simulation(builder, fine, &self->cosimulation, error);
  THEN(status, mbs_workspace_create(self->model, &workspace, error));
  if (status == SEAM_OK) {
    compared_list_destroy(self->list); /* the old list has no signals */
    self->list = NULL;
    status = compared_list_create(self->model, self->cosimulation, builder, &self->list, error);
  }
  THEN(status, track_create(self->list, self->points->n, rows, error));
  const double begin = clock_cpu();
  THEN(status, cosim_start(self->cosimulation, self->start, error));
  double at = self->start->t;
  if (status == SEAM_OK)
    track_follow(*rows, self->points, at, at, self->list, workspace, self->cosimulation, NULL);
  for (size_t i = 0; i < self->plan.count && status == SEAM_OK; i++) {
    const double length = cosim_step_plan_length(&self->plan, i);
    const size_t n = (size_t)fmax(1, ceil(length / fine - analysis_slack_of_step));
    for (size_t k = 0; k < n && status == SEAM_OK; k++)
      status = cosim_advance(self->cosimulation, length / (double)n, error);
    at += length;
    if (status == SEAM_OK && interrupt_is_requested(interrupt, at))
      status = seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s", at);
    if (status == SEAM_OK)
      track_follow(*rows, self->points, at, at, self->list, workspace, self->cosimulation, NULL);
  }
  self->cpu = clock_cpu() - begin;
  mbs_workspace_destroy(workspace);
  return status;
}

seam_status seam_reference_of_run(const cosim_builder *builder, const mbs_state *start,
                                  const mbs_integrator_options *options, double fine, double macro_step, double end,
                                  const seam_interrupt *interrupt, seam_reference **created, seam_error *error) {
  ARGUMENTS(error, builder, start, options, created);
  const mbs_model *model = cosim_builder_model(builder);
  seam_reference *self = NULL;
  if (!is_positive(fine))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the macro step %g s must be positive and finite", __func__, fine);
  seam_status status = mbs_state_check(__func__, model, start, error);
  THEN(status, new_reference(model, start, options, macro_step, end, &self, error));
  THEN(status, choose_points(self, false, NULL, error));
  if (status == SEAM_OK) {
    self->undivided.agreement = NAN;
    self->undivided.until = INFINITY;
    status = run_fine(self, builder, fine, interrupt, error);
  }
  RETURN_CREATED(status, self, created, seam_reference_destroy);
}

void seam_reference_destroy(seam_reference *self) {
  if (self == NULL)
    return;
  undivided_free(&self->undivided);
  compared_list_destroy(self->list);
  cosim_destroy(self->cosimulation);
  track_destroy(self->points);
  mbs_state_destroy(self->start);
  free(self);
}

double seam_reference_cpu(const seam_reference *self) { return self == NULL ? NAN : self->cpu; }

mbs_integrator_options seam_reference_options(const seam_reference *self) {
  return self == NULL ? mbs_default_integrator_options() : self->undivided.integrator;
}

double seam_reference_tightness(const seam_reference *self) {
  return self == NULL ? NAN : self->options.rtol / self->undivided.integrator.rtol;
}

/* ---- The reference: its check ---- */

seam_status seam_reference_check(seam_reference *self, const seam_interrupt *interrupt, seam_agreement *agreement,
                                 seam_error *error) {
  ARGUMENTS(error, self);
  seam_status status = SEAM_OK;
  if (self->cosimulation == NULL) {
    const undivided_def def = definition(self, interrupt);
    status = undivided_confirm(&def, 0, &self->undivided, error);
  }
  const double half = self->start->t + (self->plan.end - self->start->t) / 2;
  if (status == SEAM_OK && self->cosimulation == NULL &&
      (!self->undivided.is_confirmed || self->undivided.until < half))
    status = seam_fail(error, SEAM_WRONG,
                       "the reference is not confirmed, and errors cannot be judged: %s; tighten the tolerances, or "
                       "compare over a shorter time",
                       self->undivided.why);
  self->is_refused = status != SEAM_OK;
  self->rule.until = self->undivided.until;
  if (agreement != NULL) {
    *agreement = (seam_agreement){.share = self->undivided.agreement, .until = self->undivided.until};
    snprintf(agreement->why, sizeof agreement->why, "%s", self->undivided.why);
  }
  return status;
}

/* ---- The comparison: the co-simulated run ---- */

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

/* Records the present values at the macro point `point`, s, and calls the observer. */
static seam_status record_point(comparison_state *self, double point, seam_comparison *result, seam_error *error) {
  const cosim_simulation *simulation = result->simulation;
  track_follow(self->rows, self->reference->points, (1 - analysis_sums_of_steps) * point,
               (1 + analysis_sums_of_steps) * point, self->list, self->workspace, simulation, self->between);
  if (!isnan(result->energy_drift)) {
    const mbs_energy energy = mbs_energy_of(self->workspace, cosim_state(simulation));
    const double balance = analysis_energy_balance(&energy);
    if (isnan(self->initial_energy))
      self->initial_energy = balance;
    result->energy_drift = fmax(result->energy_drift, fabs(balance - self->initial_energy));
  }
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

/* Advances to the end of the run. If a step fails, sets status, outcome and why of the result, and returns SEAM_OK. */
static seam_status advance(comparison_state *self, const seam_interrupt *interrupt, seam_comparison *result,
                           seam_error *error) {
  const cosim_step_plan *plan = &self->reference->plan;
  cosim_simulation *simulation = result->simulation;
  double point = self->reference->start->t;
  for (size_t step = 0; point < plan->end; step++) {
    seam_error failure = {0};
    seam_status status = isnan(result->tolerance)
                             ? cosim_advance(simulation, cosim_step_plan_length(plan, step), &failure)
                             : cosim_advance_controlled(simulation, plan->end, &failure);
    const double t = cosim_state(simulation)->t;
    if (status == SEAM_OK) {
      result->time = t;
      status = seam_growth_check(&self->growth, self->model, self->start, simulation, t, plan->end, &failure);
    }
    if (status == SEAM_NO_MEMORY)
      return seam_fail(error, status, "%s", failure.message);
    if (status != SEAM_OK) {
      result->status = status;
      result->outcome = status == SEAM_BECAME_UNSTABLE ? SEAM_RUN_UNSTABLE
                        : status == SEAM_NOT_CONVERGED ? SEAM_RUN_NOT_CONVERGED
                                                       : SEAM_RUN_FAILED;
      snprintf(result->why, sizeof result->why, "%s", failure.message);
      return SEAM_OK;
    }
    if (isnan(result->tolerance)) /* fixed macro steps: summing their lengths would accumulate rounding */
      point = cosim_step_plan_time(plan, step + 1);
    else
      point = t >= (1 - analysis_sums_of_steps) * plan->end ? plan->end : t;
    TRY(record_point(self, point, result, error));
    if (interrupt_is_requested(interrupt, t))
      return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t);
  }
  return SEAM_OK;
}

/* ---- The comparison: errors ---- */

/* Adds the errors of value number `at` to a column. Each row stands for all macro points since the row before, as the
 * track may have dropped some. Omits the start, and rows where the reference is not valid. */
static void add_column(const comparison_state *self, size_t at, analysis_column *column) {
  const track *reference = self->reference->undivided.rows;
  const double H = cosim_step_plan_length(&self->reference->plan, 0);
  for (size_t i = 1; i < self->rows->n && i < reference->n; i++)
    if (reference->times[i] <= self->reference->rule.until) {
      const double n_points = fmax(round((reference->times[i] - reference->times[i - 1]) / H), 1);
      analysis_column_add(column, n_points, track_row(reference, i)[at], track_row(self->rows, i)[at]);
    }
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
  for (size_t i = 0; i < n_motion && has_memory; i++) {
    const size_t at = 6 * self->bodies[i / 3] + i % 3;
    add_column(self, at, &columns[i]);
    add_column(self, at + 3, &columns[n_motion + i]);
  }
  seam_measured_quantities(self->model, measures);
  for (size_t i = 0; i < n_measures && has_memory; i++) { /* a measure that the reference lacks has no errors */
    const mbs_quantity_info info = mbs_quantity_of(self->model, measures[i]);
    const compared_list *list = self->reference->list;
    for (const compared_quantity *of = list->quantities; of < list->quantities + list->n; of++)
      if (strcmp(of->element, info.element) == 0 && strcmp(of->name, info.name) == 0) {
        add_column(self, of->first, &columns[2 * n_motion + i]);
        break;
      }
  }
  if (has_memory) {
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
  TRY(deviation_find(reference->list, self->rows, reference->undivided.rows, &reference->undivided.jumps,
                     &reference->rule, NULL, &found, NULL, error));
  snprintf(result->error.why, sizeof result->error.why, "%s", reference->undivided.why);
  deviation_to_public(reference->list, &found, SEAM_TRUTH_WHOLE, &result->error);
  result->error.confirmed = reference->undivided.agreement;
  result->error.until = reference->undivided.until;
  result->word = analysis_word_of(&result->error, &bounds);
  return SEAM_OK;
}

/* ---- The comparison: its start ---- */

static seam_status prepare(comparison_state *self, const seam_comparison *result, seam_error *error) {
  const seam_reference *reference = self->reference;
  const size_t n = mbs_n_bodies(self->model);
  self->bodies = malloc((n + 1) * sizeof *self->bodies);
  if (self->bodies == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu bodies", n);
  for (size_t i = 0; i < n; i++) {
    self->bodies[i] = mbs_find_body(reference->model, mbs_body_of(self->model, i).name);
    if (self->bodies[i] == SEAM_NONE)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "seam_comparison_create(): the reference has no body '%s': give bodies the same names in both models",
          mbs_body_of(self->model, i).name);
  }
  TRY(compared_list_match(reference->list, self->model, result->simulation, &self->list, error));
  const compared_list *list = self->list;
  if (n + list->motion.n + list->forces.n + list->n_signals == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the reference has none of the bodies, states, measures and signals of this model: give them "
                     "the same names in both models");
  TRY(track_create(reference->list, reference->points->n, &self->rows, error));
  TRY(mbs_workspace_create(self->model, &self->workspace, error));
  TRY(mbs_state_create(self->model, &self->between, error));
  TRY(mbs_state_create(self->model, &self->start, error));
  return mbs_copy_start(reference->model, reference->start, self->model, self->start, error);
}

static seam_status run(comparison_state *self, const seam_interrupt *interrupt, seam_comparison *result,
                       seam_error *error) {
  const seam_reference *reference = self->reference;
  TRY(cosim_start(result->simulation, self->start, error));
  TRY(record_point(self, reference->start->t, result, error));
  TRY(seam_growth_check(&self->growth, self->model, self->start, result->simulation, reference->start->t,
                        reference->plan.end, error));
  const double start = clock_cpu() + self->observer_cpu;
  seam_status status = advance(self, interrupt, result, error);
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

seam_status seam_comparison_create(const seam_reference *reference, const cosim_builder *builder,
                                   const seam_interrupt *interrupt, const seam_observer *observer,
                                   seam_comparison **created, seam_error *error) {
  ARGUMENTS(error, reference, builder, created);
  cosim_simulation *simulation = NULL;
  TRY(create_simulation(builder, reference->plan.macro_step, &simulation, error));
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
  seam_status status = prepare(&self, result, error);
  /* a co-simulation has no energies; more bodies may exchange energy with the cut mechanism */
  if (reference->cosimulation != NULL || mbs_n_bodies(self.model) != mbs_n_bodies(reference->model))
    result->energy_drift = NAN;
  THEN(status, run(&self, interrupt, result, error));
  compared_list_destroy(self.list);
  track_destroy(self.rows);
  free(self.bodies);
  mbs_workspace_destroy(self.workspace);
  mbs_state_destroy(self.between);
  mbs_state_destroy(self.start);
  RETURN_CREATED(status, result, created, seam_comparison_destroy);
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
