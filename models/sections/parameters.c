/* `parameters:` names of numbers, whose expressions may use each other in any order. */
#include <string.h>

#include "models/expression/expression.h"
#include "models/sections/references.h"

static seam_status read(reader *r, const reference *one) {
  reader_set_subject(r, "parameters", NULL);
  parameter *next = &r->parameters[r->n_parameters];
  const seam_status status = reader_number(r, one->value, ANY_NUMBER, &next->value);
  if (status != SEAM_OK)
    return status;
  next->name = one->name;
  if (!table_add(&r->parameter_names, next->name, strlen(next->name), r->n_parameters))
    return reader_no_memory(r);
  r->n_parameters++;
  return SEAM_OK;
}

seam_status parameters_read(reader *r) {
  static const reference_rules rules = {"parameters", "give one of them a number", read};
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "parameters", &section);
  size_t n = 0;
  reference *all = arena_allocate(&r->memory, section->n_children * sizeof *all);
  r->parameters = arena_allocate(&r->memory, section->n_children * sizeof *r->parameters);
  if (all == NULL || r->parameters == NULL)
    return reader_no_memory(r);
  for (yaml_node *value = section->first; value != NULL && status == SEAM_OK; value = value->next) {
    status = reader_check_name(r, value->key, true);
    if (status == SEAM_OK && expression_is_reserved(value->key->text))
      return reader_fail(r, value->key, "choose another name",
                         "'%s' is a function or a constant and cannot be a parameter", value->key->text);
    all[n++] = (reference){.rules = &rules, .name = value->key->text, .value = value, .text = value->text};
  }
  return status == SEAM_OK ? references_read(r, all, n) : status;
}
