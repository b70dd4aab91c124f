#include "models/sections/deferred.h"

#include <string.h>

#include <seam/equations.h>

#include "base/then.h"

seam_status deferred_add(reader *r, deferral kind, const deferred *one) {
  deferred *copy = arena_allocate(&r->memory, sizeof *copy);
  if (copy == NULL)
    return reader_no_memory(r);
  *copy = *one;
  copy->next = NULL;
  deferred_list *list = &r->deferred[kind];
  if (list->last != NULL)
    list->last->next = copy;
  else
    list->first = copy;
  list->last = copy;
  return SEAM_OK;
}

static seam_status read_function(reader *r, const deferred *one, quantity_function *made) {
  reader_set_subject(r, one->noun, one->node);
  return one->is_sum ? quantities_sum(r, one->names, one->gains, one->n, one->offset, made)
                     : quantities_read(r, one->value, &one->aliases, false, made);
}

static seam_status add_measure(reader *r, const reference *wanted) {
  const deferred *one = wanted->data;
  mbs_measure_def def = mbs_default_measure_def();
  quantity_function made = {0};
  if (one->point != NULL)
    return reader_check_call(r, one->value, mbs_add_measure(r->builder, one->point, &r->cause));
  const seam_status status = read_function(r, one, &made);
  if (status != SEAM_OK)
    return status;
  def.name = one->name;
  def.kind = MBS_EXPRESSION;
  def.inputs = made.inputs;
  def.n_inputs = made.n_inputs;
  def.function = made.function;
  def.unit = one->unit;
  return reader_check_call(r, one->value, mbs_add_measure(r->builder, &def, &r->cause));
}

/* Does nothing, since the variable exists already. It is in the list of references so that its name is not mistaken for
 * that of a measure. */
static seam_status skip(reader *r, const reference *one) {
  (void)r;
  (void)one;
  return SEAM_OK;
}

static seam_status read_measures(reader *r) {
  static const reference_rules loop = {"outputs, inputs and measures",
                                       "break the loop: make an output in it a state, or sample the equations",
                                       add_measure};
  static const reference_rules variable = {"variables", NULL, skip};
  size_t n_measures = 0;
  size_t n = 0;
  seam_status status = measures_list(r, NULL, &n_measures);
  size_t most = n_measures;
  for (int kind = DEFERRED_MEASURE; kind <= DEFERRED_RATE; kind++)
    for (const deferred *one = r->deferred[kind].first; one != NULL; one = one->next)
      most++;
  reference *all = arena_allocate(&r->memory, (most + 1) * sizeof *all);
  unsigned *over_run = arena_allocate(&r->result->memory, (most + 1) * sizeof *over_run);
  if (all == NULL || over_run == NULL)
    return reader_no_memory(r);
  r->result->over_run = over_run;
  THEN(status, measures_list(r, all, &n));
  for (deferred *one = r->deferred[DEFERRED_MEASURE].first; one != NULL; one = one->next)
    all[n++] = (reference){.rules = &loop,
                           .name = one->name,
                           .value = one->value,
                           .text = one->is_sum || one->point != NULL ? NULL : one->value->text,
                           .aliases = one->aliases,
                           .names = one->names,
                           .n_names = one->n,
                           .data = one};
  for (const deferred *one = r->deferred[DEFERRED_RATE].first; one != NULL; one = one->next)
    all[n++] = (reference){.rules = &variable, .name = one->name, .value = one->value};
  return status == SEAM_OK ? references_read(r, all, n) : status;
}

/* Sets the rate of a variable, or one component of the law of a force element, to a function that is now read. */
static seam_status read_change(reader *r, deferral kind, const deferred *one) {
  quantity_function made = {0};
  seam_status status = read_function(r, one, &made);
  if (status != SEAM_OK)
    return status;
  mbs_law_def law = mbs_default_law_def();
  law.force = one->name;
  law.component = one->component;
  law.inputs = made.inputs;
  law.n_inputs = made.n_inputs;
  law.function = made.function;
  status = kind == DEFERRED_LAW
               ? mbs_add_law(r->builder, &law, &r->cause)
               : mbs_set_rate(r->builder, one->name, made.inputs, made.n_inputs, &made.function, &r->cause);
  return reader_check_call(r, one->value, status);
}

seam_status deferred_read(reader *r) {
  seam_status status = read_measures(r);
  for (int kind = DEFERRED_RATE; kind <= DEFERRED_LAW; kind++)
    for (const deferred *one = r->deferred[kind].first; one != NULL && status == SEAM_OK; one = one->next)
      status = read_change(r, (deferral)kind, one);
  memset(r->deferred, 0, sizeof r->deferred);
  return status;
}
