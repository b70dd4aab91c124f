/* Where no absolute tolerance is given errors are compared with scales of the problem: small states and motions, large
 * energies and light bodies need no other settings than those of a metre and a kilogramme. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/cut_run.h"
#include "tests/support/model_run.h"

static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
enum { N_METHODS = sizeof methods / sizeof *methods };

static model_run begin(const char *text, const char *const *overrides, const char *method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  return model_run_begin(text, overrides, &options, NAN);
}

/* A planet on an arm that turns at constant speed: no work is done, and much energy moves. The mass is no matter. */
Test(default_tolerances, energies_are_compared_with_the_largest) {
  static const char *const text =
      "seam: 1\nparameters: {m: 1}\nbodies:\n"
      "  arm: {mass: m, inertia: 0.1*m, at: [0.25, 0], rate: 100, velocity: [0, 25]}\n"
      "  planet: {mass: m, inertia: 0.1*m, at: [0.5, 0], velocity: [0, 50], rate: 200}\n"
      "  sun: {mass: m, inertia: 0.1*m, at: [0, 0]}\njoints:\n"
      "  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
      "  S: {type: revolute, bodies: [ground, sun], at: [0, 0]}\n"
      "  P: {type: revolute, bodies: [arm, planet], at: [0.5, 0]}\n"
      "  M: {type: motion, of: angle, bodies: [ground, arm], law: 100*t}\n"
      "  H: {type: motion, of: angle, bodies: [ground, sun], law: 0}\n"
      "  G: {type: gear, bodies: [sun, planet], at: [[0, 0], [0.5, 0]], ratio: -1}\nsimulate: {end: 1}\n";
  static const char *const masses[] = {"parameters.m=1", "parameters.m=1e6"};
  static const size_t most[N_METHODS] = {400, 10000, 5000, 4000};
  for (int k = 0; k < N_METHODS; k++) {
    size_t steps[2];
    for (int i = 0; i < 2; i++) {
      model_run run = begin(text, (const char *const[]){masses[i], NULL}, methods[k]);
      model_run_reach(&run, 1);
      steps[i] = mbs_integrator_statistics(run.integrator).steps;
      cr_expect_float_eq(model_run_read(&run, "planet.phi"), 200, 1e-6, "%s", methods[k]);
      cr_expect_lt(steps[i], most[k], "%s, %s: %zu steps", methods[k], masses[i], steps[i]);
      model_run_end(&run);
    }
    cr_expect(10 * steps[1] < 12 * steps[0], "%s: %zu and %zu steps", methods[k], steps[0], steps[1]);
  }
}

/* Joints hold lengths and angles, and motors angles: a slider-crank whose crank turns by 5 rad/s, and a pair of gears;
 * s = 0.3 cos φ + √(1 - 0.09 sin² φ), φ_a = 4/(2 + 9/2) (1 - cos 3 t)/9. */
static const char *const crank =
    "seam: 2\nparameters: {L: 1, M: 1}\npoints: {A: [0, 0], B: [0.3*L, 0], C: [1.3*L, 0]}\n"
    "bodies: {c: {rod: [A, B], mass: M}, d: {rod: [B, C], mass: 2*M}, s: {mass: M, inertia: M*L^2, at: C}}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, c], at: A}\n  B: {type: revolute, bodies: [c, d], at: B}\n"
    "  C: {type: revolute, bodies: [d, s], at: C}\n"
    "  g: {type: prismatic, bodies: [ground, s], at: C, axis: [1, 0]}\n"
    "  m: {type: motor, bodies: [ground, c], angle: 5*t}\nsimulate: {end: 1}\n";
static const char *const gears =
    "seam: 2\nparameters: {L: 1, M: 1}\nbodies:\n  c: {mass: M, inertia: 2*M*L^2, at: [0, 0]}\n"
    "  s: {mass: M, inertia: M*L^2/2, at: [L, 0]}\njoints:\n"
    "  A: {type: revolute, bodies: [ground, c], at: [0, 0]}\n  B: {type: revolute, bodies: [ground, s], at: [L, 0]}\n"
    "  g: {type: gear, bodies: [c, s], at: [[0, 0], [L, 0]], ratio: -3}\n"
    "forces: {t: {type: torque, body: c, torque: 4*M*L^2*cos(3*t)}}\nsimulate: {end: 1}\n";

/* radau and ida take the same steps. */
static void expect_same_in_all_units(const char *text, const char *quantity, double wanted, double power) {
  static const double lengths[] = {1, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9};
  static const double masses[] = {1, 1e-9, 1e9};
  for (int k = 0; k < N_METHODS; k++) {
    size_t usual = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
      for (size_t j = 0; j < sizeof masses / sizeof *masses; j++) {
        char length[40], mass[40];
        snprintf(length, sizeof length, "parameters.L=%g", lengths[i]);
        snprintf(mass, sizeof mass, "parameters.M=%g", masses[j]);
        model_run run = begin(text, (const char *const[]){length, mass, NULL}, methods[k]);
        model_run_advance(&run, 1);
        cr_assert_eq(run.status, SEAM_OK, "%s, %s, %s: %s", methods[k], length, mass, run.error.message);
        const size_t steps = mbs_integrator_statistics(run.integrator).steps;
        usual = usual > 0 ? usual : steps;
        cr_expect_float_eq(model_run_read(&run, quantity) / pow(lengths[i], power), wanted, 2e-5, "%s, %s, %s",
                           methods[k], length, mass);
        const bool is_implicit = strcmp(methods[k], "radau") == 0 || strcmp(methods[k], "ida") == 0;
        cr_expect(!is_implicit || (2 * steps <= 3 * usual && 2 * usual <= 3 * steps),
                  "%s, %s, %s: %zu steps, in usual units %zu", methods[k], length, mass, steps, usual);
        model_run_end(&run);
      }
  }
}

Test(default_tolerances, cranks_with_motors_run_in_all_units) {
  expect_same_in_all_units(crank, "s.x", 0.3 * cos(5) + sqrt(1 - 0.09 * sin(5) * sin(5)), 1);
}

Test(default_tolerances, gears_run_in_all_units) {
  expect_same_in_all_units(gears, "c.phi", 4 / 6.5 * (1 - cos(3)) / 9, 0);
}

/* A capacitor of 1 fF, at rest at the start as its source is; u = (sin 10 t - 0.01 cos 10 t + 0.01 exp(-1000
 * t))/1.0001.
 */
Test(default_tolerances, states_that_rest_at_the_start_have_a_size) {
  static const char *const text =
      "seam: 1\nparameters: {C: 1e-15, R: 1e12}\nbodies: {p: {mass: 1, inertia: 1, at: [0.1, 0]}}\n"
      "equations:\n  rc:\n    inputs: {V: sin(10*t)}\n    states: {q: 0}\n    rates: {q: (V - q/C)/R}\n"
      "    outputs: {u: q/C}\nsimulate: {end: 10}\n";
  for (int k = 0; k < N_METHODS; k++) {
    model_run run = begin(text, NULL, methods[k]);
    for (int i = 1; i <= 20; i++) {
      const double t = 0.05 * i;
      const double u = (sin(10 * t) - 0.01 * cos(10 * t) + 0.01 * exp(-1000 * t)) / 1.0001;
      model_run_reach(&run, t);
      cr_expect_float_eq(model_run_read(&run, "rc.u"), u, 1e-4, "%s, %g s", methods[k], t);
    }
    model_run_end(&run);
  }
}

/* A capacitor of 1 pF behind 1 GOhm, charges of 1e-12 C; u = a (cos 10 t + 0.01 sin 10 t - exp(-1000 t)), a = 1/1.0001.
 */
Test(default_tolerances, states_are_compared_with_their_size) {
  static const char *const text =
      "seam: 1\nparameters: {C: 1e-12, R: 1e9}\nbodies: {p: {mass: 1, inertia: 1, at: [0.1, 0]}}\n"
      "forces: {s: {type: spring_damper, bodies: [ground, p], at: [[0, 0], [0.1, 0]], axis: [1, 0], stiffness: 100, "
      "length: 0}}\nequations:\n  rc:\n    inputs: {V: 10*p.x}\n    states: {q: 0}\n    rates: {q: (V - q/C)/R}\n"
      "    outputs: {u: q/C}\n    nominal: {q: 1e-12}\nsimulate: {end: 10}\n";
  for (int k = 0; k < N_METHODS; k++) {
    model_run run = begin(text, NULL, methods[k]);
    for (int i = 1; i <= 20; i++) {
      const double t = 0.05 * i;
      const double u = (cos(10 * t) + 0.01 * sin(10 * t) - exp(-1000 * t)) / 1.0001;
      model_run_reach(&run, t);
      cr_expect_float_eq(model_run_read(&run, "rc.u"), u, 1e-4, "%s, %g s", methods[k], t);
    }
    model_run_end(&run);
  }
}

/* x = A cos(w t) over 100 periods, whatever A is. */
Test(default_tolerances, motions_are_compared_with_lengths) {
  static const char *const text =
      "seam: 1\nparameters: {A: 1}\nbodies: {p: {mass: 1e-9, inertia: 1e-15, at: [A, 0]}}\nforces: {s: {type: "
      "spring_damper, bodies: [ground, p], at: [[0, 0], [A, 0]], axis: [1, 0], stiffness: 1, length: 0}}\nsimulate: "
      "{end: 0.02}\n";
  static const char *const sizes[] = {"parameters.A=1e-12", "parameters.A=1", "parameters.A=1e6"};
  static const double A[] = {1e-12, 1, 1e6};
  for (int k = 0; k < N_METHODS; k++)
    for (int i = 0; i < 3; i++) {
      model_run run = begin(text, (const char *const[]){sizes[i], NULL}, methods[k]);
      model_run_reach(&run, 0.02);
      cr_expect_float_eq(model_run_read(&run, "p.x") / A[i], cos(0.02 / sqrt(1e-9)), 1e-4, "%s, %g m", methods[k],
                         A[i]);
      model_run_end(&run);
    }
}

/* The period of a mathematical pendulum from 90 degrees is 4 K(sin 45°) √(l/g). */
Test(default_tolerances, point_masses_swing_as_fast_as_others) {
  static const char *const text = "seam: 1\ngravity: [0, -9.81]\nparameters: {J: 1}\nbodies: {p: {mass: 1, inertia: J, "
                                  "at: [1, 0]}}\njoints: {A: {type: revolute, bodies: [ground, p], at: [0, 0]}}\n"
                                  "simulate: {end: 10}\n";
  static const char *const inertias[] = {"parameters.J=1e-9", "parameters.J=1e-11", "parameters.J=1e-12"};
  const double period = 4 * 1.8540746773013719 / sqrt(9.81);
  for (int k = 0; k < N_METHODS; k++)
    for (int i = 0; i < 3; i++) {
      model_run run = begin(text, (const char *const[]){inertias[i], NULL}, methods[k]);
      model_run_reach(&run, 4 * period);
      cr_expect_float_eq(model_run_read(&run, "p.x"), 1, 1e-5, "%s", methods[k]);
      cr_expect_float_eq(model_run_read(&run, "p.y"), 0, k == 0 ? 1e-6 : 1e-3, "%s, %s: %g", methods[k], inertias[i],
                         model_run_read(&run, "p.y"));
      cr_expect_lt(mbs_integrator_statistics(run.integrator).steps, k == 0 ? 800 : 6000, "%s", methods[k]);
      model_run_end(&run);
    }
}

/* A mass on a spring of 100 rad/s is moved by 1e-3 m, or by 1e-9: places are rounded to 1e-16 m, which makes speeds of
 * 1e-14 m/s, a millionth of those of the small motion. */
Test(default_tolerances, small_motions_on_springs_are_not_asked_below_rounding) {
  static const char *const text =
      "seam: 1\nparameters: {a: 1e-3}\nbodies:\n  c: {mass: 1, inertia: 1, at: [0, 0]}\n"
      "  m: {mass: 1, inertia: 1, at: [1, 0]}\njoints:\n"
      "  g: {type: prismatic, bodies: [ground, m], at: [1, 0], axis: [1, 0]}\n"
      "  h: {type: prismatic, bodies: [ground, c], at: [0, 0], axis: [1, 0]}\n"
      "  d: {type: motion, body: c, of: x, law: a*sin(10*t)}\nforces:\n"
      "  s: {type: spring_damper, bodies: [c, m], at: [[0, 0], [1, 0]], stiffness: 1e4, damping: 1}\n"
      "simulate: {end: 10}\n";
  static const size_t most[N_METHODS] = {2000, 10000, 15000, 15000};
  for (int k = 0; k < N_METHODS; k++) {
    double end[2];
    for (int i = 0; i < 2; i++) {
      const double a = i == 0 ? 1e-3 : 1e-9;
      model_run run =
          begin(text, (const char *const[]){i == 0 ? "parameters.a=1e-3" : "parameters.a=1e-9", NULL}, methods[k]);
      model_run_reach(&run, 10);
      const size_t steps = mbs_integrator_statistics(run.integrator).steps;
      end[i] = model_run_read(&run, "m.vx") / a;
      cr_expect_lt(steps, most[k], "%s, %g m: %zu steps", methods[k], a, steps);
      model_run_end(&run);
    }
    cr_expect_float_eq(end[1], end[0], 0.01 * 10, "%s: %g for %g", methods[k], end[1], end[0]);
  }
}

/* ---- Cut ---- */

/* Two masses on springs that bend, the second of them cut, in units of length u, mass m and time T. */
static const char *const pair =
    "seam: 2\nparameters: {u: 1, m: 1, T: 1}\nbodies:\n  a: {mass: m, inertia: m*u^2, at: [0, 0]}\n"
    "  b: {mass: m, inertia: m*u^2, at: [1.1*u, 0.4*u]}\nforces:\n"
    "  g: {type: spring_damper, bodies: [ground, a], at: [[-u, 0], [0, 0]], stiffness: 100*m/T^2, length: 0.9*u}\n"
    "  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1.1*u, 0.4*u]], stiffness: 50*m/T^2, length: u}\n"
    "cosim:\n  subsystems: {left: {bodies: [a]}, right: {bodies: [b]}}\n  scheme: %s\n  macro_step: 0.01*T\n"
    "simulate: {end: 1}\n";

Test(default_tolerances, cut_runs_do_not_depend_on_units) {
  static const struct {
    const char *override;
    double length, time;
  } units[] = {{"parameters.u=1", 1, 1},
               {"parameters.u=1e-12", 1e-12, 1},
               {"parameters.u=1e6", 1e6, 1},
               {"parameters.m=1e-15", 1, 1},
               {"parameters.T=1e-9", 1, 1e-9}};
  static const char *const schemes[] = {"ff-k1", "ff-k1-implicit", "fd-k1", "ff-colloc-s2", "fd-k0-exchange"};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    char text[2000];
    double plain = 0;
    size_t steps = 0;
    snprintf(text, sizeof text, pair, schemes[k]);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
      cut_run run = cut_run_begin(text, (const char *const[]){units[i].override, NULL});
      cut_run_advance(&run, 0.01 * units[i].time, 100);
      const double x = cosim_state(run.simulation)->q[3] / units[i].length;
      const size_t taken = cosim_statistics_of(run.simulation).integrators.steps;
      plain = i == 0 ? x : plain;
      steps = i == 0 ? taken : steps;
      cr_expect_float_eq(x, plain, 1e-9, "%s, %s: %.12g is not %.12g", schemes[k], units[i].override, x, plain);
      cr_expect(20 * taken <= 21 * steps && 21 * taken >= 20 * steps, "%s, %s: %zu steps, not %zu", schemes[k],
                units[i].override, taken, steps);
      cut_run_end(&run);
    }
  }
}

/* A filter of 1 ms with charges of 1e-15 C, as a subsystem, behind a ramp of 1 V/s: u = t - 1e-3 (1 - exp(-1000 t)). */
Test(default_tolerances, states_of_subsystems_have_the_size_that_the_whole_finds) {
  static const char *const text =
      "seam: 2\nparameters: {C: 1e-15, R: 1e12}\nbodies: {p: {mass: 1, inertia: 1, at: [0, 0]}}\ncosim:\n"
      "  subsystems:\n    mech: {bodies: [p]}\n    source: {inputs: [], states: {V: 0}, rates: {V: 1 + 0*t}, outputs: "
      "{V: V}}\n"
      "    rc: {inputs: [V], states: {q: 0}, rates: {q: (V - q/C)/R}, outputs: {u: q/C}}\n"
      "    meter: {inputs: [u], outputs: {u: u}}\n"
      "  signals: [{from: source.V, to: rc.V, order: 1}, {from: rc.u, to: meter.u}]\n  macro_step: 0.01\nsimulate: "
      "{end: 1}\n";
  cut_run run = cut_run_begin(text, NULL);
  cut_run_advance(&run, 0.01, 100);
  cr_expect_float_eq(cut_run_signal(&run, "meter.u"), 1 - 1e-3, 1e-6);
  cut_run_end(&run);
}
