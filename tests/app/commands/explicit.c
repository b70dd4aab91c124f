/* Explicit co-simulation and macro steps under control as a user runs them: signals.csv, what is said and refused,
 * checkpoints. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(explicit, .init = enter_scratch, .fini = leave_scratch);

#define ECCO "cosim.step_control={method: ecco, tolerance: 2.8e-6, shortest: 1e-4, longest: 1e-2}"
#define PREDICTOR "cosim.step_control={method: predictor, tolerance: 0.67, shortest: 1e-4, longest: 1e-2}"
#define BY_ERROR "cosim.step_control={method: error, tolerance: 1e-5}"

static void expect_done(outcome run) {
  cr_expect_eq(run.exit_status, 0, "%s%s", run.err, run.out);
  outcome_free(&run);
}

/* ---- Tables ---- */

Test(explicit, signals_stand_at_macro_points) {
  expect_done(SEAM("run", "spring_mass", "--cosim", "--end", "1", "--macro-step", "0.03", "-o", "out"));
  csv signals = csv_read("out/signals.csv");
  cr_expect_str_eq(signals.header, "time,spring.force,spring.x,spring.slope,spring.impulse,mass.v,mass.a,mass.way");
  cr_assert_eq(signals.n_rows, 35);
  cr_expect_eq(csv_at(&signals, 34, "time"), 1);
  for (size_t i = 0; i < signals.n_rows; i++) {
    const double t = csv_at(&signals, i, "time");
    cr_expect_float_eq(t, i < 34 ? 0.03 * (double)i : 1, 1e-15);
    cr_expect_float_eq(csv_at(&signals, i, "spring.x"), cos(t), 5e-4);
    cr_expect_float_eq(csv_at(&signals, i, "mass.v"), -sin(t), 5e-4);
    cr_expect_eq(csv_at(&signals, i, "spring.force"), -csv_at(&signals, i, "spring.x"));
  }
  cr_expect_not(file_exists("out/trajectory.csv"), "there are no bodies");
  csv_free(&signals);
}

Test(explicit, bonds_stand_in_the_table_of_couplings_and_in_the_summary) {
  expect_done(SEAM("run", "quarter_car_signals_1", "--cosim", "-o", "out"));
  csv couplings = csv_read("out/couplings.csv");
  cr_expect_str_eq(couplings.header, "time,suspension.residual_power,suspension.residual_energy,suspension.power");
  cr_assert_eq(couplings.n_rows, 4001);
  const double energy = csv_at(&couplings, 4000, "suspension.residual_energy");
  cr_expect_float_eq(energy, 6.349012157, 1e-8, "%.10g", energy);
  double sum = 0;
  for (size_t i = 0; i < couplings.n_rows; i++)
    sum += 1e-3 * csv_at(&couplings, i, "suspension.residual_power");
  cr_expect_float_eq(sum, energy, 1e-9);
  cr_expect_eq(json_number_at("out/summary.json", "/cosim/bonds/suspension/residual_energy"), energy);
  csv_free(&couplings);
}

/* ---- What an exchange shows of itself ---- */

/* Whether a note with this text is printed. */
static bool notes(outcome run, const char *text) {
  const bool does = strstr(run.err, text) != NULL;
  expect_done(run);
  return does;
}

#define SIGNALS(ORDER)                                                                                                 \
  "cosim.signals=[{from: mechanism.crank.omega, to: motor.omega, order: " ORDER                                        \
  "}, {from: motor.torque, to: mechanism.shaft.torque, order: " ORDER "}]"

/* Positions of the first run are off by 4.6 % (compare). */
Test(explicit, signals_that_lag_are_named_with_the_order_that_cures_them) {
  cr_expect(
      notes(SEAM("run", "motor_slider_crank", "--cosim", "--set", SIGNALS("0"), "-o", "out"),
            "note: signal 'mechanism.shaft.torque', extrapolated with order 0, misses the next macro point by 4.2 %"));
  cr_expect_float_eq(json_number_at("out/summary.json", "/cosim/worst_signal/miss"), 0.042, 5e-4);
  cr_expect_eq(json_number_at("out/summary.json", "/cosim/worst_signal/better_order"), 1);
  const double cured = json_number_at("out/summary.json", "/cosim/worst_signal/better_miss");
  cr_expect_not(notes(SEAM("run", "motor_slider_crank", "--cosim", "--set", SIGNALS("1"), "-o", "out"), "note:"));
  cr_expect_float_eq(json_number_at("out/summary.json", "/cosim/worst_signal/miss"), cured, 0.1 * cured);
  cr_expect(notes(SEAM("run", "motor_slider_crank", "--cosim", "--set", SIGNALS("0"), "--macro-step", "1e-3", "--end",
                       "0.5", "--checkpoint", "0.2", "-o", "out"),
                  "with order 0"));
}

/* Equations beside bodies take what is held of another subsystem, at order 0 the value of the macro point before.
 * Twenty macro steps are enough to say so. Sampled ones read it at the samples, where macro steps end: the hold is not
 * needed. */
Test(explicit, a_short_run_names_a_signal_to_a_controller) {
  static const char *const sets[] = {"cosim.subsystems.r.signal_order=0", "cosim.subsystems.r.signal_order=2",
                                     "cosim.subsystems.r.signal_order=0"};
  static const char *const equations[] = {"", "", "sample: 0.05, "};
  for (int k = 0; k < 3; k++) {
    char text[1200];
    snprintf(text, sizeof text,
             "seam: 1\nname: held\n"
             "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "joints:\n"
             "  ra: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
             "  rb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"
             "forces:\n"
             "  g: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 20,\n"
             "      length: 0.5}\n"
             "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [0, 1], stiffness: 1}\n"
             "  f: {type: force, body: b, x: c.u}\n"
             "equations:\n"
             "  c: {%sinputs: {p: a.x, q: b.x, v: b.vx}, outputs: {u: \"20*(1 + p - q) - 5*v\"}}\n"
             "simulate: {end: 1, output_step: 0.05}\n"
             "cosim: {macro_step: 0.05, scheme: ff-k1, subsystems: {l: [a], r: {bodies: [b], equations: [c]}}}\n",
             equations[k]);
    write_text("held.yaml", text);
    cr_expect_eq(notes(SEAM("run", "held.yaml", "--cosim", "--set", sets[k], "--accept-wrong", "-o", "out"),
                       "note: signal 'a.x', extrapolated with order 0, misses the next macro point by 38 % "),
                 k == 0, "%d", k);
  }
}

Test(explicit, energy_corrections_at_their_limit_are_named) {
  cr_expect(
      notes(SEAM("run", "nonlinear_oscillator", "--cosim", "--end", "3", "--set", "parameters.limit=0.01", "-o", "out"),
            "note: the energy correction of 'coupling' reached its limit of 0.01 of the force in 2817 of 3000"));
  cr_expect_eq(json_number_at("out/summary.json", "/cosim/limited_correction/macro_steps"), 2817);
  cr_expect_not(
      notes(SEAM("run", "nonlinear_oscillator", "--cosim", "--end", "3", "-o", "out"), "note: the energy correction"));
}

/* ---- Macro steps under control ---- */

/* Macro steps between rows, and as the summary counts them. */
static void expect_controlled(const char *model, const char *control, double shortest, double longest) {
  expect_done(SEAM("run", model, "--cosim", "--end", "1", "--macro-step", "1e-4", "--set", control, "-o", "out"));
  csv rows = csv_read("out/couplings.csv");
  double least = INFINITY;
  double most = 0;
  for (size_t i = 1; i < rows.n_rows; i++) {
    const double H = csv_at(&rows, i, "time") - csv_at(&rows, i - 1, "time");
    least = fmin(least, H);
    most = fmax(most, H);
  }
  cr_expect(least > 0 && most > 2 * least, "%s: %g s to %g s", control, least, most);
  /* what ends at the end may be half as long, or a little longer */
  cr_expect(least > 0.5 * shortest && most < 1.01 * longest, "%s: %g s to %g s", control, least, most);
  cr_expect_eq(csv_at(&rows, rows.n_rows - 1, "time"), 1);
  cr_expect_eq(json_number_at("out/summary.json", "/cosim/macro_steps"), (double)(rows.n_rows - 1));
  cr_expect_float_eq(json_number_at("out/summary.json", "/cosim/shortest"), least, 1e-12);
  cr_expect_float_eq(json_number_at("out/summary.json", "/cosim/longest"), most, 1e-12);
  csv_free(&rows);
}

Test(explicit, macro_steps_by_energy) { expect_controlled("quarter_car_signals_1", ECCO, 1e-4, 1e-2); }
Test(explicit, macro_steps_by_prediction) { expect_controlled("quarter_car_signals_2", PREDICTOR, 1e-4, 1e-2); }
Test(explicit, macro_steps_by_the_local_error) { expect_controlled("four_bar_bushing", BY_ERROR, 0, 1); }

Test(explicit, energy_control_leaves_less_residual_energy) {
  expect_done(SEAM("run", "quarter_car_signals_1", "--cosim", "--macro-step", "1e-4", "--set", ECCO, "-o", "out"));
  const double n = json_number_at("out/summary.json", "/cosim/macro_steps");
  const double energy = json_number_at("out/summary.json", "/cosim/bonds/suspension/residual_energy");
  cr_expect(n > 3900 && n < 4050, "%g macro steps", n);
  cr_expect_float_eq(energy, 1.6125, 0.01, "%g J", energy);
}

/* ---- Checkpoints ---- */

static const char *const tables[] = {"out/trajectory.csv", "out/couplings.csv", "out/signals.csv"};
enum { n_tables = sizeof tables / sizeof *tables };

/* Tables as they are, to which something is added that a resumed run must cut off. */
static void spoil_tables(char *before[n_tables]) {
  for (size_t i = 0; i < n_tables; i++) {
    before[i] = file_exists(tables[i]) ? read_text(tables[i]) : NULL;
    FILE *file = before[i] != NULL ? fopen(tables[i], "a") : NULL;
    cr_assert(before[i] == NULL || file != NULL);
    if (file != NULL)
      fputs("1,2,3\n", file);
    if (file != NULL)
      fclose(file);
  }
}

/* Runs to the end, and again from the last checkpoint, which lies before it. */
static void expect_resumable(const char *model, const char *end, const char *every, const char *change) {
  char *before[n_tables];
  expect_done(SEAM("run", model, "--cosim", "--end", end, "--checkpoint", every, "--set", change, "--accept-wrong",
                   "-o", "out"));
  spoil_tables(before);
  expect_done(SEAM("run", "--resume", "out/checkpoint.seam", "--accept-wrong"));
  for (size_t i = 0; i < n_tables; i++) {
    cr_expect_eq(file_exists(tables[i]), before[i] != NULL, "%s", tables[i]);
    if (before[i] == NULL)
      continue;
    char *after = read_text(tables[i]);
    cr_expect_str_eq(after, before[i], "%s of %s with %s", tables[i], model, change);
    free(after);
    free(before[i]);
  }
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/time"), strtod(end, NULL));
}

#define RESUMABLE(name, ...)                                                                                           \
  Test(explicit, name) { expect_resumable(__VA_ARGS__); }

RESUMABLE(resumes_fixed_steps, "quarter_car_signals_2", "0.5", "0.2", "parameters.n=1.5")
RESUMABLE(resumes_energy_control, "quarter_car_signals_1", "0.5", "0.2", ECCO)
RESUMABLE(resumes_prediction_control, "quarter_car_signals_1", "0.5", "0.2", PREDICTOR)
RESUMABLE(resumes_error_control, "four_bar_bushing", "0.5", "0.2", BY_ERROR)
RESUMABLE(resumes_balance_correction, "spring_mass", "1", "0.4", "parameters.c=2")
RESUMABLE(resumes_holds_of_higher_order, "two_component_linear", "1", "0.4", "parameters.hold=3")
RESUMABLE(resumes_model_based_correction, "two_mass_mbcorr_nonlinear", "0.1", "0.04", "parameters.hold=2")

/* Two masses between three springs; MORE under cosim. */
#define SWING                                                                                                          \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "points: {A: [0, 0], B: [1, 0], C: [1, -0.5]}\n"                                                                     \
  "bodies: {rod: {rod: [A, B], mass: 1}, disc: {mass: 0.5, inertia: 0.01, at: C}}\n"                                   \
  "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"                                                      \
  "forces:\n"                                                                                                          \
  "  spring: {type: spring_damper, bodies: [rod, disc], at: [B, C], stiffness: 200, damping: 0.5}\n"                   \
  "  air: {type: viscous, bodies: [rod, disc], damping: [0.1, 0.1, 0]}\n"                                              \
  "simulate: {end: 1, output_step: 0.01}\n"                                                                            \
  "cosim: {subsystems: {above: [rod], below: [disc]}, macro_step: 1e-3, scheme: fd-k0-explicit}\n"

#define TWO_MASSES(MORE)                                                                                               \
  "seam: 1\n"                                                                                                          \
  "name: two_masses\n"                                                                                                 \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"                                                         \
  "  b: {mass: 1, inertia: 1, at: [1, 0]}\n"                                                                           \
  "forces:\n"                                                                                                          \
  "  left: {type: bushing, bodies: [ground, a], at: [0, 0], stiffness: [50, 50, 1]}\n"                                 \
  "  right: {type: bushing, bodies: [ground, b], at: [1, 0], stiffness: [50, 50, 1]}\n"                                \
  "  c: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 100, axis: [1, 0]}\n"                   \
  "simulate: {end: 5, output_step: 0.01}\n"                                                                            \
  "cosim:\n"                                                                                                           \
  "  subsystems: {A: {bodies: [a]}, B: {bodies: [b]}}\n"                                                               \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: fd-k0-exchange\n" MORE

/* Holds that fade, a correction and control of the step together. */
static const char *const masses_change = "cosim.step_control={method: ecco, tolerance: 1e-6, energy_scale: 10}";

Test(explicit, resumes_smooth_holds_with_correction_and_control) {
  write_text("two.yaml", TWO_MASSES("  couplings: {c: {smooth: true, orders: {force: 1, motion: 2}}}\n"
                                    "  corrections: {energy: {coupling: c}}\n"));
  expect_resumable("two.yaml", "0.5", "0.2", masses_change);
}

/* A sampled controller between whose samples checkpoints lie; macro steps that end at some of them. */
static const char sampled[] =
    "seam: 1\n"
    "bodies: {cart: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
    "joints: {guide: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {thrust: {type: force, body: cart, x: \"sin(t)\"}}\n"
    "simulate: {end: 1, output_step: 0.01}\n"
    "cosim:\n"
    "  macro_step: 0.01\n"
    "  subsystems:\n"
    "    cart: [cart]\n"
    "    control:\n"
    "      {sample: 0.07, inputs: [x, v], states: {s: 0}, updates: {s: s + x}, outputs: {force: -4*x - 3*v - 0.1*s}}\n"
    "  signals:\n"
    "    - {from: control.force, to: cart.thrust.fx}\n"
    "    - {from: cart.cart.x, to: control.x}\n"
    "    - {from: cart.cart.vx, to: control.v}\n";

Test(explicit, resumes_sampled_parts) {
  write_text("sampled.yaml", sampled);
  expect_resumable("sampled.yaml", "1", "0.3", "cosim.macro_step=5e-3");
  expect_resumable("sampled.yaml", "1", "0.3", "cosim.step_control={method: predictor, tolerance: 1e-3}");
}

/* ---- Monolithic runs, other commands ---- */

Test(explicit, a_model_of_equations_that_restart_is_only_co_simulated) {
  expect_refused_untouched(SEAM("run", "spring_mass"), "restart at every macro step: use 'seam run --cosim'");
  expect_refused_untouched(SEAM("static", "spring_mass"), "this command needs bodies");
  expect_refused_untouched(SEAM("modes", "spring_mass"), "this command needs bodies");
  expect_refused_untouched(SEAM("compare", "spring_mass"), "states of subsystem 'spring' restart at every macro step");
  expect_refused_untouched(SEAM("stability", "model", "spring_mass"),
                           "states of subsystem 'spring' restart at every macro step");
}

/* A cart on a spring, drawn by a motor of its own equations. */
static const char motor[] =
    "seam: 1\n"
    "name: motor\n"
    "bodies: {cart: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "joints: {guide: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
    "forces:\n"
    "  thrust: {type: force, body: cart, x: 0}\n"
    "  spring: {type: spring_damper, bodies: [ground, cart], at: {ground: [0, 0], cart: [0, 0]}, axis: [1, 0],\n"
    "           length: 0, stiffness: 1}\n"
    "simulate: {end: 1, output_step: 0.01}\n"
    "cosim:\n"
    "  macro_step: 0.01\n"
    "  subsystems:\n"
    "    cart: [cart]\n"
    "    motor: {inputs: [v], states: {i: 0}, rates: {i: 1 - i - v}, outputs: {force: i}}\n"
    "  signals:\n"
    "    - {from: motor.force, to: cart.thrust.fx}\n"
    "    - {from: cart.cart.vx, to: motor.v}\n";

Test(explicit, a_monolithic_run_has_equations_and_signals_in_it) {
  write_text("motor.yaml", motor);
  outcome run = expect_success(SEAM("run", "motor.yaml", "-o", "whole"));
  cr_expect(!has(run.err, "leaves out"), "%s", run.err);
  outcome_free(&run);
  run = expect_success(SEAM("run", "motor.yaml", "--cosim", "--macro-step", "1e-4", "-o", "cut"));
  outcome_free(&run);
  csv whole = csv_read("whole/trajectory.csv");
  csv cut = csv_read("cut/trajectory.csv");
  cr_expect_float_eq(csv_at(&cut, 100, "cart.x"), csv_at(&whole, 100, "cart.x"), 1e-4);
  cr_expect_float_eq(csv_at(&whole, 100, "motor.v"), csv_at(&whole, 100, "cart.vx"), 1e-15);
  cr_expect_float_eq(csv_at(&whole, 100, "motor.force"), csv_at(&whole, 100, "motor.i"), 1e-15);
  csv_free(&whole);
  csv_free(&cut);
}

Test(explicit, plant_and_motor_compare_with_the_whole) {
  write_text("motor.yaml", motor);
  outcome run = expect_success(SEAM("compare", "motor.yaml", "-o", "compared", "--keep"));
  cr_expect(has(run.out, "rough: cart.place") && has(run.out, "reference confirmed"), "%s", run.out);
  outcome_free(&run);
  csv reference = csv_read("compared/reference/trajectory.csv");
  cr_expect(isfinite(csv_at(&reference, 100, "motor.i")));
  csv_free(&reference);
  run = expect_success(SEAM("converge", "motor.yaml", "--macro-steps", "1e-2:1e-3:3", "-o", "orders"));
  cr_expect(has(run.out, "order"), "%s", run.out);
  outcome_free(&run);
}

/* x'' = -x + i, i' = 1 - i - x', to the order of the holds. */
Test(explicit, bodies_and_equations_move_together) {
  write_text("motor.yaml", motor);
  expect_done(SEAM("run", "motor.yaml", "--cosim", "-o", "out"));
  csv rows = csv_read("out/trajectory.csv");
  csv signals = csv_read("out/signals.csv");
  double x[3] = {1, 0, 0};
  const int n = 100000;
  for (int i = 0; i < n; i++) { /* by Euler's method, ten times as accurate */
    const double dx[3] = {x[1], x[2] - x[0], 1 - x[2] - x[1]};
    for (int k = 0; k < 3; k++)
      x[k] += dx[k] / n;
  }
  cr_expect_float_eq(csv_at(&rows, 100, "cart.x"), x[0], 5e-3);
  cr_expect_float_eq(csv_at(&rows, 100, "cart.vx"), x[1], 5e-3);
  cr_expect_float_eq(csv_at(&signals, 100, "motor.force"), x[2], 5e-3);
  csv_free(&rows);
  csv_free(&signals);
}

/* ---- Failures ---- */

static void expect_failure(outcome run, int exit_status, const char *part) {
  cr_expect_eq(run.exit_status, exit_status, "%s", run.err);
  cr_expect(has(run.err, part), "'%s' is not in '%s'", part, run.err);
  outcome_free(&run);
}

/* The second cut is stable up to 11.23 ms. */
Test(explicit, unstable_signals_end_the_run) {
  expect_done(
      SEAM("run", "quarter_car_signals_2", "--cosim", "--macro-step", "0.0112", "--accept-wrong", "-o", "stable"));
  expect_failure(SEAM("run", "quarter_car_signals_2", "--cosim", "--macro-step", "0.02", "-o", "out"), 1,
                 "signals are extrapolated over macro steps that are too long: take a smaller macro step");
  csv signals = csv_read("out/signals.csv");
  const double last = csv_at(&signals, signals.n_rows - 1, "time");
  cr_expect(last > 0.5 && last < 2, "%g s", last);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/time"), last);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/exit_status"), 1);
  csv_free(&signals);
}

Test(explicit, a_rate_that_is_not_finite_ends_the_run) {
  expect_failure(SEAM("run", "quarter_car_signals_1", "--cosim", "--set",
                      "cosim.subsystems.wheel.rates.v=sqrt(1.0001 - 2*t)", "-o", "out"),
                 1, "subsystem 'wheel': t = 0.5001 s: the rate of state 'v' is not finite");
  csv signals = csv_read("out/signals.csv");
  cr_expect_eq(csv_at(&signals, signals.n_rows - 1, "time"), 0.5);
  csv_free(&signals);
}

/* In the first step nothing can have grown yet, so a failure there is not an instability. */
Test(explicit, failures_of_the_first_step_and_of_micro_steps_have_their_own_advice) {
  outcome run = SEAM("run", "quarter_car_signals_1", "--cosim", "--set",
                     "cosim.subsystems.wheel.rates.v=sqrt(0.0001 - 2*t)", "-o", "out");
  cr_expect(has(run.err, "the rate of state 'v' is not finite\n"), "%s", run.err);
  outcome_free(&run);
  run = SEAM("run", "four_bar_bushing", "--cosim", "--set", "cosim.integrator=rk4", "--set", "cosim.micro_step=1e-9",
             "-o", "out");
  cr_expect(has(run.err, "take a longer micro_step or a smaller macro step\n"), "%s", run.err);
  outcome_free(&run);
}

Test(explicit, the_engine_of_each_coupling_is_reported) {
  outcome run = SEAM("run", "coupled_pendula", "--cosim", "--end", "0.1", "-o", "out");
  cr_expect(has(run.err, "100 macro steps of the exchange,"), "%s", run.err);
  outcome_free(&run);
  char *summary = read_text("out/summary.json");
  cr_expect(has(summary, "\"by\": \"exchange\""));
  free(summary);
  run = SEAM("run", "two_mass_oscillator", "--cosim", "--end", "0.1", "-o", "out");
  cr_expect(has(run.err, "100 macro steps of the master,"), "%s", run.err);
  outcome_free(&run);
  summary = read_text("out/summary.json");
  cr_expect(has(summary, "\"by\": \"master\""));
  free(summary);
}

/* The swing of README: a subsystem that nothing is connected to leaves every bit of the tables where it was. */
Test(explicit, an_idle_subsystem_changes_no_method) {
  static const struct {
    const char *scheme, *setting;
  } rows[] = {{"fd-k0-explicit", "cosim.history=raise"},
              {"fd-k0-explicit", "cosim.history=exact"},
              {"fd-k0-explicit", "cosim.integrator=euler"},
              {"fd-k1-explicit", "cosim.step_control={method: predictor, tolerance: 1e-4}"},
              {"ff-k1", "cosim.step_control={method: error, tolerance: 1e-5}"},
              {"ff-k1", "cosim.step_control={method: ecco, tolerance: 1e-4, energy_scale: 10}"},
              {"df-k0-exchange", "cosim.history=raise"},
              {"df-k2-exchange", "cosim.history=exact"}};
  static const char *const outputs[] = {"trajectory.csv", "couplings.csv"};
  static const char *const idle = "cosim.subsystems.idle={states: {x: 1}, rates: {x: -x}, outputs: {x: x}}";
  write_text("swing.yaml", SWING);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_done(SEAM("run", "swing.yaml", "--cosim", "--scheme", rows[i].scheme, "--set", rows[i].setting, "--set",
                     "cosim.micro_step=2e-4", "--accept-suspect", "-o", "a"));
    expect_done(SEAM("run", "swing.yaml", "--cosim", "--scheme", rows[i].scheme, "--set", rows[i].setting, "--set",
                     "cosim.micro_step=2e-4", "--accept-suspect", "--set", idle, "-o", "b"));
    for (size_t k = 0; k < 2; k++) {
      char paths[2][40];
      snprintf(paths[0], sizeof paths[0], "a/%s", outputs[k]);
      snprintf(paths[1], sizeof paths[1], "b/%s", outputs[k]);
      char *alone = read_text(paths[0]);
      char *beside = read_text(paths[1]);
      cr_expect(strcmp(alone, beside) == 0, "%s, %s: %s", rows[i].scheme, rows[i].setting, outputs[k]);
      free(alone);
      free(beside);
    }
  }
}

Test(explicit, the_former_name_of_the_sequence_is_refused_with_the_new_one) {
  expect_refused_untouched(SEAM("run", "four_bar_bushing", "--cosim", "--set", "cosim.exchange=gauss-seidel"),
                           "write 'sequence: jacobi' or 'sequence: gauss-seidel'");
}

/* Within the bounds of the monolithic run, but nothing of it is true. */
Test(explicit, much_energy_that_couplings_create_is_suspect_even_when_quiet) {
  write_text("two.yaml", TWO_MASSES(""));
  outcome run = SEAM("run", "two.yaml", "--cosim", "--macro-step", "0.05", "--end", "3", "--quiet", "-o", "out");
  cr_expect_eq(run.exit_status, 3);
  cr_expect(has(run.err, "J of energy are made"), "%s", run.err);
  cr_expect(has(run.err, "take a smaller macro step or another scheme"), "%s", run.err);
  outcome_free(&run);
  run = SEAM("run", "two.yaml", "--cosim", "--macro-step", "1e-4", "--end", "3", "--quiet", "-o", "out");
  cr_expect_str_empty(run.err);
  outcome_free(&run);
}

Test(explicit, impossible_step_control_is_refused) {
  expect_refused_untouched(SEAM("run", "quarter_car_signals_1", "--cosim", "--set", BY_ERROR),
                           "take 'method: ecco' or 'method: predictor'");
  expect_refused_untouched(SEAM("run", "spring_mass", "--cosim", "--set", ECCO), "needs a power bond");
  expect_refused_untouched(SEAM("run", "four_bar_bushing", "--cosim", "--set", ECCO),
                           "an energy that typically passes");
  expect_refused_untouched(SEAM("run", "two_mass_mbcorr", "--cosim", "--set", "cosim.sequence=gauss-seidel"),
                           "set 'sequence: jacobi'");
}
