/* Computes masses m, stiffnesses c and dampings d from the dimensionless parameters Λ and α (seam_test_model), with m1
 * = 1 and the macro step H = 1 ([Li] 3.31 and 4.63, inverted in docs/conventions.md). cc and dc belong to the coupling:
 *
 *   c1 = Λr² + Λi²                         d1 = -2 Λr
 *   c2/m2 = (αr21 Λr)² + (αi21 Λi)²        d2/m2 = -2 αr21 Λr          m2 = αm21
 *   cc = α* [(αic1 Λi)² + (αrc1 Λr)²]      dc = -2 α* αrc1 Λr          α* = 2 αm21 / (1 + αm21)
 *
 * Each side has one of three inputs: the coupling force λ; the motion x̃, ṽ of the other mass, through the coupling; or
 * a prescribed acceleration ã of its own mass. A prescribed acceleration needs the force μ = ±(m ã + d v + c x), where
 * x and v are position and velocity of this mass. */
#include "analysis/textbook/test_model.h"
#include "base/then.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct analysis_test_model {
  analysis_oscillators model;
  cosim_linear_element spring;
  cosim_element joined;
  cosim_part *part[2];
  cosim_master *master;
};

enum { X, V, P, n_states };
enum { x_out, v_out, a_out, p_out, mu_out, n_outputs };

seam_status analysis_oscillators_of(const seam_test_model *p, bool rigid, analysis_oscillators *model,
                                    seam_error *error) {
  const double values[] = {p->lambda_r,  p->lambda_i,  p->alpha_m21, p->alpha_r21,
                           p->alpha_i21, p->alpha_rc1, p->alpha_ic1};
  if (!finite_all(values, sizeof values / sizeof *values))
    return seam_fail(error, SEAM_BAD_INPUT, "a parameter of the test model is not finite");
  if (!(p->alpha_m21 > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "the mass ratio %g of the test model must be positive", p->alpha_m21);
  const double r = p->lambda_r, i = p->lambda_i;
  const double m2 = p->alpha_m21, mean = 2 * m2 / (1 + m2);
  const double r2 = p->alpha_r21 * r, i2 = p->alpha_i21 * i;
  const double rc = p->alpha_rc1 * r, ic = p->alpha_ic1 * i;
  *model = (analysis_oscillators){.side = {{1, r * r + i * i, -2 * r}, {m2, m2 * (r2 * r2 + i2 * i2), -2 * m2 * r2}},
                                  .rigid = rigid,
                                  .stiffness = mean * (ic * ic + rc * rc),
                                  .damping = -2 * mean * rc};
  return SEAM_OK;
}

seam_status analysis_oscillators_with(const seam_oscillators *p, bool rigid, double H, analysis_oscillators *model,
                                      seam_error *error) {
  const double values[] = {p->c1, p->d1, p->c2, p->d2, p->cc, p->dc, p->x1, p->v1, p->x2, p->v2, p->end};
  if (!finite_all(values, sizeof values / sizeof *values))
    return seam_fail(error, SEAM_BAD_INPUT, "a parameter of the test model is not finite");
  if (!is_positive(p->m1) || !is_positive(p->m2))
    return seam_fail(error, SEAM_BAD_INPUT, "the masses %g and %g of the test model must be positive and finite", p->m1,
                     p->m2);
  if (!is_positive(H))
    return seam_fail(error, SEAM_BAD_INPUT, "the macro step %g of the test model must be positive and finite", H);
  *model = (analysis_oscillators){.side = {{p->m1, p->c1 * H * H, p->d1 * H}, {p->m2, p->c2 * H * H, p->d2 * H}},
                                  .rigid = rigid,
                                  .stiffness = p->cc * H * H,
                                  .damping = p->dc * H};
  return SEAM_OK;
}

/* ---- Sides ---- */

/* Creates one mass; its state is x, v and p, the integral of x. */
static seam_status create_side(const analysis_oscillators *model, int side, const cosim_scheme *scheme,
                               cosim_part **part, seam_error *error) {
  static const bool restarts[n_states] = {[P] = true};
  static const char *const names[2] = {"1", "2"};
  const analysis_oscillator *o = &model->side[side];
  const double sign = side == 0 ? 1 : -1;
  double A[n_states][n_states] = {[X] = {[V] = 1}, [P] = {[X] = 1}};
  double C[n_outputs][n_states] = {[x_out] = {[X] = 1}, [v_out] = {[V] = 1}, [p_out] = {[P] = 1}};
  double B[2 * n_states] = {0}, D[2 * n_outputs] = {0};
  int n_inputs = 1;
  if (cosim_scheme_drives(scheme, side, COSIM_FORCE)) {
    A[V][X] = -(o->stiffness / o->mass);
    A[V][V] = -(o->damping / o->mass);
    B[V] = D[a_out] = 1 / o->mass;
  } else if (cosim_scheme_drives(scheme, side, COSIM_ACCELERATION)) {
    B[V] = D[a_out] = 1;
    C[mu_out][X] = sign * o->stiffness;
    C[mu_out][V] = sign * o->damping;
    D[mu_out] = sign * o->mass;
  } else { /* inputs x̃ and ṽ */
    n_inputs = 2;
    A[V][X] = -((o->stiffness + model->stiffness) / o->mass);
    A[V][V] = -((o->damping + model->damping) / o->mass);
    B[2 * V] = D[2 * a_out] = model->stiffness / o->mass;
    B[2 * V + 1] = D[2 * a_out + 1] = model->damping / o->mass;
  }
  memcpy(C[a_out], A[V], sizeof A[V]); /* a = v' */
  const cosim_linear_def def = {.name = names[side],
                                .n_states = n_states,
                                .n_inputs = n_inputs,
                                .n_outputs = n_outputs,
                                .A = A[0],
                                .B = B,
                                .C = C[0],
                                .D = D,
                                .restarts = restarts};
  return cosim_linear_part_create(&def, part, error);
}

/* ---- Coupling ---- */

/* Sets the states of both masses to their mean, weighted by mass ([Li] 4.22, 4.47). */
static seam_status project(void *context, double t, seam_error *error) {
  (void)t;
  (void)error;
  analysis_test_model *self = context;
  const double mass[2] = {self->model.side[0].mass, self->model.side[1].mass};
  double z[2][2];
  double mean[2];
  for (int side = 0; side < 2; side++)
    self->part[side]->ops->save(self->part[side], z[side]);
  for (int i = 0; i < 2; i++)
    mean[i] = (mass[0] * z[0][i] + mass[1] * z[1][i]) / (mass[0] + mass[1]);
  for (int side = 0; side < 2; side++)
    self->part[side]->ops->restore(self->part[side], mean);
  return SEAM_OK;
}

seam_status analysis_test_model_create(const analysis_oscillators *model, const cosim_scheme *scheme,
                                       analysis_test_model **created, seam_error *error) {
  analysis_test_model *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the test model");
  self->model = *model;
  self->spring = cosim_linear_element_of(1, &model->stiffness, &model->damping);
  self->joined = cosim_joined_element_of(1);
  seam_status status = create_side(model, 0, scheme, &self->part[0], error);
  THEN(status, create_side(model, 1, scheme, &self->part[1], error));
  if (status != SEAM_OK)
    cosim_part_destroy(self->part[0]);
  cosim_cut cut = {
      .name = "coupling", .element = self->model.rigid ? &self->joined : &self->spring.base, .scheme = *scheme};
  cosim_master_options options = cosim_default_master_options();
  options.tolerance = INFINITY; /* the coupling is linear, so one correction solves it up to rounding */
  options.n_threads = 1;
  options.project = project;
  options.context = self;
  for (int side = 0; side < 2; side++)
    cut.side[side] = (cosim_side){.part = side,
                                  .velocity_input = 1,
                                  .position = x_out,
                                  .velocity = v_out,
                                  .acceleration = a_out,
                                  .position_integral = p_out,
                                  .multiplier = mu_out};
  THEN(status, cosim_master_create(self->part, 2, &cut, 1, &options, &self->master, error)); /* takes the parts */
  if (status == SEAM_OK)
    *created = self;
  else
    free(self);
  return status;
}

void analysis_test_model_destroy(analysis_test_model *self) {
  if (self == NULL)
    return;
  cosim_master_destroy(self->master);
  free(self);
}

cosim_master *analysis_test_model_master(analysis_test_model *self) { return self->master; }

void analysis_test_model_set(analysis_test_model *self, const double state[4]) {
  for (int side = 0; side < 2; side++)
    self->part[side]->ops->restore(self->part[side], state + 2 * side);
}

cosim_snapshot analysis_test_model_snapshot(const analysis_oscillators *model, const double state[4]) {
  const analysis_oscillator *o = model->side;
  cosim_snapshot now = {0};
  double load[2];
  for (int side = 0; side < 2; side++) {
    now.motion[side].x[0] = state[2 * side];
    now.motion[side].v[0] = state[2 * side + 1];
    load[side] = -o[side].stiffness * state[2 * side] - o[side].damping * state[2 * side + 1];
  }
  const double a = (load[0] + load[1]) / (o[0].mass + o[1].mass);
  now.wrench[0][0] = model->rigid ? o[0].mass * a - load[0]
                                  : model->stiffness * (state[2] - state[0]) + model->damping * (state[3] - state[1]);
  now.motion[0].a[0] = (load[0] + now.wrench[0][0]) / o[0].mass;
  now.motion[1].a[0] = (load[1] - now.wrench[0][0]) / o[1].mass;
  return now;
}
