/* Index-1 form of the equations of motion for the accelerations a and the multipliers λ of the constraints. M are the
 * masses, Q the forces, G the Jacobian of the constraints. G a = γ is the second derivative of the constraints in time.
 * a° = M⁻¹ Q are the accelerations without constraints. The system
 *
 *   M a + Gᵀ λ = Q                  S λ = G a° - γ,   S = G M⁻¹ Gᵀ
 *   G a        = γ        becomes   a   = a° - M⁻¹ Gᵀ λ
 *
 * S is cheap to find since M is diagonal in the coordinates of the centres of mass. S has one row for each scalar
 * constraint and is positive definite if the constraints are independent; redundant constraints are left out.
 * ([Li] 4.1; any textbook.) */

#include "mbs/dynamics/dynamics.h"

#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/unilateral.h"
#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"

/* Adds the power of joints that follow a law of time to ws->power. Fills ws->port_power with the power, W, that joints
 * with prescribed accelerations transmit to their bodies. Subsystems have such joints as ports. */
static void add_powers(mbs_workspace *ws, const mbs_state *state) {
  const mbs_joint *joints = ws->model->joints;
  for (int i = 0; i < ws->model->n_joints; i += joints[i].n_alike) {
    const mbs_joint_type *type = joints[i].type;
    const int end = type->is_rheonomic || type->is_prescribed ? i + joints[i].n_alike : i;
    for (const mbs_joint *joint = joints + i; joint < joints + end; joint++) {
      if (type->is_rheonomic) {
        ws->power.driven -= state->lambda[joint->row] * ws->prescribed_rate[joint->row];
        continue;
      }
      const double *v = state->v + 3 * (joint->body[0] - 1);
      double power = 0;
      for (int row = joint->row; row < joint->row + type->n_rows; row++)
        power -= state->lambda[row] * (ws->G[row][0] * v[0] + ws->G[row][1] * v[1] + ws->G[row][2] * v[2]);
      ws->port_power[joint->port] = power;
    }
  }
}

typedef struct finiteness {
  const double *x;
  bool is_broken[THREAD_RANGES];
} finiteness;

static void check_range(void *context, const thread_range *range) {
  finiteness *self = context;
  self->is_broken[range->number] = !finite_all(self->x + range->first, (int)(range->end - range->first));
}

static bool are_finite(const worker_group *workers, const double *x, size_t n) {
  finiteness self = {.x = x};
  worker_group_share(workers, n, check_range, &self);
  for (int i = 0; i < THREAD_RANGES; i++)
    if (self.is_broken[i])
      return false;
  return true;
}

static bool is_finite(const mbs_workspace *ws, const mbs_state *state) {
  const mbs_model *model = ws->model;
  return are_finite(ws->workers, state->a, 3 * (size_t)model->n_bodies) &&
         are_finite(ws->workers, state->q, mbs_n_controlled(model)) &&
         finite_all(ws->z_rates, model->n_states - model->switching.n_modes);
}

typedef struct acceleration {
  const mbs_workspace *ws;
  double *a;
} acceleration;

static void accelerate_range(void *context, const thread_range *range) {
  const acceleration *self = context;
  const double *inverse_mass = self->ws->model->inverse_mass + 3;
  const double *Q = self->ws->Q + 3;
  for (size_t i = range->first; i < range->end; i++)
    self->a[i] = inverse_mass[i] * Q[i];
}

/* Sets a = a° = M⁻¹ Q. */
/* NOLINTNEXTLINE(readability-non-const-parameter): written by jobs */
static void accelerate_freely(const mbs_workspace *ws, double *a) {
  acceleration self = {ws, a};
  worker_group_share(ws->workers, 3 * (size_t)ws->model->n_bodies, accelerate_range, &self);
}

/* Sets state->a = a°, and finds G and γ; the workspace must have the frames. */
static void assemble(mbs_workspace *ws, mbs_state *state) {
  mbs_stage_laws(ws, state);
  mbs_stage_forces(ws, state->t, state->z);
  accelerate_freely(ws, state->a);
  mbs_stage_constraints(ws, state->t);
}

/* Finds modes of contacts if friction of joints depends on reactions. Each pass finds the modes with the reactions of
 * the preceding pass, then the reactions with these modes. In the first pass the values of late laws are zero. Ends
 * when a pass does not change the modes. SEAM_NOT_CONVERGED: too many passes. */
static seam_status find_modes(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_responses_at *late = &ws->model->laws.at[MBS_LATE];
  mbs_unilateral *contacts = ws->unilateral;
  const size_t size = (size_t)contacts->n * sizeof *contacts->mode;
  for (int i = 0; i < late->n; i++)
    ws->response[late->number[i]] = 0;
  for (int pass = 0; pass < MBS_MAX_MODE_ITERATIONS; pass++) {
    mbs_stage_forces(ws, state->t, state->z);
    accelerate_freely(ws, state->a);
    seam_status status = mbs_unilateral_begin(ws, state, true, error);
    if (status != SEAM_OK || (pass > 0 && memcmp(contacts->stored_mode, contacts->mode, size) == 0))
      return status;
    memcpy(contacts->stored_mode, contacts->mode, size);
    mbs_solve_multipliers(ws, state->a, state->lambda);
    status = mbs_close_loop(ws, state, error);
    if (status != SEAM_OK)
      return status;
  }
  const mbs_force *of = mbs_hard_force(ws, 0);
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: no forces of %s '%s' and others were found that fit the friction of joints, which "
                   "depends on reactions: leave out 'hard' of the contacts, or the friction",
                   state->t, mbs_hard_noun(of), of->name);
}

/* Finds accelerations and multipliers from a° in state->a and G, γ in the workspace. If there are hard contacts,
 * factorises S first, because the search for their modes needs the factors. find_all: searches for modes even if the
 * state has them. */
static seam_status find_multipliers(mbs_workspace *ws, mbs_state *state, bool find_all, seam_error *error) {
  const double *weight = ws->model->inverse_mass;
  const bool has_contacts = ws->unilateral != NULL;
  if (!has_contacts)
    mbs_multiply_G_less(ws, state->a, ws->gamma, state->lambda);
  const int dependent = has_contacts ? mbs_stage_factor(ws, weight) : mbs_factor_and_solve(ws, weight, state->lambda);
  if (dependent >= 0)
    return is_finite(ws, state) ? mbs_singular(ws->model, state->t, dependent, error)
                                : mbs_not_finite(ws, state->t, state->z, error);
  if (has_contacts) {
    const bool is_loop = ws->model->laws.n_loop > 0 && (find_all || mbs_has_free_modes(ws, state));
    const seam_status status =
        is_loop ? find_modes(ws, state, error) : mbs_unilateral_begin(ws, state, find_all, error);
    if (status == SEAM_OK)
      mbs_solve_multipliers(ws, state->a, state->lambda);
    return status;
  }
  mbs_add_WGt(ws, weight, -1, state->lambda, state->a);
  /* Light bodies and nearly dependent rows lead to small pivots, which amplify rounding of λ. A second solution with
   * the residual G a - γ reduces a relative error e to e². */
  double quotient = 1;
  if (ws->model->n_rows > 0)
    seam_ldl_smallest_quotient(ws->solver, &quotient);
  if (quotient >= mbs_refined_pivot)
    return SEAM_OK;
  mbs_solve_multipliers(ws, state->a, ws->row);
  for (int i = 0; i < ws->model->n_rows; i++)
    state->lambda[i] += ws->row[i];
  return SEAM_OK;
}

static seam_status accelerate(mbs_workspace *ws, mbs_state *state, bool from_rest, bool find_all, seam_error *error) {
  const mbs_model *model = ws->model;
  if (ws->unilateral != NULL)
    ws->unilateral->is_frozen = from_rest;
  mbs_load_stick_states(ws, state->z);
  mbs_stage_kinematics(ws, state->q, state->v);
  if (from_rest && mbs_n_responses(&model->laws) > 0)
    mbs_respond(ws, state);
  for (int i = 0; i < model->n_stateful && from_rest; i++) { /* sets states of force elements to their values at rest */
    const mbs_force *force = &model->forces[model->stateful[i]];
    const double u = mbs_command(force, ws->response, mbs_law_time(ws, state->t));
    force->type->states->steady(force, u, state->z + force->state);
  }
  mbs_load_stick_states(ws, state->z); /* reload: z may have changed */
  assemble(ws, state);
  for (int i = 0; i < model->n_rows && from_rest; i++) /* laws of time are constant, and the mechanism is at rest */
    ws->gamma[i] = ws->prescribed_rate[i] = 0;
  seam_status status = find_multipliers(ws, state, find_all, error);
  THEN(status, mbs_close_loop(ws, state, error));
  if (status != SEAM_OK)
    return status;
  if (ws->unilateral != NULL)
    mbs_unilateral_read(ws, state->contact);
  mbs_stage_variables(ws);
  add_powers(ws, state);
  return is_finite(ws, state) ? SEAM_OK : mbs_not_finite(ws, state->t, state->z, error);
}

seam_status mbs_accelerate(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  return accelerate(ws, state, false, false, error);
}

seam_status mbs_accelerate_again(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  return accelerate(ws, state, false, true, error);
}

seam_status mbs_accelerate_from_rest(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  return accelerate(ws, state, true, false, error);
}

seam_status mbs_evaluate(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  ARGUMENTS(error, ws, state);
  seam_status status = mbs_state_check(__func__, ws->model, state, error);
  THEN(status, mbs_accelerate(ws, state, error));
  if (status == SEAM_OK)
    mbs_reduce_to_least_norm(ws, state);
  return status;
}

/* The factors in the workspace may be those of a nearby pose, so a second solution with the same factors corrects the
 * first. The correction is accepted if it is at most 1e-7 of the first solution: then a relative error of about 1e-14
 * is left. Otherwise, and if there are late laws or hard contacts, calls mbs_evaluate(), which factorises S again. */
seam_status mbs_evaluate_projected(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const size_t n_rows = (size_t)ws->model->n_rows;
  if (n_rows == 0 || ws->model->laws.at[MBS_LATE].n > 0 || ws->model->n_hard > 0)
    return mbs_evaluate(ws, state, error);
  mbs_stage_rates(ws, state->v);
  assemble(ws, state);
  mbs_solve_multipliers(ws, state->a, state->lambda);
  mbs_solve_multipliers(ws, state->a, ws->row);
  if (!(largest_size(ws->row, n_rows) <= mbs_corrected * largest_size(state->lambda, n_rows)))
    return mbs_evaluate(ws, state, error);
  for (int i = 0; i < ws->model->n_rows; i++)
    state->lambda[i] += ws->row[i];
  mbs_stage_variables(ws);
  add_powers(ws, state);
  if (!is_finite(ws, state))
    return mbs_not_finite(ws, state->t, state->z, error);
  mbs_reduce_to_least_norm(ws, state);
  return SEAM_OK;
}

void mbs_inverse_dynamics(mbs_workspace *ws, const mbs_state *state, const double *a, const double *lambda,
                          double *forces) {
  const mbs_model *model = ws->model;
  if (!mbs_state_fits(model, state)) {
    mbs_fill_nan(forces, 3 * (size_t)model->n_bodies);
    return;
  }
  mbs_load_stick_states(ws, state->z);
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_respond(ws, state);
  mbs_stage_forces(ws, state->t, state->z);
  mbs_stage_constraints(ws, state->t);
  for (int i = 0; i < 3 * model->n_bodies; i++)
    forces[i] = model->mass[3 + i] * a[i] - ws->Q[3 + i];
  mbs_add_WGt(ws, model->unit_weight, 1, lambda, forces);
}
