/* Hard contacts that stick: they stay where they are, and wheels roll the way that they turn. Starts that overlap a
 * little are moved apart, and said. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/events.h>

#include "mbs/model/model.h"
#include "mbs/model/unilateral.h"
#include "tests/support/model_run.h"

/* ---- What sticks ---- */

/* A block on an incline, with gravity turned, and a pendulum that swings on it and loads its two feet in turn. */
static const char *const block =
    "seam: 1\ngravity: [1, -9.81]\n"
    "bodies: {block: {mass: 2, inertia: 0.1, at: [0, 0.1]}, bob: {mass: 0.3, inertia: 0.01, at: [0.4, 0.1]}}\n"
    "joints: {pin: {type: revolute, bodies: [block, bob], at: [0, 0.1]}}\n"
    "forces:\n"
    "  left: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-0.3, -0.1]}, line: [1, 0],\n"
    "    hard: true, friction: 0.8}\n"
    "  right: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [0.3, -0.1]}, line: [1, 0],\n"
    "    hard: true, friction: 0.8}\nsimulate: {end: 1000}\n";

Test(hard_holds, a_block_on_an_incline_stays_for_a_thousand_seconds) {
  mbs_integrator_options options = mbs_default_integrator_options();
  model_run run = model_run_begin(block, NULL, &options, INFINITY);
  const double before = mbs_energy_of(run.ws, run.state).total;
  for (int i = 1; i <= 10; i++) {
    model_run_reach(&run, 100 * i);
    cr_expect_float_eq(run.state->q[0], 0, 1e-13, "%g", run.state->q[0]);
  }
  cr_expect_lt(model_run_imbalance(&run, before), 1e-7);
  model_run_end(&run);
}

/* In a bowl of the radius 1 a wheel of 0.1 rolls: 0.1 φ = -0.9 ψ, ψ the angle of its place. */
Test(hard_holds, a_wheel_in_a_bowl_rolls_the_way_it_turns) {
  static const char *const methods[] = {"erk", "radau"};
  for (int i = 0; i < 2; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = methods[i];
    model_run run =
        model_run_begin("seam: 1\ngravity: [0, -9.81]\n"
                        "bodies: {wheel: {mass: 2, inertia: 0.01, at: [0.63639610306789, -0.63639610306789]}}\n"
                        "forces: {bowl: {type: contact, bodies: [ground, wheel], at: {ground: [0, 0], wheel: [0, 0]},\n"
                        "  radii: [1, 0.1], inside: true, hard: true, friction: 0.8}}\nsimulate: {end: 100}\n",
                        NULL, &options, INFINITY);
    model_run_reach(&run, 100);
    const double angle = atan2(run.state->q[1], run.state->q[0]) + acos(-1) / 4;
    cr_expect_float_eq(0.1 * run.state->q[2], -0.9 * angle, i == 0 ? 1e-13 : 1e-8, "%s: %g", methods[i],
                       0.1 * run.state->q[2] + 0.9 * angle);
    model_run_end(&run);
  }
}

/* Around another wheel that is fixed, more than once: the way has a period. */
Test(hard_holds, a_wheel_rolls_around_another_one_again_and_again) {
  mbs_integrator_options options = mbs_default_integrator_options();
  model_run run =
      model_run_begin("seam: 1\n"
                      "bodies: {wheel: {mass: 2, inertia: 0.01, at: [0.3, 0], rate: 30, velocity: [0, 3]}}\n"
                      "forces:\n"
                      "  pull: {type: spring_damper, bodies: [ground, wheel], at: {ground: [0, 0], wheel: [0, 0]},\n"
                      "    stiffness: 1e3, length: 0}\n"
                      "  sun: {type: contact, bodies: [ground, wheel], at: {ground: [0, 0], wheel: [0, 0]},\n"
                      "    radii: [0.2, 0.1], hard: true, friction: 0.8}\nsimulate: {end: 10}\n",
                      NULL, &options, INFINITY);
  double turned = 0;
  double last = 0;
  for (int i = 1; i <= 1000; i++) {
    model_run_reach(&run, 0.01 * i);
    const double angle = atan2(run.state->q[1], run.state->q[0]);
    turned += remainder(angle - last, 2 * acos(-1));
    last = angle;
    cr_assert_eq(model_run_read(&run, "sun.mode"), 4, "%g s", 0.01 * i);
  }
  cr_expect_gt(turned, 90);
  cr_expect_float_eq(0.1 * run.state->q[2], 0.3 * turned, 1e-12, "%g", 0.1 * run.state->q[2] - 0.3 * turned);
  model_run_end(&run);
}

/* Saved while it sticks: the way goes with the state. */
Test(hard_holds, an_image_keeps_the_way_to_the_bit) { model_run_expect_same_end(block, 3, 20); }

/* ---- Starts ---- */

static char said[600];

static void keep(void *context, const char *note) {
  (void)context;
  snprintf(said, sizeof said, "%s", note);
}

Test(hard_holds, a_start_that_overlaps_a_little_is_moved_and_said) {
  static const double overlap[] = {1e-5, 1e-9};
  for (int i = 0; i < 2; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "seam: 1\nbodies: {ball: {mass: 1, inertia: 0.01, at: [0, %.17g]}}\n"
             "forces: {floor: {type: contact, bodies: [ground, ball], line: [1, 0],\n"
             "  at: {ground: [0, 0], ball: [0, 0]}, radius: 0.1, hard: true}}\nsimulate: {end: 1}\n",
             0.1 - overlap[i]);
    said[0] = '\0';
    seam_set_note_handler(keep, NULL);
    model_run run = model_run_by(text, "erk");
    model_run_reach(&run, 0.1);
    seam_set_note_handler(NULL, NULL);
    cr_expect_float_eq(run.state->q[1], 0.1, 1e-15);
    cr_expect_str_eq(said, i == 0 ? "t = 0 s: hard contact 'floor' is violated by 1e-05 m at the start: its bodies are "
                                    "moved to remove the violation"
                                  : "");
    model_run_end(&run);
  }
}

/* ---- Ends of open curves ---- */

#define BELOW(LAW)                                                                                                     \
  "seam: 1\ncurves: {shelf: {points: [[-1, 0], [0, 0]]}}\n"                                                            \
  "bodies: {ball: {mass: 1, inertia: 0.01, at: [0.5, -0.5], velocity: [-1, 0]}}\n"                                     \
  "forces: {c: {type: contact, bodies: [ground, ball], curve: shelf, at: {ball: [0, 0]}, radius: 0.1, " LAW "}}\n"     \
  "simulate: {end: 1}\n"

/* A circle beyond the end of a shelf is as far from it as from the end; below the shelf it is 0.6 m deep in it. */
Test(hard_holds, a_circle_that_comes_below_an_open_curve_is_not_taken_for_one_that_touches) {
  model_run soft = model_run_by(BELOW("stiffness: 1e3"), "erk");
  model_run_reach(&soft, 0.6);
  cr_expect_gt(model_run_imbalance(&soft, 0.5), 1); /* the verdict is suspect */
  model_run_end(&soft);
  model_run hard = model_run_by(BELOW("hard: true"), "erk");
  model_run_advance(&hard, 0.6);
  cr_expect_eq(hard.status, SEAM_CONSTRAINT_LOST);
  cr_expect_str_eq(hard.error.message, "t = 0.5 s: the circle of hard contact 'c' is 0.6 m below the curve, because it "
                                       "has passed an end of the open curve: close the curve, or make it longer");
  model_run_end(&hard);
}

/* ---- What is pressed together ---- */

/* A bar between the ground and a wall that a motion accelerates towards it. */
Test(hard_holds, bodies_that_a_motion_presses_together_have_no_force) {
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  const mbs_model *model = NULL;
  seam_error error = {0};
  seam_model_file *file = read_model(
      "seam: 1\nbodies: {bar: {mass: 2, inertia: 0.1, at: [0, 0]}, wall: {mass: 1, inertia: 0.1, at: [0.4, 0]}}\n"
      "joints:\n"
      "  rail: {type: prismatic, bodies: [ground, wall], at: [0.4, 0], axis: [1, 0]}\n"
      "  drive: {type: motion, body: wall, of: x, law: 0.4 - t^2}\n"
      "forces:\n"
      "  left: {type: contact, bodies: [ground, bar], at: {ground: [-0.3, 0], bar: [-0.2, 0]}, line: [0, -1],\n"
      "    radius: 0.1, hard: true}\n"
      "  right: {type: contact, bodies: [bar, wall], at: {bar: [0.2, 0], wall: [0, 0]}, radii: [0.1, 0.1],\n"
      "    hard: true}\nsimulate: {end: 1}\n",
      NULL);
  cr_assert_eq(seam_model_whole(file, &model, NULL), SEAM_OK);
  cr_assert_eq(mbs_workspace_create(model, &ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &state, NULL), SEAM_OK);
  cr_expect_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_JAMMED);
  cr_expect_str_eq(error.message,
                   "t = 0 s: no forces of contact 'left' and others keep the bodies apart, because other contacts or a "
                   "motion press them together: give a clearance, or make it compliant (leave out 'hard')");
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
}

/* ---- Bounces that are not followed ---- */

/* Without loss, pressed on by so much that a flight takes 2 v m/F = 2e-15 s: its bounces have no end, and are not
 * followed. */
Test(hard_holds, bounces_without_loss_that_are_not_followed_are_counted) {
  static const char *const texts =
      "seam: 1\nbodies: {ball: {mass: 1, inertia: 0.01, at: [0, 0.1], velocity: [0, -1]}}\n"
      "forces:\n"
      "  press: {type: force, body: ball, at: [0, 0.1], y: -1e15}\n"
      "  floor: {type: contact, bodies: [ground, ball], line: [1, 0], at: {ground: [0, 0], ball: [0, 0]},\n"
      "    radius: 0.1, hard: true, restitution: 1}\nsimulate: {end: 1}\n";
  for (int i = 0; i < 2; i++) {
    const mbs_model *model = NULL;
    model_run run = model_run_begin(texts, i == 0 ? NULL : (const char *const[]){"forces.floor.restitution=0.5", NULL},
                                    NULL, INFINITY);
    cr_assert_eq(seam_model_whole(run.file, &model, NULL), SEAM_OK);
    model_run_reach(&run, 0.1);
    const double taken = run.state->z[model->forces[mbs_find_force(model, "floor")].state + MBS_HARD_MERGED_LOSS];
    cr_expect_float_eq(taken, i == 0 ? 0.5 : 0, 1e-12);
    cr_expect_float_eq(run.state->work[0], 0.5, 1e-12);
    model_run_end(&run);
  }
}
