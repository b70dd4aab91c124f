/* What every method has to do with a mechanism: its order, restoring, energy balances, stiffness, long chains. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mechanisms.h"

/* ---- Orders ---- */

/* Poses q (3n), by erk of an order or, where that is 0, another method, of a chain of n rods, let go horizontally, at
 * time `end`. */
static void run_with_steps(const char *method, int order, int n_steps, int n, double end, double *q) {
  mechanism m = chain(n);
  mechanism_assemble(&m);
  mbs_integrator *integrator = order > 0 ? mechanism_start(&m, order, 1e-8, end / n_steps)
                                         : mechanism_start_by(&m, method, 1e-13, end / n_steps);
  mbs_integrator_set_stop(integrator, end);
  mechanism_advance(&m, integrator, end);
  cr_assert_eq(mbs_integrator_statistics(integrator).steps, (size_t)n_steps);
  memcpy(q, m.state->q, 3 * (size_t)n * sizeof *q);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* Slope of the error between the two finest of `fewest` to 2560 steps whose errors stand above rounding. */
static double measured_order(const char *method, int order, int fewest, int n, double end) {
  enum { most = 9 };
  double exact[most];
  double slope = 0;
  double before = 0;
  run_with_steps("erk", 8, 2000, n, end, exact);
  for (int n_steps = fewest; n_steps <= 2560; n_steps *= 2) {
    double q[most];
    double error = 0;
    run_with_steps(method, order, n_steps, n, end, q);
    for (int i = 0; i < 3 * n; i++)
      error = fmax(error, fabs(q[i] - exact[i]));
    if (error < 1e-12)
      break;
    slope = log2(before / error);
    before = error;
  }
  return slope;
}

static void expect_order(const char *method, int order, int fewest, int n, double end, double expected) {
  const double measured = measured_order(method, order, fewest, n, end);
  cr_expect_float_eq(measured, expected, 0.1, "%s: %.3f", method, measured);
}

Test(methods, erk_4_has_order_4) { expect_order("erk", 4, 5, 3, 0.5, 4); }

Test(methods, erk_5_has_order_5) { expect_order("erk", 5, 5, 1, 1, 5); }

/* Its leading term is so small that terms of higher order stand above it until rounding. */
Test(methods, erk_8_has_order_8) { cr_expect_gt(measured_order("erk", 8, 5, 3, 0.5), 7.9); }

Test(methods, radau_has_order_5) { expect_order("radau", 0, 20, 3, 0.5, 5); }

Test(methods, euler_has_order_1) { expect_order("euler", 0, 40, 3, 0.5, 1); }

Test(methods, symplectic_euler_has_order_1) { expect_order("symplectic_euler", 0, 40, 3, 0.5, 1); }

Test(methods, rk2_has_order_2) { expect_order("rk2", 0, 5, 3, 0.5, 2); }

Test(methods, rk4_has_order_4) { expect_order("rk4", 0, 5, 3, 0.5, 4); }

/* ---- Symplecticity ---- */

static double energy_of(const mechanism *m) { return mbs_energy_of(m->ws, m->state).total; }

/* Of chains that swing. Were their steps projected only, it would be 0.8 J with one link and 12 J with two. */
Test(methods, symplectic_euler_keeps_energy_on_constraints) {
  for (int n = 1; n <= 2; n++) {
    mechanism m = chain(n);
    mechanism_assemble(&m);
    const double first = energy_of(&m);
    mbs_integrator *integrator = mechanism_start_by(&m, "symplectic_euler", 1e-8, 1e-3);
    double largest = 0;
    for (int i = 1; i <= 200; i++) {
      mechanism_advance(&m, integrator, 0.1 * i);
      largest = fmax(largest, fabs(energy_of(&m) - first));
    }
    cr_expect_lt(largest, 0.05, "%d: %g J", n, largest);
    mbs_integrator_destroy(integrator);
    mechanism_free(&m);
  }
}

/* ---- Saving and restoring ---- */

static bool same_state(const mbs_state *a, const mbs_state *b) {
  return a->t == b->t && memcmp(a->q, b->q, a->n_values * sizeof *a->q) == 0;
}

static void restore(mbs_integrator *integrator, const void *image) {
  seam_error error = {0};
  cr_assert_eq(mbs_integrator_restore(integrator, image, mbs_integrator_image_size(integrator), &error), SEAM_OK, "%s",
               error.message);
}

/* Runs to 1 s from an image at 0.517 s, twice; then the run that was never restored is the same too, if it has to be.
 */
static void expect_repeats(const char *method, double step, bool also_without_restoring) {
  mechanism m = four_bar_bushing();
  mechanism_assemble(&m);
  mbs_state *uninterrupted = new_state(m.model);
  mbs_state *first = new_state(m.model);
  mbs_integrator *integrator = mechanism_start_by(&m, method, 1e-8, step);
  mechanism_advance(&m, integrator, 0.517);
  void *image = malloc(mbs_integrator_image_size(integrator));
  cr_assert_not_null(image);
  mbs_integrator_save(integrator, image);
  mechanism_advance(&m, integrator, 1);
  mbs_state_copy(uninterrupted, m.state);
  restore(integrator, image);
  mechanism_advance(&m, integrator, 1);
  mbs_state_copy(first, m.state);
  restore(integrator, image);
  mechanism_advance(&m, integrator, 1);
  cr_expect(same_state(first, m.state), "%s, step %g: a second time", method, step);
  if (also_without_restoring)
    cr_expect(same_state(uninterrupted, m.state), "%s, step %g", method, step);
  for (size_t i = 0; i < 3 * mbs_n_bodies(m.model) && step == 0; i++)
    cr_expect_float_eq(first->q[i], uninterrupted->q[i], 1e-5, "%s: %.2e", method, first->q[i] - uninterrupted->q[i]);
  free(image);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(uninterrupted);
  mbs_state_destroy(first);
  mechanism_free(&m);
}

Test(methods, one_step_methods_restored_repeat_to_the_bit) {
  expect_repeats("erk", 0, true);
  expect_repeats("erk", 0.004, true);
  expect_repeats("radau", 0, true);
  expect_repeats("radau", 0.004, true);
  expect_repeats("euler", 0.0005, true);
  expect_repeats("symplectic_euler", 0.0005, true);
  expect_repeats("rk2", 0.004, true);
  expect_repeats("rk4", 0.004, true);
}

Test(methods, ida_restored_twice_repeats_to_the_bit) { expect_repeats("ida", 0, false); }

Test(methods, cvode_restored_twice_repeats_to_the_bit) { expect_repeats("cvode", 0, false); }

static void expect_refused_image(const char *saved_by, const char *restored_by) {
  seam_error error = {0};
  mechanism m = chain(3);
  mechanism_assemble(&m);
  mbs_integrator *from = mechanism_start_by(&m, saved_by, 1e-8, 0);
  mbs_integrator *to = mechanism_start_by(&m, restored_by, 1e-8, 0);
  const size_t size = mbs_integrator_image_size(from);
  void *image = malloc(size);
  cr_assert_not_null(image);
  mbs_integrator_save(from, image);
  cr_expect_eq(mbs_integrator_restore(to, image, size, &error), SEAM_BAD_STATE, "%s into %s", saved_by, restored_by);
  free(image);
  mbs_integrator_destroy(from);
  mbs_integrator_destroy(to);
  mechanism_free(&m);
}

Test(methods, an_image_of_another_method_is_refused) {
  static const char *const adaptive[] = {"erk", "radau", "ida", "cvode"};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      if (i != k)
        expect_refused_image(adaptive[i], adaptive[k]);
}

/* ---- Energy ---- */

/* Worst imbalance of energy over 1 s as a part of the largest kinetic energy. Frees m. */
static double imbalance(mechanism m, const char *method, double tolerance, double step) {
  double largest_kinetic = 0;
  double worst = 0;
  mechanism_assemble(&m);
  const double start = mbs_energy_of(m.ws, m.state).total;
  mbs_integrator *integrator = mechanism_start_by(&m, method, tolerance, step);
  for (int i = 1; i <= 20; i++) {
    mechanism_advance(&m, integrator, 0.05 * i);
    const mbs_energy e = mbs_energy_of(m.ws, m.state);
    largest_kinetic = fmax(largest_kinetic, e.kinetic);
    worst = fmax(worst, fabs(e.total + e.dissipated - e.driven - start));
    cr_expect(fabs(e.dissipated) + fabs(e.driven) > 0);
  }
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
  return worst / largest_kinetic;
}

/* Of a mechanism that only dissipates, and one with a motor, friction and a load. */
static void expect_balance(const char *method, double tolerance, double step, double allowed) {
  const double dissipating = imbalance(four_bar_bushing(), method, tolerance, step);
  const double driven = imbalance(driven_slider_crank(), method, tolerance, step);
  cr_expect_lt(dissipating, allowed, "%s: dissipating: %.2e", method, dissipating);
  cr_expect_lt(driven, allowed, "%s: driven: %.2e", method, driven);
}

Test(methods, erk_closes_the_balance) { expect_balance("erk", 1e-10, 0, 1e-8); }

Test(methods, radau_closes_the_balance) { expect_balance("radau", 1e-10, 0, 1e-8); }

Test(methods, ida_closes_the_balance) { expect_balance("ida", 1e-10, 0, 1e-6); }

Test(methods, cvode_closes_the_balance) { expect_balance("cvode", 1e-10, 0, 1e-6); }

Test(methods, rk4_closes_the_balance) { expect_balance("rk4", 1e-10, 0.0005, 1e-8); }

/* What the steps lose is halved with the step, or better. */
static void expect_closing_balance(const char *method, int order, mechanism (*make)(void)) {
  const double coarse = imbalance(make(), method, 1e-10, 0.0005);
  const double fine = imbalance(make(), method, 1e-10, 0.00025);
  cr_expect_lt(coarse, order == 1 ? 0.1 : 1e-4, "%s: %.2e", method, coarse);
  cr_expect_gt(log2(coarse / fine), order - 0.2, "%s: %.2e, %.2e", method, coarse, fine);
}

Test(methods, the_balance_closes_with_the_order_of_euler) {
  expect_closing_balance("euler", 1, four_bar_bushing);
  expect_closing_balance("euler", 1, driven_slider_crank);
}

Test(methods, the_balance_closes_with_the_order_of_symplectic_euler) {
  expect_closing_balance("symplectic_euler", 1, four_bar_bushing);
  expect_closing_balance("symplectic_euler", 1, driven_slider_crank);
}

Test(methods, the_balance_closes_with_the_order_of_rk2) {
  expect_closing_balance("rk2", 2, four_bar_bushing);
  expect_closing_balance("rk2", 2, driven_slider_crank);
}

/* ---- Frames ---- */

/* A rod hung under a cart that a driver moves steadily; it turns with 2 rad/s at first. */
static mechanism pendulum_under_cart(const double law[2]) {
  const double pivot[2] = {0, 0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "cart", 2, 1, (double[3]){0, 0, 0});
  add_rod(builder, "rod", pivot, (double[2]){0.6, -0.8}, 1);
  add_prismatic(builder, "rail", "ground", "cart", pivot, (double[2]){1, 0});
  add_joint(builder, "pivot", MBS_REVOLUTE, "cart", "rod", pivot);
  add_motion(builder, "drive", MBS_OF_X, "cart", "ground", law_of_steady_motion(law));
  mechanism m = mechanism_build(builder);
  const double v[6] = {law[1], 0, 0, law[1] + 0.8, 0.6, 2};
  memcpy(m.state->v, v, sizeof v);
  mechanism_assemble(&m);
  return m;
}

/* A steady drive is no acceleration: constraints that move and constraints at rest have the same motion about them. */
Test(methods, a_pendulum_swings_alike_under_carts_of_all_speeds) {
  static const double rest[2] = {0, 0};
  static const double steady[2] = {0, 3};
  static const char *const methods[] = {"euler", "symplectic_euler", "rk2", "rk4", "radau"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    mechanism m[2] = {pendulum_under_cart(rest), pendulum_under_cart(steady)};
    for (int k = 0; k < 2; k++) {
      mbs_integrator *integrator = mechanism_start_by(&m[k], methods[i], 1e-12, 0.01);
      mechanism_advance(&m[k], integrator, 2);
      mbs_integrator_destroy(integrator);
    }
    cr_expect_float_eq(m[1].state->q[3], m[0].state->q[3] + 6, 1e-9, "%s: %g", methods[i],
                       m[1].state->q[3] - m[0].state->q[3] - 6);
    cr_expect_float_eq(m[1].state->q[5], m[0].state->q[5], 1e-9, "%s: %g", methods[i],
                       m[1].state->q[5] - m[0].state->q[5]);
    cr_expect_float_eq(m[1].state->v[5], m[0].state->v[5], 1e-9, "%s", methods[i]);
    mechanism_free(&m[0]);
    mechanism_free(&m[1]);
  }
}

/* ---- Stiffness ---- */

/* Accepted steps of Li's four-bar with a bushing of 1e8 N/m, at the tolerance 1e-4. */
static size_t steps_of_stiff(const char *method, double damping) {
  mechanism m = four_bar_stiff(1e8, damping);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, method, 1e-4, 0);
  mbs_integrator_set_stop(integrator, 0.5);
  mechanism_advance(&m, integrator, 0.5);
  const size_t steps = mbs_integrator_statistics(integrator).steps;
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
  return steps;
}

static void expect_few_steps(const char *method, double damping) {
  const size_t explicit_steps = steps_of_stiff("erk", damping);
  const size_t steps = steps_of_stiff(method, damping);
  cr_expect_lt(15 * steps, explicit_steps, "%s: %zu, erk: %zu", method, steps, explicit_steps);
}

Test(methods, radau_takes_few_steps_of_a_stiff_damped_bushing) { expect_few_steps("radau", 1e4); }

Test(methods, ida_takes_few_steps_of_a_stiff_damped_bushing) { expect_few_steps("ida", 1e4); }

Test(methods, radau_takes_few_steps_of_a_stiff_bushing) { expect_few_steps("radau", 10); }

Test(methods, ida_takes_few_steps_of_a_stiff_bushing) { expect_few_steps("ida", 10); }

/* Steps of a bushing of 1e8 N/m over 3 s at tolerances from 1e-8 to 2e-8; the largest error of positions and rates. */
static void run_stiff(const char *method, double tolerance, mechanism *m, size_t *steps) {
  *m = four_bar_stiff(1e8, 1e4);
  mechanism_assemble(m);
  mbs_integrator *integrator = mechanism_start_by(m, method, tolerance, 0);
  mbs_integrator_set_stop(integrator, 3);
  mechanism_advance(m, integrator, 3);
  *steps = mbs_integrator_statistics(integrator).steps;
  mbs_integrator_destroy(integrator);
}

/* They were 1400 to 100000 with ida: velocities of what is stiff have errors that do nothing afterwards, but held
 * steps short. */
static void expect_steps_near(const char *method, size_t most, double allowed) {
  size_t steps = 0;
  mechanism exact;
  run_stiff("radau", 1e-12, &exact, &steps);
  for (int k = 0; k < 12; k++) {
    const double tolerance = 1e-8 * pow(2, k / 11.0);
    double error = 0;
    mechanism m;
    run_stiff(method, tolerance, &m, &steps);
    for (size_t i = 0; i < 12; i++) {
      error = fmax(error, fabs(m.state->q[i] - exact.state->q[i]));
      error = fmax(error, fabs(m.state->v[i] - exact.state->v[i]) / 10);
    }
    cr_expect_lt(steps, most, "%s at %.3g: %zu", method, tolerance, steps);
    cr_expect_lt(error, allowed, "%s at %.3g: %.2e", method, tolerance, error);
    mechanism_free(&m);
  }
  mechanism_free(&exact);
}

Test(methods, steps_of_ida_on_a_stiff_bushing_follow_the_tolerance) { expect_steps_near("ida", 1200, 1e-5); }

Test(methods, steps_of_cvode_on_a_stiff_bushing_follow_the_tolerance) { expect_steps_near("cvode", 6000, 1e-5); }

/* ---- Long chains ---- */

/* 1000 rods for 0.05 s: the free end, far from the pivot, has only fallen. */
static void expect_long_chain(const char *method, double step, double allowed) {
  const size_t last = 999;
  const double end = 0.05;
  mechanism m = chain(1000);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, method, 1e-6, step);
  mbs_integrator_set_stop(integrator, end);
  mechanism_advance(&m, integrator, end);
  cr_expect_float_eq(m.state->q[3 * last + 1], -9.81 / 2 * end * end, allowed, "%s: %.2e", method,
                     m.state->q[3 * last + 1] + 9.81 / 2 * end * end);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(methods, erk_moves_a_thousand_rods) { expect_long_chain("erk", 0, 1e-6); }

/* What rounding leaves at joints was taken for an error of the step that removed it, however small. */
Test(methods, erk_holds_the_strictest_tolerance_on_a_thousand_rods) {
  mechanism m = chain(1000);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, "erk", 1e-13, 0);
  mbs_integrator_set_stop(integrator, 0.1);
  mechanism_advance(&m, integrator, 0.1);
  const mbs_statistics statistics = mbs_integrator_statistics(integrator);
  cr_expect_lt(4 * statistics.rejected, statistics.steps, "%zu of %zu", statistics.rejected, statistics.steps);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(methods, radau_moves_a_thousand_rods) { expect_long_chain("radau", 0, 1e-6); }

Test(methods, ida_moves_a_thousand_rods) { expect_long_chain("ida", 0, 1e-5); }

Test(methods, cvode_moves_a_thousand_rods) { expect_long_chain("cvode", 0, 1e-5); }

Test(methods, rk4_moves_a_thousand_rods) { expect_long_chain("rk4", 0.005, 1e-6); }

Test(methods, rk2_moves_a_thousand_rods) { expect_long_chain("rk2", 0.005, 1e-6); }

/* Off by half a step of the speed that is reached: g t h / 2. */
Test(methods, euler_moves_a_thousand_rods) { expect_long_chain("euler", 0.005, 9.81 * 0.05 * 0.005 / 2 + 1e-6); }

Test(methods, symplectic_euler_moves_a_thousand_rods) {
  expect_long_chain("symplectic_euler", 0.005, 9.81 * 0.05 * 0.005 / 2 + 1e-6);
}

/* ---- Masses far apart ---- */

/* A hub of 10 kg with arms of 1 kg and `mass` kg in turns, at rest: all fall alike. */
static mechanism falling_hub(double mass) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "hub", 10, 5, (double[3]){0});
  for (int i = 0; i < 20; i++) {
    const double P[2] = {cos(i), sin(i)};
    const double Q[2] = {2 * cos(i), 2 * sin(i)};
    char names[2][8];
    snprintf(names[0], sizeof names[0], "arm%d", i);
    snprintf(names[1], sizeof names[1], "J%d", i);
    add_rod(builder, names[0], P, Q, i % 2 == 0 ? 1 : mass);
    add_joint(builder, names[1], MBS_REVOLUTE, "hub", names[0], P);
  }
  return mechanism_build(builder);
}

static void expect_free_fall(const char *method, double mass) {
  mechanism m = falling_hub(mass);
  mechanism_assemble(&m);
  const double height = m.state->q[1];
  mbs_integrator *integrator = mechanism_start_by(&m, method, 1e-8, 0);
  mbs_integrator_set_stop(integrator, 1);
  const seam_status status = mbs_integrator_advance(integrator, 1, m.state, &m.error);
  cr_expect_eq(status, SEAM_OK, "%s, %g kg: %s", method, mass, m.error.message);
  cr_expect_float_eq(m.state->q[1], height - 9.81 / 2, 1e-6, "%s, %g kg: %.9g m", method, mass, m.state->q[1]);
  cr_expect_lt(mbs_integrator_statistics(integrator).steps, 1000, "%s, %g kg", method, mass);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(methods, arms_that_weigh_far_more_than_others_fall_alike) {
  static const double masses[] = {1e-9, 1, 1e6, 1e9, 1e12};
  for (size_t i = 0; i < sizeof masses / sizeof *masses; i++) {
    expect_free_fall("radau", masses[i]);
    expect_free_fall("ida", masses[i]);
  }
}
