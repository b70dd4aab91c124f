/* Rods of given length near two points: assembly puts them where their joints can close. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/measures.h>

#include "tests/support/model_run.h"

static model_run begin(const char *text) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  return model_run_begin(text, NULL, &options, NAN);
}

/* B of a four-bar of lengths 1, 2.5, 2 with its grounds 3 apart, the crank at phi: two circles about B and D cross. */
static void place_of_C(double phi, double C[2]) {
  const double B[2] = {cos(phi), sin(phi)};
  const double d = hypot(3 - B[0], -B[1]);
  const double along = (2.5 * 2.5 - 2 * 2 + d * d) / (2 * d);
  const double across = sqrt(2.5 * 2.5 - along * along);
  const double u[2] = {(3 - B[0]) / d, -B[1] / d};
  C[0] = B[0] + along * u[0] - across * u[1];
  C[1] = B[1] + along * u[1] + across * u[0];
}

#define FOUR_BAR(rods, tail)                                                                                           \
  "seam: 1\n"                                                                                                          \
  "points: {A: [0, 0], B: [0.6, 0.8], C: [2.5, 2], D: [3, 0]}\n"                                                       \
  "bodies:\n" rods "joints:\n"                                                                                         \
  "  A: {type: revolute, bodies: [ground, crank], at: A}\n"                                                            \
  "  B: {type: revolute, bodies: [crank, coupler], at: B}\n"                                                           \
  "  C: {type: revolute, bodies: [rocker, coupler], at: C}\n"                                                          \
  "  D: {type: revolute, bodies: [ground, rocker], at: D}\n" tail "simulate: {end: 1}\n"
#define RODS                                                                                                           \
  "  crank: {rod: [A, B], mass: 1}\n"                                                                                  \
  "  coupler: {rod: 2.5, near: [B, C], mass: 3}\n"                                                                     \
  "  rocker: {rod: 2, near: [D, C], mass: 1}\n"

Test(rods, a_loop_closes_with_their_lengths) {
  model_run run = begin(FOUR_BAR(RODS, "start: {A.angle: \"atan2(0.8, 0.6)\"}\n"));
  const double phi = atan2(0.8, 0.6);
  double C[2];
  place_of_C(phi, C);
  cr_expect_float_eq(run.state->q[2], phi, 1e-13);
  cr_expect_float_eq(run.state->q[3], (cos(phi) + C[0]) / 2, 1e-12, "middle of the coupler");
  cr_expect_float_eq(run.state->q[4], (sin(phi) + C[1]) / 2, 1e-12);
  cr_expect_float_eq(run.state->q[8], atan2(C[1], C[0] - 3), 1e-12, "angle of the rocker, from D to C");
  cr_expect_float_eq(mbs_body_of(seam_model_mechanism(run.file), 1).inertia, 3 * 2.5 * 2.5 / 12, 1e-15);
  cr_expect_eq(seam_model_rod_length(run.file, 1), 2.5);
  cr_expect(seam_model_is_rough(run.file, 1));
  cr_expect_not(seam_model_is_rough(run.file, 0));
  model_run_end(&run);
}

/* A four-bar whose crank is placed exactly and whose other bars are near their places: the crank stays where it is,
 * with the loop closed, also under a start of rates; moves are counted from the file. */
Test(rods, a_body_that_is_placed_exactly_stays) {
  static const char *const starts[] = {"", "start: {A.omega: 5}\n"};
  const double phi = atan2(0.8, 0.6);
  for (int i = 0; i < 2; i++) {
    model_run run = begin(i == 0 ? FOUR_BAR(RODS, "") : FOUR_BAR(RODS, "start: {A.omega: 5}\n"));
    mbs_assembly report;
    double C[2];
    place_of_C(phi, C);
    cr_assert_eq(mbs_assemble(run.ws, run.state, &report, NULL, NULL), SEAM_OK);
    cr_expect_float_eq(run.state->q[2], phi, 1e-11, "%s: %.15g, not %.15g", starts[i], run.state->q[2], phi);
    cr_expect_float_eq(run.state->q[0], 0.3, 1e-11);
    cr_expect_float_eq(run.state->q[3], (cos(phi) + C[0]) / 2, 1e-10, "middle of the coupler");
    cr_expect_float_eq(run.state->q[8], atan2(C[1], C[0] - 3), 1e-10, "angle of the rocker");
    cr_expect_lt(report.largest_move, 1e-10);
    cr_expect_lt(report.largest_turn, 1e-10);
    model_run_end(&run);
  }
}

/* No pose of the rough rod alone closes the loop: all bodies move, and it is said by how much. */
Test(rods, what_moves_is_counted_from_the_file) {
  static const char *const text =
      "seam: 1\npoints: {A: [0, 0], B: [0.6, 0.8], C: [2.5, 2], D: [3, 0]}\n"
      "bodies:\n  crank: {rod: [A, B], mass: 1}\n  coupler: {rod: 2.5, near: [B, C], mass: 3}\n"
      "  rocker: {rod: [D, C], mass: 1}\n"
      "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n"
      "  B: {type: revolute, bodies: [crank, coupler], at: B}\n"
      "  C: {type: revolute, bodies: [rocker, coupler], at: {rocker: [1.0307764064044151, 0], coupler: [1.25, 0]}}\n"
      "  D: {type: revolute, bodies: [ground, rocker], at: D}\nstart: {A.omega: 1}\nsimulate: {end: 1}\n";
  model_run run = begin(text);
  mbs_assembly report;
  double placed[3];
  cr_assert_eq(mbs_assemble(run.ws, run.state, &report, NULL, NULL), SEAM_OK);
  mbs_placed_pose(seam_model_mechanism(run.file), 0, placed);
  cr_expect_float_eq(placed[2], atan2(0.8, 0.6), 1e-15);
  const double turn = fabs(run.state->q[2] - placed[2]);
  cr_expect_gt(turn, 1e-3, "the crank has to move");
  cr_expect_geq(report.largest_turn, turn - 1e-12);
  cr_expect_neq(report.turned_body, 1, "a rod near two places is rough on purpose");
  model_run_end(&run);
}

/* Forces and measures act at the ends too, in whichever order the file lists the bodies. */
Test(rods, their_ends_carry_forces_and_measures) {
  model_run run = begin(FOUR_BAR(RODS, "forces:\n"
                                       "  s: {type: spring_damper, bodies: [coupler, ground], at: [C, A], "
                                       "stiffness: 1, length: 1}\n"
                                       "measures:\n"
                                       "  tip: {point: C, body: coupler}\n"
                                       "  other: {point: C, body: rocker}\n"));
  double values[4];
  static const char *const names[] = {"tip.x", "other.x", "tip.y", "s.length"};
  mbs_quantity list[4];
  mbs_readout *readout = NULL;
  for (int i = 0; i < 4; i++)
    cr_assert_eq(mbs_find_quantity(seam_model_mechanism(run.file), names[i], &list[i], NULL), SEAM_OK);
  cr_assert_eq(mbs_readout_create(seam_model_mechanism(run.file), list, 4, &readout, NULL), SEAM_OK);
  mbs_read(readout, run.ws, run.state, values);
  cr_expect_float_eq(values[0], values[1], 1e-12);
  cr_expect_float_eq(hypot(values[0], values[2]), values[3], 1e-12);
  cr_expect_float_eq(hypot(values[0] - 3, values[2]), 2, 1e-12, "the rocker is 2 m long");
  mbs_readout_destroy(readout);
  model_run_end(&run);
}

#define REFUSED(name, text, message)                                                                                   \
  Test(rods, name) { expect_refused(text, message); }
#define ROD(keys) "seam: 1\npoints: {A: [0, 0], B: [1, 0]}\nbodies:\n  b: {mass: 1, " keys "}\n"

REFUSED(a_length_alone, ROD("rod: 2"),
        "text.yaml:4:3: error: body 'b' needs 'near', because 'rod' is a length\n"
        "  b: {mass: 1, rod: 2}\n"
        "  ^\n"
        "add near: [P, Q], points close to the two ends of the rod")

REFUSED(near_beside_points, ROD("rod: [A, B], near: [A, B]"),
        "text.yaml:4:29: error: 'near' in body 'b' has no effect, because 'rod' gives two points\n"
        "  b: {mass: 1, rod: [A, B], near: [A, B]}\n"
        "                            ^\n"
        "remove 'near', or give 'rod' as a length")

REFUSED(near_one_point, ROD("rod: 2, near: A"),
        "text.yaml:4:30: error: 'near' in body 'b' must be a list of two points\n"
        "  b: {mass: 1, rod: 2, near: A}\n"
        "                             ^\n"
        "write [P, Q], each the name of a point or [x, y]")

REFUSED(near_the_same_point_twice, ROD("rod: 2, near: [A, A]"),
        "text.yaml:4:30: error: the two points of 'near' in body 'b' coincide\n"
        "  b: {mass: 1, rod: 2, near: [A, A]}\n"
        "                             ^")

REFUSED(no_length_at_all, ROD("rod: 0, near: [A, B]"),
        "text.yaml:4:21: error: 'rod' in body 'b' must be positive, but is 0\n"
        "  b: {mass: 1, rod: 0, near: [A, B]}\n"
        "                    ^")
