/* Assembly: what it leaves alone, what it closes, and what it refuses with whose name. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

static const double origin[2] = {0, 0};

static seam_status assemble(mechanism *m, mbs_assembly *report) {
  return mbs_assemble(m->ws, m->state, report, NULL, &m->error);
}

static bool says(const mechanism *m, const char *words) { return strstr(m->error.message, words) != NULL; }

/* Assembly fails with `status`; the message has `words`. Frees m. */
static void expect_refused(mechanism *m, seam_status status, const char *words) {
  cr_expect_eq(assemble(m, NULL), status, "status %d: %s", m->error.status, m->error.message);
  cr_expect(says(m, words), "'%s' is not in: %s", words, m->error.message);
  mechanism_free(m);
}

/* ---- Positions ---- */

static void expect_left_alone(mechanism m) {
  mbs_assembly report;
  cr_assert_eq(assemble(&m, &report), SEAM_OK, "%s", m.error.message);
  cr_expect_leq(report.largest_move, 1e-15);
  cr_expect_leq(report.largest_turn, 1e-15);
  mechanism_free(&m);
}

Test(assembly, a_consistent_four_bar_stays) { expect_left_alone(four_bar_fixed()); }

Test(assembly, a_consistent_slider_crank_stays) { expect_left_alone(slider_crank()); }

Test(assembly, a_consistent_chain_stays_to_the_bit) {
  mbs_assembly report;
  mechanism m = chain(50);
  cr_assert_eq(assemble(&m, &report), SEAM_OK);
  cr_expect_eq(report.largest_move, 0);
  cr_expect_eq(report.largest_turn, 0);
  mechanism_free(&m);
}

Test(assembly, places_in_the_bodies_are_closed) {
  mechanism m = four_bar_unplaced(1, 0.2);
  mechanism_assemble(&m);
  cr_expect_lt(mechanism_residual(&m), 1e-14);
  mechanism_free(&m);
}

Test(assembly, far_places_are_closed) {
  mechanism m = four_bar_unplaced(1, 0.6);
  mechanism_assemble(&m);
  cr_expect_lt(mechanism_residual(&m), 1e-14);
  mechanism_free(&m);
}

/* Angles do not depend on the size of the mechanism. */
static void expect_same_angles(double scale) {
  mechanism usual = four_bar_unplaced(1, 0.2);
  mechanism scaled = four_bar_unplaced(scale, 0.2);
  mechanism_assemble(&usual);
  mechanism_assemble(&scaled);
  for (int b = 0; b < 3; b++)
    cr_expect_float_eq(scaled.state->q[3 * b + 2], usual.state->q[3 * b + 2], 1e-12, "body %d", b);
  cr_expect_lt(mechanism_residual(&scaled), 1e-14 * scale);
  mechanism_free(&usual);
  mechanism_free(&scaled);
}

Test(assembly, a_mechanism_of_millimetres_is_closed) { expect_same_angles(1e-3); }

Test(assembly, a_mechanism_of_a_hundred_metres_is_closed) { expect_same_angles(100); }

/* A body with its centre on a pivot 0.5 m away moves there without turning. */
Test(assembly, the_movement_is_the_least) {
  mbs_assembly report;
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0.3, 0.4, 1});
  add_joint_in_bodies(builder, "pivot", MBS_REVOLUTE, "ground", origin, "b", origin);
  mechanism m = mechanism_build(builder);
  cr_assert_eq(assemble(&m, &report), SEAM_OK);
  cr_expect_float_eq(report.largest_move, 0.5, 1e-15);
  cr_expect_eq(report.largest_turn, 0);
  mechanism_free(&m);
}

/* Two free bodies that are to meet go half the way each. */
Test(assembly, the_movement_is_shared) {
  mbs_builder *builder = new_builder();
  add_body(builder, "left", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "right", 50, 9, (double[3]){1, 0, 0});
  add_joint_in_bodies(builder, "meet", MBS_REVOLUTE, "left", origin, "right", origin);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  cr_expect_float_eq(m.state->q[0], 0.5, 1e-15);
  cr_expect_float_eq(m.state->q[3], 0.5, 1e-15);
  mechanism_free(&m);
}

Test(assembly, what_is_consistent_does_not_move_with_what_is_not) {
  const double placed[3] = {0.5, 0, 0};
  mbs_assembly report;
  mbs_builder *builder = new_builder();
  add_rod(builder, "placed", origin, (double[2]){1, 0}, 1);
  add_rod(builder, "unplaced", (double[2]){5, 0}, (double[2]){6, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "placed", origin);
  add_joint_in_bodies(builder, "B", MBS_REVOLUTE, "ground", (double[2]){5, 0.1}, "unplaced", (double[2]){-0.5, 0});
  mechanism m = mechanism_build(builder);
  cr_assert_eq(assemble(&m, &report), SEAM_OK);
  cr_expect_arr_eq(m.state->q, placed, sizeof placed);
  cr_expect_eq(report.moved_body, 1);
  cr_expect_gt(report.largest_move, 0.05);
  mechanism_free(&m);
}

/* ---- Branches ---- */

/* Coupler and rocker of 2 m and a crank of 1 m, pivots 2 m apart, close above or below the line through them. */
static mechanism loop_near(double crank, double coupler, double rocker) {
  const double half = 0.5;
  mbs_builder *builder = new_builder();
  add_body(builder, "crank", 1, 1, (double[3]){half * cos(crank), half * sin(crank), crank});
  add_body(builder, "coupler", 1, 1, (double[3]){cos(crank) + cos(coupler), sin(crank) + sin(coupler), coupler});
  add_body(builder, "rocker", 1, 1, (double[3]){2 + cos(rocker), sin(rocker), rocker});
  add_joint_in_bodies(builder, "A", MBS_REVOLUTE, "ground", origin, "crank", (double[2]){-half, 0});
  add_joint_in_bodies(builder, "P", MBS_REVOLUTE, "crank", (double[2]){half, 0}, "coupler", (double[2]){-1, 0});
  add_joint_in_bodies(builder, "Q", MBS_REVOLUTE, "coupler", (double[2]){1, 0}, "rocker", (double[2]){1, 0});
  add_joint_in_bodies(builder, "B", MBS_REVOLUTE, "ground", (double[2]){2, 0}, "rocker", (double[2]){-1, 0});
  return mechanism_build(builder);
}

/* Which side of the line from P to B the joint Q is on. */
static double side_of_Q(const mechanism *m) {
  const double *q = m->state->q;
  const double P[2] = {cos(q[2]), sin(q[2])};
  const double Q[2] = {2 + 2 * cos(q[8]), 2 * sin(q[8])};
  return (2 - P[0]) * (Q[1] - P[1]) + P[1] * (Q[0] - P[0]);
}

Test(assembly, a_start_near_the_upper_branch_stays_there) {
  mechanism m = loop_near(0.7, 0.9, 1.3);
  mechanism_assemble(&m);
  cr_expect_gt(side_of_Q(&m), 0);
  cr_expect_lt(mechanism_residual(&m), 1e-14);
  mechanism_free(&m);
}

Test(assembly, a_start_near_the_lower_branch_stays_there) {
  mechanism m = loop_near(0.7, -1.3, -2.0);
  mechanism_assemble(&m);
  cr_expect_lt(side_of_Q(&m), 0);
  cr_expect_lt(mechanism_residual(&m), 1e-14);
  mechanism_free(&m);
}

/* Closed on the upper branch at any crank angle, then every angle wrong by up to 0.9 rad, as long as the open loop is
 * clearly bent the same way. */
Test(assembly, wrong_angles_do_not_change_the_branch) {
  uint64_t seed = 1;
  for (int i = 0; i < 300; i++) {
    const double angle = random_between(&seed, -pi, pi);
    const double to_B[2] = {2 - cos(angle), -sin(angle)};
    const double line = atan2(to_B[1], to_B[0]);
    const double opening = acos(hypot(to_B[0], to_B[1]) / 4); /* of an isosceles triangle with legs of 2 m */
    const double crank = angle + random_between(&seed, -0.9, 0.9);
    const double coupler = line + opening + random_between(&seed, -0.9, 0.9);
    const double rocker = line + pi - opening + random_between(&seed, -0.9, 0.9);
    if (sin(rocker - coupler) < 0.3)
      continue;
    mechanism m = loop_near(crank, coupler, rocker);
    mechanism_assemble(&m);
    cr_assert_gt(side_of_Q(&m), 0, "angles %g %g %g", crank, coupler, rocker);
    cr_assert_lt(mechanism_residual(&m), 1e-14);
    mechanism_free(&m);
  }
}

/* A rod about a driven centre, its end on a level line: sin φ goes evenly from where it is to the line's height, so
 * that neither the sign of cos φ changes nor φ goes round. Newton's iteration alone would leap near cos φ = 0. */
static void expect_side_kept(double angle, double height) {
  static const double still[2] = {0, 0};
  mbs_builder *builder = new_builder();
  add_body(builder, "rod", 1, 1, (double[3]){0, 0, angle});
  add_motion(builder, "x", MBS_OF_X, "rod", "ground", law_of_steady_motion(still));
  add_motion(builder, "y", MBS_OF_Y, "rod", "ground", law_of_steady_motion(still));
  mbs_joint_def line = mbs_default_joint_def();
  line.name = "line";
  line.kind = MBS_SLOT;
  line.bodies[0] = "ground";
  line.bodies[1] = "rod";
  line.at[0] = (mbs_marker_def){MBS_BODY, {0, height}};
  line.at[1] = (mbs_marker_def){MBS_BODY, {1, 0}};
  line.axis[0] = 1;
  cr_assert_eq(mbs_add_joint(builder, &line, NULL), SEAM_OK);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  const double end = m.state->q[2];
  cr_expect_float_eq(sin(end), height, 1e-12);
  cr_expect(cos(end) * cos(angle) > 0 && fabs(end - angle) < pi, "from %g to %g at %g", angle, end, height);
  mechanism_free(&m);
}

Test(assembly, no_start_leaves_its_side) {
  uint64_t seed = 2;
  for (int i = 0; i < 1000; i++)
    expect_side_kept(random_between(&seed, -pi, pi), random_between(&seed, -0.99, 0.99));
}

/* ---- What cannot be assembled ---- */

/* Pivots 2 m apart are not bridged by 0.5, 0.3 and 0.5 m. */
static mechanism short_loop(void) {
  const double right_pivot[2] = {2, 0};
  mbs_builder *builder = new_builder();
  add_rod(builder, "left", origin, (double[2]){0.3, 0.4}, 1);
  add_rod(builder, "middle", (double[2]){0.8, 0.5}, (double[2]){1.1, 0.5}, 1);
  add_rod(builder, "right", right_pivot, (double[2]){1.7, 0.4}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "left", origin);
  add_joint_in_bodies(builder, "P", MBS_REVOLUTE, "left", (double[2]){0.25, 0}, "middle", (double[2]){-0.15, 0});
  add_joint_in_bodies(builder, "Q", MBS_REVOLUTE, "middle", (double[2]){0.15, 0}, "right", (double[2]){0.25, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "right", right_pivot);
  return mechanism_build(builder);
}

Test(assembly, a_loop_that_is_too_short_cannot_close) {
  mechanism m = short_loop();
  expect_refused(&m, SEAM_NOT_ASSEMBLED, "cannot close");
}

Test(assembly, a_loop_that_cannot_close_names_an_open_joint) {
  mechanism m = short_loop();
  assemble(&m, NULL);
  cr_expect(says(&m, "joint 'P'") || says(&m, "joint 'Q'"), "%s", m.error.message);
  mechanism_free(&m);
}

Test(assembly, what_cannot_close_stays_where_it_was) {
  mechanism m = short_loop();
  mbs_state *before = new_state(m.model);
  assemble(&m, NULL);
  cr_expect_arr_eq(m.state->q, before->q, 9 * sizeof(double));
  mbs_state_destroy(before);
  mechanism_free(&m);
}

/* Two bars on two pivots, joined at their tops, are a triangle. */
Test(assembly, a_triangle_is_locked) {
  const double top[2] = {1, 1};
  mbs_builder *builder = new_builder();
  add_rod(builder, "left", origin, top, 1);
  add_rod(builder, "right", (double[2]){2, 0}, top, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "left", origin);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "right", (double[2]){2, 0});
  add_joint(builder, "top", MBS_REVOLUTE, "left", "right", top);
  mechanism m = mechanism_build(builder);
  expect_refused(&m, SEAM_NOT_ASSEMBLED, "joint 'top'");
}

Test(assembly, a_body_without_joints_is_not_locked) {
  mbs_assembly report;
  mechanism m = free_chain(1);
  cr_expect_eq(assemble(&m, &report), SEAM_OK);
  cr_expect_eq(report.degrees_of_freedom, 3);
  mechanism_free(&m);
}

/* Three bars of 1 m stretched between pivots 3 m apart: the loop loses a constraint there. */
Test(assembly, a_flat_four_bar_is_singular) {
  mbs_builder *builder = new_builder();
  add_rod(builder, "left", origin, (double[2]){1, 0}, 1);
  add_rod(builder, "middle", (double[2]){1, 0}, (double[2]){2, 0}, 1);
  add_rod(builder, "right", (double[2]){2, 0}, (double[2]){3, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "left", origin);
  add_joint(builder, "P", MBS_REVOLUTE, "left", "middle", (double[2]){1, 0});
  add_joint(builder, "Q", MBS_REVOLUTE, "middle", "right", (double[2]){2, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "right", (double[2]){3, 0});
  mechanism m = mechanism_build(builder);
  expect_refused(&m, SEAM_SINGULAR, "B.g_x");
}

/* ---- Freedoms ---- */

static void expect_freedoms(mechanism m, size_t wanted) {
  mbs_assembly report;
  cr_assert_eq(assemble(&m, &report), SEAM_OK, "%s", m.error.message);
  cr_expect_eq(report.degrees_of_freedom, wanted);
  cr_expect_eq(report.n_redundant, 0);
  mechanism_free(&m);
}

Test(assembly, a_four_bar_has_one_freedom) { expect_freedoms(four_bar_fixed(), 1); }

Test(assembly, a_four_bar_with_a_bushing_has_four_freedoms) { expect_freedoms(four_bar_bushing(), 4); }

Test(assembly, a_slider_crank_has_one_freedom) { expect_freedoms(slider_crank(), 1); }

Test(assembly, a_chain_has_a_freedom_a_link) { expect_freedoms(chain(30), 30); }

/* ---- Velocities and accelerations ---- */

/* A rod of 2 m on a pivot in the origin: of (vx, vy, ω) a turning (0, 1, 1) Ω is left. With the size L = 1 m of the
 * mechanism the least change leaves Ω = (vy + ω) / 2. */
Test(assembly, velocities_change_least) {
  mbs_assembly report;
  mbs_builder *builder = new_builder();
  add_rod(builder, "rod", origin, (double[2]){2, 0}, 1);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rod", origin);
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v, (double[3]){1, 2, 5}, 3 * sizeof(double));
  cr_assert_eq(assemble(&m, &report), SEAM_OK);
  cr_expect_float_eq(m.state->v[0], 0, 1e-15);
  cr_expect_float_eq(m.state->v[1], 3.5, 1e-15);
  cr_expect_float_eq(m.state->v[2], 3.5, 1e-15);
  mechanism_free(&m);
}

Test(assembly, consistent_velocities_stay) {
  mechanism m = chain(5);
  for (int b = 0; b < 5; b++) { /* all turn as one */
    m.state->v[3 * b + 1] = 2 * m.state->q[3 * b];
    m.state->v[3 * b + 2] = 2;
  }
  mechanism_assemble(&m);
  for (int b = 0; b < 5; b++)
    cr_expect_float_eq(m.state->v[3 * b + 2], 2, 1e-14, "rod %d", b);
  mechanism_free(&m);
}

/* The place of a slot is the centre of mass but for rounding: that distance is not the size of the mechanism, by which
 * rad/s would weigh nothing beside m/s. */
Test(assembly, the_rounding_of_a_place_turns_no_body) {
  mbs_builder *builder = new_builder();
  add_body(builder, "body", 2.3, 0.2, (double[3]){-1.7824915978373945, 0.044773258398112491, 5.1});
  add_slot(builder, "slot", "ground", "body", (double[2]){-1.7824915978373936, 0.044773258398111963},
           (double[2]){-0.8765836556974228, 0.48124951383262932});
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v, (double[3]){-1.3501995055569658, 0.74126736381979375, 1.9}, 3 * sizeof(double));
  cr_assert_eq(assemble(&m, NULL), SEAM_OK);
  cr_expect_float_eq(m.state->v[2], 1.9, 1e-14);
  mechanism_free(&m);
}

Test(assembly, the_report_has_the_largest_velocity_correction) {
  mbs_assembly report;
  mbs_builder *builder = new_builder();
  mbs_body_def def = mbs_default_body_def();
  def.name = "b";
  def.mass = def.inertia = 1;
  def.velocity[0] = 3;
  cr_assert_eq(mbs_add_body(builder, &def, NULL), SEAM_OK);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "b", origin);
  mechanism m = mechanism_build(builder);
  cr_assert_eq(assemble(&m, &report), SEAM_OK);
  cr_expect_float_eq(report.largest_velocity_correction, 3, 1e-15);
  mechanism_free(&m);
}

Test(assembly, random_mechanisms_meet_their_constraints_on_every_level) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double g[40];
    double gd[40];
    double gdd[40];
    mechanism m = random_mechanism(seed);
    mbs_residuals(m.ws, m.state, g, gd, gdd);
    for (size_t i = 0; i < mbs_n_constraints(m.model); i++) {
      cr_assert_float_eq(g[i], 0, 1e-13, "seed %zu", (size_t)seed);
      cr_assert_float_eq(gd[i], 0, 1e-12, "seed %zu", (size_t)seed);
      cr_assert_float_eq(gdd[i], 0, 1e-9, "seed %zu", (size_t)seed);
    }
    mechanism_free(&m);
  }
}
