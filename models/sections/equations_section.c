#include "models/sections/equations_section.h"

#include <stdio.h>
#include <string.h>

#include <seam/equations.h>

#include "cosim/thresholds.h"

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static const form form_outputs = {FORM_ANY_OF(&form_laws, &form_names)};
static const form form_micro_steps = {.kind = FORM_COUNT, .least = 1, .most = COSIM_MAX_MICRO_STEPS};

enum { A, B, C, D, RESTARTS, N_LINEAR };

static const map_key linear_keys[N_LINEAR] = {
    [A] = {"A", true, &form_matrix, "", "x' = A x + B u, or the next x of what is sampled"},
    [B] = {"B", false, &form_matrix, "", "required where there are inputs"},
    [C] = {"C", false, &form_matrix, "", "y = C x + D u; required where there are outputs"},
    [D] = {"D", false, &form_matrix, "", "default: zeros"},
    [RESTARTS] = {"restarts", false, &form_names, "", "states that begin each macro step at zero; of subsystems"},
};
static const form form_linear = {.name = "linear", .meaning = "linear equations", FORM_KEYS(linear_keys)};

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

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static const char *name_of(int key) { return keys_of_subsystem[key].name; }

static size_t count(const equations *e, int key) { return yaml_count(e->values[key]); }
static yaml_node *first(const equations *e, int key) { return e->values[key] != NULL ? e->values[key]->first : NULL; }

/* Rejects keys of continuous equations in sampled ones, and `updates` in others. */
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

/* Reads a name. With is_used, expressions use it, and it must differ from all others. Otherwise it is an output of a
 * subsystem, which may have the name of an input or state. */
static seam_status read_name(reader *r, const equations *e, const yaml_node *name, bool is_used, const char **read) {
  const size_t n_indices = name->indices != NULL ? name->indices->n : 0;
  const size_t n_used = is_used ? 1 + e->n_inputs + e->n_states : 0;
  const size_t n_outputs = e->n_outputs + e->n_integrals;
  TRY(reader_text(r, name, read));
  TRY(reader_check_name(r, name, is_used));
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
  for (yaml_node *one = first(e, key); one != NULL; one = one->next) {
    const size_t i = e->n_outputs + e->n_integrals;
    e->output[i] = one;
    TRY(read_name(r, e, reader_message_node(one), !e->is_subsystem, &e->outputs[i]));
    ++*n;
  }
  return SEAM_OK;
}

static seam_status read_names(reader *r, equations *e) {
  const size_t n_states = count(e, EQUATIONS_STATES);
  const size_t n_integrals = e->is_subsystem ? count(e, EQUATIONS_INTEGRALS) : 0;
  const size_t n_outputs = count(e, EQUATIONS_OUTPUTS) + n_integrals;
  e->names = reader_allocate(r, 1 + count(e, EQUATIONS_INPUTS) + n_states + n_integrals, sizeof *e->names);
  e->outputs = reader_allocate(r, n_outputs, sizeof *e->outputs);
  e->output = reader_allocate(r, n_outputs, sizeof(yaml_node *));
  e->start = reader_allocate(r, n_states + n_integrals, sizeof *e->start);
  e->nominal = reader_allocate(r, n_states + n_integrals, sizeof *e->nominal);
  TRY(reader_check_memory(r, e->names != NULL && e->outputs != NULL && e->output != NULL && e->start != NULL &&
                                 e->nominal != NULL));
  e->names[0] = "t";
  e->inputs = e->names + 1;
  for (const yaml_node *one = first(e, EQUATIONS_INPUTS); one != NULL; one = one->next) {
    TRY(read_name(r, e, reader_message_node(one), true, &e->inputs[e->n_inputs]));
    e->n_inputs++;
  }
  e->states = e->inputs + e->n_inputs;
  for (yaml_node *one = first(e, EQUATIONS_STATES); one != NULL; one = one->next) {
    TRY(read_name(r, e, one->key, true, &e->states[e->n_states]));
    TRY(reader_number(r, one, ANY_NUMBER, &e->start[e->n_states++]));
  }
  TRY(read_outputs(r, e, EQUATIONS_OUTPUTS, &e->n_outputs));
  if (e->is_subsystem)
    TRY(read_outputs(r, e, EQUATIONS_INTEGRALS, &e->n_integrals));
  memcpy(e->states + e->n_states, e->outputs + e->n_outputs, e->n_integrals * sizeof *e->states);
  return SEAM_OK;
}

static seam_status read_nominal(reader *r, equations *e) {
  TRY(reader_check_kind(r, e->values[EQUATIONS_NOMINAL], YAML_MAP, "write {STATE: SIZE, ...}"));
  for (yaml_node *size = first(e, EQUATIONS_NOMINAL); size != NULL; size = size->next) {
    const size_t i = reader_index_of(e->states, e->n_states, size->key->text);
    if (i == e->n_states)
      return reader_fail(r, size->key, "name a state", "'nominal' in %s names '%.60s', which is not a state",
                         r->subject, size->key->text);
    TRY(reader_number(r, size, POSITIVE, &e->nominal[i]));
  }
  return SEAM_OK;
}

static seam_status read_linear(reader *r, equations *e) {
  map_key of_linear[N_LINEAR];
  yaml_node *values[N_LINEAR];
  memcpy(of_linear, linear_keys, sizeof of_linear);
  of_linear[B].required = e->n_inputs > 0;
  of_linear[C].required = e->n_outputs > 0 || e->is_subsystem;
  TRY(reader_inner_map(r, e->values[EQUATIONS_LINEAR], of_linear, N_LINEAR, values));
  for (int i = A; i <= D; i++)
    TRY(reader_matrix(r, values[i], i < C ? e->n_states : e->n_outputs, i % 2 == A ? e->n_states : e->n_inputs,
                      &e->matrix[i]));
  e->restarts = values[RESTARTS];
  if (e->restarts != NULL && (e->period > 0 || !e->is_subsystem))
    return reader_fail(
        r, e->restarts->key, "remove 'restarts'",
        "'restarts' in %s has no effect: only subsystems of 'cosim' without 'sample' can restart at macro steps",
        r->subject);
  return SEAM_OK;
}

seam_status equations_read_one(reader *r, yaml_node *value, bool is_subsystem, equations *e) {
  const char *const laws = "write {NAME: EXPRESSION, ...}";
  *e = (equations){.node = value, .is_subsystem = is_subsystem};
  TRY(is_subsystem ? reader_map(r, value, keys_of_subsystem, N_EQUATIONS_SUBSYSTEM, e->values)
                   : reader_map(r, value, keys_of_entry, N_EQUATIONS_ENTRY, e->values));
  const bool is_linear = e->values[EQUATIONS_LINEAR] != NULL;
  TRY(reader_check_kind(r, e->values[EQUATIONS_INPUTS], is_subsystem ? YAML_LIST : YAML_MAP,
                        is_subsystem ? "write [NAME, ...]" : laws));
  TRY(reader_check_kind(r, e->values[EQUATIONS_STATES], YAML_MAP, "write {NAME: INITIAL VALUE, ...}"));
  if (is_subsystem)
    TRY(reader_check_kind(r, e->values[EQUATIONS_INTEGRALS], YAML_MAP, laws));
  TRY(reader_check_kind(r, e->values[EQUATIONS_OUTPUTS], is_linear ? YAML_LIST : YAML_MAP,
                        is_linear ? "write [NAME, ...]: their values are the rows of C and D" : laws));
  TRY(reader_number(r, e->values[EQUATIONS_SAMPLE], POSITIVE, &e->period));
  TRY(check_period(r, e));
  TRY(check_changes(r, e));
  TRY(read_names(r, e));
  TRY(read_nominal(r, e));
  if (is_linear)
    return read_linear(r, e);
  /* expressions of rates or updates, in the order of the states */
  yaml_node *changes = e->values[e->period > 0 ? EQUATIONS_UPDATES : EQUATIONS_RATES];
  map_key *states = reader_allocate(r, e->n_states, sizeof *states);
  e->rates = reader_allocate(r, e->n_states, sizeof(yaml_node *));
  TRY(reader_check_memory(r, states != NULL && e->rates != NULL));
  for (size_t i = 0; i < e->n_states; i++)
    states[i] = (map_key){.name = e->states[i], .required = true};
  return changes != NULL ? reader_inner_map(r, changes, states, e->n_states, e->rates) : SEAM_OK;
}

/* ---- Equations in the mechanism: variables, measures and functions of quantities --------------------------------- */

typedef struct draft {
  reader *r;
  const equations *e;
  short_name *aliases; /* (n_aliases) t, inputs, states, and for an entry its outputs */
  size_t n_aliases;
} draft;

/* Returns "ENTRY.name" followed by `more`. NULL: memory is exhausted. */
static const char *full_name(const draft *d, const char *name, const char *more) {
  return arena_print(d->r->memory, "%s.%s%s", d->e->node->key->text, name, more);
}

/* Returns true if an output of a subsystem is the input or state of the same name. */
static bool is_same_named(const equations *e, size_t output) {
  const char *text = e->output[output]->text;
  const size_t n = 1 + e->n_inputs + e->n_states;
  return e->is_subsystem && e->period == 0 && e->rates != NULL && text != NULL &&
         strcmp(e->outputs[output], text) == 0 && reader_index_of(e->names, n, text) < n;
}

static seam_status list_aliases(draft *d) {
  const equations *e = d->e;
  const size_t n = 1 + e->n_inputs + e->n_states;
  d->aliases = reader_allocate(d->r, n + e->n_outputs, sizeof *d->aliases);
  TRY(reader_check_memory(d->r, d->aliases != NULL));
  d->aliases[d->n_aliases++] = time_name;
  for (size_t i = 1; i < n; i++) {
    const char *name = e->names[i];
    const size_t k = reader_index_of(e->outputs, e->n_outputs, name);
    const bool is_taken = k < e->n_outputs && !is_same_named(e, k); /* a different output has the same name */
    d->aliases[d->n_aliases++] = (short_name){name, full_name(d, name, is_taken ? ".own" : "")};
  }
  for (size_t i = 0; i < e->n_outputs && !e->is_subsystem; i++)
    d->aliases[d->n_aliases++] = (short_name){e->outputs[i], full_name(d, e->outputs[i], "")};
  for (size_t i = 0; i < d->n_aliases; i++)
    TRY(reader_check_memory(d->r, d->aliases[i].quantity != NULL));
  return SEAM_OK;
}

static seam_status unit_of(const draft *d, const char *name, const char **unit) {
  const yaml_node *units = d->e->is_subsystem ? NULL : d->e->values[EQUATIONS_UNITS];
  return reader_text(d->r, yaml_get(units, name), unit);
}

static const char *state_of(const draft *d, size_t i) { return d->aliases[1 + d->e->n_inputs + i].quantity; }

static seam_status add_variable(const draft *d, const yaml_node *at, const char *name, const char *quantity,
                                double start, double nominal) {
  mbs_variable_def def = mbs_default_variable_def();
  def.name = quantity;
  def.start = start;
  def.nominal = nominal;
  def.sample = d->e->period;
  TRY(reader_check_memory(d->r, quantity != NULL));
  TRY(unit_of(d, name, &def.unit));
  return reader_check_call(d->r, at, mbs_add_variable(d->r->builder, &def, &d->r->cause));
}

/* Makes the sum of states and inputs weighted by row i of two matrices. Messages refer to `key`. */
static seam_status read_row(const draft *d, int key, const double *of_states, const double *of_inputs, size_t i,
                            deferred *made) {
  const equations *e = d->e;
  const size_t most = e->n_states + e->n_inputs + 1;
  const char **names = reader_allocate(d->r, most, sizeof *names);
  double *gains = reader_allocate(d->r, most, sizeof *gains);
  TRY(reader_check_memory(d->r, names != NULL && gains != NULL));
  made->value = e->values[key];
  made->is_sum = true;
  made->names = names;
  made->gains = gains;
  for (size_t k = 0; k < e->n_inputs + e->n_states; k++) {
    const double gain = k < e->n_inputs ? of_inputs[i * e->n_inputs + k] : of_states[i * e->n_states + k - e->n_inputs];
    if (gain == 0)
      continue;
    gains[made->n] = gain;
    names[made->n++] = d->aliases[1 + k].quantity;
  }
  return SEAM_OK;
}

static deferred function_of(const draft *d, const char *name, yaml_node *value) {
  return (deferred){
      .name = name, .noun = "equations", .node = d->e->node, .value = value, .aliases = {d->aliases, d->n_aliases}};
}

seam_status equations_add(reader *r, const equations *e, const deferred *sums) {
  draft d = {.r = r, .e = e};
  reader_set_subject(r, "equations", e->node);
  TRY(list_aliases(&d));
  for (size_t i = 0; i < e->n_states; i++)
    TRY(add_variable(&d, yaml_get(e->values[EQUATIONS_STATES], e->states[i])->key, e->states[i], state_of(&d, i),
                     e->start[i], e->nominal[i]));
  for (size_t i = 0; i < e->n_outputs && e->period > 0; i++)
    TRY(add_variable(&d, reader_message_node(e->output[i]), e->outputs[i], full_name(&d, e->outputs[i], ""), 0, 0));
  yaml_node *value = yaml_first(e->values[EQUATIONS_INPUTS], e->is_subsystem ? YAML_LIST : YAML_MAP);
  for (size_t i = 0; value != NULL; i++, value = value->next) {
    deferred input = sums != NULL ? sums[i] : (deferred){.aliases = {&time_name, 1}};
    input.name = d.aliases[1 + i].quantity;
    input.noun = "equations";
    input.node = e->node;
    input.value = value;
    TRY(unit_of(&d, e->inputs[i], &input.unit));
    TRY(deferred_add(r, DEFERRED_MEASURE, &input));
  }
  for (size_t i = 0; i < e->n_states; i++) {
    deferred rate = function_of(&d, state_of(&d, i), e->rates != NULL ? e->rates[i] : NULL);
    if (e->rates == NULL)
      TRY(read_row(&d, EQUATIONS_LINEAR, e->matrix[0], e->matrix[1], i, &rate));
    TRY(deferred_add(r, DEFERRED_RATE, &rate));
  }
  for (size_t i = 0; i < e->n_outputs; i++) {
    if (is_same_named(e, i))
      continue;
    deferred output = function_of(&d, full_name(&d, e->outputs[i], ""), e->output[i]);
    TRY(reader_check_memory(r, output.name != NULL));
    TRY(unit_of(&d, e->outputs[i], &output.unit));
    if (e->rates == NULL)
      TRY(read_row(&d, EQUATIONS_OUTPUTS, e->matrix[2], e->matrix[3], i, &output));
    TRY(deferred_add(r, e->period > 0 ? DEFERRED_RATE : DEFERRED_MEASURE, &output));
  }
  return SEAM_OK;
}

/* ---- `equations:` ------------------------------------------------------------------------------------------------ */

seam_status equations_check_name(reader *r, const yaml_node *key, const char *what) {
  static const struct {
    const char *name, *by;
  } words[] = {{"t", "the time"}, {"time", "the time"}, {"energy", "the energies"}, {"ground", "the ground"}};
  const char *name = key->text;
  const size_t length = strlen(name);
  TRY(reader_check_name(r, key, true));
  const char *by = expression_is_reserved(name)                             ? "a function or a constant"
                   : table_find(&r->scope.parameters, name, length) != NULL ? "a parameter"
                   : table_find(&r->entry_names, name, length) != NULL      ? "a body, joint or force element"
                   : yaml_get(yaml_get(r->root, "measures"), name) != NULL  ? "a measure"
                                                                            : NULL;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(name, words[i].name) == 0)
      by = words[i].by;
  if (by == NULL)
    return SEAM_OK;
  char fix[128];
  snprintf(fix, sizeof fix, "choose another name for %s: in expressions a name must be unique", what);
  return reader_fail(r, key, fix, "the name '%.60s' is that of %s", name, by);
}

seam_status equations_read(reader *r) {
  const yaml_node *section = NULL;
  TRY(reader_section(r, "equations", &section));
  for (yaml_node *value = section->first; value != NULL; value = value->next) {
    equations e;
    TRY(equations_check_name(r, value->key, "these equations"));
    reader_set_subject(r, "equations", value);
    TRY(equations_read_one(r, value, false, &e));
    if (e.n_states + e.n_outputs == 0)
      return reader_fail(r, reader_message_node(value), "add 'states' and 'rates', or 'outputs'",
                         "%s has neither states nor outputs", r->subject);
    TRY(reader_check_kind(r, e.values[EQUATIONS_UNITS], YAML_MAP, "write {NAME: UNIT, ...}"));
    for (const yaml_node *unit = yaml_first(e.values[EQUATIONS_UNITS], YAML_MAP); unit != NULL; unit = unit->next) {
      const char *name = unit->key->text;
      const size_t n = e.n_inputs + e.n_states; /* states follow inputs */
      if (reader_index_of(e.inputs, n, name) == n && reader_index_of(e.outputs, e.n_outputs, name) == e.n_outputs)
        return reader_fail(r, unit->key, "name an input, state or output",
                           "'units' in %s names '%.60s', which is not an input, state or output", r->subject, name);
    }
    TRY(equations_add(r, &e, NULL));
  }
  return SEAM_OK;
}
