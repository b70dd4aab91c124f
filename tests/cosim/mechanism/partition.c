/* How mechanisms may be cut: any topology agrees with the whole as H -> 0; what cannot be is refused by name. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/cut_element.h"
#include "tests/support/cosim_fixture.h"

/* Four plates on springs, joined in a ring by bushings, one spring across. */
#define PLATES                                                                                                         \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 1, inertia: 0.1, at: [0, 0], rate: 1}\n"                                                                \
  "  b: {mass: 1.5, inertia: 0.2, at: [1, 0]}\n"                                                                       \
  "  c: {mass: 2, inertia: 0.15, at: [1, 1], velocity: [0.3, 0]}\n"                                                    \
  "  d: {mass: 1.2, inertia: 0.1, at: [0, 1]}\n"                                                                       \
  "forces:\n"                                                                                                          \
  "  hang: {type: bushing, bodies: [ground, d], at: [0, 1.5], stiffness: [200, 200, 20], damping: [2, 2, 0.2]}\n"
#define JOIN(name, one, two, x, y)                                                                                     \
  "  " name ": {type: bushing, bodies: [" one ", " two "], at: [" x ", " y "], stiffness: [150, 150, 15], "            \
  "damping: [3, 3, 0.3]}\n"
#define EACH_ALONE "cosim: {subsystems: {A: [a], B: [b], C: [c], D: [d]}, macro_step: 1e-3, scheme: ff-k1}\n"
#define SIMULATE "simulate: {end: 1}\n"

static const char ring[] = PLATES JOIN("ab", "a", "b", "0.5", "0") JOIN("bc", "b", "c", "1", "0.5")
    JOIN("cd", "c", "d", "0.5", "1") JOIN("da", "d", "a", "0", "0.5") SIMULATE EACH_ALONE;
static const char star[] = PLATES JOIN("da", "d", "a", "0", "0.5") JOIN("db", "d", "b", "0.5", "0.5")
    JOIN("cd", "c", "d", "0.5", "1") SIMULATE EACH_ALONE;
static const char chain[] = PLATES JOIN("cd", "c", "d", "0.5", "1") JOIN("bc", "b", "c", "1", "0.5")
    JOIN("ab", "a", "b", "0.5", "0") SIMULATE EACH_ALONE;
static const char pair[] = PLATES JOIN("cd", "c", "d", "0.5", "1") JOIN("ab", "a", "b", "0.5", "0") JOIN(
    "bc", "b", "c", "1",
    "0.5") "  da: {type: spring_damper, bodies: [d, a], at: [[0, 0.9], [0, 0.1]], "
           "force: 100*s + 50*s^3 + v}\n  twist: {type: torsion, bodies: [c, b], stiffness: 5, damping: 0.1}\n" SIMULATE
           "cosim: {subsystems: {left: [a, b], right: [c, d]}, macro_step: 1e-3, scheme: ff-k1}\n";

/* Of order k + 1, in the positions: halving H divides the error by 2^(k + 1), or it is small already. */
static void expect_order(const char *text, const char *scheme, int order) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  use_scheme(&p, scheme);
  const double coarse = error_at_macro_step(&p, 4e-3, 0.4);
  const double fine = error_at_macro_step(&p, 1e-3, 0.4);
  cr_expect(fine < 1e-8 || log(coarse / fine) / log(4) > order - 0.3, "%s: %g, %g", scheme, coarse, fine);
  cr_expect_lt(fine, 1e-2, "%s: %g", scheme, fine);
  cosim_fixture_free(&p);
}

static void expect_orders(const char *text) {
  expect_order(text, "ff-k0", 1);
  expect_order(text, "ff-k1", 2);
  expect_order(text, "ff-d-k2", 3);
  expect_order(text, "fd-k1", 2);
  expect_order(text, "df-d-k1", 2);
  expect_order(text, "dd-k2", 3);
  expect_order(text, "dd-k1-explicit", 2);
  expect_order(text, "fd-k1-implicit", 2);
}

Test(partition, a_ring_converges_to_the_whole) { expect_orders(ring); }
Test(partition, a_star_converges_to_the_whole) { expect_orders(star); }
Test(partition, a_chain_converges_to_the_whole) { expect_orders(chain); }
Test(partition, several_couplings_of_one_pair_converge_to_the_whole) { expect_orders(pair); }

/* Rods from the ground to the ground: cut at joints in two places, three subsystems meeting at one body. */
#define ARCH                                                                                                           \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "points: {A: [0, 0], B: [0.5, 1], C: [1.5, 1.2], D: [2.2, 0.9], E: [2.5, 0], F: [1, 2]}\n"                           \
  "bodies:\n"                                                                                                          \
  "  r1: {rod: [A, B], mass: 1}\n  r2: {rod: [B, C], mass: 1}\n  r3: {rod: [C, D], mass: 1}\n"                         \
  "  r4: {rod: [D, E], mass: 1}\n  r5: {rod: [C, F], mass: 0.5}\n"                                                     \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, r1], at: A}\n  B: {type: revolute, bodies: [r1, r2], at: B}\n"               \
  "  C: {type: revolute, bodies: [r2, r3], at: C}\n  D: {type: revolute, bodies: [r3, r4], at: D}\n"                   \
  "  E: {type: revolute, bodies: [ground, r4], at: E}\n  F: {type: fixed, bodies: [r2, r5], at: C}\n"                  \
  "simulate: {end: 1}\n"

static void expect_joints_hold(const char *text, const char *scheme, double within) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  use_scheme(&p, scheme);
  const double error = error_at_macro_step(&p, 1e-3, 0.3);
  cr_expect_lt(error, within, "%s: %g", scheme, error);
  cosim_fixture_free(&p);
}

Test(partition, closed_chains_cut_at_several_joints_agree_with_the_whole) {
  static const char *const cuts[] = {
      ARCH "cosim: {subsystems: {l: [r1, r5], m: [r2], r: [r3, r4]}, macro_step: 1e-3, scheme: ff-index2-k1}\n",
      ARCH "cosim: {subsystems: {o: [r1, r4], i: [r2, r3, r5]}, macro_step: 1e-3, scheme: ff-index2-k1}\n",
      ARCH "cosim: {subsystems: {s1: [r1], s2: [r2], s3: [r3], s4: [r4], s5: [r5]}, macro_step: 1e-3}\n"};
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    expect_joints_hold(cuts[i], "ff-index2-k1", 1e-8);
    expect_joints_hold(cuts[i], "ff-index1-k1", 1e-8);
    expect_joints_hold(cuts[i], "ff-projection-k2", 1e-5);
    expect_joints_hold(cuts[i], "ff-baumgarte-k1", 1e-5);
  }
}

Test(partition, joints_and_bushings_mix) {
  cosim_fixture p = cosim_fixture_read(
      ARCH "forces: {S: {type: spring_damper, bodies: [r1, r3], at: [B, C], stiffness: 100, damping: 5}}\n"
           "cosim: {subsystems: {l: [r1, r2, r5], r: [r3, r4]}, macro_step: 1e-3,\n"
           "        scheme: {constitutive: ff-d-k2, constraint: ff-index2-k1}}\n",
      NULL);
  const double error = error_at_macro_step(&p, 1e-3, 0.3);
  cr_expect_lt(error, 1e-6, "%g", error);
  cr_expect_eq(cosim_n_couplings(p.run), 2);
  cr_expect_str_eq(cosim_coupling_of(p.run, 0).name, "C");
  cr_expect(cosim_coupling_of(p.run, 0).is_joint);
  cr_expect_str_eq(cosim_coupling_of(p.run, 1).scheme, "ff-d-k2");
  cosim_fixture_free(&p);
}

/* Motions, gears, slots and prismatic joints, whose direction turns with one side. */
Test(partition, every_joint_can_be_cut) {
  cosim_fixture p = cosim_fixture_read(
      "seam: 1\ngravity: [0, -9.81]\n"
      "bodies: {a: {mass: 1, inertia: 0.1, rate: 1}, b: {mass: 1, inertia: 0.1, at: [1, 0], rate: -0.5},\n"
      "  c: {mass: 1, inertia: 0.1, at: [2, 0]}, d: {mass: 1, inertia: 0.2, at: [2, 1]}}\n"
      "joints:\n"
      "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n  B: {type: revolute, bodies: [ground, b], at: [1, "
      "0.2]}\n"
      "  G: {type: gear, bodies: [a, b], ratio: -0.5}\n"
      "  L: {type: distance, bodies: [b, c], at: [[1, -0.2], [2, 0]]}\n"
      "  P: {type: prismatic, bodies: [c, d], at: [2, 0.5], axis: [0.2, 1]}\n"
      "simulate: {end: 1}\n"
      "cosim: {subsystems: {A: [a], B: [b], C: [c], D: [d]}, macro_step: 1e-3}\n",
      NULL);
  static const struct {
    const char *scheme;
    double within;
  } rows[] = {{"ff-index2-k0", 1e-5},     {"ff-index2-k1", 1e-5},    {"ff-index2-k2", 1e-8},  {"ff-index1-k1", 1e-5},
              {"ff-projection-k2", 1e-5}, {"ff-baumgarte-k1", 1e-4}, {"ff-weighted-k0", 1e-4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    use_scheme(&p, rows[i].scheme);
    const double error = error_at_macro_step(&p, 1e-3, 0.3);
    cr_expect_lt(error, rows[i].within, "%s: %g", rows[i].scheme, error);
  }
  cosim_fixture_free(&p);
}

/* A guide transmits a force and a torque: about one point, its wrenches on both sides are opposite, wherever the
 * markers are. */
Test(partition, wrenches_on_both_sides_of_a_cut_guide_balance) {
  cosim_fixture p = cosim_fixture_read(
      "seam: 1\ngravity: [0, -9.81]\n"
      "bodies: {a: {mass: 1, inertia: 0.1, rate: 1}, b: {mass: 2, inertia: 0.3, at: [1, 0.3], velocity: [0, 1]}}\n"
      "joints:\n"
      "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
      "  P: {type: prismatic, bodies: [a, b], at: {a: [0.2, 0.1], b: [-0.3, 0.1]}, axis: [1, 0.4]}\n"
      "simulate: {end: 1}\n"
      "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 1e-3, scheme: ff-index2-k1-implicit}\n",
      NULL);
  start(&p);
  for (int k = 0; k < 20; k++) {
    double wrench[2][3];
    double moment[2];
    advance(&p, 10);
    cosim_coupling_wrenches(p.run, 0, wrench);
    for (int side = 0; side < 2; side++) {
      const cosim_motion at = cosim_element_motion(p.model, true, cosim_coupling_of(p.run, 0).element, side,
                                                   cosim_state(p.run)->q, cosim_state(p.run)->v, NULL);
      moment[side] = wrench[side][2] + at.x[0] * wrench[side][1] - at.x[1] * wrench[side][0];
    }
    cr_expect_float_eq(wrench[0][0], -wrench[1][0], 1e-12);
    cr_expect_float_eq(moment[0], -moment[1], 1e-6, "%g, %g", moment[0], moment[1]);
    cr_expect_gt(fabs(wrench[0][2] + wrench[1][2]), 0.1);
  }
  cosim_fixture_free(&p);
}

Test(partition, the_order_of_subsystems_changes_nothing_but_rounding) {
  cosim_fixture p = cosim_fixture_read(ring, NULL);
  cosim_fixture r =
      cosim_fixture_read(ring, (const char *const[]){"cosim.subsystems={D: [d], B: [b], C: [c], A: [a]}", NULL});
  start(&p);
  start(&r);
  advance(&p, 300);
  advance(&r, 300);
  for (size_t i = 0; i < 24; i++)
    cr_expect_float_eq(cosim_state(p.run)->q[i], cosim_state(r.run)->q[i], 1e-12);
  cosim_fixture_free(&p);
  cosim_fixture_free(&r);
}

/* A hundred rods, every tenth joint a bushing: ten subsystems. */
Test(partition, a_chain_of_a_hundred_rods_in_ten_subsystems) {
  cosim_fixture p = cosim_fixture_read(
      "seam: 1\ngravity: [0, -9.81]\npoints: {P0: [0, 0]}\n"
      "joints: {J0: {type: revolute, bodies: [ground, link1], at: P0}}\n"
      "repeat:\n"
      "  - for: {i: [1, 100]}\n"
      "    points: {\"P{i}\": [i, 0]}\n"
      "    bodies: {\"link{i}\": {rod: [\"P{i-1}\", \"P{i}\"], mass: 1}}\n"
      "  - for: {k: [0, 9], j: [1, 9]}\n"
      "    joints: {\"J{10*k+j}\": {type: revolute, bodies: [\"link{10*k+j}\", \"link{10*k+j+1}\"], at: "
      "\"P{10*k+j}\"}}\n"
      "  - for: {k: [1, 9]}\n"
      "    forces: {\"B{k}\": {type: bushing, bodies: [\"link{10*k}\", \"link{10*k+1}\"], at: \"P{10*k}\",\n"
      "             stiffness: [1e5, 1e5, 0], damping: [1e3, 1e3, 0]}}\n"
      "simulate: {end: 0.2}\n"
      "cosim:\n"
      "  subsystems:\n"
      "    S0: {for: {i: [1, 10]}, bodies: [\"link{i}\"]}\n    S1: {for: {i: [11, 20]}, bodies: [\"link{i}\"]}\n"
      "    S2: {for: {i: [21, 30]}, bodies: [\"link{i}\"]}\n    S3: {for: {i: [31, 40]}, bodies: [\"link{i}\"]}\n"
      "    S4: {for: {i: [41, 50]}, bodies: [\"link{i}\"]}\n    S5: {for: {i: [51, 60]}, bodies: [\"link{i}\"]}\n"
      "    S6: {for: {i: [61, 70]}, bodies: [\"link{i}\"]}\n    S7: {for: {i: [71, 80]}, bodies: [\"link{i}\"]}\n"
      "    S8: {for: {i: [81, 90]}, bodies: [\"link{i}\"]}\n    S9: {for: {i: [91, 100]}, bodies: [\"link{i}\"]}\n"
      "  macro_step: 1e-3\n"
      "  scheme: ff-d-k2\n",
      NULL);
  const double error = error_at_macro_step(&p, 1e-3, 0.2);
  cr_expect_lt(error, 1e-5, "%g", error);
  cr_expect_eq(cosim_n_couplings(p.run), 9);
  cosim_fixture_free(&p);
}

/* ---- What cannot be ---- */

static void expect_refused(const char *text, const char *override, const char *scheme, const char *part) {
  cosim_fixture p = cosim_fixture_read(text, (const char *const[]){override, NULL});
  if (scheme != NULL)
    use_scheme(&p, scheme);
  expect_no_start(&p, part);
  cosim_fixture_free(&p);
}

Test(partition, impossible_schemes_are_refused_with_the_coupling_and_the_possible_ones) {
  expect_refused("four_bar_bushing", NULL, "ff-index2-k1",
                 "coupling 'M': this is a force element: take ff-k1; 'ff-index2-k1' is for joints");
  expect_refused("four_bar_fixed", NULL, "ff-k1",
                 "coupling 'M': this is a joint: take ff-index2-k1; 'ff-k1' is for force elements");
  expect_refused("double_pendulum", NULL, "dd-projection-k1", "joint 'elbow': its accelerations cannot be prescribed");
  expect_refused("double_pendulum", NULL, "dd-projection-k1", "ff-index2-k1");
  expect_refused(pair, NULL, "ff-i-k1",
                 "coupling 'da': the I-extension needs a linear law, as of a spring along an 'axis'");
}

Test(partition, a_missing_scheme_is_asked_for) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  p.definition.options.constitutive_scheme = NULL;
  expect_no_start(&p, "coupling 'M' has no scheme: add 'scheme: ff-k1' under 'cosim'");
  cosim_fixture_free(&p);
}

/* The second guide of a crosshead repeats the first: after the cut nothing would determine their single forces. */
Test(partition, a_coupling_that_the_others_imply_is_named) {
  expect_refused("seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
                 "joints: {weld: {type: fixed, bodies: [a, b], at: [0, 0]},\n"
                 "         bolt: {type: revolute, bodies: [a, b], at: [1, 0]}}\n"
                 "simulate: {end: 1}\n"
                 "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 1e-3, scheme: ff-index2-k1}\n",
                 NULL, NULL, "other joints imply its constraint");
}

/* The four-bar has one freedom, so that the motion of its coupler cannot be prescribed; its loop is open by 0.2 m in
 * the file, and closes before that is examined. */
static const char *const rough_leg =
    "seam: 1\nbodies:\n  drive: {mass: 1, inertia: 1, at: [1, 2]}\n"
    "  a: {mass: 1, inertia: 0.1, at: [0.1, 0.5], angle: pi/2}\n  b: {mass: 1, inertia: 0.1, at: [1, 1.3]}\n"
    "  c: {mass: 1, inertia: 0.1, at: [2.1, 0.5], angle: pi/2}\n"
    "joints:\n  X: {type: revolute, bodies: [drive, b], at: {drive: [0, -0.5], b: [0, 0.5]}}\n"
    "  A: {type: revolute, bodies: [ground, a], at: {ground: [0, 0], a: [-0.5, 0]}}\n"
    "  B: {type: revolute, bodies: [a, b], at: {a: [0.5, 0], b: [-1, 0]}}\n"
    "  C: {type: revolute, bodies: [b, c], at: {b: [1, 0], c: [0.6, 0]}}\n"
    "  D: {type: revolute, bodies: [ground, c], at: {ground: [2, 0], c: [-0.6, 0]}}\n"
    "simulate: {end: 0.1}\n"
    "cosim: {subsystems: {top: [drive], leg: [a, b, c]}, macro_step: 1e-3, scheme: ff-index2-k1}\n";

Test(partition, a_closed_loop_in_rough_poses_has_no_room_for_prescribed_accelerations) {
  expect_refused(rough_leg, NULL, "fd-projection-k1", "joint 'X': its accelerations cannot be prescribed");
  cosim_fixture p = cosim_fixture_read(rough_leg, NULL);
  use_scheme(&p, "df-projection-k1");
  start(&p);
  cosim_fixture_free(&p);
}

/* Joints within a subsystem may be redundant. */
Test(partition, redundant_joints_inside_a_subsystem_do_no_harm) {
  cosim_fixture p = cosim_fixture_read(
      "seam: 1\ngravity: [0, -9.81]\n"
      "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1, inertia: 1, at: [1, 0]}}\n"
      "joints: {weld: {type: fixed, bodies: [a, b], at: [0, 0]}, bolt: {type: revolute, bodies: [a, b], at: [1, 0]},\n"
      "         pin: {type: revolute, bodies: [ground, a], at: [-1, 0]}, elbow: {type: revolute, bodies: [b, c], at: "
      "[0, "
      "0]}}\nsimulate: {end: 1}\n"
      "cosim: {subsystems: {A: [a, b], B: [c]}, macro_step: 1e-3, scheme: ff-index2-k1}\n",
      NULL);
  cr_expect_lt(error_at_macro_step(&p, 1e-3, 0.3), 1e-8);
  cosim_fixture_free(&p);
}

static void expect_bad_subsystems(const cosim_subsystem_def *subsystems, size_t n, const char *part) {
  cosim_fixture p = cosim_fixture_read("double_pendulum", NULL);
  p.definition.subsystems = subsystems;
  p.definition.n_subsystems = n;
  expect_no_start(&p, part);
  cosim_fixture_free(&p);
}

/* A subsystem of the bodies that follow its name. */
#define OF(name_, ...)                                                                                                 \
  {                                                                                                                    \
    .name = (name_), .bodies = (const char *const[]){__VA_ARGS__},                                                     \
    .n_bodies = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)                                      \
  }

Test(partition, every_body_belongs_to_one_subsystem) {
  expect_bad_subsystems((cosim_subsystem_def[]){OF("u", "link1"), OF("l", "link1")}, 2,
                        "body 'link1' is in subsystem 'u' and in subsystem 'l'");
  expect_bad_subsystems((cosim_subsystem_def[]){OF("u", "link1"), OF("l", "link3")}, 2,
                        "subsystem 'l': there is no body 'link3'");
  expect_bad_subsystems((cosim_subsystem_def[]){OF("u", "link1", "link2"), {.name = "l"}}, 2,
                        "subsystem 'l' has no bodies");
  expect_bad_subsystems((cosim_subsystem_def[]){OF("u", "link1")}, 1, "two subsystems or more");
}

Test(partition, a_body_left_out_and_nothing_to_couple_are_said) {
  cosim_fixture p = cosim_fixture_read(ring, NULL);
  p.definition.subsystems = (cosim_subsystem_def[]){OF("A", "a"), OF("B", "b")};
  p.definition.n_subsystems = 2;
  expect_no_start(&p, "body 'c' is in no subsystem");
  cosim_fixture_free(&p);
  expect_refused("seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\nsimulate: {end: 1}\n"
                 "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 1e-3}\n",
                 NULL, NULL, "there is nothing to couple");
  expect_refused("seam: 1\nsimulate: {end: 1}\n"
                 "cosim: {subsystems: {A: {inputs: [u]}, B: {outputs: {y: t}}}, signals: [], macro_step: 1e-3}\n",
                 NULL, NULL, "nothing is coupled: add signals");
}

/* Only the name of a scheme chooses the engine; what the exchange alone can do asks for its name. */
Test(partition, holds_of_a_coupling_are_for_the_exchange) {
  static const char *const schemes[][2] = {{"ff-k1", "fd-k1-exchange"},          {"fd-k1-semi", "fd-k1-exchange"},
                                           {"df-k2-implicit", "df-k2-exchange"}, {"fd-k0-explicit", "fd-k0-exchange"},
                                           {"dd-k0-explicit", "fd-k0-exchange"}, {"ff-colloc-s2", "fd-k2-exchange"},
                                           {"df-colloc-s5", "df-k3-exchange"}};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    char said[100];
    char text[400];
    snprintf(text, sizeof text,
             "seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\nsimulate: {end: 1}\n"
             "forces: {M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1]}}\n"
             "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 1e-3, scheme: %s, couplings: {M: {smooth: true}}}\n",
             schemes[i][0]);
    snprintf(said, sizeof said, "need an '-exchange' scheme, not '%s'; write '%s'", schemes[i][0], schemes[i][1]);
    expect_refused(text, NULL, NULL, said);
  }
}

Test(partition, options_out_of_range_are_refused) {
  cosim_fixture p = cosim_fixture_read("double_pendulum", NULL);
  p.definition.options.macro_step = 0;
  expect_no_start(&p, "macro_step is 0");
  p.definition.options.macro_step = 1e-3;
  p.definition.options.implicit_tolerance = 0;
  expect_no_start(&p, "implicit_tolerance is 0");
  cosim_fixture_free(&p);
}

Test(partition, definitions_that_do_not_start_from_their_default_are_refused) {
  cosim_builder *builder = NULL;
  cosim_options options = cosim_default_options();
  seam_error error = {0};
  options.cookie = 0;
  cr_assert_eq(cosim_builder_create(NULL, &builder, &error), SEAM_OK);
  cr_expect_eq(cosim_set_options(builder, &options, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "start from"), "%s", error.message);
  cr_expect_eq(cosim_add_subsystem(builder, &(cosim_subsystem_def){.name = "a"}, &error), SEAM_BAD_INPUT);
  cr_expect_eq(cosim_builder_definition(builder)->n_subsystems, 0);
  cosim_builder_destroy(builder);
}

Test(partition, a_scheme_for_what_is_no_coupling_is_refused) {
  cosim_fixture p = cosim_fixture_read("double_pendulum", NULL);
  p.definition.coupling_options = &(cosim_coupling_options){.element = "pivot", .scheme = "ff-index2-k1"};
  p.definition.n_coupling_options = 1;
  expect_no_start(&p, "'pivot' is not a coupling");
  cosim_fixture_free(&p);
}

/* ---- User's parts alone, coupled ---- */

/* x' = v, v' = u: outputs x, v. */
static seam_status create_mass(const void *context, cosim_part **part, seam_error *error) {
  (void)context;
  return cosim_linear_part_create(&(cosim_linear_def){.n_states = 2,
                                                      .n_inputs = 1,
                                                      .n_outputs = 2,
                                                      .A = (double[]){0, 1, 0, 0},
                                                      .B = (double[]){0, 1},
                                                      .C = (double[]){1, 0, 0, 1},
                                                      .D = (double[]){0, 0}},
                                  part, error);
}

static cosim_builder *two_masses(const char *output) {
  static const char *const inputs[] = {"f"}, *const outputs[] = {"x", "v"}, *const names[] = {"a", "b"};
  const cosim_user_part user = {create_mass, NULL, inputs, outputs, 1, 2, 0};
  cosim_builder *builder = NULL;
  cosim_options options = cosim_default_options();
  cosim_coupling_def spring = cosim_default_coupling_def();
  options.macro_step = 1e-2;
  spring.name = "spring", spring.stiffness[0] = 1, spring.scheme = "ff-k1";
  cr_assert_eq(cosim_builder_create(NULL, &builder, NULL), SEAM_OK);
  cr_assert_eq(cosim_set_options(builder, &options, NULL), SEAM_OK);
  for (int i = 0; i < 2; i++) {
    cosim_subsystem_def def = cosim_default_subsystem_def();
    def.name = names[i];
    def.user = &user;
    spring.side[i] = (cosim_side_def){.subsystem = names[i], .force_input = "f", .position = output, .velocity = "v"};
    cr_assert_eq(cosim_add_subsystem(builder, &def, NULL), SEAM_OK);
  }
  cr_assert_eq(cosim_add_coupling(builder, &spring, NULL), SEAM_OK);
  return builder;
}

/* At rest they stay there; every start is the first one again. */
Test(partition, parts_are_coupled_without_a_mechanism) {
  cosim_builder *builder = two_masses("x");
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_create(builder, &simulation, &error), SEAM_OK, "%s", error.message);
  cosim_builder_destroy(builder);
  cr_assert_eq(cosim_n_part_couplings(simulation), 1);
  cr_assert_eq(cosim_n_signals(simulation), 4);
  cr_expect_str_eq(cosim_signal_of(simulation, 2).name, "b.x");
  for (int start = 0; start < 2; start++) {
    cr_assert_eq(cosim_start(simulation, NULL, &error), SEAM_OK, "%s", error.message);
    for (int i = 0; i < 3; i++)
      cr_assert_eq(cosim_advance(simulation, 1e-2, &error), SEAM_OK, "%s", error.message);
    cr_expect_float_eq(cosim_state(simulation)->t, 0.03, 1e-15);
    double lambda[3];
    cosim_part_coupling_wrench(simulation, 0, lambda);
    cr_expect_eq(lambda[0], 0);
  }
  cosim_destroy(simulation);
}

static cosim_simulation *with_spring(const cosim_coupling_def *spring) {
  cosim_builder *builder = NULL, *base = two_masses("x");
  cosim_definition definition = *cosim_builder_definition(base);
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  definition.part_couplings = spring != NULL ? spring : definition.part_couplings;
  cr_assert_eq(cosim_builder_of(NULL, &definition, &builder, NULL), SEAM_OK);
  cr_assert_eq(cosim_create(builder, &simulation, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(simulation, NULL, &error), SEAM_OK, "%s", error.message);
  cosim_builder_destroy(builder);
  cosim_builder_destroy(base);
  return simulation;
}

static seam_status restored_with(const cosim_coupling_def *spring, const void *image, size_t size) {
  cosim_simulation *simulation = with_spring(spring);
  const seam_status status = cosim_restore(simulation, image, size, NULL);
  cosim_destroy(simulation);
  return status;
}

Test(partition, an_image_of_another_coupling_of_parts_is_refused) {
  cosim_builder *base = two_masses("x");
  const cosim_coupling_def spring = cosim_builder_definition(base)->part_couplings[0];
  cosim_coupling_def others[4] = {spring, spring, spring, spring};
  others[0].stiffness[0] = 2;
  others[1].damping[0] = 0.1;
  others[2].scheme = "ff-k0";
  others[3].name = "another";
  cosim_simulation *saved = with_spring(NULL);
  const size_t size = cosim_image_size(saved);
  void *image = malloc(size);
  cosim_save(saved, image);
  cr_expect_eq(restored_with(&spring, image, size), SEAM_OK);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    cr_expect_eq(restored_with(&others[i], image, size), SEAM_BAD_STATE, "%zu", i);
  free(image);
  cosim_destroy(saved);
  cosim_builder_destroy(base);
}

Test(partition, a_side_of_a_coupling_is_checked_by_name) {
  cosim_builder *builder = two_masses("y");
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_expect_eq(cosim_create(builder, &simulation, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "coupling 'spring': subsystem 'a' has no output 'y'"), "%s", error.message);
  cosim_builder_destroy(builder);
}

Test(partition, connections_are_not_for_coupled_parts) {
  cosim_builder *builder = two_masses("x");
  cosim_simulation *simulation = NULL;
  cosim_connection_def connection = cosim_default_connection_def();
  seam_error error = {0};
  connection.from = "a.x", connection.to = "b.f";
  cr_assert_eq(cosim_add_connection(builder, &connection, NULL), SEAM_OK);
  cr_expect_eq(cosim_create(builder, &simulation, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "cannot stand beside signals, bonds and corrections"), "%s", error.message);
  cosim_builder_destroy(builder);
}

/* Two springs on one input would leave the force of one of them out. */
Test(partition, an_input_belongs_to_one_coupling) {
  cosim_builder *builder = two_masses("x");
  cosim_coupling_def second = cosim_builder_definition(builder)->part_couplings[0];
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  second.name = "second";
  cr_assert_eq(cosim_add_coupling(builder, &second, NULL), SEAM_OK);
  cr_expect_eq(cosim_create(builder, &simulation, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "input 'f' of subsystem 'a' already belongs to coupling 'spring'"), "%s",
                     error.message);
  cosim_builder_destroy(builder);
}

static seam_status create_nothing(const void *context, cosim_part **part, seam_error *error) {
  (void)context, (void)part, (void)error;
  return SEAM_OK;
}

Test(partition, a_user_part_that_is_not_created_is_named) {
  seam_status (*const functions[])(const void *, cosim_part **, seam_error *) = {create_nothing, NULL};
  for (int i = 0; i < 2; i++) {
    cosim_builder *builder = two_masses("x");
    const cosim_user_part user = {.create = functions[i]};
    cosim_subsystem_def third = cosim_default_subsystem_def();
    cosim_simulation *simulation = NULL;
    seam_error error = {0};
    third.name = "third", third.user = &user;
    cr_assert_eq(cosim_add_subsystem(builder, &third, NULL), SEAM_OK);
    cr_expect_eq(cosim_create(builder, &simulation, &error), SEAM_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "subsystem 'third': its "), "%s", error.message);
    cosim_builder_destroy(builder);
  }
}
