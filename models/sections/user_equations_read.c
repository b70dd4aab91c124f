/* Reads user equations: the keys of a subsystem that has them. */
#include <stdio.h>
#include <string.h>

#include "cosim/mechanism/partition.h"
#include "models/sections/cosim_section.h"
#include "models/sections/equations.h"
#include "models/sections/user_equations.h"

/* Equations first, then steps and integrator. */
enum {
  INPUTS,
  STATES,
  RATES,
  UPDATES,
  INTEGRALS,
  LINEAR,
  SAMPLE,
  OUTPUTS,
  MACRO_STEP,
  MICRO_STEPS,
  INTEGRATOR,
  N_KEYS = INTEGRATOR + N_INTEGRATOR_KEYS
};

static const form *const outputs[] = {&form_laws, &form_names};
static const form form_outputs = {FORM_FORMS(outputs)};
static const form form_micro_steps = {.kind = FORM_COUNT, .least = 1, .most = COSIM_MAX_MICRO_STEPS};

static const char *const methods[] = {"erk", "euler", "symplectic_euler", "rk2", "rk4"};
static const form form_method = {FORM_WORDS(methods)};

static const map_key keys[N_KEYS] = {
    [INPUTS] = {"inputs", false, &form_names, "", "names of inputs, which signals give"},
    [STATES] = {"states", false, &form_values, "", "initial values"},
    [RATES] = {"rates", false, &form_laws, "", "of each state, an expression of t, inputs and states"},
    [UPDATES] = {"updates", false, &form_laws, "", "next value of each state of what is sampled, an expression"},
    [INTEGRALS] = {"integrals", false, &form_laws, "", "more outputs: integrals over the last macro step"},
    [LINEAR] = {"linear", false, &form_linear, "", "matrices in place of expressions"},
    [SAMPLE] = {"sample", false, &form_positive, "s", "period at which outputs and updates are computed"},
    [OUTPUTS] = {"outputs", false, &form_outputs, "", "expressions of t, inputs and states; names beside 'linear'"},
    [MACRO_STEP] = {"macro_step", false, &form_positive, "s", "default: that of the whole"},
    [MICRO_STEPS] = {"micro_steps", false, &form_micro_steps, "", "of equal length in each macro step"},
    INTEGRATOR_KEYS(&form_method, "that of the whole", "5", "that of the whole", "that of the whole"),
};
const form form_user_equations = {.name = "user_equations", .meaning = "a subsystem of equations", FORM_KEYS(keys)};

typedef struct reading {
  reader *r;
  user_equations *self;
  const yaml_node *place; /* of the subsystem */
  yaml_node *values[N_KEYS];
  const char **variables; /* t, inputs, states */
  size_t n_variables;
} reading;

bool user_equations_is_one(const yaml_node *value) {
  const bool is_fmu = value->kind == YAML_MAP && yaml_get(value, "fmu"); /* it has inputs too */
  for (int i = 0; i <= OUTPUTS && value->kind == YAML_MAP && !is_fmu; i++)
    if (yaml_get(value, keys[i].name))
      return true;
  return false;
}

static void *take(const reading *a, size_t n, size_t size) { return arena_take(&a->r->result->memory, (n + 1) * size); }

static const char *keep(const reading *a, const char *text) {
  return arena_text(&a->r->result->memory, text, strlen(text));
}

static size_t n_children(const yaml_node *value) { return value ? value->n_children : 0; }

/* ---- What conditions of events name beside the outputs ---- */

static bool is_output(const user_equations *self, const char *name) {
  bool is = false;
  for (int i = 0; i < self->ode.n_outputs; i++)
    is = is || strcmp(self->outputs[i], name) == 0;
  return is;
}

static int number_of(const char *const *names, int n, const char *name) {
  int i = 0;
  while (i < n && strcmp(names[i], name) != 0)
    i++;
  return i < n ? i : -1;
}

/* A state of a sampled subsystem is the next one at the sample, as outputs there are of the one before. */
static seam_status show_value(reading *a, const char *name) {
  user_equations *self = a->self;
  const int state = number_of(self->states, self->ode.n_states, name);
  expression *e = NULL;
  self->outputs[self->ode.n_outputs] = name;
  if (self->period > 0 && state >= 0) {
    self->values[self->ode.n_outputs++] = self->rates[state];
    return SEAM_OK;
  }
  const expression_names names = {.variables = a->variables, .n_variables = a->n_variables};
  if (expression_compile(name, &names, &e, &(expression_error){0}) != SEAM_OK)
    return reader_no_memory(a->r);
  self->values[self->ode.n_outputs] = expression_keep(e, &a->r->result->memory);
  return self->values[self->ode.n_outputs++] != NULL ? SEAM_OK : reader_no_memory(a->r);
}

/* Names of this subsystem that variables of the mechanism follow; NULL: there are no more. */
static const char *next_followed(const reading *a, size_t *variable) {
  const mbs_model *model = a->r->result->mechanism;
  const char *of = a->place->text;
  const size_t length = strlen(of);
  while (*variable < mbs_n_variables(model)) {
    const char *name = mbs_variable_name(model, (*variable)++);
    if (strncmp(name, of, length) == 0 && name[length] == '.' && cosim_is_follower(model, *variable - 1))
      return name + length + 1;
  }
  return NULL;
}

static size_t count_followed(const reading *a) {
  size_t n = 0;
  for (size_t variable = 0; next_followed(a, &variable) != NULL;)
    n++;
  return n;
}

/* With rows of C and D, or of A and B for a sampled state. */
static seam_status show_row(reading *a, const char *name) {
  user_equations *self = a->self;
  cosim_linear_def *linear = &self->linear;
  const size_t n = (size_t)linear->n_states;
  const size_t n_in = (size_t)linear->n_inputs;
  const size_t n_out = (size_t)linear->n_outputs;
  const int state = number_of(self->states, linear->n_states, name);
  const bool is_next = self->period > 0 && state >= 0;
  double *C = take(a, (n_out + 1) * n, sizeof *C);
  double *D = take(a, (n_out + 1) * n_in, sizeof *D);
  if (!C || !D)
    return reader_no_memory(a->r);
  memcpy(C, linear->C, n_out * n * sizeof *C);
  memcpy(D, linear->D, n_out * n_in * sizeof *D);
  for (size_t i = 0; i < n; i++)
    C[n_out * n + i] = is_next ? linear->A[(size_t)state * n + i] : (int)i == state;
  for (size_t i = 0; i < n_in; i++)
    D[n_out * n_in + i] = is_next ? linear->B[(size_t)state * n_in + i] : strcmp(self->inputs[i], name) == 0;
  linear->C = C;
  linear->D = D;
  linear->n_outputs++;
  self->outputs[self->ode.n_outputs++] = name;
  return SEAM_OK;
}

static bool is_integral(const reading *a, const char *name) {
  return a->values[INTEGRALS] && yaml_get(a->values[INTEGRALS], name);
}

static seam_status show_followed(reading *a, seam_status (*show)(reading *a, const char *name)) {
  seam_status status = SEAM_OK;
  size_t variable = 0;
  for (const char *name = next_followed(a, &variable); name && status == SEAM_OK; name = next_followed(a, &variable))
    if (!is_output(a->self, name) && !is_integral(a, name))
      status = show(a, name);
  return status;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static bool is_index(const yaml_node *node, const char *name) {
  for (size_t i = 0; node->indices && i < node->indices->n; i++)
    if (strcmp(node->indices->names[i], name) == 0)
      return true;
  return false;
}

/* A name that expressions may use. */
static seam_status add_variable(reading *a, const yaml_node *name, const char **kept) {
  reader *r = a->r;
  const char *text = NULL;
  seam_status status = reader_text(r, name, &text);
  if (status == SEAM_OK)
    status = reader_check_name(r, name, true);
  if (status != SEAM_OK)
    return status;
  if (expression_is_reserved(text) || is_index(name, text))
    return reader_fail(r, name, "choose another name",
                       "'%.60s' in %s is a function, a constant or the index of a repeat", text, r->subject);
  for (size_t i = 0; i < a->n_variables; i++)
    if (strcmp(a->variables[i], text) == 0)
      return reader_fail(r, name, "choose another name", "'%.60s' in %s is %s already", text, r->subject,
                         i == 0 ? "the time" : "an input or state");
  *kept = keep(a, text);
  a->variables[a->n_variables++] = *kept;
  return *kept ? SEAM_OK : reader_no_memory(r);
}

static seam_status check_kind(const reading *a, int key, yaml_kind kind, const char *fix) {
  const yaml_node *value = a->values[key];
  if (!value || value->kind == kind)
    return SEAM_OK;
  return reader_fail(a->r, value, fix, "'%s' in %s must be %s, but is %s", keys[key].name, a->r->subject,
                     kind == YAML_MAP ? "a map" : "a list", yaml_kind_text(value));
}

/* A map inside the subsystem, named so in messages. */
static seam_status take_inner_map(const reading *a, int key, const map_key *inner, size_t n, yaml_node **values) {
  char subject[sizeof a->r->subject];
  memcpy(subject, a->r->subject, sizeof subject);
  snprintf(a->r->subject, sizeof a->r->subject, "'%s' of %.80s", keys[key].name, subject);
  const seam_status status = reader_take_map(a->r, a->values[key], inner, n, values);
  memcpy(a->r->subject, subject, sizeof subject);
  return status;
}

static seam_status read_inputs(reading *a) {
  const yaml_node *value = a->values[INPUTS];
  seam_status status = check_kind(a, INPUTS, YAML_LIST, "write [NAME, ...]");
  if (status != SEAM_OK || !value)
    return status;
  for (const yaml_node *name = value->first; name && status == SEAM_OK; name = name->next)
    status = add_variable(a, name, &a->self->inputs[a->self->ode.n_inputs++]);
  return status;
}

static seam_status read_states(reading *a) {
  const yaml_node *value = a->values[STATES];
  seam_status status = check_kind(a, STATES, YAML_MAP, "write {NAME: INITIAL VALUE, ...}");
  if (status != SEAM_OK || !value)
    return status;
  for (yaml_node *state = value->first; state && status == SEAM_OK; state = state->next) {
    const int i = a->self->ode.n_states++;
    status = add_variable(a, state->key, &a->self->states[i]);
    if (status == SEAM_OK)
      status = reader_number(a->r, state, ANY_NUMBER, &a->self->start[i]);
  }
  return status;
}

/* Memory for all names, and the names of inputs and states. */
static seam_status read_variables(reading *a) {
  user_equations *self = a->self;
  const size_t n_in = n_children(a->values[INPUTS]);
  const size_t n_states = n_children(a->values[STATES]);
  const size_t n_integrals = n_children(a->values[INTEGRALS]);
  if (n_in + n_states > USER_MAX_NAMES)
    return reader_fail(a->r, reader_place(a->values[n_in > n_states ? INPUTS : STATES]), "split it into two subsystems",
                       "%s has more than %d inputs and states", a->r->subject, USER_MAX_NAMES);
  a->variables = take(a, 1 + n_in + n_states, sizeof *a->variables);
  self->inputs = take(a, n_in, sizeof *self->inputs);
  self->states = take(a, n_states + n_integrals, sizeof *self->states);
  self->start = take(a, n_states + n_integrals, sizeof *self->start);
  const size_t n_outputs = n_children(a->values[OUTPUTS]) + n_integrals + count_followed(a);
  self->outputs = take(a, n_outputs, sizeof *self->outputs);
  self->of_step = take(a, n_outputs, sizeof *self->of_step);
  self->feedthrough = take(a, n_outputs * n_in, sizeof *self->feedthrough);
  if (!a->variables || !self->inputs || !self->states || !self->start || !self->outputs || !self->of_step ||
      !self->feedthrough)
    return reader_no_memory(a->r);
  a->variables[a->n_variables++] = "t";
  const seam_status status = read_inputs(a);
  return status != SEAM_OK ? status : read_states(a);
}

static seam_status add_output(reading *a, const yaml_node *name) {
  user_equations *self = a->self;
  const char *text = NULL;
  seam_status status = reader_text(a->r, name, &text);
  if (status == SEAM_OK)
    status = reader_check_name(a->r, name, false);
  if (status != SEAM_OK)
    return status;
  for (int i = 0; i < self->ode.n_outputs; i++)
    if (strcmp(self->outputs[i], text) == 0)
      return reader_fail(a->r, name, "choose another name", "%s has two outputs named '%.60s'", a->r->subject, text);
  if (self->ode.n_outputs == USER_MAX_NAMES)
    return reader_fail(a->r, name, "split it into two subsystems", "%s has more than %d outputs", a->r->subject,
                       USER_MAX_NAMES);
  const char *kept = keep(a, text);
  self->outputs[self->ode.n_outputs++] = kept;
  return kept ? SEAM_OK : reader_no_memory(a->r);
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

static seam_status read_expression(reading *a, yaml_node *value, const expression **kept) {
  expression *e = NULL;
  const seam_status status = reader_expression(a->r, value, a->variables, a->n_variables, &e);
  if (status != SEAM_OK)
    return status;
  *kept = expression_keep(e, &a->r->result->memory);
  return *kept ? SEAM_OK : reader_no_memory(a->r);
}

/* One for each state, in the order of the states: how it changes, or its next value. */
static seam_status read_rates(reading *a) {
  const user_equations *self = a->self;
  const int key = self->period > 0 ? UPDATES : RATES;
  const yaml_node *value = a->values[key];
  const size_t n = (size_t)self->ode.n_states;
  map_key states[USER_MAX_NAMES] = {0};
  yaml_node *rates[USER_MAX_NAMES];
  if (!value && n == 0)
    return SEAM_OK;
  if (!value)
    return reader_fail(a->r, reader_place(a->values[STATES]),
                       key == RATES ? "write rates: {STATE: EXPRESSION, ...}"
                                    : "write updates: {STATE: EXPRESSION, ...}",
                       "%s needs '%s' or 'linear' for its states", a->r->subject, keys[key].name);
  if (n == 0 && value->first)
    return reader_fail(a->r, value->first->key, "write states: {NAME: INITIAL VALUE, ...}", "'%s' in %s have no states",
                       keys[key].name, a->r->subject);
  for (size_t i = 0; i < n; i++)
    states[i] = (map_key){.name = self->states[i], .required = true};
  seam_status status = take_inner_map(a, key, states, n, rates);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = read_expression(a, rates[i], &self->rates[i]);
  return status;
}

static seam_status read_outputs(reading *a) {
  const yaml_node *value = a->values[OUTPUTS];
  seam_status status = check_kind(a, OUTPUTS, YAML_MAP, "write {NAME: EXPRESSION, ...}");
  if (status != SEAM_OK || !value)
    return status;
  for (yaml_node *output = value->first; output && status == SEAM_OK; output = output->next) {
    status = add_output(a, output->key);
    if (status == SEAM_OK)
      status = read_expression(a, output, &a->self->values[a->self->ode.n_outputs - 1]);
  }
  return status;
}

/* States behind the others, and outputs behind the others. */
static seam_status read_integrals(reading *a) {
  user_equations *self = a->self;
  const yaml_node *value = a->values[INTEGRALS];
  seam_status status = check_kind(a, INTEGRALS, YAML_MAP, "write {NAME: EXPRESSION, ...}");
  if (status != SEAM_OK || !value)
    return status;
  for (yaml_node *integral = value->first; integral && status == SEAM_OK; integral = integral->next) {
    const int i = self->ode.n_states++;
    self->ode.n_integrals++;
    status = add_output(a, integral->key);
    if (status != SEAM_OK)
      return status;
    self->states[i] = self->outputs[self->ode.n_outputs - 1];
    status = read_expression(a, integral, &self->rates[i]);
  }
  return status;
}

/* This number in every macro step, independent of its length. */
static seam_status read_micro_steps(reading *a, bool are_fixed) {
  const yaml_node *step = a->values[INTEGRATOR + INTEGRATOR_STEP];
  yaml_node *value = a->values[MICRO_STEPS];
  size_t n = 0;
  if (!value)
    return SEAM_OK;
  if (step)
    return reader_fail(a->r, reader_place(value), "remove one of the two",
                       "'micro_steps' in %s cannot stand beside 'micro_step'", a->r->subject);
  if (!are_fixed)
    return reader_fail(a->r, reader_place(value), "choose euler, symplectic_euler, rk2 or rk4",
                       "'micro_steps' in %s has no effect: erk chooses its steps by their error", a->r->subject);
  const seam_status status = reader_count(a->r, value, 1, COSIM_MAX_MICRO_STEPS, &n);
  a->self->ode.micro_steps = (int)n;
  return status;
}

static seam_status read_method(reading *a, const mbs_integrator_options *of_all) {
  static const cosim_ode_method numbers[] = {COSIM_ERROR_CONTROLLED, COSIM_FORWARD_EULER, COSIM_SYMPLECTIC_EULER,
                                             COSIM_MIDPOINT, COSIM_RUNGE_KUTTA};
  enum { n_methods = FORM_COUNT_OF(methods) };
  cosim_ode_def *ode = &a->self->ode;
  mbs_integrator_options options = *of_all;
  seam_status status = cosim_section_integrator(a->r, a->values + INTEGRATOR, &form_method, &options);
  if (status != SEAM_OK)
    return status;
  size_t chosen = 0;
  for (size_t i = 0; i < n_methods; i++)
    if (strcmp(options.method, methods[i]) == 0)
      chosen = i;
  ode->method = numbers[chosen];
  ode->order = options.order != 0 ? options.order : 5;
  ode->rtol = options.rtol;
  ode->atol = options.atol;
  ode->micro_step = options.step;
  const yaml_node *method = a->values[INTEGRATOR + INTEGRATOR_METHOD];
  const yaml_node *place = method ? method : a->place;
  status = read_micro_steps(a, chosen != 0);
  if (status != SEAM_OK)
    return status;
  if (chosen != 0 && !(options.step > 0) && ode->micro_steps == 0)
    return reader_fail(a->r, place, "write micro_step: SECONDS, or micro_steps: NUMBER in a macro step",
                       "%s needs 'micro_step': %s takes fixed steps", a->r->subject, methods[chosen]);
  if (ode->method == COSIM_SYMPLECTIC_EULER && n_children(a->values[STATES]) % 2 != 0)
    return reader_fail(a->r, place, "list positions, then their velocities, in the same order",
                       "%s has an odd number of states, %zu: symplectic_euler takes positions and velocities",
                       a->r->subject, n_children(a->values[STATES]));
  return SEAM_OK;
}

static seam_status read_equations(reading *a, const mbs_integrator_options *of_all) {
  user_equations *self = a->self;
  self->rates = take(a, n_children(a->values[STATES]) + n_children(a->values[INTEGRALS]), sizeof(void *));
  self->values = take(a, n_children(a->values[OUTPUTS]) + count_followed(a), sizeof(void *));
  if (!self->rates || !self->values)
    return reader_no_memory(a->r);
  seam_status status = read_rates(a);
  if (status == SEAM_OK)
    status = read_outputs(a);
  if (status == SEAM_OK)
    status = show_followed(a, show_value);
  if (status == SEAM_OK)
    status = read_integrals(a);
  return status != SEAM_OK || self->period > 0 ? status : read_method(a, of_all);
}

/* ---- Matrices ---------------------------------------------------------------------------------------------------- */

/* The states that are integrals; initial values of the others move to the front. */
static seam_status read_restarts(const reading *a, const yaml_node *value) {
  user_equations *self = a->self;
  bool *restarts = take(a, (size_t)self->ode.n_states, sizeof *restarts);
  if (!restarts)
    return reader_no_memory(a->r);
  self->linear.restarts = restarts;
  if (value && value->kind != YAML_LIST)
    return reader_fail(a->r, value, "write [STATE, ...]", "'restarts' in %s must be a list of states", a->r->subject);
  for (const yaml_node *name = value ? value->first : NULL; name; name = name->next) {
    int i = 0;
    while (i < self->ode.n_states && !(name->text && strcmp(self->states[i], name->text) == 0))
      i++;
    if (i == self->ode.n_states)
      return reader_fail(a->r, name, "name one of its 'states'", "'%.60s' is not a state of %s",
                         name->text ? name->text : "", a->r->subject);
    if (self->start[i] != 0)
      return reader_fail(a->r, name, "write 0 in 'states'",
                         "'%.60s' begins every macro step, also the first, at 0, not at %.6g", name->text,
                         self->start[i]);
    restarts[i] = true;
  }
  for (int i = 0, kept = 0; i < self->ode.n_states; i++)
    if (!restarts[i])
      self->start[kept++] = self->start[i];
  return SEAM_OK;
}

static seam_status read_linear_outputs(reading *a) {
  const yaml_node *value = a->values[OUTPUTS];
  seam_status status = check_kind(a, OUTPUTS, YAML_LIST, "write [NAME, ...]: their values are the rows of C and D");
  for (const yaml_node *name = value ? value->first : NULL; name && status == SEAM_OK; name = name->next)
    status = add_output(a, name);
  return status;
}

static seam_status check_linear_keys(const reading *a) {
  for (int i = 0; i < N_KEYS; i++)
    if (a->values[i] && (i == RATES || i == UPDATES || i == INTEGRALS || i >= MICRO_STEPS))
      return reader_fail(a->r, reader_place(a->values[i]), "remove one of the two",
                         "'%s' in %s cannot stand beside 'linear'%s", keys[i].name, a->r->subject,
                         a->self->period > 0 ? "" : ", which is integrated exactly");
  if (n_children(a->values[STATES]) > 0)
    return SEAM_OK;
  return reader_fail(a->r, reader_place(a->values[LINEAR]), "write states: {NAME: INITIAL VALUE, ...}",
                     "%s needs 'states' for its matrices", a->r->subject);
}

static seam_status read_linear(reading *a) {
  map_key linear_keys[N_LINEAR];
  yaml_node *values[N_LINEAR];
  cosim_linear_def *linear = &a->self->linear;
  a->self->is_linear = true;
  seam_status status = check_linear_keys(a);
  equations_linear_keys(a->self->ode.n_inputs > 0, true, linear_keys);
  if (status == SEAM_OK)
    status = take_inner_map(a, LINEAR, linear_keys, N_LINEAR, values);
  if (status == SEAM_OK)
    status = read_linear_outputs(a);
  const int n = a->self->ode.n_states;
  const int n_in = a->self->ode.n_inputs;
  const int n_out = a->self->ode.n_outputs;
  *linear = (cosim_linear_def){.n_states = n, .n_inputs = n_in, .n_outputs = n_out};
  if (status == SEAM_OK)
    status = reader_matrix(a->r, values[LINEAR_A], (size_t)n, (size_t)n, &linear->A);
  if (status == SEAM_OK)
    status = reader_matrix(a->r, values[LINEAR_B], (size_t)n, (size_t)n_in, &linear->B);
  if (status == SEAM_OK)
    status = reader_matrix(a->r, values[LINEAR_C], (size_t)n_out, (size_t)n, &linear->C);
  if (status == SEAM_OK)
    status = reader_matrix(a->r, values[LINEAR_D], (size_t)n_out, (size_t)n_in, &linear->D);
  if (status == SEAM_OK && a->self->period > 0 && values[LINEAR_RESTARTS])
    return reader_fail(a->r, reader_place(values[LINEAR_RESTARTS]), "remove them", "'restarts' in %s need macro steps",
                       a->r->subject);
  if (status == SEAM_OK)
    status = read_restarts(a, values[LINEAR_RESTARTS]);
  return status == SEAM_OK ? show_followed(a, show_row) : status;
}

/* ---- Samples --------------------------------------------------------------------------------------------------- */

static seam_status refuse(const reading *a, int key, const char *fix) {
  return reader_fail(a->r, reader_place(a->values[key]), fix,
                     a->self->period > 0 ? "%s is sampled, and so has no '%s'" : "%s is not sampled, but has '%s'",
                     a->r->subject, keys[key].name);
}

/* Sampled equations are not integrated. */
static seam_status read_period(reading *a) {
  seam_status status = SEAM_OK;
  if (a->values[SAMPLE])
    status = reader_number(a->r, a->values[SAMPLE], POSITIVE, &a->self->period);
  if (status != SEAM_OK || a->self->period == 0)
    return status == SEAM_OK && a->values[UPDATES] ? refuse(a, UPDATES, "write 'rates', or 'sample: PERIOD'") : status;
  if (a->values[RATES])
    return refuse(a, RATES, "write 'updates': the next values");
  for (int i = 0; i < N_KEYS; i++)
    if (a->values[i] && (i == INTEGRALS || i >= MACRO_STEP))
      return refuse(a, i, "leave it out: outputs and states change at the samples alone");
  return SEAM_OK;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

seam_status user_equations_read(reader *r, yaml_node *value, const mbs_integrator_options *of_all,
                                const cosim_user_part **user, yaml_node **macro_step) {
  reading a = {.r = r, .place = reader_place(value), .self = arena_take(&r->result->memory, sizeof *a.self)};
  if (!a.self)
    return reader_no_memory(r);
  seam_status status = reader_take_map(r, value, keys, N_KEYS, a.values);
  if (status == SEAM_OK)
    status = read_period(&a);
  if (status == SEAM_OK)
    status = read_variables(&a);
  if (status == SEAM_OK)
    status = a.values[LINEAR] ? read_linear(&a) : read_equations(&a, of_all);
  if (status != SEAM_OK)
    return status;
  user_equations_finish(a.self);
  *user = &a.self->part;
  *macro_step = a.values[MACRO_STEP];
  return SEAM_OK;
}
