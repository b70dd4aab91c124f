/* Dozens of hard contacts at once: discs that fall on each other between two walls. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/model_run.h"

enum { N = 10, ROOM = 60000 };

/* Places next to those of a grid with five columns: they fall by chance. */
static double shift_of(int i) { return 0.008 * sin(7.0 * i + 1); }

static void put_contacts(char *text, size_t *at, int i, const char *law) {
  *at += (size_t)snprintf(text + *at, ROOM - *at,
                          "  floor%d: {type: contact, bodies: [ground, d%d], line: [1, 0], at: {ground: [0, 0], "
                          "d%d: [0, 0]}, radius: 0.05, %s}\n"
                          "  left%d: {type: contact, bodies: [ground, d%d], line: [0, -1], at: {ground: [-0.32, 0], "
                          "d%d: [0, 0]}, radius: 0.05, %s}\n"
                          "  right%d: {type: contact, bodies: [ground, d%d], line: [0, 1], at: {ground: [0.32, 0], "
                          "d%d: [0, 0]}, radius: 0.05, %s}\n",
                          i, i, i, law, i, i, i, law, i, i, i, law);
  for (int j = 0; j < i; j++)
    *at += (size_t)snprintf(text + *at, ROOM - *at,
                            "  pair%d_%d: {type: contact, bodies: [d%d, d%d], at: {d%d: [0, 0], d%d: [0, 0]}, "
                            "radii: [0.05, 0.05], %s}\n",
                            j, i, j, i, j, i, law);
}

static char *pile_text(const char *law) {
  char *text = malloc(ROOM);
  cr_assert_not_null(text);
  size_t at = (size_t)snprintf(text, ROOM, "seam: 1\ngravity: [0, -9.81]\nbodies:\n");
  for (int i = 0; i < N; i++)
    at += (size_t)snprintf(text + at, ROOM - at, "  d%d: {mass: 1, inertia: 1.25e-3, at: [%.6f, %.6f]}\n", i,
                           (i % 5 - 2) * 0.12 + shift_of(i), 0.1 + 0.13 * floor(0.2 * i) + shift_of(i + 40));
  at += (size_t)snprintf(text + at, ROOM - at, "forces:\n");
  for (int i = 0; i < N; i++)
    put_contacts(text, &at, i, law);
  snprintf(text + at, ROOM - at, "simulate: {end: 1}\n");
  return text;
}

static double deepest(const model_run *run) {
  double least = INFINITY;
  for (int i = 0; i < N; i++) {
    const double *q = run->state->q + 3 * i;
    least = fmin(least, fmin(q[1] - 0.05, 0.27 - fabs(q[0])));
    for (int j = 0; j < i; j++)
      least = fmin(least, hypot(q[0] - run->state->q[3 * j], q[1] - run->state->q[3 * j + 1]) - 0.1);
  }
  return least;
}

/* Seventy-five contacts with friction: energy is kept, no disc enters another, and the run does not end by itself. */
Test(piles, discs_that_fall_on_each_other_keep_apart_and_lose_their_energy_to_contacts) {
  static const char *const laws[] = {"hard: true, friction: 0.3", "hard: true, friction: 0.3, restitution: 0.5",
                                     "hard: true, restitution: 0.7"};
  for (int i = 0; i < 3; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    char *text = pile_text(laws[i]);
    model_run run = model_run_begin(text, NULL, &options, INFINITY);
    const double before = mbs_energy_of(run.ws, run.state).total;
    for (int k = 1; k <= 20; k++) {
      model_run_reach(&run, 0.05 * k);
      cr_expect_gt(deepest(&run), -1e-10, "%s at %g s: %g", laws[i], 0.05 * k, deepest(&run));
    }
    cr_expect_lt(model_run_imbalance(&run, before), 1e-7);
    cr_expect_gt(run.state->work[0], 2);
    model_run_end(&run);
    free(text);
  }
}
