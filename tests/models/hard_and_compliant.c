/* Hard contacts against compliant ones of growing stiffness k: for single impacts without friction, and for bodies that
 * rest or slide, what differs falls with k as docs/theory.md says: k^(-1/(n+1)) of an impact, which takes a time,
 * k^(-1/n) of a contact that lasts, which gives way. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/model_run.h"

static const double pi = 3.14159265358979323846;

/* The state at t under the contact's keys; a text with one %s for them. */
static model_run run_to(const char *text, const char *keys, double t) {
  char whole[2000];
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "erk";
  options.order = 8;
  options.rtol = options.atol = 1e-12;
  snprintf(whole, sizeof whole, text, keys);
  model_run run = model_run_begin(whole, NULL, &options, INFINITY);
  model_run_advance(&run, t);
  cr_assert_eq(run.status, SEAM_OK, "%s: %s", keys, run.error.message);
  return run;
}

static double coordinate_at(const char *text, const char *keys, int coordinate, double t) {
  model_run run = run_to(text, keys, t);
  const double value = run.state->q[coordinate];
  model_run_end(&run);
  return value;
}

/* Of a coordinate at t: compliant less hard, at k and at 100 k. `soft` has a %g for the stiffness. */
static void differences(const char *text, const char *hard, const char *soft, double k, int coordinate, double t,
                        double difference[2]) {
  const double reference = coordinate_at(text, hard, coordinate, t);
  for (int i = 0; i < 2; i++) {
    char keys[200];
    snprintf(keys, sizeof keys, soft, k * pow(100, i));
    difference[i] = coordinate_at(text, keys, coordinate, t) - reference;
  }
}

static double order_of(const double difference[2]) { return -log(difference[1] / difference[0]) / log(100); }

/* ---- Impacts ---- */

#define SHOT                                                                                                           \
  "seam: 1\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1], velocity: [0.3, -2]}}\n"                                \
  "forces: {floor: {type: contact, bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]}, line: [1, 0],\n"        \
  "  radius: 0.1, %s}}\nsimulate: {end: 1}\n"

/* Between δ = 0 and 0 with e = 1: τ = 2 δ°/v √π Γ(1 + p)/Γ(1/2 + p), p = 1/(n + 1), δ° = ((n + 1) m v²/(2 k))^p. */
static double time_of_contact(double n, double k, double m, double v) {
  const double p = 1 / (n + 1);
  return 2 * pow((n + 1) * m * v * v / (2 * k), p) / v * sqrt(pi) * tgamma(1 + p) / tgamma(0.5 + p);
}

/* It parts at the speed e v of the hard one, the time of the contact later: behind it by e v τ. */
Test(hard_and_compliant, an_impact_without_restitution_lost_is_late_by_the_time_of_its_contact) {
  for (int i = 0; i < 3; i++) {
    const double n = 1 + 0.5 * i;
    char soft[100];
    double difference[2];
    snprintf(soft, sizeof soft, "exponent: %g, stiffness: %%g", n);
    differences(SHOT, "hard: true, restitution: 1", soft, 1e6, 1, 1, difference);
    for (int k = 0; k < 2; k++) {
      const double late = -2 * time_of_contact(n, 1e6 * pow(100, k), 2, 2);
      cr_expect_float_eq(difference[k], late, 1e-7 * fabs(late), "n = %g: %.12g, not %.12g", n, difference[k], late);
    }
  }
}

/* With any e, all is a function of t √(k v^(n-1)/m)^(2/(n+1)): differences fall by the power itself. */
Test(hard_and_compliant, impacts_agree_as_the_stiffness_grows) {
  static const double e[] = {0.2, 0.7};
  for (int i = 0; i < 6; i++) {
    const double n = 1 + 0.5 * (i % 3);
    char hard[100];
    char soft[200];
    double difference[2];
    snprintf(hard, sizeof hard, "hard: true, restitution: %g", e[i / 3]);
    snprintf(soft, sizeof soft, "restitution: %g, impact_speed: 2, exponent: %g, stiffness: %%g", e[i / 3], n);
    differences(SHOT, hard, soft, 1e6, 1, 1, difference);
    cr_expect_lt(difference[0], -1e-5);
    cr_expect_float_eq(order_of(difference), 1 / (n + 1), 1e-6, "e = %g, n = %g: %.9g", e[i / 3], n,
                       order_of(difference));
  }
}

/* A bar on a pivot that falls on a peg, with reactions of the pivot and weight: the power in the limit. */
#define GATE                                                                                                           \
  "seam: 1\ngravity: [0, -9.81]\nbodies: {bar: {mass: 2, inertia: 0.3, at: [0.6, 0]}}\n"                               \
  "joints: {pivot: {type: revolute, bodies: [ground, bar], at: [0, 0]}}\n"                                             \
  "forces: {peg: {type: contact, bodies: [ground, bar], at: {ground: [0.1, -1], bar: [0.3, 0]}, radii: [0.15, 0.1],\n" \
  "  %s}}\nsimulate: {end: 1}\n"

/* Of the impact, at the angle φ where the gap closes: ω² = 2 m g 0.6 (-sin φ)/(J + m 0.6²), times dgap/dφ. */
static double speed_at_peg(void) {
  double low = -1.5;
  double high = 0;
  for (int i = 0; i < 100; i++) {
    const double phi = (low + high) / 2;
    *(hypot(0.9 * cos(phi) - 0.1, 0.9 * sin(phi) + 1) > 0.25 ? &high : &low) = phi;
  }
  const double x = 0.9 * cos(low) - 0.1;
  const double y = 0.9 * sin(low) + 1;
  return sqrt(2 * 2 * 9.81 * 0.6 * -sin(low) / (0.3 + 2 * 0.6 * 0.6)) * 0.9 * (y * cos(low) - x * sin(low)) / 0.25;
}

Test(hard_and_compliant, a_jointed_bar_that_falls_on_a_peg_agrees) {
  char soft[200];
  double difference[2];
  model_run run = run_to(GATE, "hard: true, restitution: 0.6", 0.4);
  const double before = run.state->v[2];
  model_run_advance(&run, 0.5);
  cr_assert_gt(run.state->v[2], 0, "it has come back");
  cr_assert_lt(before, 0);
  model_run_end(&run);
  for (int i = 0; i < 2; i++) {
    const double n = 1 + 0.5 * i;
    snprintf(soft, sizeof soft, "restitution: 0.6, impact_speed: %.9g, exponent: %g, stiffness: %%g", speed_at_peg(),
             n);
    differences(GATE, "hard: true, restitution: 0.6", soft, 1e8, 2, 0.6, difference);
    cr_expect_float_eq(order_of(difference), 1 / (n + 1), 0.01, "n = %g: %.9g (%g, %g)", n, order_of(difference),
                       difference[0], difference[1]);
  }
}

/* ---- Rest ---- */

#define REST                                                                                                           \
  "seam: 1\ngravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 0.1]}}\n"                              \
  "forces: {floor: {type: contact, bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]}, line: [1, 0],\n"        \
  "  radius: 0.1, %s}}\nsimulate: {end: 1}\nstart: static\n"

/* It gives way by (m g/k)^(1/n). */
Test(hard_and_compliant, a_ball_at_rest_sinks_in_by_its_weight) {
  for (int i = 0; i < 2; i++) {
    const double n = 1 + 0.5 * i;
    char soft[100];
    double difference[2];
    snprintf(soft, sizeof soft, "exponent: %g, stiffness: %%g", n);
    differences(REST, "hard: true", soft, 1e5, 1, 0.3, difference);
    for (int k = 0; k < 2; k++)
      cr_expect_float_eq(difference[k], -pow(2 * 9.81 / (1e5 * pow(100, k)), 1 / n), 1e-12);
  }
}

/* ---- Sliding ---- */

/* A ladder that slides down a wall and along the floor, frictionless. */
#define LADDER                                                                                                         \
  "seam: 1\ngravity: [0, -9.81]\nparameters: {a: 1.1}\n"                                                               \
  "bodies: {bar: {mass: 3, inertia: 1, at: [cos(a), sin(a)], angle: pi - a}}\n"                                        \
  "forces:\n"                                                                                                          \
  "  floor: {type: contact, bodies: [ground, bar], at: {ground: [0, 0], bar: [-1, 0]}, line: [1, 0], %1$s}\n"          \
  "  wall: {type: contact, bodies: [ground, bar], at: {ground: [0, 0], bar: [1, 0]}, line: [0, -1], %1$s}\n"           \
  "simulate: {end: 1}\n"

/* Both give way by what they press, and swing by as much since they begin without load. */
Test(hard_and_compliant, a_ladder_that_slides_on_wall_and_floor_agrees) {
  for (int i = 0; i < 2; i++) {
    const double n = 1 + 0.5 * i;
    char soft[100];
    double largest[2] = {0, 0};
    snprintf(soft, sizeof soft, "exponent: %g, damping: %%2$g, stiffness: %%1$g", n);
    for (int k = 0; k < 2; k++) {
      char keys[200];
      const double stiffness = 1e6 * pow(100, k);
      snprintf(keys, sizeof keys, soft, stiffness, 0.5 * pow(stiffness / 1e6, 0.5 / n));
      model_run hard = run_to(LADDER, "hard: true", 0);
      model_run compliant = run_to(LADDER, keys, 0);
      for (int step = 1; step <= 40; step++) {
        model_run_advance(&hard, 0.01 * step);
        model_run_advance(&compliant, 0.01 * step);
        for (int c = 0; c < 3; c++)
          largest[k] = fmax(largest[k], fabs(hard.state->q[c] - compliant.state->q[c]));
      }
      cr_expect_eq(hard.state->z[0] >= 3 && compliant.status == SEAM_OK && hard.status == SEAM_OK, 1);
      model_run_end(&hard);
      model_run_end(&compliant);
    }
    cr_expect_float_eq(order_of(largest), 1 / n, 0.05, "n = %g: %.6g (%g, %g)", n, order_of(largest), largest[0],
                       largest[1]);
  }
}
