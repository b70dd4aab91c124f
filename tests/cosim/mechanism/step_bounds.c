/* What the tolerance of a step control bounds, and the bounds of a macro step by default. */
#include <criterion/criterion.h>
#include <math.h>

#include "cosim/coupling/step_control.h"
#include "cosim/steps/simulation.h"
#include "tests/support/cosim_fixture.h"

/* ---- The tolerance of the local error ---- */

/* The whole model from the state where the last macro step began, at 1e-12: error of the velocities of this step. */
static double error_of_step(const cosim_fixture *p, const mbs_state *before, mbs_state *state) {
  seam_error error = {0};
  mbs_integrator *integrator = NULL;
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-12;
  options.atol = 1e-13;
  mbs_state_copy(state, before);
  cr_assert_eq(mbs_integrator_create(p->model, &options, &integrator, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_advance(integrator, cosim_state(p->run)->t, state, &error), SEAM_OK, "%s", error.message);
  mbs_integrator_destroy(integrator);
  return cosim_distance(p->model, cosim_state(p->run)->v, state->v);
}

/* Of all steps over 1 s, relative to the tolerance: the largest error, and the geometric mean of error over estimate.
 */
typedef struct held_errors {
  double largest, mean_ratio;
} held_errors;

static held_errors measure_held_errors(const char *model, const char *scheme, double tolerance) {
  const char *const overrides[] = {"cosim.rtol=1e-11", "cosim.atol=1e-13", NULL};
  cosim_fixture p = cosim_fixture_read(model, overrides);
  cosim_step_control control = cosim_default_step_control(COSIM_ERROR_INDICATOR, tolerance);
  p.definition.step_control = &control;
  use_scheme(&p, scheme);
  start(&p);
  mbs_state *before = new_state(p.model);
  mbs_state *state = new_state(p.model);
  held_errors found = {0};
  size_t n = 0;
  while (cosim_state(p.run)->t < 0.999) {
    mbs_state_copy(before, cosim_state(p.run));
    cr_assert_eq(cosim_advance_controlled(p.run, 1, NULL), SEAM_OK);
    const double error = error_of_step(&p, before, state) / (tolerance * p.run->control.speed);
    found.largest = fmax(found.largest, error);
    found.mean_ratio += log(error / p.run->control.rule.before);
    n++;
  }
  found.mean_ratio = exp(found.mean_ratio / (double)n);
  mbs_state_destroy(before);
  mbs_state_destroy(state);
  cosim_fixture_free(&p);
  return found;
}

/* The estimate is for equal steps; in those that grow the true error is up to twice as large. */
static void expect_held(const char *model, const char *scheme, double tolerance, double least_ratio) {
  const held_errors found = measure_held_errors(model, scheme, tolerance);
  cr_expect_lt(found.largest, 2, "%s, %s: %g times the tolerance", model, scheme, found.largest);
  cr_expect(found.mean_ratio > least_ratio && found.mean_ratio < 1.2, "%s, %s: error is %g times its estimate", model,
            scheme, found.mean_ratio);
}

Test(step_bounds, accepted_steps_have_the_local_error_that_is_estimated) {
  static const char *const schemes[] = {"ff-k0", "ff-k1", "ff-k2", "ff-k3", "fd-k1", "dd-k2", "ff-k3-implicit"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    expect_held("four_bar_bushing", schemes[i], 1e-5, 0.6);
    expect_held("two_mass_oscillator", schemes[i], 1e-5, 0.6);
  }
  expect_held("four_bar_bushing", "ff-k2", 1e-7, 0.6);
  expect_held("four_bar_bushing", "ff-d-k2", 1e-5, 0.1); /* more accurate than its estimate */
}

/* ---- Resting starts ---- */

/* A car in equilibrium on a road that begins to wave after a second; no bound of the macro step is given. */
static const char car[] =
    "seam: 1\n"
    "bodies:\n"
    "  road: {mass: 1, inertia: 1, at: [0, 0]}\n"
    "  wheel: {mass: 40, inertia: 1, at: [0, 0.3]}\n"
    "  chassis: {mass: 300, inertia: 1, at: [0, 0.8]}\n"
    "joints:\n"
    "  gr: {type: prismatic, bodies: [ground, road], at: [0, 0], axis: [0, 1]}\n"
    "  gw: {type: prismatic, bodies: [ground, wheel], at: [0, 0.3], axis: [0, 1]}\n"
    "  gs: {type: prismatic, bodies: [ground, chassis], at: [0, 0.8], axis: [0, 1]}\n"
    "  dr: {type: motion, of: y, body: road, law: \"if(t < 1, 0, 0.02*(1 - cos(6*pi*(t - 1))))\"}\n"
    "forces:\n"
    "  tyre: {type: spring_damper, bodies: [road, wheel], at: [[0, 0], [0, 0.3]], axis: [0, 1], stiffness: 180e3}\n"
    "  susp: {type: spring_damper, bodies: [wheel, chassis], at: [[0, 0.3], [0, 0.8]], axis: [0, 1],\n"
    "         stiffness: 18e3, damping: 1200}\n"
    "simulate: {end: 5, output_step: 0.01}\n"
    "cosim: {subsystems: {lower: [road, wheel], upper: [chassis]}, macro_step: 1e-3, scheme: fd-k0-explicit}\n";

enum { chassis_y = 7 };

typedef struct car_run {
  double longest_at_rest, longest; /* s */
  double created;                  /* J, in the mean step, relative to what the tolerance of the energy allows */
  size_t n_steps;
} car_run;

static bool is_before(const cosim_fixture *p, double end) { return cosim_state(p->run)->t < end - 1e-9; }

/* The height of the chassis at the rows of 0.1 s. */
static car_run drive(const char *control, const char *macro_step, double height[51]) {
  cosim_fixture p = cosim_fixture_read(car, (const char *const[]){control, macro_step, NULL});
  car_run found = {0};
  start(&p);
  for (int row = 0; row < 51; row++) {
    const double end = row / 10.0;
    while (is_before(&p, end)) {
      const double before = cosim_state(p.run)->t;
      cr_assert_eq(cosim_advance_controlled(p.run, end, NULL), SEAM_OK);
      const double H = cosim_state(p.run)->t - before;
      const cosim_bond_energy energy = cosim_coupling_energy(p.run, 0);
      found.longest = fmax(found.longest, H);
      if (before < 0.999)
        found.longest_at_rest = fmax(found.longest_at_rest, H);
      else if (p.definition.step_control != NULL)
        found.created +=
            fabs(energy.residual_power) * H / (p.definition.step_control->tolerance * (100 + fabs(energy.power) * H));
    }
    height[row] = cosim_state(p.run)->q[chassis_y];
  }
  found.n_steps = cosim_statistics_of(p.run).macro_steps;
  found.created /= (double)found.n_steps;
  cosim_fixture_free(&p);
  return found;
}

static double largest_difference(const double a[51], const double b[51]) {
  double largest = 0;
  for (int i = 0; i < 51; i++)
    largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* On the flat road the step once grew to 0.4 s and missed the first waves: 5.6 mm of 6.6 mm were error. */
Test(step_bounds, a_resting_start_does_not_let_steps_grow) {
  static const struct {
    const char *control;
    double error; /* m; the chassis moves by 32 mm */
    double created;
  } rows[] = {
      {"cosim.step_control={method: ecco, tolerance: 1e-3, energy_scale: 100}", 6e-4, 1},
      {"cosim.step_control={method: ecco, tolerance: 1e-5, energy_scale: 100}", 1e-4, 1},
      {"cosim.step_control={method: predictor, tolerance: 1}", 3e-4, INFINITY},
      {"cosim.step_control={method: predictor, tolerance: 0.1}", 1e-4, INFINITY},
  };
  double fixed[51];
  double controlled[51];
  drive("cosim.reuse=false", "cosim.macro_step=2e-4", fixed);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const car_run found = drive(rows[i].control, "cosim.macro_step=1e-3", controlled);
    const double error = largest_difference(controlled, fixed);
    cr_expect_leq(found.longest_at_rest, 1.01e-3, "%s: %g s", rows[i].control, found.longest_at_rest);
    cr_expect_leq(found.longest, 0.0505, "%s: %g s", rows[i].control, found.longest);
    cr_expect_lt(error, rows[i].error, "%s: %g m", rows[i].control, error);
    cr_expect_lt(found.created, rows[i].created, "%s: %g times the tolerance", rows[i].control, found.created);
  }
}

/* ---- Pulses ---- */

/* Two masses at rest; a unit impulse of 0.02 s arrives at t = 1.2345. */
static const char pulse[] =
    "seam: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, at: [0, 0]}\n"
    "  b: {mass: 1, inertia: 1, at: [1, 0]}\n"
    "forces:\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 100, damping: 1}\n"
    "  p: {type: force, body: a, x: \"if(t < 1.2345, 0, if(t < 1.2545, 50, 0))\"}\n"
    "simulate: {end: 2, output_step: 0.01}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.01, scheme: ff-k1}\n";

Test(step_bounds, a_pulse_after_rest_is_not_stepped_over) {
  static const struct {
    const char *control, *scheme;
  } rows[] = {
      {"cosim.step_control={method: error, tolerance: 1e-4}", "ff-k1"},
      {"cosim.step_control={method: ecco, tolerance: 1e-3, energy_scale: 1}", "ff-k1-explicit"},
      {"cosim.step_control={method: predictor, tolerance: 1e-2}", "ff-k1-explicit"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cosim_fixture p = cosim_fixture_read(pulse, (const char *const[]){rows[i].control, NULL});
    use_scheme(&p, rows[i].scheme);
    start(&p);
    while (is_before(&p, 2))
      cr_assert_eq(cosim_advance_controlled(p.run, 2, NULL), SEAM_OK);
    cr_expect_float_eq(cosim_state(p.run)->v[0] + cosim_state(p.run)->v[3], 1, 1e-6, "%s: momentum %.9g",
                       rows[i].control, cosim_state(p.run)->v[0] + cosim_state(p.run)->v[3]);
    cosim_fixture_free(&p);
  }
}

/* ---- The fastest motion ---- */

/* An oscillator of two masses that fades within a second: ECCO sees ever less, but what oscillated at ω may do so
 * again. */
Test(step_bounds, without_repetition_steps_resolve_the_fastest_motion_seen) {
  cosim_fixture p = cosim_fixture_read("two_mass_oscillator", NULL);
  cosim_step_control control = cosim_default_step_control(COSIM_ENERGY_INDICATOR, 1);
  p.definition.step_control = &control;
  p.definition.options.energy_scale = 1;
  double longest[2];
  for (int free = 0; free < 2; free++) {
    control.follows_motion = free == 0;
    use_scheme(&p, "ff-k1");
    start(&p);
    while (is_before(&p, 2))
      cr_assert_eq(cosim_advance_controlled(p.run, 2, NULL), SEAM_OK);
    longest[free] = cosim_statistics_of(p.run).longest;
  }
  cr_expect_leq(longest[0], 0.6 / sqrt(1e3), "%g s", longest[0]);
  cr_expect_gt(longest[1], 5 * longest[0], "%g s", longest[1]);
  cosim_fixture_free(&p);
}

/* ---- Kinks ---- */

static const char moving_pulse[] =
    "seam: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [0.1, 0]}\n"
    "  b: {mass: 1, inertia: 1, at: [1, 0]}\n"
    "forces:\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 1, damping: 0.1}\n"
    "  p: {type: force, body: a, x: \"if(t < 12.345, 0, if(t < 12.347, 500, 0))\"}\n"
    "simulate: {end: 20}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.01, scheme: ff-k1}\n";

/* 2 ms in steps of 0.1 s and more: both ends of the pulse are macro points, and steps begin there as short as at first.
 */
Test(step_bounds, steps_end_at_kinks_of_laws_of_time) {
  static const struct {
    const char *control, *scheme;
  } rows[] = {
      {"cosim.step_control={method: error, tolerance: 1e-3}", "ff-k1"},
      {"cosim.step_control={method: ecco, tolerance: 1e-2, energy_scale: 1}", "ff-k1-explicit"},
      {"cosim.step_control={method: predictor, tolerance: 0.1}", "ff-k1-explicit"},
      {"cosim.step_control={method: error, tolerance: 1e-3, longest: 0.5}", "ff-k1"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cosim_fixture p = cosim_fixture_read(moving_pulse, (const char *const[]){rows[i].control, NULL});
    double nearest[2] = {1, 1};
    double longest = 0; /* before the pulse */
    use_scheme(&p, rows[i].scheme);
    start(&p);
    while (is_before(&p, 20)) {
      const double before = cosim_state(p.run)->t;
      cr_assert_eq(cosim_advance_controlled(p.run, 20, NULL), SEAM_OK);
      const double t = cosim_state(p.run)->t;
      nearest[0] = fmin(nearest[0], fabs(t - 12.345));
      nearest[1] = fmin(nearest[1], fabs(t - 12.347));
      longest = t < 12 ? fmax(longest, t - before) : longest;
      if (fabs(before - 12.347) < 1e-9 && i < 3)
        cr_expect_leq(t - before, 0.0101, "%s: %g s", rows[i].control, t - before);
    }
    cr_expect_gt(longest, 0.05, "%s: %g s", rows[i].control, longest);
    cr_expect_lt(nearest[0], 1e-12, "%s: %g s", rows[i].control, nearest[0]);
    cr_expect_lt(nearest[1], 1e-12, "%s: %g s", rows[i].control, nearest[1]);
    const double momentum = cosim_state(p.run)->v[0] + cosim_state(p.run)->v[3];
    cr_expect_float_eq(momentum, 1.1, 1e-6, "%s: momentum %.9g", rows[i].control, momentum);
    cosim_fixture_free(&p);
  }
}

/* A law that bends every microsecond does not make macro steps of a microsecond. */
Test(step_bounds, dense_kinks_do_not_decide_the_steps) {
  const char *const dense[] = {"forces.p.x=\"t - 1e-6*floor(1e6*t)\"", "simulate.end=0.05",
                               "cosim.step_control={method: error, tolerance: 1e-3}", "cosim.micro_step=1e-3", NULL};
  cosim_fixture p = cosim_fixture_read(moving_pulse, dense);
  p.definition.options.integrator.method = "rk4";
  start(&p);
  while (is_before(&p, 0.05) && cosim_statistics_of(p.run).macro_steps < 2000)
    cr_assert_eq(cosim_advance_controlled(p.run, 0.05, NULL), SEAM_OK);
  cr_expect_lt(cosim_statistics_of(p.run).macro_steps, 1000, "%zu", cosim_statistics_of(p.run).macro_steps);
  cosim_fixture_free(&p);
}
