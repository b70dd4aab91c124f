#include "cosim/ode_part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/signal.h"
#include "solvers/erk.h"

enum { most_stages = 4 };

/* Stage i stands at node[i], reached along the slope of the stage before. */
typedef struct tableau {
  int n_stages;
  double node[most_stages], weight[most_stages];
} tableau;

typedef struct ode_part {
  cosim_part base;
  cosim_ode_def def;
  const cosim_step *step;      /* under way */
  seam_integrator *integrator; /* NULL: fixed micro steps, or no states */
  seam_pace pace;
  double t;
  double *x;        /* (n_states), followed by */
  double *u;        /* (n_inputs) of the last evaluation */
  double *stage;    /* (n_states) scratch */
  double *dx, *sum; /* (n_states) scratch */
  double *tau;      /* scratch: ends of pieces of the inputs */
} ode_part;

static const tableau tableaus[] = {
    [cosim_forward_euler] = {1, {0}, {1}},
    [cosim_symplectic_euler] = {1, {0}, {1}},
    [cosim_midpoint] = {2, {0, 0.5}, {0, 1}},
    [cosim_runge_kutta] = {4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
};

/* ---- Rates ---- */

static seam_status fail_rate(const ode_part *self, double t, int state, seam_error *error) {
  if (self->def.states != NULL)
    return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the rate of state '%s' is not finite", t,
                     self->def.states[state]);
  return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the rate of state %d is not finite", t, state + 1);
}

static void sample_inputs(ode_part *self, double t) {
  const double tau = (t - self->step->t) / self->step->H;
  for (int i = 0; i < self->base.n_inputs; i++)
    self->u[i] = cosim_signal_value(&self->step->inputs[i], tau);
}

static seam_status evaluate(ode_part *self, double t, const double *x, double *dx, seam_error *error) {
  sample_inputs(self, t);
  self->def.rates(self->def.context, t, x, self->u, dx);
  const int first = self->def.method == cosim_symplectic_euler ? (self->def.n_states - self->def.n_integrals) / 2 : 0;
  for (int i = first; i < self->def.n_states; i++)
    if (!isfinite(dx[i]))
      return fail_rate(self, t, i, error);
  return SEAM_OK;
}

/* ---- Fixed micro steps ---- */

static seam_status take_runge_kutta(ode_part *self, double t, double h, seam_error *error) {
  const tableau *method = &tableaus[self->def.method];
  const size_t n = (size_t)self->def.n_states;
  memcpy(self->sum, self->x, n * sizeof *self->x);
  for (int s = 0; s < method->n_stages; s++) {
    for (size_t i = 0; i < n; i++)
      self->stage[i] = self->x[i] + h * method->node[s] * self->dx[i];
    const seam_status status = evaluate(self, t + h * method->node[s], self->stage, self->dx, error);
    if (status != SEAM_OK)
      return status;
    for (size_t i = 0; i < n; i++)
      self->sum[i] += h * method->weight[s] * self->dx[i];
  }
  memcpy(self->x, self->sum, n * sizeof *self->x);
  return SEAM_OK;
}

static seam_status take_symplectic(ode_part *self, double t, double h, seam_error *error) {
  const int n = (self->def.n_states - self->def.n_integrals) / 2;
  const seam_status status = evaluate(self, t, self->x, self->dx, error);
  if (status != SEAM_OK)
    return status;
  for (int i = 0; i < n; i++) {
    self->x[n + i] += h * self->dx[n + i];
    self->x[i] += h * self->x[n + i];
  }
  for (int i = 2 * n; i < self->def.n_states; i++)
    self->x[i] += h * self->dx[i];
  return SEAM_OK;
}

static seam_status take_micro_steps(ode_part *self, seam_error *error) {
  const double H = self->step->H;
  const double least = fmin(fmax(1, ceil(H / self->def.micro_step - 1e-9)), 1e9);
  const int n = self->def.micro_steps > 0 ? self->def.micro_steps : (int)least;
  const double h = H / n;
  seam_status status = SEAM_OK;
  for (int i = 0; i < n && status == SEAM_OK; i++)
    status = (self->def.method == cosim_symplectic_euler ? take_symplectic
                                                         : take_runge_kutta)(self, self->step->t + i * h, h, error);
  return status;
}

/* ---- Error control ---- */

static seam_status find_rates(void *context, double t, const double *x, double *dx, seam_error *error) {
  return evaluate(context, t, x, dx, error);
}

/* A step begins anew where a polynomial does. Without states only the inputs at the end matter. */
static seam_status integrate(ode_part *self, seam_error *error) {
  const cosim_step *step = self->step;
  seam_status status = SEAM_OK;
  int n_pieces = 1;
  double begin = step->t;
  self->tau[0] = 1;
  for (int i = 0; i < self->base.n_inputs; i++)
    n_pieces = cosim_add_ends(self->tau, n_pieces, &step->inputs[i]);
  for (int p = 0; p < n_pieces && self->integrator != NULL && status == SEAM_OK; p++) {
    const double end = step->t + self->tau[p] * step->H;
    double reached = begin;
    status = seam_integrator_restart(self->integrator, begin, self->x, (size_t)self->def.n_states, &self->pace, error);
    seam_integrator_set_stop(self->integrator, end);
    if (status == SEAM_OK)
      status = seam_integrator_advance(self->integrator, end, self->x, &reached, error);
    self->pace = seam_integrator_pace(self->integrator);
    begin = end;
  }
  sample_inputs(self, step->t + step->H);
  return status;
}

/* ---- What the master sees ---- */

static void measure(cosim_part *base, double *outputs) {
  const ode_part *self = (const ode_part *)base;
  self->def.outputs(self->def.context, self->t, self->x, self->u, outputs);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *changes,
                           seam_error *error) {
  (void)changes;
  ode_part *self = (ode_part *)base;
  self->step = step;
  for (int i = self->def.n_states - self->def.n_integrals; i < self->def.n_states; i++)
    self->x[i] = 0;
  const bool controlled = self->def.method == cosim_error_controlled;
  const seam_status status = controlled ? integrate(self, error) : take_micro_steps(self, error);
  self->t = step->t + step->H;
  if (status == SEAM_OK)
    measure(base, outputs);
  return status;
}

/* x and u lie one after the other. */
static size_t n_numbers(const ode_part *self) { return (size_t)self->def.n_states + (size_t)self->base.n_inputs; }

static void save(const cosim_part *base, double *state) {
  const ode_part *self = (const ode_part *)base;
  const size_t n = n_numbers(self);
  memcpy(state, self->x, n * sizeof *state);
  state[n] = self->t;
  if (self->integrator != NULL)
    memcpy(state + n + 1, &self->pace, sizeof self->pace);
}

static void restore(cosim_part *base, const double *state) {
  ode_part *self = (ode_part *)base;
  const size_t n = n_numbers(self);
  memcpy(self->x, state, n * sizeof *state);
  self->t = state[n];
  if (self->integrator != NULL)
    memcpy(&self->pace, state + n + 1, sizeof self->pace);
}

static void destroy(cosim_part *base) {
  ode_part *self = (ode_part *)base;
  seam_integrator_destroy(self->integrator);
  free(self->x);
  free(self);
}

/* ---- Creation ---- */

static seam_status create_integrator(ode_part *self, seam_error *error) {
  const cosim_ode_def *def = &self->def;
  const seam_ode ode = {.n = (size_t)def->n_states,
                        .n_controlled = (size_t)def->n_states - (size_t)def->n_integrals,
                        .rhs = find_rates,
                        .context = self};
  const seam_tolerances tolerances = {
      .rtol = def->rtol, .atol = def->atol, .step = def->micro_step, .largest_step = INFINITY};
  char method[16];
  snprintf(method, sizeof method, "erk%d", def->order);
  return seam_erk_create(&ode, method, &tolerances, &self->integrator, error);
}

seam_status cosim_ode_part_create(const cosim_ode_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {
      .advance = advance, .measure = measure, .save = save, .restore = restore, .destroy = destroy};
  const size_t n = (size_t)def->n_states;
  const size_t n_in = (size_t)def->n_inputs;
  ode_part *self = calloc(1, sizeof *self);
  double *memory = calloc(4 * n + n_in + 1 + (cosim_most_pieces - 1) * n_in, sizeof *memory);
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
  self->tau = self->sum + n;
  memcpy(self->x, def->start, n * sizeof *self->x);
  const bool controlled = def->method == cosim_error_controlled && def->n_states > 0;
  const seam_status status = controlled ? create_integrator(self, error) : SEAM_OK;
  if (status != SEAM_OK) {
    destroy(&self->base);
    return status;
  }
  self->base.n_state += controlled ? sizeof self->pace / sizeof *self->x : 0;
  *part = &self->base;
  return SEAM_OK;
}
