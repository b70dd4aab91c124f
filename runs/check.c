/* Error of a run, found by a second run (docs/theory.md, "The error of a run"). The undivided model contains the
 * mechanism and all subsystems. The second run depends on the run to check:
 *
 *   co-simulated                       a run of the undivided model, confirmed by a run with another integrator
 *   co-simulated, no undivided model   a run with divided macro steps and, if needed, a third with these divided again
 *   monolithic                         a more accurate run with another integrator; if they differ, also a third run */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/run_verdict.h"
#include "analysis/thresholds.h"
#include "analysis/undivided.h"
#include "base/argument.h"
#include "base/arrays.h"
#include "base/interrupt.h"
#include "base/note.h"
#include "base/then.h"
#include "cosim/mechanism/definition.h"
#include "cosim/steps/simulation.h"
#include "mbs/subsystem/start.h"
#include "models/model_file.h"
#include "runs/run.h"
#include "runs/thresholds.h"

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

/* Returns the undivided model for the second run; NULL: there is none, for the reason in `why` (NULL: not wanted). */
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
  TRY(mbs_state_create(model, made, error));
  if (run->check.undivided_start != NULL)
    mbs_state_copy(*made, run->check.undivided_start);
  return mbs_copy_start(of_given, given != NULL ? given : run->check.start, model, *made, error);
}

/* ---- Data that the run collects ---- */

seam_status run_check_prepare(seam_run *run, seam_error *error) {
  run_check *check = &run->check;
  const mbs_model *whole = find_undivided(run, NULL, 0);
  TRY(mbs_state_create(run->def.model, &check->start, error));
  check->error = (seam_deviation){.of_travel = NAN, .confirmed = NAN, .until = NAN, .why = "it was not asked for"};
  if (whole != NULL && whole != run->def.model)
    TRY(mbs_state_create(whole, &check->undivided_start, error));
  mbs_state_copy(check->start, run->def.state);
  if (run->def.check == SEAM_CHECK_NEVER || run->def.seen != NULL)
    return SEAM_OK;
  TRY(compared_list_create(run->def.model, run->simulation, run->def.builder, &check->list, error));
  const mbs_model *sized = whole != NULL ? whole : run->def.file->sized;
  if (sized != NULL && sized != run->def.model)
    TRY(compared_list_take_sizes(check->list, sized, error));
  return track_create(check->list, track_affordable_rows(check->list, RUNS_MAX_CHECK_ROWS), &check->rows, error);
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
      check->n_points > RUNS_MAX_WORK) { /* by default, such a long run is not repeated with shorter macro steps */
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
  undivided_attempt self = {.run = run, .model = find_undivided(run, NULL, 0)};
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

/* Stores both deviations, but not that of forces if constraints are redundant: reactions are then not unique. */
static void store_deviations(seam_run *run, const deviation *found, const deviation *forces, seam_truth by) {
  deviation_to_public(run->check.list, found, by, &run->check.error);
  run->check.forces = (seam_deviation){.of_travel = NAN, .confirmed = NAN, .until = NAN};
  if (forces->quantity != SEAM_NONE && run->def.assembly->n_redundant == 0)
    deviation_to_public(run->check.list, forces, by, &run->check.forces);
}

/* Restricts the error to times up to `until`, s; before the middle of the run, the run counts as not checked. */
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
  const seam_status status =
      deviation_find(list, rows, second->rows, &second->jumps, &def->rule, relative, &found, &forces, error);
  const bool needs_confirmation = !def->is_monolithic || found.of_travel > def->limit;
  if (status == SEAM_OK && !needs_confirmation &&
      second->why[0] == '\0') /* exponential growth of errors limits the accuracy that a run can have */
    undivided_describe_growth(
        deviation_tenfold_time(rows, relative, rows->n < second->rows->n ? rows->n : second->rows->n), second->why,
        sizeof second->why);
  free(relative);
  TRY(status);
  if (needs_confirmation)
    TRY(undivided_confirm(def, def->is_monolithic ? 0 : found.of_travel, second, error));
  def->rule.until = second->until;
  if (needs_confirmation)
    TRY(deviation_find(list, rows, second->rows, &second->jumps, &def->rule, NULL, &found, &forces, error));
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
  const bool is_of_entire_run = !(second->until < rows->times[rows->n - 1]);
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
                       .options = run_integrator_options(run),
                       .is_monolithic = run->simulation == NULL,
                       .evaluations = run->statistics.evaluations,
                       .rule = rule_of(run),
                       .limit = of_file->bounds.accurate,
                       .measured = run->quantities,
                       .n_measured = run->n_quantities,
                       .distance = fmin(run->output_step, runs_sample_distance * (run->end - run->at.begin)),
                       .ends_by_event = run_has_ended(run),
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

/* ---- Runs with shorter macro steps ---- */

/* Reasons why a repeated run may be too inaccurate for a reference. */
typedef struct shorter_limits {
  char unrefined[160]; /* text that names the subsystems whose internal steps are not refined; "": none */
  bool passes_kinks;   /* macro steps do not end at kinks of functions of time, and the run has such kinks */
} shorter_limits;

typedef struct repetition {
  const seam_run *run;
  cosim_simulation *simulation;
  mbs_workspace *workspace;
  mbs_state *at;
  track *rows;
  track_jumps *jumps;
  double *jump_values[2];
  size_t n_events; /* number of FMU events so far */
} repetition;

static seam_status create_shorter(repetition *self, size_t parts, shorter_limits *limits, seam_error *error) {
  const double *points = self->run->check.points;
  const double divisor = (double)parts;
  const double tighter = pow(runs_tighter_divided, log2(divisor));
  cosim_builder *copy = NULL;
  seam_status status = cosim_builder_copy(self->run->def.builder, &copy, error);
  if (status == SEAM_OK)
    cosim_refine(copy, divisor, tighter);
  THEN(status, cosim_set_step_control(copy, NULL, error));
  THEN(status, cosim_create(copy, &self->simulation, error));
  const char *name = "";
  const size_t n = status == SEAM_OK ? cosim_refine_parts(self->simulation, divisor, tighter, &name) : 0;
  limits->unrefined[0] = '\0';
  if (n == 1)
    snprintf(limits->unrefined, sizeof limits->unrefined, "steps inside '%.80s' are not checked", name);
  else if (n > 1)
    snprintf(limits->unrefined, sizeof limits->unrefined,
             "steps inside '%.80s' and %zu other subsystem%s are not checked", name, n - 1, n > 2 ? "s" : "");
  limits->passes_kinks = status == SEAM_OK && !self->simulation->ends_at_kinks &&
                         cosim_kink_or_jump_after(self->simulation, points[0]) < points[self->run->check.n_points - 1];
  cosim_builder_destroy(copy);
  return status;
}

/* Adds the rows for times of the checked run up to the macro point t. Times closer than `near` (s) are equal. */
static void read_rows(repetition *self, double t, double near) {
  const run_check *check = &self->run->check;
  track_follow(self->rows, check->rows, t - near, t + near, check->list, self->workspace, self->simulation, self->at);
}

/* Adds a jump if the state has jumped now, or if an FMU has had an event since the last call. Signals before a jump are
 * unknown (NaN). */
static seam_status read_jump(repetition *self, seam_error *error) {
  const mbs_state *right = cosim_state(self->simulation);
  const mbs_state *before = cosim_state_before_jump(self->simulation);
  const mbs_state *left = before != NULL ? before : right;
  const size_t n_before = self->n_events;
  self->n_events = cosim_statistics_of(self->simulation).part_events;
  if (left == right && self->n_events == n_before)
    return SEAM_OK;
  compared_list_read(self->run->check.list, self->workspace, left, true, NULL, self->jump_values[0]);
  compared_list_read(self->run->check.list, self->workspace, right, true, self->simulation, self->jump_values[1]);
  return track_jumps_add(self->jumps, right->t, self->jump_values[0], self->jump_values[1], error);
}

/* Advances to `end` with macro steps of at most H, which end early at kinks of functions of time and at samples. */
static seam_status step(repetition *self, double H, double end, seam_error *error) {
  for (bool has_reached = false; !has_reached;) {
    const double t = cosim_state(self->simulation)->t, remaining = end - t;
    TRY(cosim_advance_smooth(self->simulation, H, remaining, error));
    /* A step that is not divided ends at t + remaining, which may differ from `end` by rounding. */
    has_reached = cosim_has_reached(self->simulation, H, t + remaining);
    read_rows(self, has_reached ? end : cosim_state(self->simulation)->t, runs_slack_of_step * H);
    TRY(read_jump(self, error));
  }
  return SEAM_OK;
}

/* Divides each macro step into 2 or 4 parts. With s = share >= 1/2, two parts have the lengths s and 1 - s in units of
 * the macro step. Four have s (1 - s), s², s (1 - s) and (1 - s)², so that neighbours have similar lengths. A jump in
 * the last part has the same effect as in the undivided step. It stays unnoticed, so this part is the shortest. Under
 * Gauss-Seidel a jump in the first part stays unnoticed. */
static seam_status take_macro_steps(repetition *self, size_t parts, double share, const seam_interrupt *interrupt,
                                    seam_error *error) {
  const seam_run *run = self->run;
  const double *points = run->check.points;
  const bool is_controlled = cosim_builder_definition(run->def.builder)->step_control != NULL;
  const double usual = cosim_builder_definition(run->def.builder)->options.macro_step;
  const mbs_state *start = mbs_n_bodies(run->def.model) > 0 ? run->check.start : NULL;
  const double other = 1 - share, ends[] = {share * other, share, 1 - other * other, 1};
  const double longest = parts == 2 ? share : share * share, shortest = parts == 2 ? other : other * other;
  TRY(cosim_start(self->simulation, start, error));
  read_rows(self, points[0], 0);
  for (size_t i = 1; i < run->check.n_points; i++) {
    const double H = points[i] - points[i - 1];
    const double reach = runs_near_kink * (H * shortest);
    for (size_t k = 1; k <= parts; k++) {
      double end = k < parts ? points[i - 1] + H * ends[4 / parts * k - 1] : points[i];
      const bool is_last = k == parts && i + 1 == run->check.n_points;
      if (!is_last && self->simulation->ends_at_kinks) {
        /* A kink near the end replaces it: schemes that use past values need steps of similar length. */
        const double kink = cosim_kink_or_jump_after(self->simulation, end - reach);
        end = kink < end + reach ? kink : end;
      }
      TRY(step(self, (is_controlled ? H : usual) * longest, end, error));
      if (interrupt_is_requested(interrupt, end))
        return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s", end);
    }
  }
  return SEAM_OK;
}

/* Repeats the run with divided macro steps (see take_macro_steps()) and tighter tolerances inside subsystems. Fills
 * *limits, and `rows` and `jumps` up to the time reached, also if the repeated run fails. */
static seam_status repeat_run(const seam_run *run, size_t parts, double share, const seam_interrupt *interrupt,
                              track *rows, track_jumps *jumps, shorter_limits *limits, seam_error *error) {
  const size_t of_row = (rows->n_values + 1) * sizeof(double);
  repetition self = {.run = run, .rows = rows, .jumps = jumps, .jump_values = {malloc(of_row), malloc(of_row)}};
  seam_status status = self.jump_values[0] != NULL && self.jump_values[1] != NULL
                           ? SEAM_OK
                           : seam_fail(error, SEAM_NO_MEMORY, "no memory to repeat a run");
  rows->n = 0;
  jumps->n = 0;
  jumps->n_values = rows->n_values;
  THEN(status, mbs_workspace_create(run->def.model, &self.workspace, error));
  THEN(status, mbs_state_create(run->def.model, &self.at, error));
  THEN(status, create_shorter(&self, parts, limits, error));
  THEN(status, take_macro_steps(&self, parts, share, interrupt, error));
  cosim_destroy(self.simulation);
  mbs_state_destroy(self.at);
  mbs_workspace_destroy(self.workspace);
  free(self.jump_values[0]);
  free(self.jump_values[1]);
  return status;
}

/* ---- Check without an undivided model ---- */

/* Returns true if a signal changes so much between two macro points that it may have jumped. Rows between macro points
 * have no signals. */
static bool may_jump(const compared_list *list, const track *rows) {
  for (const compared_quantity *of = list->quantities; of < list->quantities + list->n; of++) {
    double least = INFINITY, most = -INFINITY, step = 0, last = NAN;
    for (size_t i = 0; i < rows->n && of->kind == COMPARED_SIGNAL; i++) {
      const double now = track_row(rows, i)[of->first];
      step = fmax(step, fabs(now - last)); /* fmax() ignores NaN */
      least = fmin(least, now);
      most = fmax(most, now);
      last = isnan(now) ? last : now;
    }
    if (step > 0 && step > runs_sudden * (most - least))
      return true;
  }
  return false;
}

/* Compares the run with a run with divided macro steps and, if needed, with one that divides them again. share: see
 * take_macro_steps(). */
static seam_status compare_with_shorter(seam_run *run, double share, const seam_interrupt *interrupt, track *in_two,
                                        track *in_four, track_jumps *jumps, seam_error *error) {
  const compared_list *list = run->check.list;
  const double bound = seam_model_simulation(run->def.file)->bounds.accurate;
  const deviation_rule rule = rule_of(run);
  deviation first, second, forces;
  shorter_limits limits;
  seam_deviation *found = &run->check.error;
  TRY(repeat_run(run, 2, share, interrupt, in_two, jumps, &limits, error));
  TRY(deviation_find(list, run->check.rows, in_two, jumps, &rule, NULL, &first, &forces, error));
  store_deviations(run, &first, &forces, SEAM_TRUTH_SMALLER);
  found->is_bound = !(first.of_travel > runs_negligible * bound);
  found->diverges = false;
  /* At order 1 the error with the parts s and 1 - s is s² + (1 - s)² times that of the run; at higher orders less. */
  double factor = 1 / (2 * share * (1 - share));
  bool has_third = !found->is_bound || limits.passes_kinks || may_jump(list, run->check.rows);
  if (has_third) {
    const seam_status status = repeat_run(run, 4, share, interrupt, in_four, jumps, &limits, error);
    has_third = status != SEAM_BAD_INPUT; /* FMUs with fixed steps may refuse four parts: then two must do */
    if (has_third)
      TRY(status);
  }
  if (has_third) {
    /* Differences of two runs: d1 for the macro steps undivided and in two, d2 for those in two and in four, D for
     * those undivided and in four. With r = d1/d2 the error of the run is D / (1 - 1/r²). If r is too small, the runs
     * diverge, and the error is D. If d1 is negligible, kinks or jumps inside macro steps may hide the difference: the
     * error is D + d2, as at order 1. */
    const double first_difference = first.of_travel;
    TRY(deviation_find(list, run->check.rows, in_four, jumps, &rule, NULL, &first, &forces, error));
    TRY(deviation_find(list, in_two, in_four, jumps, &rule, NULL, &second, NULL, error));
    const double r = first_difference / second.of_travel;
    store_deviations(run, &first, &forces, SEAM_TRUTH_SMALLER);
    found->diverges = !found->is_bound && !(r >= runs_least_rate);
    if (found->is_bound)
      factor = first.of_travel > 0 ? 1 + second.of_travel / first.of_travel : 1;
    else
      factor = found->diverges ? 1 : 1 / (1 - 1 / (r * r));
  }
  limit_to(run, in_two->n > 0 ? in_two->times[in_two->n - 1] : run->check.points[0], limits.unrefined);
  found->of_travel *= factor;
  found->value *= factor;
  return SEAM_OK;
}

static bool is_failure(seam_status status) {
  return status != SEAM_OK && status != SEAM_INTERRUPTED && status != SEAM_NO_MEMORY;
}

/* Macro steps are divided in the golden section, not in halves: a signal whose period divides the macro step and its
 * half would look constant to both. FMUs with fixed steps may refuse unequal parts, and some schemes need steps of
 * equal length. If this check fails, halves replace it. Runs with unequal steps may also be too rough to approach a
 * limit. Then halves decide whether there is one, and the error is the larger of both. */
static seam_status check_by_shorter(seam_run *run, const seam_interrupt *interrupt, seam_error *error) {
  run_check *check = &run->check;
  track *in_two = NULL, *in_four = NULL;
  track_jumps jumps = {0};
  seam_status status = track_create(check->list, check->rows->n, &in_two, error);
  THEN(status, track_create(check->list, check->rows->n, &in_four, error));
  THEN(status, compare_with_shorter(run, runs_golden_share, interrupt, in_two, in_four, &jumps, error));
  const seam_deviation sections = check->error, forces = check->forces;
  const bool have_sections = status == SEAM_OK;
  if (have_sections ? sections.diverges : is_failure(status)) {
    status = compare_with_shorter(run, 1.0 / 2, interrupt, in_two, in_four, &jumps, error);
    const bool diverges = status != SEAM_OK || check->error.diverges;
    if (have_sections && (status == SEAM_OK ? check->error.of_travel < sections.of_travel : is_failure(status))) {
      check->error = sections;
      check->forces = forces;
      check->error.diverges = diverges;
      status = SEAM_OK;
    }
  }
  track_destroy(in_two);
  track_destroy(in_four);
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
    snprintf(found->why, sizeof found->why, "the check would take too long; '--check always' checks at any cost");
    return SEAM_OK;
  }
  if (model == NULL && run->check.lacks_points) {
    snprintf(found->why, sizeof found->why, "a resumed run does not know its earlier macro steps, and %.200s",
             why_none);
    return SEAM_OK;
  }
  seam_error cause = {0};
  const seam_status status =
      model != NULL ? check_by_undivided(run, model, interrupt, &cause) : check_by_shorter(run, interrupt, &cause);
  if (status == SEAM_OK)
    return SEAM_OK;
  *found = run->check.forces = (seam_deviation){.of_travel = NAN, .confirmed = NAN, .until = NAN};
  if (status == SEAM_INTERRUPTED)
    snprintf(found->why, sizeof found->why, "the check was interrupted");
  else
    snprintf(found->why, sizeof found->why, "%s: %.250s",
             model != NULL ? "the second run" : "the second run, with divided macro steps", cause.message);
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
