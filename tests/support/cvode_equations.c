#include "tests/support/cvode_equations.h"

#include <math.h>
#include <string.h>

/* y1 = cos t, towards which y1 goes at the rate 1e6; y2' = y1. */
static seam_status stiff(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)error;
  dy[0] = -1e6 * (y[0] - cos(t)) - sin(t);
  dy[1] = y[0];
  return SEAM_OK;
}

static void stiff_jacobian(double t, const double *y, double *J) {
  (void)t, (void)y;
  memcpy(J, (double[4]){-1e6, 0, 1, 0}, 4 * sizeof *J);
}

/* A equation_pendulum of length 1 in index-1 form: q'' = (0, -g) - λ q with q·q'' + v·v = 0; w' = vy. */
static const double gravity = 9.81;

static double pull(const double *y) {
  return (y[2] * y[2] + y[3] * y[3] - gravity * y[1]) / (y[0] * y[0] + y[1] * y[1]);
}

seam_status equation_pendulum(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double lambda = pull(y);
  memcpy(dy, (double[5]){y[2], y[3], -lambda * y[0], -gravity - lambda * y[1], y[3]}, 5 * sizeof *dy);
  return SEAM_OK;
}

void equation_pendulum_jacobian(double t, const double *y, double *J) {
  (void)t;
  const double r2 = y[0] * y[0] + y[1] * y[1];
  const double lambda = pull(y);
  const double d[4] = {-2 * lambda * y[0] / r2, (-gravity - 2 * lambda * y[1]) / r2, 2 * y[2] / r2, 2 * y[3] / r2};
  memcpy(J, (double[8]){0, 0, 1, 0, 0, 0, 0, 1}, 8 * sizeof *J);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      J[8 + 4 * i + j] = -d[j] * y[i] - (i == j ? lambda : 0);
}

static seam_status onto_circle(void *context, double t, double *y, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double r = hypot(y[0], y[1]);
  y[0] /= r;
  y[1] /= r;
  const double outwards = y[0] * y[2] + y[1] * y[3];
  y[2] -= outwards * y[0];
  y[3] -= outwards * y[1];
  return SEAM_OK;
}

/* A equation_pendulum of two halves, the outer one held by a stiff damped bushing: q1'' = g + F - λ q1 with q1·q1'' +
 * v1·v1 = 0, q2'' = g - F, F = c (q2 - q1) + d (v2 - v1). y = (q1, q2, v1, v2). */
static const double stiffness = 1e8;
static const double damping = 1e5;

static double halves_pull(const double *y, double load[2]) {
  double b = y[4] * y[4] + y[5] * y[5];
  for (int i = 0; i < 2; i++) {
    load[i] = stiffness * (y[2 + i] - y[i]) + damping * (y[6 + i] - y[4 + i]) - (i == 1 ? gravity : 0);
    b += y[i] * load[i];
  }
  return b / (y[0] * y[0] + y[1] * y[1]);
}

static seam_status halves(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  double load[2];
  const double lambda = halves_pull(y, load);
  memcpy(dy, y + 4, 4 * sizeof *dy);
  for (int i = 0; i < 2; i++) {
    dy[4 + i] = load[i] - lambda * y[i];
    dy[6 + i] = -load[i] - (i == 1 ? 2 * gravity : 0);
  }
  return SEAM_OK;
}

static void halves_jacobian(double t, const double *y, double *J) {
  (void)t;
  double load[2];
  const double lambda = halves_pull(y, load);
  const double slope[4] = {-stiffness, stiffness, -damping, damping}; /* of F by q1, q2, v1, v2 */
  memset(J, 0, 64 * sizeof *J);
  for (int i = 0; i < 4; i++)
    J[8 * i + 4 + i] = 1;
  for (int j = 0; j < 8; j++) {
    double by_lambda = slope[j / 2] * y[j % 2];
    if (j < 2)
      by_lambda += load[j] - 2 * lambda * y[j];
    if (j == 4 || j == 5)
      by_lambda += 2 * y[j];
    by_lambda /= y[0] * y[0] + y[1] * y[1];
    for (int i = 0; i < 2; i++) {
      J[8 * (4 + i) + j] = -by_lambda * y[i] + (j % 2 == i ? slope[j / 2] : 0) - (j == i ? lambda : 0);
      J[8 * (6 + i) + j] = j % 2 == i ? -slope[j / 2] : 0;
    }
  }
}

static seam_status first_onto_circle(void *context, double t, double *y, seam_error *error) {
  double half[4] = {y[0], y[1], y[4], y[5]};
  const seam_status status = onto_circle(context, t, half, error);
  memcpy(y, half, 2 * sizeof *y);
  memcpy(y + 4, half + 2, 2 * sizeof *y);
  return status;
}

/* One fast and one slow oscillator, to see whose error is named. */
seam_status equation_fast_and_slow(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)y, (void)error;
  dy[0] = 1e-3 * cos(t);
  dy[1] = cos(t);
  dy[2] = 100 * cos(100 * t);
  return SEAM_OK;
}

/* y = 1 / (1 - t). */
static seam_status pole(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  dy[0] = y[0] * y[0];
  return SEAM_OK;
}

static void pole_jacobian(double t, const double *y, double *J) {
  (void)t;
  J[0] = 2 * y[0];
}

/* Right-hand sides of time alone. */
void equation_no_jacobian(double t, const double *y, double *J) {
  (void)t, (void)y;
  memset(J, 0, 9 * sizeof *J);
}

/* A wave that keeps the latest time it was asked for. */
seam_status equation_recorded_wave(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)y, (void)error;
  double *latest = context;
  *latest = fmax(*latest, t);
  dy[0] = cos(t);
  return SEAM_OK;
}

static seam_status wave_until_half(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)y;
  dy[0] = cos(t);
  return t > 0.5 ? seam_fail(error, SEAM_NOT_FINITE, "no wave at %g", t) : SEAM_OK;
}

/* A wave that counts how often it was asked for after its end. */
seam_status equation_interrupted_wave(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)y;
  dy[0] = cos(t);
  if (t <= 0.5)
    return SEAM_OK;
  (*(int *)context)++;
  return seam_fail(error, SEAM_INTERRUPTED, "interrupted at %g", t);
}

seam_status equation_off_the_circle(void *context, double t, double *y, seam_error *error) {
  (void)context;
  y[0] = 2;
  return seam_fail(error, SEAM_CONSTRAINT_LOST, "lost at %g", t);
}

const equation of_stiff = {
    .ode = {.n = 2, .n_controlled = 2, .rhs = stiff}, .jacobian = stiff_jacobian, .start = {1, 0}};
const equation of_pendulum = {.ode = {.n = 5, .n_controlled = 4, .rhs = equation_pendulum, .project = onto_circle},
                              .jacobian = equation_pendulum_jacobian,
                              .start = {1, 0, 0, 0, 0}};
const equation of_halves = {.ode = {.n = 8, .n_controlled = 8, .rhs = halves, .project = first_onto_circle},
                            .jacobian = halves_jacobian,
                            .start = {1, 0, 1, 0, 0, 0, 0, 0}};
const equation of_pole = {.ode = {.n = 1, .n_controlled = 1, .rhs = pole}, .jacobian = pole_jacobian, .start = {1}};
const equation of_wave_until_half = {.ode = {.n = 1, .n_controlled = 1, .rhs = wave_until_half},
                                     .jacobian = equation_no_jacobian};
