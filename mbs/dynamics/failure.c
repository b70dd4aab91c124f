#include "mbs/dynamics/failure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/dynamics/approach.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/scales.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* Returns a constraint that depends on others at the state, or shortly after or before it; -1: there is none. */
static int find_dependent(mbs_workspace *ws, const mbs_state *state) {
  for (int pass = 0; pass < 2; pass++) {
    mbs_approach near;
    double quotient = 0;
    mbs_stage_kinematics(ws, state->q, state->v);
    mbs_stage_constraints(ws, state->t);
    const int dependent = mbs_stage_factor(ws, ws->model->inverse_mass);
    const int row_of_smallest = seam_ldl_smallest_quotient(ws->solver, &quotient);
    if (dependent >= 0 || quotient < mbs_dependent_pivot * mbs_dependent_pivot)
      return dependent >= 0 ? dependent : row_of_smallest;
    if (mbs_find_approach(ws, state, mbs_singular_ahead, pass == 0 ? INFINITY : -INFINITY, &near) &&
        mbs_is_approach(ws, state, NULL, &near))
      return near.row;
  }
  return -1;
}

/* Returns the joint whose prescribed motion leaves the range that the mechanism allows; NULL: there is none. The
 * workspace must have the factors of S near a singular pose. Inverse iteration with S finds x with Gᵀ x ≈ 0; then G v =
 * f' has a solution only if xᵀ f' = 0. */
static const mbs_joint *find_motion_at_end(mbs_workspace *ws) {
  const mbs_model *model = ws->model;
  const mbs_joint *found = NULL;
  const int m = model->n_rows;
  double largest = 0;
  double sum = 0;
  double sum_of_sizes = 0;
  for (int i = 0; i < m; i++)
    ws->row[i] = 1;
  for (int pass = 0; pass < MBS_COMBINATION_ITERATIONS; pass++) {
    mbs_solve(ws, ws->row);
    const double size = mbs_largest_row(ws, ws->row);
    for (int i = 0; i < m; i++)
      ws->row[i] /= size;
  }
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++) {
    const double x = ws->row[joint->row];
    const double power = x * ws->prescribed_rate[joint->row];
    if (!joint->type->is_rheonomic || !(fabs(x) > mbs_zero_coefficient))
      continue;
    sum += power;
    sum_of_sizes += fabs(power);
    found = fabs(power) > largest ? joint : found;
    largest = fmax(largest, fabs(power));
  }
  return fabs(sum) > mbs_zero_coefficient * sum_of_sizes ? found : NULL;
}

/* If a prescribed motion is at the end of its range, the message names it; otherwise returns `status`. */
static seam_status explain_motion(mbs_workspace *ws, const mbs_state *state, seam_status status, seam_error *error) {
  static const char *const of[MBS_MOTIONS] = {
#define NAME(code, name) [code] = name,
      MBS_MOTION_TABLE(NAME)
#undef NAME
  };
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t);
  const mbs_joint *joint = mbs_stage_factor(ws, ws->model->assembly_weight) < 0 ? find_motion_at_end(ws) : NULL;
  if (joint == NULL)
    return status;
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  mbs_relative_coordinate s;
  joint->type->find_coordinates(joint, &pair, &s);
  const double rate = ws->prescribed_rate[joint->row];
  double quotient = 0;
  mbs_stage_factor(ws, ws->model->inverse_mass);
  const double time_left = mbs_approach_of(ws, seam_ldl_smallest_quotient(ws->solver, &quotient), state).time_left;
  /* Near the end d is proportional to the root of the remaining time. So this time is half of T (approach.h). */
  const double end = s.s + rate * (time_left > 0 && isfinite(time_left) ? time_left / 2 : 0);
  const bool is_angle = joint->of == MBS_OF_ANGLE || joint->of == MBS_OF_PHI;
  return seam_fail(error, SEAM_BECAME_SINGULAR,
                   "t = %.9g s: motion '%s' goes beyond the range of the mechanism: its %s can be %.4g %s at %s; "
                   "change its law, or lengths of bodies",
                   state->t, joint->name, of[joint->of], end, is_angle ? "rad" : "m", rate > 0 ? "most" : "least");
}

/* Returns true if a function of x jumps at the present x[variable]: its change over an interval about x[variable] is
 * less than twice its change over an interval a tenth as long. Changes x[variable] temporarily. */
static bool jumps(double (*value)(const void *data, const double *x), const void *data, double *x, int variable) {
  const double at = x[variable];
  double change[2];
  for (int k = 0; k < 2; k++) {
    const double d = (k == 0 ? mbs_jump_width : mbs_jump_width / 10) * fmax(1, fabs(at));
    x[variable] = at - d;
    const double left = value(data, x);
    x[variable] = at + d;
    change[k] = fabs(value(data, x) - left);
  }
  x[variable] = at;
  return change[0] > 0 && change[1] > change[0] / 2;
}

bool mbs_has_kinked_law(const mbs_model *model) {
  bool has = false;
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
    for (int k = 0; k < force->type->n_coordinates; k++)
      has = has || (force->elastic[k].nonlinear.value != NULL && force->elastic[k].nonlinear.has_kinks);
  return has;
}

/* Fails if the elastic law of a force element jumps at the state. */
static seam_status explain_force(mbs_workspace *ws, double t, seam_error *error) {
  static const char *const name[2] = {"s", "v"};
  for (const mbs_force *force = ws->model->forces; force < ws->model->forces + ws->model->n_forces; force++) {
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    mbs_relative_coordinate m[3] = {0};
    if (force->type->n_coordinates > 0)
      force->type->find_coordinates(force, &pair, m);
    for (int k = 0; k < 2 * force->type->n_coordinates; k++) {
      double x[2] = {m[k / 2].s - force->rest[k / 2], mbs_relative_rate(&m[k / 2], &pair)};
      const seam_law *law = &force->elastic[k / 2].nonlinear;
      if (law->value != NULL && jumps(law->value, law->data, x, k % 2))
        return seam_fail(error, SEAM_STEP_FAILED,
                         "t = %.9g s: the law of '%s' jumps at %s = %.3g, and the motion stays at the jump: make the "
                         "jump a steep slope, for example tanh(%s/width) instead of sign(%s)",
                         t, force->name, name[k % 2], x[k % 2], name[k % 2], name[k % 2]);
    }
  }
  return SEAM_OK;
}

/* Fails if a law or an equation of a variable jumps at the state. */
static seam_status explain_law(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  for (int i = 0; i < mbs_n_responses(&model->laws); i++) {
    const mbs_response *response = mbs_response_of(&model->laws, i);
    if (!mbs_is_function(response) || !response->function.jumps || response->phase == MBS_SAMPLED)
      continue;
    double *x = calloc((size_t)response->inputs->n + 1, sizeof *x);
    if (x == NULL)
      return SEAM_OK;
    mbs_read(response->inputs, ws, state, x);
    bool jumps_here = false;
    for (int k = 0; k < response->inputs->n && !jumps_here; k++)
      jumps_here = jumps(response->function.value, response->function.data, x, k);
    free(x);
    const char *owner;
    const char *name;
    const char *what = mbs_response_text(model, i, &owner, &name);
    if (jumps_here)
      return seam_fail(error, SEAM_STEP_FAILED,
                       "t = %.9g s: the %s of %s '%s' jumps, and the motion stays at the jump: make the jump a steep "
                       "slope, for example tanh(v/width) instead of sign(v)",
                       state->t, what, owner, name);
  }
  return SEAM_OK;
}

/* Fails if a body is so far from the origin that the round-off of its position is close to the tolerance. */
static seam_status explain_distance(const mbs_model *model, const mbs_failure *failure, seam_error *error) {
  const double far = mbs_farthest(model, failure->state->q);
  if (failure->step > 0 || !(DBL_EPSILON * far > mbs_distance_rounding * failure->rtol * model->scales.length))
    return SEAM_OK;
  return seam_fail(error, failure->status,
                   "t = %.9g s: the mechanism is %.2g m from the origin, where positions are rounded to %.2g m, too "
                   "coarse for rtol %.2g of its length, %.2g m: move it nearer to the origin, or loosen rtol",
                   failure->state->t, far, DBL_EPSILON * far, failure->rtol, model->scales.length);
}

/* Evaluates the model shortly ahead: displaced from the last good state along its velocities, by one step if steps are
 * fixed. SEAM_NOT_FINITE: it cannot be evaluated there, as where a piston has passed the end of its cylinder. Rates
 * that grow without bound before such a pose make adaptive steps fail. */
static seam_status explain_end(mbs_workspace *ws, const mbs_failure *failure, seam_error *error) {
  const mbs_scales *scales = &ws->model->scales;
  const double speed = mbs_largest_motion(ws->model, failure->state->v, scales->speed);
  const double time = failure->step > 0 ? failure->step : mbs_end_ahead * scales->length / speed;
  seam_error found = {0};
  mbs_state *ahead = NULL;
  seam_status status = mbs_state_create(ws->model, &ahead, &found);
  if (status == SEAM_OK) {
    mbs_state_copy(ahead, failure->state);
    for (int i = 0; i < 3 * ws->model->n_bodies; i++)
      ahead->q[i] += time * ahead->v[i];
    status = mbs_accelerate(ws, ahead, &found);
  }
  mbs_state_destroy(ahead);
  return status == SEAM_NOT_FINITE ? seam_fail(error, status, "%s", found.message) : SEAM_OK;
}

static bool has_laws(const mbs_model *model) {
  bool has = mbs_n_responses(&model->laws) > 0;
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++) {
    for (int k = 0; k < force->type->n_coordinates; k++)
      has = has || force->elastic[k].nonlinear.value != NULL;
    for (int k = 0; k < 2; k++)
      has = has || force->load[k].value != NULL;
  }
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
    has = has || joint->law.value != NULL;
  return has;
}

/* Fails; the message names the body or state whose error made the steps small. */
static seam_status explain_state(const mbs_model *model, const mbs_failure *failure, seam_error *error) {
  static const char *const coordinate[3] = {"x", "y", "phi"};
  const double t = failure->state->t;
  const size_t entry = failure->entry;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t first = 2 * n + (failure->has_multipliers ? 2 * (size_t)model->n_rows : 0); /* index of z in y */
  const char *how = failure->is_stalled ? "asks for steps so small that thousands of them make no progress"
                                        : "stays above the tolerance however small the step";
  if (entry >= first && entry < first + (size_t)model->n_states) {
    char name[256];
    mbs_state_text(model, entry - first, name, sizeof name);
    return seam_fail(error, failure->status,
                     "t = %.9g s: the error of '%s' %s: look for a jump in its law or equation, or loosen rtol", t,
                     name, how);
  }
  if (entry >= 2 * n)
    return failure->status;
  return seam_fail(error, failure->status, "t = %.9g s: the error of body '%s' (%s) %s: %sloosen rtol and atol", t,
                   mbs_body_of(model, entry % n / 3).name, coordinate[entry % 3], how,
                   has_laws(model) ? "look for a jump in a law or " : "");
}

/* Looks for a jump of a force or law, a singular configuration, a pose ahead that cannot be evaluated, and a large
 * distance from the origin. If there is none of these and the status is SEAM_STEP_FAILED, the message names the state
 * with the largest error. */
static seam_status explain_step(mbs_workspace *ws, const mbs_failure *failure, seam_error *error) {
  const mbs_state *state = failure->state;
  const seam_status status = failure->status;
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t);
  if (status == SEAM_STEP_FAILED) {
    TRY(explain_force(ws, state->t, error));
    TRY(explain_law(ws, state, error));
  }
  if (ws->model->n_rows > 0 && !mbs_is_far_from_singular(ws, state)) {
    const int row = find_dependent(ws, state);
    if (row >= 0)
      return mbs_became_singular(ws->model, state->t, row, error);
  }
  TRY(explain_end(ws, failure, error));
  TRY(explain_distance(ws->model, failure, error));
  if (status == SEAM_SINGULAR) {
    if (error != NULL)
      error->status = SEAM_BECAME_SINGULAR; /* keep the message of mbs_singular() */
    return SEAM_BECAME_SINGULAR;
  }
  return status == SEAM_STEP_FAILED ? explain_state(ws->model, failure, error) : status;
}

seam_status mbs_explain(mbs_workspace *ws, const mbs_failure *failure, seam_error *error) {
  seam_status status = failure->status;
  if (status == SEAM_STEP_FAILED || status == SEAM_NOT_CONVERGED || status == SEAM_SINGULAR ||
      status == SEAM_CONSTRAINT_LOST)
    status = explain_step(ws, failure, error);
  if (status == SEAM_NOT_FINITE && failure->step > 0 && error != NULL) {
    const size_t n = strlen(error->message);
    snprintf(error->message + n, sizeof error->message - n, "; or a step of %.3g s is too long", failure->step);
  }
  return status == SEAM_BECAME_SINGULAR ? explain_motion(ws, failure->state, status, error) : status;
}

seam_status mbs_check_redundant(const mbs_workspace *ws, double t, seam_error *error) {
  const mbs_model *model = ws->model;
  const double *g = ws->g;
  double residual = 0; /* largest residual of constraints that are not redundant, in multiples of mbs_unit_of_row() */
  for (int i = 0; i < model->n_rows && model->n_redundant > 0; i++)
    residual = fmax(residual, model->is_redundant[i] ? 0 : fabs(g[i]) / mbs_unit_of_row(model, i));
  const double met = mbs_redundant_met + mbs_redundant_factor * residual;
  for (int i = 0; i < model->n_redundant; i++) {
    const int row = model->redundant[i];
    const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
    if (!(fabs(g[row]) <= met * mbs_unit_of_row(model, row)))
      return seam_fail(error, SEAM_CONSTRAINT_LOST,
                       "t = %.9g s: joint '%s' contradicts other joints: its residual %s is %.3g, not 0; remove the "
                       "joint, or change its lengths or law",
                       t, joint->name, joint->type->residual[row - joint->row], g[row]);
  }
  return SEAM_OK;
}
