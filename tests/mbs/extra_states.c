/* Extra states of an integration: integrals and sensitivities, and many short runs in a row. */
#include "mbs/integrate/integrator.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/stages/stages.h"
#include "tests/support/differences.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

enum { MAX_VALUES = 64 };

/* ---- Extra states ---- */

/* r' = q: integrals of positions. */
static seam_status positions(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r,
                             double *dr, seam_error *error) {
  (void)context, (void)ws, (void)r, (void)error;
  memcpy(dr, now->q, n * sizeof *dr);
  return SEAM_OK;
}

/* r' = v. */
static seam_status rates_of_positions(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r,
                                      double *dr, seam_error *error) {
  (void)context, (void)ws, (void)r, (void)error;
  memcpy(dr, now->v, n * sizeof *dr);
  return SEAM_OK;
}

/* r = (δq, δv) of each direction: r' = (δv, δa). */
static seam_status sensitivities(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r,
                                 double *dr, seam_error *error) {
  (void)error;
  mbs_linearised *linear = context;
  const size_t n_q = 3 * mbs_n_bodies(linear->model);
  mbs_linearise(linear, ws, now);
  for (size_t i = 0; i < n; i += 2 * n_q) {
    double dlambda[MAX_VALUES] = {0};
    memcpy(dr + i, r + i + n_q, n_q * sizeof *dr);
    memset(dr + i + n_q, 0, n_q * sizeof *dr);
    mbs_linearised_solve(linear, ws, r + i, r + i + n_q, NULL, dr + i + n_q, dlambda);
  }
  return SEAM_OK;
}

/* ---- Short ways ---- */

static mbs_integrator_options options_of(const char *method, int order, double tolerance, double step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.order = order;
  options.rtol = options.atol = tolerance;
  options.step = step;
  return options;
}

static mbs_integrator *create(const mechanism *m, mbs_integrator_options options, const mbs_extra_states *extra) {
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  cr_assert_eq(mbs_integrator_create_with(m->model, &options, extra, &integrator, &error), SEAM_OK, "%s",
               error.message);
  return integrator;
}

static void restart(mechanism *m, mbs_integrator *integrator, size_t n, const double *r, seam_step_memory memory) {
  cr_assert_eq(mbs_integrator_restart(integrator, m->state, n, r, &memory, &m->error), SEAM_OK, "%s", m->error.message);
}

static void reach(mechanism *m, mbs_integrator *integrator, double t, double *r) {
  mbs_integrator_set_stop(integrator, t);
  cr_assert_eq(mbs_integrator_reach(integrator, t, m->state, r, false, &m->error), SEAM_OK, "%s", m->error.message);
}

/* ---- Integrals ---- */

/* Thrown at (1, 2) with (3, 4) m/s and 5 rad/s. */
static mechanism thrown_body(void) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "stone", 2, 1, (double[3]){1, 2, 0});
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v, (double[3]){3, 4, 5}, 3 * sizeof(double));
  return m;
}

static void expect_integrals(const char *method, double step, double tolerance) {
  const mbs_extra_states extra = {.n = 3, .rates = positions};
  const double t = 1.5;
  mechanism m = thrown_body();
  mbs_integrator *integrator = create(&m, options_of(method, 4, 1e-10, step), &extra);
  double r[3];
  restart(&m, integrator, 3, (double[3]){0, 10, 0}, (seam_step_memory){0});
  reach(&m, integrator, t, r);
  cr_expect_float_eq(r[0], t + 1.5 * t * t, tolerance, "%s: %.17g", method, r[0]);
  cr_expect_float_eq(r[1], 10 + 2 * t + 2 * t * t - 9.81 / 6 * t * t * t, tolerance, "%s: %.17g", method, r[1]);
  cr_expect_float_eq(r[2], 2.5 * t * t, tolerance, "%s: %.17g", method, r[2]);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(extra_states, integrals_of_a_thrown_bodys_path_are_exact) {
  expect_integrals("erk", 0, 1e-13);
  expect_integrals("erk", 0.4, 1e-13);
  expect_integrals("rk4", 0.4, 1e-13);
}

Test(extra_states, cvode_carries_integrals) {
  const mbs_extra_states extra = {.n = 6, .rates = rates_of_positions};
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_integrator *integrator = create(&m, options_of("cvode", 8, 1e-8, 0), &extra);
  double r[6];
  restart(&m, integrator, 6, m.state->q, (seam_step_memory){0});
  reach(&m, integrator, 1, r);
  expect_close(r, m.state->q, 6, 1e-5, "integrals of rates");
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(extra_states, a_start_takes_all_extra_states_at_zero) {
  const mbs_extra_states extra = {.n = 3, .rates = positions};
  mechanism m = thrown_body();
  mbs_integrator *integrator = create(&m, options_of("erk", 4, 1e-10, 0), &extra);
  double r[3] = {7, 7, 7};
  cr_assert_eq(mbs_integrator_start(integrator, m.state, NULL), SEAM_OK);
  reach(&m, integrator, 1, r);
  cr_expect_float_eq(r[0], 2.5, 1e-13);
  cr_expect_float_eq(r[2], 2.5, 1e-13);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Sensitivities ---- */

/* A start s · (δq, δv) beside a mechanism's, made consistent, and where it leads. */
typedef struct experiment {
  mechanism *m;
  mbs_integrator_options options;
  double t;
  double change[MAX_VALUES]; /* δq, δv: tangents to the constraints */
} experiment;

/* x (3n) -= M⁻¹ Gᵀ S⁻¹ (G x + rate): least change that makes G x + rate zero. */
static void make_tangent(mechanism *m, double *x, const double *rate) {
  double y[MAX_VALUES];
  mbs_multiply_G(m->ws, x, y);
  for (int i = 0; i < m->model->n_rows; i++)
    y[i] += rate[i];
  mbs_solve(m->ws, y);
  mbs_add_WGt(m->ws, m->model->inverse_mass, -1, y, x);
}

static experiment experiment_of(mechanism *m, const char *method, double tolerance, double step, double t) {
  experiment e = {.m = m, .options = options_of(method, 8, tolerance, step), .t = t};
  const int n = 3 * m->model->n_bodies;
  double rate[MAX_VALUES] = {0};
  uint64_t seed = 1;
  mbs_linearised *linear = new_linearised(m->model);
  cr_assert_eq(mbs_accelerate(m->ws, m->state, NULL), SEAM_OK);
  mbs_linearise(linear, m->ws, m->state);
  for (int i = 0; i < 2 * n; i++)
    e.change[i] = random_between(&seed, -1, 1);
  make_tangent(m, e.change, rate);
  for (int i = 0; i < m->model->n_rows; i++) {
    const int *body = m->model->joints[m->model->joint_of_row[i]].body;
    for (int k = 0; k < 6; k++)
      if (body[k / 3] != 0)
        rate[i] += linear->rows[i].Jdot[k] * e.change[3 * (body[k / 3] - 1) + k % 3];
  }
  make_tangent(m, e.change + n, rate);
  mbs_linearised_destroy(linear);
  return e;
}

/* (q, v) at time t from s times the change. */
static void end_of(const void *context, const double *s, double *end) {
  const experiment *e = context;
  const size_t n = 6 * mbs_n_bodies(e->m->model);
  mbs_state *state = new_state(e->m->model);
  mbs_integrator *integrator = create(e->m, e->options, NULL);
  mbs_state_copy(state, e->m->state);
  for (size_t i = 0; i < n; i++)
    state->q[i] += *s * e->change[i];
  cr_assert_eq(mbs_project(e->m->ws, state->t, state->q, state->v, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(integrator, state, NULL), SEAM_OK);
  mbs_integrator_set_stop(integrator, e->t);
  cr_assert_eq(mbs_integrator_advance(integrator, e->t, state, NULL), SEAM_OK);
  memcpy(end, state->q, n * sizeof *end);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
}

static void expect_sensitivities(mechanism m, const char *method, double rtol, double step, double t,
                                 double tolerance) {
  mechanism_assemble(&m);
  const experiment e = experiment_of(&m, method, rtol, step, t);
  const size_t n = 6 * mbs_n_bodies(m.model);
  double expected[MAX_VALUES];
  double r[MAX_VALUES];
  differentiate(end_of, &e, (double[1]){0}, 1, (int)n, expected);
  mbs_linearised *linear = new_linearised(m.model);
  const mbs_extra_states extra = {.n = n, .rates = sensitivities, .context = linear};
  mbs_integrator *integrator = create(&m, e.options, &extra);
  restart(&m, integrator, n, e.change, (seam_step_memory){0});
  reach(&m, integrator, t, r);
  expect_close(r, expected, (int)n, tolerance, method);
  mbs_integrator_destroy(integrator);
  mbs_linearised_destroy(linear);
  mechanism_free(&m);
}

Test(extra_states, sensitivities_of_a_double_pendulum_are_derivatives) {
  expect_sensitivities(double_pendulum(), "erk", 1e-12, 0, 0.7, 1e-9);
}

Test(extra_states, sensitivities_of_a_four_bar_mechanism_are_derivatives) {
  expect_sensitivities(four_bar_fixed(), "erk", 1e-12, 0, 0.7, 1e-9);
  expect_sensitivities(four_bar_bushing(), "erk", 1e-12, 0, 0.01, 1e-7);
}

Test(extra_states, sensitivities_of_a_driven_mechanism_are_derivatives) {
  expect_sensitivities(driven_slider_crank(), "erk", 1e-12, 0, 0.7, 1e-7);
}

Test(extra_states, fixed_steps_carry_sensitivities) {
  expect_sensitivities(double_pendulum(), "rk4", 1e-8, 1e-3, 0.7, 1e-7);
  expect_sensitivities(double_pendulum(), "rk2", 1e-8, 1e-3, 0.7, 1e-3);
  expect_sensitivities(double_pendulum(), "symplectic_euler", 1e-8, 1e-4, 0.1, 1e-2);
}

/* ---- Restarts ---- */

Test(extra_states, extra_states_do_not_change_the_motion) {
  const double t[] = {0.1, 0.25};
  double end[2][MAX_VALUES];
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_state *start = new_state(m.model);
  mbs_state_copy(start, m.state);
  const size_t n = 6 * mbs_n_bodies(m.model);
  mbs_linearised *linear = new_linearised(m.model);
  const mbs_extra_states extra = {.n = 3 * n, .rates = sensitivities, .context = linear};
  mbs_integrator *integrator = create(&m, options_of("erk", 8, 1e-8, 0), &extra);
  const double r[3 * MAX_VALUES] = {1};
  for (int few = 0; few < 2; few++) {
    mbs_state_copy(m.state, start);
    for (int i = 0; i < 2; i++) {
      restart(&m, integrator, few ? 0 : (size_t)(3 - i) * n, r, mbs_integrator_step_memory(integrator));
      reach(&m, integrator, t[i], NULL);
    }
    memcpy(end[few], m.state->q, n * sizeof **end);
    mbs_integrator_start(integrator, start, NULL); /* forgets the step memory */
  }
  cr_expect_arr_eq(end[0], end[1], n * sizeof **end);
  mbs_integrator_destroy(integrator);
  mbs_linearised_destroy(linear);
  mbs_state_destroy(start);
  mechanism_free(&m);
}

/* Evaluations of 100 short runs in a row. */
static size_t evaluations(const char *method, bool with_memory) {
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_integrator *integrator = create(&m, options_of(method, 8, 1e-6, 0), NULL);
  seam_step_memory memory = {0};
  for (int i = 1; i <= 100; i++) {
    restart(&m, integrator, 0, NULL, memory);
    reach(&m, integrator, 1e-3 * i, NULL);
    if (with_memory)
      memory = mbs_integrator_step_memory(integrator);
  }
  const size_t count = mbs_integrator_statistics(integrator).evaluations;
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
  return count;
}

Test(extra_states, step_memory_spares_the_first_guess) {
  cr_expect_leq(evaluations("erk", true) + 2 * 99, evaluations("erk", false));
  cr_expect_lt(evaluations("radau", true), evaluations("radau", false));
}

Test(extra_states, step_memory_outlives_runs_shorter_than_a_step) {
  cr_expect_leq(evaluations("erk", true), 12 * (100 + 4)); /* one step a run */
}

Test(extra_states, every_method_goes_on_from_a_restart) {
  const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    mechanism whole = double_pendulum();
    mechanism_assemble(&whole);
    mechanism parts = double_pendulum();
    mechanism_assemble(&parts);
    mbs_integrator *integrator = create(&whole, options_of(methods[k], 8, 1e-8, 0), NULL);
    restart(&whole, integrator, 0, NULL, (seam_step_memory){0});
    reach(&whole, integrator, 0.5, NULL);
    for (int i = 1; i <= 5; i++) {
      restart(&parts, integrator, 0, NULL, mbs_integrator_step_memory(integrator));
      reach(&parts, integrator, 0.1 * i, NULL);
    }
    expect_close(parts.state->q, whole.state->q, 14, 1e-5, methods[k]);
    mbs_integrator_destroy(integrator);
    mechanism_free(&parts);
    mechanism_free(&whole);
  }
}

Test(extra_states, accelerations_are_left_alone_where_they_are_not_wanted) {
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_integrator *integrator = create(&m, options_of("erk", 8, 1e-8, 0), NULL);
  const double a = m.state->a[0];
  restart(&m, integrator, 0, NULL, (seam_step_memory){0});
  reach(&m, integrator, 0.1, NULL);
  cr_expect_eq(m.state->a[0], a);
  cr_assert_eq(mbs_integrator_reach(integrator, 0.1, m.state, NULL, true, NULL), SEAM_OK);
  cr_expect_neq(m.state->a[0], a);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(extra_states, images_hold_extra_states) {
  const mbs_extra_states extra = {.n = 6, .rates = positions};
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_integrator *integrator = create(&m, options_of("erk", 8, 1e-8, 0), &extra);
  const size_t size = mbs_integrator_image_size(integrator);
  void *image = malloc(size);
  double first[4] = {0};
  double second[4] = {0};
  restart(&m, integrator, 4, first, (seam_step_memory){0});
  reach(&m, integrator, 0.3, first);
  mbs_integrator_save(integrator, image);
  reach(&m, integrator, 0.5, first);
  cr_assert_eq(mbs_integrator_start(integrator, m.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_restore(integrator, image, size, NULL), SEAM_OK);
  reach(&m, integrator, 0.5, second);
  cr_expect_arr_eq(first, second, sizeof first);
  free(image);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Refusals ---- */

Test(extra_states, stabilised_forms_refuse_extra_states) {
  const char *const methods[] = {"radau", "ida"};
  const mbs_extra_states extra = {.n = 1, .rates = positions};
  mechanism m = double_pendulum();
  for (int i = 0; i < 2; i++) {
    const mbs_integrator_options options = options_of(methods[i], 8, 1e-8, 0);
    mbs_integrator *integrator = NULL;
    cr_expect_eq(mbs_integrator_create_with(m.model, &options, &extra, &integrator, &m.error), SEAM_BAD_INPUT);
    cr_expect_not_null(strstr(m.error.message, methods[i]), "%s", m.error.message);
  }
  mechanism_free(&m);
}

Test(extra_states, more_extra_states_than_the_integrator_carries_are_refused) {
  const mbs_extra_states extra = {.n = 1, .rates = positions};
  mechanism m = double_pendulum();
  mbs_integrator *integrator = create(&m, options_of("erk", 8, 1e-8, 0), &extra);
  const double r[2] = {0};
  cr_expect_eq(mbs_integrator_restart(integrator, m.state, 2, r, &(seam_step_memory){0}, &m.error), SEAM_BAD_INPUT);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}
