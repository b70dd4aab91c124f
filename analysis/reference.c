/* The reference is integrated once for each macro step size and used for all schemes. Errors are computed only if a
 * second run with another integrator confirms a monolithic reference. */
#include "analysis/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/run_verdict.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/model/model.h"

size_t seam_measured_quantities(const mbs_model *model, mbs_quantity *list) {
  size_t n = 0;
  for (size_t m = 0; m < mbs_n_elements(model, MBS_MEASURES); m++)
    for (size_t i = 0; i < mbs_n_quantities(model, MBS_MEASURES, m); i++, n++)
      if (list != NULL)
        list[n] = (mbs_quantity){MBS_MEASURES, m, i};
  return n;
}

/* ---- Creation ---- */

static seam_status new_reference(const mbs_model *model, const mbs_state *start, const mbs_integrator_options *options,
                                 double macro_step, double end, seam_reference **made, seam_error *error) {
  cosim_step_plan plan;
  seam_status status = cosim_step_plan_make(macro_step, end, &plan, error);
  if (status != SEAM_OK)
    return status;
  seam_reference *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference");
  *made = self;
  self->model = model;
  self->options = *options;
  self->plan = plan;
  self->rule = (deviation_rule){
      .late = cosim_step_plan_length(&plan, 0), .until = INFINITY, .atol = options->atol, .rtol = options->rtol};
  status = mbs_state_create(model, &self->start, error);
  if (status == SEAM_OK) {
    mbs_state_copy(self->start, start);
    status = compared_list_create(model, NULL, NULL, &self->list, error);
  }
  return status;
}

/* ---- The monolithic run ---- */

static seam_status start_undivided(const seam_reference *self, const seam_interrupt *interrupt, mbs_integrator **made,
                                   seam_error *error) {
  seam_status status = mbs_integrator_create(self->model, &self->options, made, error);
  if (status != SEAM_OK)
    return status;
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

/* Lists the start and the macro points as the times to compare. If there are more than the track holds, the track drops
 * times at which the motion has the least curvature. Therefore this function fills the track's rows with the monolithic
 * motion. If the reference is a co-simulation, the rows stay zero, and the track drops one of two successive times. */
static seam_status choose_points(seam_reference *self, bool is_monolithic, const seam_interrupt *interrupt,
                                 seam_error *error) {
  mbs_integrator *integrator = NULL;
  mbs_workspace *workspace = NULL;
  mbs_state *state = NULL;
  seam_status status = track_create(self->list, ANALYSIS_MAX_POINTS, &self->points, error);
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

/* ---- A co-simulation as reference ---- */

static void read_point(seam_reference *self, mbs_workspace *workspace) {
  track *rows = self->undivided.rows;
  double *row = rows->values + rows->n * rows->n_values;
  compared_list_read(self->undivided.list, workspace, cosim_state(self->cosimulation), true, self->cosimulation, row);
  row[rows->n_values - 2] = row[rows->n_values - 1] = 0;
  rows->times[rows->n] = self->points->times[rows->n];
  rows->n++;
}

/* Runs the co-simulation from one point to the next, with macro steps of at most `fine`, s. */
static seam_status run_to_points(seam_reference *self, double fine, mbs_workspace *workspace,
                                 const seam_interrupt *interrupt, seam_error *error) {
  const track *rows = self->undivided.rows;
  seam_status status = cosim_start(self->cosimulation, self->start, error);
  if (status == SEAM_OK)
    read_point(self, workspace);
  double at = self->start->t;
  for (size_t i = 0; i < self->plan.count && status == SEAM_OK; i++) {
    const double length = cosim_step_plan_length(&self->plan, i);
    const size_t n = (size_t)fmax(1, ceil(length / fine - analysis_slack_of_step));
    for (size_t k = 0; k < n && status == SEAM_OK; k++)
      status = cosim_advance(self->cosimulation, length / (double)n, error);
    at += length;
    if (status == SEAM_OK && interrupt_is_requested(interrupt, at))
      status = seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s", at);
    if (status == SEAM_OK && rows->n < self->points->n && self->points->times[rows->n] == at)
      read_point(self, workspace);
  }
  return status;
}

static seam_status run_fine(seam_reference *self, const cosim_builder *builder, double fine,
                            const seam_interrupt *interrupt, seam_error *error) {
  cosim_options options = cosim_builder_definition(builder)->options;
  cosim_builder *copy = NULL;
  mbs_workspace *workspace = NULL;
  options.macro_step = fine;
  seam_status status = cosim_builder_copy(builder, &copy, error);
  THEN(status, cosim_set_options(copy, &options, error));
  THEN(status, cosim_create(copy, &self->cosimulation, error));
  THEN(status, mbs_workspace_create(self->model, &workspace, error));
  if (status == SEAM_OK) {
    compared_list_destroy(self->list); /* the old list has no signals */
    self->list = NULL;
    status = compared_list_create(self->model, self->cosimulation, builder, &self->list, error);
  }
  THEN(status, compared_list_match(self->list, self->model, self->cosimulation, &self->undivided.list, error));
  THEN(status, track_create(self->list, self->points->n, &self->undivided.rows, error));
  const double begin = clock_cpu();
  THEN(status, run_to_points(self, fine, workspace, interrupt, error));
  self->cpu = clock_cpu() - begin;
  mbs_workspace_destroy(workspace);
  cosim_builder_destroy(copy);
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
    self->is_cosimulation = true;
    self->undivided.agreement = NAN;
    self->undivided.until = INFINITY;
    status = run_fine(self, builder, fine, interrupt, error);
  }
  if (status == SEAM_OK)
    *created = self;
  else
    seam_reference_destroy(self);
  return status;
}

/* ---- Access ---- */

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

/* ---- The check of the reference ---- */

seam_status seam_reference_check(seam_reference *self, const seam_interrupt *interrupt, seam_agreement *agreement,
                                 seam_error *error) {
  ARGUMENTS(error, self);
  seam_status status = SEAM_OK;
  if (!self->is_cosimulation) {
    const undivided_def def = definition(self, interrupt);
    status = undivided_confirm(&def, 0, &self->undivided, error);
  }
  const double half = self->start->t + (self->plan.end - self->start->t) / 2;
  if (status == SEAM_OK && !self->is_cosimulation && (!self->undivided.is_confirmed || self->undivided.until < half))
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
