/* One large mechanism by several threads: no number of them changes a bit, and the motion is the right one. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/integrate/integrator_internal.h"
#include "solvers/ldl_plan.h"
#include "tests/support/mechanisms.h"

enum { n_rods = MBS_LARGE + 100, MAX_THREADS = 4 };

/* ---- Runs ---- */

typedef struct way {
  const char *method;
  double step, end; /* s; 0: adaptive */
} way;

static mbs_state *assembled(mechanism *m) {
  mbs_state *state = NULL;
  cr_assert_eq(mbs_state_create(m->model, &state, NULL), SEAM_OK);
  cr_assert_eq(mbs_assemble(m->ws, state, NULL, NULL, NULL), SEAM_OK);
  return state;
}

/* The state at the end, and whether there were threads. */
static mbs_state *run_with_threads(mechanism *m, const way *by, int n_threads, bool *is_shared) {
  mbs_integrator_options options = mbs_default_integrator_options();
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  mbs_state *state = assembled(m);
  options.method = by->method;
  options.order = 5;
  options.rtol = options.atol = 1e-8;
  options.step = by->step;
  options.n_threads = n_threads;
  cr_assert_eq(mbs_integrator_create(m->model, &options, &integrator, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_advance(integrator, by->end, state, &error), SEAM_OK, "%s", error.message);
  *is_shared = integrator->workers.pool != NULL;
  mbs_integrator_destroy(integrator);
  return state;
}

static void expect_same_bits(mechanism m, const way *by) {
  bool is_shared = true;
  const bool is_large = m.model->n_bodies >= MBS_LARGE;
  mbs_state *one = run_with_threads(&m, by, 1, &is_shared);
  cr_expect_not(is_shared);
  for (int n = 2; n <= MAX_THREADS; n++) {
    mbs_state *several = run_with_threads(&m, by, n, &is_shared);
    cr_expect_eq(is_shared, is_large, "%d threads", n);
    cr_expect_eq(memcmp(one->q, several->q, one->n_values * sizeof *one->q), 0, "%s, %d threads", by->method, n);
    mbs_state_destroy(several);
  }
  mbs_state_destroy(one);
  mechanism_free(&m);
}

Test(threads, a_chain_by_fixed_steps_has_the_same_bits) { expect_same_bits(chain(n_rods), &(way){"rk4", 1e-3, 4e-3}); }

Test(threads, a_chain_by_adaptive_steps_has_the_same_bits) { expect_same_bits(chain(n_rods), &(way){"erk", 0, 1e-2}); }

/* Rods on bushings, some with drag, a torque, a drive with a lag: kinds of force elements with and without laws and
 * states, out of order. */
static void add_forces(mbs_builder *builder, int i) {
  static const double push[] = {3, 2, 5};
  static const double damping[3] = {0.1, 0.2, 0.3};
  char name[32];
  char rod[32];
  char other[32] = "ground";
  const char *bodies[2];
  snprintf(rod, sizeof rod, "rod%d", i);
  snprintf(name, sizeof name, "bushing%d", i);
  if (i > 0)
    snprintf(other, sizeof other, "rod%d", i - 1);
  mbs_force_def bushing = force_between(name, MBS_BUSHING, bodies, rod, other, (double[2]){i, 0});
  for (int c = 0; c < 3; c++) {
    bushing.stiffness[c] = 1e3;
    bushing.damping[c] = 10;
  }
  add_force(builder, &bushing);
  snprintf(name, sizeof name, "other%d", i);
  mbs_force_def torque = force_between(name, MBS_TORQUE, bodies, rod, NULL, (double[2]){i, 0});
  torque.law = law_of_time(push);
  mbs_force_def air = force_between(name, MBS_VISCOUS, bodies, rod, NULL, (double[2]){i, 0});
  memcpy(air.damping, damping, sizeof damping);
  mbs_force_def drive = force_between(name, MBS_ROTARY_ACTUATOR, bodies, "ground", rod, (double[2]){i, 0});
  drive.law = law_of_time(push);
  drive.actuator.lag = 0.2;
  if (i % 7 < 3)
    add_force(builder, i % 7 == 0 ? &torque : i % 7 == 1 ? &air : &drive);
}

static mechanism soft_rope(void) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  for (int i = 0; i < n_rods; i++) {
    char rod[32];
    snprintf(rod, sizeof rod, "rod%d", i);
    add_rod(builder, rod, (double[2]){i, 0}, (double[2]){i + 1, 0.1 * (i % 2)}, 1);
  }
  for (int k = 0; k < n_rods; k++)
    add_forces(builder, 11 * k % n_rods);
  return mechanism_build(builder);
}

Test(threads, a_rope_of_bushings_has_the_same_bits) { expect_same_bits(soft_rope(), &(way){"erk", 0, 1e-2}); }

Test(threads, a_small_chain_has_one_thread) { expect_same_bits(chain(10), &(way){"erk", 0, 1e-2}); }

/* ---- Physics ---- */

/* Of the equations of motion, forces that would have to act beside those that do; and energy. */
Test(threads, a_chain_moves_as_it_must) {
  bool is_shared = false;
  mechanism m = chain(n_rods);
  mbs_state *start = assembled(&m);
  const double before = mbs_energy_of(m.ws, start).total;
  mbs_state *end = run_with_threads(&m, &(way){"erk", 0, 0.02}, MAX_THREADS, &is_shared);
  double *forces = calloc(7 * (size_t)n_rods, sizeof *forces);
  double *g = forces + (size_t)(3 * n_rods);
  double largest = 0;
  double residual = 0;
  cr_assert_not_null(forces);
  cr_expect(is_shared);
  mbs_inverse_dynamics(m.ws, end, end->a, end->lambda, forces);
  for (int i = 0; i < 3 * n_rods; i++)
    largest = fmax(largest, fabs(forces[i]));
  cr_expect_lt(largest, 1e-9, "%g N beside gravity and joints", largest);
  mbs_residuals(m.ws, end, g, g + 2 * (ptrdiff_t)n_rods, NULL);
  for (int i = 0; i < 4 * n_rods; i++)
    residual = fmax(residual, fabs(g[i]));
  cr_expect_lt(residual, 1e-10, "%g m or m/s between rods", residual);
  cr_expect_float_eq(mbs_energy_of(m.ws, end).total, before, 1e-6 * fabs(mbs_energy_of(m.ws, end).kinetic));
  free(forces);
  mbs_state_destroy(start);
  mbs_state_destroy(end);
  mechanism_free(&m);
}

/* ---- Elimination ---- */

/* Jobs share the work evenly: none has more than six tenths of it. */
Test(threads, a_chain_is_eliminated_in_jobs) {
  mechanism m = chain(n_rods);
  const seam_ldl_plan *plan = m.model->elimination.plan;
  double all = 0;
  cr_assert_eq(plan->n_jobs, 2);
  for (int k = 0; k < plan->n_blocks; k++)
    all += seam_ldl_column_cost(plan, k);
  for (int job = 0; job < plan->n_jobs; job++) {
    double cost = 0;
    for (int k = plan->job[job].column; k < plan->job[job].end_column; k++)
      cost += seam_ldl_column_cost(plan, k);
    cr_expect_lt(cost, 0.6 * all);
    cr_expect_gt(cost, 0.4 * all);
  }
  mechanism_free(&m);
}

/* ---- Options ---- */

Test(threads, a_negative_number_is_refused) {
  mechanism m = chain(2);
  mbs_integrator_options options = mbs_default_integrator_options();
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  options.n_threads = -1;
  cr_expect_eq(mbs_integrator_create(m.model, &options, &integrator, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "n_threads is -1, but must be 1 or more, or 0 to choose it by a trial");
  mechanism_free(&m);
}
