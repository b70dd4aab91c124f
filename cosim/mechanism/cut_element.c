/* The model evaluates force elements and joints between the frames of two bodies, with a marker on each. Here each
 * frame lies at its marker and has its body's angle, so the poses are the marker coordinates x1 and x2. The generalised
 * forces Q (6) are then the wrenches about the markers. A cut element has the wrench W = (Q_x1, Q_y1, Q_φ1, -Q_φ2).
 *
 * Let x be both poses, v and a their first and second rates. A joint with coordinates s(x), their Jacobian J = ∂s/∂x
 * and prescribed values f(t) has the residuals g. A change of x, v and a by δx, δv and δa changes them by δg:
 *
 *   g  = s - f            δg  = J δx
 *   ġ  = J v - f'         δġ  = J δv + J̇ δx
 *   g̈  = J a + J̇ v - f''  δg̈  = J δa + 2 J̇ δv + (T + H a) δx
 *
 * with T = ∂(J̇ v)/∂x and H a = ∂(J a)/∂x. T and H are the joint's curvature (mbs/model/joint.h). */
#include "cosim/mechanism/cut_element.h"

#include <string.h>

/* ---- Two frames at the markers ---- */

typedef struct marker_frames {
  mbs_frame frame[2];
  mbs_pair pair;
} marker_frames;

static void set_frames(const cosim_motion m[2], marker_frames *p) {
  for (int side = 0; side < 2; side++)
    p->frame[side] = mbs_frame_at(m[side].x, m[side].v);
  p->pair = (mbs_pair){.frame = {&p->frame[0], &p->frame[1]}};
}

/* Component i of W is component_of[i].sign times Q[component_of[i].coordinate]. */
static const struct {
  int coordinate;
  double sign;
} component_of[COSIM_MAX_FORCES] = {{0, 1}, {1, 1}, {2, 1}, {5, -1}};

/* ---- Force elements ---- */

static void wrench(const cosim_element *base, const cosim_motion m[2], double W[COSIM_MAX_FORCES]) {
  const cosim_mechanism_element *self = (const cosim_mechanism_element *)base;
  marker_frames p;
  mbs_power power = {0};
  double Q[6];
  set_frames(m, &p);
  self->force.type->load(&self->force, &p.pair, 0, self->z, Q, &power);
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  for (int k = 0; k < base->n_forces; k++)
    W[base->force[k]] = component_of[base->force[k]].sign * Q[component_of[base->force[k]].coordinate];
}

static void wrench_gradients(const cosim_element *base, const cosim_motion m[2], cosim_gradient Wx, cosim_gradient Wv) {
  const mbs_force *force = &((const cosim_mechanism_element *)base)->force;
  marker_frames p;
  double K[6][6];
  double D[6][6];
  set_frames(m, &p);
  force->type->derivatives(force, &p.pair, 0, NULL, K, D);
  memset(Wx, 0, sizeof(cosim_gradient));
  memset(Wv, 0, sizeof(cosim_gradient));
  for (int k = 0; k < base->n_forces; k++) {
    const int row = base->force[k];
    for (int j = 0; j < 6; j++) {
      Wx[row][j] = component_of[row].sign * K[component_of[row].coordinate][j];
      Wv[row][j] = component_of[row].sign * D[component_of[row].coordinate][j];
    }
  }
}

/* ---- Joints ---- */

/* Returns row · (first, second). */
static double product(const double row[6], const double first[3], const double second[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += row[i] * first[i] + row[3 + i] * second[i];
  return sum;
}

static void residuals(const cosim_element *base, double t, const cosim_motion m[2], double *g, double *gd,
                      double *gdd) {
  const mbs_joint *joint = &((const cosim_mechanism_element *)base)->joint;
  const seam_jet f = mbs_joint_prescribed_law(joint, t);
  marker_frames p;
  mbs_relative_coordinate s[mbs_max_rows];
  set_frames(m, &p);
  mbs_joint_coordinates(joint, &p.pair, s);
  for (int k = 0; k < base->n_rows; k++) {
    g[k] = s[k].s - f.value;
    gd[k] = mbs_relative_rate(&s[k], &p.pair) - f.d[0];
    gdd[k] = product(s[k].J, m[0].a, m[1].a) + mbs_relative_convection(&s[k], &p.pair) - f.dd[0];
  }
}

static void residual_gradients(const cosim_element *base, const cosim_motion m[2], cosim_gradient J,
                               cosim_gradient J_rate) {
  const mbs_joint *joint = &((const cosim_mechanism_element *)base)->joint;
  marker_frames p;
  mbs_relative_coordinate s[mbs_max_rows];
  set_frames(m, &p);
  joint->type->find_coordinates(joint, &p.pair, s);
  memset(J, 0, sizeof(cosim_gradient));
  memset(J_rate, 0, sizeof(cosim_gradient));
  for (int k = 0; k < base->n_rows; k++) {
    memcpy(J[k], s[k].J, sizeof s[k].J);
    memcpy(J_rate[k], s[k].Jdot, sizeof s[k].Jdot);
  }
}

static void residual_derivatives(const cosim_element *base, const cosim_motion m[2], const cosim_motion change[2],
                                 double *g, double *gd, double *gdd) {
  const mbs_joint *joint = &((const cosim_mechanism_element *)base)->joint;
  marker_frames p;
  mbs_relative_coordinate s[mbs_max_rows];
  mbs_curvature c[mbs_max_rows];
  set_frames(m, &p);
  joint->type->find_coordinates(joint, &p.pair, s);
  joint->type->curvature(joint, &p.pair, c);
  for (int k = 0; k < base->n_rows; k++) {
    double curvature[6]; /* T + H a */
    for (int i = 0; i < 6; i++)
      curvature[i] = c[k].T[i] + product(c[k].H[i], m[0].a, m[1].a);
    g[k] = product(s[k].J, change[0].x, change[1].x);
    gd[k] = product(s[k].J, change[0].v, change[1].v) + product(s[k].Jdot, change[0].x, change[1].x);
    gdd[k] = product(s[k].J, change[0].a, change[1].a) + 2 * product(s[k].Jdot, change[0].v, change[1].v) +
             product(curvature, change[0].x, change[1].x);
  }
}

static void wrench_map(const cosim_element *base, const cosim_motion m[2],
                       double map[COSIM_MAX_FORCES][COSIM_MAX_DIMS]) {
  const mbs_joint *joint = &((const cosim_mechanism_element *)base)->joint;
  marker_frames p;
  mbs_relative_coordinate s[mbs_max_rows];
  set_frames(m, &p);
  joint->type->find_coordinates(joint, &p.pair, s);
  for (int row = 0; row < COSIM_MAX_FORCES; row++)
    for (int k = 0; k < COSIM_MAX_DIMS; k++)
      map[row][k] = k < base->n_rows ? -component_of[row].sign * s[k].J[component_of[row].coordinate] : 0;
}

/* ---- Energies and multipliers ---- */

mbs_power cosim_mechanism_power(const cosim_mechanism_element *self, double t, const cosim_motion m[2],
                                const double *lambda, const double *z) {
  mbs_power power = {0};
  marker_frames p;
  double Q[6];
  if (self->base.n_rows > 0) {
    power.driven = -lambda[0] * mbs_joint_prescribed_law(&self->joint, t).d[0];
    return power;
  }
  set_frames(m, &p);
  self->force.type->load(&self->force, &p.pair, t, z, Q, &power);
  return power;
}

double cosim_mechanism_potential(const cosim_mechanism_element *self, const cosim_motion m[2]) {
  marker_frames p;
  set_frames(m, &p);
  const bool stores = self->base.n_rows == 0 && self->force.type->potential != NULL;
  return stores ? self->force.type->potential(&self->force, &p.pair) : 0;
}

void cosim_mechanism_stretches(const cosim_mechanism_element *self, const cosim_motion m[2], double s[3], double v[3]) {
  marker_frames p;
  mbs_relative_coordinate coordinate[3];
  set_frames(m, &p);
  self->force.type->find_coordinates(&self->force, &p.pair, coordinate);
  for (int k = 0; k < self->force.type->n_coordinates; k++) {
    s[k] = coordinate[k].s - self->force.rest[k];
    v[k] = mbs_relative_rate(&coordinate[k], &p.pair);
  }
}

/* Solves Sᵀ S λ = Sᵀ W by Gram-Schmidt on the columns of the wrench map S. S has the rows that the joint uses. */
void cosim_mechanism_multipliers(const cosim_mechanism_element *self, const cosim_motion m[2], const double *W,
                                 double *lambda) {
  const int n = self->base.n_rows;
  double all[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS] = {0};
  double R[COSIM_MAX_DIMS][COSIM_MAX_DIMS] = {0};
  double residual[COSIM_MAX_FORCES];
  wrench_map(&self->base, m, all);
  for (int i = 0; i < self->base.n_forces; i++)
    memcpy(S[self->base.force[i]], all[self->base.force[i]], sizeof *S);
  memcpy(residual, W, sizeof residual);
  for (int k = 0; k < n; k++) {
    for (int j = k; j < n; j++)
      for (int i = 0; i < COSIM_MAX_FORCES; i++)
        R[k][j] += S[i][k] * S[i][j];
    lambda[k] = 0;
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      lambda[k] += S[i][k] * residual[i] / R[k][k];
    for (int i = 0; i < COSIM_MAX_FORCES; i++) {
      residual[i] -= lambda[k] * S[i][k];
      for (int j = k + 1; j < n; j++)
        S[i][j] -= R[k][j] / R[k][k] * S[i][k];
    }
  }
  for (int k = n - 1; k >= 0; k--)
    for (int j = k + 1; j < n; j++)
      lambda[k] -= R[k][j] / R[k][k] * lambda[j];
}

/* ---- Markers of the model ---- */

cosim_motion cosim_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                                  const double *v, const double *a) {
  const mbs_motion m = mbs_element_motion(model, is_joint, element, side, q, v, a);
  cosim_motion motion = {0};
  memcpy(motion.x, m.x, sizeof m.x);
  memcpy(motion.v, m.v, sizeof m.v);
  memcpy(motion.a, m.a, sizeof m.a);
  return motion;
}

/* ---- Creation ---- */

/* Refuses hard friction that drops when slip begins. The force at a cut joint is a polynomial over a macro step, with
 * an error where another joint begins to stick or slip. This error may start slip in a sticking joint. The slip then
 * does not stop, however short the macro step. */
static seam_status check_friction(const mbs_model *model, seam_error *error) {
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++) {
    const mbs_friction *friction = &joint->friction;
    if (friction->is_hard && friction->static_coefficient > friction->coefficient && friction->stribeck_speed == 0)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "the hard friction of joint '%s' drops suddenly when slip begins, and errors of forces at cut joints may "
          "start slip too early: give the friction a 'stribeck_speed', leave out 'static', or cut force elements only",
          joint->name);
  }
  return SEAM_OK;
}

seam_status cosim_mechanism_element_of(const mbs_model *model, bool is_joint, size_t number,
                                       cosim_mechanism_element *element, seam_error *error) {
  static const cosim_element_ops ops = {.wrench = wrench,
                                        .wrench_gradients = wrench_gradients,
                                        .residuals = residuals,
                                        .residual_gradients = residual_gradients,
                                        .residual_derivatives = residual_derivatives,
                                        .wrench_map = wrench_map};
  *element = (cosim_mechanism_element){0};
  if (is_joint)
    element->joint = model->joints[number];
  else
    element->force = model->forces[number];
  const mbs_cut_traits *cut = is_joint ? &element->joint.type->cut : &element->force.type->cut;
  const bool on_one = is_joint && (element->joint.body[0] == 0 || element->joint.body[1] == 0);
  if (cut->n_dims == 0 || on_one)
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' acts on one body only: there is nothing to cut",
                     is_joint ? element->joint.name : element->force.name);
  if (is_joint && mbs_joint_has_friction(&element->joint))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the friction of this joint depends on the joint's reaction, which a coupling replaces; keep both "
                     "bodies of the joint in one subsystem, or leave out 'friction'");
  if (is_joint && check_friction(model, error) != SEAM_OK)
    return SEAM_BAD_INPUT;
  if (!is_joint && element->force.law_is_state_dependent)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the law of force '%s' depends on time or quantities, which a coupling does not evaluate: write it as "
        "equations under 'cosim.subsystems' with signals, or keep both of its bodies in one subsystem",
        element->force.name);
  for (int side = 0; side < 2; side++)
    element->joint.marker[side] = element->force.marker[side] = (mbs_vector){0};
  element->force.has_modes = false;
  element->base = (cosim_element){.ops = &ops,
                                  .n_dims = cut->n_dims,
                                  .n_forces = cut->n_wrench,
                                  .is_affine = cut->is_affine,
                                  .length = model->scales.length,
                                  .rate = model->scales.speed / model->scales.length};
  memcpy(element->base.dim, cut->dim, sizeof element->base.dim);
  memcpy(element->base.force, cut->wrench, sizeof element->base.force);
  if (!is_joint && element->force.elastic[0].nonlinear.value != NULL) {
    element->base.is_affine = false;
    element->base.has_kinks = element->force.elastic[0].nonlinear.has_kinks;
  }
  if (!is_joint && mbs_is_one_sided(&element->force.elastic[0]))
    element->base.has_kinks = element->base.switches = true;
  element->base.n_rows = is_joint ? element->joint.type->n_rows : 0;
  return SEAM_OK;
}
