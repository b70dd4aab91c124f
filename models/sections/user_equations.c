#include "models/sections/user_equations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "cosim/mechanism/partition.h"
#include "cosim/parts/part.h"
#include "mbs/integrate/kinks.h"

enum { MAX_NAMES = 100 }; /* inputs and states together, and outputs */

typedef struct user_equations {
  cosim_user_part part; /* the subsystem's definition; its context is this struct */
  equations e;
  const char **outputs; /* outputs of e, then inputs and states that events read, then integrals */
  bool *of_step;        /* (n_outputs) true: an integral over the macro step (cosim_part) */
  bool *feedthrough;    /* (n_outputs x n_inputs) true: the output depends on the input */
  double *start;        /* initial states; with matrices, restarting states come last */
  double *nominal;      /* (n_states) nominal sizes: given, or from the monolithic model, or 1 */
  cosim_linear_def linear;
  cosim_ode_def ode;
  /* expressions of t, inputs and states, in this order of variables: */
  const expression **rates;  /* (n_states) rates or updates of the states */
  const expression **values; /* values of the outputs that are not integrals */
} user_equations;

static bool is_linear(const user_equations *self) { return self->e.rates == NULL; }

/* ---- Equations --------------------------------------------------------------------------------------------------- */

/* Evaluates n expressions of t, inputs u and states x; they do not use the integrals, which follow the states in x. If
 * dx is not NULL, computes their derivatives in the direction (dx, du) at constant t. */
static void evaluate(const user_equations *self, const expression *const *list, int n, double t, const double *x,
                     const double *u, const double *dx, const double *du, double *made) {
  const size_t n_in = (size_t)self->ode.n_inputs;
  double variables[1 + MAX_NAMES];
  double direction[1 + MAX_NAMES];
  variables[0] = t;
  memcpy(variables + 1, u, n_in * sizeof *u);
  memcpy(variables + 1 + n_in, x, self->e.n_states * sizeof *x);
  if (dx != NULL) {
    direction[0] = 0;
    memcpy(direction + 1, du, n_in * sizeof *du);
    memcpy(direction + 1 + n_in, dx, self->e.n_states * sizeof *dx);
  }
  for (int i = 0; i < n; i++)
    made[i] = dx != NULL ? expression_change(list[i], variables, direction) : expression_value(list[i], variables);
}

static void find_rates_along(const void *context, double t, const double *x, const double *u, const double *dx,
                             const double *du, double *change) {
  const user_equations *self = context;
  evaluate(self, self->rates, self->ode.n_states, t, x, u, dx, du, change);
}

static void find_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  find_rates_along(context, t, x, u, NULL, NULL, dx);
}

static int n_values(const user_equations *self) { return self->ode.n_outputs - self->ode.n_integrals; }

/* Returns the time just after a kink at t, or t. Outputs and samples use values after the kink, as samples of a
 * mechanism do (mbs_next_kink()). */
static double after_kinks(const expression *const *list, int n, double t) {
  double after = t;
  for (int i = 0; i < n && t > 0; i++) {
    const double at = expression_next_kink(list[i], t).at;
    after = at - t <= mbs_same_time(t) ? fmax(after, at) : after;
  }
  return after;
}

static void find_outputs_along(const void *context, double t, const double *x, const double *u, const double *dx,
                               const double *du, double *y) {
  const user_equations *self = context;
  const double *integrals = (dx != NULL ? dx : x) + self->e.n_states;
  evaluate(self, self->values, n_values(self), t, x, u, dx, du, y);
  memcpy(y + n_values(self), integrals, (size_t)self->ode.n_integrals * sizeof *y);
}

static void find_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const user_equations *self = context;
  find_outputs_along(self, after_kinks(self->values, n_values(self), t), x, u, NULL, NULL, y);
}

static void find_updates(const void *context, double t, const double *x, const double *u, double *next) {
  const user_equations *self = context;
  find_rates(self, after_kinks(self->rates, self->ode.n_states, t), x, u, next);
}

static seam_kink find_kink(const void *context, double t) {
  const user_equations *self = context;
  const int n = n_values(self);
  seam_kink first = {INFINITY, INFINITY};
  for (int i = 0; i < self->ode.n_states + n; i++) {
    const seam_kink kink = expression_next_kink(i < n ? self->values[i] : self->rates[i - n], t);
    if (kink.at < first.at)
      first = kink;
  }
  return first;
}

static seam_status create(const void *context, cosim_part **part, seam_error *error) {
  const user_equations *self = context;
  const cosim_sampled_def sampled = {.states = self->e.states,
                                     .n_states = self->ode.n_states,
                                     .n_inputs = self->ode.n_inputs,
                                     .n_outputs = self->ode.n_outputs,
                                     .period = self->e.period,
                                     .context = self,
                                     .updates = find_updates,
                                     .outputs = find_outputs,
                                     .updates_along = find_rates_along,
                                     .outputs_along = find_outputs_along,
                                     .start = self->start};
  if (self->e.period > 0 && is_linear(self))
    TRY(cosim_sampled_linear_part_create(&self->linear, self->e.period, self->e.states, self->start, part, error));
  else if (self->e.period > 0)
    TRY(cosim_sampled_part_create(&sampled, part, error));
  else if (is_linear(self))
    TRY(cosim_linear_part_create(&self->linear, part, error));
  else
    TRY(cosim_ode_part_create(&self->ode, part, error));
  if (self->e.period == 0 && is_linear(self))
    (*part)->ops->restore(*part, self->start);
  (*part)->of_step = self->of_step;
  return SEAM_OK;
}

/* Hashes the data that determine how a saved run continues, except start values. */
static uint64_t identity_of(const user_equations *self) {
  const cosim_linear_def *l = &self->linear;
  const cosim_ode_def *o = &self->ode;
  const size_t n = (size_t)o->n_states;
  uint64_t hash = HASH_NUMBERS(HASH_START, is_linear(self), o->n_states, o->n_integrals);
  hash = self->e.period > 0 ? HASH_NUMBERS(hash, self->e.period) : hash;
  if (is_linear(self)) {
    const size_t n_in = (size_t)o->n_inputs, n_out = (size_t)o->n_outputs;
    hash = hash_numbers(hash_numbers(hash, l->A, n * n), l->B, n * n_in);
    hash = hash_numbers(hash_numbers(hash, l->C, n_out * n), l->D, n_out * n_in);
    return l->restarts == NULL ? hash : hash_bytes(hash, l->restarts, n * sizeof *l->restarts);
  }
  for (size_t i = 0; i < n; i++)
    hash = hash_word(hash, expression_identity(self->rates[i]));
  for (size_t i = 0; i < (size_t)n_values(self); i++)
    hash = hash_word(hash, expression_identity(self->values[i]));
  hash = hash_numbers(hash, self->e.nominal, n);
  return HASH_NUMBERS(hash, o->method, o->micro_steps, o->micro_step, o->order, o->rtol, o->atol);
}

/* Returns true if an output is an integral over the macro step: with matrices, if only restarting states enter it. */
static bool is_integral(const user_equations *self, int output) {
  const cosim_linear_def *linear = &self->linear;
  bool is_made = false;
  if (!is_linear(self))
    return output >= n_values(self);
  for (int i = 0; i < linear->n_states; i++) {
    const bool is_there = linear->C[output * linear->n_states + i] != 0;
    if (is_there && !(linear->restarts != NULL && linear->restarts[i]))
      return false;
    is_made |= is_there;
  }
  for (int i = 0; i < linear->n_inputs; i++)
    is_made = is_made && linear->D[output * linear->n_inputs + i] == 0;
  return is_made;
}

static void finish(user_equations *self) {
  const int n_in = self->ode.n_inputs;
  for (int i = 0; i < self->ode.n_outputs; i++)
    self->of_step[i] = is_integral(self, i);
  for (int i = 0; i < n_values(self) && !is_linear(self); i++)
    for (int k = 0; k < n_in; k++)
      self->feedthrough[i * n_in + k] = expression_depends(self->values[i], 1 + (size_t)k);
  self->ode.states = self->e.states;
  self->ode.start = self->start;
  self->ode.nominal = self->nominal;
  self->ode.context = self;
  self->ode.rates = find_rates;
  self->ode.next_kink = find_kink;
  self->ode.outputs = find_outputs;
  self->ode.feedthrough = self->feedthrough;
  self->ode.rates_along = find_rates_along;
  self->ode.outputs_along = find_outputs_along;
  self->part = (cosim_user_part){.create = create,
                                 .identity = identity_of(self),
                                 .context = self,
                                 .inputs = self->e.inputs,
                                 .outputs = self->outputs,
                                 .n_inputs = (size_t)self->ode.n_inputs,
                                 .n_outputs = (size_t)self->ode.n_outputs};
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Adds as outputs the inputs and states that events read. The mechanism has a variable for each, which follows its
 * value (events_section.c). */
static void list_event_outputs(reader *r, user_equations *self) {
  const mbs_model *model = r->result->mechanism;
  const equations *e = &self->e;
  const char *of = e->node->key->text;
  const size_t length = strlen(of);
  for (size_t v = 0; v < mbs_n_variables(model); v++) {
    const char *name = mbs_variable_of(model, v).name;
    if (strncmp(name, of, length) != 0 || name[length] != '.' || !cosim_is_coupled_variable(model, v))
      continue;
    name += length + 1;
    if (reader_index_of(e->outputs, e->n_outputs + e->n_integrals, name) == e->n_outputs + e->n_integrals)
      self->outputs[self->ode.n_outputs++] = name;
  }
}

static seam_status prepare_outputs(reader *r, user_equations *self) {
  const equations *e = &self->e;
  if (e->n_inputs + e->n_states > MAX_NAMES)
    return reader_fail(r, e->values[e->n_inputs > e->n_states ? EQUATIONS_INPUTS : EQUATIONS_STATES]->key,
                       "split it into two subsystems", "%s has more than %d inputs and states", r->subject, MAX_NAMES);
  if (e->n_outputs + e->n_integrals > MAX_NAMES)
    return reader_fail(r, reader_message_node(e->output[MAX_NAMES]), "split it into two subsystems",
                       "%s has more than %d outputs", r->subject, MAX_NAMES);
  const size_t n_states = e->n_states + e->n_integrals;
  const size_t n_outputs = e->n_outputs + e->n_integrals + e->n_inputs + e->n_states;
  self->outputs = reader_allocate(r, n_outputs, sizeof *self->outputs);
  self->of_step = reader_allocate(r, n_outputs, sizeof *self->of_step);
  self->feedthrough = reader_allocate(r, n_outputs * e->n_inputs, sizeof *self->feedthrough);
  self->rates = reader_allocate(r, n_states, sizeof(void *));
  self->values = reader_allocate(r, n_outputs, sizeof(void *));
  self->nominal = reader_allocate(r, n_states, sizeof *self->nominal);
  self->start = reader_allocate(r, n_states, sizeof *self->start);
  TRY(reader_check_memory(r, self->outputs != NULL && self->of_step != NULL && self->feedthrough != NULL &&
                                 self->rates != NULL && self->values != NULL && self->nominal != NULL &&
                                 self->start != NULL));
  for (size_t i = 0; i < n_states; i++) {
    self->nominal[i] = e->nominal[i] > 0 ? e->nominal[i] : 1;
    self->start[i] = e->start[i];
  }
  memcpy(self->outputs, e->outputs, e->n_outputs * sizeof *self->outputs);
  self->ode.n_inputs = (int)e->n_inputs;
  self->ode.n_outputs = (int)e->n_outputs;
  list_event_outputs(r, self);
  for (size_t i = 0; i < e->n_integrals; i++)
    self->outputs[self->ode.n_outputs++] = e->outputs[e->n_outputs + i];
  self->ode.n_states = (int)n_states;
  self->ode.n_integrals = (int)e->n_integrals;
  return SEAM_OK;
}

static seam_status read_expression(reader *r, user_equations *self, yaml_node *value, const expression **kept) {
  const size_t n = 1 + self->e.n_inputs + self->e.n_states;
  const expression_names names = {.variables = self->e.names, .n_variables = n, .are_of_time = n == 1};
  expression *read = NULL;
  TRY(reader_expression(r, value, &names, &read));
  *kept = expression_move(read, r->memory);
  return reader_check_memory(r, *kept != NULL);
}

static seam_status read_expressions(reader *r, user_equations *self) {
  const equations *e = &self->e;
  for (size_t i = 0; i < e->n_states; i++)
    TRY(read_expression(r, self, e->rates[i], &self->rates[i]));
  for (size_t i = 0; i < e->n_outputs; i++)
    TRY(read_expression(r, self, e->output[i], &self->values[i]));
  /* Adds values of inputs and states that events read. A sampled state gives its next value, since outputs at a sample
   * use the value before the sample. */
  for (int i = (int)e->n_outputs; i < n_values(self); i++) {
    yaml_node named = {.kind = YAML_SCALAR, .text = self->outputs[i]};
    const size_t state = e->period > 0 ? reader_index_of(e->states, e->n_states, self->outputs[i]) : e->n_states;
    if (state < e->n_states)
      self->values[i] = self->rates[state];
    else
      TRY(read_expression(r, self, &named, &self->values[i]));
  }
  for (size_t i = 0; i < e->n_integrals; i++)
    TRY(read_expression(r, self, e->output[e->n_outputs + i], &self->rates[e->n_states + i]));
  return SEAM_OK;
}

static const char *const methods[] = {"erk", "euler", "symplectic_euler", "rk2", "rk4", "cvode", "adams"};
const form form_ode_method = {FORM_WORDS(methods)};

static seam_status read_method(reader *r, user_equations *self, const mbs_integrator_options *of_all) {
  static const cosim_ode_method numbers[] = {COSIM_ERROR_CONTROLLED,
                                             COSIM_FORWARD_EULER,
                                             COSIM_SYMPLECTIC_EULER,
                                             COSIM_MIDPOINT,
                                             COSIM_RUNGE_KUTTA,
                                             COSIM_BDF,
                                             COSIM_ADAMS};
  cosim_ode_def *ode = &self->ode;
  const equations *e = &self->e;
  mbs_integrator_options options = *of_all;
  TRY(simulate_read_integrator(r, e->values + EQUATIONS_INTEGRATOR, &form_ode_method, &options));
  size_t chosen = reader_index_of(methods, FORM_COUNT_OF(methods), options.method);
  const yaml_node *method = e->values[EQUATIONS_INTEGRATOR + INTEGRATOR_METHOD];
  const yaml_node *step = e->values[EQUATIONS_INTEGRATOR + INTEGRATOR_STEP];
  yaml_node *micro_steps = e->values[EQUATIONS_MICRO_STEPS]; /* in each macro step, whatever its length */
  if (chosen == FORM_COUNT_OF(methods) || (numbers[chosen] == COSIM_BDF && method == NULL))
    chosen = 0; /* the inherited method is for bodies only, or BDF, whose parts give no derivatives of outputs */
  ode->method = numbers[chosen];
  const bool is_multistep = ode->method == COSIM_BDF || ode->method == COSIM_ADAMS;
  const bool are_fixed = ode->method != COSIM_ERROR_CONTROLLED && !is_multistep;
  ode->order = options.order != 0 ? options.order : 5;
  ode->rtol = options.rtol;
  ode->atol = options.atol;
  ode->micro_step = is_multistep && step == NULL ? 0 : options.step;
  if (micro_steps != NULL && step != NULL)
    return reader_fail(r, micro_steps->key, "remove one of the two",
                       "'micro_steps' in %s cannot stand beside 'micro_step'", r->subject);
  if (micro_steps != NULL && !are_fixed)
    return reader_fail(r, micro_steps->key, "remove 'micro_steps', or choose euler, symplectic_euler, rk2 or rk4",
                       "'micro_steps' in %s has no effect: %s chooses its steps by their error", r->subject,
                       methods[chosen]);
  size_t n = 0;
  TRY(reader_count(r, micro_steps, 1, COSIM_MAX_MICRO_STEPS, &n));
  ode->micro_steps = (int)n;
  const yaml_node *node = method != NULL ? method : e->node->key;
  if (are_fixed && !(options.step > 0) && ode->micro_steps == 0)
    return reader_fail(r, node, "write micro_step: SECONDS, or micro_steps: NUMBER in a macro step",
                       "%s needs 'micro_step': %s takes fixed steps", r->subject, methods[chosen]);
  if (ode->method == COSIM_SYMPLECTIC_EULER && e->n_states % 2 != 0)
    return reader_fail(r, node, "list positions, then their velocities, in the same order",
                       "%s has an odd number of states, %zu, but symplectic_euler needs a velocity for each position",
                       r->subject, e->n_states);
  return SEAM_OK;
}

/* Reads the restarting states. Moves initial values of other states to the front. */
static seam_status read_restarts(reader *r, user_equations *self) {
  const equations *e = &self->e;
  const yaml_node *value = e->restarts;
  bool *restarts = reader_allocate(r, e->n_states, sizeof *restarts);
  TRY(reader_check_memory(r, restarts != NULL));
  self->linear.restarts = restarts;
  if (value && value->kind != YAML_LIST)
    return reader_fail(r, value, "write [STATE, ...]", "'restarts' in %s must be a list of states", r->subject);
  for (const yaml_node *name = yaml_first(value, YAML_LIST); name != NULL; name = name->next) {
    const size_t i = name->text ? reader_index_of(e->states, e->n_states, name->text) : e->n_states;
    if (i == e->n_states)
      return reader_fail(r, name, "name one of its 'states'", "'%.60s' is not a state of %s",
                         name->text ? name->text : "", r->subject);
    if (e->start[i] != 0)
      return reader_fail(r, name, "write 0 in 'states', or remove the name from 'restarts'",
                         "'%.60s' is in 'restarts' and must begin at 0, but begins at %.6g", name->text, e->start[i]);
    restarts[i] = true;
  }
  for (size_t i = 0, kept = 0; i < e->n_states; i++)
    if (!restarts[i])
      self->start[kept++] = e->start[i];
  return SEAM_OK;
}

static seam_status read_linear(reader *r, user_equations *self) {
  const equations *e = &self->e;
  const size_t n = e->n_states;
  const size_t n_in = e->n_inputs;
  const size_t n_out = (size_t)self->ode.n_outputs;
  double *C = reader_allocate(r, n_out * n, sizeof *C);
  double *D = reader_allocate(r, n_out * n_in, sizeof *D);
  TRY(reader_check_memory(r, C != NULL && D != NULL));
  memcpy(C, e->matrix[2], e->n_outputs * n * sizeof *C);
  memcpy(D, e->matrix[3], e->n_outputs * n_in * sizeof *D);
  /* Fills rows for inputs and states that events read: for a sampled state, its rows of A and B give the next value. */
  for (size_t row = e->n_outputs; row < n_out; row++) {
    const size_t number = reader_index_of(e->inputs, n_in + n, self->outputs[row]); /* states follow inputs */
    if (number < n_in)
      D[row * n_in + number] = 1;
    else if (e->period == 0)
      C[row * n + number - n_in] = 1;
    else {
      memcpy(C + row * n, e->matrix[0] + (number - n_in) * n, n * sizeof *C);
      memcpy(D + row * n_in, e->matrix[1] + (number - n_in) * n_in, n_in * sizeof *D);
    }
  }
  self->linear = (cosim_linear_def){.n_states = self->ode.n_states,
                                    .n_inputs = self->ode.n_inputs,
                                    .n_outputs = self->ode.n_outputs,
                                    .A = e->matrix[0],
                                    .B = e->matrix[1],
                                    .C = C,
                                    .D = D};
  return read_restarts(r, self);
}

seam_status user_equations_read(reader *r, yaml_node *value, const mbs_integrator_options *of_all,
                                const cosim_user_part **user) {
  user_equations *self = reader_allocate(r, 1, sizeof *self);
  TRY(reader_check_memory(r, self != NULL));
  TRY(equations_read_one(r, value, true, &self->e));
  TRY(prepare_outputs(r, self));
  TRY(is_linear(self) ? read_linear(r, self) : read_expressions(r, self));
  if (!is_linear(self) && self->e.period == 0)
    TRY(read_method(r, self, of_all));
  finish(self);
  *user = &self->part;
  return SEAM_OK;
}

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

bool user_equations_match(const yaml_node *value) {
  static const char *const keys[] = {"inputs",  "states", "rates",  "updates",
                                     "outputs", "linear", "sample", "integrals"};
  const bool is_fmu = yaml_get(value, "fmu") != NULL; /* FMUs and equations have the key `inputs` in common */
  for (size_t i = 0; i < FORM_COUNT_OF(keys) && !is_fmu; i++)
    if (yaml_get(value, keys[i]) != NULL)
      return true;
  return false;
}

static const user_equations *self_of(const cosim_user_part *user) {
  return user->create == create ? user->context : NULL;
}

const equations *user_equations_of(const cosim_user_part *user) {
  const user_equations *self = self_of(user);
  return self != NULL ? &self->e : NULL;
}

void user_equations_set_nominal(const cosim_user_part *user, size_t state, double size) {
  self_of(user)->nominal[state] = size;
}

void user_equations_set_start(const cosim_user_part *user, size_t state, double value) {
  const user_equations *self = self_of(user);
  const bool *restarts = is_linear(self) ? self->linear.restarts : NULL;
  size_t index = 0;
  for (size_t i = 0; i < state; i++)
    index += restarts == NULL || !restarts[i];
  if (restarts == NULL || !restarts[state])
    self->start[index] = value;
}

bool user_equations_has(const cosim_user_part *user, bool input, const char *name, nearest *search) {
  const char *const *names = input ? user->inputs : user->outputs;
  const size_t n = input ? user->n_inputs : user->n_outputs;
  if (reader_index_of(names, n, name) < n)
    return true;
  for (size_t i = 0; i < n; i++)
    nearest_try(search, names[i]);
  return false;
}

seam_equations user_equations_names(const cosim_user_part *user) {
  const equations *e = user_equations_of(user);
  return (seam_equations){.inputs = user->inputs,
                          .states = e != NULL ? e->states : NULL,
                          .outputs = user->outputs,
                          .n_inputs = user->n_inputs,
                          .n_states = e != NULL ? e->n_states : 0,
                          .n_outputs = user->n_outputs,
                          .are_hidden = e == NULL};
}

bool user_equations_is_integral(const cosim_user_part *user, const char *name, char *known, size_t size) {
  const user_equations *self = self_of(user);
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
