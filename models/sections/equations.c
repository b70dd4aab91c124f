#include "models/sections/equations.h"

#include <stdio.h>
#include <string.h>

#include <seam/equations.h>

enum { INPUTS, STATES, RATES, UPDATES, OUTPUTS, LINEAR, SAMPLE, UNITS, NOMINAL, N_KEYS };

static const form *const outputs[] = {&form_laws, &form_names};
static const form form_outputs = {FORM_FORMS(outputs)};

static const map_key keys[N_KEYS] = {
    [INPUTS] = {"inputs", false, &form_laws, "", "expressions of quantities, measures and the time t"},
    [STATES] = {"states", false, &form_values, "", "values at the start"},
    [RATES] = {"rates", false, &form_laws, "", "of each state, an expression"},
    [UPDATES] = {"updates", false, &form_laws, "", "next value of each state of what is sampled, an expression"},
    [OUTPUTS] = {"outputs", false, &form_outputs, "", "expressions; names beside 'linear'"},
    [LINEAR] = {"linear", false, &form_linear, "", "matrices in place of expressions"},
    [SAMPLE] = {"sample", false, &form_positive, "s", "period at which outputs and updates are computed"},
    [UNITS] = {"units", false, &form_texts, "", "of inputs, states and outputs"},
    [NOMINAL] = {"nominal", false, &form_values, "",
                 "usual sizes of states, which error control compares with; "
                 "default: found at the start"},
};
static const form form_one = {.name = "equations", .meaning = "equations of the whole", FORM_KEYS(keys)};
const form form_equations = {.kind = FORM_NAMED, .of = &form_one};

/* ---- Matrices ---------------------------------------------------------------------------------------------------- */

static const map_key linear_keys[N_LINEAR] = {
    [LINEAR_A] = {"A", true, &form_matrix, "", "x' = A x + B u, or the next x of what is sampled"},
    [LINEAR_B] = {"B", false, &form_matrix, "", "required where there are inputs"},
    [LINEAR_C] = {"C", false, &form_matrix, "", "y = C x + D u; required where there are outputs"},
    [LINEAR_D] = {"D", false, &form_matrix, "", "default: zeros"},
    [LINEAR_RESTARTS] = {"restarts", false, &form_names, "",
                         "states that begin each macro step at zero; of subsystems"},
};
const form form_linear = {.name = "linear", .meaning = "linear equations", FORM_KEYS(linear_keys)};

void equations_linear_keys(bool has_inputs, bool has_outputs, map_key of_linear[N_LINEAR]) {
  memcpy(of_linear, linear_keys, sizeof linear_keys);
  of_linear[LINEAR_B].required = has_inputs;
  of_linear[LINEAR_C].required = has_outputs;
}

/* An entry being read. */
typedef struct draft {
  reader *r;
  yaml_node *node;
  const char *name;
  const equations_wiring *wiring;
  yaml_node *values[N_KEYS];
  double sample;
  own_name *own; /* (n_own) t, inputs, states, outputs */
  size_t n_own, n_inputs, n_states, n_outputs;
} draft;

static size_t count(const draft *d, int key) { return d->values[key] != NULL ? d->values[key]->n_children : 0; }
static yaml_node *first(const draft *d, int key) { return d->values[key] != NULL ? d->values[key]->first : NULL; }

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const own_name *find_own(const draft *d, const char *name) {
  for (size_t i = 0; i < d->n_own; i++)
    if (strcmp(d->own[i].name, name) == 0)
      return &d->own[i];
  return NULL;
}

/* "NAME.short", and what follows. */
static const char *full_name(const draft *d, const char *name, const char *more) {
  const size_t size = strlen(d->name) + strlen(name) + strlen(more) + 2;
  char *full = arena_take(&d->r->memory, size);
  if (full != NULL)
    snprintf(full, size, "%s.%s%s", d->name, name, more);
  return full;
}

/* The output of a subsystem that is nothing but the input or state of its name. */
static bool is_its_own(const draft *d, const yaml_node *output) {
  return d->wiring != NULL && d->sample == 0 && output->key != NULL && output->kind == YAML_SCALAR &&
         output->text != NULL && strcmp(output->key->text, output->text) == 0 && find_own(d, output->text) != NULL;
}

static bool has_output(const draft *d, const char *name) {
  for (const yaml_node *one = first(d, OUTPUTS); one != NULL; one = one->next)
    if (strcmp(reader_place(one)->text, name) == 0)
      return d->sample > 0 || one->key == NULL || one->text == NULL || strcmp(one->text, name) != 0;
  return false;
}

/* A name of the entry, which stands for the quantity "NAME.name". In a subsystem, an output of that name, another one,
 * is that quantity. */
static seam_status add_own(draft *d, const yaml_node *name, const char **quantity) {
  reader *r = d->r;
  const char *text = NULL;
  seam_status status = reader_text(r, name, &text);
  if (status == SEAM_OK)
    status = reader_check_name(r, name, true);
  if (status != SEAM_OK)
    return status;
  if (expression_is_reserved(text))
    return reader_fail(r, name, "choose another name", "'%.60s' in %s is a function or a constant", text, r->subject);
  const own_name *other = find_own(d, text);
  if (other != NULL)
    return reader_fail(r, name, "choose another name", "'%.60s' in %s is %s already", text, r->subject,
                       other == d->own ? "the time" : "an input, state or output");
  *quantity = full_name(d, text, d->wiring != NULL && has_output(d, text) ? ".own" : "");
  d->own[d->n_own++] = (own_name){text, *quantity};
  return *quantity != NULL ? SEAM_OK : reader_no_memory(r);
}

static seam_status unit_of(const draft *d, const char *name, const char **unit) {
  const yaml_node *value = d->values[UNITS] != NULL ? yaml_get(d->values[UNITS], name) : NULL;
  return value != NULL ? reader_text(d->r, value, unit) : SEAM_OK;
}

static deferred function_of(const draft *d, const char *name, yaml_node *value) {
  return (deferred){
      .name = name, .noun = "equations", .node = d->node, .value = value, .own = {d->own, d->n_own}, .prefix = d->name};
}

/* ---- Inputs, states and outputs ---------------------------------------------------------------------------------- */

static seam_status name_input(draft *d, const yaml_node *value) {
  const char *quantity = NULL;
  d->n_inputs++;
  return add_own(d, reader_place(value), &quantity);
}

/* Inputs are expressions of what is outside of the entry. */
static seam_status add_input(const draft *d, yaml_node *value, size_t i) {
  const own_name *own = &d->own[1 + i];
  deferred input = function_of(d, own->quantity, value);
  input.own = (own_names){&own_time, 1};
  input.prefix = NULL;
  seam_status status = unit_of(d, own->name, &input.unit);
  if (status == SEAM_OK && d->wiring != NULL)
    status = d->wiring->find(d->wiring->context, d->r, own->name, &input);
  return status == SEAM_OK ? deferred_add(d->r, DEFERRED_MEASURE, &input) : status;
}

static seam_status nominal_of(const draft *d, const char *name, double *nominal) {
  yaml_node *value = d->values[NOMINAL] != NULL ? yaml_get(d->values[NOMINAL], name) : NULL;
  return value != NULL ? reader_number(d->r, value, POSITIVE, nominal) : SEAM_OK;
}

static seam_status add_variable(const draft *d, const yaml_node *at, const char *quantity, double start) {
  mbs_variable_def def = mbs_default_variable_def();
  seam_error cause = {0};
  def.name = quantity;
  def.start = start;
  def.sample = d->sample;
  seam_status status = unit_of(d, at->text, &def.unit);
  if (status == SEAM_OK)
    status = nominal_of(d, at->text, &def.nominal);
  if (status != SEAM_OK)
    return status;
  status = mbs_add_variable(d->r->builder, &def, &cause);
  return status == SEAM_OK ? SEAM_OK : reader_fail_as_engine(d->r, at, &cause);
}

static seam_status add_state(draft *d, yaml_node *value) {
  const char *quantity = NULL;
  double start = 0;
  seam_status status = add_own(d, value->key, &quantity);
  if (status == SEAM_OK)
    status = reader_number(d->r, value, ANY_NUMBER, &start);
  d->n_states++;
  return status == SEAM_OK ? add_variable(d, value->key, quantity, start) : status;
}

static seam_status name_output(draft *d, const yaml_node *value) {
  const yaml_node *name = reader_place(value);
  const char *quantity = NULL;
  seam_status status = SEAM_OK;
  d->n_outputs++;
  if (d->wiring == NULL || name->text == NULL || find_own(d, name->text) == NULL)
    status = add_own(d, name, &quantity);
  if (status != SEAM_OK || d->sample == 0 || name->text == NULL)
    return status;
  quantity = full_name(d, name->text, "");
  return quantity != NULL ? add_variable(d, name, quantity, 0) : reader_no_memory(d->r);
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

/* Σ of a row over states and inputs. */
static seam_status add_row(const draft *d, deferral kind, const char *name, yaml_node *at, const double *of_states,
                           const double *of_inputs) {
  const size_t most = d->n_states + d->n_inputs + 1;
  const char **names = arena_take(&d->r->memory, most * sizeof *names);
  double *gains = arena_take(&d->r->memory, most * sizeof *gains);
  if (name == NULL || names == NULL || gains == NULL)
    return reader_no_memory(d->r);
  deferred one = function_of(d, name, at);
  one.is_sum = true;
  one.names = names;
  one.gains = gains;
  for (size_t i = 0; i < d->n_inputs + d->n_states; i++) {
    const double gain = i < d->n_inputs ? of_inputs[i] : of_states[i - d->n_inputs];
    if (gain == 0)
      continue;
    gains[one.n] = gain;
    names[one.n++] = d->own[1 + i].quantity;
  }
  return deferred_add(d->r, kind, &one);
}

static const char *state_of(const draft *d, size_t i) { return d->own[1 + d->n_inputs + i].quantity; }

static seam_status add_linear(const draft *d) {
  map_key of_linear[N_LINEAR];
  const size_t rows[] = {d->n_states, d->n_states, d->n_outputs, d->n_outputs};
  yaml_node *values[N_LINEAR];
  const double *matrix[4];
  equations_linear_keys(d->n_inputs > 0, d->n_outputs > 0, of_linear);
  seam_status status = reader_take_map(d->r, d->values[LINEAR], of_linear, N_LINEAR, values);
  if (status == SEAM_OK && values[LINEAR_RESTARTS] != NULL)
    return reader_fail(d->r, values[LINEAR_RESTARTS], "they belong to subsystems of 'cosim'",
                       "'restarts' in %s need macro steps", d->r->subject);
  for (int i = LINEAR_A; i <= LINEAR_D && status == SEAM_OK; i++)
    status = reader_matrix(d->r, values[i], rows[i], i % 2 == 0 ? d->n_states : d->n_inputs, &matrix[i]);
  for (size_t i = 0; i < d->n_states && status == SEAM_OK; i++)
    status = add_row(d, DEFERRED_RATE, state_of(d, i), values[LINEAR_A], matrix[LINEAR_A] + i * d->n_states,
                     matrix[LINEAR_B] + i * d->n_inputs);
  const yaml_node *output = first(d, OUTPUTS);
  for (size_t i = 0; i < d->n_outputs && status == SEAM_OK; i++, output = output->next)
    status = add_row(d, d->sample > 0 ? DEFERRED_RATE : DEFERRED_MEASURE, full_name(d, output->text, ""),
                     d->values[OUTPUTS], matrix[LINEAR_C] + i * d->n_states, matrix[LINEAR_D] + i * d->n_inputs);
  return status;
}

static seam_status add_rates(const draft *d, int key) {
  map_key *states = arena_take(&d->r->memory, (d->n_states + 1) * sizeof *states);
  yaml_node **rates = arena_take(&d->r->memory, (d->n_states + 1) * sizeof *rates);
  if (states == NULL || rates == NULL)
    return reader_no_memory(d->r);
  for (size_t i = 0; i < d->n_states; i++)
    states[i] = (map_key){.name = d->own[1 + d->n_inputs + i].name, .required = true};
  seam_status status = reader_take_map(d->r, d->values[key], states, d->n_states, rates);
  for (size_t i = 0; i < d->n_states && status == SEAM_OK; i++) {
    const deferred rate = function_of(d, state_of(d, i), rates[i]);
    status = deferred_add(d->r, DEFERRED_RATE, &rate);
  }
  return status;
}

static seam_status add_output(const draft *d, yaml_node *value) {
  const char *name = value->key->text;
  deferred output = function_of(d, full_name(d, name, ""), value);
  if (output.name == NULL)
    return reader_no_memory(d->r);
  const seam_status status = unit_of(d, name, &output.unit);
  return status == SEAM_OK ? deferred_add(d->r, d->sample > 0 ? DEFERRED_RATE : DEFERRED_MEASURE, &output) : status;
}

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

static seam_status check_kind(const draft *d, int key, yaml_kind kind, const char *fix) {
  const yaml_node *value = d->values[key];
  if (value == NULL || value->kind == kind)
    return SEAM_OK;
  return reader_fail(d->r, value, fix, "'%s' in %s must be %s, but is %s", keys[key].name, d->r->subject,
                     kind == YAML_MAP ? "a map" : "a list", yaml_kind_text(value));
}

static seam_status check_kinds(const draft *d) {
  const bool is_linear = d->values[LINEAR] != NULL;
  seam_status status = check_kind(d, INPUTS, d->wiring != NULL ? YAML_LIST : YAML_MAP, "write {NAME: EXPRESSION, ...}");
  if (status == SEAM_OK)
    status = check_kind(d, STATES, YAML_MAP, "write {NAME: START, ...}");
  if (status == SEAM_OK)
    status = is_linear ? check_kind(d, OUTPUTS, YAML_LIST, "write [NAME, ...]: their values are the rows of C and D")
                       : check_kind(d, OUTPUTS, YAML_MAP, "write {NAME: EXPRESSION, ...}");
  if (status == SEAM_OK)
    status = check_kind(d, UNITS, YAML_MAP, "write {NAME: UNIT, ...}");
  return status == SEAM_OK ? check_kind(d, NOMINAL, YAML_MAP, "write {STATE: SIZE, ...}") : status;
}

/* Which of rates, updates and linear says how states change. */
static seam_status check_changes(const draft *d) {
  static const struct {
    int key;
    const char *fix;
  } wrong[2] = {{UPDATES, "write 'rates', or 'sample: PERIOD'"}, {RATES, "write 'updates': the next values"}};
  const int key = d->sample > 0 ? UPDATES : RATES;
  const yaml_node *other = d->values[wrong[d->sample > 0].key];
  if (other != NULL)
    return reader_fail(d->r, other->key, wrong[d->sample > 0].fix, "'%s' in %s %s", other->key->text, d->r->subject,
                       d->sample > 0 ? "are of equations that are not sampled" : "need 'sample', their period");
  if (d->values[LINEAR] != NULL && d->values[key] != NULL)
    return reader_fail(d->r, d->values[key]->key, "remove one of the two", "'%s' in %s cannot stand beside 'linear'",
                       keys[key].name, d->r->subject);
  if (count(d, STATES) > 0 && d->values[key] == NULL && d->values[LINEAR] == NULL)
    return reader_fail(d->r, d->values[STATES]->key, NULL, "%s needs '%s' for its states", d->r->subject,
                       keys[key].name);
  if (count(d, STATES) + count(d, OUTPUTS) == 0)
    return reader_fail(d->r, reader_place(d->node), "add 'states' and 'rates', or 'outputs'", "%s does nothing",
                       d->r->subject);
  return SEAM_OK;
}

static seam_status take_names(draft *d) {
  seam_status status = SEAM_OK;
  d->own = arena_take(&d->r->memory, (1 + count(d, INPUTS) + count(d, STATES) + count(d, OUTPUTS)) * sizeof *d->own);
  if (d->own == NULL)
    return reader_no_memory(d->r);
  d->own[d->n_own++] = own_time;
  for (const yaml_node *one = first(d, INPUTS); one != NULL && status == SEAM_OK; one = one->next)
    status = name_input(d, one);
  for (yaml_node *one = first(d, STATES); one != NULL && status == SEAM_OK; one = one->next)
    status = add_state(d, one);
  for (const yaml_node *one = first(d, OUTPUTS); one != NULL && status == SEAM_OK; one = one->next)
    status = name_output(d, one);
  return status;
}

static seam_status check_named(const draft *d) {
  for (const yaml_node *unit = first(d, UNITS); unit != NULL; unit = unit->next)
    if (find_own(d, unit->key->text) == NULL)
      return reader_fail(d->r, unit->key, "name an input, state or output", "'units' in %s has no '%.60s' to give one",
                         d->r->subject, unit->key->text);
  for (const yaml_node *size = first(d, NOMINAL); size != NULL; size = size->next)
    if (d->values[STATES] == NULL || yaml_get(d->values[STATES], size->key->text) == NULL)
      return reader_fail(d->r, size->key, "name a state", "'nominal' in %s has no '%.60s' to give a size",
                         d->r->subject, size->key->text);
  return SEAM_OK;
}

static seam_status add_functions(const draft *d) {
  const int key = d->sample > 0 ? UPDATES : RATES;
  size_t i = 0;
  seam_status status = check_named(d);
  for (yaml_node *one = first(d, INPUTS); one != NULL && status == SEAM_OK; one = one->next)
    status = add_input(d, one, i++);
  if (status == SEAM_OK && d->values[LINEAR] != NULL)
    return add_linear(d);
  if (status == SEAM_OK && d->values[key] != NULL)
    status = add_rates(d, key);
  for (yaml_node *one = first(d, OUTPUTS); one != NULL && status == SEAM_OK; one = one->next)
    if (!is_its_own(d, one))
      status = add_output(d, one);
  return status;
}

/* Of a subsystem other keys are its integrator's. */
static seam_status take_values(draft *d) {
  if (d->wiring == NULL)
    return reader_take_map(d->r, d->node, keys, N_KEYS, d->values);
  for (int i = 0; i < N_KEYS; i++)
    d->values[i] = yaml_get(d->node, keys[i].name);
  return SEAM_OK;
}

seam_status equations_add(reader *r, yaml_node *value, const equations_wiring *wiring) {
  draft d = {.r = r, .node = value, .name = value->key->text, .wiring = wiring};
  reader_set_subject(r, "equations", value);
  seam_status status = take_values(&d);
  if (status == SEAM_OK)
    status = check_kinds(&d);
  if (status == SEAM_OK && d.values[SAMPLE] != NULL)
    status = reader_number(r, d.values[SAMPLE], POSITIVE, &d.sample);
  if (status == SEAM_OK)
    status = check_changes(&d);
  if (status == SEAM_OK)
    status = take_names(&d);
  return status == SEAM_OK ? add_functions(&d) : status;
}

/* ---- The section ------------------------------------------------------------------------------------------------- */

/* What else expressions call so; NULL: nothing. */
static const char *taken_by(const reader *r, const char *name) {
  static const struct {
    const char *name, *by;
  } words[] = {{"t", "the time"}, {"time", "the time"}, {"energy", "the energies"}, {"ground", "the ground"}};
  const size_t length = strlen(name);
  const yaml_node *measures = yaml_get(r->root, "measures");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(name, words[i].name) == 0)
      return words[i].by;
  if (expression_is_reserved(name))
    return "a function or a constant";
  if (table_find(&r->parameter_names, name, length) != NULL)
    return "a parameter";
  if (table_find(&r->entry_names, name, length) != NULL)
    return "a body, joint or force element";
  return measures != NULL && measures->kind == YAML_MAP && yaml_get(measures, name) != NULL ? "a measure" : NULL;
}

seam_status equations_check_name(reader *r, const yaml_node *key, const char *what) {
  const char *name = key->text;
  const seam_status status = reader_check_name(r, key, true);
  const char *by = status == SEAM_OK ? taken_by(r, name) : NULL;
  if (by == NULL)
    return status;
  char fix[128];
  snprintf(fix, sizeof fix, "choose another name for %s, which expressions call by it", what);
  return reader_fail(r, key, fix, "the name '%.60s' is that of %s", name, by);
}

seam_status equations_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "equations", &section);
  for (yaml_node *value = section != NULL ? section->first : NULL; value != NULL && status == SEAM_OK;
       value = value->next) {
    status = equations_check_name(r, value->key, "these equations");
    if (status == SEAM_OK)
      status = equations_add(r, value, NULL);
  }
  return status;
}
