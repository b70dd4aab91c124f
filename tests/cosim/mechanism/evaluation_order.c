/* Outputs that follow inputs at once: chains of subsystems without states, loops, and laws that jump at macro points.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/cosim_fixture.h"

enum { MAX_TEXT = 2000 };

static double signal_at(const cosim_fixture *p, size_t number) { return cosim_signal_now(p->run, number); }

/* ---- Chains ---- */

/* A mass under a spring and damper that are n subsystems one after the other, in this order or backwards in the file.
 */
static double fall(int n, bool backwards, const char *macro_step) {
  char text[MAX_TEXT];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                                 "joints: {rail: {type: prismatic, bodies: [ground, m], at: [0, 0], axis: [0, 1]}}\n"
                                 "forces: {pull: {type: force, body: m, x: 0, y: 0}}\nsimulate: {end: 3}\n"
                                 "cosim:\n  macro_step: 1\n  subsystems:\n    mass: [m]\n");
  for (int i = 0; i < n; i++) {
    const int k = backwards ? n - 1 - i : i;
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "    s%d: {inputs: [s, v], outputs: {s: s, v: v, "
                             "f: -400*s - 2*v}}\n",
                             k);
  }
  used += (size_t)snprintf(text + used, sizeof text - used,
                           "  signals:\n    - {from: mass.m.y, to: s0.s}\n    - {from: mass.m.vy, to: s0.v}\n"
                           "    - {from: s%d.f, to: mass.pull.fy}\n",
                           n - 1);
  for (int k = 1; k < n; k++)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "    - {from: s%d.s, to: s%d.s}\n    - {from: s%d.v, to: s%d.v}\n", k - 1, k, k - 1, k);
  cr_assert_lt(used, sizeof text);
  cosim_fixture p = cosim_fixture_read(text, (const char *const[]){macro_step, NULL});
  start(&p);
  advance(&p, (size_t)lround(3 / p.definition.options.macro_step));
  const double y = cosim_state(p.run)->q[1];
  cosim_fixture_free(&p);
  return y;
}

/* y'' = -9.81 - 400 s - 2 v, with s and v at the beginning of the macro step. */
static double fall_by_recursion(double H) {
  double y = 0;
  double v = 0;
  for (int i = 0; i < lround(3 / H); i++) {
    const double a = -9.81 - 400 * y - 2 * v;
    y += H * v + H * H / 2 * a;
    v += H * a;
  }
  return y;
}

Test(evaluation_order, subsystems_without_states_add_no_macro_steps) {
  const double y = fall_by_recursion(1e-2);
  cr_expect_float_eq(y, -0.0470155, 1e-7);
  for (int n = 1; n <= 4; n++)
    for (int backwards = 0; backwards < 2; backwards++)
      cr_expect_float_eq(fall(n, backwards, "cosim.macro_step=1e-2"), y, 1e-9, "%d, %d: %.12g", n, backwards,
                         fall(n, backwards, "cosim.macro_step=1e-2"));
}

Test(evaluation_order, listed_equations_without_states_add_no_macro_steps) {
  cosim_fixture p =
      cosim_fixture_read("seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                         "joints: {rail: {type: prismatic, bodies: [ground, m], at: [0, 0], axis: [0, 1]}}\n"
                         "equations: {sd: {inputs: {s: m.y, v: m.vy}, outputs: {f: -400*s - 2*v}}}\n"
                         "forces: {pull: {type: force, body: m, x: 0, y: sd.f}}\nsimulate: {end: 3}\n"
                         "cosim:\n  macro_step: 1e-2\n  subsystems:\n    mass: [m]\n"
                         "    sd: {equations: [sd]}\n",
                         NULL);
  start(&p);
  advance(&p, 300);
  cr_expect_float_eq(cosim_state(p.run)->q[1], fall_by_recursion(1e-2), 1e-9, "%.12g", cosim_state(p.run)->q[1]);
  cosim_fixture_free(&p);
}

/* The spring reads every fifth value of the mass, at once; its own is held in between. */
Test(evaluation_order, where_a_mass_takes_shorter_steps_its_spring_reads_the_last_one) {
  cosim_fixture p = cosim_fixture_read("seam: 1\nsimulate: {end: 1}\ncosim:\n  macro_step: 1e-2\n  subsystems:\n"
                                       "    spring: {inputs: [x], outputs: {F: -4*x}}\n"
                                       "    mass: {inputs: [F], states: {x: 1, v: 0}, rates: {x: v, v: F},\n"
                                       "           outputs: {x: x}, macro_step: 2e-3}\n"
                                       "  signals:\n    - {from: mass.x, to: spring.x}\n"
                                       "    - {from: spring.F, to: mass.F}\n",
                                       NULL);
  double x = 1;
  double v = 0;
  start(&p);
  for (int i = 0; i < 100; i++) {
    const double F = -4 * x;
    x += 1e-2 * v + 0.5e-4 * F;
    v += 1e-2 * F;
    advance(&p, 1);
    cr_assert_float_eq(signal_at(&p, 1), x, 1e-9, "%d: %.12g, %.12g", i, signal_at(&p, 1), x);
    cr_assert_float_eq(signal_at(&p, 0), -4 * x, 1e-8);
  }
  cosim_fixture_free(&p);
}

/* ---- Loops ---- */

/* x1' = a1 x1 + b1 u1, y1 = c1 x1 + d1 u1, u1 = y2, and so on, of PyFMI's issue 231; with d2 = -g the loop has the
 * gain -g. */
static cosim_fixture read_loop(const char *macro_step, const char *gain) {
  return cosim_fixture_read(
      "seam: 1\nparameters: {d2: -0.9}\nsimulate: {end: 1}\ncosim:\n  macro_step: 1e-4\n  subsystems:\n"
      "    s1: {inputs: [u], states: {x: 1}, rates: {x: -0.9*x + 0.5*u}, outputs: {y: 3*x + u, x: x}}\n"
      "    s2: {inputs: [u], states: {x: 1}, rates: {x: -x + 10*u}, outputs: {y: -31*x + d2*u, x: x}}\n"
      "  signals:\n    - {from: s1.y, to: s2.u, order: 0}\n    - {from: s2.y, to: s1.u, order: 0}\n",
      (const char *const[]){macro_step, gain, NULL});
}

Test(evaluation_order, loops_are_solved_at_the_start) {
  cosim_fixture p = read_loop("cosim.macro_step=1e-4", NULL);
  start(&p);
  cr_expect_float_eq(signal_at(&p, 0), -28 / 1.9, 1e-10, "%.12g", signal_at(&p, 0));
  cr_expect_float_eq(signal_at(&p, 2), -33.7 / 1.9, 1e-10, "%.12g", signal_at(&p, 2));
  cosim_fixture_free(&p);
}

/* Of x1(1), against the matrix exponential. */
static double error_of_loop(const char *macro_step) {
  cosim_fixture p = read_loop(macro_step, NULL);
  start(&p);
  advance(&p, (size_t)lround(1 / p.definition.options.macro_step));
  const double error = signal_at(&p, 1) - 0.0859764;
  cr_expect_float_eq(signal_at(&p, 2), -31 * signal_at(&p, 3) - 0.9 * signal_at(&p, 0), 1e-10);
  cr_expect_float_eq(signal_at(&p, 0), 3 * signal_at(&p, 1) + signal_at(&p, 2), 1e-10);
  cosim_fixture_free(&p);
  return fabs(error);
}

/* Iterated once a macro step the loop is unstable with 0.5 ms. */
Test(evaluation_order, loops_are_solved_at_macro_points) {
  const double coarse = error_of_loop("cosim.macro_step=1e-3");
  const double fine = error_of_loop("cosim.macro_step=5e-4");
  cr_expect_lt(fine, 1e-3, "%g", fine);
  cr_expect_float_eq(log2(coarse / fine), 1, 0.2, "%g, %g", coarse, fine);
}

/* A pass amplifies by two. */
Test(evaluation_order, a_loop_need_not_contract) {
  cosim_fixture p = read_loop("cosim.macro_step=1e-4", "parameters.d2=-2");
  start(&p);
  cr_expect_float_eq(signal_at(&p, 0), -28 / 3.0, 1e-10, "%.12g", signal_at(&p, 0));
  advance(&p, 100);
  cr_expect_float_eq(signal_at(&p, 2), -31 * signal_at(&p, 3) - 2 * signal_at(&p, 0), 1e-10);
  cosim_fixture_free(&p);
}

Test(evaluation_order, a_loop_without_a_single_solution_is_named) {
  cosim_fixture p = read_loop("cosim.macro_step=1e-4", "parameters.d2=1");
  seam_error error = {0};
  cr_assert_eq(create_simulation(p.model, &p.definition, &p.run, &error), SEAM_OK, "%s", error.message);
  cr_expect_eq(cosim_start(p.run, p.state, &error), SEAM_NOT_CONVERGED);
  cr_expect_str_eq(error.message, "t = 0 s: outputs of subsystems 's1', 's2' form an algebraic loop that has no single "
                                  "solution: let one of the outputs depend on states alone, or sample it");
  cosim_fixture_free(&p);
}

/* z = cos(z + t). */
Test(evaluation_order, loops_need_not_be_linear) {
  cosim_fixture p = cosim_fixture_read("seam: 1\nsimulate: {end: 1}\ncosim:\n  macro_step: 0.1\n  subsystems:\n"
                                       "    a: {inputs: [u], outputs: {y: cos(u)}}\n"
                                       "    b: {inputs: [u], outputs: {y: u + t}}\n"
                                       "  signals:\n    - {from: a.y, to: b.u}\n    - {from: b.y, to: a.u}\n",
                                       NULL);
  start(&p);
  cr_expect_float_eq(signal_at(&p, 0), 0.7390851332151607, 1e-12);
  for (int i = 1; i <= 10; i++) {
    advance(&p, 1);
    cr_expect_float_eq(signal_at(&p, 0), cos(signal_at(&p, 0) + 0.1 * i), 1e-12);
  }
  cosim_fixture_free(&p);
}

/* ---- Laws that jump at macro points ---- */

Test(evaluation_order, a_law_that_jumps_at_a_macro_point_is_read_behind_it) {
  static const char *const steps[] = {"cosim.macro_step=0.2", "cosim.macro_step=0.02", "cosim.macro_step=0.01",
                                      "cosim.macro_step=0.03", "cosim.macro_step=1.5"};
  static const char *const laws[] = {"if(t - 60*floor(t/60) < 30, 1, 0)", "if(t - 60*floor(t/60) <= 30, 1, 0)"};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
      char text[MAX_TEXT];
      snprintf(text, sizeof text,
               "seam: 1\nsimulate: {end: 120}\ncosim:\n  macro_step: 1\n  subsystems:\n"
               "    r: {inputs: [], outputs: {r: \"%s\"}}\n"
               "    z: {inputs: [r], states: {z: 0}, rates: {z: r}, outputs: {z: z}}\n"
               "  signals: [{from: r.r, to: z.r}]\n",
               laws[k]);
      cosim_fixture p = cosim_fixture_read(text, (const char *const[]){steps[i], NULL});
      start(&p);
      advance(&p, (size_t)lround(120 / p.definition.options.macro_step));
      cr_expect_float_eq(signal_at(&p, 1), 60, 1e-6, "%s, %s: %.12g", steps[i], laws[k], signal_at(&p, 1));
      cosim_fixture_free(&p);
    }
}
