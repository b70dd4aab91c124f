/* Makes and confirms the undivided run (analysis/undivided.h). */
#include "analysis/undivided.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/thresholds.h"
#include "base/dotted.h"
#include "base/interrupt.h"
#include "base/then.h"
#include "mbs/integrate/integrator.h"
#include "mbs/integrate/kinks.h"
#include "mbs/model/model.h"
#include "mbs/output/readout.h"

enum { N_LOOSER = sizeof analysis_looser / sizeof *analysis_looser };

/* ---- One run ---- */

typedef struct run_state {
  const undivided_def *def;
  mbs_integrator *integrator;
  mbs_workspace *workspace;
  mbs_state *at;
  undivided *made;
  double *values[3];       /* (n_values) values at the begin and end of the last piece, and just after a jump */
  double begin, jump_time; /* s, begin and end of the last piece; NaN: there is none */
  bool exceeds_work;       /* the run has exceeded max_work */
  bool has_forces;         /* forces are to be read */
  bool has_last_jump;      /* the statistics have the state after the jump at which the compared run ended */
} run_state;

static seam_status read_at(run_state *self, double t, double *row, seam_error *error) {
  const bool has_forces = self->has_forces;
  TRY(mbs_integrator_reach(self->integrator, t, self->at, NULL, has_forces, error));
  compared_list_read(self->made->list, self->workspace, self->at, has_forces, NULL, row);
  return SEAM_OK;
}

static void read_energies(run_state *self, const mbs_state *state, double *row) {
  const mbs_energy energy = mbs_energy_of(self->workspace, state);
  row[self->made->list->n_values] = energy.kinetic;
  row[self->made->list->n_values + 1] = energy.potential;
}

static seam_status add_row(run_state *self, double t, seam_error *error) {
  track *rows = self->made->rows;
  double *row = rows->values + rows->n * rows->n_values;
  TRY(read_at(self, t, row, error));
  if (self->def->has_energies)
    read_energies(self, self->at, row);
  rows->times[rows->n++] = t;
  return SEAM_OK;
}

/* Adds jumps of watched measures within a piece. Uses values[1] and values[2] as scratch. */
static seam_status add_watched_jumps(run_state *self, const mbs_step_piece *piece, seam_error *error) {
  mbs_integrator *integrator = self->integrator;
  seam_kink kink = mbs_integrator_watched_kink(integrator, piece->from, piece->to);
  for (; isfinite(kink.at); kink = mbs_integrator_watched_kink(integrator, kink.at, piece->to)) {
    TRY(read_at(self, fmax(kink.before, piece->from), self->values[1], error));
    TRY(read_at(self, kink.at, self->values[2], error));
    TRY(track_jumps_add(&self->made->jumps, kink.at, self->values[1], self->values[2], error));
  }
  return SEAM_OK;
}

static seam_status read_piece(void *context, const mbs_step_piece *piece, seam_error *error) {
  run_state *self = context;
  const track *of_run = self->def->rows;
  /* The states before and after an impact or a sample have times that differ by a few roundings. */
  if (piece->is_at_start && fabs(piece->from - self->jump_time) <= 4 * mbs_same_time(piece->from)) {
    /* By round-off, a law of the motion may have passed its jump at the end of the previous piece. If that piece is
     * very short, its first values therefore count as those before the jump. */
    const double span = of_run->times[of_run->n - 1] - of_run->times[0];
    const bool is_short = self->jump_time - self->begin <= analysis_just_before * span;
    TRY(read_at(self, piece->from, self->values[2], error));
    TRY(track_jumps_add(&self->made->jumps, piece->from, self->values[is_short ? 0 : 1], self->values[2], error));
    memcpy(self->values[1], self->values[2], self->made->list->n_values * sizeof *self->values[1]);
  }
  double *at_start = self->values[1]; /* the last piece ended where this one begins */
  self->values[1] = self->values[0];
  self->values[0] = at_start;
  const track *rows = self->made->rows;
  while (rows->n < of_run->n && of_run->times[rows->n] <= piece->to)
    TRY(add_row(self, fmax(of_run->times[rows->n], piece->from), error));
  TRY(add_watched_jumps(self, piece, error));
  TRY(read_at(self, piece->to, self->values[1], error));
  if (piece->to <= of_run->times[of_run->n - 1])
    track_extend_ranges(self->made->rows, self->values[1]);
  self->begin = piece->from;
  self->jump_time = piece->to;
  if (piece->from < of_run->times[of_run->n - 1])
    TRY(seam_over_run_sample_piece(self->made->over_run, piece, error));
  else if (self->def->ends_by_event && piece->is_at_start && !self->has_last_jump) {
    self->has_last_jump = true;
    TRY(mbs_integrator_reach(self->integrator, piece->from, self->at, NULL, true, error));
    seam_over_run_add(self->made->over_run, self->workspace, self->at);
  }
  return SEAM_OK;
}

/* Returns the work of a number of evaluations, in the unit of def->max_work. */
static size_t work_of(const undivided_def *def, size_t evaluations) {
  return evaluations * (3 * mbs_n_bodies(def->model) + mbs_n_states(def->model) + 1);
}

static bool must_end(void *context, double t) {
  run_state *self = context;
  const size_t max_work = self->def->max_work;
  const size_t evaluations = mbs_integrator_statistics(self->integrator).evaluations;
  self->exceeds_work = max_work > 0 && work_of(self->def, evaluations) > max_work;
  return self->exceeds_work || interrupt_is_requested(self->def->interrupt, t);
}

static seam_status run_to_end(run_state *self, seam_error *error) {
  const undivided_def *def = self->def;
  track *rows = self->made->rows;
  const double end = def->rows->times[def->rows->n - 1];
  TRY(mbs_integrator_start(self->integrator, def->start, error));
  mbs_integrator_set_step_listener(self->integrator, read_piece, self);
  mbs_integrator_set_interrupt(self->integrator, must_end, self);
  if (def->rows->times[0] <= def->start->t) { /* the first row is the initial state */
    rows->times[0] = def->rows->times[0];
    mbs_state_copy(self->at, def->start);
    TRY(mbs_begin_friction(self->workspace, self->at, error)); /* as in the run that is checked */
    compared_list_read(self->made->list, self->workspace, self->at, true, NULL, rows->values);
    memcpy(self->values[1], rows->values, self->made->list->n_values * sizeof *rows->values);
    self->jump_time = def->start->t; /* sampled quantities may jump at the start, too */
    if (def->has_energies)
      read_energies(self, self->at, rows->values);
    rows->n = 1;
    seam_over_run_add(self->made->over_run, self->workspace, self->at);
    seam_over_run_attach(self->made->over_run, self->integrator, self->workspace, def->distance);
  }
  mbs_integrator_set_stop(self->integrator, end);
  seam_status status = SEAM_OK;
  if (end > def->start->t)
    status = mbs_integrator_advance(self->integrator, end, self->at, error);
  while (status == SEAM_OK && rows->n < def->rows->n) /* fills rows after the end of the last piece */
    status = add_row(self, def->rows->times[rows->n], error);
  self->made->statistics = mbs_integrator_statistics(self->integrator);
  /* If the compared run stopped at a jump, such as an event, its last row is after the jump. The undivided run may jump
   * slightly later. Therefore it continues a little, to find such a jump; a failure there is ignored. */
  const double beyond = end + def->rule.late;
  if (status == SEAM_OK)
    mbs_integrator_set_stop(self->integrator, beyond);
  if (status == SEAM_OK && beyond > end)
    mbs_integrator_advance(self->integrator, beyond, self->at, NULL);
  if (status == SEAM_INTERRUPTED && self->exceeds_work)
    return seam_fail(error, SEAM_WRONG, "the check would take too long; '--check always' checks at any cost");
  return status;
}

/* Creates the statistics over the run, unless they are not wanted or a quantity is missing in the model. */
static seam_status new_statistics(const undivided_def *def, undivided *made, seam_error *error) {
  seam_over_run_destroy(made->over_run);
  made->over_run = NULL;
  if (def->n_measured == 0 || made->is_second)
    return SEAM_OK;
  mbs_quantity *quantities = calloc(def->n_measured, sizeof *quantities);
  if (quantities == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference");
  bool all_found = true;
  for (size_t i = 0; i < def->n_measured; i++) {
    const mbs_quantity_info of = mbs_quantity_of(def->list->model, def->measured[i]);
    char name[256];
    dotted_name(of.element, of.name, name, sizeof name);
    all_found &= mbs_find_quantity_of_length(def->model, name, strlen(name), &quantities[i]);
  }
  const seam_status status =
      all_found ? seam_over_run_create(def->model, quantities, def->n_measured, &made->over_run, error) : SEAM_OK;
  free(quantities);
  return status;
}

/* Fills rows up to the time that the run reaches; another status than SEAM_OK is the reason for an early end. */
static seam_status integrate(const undivided_def *def, const mbs_integrator_options *options, undivided *made,
                             seam_error *error) {
  run_state self = {.def = def,
                    .made = made,
                    .begin = NAN,
                    .jump_time = NAN,
                    .has_forces = made->list->forces.n > 0 && !made->is_second};
  const size_t n = made->list->n_values;
  double *values = malloc((3 * n + 1) * sizeof *values);
  track_clear(made->rows);
  made->jumps.n = 0;
  made->integrator = *options;
  seam_status status = mbs_integrator_create(def->model, options, &self.integrator, error);
  THEN(status, mbs_workspace_create(def->model, &self.workspace, error));
  THEN(status, mbs_state_create(def->model, &self.at, error));
  THEN(status, new_statistics(def, made, error));
  for (size_t i = 0; i < 3 && values != NULL; i++)
    self.values[i] = values + i * n;
  THEN(status,
       values != NULL ? run_to_end(&self, error) : seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference"));
  mbs_integrator_destroy(self.integrator);
  mbs_workspace_destroy(self.workspace);
  mbs_state_destroy(self.at);
  free(values);
  return status;
}

/* ---- Integrators ---- */

enum { N_FAMILIES = 3 };

static mbs_integrator_options tighten(const mbs_integrator_options *options, double factor) {
  const double multistep = mbs_is_multistep(options->method) ? analysis_tighter_multistep : 1;
  mbs_integrator_options tight = *options;
  tight.rtol = fmax(fmin(options->rtol / factor, analysis_loosest_rtol / multistep), analysis_least_rtol);
  const double by = fmax(factor, options->rtol / tight.rtol);
  tight.atol = options->atol > 0 ? fmax(options->atol / by, analysis_least_atol) : 0; /* 0: chosen from the scales */
  return tight;
}

static seam_status new_rows(const undivided_def *def, undivided *made, seam_error *error) {
  TRY(compared_list_match(def->list, def->model, NULL, &made->list, error));
  made->jumps.n_values = made->list->n_values;
  return track_create(made->list, def->rows->n, &made->rows, error);
}

static double reached(const undivided *made) { return made->rows->n > 0 ? made->rows->times[made->rows->n - 1] : NAN; }

static double span_of(const undivided_def *def) { return def->rows->times[def->rows->n - 1] - def->rows->times[0]; }

/* Repeats a run that stops at a singular configuration with looser tolerances: longer steps may pass it. */
static seam_status integrate_as_tight_as_possible(const undivided_def *def, const mbs_integrator_options *family,
                                                  undivided *made, seam_error *error) {
  seam_status status = SEAM_BECAME_SINGULAR;
  for (int i = 0; i < N_LOOSER && status == SEAM_BECAME_SINGULAR; i++) {
    mbs_integrator_options options = *family;
    options.rtol = fmin(family->rtol * analysis_looser[i], fmax(def->options->rtol, family->rtol));
    options.atol = fmin(family->atol * analysis_looser[i], fmax(def->options->atol, family->atol));
    status = integrate(def, &options, made, error);
  }
  return status;
}

/* Tries the families of integrators from number `first` on, until one reaches the end. Else uses the first that passed
 * the middle of the run. evaluations: those of an earlier run with families[0]; 0: there was none. */
static seam_status integrate_by_any(const undivided_def *def, const mbs_integrator_options *families, int first,
                                    size_t evaluations, undivided *made, seam_error *error) {
  const bool is_explicit = strcmp(families[0].method, "erk") == 0;
  seam_error cause = {0};
  int best = N_FAMILIES;
  for (int i = first; i < N_FAMILIES; i++) {
    undivided_def limited = *def;
    if (is_explicit && evaluations > 0 && strcmp(families[i].method, "erk") != 0) {
      /* If the mechanism is stiff, an implicit method needs far fewer evaluations than the explicit run did. If it
       * needs more than this limit, erk is faster. */
      const size_t work = work_of(def, 1 + (size_t)((double)evaluations / analysis_stiff_ratio));
      limited.max_work = def->max_work == 0 || work < def->max_work ? work : def->max_work;
    }
    const seam_status status = integrate_as_tight_as_possible(&limited, &families[i], made, &cause);
    if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
      return seam_fail(error, status, "%s", cause.message);
    if (status == SEAM_OK)
      return SEAM_OK;
    if (best == N_FAMILIES && reached(made) > def->rows->times[0] + analysis_least_valid * span_of(def))
      best = i;
  }
  if (best == N_FAMILIES)
    return seam_fail(error, SEAM_WRONG, "%s: %s", families[N_FAMILIES - 1].method, cause.message);
  (void)integrate_as_tight_as_possible(def, &families[best], made, &cause);
  return SEAM_OK;
}

/* Finds the options of the first and the second run for three families of integrators. The first family is that of
 * def->options, or erk for a fixed step. If it is erk, the others are an implicit method and erk of another order. The
 * first erk has order 5 to check a monolithic run of order 5, else order 8. */
static void find_pair(const undivided_def *def, mbs_integrator_options first[N_FAMILIES],
                      mbs_integrator_options second[N_FAMILIES]) {
  static const char *const methods[][N_FAMILIES] = {
      {"erk", "radau", "erk"}, {"radau", "cvode", "erk"}, {"ida", "radau", "erk"}, {"cvode", "radau", "erk"}};
  const mbs_integrator_options *options = def->options;
  const int n = sizeof methods / sizeof *methods;
  int row = 0; /* row of "erk", also for options with fixed steps */
  for (int i = 0; i < n && options->step == 0; i++)
    row = strcmp(options->method, methods[i][0]) == 0 ? i : row;
  const int order = row == 0 && def->is_monolithic && options->order == 5 ? 5 : 8;
  const int orders[N_FAMILIES] = {order, 0, row == 0 && order == 8 ? 5 : 8};
  for (int i = 0; i < N_FAMILIES; i++) {
    mbs_integrator_options family = mbs_default_integrator_options();
    family.method = methods[row][i];
    family.order = strcmp(family.method, "erk") == 0 ? orders[i] : 0;
    family.rtol = options->rtol;
    family.atol = options->atol;
    family.largest_step = options->largest_step;
    const double factor = mbs_is_multistep(family.method) ? analysis_tighter_multistep : 1;
    first[i] = tighten(&family, analysis_tighter_first);
    second[i] = tighten(&family, (def->is_monolithic ? analysis_tighter_first : analysis_tighter_second) * factor);
    second[i].largest_step = analysis_other_step * fmin(second[i].largest_step, analysis_step_cap * span_of(def));
  }
}

seam_status undivided_make(const undivided_def *def, undivided *made, seam_error *error) {
  mbs_integrator_options first[N_FAMILIES], second[N_FAMILIES];
  *made = (undivided){.agreement = NAN};
  find_pair(def, first, second);
  TRY(new_rows(def, made, error));
  TRY(def->is_monolithic ? integrate_by_any(def, second, 1, def->evaluations, made, error)
                         : integrate_by_any(def, first, 0, 0, made, error));
  made->until = def->rows->times[def->rows->n - 1];
  if (made->rows->n != def->rows->n) {
    made->until = reached(made);
    snprintf(made->why, sizeof made->why, "the undivided run ends at t = %.6g s", made->until);
  }
  return SEAM_OK;
}

/* ---- Confirmation ---- */

/* Difference of two reference runs. */
typedef struct divergence {
  double time;         /* s, time of the first row in which the runs differ by more than the limit; INFINITY: none */
  double agreement;    /* largest difference before `time`, as a share of travel */
  double tenfold_time; /* s, time in which the difference grows tenfold; NaN: growth is not exponential */
  deviation worst;     /* largest deviation up to `time` */
} divergence;

static seam_status find_divergence(const undivided_def *def, const undivided *first, const undivided *second,
                                   divergence *found, seam_error *error) {
  double *relative = malloc((first->rows->n + 1) * sizeof *relative);
  if (relative == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to compare two references");
  deviation_rule rule = def->rule;
  rule.until = INFINITY;
  seam_status status = deviation_find(first->list, second->rows, first->rows, &first->jumps, &rule, relative,
                                      &found->worst, NULL, error);
  if (status == SEAM_OK) {
    track both = *first->rows;
    size_t n = 0;
    both.n = second->rows->n < both.n ? second->rows->n : both.n;
    while (n < both.n && !(relative[n] > def->limit))
      n++;
    found->time = n < both.n ? both.times[n] : INFINITY;
    if (isinf(found->time) && both.n < def->rows->n)
      found->time = both.n > 0 ? both.times[both.n - 1] : def->start->t;
    for (n = 0, found->agreement = 0; n < both.n && both.times[n] < found->time; n++)
      found->agreement = fmax(found->agreement, relative[n]);
    found->tenfold_time = deviation_tenfold_time(&both, relative, n);
    rule.until = found->time;
    if (isfinite(found->time))
      status = deviation_find(first->list, second->rows, first->rows, &first->jumps, &rule, NULL, &found->worst, NULL,
                              error);
  }
  free(relative);
  return status;
}

/* Sets the loosest tolerances that confirm an error of error_share (share of travel). If the options are already as
 * loose, or if error_share is NaN, changes nothing and returns false. */
static bool loosen(mbs_integrator_options *options, double error_share) {
  const double multistep = mbs_is_multistep(options->method) ? analysis_tighter_multistep : 1;
  const double rtol = fmin(analysis_confirming * error_share, analysis_loosest_confirming) / multistep;
  if (isnan(error_share) || !(rtol > options->rtol))
    return false;
  options->atol *= rtol / options->rtol;
  options->rtol = rtol;
  return true;
}

/* Makes a second run with another integrator, and finds the time from which the first run differs from it. If the run
 * to check is monolithic, its integrator makes the second run, if possible, and another one the first. The tolerances
 * of the second run are those of find_pair(), or looser ones for an error of error_share (see loosen()). */
static seam_status compare_second(const undivided_def *def, double error_share, undivided *made, undivided *second,
                                  divergence *found, seam_error *error) {
  mbs_integrator_options tight[N_FAMILIES], loose[N_FAMILIES];
  find_pair(def, tight, loose);
  mbs_integrator_options *families = def->is_monolithic ? tight : loose;
  second->is_loosened = false;
  for (int i = 0; i < N_FAMILIES; i++)
    second->is_loosened |= loosen(&families[i], error_share);
  const bool is_same =
      strcmp(made->integrator.method, families[0].method) == 0 && made->integrator.order == families[0].order;
  TRY(integrate_by_any(def, families, is_same ? 1 : 0, made->statistics.evaluations, second, error));
  return find_divergence(def, made, second, found, error);
}

/* Repeats both runs with tighter tolerances. *made and *second are replaced. */
static seam_status repeat_both(const undivided_def *def, undivided *made, undivided *second, seam_error *error) {
  mbs_integrator_options again = tighten(&made->integrator, analysis_tighter_again);
  const seam_status status = integrate(def, &again, made, error);
  if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return status;
  again = tighten(&second->integrator, analysis_tighter_again);
  const seam_status second_status = integrate(def, &again, second, error);
  return second_status == SEAM_INTERRUPTED || second_status == SEAM_NO_MEMORY ? second_status : SEAM_OK;
}

void undivided_describe_growth(double tenfold_time, char *text, size_t size) {
  if (!isnan(tenfold_time))
    snprintf(text, size, "the motion is chaotic or as sensitive, and differences grow tenfold every %.2g s",
             tenfold_time);
}

static void report_divergence(const undivided_def *def, double before, const divergence *found, undivided *made) {
  const bool is_later = made->until > before + analysis_sensitive_delay * span_of(def);
  const bool is_named = found->worst.of_travel > def->limit;
  char growth[120] = "the motion is sensitive";
  seam_deviation of = {0};
  undivided_describe_growth(found->tenfold_time, growth, sizeof growth);
  deviation_to_public(made->list, &found->worst, SEAM_TRUTH_NONE, &of);
  snprintf(made->why, sizeof made->why,
           "two undivided runs differ by %.3g %%%s%.60s from t = %.6g s on%s%s; judged up to then", 100 * def->limit,
           is_named ? " in " : "", is_named ? of.quantity : "", made->until,
           is_later ? ", and later with tighter tolerances, because " : "", is_later ? growth : "");
}

seam_status undivided_confirm(const undivided_def *def, double error_share, undivided *made, seam_error *error) {
  seam_error cause = {0};
  undivided second = {.agreement = NAN, .is_second = true};
  divergence found = {
      .time = INFINITY, .agreement = NAN, .tenfold_time = NAN, .worst = {.quantity = SEAM_NONE, .of_travel = NAN}};
  seam_status status = new_rows(def, &second, &cause);
  THEN(status, compare_second(def, error_share, made, &second, &found, &cause));
  const bool is_enough =
      status == SEAM_OK && isinf(found.time) && found.agreement <= analysis_confirming_difference * error_share;
  if (second.is_loosened && !is_enough && (status == SEAM_OK || status == SEAM_WRONG))
    status = compare_second(def, 0, made, &second, &found, &cause);
  if (status == SEAM_WRONG)
    snprintf(made->why, sizeof made->why, "no second run confirms the reference (%.200s)", cause.message);
  if (status == SEAM_OK && isfinite(found.time)) {
    const double before = found.time;
    status = repeat_both(def, made, &second, &cause);
    THEN(status, find_divergence(def, made, &second, &found, &cause));
    if (status == SEAM_OK && isfinite(found.time)) {
      made->until = fmin(made->until, nextafter(found.time, -INFINITY)); /* just before the row that differs too much */
      report_divergence(def, before, &found, made);
    }
  }
  made->agreement = found.agreement;
  if (made->why[0] == '\0')
    undivided_describe_growth(found.tenfold_time, made->why, sizeof made->why);
  made->is_confirmed = status == SEAM_OK;
  undivided_free(&second);
  return status == SEAM_OK || status == SEAM_WRONG ? SEAM_OK : seam_fail(error, status, "%s", cause.message);
}

void undivided_free(undivided *self) {
  compared_list_destroy(self->list);
  track_destroy(self->rows);
  track_jumps_free(&self->jumps);
  seam_over_run_destroy(self->over_run);
}
