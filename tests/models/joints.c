/* Joints distance, slot, gear and motion in model files: what their keys mean, and what is refused with which message.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/engine.h"
#include "tests/support/model_reader.h"

#define TWO_BODIES                                                                                                     \
  "seam: 1\n"                                                                                                          \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 1, inertia: 1}\n"                                                                                       \
  "  b: {mass: 1, inertia: 1, at: [3, 4]}\n"                                                                           \
  "joints:\n"

/* ---- What is read ---- */

/* A model whose only joint is assembled. */
typedef struct reading {
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state;
} reading;

static reading read_joint(const char *text) {
  seam_error error = {0};
  reading r = {.file = read_model(text, NULL)};
  r.model = seam_model_mechanism(r.file);
  r.workspace = new_workspace(r.model);
  r.state = new_state(r.model);
  cr_assert_eq(mbs_assemble(r.workspace, r.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  return r;
}

static void reading_free(reading *r) {
  mbs_state_destroy(r->state);
  mbs_workspace_destroy(r->workspace);
  seam_model_file_destroy(r->file);
}

static void expect_joint(const reading *r, mbs_joint_kind kind, const char *residual) {
  cr_assert_eq(mbs_n_joints(r->model), 1);
  cr_expect_eq(mbs_joint_of(r->model, 0).kind, kind);
  cr_expect_eq(mbs_n_constraints(r->model), 1);
  cr_expect_str_eq(mbs_constraint_of(r->model, 0).name, residual);
}

static double distance_of(const reading *r) {
  const double *q = r->state->q;
  return hypot(q[3] - q[0], q[4] - q[1]);
}

Test(joints, distance_keeps_the_initial_length) {
  reading r = read_joint(TWO_BODIES "  J: {type: distance, bodies: [a, b], at: [[0, 0], [3, 4]]}\n");
  expect_joint(&r, MBS_DISTANCE, "g_d");
  cr_expect_float_eq(distance_of(&r), 5, 1e-15);
  reading_free(&r);
}

Test(joints, distance_with_a_length_is_closed) {
  reading r = read_joint(TWO_BODIES "  J: {type: distance, bodies: [a, b], at: [[0, 0], [3, 4]], length: 2.5*2.4}\n");
  cr_expect_float_eq(distance_of(&r), 6, 1e-14);
  reading_free(&r);
}

Test(joints, distance_between_own_frames) {
  reading r = read_joint(TWO_BODIES "  J: {type: distance, bodies: [ground, b], at: {b: [0, 0], ground: [3, 0]}}\n");
  expect_joint(&r, MBS_DISTANCE, "g_d");
  cr_expect_eq(r.state->q[4], 4);
  reading_free(&r);
}

/* A point of the second body stays on the line through the place along the axis. */
Test(joints, slot_is_a_line_on_the_first_body) {
  reading r = read_joint(TWO_BODIES "  J: {type: slot, bodies: [ground, b], at: {ground: [0, 1], b: [0, 0]}, "
                                    "axis: [2, 0]}\n");
  expect_joint(&r, MBS_SLOT, "g_n");
  cr_expect_float_eq(r.state->q[3], 3, 1e-15);
  cr_expect_float_eq(r.state->q[4], 1, 1e-15);
  reading_free(&r);
}

Test(joints, gear_of_a_ratio) {
  double gd = 0;
  reading r = read_joint("seam: 1\n"
                         "parameters: {teeth: 20}\n"
                         "bodies:\n"
                         "  a: {mass: 1, inertia: 1, rate: 3}\n"
                         "  b: {mass: 1, inertia: 1, angle: 0.7, rate: -6}\n"
                         "joints:\n"
                         "  J: {type: gear, bodies: [a, b], ratio: -40/teeth}\n");
  expect_joint(&r, MBS_GEAR, "g_phi");
  mbs_residuals(r.workspace, r.state, NULL, &gd, NULL);
  cr_expect_float_eq(gd, 0, 1e-15);
  cr_expect_float_eq(r.state->v[2], 3, 1e-15);
  cr_expect_float_eq(r.state->q[5], 0.7, 1e-15);
  reading_free(&r);
}

static void expect_ratio(const char *keys, double ratio) {
  char text[512];
  snprintf(text, sizeof text, TWO_BODIES "  J: {type: gear, bodies: [a, b], at: [[0, 0], [1, 0]], %s}\n", keys);
  reading r = read_joint(text);
  expect_joint(&r, MBS_GEAR, "g_phi");
  cr_expect_float_eq(mbs_joint_of(seam_model_mechanism(r.file), 0).ratio, ratio, 1e-15, "%s", keys);
  reading_free(&r);
}

Test(joints, gear_of_numbers_of_teeth) {
  expect_ratio("teeth: [40, 20]", -2);
  expect_ratio("teeth: [40, 20], internal: true", 2);
  expect_ratio("internal: false, teeth: [20, 40]", -0.5);
  expect_ratio("ratio: 2", 2);
}

Test(joints, motion_of_an_angle) {
  reading r = read_joint(TWO_BODIES "  J: {type: motion, bodies: [a, b], of: angle, law: 0.4 + 2*t}\n");
  expect_joint(&r, MBS_MOTION, "g_m");
  cr_expect_float_eq(r.state->q[5] - r.state->q[2], 0.4, 1e-15);
  cr_expect_float_eq(r.state->v[5] - r.state->v[2], 2, 1e-15);
  reading_free(&r);
}

Test(joints, motion_of_a_distance) {
  reading r =
      read_joint(TWO_BODIES "  J: {type: motion, bodies: [a, b], of: distance, at: [[0, 0], [3, 4]], law: 5 + t^2}\n");
  expect_joint(&r, MBS_MOTION, "g_m");
  cr_expect_float_eq(distance_of(&r), 5, 1e-15);
  reading_free(&r);
}

/* Coordinate i of body b follows 2 - t. */
static void expect_coordinate(const char *text, size_t i) {
  reading r = read_joint(text);
  expect_joint(&r, MBS_MOTION, "g_m");
  cr_expect_float_eq(r.state->q[3 + i], 2, 1e-15);
  cr_expect_float_eq(r.state->v[3 + i], -1, 1e-15);
  reading_free(&r);
}

Test(joints, motion_of_x) { expect_coordinate(TWO_BODIES "  J: {type: motion, body: b, of: x, law: 2 - t}\n", 0); }

Test(joints, motion_of_y) { expect_coordinate(TWO_BODIES "  J: {type: motion, body: b, of: y, law: 2 - t}\n", 1); }

Test(joints, motion_of_phi) { expect_coordinate(TWO_BODIES "  J: {type: motion, body: b, of: phi, law: 2 - t}\n", 2); }

Test(joints, motion_of_a_body_in_a_list) {
  expect_coordinate(TWO_BODIES "  J: {type: motion, bodies: [b], of: x, law: 2 - t}\n", 0);
}

Test(joints, motion_at_rest_by_a_number) {
  reading r = read_joint(TWO_BODIES "  J: {type: motion, body: b, of: phi, law: 0}\n");
  cr_expect_eq(r.state->v[5], 0);
  reading_free(&r);
}

Test(joints, every_integrator) {
  static const char *const names[] = {"erk", "radau", "ida", "cvode", "euler", "symplectic_euler", "rk2", "rk4"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char override[64];
    snprintf(override, sizeof override, "simulate.integrator=%s", names[i]);
    seam_model_file *file = read_model("seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {end: 1}\n",
                                       (const char *const[]){override, NULL});
    cr_expect_str_eq(seam_model_simulation(file)->integrator.method, names[i]);
    seam_model_file_destroy(file);
  }
}

/* ---- What is refused ---- */

/* A test that a model with the line `joint` is refused with exactly `message`. */
#define REFUSED(name, joint, message)                                                                                  \
  Test(refused_joints, name) { expect_refused(TWO_BODIES joint, message); }

REFUSED(distance_without_places, "  J: {type: distance, bodies: [a, b]}\n",
        "text.yaml:6:3: error: joint 'J' needs 'at'\n"
        "  J: {type: distance, bodies: [a, b]}\n"
        "  ^")

REFUSED(distance_of_zero_length, "  J: {type: distance, bodies: [a, b], at: [[0, 0], [1, 0]], length: 0}\n",
        "text.yaml:6:69: error: 'length' in joint 'J' must be positive, but is 0\n"
        "  J: {type: distance, bodies: [a, b], at: [[0, 0], [1, 0]], length: 0}\n"
        "                                                                    ^")

REFUSED(distance_of_coinciding_places, "  J: {type: distance, bodies: [a, b], at: [[1, 0], [1, 0]]}\n",
        "text.yaml:6:3: error: distance 'J': its points coincide: move them apart, or give 'length'\n"
        "  J: {type: distance, bodies: [a, b], at: [[1, 0], [1, 0]]}\n"
        "  ^")

REFUSED(distance_in_one_place, "  J: {type: distance, bodies: [a, b], at: [0, 0]}\n",
        "text.yaml:6:44: error: unknown point '0' in joint 'J'\n"
        "  J: {type: distance, bodies: [a, b], at: [0, 0]}\n"
        "                                           ^\n"
        "give it under 'points:', or write [x, y]")

REFUSED(distance_of_one_body, "  J: {type: distance, body: a, at: [[0, 0], [1, 0]]}\n",
        "text.yaml:6:29: error: joint 'J' of type distance needs 2 bodies, but lists 1\n"
        "  J: {type: distance, body: a, at: [[0, 0], [1, 0]]}\n"
        "                            ^\n"
        "'ground' counts as a body")

REFUSED(slot_without_axis, "  J: {type: slot, bodies: [a, b], at: [0, 0]}\n",
        "text.yaml:6:3: error: joint 'J' needs 'axis'\n"
        "  J: {type: slot, bodies: [a, b], at: [0, 0]}\n"
        "  ^")

REFUSED(slot_with_a_zero_axis, "  J: {type: slot, bodies: [a, b], at: [0, 0], axis: [0, 0]}\n",
        "text.yaml:6:53: error: 'axis' in joint 'J' must not be zero\n"
        "  J: {type: slot, bodies: [a, b], at: [0, 0], axis: [0, 0]}\n"
        "                                                    ^\n"
        "write a direction such as [1, 0]")

REFUSED(slot_with_an_angle, "  J: {type: slot, bodies: [a, b], at: [0, 0], axis: [1, 0], angle: 1}\n",
        "text.yaml:6:61: error: unknown key 'angle' in joint 'J'\n"
        "  J: {type: slot, bodies: [a, b], at: [0, 0], axis: [1, 0], angle: 1}\n"
        "                                                            ^\n"
        "known: type, bodies, body, at, axis, friction")

REFUSED(gear_without_ratio, "  J: {type: gear, bodies: [a, b]}\n",
        "text.yaml:6:3: error: joint 'J' needs 'ratio' or 'teeth'\n"
        "  J: {type: gear, bodies: [a, b]}\n"
        "  ^")

REFUSED(gear_with_ratio_zero, "  J: {type: gear, bodies: [a, b], ratio: 0}\n",
        "text.yaml:6:42: error: 'ratio' in joint 'J' must not be zero\n"
        "  J: {type: gear, bodies: [a, b], ratio: 0}\n"
        "                                         ^\n"
        "hold the second body by a joint instead")

REFUSED(gear_with_one_place, "  J: {type: gear, bodies: [a, b], ratio: 2, at: [[0, 0]]}\n",
        "text.yaml:6:49: error: 'at' in joint 'J' must be two points\n"
        "  J: {type: gear, bodies: [a, b], ratio: 2, at: [[0, 0]]}\n"
        "                                                ^\n"
        "write [P, Q]: P on the first body, Q on the second; each a point or [x, y]")

REFUSED(gear_with_ratio_and_teeth, "  J: {type: gear, bodies: [a, b], ratio: -2, teeth: [20, 10]}\n",
        "text.yaml:6:46: error: joint 'J' has 'ratio' and 'teeth'\n"
        "  J: {type: gear, bodies: [a, b], ratio: -2, teeth: [20, 10]}\n"
        "                                             ^\n"
        "keep one of the two")

REFUSED(gear_with_a_broken_tooth, "  J: {type: gear, bodies: [a, b], teeth: [20, 10.5]}\n",
        "text.yaml:6:47: error: 'teeth' in joint 'J' must be whole, but 10.5 is not\n"
        "  J: {type: gear, bodies: [a, b], teeth: [20, 10.5]}\n"
        "                                              ^\n"
        "give 'ratio' for what has no teeth")

REFUSED(gear_with_internal_ratio, "  J: {type: gear, bodies: [a, b], ratio: 2, internal: true}\n",
        "text.yaml:6:45: error: 'internal' in joint 'J' has no effect without 'teeth'\n"
        "  J: {type: gear, bodies: [a, b], ratio: 2, internal: true}\n"
        "                                            ^\n"
        "remove 'internal': with a positive 'ratio' both wheels turn in the same direction")

REFUSED(gear_of_a_ring_and_its_own_size, "  J: {type: gear, bodies: [a, b], teeth: [20, 20], internal: true}\n",
        "text.yaml:6:42: error: 'teeth' in joint 'J' must differ, because one wheel is inside the other\n"
        "  J: {type: gear, bodies: [a, b], teeth: [20, 20], internal: true}\n"
        "                                         ^\n"
        "a ring has more teeth than the wheel in it")

REFUSED(gear_with_both_centres_at_one_place,
        "  J: {type: gear, bodies: [a, b], at: [[1, 0], [1, 0]], teeth: [20, 10]}\n",
        "text.yaml:6:3: error: joint 'J': its two centres coincide: move them apart\n  J: {type: gear, bodies: [a, b], "
        "at: [[1, 0], [1, 0]], teeth: [20, 10]}\n  ^")

REFUSED(rack_without_a_pinion, "  J: {type: rack, bodies: [a, b], at: [0, 0], axis: [1, 0], radius: 0}\n",
        "text.yaml:6:69: error: 'radius' in joint 'J' must not be zero\n"
        "  J: {type: rack, bodies: [a, b], at: [0, 0], axis: [1, 0], radius: 0}\n"
        "                                                                    ^\n"
        "write the radius of the pinion's pitch circle or of the wheel, m")

REFUSED(motion_without_of, "  J: {type: motion, bodies: [a, b], law: t}\n",
        "text.yaml:6:3: error: joint 'J' needs 'of'\n"
        "  J: {type: motion, bodies: [a, b], law: t}\n"
        "  ^")

REFUSED(motion_without_law, "  J: {type: motion, bodies: [a, b], of: angle}\n",
        "text.yaml:6:3: error: joint 'J' needs 'law' or 'speed', a law of t\n"
        "  J: {type: motion, bodies: [a, b], of: angle}\n"
        "  ^")

REFUSED(motion_of_something_unknown, "  J: {type: motion, bodies: [a, b], of: angel, law: t}\n",
        "text.yaml:6:41: error: unknown of 'angel' in joint 'J'\n"
        "  J: {type: motion, bodies: [a, b], of: angel, law: t}\n"
        "                                        ^\n"
        "did you mean 'angle'?")

REFUSED(motion_of_an_angle_of_one_body, "  J: {type: motion, body: a, of: angle, law: t}\n",
        "text.yaml:6:34: error: a motion of this coordinate needs 2 bodies, but joint 'J' lists 1\n"
        "  J: {type: motion, body: a, of: angle, law: t}\n"
        "                                 ^\n"
        "'ground' counts as a body")

REFUSED(motion_of_x_of_two_bodies, "  J: {type: motion, bodies: [a, b], of: x, law: t}\n",
        "text.yaml:6:41: error: a motion of this coordinate needs 1 body, but joint 'J' lists 2\n"
        "  J: {type: motion, bodies: [a, b], of: x, law: t}\n"
        "                                        ^")

REFUSED(motion_of_a_distance_without_places, "  J: {type: motion, bodies: [a, b], of: distance, law: t}\n",
        "text.yaml:6:41: error: joint 'J' needs 'at', as every motion of a distance does\n"
        "  J: {type: motion, bodies: [a, b], of: distance, law: t}\n"
        "                                        ^\n"
        "add at: [P, Q]")

REFUSED(motion_of_an_angle_with_places,
        "  J: {type: motion, bodies: [a, b], of: angle, at: [[0, 0], [1, 0]], law: t}\n",
        "text.yaml:6:48: error: 'at' in joint 'J' has no effect: only a motion of a distance or slide has places\n"
        "  J: {type: motion, bodies: [a, b], of: angle, at: [[0, 0], [1, 0]], law: t}\n"
        "                                               ^\n"
        "remove it")

REFUSED(motion_with_a_law_of_something_else, "  J: {type: motion, bodies: [a, b], of: angle, law: 2*s}\n",
        "text.yaml:6:55: error: unknown name 's'\n"
        "  J: {type: motion, bodies: [a, b], of: angle, law: 2*s}\n"
        "                                                      ^")

REFUSED(motion_between_a_body_and_itself, "  J: {type: motion, bodies: [a, a], of: angle, law: t}\n",
        "text.yaml:6:33: error: joint 'J' joins 'a' to itself\n"
        "  J: {type: motion, bodies: [a, a], of: angle, law: t}\n"
        "                                ^\n"
        "name another body")
