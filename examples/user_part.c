/* Couples a subsystem written in C with a linear one. Each subsystem is a mass with a spring to the ground. A spring c
 * and a damper d between the masses exert the coupling force λ. The subsystem written in C consists of five functions.
 * Its mass m has the position x and the acceleration a, and its spring to the ground has a cubic term:
 *
 *   m a = -k x - k3 x³ + λ
 *
 * The scheme ff-d-k2 applies λ = c (x2 - x1) + d (v2 - v1) to the first mass and -λ to the second; x1 is x, and v are
 * the velocities. The scheme corrects λ once in each macro step of 1 ms. The result is compared with a run in which
 * both masses are one system. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/cosim.h>

static const double mass = 1, k = 400, k3 = 1e4, c = 200, d = 2;
static const double macro_step = 1e-3, end = 2;

/* ---- The subsystem: z = (x, v), input λ, outputs x, v, a ---- */

typedef struct hardening {
  cosim_part base; /* first member */
  double z[2];
  double force; /* λ at the end of the last step */
} hardening;

static double acceleration(double x, double force) { return (-k * x - k3 * x * x * x + force) / mass; }

/* A step h of the classical Runge-Kutta method, from time t in a macro step. advance() takes four of them. */
static void runge_kutta(double z[2], double t, double h, const cosim_step *step) {
  const double at[4] = {0, h / 2, h / 2, h};
  double slope[4][2];
  for (int i = 0; i < 4; i++) {
    const double x = z[0] + (i > 0 ? at[i] * slope[i - 1][0] : 0);
    const double v = z[1] + (i > 0 ? at[i] * slope[i - 1][1] : 0);
    slope[i][0] = v;
    slope[i][1] = acceleration(x, cosim_signal_value(&step->inputs[0], (t + at[i] - step->t) / step->H));
  }
  for (int j = 0; j < 2; j++)
    z[j] += h / 6 * (slope[0][j] + 2 * slope[1][j] + 2 * slope[2][j] + slope[3][j]);
}

static void get_outputs(cosim_part *base, double *outputs) {
  const hardening *self = (const hardening *)base;
  outputs[0] = self->z[0];
  outputs[1] = self->z[1];
  outputs[2] = acceleration(self->z[0], self->force);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  (void)derivatives; /* gives_derivatives is false: the master uses differences */
  (void)error;
  hardening *self = (hardening *)base;
  for (int i = 0; i < 4; i++)
    runge_kutta(self->z, step->t + i * step->H / 4, step->H / 4, step);
  self->force = cosim_signal_value(&step->inputs[0], 1);
  get_outputs(base, outputs);
  return SEAM_OK;
}

static void save(const cosim_part *base, double *state) {
  const hardening *self = (const hardening *)base;
  memcpy(state, self->z, sizeof self->z);
  state[2] = self->force;
}

static void restore(cosim_part *base, const double *state) {
  hardening *self = (hardening *)base;
  memcpy(self->z, state, sizeof self->z);
  self->force = state[2];
}

static void destroy(cosim_part *base) { free(base); }

static seam_status create_hardening(const void *context, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {
      .advance = advance, .get_outputs = get_outputs, .save = save, .restore = restore, .destroy = destroy};
  const double *x = context;
  hardening *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a subsystem");
  self->base = (cosim_part){.ops = &ops, .n_inputs = 1, .n_outputs = 3, .n_state = 3};
  self->z[0] = *x;
  *part = &self->base;
  return SEAM_OK;
}

/* ---- The other subsystem: linear, integrated exactly ---- */

static seam_status create_linear(const void *context, cosim_part **part, seam_error *error) {
  (void)context;
  const cosim_linear_def def = {.n_states = 2,
                                .n_inputs = 1,
                                .n_outputs = 3,
                                .A = (double[]){0, 1, -k / mass, 0},
                                .B = (double[]){0, 1 / mass},
                                .C = (double[]){1, 0, 0, 1, -k / mass, 0},
                                .D = (double[]){0, 0, 1 / mass}};
  return cosim_linear_part_create(&def, part, error);
}

/* ---- Both masses as one, for comparison ---- */

static void monolithic_rates(const double z[4], double rate[4]) {
  const double force = c * (z[2] - z[0]) + d * (z[3] - z[1]);
  rate[0] = z[1];
  rate[1] = acceleration(z[0], force);
  rate[2] = z[3];
  rate[3] = (-k * z[2] - force) / mass;
}

static double monolithic_x1_at_end(void) {
  double z[4] = {0.1, 0, 0, 0};
  const int n_steps = 20000;
  const double h = end / n_steps;
  for (int n = 0; n < n_steps; n++) {
    double slope[4][4];
    for (int i = 0; i < 4; i++) {
      double y[4];
      for (int j = 0; j < 4; j++)
        y[j] = z[j] + (i == 0 ? 0 : (i == 3 ? h : h / 2) * slope[i - 1][j]);
      monolithic_rates(y, slope[i]);
    }
    for (int j = 0; j < 4; j++)
      z[j] += h / 6 * (slope[0][j] + 2 * slope[1][j] + 2 * slope[2][j] + slope[3][j]);
  }
  return z[0];
}

/* ---- Coupling ---- */

static seam_status describe(cosim_builder *builder, seam_error *error) {
  static const char *const inputs[] = {"force"}, *const outputs[] = {"x", "v", "a"};
  static const char *const names[] = {"first", "second"};
  static const double x = 0.1;
  const cosim_user_part parts[2] = {{create_hardening, &x, inputs, outputs, 1, 3, 0},
                                    {create_linear, NULL, inputs, outputs, 1, 3, 0}};
  cosim_options options = cosim_default_options();
  cosim_coupling_def spring = cosim_default_coupling_def();
  spring.name = "spring", spring.stiffness[0] = c, spring.damping[0] = d, spring.scheme = "ff-d-k2";
  options.macro_step = macro_step;
  seam_status status = cosim_set_options(builder, &options, error);
  for (int i = 0; i < 2 && status == SEAM_OK; i++) {
    cosim_subsystem_def def = cosim_default_subsystem_def();
    def.name = names[i];
    def.user = &parts[i];
    spring.side[i] = (cosim_side_def){
        .subsystem = names[i], .force_input = "force", .position = "x", .velocity = "v", .acceleration = "a"};
    status = cosim_add_subsystem(builder, &def, error);
  }
  return status == SEAM_OK ? cosim_add_coupling(builder, &spring, error) : status;
}

static seam_status simulate(double *x1, seam_error *error) {
  cosim_builder *builder = NULL;
  cosim_simulation *simulation = NULL;
  seam_status status = cosim_builder_create(NULL, &builder, error);
  if (status == SEAM_OK)
    status = describe(builder, error);
  if (status == SEAM_OK)
    status = cosim_create(builder, &simulation, error);
  if (status == SEAM_OK)
    status = cosim_start(simulation, NULL, error);
  const int n_steps = (int)lround(end / macro_step);
  for (int n = 0; n < n_steps && status == SEAM_OK; n++)
    status = cosim_advance(simulation, macro_step, error);
  if (status == SEAM_OK)
    *x1 = cosim_signal_now(simulation, 0); /* first.x */
  cosim_destroy(simulation);
  cosim_builder_destroy(builder);
  return status;
}

int main(void) {
  seam_error error = {0};
  double x1 = 0;
  const seam_status status = simulate(&x1, &error);
  if (status != SEAM_OK) {
    fprintf(stderr, "%s\n", error.message);
    return seam_status_exit(status);
  }
  const double reference = monolithic_x1_at_end();
  const double difference = fabs(x1 - reference);
  printf("x1(%g s) = %.9f m co-simulated, %.9f m as one: %.1e apart\n", end, x1, reference, difference);
  return difference < 1e-6 ? 0 : 1;
}
