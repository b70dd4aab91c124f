/* The verdict on a run (<seam/verdict.h>). It judges energies by the balance
 *
 *   B = T + V + w_dissipated - w_driven,   constant except for errors.
 *
 * T and V are kinetic and potential energy. w_dissipated is the energy dissipated since the start, w_driven the work of
 * loads and prescribed motions. Errors have created B - B(0), plus the energy that couplings of user-defined subsystems
 * add; a negative value is lost. The largest |created energy| is compared with the exchanged energy, `moved` in the
 * code: the largest of T, w_dissipated, w_driven and the range of V, in the frame of the mean motion. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <seam/verdict.h>

#include "analysis/run_verdict.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/vector.h"
#include "mbs/model/workspace.h"
#include "mbs/output/measurements.h"

/* ---- Names ---- */

const char *seam_word_text(seam_word word) {
  static const char *const texts[] = {"not checked", "accurate", "rough", "wrong"};
  return (unsigned)word < sizeof texts / sizeof *texts ? texts[word] : NULL;
}

const char *seam_truth_text(seam_truth truth) {
  static const char *const texts[] = {"", "undivided run", "smaller macro step", "other integrator"};
  return (unsigned)truth < sizeof texts / sizeof *texts ? texts[truth] : NULL;
}

/* ---- Residuals and energies of states ---- */

/* Updates *seen, the largest residual so far, m or m/s. Residuals of angles are multiplied by the mechanism's size. NaN
 * counts as the largest. */
static void update_largest(seam_largest_residual *seen, const mbs_model *model, const double *values, double time) {
  for (int i = 0; i < model->n_rows && !isnan(seen->value); i++) {
    const double value = fabs(values[i]) * (model->row_is_angle[i] ? model->size : 1);
    if (!(value <= seen->value))
      *seen = (seam_largest_residual){.value = value, .constraint = (size_t)i, .time = time};
  }
}

double analysis_energy_balance(const mbs_energy *energy) { return energy->total + energy->dissipated - energy->driven; }

static double largest_rate(const mbs_model *model, const mbs_state *state) {
  const double arm[3] = {1, 1, model->size};
  double largest = 0;
  for (const double *v = state->v; v < state->v + 3 * (size_t)model->n_bodies; v += 3)
    for (int i = 0; i < 3; i++)
      if (fabs(v[i]) * arm[i] > largest)
        largest = fabs(v[i]) * arm[i];
  return largest;
}

/* Finds the rates of the residuals at state->t. If the rate of a prescribed motion jumps there, the state may belong to
 * either side. Therefore also tries times just before and after t; the smallest rates count. */
static void find_rates(mbs_workspace *workspace, const mbs_state *state, size_t m, double *rates) {
  mbs_state near = *state;
  double best = INFINITY;
  double at = state->t;
  for (int side = -1; side <= 1; side++) {
    near.t = state->t + side * analysis_time_offset * fmax(workspace->model->scales.time, fabs(state->t));
    mbs_residuals(workspace, &near, NULL, rates, NULL);
    const double largest = largest_size(rates, m);
    if (largest < best)
      best = largest, at = near.t;
  }
  near.t = at;
  mbs_residuals(workspace, &near, NULL, rates, NULL);
}

void seam_run_record_add(seam_run_record *record, const mbs_model *model, mbs_workspace *workspace,
                         const mbs_state *state, double *residuals) {
  if (record == NULL || workspace == NULL || residuals == NULL || !mbs_state_fits(model, state))
    return;
  const size_t m = mbs_n_constraints(model);
  const double rate = largest_rate(model, state);
  mbs_residuals(workspace, state, residuals, residuals + m, NULL);
  if (largest_size(residuals + m, m) > analysis_jump_rate * rate)
    find_rates(workspace, state, m, residuals + m);
  update_largest(&record->position, model, residuals, state->t);
  update_largest(&record->velocity, model, residuals + m, state->t);
  const mbs_energy energy = mbs_energy_evaluated(workspace, state);
  const double balance = analysis_energy_balance(&energy);
  if (record->n_states == 0) {
    record->initial_energy = balance;
    record->least_potential = record->largest_potential = energy.potential;
  }
  record->largest_kinetic = fmax(record->largest_kinetic, energy.kinetic);
  record->least_potential = fmin(record->least_potential, energy.potential);
  record->largest_potential = fmax(record->largest_potential, energy.potential);
  record->largest_dissipated = fmax(record->largest_dissipated, fabs(energy.dissipated));
  record->largest_driven = fmax(record->largest_driven, fabs(energy.driven));
  const double imbalance = balance - record->initial_energy + record->of_parts;
  if (!isnan(record->imbalance) && !(fabs(imbalance) <= fabs(record->imbalance))) {
    record->imbalance = imbalance;
    record->imbalance_time = state->t;
  }
  record->integration = imbalance - record->created;
  record->largest_rate = fmax(record->largest_rate, rate);
  record->n_states++;
}

double seam_run_record_exchange(const seam_run_record *record) {
  if (record == NULL)
    return NAN;
  return fmax(fmax(record->largest_kinetic, record->largest_potential - record->least_potential),
              fmax(record->largest_dissipated, record->largest_driven));
}

/* Returns the exchanged energy in a frame that moves with the mean velocity u of the centre of mass. t0 is the time of
 * the first row. Energies are T and V in the fixed frame, T' and V' in the moving one. M is the total mass, P the
 * momentum, g gravity:
 *   T' = T - P·u + M u²/2,   V' = V + M g·u (t - t0). */
double analysis_exchanged_energy(const seam_run_record *record, const mbs_model *model, const track *rows) {
  const size_t n = rows->n;
  double mass = 0, displacement[2] = {0};
  if (n < 2 || !(rows->times[n - 1] > rows->times[0]))
    return seam_run_record_exchange(record);
  const double *first = track_row(rows, 0), *last = track_row(rows, n - 1);
  for (size_t b = 0; b < mbs_n_bodies(model); b++) {
    const double m = model->mass[3 * (b + 1)];
    mass += m;
    for (size_t k = 0; k < 2; k++)
      displacement[k] += m * (last[6 * b + k] - first[6 * b + k]);
  }
  const double momentum_time = mass * (rows->times[n - 1] - rows->times[0]);
  const double u[2] = {mass > 0 ? displacement[0] / momentum_time : 0, mass > 0 ? displacement[1] / momentum_time : 0};
  const double weight = mass * (model->gravity[0] * u[0] + model->gravity[1] * u[1]);
  double kinetic = 0, least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    const double *row = track_row(rows, i), *energy = row + rows->n_values - TRACK_ENERGIES;
    double P[2] = {0};
    if (isnan(energy[0]))
      continue;
    for (size_t b = 0; b < mbs_n_bodies(model); b++)
      for (size_t k = 0; k < 2; k++)
        P[k] += model->mass[3 * (b + 1)] * row[6 * b + 3 + k];
    kinetic = fmax(kinetic, energy[0] - P[0] * u[0] - P[1] * u[1] + mass * (u[0] * u[0] + u[1] * u[1]) / 2);
    const double potential = energy[1] + weight * (rows->times[i] - rows->times[0]);
    least = fmin(least, potential);
    most = fmax(most, potential);
  }
  return fmax(fmax(kinetic, most - least), fmax(record->largest_dissipated, record->largest_driven));
}

/* ---- Words ---- */

seam_word analysis_word_of(const seam_deviation *of, const seam_verdict_bounds *bounds) {
  if (of->by == SEAM_TRUTH_NONE || isnan(of->of_travel))
    return SEAM_WORD_NOT_CHECKED;
  if (of->diverges || !(of->of_travel <= bounds->rough))
    return SEAM_WORD_WRONG;
  return of->of_travel <= bounds->accurate ? SEAM_WORD_ACCURATE : SEAM_WORD_ROUGH;
}

/* Sets the bound for energy created or lost: bounds.energy times the exchanged energy, at least the rounding of the
 * energies. An exchanged energy below 1e-6 of the scale of energy counts as this limit, and verdict->moved becomes 0.
 * If black boxes hide the energy that moves in them, there is no bound. */
static void bound_energy(const seam_run_record *record, const mbs_model *model, seam_run_verdict *verdict) {
  const double largest =
      fmax(record->largest_kinetic, fmax(fabs(record->least_potential), fabs(record->largest_potential)));
  const double least = mbs_n_bodies(model) > 0 ? analysis_least_energy * mbs_scales_of(model).energy : 0;
  const double moved = fmax(verdict->moved, least);
  verdict->energy_bound = fmax(verdict->bounds.energy * moved, analysis_energy_rounding * largest);
  if (verdict->moved <= least)
    verdict->moved = 0;
  if (record->hides_energy && verdict->moved > 0)
    verdict->energy_bound = INFINITY;
}

/* ---- The verdict as text ---- */

static bool violates_energy(const seam_run_verdict *verdict) {
  return !(fabs(verdict->energy) <= verdict->energy_bound);
}

/* A text under construction; text beyond `size` is cut. */
typedef struct text_builder {
  char *text;
  size_t size, used;
} text_builder;

static void SEAM_PRINTF(2, 3) append(text_builder *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(self->text + self->used, self->size - self->used, format, arguments);
  va_end(arguments);
  self->used += n > 0 ? (size_t)n : 0;
  if (self->used >= self->size)
    self->used = self->size - 1;
}

static const char *const reference_texts[] = {"", "the undivided run", "a run with smaller macro steps",
                                              "a tighter run by another integrator"};

static void append_percent(text_builder *to, double share) {
  append(to, share < 0.995 ? "%.2g %%" : "%.0f %%", 100 * share); /* so that 1.2 reads 120 %, not 1.2e+02 % */
}

static void append_share(text_builder *to, double share, bool is_bound) {
  if (share > analysis_print_multiples) {
    append(to, "%.2g times", share);
    return;
  }
  append(to, "%s", is_bound ? "< " : "");
  append_percent(to, share);
  append(to, " of");
}

static void append_difference(text_builder *to, const seam_deviation *of, const char *before) {
  append(to, "%s%s is %s%.2g%s%s (", before, of->quantity, of->is_bound ? "less than " : "", of->value,
         of->unit[0] != '\0' ? " " : "", of->unit);
  append_share(to, of->of_travel, of->is_bound);
  append(to, " %s) off%s%s at t = %.4g s", of->of_least ? "the least travel that counts" : "its travel",
         of->by != SEAM_TRUTH_NONE ? " " : "", reference_texts[of->by], of->time);
}

/* Writes the error and its reference. Without a valid reference, writes the reason; also the difference, if the
 * reference covers too little of the run. */
static void append_error(text_builder *to, const seam_deviation *of, bool judges) {
  if (of->by == SEAM_TRUTH_NONE) {
    append(to, judges ? "its error is not checked, as %s" : "%s", of->why);
    if (of->quantity[0] != '\0')
      append_difference(to, of, ": ");
    return;
  }
  if (of->diverges) {
    append(to, "runs with smaller macro steps do not approach this run: %s differs by %.2g%s%s at t = %.4g s",
           of->quantity, of->value, of->unit[0] != '\0' ? " " : "", of->unit, of->time);
  } else if (of->value == 0)
    append(to, "nothing differs from %s", reference_texts[of->by]);
  else
    append_difference(to, of, "");
  if (of->why[0] != '\0')
    append(to, " (%s)", of->why);
}

static void append_forces(text_builder *to, const seam_run_verdict *verdict) {
  append(to, "%s is ", verdict->forces.quantity);
  append_share(to, verdict->forces.of_travel, false);
  append(to, " its range off%s", verdict->forces.by == SEAM_TRUTH_INTEGRATOR ? "" : " at macro points");
}

static double share(double part, double total) { return total > 0 ? fabs(part) / total : 0; }

/* Writes the energy created or lost, and its ratio to the exchanged energy. If the ratio exceeds bounds.energy although
 * the energy is within energy_bound, writes "which is rounding" in its place. */
static void append_energy(text_builder *to, const seam_run_verdict *verdict) {
  const double made = fabs(verdict->energy);
  const bool violates = violates_energy(verdict);
  if (!violates && verdict->moved == 0) {
    append(to, verdict->energy_bound > 0 ? "; energy: nothing moved" : "");
    return;
  }
  append(to, "; energy: %.2g J %s, ", made, verdict->energy < 0 ? "lost" : "made");
  if (verdict->moved == 0)
    append(to, "and nothing moved");
  else if (!violates && isfinite(verdict->energy_bound) && made > verdict->bounds.energy * verdict->moved)
    append(to, "which is rounding");
  else {
    append_percent(to, share(made, verdict->moved));
    append(to, isfinite(verdict->energy_bound) ? " of what moved" : " of what moved outside of black boxes");
  }
}

size_t seam_verdict_say(const seam_run_verdict *verdict, char *text, size_t size) {
  text_builder to = {.text = text, .size = size};
  if (verdict == NULL || text == NULL || size == 0)
    return 0;
  text[0] = '\0';
  const bool has_forces = verdict->forces.of_travel > verdict->bounds.rough;
  const bool forces_decide = has_forces && verdict->word == SEAM_WORD_ROUGH &&
                             analysis_word_of(&verdict->error, &verdict->bounds) == SEAM_WORD_ACCURATE;
  append(&to, "%s: ", seam_word_text(verdict->word));
  if (forces_decide) {
    append_forces(&to, verdict);
    append(&to, "; ");
  }
  append_error(&to, &verdict->error, verdict->word != SEAM_WORD_NOT_CHECKED);
  if (has_forces && !forces_decide) {
    append(&to, "; ");
    append_forces(&to, verdict);
  }
  append_energy(&to, verdict);
  if (verdict->position > DBL_EPSILON * verdict->position_bound)
    append(&to, "; constraints hold to %.1g", verdict->position);
  else if (verdict->position > 0 || verdict->velocity > 0)
    append(&to, "; constraints hold to rounding");
  return to.used;
}

/* Adds a residual and its bound to the text unless the residual is within the bound. */
static void append_residual(text_builder *to, const seam_largest_residual *seen, double bound, const char *what,
                            const mbs_model *model) {
  if (!(seen->value <= bound))
    append(to, "%s %s.%s is %.3g at t = %.6g s (at most %.3g); ", what,
           mbs_joint_of(model, mbs_constraint_of(model, seen->constraint).joint).name,
           mbs_constraint_of(model, seen->constraint).name, seen->value, seen->time, bound);
}

static seam_status refuse(const seam_run_record *record, const mbs_model *model, bool is_cosim, bool violates,
                          const seam_run_verdict *verdict, seam_error *error) {
  char text[900] = "";
  text_builder to = {.text = text, .size = sizeof text};
  if (analysis_word_of(&verdict->error, &verdict->bounds) == SEAM_WORD_WRONG) {
    append_error(&to, &verdict->error, true);
    append(&to, "; ");
  }
  if (violates)
    append(&to, "%.3g J of energy are %s at t = %.6g s, ", fabs(record->imbalance),
           record->imbalance < 0 ? "lost" : "made", record->imbalance_time);
  if (violates && verdict->moved == 0)
    append(&to, "and nothing moved; ");
  else if (violates)
    append(&to, "%.3g %% of what moved; ", 100 * share(record->imbalance, verdict->moved));
  append_residual(&to, &record->position, verdict->position_bound, "the residual", model);
  append_residual(&to, &record->velocity, verdict->velocity_bound, "the rate of the residual", model);
  return seam_fail(error, SEAM_WRONG, "wrong: %s%s", text,
                   is_cosim ? "take a smaller macro step or another scheme"
                            : "tighten the tolerances or take a smaller step, or another integrator");
}

/* ---- The verdict ---- */

seam_status seam_run_judge(const seam_run_record *record, const mbs_model *model, bool is_cosim,
                           const seam_verdict_bounds *bounds, const seam_deviation *error_of_run,
                           const seam_deviation *error_of_forces, double moved, seam_run_verdict *verdict,
                           seam_error *error) {
  ARGUMENTS(error, record, model, bounds, verdict);
  *verdict = (seam_run_verdict){
      .energy = record->imbalance,
      .moved = isnan(moved) ? seam_run_record_exchange(record) : moved,
      .position = record->position.value,
      .velocity = record->velocity.value,
      .position_bound = bounds->constraints * model->size,
      .velocity_bound =
          bounds->constraints * fmax(record->largest_rate, analysis_least_speed * mbs_scales_of(model).speed),
      .bounds = *bounds,
      .error = {.of_travel = NAN, .confirmed = NAN, .until = NAN, .why = "it was not asked for"},
      .forces = {.of_travel = NAN}};
  if (error_of_run != NULL)
    verdict->error = *error_of_run;
  if (error_of_forces != NULL)
    verdict->forces = *error_of_forces;
  verdict->word = analysis_word_of(&verdict->error, bounds);
  if (verdict->word == SEAM_WORD_ACCURATE && verdict->forces.of_travel > bounds->rough)
    verdict->word = SEAM_WORD_ROUGH;
  bound_energy(record, model, verdict);
  const bool violates = violates_energy(verdict);
  const bool is_within =
      record->position.value <= verdict->position_bound && record->velocity.value <= verdict->velocity_bound;
  if (violates || !is_within)
    verdict->word = SEAM_WORD_WRONG;
  return verdict->word == SEAM_WORD_WRONG ? refuse(record, model, is_cosim, violates, verdict, error) : SEAM_OK;
}
