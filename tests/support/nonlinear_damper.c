#include "tests/support/nonlinear_damper.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double m = 10, c1 = 1e6, c2 = 1e7, d1 = 1, d2 = 2;
static const double ck = 2e5, dk = 5e2, least = 10, most = 1e4;

enum { n_micro = 40, MAX_VALUES = 10 };

/* ---- The element ---- */

static double damping(double exponent, double v) { return fmax(fmin(dk * pow(fabs(v), exponent - 1), most), least); }

/* Derivative of damping · v. */
static double slope(double exponent, double v) {
  const double d = dk * pow(fabs(v), exponent - 1);
  return d > most ? most : d < least ? least : exponent * d;
}

static double force(double exponent, double s1, double v1, double s2, double v2) {
  return ck * (s2 - s1) + damping(exponent, v2 - v1) * (v2 - v1);
}

/* ---- Runge and Kutta ---- */

typedef void rates(const void *context, double tau, const double *x, double *dx);

static void integrate(rates *f, const void *context, int n, double H, int n_steps, double *x) {
  static const double at[] = {0, 0.5, 0.5, 1};
  static const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double h = H / n_steps;
  cr_assert(n > 0 && n <= MAX_VALUES);
  for (int step = 0; step < n_steps; step++) {
    double k[MAX_VALUES] = {0};
    double sum[MAX_VALUES] = {0};
    for (int stage = 0; stage < 4; stage++) {
      double y[MAX_VALUES] = {0};
      for (int i = 0; i < n; i++)
        y[i] = x[i] + at[stage] * h * k[i];
      f(context, (step + at[stage]) / n_steps, y, k);
      for (int i = 0; i < n; i++)
        sum[i] += weight[stage] * h * k[i];
    }
    for (int i = 0; i < n; i++)
      x[i] += sum[i];
  }
}

/* ---- The whole ---- */

static void whole_rates(const void *context, double tau, const double *x, double *dx) {
  (void)tau;
  const double F = force(*(const double *)context, x[0], x[1], x[2], x[3]);
  dx[0] = x[1];
  dx[1] = (F - c1 * x[0] - d1 * x[1]) / m;
  dx[2] = x[3];
  dx[3] = (-F - c2 * x[2] - d2 * x[3]) / m;
}

void damper_advance(double exponent, double dt, double x[4]) {
  integrate(whole_rates, &exponent, 4, dt, 5 * n_micro, x);
}

void damper_outputs(double exponent, const double x[4], double y[3]) {
  y[0] = x[0];
  y[1] = x[1];
  y[2] = force(exponent, x[0], x[1], x[2], x[3]);
}

/* ---- The part ---- */

typedef struct damper {
  cosim_part base;
  double exponent;
  bool is_frozen;
  double x[2], u[2]; /* state; inputs at the end of the last step */
  const cosim_step *step;
  double slope; /* where the step begins */
} damper;

/* Beside the state, two numbers for each seed. */
static void part_rates(const void *context, double tau, const double *x, double *dx) {
  const damper *self = context;
  const cosim_step *step = self->step;
  const double v = x[1] - cosim_signal_value(&step->inputs[1], tau);
  const double F = force(self->exponent, cosim_signal_value(&step->inputs[0], tau), x[1] - v, x[0], x[1]);
  const double d = self->is_frozen ? self->slope : slope(self->exponent, v);
  dx[0] = x[1];
  dx[1] = (-F - c2 * x[0] - d2 * x[1]) / m;
  for (int i = 0; i < step->n_seeds; i++) {
    const double *z = x + 2 + 2 * i;
    const double u = (step->seeds[i].input == 0 ? ck : d) * cosim_signal_value(&step->seeds[i].signal, tau);
    dx[2 + 2 * i] = z[1];
    dx[3 + 2 * i] = (u - (ck + c2) * z[0] - (d + d2) * z[1]) / m;
  }
}

static void get_outputs(cosim_part *base, double *outputs) {
  const damper *self = (const damper *)base;
  outputs[0] = force(self->exponent, self->u[0], self->u[1], self->x[0], self->x[1]);
}

static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  (void)error;
  damper *self = (damper *)base;
  double x[MAX_VALUES] = {self->x[0], self->x[1]};
  cr_assert_leq(2 + 2 * step->n_seeds, MAX_VALUES);
  self->step = step;
  self->slope = slope(self->exponent, x[1] - cosim_signal_value(&step->inputs[1], 0));
  integrate(part_rates, self, 2 + 2 * step->n_seeds, step->H, n_micro, x);
  memcpy(self->x, x, sizeof self->x);
  for (int i = 0; i < 2; i++)
    self->u[i] = cosim_signal_value(&step->inputs[i], 1);
  get_outputs(base, outputs);
  const double d = self->is_frozen ? self->slope : slope(self->exponent, x[1] - self->u[1]);
  for (int i = 0; i < step->n_seeds; i++) {
    const double u = cosim_signal_value(&step->seeds[i].signal, 1);
    derivatives[i] = ck * x[2 + 2 * i] + d * x[3 + 2 * i] - (step->seeds[i].input == 0 ? ck : d) * u;
  }
  return SEAM_OK;
}

static void save(const cosim_part *base, double *state) {
  const damper *self = (const damper *)base;
  memcpy(state, self->x, sizeof self->x);
  memcpy(state + 2, self->u, sizeof self->u);
}

static void restore(cosim_part *base, const double *state) {
  damper *self = (damper *)base;
  memcpy(self->x, state, sizeof self->x);
  memcpy(self->u, state + 2, sizeof self->u);
}

static void destroy(cosim_part *base) { free(base); }

cosim_part *damper_part(double exponent, damper_derivatives derivatives, const double state[2]) {
  static const cosim_part_ops ops = {
      .advance = advance, .get_outputs = get_outputs, .save = save, .restore = restore, .destroy = destroy};
  static const cosim_part_ops black_box = {.advance = advance, .get_outputs = get_outputs, .destroy = destroy};
  damper *self = calloc(1, sizeof *self);
  cr_assert_not_null(self);
  self->base = (cosim_part){.ops = derivatives == none ? &black_box : &ops,
                            .name = "2",
                            .n_inputs = 2,
                            .n_outputs = 1,
                            .n_state = derivatives == none ? 0 : 4,
                            .gives_derivatives = derivatives != none};
  self->exponent = exponent;
  self->is_frozen = derivatives == frozen;
  memcpy(self->x, state, sizeof self->x);
  return &self->base;
}

cosim_part *first_mass(const double state[2]) {
  const double A[] = {0, 1, -c1 / m, -d1 / m};
  const double B[] = {0, 1 / m};
  const double C[] = {1, 0, 0, 1};
  const double D[] = {0, 0};
  const cosim_linear_def def = {
      .name = "1", .n_states = 2, .n_inputs = 1, .n_outputs = 2, .A = A, .B = B, .C = C, .D = D};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_linear_part_create(&def, &part, NULL), SEAM_OK);
  part->ops->restore(part, state);
  return part;
}
