/* Hard friction that falls at once as a joint begins to slip decides where the mechanism goes: had another joint
 * slipped in its place, or none, the motion would be another, however small the error of the load that let it go. With
 * the load u = |h| / (mu_s N) at the last macro points, the next one is expected on the parabola,
 *
 *   u0 + (u0 - u1) + (u0 - 2 u1 + u2), but for a quarter of |u0 - 2 u1 + u2|,
 *
 * which is how much of the limit macro steps do not resolve. A slip is in doubt where the joint was not sure to reach
 * its limit, or another one that stuck might have reached its own; and so is one that did not happen, where the load
 * turned as close to the limit. What jumps or switches begins loads anew. */
#include <math.h>

#include "cosim/mechanism/simulation.h"
#include "mbs/friction.h"
#include "mbs/model.h"

static const double least = 1e-3; /* of the limit: what is resolved so is decided */

bool cosim_slip_falls(const mbs_joint *joint) {
  const mbs_friction *friction = &joint->friction;
  return friction->is_hard && friction->static_coefficient > friction->coefficient && friction->stribeck_speed == 0;
}

static bool sticks(const mbs_joint *joint, const mbs_state *state) {
  return mbs_friction_mode_of(joint, state->z) == MBS_STICKS;
}

/* Of one that sticks. */
static double load_of(const mbs_joint *joint, const mbs_state *state) {
  const double *lambda = state->lambda + joint->row;
  return fabs(lambda[joint->type->n_rows - 1]) /
         (mbs_friction_lever(joint) * fmax(mbs_friction_limit(joint, lambda), 1e-300));
}

static double bend_of(const cosim_slip_load *of) { return of->u[0] - 2 * of->u[1] + of->u[2]; }
static double error_of(const cosim_slip_load *of) { return fabs(bend_of(of)) / 4; }
static double expected_of(const cosim_slip_load *of) { return 2 * of->u[0] - of->u[1] + bend_of(of); }

static bool is_in_doubt(const cosim_simulation *self, int slipped) {
  const cosim_slip_load *of = &self->loads[slipped];
  bool other = false;
  for (int j = 0; j < self->n_loads; j++) {
    const cosim_slip_load *at = &self->loads[j];
    other |=
        j != slipped && at->n > 2 && sticks(&self->model->joints[j], self->now) && expected_of(at) + error_of(at) >= 1;
  }
  return of->n > 2 && (other || (error_of(of) > least && expected_of(of) - error_of(of) < 1));
}

/* Its load turned at its limit but for what macro steps do not resolve, and it sticks. */
static bool may_have_slipped(const cosim_slip_load *of) {
  const double error = error_of(of);
  return of->n > 2 && of->u[1] > of->u[0] && of->u[1] >= of->u[2] && error > least && of->u[1] + error >= 1;
}

static void count(cosim_simulation *self, int joint) {
  cosim_statistics *found = &self->others;
  if (found->doubtful_slips++ > 0)
    return;
  found->slip = (size_t)joint;
  found->slip_time = self->now->t;
}

static void note_load(cosim_slip_load *of, double u) {
  of->u[2] = of->u[1];
  of->u[1] = of->u[0];
  of->u[0] = u;
  of->n = fmin(of->n + 1, 3);
}

int cosim_n_loads(const mbs_model *model) {
  bool some = false;
  for (int j = 0; j < model->n_joints && model->n_holds > 0; j++)
    some |= cosim_slip_falls(&model->joints[j]);
  return some ? model->n_joints : 0;
}

void cosim_slips_begin(cosim_simulation *self) {
  for (int j = 0; j < self->n_loads; j++)
    self->loads[j].n = 0;
}

void cosim_slips_watch(cosim_simulation *self) {
  const mbs_model *model = self->model;
  if (self->n_loads == 0)
    return;
  const bool begins_anew = self->is_beyond_kink || self->is_at_switch || cosim_has_switched_inside(self);
  for (int j = 0; j < self->n_loads; j++)
    if (cosim_slip_falls(&model->joints[j]) && sticks(&model->joints[j], self->before) &&
        !sticks(&model->joints[j], self->now) && is_in_doubt(self, j))
      count(self, j);
  for (int j = 0; j < self->n_loads; j++) {
    const mbs_joint *joint = &model->joints[j];
    cosim_slip_load *of = &self->loads[j];
    const bool is_loaded = cosim_slip_falls(joint) && sticks(joint, self->now);
    of->n = begins_anew || !is_loaded ? 0 : of->n;
    if (is_loaded)
      note_load(of, load_of(joint, self->now));
    if (is_loaded && may_have_slipped(of))
      count(self, j);
  }
}
