/* Modes of hard (set-valued) friction of joints ([Pfeiffer-Glocker] 5). A joint with the coordinate s and the lever ρ
 * (mbs/model/friction.c) has the slip u = ρ ṡ. In a sticking joint the friction force is h = -λ_hold/ρ, with the
 * multiplier λ_hold of the constraint that keeps s constant. N is the normal force, N° the preload, μ_s the static
 * coefficient.
 *
 *   slips up     u > 0: ends when u falls below zero
 *   slips down   u < 0: ends when u rises above zero
 *   sticks       ends when |h| exceeds μ_s (N + N°): the joint then slips against h
 *   at rest      ends when u is no longer zero: the joint then slips in the direction of u
 *   stopped      ends in mbs_resolve_friction_modes(): the joint then sticks or is at rest
 *
 * When the slip of a joint comes to zero, the joint gets the mode "stopped" (MBS_STOPPED). The error of the step leaves
 * a nonzero u, whose sign must not make the joint slip. Joints that have stopped or are at rest are then taken in the
 * order of their numbers. A joint sticks if its constraint is independent of those of other joints and of hard
 * contacts; then a projection makes its u zero. Otherwise it is at rest (MBS_AT_REST), without friction. A sticking
 * joint with too large an |h| then slips, joints at rest may stick in its place, and a joint at rest that accelerates
 * slips. */
#include <float.h>
#include <math.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/model/friction.h"
#include "mbs/output/measurements.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

typedef struct slip {
  double u, rate, noise; /* slip, m/s; its rate, m/s²; round-off of the slip, m/s */
  double s;              /* coordinate of the joint */
} slip;

static slip slip_of(const mbs_workspace *ws, const mbs_joint *joint, const mbs_state *state) {
  const double lever = mbs_friction_lever(joint);
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  mbs_relative_coordinate s[mbs_max_rows];
  double motion[3];
  double v[6];
  joint->type->find_coordinates(joint, &pair, s);
  const mbs_relative_coordinate *coordinate = &s[joint->type->n_rows - 1];
  mbs_relative_motion(coordinate, &pair, joint->body, state->a, motion);
  mbs_gather(joint->body, state->v, v);
  slip of = {.u = lever * motion[1],
             .rate = lever * motion[2],
             .s = motion[0],
             .noise = mbs_least_slip_noise * ws->model->scales.speed};
  for (int i = 0; i < 6; i++)
    of.noise += mbs_slip_noise * lever * fabs(coordinate->J[i] * v[i]);
  return of;
}

static void read(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f) {
  const mbs_joint *joint = &ws->model->joints[element];
  const mbs_friction_mode mode = mbs_friction_mode_of(joint, state->z);
  f[0] = f[1] = mbs_no_switch;
  if (mode == MBS_SLIPS_UP || mode == MBS_SLIPS_DOWN) {
    const slip of = slip_of(ws, joint, state);
    const double direction = mode == MBS_SLIPS_UP ? 1 : -1;
    f[0] = (mbs_switch){direction * of.u, direction * of.rate, of.noise};
  }
  if (mode == MBS_AT_REST) {
    const slip of = slip_of(ws, joint, state);
    f[0] = (mbs_switch){mbs_slip_begins * of.noise - of.u, NAN, of.noise};
    f[1] = (mbs_switch){mbs_slip_begins * of.noise + of.u, NAN, of.noise};
  }
  if (mode == MBS_STICKS) {
    const double *lambda = state->lambda + joint->row;
    const double h = -lambda[joint->type->n_rows - 1] / mbs_friction_lever(joint);
    const double limit = mbs_friction_limit(joint, lambda);
    const double noise = mbs_stick_noise * (limit + fabs(h)) + DBL_MIN;
    f[0] = (mbs_switch){limit - h, NAN, noise};
    f[1] = (mbs_switch){limit + h, NAN, noise};
  }
}

static void set_mode(const mbs_joint *joint, mbs_state *state, mbs_friction_mode mode, double s) {
  state->z[joint->mode] = mode;
  state->z[joint->mode + 1] = s;
}

static void enter(const mbs_workspace *ws, int element, mbs_state *state) {
  const mbs_joint *joint = &ws->model->joints[element];
  const slip of = slip_of(ws, joint, state);
  set_mode(joint, state, fabs(of.u) <= of.noise ? MBS_AT_REST : of.u > 0 ? MBS_SLIPS_UP : MBS_SLIPS_DOWN, 0);
}

void mbs_enter_frictions(const mbs_workspace *ws, mbs_state *state) {
  for (int j = 0; j < ws->model->n_joints; j++)
    if (ws->model->joints[j].type->can_stick)
      enter(ws, j, state);
}

/* Returns the sum of the magnitudes of all terms in the rate of a joint's slip, m/s²; the round-off of the rate is
 * proportional to it. In Q, friction may cancel other forces on the joint, so the friction limit is added to |Q|. */
static double scale_of_rate(const mbs_workspace *ws, const mbs_joint *joint, const mbs_state *state) {
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  mbs_relative_coordinate s[mbs_max_rows];
  const double friction = mbs_friction_lever(joint) * mbs_friction_limit(joint, state->lambda + joint->row);
  double a[6];
  double sum = 0;
  joint->type->find_coordinates(joint, &pair, s);
  mbs_gather(joint->body, state->a, a);
  for (int i = 0; i < 6; i++) {
    const int k = 3 * joint->body[i / 3] + i % 3;
    const double J = fabs(s[joint->type->n_rows - 1].J[i]);
    sum += J * (fabs(a[i]) + ws->model->inverse_mass[k] * (fabs(ws->Q[k]) + J * friction));
  }
  return mbs_friction_lever(joint) * sum;
}

/* Gives the mode "stopped" to joints whose slip is zero up to round-off, or becomes zero within the round-off of t.
 * Returns true if there are any. */
static bool stop_together(const mbs_workspace *ws, mbs_state *state) {
  bool any = false;
  const double moment = mbs_stop_together * fabs(state->t);
  for (int j = 0; j < ws->model->n_joints; j++) {
    const mbs_joint *joint = &ws->model->joints[j];
    const mbs_friction_mode mode = mbs_friction_mode_of(joint, state->z);
    if (mode != MBS_SLIPS_UP && mode != MBS_SLIPS_DOWN)
      continue;
    const slip of = slip_of(ws, joint, state);
    if (fabs(of.u) > mbs_stops_with * of.noise + moment * fabs(of.rate))
      continue;
    set_mode(joint, state, MBS_STOPPED, 0);
    any = true;
  }
  return any;
}

/* Changes a joint's mode after a zero of switching function `number` of read(). A sticking joint slips against its
 * friction force h. Function 0 is zero when h reaches its upper limit: the joint then slips down. */
static void pass(const mbs_workspace *ws, int element, int number, mbs_state *state) {
  const mbs_joint *joint = &ws->model->joints[element];
  const mbs_friction_mode mode = mbs_friction_mode_of(joint, state->z);
  if (mode == MBS_STICKS || mode == MBS_AT_REST) {
    const bool is_down = (number == 0) == (mode == MBS_STICKS);
    set_mode(joint, state, is_down ? MBS_SLIPS_DOWN : MBS_SLIPS_UP, 0);
    return;
  }
  set_mode(joint, state, MBS_STOPPED, 0);
  (void)stop_together(ws, state);
}

const mbs_switches mbs_friction_switches = {
    .n_modes = 2, .n = 2, .of_forces = true, .read = read, .enter = enter, .pass = pass};

/* Finds kinematics, constraints and factors of S = G M⁻¹ Gᵀ for the state and its modes. Returns the least quotient of
 * a pivot of S and its reference (solvers/ldl.h): small for nearly dependent constraints, 0 for dependent ones. */
static double smallest_quotient(mbs_workspace *ws, const mbs_state *state) {
  double quotient = 1;
  mbs_load_stick_states(ws, state->z);
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_set_port_frames(ws, state->t);
  mbs_stage_constraints(ws, state->t);
  if (mbs_stage_factor(ws, ws->model->inverse_mass) >= 0)
    return 0;
  seam_ldl_smallest_quotient(ws->solver, &quotient);
  return quotient;
}

/* Makes joints that have stopped or are at rest stick, one after the other. A joint with a dependent constraint is at
 * rest instead. Returns true if a joint begins to stick. */
static bool stick(mbs_workspace *ws, mbs_state *state) {
  bool any = false;
  double before = smallest_quotient(ws, state);
  for (int j = 0; j < ws->model->n_joints; j++) {
    const mbs_joint *joint = &ws->model->joints[j];
    const mbs_friction_mode mode = mbs_friction_mode_of(joint, state->z);
    if (mode != MBS_AT_REST && mode != MBS_STOPPED)
      continue;
    set_mode(joint, state, MBS_STICKS, slip_of(ws, joint, state).s);
    const double after = smallest_quotient(ws, state);
    const bool is_dependent = ws->unilateral != NULL && mbs_unilateral_begin(ws, state, false, NULL) != SEAM_OK;
    if (is_dependent || (after < mbs_weak_row && after < mbs_row_weakened * before)) {
      set_mode(joint, state, MBS_AT_REST, 0);
    } else {
      before = after;
      any = true;
    }
  }
  mbs_load_stick_states(ws, state->z);
  return any;
}

/* Returns the sticking joint whose friction force exceeds its limit most (in N); -1: there is none. *number: which of
 * its two switching functions is negative. */
static int find_overloaded(const mbs_workspace *ws, const mbs_state *state, int *number) {
  int worst = -1;
  double least = 0;
  for (int j = 0; j < ws->model->n_joints; j++) {
    const mbs_joint *joint = &ws->model->joints[j];
    if (mbs_friction_mode_of(joint, state->z) != MBS_STICKS)
      continue;
    mbs_switch f[2];
    read(ws, state, j, f);
    for (int k = 0; k < 2; k++)
      if (mbs_ends_mode(&f[k]) && f[k].value < least) {
        least = f[k].value;
        worst = j;
        *number = k;
      }
  }
  return worst;
}

/* Projects positions and velocities. Then corrects the velocities once more, since residuals of the projection would
 * slowly move sticking joints. */
static seam_status remove_slips(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  TRY(mbs_project(ws, state->t, state->q, state->v, error));
  mbs_constraint_rate(ws, state->v, ws->row);
  mbs_solve(ws, ws->row);
  mbs_add_WGt(ws, ws->model->inverse_mass, -1, ws->row, state->v);
  mbs_stage_rates(ws, state->v);
  return SEAM_OK;
}

/* Makes joints at rest slip if they accelerate, for example after a dead centre. Returns true if a joint begins to
 * slip. A joint that other joints keep at rest does not accelerate. */
static bool release_accelerating(const mbs_workspace *ws, mbs_state *state) {
  bool any = false;
  for (int j = 0; j < ws->model->n_joints; j++) {
    const mbs_joint *joint = &ws->model->joints[j];
    if (mbs_friction_mode_of(joint, state->z) != MBS_AT_REST)
      continue;
    const slip of = slip_of(ws, joint, state);
    if (fabs(of.rate) <= mbs_acceleration_at_rest * scale_of_rate(ws, joint, state))
      continue;
    set_mode(joint, state, of.rate > 0 ? MBS_SLIPS_UP : MBS_SLIPS_DOWN, 0);
    any = true;
  }
  return any;
}

/* Puts a slipping joint at rest if its slip is zero and it accelerates against the direction of its mode. Takes the
 * first such joint; returns true if there is one. */
static bool return_to_rest(const mbs_workspace *ws, mbs_state *state) {
  for (int j = 0; j < ws->model->n_joints; j++) {
    const mbs_joint *joint = &ws->model->joints[j];
    const mbs_friction_mode mode = mbs_friction_mode_of(joint, state->z);
    if (mode != MBS_SLIPS_UP && mode != MBS_SLIPS_DOWN)
      continue;
    const slip of = slip_of(ws, joint, state);
    const double rate = mode == MBS_SLIPS_UP ? of.rate : -of.rate;
    if (fabs(of.u) > of.noise || rate >= -mbs_acceleration_at_rest * scale_of_rate(ws, joint, state))
      continue;
    set_mode(joint, state, MBS_AT_REST, 0);
    return true;
  }
  return false;
}

seam_status mbs_resolve_friction_modes(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  const char *name = "";
  if (model->n_stick_rows == 0)
    return SEAM_OK;
  for (int sweep = 0; sweep <= 4 * model->n_stick_rows; sweep++) {
    int number = 0;
    const bool has_stopped = stick(ws, state);
    if (has_stopped)
      TRY(remove_slips(ws, state, error));
    if (sweep == 0 && has_stopped && stop_together(ws, state))
      continue; /* more joints have stopped: the next sweep makes them stick */
    TRY(mbs_accelerate(ws, state, error));
    const int joint = find_overloaded(ws, state, &number);
    if (joint < 0 && !release_accelerating(ws, state) && !return_to_rest(ws, state))
      return SEAM_OK;
    if (joint < 0)
      continue;
    name = model->joints[joint].name;
    pass(ws, joint, number, state);
  }
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: neither sticking nor slipping satisfies the friction of joint '%s', perhaps because a "
                   "force depends on this friction; take smooth friction ('slip_speed' in place of 'hard')",
                   state->t, name);
}

seam_status mbs_begin_friction(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  ARGUMENTS(error, ws, state);
  const mbs_model *model = ws->model;
  if (model->n_stick_rows == 0)
    return SEAM_OK;
  TRY(mbs_state_check(__func__, model, state, error));
  mbs_stage_kinematics(ws, state->q, state->v);
  for (int j = 0; j < model->n_joints; j++)
    if (model->joints[j].type->can_stick && state->z[model->joints[j].mode] == MBS_BY_MOTION)
      enter(ws, j, state);
  return mbs_resolve_friction_modes(ws, state, error);
}
