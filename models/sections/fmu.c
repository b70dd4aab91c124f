/* `fmu:` inputs, outputs and parameters of an FMU made from the mechanism (seam export):
 *
 *     fmu:
 *       inputs: {thrust: 0, target: {start: 0.5, unit: m}}    names for use in laws, with start values
 *       outputs: [disc.x, spring.force]                       quantities
 *       parameters: [k, c]                                    names of `parameters:` that a master may set */
#include <string.h>

#include <seam/equations.h>

#include "models/sections/equations_section.h"

enum { INPUTS, OUTPUTS, PARAMETERS, N_KEYS };

enum { START, UNIT, N_OF_INPUT };
static const map_key input_keys[N_OF_INPUT] = {
    [START] = {"start", false, &form_number, "", "value at the start; default: 0"},
    [UNIT] = {"unit", false, &form_text, "", "unit of the input; default: none"},
};
static const form form_input_keys = {.name = "fmu_input", .meaning = "an input of an FMU", FORM_KEYS(input_keys)};
static const form form_input = {FORM_ANY_OF(&form_number, &form_input_keys)};
static const form form_inputs = {.kind = FORM_NAMED, .of = &form_input};

static const map_key keys[N_KEYS] = {
    [INPUTS] = {"inputs", false, &form_inputs, "",
                "names that laws, equations and measures read, with their values at the start; default: none"},
    [OUTPUTS] = {"outputs", false, &form_names, "",
                 "quantities that the FMU gives; default: those of every run, of a subsystem none"},
    [PARAMETERS] = {"parameters", false, &form_names, "",
                    "names of 'parameters' that a master may set before the start; default: none"},
};
static const form form_keys = {.name = "fmu", .meaning = "what an FMU of the model takes and gives", FORM_KEYS(keys)};
static const form form_nothing = {.kind = FORM_NOTHING};
const form form_fmu = {FORM_ANY_OF(&form_keys, &form_nothing)};

static seam_status read_keys(reader *r, yaml_node *values[N_KEYS]) {
  const yaml_node *section = NULL;
  reader_set_subject(r, "'fmu'", NULL);
  TRY(reader_section(r, "fmu", &section));
  return reader_map(r, section, keys, N_KEYS, values);
}

seam_status fmu_add_inputs(reader *r) {
  yaml_node *values[N_KEYS];
  TRY(read_keys(r, values));
  TRY(reader_check_kind(r, values[INPUTS], YAML_MAP, "write {NAME: START, ...}"));
  for (yaml_node *value = yaml_first(values[INPUTS], YAML_MAP); value != NULL; value = value->next) {
    mbs_variable_def def = mbs_default_variable_def();
    yaml_node *of_input[N_OF_INPUT] = {[START] = value};
    TRY(equations_check_name(r, value->key, "these inputs"));
    reader_set_subject(r, "input", value);
    if (value->kind == YAML_MAP)
      TRY(reader_map(r, value, input_keys, N_OF_INPUT, of_input));
    TRY(reader_number(r, of_input[START], ANY_NUMBER, &def.start));
    TRY(reader_text(r, of_input[UNIT], &def.unit));
    def.name = value->key->text;
    def.is_input = true;
    TRY(reader_check_call(r, value->key, mbs_add_variable(r->builder, &def, &r->cause)));
  }
  return SEAM_OK;
}

/* Reads names. `of`: INPUTS (the keys of `list`), OUTPUTS (quantities) or PARAMETERS (whose values are stored too). */
static seam_status read_names(reader *r, yaml_node *list, int of, const char ***names, size_t *n) {
  const mbs_model *model = r->result->undivided != NULL ? r->result->undivided : r->result->mechanism;
  mbs_quantity found;
  *names = reader_allocate(r, yaml_count(list), sizeof **names);
  TRY(reader_check_memory(r, *names != NULL));
  for (yaml_node *value = yaml_first(list, of == INPUTS ? YAML_MAP : YAML_LIST); value != NULL; value = value->next) {
    const char *text = value->key != NULL ? value->key->text : NULL;
    if (text == NULL)
      TRY(reader_text(r, value, &text));
    if (of == OUTPUTS)
      TRY(reader_check_call(r, value, mbs_find_quantity(model, text, &found, &r->cause)));
    if (of == PARAMETERS) {
      const table_slot *slot = table_find(&r->scope.parameters, text, strlen(text));
      if (slot == NULL)
        return reader_fail(r, value, "name one of 'parameters'", "there is no parameter '%.60s'", text);
      r->result->fmu.values[*n] = r->scope.parameter_values[slot->value];
    }
    (*names)[(*n)++] = text;
  }
  return SEAM_OK;
}

seam_status fmu_read(reader *r) {
  model_fmu *fmu = &r->result->fmu;
  yaml_node *values[N_KEYS];
  TRY(read_keys(r, values));
  TRY(reader_check_kind(r, values[OUTPUTS], YAML_LIST, "write [disc.x, spring.force]"));
  TRY(reader_check_kind(r, values[PARAMETERS], YAML_LIST, "write [k, c]: names of 'parameters'"));
  fmu->values = reader_allocate(r, yaml_count(values[PARAMETERS]), sizeof *fmu->values);
  fmu->has_outputs = values[OUTPUTS] != NULL;
  TRY(reader_check_memory(r, fmu->values != NULL));
  TRY(read_names(r, values[INPUTS], INPUTS, &fmu->inputs, &fmu->n_inputs));
  TRY(read_names(r, values[OUTPUTS], OUTPUTS, &fmu->outputs, &fmu->n_outputs));
  return read_names(r, values[PARAMETERS], PARAMETERS, &fmu->parameters, &fmu->n_parameters);
}
