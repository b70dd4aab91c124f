/* Adds equations to the mechanism, as variables, measures and functions of quantities. */
#include <stdio.h>
#include <string.h>

#include <seam/equations.h>

#include "base/then.h"
#include "models/sections/equations_section.h"

typedef struct draft {
  reader *r;
  const equations *e;
  short_name *aliases; /* (n_aliases) short names: t, inputs, states, and for an entry its outputs */
  size_t n_aliases;
} draft;

/* Returns "ENTRY.name" followed by `more`. NULL: memory is exhausted. */
static const char *full_name(const draft *d, const char *name, const char *more) {
  return arena_print(&d->r->memory, "%s.%s%s", d->e->node->key->text, name, more);
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
  d->aliases = arena_allocate(&d->r->memory, (n + e->n_outputs) * sizeof *d->aliases);
  if (d->aliases == NULL)
    return reader_no_memory(d->r);
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
    if (d->aliases[i].quantity == NULL)
      return reader_no_memory(d->r);
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
  seam_status status = quantity != NULL ? unit_of(d, name, &def.unit) : reader_no_memory(d->r);
  return status == SEAM_OK ? reader_check_call(d->r, at, mbs_add_variable(d->r->builder, &def, &d->r->cause)) : status;
}

/* Makes the sum of states and inputs weighted by row i of the matrices of_states and of_inputs. Messages refer to the
 * key `key`. */
static seam_status read_row(const draft *d, int key, const double *of_states, const double *of_inputs, size_t i,
                            deferred *made) {
  const equations *e = d->e;
  const size_t most = e->n_states + e->n_inputs + 1;
  const char **names = arena_allocate(&d->r->memory, most * sizeof *names);
  double *gains = arena_allocate(&d->r->memory, most * sizeof *gains);
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
  seam_status status = list_aliases(&d);
  for (size_t i = 0; i < e->n_states && status == SEAM_OK; i++)
    status = add_variable(&d, yaml_get(e->values[EQUATIONS_STATES], e->states[i])->key, e->states[i], state_of(&d, i),
                          e->start[i], e->nominal[i]);
  for (size_t i = 0; i < e->n_outputs && e->period > 0 && status == SEAM_OK; i++)
    status = add_variable(&d, reader_message_node(e->output[i]), e->outputs[i], full_name(&d, e->outputs[i], ""), 0, 0);
  yaml_node *value = yaml_first(e->values[EQUATIONS_INPUTS], e->is_subsystem ? YAML_LIST : YAML_MAP);
  for (size_t i = 0; value != NULL && status == SEAM_OK; i++, value = value->next) {
    deferred input = sums != NULL ? sums[i] : (deferred){.aliases = {&time_name, 1}};
    input.name = d.aliases[1 + i].quantity;
    input.noun = "equations";
    input.node = e->node;
    input.value = value;
    status = unit_of(&d, e->inputs[i], &input.unit);
    THEN(status, deferred_add(r, DEFERRED_MEASURE, &input));
  }
  for (size_t i = 0; i < e->n_states && status == SEAM_OK; i++) {
    deferred rate = function_of(&d, state_of(&d, i), e->rates != NULL ? e->rates[i] : NULL);
    if (e->rates == NULL)
      status = read_row(&d, EQUATIONS_LINEAR, e->matrix[0], e->matrix[1], i, &rate);
    THEN(status, deferred_add(r, DEFERRED_RATE, &rate));
  }
  for (size_t i = 0; i < e->n_outputs && status == SEAM_OK; i++) {
    if (is_same_named(e, i))
      continue;
    deferred output = function_of(&d, full_name(&d, e->outputs[i], ""), e->output[i]);
    status = output.name != NULL ? unit_of(&d, e->outputs[i], &output.unit) : reader_no_memory(r);
    THEN(status, e->rates == NULL ? read_row(&d, EQUATIONS_OUTPUTS, e->matrix[2], e->matrix[3], i, &output) : SEAM_OK);
    THEN(status, deferred_add(r, e->period > 0 ? DEFERRED_RATE : DEFERRED_MEASURE, &output));
  }
  return status;
}

static seam_status read_entry(reader *r, yaml_node *value) {
  equations e;
  reader_set_subject(r, "equations", value);
  seam_status status = equations_read_one(r, value, false, &e);
  if (status == SEAM_OK && e.n_states + e.n_outputs == 0)
    return reader_fail(r, reader_message_node(value), "add 'states' and 'rates', or 'outputs'",
                       "%s has neither states nor outputs", r->subject);
  THEN(status, reader_check_kind(r, e.values[EQUATIONS_UNITS], YAML_MAP, "write {NAME: UNIT, ...}"));
  if (status != SEAM_OK)
    return status;
  for (const yaml_node *unit = yaml_first(e.values[EQUATIONS_UNITS], YAML_MAP); unit != NULL; unit = unit->next) {
    const char *name = unit->key->text;
    const size_t n = e.n_inputs + e.n_states; /* states follow inputs */
    if (reader_index_of(e.inputs, n, name) == n && reader_index_of(e.outputs, e.n_outputs, name) == e.n_outputs)
      return reader_fail(r, unit->key, "name an input, state or output",
                         "'units' in %s names '%.60s', which is not an input, state or output", r->subject, name);
  }
  return equations_add(r, &e, NULL);
}

seam_status equations_check_name(reader *r, const yaml_node *key, const char *what) {
  static const struct {
    const char *name, *by;
  } words[] = {{"t", "the time"}, {"time", "the time"}, {"energy", "the energies"}, {"ground", "the ground"}};
  const char *name = key->text;
  const size_t length = strlen(name);
  const seam_status status = reader_check_name(r, key, true);
  if (status != SEAM_OK)
    return status;
  const char *by = expression_is_reserved(name)                            ? "a function or a constant"
                   : table_find(&r->parameter_names, name, length) != NULL ? "a parameter"
                   : table_find(&r->entry_names, name, length) != NULL     ? "a body, joint or force element"
                   : yaml_get(yaml_get(r->root, "measures"), name) != NULL ? "a measure"
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
  seam_status status = reader_section(r, "equations", &section);
  for (yaml_node *value = section->first; value != NULL && status == SEAM_OK; value = value->next) {
    status = equations_check_name(r, value->key, "these equations");
    THEN(status, read_entry(r, value));
  }
  return status;
}
