/* Contacts and strands change their modes at zeros of switching functions, which every integrator finds within its
 * steps: against closed forms, balances of energy and runs with short steps. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/model_run.h"

static model_run start(const char *text, const char *method, double rtol, double largest_step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.order = strcmp(method, "erk") == 0 ? 8 : 0;
  options.rtol = options.atol = rtol;
  options.largest_step = largest_step;
  return model_run_begin(text, NULL, &options, INFINITY);
}

static const char *const methods[] = {"erk", "radau", "cvode", "ida"};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* ---- A ball on a floor ---- */

static const double g = 9.81;

#define BALL(CONTACT)                                                                                                  \
  "seam: 1\ngravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1.1]}}\n"                              \
  "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0], radius: "             \
  "0.1, " CONTACT "}}\nsimulate: {end: 1}\n"

/* It falls by 1 m, √(2/g), and touches a linear spring for 2 (π - atan(ω v/g))/ω. */
static double period_of(double stiffness) {
  const double w = sqrt(stiffness / 2);
  return 2 * sqrt(2 / g) + 2 * (acos(-1) - atan(w * sqrt(2 * g) / g)) / w;
}

Test(switches, a_ball_on_a_linear_spring_is_back_at_its_height_after_each_period) {
  static const double tolerance[N_METHODS] = {2e-10, 2e-9, 2e-7, 2e-6};
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = start(BALL("stiffness: 3e5, exponent: 1"), methods[i], 1e-11, INFINITY);
    model_run_reach(&run, 5 * period_of(3e5));
    cr_expect_float_eq(run.state->q[1], 1.1, tolerance[i], "%s: %.3g", methods[i], run.state->q[1] - 1.1);
    cr_expect_float_eq(run.state->v[1], 0, 10 * tolerance[i], "%s: %.3g", methods[i], run.state->v[1]);
    model_run_end(&run);
  }
}

Test(switches, steps_that_are_fixed_begin_anew_at_a_contact) {
  double error[2] = {0};
  for (int k = 0; k < 2; k++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = "rk4";
    options.step = 2e-3 / (1 + k);
    model_run run = model_run_begin(BALL("stiffness: 3e3, exponent: 1"), NULL, &options, INFINITY);
    model_run_reach(&run, 2 * period_of(3e3));
    error[k] = fabs(run.state->q[1] - 1.1) + fabs(run.state->v[1]);
    model_run_end(&run);
  }
  cr_expect_lt(error[0], 2e-6, "%.3g", error[0]);
  cr_expect_gt(error[0], 12 * error[1], "order 4: %.3g, %.3g", error[0], error[1]);
}

/* m v²/2 (1 - e²). */
Test(switches, energy_of_impacts_is_balanced_at_the_tolerance) {
  static const double e[] = {0.05, 0.3, 0.9, 1};
  for (int i = 0; i < 4; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "seam: 1\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1.1], velocity: [0, -2]}}\n"
             "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0], "
             "radius: 0.1, stiffness: 1e6, restitution: %g, impact_speed: 2}}\nsimulate: {end: 1}\n",
             e[i]);
    model_run run = start(text, "erk", 1e-10, INFINITY);
    model_run_reach(&run, 1.5);
    const mbs_energy energy = mbs_energy_of(run.ws, run.state);
    cr_expect_float_eq(run.state->v[1], 2 * e[i], 1e-9, "e = %g: %.3g", e[i], run.state->v[1] - 2 * e[i]);
    cr_expect_float_eq(energy.dissipated, 4 * (1 - e[i] * e[i]), 4e-9, "e = %g: %.3g", e[i],
                       energy.dissipated - 4 * (1 - e[i] * e[i]));
    cr_expect_lt(model_run_imbalance(&run, 4), 4e-9, "e = %g: %.3g", e[i], model_run_imbalance(&run, 4));
    model_run_end(&run);
  }
}

/* ---- What one step would pass ---- */

/* Two small wheels that graze each other for 0.2 ms on a flight of 2 s. */
static const char grazing[] =
    "seam: 1\nbodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 1, inertia: 0.1, at: [100, 0.015], velocity: [-100, 0]}}\n"
    "forces: {c: {type: contact, bodies: [a, b], at: [[0, 0], [100, 0.015]], radii: [0.01, 0.01], stiffness: 2e7}}\n"
    "simulate: {end: 2}\n";

Test(switches, a_contact_within_one_step_is_not_passed) {
  model_run short_steps = start(grazing, "erk", 1e-12, 2e-5);
  model_run_reach(&short_steps, 2);
  const double vy = short_steps.state->v[4];
  cr_assert_gt(vy, 0.1, "it is a contact: %g", vy);
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = start(grazing, methods[i], 1e-10, INFINITY);
    model_run_reach(&run, 2);
    cr_expect_float_eq(run.state->v[4], vy, i == 0 ? 1e-8 : 1e-5, "%s: %.3g", methods[i], run.state->v[4] - vy);
    cr_expect_lt(mbs_integrator_statistics(run.integrator).steps, i == 0 ? 100 : 4000, "%s", methods[i]);
    model_run_end(&run);
  }
  model_run_end(&short_steps);
}

/* ---- A contact that lets go ---- */

/* A stiff spring tears the ball off the floor faster than it expands: it never pulls. */
static const char torn[] =
    "seam: 1\nbodies: {ball: {mass: 1, inertia: 0.1, at: [0, 0.099]}}\n"
    "forces:\n  floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 0.099]], line: [1, 0], radius: 0.1, "
    "stiffness: 1e5, damping: 20}\n"
    "  tear: {type: force, bodies: [ball], at: [0, 0.099], y: \"if(t < 1e-3, 0, 400)\"}\n"
    "simulate: {end: 0.02}\n";

Test(switches, a_damped_contact_that_is_torn_off_does_not_pull) {
  model_run run = start(torn, "erk", 1e-11, INFINITY);
  const mbs_model *model = NULL;
  mbs_quantity of_force;
  cr_assert_eq(seam_model_whole(run.file, &model, NULL), SEAM_OK);
  cr_assert_eq(mbs_find_quantity(model, "floor.force", &of_force, NULL), SEAM_OK);
  mbs_readout *readout = NULL;
  cr_assert_eq(mbs_readout_create(model, &of_force, 1, &readout, NULL), SEAM_OK);
  const double energy = model_run_energy(&run);
  int n_released = 0;
  for (int k = 1; k <= 200; k++) {
    double force = 0;
    model_run_reach(&run, 1e-4 * k);
    mbs_read(readout, run.ws, run.state, &force);
    cr_expect_geq(force, 0, "at %g s", run.state->t);
    n_released += force == 0 && run.state->q[1] < 0.1;
  }
  cr_expect_gt(n_released, 3, "it lets go before it is off the floor");
  cr_expect_lt(model_run_imbalance(&run, energy), 1e-8, "%.3g", model_run_imbalance(&run, energy));
  mbs_readout_destroy(readout);
  model_run_end(&run);
}

/* ---- Bits ---- */

Test(switches, rows_on_the_way_change_no_bit) {
  model_run direct = start(BALL("stiffness: 3e5, damping: 0.3"), "erk", 1e-9, INFINITY);
  model_run by_rows = start(BALL("stiffness: 3e5, damping: 0.3"), "erk", 1e-9, INFINITY);
  model_run_reach(&direct, 3);
  for (int k = 1; k <= 3000; k++)
    model_run_reach(&by_rows, k < 3000 ? 1e-3 * k : 3);
  cr_expect_arr_eq(direct.state->q, by_rows.state->q, direct.state->n_values * sizeof(double));
  model_run_end(&direct);
  model_run_end(&by_rows);
}

/* At any time, in the contact and in a step that is known to end at it. */
Test(switches, a_run_that_is_restored_goes_on_to_the_bit) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = start(BALL("stiffness: 3e5, damping: 0.3"), methods[i], 1e-8, INFINITY);
    model_run other = start(BALL("stiffness: 3e5, damping: 0.3"), methods[i], 1e-8, INFINITY);
    void *image = malloc(mbs_integrator_image_size(run.integrator));
    cr_assert_not_null(image);
    for (int k = 1; k <= 40; k++) {
      model_run_reach(&run, 0.45 + 2e-3 * k);
      mbs_integrator_save(run.integrator, image);
      cr_assert_eq(mbs_integrator_restore(other.integrator, image, mbs_integrator_image_size(run.integrator), NULL),
                   SEAM_OK);
      if (i >= 2) /* cvode and ida begin anew where they are restored */
        cr_assert_eq(mbs_integrator_restore(run.integrator, image, mbs_integrator_image_size(run.integrator), NULL),
                     SEAM_OK);
      mbs_state_copy(other.state, run.state);
      model_run_reach(&run, 0.45 + 2e-3 * k + 1.5e-3);
      model_run_reach(&other, 0.45 + 2e-3 * k + 1.5e-3);
      cr_expect_arr_eq(run.state->q, other.state->q, run.state->n_values * sizeof(double), "%s, %d", methods[i], k);
    }
    free(image);
    model_run_end(&run);
    model_run_end(&other);
  }
}

/* ---- Chatter ---- */

/* Between two walls, 1e-9 m apart, a body meets a wall each 1e-9 s. */
Test(switches, without_end_they_end_the_run_by_name) {
  model_run run =
      start("seam: 1\nbodies: {ball: {mass: 1, inertia: 1, velocity: [0, 1]}}\n"
            "forces:\n  low: {type: contact, bodies: [ground, ball], at: [[0, -0.5e-9], [0, 0]], line: [1, 0], "
            "stiffness: 1e22, exponent: 1}\n"
            "  high: {type: contact, bodies: [ground, ball], at: [[0, 0.5e-9], [0, 0]], line: [-1, 0], "
            "stiffness: 1e22, exponent: 1}\nsimulate: {end: 1}\n",
            "erk", 1e-9, INFINITY);
  model_run_advance(&run, 1);
  cr_expect_eq(run.status, SEAM_STEP_FAILED);
  cr_expect(strstr(run.error.message, "switches again and again") != NULL, "%s", run.error.message);
  cr_expect(strstr(run.error.message, "'low'") != NULL || strstr(run.error.message, "'high'") != NULL, "%s",
            run.error.message);
  model_run_end(&run);
}
