/* Per unit m1 and with H = 1 (recipes.md A inverts 3.31):
 *
 *   c1 = Λr² + Λi²                         d1 = -2 Λr
 *   c2/m2 = (αr21 Λr)² + (αi21 Λi)²        d2/m2 = -2 αr21 Λr          m2 = αm21
 *   cc = α* [(αic1 Λi)² + (αrc1 Λr)²]      dc = -2 α* αrc1 Λr          α* = 2 αm21 / (1 + αm21) */
#include "analysis/test_model.h"

#include "cosim/linear_part.h"

typedef struct oscillator {
  double mass, stiffness, damping; /* stiffness and damping against the ground */
} oscillator;

enum { X, V, P, n_states };
enum { x_out, v_out, a_out, p_out, n_outputs };

/* A force acts on the mass: one input. Displacements x̃, ṽ of the other mass act through the coupling: two. */
static seam_status create_part(const oscillator *m, double cc, double dc, bool by_force, cosim_part **part,
                               seam_error *error) {
  const double c = (m->stiffness + (by_force ? 0 : cc)) / m->mass;
  const double d = (m->damping + (by_force ? 0 : dc)) / m->mass;
  const bool restarts[n_states] = {[P] = true};
  const double A[n_states * n_states] = {0, 1, 0, -c, -d, 0, 1, 0, 0};
  const double C[n_outputs * n_states] = {1, 0, 0, 0, 1, 0, -c, -d, 0, 0, 0, 1};
  const double B_force[n_states] = {0, 1 / m->mass, 0};
  const double D_force[n_outputs] = {0, 0, 1 / m->mass, 0};
  const double B_motion[n_states * 2] = {0, 0, cc / m->mass, dc / m->mass, 0, 0};
  const double D_motion[n_outputs * 2] = {0, 0, 0, 0, cc / m->mass, dc / m->mass, 0, 0};
  const cosim_linear_def def = {.n_states = n_states,
                                .n_inputs = by_force ? 1 : 2,
                                .n_outputs = n_outputs,
                                .A = A,
                                .B = by_force ? B_force : B_motion,
                                .C = C,
                                .D = by_force ? D_force : D_motion,
                                .restarts = restarts};
  return cosim_linear_part_create(&def, part, error);
}

static bool is_driven_by_force(const cosim_scheme *scheme, int side) {
  for (int v = 0; v < scheme->n_variables; v++)
    if (scheme->variable[v].kind == COSIM_FORCE)
      return scheme->variable[v].target < 0 || scheme->variable[v].target == side;
  return false;
}

seam_status analysis_test_model_create(const seam_test_model *model, const cosim_scheme *scheme, cosim_master **master,
                                       seam_error *error) {
  const double r = model->lambda_r;
  const double i = model->lambda_i;
  const double m2 = model->alpha_m21;
  const double mean = 2 * m2 / (1 + m2);
  const double r2 = model->alpha_r21 * r;
  const double i2 = model->alpha_i21 * i;
  const double rc = model->alpha_rc1 * r;
  const double ic = model->alpha_ic1 * i;
  const oscillator mass[2] = {{1, r * r + i * i, -2 * r}, {m2, m2 * (r2 * r2 + i2 * i2), -2 * m2 * r2}};
  cosim_cut cut = {
      .n_dims = 1, .stiffness = {mean * (ic * ic + rc * rc)}, .damping = {-2 * mean * rc}, .scheme = *scheme};
  cosim_part *parts[2] = {0};
  for (int side = 0; side < 2; side++) {
    const seam_status status = create_part(&mass[side], cut.stiffness[0], cut.damping[0],
                                           is_driven_by_force(scheme, side), &parts[side], error);
    if (status != SEAM_OK) {
      cosim_part_destroy(parts[0]);
      return status;
    }
    cut.side[side] = (cosim_side){.part = side,
                                  .force_input = 0,
                                  .position_input = 0,
                                  .velocity_input = 1,
                                  .position = x_out,
                                  .velocity = v_out,
                                  .acceleration = a_out,
                                  .position_integral = p_out};
  }
  return cosim_master_create(parts, 2, &cut, 1, master, error);
}
