#include "tests/support/subsystem_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cosim/mechanism/cut_element.h"
#include "cosim/parts/signal.h"
#include "mbs/model/workspace.h"

/* ---- Cutting ---- */

static bool is_kept(const subsystem_fixture *c, size_t body) { return body != MBS_GROUND && c->keep[body]; }

static void add_port(subsystem_fixture *c, const size_t bodies[2], bool is_joint, size_t element,
                     const mbs_port_kind *drives) {
  if (bodies[0] == MBS_GROUND || bodies[1] == MBS_GROUND || is_kept(c, bodies[0]) == is_kept(c, bodies[1]))
    return;
  cr_assert_lt(c->n_ports, MAX_PORTS);
  c->ports[c->n_ports] = (mbs_port_def){
      .is_joint = is_joint, .element = element, .side = is_kept(c, bodies[0]) ? 0 : 1, .kind = drives[c->n_ports]};
  c->n_ports++;
}

static void find_ports(subsystem_fixture *c, const mbs_port_kind *drives) {
  for (size_t j = 0; j < mbs_n_joints(c->whole.model); j++)
    add_port(c, mbs_joint_of(c->whole.model, j).bodies, true, j, drives);
  for (size_t i = 0; i < mbs_n_forces(c->whole.model); i++)
    add_port(c, mbs_force_of(c->whole.model, i).bodies, false, i, drives);
}

subsystem_fixture cut(mechanism whole, const char *const *bodies, const mbs_port_kind *drives, bool integrals,
                      double step, const mbs_integrator_options *options) {
  subsystem_fixture c = {.whole = whole};
  mbs_integrator_options erk = mbs_default_integrator_options();
  erk.step = step;
  mechanism_assemble(&c.whole);
  for (; *bodies != NULL; bodies++)
    c.keep[mbs_find_body(c.whole.model, *bodies)] = true;
  find_ports(&c, drives);
  const cosim_multibody_def def = {.name = "part",
                                   .model = c.whole.model,
                                   .bodies = c.keep,
                                   .ports = c.ports,
                                   .n_ports = c.n_ports,
                                   .integrals = integrals,
                                   .integrator = options == NULL ? erk : *options};
  seam_error error = {0};
  cr_assert_eq(cosim_multibody_part_create(&def, &c.part, &error), SEAM_OK, "%s", error.message);
  cr_assert(c.part->n_inputs <= MAX_INPUTS && c.part->n_outputs <= MAX_OUTPUTS);
  cosim_multibody_start(c.part, c.whole.state);
  return c;
}

void subsystem_fixture_free(subsystem_fixture *c) {
  cosim_part_destroy(c->part);
  mechanism_free(&c->whole);
}

/* ---- What the whole says ---- */

cosim_motion marker_motion(const mbs_model *model, const mbs_state *state, bool is_joint, size_t element, int side) {
  const int body = is_joint ? model->joints[element].body[side] : model->forces[element].body[side];
  const mbs_vector marker = is_joint ? model->joints[element].marker[side] : model->forces[element].marker[side];
  if (body == 0)
    return (cosim_motion){.x = {marker.x, marker.y, 0}};
  const double *q = state->q + 3 * (body - 1);
  const double *v = state->v + 3 * (body - 1);
  const double *a = state->a + 3 * (body - 1);
  const mbs_frame frame = mbs_frame_at(q, v);
  const mbs_vector arm = mbs_rotate(&frame, marker);
  const double w2 = v[2] * v[2];
  return (cosim_motion){
      .x = {q[0] + arm.x, q[1] + arm.y, q[2]},
      .v = {v[0] - arm.y * v[2], v[1] + arm.x * v[2], v[2]},
      .a = {a[0] - arm.y * a[2] - arm.x * w2, a[1] + arm.x * a[2] - arm.y * w2, a[2]},
  };
}

void element_wrench(const mbs_model *model, const mbs_state *state, bool is_joint, size_t number, double W[4]) {
  cosim_mechanism_element e;
  cr_assert_eq(cosim_mechanism_element_of(model, is_joint, number, &e, NULL), SEAM_OK);
  const cosim_motion m[2] = {marker_motion(model, state, is_joint, number, 0),
                             marker_motion(model, state, is_joint, number, 1)};
  if (!is_joint) {
    e.base.ops->wrench(&e.base, m, W);
    return;
  }
  double spread[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  e.base.ops->wrench_map(&e.base, m, spread);
  for (int i = 0; i < COSIM_MAX_FORCES; i++) {
    W[i] = 0;
    for (int k = 0; k < e.base.n_rows; k++)
      W[i] += spread[i][k] * state->lambda[model->joints[number].row + k];
  }
}

static void wrench_on_side(const subsystem_fixture *c, const mbs_port_def *port, double wrench[3]) {
  double W[4];
  cosim_mechanism_element e;
  element_wrench(c->whole.model, c->whole.state, port->is_joint, port->element, W);
  cr_assert_eq(cosim_mechanism_element_of(c->whole.model, port->is_joint, port->element, &e, NULL), SEAM_OK);
  const double far_torque = e.base.n_forces == 4 ? W[3] : W[2];
  const double sign = port->side == 0 ? 1 : -1;
  wrench[0] = sign * W[0];
  wrench[1] = sign * W[1];
  wrench[2] = port->side == 0 ? W[2] : -far_torque;
}

void true_inputs(const subsystem_fixture *c, double *inputs) {
  for (int p = 0; p < c->n_ports; p++) {
    const mbs_port_def *port = &c->ports[p];
    const cosim_side side = cosim_multibody_side(c->part, p);
    const mbs_model *model = c->whole.model;
    const cosim_motion far = marker_motion(model, c->whole.state, port->is_joint, port->element, 1 - port->side);
    const cosim_motion own = marker_motion(model, c->whole.state, port->is_joint, port->element, port->side);
    if (port->kind == MBS_PORT_FORCE)
      wrench_on_side(c, port, inputs + side.force_input);
    if (port->kind == MBS_PORT_MOTION) {
      memcpy(inputs + side.position_input, far.x, sizeof far.x);
      memcpy(inputs + side.velocity_input, far.v, sizeof far.v);
    }
    if (port->kind == MBS_PORT_ACCELERATION)
      memcpy(inputs + side.acceleration_input, own.a,
             (size_t)model->joints[port->element].type->n_rows * sizeof *inputs);
  }
}

void record(subsystem_fixture *c, mbs_integrator *integrator, double H, cosim_signal *inputs) {
  enum { n_nodes = 4 };
  static const double node[n_nodes] = {0, 1.0 / 3, 2.0 / 3, 1};
  const double t = c->whole.state->t;
  double value[MAX_INPUTS] = {0};
  for (int i = 0; i < c->part->n_inputs; i++)
    inputs[i] = (cosim_signal){.n_pieces = 1};
  for (int k = 0; k < n_nodes; k++) {
    const cosim_signal lagrange = cosim_lagrange(n_nodes, node, k);
    mechanism_advance(&c->whole, integrator, t + node[k] * H);
    true_inputs(c, value);
    for (int i = 0; i < c->part->n_inputs; i++)
      cosim_signal_add(&inputs[i], value[i], &lagrange);
  }
}

static double largest_difference(const subsystem_fixture *c, const double *x, const double *y) {
  double largest = 0;
  for (size_t b = 0; b < mbs_n_bodies(c->whole.model); b++)
    for (size_t i = 3 * b; i < 3 * b + 3 && c->keep[b]; i++)
      largest = fmax(largest, fabs(x[i] - y[i]));
  return largest;
}

double motion_error(const subsystem_fixture *c, const mbs_state *x, const mbs_state *y) {
  return fmax(largest_difference(c, x->q, y->q), largest_difference(c, x->v, y->v));
}

double acceleration_error(const subsystem_fixture *c, const mbs_state *x, const mbs_state *y) {
  return largest_difference(c, x->a, y->a);
}

/* ---- Mechanisms ---- */

mechanism sprung_pair(void) {
  static const double hard[4] = {40, 15, 1, 0.3};
  static const double soft[4] = {8, -1, 0.4, 0.1};
  const char *bodies[4][2];
  const double A[2] = {0, 0};
  const double B[2] = {1, 0.2};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "arm", A, B, 1);
  mbs_body_def free = mbs_default_body_def();
  free.name = "free";
  free.mass = 0.7;
  free.inertia = 0.2;
  memcpy(free.pose, (double[3]){1.6, 0.1, 0.4}, sizeof free.pose);
  memcpy(free.velocity, (double[3]){0.3, -0.2, 0.8}, sizeof free.velocity);
  cr_assert_eq(mbs_add_body(builder, &free, NULL), SEAM_OK);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "arm", A);
  mbs_force_def bush = force_between("bush", MBS_BUSHING, bodies[0], "arm", "free", B);
  memcpy(bush.stiffness, (double[3]){50, 80, 10}, sizeof bush.stiffness);
  memcpy(bush.damping, (double[3]){1, 2, 0.3}, sizeof bush.damping);
  memcpy(bush.at[1].position, (double[2]){1.1, 0.3}, sizeof bush.at[1].position);
  bush.consistent = true;
  add_force(builder, &bush);
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies[1], "free", "arm", B);
  memcpy(spring.at[0].position, (double[2]){1.8, 0.7}, sizeof spring.at[0].position);
  spring.law = law_of_stretch(hard);
  add_force(builder, &spring);
  mbs_force_def twist = force_between("twist", MBS_TORSION, bodies[2], "arm", "free", B);
  twist.law = law_of_stretch(soft);
  add_force(builder, &twist);
  mbs_force_def axial = force_between("axial", MBS_SPRING_DAMPER, bodies[3], "arm", "free", B);
  memcpy(axial.at[1].position, (double[2]){1.5, 0.9}, sizeof axial.at[1].position);
  axial.has_axis = true;
  memcpy(axial.axis, (double[2]){0.6, 0.8}, sizeof axial.axis);
  axial.stiffness[0] = 20;
  axial.damping[0] = 0.5;
  add_force(builder, &axial);
  return mechanism_build(builder);
}
