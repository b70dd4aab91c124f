/* Error of a run, found by a second run (docs/theory.md, "The error of a run"). The undivided model contains the
 * mechanism and all subsystems. The second run depends on the run to check:
 *
 *   co-simulated                       a run of the undivided model, confirmed by a run with another integrator
 *   co-simulated, no undivided model   a run with half the macro step and, if needed, a third run with a quarter of it
 *   monolithic                         a more accurate run with another integrator; if they differ, also a third run */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/growth.h"
#include "analysis/halved.h"
#include "analysis/thresholds.h"
#include "analysis/undivided.h"
#include "base/argument.h"
#include "base/arrays.h"
#include "base/interrupt.h"
#include "base/note.h"
#include "base/then.h"
#include "mbs/subsystem/same_start.h"
#include "runs/run.h"
#include "runs/thresholds.h"

/* ---- Data that the run collects ---- */

seam_status run_check_prepare(seam_run *run, seam_error *error) {
  run_check *check = &run->check;
  seam_status status = mbs_state_create(run->def.model, &check->start, error);
  check->error = (seam_deviation){.of_travel = NAN, .confirmed = NAN, .until = NAN, .why = "it was not asked for"};
  if (status != SEAM_OK)
    return status;
  mbs_state_copy(check->start, run->def.state);
  if (run->def.check == SEAM_CHECK_NEVER || run->def.seen != NULL)
    return SEAM_OK;
  status = compared_list_create(run->def.model, run->simulation, run->def.builder, &check->list, error);
  return status == SEAM_OK ? track_create(check->list, RUNS_MAX_CHECK_ROWS, &check->rows, error) : status;
}

void run_check_add_row(seam_run *run, const mbs_state *state, bool is_computed) {
  const compared_list *list = run->check.list;
  double *row = run->check.rows != NULL ? track_add(run->check.rows, state->t) : NULL;
  if (row == NULL)
    return;
  compared_list_read(list, run->def.workspace, state, is_computed, is_computed ? run->simulation : NULL, row);
  const mbs_energy energy = is_computed ? mbs_energy_of(run->def.workspace, state) : (mbs_energy){NAN, NAN, 0, 0, 0};
  row[list->n_values] = energy.kinetic;
  row[list->n_values + 1] = energy.potential;
}

void run_check_add_point(seam_run *run, double t) {
  run_check *check = &run->check;
  if (check->rows == NULL || check->lacks_points)
    return;
  if (run->def.check == SEAM_CHECK_AUTO &&
      check->n_points > RUNS_MAX_WORK) { /* by default, such a long run is not repeated with half its macro step */
    check->lacks_points = true;
    return;
  }
  double *points = array_grow(check->points, &check->point_capacity, check->n_points + 1, sizeof *points);
  check->lacks_points = points == NULL;
  if (points == NULL)
    return;
  check->points = points;
  check->points[check->n_points++] = t;
}

/* ---- The undivided model ---- */

static bool is_of_file(const seam_run *run) {
  const cosim_definition *of_run = cosim_builder_definition(run->def.builder);
  const cosim_definition *of_file = cosim_builder_definition(seam_model_cosim(run->def.file));
  for (size_t i = 0; i < of_run->n_subsystems; i++) {
    const cosim_user_part *user = of_run->subsystems[i].user;
    const cosim_user_part *same = i < of_file->n_subsystems ? of_file->subsystems[i].user : NULL;
    if (user != NULL && (same == NULL || same->create != user->create))
      return false;
  }
  return seam_model_cosim(run->def.file) != NULL;
}

/* Returns the undivided model for the second run. NULL: there is none, for the reason in `why`. */
static const mbs_model *find_undivided(const seam_run *run, char *why, size_t size) {
  const mbs_model *model = NULL;
  seam_error cause = {0};
  if (run->def.whole != NULL || run->simulation == NULL)
    return run->simulation == NULL ? run->def.model : run->def.whole;
  if (!is_of_file(run))
    snprintf(why, size, "a subsystem is not that of the file");
  else if (seam_model_reference(run->def.file) != NULL)
    snprintf(why, size, "the file names another file as its reference");
  else if (seam_model_whole(run->def.file, &model, &cause) != SEAM_OK)
    snprintf(why, size, "%.250s", cause.message);
  return model;
}

static seam_status find_start(const seam_run *run, const mbs_model *model, mbs_state **made, seam_error *error) {
  const mbs_state *given = run->def.whole_start;
  const mbs_model *of_given = given != NULL ? model : run->def.model;
  const seam_status status = mbs_state_create(model, made, error);
  return status == SEAM_OK ? mbs_copy_start(of_given, given != NULL ? given : run->check.start, model, *made, error)
                           : status;
}

/* ---- Unstable runs ---- */

typedef struct undivided_attempt {
  const seam_run *run;
  const mbs_model *model;
  mbs_integrator *integrator;
} undivided_attempt;

static bool must_stop(void *context, double t) {
  const undivided_attempt *self = context;
  const size_t work = mbs_integrator_statistics(self->integrator).evaluations * 3 * mbs_n_bodies(self->model);
  return work > RUNS_MAX_WORK || interrupt_is_requested(&self->run->sink->interrupt, t);
}

void run_check_unstable(seam_run *run, double t, seam_error *error) {
  char why[256];
  undivided_attempt self = {.run = run, .model = find_undivided(run, why, sizeof why)};
  mbs_state *start = NULL, *state = NULL;
  if (self.model == NULL || run->def.check == SEAM_CHECK_NEVER)
    return;
  seam_note_suppress(true);
  seam_status status = find_start(run, self.model, &start, NULL);
  THEN(status, mbs_state_create(self.model, &state, NULL));
  THEN(status, mbs_integrator_create(self.model, run_integrator_options(run), &self.integrator, NULL));
  if (status == SEAM_OK) { /* integrate to the time at which the run became unstable */
    mbs_state_copy(state, start);
    status = mbs_integrator_start(self.integrator, state, NULL);
  }
  if (status == SEAM_OK) {
    mbs_integrator_set_stop(self.integrator, t);
    mbs_integrator_set_interrupt(self.integrator, must_stop, &self);
    status = mbs_integrator_advance(self.integrator, t, state, NULL);
  }
  seam_note_suppress(false);
  if (status == SEAM_OK)
    analysis_diagnose_model(&run->at.growth, self.model, start, state, run->end, error);
  mbs_integrator_destroy(self.integrator);
  mbs_state_destroy(start);
  mbs_state_destroy(state);
}

/* ---- Errors ---- */

static size_t work_of(const seam_run *run) {
  const size_t n = 3 * mbs_n_bodies(run->def.model) + mbs_n_states(run->def.model) + run->check.list->n_signals;
  return (run->statistics.evaluations + run->at.macro_steps) * (n + 1);
}

/* Stores both deviations. Omits that of forces if constraints are redundant, since their reactions are not unique. */
static void store_deviations(seam_run *run, const deviation *found, const deviation *forces, seam_truth by) {
  deviation_to_public(run->check.list, found, by, &run->check.error);
  run->check.forces = (seam_deviation){.of_travel = NAN, .confirmed = NAN, .until = NAN};
  if (forces->quantity != SEAM_NONE && run->def.assembly->n_redundant == 0)
    deviation_to_public(run->check.list, forces, by, &run->check.forces);
}

/* Restricts the error to times up to `until`, s. If `until` is before the middle of the run, the run counts as not
 * checked. */
static void limit_to(seam_run *run, double until, const char *why) {
  const track *rows = run->check.rows;
  seam_deviation *error = &run->check.error;
  const double span = rows->times[rows->n - 1] - rows->times[0];
  if (error->by == SEAM_TRUTH_NONE)
    return;
  error->until = until;
  snprintf(error->why, sizeof error->why, "%s", why);
  if (until < rows->times[0] + runs_least_judged * span)
    error->by = SEAM_TRUTH_NONE;
}

static deviation_rule rule_of(const seam_run *run) {
  const track *rows = run->check.rows;
  const double span = rows->times[rows->n - 1] - rows->times[0];
  return (deviation_rule){.late = run->simulation == NULL ? runs_late_share * span
                                                          : cosim_statistics_of(run->simulation).longest,
                          .until = INFINITY,
                          .atol = seam_model_simulation(run->def.file)->integrator.atol,
                          .rtol = seam_model_simulation(run->def.file)->integrator.rtol};
}

static seam_status compare_with_undivided(seam_run *run, undivided_def *def, undivided *second, seam_error *error) {
  const compared_list *list = run->check.list;
  const track *rows = run->check.rows;
  deviation found, forces;
  double *relative = calloc(rows->n + 1, sizeof *relative);
  if (relative == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to compare %zu rows", rows->n);
  seam_status status =
      deviation_find(list, rows, second->rows, &second->jumps, &def->rule, relative, &found, &forces, error);
  const bool needs_confirmation = !def->is_monolithic || found.of_travel > def->limit;
  if (status == SEAM_OK && !needs_confirmation &&
      second->why[0] == '\0') /* exponential growth of errors limits the accuracy that a run can have */
    undivided_describe_growth(
        deviation_tenfold_time(rows, relative, rows->n < second->rows->n ? rows->n : second->rows->n), second->why,
        sizeof second->why);
  free(relative);
  if (status == SEAM_OK && needs_confirmation)
    status = undivided_confirm(def, def->is_monolithic ? 0 : found.of_travel, second, error);
  def->rule.until = second->until;
  if (status == SEAM_OK && needs_confirmation)
    status = deviation_find(list, rows, second->rows, &second->jumps, &def->rule, NULL, &found, &forces, error);
  if (status != SEAM_OK)
    return status;
  store_deviations(run, &found, &forces, def->is_monolithic ? SEAM_TRUTH_INTEGRATOR : SEAM_TRUTH_WHOLE);
  seam_deviation *of_run = &run->check.error;
  of_run->confirmed = second->agreement;
  /* If the error is smaller than the difference of the two reference runs, this difference becomes its bound. */
  if (of_run->of_travel > 0 && of_run->of_travel < of_run->confirmed) {
    of_run->value *= of_run->confirmed / of_run->of_travel;
    of_run->of_travel = of_run->confirmed;
    of_run->is_bound = true;
  }
  limit_to(run, second->until, second->why);
  if (needs_confirmation && !second->is_confirmed) {
    of_run->by = SEAM_TRUTH_NONE;
    of_run->quantity[0] = '\0';
  }
  const bool is_of_entire_run = !run->is_restored && !(second->until < rows->times[rows->n - 1]);
  if (of_run->by != SEAM_TRUTH_NONE && is_of_entire_run) {
    seam_over_run_destroy(run->check.over_run);
    run->check.over_run = second->over_run;
    second->over_run = NULL;
  }
  return SEAM_OK;
}

static seam_status check_by_undivided(seam_run *run, const mbs_model *model, const seam_interrupt *interrupt,
                                      seam_error *error) {
  const seam_simulation *of_file = seam_model_simulation(run->def.file);
  undivided second = {.agreement = NAN};
  mbs_state *start = NULL;
  undivided_def def = {.list = run->check.list,
                       .rows = run->check.rows,
                       .model = model,
                       .options = run->def.integrator != NULL ? run->def.integrator : &of_file->integrator,
                       .is_monolithic = run->simulation == NULL,
                       .evaluations = run->statistics.evaluations,
                       .rule = rule_of(run),
                       .limit = of_file->bounds.accurate,
                       .measured = run->quantities,
                       .n_measured = run->n_quantities,
                       .distance = fmin(run->output_step, runs_sample_distance * (run->end - run->at.begin)),
                       .interrupt = interrupt};
  const size_t work = work_of(run), least = RUNS_MAX_WORK / RUNS_MAX_WORK_RATIO;
  if (run->def.check == SEAM_CHECK_AUTO)
    def.max_work =
        def.is_monolithic && work > RUNS_MAX_WORK ? RUNS_MAX_WORK : RUNS_MAX_WORK_RATIO * (work > least ? work : least);
  seam_status status = find_start(run, model, &start, error);
  def.start = start;
  THEN(status, undivided_make(&def, &second, error));
  /* If the second run needed far fewer evaluations, the model is probably stiff: the note names its integrator. */
  if (status == SEAM_OK && def.is_monolithic && second.rows->n == run->check.rows->n &&
      (double)run->statistics.evaluations > analysis_stiff_ratio * (double)second.statistics.evaluations)
    snprintf(run->check.faster_note, sizeof run->check.faster_note,
             "%s took %zu steps for this motion, %s %zu: --integrator %s", second.integrator.method,
             second.statistics.steps, run_integrator_options(run)->method, run->statistics.steps,
             second.integrator.method);
  THEN(status, compare_with_undivided(run, &def, &second, error));
  undivided_free(&second);
  mbs_state_destroy(start);
  return status;
}

/* ---- Check without an undivided model ---- */

/* A signal whose period divides the macro step and its half looks constant to both runs. If they agree, compares the
 * first macro steps with a run with a third of the macro step. `half`: rows of the run with half of it; third: an empty
 * track. A run with thirds that fails, as FMUs may refuse such steps, is not compared. */
static seam_status compare_with_thirds(seam_run *run, const halved_def *def, const track *half, track *third,
                                       track_jumps *jumps, seam_error *error) {
  seam_deviation *found = &run->check.error;
  deviation_rule rule = rule_of(run);
  halved_def first_steps = *def;
  deviation difference;
  halved_limits limits;
  seam_error cause = {0};
  rule.longer = half;
  if (first_steps.n_points > RUNS_THIRDS + 1)
    first_steps.n_points = RUNS_THIRDS + 1;
  seam_status status = halved_run(&first_steps, 3, third, jumps, &limits, &cause);
  if (status != SEAM_OK)
    return status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY ? seam_fail(error, status, "%s", cause.message)
                                                                  : SEAM_OK;
  status = deviation_find(def->list, run->check.rows, third, jumps, &rule, NULL, &difference, NULL, error);
  if (status != SEAM_OK || !(difference.of_travel > seam_model_simulation(run->def.file)->bounds.accurate))
    return status;
  deviation_to_public(def->list, &difference, SEAM_TRUTH_SMALLER, found);
  found->is_bound = false;
  found->diverges = true;
  return SEAM_OK;
}

/* Compares the run with a run with half of its macro step and, if needed, with a run with a quarter of it. */
static seam_status compare_with_halves(seam_run *run, const halved_def *def, track *half, track *quarter,
                                       track_jumps *jumps, seam_error *error) {
  const double bound = seam_model_simulation(run->def.file)->bounds.accurate;
  const deviation_rule rule = rule_of(run);
  deviation first, second, forces;
  halved_limits limits;
  seam_deviation *found = &run->check.error;
  seam_status status = halved_run(def, 2, half, jumps, &limits, error);
  THEN(status, deviation_find(def->list, run->check.rows, half, jumps, &rule, NULL, &first, &forces, error));
  if (status != SEAM_OK)
    return status;
  store_deviations(run, &first, &forces, SEAM_TRUTH_SMALLER);
  found->is_bound = !(first.of_travel > runs_negligible * bound);
  double factor = 2; /* at order 1 the error is twice the difference of runs with H and H/2; at higher orders less */
  if (!found->is_bound || limits.passes_kinks) {
    /* Differences of two runs: d1 for the macro steps H and H/2, d2 for H/2 and H/4, D for H and H/4. With r = d1/d2
     * the error of the run with H is D / (1 - 1/r²). If r is too small, the runs diverge, and the error is D. If d1 is
     * negligible but there are kinks inside macro steps, the runs with H and H/2 may agree by chance. Then the error is
     * D + d2, as at order 1. */
    const double first_difference = first.of_travel;
    status = halved_run(def, 4, quarter, jumps, &limits, error);
    THEN(status, deviation_find(def->list, run->check.rows, quarter, jumps, &rule, NULL, &first, &forces, error));
    THEN(status, deviation_find(def->list, half, quarter, jumps, &rule, NULL, &second, NULL, error));
    if (status != SEAM_OK)
      return status;
    const double r = first_difference / second.of_travel;
    store_deviations(run, &first, &forces, SEAM_TRUTH_SMALLER);
    found->diverges = !found->is_bound && !(r >= runs_least_rate);
    if (found->is_bound)
      factor = first.of_travel > 0 ? 1 + second.of_travel / first.of_travel : 1;
    else
      factor = found->diverges ? 1 : 1 / (1 - 1 / (r * r));
  }
  limit_to(run, half->n > 0 ? half->times[half->n - 1] : def->points[0], limits.unrefined);
  found->of_travel *= factor;
  found->value *= factor;
  return found->is_bound ? compare_with_thirds(run, def, half, quarter, jumps, error) : SEAM_OK;
}

static seam_status check_by_halves(seam_run *run, const seam_interrupt *interrupt, seam_error *error) {
  halved_def def = {.list = run->check.list,
                    .rows = run->check.rows,
                    .builder = run->def.builder,
                    .points = run->check.points,
                    .n_points = run->check.n_points,
                    .start = mbs_n_bodies(run->def.model) > 0 ? run->check.start : NULL,
                    .interrupt = interrupt};
  track *half = NULL, *quarter = NULL;
  track_jumps jumps = {0};
  seam_status status = track_create(def.list, def.rows->n, &half, error);
  THEN(status, track_create(def.list, def.rows->n, &quarter, error));
  THEN(status, compare_with_halves(run, &def, half, quarter, &jumps, error));
  track_destroy(half);
  track_destroy(quarter);
  track_jumps_free(&jumps);
  return status;
}

/* ---- The check ---- */

static seam_status find_error(seam_run *run, const seam_interrupt *interrupt, seam_error *error) {
  char why_none[256] = "";
  seam_deviation *found = &run->check.error;
  const mbs_model *model = find_undivided(run, why_none, sizeof why_none);
  if (run->check.rows == NULL)
    return SEAM_OK;
  if (run->check.rows->n <= 1) {
    snprintf(found->why, sizeof found->why, "the run has only one row");
    return SEAM_OK;
  }
  if (model == NULL && run->def.check != SEAM_CHECK_ALWAYS && work_of(run) > RUNS_MAX_WORK) {
    snprintf(found->why, sizeof found->why, "the check takes long; --check always does it");
    return SEAM_OK;
  }
  if (model == NULL && run->check.lacks_points) {
    snprintf(found->why, sizeof found->why, "a resumed run does not know its earlier macro steps, and %.200s",
             why_none);
    return SEAM_OK;
  }
  seam_error cause = {0};
  const seam_status status =
      model != NULL ? check_by_undivided(run, model, interrupt, &cause) : check_by_halves(run, interrupt, &cause);
  if (status == SEAM_OK)
    return SEAM_OK;
  *found = (seam_deviation){.of_travel = NAN, .confirmed = NAN, .until = NAN};
  if (status == SEAM_INTERRUPTED)
    snprintf(found->why, sizeof found->why, "the check was interrupted");
  else
    snprintf(found->why, sizeof found->why, "%s: %.250s",
             model != NULL ? "the second run" : "the second run, with half of the macro steps", cause.message);
  return status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY ? seam_fail(error, status, "%s", cause.message)
                                                                : SEAM_OK;
}

seam_status seam_run_find_error(seam_run *run, const seam_interrupt *interrupt, seam_error *error) {
  ARGUMENTS(error, run);
  run->check.is_running = true;
  seam_note_suppress(true);
  const seam_status status = find_error(run, interrupt, error);
  seam_note_suppress(false);
  run->check.is_running = false;
  if (run->check.faster_note[0] != '\0')
    seam_note("%s", run->check.faster_note);
  return status;
}
