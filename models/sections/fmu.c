#include "models/sections/fmu.h"

#include <string.h>

#include <seam/equations.h>

#include "base/then.h"
#include "models/sections/equations_section.h"

enum { INPUTS, OUTPUTS, PARAMETERS, N_KEYS };

enum { START, UNIT, N_OF_INPUT };
static const map_key input_keys[N_OF_INPUT] = {
    [START] = {"start", false, &form_number, "", "value at the start; default: 0"},
    [UNIT] = {"unit", false, &form_text, "", "unit of the input; default: none"},
};
static const form form_input_keys = {.name = "fmu_input", .meaning = "an input of an FMU", FORM_KEYS(input_keys)};
static const form *const input_forms[] = {&form_number, &form_input_keys};
static const form form_input = {FORM_FORMS(input_forms)};
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
static const form *const forms[] = {&form_keys, &form_nothing};
const form form_fmu = {FORM_FORMS(forms)};

/* Takes the values of the section's keys; NULL without the section. */
static seam_status take_values(reader *r, yaml_node *values[N_KEYS]) {
  const yaml_node *section = NULL;
  memset(values, 0, N_KEYS * sizeof(yaml_node *));
  reader_set_subject(r, "'fmu'", NULL);
  const seam_status status = reader_section(r, "fmu", &section);
  return status == SEAM_OK && section != NULL ? reader_take_map(r, section, keys, N_KEYS, values) : status;
}

static seam_status check_kind(reader *r, const yaml_node *value, int key, yaml_kind kind, const char *fix) {
  if (value == NULL || value->kind == kind)
    return SEAM_OK;
  return reader_fail(r, value, fix, "'%s' in 'fmu' must be %s, but is %s", keys[key].name,
                     kind == YAML_MAP ? "a map" : "a list", yaml_kind_text(value));
}

/* ---- Inputs ------------------------------------------------------------------------------------------------------ */

/* Reads a number, or {start: NUMBER, unit: TEXT}. */
static seam_status read_input(reader *r, yaml_node *value, mbs_variable_def *def) {
  yaml_node *values[N_OF_INPUT] = {[START] = value};
  seam_status status = SEAM_OK;
  if (value->kind == YAML_MAP)
    status = reader_take_map(r, value, input_keys, N_OF_INPUT, values);
  if (status == SEAM_OK && values[START] != NULL)
    status = reader_number(r, values[START], ANY_NUMBER, &def->start);
  if (status == SEAM_OK && values[UNIT] != NULL)
    status = reader_text(r, values[UNIT], &def->unit);
  return status;
}

static seam_status add_input(reader *r, yaml_node *value) {
  mbs_variable_def def = mbs_default_variable_def();
  seam_error cause = {0};
  seam_status status = equations_check_name(r, value->key, "these inputs");
  reader_set_subject(r, "input", value);
  THEN(status, read_input(r, value, &def));
  def.name = value->key->text;
  def.is_input = true;
  if (status != SEAM_OK)
    return status;
  return mbs_add_variable(r->builder, &def, &cause) == SEAM_OK ? SEAM_OK : reader_fail_as_engine(r, value->key, &cause);
}

seam_status fmu_add_inputs(reader *r) {
  yaml_node *values[N_KEYS];
  seam_status status = take_values(r, values);
  THEN(status, check_kind(r, values[INPUTS], INPUTS, YAML_MAP, "write {NAME: START, ...}"));
  for (yaml_node *value = status == SEAM_OK && values[INPUTS] != NULL ? values[INPUTS]->first : NULL;
       value != NULL && status == SEAM_OK; value = value->next)
    status = add_input(r, value);
  return status;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static seam_status check_output(reader *r, yaml_node *at, const char *name) {
  const mbs_model *model = r->result->whole != NULL ? r->result->whole : r->result->mechanism;
  mbs_quantity found;
  seam_error cause = {0};
  return mbs_find_quantity(model, name, &found, &cause) == SEAM_OK ? SEAM_OK : reader_fail_as_engine(r, at, &cause);
}

static seam_status check_parameter(reader *r, yaml_node *at, const char *name) {
  const table_slot *slot = table_find(&r->parameter_names, name, strlen(name));
  if (slot == NULL)
    return reader_fail(r, at, "name one of 'parameters'", "there is no parameter '%.60s'", name);
  r->result->fmu.values[r->result->fmu.n_parameters] = r->parameters[slot->value].value;
  return SEAM_OK;
}

/* Takes and checks names: scalars, or keys for inputs. */
static seam_status take_names(reader *r, yaml_node *list,
                              seam_status (*check)(reader *r, yaml_node *at, const char *name), const char ***names,
                              size_t *n) {
  const size_t most = list != NULL ? list->n_children : 0;
  *names = arena_take(&r->result->memory, (most + 1) * sizeof **names);
  if (*names == NULL)
    return reader_no_memory(r);
  seam_status status = SEAM_OK;
  for (yaml_node *value = most > 0 ? list->first : NULL; value != NULL && status == SEAM_OK; value = value->next) {
    const char *text = value->key != NULL ? value->key->text : NULL;
    if (text == NULL)
      status = reader_text(r, value, &text);
    if (status == SEAM_OK && check != NULL)
      status = check(r, value, text);
    if (status != SEAM_OK)
      return status;
    (*names)[*n] = arena_text(&r->result->memory, text, strlen(text));
    if ((*names)[(*n)++] == NULL)
      return reader_no_memory(r);
  }
  return status;
}

seam_status fmu_read(reader *r) {
  model_fmu *fmu = &r->result->fmu;
  yaml_node *values[N_KEYS];
  seam_status status = take_values(r, values);
  THEN(status, check_kind(r, values[OUTPUTS], OUTPUTS, YAML_LIST, "write [disc.x, spring.force]"));
  THEN(status, check_kind(r, values[PARAMETERS], PARAMETERS, YAML_LIST, "write [k, c]: names of 'parameters'"));
  if (status != SEAM_OK)
    return status;
  const size_t most = values[PARAMETERS] != NULL ? values[PARAMETERS]->n_children : 0;
  fmu->values = arena_take(&r->result->memory, (most + 1) * sizeof *fmu->values);
  fmu->has_outputs = values[OUTPUTS] != NULL;
  if (fmu->values == NULL)
    return reader_no_memory(r);
  status = take_names(r, values[INPUTS], NULL, &fmu->inputs, &fmu->n_inputs);
  THEN(status, take_names(r, values[OUTPUTS], check_output, &fmu->outputs, &fmu->n_outputs));
  return status == SEAM_OK ? take_names(r, values[PARAMETERS], check_parameter, &fmu->parameters, &fmu->n_parameters)
                           : status;
}
