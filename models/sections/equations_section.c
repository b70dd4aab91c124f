#include "models/sections/equations_section.h"

#include <string.h>

#include "base/then.h"
#include "cosim/thresholds.h"

static const form form_outputs = {FORM_ANY_OF(&form_laws, &form_names)};
static const form form_micro_steps = {.kind = FORM_COUNT, .least = 1, .most = COSIM_MAX_MICRO_STEPS};

#define EQUATIONS_KEYS(form_of_inputs, meaning_of_inputs, variables)                                                   \
  [EQUATIONS_INPUTS] = {"inputs", false, form_of_inputs, "", meaning_of_inputs},                                       \
  [EQUATIONS_STATES] = {"states", false, &form_values, "", "initial values"},                                          \
  [EQUATIONS_RATES] = {"rates", false, &form_laws, "", "of each state, an expression" variables},                      \
  [EQUATIONS_UPDATES] = {"updates", false, &form_laws, "",                                                             \
                         "next value of each state of what is sampled, an expression"},                                \
  [EQUATIONS_OUTPUTS] = {"outputs", false, &form_outputs, "", "expressions" variables "; names beside 'linear'"},      \
  [EQUATIONS_LINEAR] = {"linear", false, &form_linear, "", "matrices in place of expressions"},                        \
  [EQUATIONS_SAMPLE] = {"sample", false, &form_positive, "s", "period at which outputs and updates are computed"},     \
  [EQUATIONS_NOMINAL] = {"nominal", false, &form_values, "",                                                           \
                         "usual sizes of states, which error control compares with; "                                  \
                         "default: found at the start, or over the run where they rest there"}

static const map_key keys_of_entry[N_EQUATIONS_ENTRY] = {
    EQUATIONS_KEYS(&form_laws, "expressions of quantities, measures and the time t", ""),
    [EQUATIONS_UNITS] = {"units", false, &form_texts, "", "of inputs, states and outputs"},
};
static const map_key keys_of_subsystem[N_EQUATIONS_SUBSYSTEM] = {
    EQUATIONS_KEYS(&form_names, "names of inputs, which signals give", " of t, inputs and states"),
    [EQUATIONS_INTEGRALS] = {"integrals", false, &form_laws, "", "more outputs: integrals over the last macro step"},
    [EQUATIONS_MACRO_STEP] = {"macro_step", false, &form_positive, "s", "default: that of the whole"},
    [EQUATIONS_MICRO_STEPS] = {"micro_steps", false, &form_micro_steps, "", "of equal length in each macro step"},
    [EQUATIONS_INTEGRATOR] =
        INTEGRATOR_KEYS(&form_ode_method, "that of the whole", "5", "that of the whole", "that of the whole"),
};
static const form form_one = {.name = "equations", .meaning = "equations of the whole", FORM_KEYS(keys_of_entry)};
const form form_equations = {.kind = FORM_NAMED, .of = &form_one};
const form form_user_equations = {
    .name = "user_equations", .meaning = "a subsystem of equations", FORM_KEYS(keys_of_subsystem)};

enum { A, B, C, D, RESTARTS, N_LINEAR };

static const map_key linear_keys[N_LINEAR] = {
    [A] = {"A", true, &form_matrix, "", "x' = A x + B u, or the next x of what is sampled"},
    [B] = {"B", false, &form_matrix, "", "required where there are inputs"},
    [C] = {"C", false, &form_matrix, "", "y = C x + D u; required where there are outputs"},
    [D] = {"D", false, &form_matrix, "", "default: zeros"},
    [RESTARTS] = {"restarts", false, &form_names, "", "states that begin each macro step at zero; of subsystems"},
};
const form form_linear = {.name = "linear", .meaning = "linear equations", FORM_KEYS(linear_keys)};

static const char *name_of(int key) { return keys_of_subsystem[key].name; }

static size_t count(const equations *e, int key) { return yaml_count(e->values[key]); }
static yaml_node *first(const equations *e, int key) { return e->values[key] != NULL ? e->values[key]->first : NULL; }

/* Rejects keys of continuous equations if the equations are sampled, and `updates` if they are not. */
static seam_status check_period(reader *r, const equations *e) {
  for (int i = 0; i < N_EQUATIONS_SUBSYSTEM; i++) {
    const bool is_integrated = i == EQUATIONS_RATES || (e->is_subsystem && i >= EQUATIONS_INTEGRALS);
    const char *fix = "remove this key: outputs and states change only at the samples";
    if (e->values[i] == NULL || !(e->period > 0 ? is_integrated : i == EQUATIONS_UPDATES))
      continue;
    if (i == EQUATIONS_RATES || i == EQUATIONS_UPDATES)
      fix = e->period > 0 ? "write 'updates', the values of the states at the next sample"
                          : "write 'rates', or add 'sample: PERIOD'";
    return reader_fail(r, e->values[i]->key, fix,
                       e->period > 0 ? "%s has 'sample', and so cannot have '%s'"
                                     : "%s has no 'sample', and so cannot have '%s'",
                       r->subject, e->values[i]->key->text);
  }
  return SEAM_OK;
}

static seam_status check_changes(reader *r, const equations *e) {
  const int key = e->period > 0 ? EQUATIONS_UPDATES : EQUATIONS_RATES;
  const yaml_node *linear = e->values[EQUATIONS_LINEAR];
  const bool has_states = count(e, EQUATIONS_STATES) > 0;
  for (int i = 0; i < N_EQUATIONS_SUBSYSTEM && linear != NULL; i++) {
    const bool is_of_expressions = e->is_subsystem && (i == EQUATIONS_INTEGRALS || i >= EQUATIONS_MICRO_STEPS);
    if (e->values[i] != NULL && (i == EQUATIONS_RATES || i == EQUATIONS_UPDATES || is_of_expressions))
      return reader_fail(r, e->values[i]->key, "remove one of the two", "'%s' in %s cannot stand beside 'linear'%s",
                         name_of(i), r->subject,
                         e->is_subsystem && e->period == 0 ? ", which is integrated exactly" : "");
  }
  if (linear != NULL && !has_states && e->is_subsystem)
    return reader_fail(r, linear->key, "write states: {NAME: INITIAL VALUE, ...}", "%s needs 'states' for its matrices",
                       r->subject);
  if (linear == NULL && has_states && e->values[key] == NULL)
    return reader_fail(r, e->values[EQUATIONS_STATES]->key,
                       key == EQUATIONS_RATES ? "write rates: {STATE: EXPRESSION, ...}"
                                              : "write updates: {STATE: EXPRESSION, ...}",
                       "%s needs '%s' or 'linear' for its states", r->subject, name_of(key));
  if (linear == NULL && !has_states && first(e, key) != NULL)
    return reader_fail(r, first(e, key)->key, "write states: {NAME: INITIAL VALUE, ...}",
                       "'%s' in %s has entries, but there are no 'states'", name_of(key), r->subject);
  return SEAM_OK;
}

/* Reads a name. With is_used, expressions use the name, and it must differ from all other names. However, an output of
 * a subsystem may have the name of an input or state. */
static seam_status read_name(reader *r, const equations *e, const yaml_node *name, bool is_used, const char **read) {
  const size_t n_indices = name->indices != NULL ? name->indices->n : 0;
  const size_t n_used = is_used ? 1 + e->n_inputs + e->n_states : 0;
  const size_t n_outputs = e->n_outputs + e->n_integrals;
  seam_status status = reader_text(r, name, read);
  THEN(status, reader_check_name(r, name, is_used));
  if (status != SEAM_OK)
    return status;
  const bool is_error = strcmp(*read, "e") == 0; /* usual for a controller's error; hides Euler's number */
  const bool is_index = n_indices > 0 && reader_index_of(name->indices->names, n_indices, *read) < n_indices;
  if (is_used && ((expression_is_reserved(*read) && !is_error) || is_index))
    return reader_fail(r, name, "choose another name",
                       "'%.60s' in %s is a function, a constant or the index of a repeat", *read, r->subject);
  if (reader_index_of(e->names, n_used, *read) < n_used || reader_index_of(e->outputs, n_outputs, *read) < n_outputs)
    return reader_fail(r, name, "choose another name", "'%.60s' in %s is %s already", *read, r->subject,
                       is_used && strcmp(*read, "t") == 0 ? "the time" : "an input, state or output");
  return SEAM_OK;
}

static seam_status read_outputs(reader *r, equations *e, int key, size_t *n) {
  seam_status status = SEAM_OK;
  for (yaml_node *one = first(e, key); one != NULL && status == SEAM_OK; one = one->next) {
    const size_t i = e->n_outputs + e->n_integrals;
    e->output[i] = one;
    status = read_name(r, e, reader_message_node(one), !e->is_subsystem, &e->outputs[i]);
    ++*n;
  }
  return status;
}

static seam_status read_names(reader *r, equations *e) {
  const size_t n_states = count(e, EQUATIONS_STATES);
  const size_t n_integrals = e->is_subsystem ? count(e, EQUATIONS_INTEGRALS) : 0;
  const size_t n_outputs = count(e, EQUATIONS_OUTPUTS) + n_integrals;
  seam_status status = SEAM_OK;
  e->names = reader_allocate(r, 1 + count(e, EQUATIONS_INPUTS) + n_states + n_integrals, sizeof *e->names);
  e->outputs = reader_allocate(r, n_outputs, sizeof *e->outputs);
  e->output = reader_allocate(r, n_outputs, sizeof(yaml_node *));
  e->start = reader_allocate(r, n_states + n_integrals, sizeof *e->start);
  e->nominal = reader_allocate(r, n_states + n_integrals, sizeof *e->nominal);
  if (e->names == NULL || e->outputs == NULL || e->output == NULL || e->start == NULL || e->nominal == NULL)
    return reader_no_memory(r);
  e->names[0] = "t";
  e->inputs = e->names + 1;
  for (const yaml_node *one = first(e, EQUATIONS_INPUTS); one != NULL && status == SEAM_OK; one = one->next) {
    status = read_name(r, e, reader_message_node(one), true, &e->inputs[e->n_inputs]);
    e->n_inputs++;
  }
  e->states = e->inputs + e->n_inputs;
  for (yaml_node *one = first(e, EQUATIONS_STATES); one != NULL && status == SEAM_OK; one = one->next) {
    status = read_name(r, e, one->key, true, &e->states[e->n_states]);
    THEN(status, reader_number(r, one, ANY_NUMBER, &e->start[e->n_states++]));
  }
  THEN(status, read_outputs(r, e, EQUATIONS_OUTPUTS, &e->n_outputs));
  THEN(status, e->is_subsystem ? read_outputs(r, e, EQUATIONS_INTEGRALS, &e->n_integrals) : SEAM_OK);
  memcpy(e->states + e->n_states, e->outputs + e->n_outputs, e->n_integrals * sizeof *e->states);
  return status;
}

static seam_status read_nominal(reader *r, equations *e) {
  seam_status status = reader_check_kind(r, e->values[EQUATIONS_NOMINAL], YAML_MAP, "write {STATE: SIZE, ...}");
  for (yaml_node *size = first(e, EQUATIONS_NOMINAL); size != NULL && status == SEAM_OK; size = size->next) {
    const size_t i = reader_index_of(e->states, e->n_states, size->key->text);
    if (i == e->n_states)
      return reader_fail(r, size->key, "name a state", "'nominal' in %s names '%.60s', which is not a state",
                         r->subject, size->key->text);
    status = reader_number(r, size, POSITIVE, &e->nominal[i]);
  }
  return status;
}

static seam_status read_linear(reader *r, equations *e) {
  map_key of_linear[N_LINEAR];
  yaml_node *values[N_LINEAR];
  memcpy(of_linear, linear_keys, sizeof of_linear);
  of_linear[B].required = e->n_inputs > 0;
  of_linear[C].required = e->n_outputs > 0 || e->is_subsystem;
  seam_status status = reader_inner_map(r, e->values[EQUATIONS_LINEAR], of_linear, N_LINEAR, values);
  for (int i = A; i <= D && status == SEAM_OK; i++)
    status = reader_matrix(r, values[i], i < C ? e->n_states : e->n_outputs, i % 2 == A ? e->n_states : e->n_inputs,
                           &e->matrix[i]);
  e->restarts = values[RESTARTS];
  if (status == SEAM_OK && e->restarts != NULL && (e->period > 0 || !e->is_subsystem))
    return reader_fail(
        r, e->restarts->key, "remove 'restarts'",
        "'restarts' in %s has no effect: only subsystems of 'cosim' without 'sample' can restart at macro steps",
        r->subject);
  return status;
}

seam_status equations_read_one(reader *r, yaml_node *value, bool is_subsystem, equations *e) {
  const char *const laws = "write {NAME: EXPRESSION, ...}";
  *e = (equations){.node = value, .is_subsystem = is_subsystem};
  seam_status status = is_subsystem ? reader_map(r, value, keys_of_subsystem, N_EQUATIONS_SUBSYSTEM, e->values)
                                    : reader_map(r, value, keys_of_entry, N_EQUATIONS_ENTRY, e->values);
  const bool is_linear = e->values[EQUATIONS_LINEAR] != NULL;
  THEN(status, reader_check_kind(r, e->values[EQUATIONS_INPUTS], is_subsystem ? YAML_LIST : YAML_MAP,
                                 is_subsystem ? "write [NAME, ...]" : laws));
  THEN(status, reader_check_kind(r, e->values[EQUATIONS_STATES], YAML_MAP, "write {NAME: INITIAL VALUE, ...}"));
  THEN(status, is_subsystem ? reader_check_kind(r, e->values[EQUATIONS_INTEGRALS], YAML_MAP, laws) : SEAM_OK);
  THEN(status, reader_check_kind(r, e->values[EQUATIONS_OUTPUTS], is_linear ? YAML_LIST : YAML_MAP,
                                 is_linear ? "write [NAME, ...]: their values are the rows of C and D" : laws));
  THEN(status, reader_number(r, e->values[EQUATIONS_SAMPLE], POSITIVE, &e->period));
  THEN(status, check_period(r, e));
  THEN(status, check_changes(r, e));
  THEN(status, read_names(r, e));
  THEN(status, read_nominal(r, e));
  if (status != SEAM_OK)
    return status;
  if (is_linear)
    return read_linear(r, e);
  /* expressions of rates or updates, in the order of the states */
  yaml_node *changes = e->values[e->period > 0 ? EQUATIONS_UPDATES : EQUATIONS_RATES];
  map_key *states = arena_allocate(&r->memory, (e->n_states + 1) * sizeof *states);
  e->rates = reader_allocate(r, e->n_states, sizeof(yaml_node *));
  if (states == NULL || e->rates == NULL)
    return reader_no_memory(r);
  for (size_t i = 0; i < e->n_states; i++)
    states[i] = (map_key){.name = e->states[i], .required = true};
  return changes != NULL ? reader_inner_map(r, changes, states, e->n_states, e->rates) : SEAM_OK;
}
