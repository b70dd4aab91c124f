/* NOLINTBEGIN(readability-non-const-parameter): the type of f is seam_dae's. */
#include "tests/support/implicit_problems.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* ---- A stiff linear equation ---- */

static const double stiffness = 1e6;

static seam_status stiff_f(void *context, double t, const double *y, double *f, double *quadrature, seam_error *error) {
  (void)context, (void)error;
  f[0] = -stiffness * (y[0] - cos(t)) - sin(t);
  f[1] = y[0];
  if (quadrature != NULL)
    quadrature[0] = y[1];
  return SEAM_OK;
}

static seam_status stiff_jacobian(void *context, double t, const double *y, double *value, seam_error *error) {
  (void)context, (void)t, (void)y, (void)error;
  value[0] = -stiffness;
  value[1] = 1;
  value[2] = 0;
  return SEAM_OK;
}

static void stiff_exact(double t, double *y) {
  y[0] = cos(t);
  y[1] = sin(t);
  y[2] = 1 - cos(t);
}

const problem stiff_problem = {
    .dae = {.n = 2,
            .mass = (const double[]){1, 1},
            .index = (const int[]){0, 0},
            .n_quadratures = 1,
            .start = (const int[]){0, 2, 3},
            .row = (const int[]){0, 1, 1},
            .f = stiff_f,
            .jacobian = stiff_jacobian,
            .reference = (const double[]){1, 0}},
    .exact = stiff_exact,
};

/* ---- The pendulum ---- */

enum { mass = 2 };
static const double gravity = 9.81;

/* q' = v - Gᵀ μ, m v' = m g - Gᵀ λ, 0 = (x² + y² - 1) / 2, 0 = G v, with G = (x, y). */
static seam_status pendulum_f(void *context, double t, const double *z, double *f, double *quadrature,
                              seam_error *error) {
  (void)context, (void)t, (void)error;
  const double x = z[PENDULUM_X];
  const double y = z[PENDULUM_Y];
  f[PENDULUM_X] = z[PENDULUM_VX] - x * z[PENDULUM_MU];
  f[PENDULUM_Y] = z[PENDULUM_VY] - y * z[PENDULUM_MU];
  f[PENDULUM_VX] = -x * z[PENDULUM_LAMBDA];
  f[PENDULUM_VY] = -y * z[PENDULUM_LAMBDA] - mass * gravity;
  f[PENDULUM_LAMBDA] = (x * x + y * y - 1) / 2;
  f[PENDULUM_MU] = x * z[PENDULUM_VX] + y * z[PENDULUM_VY];
  if (quadrature != NULL) {
    quadrature[0] = z[PENDULUM_VY];
    quadrature[1] = x * z[PENDULUM_LAMBDA];
  }
  return SEAM_OK;
}

static const int pendulum_start[] = {0, 4, 8, 11, 14, 17, 20};
static const int pendulum_row[] = {
    PENDULUM_X,  PENDULUM_VX, PENDULUM_LAMBDA, PENDULUM_MU, /* x */
    PENDULUM_Y,  PENDULUM_VY, PENDULUM_LAMBDA, PENDULUM_MU, /* y */
    PENDULUM_X,  PENDULUM_VX, PENDULUM_MU,                  /* vx */
    PENDULUM_Y,  PENDULUM_VY, PENDULUM_MU,                  /* vy */
    PENDULUM_VX, PENDULUM_VY, PENDULUM_LAMBDA,              /* λ */
    PENDULUM_X,  PENDULUM_Y,  PENDULUM_MU,                  /* μ */
};

static seam_status pendulum_jacobian(void *context, double t, const double *z, double *value, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double x = z[PENDULUM_X];
  const double y = z[PENDULUM_Y];
  const double lambda = z[PENDULUM_LAMBDA];
  const double mu = z[PENDULUM_MU];
  const double columns[] = {
      -mu, -lambda, x, z[PENDULUM_VX], -mu, -lambda, y, z[PENDULUM_VY], 1, 0, x, 1, 0, y, -x, -y, 0, -x, -y, 0,
  };
  memcpy(value, columns, sizeof columns);
  return SEAM_OK;
}

/* Jacobi's sn, cn and dn of modulus k, by the arithmetic-geometric mean (Abramowitz, Stegun 16.4). */
static void jacobi(double u, double k, double *sn, double *cn, double *dn) {
  enum { n = 6 };
  double a[n + 1] = {1};
  double c[n + 1] = {k};
  double b = sqrt(1 - k * k);
  for (int i = 0; i < n; i++) {
    a[i + 1] = (a[i] + b) / 2;
    c[i + 1] = (a[i] - b) / 2;
    b = sqrt(a[i] * b);
  }
  double phi = ldexp(a[n] * u, n);
  for (int i = n; i > 0; i--)
    phi = (phi + asin(c[i] / a[i] * sin(phi))) / 2;
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1 - k * k * *sn * *sn);
}

/* With θ from the lowest place and the amplitude π/2, k² = 1/2: sin(θ/2) = k cd(ω t) = k cn/dn and
 * θ' = -2 ω k k' sd(ω t) with sd = sn/dn. */
static void pendulum_exact(double t, double *z) {
  const double k = sqrt(0.5);
  const double omega = sqrt(gravity);
  double sn = 0;
  double cn = 0;
  double dn = 0;
  jacobi(omega * t, k, &sn, &cn, &dn);
  const double half_sine = k * cn / dn;
  const double half_cosine = k / dn; /* dn(u + K) = k'/dn(u) */
  const double rate = -2 * omega * k * k * sn / dn;
  const double sine = 2 * half_sine * half_cosine;
  const double cosine = half_cosine * half_cosine - half_sine * half_sine;
  z[PENDULUM_X] = sine;
  z[PENDULUM_Y] = -cosine;
  z[PENDULUM_VX] = cosine * rate;
  z[PENDULUM_VY] = sine * rate;
  z[PENDULUM_LAMBDA] = mass * (rate * rate + gravity * cosine);
  z[PENDULUM_MU] = 0;
  z[PENDULUM_HEIGHT] = -cosine;
  z[PENDULUM_HEIGHT + 1] = -mass * cosine * rate;
}

const problem pendulum_problem = {
    .dae = {.n = 6,
            .mass = (const double[]){1, 1, mass, mass, 0, 0},
            .index = (const int[]){0, 0, 0, 0, 2, 2},
            .n_quadratures = 2,
            .start = pendulum_start,
            .row = pendulum_row,
            .f = pendulum_f,
            .jacobian = pendulum_jacobian,
            .reference = (const double[]){1, 0, 0, 0, 0, 0}},
    .exact = pendulum_exact,
};

/* ---- Van der Pol's equation ---- */

static const double epsilon = 1e-6;

static seam_status van_der_pol_f(void *context, double t, const double *y, double *f, double *quadrature,
                                 seam_error *error) {
  (void)context, (void)t, (void)quadrature, (void)error;
  f[0] = y[1];
  f[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / epsilon;
  return SEAM_OK;
}

static seam_status van_der_pol_jacobian(void *context, double t, const double *y, double *value, seam_error *error) {
  (void)context, (void)t, (void)error;
  value[0] = 0;
  value[1] = (-2 * y[0] * y[1] - 1) / epsilon;
  value[2] = 1;
  value[3] = (1 - y[0] * y[0]) / epsilon;
  return SEAM_OK;
}

static void van_der_pol_exact(double t, double *y) {
  y[0] = t > 0 ? 1.706167732170483 : 2;
  y[1] = t > 0 ? -0.8928097010247975 : 0;
}

const problem van_der_pol_problem = {
    .dae = {.n = 2,
            .mass = (const double[]){1, 1},
            .index = (const int[]){0, 0},
            .start = (const int[]){0, 2, 4},
            .row = (const int[]){0, 1, 0, 1},
            .f = van_der_pol_f,
            .jacobian = van_der_pol_jacobian,
            .reference = (const double[]){2, 0}},
    .exact = van_der_pol_exact,
};

/* ---- Equations that end ---- */

static seam_status pole_f(void *context, double t, const double *y, double *f, double *quadrature, seam_error *error) {
  (void)context, (void)t, (void)quadrature, (void)error;
  f[0] = y[0] * y[0];
  return SEAM_OK;
}

static seam_status pole_jacobian(void *context, double t, const double *y, double *value, seam_error *error) {
  (void)context, (void)t, (void)error;
  value[0] = 2 * y[0];
  return SEAM_OK;
}

static void pole_exact(double t, double *y) { y[0] = 1 / (1 - t); }

static seam_status ending_f(void *context, double t, const double *y, double *f, double *quadrature,
                            seam_error *error) {
  (void)context, (void)y, (void)quadrature;
  f[0] = 0;
  return t <= 0.5 ? SEAM_OK : seam_fail(error, SEAM_NOT_FINITE, "no law at t = %g", t);
}

static seam_status ending_jacobian(void *context, double t, const double *y, double *value, seam_error *error) {
  (void)context, (void)t, (void)y, (void)error;
  value[0] = 0;
  return SEAM_OK;
}

static void ending_exact(double t, double *y) {
  (void)t;
  y[0] = 1;
}

static seam_status fading_f(void *context, double t, const double *y, double *f, double *quadrature,
                            seam_error *error) {
  (void)context, (void)quadrature, (void)error;
  f[0] = t < 0.5 ? y[0] - cos(t) : 0;
  return SEAM_OK;
}

static seam_status fading_jacobian(void *context, double t, const double *y, double *value, seam_error *error) {
  (void)context, (void)y, (void)error;
  value[0] = t < 0.5 ? 1 : 0;
  return SEAM_OK;
}

static void fading_exact(double t, double *y) { y[0] = cos(t); }

#define OF_ONE_UNKNOWN                                                                                                 \
  .n = 1, .index = (const int[]){0}, .start = (const int[]){0, 1}, .row = (const int[]){0},                            \
  .reference = (const double[]) {                                                                                      \
    1                                                                                                                  \
  }

const problem pole_problem = {
    .dae = {OF_ONE_UNKNOWN, .mass = (const double[]){1}, .f = pole_f, .jacobian = pole_jacobian}, .exact = pole_exact};

const problem ending_problem = {
    .dae = {OF_ONE_UNKNOWN, .mass = (const double[]){1}, .f = ending_f, .jacobian = ending_jacobian},
    .exact = ending_exact};

const problem fading_problem = {
    .dae = {OF_ONE_UNKNOWN, .mass = (const double[]){0}, .f = fading_f, .jacobian = fading_jacobian},
    .exact = fading_exact};

/* ---- Short ways ---- */

seam_integrator *started(create_integrator create, const problem *p, double tolerance, double step) {
  const seam_tolerances tolerances = {.rtol = tolerance, .atol = tolerance, .step = step, .largest_step = INFINITY};
  double y[MAX_VALUES];
  seam_integrator *integrator = NULL;
  seam_error error = {0};
  cr_assert_eq(create(&p->dae, &tolerances, &integrator, &error), SEAM_OK, "%s", error.message);
  p->exact(0, y);
  cr_assert_eq(seam_integrator_start(integrator, 0, y, &error), SEAM_OK, "%s", error.message);
  return integrator;
}

void advance_to(seam_integrator *integrator, double t, double *y) {
  double reached = NAN;
  seam_error error = {0};
  cr_assert_eq(seam_integrator_advance(integrator, t, y, &reached, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(reached, t);
}

double fail_before(seam_integrator *integrator, double t, double *y, seam_status expected, seam_error *error) {
  double reached = NAN;
  cr_expect_eq(seam_integrator_advance(integrator, t, y, &reached, error), expected, "%s", error->message);
  cr_expect_lt(reached, t);
  return reached;
}

double error_at(seam_integrator *integrator, const problem *p, int first, int last, double t) {
  double y[MAX_VALUES];
  double exact[MAX_VALUES];
  double largest = 0;
  advance_to(integrator, t, y);
  p->exact(t, exact);
  for (int i = first; i < last; i++)
    largest = fmax(largest, fabs(y[i] - exact[i]));
  return largest;
}

double error_of_run(create_integrator create, const problem *p, int first, int last, double tolerance, double step,
                    double end) {
  seam_integrator *integrator = started(create, p, tolerance, step);
  seam_integrator_set_stop(integrator, end);
  const double error = error_at(integrator, p, first, last, end);
  seam_integrator_destroy(integrator);
  return error;
}
/* NOLINTEND(readability-non-const-parameter) */

double largest_residual(create_integrator create, double tolerance) {
  double y[MAX_VALUES];
  double largest = 0;
  seam_integrator *integrator = started(create, &pendulum_problem, tolerance, 0);
  for (int i = 1; i <= 1000; i++) {
    advance_to(integrator, 0.01 * i, y);
    largest = fmax(largest, fabs(y[PENDULUM_X] * y[PENDULUM_X] + y[PENDULUM_Y] * y[PENDULUM_Y] - 1));
    largest = fmax(largest, fabs(y[PENDULUM_X] * y[PENDULUM_VX] + y[PENDULUM_Y] * y[PENDULUM_VY]));
  }
  seam_integrator_destroy(integrator);
  return largest;
}

void expect_steps_of_their_own(create_integrator create) {
  double y[MAX_VALUES];
  double reference[MAX_VALUES];
  seam_integrator *asked = started(create, &pendulum_problem, 1e-8, 0);
  seam_integrator *unasked = started(create, &pendulum_problem, 1e-8, 0);
  for (int i = 1; i < 100; i++)
    advance_to(asked, 0.03 * i, y);
  advance_to(asked, 3, y);
  advance_to(unasked, 3, reference);
  cr_expect_arr_eq(y, reference, sizeof y);
  cr_expect_eq(seam_integrator_statistics(asked).steps, seam_integrator_statistics(unasked).steps);
  seam_integrator_destroy(asked);
  seam_integrator_destroy(unasked);
}

void expect_largest_step_kept(create_integrator create) {
  const seam_tolerances tolerances = {.rtol = 1e-4, .atol = 1e-4, .largest_step = 0.01};
  double y[MAX_VALUES];
  seam_integrator *integrator = NULL;
  cr_assert_eq(create(&stiff_problem.dae, &tolerances, &integrator, NULL), SEAM_OK);
  stiff_problem.exact(0, y);
  seam_integrator_start(integrator, 0, y, NULL);
  advance_to(integrator, 3, y);
  const seam_statistics count = seam_integrator_statistics(integrator);
  cr_expect_float_eq(count.largest_step, 0.01, 1e-12);
  cr_expect_lt(count.smallest_step, count.largest_step);
  seam_integrator_destroy(integrator);
}

void expect_restarts(create_integrator create) {
  double y[MAX_VALUES];
  double expected[MAX_VALUES] = {0};
  seam_integrator *integrator = started(create, &pendulum_problem, 1e-8, 0);
  const size_t n = (size_t)pendulum_problem.dae.n + (size_t)pendulum_problem.dae.n_quadratures;
  advance_to(integrator, 1, expected);
  const size_t n_steps = seam_integrator_statistics(integrator).steps;
  pendulum_problem.exact(0, y);
  cr_assert_eq(seam_integrator_restart(integrator, 0, y, n, &(seam_step_memory){0}, NULL), SEAM_OK);
  advance_to(integrator, 1, y);
  cr_expect_arr_eq(y, expected, n * sizeof *y);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, 2 * n_steps);
  cr_expect_eq(seam_integrator_restart(integrator, 1, y, n - 1, &(seam_step_memory){0}, NULL), SEAM_BAD_INPUT);
  seam_integrator_destroy(integrator);
}
