/* Beams against the theory of Euler and Bernoulli: deflections, the circle that a moment bends, rigid rotations. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mechanisms.h"

enum { MAX_NODES = 32 };

static const double EA = 1e7;
static const double EI = 50;
static const double length = 2;

/* ---- A cantilever of n beams with nodes between them, along x or along a direction ---- */

typedef struct load {
  double force[3]; /* at the tip: x, y, torque */
} load;

static mechanism cantilever(int n, const load *at_tip) {
  char names[MAX_NODES][16];
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  for (int i = 0; i < n; i++) {
    snprintf(names[i], sizeof names[i], "n%d", i + 1);
    add_body(builder, names[i], 1, 0.1, (double[3]){length * (i + 1) / n, 0, 0});
  }
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i + 1);
    mbs_force_def def = force_between(name, MBS_BEAM, bodies, i == 0 ? "ground" : names[i - 1], names[i],
                                      (double[2]){length * i / n, 0});
    def.at[1] = (mbs_marker_def){MBS_INITIAL, {length * (i + 1) / n, 0}};
    def.stiffness[0] = EA;
    def.stiffness[1] = EI;
    def.damping[0] = 0.01;
    add_force(builder, &def);
  }
  static double laws[3][3];
  for (int i = 0; i < 3; i++)
    laws[i][0] = at_tip->force[i];
  mbs_force_def tip = force_between("tip", MBS_POINT_FORCE, bodies, names[n - 1], NULL, (double[2]){length, 0});
  tip.law = law_of_time(laws[0]);
  tip.law_y = law_of_time(laws[1]);
  add_force(builder, &tip);
  mbs_force_def moment = force_between("moment", MBS_TORQUE, bodies, names[n - 1], NULL, (double[2]){length, 0});
  moment.law = law_of_time(laws[2]);
  add_force(builder, &moment);
  return mechanism_build(builder);
}

/* Pose of the tip at rest, less that without load. */
static void deflection(int n, const load *at_tip, double tip[3]) {
  mechanism m = cantilever(n, at_tip);
  cr_assert_eq(mbs_find_equilibrium(m.ws, m.state, NULL, NULL, &m.error), SEAM_OK, "%s", m.error.message);
  const double *q = m.state->q + 3 * (size_t)(n - 1);
  tip[0] = q[0] - length;
  tip[1] = q[1];
  tip[2] = q[2];
  mechanism_free(&m);
}

Test(beam, small_deflections_are_those_of_euler_and_bernoulli) {
  const double P = 1e-3;
  const double M = 2e-3;
  const double L = length;
  for (int n = 1; n <= 3; n++) {
    double tip[3];
    deflection(n, &(load){{0, P, 0}}, tip);
    cr_expect_float_eq(tip[1], P * L * L * L / (3 * EI), 1e-8 * fabs(tip[1]), "%d beams: %.12g", n, tip[1]);
    cr_expect_float_eq(tip[2], P * L * L / (2 * EI), 1e-8 * fabs(tip[2]), "%d beams: %.12g", n, tip[2]);
    deflection(n, &(load){{0, 0, M}}, tip);
    cr_expect_float_eq(tip[1], M * L * L / (2 * EI), 1e-8 * fabs(tip[1]), "%d beams: %.12g", n, tip[1]);
    cr_expect_float_eq(tip[2], M * L / EI, 1e-8 * fabs(tip[2]), "%d beams: %.12g", n, tip[2]);
    deflection(n, &(load){{5, 0, 0}}, tip);
    cr_expect_float_eq(tip[0], 5 * L / EA, 1e-9 * fabs(tip[0]) + 1e-14, "%d beams: %.12g", n, tip[0]);
  }
}

/* A moment at the tip bends a beam into an arc of angle M L/EI; chords of the arc are kept at its length: order 2. */
Test(beam, a_moment_bends_it_into_an_arc) {
  const double angle = pi / 2;
  const double R = length / angle;
  double error[2];
  for (int i = 0; i < 2; i++) {
    double tip[3];
    deflection(i == 0 ? 4 : 16, &(load){{0, 0, angle * EI / length}}, tip);
    cr_expect_float_eq(tip[2], angle, 1e-7);
    error[i] = hypot(length + tip[0] - R * sin(angle), tip[1] - R * (1 - cos(angle)));
  }
  cr_expect_lt(error[1], 2e-3);
  cr_expect_float_eq(log(error[0] / error[1]) / log(4), 2, 0.05, "errors %g, %g", error[0], error[1]);
}

/* ---- Rigid rotation ---- */

Test(beam, turning_it_as_a_whole_does_not_load_it) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 0.1, (double[3]){0, 0, 0.2});
  add_body(builder, "b", 2, 0.3, (double[3]){1.5, 1, -0.7});
  mbs_force_def def = force_between("beam", MBS_BEAM, bodies, "a", "b", (double[2]){0.3, 0.1});
  def.at[1] = (mbs_marker_def){MBS_INITIAL, {1.2, 0.9}};
  def.stiffness[0] = EA;
  def.stiffness[1] = EI;
  add_force(builder, &def);
  mechanism m = mechanism_build(builder);
  for (int k = -60; k <= 60; k++) {
    const double turn = 0.37 * k;
    const double places[2][2] = {{0, 0}, {1.5, 1}};
    for (int b = 0; b < 2; b++) {
      m.state->q[3 * b] = 4 + cos(turn) * places[b][0] - sin(turn) * places[b][1];
      m.state->q[3 * b + 1] = -7 + sin(turn) * places[b][0] + cos(turn) * places[b][1];
      m.state->q[3 * b + 2] = (b == 0 ? 0.2 : -0.7) + turn;
    }
    double wrench[3];
    mbs_force_wrench(m.ws, m.state, 0, wrench);
    for (int i = 0; i < 3; i++)
      cr_expect_lt(fabs(wrench[i]), 1e-15 * EA * 50, "turned by %g: %g", turn, wrench[i]);
  }
  mechanism_free(&m);
}

/* ---- Large bending ---- */

/* A beam clamped to the ground with a body of 1 kg at its other end, which starts across the beam. */
static mechanism blade(double inertia, double speed) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "tip", 1, inertia, (double[3]){1, 0, 0});
  mbs_force_def def = force_between("blade", MBS_BEAM, bodies, "ground", "tip", (double[2]){0, 0});
  def.at[1] = (mbs_marker_def){MBS_INITIAL, {1, 0}};
  def.stiffness[0] = 1e4;
  def.stiffness[1] = 1;
  add_force(builder, &def);
  mechanism m = mechanism_build(builder);
  m.state->v[1] = speed;
  return m;
}

/* The tip passes behind the clamp on both sides; the chord has turned by more than half a revolution, and V is the
 * potential of the theory. */
Test(beam, it_keeps_its_energy_where_the_tip_passes_behind_the_clamp) {
  mechanism m = blade(0.02, 6);
  mbs_integrator *integrator = mechanism_start_by(&m, "erk", 1e-10, 0);
  double angle = 0;
  double largest = 0;
  double least = 0;
  for (int i = 1; i <= 600; i++) {
    cr_assert_eq(mbs_integrator_advance(integrator, 0.01 * i, m.state, &m.error), SEAM_OK, "%s", m.error.message);
    const double *q = m.state->q;
    const double *v = m.state->v;
    angle += remainder(atan2(q[1], q[0]) - angle, 2 * pi);
    const double stretch = hypot(q[0], q[1]) - 1;
    const double shear = q[2] - 2 * angle;
    const double kinetic = (v[0] * v[0] + v[1] * v[1] + 0.02 * v[2] * v[2]) / 2;
    cr_expect_float_eq(kinetic + (1e4 * stretch * stretch + 3 * shear * shear + q[2] * q[2]) / 2, 18, 1e-5);
    largest = fmax(largest, angle);
    least = fmin(least, angle);
  }
  cr_expect_gt(largest, 1.05 * pi);
  cr_expect_lt(least, -1.05 * pi);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* A tip that hardly turns passes the place behind the clamp's normal, where its law ends. */
Test(beam, ends_that_pass_each_other_are_reported) {
  mechanism m = blade(100, 6);
  mbs_integrator *integrator = mechanism_start_by(&m, "erk", 1e-8, 0);
  cr_expect_eq(mbs_integrator_advance(integrator, 3, m.state, &m.error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(m.error.message, "force 'blade' is not finite: its ends meet, or are turned"), "%s",
                     m.error.message);
  cr_expect_float_eq(fabs(m.state->q[2] - 2 * atan2(m.state->q[1], m.state->q[0])), pi, 0.05);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(beam, its_ends_must_be_apart) {
  const char *bodies[2];
  seam_error error;
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 0.1, (double[3]){0, 0, 0});
  mbs_force_def def = force_between("beam", MBS_BEAM, bodies, "ground", "a", (double[2]){0, 0});
  def.stiffness[0] = EA;
  def.stiffness[1] = EI;
  cr_expect_eq(mbs_add_force(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "force 'beam': both ends of the beam coincide: move them apart");
  mbs_builder_destroy(builder);
}
