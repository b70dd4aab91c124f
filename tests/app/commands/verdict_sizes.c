/* The verdict on signals and states of any size, in any units, and beside others. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(verdict_sizes, .init = enter_scratch, .fini = leave_scratch);

/* Ends the run with this status, and says so with this word. */
static void expect_word(outcome run, int exit_status, const char *word) {
  cr_expect_eq(run.exit_status, exit_status, "%s%s", run.out, run.err);
  char *said = json_at("out/summary.json", "/verdict/word");
  cr_expect_str_eq(said, word, "%s%s", run.out, run.err);
  free(said);
  outcome_free(&run);
}

/* ω = 5 rad/s, which rk4 damps by 22 % with steps of 0.18 s, and an exchange of held signals makes grow. */
static const char *const small_state =
    "seam: 2\nparameters: {A: 1}\nequations:\n  o: {states: {a: A, v: 0}, rates: {a: 5*v, v: -5*a}}\n"
    "simulate: {end: 20, output_step: 0.1, integrator: rk4, step: 0.18}\n";
static const char *const small_exchange =
    "seam: 2\nparameters: {A: 1}\ncosim:\n  macro_step: 0.02\n  subsystems:\n"
    "    p: {inputs: [u], states: {a: A}, rates: {a: 5*u}, outputs: {y: a}}\n"
    "    q: {inputs: [u], states: {b: 0}, rates: {b: -5*u}, outputs: {y: b}}\n"
    "  signals: [{from: p.y, to: q.u}, {from: q.y, to: p.u}]\nsimulate: {end: 10, output_step: 0.1}\n";

static double share_of_travel(void) { return json_number_at("out/summary.json", "/verdict/error/of_travel"); }

Test(verdict_sizes, the_error_of_a_signal_is_a_share_whatever_its_size) {
  static const char *const sizes[] = {"parameters.A=1", "parameters.A=1e-12", "parameters.A=1e-30", "parameters.A=1e9"};
  write_text("state.yaml", small_state);
  write_text("exchange.yaml", small_exchange);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    expect_word(SEAM("run", "state.yaml", "--set", sizes[i], "-o", "out", "--quiet"), 3, "wrong");
    cr_expect_float_eq(share_of_travel(), 0.2246, 1e-3, "%s: %g", sizes[i], share_of_travel());
    expect_word(SEAM("run", "exchange.yaml", "--cosim", "--set", sizes[i], "-o", "out", "--quiet"), 3, "wrong");
    cr_expect_float_eq(share_of_travel(), 5.2, 0.05, "%s: %g", sizes[i], share_of_travel());
  }
}

/* An oscillator of 1 mm on a damper that gets its velocity late, beside pressures without a unit: 2e7 Pa.
 */
static const char *const beside_pressures =
    "seam: 2\nparameters: {P: 2e7}\nsimulate: {end: 2, output_step: 0.02}\ncosim:\n  macro_step: 2e-3\n  subsystems:\n"
    "    a: {inputs: [u], states: {p: P}, rates: {p: -0.5*p + u}, outputs: {p: p}}\n"
    "    b: {inputs: [p], states: {q: P/2}, rates: {q: 0.1*p - 0.3*q}, outputs: {q: q}}\n"
    "    m: {inputs: [F], states: {x: 1e-3, v: 0}, rates: {x: v, v: -900*x + F}, outputs: {x: x, y: v}}\n"
    "    d: {inputs: [v], states: {f: 0}, rates: {f: 20*(-10*v - f)}, outputs: {F: f}}\n"
    "  signals:\n"
    "    - {from: b.q, to: a.u, gain: 0.01, order: 2}\n    - {from: a.p, to: b.p, order: 2}\n"
    "    - {from: m.y, to: d.v}\n    - {from: d.F, to: m.F}\n";

Test(verdict_sizes, large_signals_hide_no_errors_of_small_ones) {
  write_text("pressures.yaml", beside_pressures);
  expect_word(SEAM("run", "pressures.yaml", "--cosim", "--set", "parameters.P=1e-3", "-o", "out"), 0, "rough");
  const double share = share_of_travel();
  cr_expect_float_eq(share, 0.0273, 1e-4, "%g", share);
  expect_word(SEAM("run", "pressures.yaml", "--cosim", "-o", "out"), 0, "rough");
  cr_expect_float_eq(share_of_travel(), share, 1e-6 * share, "%g, %g", share_of_travel(), share);
  /* The integral leaves no undivided model, but sizes. */
  expect_word(SEAM("run", "pressures.yaml", "--cosim", "--set", "cosim.subsystems.m.integrals={s: x}", "-o", "out"), 0,
              "rough");
  cr_expect_float_eq(share_of_travel(), share, 0.05 * share, "%g, %g", share_of_travel(), share);
}

/* The oscillator passes 4 rad a macro step: error control alone keeps it stable. */
Test(verdict_sizes, states_beside_integrals_are_as_accurate_whatever_their_size) {
  static const char *const sizes[] = {"parameters.S=1", "parameters.S=1e-9", "parameters.S=1e9"};
  double first = 0;
  write_text("fast.yaml",
             "seam: 2\nparameters: {S: 1}\nsimulate: {end: 2, output_step: 0.02}\ncosim:\n  macro_step: 0.02\n"
             "  subsystems:\n"
             "    m: {inputs: [F], states: {x: S, v: 0}, rates: {x: v, v: -40000*x - 2*v + F}, outputs: {x: x},\n"
             "        integrals: {s: x}}\n"
             "    c: {inputs: [x], states: {f: 0}, rates: {f: 2*(x - f)}, outputs: {F: f}}\n"
             "  signals: [{from: m.x, to: c.x}, {from: c.F, to: m.F}]\n");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    expect_word(SEAM("run", "fast.yaml", "--cosim", "--set", sizes[i], "-o", "out", "--quiet"), 3, "wrong");
    first = i == 0 ? share_of_travel() : first;
    cr_expect_float_eq(share_of_travel(), first, 1e-6 * first, "%s: %g, %g", sizes[i], share_of_travel(), first);
  }
}

/* Forces are 1e-15 of positions in the last units, and exchanges of rows amplified round-off to 20 %. */
Test(verdict_sizes, a_model_based_correction_is_as_accurate_in_all_units) {
  static const char *const units[][3] = {{"parameters.L=1", "parameters.M=1", "parameters.T=1"},
                                         {"parameters.L=1e3", "parameters.M=1e6", "parameters.T=1e-3"},
                                         {"parameters.L=1e-5", "parameters.M=1e-8", "parameters.T=1e3"}};
  double first = 0;
  write_text(
      "three.yaml",
      "seam: 2\nparameters: {L: 1, M: 1, T: 1, k: 900*M/T^2}\ngravity: [0, -9.81*L/T^2]\n"
      "bodies:\n  a: {mass: M, inertia: 0.05*M*L^2, at: [0, 0]}\n  b: {mass: 2*M, inertia: 0.1*M*L^2, at: [L, 0]}\n"
      "  c: {mass: 2*M, inertia: 0.1*M*L^2, at: [2*L, 0]}\n"
      "joints:\n  A: {type: revolute, bodies: [ground, a], at: [-0.3*L, 0.1*L]}\n"
      "  C: {type: revolute, bodies: [ground, c], at: [3*L, 0]}\nforces:\n"
      "  s: {type: spring_damper, bodies: [a, b], at: [[0.2*L, 0], [L, 0]], stiffness: k, damping: 3*M/T}\n"
      "  t: {type: spring_damper, bodies: [b, c], at: [[1.2*L, 0.2*L], [2*L, 0]], stiffness: k, damping: M/T}\n"
      "  u: {type: spring_damper, bodies: [a, c], at: [[0, 0.1*L], [2.1*L, 0]], stiffness: k/9, damping: M/T}\n"
      "simulate: {end: T, output_step: 0.01*T}\ncosim:\n  subsystems: {a: [a], b: [b], c: [c]}\n"
      "  macro_step: 2e-3*T\n  scheme: fd-k1-exchange\n  corrections: {model_based: {}}\n");
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    expect_word(SEAM("run", "three.yaml", "--cosim", "--set", units[i][0], "--set", units[i][1], "--set", units[i][2],
                     "-o", "out", "--quiet"),
                0, "accurate");
    first = i == 0 ? share_of_travel() : first;
    cr_expect_float_eq(share_of_travel(), first, 1e-3 * first, "%zu: %g, %g", i, share_of_travel(), first);
  }
}

/* Identification by cvode's steps shook the inputs by 1e-5 of their distance from the origin: here 1 cm. */
Test(verdict_sizes, identification_does_not_depend_on_the_origin) {
  double first = 0;
  write_text("far.yaml",
             "seam: 2\nparameters: {x: 0}\nbodies:\n  a: {mass: 1, inertia: 1, at: [x, 0], velocity: [0.1, 0]}\n"
             "  b: {mass: 2, inertia: 1, at: [x + 1, 0]}\nforces:\n"
             "  g: {type: spring_damper, bodies: [ground, a], at: [[x - 1, 0], [x, 0]], axis: [1, 0], stiffness: 100}\n"
             "  s: {type: spring_damper, bodies: [a, b], at: [[x, 0], [x + 1, 0]], axis: [1, 0], stiffness: 900}\n"
             "simulate: {end: 1, output_step: 0.01}\n"
             "cosim: {subsystems: {a: [a], b: [b]}, macro_step: 2e-3, scheme: fd-k1-exchange, integrator: cvode,\n"
             "        corrections: {model_based: {}}}\n");
  for (int i = 0; i < 2; i++) {
    expect_word(SEAM("run", "far.yaml", "--cosim", "--set", i == 0 ? "parameters.x=0" : "parameters.x=1000", "-o",
                     "out", "--quiet"),
                0, "rough");
    first = i == 0 ? share_of_travel() : first;
    cr_expect_float_eq(share_of_travel(), first, 0.05 * first, "%g, %g", share_of_travel(), first);
  }
  outcome run = SEAM("run", "far.yaml", "--cosim", "-o", "out");
  cr_expect(has(run.err, "note: the model-based correction corrects nothing at the end, because the derivatives of "
                         "subsystem 'a' are not identified"),
            "%s", run.err);
  outcome_free(&run);
  run = SEAM("run", "far.yaml", "--cosim", "-o", "out", "--set", "cosim.integrator=erk");
  cr_expect(has(run.out, "accurate") && !has(run.err, "note:"), "%s%s", run.out, run.err);
  outcome_free(&run);
}

/* Beside a size that is given, a small motion is none. */
Test(verdict_sizes, a_size_that_is_given_is_that_of_a_state) {
  write_text("nominal.yaml",
             "seam: 2\nequations:\n  o: {states: {a: 1e-12, v: 0}, rates: {a: 5*v, v: -5*a}, nominal: {a: 1, v: 1}}\n"
             "simulate: {end: 20, output_step: 0.1, integrator: rk4, step: 0.18}\n");
  expect_word(SEAM("run", "nominal.yaml", "-o", "out", "--quiet"), 0, "accurate");
}

/* Equal decays whose rates are rounded in two ways: their difference is noise around zero. */
Test(verdict_sizes, rounding_around_a_constant_is_no_error) {
  static const char *const sizes[] = {"parameters.A=1", "parameters.A=1e-12", "parameters.A=1e9"};
  write_text("noise.yaml", "seam: 2\nparameters: {A: 1}\nequations:\n"
                           "  o: {states: {a: A, b: A}, rates: {a: -a, b: -(b*3)*0.1/0.3}}\n"
                           "measures: {zero: o.a - o.b, constant: 7 + (o.a - o.b)/(o.a + o.b)}\n"
                           "simulate: {end: 10, output_step: 0.1}\n");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    expect_word(SEAM("run", "noise.yaml", "--set", sizes[i], "-o", "out", "--quiet"), 0, "accurate");
    cr_expect_lt(share_of_travel(), 1e-4, "%s: %g", sizes[i], share_of_travel());
  }
}
