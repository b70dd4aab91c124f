/* `parameters:` names for numbers, which may refer to each other in any order. */
#include <string.h>

#include "models/expression/expression.h"
#include "models/sections/references.h"

static seam_status check_name(reader *r, const yaml_node *key) {
  const seam_status status = reader_check_name(r, key, true);
  if (status != SEAM_OK || !expression_is_reserved(key->text))
    return status;
  return reader_fail(r, key, "choose another name", "'%s' is a function or a constant and cannot be a parameter",
                     key->text);
}

static const char *text_of(const reader *r, const yaml_node *value) {
  (void)r;
  return value->text;
}

static seam_status read(reader *r, yaml_node *value) {
  reader_set_subject(r, "parameters", NULL);
  parameter *next = &r->parameters[r->n_parameters];
  const seam_status status = reader_number(r, value, ANY_NUMBER, &next->value);
  if (status != SEAM_OK)
    return status;
  next->name = value->key->text;
  if (!table_add(&r->parameter_names, next->name, strlen(next->name), r->n_parameters))
    return reader_no_memory(r);
  r->n_parameters++;
  return SEAM_OK;
}

seam_status parameters_read(reader *r) {
  static const reference_rules rules = {
      .noun = "parameters",
      .fix = "give one of them a number",
      .check_name = check_name,
      .text = text_of,
      .read = read,
  };
  const yaml_node *section = NULL;
  const seam_status status = reader_section(r, "parameters", &section);
  if (status != SEAM_OK || section == NULL)
    return status;
  r->parameters = arena_take(&r->memory, section->n_children * sizeof *r->parameters);
  return r->parameters != NULL ? references_read(r, section, &rules) : reader_no_memory(r);
}
