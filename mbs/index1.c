/* Index-1 form. With a° = M⁻¹ Q the saddle-point system
 *
 *   M a + Gᵀ λ = Q                  S λ = G a° - γ,   S = G M⁻¹ Gᵀ
 *   G a        = γ        becomes   a   = a° - M⁻¹ Gᵀ λ
 *
 * since M is diagonal in the coordinates of the centres of mass: S has one row for each scalar constraint and is
 * positive definite as long as the constraints are independent. (li-dissertation.txt 4.1; any textbook.) */
#include "mbs/workspace.h"

#include <math.h>
#include <string.h>

/* The first element whose force is not finite, or NULL. */
static const char *not_finite_force(mbs_workspace *ws, double t) {
  const mbs_model *model = ws->model;
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++) {
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    double Q[6];
    mbs_power power = {0};
    force->type->load(force, &pair, t, Q, &power);
    for (int i = 0; i < 6; i++)
      if (!isfinite(Q[i])) return force->name;
  }
  return NULL;
}

static seam_status not_finite(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  const char *force = not_finite_force(ws, state->t);
  if (force != NULL)
    return seam_fail(error, SEAM_NOT_FINITE,
                     "t = %.9g s: force '%s' is not finite: check its law and that its points stay apart", state->t,
                     force);
  return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the motion is not finite: it grew beyond all bounds", state->t);
}

static bool all_finite(const double *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0 * values[i];
  return sum == 0;
}

seam_status mbs_evaluate(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  const double *inverse_mass = model->inverse_mass;
  mbs_place(ws, state->q, state->v);
  mbs_load(ws, state->t);
  for (int i = 0; i < 3 * model->n_bodies; i++) state->a[i] = inverse_mass[3 + i] * ws->Q[3 + i];
  if (!all_finite(state->a, 3 * model->n_bodies) || !all_finite(state->q, 6 * model->n_bodies))
    return not_finite(ws, state, error);
  mbs_constrain(ws);
  const int dependent = mbs_factor(ws, inverse_mass);
  if (dependent >= 0) return mbs_singular(model, state->t, dependent, error);
  mbs_multiply_G(ws, state->a, state->lambda);
  for (int i = 0; i < model->n_rows; i++) state->lambda[i] -= ws->gamma[i];
  seam_spd_solve(ws->solver, state->lambda);
  mbs_add_WGt(ws, inverse_mass, -1, state->lambda, state->a);
  if (!all_finite(state->a, 3 * model->n_bodies)) return not_finite(ws, state, error);
  return SEAM_OK;
}

void mbs_inverse_dynamics(mbs_workspace *ws, const mbs_state *state, const double *a, const double *lambda,
                          double *forces) {
  const mbs_model *model = ws->model;
  mbs_place(ws, state->q, state->v);
  mbs_load(ws, state->t);
  mbs_constrain(ws);
  for (int i = 0; i < 3 * model->n_bodies; i++) forces[i] = model->mass[3 + i] * a[i] - ws->Q[3 + i];
  mbs_add_WGt(ws, model->unit_weight, 1, lambda, forces);
}
