/* Whether the results of a run can be believed (<seam/verdict.h>): what its states say of energies and constraints
 * against what its tolerances allow. With the energy balance
 *
 *   B = T + V + w_dissipated - w_driven,   constant but for errors,
 *   E = max(max T, max V - min V, max |w_dissipated|, max |w_driven|), the largest exchange of energy,
 *
 * the run is suspect when |B - B(0)| exceeds a share of E and what velocities that are off by the absolute tolerance
 * would cause. */
#include "analysis/run_verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/events.h>
#include <seam/verdict.h>
#include <seam/watch.h>

#include "base/argument.h"
#include "base/largest.h"
#include "cosim/mechanism/simulation.h"
#include "mbs/workspace.h"

static const double least_gap = 1e-6; /* residual, of the mechanism's size or its fastest motion */
static const double beside = 1e-12;   /* a time just before, of the time or of 1 s */

/* Bounds: docs/theory.md gives the reasons. */
static const double least_share = 1e-3;    /* of the exchange of energy, at tight tolerances */
static const double share_of_rtol = 5e3;   /* of it for a relative tolerance of 1 */
static const double share_of_fixed = 0.05; /* of it at fixed steps, and at most at any tolerance */
static const double share_of_cosim = 0.1;
static const double rounding = 1e-9;          /* of the largest absolute energy */
static const double share_of_missed = 2e4;    /* of it for a relative tolerance of 1 */
static const double rounding_of_fixed = 1e-6; /* rows may miss all of the exchange, as those at a whole period do */
static const double steps_of_atol = 1e3;

static const double gap_of_rtol = 10;
static const double gap_of_atol = 100;
static const double gap_of_cosim = 1e-2;

static const double share_of_kinks = 0.01; /* of the largest relative velocity */
static const double share_of_contacts = 0.01;

static const double share_of_bounces = 1e-6;

static const double share_of_late = 0.05; /* of the time */

static const double share_of_signal = 1.2; /* of its standard deviation */

static const double few_rejected = 100;

/* What is noise of something of a scale where no absolute tolerance is given; NULL: that of a co-simulation. */
static double absolute_tolerance(const mbs_integrator_options *options, double scale) {
  const double noise = 1e-10;
  const double atol = options != NULL ? options->atol : cosim_default_options().integrator.atol;
  return atol > 0 ? atol : noise * scale;
}

/* ---- What the states say ---- */

/* One that is not a number is larger than all. */
static void raise(seam_largest_residual *seen, const double *values, size_t n, double time) {
  if (largest_size(values, n) <= seen->value)
    return;
  for (size_t i = 0; i < n; i++)
    if (!isnan(seen->value) && !(fabs(values[i]) <= seen->value))
      *seen = (seam_largest_residual){.value = fabs(values[i]), .constraint = i, .time = time};
}

double analysis_energy_balance(const mbs_energy *energy) { return energy->total + energy->dissipated - energy->driven; }

static void add_energy(seam_run_record *record, const mbs_energy *energy, double time) {
  const double balance = analysis_energy_balance(energy);
  if (record->n_states == 0) {
    record->initial_energy = balance;
    record->least_potential = record->largest_potential = energy->potential;
  }
  record->largest_kinetic = fmax(record->largest_kinetic, energy->kinetic);
  record->least_potential = fmin(record->least_potential, energy->potential);
  record->largest_potential = fmax(record->largest_potential, energy->potential);
  record->largest_dissipated = fmax(record->largest_dissipated, fabs(energy->dissipated));
  record->largest_driven = fmax(record->largest_driven, fabs(energy->driven));
  const double imbalance = balance - record->initial_energy;
  record->last_imbalance = imbalance;
  if (!isnan(record->imbalance) && !(fabs(imbalance) <= fabs(record->imbalance))) {
    record->imbalance = imbalance;
    record->imbalance_time = time;
  }
}

static double largest_rate(const mbs_model *model, const mbs_state *state) {
  const double arm[3] = {1, 1, model->size};
  double largest = 0;
  for (const double *v = state->v; v < state->v + 3 * (size_t)model->n_bodies; v += 3)
    for (int i = 0; i < 3; i++)
      if (fabs(v[i]) * arm[i] > largest)
        largest = fabs(v[i]) * arm[i];
  return largest;
}

/* Where the rate of a motion jumps, a state may be the one before or the one after: the side that fits better counts.
 */
static void find_rates(mbs_workspace *workspace, const mbs_state *state, size_t m, double *rates) {
  mbs_state near = *state;
  double best = INFINITY;
  double at = state->t;
  for (int side = -1; side <= 1; side++) {
    near.t = state->t + side * beside * fmax(1, fabs(state->t));
    mbs_residuals(workspace, &near, NULL, rates, NULL);
    const double gap = largest_size(rates, m);
    if (gap < best)
      best = gap, at = near.t;
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
  if (largest_size(residuals + m, m) > least_gap * rate)
    find_rates(workspace, state, m, residuals + m);
  raise(&record->position, residuals, m, state->t);
  raise(&record->velocity, residuals + m, m, state->t);
  const mbs_energy energy = mbs_energy_at_hand(workspace, state);
  add_energy(record, &energy, state->t);
  record->bounces = mbs_bounces_taken(model, state);
  record->largest_rate = fmax(record->largest_rate, rate);
  record->n_states++;
}

/* Under Euler's methods the work of held forces differs from the change of energies by as much as is to be judged. */
static bool measures_work(const cosim_simulation *simulation) {
  bool measures = true;
  for (size_t s = 0; s < simulation->partition.n_subsystems; s++) {
    const mbs_integrator_options *own = simulation->partition.subsystems[s].integrator;
    const char *method = (own != NULL ? own : &simulation->definition.options.integrator)->method;
    measures = measures && strcmp(method, "euler") != 0 && strcmp(method, "symplectic_euler") != 0;
  }
  return measures;
}

/* Of the contact that created most beside what passed through it. Positions are off by the absolute tolerance, and work
 * of both sides by the relative one. */
static void find_contact(seam_run_record *record, const cosim_simulation *simulation) {
  const mbs_integrator_options *options = &simulation->definition.options.integrator;
  double largest = 0;
  for (size_t k = 0; k < simulation->partition.n_cuts; k++) {
    const cosim_energy_ledger *of = &simulation->ledgers[k];
    const double atol = absolute_tolerance(options, mbs_scales_of(simulation->model).length);
    const double noise = steps_of_atol * atol * of->force + gap_of_rtol * options->rtol * of->moved;
    const double share = of->largest_created / (share_of_contacts * of->passed + noise);
    if (share > largest) {
      largest = share;
      record->contact_created = of->largest_created;
      record->contact_passed = of->passed;
      record->contact_noise = noise;
    }
  }
}

static void take_signals(seam_run_record *record, const cosim_simulation *simulation) {
  cosim_hold_error hold;
  const bool is_known = cosim_least_predicted(simulation, &hold);
  record->signal_miss = is_known ? hold.better_share : 0;
  record->signal = is_known ? hold.name : NULL;
}

void seam_run_record_couplings(seam_run_record *record, const cosim_simulation *simulation) {
  if (record == NULL || simulation == NULL)
    return;
  const cosim_statistics statistics = cosim_statistics_of(simulation);
  record->law_kink_error = statistics.law_kink_error;
  record->law_speed = statistics.law_speed;
  record->reaction_error = isnan(statistics.reaction_error) ? 0 : statistics.reaction_error;
  record->largest_reaction = statistics.largest_reaction;
  record->shortest_step = statistics.shortest;
  record->late_samples = statistics.late_samples;
  record->late_time = statistics.late_time;
  record->doubtful_slips = (double)statistics.doubtful_slips;
  record->slip = statistics.slip;
  record->slip_time = statistics.slip_time;
  take_signals(record, simulation);
  for (size_t k = 0; k < cosim_n_part_couplings(simulation); k++) {
    double passed, force;
    record->part_created += fabs(cosim_part_coupling_energy(simulation, k, &passed, &force).residual_energy);
    record->part_passed += passed;
    record->part_force = fmax(record->part_force, force);
  }
  if (!measures_work(simulation))
    return;
  record->contact_energy = statistics.contact_energy;
  find_contact(record, simulation);
  if (cosim_n_signals(simulation) > 0)
    return;
  record->has_couplings = true;
  record->created = 0;
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    record->created += cosim_coupling_created(simulation, k);
}

double seam_run_record_exchange(const seam_run_record *record) {
  if (record == NULL)
    return NAN;
  return fmax(fmax(record->largest_kinetic, record->largest_potential - record->least_potential),
              fmax(record->largest_dissipated, record->largest_driven));
}

/* ---- Bounds ---- */

static bool is_fixed(const mbs_integrator_options *options) { return options->step > 0; }

static double energy_share(const mbs_integrator_options *options) {
  if (options == NULL)
    return share_of_cosim;
  return is_fixed(options) ? share_of_fixed : fmin(fmax(least_share, share_of_rtol * options->rtol), share_of_fixed);
}

static double rounding_of(const mbs_integrator_options *options) {
  const bool is_adaptive = options != NULL && !is_fixed(options);
  return rounding + (is_adaptive ? fmin(share_of_missed * options->rtol, least_share) : rounding_of_fixed);
}

/* Of the largest kinetic energy when all velocities are off by u: (√E + √(Σ m u² / 2))² - E. */
static double energy_of_error(const mbs_model *model, double exchange, double u) {
  double moved = 0;
  for (size_t i = 3; i < 3 * (mbs_n_bodies(model) + 1); i++)
    moved += model->mass[i] * u * u / 2;
  return moved + 2 * sqrt(exchange * moved);
}

static double energy_bound(const seam_run_record *record, const mbs_model *model, const mbs_integrator_options *options,
                           double share) {
  const double exchange = seam_run_record_exchange(record);
  const double largest =
      fmax(record->largest_kinetic, fmax(fabs(record->least_potential), fabs(record->largest_potential)));
  const double atol = absolute_tolerance(options, model->scales.speed);
  return fmax(share * exchange, rounding_of(options) * largest) +
         energy_of_error(model, exchange, steps_of_atol * atol);
}

/* What positions that are off by the absolute tolerance would cause is none of theirs. */
static double part_bound(const seam_run_record *record, const mbs_model *model, const mbs_integrator_options *options) {
  return share_of_cosim * record->part_passed +
         steps_of_atol * absolute_tolerance(options, model->scales.length) * record->part_force;
}

/* What velocities that the integrators leave off by their tolerance make in a macro step is none of theirs either. */
static double reaction_bound(const seam_run_record *record, const mbs_model *model,
                             const mbs_integrator_options *options) {
  const double speed = steps_of_atol * absolute_tolerance(options, model->scales.speed);
  double mass = 0;
  for (int b = 1; b <= model->n_bodies; b++)
    mass += model->mass[3 * (size_t)b];
  const double noise = record->shortest_step > 0 ? mass * speed / record->shortest_step : 0;
  return share_of_cosim * record->largest_reaction + noise * fmax(1, model->size);
}

static double contact_bound(const seam_run_record *record) {
  return share_of_contacts * record->contact_passed + record->contact_noise;
}

/* All contacts beside the whole mechanism, or one beside what passed through it: heavy bodies hide a light one. */
static void judge_contacts(const seam_run_record *record, const mbs_model *model, const mbs_integrator_options *options,
                           seam_run_verdict *verdict) {
  double *figure = &verdict->figure[SEAM_CONTACT_ENERGY], *bound = &verdict->bound[SEAM_CONTACT_ENERGY];
  *figure = record->contact_energy;
  *bound = energy_bound(record, model, options, share_of_contacts);
  if (record->contact_created * *bound > *figure * contact_bound(record)) {
    *figure = record->contact_created;
    *bound = contact_bound(record);
  }
}

static double gap_bound(double size, const mbs_integrator_options *options) {
  const double share = options == NULL ? gap_of_cosim : fmax(least_gap, gap_of_rtol * options->rtol);
  return share * size + gap_of_atol * absolute_tolerance(options, size);
}

/* ---- The verdict ---- */

static const char *const names[SEAM_N_CRITERIA] = {"energy",    "g",        "gd",      "rejected",       "couplings",
                                                   "law_kinks", "contacts", "bounces", "part_couplings", "reactions",
                                                   "samples",   "signals",  "slips"};

const char *seam_criterion_name(seam_criterion criterion) {
  return (unsigned)criterion < SEAM_N_CRITERIA ? names[criterion] : NULL;
}

static bool is_met(const seam_run_verdict *verdict, seam_criterion i) {
  return fabs(verdict->figure[i]) <= verdict->bound[i];
}

/* Judged by what passed through one contact, where that is stricter. */
static bool is_own_contact(const seam_run_record *record, const seam_run_verdict *verdict) {
  return verdict->bound[SEAM_CONTACT_ENERGY] == contact_bound(record);
}

static const char *remedy(const mbs_integrator_options *options) {
  if (options == NULL)
    return "take a smaller macro step or another scheme";
  return is_fixed(options) ? "take a smaller step"
                           : "tighten the tolerances, give a shorter largest_step, or take another integrator";
}

static int say_energy(const seam_run_record *record, const seam_run_verdict *verdict, char *text, size_t size) {
  const double exchange = seam_run_record_exchange(record);
  return snprintf(
      text, size,
      "the energy balance is off by %.3g J at t = %.6g s, %.3g %% of the largest exchange of energy (at most "
      "%.3g %%); ",
      record->imbalance, record->imbalance_time, 100 * fabs(record->imbalance) / exchange,
      100 * verdict->bound[SEAM_ENERGY_BALANCE] / exchange);
}

static int say_residual(const seam_largest_residual *seen, const char *what, double bound, const mbs_model *model,
                        char *text, size_t size) {
  return snprintf(text, size, "%s %s.%s is %.3g at t = %.6g s (at most %.3g); ", what,
                  mbs_joint_name(model, mbs_constraint_joint(model, seen->constraint)),
                  mbs_constraint_name(model, seen->constraint), seen->value, seen->time, bound);
}

static int say_contacts(const seam_run_record *record, const seam_run_verdict *verdict, char *text, size_t size) {
  const double created = verdict->figure[SEAM_CONTACT_ENERGY];
  const bool is_own = is_own_contact(record, verdict);
  const double of = is_own ? record->contact_passed : seam_run_record_exchange(record);
  return snprintf(text, size, "%s created or destroyed %.3g J, %.3g %% of %s (at most %.3g %%); ",
                  is_own ? "a contact at a cut" : "contacts at cuts", created, 100 * created / of,
                  is_own ? "the energy that it took and gave back" : "the largest exchange of energy",
                  100 * share_of_contacts);
}

static void say_couplings(const seam_run_record *record, const mbs_model *model, const seam_run_verdict *verdict,
                          char *text, size_t size) {
  size_t n = 0;
  if (!is_met(verdict, SEAM_REACTIONS))
    n += (size_t)snprintf(
        text, size,
        "forces at cut joints are off by up to %.3g N or Nm, the largest reaction of the whole is %.3g (at most "
        "%.3g %% of it); ",
        record->reaction_error, record->largest_reaction, 100 * share_of_cosim);
  if (!is_met(verdict, SEAM_LATE_SAMPLES) && n < size)
    n += (size_t)snprintf(
        text + n, size - n, "samples of %s act late for %.3g %% of the time (at most %.3g %%): %s; ",
        record->late_time > 0 ? "equations" : "an FMU", 100 * record->late_samples, 100 * share_of_late,
        record->late_time > 0 ? "take steps of the FMU that divide the period" : "take an FMU with event mode");
  if (!is_met(verdict, SEAM_SLIPS) && n < size)
    n += (size_t)snprintf(
        text + n, size - n,
        "%.0f times it is in doubt whether hard friction that falls at once begins to slip, first that of joint "
        "'%.60s' at "
        "t = %.6g s: its load changes too much in a macro step, or another joint may slip in its place; give it a "
        "'stribeck_speed'; ",
        record->doubtful_slips, mbs_joint_name(model, record->slip), record->slip_time);
  if (!is_met(verdict, SEAM_SIGNALS) && n < size)
    snprintf(
        text + n, size - n,
        "what '%.100s' receives is not predicted by holds of any order, which miss the next macro point by %.3g %% "
        "of its standard deviation (at most %.3g %%): macro steps are too long for it, or it is unstable; ",
        record->signal != NULL ? record->signal : "", 100 * record->signal_miss, 100 * share_of_signal);
}

static seam_status say(const seam_run_record *record, const mbs_model *model, const mbs_integrator_options *options,
                       const mbs_statistics *statistics, const seam_run_verdict *verdict, seam_error *error) {
  char text[1024] = "";
  size_t n = 0;
  if (!is_met(verdict, SEAM_ENERGY_BALANCE))
    n += (size_t)say_energy(record, verdict, text, sizeof text);
  if (!is_met(verdict, SEAM_POSITION_RESIDUAL) && n < sizeof text)
    n += (size_t)say_residual(&record->position, "the residual", verdict->bound[SEAM_POSITION_RESIDUAL], model,
                              text + n, sizeof text - n);
  if (!is_met(verdict, SEAM_VELOCITY_RESIDUAL) && n < sizeof text)
    n += (size_t)say_residual(&record->velocity, "the rate of the residual", verdict->bound[SEAM_VELOCITY_RESIDUAL],
                              model, text + n, sizeof text - n);
  if (!is_met(verdict, SEAM_REJECTED_STEPS) && n < sizeof text)
    n += (size_t)snprintf(text + n, sizeof text - n, "the integrator rejected %zu steps and took %zu; ",
                          statistics->rejected, statistics->steps);
  if (!is_met(verdict, SEAM_COUPLING_ENERGY) && n < sizeof text)
    n += (size_t)snprintf(
        text + n, sizeof text - n,
        "the couplings created %.3g J by their forces, the motion shows %.3g J (at most %.3g J apart); ",
        record->created, record->last_imbalance, verdict->bound[SEAM_COUPLING_ENERGY]);
  if (!is_met(verdict, SEAM_LAW_KINKS) && n < sizeof text)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "kinks or jumps in laws of cut force elements may have changed velocities by %.3g m/s or "
                          "rad/s, the largest relative velocity there is %.3g (at most %.3g of it); ",
                          record->law_kink_error, record->law_speed, share_of_kinks);
  if (!is_met(verdict, SEAM_CONTACT_ENERGY) && n < sizeof text)
    n += (size_t)say_contacts(record, verdict, text + n, sizeof text - n);
  if (!is_met(verdict, SEAM_BOUNCES) && n < sizeof text)
    n += (size_t)snprintf(
        text + n, sizeof text - n,
        "hard contacts bounced too fast to be followed, which took %.3g J, %.3g %% of the largest exchange of "
        "energy (at most %.3g %%): give them a smaller restitution; ",
        record->bounces, 100 * record->bounces / seam_run_record_exchange(record), 100 * share_of_bounces);
  if (!is_met(verdict, SEAM_PART_ENERGY) && n < sizeof text)
    n += (size_t)snprintf(
        text + n, sizeof text - n,
        "couplings with sides created or destroyed %.3g J, %.3g %% of what flowed through them (at most %.3g %%); ",
        record->part_created, 100 * record->part_created / record->part_passed, 100 * share_of_cosim);
  if (n < sizeof text)
    say_couplings(record, model, verdict, text + n, sizeof text - n);
  return seam_fail(error, SEAM_SUSPECT, "suspect: %s%s", text, remedy(options));
}

seam_status seam_run_judge(const seam_run_record *record, const mbs_model *model, const mbs_integrator_options *options,
                           const mbs_statistics *statistics, seam_run_verdict *verdict, seam_error *error) {
  ARGUMENTS(error, record, model, statistics, verdict);
  *verdict = (seam_run_verdict){
      .figure = {[SEAM_ENERGY_BALANCE] = record->imbalance,
                 [SEAM_POSITION_RESIDUAL] = record->position.value,
                 [SEAM_VELOCITY_RESIDUAL] = record->velocity.value,
                 [SEAM_REJECTED_STEPS] = (double)statistics->rejected,
                 [SEAM_COUPLING_ENERGY] = record->has_couplings ? record->created - record->last_imbalance : 0,
                 [SEAM_LAW_KINKS] = record->law_kink_error,
                 [SEAM_BOUNCES] = record->bounces,
                 [SEAM_PART_ENERGY] = record->part_created,
                 [SEAM_REACTIONS] = record->reaction_error,
                 [SEAM_LATE_SAMPLES] = record->late_samples,
                 [SEAM_SIGNALS] = record->signal_miss,
                 [SEAM_SLIPS] = record->doubtful_slips},
      .bound = {[SEAM_ENERGY_BALANCE] = energy_bound(record, model, options, energy_share(options)),
                [SEAM_POSITION_RESIDUAL] = gap_bound(model->size, options),
                [SEAM_VELOCITY_RESIDUAL] = gap_bound(record->largest_rate, options),
                [SEAM_REJECTED_STEPS] = (double)statistics->steps + few_rejected,
                [SEAM_COUPLING_ENERGY] = energy_bound(record, model, options, energy_share(options)),
                [SEAM_LAW_KINKS] = share_of_kinks * record->law_speed,
                [SEAM_BOUNCES] = share_of_bounces * seam_run_record_exchange(record),
                [SEAM_PART_ENERGY] = part_bound(record, model, options),
                [SEAM_REACTIONS] = reaction_bound(record, model, options),
                [SEAM_LATE_SAMPLES] = share_of_late,
                [SEAM_SIGNALS] = share_of_signal}};
  judge_contacts(record, model, options, verdict);
  for (seam_criterion i = 0; i < SEAM_N_CRITERIA; i++)
    if (!is_met(verdict, i))
      return say(record, model, options, statistics, verdict, error);
  return SEAM_OK;
}
