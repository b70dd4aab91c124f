#include "cosim/ode_part.h"

#include <stdlib.h>
#include <string.h>

enum { most_stages = 4 };

/* Stage i stands at node[i], reached along the slope of the stage before. */
typedef struct tableau {
  int n_stages;
  double node[most_stages], weight[most_stages];
} tableau;

typedef struct ode_part {
  cosim_part base;
  cosim_ode_def def;
  double t;
  double *x;        /* (n_states), followed by */
  double *u;        /* (n_inputs) of the last evaluation */
  double *stage;    /* (n_states) scratch */
  double *dx, *sum; /* (n_states) scratch */
} ode_part;

static const tableau tableaus[] = {
    [cosim_forward_euler] = {1, {0}, {1}},
    [cosim_symplectic_euler] = {1, {0}, {1}},
    [cosim_midpoint] = {2, {0, 0.5}, {0, 1}},
    [cosim_runge_kutta] = {4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
};

static void evaluate(ode_part *self, const cosim_step *step, double t, const double *x) {
  const double tau = (t - step->t) / step->H;
  for (int i = 0; i < self->base.n_inputs; i++)
    self->u[i] = cosim_signal_value(&step->inputs[i], tau);
  self->def.rates(self->def.context, t, x, self->u, self->dx);
}

static void take_runge_kutta(ode_part *self, const cosim_step *step, double t, double h) {
  const tableau *method = &tableaus[self->def.method];
  const size_t n = (size_t)self->def.n_states;
  memcpy(self->sum, self->x, n * sizeof *self->x);
  for (int s = 0; s < method->n_stages; s++) {
    for (size_t i = 0; i < n; i++)
      self->stage[i] = self->x[i] + h * method->node[s] * self->dx[i];
    evaluate(self, step, t + h * method->node[s], self->stage);
    for (size_t i = 0; i < n; i++)
      self->sum[i] += h * method->weight[s] * self->dx[i];
  }
  memcpy(self->x, self->sum, n * sizeof *self->x);
}

static void take_symplectic(ode_part *self, const cosim_step *step, double t, double h) {
  const int n = self->def.n_states / 2;
  evaluate(self, step, t, self->x);
  for (int i = 0; i < n; i++) {
    self->x[n + i] += h * self->dx[n + i];
    self->x[i] += h * self->x[n + i];
  }
}

static void measure(cosim_part *base, double *outputs) {
  const ode_part *self = (const ode_part *)base;
  self->def.outputs(self->def.context, self->t, self->x, self->u, outputs);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *changes,
                           seam_error *error) {
  (void)changes;
  (void)error;
  ode_part *self = (ode_part *)base;
  const double h = step->H / self->def.micro_steps;
  for (int i = 0; i < self->def.n_states && self->def.restarts != NULL; i++)
    if (self->def.restarts[i])
      self->x[i] = 0;
  for (int i = 0; i < self->def.micro_steps; i++)
    (self->def.method == cosim_symplectic_euler ? take_symplectic : take_runge_kutta)(self, step, step->t + i * h, h);
  self->t = step->t + step->H;
  measure(base, outputs);
  return SEAM_OK;
}

/* x and u lie one after the other, t after them. */
static void save(const cosim_part *base, double *state) {
  const ode_part *self = (const ode_part *)base;
  memcpy(state, self->x, (base->n_state - 1) * sizeof *state);
  state[base->n_state - 1] = self->t;
}

static void restore(cosim_part *base, const double *state) {
  ode_part *self = (ode_part *)base;
  memcpy(self->x, state, (base->n_state - 1) * sizeof *state);
  self->t = state[base->n_state - 1];
}

static void destroy(cosim_part *base) {
  ode_part *self = (ode_part *)base;
  free(self->x);
  free(self);
}

seam_status cosim_ode_part_create(const cosim_ode_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {
      .advance = advance, .measure = measure, .save = save, .restore = restore, .destroy = destroy};
  const size_t n = (size_t)def->n_states;
  const size_t n_in = (size_t)def->n_inputs;
  ode_part *self = calloc(1, sizeof *self);
  double *memory = calloc(4 * n + n_in + 1, sizeof *memory);
  if (self == NULL || memory == NULL) {
    free(self);
    free(memory);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a subsystem of %d states", def->n_states);
  }
  self->base = (cosim_part){
      .ops = &ops, .name = def->name, .n_inputs = def->n_inputs, .n_outputs = def->n_outputs, .n_state = n + n_in + 1};
  self->def = *def;
  self->x = memory;
  self->u = self->x + n;
  self->stage = self->u + n_in;
  self->dx = self->stage + n;
  self->sum = self->dx + n;
  memcpy(self->x, def->start, n * sizeof *self->x);
  *part = &self->base;
  return SEAM_OK;
}
