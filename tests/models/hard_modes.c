/* Modes about a state whose hard contacts, stops and ropes stay as they are: frequencies in closed form. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/model_run.h"

static const double pi = 3.14159265358979323846;

static const mbs_model *model_of(const model_run *run) {
  const mbs_model *model = NULL;
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  return model;
}

/* Modes about the equilibrium: n_neutral of frequency zero, then these. */
static void expect_frequencies(const char *text, size_t n_neutral, size_t n, const double *frequencies) {
  model_run run = model_run_at_rest(text, NULL, NULL);
  seam_modes *modes = NULL;
  seam_error error;
  cr_assert_eq(seam_modes_create(model_of(&run), run.state, &modes, &error), SEAM_OK, "%s", error.message);
  size_t found = 0;
  size_t neutral = 0;
  for (size_t k = 0; k < modes->n; k++) {
    neutral += modes->mode[k].neutral;
    if (modes->mode[k].s[1] == 0 || modes->mode[k].neutral)
      continue;
    cr_assert_lt(found, n);
    cr_expect_float_eq(modes->mode[k].frequency, frequencies[found], 1e-8 * frequencies[found], "%zu: %.15g", found,
                       modes->mode[k].frequency);
    found++;
  }
  cr_expect_eq(found, n, "%zu", found);
  cr_expect_eq(neutral, n_neutral, "%zu", neutral);
  seam_modes_destroy(modes);
  model_run_end(&run);
}

#define BEAD(more)                                                                                                     \
  "seam: 1\ngravity: [0, -9.81]\nbodies: {bead: {mass: 2, inertia: 0.1, at: [0, -1.5]}}\n"                             \
  "forces: {r: {type: rope, bodies: [ground, bead], at: [[0, 0], [0, -1.5]], hard: true}}\nsimulate: {end: 1}\n" more

/* √(g/l) of a pendulum on a taut rope; that the bead turns is free. */
Test(hard_modes, a_bead_on_a_rope_swings_as_a_pendulum) {
  expect_frequencies(BEAD(""), 2, 1, (double[]){sqrt(9.81 / 1.5) / (2 * pi)});
}

/* The same as a system of first order, with a variable that follows it. */
Test(hard_modes, a_variable_changes_no_frequency) {
  expect_frequencies(BEAD("equations: {lag: {inputs: {x: bead.x}, states: {y: 0}, rates: {y: (x - y)/0.3}}}\n"), 2, 1,
                     (double[]){sqrt(9.81 / 1.5) / (2 * pi)});
}

/* √(g/(1.5 (R - r))) of a full disc that rolls in a hollow cylinder. */
Test(hard_modes, a_disc_rolls_in_a_hollow) {
  expect_frequencies(
      "seam: 1\ngravity: [0, -9.81]\n"
      "curves: {bowl: {x: cos(s), y: sin(s), from: 0, to: 2*pi, closed: true}}\n"
      "bodies: {disc: {mass: 2, inertia: 0.01, at: [0, -0.9]}}\n"
      "forces: {c: {type: contact, bodies: [ground, disc], at: {disc: [0, 0]}, curve: bowl, side: inside,\n"
      "  radius: 0.1, hard: true, friction: 0.4}}\nsimulate: {end: 1}\n",
      0, 1, (double[]){sqrt(9.81 / (1.5 * 0.9)) / (2 * pi)});
}

/* Two contacts leave a plank on a spring but its way along the floor, and one that is open leaves its freedom. */
Test(hard_modes, closed_contacts_hold_and_open_ones_do_not) {
  expect_frequencies(
      "seam: 1\ngravity: [0, -9.81]\nbodies: {b: {mass: 2, inertia: 0.3, at: [0, 0.1]}}\n"
      "forces:\n"
      "  left: {type: contact, bodies: [ground, b], at: {ground: [0, 0], b: [-0.4, -0.1]}, line: [1, 0],\n"
      "    hard: true}\n"
      "  right: {type: contact, bodies: [ground, b], at: {ground: [0, 0], b: [0.4, -0.1]}, line: [1, 0],\n"
      "    hard: true}\n"
      "  wall: {type: stop, of: slide, bodies: [ground, b], at: {ground: [0, 0], b: [0, 0]}, axis: [1, 0],\n"
      "    lower: -1, upper: 1, hard: true}\n"
      "  k: {type: spring_damper, bodies: [ground, b], at: {ground: [0, 0], b: [0, 0]}, axis: [1, 0],\n"
      "    stiffness: 50, length: 0}\nsimulate: {end: 1}\n",
      0, 1, (double[]){sqrt(50 / 2.0) / (2 * pi)});
}

/* With a joint: a rod rests on its stop, a load hangs from its end and swings. */
Test(hard_modes, a_stop_locks_a_rod_from_which_a_load_swings) {
  expect_frequencies("seam: 1\ngravity: [0, -9.81]\n"
                     "bodies: {rod: {rod: [[0, 0], [2, 0]], mass: 3}, load: {mass: 2, inertia: 0.1, at: [2, -0.5]}}\n"
                     "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
                     "forces:\n"
                     "  s: {type: stop, of: angle, bodies: [ground, rod], lower: -0.3, hard: true}\n"
                     "  r: {type: rope, bodies: [rod, load], at: {rod: [1, 0], load: [0, 0]}, length: 1, hard: true}\n"
                     "simulate: {end: 1}\n",
                     2, 1, (double[]){sqrt(9.81) / (2 * pi)});
}

Test(hard_modes, what_slides_is_refused_by_name) {
  model_run run = model_run_by("seam: 1\ngravity: [0, -9.81]\nbodies: {b: {mass: 2, inertia: 0.3, at: [0, 0.1],\n"
                               "  velocity: [1, 0]}}\n"
                               "forces: {c: {type: contact, bodies: [ground, b], at: {ground: [0, 0], b: [0, 0]},\n"
                               "  line: [1, 0], radius: 0.1, hard: true, friction: 0.3}}\nsimulate: {end: 1}\n",
                               "erk");
  seam_modes *modes = NULL;
  seam_error error;
  model_run_reach(&run, 0.01);
  cr_expect_eq(seam_modes_create(model_of(&run), run.state, &modes, &error), SEAM_BAD_INPUT);
  cr_expect(
      strstr(
          error.message,
          "hard contact 'c' slides, or is about to, so that the mechanism cannot be linearised: linearise at rest") !=
          NULL,
      "%s", error.message);
  cr_expect_null(modes);
  model_run_end(&run);
}
