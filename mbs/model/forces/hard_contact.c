/* Modes of hard contacts and their switching functions (equations: mbs/model/unilateral.h), with the gap g, the slip
 * u_T, the normal force λ_N, the friction λ_T and its coefficient μ. δ and δ_u are small tolerances. A mode ends when
 * one of its functions falls below zero:
 *
 *   open                g; a stop with two bounds has one function for the gap to each bound
 *   unloaded            δ + g, δ - g: the contact touches without force, since other contacts keep g at zero
 *   sticking            λ_N, μ λ_N - λ_T, μ λ_N + λ_T
 *   sliding             λ_N, σ u_T, σ = ±1 the direction of slip
 *   at the limit        λ_N, δ_u + u_T, δ_u - u_T: friction is at the limit, but other contacts keep u_T at zero
 *   smooth              λ_N; if μ > 0, also δ_u + u_T, δ_u - u_T: no friction acts, since others keep u_T at zero
 *
 * All modes with the function λ_N are closed. */
#include "mbs/model/forces/hard_contact.h"

#include <math.h>
#include <string.h>

#include "mbs/model/forces/stop.h"
#include "mbs/model/unilateral.h"
#include "mbs/thresholds.h"

void mbs_hard_load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                   mbs_power *power) {
  (void)force, (void)pair, (void)t, (void)z, (void)power;
  memset(Q, 0, 6 * sizeof *Q);
}

bool mbs_hard_has_friction(const mbs_force *force, const mbs_pair *pair) {
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, pair, &gap);
  return force->contact.friction > 0 && gap.s < mbs_gap_closed * mbs_size_of_positions(force, pair);
}

double mbs_gap_at(const mbs_force *force, const mbs_frame *frames, const double *z, double t, double *rate) {
  if (force->cable != NULL) {
    const mbs_cable_slack slack = mbs_cable_slack_of(force, frames, z, t);
    *rate = slack.rate;
    return slack.gap;
  }
  const mbs_pair pair = mbs_force_pair(force, frames);
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, &pair, &gap);
  *rate = mbs_relative_rate(&gap, &pair);
  return gap.s;
}

enum { OF_NORMAL, OF_SLIP, OF_OTHER_SLIP, N_FUNCTIONS, OF_OTHER_SIDE = OF_OTHER_SLIP };

/* Finds the functions of an open or unloaded contact. A stop with two bounds has a function for the gap to each: the
 * gap to the nearer one has a kink half-way between them. */
static void read_gap(const mbs_workspace *ws, const mbs_state *state, const mbs_force *force, double mode,
                     mbs_switch *f) {
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  /* distance between the bounds of a stop; infinite if it has only one bound */
  const double range = force->kind == MBS_STOP ? force->stop.upper - force->stop.lower : INFINITY;
  double rate;
  const double gap = mbs_gap_at(force, ws->frames, state->z, mbs_law_time(ws, state->t), &rate);
  const double distance = mbs_contact_kinematics_distance(ws, force->hard);
  if (fabs(gap) <= distance && fabs(rate) <= mbs_contact_zero_rate(ws, force->hard))
    rate = 0; /* the contact has just opened: its rate is round-off */
  if (mode == MBS_HARD_UNLOADED) {
    const double gap_play = mbs_contact_play * ws->model->scales.length / mbs_contact_unit(ws, force->hard);
    f[OF_NORMAL] = (mbs_switch){gap + gap_play, rate, 0};
    f[OF_SLIP] = (mbs_switch){gap_play - gap, -rate, 0};
    return;
  }
  const bool is_upper = isfinite(range) && mbs_hard_stop_sense(force, &pair) < 0;
  f[is_upper ? OF_OTHER_SIDE : OF_NORMAL] = (mbs_switch){gap, rate, distance};
  if (isfinite(range))
    f[is_upper ? OF_NORMAL : OF_OTHER_SIDE] = (mbs_switch){range - gap, -rate, distance};
}

static void read(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f) {
  const mbs_force *force = &ws->model->forces[element];
  const double *of = ws->unilateral->force + 2 * force->hard; /* λ_N and λ_T of this contact in the present modes */
  const double mode = state->z[force->state];
  for (int k = 0; k < N_FUNCTIONS; k++)
    f[k] = mbs_no_switch;
  if (mbs_is_two_sided(force))
    return;
  if (!mbs_hard_is_closed(mode)) {
    read_gap(ws, state, force, mode, f);
    return;
  }
  double largest = 0; /* the round-off of all contact forces is proportional to the largest */
  for (int i = 0; i < 2 * ws->unilateral->n; i++)
    largest = fmax(largest, fabs(ws->unilateral->force[i]));
  const double noise = mbs_contact_force_noise * largest;
  const double mu = force->contact.friction;
  const double slip = ws->unilateral->kinematics[force->hard].slip;
  const double slip_play = mbs_contact_play * ws->model->scales.speed;
  f[OF_NORMAL] = (mbs_switch){of[0], NAN, noise};
  if (mode == MBS_HARD_STICKS) {
    f[OF_SLIP] = (mbs_switch){mu * of[0] - of[1], NAN, noise};
    f[OF_OTHER_SLIP] = (mbs_switch){mu * of[0] + of[1], NAN, noise};
  } else if (mode == MBS_HARD_FORWARDS || mode == MBS_HARD_BACKWARDS)
    f[OF_SLIP] = (mbs_switch){mbs_hard_direction(mode) * slip, NAN, ws->unilateral->zero_rate};
  else if (mu > 0) {
    f[OF_SLIP] = (mbs_switch){slip_play - slip, NAN, 0};
    f[OF_OTHER_SLIP] = (mbs_switch){slip_play + slip, NAN, 0};
  }
}

static bool is_of_motion(const mbs_model *model, const mbs_state *state, int element) {
  return !mbs_hard_is_closed(mbs_hard_mode_in(&model->forces[element], state->z));
}

/* Gives the contact the mode open. Sets is_due, so that mbs_switch_contacts() will find the modes of all hard contacts
 * together. */
static void enter(const mbs_workspace *ws, int element, mbs_state *state) {
  const mbs_force *force = &ws->model->forces[element];
  double *z = state->z + force->state;
  z[MBS_HARD_MODE] = MBS_HARD_OPEN;
  z[MBS_HARD_MERGED_UNTIL] = MBS_HARD_NEVER;
  z[MBS_HARD_STUCK_AT] = 0;
  ws->unilateral->is_due = true;
}

static void pass(const mbs_workspace *ws, int element, int number, mbs_state *state) {
  const mbs_force *force = &ws->model->forces[element];
  const double mode = state->z[force->state];
  mbs_unilateral *self = ws->unilateral;
  self->is_due = true;
  self->stops[force->hard] = self->stops[force->hard] || (number != OF_NORMAL && mode != MBS_HARD_STICKS);
  self->returns[force->hard] = mode == MBS_HARD_OPEN;
  if ((number == OF_NORMAL && mbs_hard_is_closed(mode)) || (number != OF_NORMAL && mode == MBS_HARD_STICKS)) {
    self->has_ended[force->hard] = true;
    self->ended_normal[force->hard] = number == OF_NORMAL;
  }
}

const mbs_switches mbs_hard_switches = {.n_modes = MBS_HARD_STATES,
                                        .n_records = MBS_HARD_RECORDS,
                                        .n = N_FUNCTIONS,
                                        .of_forces = true,
                                        .is_of_motion = is_of_motion,
                                        .read = read,
                                        .enter = enter,
                                        .pass = pass};

seam_status mbs_hard_check(const mbs_force_def *def, const char *kind, seam_error *error) {
  const mbs_contact *contact = &def->contact;
  if (def->stiffness[0] != 0 || def->damping[0] != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s' is hard and takes no stiffness or damping: give a 'restitution' instead", kind,
                     def->name);
  if (!(contact->friction >= 0 && isfinite(contact->friction)))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its friction must be finite and not negative", kind, def->name);
  if (!isnan(contact->restitution) && !(contact->restitution >= 0 && contact->restitution <= 1))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its restitution %g must be within 0 and 1", kind, def->name,
                     contact->restitution);
  if ((int)contact->impact < 0 || (int)contact->impact >= MBS_IMPACTS)
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': there is no law %d of impacts: take one of <seam/mbs.h>", kind,
                     def->name, (int)contact->impact);
  return SEAM_OK;
}
