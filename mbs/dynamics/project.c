/* Projection onto the constraints in the norm of the masses M, by simplified Newton steps with multipliers μ and one
 * factorisation:
 *
 *   positions    S μ = g(q),   q ← q - M⁻¹ Gᵀ μ     until g = 0
 *   velocities   S μ = G v - f',  v ← v - M⁻¹ Gᵀ μ   until G v = f'
 *
 * g are the residuals of the constraints, G their Jacobian, f' the rates of prescribed motions. S = G M⁻¹ Gᵀ is
 * evaluated at q before projection, and again if this q violates the constraints by far. After a small step, the
 * factors of S from the last stage of the step are used instead. ([Hairer-Wanner] VII.2.)
 *
 * A symplectic step of length h uses S and G₀ at its beginning, and changes v by the impulses that change q:
 *
 *   positions    S μ = g(q),   q ← q - M⁻¹ G₀ᵀ μ,  v ← v - M⁻¹ G₀ᵀ μ / h     until g = 0
 *
 * (SHAKE: [Ryckaert-Ciccotti-Berendsen], [Hairer-Lubich-Wanner] VII.1.3.) */
#include "mbs/dynamics/contact_rows.h"

#include <math.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* Corrects coordinates or velocities x (3n) by one step of Newton's method for the residuals in ws->g. */
static void correct(mbs_workspace *ws, double *x) {
  memcpy(ws->row, ws->g, (size_t)ws->model->n_rows * sizeof *ws->row);
  mbs_solve(ws, ws->row);
  mbs_add_WGt(ws, ws->model->inverse_mass, -1, ws->row, x);
}

/* Corrects positions q (level 0) or velocities v (1) until the largest residual is at most mbs_projected times `size`,
 * the largest coordinate or rate. ws->g has the residuals of the level on entry. Returns the largest residual that
 * remains. Stops early after a step that does not halve the residual, in two cases: the factors are those of a nearby
 * pose (`with_old_factors`), or the residual is below mbs_constraint_lost times `size`. */
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

/* Returns the number of the constraint whose residual in ws->g is the largest in multiples of mbs_unit_of_row(). A
 * residual that is not finite counts as the largest. */
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

/* *of_rounding (may be NULL) becomes true if the projection removes only rounding errors. */
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
  seam_status status = with_old_factors ? SEAM_OK : factor(ws, t, error);
  if (status != SEAM_OK)
    return status;
  double position = project_level(ws, 0, t, q, v, q_size, with_old_factors);
  /* projection has changed q so much that S has changed, or the factors of an earlier pose have left too large a
   * residual */
  const bool again =
      drift > mbs_far_drift * q_size || (with_old_factors && !(position <= mbs_old_factors_suffice * q_size));
  with_old_factors = with_old_factors && !again;
  for (int pass = 0; pass < 3 && again; pass++) {
    status = factor(ws, t, error);
    if (status != SEAM_OK)
      return status;
    position = project_level(ws, 0, t, q, v, q_size, false);
  }
  if (!(position <= mbs_constraint_lost * q_size))
    return constraint_lost(ws, t, "position", error);
  mbs_constraint_rate(ws, v, ws->g);
  double velocity = project_level(ws, 1, t, q, v, v_size, with_old_factors);
  if (with_old_factors && !(velocity <= mbs_old_factors_suffice * v_size)) {
    status = factor(ws, t, error);
    if (status != SEAM_OK)
      return status;
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

/* Later iterations call mbs_stage_residuals(), which does not change G: G remains the Jacobian at q0. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error) {
  const double size = mbs_largest_motion(ws->model, q, ws->model->scales.length);
  double before = INFINITY;
  if (ws->model->n_rows == 0 && ws->unilateral == NULL)
    return SEAM_OK;
  mbs_stage_kinematics(ws, q0, v0);
  mbs_stage_constraints(ws, t);
  const seam_status status = factor(ws, t, error);
  if (status == SEAM_OK && ws->unilateral != NULL)
    mbs_shake_contacts(ws, t, h, q, v);
  for (int k = 0; k < MBS_MAX_STEPS_OF_FACTORS && status == SEAM_OK && ws->unilateral == NULL; k++) {
    mbs_stage_kinematics(ws, q, v);
    mbs_stage_residuals(ws, t + h);
    const double largest = mbs_largest_row(ws, ws->g);
    if (!(largest > mbs_projected * size && largest < before / 2))
      break;
    before = largest;
    correct(ws, q);
    mbs_add_WGt(ws, ws->model->inverse_mass, -1 / h, ws->row, v);
  }
  return status;
}
