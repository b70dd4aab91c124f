/* Prescribed starts: coordinates and rates that were asked for, what follows from them in closed form, contradictions.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/measures.h>

#include "mbs/subsystem/start.h"
#include "tests/support/mechanisms.h"

/* A crank of length 1 about the origin at 0.5 rad, a rod of length 3, a slider along x; the slide is zero there. */
static mechanism crank_and_slider(void) {
  mbs_builder *builder = new_builder();
  const double rod_angle = -asin(sin(0.5) / 3);
  const double P[2] = {cos(0.5), sin(0.5)};
  const double Q[2] = {P[0] + 3 * cos(rod_angle), 0};
  add_rod(builder, "crank", (double[2]){0, 0}, P, 1);
  add_rod(builder, "rod", P, Q, 1);
  add_body(builder, "slider", 1, 0.1, (double[3]){Q[0], 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "crank", (double[2]){0, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "crank", "rod", P);
  add_joint(builder, "C", MBS_REVOLUTE, "rod", "slider", Q);
  add_prismatic(builder, "guide", "ground", "slider", (double[2]){0, 0}, (double[2]){1, 0});
  return mechanism_build(builder);
}

static mbs_prescribed prescribe(const mechanism *m, const char *name, double value) {
  mbs_prescribed made = {.value = value};
  seam_error error;
  cr_assert_eq(mbs_find_quantity(m->model, name, &made.quantity, &error), SEAM_OK, "%s", error.message);
  return made;
}

static seam_status assemble(mechanism *m, const mbs_prescribed *prescribed, size_t n) {
  return mbs_assemble_at(m->ws, m->state, prescribed, n, NULL, NULL, &m->error);
}

static void expect_closed(const mechanism *m) {
  double g[16];
  double gd[16];
  mbs_residuals(m->ws, m->state, g, gd, NULL);
  for (size_t i = 0; i < mbs_n_constraints(m->model); i++) {
    cr_expect_lt(fabs(g[i]), 1e-12);
    cr_expect_lt(fabs(gd[i]), 1e-11);
  }
}

/* x = cos φ + sqrt(9 - sin² φ). */
static double slide_at(double phi) { return cos(phi) + sqrt(9 - sin(phi) * sin(phi)); }
static double slide_rate(double phi) { return -sin(phi) - sin(phi) * cos(phi) / sqrt(9 - sin(phi) * sin(phi)); }

Test(start, a_crank_has_its_angle_and_its_rate) {
  for (int k = -12; k <= 12; k++) {
    mechanism m = crank_and_slider();
    const double phi = 0.5 + 0.37 * k;
    const mbs_prescribed wanted[] = {prescribe(&m, "crank.omega", 30), prescribe(&m, "crank.phi", phi)};
    cr_assert_eq(assemble(&m, wanted, 2), SEAM_OK, "%g: %s", phi, m.error.message);
    cr_expect_float_eq(m.state->q[2], phi, 1e-12);
    cr_expect_float_eq(m.state->v[2], 30, 1e-11);
    cr_expect_float_eq(m.state->q[6], slide_at(phi), 1e-12, "at %g", phi);
    cr_expect_float_eq(m.state->v[6], 30 * slide_rate(phi), 1e-10, "at %g", phi);
    expect_closed(&m);
    mechanism_free(&m);
  }
}

Test(start, a_slider_has_its_place_and_its_rate) {
  mechanism m = crank_and_slider();
  const double phi = 1.1;
  const mbs_prescribed wanted[] = {prescribe(&m, "guide.slide", slide_at(phi) - slide_at(0.5)),
                                   prescribe(&m, "guide.rate", -2)};
  cr_assert_eq(assemble(&m, wanted, 2), SEAM_OK, "%s", m.error.message);
  cr_expect_float_eq(m.state->q[2], phi, 1e-11);
  cr_expect_float_eq(m.state->v[2], -2 / slide_rate(phi), 1e-11);
  expect_closed(&m);
  mechanism_free(&m);
}

Test(start, a_rate_alone_leaves_the_pose) {
  mechanism m = crank_and_slider();
  double before[9];
  memcpy(before, m.state->q, sizeof before);
  const mbs_prescribed wanted = prescribe(&m, "B.omega", 1);
  cr_assert_eq(assemble(&m, &wanted, 1), SEAM_OK, "%s", m.error.message);
  for (int i = 0; i < 9; i++)
    cr_expect_float_eq(m.state->q[i], before[i], 1e-14);
  cr_expect_float_eq(m.state->v[5] - m.state->v[2], 1, 1e-13);
  mechanism_free(&m);
}

Test(start, lengths_of_springs_can_be_given) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_rod(builder, "boom", (double[2]){0, 0}, (double[2]){2, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "boom", (double[2]){0, 0});
  mbs_force_def def = force_between("lift", MBS_SPRING_DAMPER, bodies, "ground", "boom", (double[2]){0, -1});
  def.at[1] = (mbs_marker_def){MBS_INITIAL, {1, 0}};
  def.stiffness[0] = 1;
  add_force(builder, &def);
  mechanism m = mechanism_build(builder);
  const double phi = 0.4; /* length² = 2 + 2 sin φ */
  const mbs_prescribed wanted[] = {prescribe(&m, "lift.length", sqrt(2 + 2 * sin(phi))),
                                   prescribe(&m, "lift.rate", 0.3)};
  cr_assert_eq(assemble(&m, wanted, 2), SEAM_OK, "%s", m.error.message);
  cr_expect_float_eq(m.state->q[2], phi, 1e-12);
  cr_expect_float_eq(m.state->v[2], 0.3 * sqrt(2 + 2 * sin(phi)) / cos(phi), 1e-12);
  mechanism_free(&m);
}

Test(start, values_that_agree_may_be_given_twice) {
  mechanism m = crank_and_slider();
  const mbs_prescribed wanted[] = {
      prescribe(&m, "crank.phi", 0.9), prescribe(&m, "guide.slide", slide_at(0.9) - slide_at(0.5)),
      prescribe(&m, "crank.omega", 2), prescribe(&m, "A.omega", 2), prescribe(&m, "guide.rate", 2 * slide_rate(0.9))};
  cr_expect_eq(assemble(&m, wanted, 5), SEAM_OK, "%s", m.error.message);
  mechanism_free(&m);
}

Test(start, contradictions_are_refused_with_what_the_joints_make) {
  mechanism m = crank_and_slider();
  mbs_prescribed wanted[] = {prescribe(&m, "crank.omega", 2), prescribe(&m, "A.omega", 3)};
  cr_expect_eq(assemble(&m, wanted, 2), SEAM_NOT_ASSEMBLED);
  cr_expect_str_eq(m.error.message,
                   "'A.omega' = 3 rad/s cannot be reached: the joints and the other prescribed values make it 2 rad/s");
  wanted[0] = prescribe(&m, "crank.phi", 0.5);
  wanted[1] = prescribe(&m, "guide.slide", -1);
  cr_expect_eq(assemble(&m, wanted, 2), SEAM_NOT_ASSEMBLED);
  cr_expect_not_null(
      strstr(m.error.message,
             "'guide.slide' = -1 m cannot be reached: the joints and the other prescribed values make it "),
      "%s", m.error.message);
  mechanism_free(&m);
}

/* The number after a word of the message. */
static double number_after(const mechanism *m, const char *word) {
  const char *found = strstr(m->error.message, word);
  cr_assert_not_null(found, "%s", m->error.message);
  return strtod(found + strlen(word), NULL);
}

/* The crank and the rod in one line: x = 4 and x = 2. */
Test(start, beyond_a_dead_centre_the_nearest_value_is_named) {
  mechanism m = crank_and_slider();
  static const char *const words[] = {"allow up to ", "allow down to "};
  for (int side = 0; side < 2; side++) {
    const double limit = (side == 0 ? 4 : 2) - slide_at(0.5);
    mbs_prescribed wanted = prescribe(&m, "guide.slide", 3 * limit);
    cr_expect_eq(assemble(&m, &wanted, 1), SEAM_NOT_ASSEMBLED);
    const double nearest = number_after(&m, words[side]);
    cr_expect_float_eq(nearest, limit, 3e-6 * fabs(limit), "%.9g, not %.9g", nearest, limit);
    wanted.value = nearest;
    cr_expect_eq(assemble(&m, &wanted, 1), SEAM_OK, "%s", m.error.message);
    expect_closed(&m);
  }
  mechanism_free(&m);
}

/* A pin has no limit: paths of many turns take more steps. */
Test(start, an_angle_may_be_many_turns_away) {
  static const double angles[] = {80, -90, 500, 5000};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    mbs_builder *builder = new_builder();
    add_rod(builder, "rod", (double[2]){0, 0}, (double[2]){1, 0}, 1);
    add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", (double[2]){0, 0});
    mechanism m = mechanism_build(builder);
    const mbs_prescribed wanted = prescribe(&m, "A.angle", angles[i]);
    cr_expect_eq(assemble(&m, &wanted, 1), SEAM_OK, "%g: %s", angles[i], m.error.message);
    cr_expect_float_eq(m.state->q[2], angles[i], 1e-15 * angles[i] * angles[i] + 1e-12, "%.17g", m.state->q[2]);
    cr_expect_float_eq(m.state->q[0], cos(angles[i]) / 2, 1e-12);
    const mbs_prescribed beyond = prescribe(&m, "A.angle", 1e9);
    cr_expect_eq(assemble(&m, &beyond, 1), SEAM_BAD_INPUT);
    cr_expect_str_eq(m.error.message,
                     "'A.angle' cannot be met from the initial poses, because bodies would move by more than 10000 rad "
                     "or 10000 sizes of the mechanism; give the bodies nearer initial poses");
    mechanism_free(&m);
  }
}

/* A crank turns on, through 80 rad. */
Test(start, loops_follow_many_turns) {
  mechanism m = crank_and_slider();
  const mbs_prescribed wanted = prescribe(&m, "crank.phi", 80);
  cr_assert_eq(assemble(&m, &wanted, 1), SEAM_OK, "%s", m.error.message);
  cr_expect_float_eq(m.state->q[6], slide_at(80), 1e-11);
  expect_closed(&m);
  mechanism_free(&m);
}

/* A crank and a rod of equal length: the slider may stay where the crank is upright. Beyond that pose it goes on. */
Test(start, a_singular_pose_is_no_limit) {
  mbs_builder *builder = new_builder();
  const double P[2] = {cos(0.5), sin(0.5)};
  const double Q[2] = {2 * cos(0.5), 0};
  add_rod(builder, "crank", (double[2]){0, 0}, P, 1);
  add_rod(builder, "rod", P, Q, 1);
  add_body(builder, "slider", 1, 0.1, (double[3]){Q[0], 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "crank", (double[2]){0, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "crank", "rod", P);
  add_joint(builder, "C", MBS_REVOLUTE, "rod", "slider", Q);
  add_prismatic(builder, "guide", "ground", "slider", (double[2]){0, 0}, (double[2]){1, 0});
  mechanism m = mechanism_build(builder);
  mbs_prescribed wanted = prescribe(&m, "crank.phi", pi / 2);
  cr_expect_eq(assemble(&m, &wanted, 1), SEAM_NOT_ASSEMBLED);
  cr_expect_not_null(strstr(m.error.message, "'crank.phi' = 1.57079633 rad cannot be reached: the mechanism is "
                                             "singular there; the closest reachable value is 1.57079"),
                     "%s", m.error.message);
  mechanism_free(&m);
}

/* A parallelogram, cranks of length 1: on its own branch the coupler keeps its angle, also close to where it is flat
 * and the other branch begins. */
Test(start, poses_close_to_singular_ones_can_be_given) {
  static const double angles[] = {1e-2, 1e-4, 1e-5, 1e-6, -1e-6, -1e-5, -1};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    mbs_builder *builder = new_builder();
    const double corners[4][2] = {{0, 0}, {0, 1}, {2, 1}, {2, 0}};
    add_rod(builder, "a", corners[0], corners[1], 1);
    add_rod(builder, "b", corners[1], corners[2], 1);
    add_rod(builder, "c", corners[3], corners[2], 1);
    add_joint(builder, "A", MBS_REVOLUTE, "ground", "a", corners[0]);
    add_joint(builder, "B", MBS_REVOLUTE, "a", "b", corners[1]);
    add_joint(builder, "C", MBS_REVOLUTE, "b", "c", corners[2]);
    add_joint(builder, "D", MBS_REVOLUTE, "ground", "c", corners[3]);
    mechanism m = mechanism_build(builder);
    const mbs_prescribed wanted = prescribe(&m, "a.phi", angles[i]);
    cr_assert_eq(assemble(&m, &wanted, 1), SEAM_OK, "%g: %s", angles[i], m.error.message);
    cr_expect_float_eq(m.state->q[2], angles[i], 1e-11, "%g: %.3g", angles[i], m.state->q[2] - angles[i]);
    cr_expect_float_eq(m.state->q[8], angles[i], 1e-11, "%g: %.3g", angles[i], m.state->q[8]);
    cr_expect_float_eq(m.state->q[5], 0, 1e-11, "%g: %.3g", angles[i], m.state->q[5]);
    mechanism_free(&m);
  }
}

Test(start, other_quantities_are_refused) {
  mechanism m = crank_and_slider();
  static const char *const names[] = {"A.fx", "crank.ax", "B.alpha", "energy.total", "crank.kinetic", "guide.f_along"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const mbs_prescribed wanted = prescribe(&m, names[i], 1);
    cr_expect_eq(assemble(&m, &wanted, 1), SEAM_BAD_INPUT, "%s", names[i]);
  }
  const mbs_prescribed infinite = prescribe(&m, "crank.phi", INFINITY);
  cr_expect_eq(assemble(&m, &infinite, 1), SEAM_BAD_INPUT);
  mechanism_free(&m);
}

Test(start, dead_centres_can_be_left) {
  mechanism m = crank_and_slider();
  const mbs_prescribed wanted[] = {prescribe(&m, "crank.phi", 0), prescribe(&m, "crank.omega", 5)};
  cr_assert_eq(assemble(&m, wanted, 2), SEAM_OK, "%s", m.error.message);
  cr_expect_float_eq(m.state->v[6], 0, 1e-11);
  cr_expect_float_eq(m.state->v[5], -5.0 / 3, 1e-11);
  const mbs_prescribed slider = prescribe(&m, "guide.rate", 1);
  cr_expect_neq(assemble(&m, &slider, 1), SEAM_OK, "no crank rate moves the slider there");
  cr_expect_str_eq(m.error.message,
                   "'guide.rate' = 1 m/s cannot be reached from a dead centre, where small motions leave it at 0 m/s: "
                   "prescribe another coordinate that changes it, or begin from poses beyond the dead centre");
  const mbs_prescribed back = prescribe(&m, "guide.slide", m.state->q[6] - 0.5);
  cr_expect_eq(assemble(&m, &back, 1), SEAM_NOT_ASSEMBLED);
  cr_expect_not_null(strstr(m.error.message, "from a dead centre"), "%s", m.error.message);
  const mbs_prescribed held = prescribe(&m, "slider.vy", 1);
  cr_expect_eq(assemble(&m, &held, 1), SEAM_NOT_ASSEMBLED);
  cr_expect_not_null(strstr(m.error.message, "the joints make it 0 m/s"), "%s", m.error.message);
  mechanism_free(&m);
}
