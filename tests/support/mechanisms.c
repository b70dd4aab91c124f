#include "tests/support/mechanisms.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Elements ---- */

static void expect_added(seam_status status, const seam_error *error) {
  cr_assert_eq(status, SEAM_OK, "%s", error->message);
}

void add_body(mbs_builder *builder, const char *name, double mass, double inertia, const double pose[3]) {
  mbs_body_def def = mbs_default_body_def();
  seam_error error = {0};
  def.name = name;
  def.mass = mass;
  def.inertia = inertia;
  memcpy(def.pose, pose, sizeof def.pose);
  expect_added(mbs_add_body(builder, &def, &error), &error);
}

void add_rod(mbs_builder *builder, const char *name, const double P[2], const double Q[2], double mass) {
  const double d[2] = {Q[0] - P[0], Q[1] - P[1]};
  const double pose[3] = {(P[0] + Q[0]) / 2, (P[1] + Q[1]) / 2, atan2(d[1], d[0])};
  add_body(builder, name, mass, mass * (d[0] * d[0] + d[1] * d[1]) / 12, pose);
}

static mbs_joint_def joint_between(const char *name, mbs_joint_kind kind, const char *first, const double at_first[2],
                                   const char *second, const double at_second[2]) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = name;
  def.kind = kind;
  def.bodies[0] = first;
  def.bodies[1] = second;
  memcpy(def.at[0].position, at_first, sizeof def.at[0].position);
  memcpy(def.at[1].position, at_second, sizeof def.at[1].position);
  return def;
}

void add_joint(mbs_builder *builder, const char *name, mbs_joint_kind kind, const char *first, const char *second,
               const double P[2]) {
  const mbs_joint_def def = joint_between(name, kind, first, P, second, P);
  seam_error error = {0};
  expect_added(mbs_add_joint(builder, &def, &error), &error);
}

void add_joint_in_bodies(mbs_builder *builder, const char *name, mbs_joint_kind kind, const char *first,
                         const double at_first[2], const char *second, const double at_second[2]) {
  mbs_joint_def def = joint_between(name, kind, first, at_first, second, at_second);
  seam_error error = {0};
  def.at[0].frame = def.at[1].frame = MBS_BODY;
  expect_added(mbs_add_joint(builder, &def, &error), &error);
}

static void add_guide(mbs_builder *builder, mbs_joint_def def, const double axis[2]) {
  seam_error error = {0};
  memcpy(def.axis, axis, sizeof def.axis);
  expect_added(mbs_add_joint(builder, &def, &error), &error);
}

void add_prismatic(mbs_builder *builder, const char *name, const char *first, const char *second, const double P[2],
                   const double axis[2]) {
  add_guide(builder, joint_between(name, MBS_PRISMATIC, first, P, second, P), axis);
}

void add_slot(mbs_builder *builder, const char *name, const char *first, const char *second, const double P[2],
              const double axis[2]) {
  add_guide(builder, joint_between(name, MBS_SLOT, first, P, second, P), axis);
}

void add_distance(mbs_builder *builder, const char *name, const char *first, const double P[2], const char *second,
                  const double Q[2]) {
  const mbs_joint_def def = joint_between(name, MBS_DISTANCE, first, P, second, Q);
  seam_error error = {0};
  expect_added(mbs_add_joint(builder, &def, &error), &error);
}

void add_gear(mbs_builder *builder, const char *name, const char *first, const char *second, double ratio) {
  mbs_joint_def def = mbs_default_joint_def();
  seam_error error = {0};
  def.name = name;
  def.kind = MBS_GEAR;
  def.bodies[0] = first;
  def.bodies[1] = second;
  def.ratio = ratio;
  expect_added(mbs_add_joint(builder, &def, &error), &error);
}

static void add_joint_def(mbs_builder *builder, const mbs_joint_def *def) {
  seam_error error = {0};
  expect_added(mbs_add_joint(builder, def, &error), &error);
}

/* Both press. */
static void add_contacts(mbs_builder *builder) {
  const char *bodies[2];
  mbs_force_def wheels = force_between("wheels", MBS_CONTACT, bodies, "planet", "pulley", (double[2]){1, 0.2});
  memcpy(wheels.at[1].position, (double[2]){-0.8, 0.9}, sizeof wheels.at[1].position);
  memcpy(wheels.radii, (double[2]){1.2, 1.1}, sizeof wheels.radii);
  wheels.stiffness[0] = 30;
  wheels.contact =
      (mbs_contact){.exponent = 1.5, .restitution = 0.9, .impact_speed = 4, .friction = 0.3, .slip_speed = 0.5};
  add_force(builder, &wheels);
  mbs_force_def edge = force_between("edge", MBS_CONTACT, bodies, "bar", "planet", (double[2]){1.3, 0.6});
  memcpy(edge.axis, (double[2]){2, -0.4}, sizeof edge.axis);
  edge.has_axis = true;
  edge.radii[1] = 0.9;
  edge.stiffness[0] = 20;
  edge.damping[0] = 0.1;
  edge.contact =
      (mbs_contact){.has_line = true, .exponent = 1.2, .restitution = NAN, .friction = 0.4, .slip_speed = 0.6};
  add_force(builder, &edge);
}

static void add_drives(mbs_builder *builder) {
  static const double command[3] = {1, 0.5, 3};
  const char *bodies[2];
  mbs_force_def drag = force_between("wind", MBS_DRAG, bodies, "bar", NULL, (double[2]){1.6, 0.5});
  drag.drag = (mbs_drag){0.4, 1.1, 2.5, {0.3, -0.6}, 1.2, 0.4};
  add_force(builder, &drag);
  mbs_force_def strap = force_between("strap", MBS_ELASTIC_BELT, bodies, "planet", "pulley", (double[2]){1, 0.2});
  memcpy(strap.at[1].position, (double[2]){-0.8, 0.9}, sizeof strap.at[1].position);
  memcpy(strap.radii, (double[2]){0.3, 0.5}, sizeof strap.radii);
  strap.stiffness[0] = 40;
  strap.damping[0] = 3;
  strap.preload = 15;
  add_force(builder, &strap);
  for (int i = 0; i < 2; i++) {
    mbs_force_def drive = force_between(i == 0 ? "push" : "turn", i == 0 ? MBS_ACTUATOR : MBS_ROTARY_ACTUATOR, bodies,
                                        "ground", "bar", (double[2]){1.3, 0.6});
    memcpy(drive.at[0].position, (double[2]){0.2, -0.7}, sizeof drive.at[0].position);
    drive.law = law_of_time(command);
    drive.actuator.lag = 0.2;
    add_force(builder, &drive);
  }
}

mechanism drive_train(void) {
  static const double origin[2] = {0, 0};
  static const double centre[2] = {1, 0.2};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "arm", origin, centre, 1);
  add_body(builder, "planet", 0.5, 0.1, (double[3]){1, 0.2, 0.4});
  add_body(builder, "bar", 0.7, 0.2, (double[3]){1.3, 0.6, -0.3});
  add_body(builder, "pulley", 0.4, 0.1, (double[3]){-0.8, 0.9, 0.2});
  add_joint(builder, "O", MBS_REVOLUTE, "ground", "arm", origin);
  add_joint(builder, "P", MBS_REVOLUTE, "arm", "planet", centre);
  add_prismatic(builder, "guide", "arm", "bar", (double[2]){1.3, 0.6}, (double[2]){1, -0.2});
  mbs_joint_def gear = joint_between("gear", MBS_GEAR, "ground", origin, "pulley", (double[2]){-0.8, 0.9});
  gear.has_centres = true;
  gear.ratio = -1.4;
  add_joint_def(builder, &gear);
  mbs_joint_def rack = joint_between("rack", MBS_RACK, "bar", centre, "planet", centre);
  memcpy(rack.axis, (double[2]){1, -0.2}, sizeof rack.axis);
  rack.radii[0] = -0.35;
  add_joint_def(builder, &rack);
  mbs_joint_def belt = joint_between("belt", MBS_BELT, "planet", centre, "pulley", (double[2]){-0.8, 0.9});
  memcpy(belt.radii, (double[2]){-0.3, 0.5}, sizeof belt.radii);
  add_joint_def(builder, &belt);
  add_drives(builder);
  add_contacts(builder);
  mechanism m = mechanism_build(builder);
  for (size_t i = 0; i < 3 * mbs_n_bodies(m.model); i++)
    m.state->v[i] = cos(3.0 * (double)i);
  mechanism_assemble(&m);
  return m;
}

static mbs_joint_def motion_of(const char *name, mbs_motion_of of, const char *first, const char *second,
                               seam_law law) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = name;
  def.kind = MBS_MOTION;
  def.of = of;
  def.axis[0] = 0.6; /* of a slide */
  def.axis[1] = 0.8;
  def.bodies[0] = first;
  def.bodies[1] = second;
  def.law = law;
  return def;
}

void add_motion(mbs_builder *builder, const char *name, mbs_motion_of of, const char *first, const char *second,
                seam_law law) {
  const mbs_joint_def def = motion_of(name, of, first, second, law);
  seam_error error = {0};
  expect_added(mbs_add_joint(builder, &def, &error), &error);
}

void add_motion_of_distance(mbs_builder *builder, const char *name, const char *first, const double P[2],
                            const char *second, const double Q[2], seam_law law) {
  mbs_joint_def def = motion_of(name, MBS_OF_DISTANCE, first, second, law);
  seam_error error = {0};
  memcpy(def.at[0].position, P, sizeof def.at[0].position);
  memcpy(def.at[1].position, Q, sizeof def.at[1].position);
  expect_added(mbs_add_joint(builder, &def, &error), &error);
}

mbs_force_def force_between(const char *name, mbs_force_kind kind, const char *bodies[2], const char *first,
                            const char *second, const double P[2]) {
  mbs_force_def def = mbs_default_force_def();
  bodies[0] = first;
  bodies[1] = second;
  def.name = name;
  def.kind = kind;
  def.bodies = bodies;
  def.n_bodies = second == NULL ? 1 : 2;
  for (int side = 0; side < 2; side++)
    memcpy(def.at[side].position, P, sizeof def.at[side].position);
  return def;
}

void add_force(mbs_builder *builder, const mbs_force_def *def) {
  seam_error error = {0};
  expect_added(mbs_add_force(builder, def, &error), &error);
}

/* ---- Laws ---- */

static double time_value(const void *data, const double x[2]) {
  const double *k = data;
  return k[0] + k[1] * cos(k[2] * x[0]);
}

static void time_jet(const void *data, const double x[2], seam_jet *jet) {
  const double *k = data;
  *jet = (seam_jet){.value = time_value(data, x),
                    .d = {-k[1] * k[2] * sin(k[2] * x[0])},
                    .dd = {-k[1] * k[2] * k[2] * cos(k[2] * x[0])}};
}

seam_law law_of_time(const double coefficients[3]) {
  return (seam_law){.value = time_value, .jet = time_jet, .data = (void *)coefficients};
}

static double steady_value(const void *data, const double x[2]) {
  const double *k = data;
  return k[0] + k[1] * x[0];
}

static void steady_jet(const void *data, const double x[2], seam_jet *jet) {
  const double *k = data;
  *jet = (seam_jet){.value = steady_value(data, x), .d = {k[1]}};
}

seam_law law_of_steady_motion(const double coefficients[2]) {
  return (seam_law){.value = steady_value, .jet = steady_jet, .data = (void *)coefficients};
}

static double stretch_value(const void *data, const double x[2]) {
  const double *k = data;
  return k[0] * x[0] + k[1] * x[0] * x[0] * x[0] + k[2] * x[1] + k[3] * x[0] * x[1];
}

static void stretch_jet(const void *data, const double x[2], seam_jet *jet) {
  const double *k = data;
  *jet = (seam_jet){.value = stretch_value(data, x),
                    .d = {k[0] + 3 * k[1] * x[0] * x[0] + k[3] * x[1], k[2] + k[3] * x[0]},
                    .dd = {6 * k[1] * x[0], k[3], 0}};
}

seam_law law_of_stretch(const double coefficients[4]) {
  return (seam_law){.value = stretch_value, .jet = stretch_jet, .data = (void *)coefficients};
}

/* ---- A model with what is needed to use it ---- */

mechanism mechanism_build(mbs_builder *builder) {
  mechanism m = {0};
  cr_assert_eq(mbs_build(builder, &m.model, &m.error), SEAM_OK, "%s", m.error.message);
  m.ws = new_workspace(m.model);
  m.state = new_state(m.model);
  cr_assert(m.ws != NULL && m.state != NULL);
  return m;
}

void mechanism_free(mechanism *m) {
  mbs_state_destroy(m->state);
  mbs_workspace_destroy(m->ws);
  mbs_model_destroy(m->model);
}

void mechanism_assemble(mechanism *m) {
  cr_assert_eq(mbs_assemble(m->ws, m->state, NULL, NULL, &m->error), SEAM_OK, "%s", m->error.message);
}

static mbs_integrator *create(const mechanism *m, const char *method, int order, double tolerance, double step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  seam_error error = {0};
  mbs_integrator *integrator = NULL;
  options.method = method;
  options.order = order;
  options.rtol = options.atol = tolerance;
  options.step = step;
  cr_assert_eq(mbs_integrator_create(m->model, &options, &integrator, &error), SEAM_OK, "%s: %s", method,
               error.message);
  return integrator;
}

static mbs_integrator *start(mechanism *m, mbs_integrator *integrator) {
  cr_assert_eq(mbs_integrator_start(integrator, m->state, &m->error), SEAM_OK, "%s", m->error.message);
  return integrator;
}

mbs_integrator *mechanism_integrator(const mechanism *m, int order, double tolerance, double step) {
  return create(m, "erk", order, tolerance, step);
}

mbs_integrator *mechanism_start(mechanism *m, int order, double tolerance, double step) {
  return start(m, create(m, "erk", order, tolerance, step));
}

mbs_integrator *mechanism_start_by(mechanism *m, const char *method, double tolerance, double step) {
  return start(m, create(m, method, 8, tolerance, step));
}

void mechanism_advance(mechanism *m, mbs_integrator *integrator, double t) {
  cr_assert_eq(mbs_integrator_advance(integrator, t, m->state, &m->error), SEAM_OK, "%s", m->error.message);
}

double mechanism_residual(mechanism *m) {
  enum { most = 4000 };
  static double g[most];
  static double gd[most];
  const size_t n = mbs_n_constraints(m->model);
  double largest = 0;
  cr_assert_leq(n, (size_t)most);
  mbs_residuals(m->ws, m->state, g, gd, NULL);
  for (size_t i = 0; i < n; i++)
    largest = fmax(largest, fmax(fabs(g[i]), fabs(gd[i])));
  return largest;
}

void expect_first_wrench(mechanism *m, const double expected[3]) {
  double wrench[3];
  mbs_force_wrench(m->ws, m->state, 0, wrench);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(wrench[i], expected[i], 1e-13, "component %d is %.15g, not %.15g", i, wrench[i], expected[i]);
}

/* ---- Mechanisms ---- */

/* Angles of Li's four-bar mechanisms: bar 1, bars 2 and 3, bar 4 from its pivot (2, 0). */
static const double angle1 = 0.78539816339744831;
static const double angle2 = 0.6930279763625159;
static const double angle4 = 1.447616603676505;

typedef struct loop {
  double A[2], B[2], P[2], M[2], Q[2]; /* pivots, end of bar 1, middle, end of bar 4 */
} loop;

static loop loop_places(void) {
  loop at = {.B = {2, 0}, .P = {cos(angle1), sin(angle1)}};
  at.M[0] = at.P[0] + cos(angle2);
  at.M[1] = at.P[1] + sin(angle2);
  at.Q[0] = at.M[0] + cos(angle2);
  at.Q[1] = at.M[1] + sin(angle2);
  return at;
}

static mbs_builder *four_bars(const loop *at, double gravity) {
  mbs_builder *builder = new_builder();
  cr_assert_not_null(builder);
  mbs_set_gravity(builder, (double[2]){0, gravity});
  add_rod(builder, "bar1", at->A, at->P, 1);
  add_rod(builder, "bar2", at->P, at->M, 1);
  add_rod(builder, "bar3", at->M, at->Q, 1);
  add_rod(builder, "bar4", at->B, at->Q, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "bar1", at->A);
  add_joint(builder, "P", MBS_REVOLUTE, "bar1", "bar2", at->P);
  add_joint(builder, "Q", MBS_REVOLUTE, "bar3", "bar4", at->Q);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "bar4", at->B);
  return builder;
}

static void add_middle_bushing(mbs_builder *builder, const loop *at, double stiffness, double damping) {
  const char *bodies[2];
  mbs_force_def bushing = force_between("M", MBS_BUSHING, bodies, "bar2", "bar3", at->M);
  for (int i = 0; i < 3; i++) {
    bushing.stiffness[i] = stiffness;
    bushing.damping[i] = damping;
  }
  add_force(builder, &bushing);
}

mechanism four_bar_stiff(double stiffness, double damping) {
  const char *all[4] = {"bar1", "bar2", "bar3", "bar4"};
  const loop at = loop_places();
  mbs_builder *builder = four_bars(&at, 9.81);
  mbs_force_def air = mbs_default_force_def();
  air.name = "air";
  air.kind = MBS_VISCOUS;
  air.bodies = all;
  air.n_bodies = 4;
  air.damping[0] = air.damping[1] = 0.1;
  add_middle_bushing(builder, &at, stiffness, damping);
  add_force(builder, &air);
  return mechanism_build(builder);
}

mechanism four_bar_bushing(void) { return four_bar_stiff(1e3, 10); }

mechanism four_bar_undamped(void) {
  const loop at = loop_places();
  mbs_builder *builder = four_bars(&at, -9.81);
  add_middle_bushing(builder, &at, 1e3, 0);
  return mechanism_build(builder);
}

mechanism four_bar_fixed(void) {
  const loop at = loop_places();
  mbs_builder *builder = four_bars(&at, -9.81);
  add_joint(builder, "M", MBS_FIXED, "bar2", "bar3", at.M);
  return mechanism_build(builder);
}

mechanism four_bar_unplaced(double scale, double error) {
  static const struct {
    const char *name;
    double length, angle;
  } bars[3] = {{"crank", 1, angle1}, {"coupler", 2, angle2}, {"rocker", 2, angle4}};
  mbs_builder *builder = new_builder();
  const loop at = loop_places();
  const double *from[3] = {at.A, at.P, at.B};
  double left[3][2] = {{0}};
  double right[3][2] = {{0}};
  for (int i = 0; i < 3; i++) {
    const double half = bars[i].length * scale / 2;
    const double angle = bars[i].angle;
    const double wrong = angle + (i == 1 ? -error : error);
    const double pose[3] = {from[i][0] * scale + half * cos(angle), from[i][1] * scale + half * sin(angle), wrong};
    add_body(builder, bars[i].name, 1, half * half / 3, pose);
    left[i][0] = -half;
    right[i][0] = half;
  }
  add_joint_in_bodies(builder, "A", MBS_REVOLUTE, "ground", at.A, "crank", left[0]);
  add_joint_in_bodies(builder, "P", MBS_REVOLUTE, "crank", right[0], "coupler", left[1]);
  add_joint_in_bodies(builder, "Q", MBS_REVOLUTE, "coupler", right[1], "rocker", right[2]);
  add_joint_in_bodies(builder, "B", MBS_REVOLUTE, "ground", (double[2]){2 * scale, 0}, "rocker", left[2]);
  return mechanism_build(builder);
}

mbs_force_def soft_cylinder(const char *name, const char *bodies[2], const char *first, const double P[2],
                            const char *second, const double Q[2]) {
  static const double spool[3] = {0.45, 0.1, 3};
  mbs_force_def def = force_between(name, MBS_HYDRAULIC_CYLINDER, bodies, first, second, P);
  memcpy(def.at[1].position, Q, sizeof def.at[1].position);
  def.law = law_of_time(spool);
  def.hydraulics = (mbs_hydraulics){.areas = {0.7, 0.7},
                                    .length = 3,
                                    .dissipation = 0.3,
                                    .discharge = 0.67,
                                    .density = 1.2,
                                    .pump = 4,
                                    .tank = 0.5,
                                    .bulk = {0.4, -0.02},
                                    .valve_area = 0.5,
                                    .pressures = {NAN, NAN}};
  return def;
}

mechanism soft_crane(void) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, (double[2]){0, -1});
  add_rod(builder, "arm", (double[2]){0, 0}, (double[2]){2, 0.5}, 1);
  add_rod(builder, "load", (double[2]){2, 0.5}, (double[2]){2.2, -0.7}, 0.5);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "arm", (double[2]){0, 0});
  mbs_force_def lift = soft_cylinder("lift", bodies, "ground", (double[2]){0.8, -1.5}, "arm", (double[2]){1.2, 0.3});
  add_force(builder, &lift);
  mbs_force_def tip = force_between("tip", MBS_BUSHING, bodies, "arm", "load", (double[2]){2, 0.5});
  memcpy(tip.stiffness, (double[3]){50, 40, 2}, sizeof tip.stiffness);
  memcpy(tip.damping, (double[3]){1, 1.5, 0.2}, sizeof tip.damping);
  add_force(builder, &tip);
  return mechanism_build(builder);
}

mechanism double_pendulum(void) {
  const char *links[2] = {"link1", "link2"};
  const double A[2] = {0, 0};
  const double B[2] = {cos(pi / 4), sin(pi / 4)};
  const double C[2] = {2 * B[0], 0};
  mbs_builder *builder = new_builder();
  mbs_force_def air = mbs_default_force_def();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "link1", A, B, 1);
  add_rod(builder, "link2", B, C, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "link1", A);
  add_joint(builder, "B", MBS_REVOLUTE, "link1", "link2", B);
  air.name = "air";
  air.kind = MBS_VISCOUS;
  air.bodies = links;
  air.n_bodies = 2;
  air.damping[0] = air.damping[1] = 2;
  add_force(builder, &air);
  return mechanism_build(builder);
}

static mbs_builder *rods_in_a_row(int n) {
  mbs_builder *builder = new_builder();
  char name[16];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "rod%d", i);
    add_rod(builder, name, (double[2]){i, 0}, (double[2]){i + 1, 0}, 1);
  }
  for (int i = 1; i < n; i++) {
    char before[16];
    char joint[16];
    snprintf(before, sizeof before, "rod%d", i - 1);
    snprintf(name, sizeof name, "rod%d", i);
    snprintf(joint, sizeof joint, "joint%d", i);
    add_joint(builder, joint, MBS_REVOLUTE, before, name, (double[2]){i, 0});
  }
  return builder;
}

mechanism chain(int n) {
  mbs_builder *builder = rods_in_a_row(n);
  mbs_set_gravity(builder, standard_gravity);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rod0", (double[2]){0, 0});
  return mechanism_build(builder);
}

mechanism free_chain(int n) { return mechanism_build(rods_in_a_row(n)); }

static mbs_builder *crank_drive(void) {
  const double A[2] = {0, 0};
  const double P[2] = {cos(1), sin(1)};
  const double Q[2] = {P[0] + sqrt(4 - P[1] * P[1]), 0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "crank", A, P, 1);
  add_rod(builder, "rod", P, Q, 2);
  add_body(builder, "block", 3, 0.1, (double[3]){Q[0], 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "crank", A);
  add_joint(builder, "P", MBS_REVOLUTE, "crank", "rod", P);
  add_joint(builder, "Q", MBS_REVOLUTE, "rod", "block", Q);
  add_prismatic(builder, "guide", "ground", "block", Q, (double[2]){1, 0});
  return builder;
}

mechanism slider_crank(void) { return mechanism_build(crank_drive()); }

mechanism driven_slider_crank(void) {
  static const double angle[3] = {0.7, 0.3, 4};
  static const double load[3] = {1, 2, 3};
  const char *bodies[2];
  mbs_builder *builder = crank_drive();
  add_motion(builder, "drive", MBS_OF_ANGLE, "ground", "crank", law_of_time(angle));
  mbs_force_def friction = force_between("friction", MBS_VISCOUS, bodies, "block", NULL, standard_gravity);
  friction.damping[0] = 5;
  add_force(builder, &friction);
  mbs_force_def torque = force_between("torque", MBS_TORQUE, bodies, "rod", NULL, standard_gravity);
  torque.law = law_of_time(load);
  add_force(builder, &torque);
  return mechanism_build(builder);
}
