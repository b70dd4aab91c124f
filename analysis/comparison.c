/* A co-simulated run beside the monolithic one, point by point over the macro points (<seam/analysis.h>). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/reference.h"
#include "analysis/run_verdict.h"
#include "base/argument.h"
#include "cosim/mechanism/simulation.h"
#include "mbs/model.h"

/* Of an accurate run: of positions; of velocities, which fast small motions dominate: as large as the motion itself; of
 * the energy balance, over the largest exchange of energy. */
static const double largest_error = 0.1;
static const double largest_velocity_error = 1;
static const double largest_drift = 0.1;

static double cpu_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

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

static void add_drift(const seam_reference *reference, const analysis_reader *reader, const mbs_state *state,
                      seam_comparison *result) {
  if (isnan(result->energy_drift)) /* of a part of the whole, whose energy comes and goes */
    return;
  const mbs_energy energy = mbs_energy_of(reader->workspace, state);
  result->energy_drift =
      fmax(result->energy_drift, fabs(analysis_energy_balance(&energy) - reference->record.initial_energy));
}

/* Whether the run is still stable; else why not. */
static bool is_stable(const seam_reference *reference, const analysis_reader *reader, const mbs_state *state,
                      seam_comparison *result) {
  seam_excess what;
  if (!seam_bounds_exceeded(&reference->bounds, reader->model, state, &what))
    return true;
  snprintf(result->why, sizeof result->why, "%s.%s is %.3g at t = %.6g s, beyond %.3g",
           mbs_body_name(reference->model, what.body), what.component, what.value, state->t, what.limit);
  return false;
}

static seam_status interrupted(double t, seam_error *error) {
  return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t);
}

/* Errors at the points of the reference, from number `point` on, that the last macro step has passed: its end, or under
 * control those on the curve of its rows. Returns the number of the next one. */
static size_t add_points(const seam_reference *reference, const analysis_reader *reader,
                         const cosim_simulation *simulation, size_t point, mbs_state *between, analysis_column *columns,
                         const seam_comparison *result) {
  const double rounding = 1e-12;
  const double t = cosim_state(simulation)->t;
  if (isnan(result->tolerance)) {
    analysis_reference_add(reference, point, reader, cosim_state(simulation), columns);
    return point + 1;
  }
  for (; point < reference->plan.count; point++) {
    const double at = cosim_step_plan_time(&reference->plan, point + 1);
    if (at > (1 + rounding) * t)
      break;
    cosim_state_between(simulation, fmin(at, t), between);
    analysis_reference_add(reference, point, reader, between, columns);
  }
  return point;
}

/* Who looks on. */
typedef struct onlookers {
  const seam_interrupt *interrupt;
  const seam_observer *observer;
  double cpu; /* s, that the observer took */
} onlookers;

static seam_status show(onlookers *who, const cosim_simulation *simulation, double t, seam_error *error) {
  const seam_observer *observer = who->observer;
  if (observer == NULL)
    return SEAM_OK;
  const double start = cpu_now();
  const seam_status status = observer->see(observer->context, simulation, t, error);
  who->cpu += cpu_now() - start;
  return status;
}

static bool is_interrupted(const onlookers *who, double t) {
  const seam_interrupt *interrupt = who->interrupt;
  return interrupt != NULL && interrupt->is_requested != NULL && interrupt->is_requested(interrupt->context, t);
}

/* The macro point where the simulation is: sums of macro steps would not stand at their multiples. */
static double macro_point(const seam_reference *reference, const mbs_state *state, size_t point,
                          const seam_comparison *result) {
  const double rounding = 1e-12;
  if (isnan(result->tolerance))
    return cosim_step_plan_time(&reference->plan, point);
  return state->t >= (1 - rounding) * reference->plan.end ? reference->plan.end : state->t;
}

/* To the end, or as far as the run is stable. */
static seam_status advance(const seam_reference *reference, const analysis_reader *reader, onlookers *who,
                           mbs_state *between, analysis_column *columns, seam_comparison *result, seam_error *error) {
  const cosim_step_plan *plan = &reference->plan;
  cosim_simulation *simulation = result->simulation;
  for (size_t point = 0; point < plan->count;) {
    seam_error failure = {0};
    seam_status status = isnan(result->tolerance)
                             ? cosim_advance(simulation, cosim_step_plan_length(plan, point), &failure)
                             : cosim_advance_controlled(simulation, plan->end, &failure);
    if (status == SEAM_NO_MEMORY)
      return seam_fail(error, status, "%s", failure.message);
    if (status != SEAM_OK) {
      snprintf(result->why, sizeof result->why, "%s", failure.message);
      return SEAM_OK;
    }
    const mbs_state *state = cosim_state(simulation);
    result->time = state->t;
    if (!is_stable(reference, reader, state, result))
      return SEAM_OK;
    point = add_points(reference, reader, simulation, point, between, columns, result);
    add_drift(reference, reader, state, result);
    add_residuals(simulation, result);
    status = show(who, simulation, macro_point(reference, state, point, result), error);
    if (status != SEAM_OK)
      return status;
    if (is_interrupted(who, state->t))
      return interrupted(state->t, error);
  }
  result->finished = true;
  return SEAM_OK;
}

/* The largest error of columns (n) that rest in the reference: no ratio shows it. */
static double error_at_rest(const seam_reference *reference, const analysis_column *columns, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++)
    if (isnan(analysis_nrmse(&columns[i], &reference->options)))
      largest = fmax(largest, columns[i].largest);
  return largest;
}

static bool is_within(double value, double limit, const char *what, seam_comparison *result) {
  if (!(value > limit))
    return true;
  snprintf(result->why, sizeof result->why, "%s is %.3g, above %.3g", what, value, limit);
  return false;
}

/* Errors of n coordinates and their rates, then energies; `drift` is in J. */
static bool is_accurate(const seam_reference *reference, const analysis_column *columns, size_t n, double drift,
                        seam_comparison *result) {
  const double least = reference->options.atol / largest_error;
  if (isnan(result->error_position)) {
    snprintf(result->why, sizeof result->why,
             "the error of positions is not a number: no position changes between the macro points");
    return false;
  }
  return is_within(result->error_position, largest_error, "the error of positions", result) &&
         is_within(result->error_velocity, largest_velocity_error, "the error of velocities", result) &&
         is_within(error_at_rest(reference, columns, n), largest_error * fmax(reference->bounds.coordinate, least),
                   "the error of a coordinate that should rest", result) &&
         is_within(error_at_rest(reference, columns + n, n), largest_error * fmax(reference->bounds.rate, least),
                   "the error of a rate that should be constant", result) &&
         is_within(drift / seam_run_record_exchange(&reference->record), largest_drift,
                   "the drift of energy, of the largest exchange of energy,", result);
}

static seam_status fill_errors(const seam_reference *reference, const analysis_reader *reader,
                               const analysis_column *columns, double drift, seam_comparison *result,
                               seam_error *error) {
  const size_t n_motion = 3 * mbs_n_bodies(reader->model);
  const size_t n = 2 * n_motion + reader->n_measured;
  result->columns = malloc((n + 1) * sizeof *result->columns);
  if (result->columns == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the errors of %zu columns", n);
  for (size_t i = 0; i < n; i++)
    result->columns[i] =
        (seam_column_error){.nrmse = analysis_nrmse(&columns[i], &reference->options), .largest = columns[i].largest};
  result->error_position = analysis_combined(columns, n_motion, &reference->options);
  result->error_velocity = analysis_combined(columns + n_motion, n_motion, &reference->options);
  result->stable = is_accurate(reference, columns, n_motion, drift, result);
  return SEAM_OK;
}

/* Of a run that reached its end beside a reference that is right. */
static seam_status conclude(const seam_reference *reference, const analysis_reader *reader,
                            const analysis_column *columns, seam_comparison *result, seam_error *error) {
  const double drift = result->energy_drift;
  if (reference->record.largest_kinetic > 0)
    result->energy_drift /= reference->record.largest_kinetic;
  if (!result->finished)
    return SEAM_OK;
  result->is_judged = !reference->is_refused;
  if (result->is_judged)
    return fill_errors(reference, reader, columns, drift, result, error);
  snprintf(result->why, sizeof result->why, "the reference is suspect");
  return SEAM_OK;
}

/* Of the bodies that it has. */
static void take_bodies(const seam_reference *reference, const analysis_reader *reader, mbs_state *start) {
  const mbs_state *whole = reference->start;
  start->t = whole->t;
  for (size_t i = 0; i < mbs_n_bodies(reader->model); i++) {
    memcpy(start->q + 3 * i, whole->q + 3 * reader->bodies[i], 3 * sizeof *start->q);
    memcpy(start->v + 3 * i, whole->v + 3 * reader->bodies[i], 3 * sizeof *start->v);
  }
}

/* The whole has those of what is cut, and those of its user equations; the last one is the time of the last sample. */
static void take_variables(const mbs_state *whole, const mbs_model *of_whole, const mbs_model *cut, mbs_state *start) {
  const mbs_laws *to = &cut->laws;
  const mbs_laws *from = &of_whole->laws;
  for (int i = 0; i < to->n_variables; i++) {
    const size_t same = mbs_find_variable(of_whole, to->variable[i].name);
    if (same != SEAM_NONE)
      start->z[to->first_state + i] = whole->z[from->first_state + (int)same];
  }
  if (to->n_sampled > 0)
    start->z[to->first_state + to->n_variables] = whole->z[from->first_state + from->n_variables];
}

/* The start of the whole as one of what is cut. */
static void take_start(const seam_reference *reference, const mbs_model *cut, mbs_state *start) {
  const mbs_state *whole = reference->start;
  const size_t n = reference->n_values / 2;
  start->t = whole->t;
  memcpy(start->q, whole->q, n * sizeof *start->q);
  memcpy(start->v, whole->v, n * sizeof *start->v);
  memcpy(start->z, whole->z, (size_t)cut->laws.first_state * sizeof *start->z);
  take_variables(whole, reference->model, cut, start);
}

static seam_status start_run(const seam_reference *reference, const analysis_reader *reader, seam_comparison *result,
                             mbs_state *scratch, seam_error *error) {
  if (reader->model == reference->model)
    return cosim_start(result->simulation, reference->start, error);
  if (reader->bodies != NULL)
    take_bodies(reference, reader, scratch);
  else
    take_start(reference, reader->model, scratch);
  const seam_status status = mbs_evaluate(reader->workspace, scratch, error);
  return status == SEAM_OK ? cosim_start(result->simulation, scratch, error) : status;
}

static seam_status run(const seam_reference *reference, const analysis_reader *reader, onlookers *who,
                       analysis_column *columns, seam_comparison *result, seam_error *error) {
  mbs_state *between = NULL;
  seam_status status = mbs_state_create(reader->model, &between, error);
  if (status == SEAM_OK)
    status = start_run(reference, reader, result, between, error);
  if (status == SEAM_OK)
    status = show(who, result->simulation, reference->start->t, error);
  if (status == SEAM_OK) {
    add_residuals(result->simulation, result);
    const double start = cpu_now() + who->cpu;
    status = advance(reference, reader, who, between, columns, result, error);
    result->cpu = cpu_now() - start - who->cpu;
    result->macro_steps = cosim_statistics_of(result->simulation).macro_steps;
    cosim_switches_tell(result->simulation, result->limit, sizeof result->limit);
  }
  mbs_state_destroy(between);
  return status == SEAM_OK ? conclude(reference, reader, columns, result, error) : status;
}

/* Of a run that has not started. */
static seam_comparison *new_comparison(const seam_reference *reference, const cosim_step_control *control,
                                       cosim_simulation *simulation) {
  seam_comparison *result = malloc(sizeof *result);
  if (result != NULL)
    *result = (seam_comparison){.tolerance = control != NULL ? control->tolerance : NAN,
                                .error_position = NAN,
                                .error_velocity = NAN,
                                .time = reference->start->t,
                                .cpu_monolithic = reference->cpu,
                                .simulation = simulation};
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

/* Whether what is cut has the bodies of the reference and the first of its measures. */
static bool is_whole(const seam_reference *reference, const mbs_model *cut) {
  bool fits =
      mbs_n_bodies(cut) == mbs_n_bodies(reference->model) && mbs_n_measures(cut) <= mbs_n_measures(reference->model);
  for (size_t i = 0; fits && i < mbs_n_bodies(cut); i++)
    fits = strcmp(mbs_body_name(cut, i), mbs_body_name(reference->model, i)) == 0;
  for (size_t i = 0; fits && i < mbs_n_measures(cut); i++)
    fits = strcmp(mbs_measure_name(cut, i), mbs_measure_name(reference->model, i)) == 0;
  return fits;
}

static seam_status compare(const seam_reference *reference, const cosim_builder *builder, onlookers *who,
                           seam_comparison *result, seam_error *error) {
  analysis_reader reader = {0};
  seam_status status = analysis_reader_make(cosim_builder_model(builder), &reader, error);
  if (status == SEAM_OK && !is_whole(reference, reader.model))
    status = analysis_reader_match(&reader, reference, error);
  const size_t n = 6 * mbs_n_bodies(reader.model) + reader.n_measured;
  if (reader.bodies != NULL || reference->is_of_run)
    result->energy_drift = NAN;
  analysis_column *columns = calloc(n + 1, sizeof *columns);
  if (status == SEAM_OK && columns == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the errors of %zu columns", n);
  if (status == SEAM_OK)
    status = run(reference, &reader, who, columns, result, error);
  analysis_reader_free(&reader);
  free(columns);
  return status;
}

seam_status seam_comparison_create(const seam_reference *reference, const cosim_builder *builder,
                                   const seam_interrupt *interrupt, const seam_observer *observer,
                                   seam_comparison **created, seam_error *error) {
  ARGUMENTS(error, reference, builder, created);
  onlookers who = {interrupt, observer, 0};
  cosim_simulation *simulation = NULL;
  seam_status status = create(reference, builder, &simulation, error);
  if (status != SEAM_OK)
    return status;
  seam_comparison *result = new_comparison(reference, cosim_builder_step_control(builder), simulation);
  if (result == NULL)
    cosim_destroy(simulation);
  status = result == NULL ? seam_fail(error, SEAM_NO_MEMORY, "no memory for a comparison")
                          : compare(reference, builder, &who, result, error);
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
