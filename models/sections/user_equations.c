/* Creates a part of the co-simulation from user equations. */
#include "models/sections/user_equations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "mbs/kinks.h"

/* ---- Equations --------------------------------------------------------------------------------------------------- */

/* Variables of the expressions: t, inputs, states. The integrals behind the states are not among them. */
static void gather(const user_equations *self, double t, const double *x, const double *u, double *variables) {
  const size_t n_in = (size_t)self->ode.n_inputs;
  variables[0] = t;
  memcpy(variables + 1, u, n_in * sizeof *u);
  memcpy(variables + 1 + n_in, x, ((size_t)self->ode.n_states - (size_t)self->ode.n_integrals) * sizeof *x);
}

static void find_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  const user_equations *self = context;
  double variables[1 + USER_MAX_NAMES];
  gather(self, t, x, u, variables);
  for (int i = 0; i < self->ode.n_states; i++)
    dx[i] = expression_value(self->rates[i], variables);
}

/* Outputs, and what is sampled, read laws of time from their time on, as samples of a mechanism do: mbs_next_kink(). */
static double behind_kinks(const expression *const *list, int n, double t) {
  double behind = t;
  for (int i = 0; i < n && t > 0; i++) {
    const double at = expression_next_kink(list[i], t).at;
    behind = at - t <= mbs_same_time(t) ? fmax(behind, at) : behind;
  }
  return behind;
}

static void find_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const user_equations *self = context;
  const int n_values = self->ode.n_outputs - self->ode.n_integrals;
  double variables[1 + USER_MAX_NAMES];
  gather(self, behind_kinks(self->values, n_values, t), x, u, variables);
  for (int i = 0; i < n_values; i++)
    y[i] = expression_value(self->values[i], variables);
  for (int i = 0; i < self->ode.n_integrals; i++)
    y[n_values + i] = x[self->ode.n_states - self->ode.n_integrals + i];
}

static void find_updates(const void *context, double t, const double *x, const double *u, double *next) {
  const user_equations *self = context;
  find_rates(self, behind_kinks(self->rates, self->ode.n_states, t), x, u, next);
}

static seam_kink find_kink(const void *context, double t) {
  const user_equations *self = context;
  const int n_values = self->ode.n_outputs - self->ode.n_integrals;
  seam_kink first = {INFINITY, INFINITY};
  for (int i = 0; i < self->ode.n_states + n_values; i++) {
    const seam_kink kink = expression_next_kink(i < n_values ? self->values[i] : self->rates[i - n_values], t);
    if (kink.at < first.at)
      first = kink;
  }
  return first;
}

/* Σ of a row of two matrices. */
static double row_of(const cosim_linear_def *l, const double *of_x, const double *of_u, const double *x,
                     const double *u) {
  double sum = 0;
  for (int i = 0; i < l->n_states; i++)
    sum += of_x[i] * x[i];
  for (int i = 0; i < l->n_inputs; i++)
    sum += of_u[i] * u[i];
  return sum;
}

static void find_linear_updates(const void *context, double t, const double *x, const double *u, double *next) {
  const cosim_linear_def *l = &((const user_equations *)context)->linear;
  (void)t;
  for (int i = 0; i < l->n_states; i++)
    next[i] = row_of(l, l->A + i * l->n_states, l->B + i * l->n_inputs, x, u);
}

static void find_linear_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const cosim_linear_def *l = &((const user_equations *)context)->linear;
  (void)t;
  for (int i = 0; i < l->n_outputs; i++)
    y[i] = row_of(l, l->C + i * l->n_states, l->D + i * l->n_inputs, x, u);
}

static void find_linear_updates_along(const void *context, double t, const double *x, const double *u, const double *dx,
                                      const double *du, double *change) {
  (void)x;
  (void)u;
  find_linear_updates(context, t, dx, du, change);
}

static void find_linear_outputs_along(const void *context, double t, const double *x, const double *u, const double *dx,
                                      const double *du, double *change) {
  (void)x;
  (void)u;
  find_linear_outputs(context, t, dx, du, change);
}

/* Derivatives along (dx, du); the time does not change. */
static void find_rates_along(const void *context, double t, const double *x, const double *u, const double *dx,
                             const double *du, double *change) {
  const user_equations *self = context;
  double variables[1 + USER_MAX_NAMES];
  double direction[1 + USER_MAX_NAMES];
  gather(self, t, x, u, variables);
  gather(self, 0, dx, du, direction);
  for (int i = 0; i < self->ode.n_states; i++)
    change[i] = expression_change(self->rates[i], variables, direction);
}

static void find_outputs_along(const void *context, double t, const double *x, const double *u, const double *dx,
                               const double *du, double *change) {
  const user_equations *self = context;
  const int n_values = self->ode.n_outputs - self->ode.n_integrals;
  double variables[1 + USER_MAX_NAMES];
  double direction[1 + USER_MAX_NAMES];
  gather(self, t, x, u, variables);
  gather(self, 0, dx, du, direction);
  for (int i = 0; i < n_values; i++)
    change[i] = expression_change(self->values[i], variables, direction);
  for (int i = 0; i < self->ode.n_integrals; i++)
    change[n_values + i] = dx[self->ode.n_states - self->ode.n_integrals + i];
}

/* ---- Parts ------------------------------------------------------------------------------------------------------- */

static seam_status create_linear(const user_equations *self, cosim_part **part, seam_error *error) {
  const seam_status status = cosim_linear_part_create(&self->linear, part, error);
  if (status == SEAM_OK)
    (*part)->ops->restore(*part, self->start);
  return status;
}

static seam_status create_sampled(const user_equations *self, cosim_part **part, seam_error *error) {
  const cosim_sampled_def def = {.states = self->states,
                                 .n_states = self->ode.n_states,
                                 .n_inputs = self->ode.n_inputs,
                                 .n_outputs = self->ode.n_outputs,
                                 .period = self->period,
                                 .context = self,
                                 .updates = self->is_linear ? find_linear_updates : find_updates,
                                 .outputs = self->is_linear ? find_linear_outputs : find_outputs,
                                 .updates_along = self->is_linear ? find_linear_updates_along : find_rates_along,
                                 .outputs_along = self->is_linear ? find_linear_outputs_along : find_outputs_along,
                                 .start = self->start};
  return cosim_sampled_part_create(&def, part, error);
}

static seam_status create_of_kind(const user_equations *self, cosim_part **part, seam_error *error) {
  if (self->period > 0)
    return create_sampled(self, part, error);
  return self->is_linear ? create_linear(self, part, error) : cosim_ode_part_create(&self->ode, part, error);
}

static seam_status create(const void *context, cosim_part **part, seam_error *error) {
  const user_equations *self = context;
  const seam_status status = create_of_kind(self, part, error);
  if (status == SEAM_OK)
    (*part)->of_step = self->of_step;
  return status;
}

/* Of what the continuation depends on: not of the start. */
static uint64_t identity_of(const user_equations *self) {
  const cosim_linear_def *l = &self->linear;
  const cosim_ode_def *o = &self->ode;
  const size_t n = (size_t)o->n_states;
  const size_t n_in = (size_t)o->n_inputs;
  const size_t n_out = (size_t)o->n_outputs;
  uint64_t hash = HASH_NUMBERS(HASH_START, self->is_linear, o->n_states, o->n_integrals);
  hash = self->period > 0 ? HASH_NUMBERS(hash, self->period) : hash;
  if (self->is_linear) {
    hash = hash_numbers(hash_numbers(hash, l->A, n * n), l->B, n * n_in);
    hash = hash_numbers(hash_numbers(hash, l->C, n_out * n), l->D, n_out * n_in);
    return l->restarts == NULL ? hash : hash_bytes(hash, l->restarts, n * sizeof *l->restarts);
  }
  for (size_t i = 0; i < n; i++)
    hash = hash_word(hash, expression_identity(self->rates[i]));
  for (size_t i = 0; i < n_out - (size_t)o->n_integrals; i++)
    hash = hash_word(hash, expression_identity(self->values[i]));
  return HASH_NUMBERS(hash, o->method, o->micro_steps, o->micro_step, o->order, o->rtol, o->atol);
}

static bool is_made_of_restarting(const cosim_linear_def *linear, int output) {
  const double *C = linear->C + (size_t)output * (size_t)linear->n_states;
  const double *D = linear->D + (size_t)output * (size_t)linear->n_inputs;
  bool is_made = false;
  for (int i = 0; i < linear->n_states; i++) {
    if (C[i] != 0 && !(linear->restarts != NULL && linear->restarts[i]))
      return false;
    is_made |= C[i] != 0;
  }
  for (int i = 0; i < linear->n_inputs; i++)
    if (D[i] != 0)
      return false;
  return is_made;
}

/* Of equations that are not linear. */
static void find_feedthrough(user_equations *self) {
  const int n_in = self->ode.n_inputs;
  for (int i = 0; i < self->ode.n_outputs - self->ode.n_integrals && !self->is_linear; i++)
    for (int k = 0; k < n_in; k++)
      self->feedthrough[i * n_in + k] = expression_depends(self->values[i], 1 + (size_t)k);
}

static void find_integrals(user_equations *self) {
  for (int i = 0; i < self->ode.n_outputs; i++)
    self->of_step[i] =
        self->is_linear ? is_made_of_restarting(&self->linear, i) : i >= self->ode.n_outputs - self->ode.n_integrals;
}

void user_equations_finish(user_equations *self) {
  find_integrals(self);
  find_feedthrough(self);
  self->part = (cosim_user_part){.create = create,
                                 .identity = identity_of(self),
                                 .context = self,
                                 .inputs = self->inputs,
                                 .outputs = self->outputs,
                                 .n_inputs = (size_t)self->ode.n_inputs,
                                 .n_outputs = (size_t)self->ode.n_outputs};
  self->ode.states = self->states;
  self->ode.start = self->start;
  self->ode.context = self;
  self->ode.rates = find_rates;
  self->ode.next_kink = find_kink;
  self->ode.outputs = find_outputs;
  self->ode.feedthrough = self->feedthrough;
  self->ode.rates_along = find_rates_along;
  self->ode.outputs_along = find_outputs_along;
}

/* Parts of other kinds have names alone. */
static const user_equations *equations_of(const cosim_user_part *user) {
  return user->create == create ? user->context : NULL;
}

double user_equations_period(const cosim_user_part *user) {
  return equations_of(user) != NULL ? equations_of(user)->period : 0;
}

bool user_equations_has(const cosim_user_part *user, bool input, const char *name, nearest *search) {
  const char *const *names = input ? user->inputs : user->outputs;
  const size_t n = input ? user->n_inputs : user->n_outputs;
  for (size_t i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  for (size_t i = 0; i < n; i++)
    nearest_try(search, names[i]);
  return false;
}

seam_equations user_equations_names(const cosim_user_part *user) {
  const user_equations *self = equations_of(user);
  if (self == NULL)
    return (seam_equations){
        .inputs = user->inputs, .outputs = user->outputs, .n_inputs = user->n_inputs, .n_outputs = user->n_outputs};
  return (seam_equations){.inputs = self->inputs,
                          .states = self->states,
                          .outputs = self->outputs,
                          .n_inputs = (size_t)self->ode.n_inputs,
                          .n_states = (size_t)(self->ode.n_states - self->ode.n_integrals),
                          .n_outputs = (size_t)self->ode.n_outputs};
}

bool user_equations_is_integral(const cosim_user_part *user, const char *name, char *known, size_t size) {
  const user_equations *self = equations_of(user);
  size_t used = 0;
  known[0] = '\0';
  if (self == NULL)
    return false;
  for (int i = 0; i < self->ode.n_outputs; i++) {
    if (self->of_step[i] && strcmp(self->outputs[i], name) == 0)
      return true;
    if (self->of_step[i] && used < size)
      used += (size_t)snprintf(known + used, size - used, "%s%s", used == 0 ? "" : ", ", self->outputs[i]);
  }
  return false;
}
