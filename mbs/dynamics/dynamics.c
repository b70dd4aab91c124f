/* Index-1 form of the equations of motion for the accelerations a and the multipliers λ of the constraints. M are the
 * masses, Q the forces, G the Jacobian of the constraints. G a = γ are the constraints, differentiated twice in time.
 * a° = M⁻¹ Q are the accelerations without constraints. The system
 *
 *   M a + Gᵀ λ = Q                  S λ = G a° - γ,   S = G M⁻¹ Gᵀ
 *   G a        = γ        becomes   a   = a° - M⁻¹ Gᵀ λ
 *
 * M is diagonal in the coordinates of the centres of mass. S has one row for each scalar constraint. It is positive
 * definite if the constraints are independent; redundant constraints are left out. ([Li] 4.1; any textbook.)
 *
 * The same S projects onto the constraints, by simplified Newton steps with multipliers μ:
 *
 *   positions    S μ = g(q),      q ← q - M⁻¹ Gᵀ μ     until g = 0
 *   velocities   S μ = G v - f',  v ← v - M⁻¹ Gᵀ μ     until G v = f'
 *
 * g are the residuals of the constraints, f' the rates of prescribed motions. S is evaluated at q before projection,
 * and again if this q violates the constraints by far. After a small step, the factors of S from the last stage of the
 * step are used instead. ([Hairer-Wanner] VII.2.)
 *
 * A symplectic step of length h uses S and G₀ at its beginning, and changes v by the impulses that change q:
 *
 *   positions    S μ = g(q),      q ← q - M⁻¹ G₀ᵀ μ,  v ← v - M⁻¹ G₀ᵀ μ / h     until g = 0
 *
 * (SHAKE: [Ryckaert-Ciccotti-Berendsen], [Hairer-Lubich-Wanner] VII.1.3.) */
#include "mbs/dynamics/dynamics.h"

#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/responses.h"
#include "mbs/thresholds.h"

/* ---- Steps of an evaluation ---- */

typedef struct finiteness {
  const double *x;
  bool is_broken[THREAD_RANGES];
} finiteness;

static void check_range(void *context, const thread_range *range) {
  finiteness *self = context;
  self->is_broken[range->number] = !finite_all(self->x + range->first, (int)(range->end - range->first));
}

static bool is_finite(const mbs_workspace *ws, const mbs_state *state) {
  const mbs_model *model = ws->model;
  const double *end = state->a + 3 * (size_t)model->n_bodies; /* q, v, z, work and a lie in one block */
  finiteness self = {.x = state->q};
  worker_group_share(ws->workers, (size_t)(end - state->q), check_range, &self);
  for (int i = 0; i < THREAD_RANGES; i++)
    if (self.is_broken[i])
      return false;
  return finite_all(ws->z_rates, model->n_states - model->switching.n_modes);
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
static void stage_equations(mbs_workspace *ws, mbs_state *state) {
  mbs_stage_laws(ws, state);
  mbs_stage_forces(ws, state->t, state->z);
  accelerate_freely(ws, state->a);
  mbs_stage_constraints(ws, state->t);
}

/* Finds modes of contacts if friction of joints depends on reactions (late laws). Each pass finds the modes with the
 * present values of late laws, which are zero at first, and then these values with the modes. Ends when the modes do
 * not change. SEAM_NOT_CONVERGED: too many passes. */
static seam_status find_modes(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_responses_at *late = &ws->model->laws.at[MBS_LATE];
  mbs_unilateral *contacts = ws->unilateral;
  const size_t size = (size_t)contacts->n * sizeof *contacts->mode;
  for (int i = 0; i < late->n; i++)
    ws->response[late->number[i]] = 0;
  for (int pass = 0; pass < MBS_MAX_MODE_ITERATIONS; pass++) {
    mbs_stage_forces(ws, state->t, state->z);
    accelerate_freely(ws, state->a);
    TRY(mbs_unilateral_begin(ws, state, true, error));
    if (pass > 0 && memcmp(contacts->stored_mode, contacts->mode, size) == 0)
      return SEAM_OK;
    memcpy(contacts->stored_mode, contacts->mode, size);
    mbs_solve_multipliers(ws, state->a, state->lambda);
    TRY(mbs_close_loop(ws, state, error));
  }
  const mbs_force *of = mbs_hard_force(ws, 0);
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: no forces of %s '%s' and others were found that fit the friction of joints, which "
                   "depends on reactions: leave out 'hard' of the contacts, or the friction",
                   state->t, mbs_hard_noun(of), of->name);
}

/* Finds accelerations and multipliers from a° in state->a and G, γ in the workspace. Also finds the modes of all hard
 * contacts if the state lacks one, or if find_all is true. */
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
    TRY(is_loop ? find_modes(ws, state, error) : mbs_unilateral_begin(ws, state, find_all, error));
    mbs_solve_multipliers(ws, state->a, state->lambda);
    return SEAM_OK;
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

/* ---- Evaluation ---- */

/* Finds the rates of variables, and adds the power of joints that follow a law of time to ws->power. Joints with
 * prescribed accelerations are ports of a subsystem: their power, W, on their bodies goes to ws->port_power. */
static seam_status finish(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  const mbs_joint *joints = ws->model->joints;
  mbs_stage_variables(ws);
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
  return is_finite(ws, state) ? SEAM_OK : mbs_not_finite(ws, state->t, state->z, error);
}

static seam_status accelerate(mbs_workspace *ws, mbs_state *state, bool from_rest, bool find_all, seam_error *error) {
  const mbs_model *model = ws->model;
  if (ws->unilateral != NULL)
    ws->unilateral->is_frozen = from_rest;
  mbs_load_stick_states(ws, state->z);
  mbs_stage_kinematics(ws, state->q, state->v);
  if (from_rest) { /* states of force elements get their values at rest */
    if (mbs_n_responses(&model->laws) > 0)
      mbs_respond(ws, state);
    for (int i = 0; i < model->n_stateful; i++) {
      const mbs_force *force = &model->forces[model->stateful[i]];
      const double u = mbs_command(force, ws->response, mbs_law_time(ws, state->t));
      force->type->states->steady(force, u, state->z + force->state);
    }
    mbs_load_stick_states(ws, state->z);
  }
  stage_equations(ws, state);
  for (int i = 0; i < model->n_rows && from_rest; i++) /* laws of time are constant, and the mechanism is at rest */
    ws->gamma[i] = ws->prescribed_rate[i] = 0;
  TRY(find_multipliers(ws, state, find_all, error));
  TRY(mbs_close_loop(ws, state, error));
  if (ws->unilateral != NULL)
    mbs_unilateral_read(ws, state->contact);
  return finish(ws, state, error);
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
  TRY(mbs_state_check(__func__, ws->model, state, error));
  TRY(mbs_accelerate(ws, state, error));
  mbs_reduce_to_least_norm(ws, state);
  return SEAM_OK;
}

seam_status mbs_sample(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  if (ws->model->laws.at[MBS_SAMPLED].n == 0)
    return SEAM_OK;
  TRY(mbs_accelerate(ws, state, error));
  return mbs_store_samples(ws, state, error);
}

/* The factors may be those of a nearby pose, so a second solution with the same factors corrects the first. If the
 * correction is at most 1e-7 of the first solution, a relative error of about 1e-14 is left. Otherwise, and if there
 * are late laws or hard contacts, mbs_evaluate() factorises S again. */
seam_status mbs_evaluate_projected(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const size_t n_rows = (size_t)ws->model->n_rows;
  if (n_rows == 0 || ws->model->laws.at[MBS_LATE].n > 0 || ws->model->n_hard > 0)
    return mbs_evaluate(ws, state, error);
  mbs_stage_rates(ws, state->v);
  stage_equations(ws, state);
  mbs_solve_multipliers(ws, state->a, state->lambda);
  mbs_solve_multipliers(ws, state->a, ws->row);
  if (!(largest_size(ws->row, n_rows) <= mbs_corrected * largest_size(state->lambda, n_rows)))
    return mbs_evaluate(ws, state, error);
  for (int i = 0; i < ws->model->n_rows; i++)
    state->lambda[i] += ws->row[i];
  TRY(finish(ws, state, error));
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

/* ---- Projection ---- */

/* Corrects coordinates or velocities x (3n) by one Newton step for the residuals in ws->g. */
static void correct(mbs_workspace *ws, double *x) {
  memcpy(ws->row, ws->g, (size_t)ws->model->n_rows * sizeof *ws->row);
  mbs_solve(ws, ws->row);
  mbs_add_WGt(ws, ws->model->inverse_mass, -1, ws->row, x);
}

/* Corrects positions q (level 0) or velocities v (1) until the largest residual is at most mbs_projected times `size`,
 * the largest coordinate or rate. ws->g has the residuals of the level on entry. Returns the largest residual left.
 * Stops at a step that does not halve the residual, if factors are old or the end is near. */
static double project_level(mbs_workspace *ws, int level, double t, double *q, double *v, double size,
                            bool with_old_factors) {
  double largest = mbs_largest_row(ws, ws->g);
  for (int k = 0; k < MBS_MAX_PROJECTIONS && largest > mbs_projected * size; k++) {
    correct(ws, level == 0 ? q : v);
    if (level == 0) {
      mbs_stage_kinematics(ws, q, v);
      mbs_stage_constraints(ws, t);
    } else
      mbs_constraint_rate(ws, v, ws->g);
    const double before = largest;
    largest = mbs_largest_row(ws, ws->g);
    if (largest > before / 2 && (with_old_factors || largest < mbs_constraint_lost * size))
      break; /* only round-off is left */
  }
  return largest;
}

/* Returns the constraint whose residual in ws->g is the largest in multiples of mbs_unit_of_row(), or is NaN. */
static int worst_row(const mbs_workspace *ws) {
  const double *residual = ws->g;
  int worst = 0;
  for (int i = 1; i < ws->model->n_rows && !isnan(residual[worst]); i++)
    if (!(fabs(residual[i]) / mbs_unit_of_row(ws->model, i) <=
          fabs(residual[worst]) / mbs_unit_of_row(ws->model, worst)))
      worst = i;
  return worst;
}

static seam_status constraint_lost(const mbs_workspace *ws, double t, const char *what, seam_error *error) {
  const int worst = worst_row(ws);
  const mbs_joint *joint = &ws->model->joints[ws->model->joint_of_row[worst]];
  if (isnan(ws->g[worst]) && joint->type->not_finite != NULL)
    return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: joint '%s' is not finite: %s", t, joint->name,
                     joint->type->not_finite);
  return seam_fail(error, SEAM_CONSTRAINT_LOST,
                   "t = %.9g s: the constraint of joint '%s' cannot be met: its %s residual %s is %.3g; take smaller "
                   "steps or look for a singular configuration",
                   t, joint->name, what, joint->type->residual[worst - joint->row], fabs(ws->g[worst]));
}

static seam_status factor(mbs_workspace *ws, double t, seam_error *error) {
  const int dependent = mbs_stage_factor(ws, ws->model->inverse_mass);
  return dependent < 0 ? SEAM_OK : mbs_singular(ws->model, t, dependent, error);
}

/* of_rounding: see mbs_project_step(); it may be NULL. */
static seam_status project(mbs_workspace *ws, double t, double *q, double *v, bool has_factors, bool *of_rounding,
                           seam_error *error) {
  const mbs_model *model = ws->model;
  if (of_rounding != NULL)
    *of_rounding = true;
  if (ws->unilateral != NULL)
    return mbs_project_contacts(ws, t, q, v, error);
  if (model->n_rows == 0)
    return SEAM_OK;
  const double q_size = mbs_largest_motion(model, q, model->scales.length);
  const double v_size = mbs_largest_motion(model, v, model->scales.speed);
  mbs_stage_kinematics(ws, q, v);
  mbs_stage_constraints(ws, t);
  const double drift = mbs_largest_row(ws, ws->g);
  if (of_rounding != NULL) { /* a projected state has residuals of up to mbs_projected */
    mbs_constraint_rate(ws, v, ws->row);
    *of_rounding = drift <= 2 * mbs_projected * q_size && mbs_largest_row(ws, ws->row) <= 2 * mbs_projected * v_size;
  }
  bool with_old_factors = has_factors && drift <= mbs_small_drift * q_size;
  TRY(with_old_factors ? SEAM_OK : factor(ws, t, error));
  double position = project_level(ws, 0, t, q, v, q_size, with_old_factors);
  /* S has changed with q, or the factors of an earlier pose have left too large a residual */
  const bool again =
      drift > mbs_far_drift * q_size || (with_old_factors && !(position <= mbs_old_factors_suffice * q_size));
  with_old_factors = with_old_factors && !again;
  for (int pass = 0; pass < 3 && again; pass++) {
    TRY(factor(ws, t, error));
    position = project_level(ws, 0, t, q, v, q_size, false);
  }
  if (!(position <= mbs_constraint_lost * q_size))
    return constraint_lost(ws, t, "position", error);
  mbs_constraint_rate(ws, v, ws->g);
  double velocity = project_level(ws, 1, t, q, v, v_size, with_old_factors);
  if (with_old_factors && !(velocity <= mbs_old_factors_suffice * v_size)) {
    TRY(factor(ws, t, error));
    velocity = project_level(ws, 1, t, q, v, v_size, false);
  }
  return velocity <= mbs_constraint_lost * v_size ? SEAM_OK : constraint_lost(ws, t, "velocity", error);
}

static seam_status not_assembled(const mbs_workspace *ws, double t, const char *what, seam_error *error) {
  const int worst = worst_row(ws);
  const mbs_joint *joint = &ws->model->joints[ws->model->joint_of_row[worst]];
  return seam_fail(error, SEAM_BAD_INPUT,
                   "t = %.9g s: the state contradicts joint '%s': its %s residual %s is %.3g; assemble the state first",
                   t, joint->name, what, joint->type->residual[worst - joint->row], ws->g[worst]);
}

seam_status mbs_make_consistent(mbs_workspace *ws, double t, double *q, double *v, seam_error *error) {
  const mbs_model *model = ws->model;
  if (model->n_rows == 0)
    return SEAM_OK;
  mbs_stage_kinematics(ws, q, v);
  mbs_stage_constraints(ws, t);
  const double position = mbs_largest_row(ws, ws->g) / mbs_largest_motion(model, q, model->scales.length);
  if (position > mbs_small_deviation)
    return not_assembled(ws, t, "position", error);
  mbs_constraint_rate(ws, v, ws->g);
  const double velocity = mbs_largest_row(ws, ws->g) / mbs_largest_motion(model, v, model->scales.speed);
  if (velocity > mbs_small_deviation)
    return not_assembled(ws, t, "velocity", error);
  return position > mbs_assembled || velocity > mbs_assembled ? mbs_project(ws, t, q, v, error) : SEAM_OK;
}

seam_status mbs_project(mbs_workspace *ws, double t, double *q, double *v, seam_error *error) {
  return project(ws, t, q, v, false, NULL, error);
}

seam_status mbs_project_step(mbs_workspace *ws, double t, double *q, double *v, bool *of_rounding, seam_error *error) {
  return project(ws, t, q, v, true, of_rounding, error);
}

/* ---- A symplectic step ---- */

/* mbs_stage_residuals() does not change G, which remains the Jacobian at q0. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error) {
  const double size = mbs_largest_motion(ws->model, q, ws->model->scales.length);
  double before = INFINITY;
  if (ws->model->n_rows == 0 && ws->unilateral == NULL)
    return SEAM_OK;
  mbs_stage_kinematics(ws, q0, v0);
  mbs_stage_constraints(ws, t);
  TRY(factor(ws, t, error));
  if (ws->unilateral != NULL)
    mbs_shake_contacts(ws, t, h, q, v);
  for (int k = 0; k < MBS_MAX_STEPS_OF_FACTORS && ws->unilateral == NULL; k++) {
    mbs_stage_kinematics(ws, q, v);
    mbs_stage_residuals(ws, t + h);
    const double largest = mbs_largest_row(ws, ws->g);
    if (!(largest > mbs_projected * size && largest < before / 2))
      break;
    before = largest;
    correct(ws, q);
    mbs_add_WGt(ws, ws->model->inverse_mass, -1 / h, ws->row, v);
  }
  return SEAM_OK;
}
