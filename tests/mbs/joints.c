/* Every joint of the table against differences, its signs and names, and reactions worked out by hand. */
#include "mbs/model/joint.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"
#include "tests/support/curves.h"
#include "tests/support/differences.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

enum { n_poses = 20 };
static const double tolerance = 1e-9;

/* ---- A joint between bodies 1 and 2; x = (q, v) of both ---- */

typedef struct joint_case {
  mbs_joint joint;
  double lambda[mbs_max_rows];
  const double *a; /* (6) second rates of the motion that x begins */
  const double *x; /* (12) */
} joint_case;

/* All kinds of joints in all their variants. */
enum { n_types = MBS_MOTION + MBS_MOTIONS + 1 };

static mbs_joint_def definition_of(int number) {
  if (number < MBS_MOTION)
    return (mbs_joint_def){.kind = (mbs_joint_kind)number};
  if (number < MBS_MOTION + MBS_MOTIONS)
    return (mbs_joint_def){.kind = MBS_MOTION, .of = (mbs_motion_of)(number - MBS_MOTION)};
  return (mbs_joint_def){.kind = MBS_GEAR, .has_centres = true};
}

static joint_case case_of(int number) {
  const mbs_joint_def def = definition_of(number);
  const mbs_joint_type *type = mbs_joint_type_of(&def);
  return (joint_case){.joint = {.type = type,
                                .kind = def.kind,
                                .name = type->residual[0],
                                .body = {1, 2},
                                .frame = {1, 2},
                                .marker = {{0.7, -0.3}, {-0.4, 0.5}},
                                .axis = {0.6, 0.8},
                                .rest = {0.3, 0.2, 0.1},
                                .ratio = -1.7,
                                .radius = {-0.8, 0.5},
                                .curve = {.curve = wave_curve(), .side = -1, .ends_at_end = true}},
                      .lambda = {1.3, -0.7, 0.4}};
}

static void place(const double x[12], mbs_frame frame[3]) {
  frame[0] = (mbs_frame){.cos = 1};
  for (int b = 0; b < 2; b++) {
    const double *q = x + 3 * b;
    const double *v = x + 6 + 3 * b;
    frame[b + 1] = (mbs_frame){q[0], q[1], q[2], cos(q[2]), sin(q[2]), v[0], v[1], v[2]};
  }
}

static void measure(const joint_case *c, const double x[12], mbs_relative_coordinate g[mbs_max_rows], double *gamma) {
  mbs_frame frame[3];
  place(x, frame);
  const mbs_pair pair = mbs_joint_pair(&c->joint, frame);
  mbs_joint_coordinates(&c->joint, &pair, g);
  for (int k = 0; k < c->joint.type->n_rows; k++)
    gamma[k] = -mbs_relative_convection(&g[k], &pair);
}

static void residual_of(const void *context, const double *x, double *y) {
  const joint_case *c = context;
  mbs_relative_coordinate g[mbs_max_rows];
  double gamma[mbs_max_rows];
  measure(c, x, g, gamma);
  for (int k = 0; k < c->joint.type->n_rows; k++)
    y[k] = g[k].s;
}

static void gamma_of(const void *context, const double *x, double *y) {
  mbs_relative_coordinate g[mbs_max_rows];
  measure(context, x, g, y);
}

/* Gᵀ λ */
static void reaction_of(const void *context, const double *x, double *y) {
  const joint_case *c = context;
  mbs_relative_coordinate g[mbs_max_rows];
  double gamma[mbs_max_rows];
  measure(c, x, g, gamma);
  for (int i = 0; i < 6; i++) {
    y[i] = 0;
    for (int k = 0; k < c->joint.type->n_rows; k++)
      y[i] += g[k].J[i] * c->lambda[k];
  }
}

/* G v at time t of the motion q + v t + a t²/2. */
static void rate_along_motion(const void *context, const double *t, double *y) {
  const joint_case *c = context;
  mbs_relative_coordinate g[mbs_max_rows];
  double gamma[mbs_max_rows];
  double x[12];
  for (int i = 0; i < 6; i++) {
    x[i] = c->x[i] + *t * c->x[6 + i] + *t * *t * c->a[i] / 2;
    x[6 + i] = c->x[6 + i] + *t * c->a[i];
  }
  measure(c, x, g, gamma);
  for (int k = 0; k < c->joint.type->n_rows; k++) {
    y[k] = 0;
    for (int i = 0; i < 6; i++)
      y[k] += g[k].J[i] * x[6 + i];
  }
}

/* ---- Differences ---- */

typedef void check(joint_case *c, const double x[12]);

static void at_random_poses(check *expect) {
  uint64_t seed = 1;
  for (int number = 0; number < n_types; number++)
    for (int i = 0; i < n_poses; i++) {
      joint_case c = case_of(number);
      double x[12];
      for (int k = 0; k < 12; k++)
        x[k] = random_between(&seed, -2, 2);
      expect(&c, x);
    }
}

static void expect_G(joint_case *c, const double x[12]) {
  double matrix[mbs_max_rows * 12];
  double gamma[mbs_max_rows];
  mbs_relative_coordinate g[mbs_max_rows];
  measure(c, x, g, gamma);
  if (c->joint.type->is_nonholonomic) /* no function has these rows as its gradient */
    return;
  differentiate(residual_of, c, x, 12, c->joint.type->n_rows, matrix);
  for (int k = 0; k < c->joint.type->n_rows; k++)
    expect_close(g[k].J, matrix + 12 * k, 6, tolerance, c->joint.type->residual[k]);
}

Test(joints, G_is_the_gradient_of_the_residuals) { at_random_poses(expect_G); }

static void expect_gamma(joint_case *c, const double x[12]) {
  static const double a[6] = {0.3, -1.1, 0.8, -0.2, 0.6, 1.4};
  const double now = 0;
  double second_rate[mbs_max_rows];
  double gamma[mbs_max_rows];
  mbs_relative_coordinate g[mbs_max_rows];
  c->a = a;
  c->x = x;
  measure(c, x, g, gamma);
  differentiate(rate_along_motion, c, &now, 1, c->joint.type->n_rows, second_rate);
  for (int k = 0; k < c->joint.type->n_rows; k++) {
    double formula = -gamma[k];
    for (int i = 0; i < 6; i++)
      formula += g[k].J[i] * a[i];
    expect_close(&formula, &second_rate[k], 1, tolerance, c->joint.type->residual[k]);
  }
}

Test(joints, the_second_rate_is_G_a_minus_gamma) { at_random_poses(expect_gamma); }

static void derivatives(const joint_case *c, const double x[12], double stiffness[6][6],
                        double gamma_q[mbs_max_rows][6]) {
  mbs_frame frame[3];
  place(x, frame);
  const mbs_pair pair = mbs_joint_pair(&c->joint, frame);
  mbs_curvature curvature[mbs_max_rows];
  c->joint.type->curvature(&c->joint, &pair, curvature);
  mbs_joint_stiffness(&c->joint, curvature, c->lambda, stiffness);
  for (int i = 0; i < 36; i++)
    stiffness[i / 6][i % 6] *= -1; /* of Gᵀ λ */
  for (int k = 0; k < c->joint.type->n_rows; k++)
    for (int i = 0; i < 6; i++)
      gamma_q[k][i] = -curvature[k].T[i];
}

/* The first six columns of an (n_rows x 12) matrix, and the others. */
static void split(const double *matrix, int n_rows, double *first, double *second) {
  for (int k = 0; k < n_rows; k++) {
    memcpy(first + 6 * k, matrix + 12 * k, 6 * sizeof *first);
    memcpy(second + 6 * k, matrix + 12 * k + 6, 6 * sizeof *second);
  }
}

static void expect_stiffness(joint_case *c, const double x[12]) {
  double stiffness[6][6];
  double gamma_q[mbs_max_rows][6];
  double matrix[72];
  double by_q[36];
  double by_v[36];
  derivatives(c, x, stiffness, gamma_q);
  differentiate(reaction_of, c, x, 12, 6, matrix);
  split(matrix, 6, by_q, by_v);
  expect_close(&stiffness[0][0], by_q, 36, tolerance, c->joint.name);
}

Test(joints, the_stiffness_is_the_gradient_of_the_reactions) { at_random_poses(expect_stiffness); }

static void expect_gamma_derivatives(joint_case *c, const double x[12]) {
  const int n_rows = c->joint.type->n_rows;
  double stiffness[6][6];
  double gamma_q[mbs_max_rows][6];
  double gamma_v[mbs_max_rows][6];
  double matrix[mbs_max_rows * 12];
  double by_q[mbs_max_rows * 6];
  double by_v[mbs_max_rows * 6];
  double gamma[mbs_max_rows];
  mbs_relative_coordinate g[mbs_max_rows];
  derivatives(c, x, stiffness, gamma_q);
  differentiate(gamma_of, c, x, 12, n_rows, matrix);
  split(matrix, n_rows, by_q, by_v);
  measure(c, x, g, gamma);
  mbs_frame frame[3];
  place(x, frame);
  const mbs_pair pair = mbs_joint_pair(&c->joint, frame);
  for (int k = 0; k < n_rows; k++) {
    double gradient[6];
    mbs_joint_rate_gradient(&c->joint, &pair, &g[k], gradient);
    for (int i = 0; i < 6; i++)
      gamma_v[k][i] = -(g[k].Jdot[i] + gradient[i]);
  }
  expect_close(&gamma_q[0][0], by_q, 6 * n_rows, tolerance, c->joint.name);
  expect_close(&gamma_v[0][0], by_v, 6 * n_rows, tolerance, c->joint.name);
}

Test(joints, gamma_has_the_gradients_gamma_q_and_gamma_v) { at_random_poses(expect_gamma_derivatives); }

/* ---- All joints of a mechanism at once ---- */

/* g, G and γ of one joint, from its measures and what it adds to them. */
static void expect_constraints(const mechanism *m, const mbs_joint *joint) {
  const mbs_pair pair = mbs_joint_pair(joint, m->ws->frames);
  const seam_jet f = mbs_joint_prescribed_law(joint, m->state->t);
  mbs_relative_coordinate s[mbs_max_rows];
  mbs_joint_coordinates(joint, &pair, s);
  for (int k = 0; k < joint->type->n_rows; k++) {
    const int row = joint->row + k;
    const double g = s[k].s - f.value;
    const double gamma = f.dd[0] - mbs_relative_convection(&s[k], &pair);
    expect_close(&m->ws->g[row], &g, 1, 1e-15, joint->name);
    expect_close(&m->ws->gamma[row], &gamma, 1, 1e-15, joint->name);
    expect_close(m->ws->G[row], s[k].J, 6, 0, joint->name);
  }
}

Test(joints, the_constraints_of_a_mechanism_are_those_of_each_joint_alone) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    mechanism m = seed == 40 ? four_bar_fixed() : random_mechanism(seed);
    const size_t n = 3 * mbs_n_bodies(m.model);
    for (size_t i = 0; i < n; i++) {
      m.state->q[i] += random_between(&(uint64_t){seed + i}, -1, 1);
      m.state->v[i] += random_between(&(uint64_t){seed - i}, -2, 2);
    }
    mbs_stage_kinematics(m.ws, m.state->q, m.state->v);
    mbs_stage_constraints(m.ws, m.state->t);
    for (int j = 0; j < m.model->n_joints; j++)
      expect_constraints(&m, &m.model->joints[j]);
    mechanism_free(&m);
  }
}

/* ---- Names and signs ---- */

/* Body "b" joined to the ground in the origin; prismatic along x. */
static mechanism one_joint(mbs_joint_kind kind) {
  const double origin[2] = {0, 0};
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  if (kind == MBS_PRISMATIC)
    add_prismatic(builder, "j", "ground", "b", origin, (double[2]){1, 0});
  else
    add_joint(builder, "j", kind, "ground", "b", origin);
  return mechanism_build(builder);
}

static void expect_names(mbs_joint_kind kind, size_t n, const char *const *names) {
  mechanism m = one_joint(kind);
  cr_assert_eq(mbs_n_constraints(m.model), n);
  for (size_t k = 0; k < n; k++)
    cr_expect_str_eq(mbs_constraint_of(m.model, k).name, names[k]);
  mechanism_free(&m);
}

Test(joints, residual_names_of_revolute) { expect_names(MBS_REVOLUTE, 2, (const char *[]){"g_x", "g_y"}); }

Test(joints, residual_names_of_prismatic) { expect_names(MBS_PRISMATIC, 2, (const char *[]){"g_n", "g_phi"}); }

Test(joints, residual_names_of_fixed) { expect_names(MBS_FIXED, 3, (const char *[]){"g_x", "g_y", "g_phi"}); }

/* The second body moved by (0.1, 0.2) and turned by 0.3 gives the residuals `expected`. */
static void expect_residuals(mbs_joint_kind kind, size_t n, const double *expected) {
  mechanism m = one_joint(kind);
  double g[3] = {0};
  memcpy(m.state->q, (double[3]){0.1, 0.2, 0.3}, 3 * sizeof(double));
  mbs_residuals(m.ws, m.state, g, NULL, NULL);
  for (size_t k = 0; k < n; k++)
    cr_expect_float_eq(g[k], expected[k], 1e-15, "%s", mbs_constraint_of(m.model, k).name);
  mechanism_free(&m);
}

Test(joints, revolute_is_second_minus_first) { expect_residuals(MBS_REVOLUTE, 2, (double[]){0.1, 0.2}); }

Test(joints, prismatic_is_second_minus_first_along_the_normal) {
  expect_residuals(MBS_PRISMATIC, 2, (double[]){0.2, 0.3});
}

Test(joints, fixed_is_second_minus_first) { expect_residuals(MBS_FIXED, 3, (double[]){0.1, 0.2, 0.3}); }

/* ---- Reactions ---- */

static void expect_reaction(mechanism *m, const double expected[3]) {
  double wrench[3];
  cr_assert_eq(mbs_evaluate(m->ws, m->state, &m->error), SEAM_OK, "%s", m->error.message);
  mbs_reaction(m->ws, m->state, 0, wrench);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(wrench[i], expected[i], 1e-12, "component %d is %.15g, not %.15g", i, wrench[i], expected[i]);
  mechanism_free(m);
}

static const double mass = 3;
static const double g0 = 9.81;

/* A rod of 2 m from the origin to `end`, joined there to the ground. */
static mechanism rod_on_ground(mbs_joint_kind kind, bool ground_first, const double end[2]) {
  const double origin[2] = {0, 0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "bar", origin, end, mass);
  add_joint(builder, "j", kind, ground_first ? "ground" : "bar", ground_first ? "bar" : "ground", origin);
  return mechanism_build(builder);
}

Test(joints, a_hanging_pendulum_pulls_the_ground_down) {
  mechanism m = rod_on_ground(MBS_REVOLUTE, true, (double[2]){0, -2});
  expect_reaction(&m, (double[3]){0, -mass * g0, 0});
}

Test(joints, the_ground_holds_a_hanging_pendulum_up) {
  mechanism m = rod_on_ground(MBS_REVOLUTE, false, (double[2]){0, -2});
  expect_reaction(&m, (double[3]){0, mass * g0, 0});
}

/* A horizontal rod just let go: its middle, 1 m out, falls with m g / (m + J) = 3/4 g; the pivot holds the rest. */
Test(joints, a_falling_rod_weighs_a_quarter) {
  mechanism m = rod_on_ground(MBS_REVOLUTE, false, (double[2]){2, 0});
  expect_reaction(&m, (double[3]){0, mass * g0 / 4, 0});
}

/* Turning with 2 rad/s below its pivot: weight and m ω² r, r = 1 m. */
Test(joints, a_pendulum_at_its_lowest_point_pulls_with_its_motion_too) {
  mechanism m = rod_on_ground(MBS_REVOLUTE, false, (double[2]){0, -2});
  memcpy(m.state->v, (double[3]){2, 0, 2}, 3 * sizeof(double));
  expect_reaction(&m, (double[3]){0, mass * (g0 + 4), 0});
}

/* Clamped at its left end, its weight 1 m to the right: force m g and moment 1 m * m g. */
Test(joints, a_cantilever_loads_the_ground) {
  mechanism m = rod_on_ground(MBS_FIXED, true, (double[2]){2, 0});
  expect_reaction(&m, (double[3]){0, -mass * g0, -mass * g0});
}

Test(joints, the_ground_clamps_a_cantilever) {
  mechanism m = rod_on_ground(MBS_FIXED, false, (double[2]){2, 0});
  expect_reaction(&m, (double[3]){0, mass * g0, mass * g0});
}

/* A block slides on an incline of 30°: the ground takes m g cos 30° against the normal n = (-sin 30°, cos 30°). Without
 * turning its line of action is the block's middle, s = 0.5 m down the incline from the marker: torque s m g cos 30°.
 */
Test(joints, a_block_presses_its_incline) {
  const double angle = pi / 6;
  const double axis[2] = {cos(angle), sin(angle)};
  const double press = mass * g0 * cos(angle);
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "block", mass, 0.2, (double[3]){-0.5 * axis[0], -0.5 * axis[1], angle});
  add_prismatic(builder, "guide", "ground", "block", (double[2]){0, 0}, axis);
  mechanism m = mechanism_build(builder);
  expect_reaction(&m, (double[3]){press * sin(angle), -press * cos(angle), 0.5 * press});
}

/* Held by a spring along the incline, the same block stays at rest. */
Test(joints, a_block_held_by_a_spring_rests_on_its_incline) {
  const double angle = pi / 6;
  const double axis[2] = {cos(angle), sin(angle)};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "block", mass, 0.2, (double[3]){0, 0, angle});
  add_prismatic(builder, "guide", "ground", "block", (double[2]){0, 0}, axis);
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "block", (double[2]){0, 0});
  memcpy(spring.at[0].position, (double[2]){2 * axis[0], 2 * axis[1]}, 2 * sizeof(double));
  spring.stiffness[0] = 100;
  spring.rest = 2 - mass * g0 * sin(angle) / 100; /* its pull is the weight down the incline */
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(m.state->a[i], 0, 1e-12);
  const double press = mass * g0 * cos(angle);
  expect_reaction(&m, (double[3]){press * sin(angle), -press * cos(angle), 0});
}

Test(joints, the_reaction_of_a_prismatic_joint_is_normal_to_its_axis) {
  mechanism m = slider_crank();
  double wrench[3];
  mechanism_assemble(&m);
  mbs_reaction(m.ws, m.state, mbs_find_joint(m.model, "guide"), wrench);
  cr_expect_float_eq(wrench[0], 0, 1e-12);
  mechanism_free(&m);
}
