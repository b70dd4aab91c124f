/* Equations as variables, measures and functions of quantities of the mechanism. */
#include <stdio.h>
#include <string.h>

#include <seam/equations.h>

#include "base/then.h"
#include "models/sections/equations_section.h"

/* Equations being added to the builder. */
typedef struct draft {
  reader *r;
  const equations *e;
  const deferred *sums; /* (n_inputs) signals to the inputs; NULL: an entry */
  own_name *own;        /* (n_own) short names: t, inputs, states, and an entry's outputs */
  size_t n_own;
} draft;

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* Returns "NAME.short" and `more`. */
static const char *full_name(const draft *d, const char *name, const char *more) {
  const char *of = d->e->node->key->text;
  const size_t size = strlen(of) + strlen(name) + strlen(more) + 2;
  char *full = arena_take(&d->r->memory, size);
  if (full != NULL)
    snprintf(full, size, "%s.%s%s", of, name, more);
  return full;
}

/* Returns true for an output of a subsystem that only repeats the input or state of its name. */
static bool is_its_own(const equations *e, size_t output) {
  const char *text = e->output[output]->text;
  if (!e->is_subsystem || e->period > 0 || e->rates == NULL || text == NULL || strcmp(e->outputs[output], text) != 0)
    return false;
  for (size_t i = 0; i < 1 + e->n_inputs + e->n_states; i++)
    if (strcmp(e->names[i], text) == 0)
      return true;
  return false;
}

/* Returns true if another output has the name of an input or state. */
static bool is_taken(const equations *e, const char *name) {
  for (size_t i = 0; i < e->n_outputs; i++)
    if (strcmp(e->outputs[i], name) == 0)
      return !is_its_own(e, i);
  return false;
}

static seam_status list_own(draft *d) {
  const equations *e = d->e;
  const size_t n = 1 + e->n_inputs + e->n_states;
  d->own = arena_take(&d->r->memory, (n + e->n_outputs) * sizeof *d->own);
  if (d->own == NULL)
    return reader_no_memory(d->r);
  d->own[d->n_own++] = own_time;
  for (size_t i = 1; i < n; i++)
    d->own[d->n_own++] = (own_name){e->names[i], full_name(d, e->names[i], is_taken(e, e->names[i]) ? ".own" : "")};
  for (size_t i = 0; i < e->n_outputs && !e->is_subsystem; i++)
    d->own[d->n_own++] = (own_name){e->outputs[i], full_name(d, e->outputs[i], "")};
  for (size_t i = 0; i < d->n_own; i++)
    if (d->own[i].quantity == NULL)
      return reader_no_memory(d->r);
  return SEAM_OK;
}

static const char *input_of(const draft *d, size_t i) { return d->own[1 + i].quantity; }
static const char *state_of(const draft *d, size_t i) { return d->own[1 + d->e->n_inputs + i].quantity; }

static yaml_node *of_entry(const draft *d, int key, const char *name) {
  return d->e->is_subsystem || d->e->values[key] == NULL ? NULL : yaml_get(d->e->values[key], name);
}

static seam_status unit_of(const draft *d, const char *name, const char **unit) {
  const yaml_node *value = of_entry(d, EQUATIONS_UNITS, name);
  return value != NULL ? reader_text(d->r, value, unit) : SEAM_OK;
}

/* ---- Variables --------------------------------------------------------------------------------------------------- */

static seam_status add_variable(const draft *d, const yaml_node *at, const char *name, const char *quantity,
                                double start, double nominal) {
  mbs_variable_def def = mbs_default_variable_def();
  seam_error cause = {0};
  def.name = quantity;
  def.start = start;
  def.nominal = nominal;
  def.sample = d->e->period;
  seam_status status = quantity != NULL ? unit_of(d, name, &def.unit) : reader_no_memory(d->r);
  if (status != SEAM_OK)
    return status;
  status = mbs_add_variable(d->r->builder, &def, &cause);
  return status == SEAM_OK ? SEAM_OK : reader_fail_as_engine(d->r, at, &cause);
}

static seam_status add_variables(const draft *d) {
  const equations *e = d->e;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < e->n_states && status == SEAM_OK; i++)
    status = add_variable(d, yaml_get(e->values[EQUATIONS_STATES], e->states[i])->key, e->states[i], state_of(d, i),
                          e->start[i], e->nominal[i]);
  for (size_t i = 0; i < e->n_outputs && e->period > 0 && status == SEAM_OK; i++)
    status = add_variable(d, reader_place(e->output[i]), e->outputs[i], full_name(d, e->outputs[i], ""), 0, 0);
  return status;
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

static deferred function_of(const draft *d, const char *name, yaml_node *value) {
  return (deferred){.name = name, .noun = "equations", .node = d->e->node, .value = value, .own = {d->own, d->n_own}};
}

/* Adds an input as a measure: a sum of signals, or the entry's expression. */
static seam_status add_input(const draft *d, yaml_node *value, size_t i) {
  deferred input = d->sums != NULL ? d->sums[i] : (deferred){.own = {&own_time, 1}};
  input.name = input_of(d, i);
  input.noun = "equations";
  input.node = d->e->node;
  input.value = value;
  const seam_status status = unit_of(d, d->e->inputs[i], &input.unit);
  return status == SEAM_OK ? deferred_add(d->r, DEFERRED_MEASURE, &input) : status;
}

/* Makes the sum of row i of two matrices over states and inputs; messages point to `key`. */
static seam_status take_row(const draft *d, int key, const double *of_states, const double *of_inputs, size_t i,
                            deferred *made) {
  const equations *e = d->e;
  const size_t most = e->n_states + e->n_inputs + 1;
  const char **names = arena_take(&d->r->memory, most * sizeof *names);
  double *gains = arena_take(&d->r->memory, most * sizeof *gains);
  if (names == NULL || gains == NULL)
    return reader_no_memory(d->r);
  made->value = e->values[key];
  made->is_sum = true;
  made->names = names;
  made->gains = gains;
  for (size_t k = 0; k < e->n_inputs + e->n_states; k++) {
    const double gain = k < e->n_inputs ? of_inputs[i * e->n_inputs + k] : of_states[i * e->n_states + k - e->n_inputs];
    if (gain == 0)
      continue;
    gains[made->n] = gain;
    names[made->n++] = d->own[1 + k].quantity;
  }
  return SEAM_OK;
}

static seam_status add_rate(const draft *d, size_t i) {
  const equations *e = d->e;
  deferred rate = function_of(d, state_of(d, i), e->rates != NULL ? e->rates[i] : NULL);
  const seam_status status =
      e->rates != NULL ? SEAM_OK : take_row(d, EQUATIONS_LINEAR, e->matrix[0], e->matrix[1], i, &rate);
  return status == SEAM_OK ? deferred_add(d->r, DEFERRED_RATE, &rate) : status;
}

static seam_status add_output(const draft *d, size_t i) {
  const equations *e = d->e;
  deferred output = function_of(d, full_name(d, e->outputs[i], ""), e->output[i]);
  seam_status status = output.name != NULL ? unit_of(d, e->outputs[i], &output.unit) : reader_no_memory(d->r);
  if (status == SEAM_OK && e->rates == NULL)
    status = take_row(d, EQUATIONS_OUTPUTS, e->matrix[2], e->matrix[3], i, &output);
  return status == SEAM_OK ? deferred_add(d->r, e->period > 0 ? DEFERRED_RATE : DEFERRED_MEASURE, &output) : status;
}

seam_status equations_add(reader *r, const equations *e, const deferred *sums) {
  draft d = {.r = r, .e = e, .sums = sums};
  reader_set_subject(r, "equations", e->node);
  seam_status status = list_own(&d);
  THEN(status, add_variables(&d));
  yaml_node *input = e->values[EQUATIONS_INPUTS] != NULL ? e->values[EQUATIONS_INPUTS]->first : NULL;
  for (size_t i = 0; input != NULL && status == SEAM_OK; i++, input = input->next)
    status = add_input(&d, input, i);
  for (size_t i = 0; i < e->n_states && status == SEAM_OK; i++)
    status = add_rate(&d, i);
  for (size_t i = 0; i < e->n_outputs && status == SEAM_OK; i++)
    if (!is_its_own(e, i))
      status = add_output(&d, i);
  return status;
}

/* ---- The section ------------------------------------------------------------------------------------------------- */

static bool has(const equations *e, const char *name) {
  for (size_t i = 1; i < 1 + e->n_inputs + e->n_states; i++)
    if (strcmp(e->names[i], name) == 0)
      return true;
  for (size_t i = 0; i < e->n_outputs; i++)
    if (strcmp(e->outputs[i], name) == 0)
      return true;
  return false;
}

static seam_status check_named(reader *r, const equations *e) {
  const yaml_node *units = e->values[EQUATIONS_UNITS];
  for (const yaml_node *unit = units != NULL ? units->first : NULL; unit != NULL; unit = unit->next)
    if (!has(e, unit->key->text))
      return reader_fail(r, unit->key, "name an input, state or output", "'units' in %s has no '%.60s' to give one",
                         r->subject, unit->key->text);
  return SEAM_OK;
}

static seam_status read_entry(reader *r, yaml_node *value) {
  equations e;
  reader_set_subject(r, "equations", value);
  seam_status status = equations_take(r, value, false, &e);
  if (status == SEAM_OK && e.n_states + e.n_outputs == 0)
    return reader_fail(r, reader_place(value), "add 'states' and 'rates', or 'outputs'",
                       "%s has neither states nor outputs", r->subject);
  THEN(status, equations_check_kind(r, &e, EQUATIONS_UNITS, YAML_MAP, "write {NAME: UNIT, ...}"));
  THEN(status, check_named(r, &e));
  return status == SEAM_OK ? equations_add(r, &e, NULL) : status;
}

/* Returns a description of what else has this name in expressions; NULL: nothing. */
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
    THEN(status, read_entry(r, value));
  }
  return status;
}
