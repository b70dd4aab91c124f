/* Every force element against differences and energies at random states, and signs and values by hand. */
#include "mbs/model/force.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"
#include "tests/support/curves.h"
#include "tests/support/differences.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

enum { n_states = 20 };
static const double tolerance = 1e-9;
static const double time_of_states = 0.7, by_motion[2] = {MBS_BY_MOTION, MBS_BY_MOTION};

/* ---- The elements, one by one, each between two bodies some metres apart ---- */

typedef enum element {
  VISCOUS,
  SPRING,
  SPRING_LAW,
  AXIS_SPRING,
  AXIS_SPRING_LAW,
  TORSION,
  TORSION_LAW,
  BUSHING_MARKERS,
  BUSHING_CONSISTENT,
  BEAM,
  BELT,
  BELT_TAUT,
  CONTACT_OF_CIRCLES,
  CONTACT_WITH_LINE,
  CONTACT_WITH_CURVE,
  CONTACT_WITH_CORNER,
  FORCE_GLOBAL,
  FORCE_BODY,
  TORQUE,
  DRAG_OF_AIR,
  DRAG_OF_GROUND,
  DRAG,
  N_ELEMENTS
} element;

/* Columns: kind, elastic (has a potential), on one body only. */
static const struct {
  const char *name;
  mbs_force_kind kind;
  bool elastic, alone;
} elements[N_ELEMENTS] = {
    [VISCOUS] = {"viscous", MBS_VISCOUS, false, true},
    [SPRING] = {"spring", MBS_SPRING_DAMPER, true, false},
    [SPRING_LAW] = {"spring law", MBS_SPRING_DAMPER, true, false},
    [AXIS_SPRING] = {"spring along an axis", MBS_SPRING_DAMPER, true, false},
    [AXIS_SPRING_LAW] = {"spring law along an axis", MBS_SPRING_DAMPER, true, false},
    [TORSION] = {"torsion", MBS_TORSION, true, false},
    [TORSION_LAW] = {"torsion law", MBS_TORSION, true, false},
    [BUSHING_MARKERS] = {"bushing markers", MBS_BUSHING, true, false},
    [BUSHING_CONSISTENT] = {"bushing consistent", MBS_BUSHING, true, false},
    [BEAM] = {"beam", MBS_BEAM, true, false},
    [BELT] = {"belt", MBS_ELASTIC_BELT, true, false},
    [BELT_TAUT] = {"taut belt", MBS_ELASTIC_BELT, true, false},
    [CONTACT_OF_CIRCLES] = {"contact of circles", MBS_CONTACT, true, false},
    [CONTACT_WITH_LINE] = {"contact with a line", MBS_CONTACT, true, false},
    [CONTACT_WITH_CURVE] = {"contact with a curve", MBS_CONTACT, true, false},
    [CONTACT_WITH_CORNER] = {"contact with a corner", MBS_CONTACT, true, false},
    [FORCE_GLOBAL] = {"force, global", MBS_POINT_FORCE, false, true},
    [FORCE_BODY] = {"force, body", MBS_POINT_FORCE, false, true},
    [TORQUE] = {"torque", MBS_TORQUE, false, true},
    [DRAG_OF_AIR] = {"drag of the air", MBS_DRAG, false, true},
    [DRAG_OF_GROUND] = {"drag of the ground", MBS_DRAG, false, true},
    [DRAG] = {"drag", MBS_DRAG, false, true},
};

static const double of_time[3] = {0.5, 2, 3};
static const double of_time_y[3] = {-0.3, 1, 5};
static const double of_stretch[4] = {2, 0.5, 0.7, 0.3};

static void set_contact(mbs_force_def *def, double radius) {
  def->radii[0] = radius;
  def->radii[1] = 12;
  def->damping[0] = 0.05;
  def->contact.exponent = 1.3;
  def->contact.has_line = def->has_axis = radius == 0;
  def->contact.friction = 0.4;
  def->contact.slip_speed = 0.7;
}

static mechanism mechanism_of(element e) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1.5, 0.4, (double[3]){0.1, 0.2, 0.3});
  add_body(builder, "second", 0.8, 0.3, (double[3]){4, 1, -0.5});
  mbs_force_def def = force_between(elements[e].name, elements[e].kind, bodies, "first",
                                    elements[e].alone ? NULL : "second", (double[2]){1, 0.5});
  memcpy(def.stiffness, (double[3]){2, 3, 1.5}, sizeof def.stiffness);
  memcpy(def.damping, (double[3]){0.5, 0.7, 0.2}, sizeof def.damping);
  memcpy(def.axis, (double[2]){3, -4}, sizeof def.axis);
  memcpy(def.at[1].position, (double[2]){3.2, 0.7}, sizeof def.at[1].position);
  def.rest = 0.4;
  def.has_axis = e == AXIS_SPRING || e == AXIS_SPRING_LAW;
  def.consistent = e == BUSHING_CONSISTENT;
  def.body_axes = e == FORCE_BODY;
  if (e == SPRING_LAW || e == AXIS_SPRING_LAW || e == TORSION_LAW)
    def.law = law_of_stretch(of_stretch);
  memcpy(def.radii, (double[2]){-0.5, 0.4}, sizeof def.radii);
  if (e == BELT_TAUT)
    def.preload = 20;
  if (elements[e].kind == MBS_CONTACT) /* always pressed */
    set_contact(&def, e == CONTACT_OF_CIRCLES ? 5 : 0);
  if (e == CONTACT_WITH_CURVE || e == CONTACT_WITH_CORNER)
    meet_bulge(builder, &def, e == CONTACT_WITH_CORNER);
  if (e == DRAG_OF_AIR || e == DRAG)
    def.drag = (mbs_drag){.area = 0.4, .coefficient = 1.1, .density = 2.5, .wind = {0.3, -0.6}};
  if (e == DRAG_OF_GROUND || e == DRAG) {
    def.drag.resistance = 1.7;
    def.drag.speed = 0.2;
  }
  if (e == FORCE_GLOBAL || e == FORCE_BODY || e == TORQUE)
    def.law = law_of_time(of_time);
  if (e == FORCE_GLOBAL || e == FORCE_BODY)
    def.law_y = law_of_time(of_time_y);
  add_force(builder, &def);
  return mechanism_build(builder);
}

/* ---- The element alone; x = (q, v) of both bodies ---- */

typedef struct placed {
  mbs_frame frame[3];
  mbs_pair pair;
} placed;

static void place(const mbs_force *force, const double x[12], placed *p) {
  p->frame[0] = (mbs_frame){.cos = 1};
  for (int b = 0; b < 2; b++) {
    const double *q = x + 3 * b;
    const double *v = x + 6 + 3 * b;
    p->frame[b + 1] = (mbs_frame){q[0], q[1], q[2], cos(q[2]), sin(q[2]), v[0], v[1], v[2]};
  }
  p->pair = mbs_force_pair(force, p->frame);
}

static mbs_power load(const mbs_force *force, const double x[12], double Q[6]) {
  placed p;
  mbs_power power = {0};
  place(force, x, &p);
  force->type->load(force, &p.pair, time_of_states, by_motion, Q, &power);
  return power;
}

static void load_of(const void *context, const double *x, double *y) { load(context, x, y); }

static void potential_of(const void *context, const double *x, double *y) {
  const mbs_force *force = context;
  placed p;
  place(force, x, &p);
  *y = force->type->potential(force, &p.pair);
}

static void random_x(uint64_t *seed, double x[12]) {
  for (int i = 0; i < 12; i++)
    x[i] = random_between(seed, -1, 1);
  x[3] += 4;
}

typedef void check(element e, const mbs_force *force, const double x[12]);

static void at_random_states(check *expect) {
  uint64_t seed = 1;
  for (int e = 0; e < N_ELEMENTS; e++) {
    mechanism m = mechanism_of((element)e);
    const bool has_branches = elements[e].kind == MBS_ELASTIC_BELT || e == BEAM;
    for (int i = 0; i < n_states; i++) {
      double x[12];
      random_x(&seed, x);
      for (int k = 0; k < 6 && has_branches; k++)
        x[k] = x[k] / 2 + (k == 3 ? 2 : 0); /* turned less, so that its branch is known */
      expect((element)e, &m.model->forces[0], x);
    }
    mechanism_free(&m);
  }
}

/* ---- Differences and energies ---- */

static void expect_derivatives(element e, const mbs_force *force, const double x[12]) {
  double Kq[6][6];
  double Kv[6][6];
  double matrix[72];
  placed p;
  place(force, x, &p);
  force->type->derivatives(force, &p.pair, time_of_states, by_motion, Kq, Kv);
  differentiate(load_of, force, x, 12, 6, matrix);
  for (int i = 0; i < 6; i++) {
    expect_close(Kq[i], matrix + 12 * i, 6, tolerance, elements[e].name);
    expect_close(Kv[i], matrix + 12 * i + 6, 6, tolerance, elements[e].name);
  }
}

Test(forces, Kq_and_Kv_are_the_gradients_of_the_load) { at_random_states(expect_derivatives); }

typedef struct stretch_of {
  const mbs_force *force;
  int k;
} stretch_of;

static void convection_of(const void *context, const double *x, double *y) {
  const stretch_of *of = context;
  placed p;
  mbs_relative_coordinate m[3];
  place(of->force, x, &p);
  of->force->type->find_coordinates(of->force, &p.pair, m);
  *y = mbs_relative_convection(&m[of->k], &p.pair);
}

static void expect_T(element e, const mbs_force *force, const double x[12]) {
  mbs_curvature curvature[3];
  placed p;
  place(force, x, &p);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    double differences[12];
    force->type->curvature(force, &p.pair, curvature);
    differentiate(convection_of, &(stretch_of){force, k}, x, 12, 1, differences);
    expect_close(curvature[k].T, differences, 6, tolerance, elements[e].name);
  }
}

Test(forces, curvatures_have_the_gradient_of_the_convection) { at_random_states(expect_T); }

static void expect_potential(element e, const mbs_force *force, const double x[12]) {
  double at_rest[12] = {0};
  double Q[6];
  double gradient[12];
  cr_assert_eq(force->type->potential != NULL, elements[e].elastic, "%s", elements[e].name);
  if (!elements[e].elastic)
    return;
  memcpy(at_rest, x, 6 * sizeof *x);
  load(force, at_rest, Q);
  differentiate(potential_of, force, at_rest, 12, 1, gradient);
  for (int i = 0; i < 6; i++)
    gradient[i] = -gradient[i];
  expect_close(Q, gradient, 6, tolerance, elements[e].name);
}

Test(forces, the_load_without_motion_is_the_descent_of_the_potential) { at_random_states(expect_potential); }

/* What the load takes from the motion beyond what it takes without dampers is dissipated; loads of time drive. */
static void expect_powers(element e, const mbs_force *force, const double x[12]) {
  double at_rest[12] = {0};
  double Q[6];
  double Q_at_rest[6];
  double taken = 0;
  double given = 0;
  memcpy(at_rest, x, 6 * sizeof *x);
  load(force, at_rest, Q_at_rest);
  const mbs_power power = load(force, x, Q);
  for (int i = 0; i < 6; i++) {
    taken += (Q_at_rest[i] - Q[i]) * x[6 + i];
    given += Q[i] * x[6 + i];
  }
  if (force->kind == MBS_DRAG) { /* the wind drives also what is at rest */
    cr_assert_float_eq(power.driven - power.dissipated, given, 1e-12, "%s", elements[e].name);
    cr_assert_gt(power.dissipated, 0);
    cr_assert_eq(power.driven == 0, e == DRAG_OF_GROUND);
    return;
  }
  const bool drives = force->kind == MBS_POINT_FORCE || force->kind == MBS_TORQUE;
  cr_assert_float_eq(power.dissipated, taken, 1e-12, "%s", elements[e].name);
  cr_assert_float_eq(power.driven, drives ? given : 0, 1e-12, "%s", elements[e].name);
}

Test(forces, powers_are_those_of_the_loads) { at_random_states(expect_powers); }

/* ---- All elements of a mechanism at once ---- */

Test(forces, the_forces_of_a_mechanism_are_the_sum_of_the_loads_of_its_elements) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    mechanism m = seed == 40 ? four_bar_bushing() : random_mechanism(seed);
    const mbs_model *model = m.model;
    double sum[3 * 64] = {0};
    mbs_power power = {0};
    cr_assert(model->n_bodies < 64);
    mbs_stage_kinematics(m.ws, m.state->q, m.state->v);
    mbs_stage_forces(m.ws, m.state->t, m.state->z);
    for (int i = 3; i < 3 * (model->n_bodies + 1); i++)
      sum[i] = i % 3 == 2 ? 0 : model->mass[i] * model->gravity[i % 3];
    for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++) {
      const mbs_pair pair = mbs_force_pair(force, m.ws->frames);
      double Q[6];
      force->type->load(force, &pair, m.state->t, m.state->z + force->state, Q, &power);
      for (int i = 0; i < 6; i++)
        sum[3 * force->body[i / 3] + i % 3] += Q[i];
    }
    expect_close(m.ws->Q + 3, sum + 3, 3 * model->n_bodies, 1e-14, "forces");
    expect_close(&m.ws->power.dissipated, &power.dissipated, 1, 1e-14, "dissipated power");
    expect_close(&m.ws->power.driven, &power.driven, 1, 1e-14, "driven power");
    mechanism_free(&m);
  }
}

/* ---- Potentials of laws with gaps ---- */

/* A stop 1 m away, x[0] < -1: 1e6 N/m. */
static double stop_value(const void *data, const double x[2]) {
  (void)data;
  return x[0] < -1 ? 1e6 * (x[0] + 1) : 0;
}

/* 3 N between -0.5 and -0.6 m. */
static double zone_value(const void *data, const double x[2]) {
  (void)data;
  return x[0] < -0.5 && x[0] > -0.6 ? -3 : 0;
}

static double potential_at(double (*value)(const void *data, const double x[2]), double s) {
  mbs_force force = {.type = &mbs_force_torsion, .law = {-1, -1}, .elastic = {{.nonlinear = {.value = value}}}};
  placed p;
  place(&force, (double[12]){0}, &p);
  p.frame[2].phi = s;
  p.pair.frame[0] = &p.frame[1];
  p.pair.frame[1] = &p.frame[2];
  return mbs_force_torsion.potential(&force, &p.pair);
}

Test(forces, a_stop_stores_what_is_pressed_into_it) {
  for (int i = 0; i < 31; i++) { /* 1e-7 to 0.8 m */
    const double depth = 1e-7 * pow(1.7, i);
    const double exact = 1e6 * depth * depth / 2;
    const double potential = potential_at(stop_value, -1 - depth);
    cr_expect_float_eq(potential, exact, 1e-8 * exact, "%g m: %g J", depth, potential / exact - 1);
  }
  cr_expect_eq(potential_at(stop_value, -1), 0);
}

Test(forces, a_force_in_a_zone_has_done_its_work_beyond_it) {
  cr_expect_float_eq(potential_at(zone_value, -0.57), 3 * 0.07, 1e-12);
  cr_expect_float_eq(potential_at(zone_value, -0.61), 3 * 0.1, 1e-12);
  cr_expect_float_eq(potential_at(zone_value, -1), 3 * 0.1, 1e-12);
}

static double exponent;
static int n_calls;

static double power_value(const void *data, const double x[2]) {
  (void)data;
  n_calls++;
  return copysign(pow(fabs(x[0]), exponent), x[0]);
}

/* ∫ |s|^p ds = |s|^(p+1) / (p+1): roots are found with as few values of the law as polynomials. */
Test(forces, the_work_of_powers_is_exact_and_cheap) {
  static const double exponents[] = {0.5, 1, 1.5, 2, 3, 4, 0.8, 2.2};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
    for (double s = -1e6; fabs(s) > 1e-9; s /= -97) {
      exponent = exponents[i];
      n_calls = 0;
      const double exact = pow(fabs(s), exponent + 1) / (exponent + 1);
      const double potential = potential_at(power_value, s);
      cr_expect_float_eq(potential, exact, 1e-13 * exact, "|%g|^%g: %g", s, exponent, potential / exact - 1);
      cr_expect_leq(n_calls, i < 6 ? 39 : 400, "|%g|^%g: %d values", s, exponent, n_calls);
    }
}

static void expect_opposite(element e, const mbs_force *force, const double x[12]) {
  double Q[6];
  if (elements[e].alone)
    return;
  load(force, x, Q);
  cr_assert_eq(Q[0] + Q[3], 0, "%s", elements[e].name);
  cr_assert_eq(Q[1] + Q[4], 0, "%s", elements[e].name);
}

Test(forces, the_forces_on_both_bodies_are_opposite_to_the_bit) { at_random_states(expect_opposite); }

static void expect_no_net_moment(element e, const mbs_force *force, const double x[12]) {
  double Q[6];
  const bool keeps = e == SPRING || e == SPRING_LAW || e == TORSION || e == TORSION_LAW || e == BUSHING_CONSISTENT ||
                     elements[e].kind == MBS_CONTACT;
  if (!keeps)
    return;
  load(force, x, Q);
  const double moment = Q[2] + x[0] * Q[1] - x[1] * Q[0] + Q[5] + x[3] * Q[4] - x[4] * Q[3];
  cr_assert_float_eq(moment, 0, 1e-12, "%s: %g", elements[e].name, moment);
}

Test(forces, elements_that_keep_angular_momentum_have_no_net_moment) { at_random_states(expect_no_net_moment); }

/* ---- Signs and values by hand ---- */

/* Points 5 m apart along (3, 4), drawn out by 1 m, the second leaving with 2 m/s: 10 * 1 + 3 * 2 = 16 N of pull. */
Test(forces, a_stretched_spring_pulls) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "second", 1, 1, (double[3]){3, 4, 0});
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "first", "second", (double[2]){0, 0});
  memcpy(spring.at[1].position, (double[2]){3, 4}, 2 * sizeof(double));
  spring.stiffness[0] = 10;
  spring.damping[0] = 3;
  spring.rest = 4;
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v + 3, (double[2]){1.2, 1.6}, 2 * sizeof(double));
  expect_first_wrench(&m, (double[3]){16 * 0.6, 16 * 0.8, 0});
  mechanism_free(&m);
}

Test(forces, a_spring_rests_at_its_initial_length_by_default) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){3, 4, 0});
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "b", (double[2]){0, 0});
  memcpy(spring.at[1].position, (double[2]){3, 4}, 2 * sizeof(double));
  spring.stiffness[0] = 10;
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  expect_first_wrench(&m, (double[3]){0, 0, 0});
  mechanism_free(&m);
}

/* The second body is 0.2 rad ahead of its rest and turns ahead with 0.5 rad/s: 10 * 0.2 + 2 * 0.5 = 3 Nm. */
Test(forces, a_wound_torsion_spring_turns_the_first_body_ahead) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "second", 1, 1, (double[3]){1, 0, 0.3});
  mbs_force_def torsion = force_between("torsion", MBS_TORSION, bodies, "first", "second", (double[2]){0, 0});
  torsion.stiffness[0] = 10;
  torsion.damping[0] = 2;
  torsion.rest = 0.1;
  add_force(builder, &torsion);
  mechanism m = mechanism_build(builder);
  m.state->v[5] = 0.5;
  expect_first_wrench(&m, (double[3]){0, 0, 3});
  mechanism_free(&m);
}

/* (3, 0) N in the axes of a body turned by 90° push it along y, at its marker (0, 2), which is now at (-2, 0): torque
 * -2 m * 3 N about its centre, of which nothing is left at the marker. */
Test(forces, a_force_in_body_axes_turns_with_its_body) {
  static const double constant[3] = {3, 0, 0};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  mbs_force_def force = force_between("push", MBS_POINT_FORCE, bodies, "b", NULL, (double[2]){0, 2});
  force.body_axes = true;
  force.law = law_of_time(constant);
  add_force(builder, &force);
  mechanism m = mechanism_build(builder);
  m.state->q[2] = pi / 2;
  cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
  const double expected[3] = {0, 3, -6};
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(m.state->a[i], expected[i], 1e-14);
  expect_first_wrench(&m, (double[3]){0, 3, 0});
  mechanism_free(&m);
}

/* ---- What is not finite ---- */

Test(forces, a_spring_between_coincident_points_is_named) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  mbs_force_def spring = force_between("short one", MBS_SPRING_DAMPER, bodies, "ground", "b", (double[2]){0, 0});
  spring.stiffness[0] = 10;
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  cr_expect_eq(mbs_evaluate(m.ws, m.state, &m.error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(m.error.message, "'short one'"), "%s", m.error.message);
  mechanism_free(&m);
}
