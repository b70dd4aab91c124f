/* Equilibria with integrals among the variables: closed forms of pose and load, several integrals, samples, what keeps
 * its value, whether they are stable, and what is refused. */
#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/equations.h>

#include "tests/support/model_run.h"

static const double g = 9.81;

static double variable(const model_run *run, const char *name) {
  const mbs_model *model = seam_model_mechanism(run->file);
  const size_t number = mbs_find_variable(model, name);
  cr_assert_neq(number, SEAM_NONE, "no variable '%s'", name);
  return run->state->z[mbs_variable_of(model, number).state];
}

static double growth_of(const model_run *run) {
  seam_equilibrium_stability found;
  seam_error error = {0};
  cr_assert_eq(seam_equilibrium_stability_find(seam_model_mechanism(run->file), run->state, &found, &error), SEAM_OK,
               "%s", error.message);
  cr_assert(found.is_found);
  return found.growth;
}

static void expect_no_rest(const char *text, const char *const *words) {
  model_run run = model_run_begin(text, NULL, NULL, INFINITY);
  const double start = run.state->q[1];
  cr_expect_eq(mbs_find_equilibrium(run.ws, run.state, NULL, NULL, &run.error), SEAM_NOT_CONVERGED);
  for (; *words != NULL; words++)
    cr_expect(strstr(run.error.message, *words) != NULL, "'%s' is not in: %s", *words, run.error.message);
  cr_expect_eq(run.state->q[1], start, "it stays where it was");
  model_run_end(&run);
}

/* A mass of 2 kg in a vertical guide, whose force is law(block, control). */
#define MASS(law, equations)                                                                                           \
  "seam: 1\nname: m\ngravity: [0, -9.81]\nbodies:\n  block: {mass: 2, inertia: 1, at: [0, 0]}\njoints:\n"              \
  "  guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [0, 1]}\nforces:\n"                           \
  "  drive: {type: force, body: block, at: [0, 0], y: \"" law "\"}\nequations:\n" equations "simulate: {end: 1}\n"

#define PI_OF_MASS(kp, kd, ki)                                                                                         \
  MASS(kp "*(0.3 - block.y) - " kd "*block.vy + " ki "*control.sum",                                                   \
       "  control:\n    states: {sum: 0}\n    rates: {sum: 0.3 - block.y}\n    outputs: {y: sum}\n")

/* ---- Closed forms ---- */

Test(integrals, of_a_mass_carries_its_weight) {
  mbs_equilibrium report;
  model_run run = model_run_at_rest(PI_OF_MASS("400", "40", "500"), NULL, &report);
  cr_expect_float_eq(run.state->q[1], 0.3, 1e-14);
  cr_expect_float_eq(variable(&run, "control.sum"), 2 * g / 500, 1e-14);
  cr_expect_eq(report.n_kept, 0);
  cr_expect_eq(report.n_neutral, 0);
  cr_expect_eq(growth_of(&run), 0);
  model_run_end(&run);
}

/* Two masses on a line that nothing holds, with a force between them that follows a state. Once the state rests, so do
 * the masses: they stay where they are, whatever the units of mass, length and state. */
Test(integrals, do_not_move_what_is_free_to_move) {
  static const double units[][3] = {{1, 1, 1}, {1e-6, 1, 1}, {1e6, 1, 1}, {1, 1e-6, 1}, {1, 1, 1e6}, {1, 1, 1e-6}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    char text[1000];
    mbs_equilibrium report;
    const double L = units[i][0];
    snprintf(
        text, sizeof text,
        "seam: 2\nparameters: {L: %g, M: %g, Z: %g}\n"
        "bodies: {a: {mass: M, inertia: M*L^2, at: [0, 0]}, b: {mass: 2*M, inertia: M*L^2, at: [L, 0]}}\n"
        "joints: {A: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]},\n"
        "  B: {type: prismatic, bodies: [ground, b], at: [L, 0], axis: [1, 0]}}\n"
        "forces: {s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [L, 0]], force: \"-50*M*s + M*L*ode.u\"}}\n"
        "equations: {ode: {states: {z: 0.1*Z}, rates: {z: -3*z - 5*Z*B.slide/L}, outputs: {u: 10*z/Z}}}\n"
        "simulate: {end: 1}\n",
        L, units[i][1], units[i][2]);
    model_run run = model_run_at_rest(text, NULL, &report);
    cr_expect_eq(report.n_neutral, 1);
    cr_expect_float_eq(run.state->q[0] / L, 0, 1e-12, "%zu: %g", i, run.state->q[0] / L);
    cr_expect_float_eq(run.state->q[3] / L, 1, 1e-12, "%zu: %g", i, run.state->q[3] / L);
    cr_expect_float_eq(variable(&run, "ode.z") / units[i][2], 0, 1e-12, "%zu", i);
    model_run_end(&run);
  }
}

/* m s³ + kd s² + kp s + ki: stable where kd kp > m ki, by Routh. At ki = 2 kd kp / m its root is that of the cubic. */
Test(integrals, of_too_high_a_gain_make_an_equilibrium_grow) {
  model_run calm = model_run_at_rest(PI_OF_MASS("400", "40", "7990"), NULL, NULL);
  cr_expect_eq(growth_of(&calm), 0);
  model_run_end(&calm);
  model_run run = model_run_at_rest(PI_OF_MASS("400", "40", "16000"), NULL, NULL);
  cr_expect_float_eq(run.state->q[1], 0.3, 1e-14);
  const double s = growth_of(&run);
  /* Of s = x ± iy: x solves 8 x³ + 8 b x² + 2 (b² + c) x + b c - d = 0 with s³ + b s² + c s + d = 0. */
  const double b = 20;
  const double c = 200;
  const double d = 8000;
  cr_expect_gt(s, 1);
  cr_expect_float_eq(8 * s * s * s + 8 * b * s * s + 2 * (b * b + c) * s + b * c - d, 0, 1e-8);
  model_run_end(&run);
}

#define PENDULUM(reference)                                                                                            \
  "seam: 1\nname: p\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [0, -1]}\nbodies:\n  bar: {rod: [A, B], mass: 2}\n"   \
  "joints:\n  A: {type: revolute, bodies: [ground, bar], at: A}\nforces:\n"                                            \
  "  drive: {type: torque, body: bar, torque: \"30*(" reference " - A.angle) - 5*A.omega + 20*control.sum\"}\n"        \
  "equations:\n  control:\n    states: {sum: 0}\n    rates: {sum: " reference " - A.angle}\n    outputs: {y: sum}\n"   \
  "simulate: {end: 1}\n"

/* Far from the start: over the top, and turns away. */
Test(integrals, hold_a_pendulum_at_any_angle) {
  static const struct {
    const char *text;
    double angle;
  } cases[] = {{PENDULUM("0.5"), 0.5}, {PENDULUM("2"), 2}, {PENDULUM("-3.1"), -3.1}, {PENDULUM("20"), 20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model_run run = model_run_at_rest(cases[i].text, NULL, NULL);
    cr_expect_float_eq(run.state->q[2], cases[i].angle, 1e-12);
    cr_expect_float_eq(variable(&run, "control.sum"), 2 * g * 0.5 * cos(cases[i].angle) / 20, 1e-12);
    cr_expect_eq(growth_of(&run), 0);
    model_run_end(&run);
  }
}

/* The cart is held at 0.4 m by an integral; the pendulum on it, released near the top, hangs. */
static const char cart[] =
    "seam: 1\nname: c\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [0.4, 0.9]}\nbodies:\n"
    "  cart: {mass: 3, inertia: 1, at: A}\n  rod: {rod: [A, B], mass: 1}\njoints:\n"
    "  rail: {type: prismatic, bodies: [ground, cart], at: A, axis: [1, 0]}\n"
    "  A: {type: revolute, bodies: [cart, rod], at: A}\nforces:\n"
    "  drive: {type: force, body: cart, at: A, x: \"50*(0.4 - cart.x) - 30*cart.vx + 5*control.sum + 2\"}\n"
    "equations:\n  control:\n    states: {sum: 0}\n    rates: {sum: 0.4 - cart.x}\n    outputs: {y: sum}\n"
    "simulate: {end: 1}\n";

Test(integrals, leave_what_hangs_to_hang) {
  model_run run = model_run_at_rest(cart, NULL, NULL);
  cr_expect_float_eq(run.state->q[0], 0.4, 1e-12);
  cr_expect_float_eq(fabs(sin(run.state->q[5] + acos(0))), 0, 1e-9);
  cr_expect_lt(run.state->q[4], 0);
  cr_expect_float_eq(variable(&run, "control.sum"), -2.0 / 5, 1e-11);
  cr_expect_eq(growth_of(&run), 0);
  model_run_end(&run);
}

/* ---- Several, and samples ---- */

Test(integrals, of_integrals_vanish_but_for_the_last) {
  model_run run = model_run_at_rest(MASS("900*(0.3 - block.y) - 90*block.vy + 300*control.first + 50*control.second",
                                         "  control:\n    states: {first: 1, second: 2}\n"
                                         "    rates: {first: 0.3 - block.y, second: first}\n    outputs: {y: first}\n"),
                                    NULL, NULL);
  cr_expect_float_eq(run.state->q[1], 0.3, 1e-13);
  cr_expect_float_eq(variable(&run, "control.first"), 0, 1e-13);
  cr_expect_float_eq(variable(&run, "control.second"), 2 * g / 50, 1e-12);
  cr_expect_eq(growth_of(&run), 0);
  model_run_end(&run);
}

/* Two of one error keep their difference, 1 - 3 = -2: a + b = 2 m g / 100 with 100 a + 50 b = m g. */
Test(integrals, of_one_error_keep_their_difference) {
  mbs_equilibrium report;
  model_run run = model_run_at_rest(MASS("900*(0.3 - block.y) - 90*block.vy + 100*control.a + 50*control.b",
                                         "  control:\n    states: {a: 1, b: 3}\n"
                                         "    rates: {a: 0.3 - block.y, b: 0.3 - block.y}\n    outputs: {y: a}\n"),
                                    NULL, &report);
  const double a = (2 * g - 100) / 150;
  cr_expect_float_eq(variable(&run, "control.a"), a, 1e-12);
  cr_expect_float_eq(variable(&run, "control.b"), a + 2, 1e-12);
  cr_expect_eq(report.n_kept, 1);
  cr_expect_eq(growth_of(&run), 0);
  model_run_end(&run);
}

/* x' = ẏ is y - y0 + x0: a spring whose zero is where the integral is. */
Test(integrals, of_a_velocity_are_the_way) {
  mbs_equilibrium report;
  model_run run = model_run_at_rest(
      MASS("-100*way.x - 5*block.vy", "  way:\n    states: {x: 0.7}\n    rates: {x: block.vy}\n    outputs: {y: x}\n"),
      NULL, &report);
  cr_expect_float_eq(variable(&run, "way.x"), -2 * g / 100, 1e-12);
  cr_expect_float_eq(run.state->q[1], -2 * g / 100 - 0.7, 1e-12);
  cr_expect_eq(report.n_kept, 1);
  model_run_end(&run);
}

/* From where no stiffness shows the way; the loss is an integral of the square of the rate: zero on a way at no speed.
 */
Test(integrals, of_powers_do_not_hold_a_pendulum) {
  mbs_equilibrium report;
  model_run run = model_run_at_rest(
      "seam: 1\nname: e\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0]}\nbodies:\n  rod: {rod: [A, B], mass: 2}\n"
      "joints:\n  A: {type: revolute, bodies: [ground, rod], at: A}\nforces:\n"
      "  brake: {type: torque, body: rod, torque: -0.5*rod.omega}\nequations:\n"
      "  count:\n    states: {loss: 3, turns: 0}\n    rates: {loss: 0.5*rod.omega^2, turns: rod.omega/(2*pi)}\n"
      "    outputs: {y: loss}\nsimulate: {end: 1}\n",
      NULL, &report);
  cr_expect_float_eq(run.state->q[2], -acos(0), 1e-9);
  cr_expect_eq(variable(&run, "count.loss"), 3);
  cr_expect_float_eq(variable(&run, "count.turns"), -0.25, 1e-9);
  cr_expect_eq(report.n_kept, 2);
  cr_expect_eq(growth_of(&run), 0);
  model_run_end(&run);
}

#define SAMPLED(ki)                                                                                                    \
  MASS("400*(0.3 - block.y) - 40*block.vy + " ki "*control.sum",                                                       \
       "  control:\n    sample: 0.01\n    states: {sum: 0}\n    updates: {sum: sum + 0.01*(0.3 - block.y)}\n"          \
       "    outputs: {y: sum}\n")

/* As the continuous one: its limit of stability lies near ki = 8000. */
Test(integrals, in_discrete_time_rest_where_continuous_ones_do) {
  model_run run = model_run_at_rest(SAMPLED("500"), NULL, NULL);
  cr_expect_float_eq(run.state->q[1], 0.3, 1e-13);
  cr_expect_float_eq(variable(&run, "control.sum"), 2 * g / 500, 1e-13);
  cr_expect_eq(growth_of(&run), 0);
  model_run_end(&run);
}

/* Growth is that of the run: the logarithm of what a deviation becomes, over a second. */
Test(integrals, in_discrete_time_grow_as_runs_do) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  model_run run = model_run_begin(SAMPLED("16000"), NULL, &options, INFINITY);
  model_run rest = model_run_at_rest(SAMPLED("16000"), NULL, NULL);
  const double s = growth_of(&rest);
  double energy[2];
  const double y = rest.state->q[1];
  for (int k = 0; k < 2; k++) {
    double sum = 0; /* over many periods of the oscillation */
    for (int i = 0; i < 400; i++) {
      model_run_advance(&run, 1 + k + i * 0.0025);
      cr_assert_eq(run.status, SEAM_OK, "%s", run.error.message);
      sum += pow((run.state->q[1] - y) * exp(-s * run.state->t), 2);
    }
    energy[k] = sum;
  }
  cr_expect_gt(s, 1);
  cr_expect_float_eq(energy[1] / energy[0], 1, 0.2);
  model_run_end(&rest);
  model_run_end(&run);
}

/* Between samples a force ki s drives 2 kg against 10 N s/m; at a sample s grows by -T y. With a = d/m, E = e^(-a T):
 *
 *   v(T) = E v + (1 - E) ki s/d,   y(T) = y + (1 - E) v/a + (T - (1 - E)/a) ki s/d,   s(T) = s - T y(T). */
Test(integrals, of_long_periods_grow_by_the_closed_form) {
  model_run rest = model_run_at_rest(MASS("-10*block.vy + 30*control.sum",
                                          "  control:\n    sample: 0.25\n    states: {sum: 0}\n"
                                          "    updates: {sum: sum - 0.25*block.y}\n    outputs: {y: sum}\n"),
                                     NULL, NULL);
  seam_equilibrium_stability found;
  cr_assert_eq(seam_equilibrium_stability_find(seam_model_mechanism(rest.file), rest.state, &found, NULL), SEAM_OK);
  cr_expect_gt(found.growth, 0.1);
  const double T = 0.25, a = 10.0 / 2, E = exp(-a * T), of_v = (1 - E) / a, of_s = (T - of_v) * 30 / 10;
  const double complex mu = cexp((found.growth + 2 * acos(-1) * found.frequency * I) * T);
  /* det(A - mu) of the rows of y, v and s */
  const double v_s = (1 - E) * 30 / 10;
  const double complex det =
      (1 - mu) * ((E - mu) * (1 - T * of_s - mu) + v_s * T * of_v) - T * (of_v * v_s - of_s * (E - mu));
  cr_expect_lt(cabs(det), 1e-12, "%g", cabs(det));
  model_run_end(&rest);
}

/* ---- What does not rest ---- */

Test(integrals, that_reach_nothing_drift) {
  static const char *const words[] = {"'control.sum'", "drifts by 0.3 per second", NULL};
  expect_no_rest(
      MASS("20", "  control:\n    states: {sum: 0}\n    rates: {sum: 0.3 - block.x}\n    outputs: {y: sum}\n"), words);
}

Test(integrals, of_a_constant_drift) {
  static const char *const words[] = {"'clock.age'", "drifts by 1.5 per second", NULL};
  expect_no_rest(MASS("-100*block.y + clock.age",
                      "  clock:\n    states: {age: 0}\n    rates: {age: 1.5}\n    outputs: {y: age}\n"),
                 words);
}

Test(integrals, of_squares_that_do_not_vanish_drift) {
  static const char *const words[] = {"'control.sum'", "drifts", NULL};
  expect_no_rest(MASS("-100*block.y - 10*block.vy + control.sum",
                      "  control:\n    states: {sum: 0}\n    rates: {sum: block.y^2 + 0.1}\n    outputs: {y: sum}\n"),
                 words);
}
