/* States inside a step: polynomials that must be exact, motions that they cannot follow, and what is counted. */
#include "solvers/inside.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* y = (position, its rate, a multiplier, another unknown; a quadrature). */
enum { Q, V, LAMBDA, Z, W, n_y, n = W };

typedef struct motion {
  double power; /* q = t^power, z = t^(power - 2), w = z; 0: q = z = w = sin of `frequency` t */
  double frequency;
  double fails_at;
  int n_calls;
} motion;

static void fill(const motion *m, double t, double *y, double *dy) {
  const double p = m->power;
  const double f = m->frequency;
  const double q[3] = {p > 0 ? pow(t, p) : sin(f * t), p > 0 ? p * pow(t, p - 1) : f * cos(f * t),
                       p > 0 ? p * (p - 1) * pow(t, p - 2) : -f * f * sin(f * t)};
  const double z[2] = {p > 0 ? pow(t, p - 2) : q[0], p > 0 ? (p - 2) * pow(t, p - 3) : q[1]};
  const double values[n_y] = {q[0], q[1], 7, z[0], z[0]};
  const double rates[n_y] = {q[1], q[2], 0, z[1], z[1]};
  memcpy(y, values, sizeof values);
  memcpy(dy, rates, sizeof rates);
}

static seam_status rates_at(void *owner, double t, const double *y, double *dy, seam_error *error) {
  motion *m = owner;
  double exact[n_y];
  (void)y, (void)error;
  m->n_calls++;
  fill(m, t, exact, dy);
  return t >= m->fails_at ? SEAM_SINGULAR : SEAM_OK;
}

typedef struct bench {
  motion motion;
  seam_dae dae;
  double y_begin[n_y], y_end[n_y];
  double memory[1 + 5 * n_y];
  seam_step step;
  size_t n_evaluations;
} bench;

static const double mass[n] = {1, 2, 0, 1};

static void set_up(bench *b, double power, double frequency) {
  double rates[n_y];
  *b = (bench){.motion = {power, frequency, INFINITY, 0}};
  b->dae =
      (seam_dae){.n = n, .n_quadratures = 1, .mass = mass, .n_positions = 1, .rates_at = rates_at, .owner = &b->motion};
  b->step = (seam_step){.begin = 0.5, .end = 1.5, .y_begin = b->y_begin, .y_end = b->y_end};
  fill(&b->motion, b->step.begin, b->y_begin, rates);
  fill(&b->motion, b->step.end, b->y_end, rates);
  cr_assert_eq(seam_inside_length(&b->dae), sizeof b->memory / sizeof *b->memory);
}

static bool prepare(bench *b, double tolerance) {
  const seam_tolerances tolerances = {.rtol = tolerance, .atol = tolerance};
  double scratch[n_y] = {0};
  return seam_inside_prepare(&b->dae, &tolerances, &b->step, b->memory, scratch, &b->n_evaluations);
}

/* The largest error anywhere inside. */
static double error_of(bench *b) {
  double largest = 0;
  for (int k = 0; k <= 20; k++) {
    const double t = b->step.begin + (b->step.end - b->step.begin) * k / 20;
    double y[n_y] = {0};
    double exact[n_y];
    double rates[n_y];
    y[LAMBDA] = 7;
    seam_inside_find(&b->dae, &b->step, t, b->memory, y);
    fill(&b->motion, t, exact, rates);
    for (int i = 0; i < n_y; i++)
      largest = fmax(largest, fabs(y[i] - exact[i]));
  }
  return largest;
}

/* Velocities of degree 4, 5 and 6 by one, two and three evaluations inside, at tolerances that ask for so many. */
Test(inside, an_evaluation_more_makes_a_degree_more_exact) {
  const double tolerances[] = {10, 0.1, 0.01};
  for (int k = 0; k < 3; k++) {
    bench b;
    set_up(&b, 5 + k, 0);
    cr_assert(prepare(&b, tolerances[k]));
    cr_expect_eq(b.n_evaluations, (size_t)(3 + k), "degree %d: %zu evaluations", 4 + k, b.n_evaluations);
    cr_expect_lt(error_of(&b), 1e-12);
  }
}

/* A position that misses the integral of its velocity by the error of a step leaves the velocity as it is. */
Test(inside, an_error_of_position_is_no_velocity) {
  const double missed = 1e-3;
  double y[n_y] = {0}, exact[n_y], rates[n_y];
  bench b;
  set_up(&b, 5, 0);
  b.y_end[Q] += missed;
  cr_assert(prepare(&b, 10));
  seam_inside_find(&b.dae, &b.step, 1, b.memory, y);
  fill(&b.motion, 1, exact, rates);
  cr_expect_float_eq(y[Q] - exact[Q], missed / 2, 1e-12);
  cr_expect_float_eq(y[V], exact[V], 1e-12);
}

Test(inside, what_is_accepted_is_within_the_tolerance) {
  int n_accepted = 0;
  for (int k = 0; k < 20; k++) {
    const double frequency = 0.1 * pow(1.3, k);
    bench b;
    set_up(&b, 0, frequency);
    if (!prepare(&b, 1e-4))
      continue;
    n_accepted++;
    cr_expect_lt(error_of(&b), 1e-4 * (1 + frequency), "frequency %g", frequency);
  }
  cr_expect_geq(n_accepted, 5);
}

Test(inside, a_motion_too_fast_is_refused) {
  bench b;
  set_up(&b, 0, 10);
  cr_expect_not(prepare(&b, 1e-4));
  cr_expect_not(prepare(&b, 1e-4), "nor asked again");
  cr_expect_eq(b.motion.n_calls, 5);
}

Test(inside, where_rates_do_not_exist_nothing_is_known) {
  for (int i = 0; i < 3; i++) {
    const double fails_at[] = {0.5, 0.7, 1.4}; /* at the beginning, inside, at the end */
    bench b;
    set_up(&b, 5, 0);
    b.motion.fails_at = fails_at[i];
    cr_expect_not(prepare(&b, 10));
  }
}

Test(inside, not_a_number_is_refused) {
  bench b;
  set_up(&b, 5, 0);
  b.y_end[Q] = NAN;
  cr_expect_not(prepare(&b, 10));
}

/* The rates at the end of a step are those at the beginning of the next. */
Test(inside, a_step_that_follows_costs_two_evaluations) {
  bench b;
  double rates[n_y];
  set_up(&b, 5, 0);
  cr_assert(prepare(&b, 10));
  cr_assert_eq(b.n_evaluations, 3);
  seam_inside_begin_next(&b.dae, b.memory);
  b.step.begin = 1.5;
  b.step.end = 1.7;
  fill(&b.motion, 1.5, b.y_begin, rates);
  fill(&b.motion, 1.7, b.y_end, rates);
  cr_assert(prepare(&b, 10));
  cr_expect_eq(b.n_evaluations, 5);
  cr_expect_lt(error_of(&b), 1e-11);
}
