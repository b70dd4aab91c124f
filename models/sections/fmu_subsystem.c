#include "models/sections/fmu_subsystem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/note.h"
#include "cosim/parts/fmu_part.h"
#include "models/sections/cosim_section.h"

enum {
  FMU,
  PARAMETERS,
  INPUTS,
  COMMUNICATION_STEP,
  TOLERANCE,
  START,
  MACRO_STEP,
  CONVERT_UNITS,
  N_KEYS,
  MAX_SIGNALS = 10000,
  MAX_COUPLED = 1000
};

/* The value of an array is one number for all elements, or a list. */
static const form form_value = {FORM_ANY_OF(&form_text, &form_numbers)};
static const form form_values_of_fmu = {.kind = FORM_NAMED, .of = &form_value};

static const map_key keys[N_KEYS] = {
    [FMU] = {"fmu", true, &form_name, "", "file of the FMU, relative to the model file's folder"},
    [PARAMETERS] =
        {"parameters", false, &form_values_of_fmu, "",
         "values of parameters of the FMU, and of variables whose start is exact or approximate: numbers, true or "
         "false, texts; of arrays one for all elements, a list, or `NAME[1]` for one"},
    [INPUTS] = {"inputs", false, &form_values_of_fmu, "",
                "values of inputs at the start, as those of parameters; inputs without a signal keep them"},
    [COMMUNICATION_STEP] = {"communication_step", false, &form_positive, "s",
                            "longest communication step; default: the macro step"},
    [TOLERANCE] = {"tolerance", false, &form_positive, "",
                   "relative tolerance of its integrator; default: `rtol` of `simulate`, else the FMU's own"},
    [START] = {"start", false, &form_number, "s", "time of the FMU at t = 0 of the run; default: 0"},
    [MACRO_STEP] = {"macro_step", false, &form_positive, "s",
                    "macro step, that of 'cosim' divided by a whole number; default: that of 'cosim'"},
    [CONVERT_UNITS] = {"convert_units", false, &form_flag, "",
                       "convert signals and couplings from and to the units of its variables; default: true"},
};
const form form_fmu_subsystem = {.name = "fmu_subsystem", .meaning = "a subsystem that is an FMU", FORM_KEYS(keys)};

/* An FMU of a model file, in the result's memory. */
struct fmu_subsystem {
  struct fmu_subsystem *next;
  fmi_fmu *fmu;
  cosim_user_part part; /* the subsystem's definition; its context is this struct */
  cosim_fmu_def def;
  const seam_simulation *simulation; /* the section `simulate:` of the file */
  bool *is_connected, *is_integral;  /* arrays of `def`, which signals and corrections fill in */
  bool *in_si[2];                    /* arrays of `def`, of outputs and inputs, which couplings fill in */
  bool converts_units;
};

typedef struct reading {
  reader *r;
  struct fmu_subsystem *made;
  const fmi_description *description;
  cosim_fmu_value *values;
} reading;

bool fmu_subsystem_matches(const yaml_node *value) { return yaml_get(value, keys[FMU].name) != NULL; }

/* Creates the part for a run. Loads the binary of the FMU, which reading, checking and drawing do not need. */
static seam_status create(const void *context, cosim_part **part, seam_error *error) {
  const struct fmu_subsystem *self = context;
  cosim_fmu_def def = self->def;
  TRY(def.is_described ? SEAM_OK : fmi_fmu_load(self->fmu, error));
  def.stop = self->simulation->end;
  return cosim_fmu_part_create(&def, part, error);
}

static seam_status refuse(const void *context, cosim_part **part, seam_error *error) {
  (void)context;
  (void)part;
  return seam_fail(error, SEAM_BAD_STATE,
                   "this model was read by seam_model_file_show(), without its FMUs: to run the model, read it by "
                   "seam_model_file_read()");
}

void fmu_subsystems_only_describe(struct fmu_subsystem *first) {
  for (; first != NULL; first = first->next)
    first->def.is_described = true;
}

const fmi_description *fmu_subsystem_description(const cosim_user_part *user) {
  return user != NULL && user->create == create
             ? fmi_fmu_description(((const struct fmu_subsystem *)user->context)->fmu)
             : NULL;
}

void fmu_subsystem_mark(const cosim_user_part *user, bool input, const char *name) {
  const struct fmu_subsystem *self = user->context;
  const char *const *names = input ? user->inputs : user->outputs;
  const size_t n = user->create != create ? 0 : input ? user->n_inputs : user->n_outputs;
  for (size_t i = 0; i < n; i++)
    (input ? self->is_connected : self->is_integral)[i] |= strcmp(names[i], name) == 0;
}

/* Returns the index of a variable; SEAM_NONE: there is none. For "NAME[2]", it is that of the array NAME, and *element
 * is 1, the index of the second element; else *element is SEAM_NONE. `in` may be NULL. */
static size_t variable_named(const fmi_description *in, const char *name, size_t *element) {
  const size_t length = strlen(name);
  const char *bracket = strrchr(name, '[');
  char *end = NULL;
  *element = SEAM_NONE;
  size_t found = in != NULL ? fmi_find_variable(in, name) : SEAM_NONE;
  if (in == NULL || found != SEAM_NONE || bracket == NULL || name[length - 1] != ']')
    return found;
  const unsigned long number = strtoul(bracket + 1, &end, 10);
  arena memory = {0};
  const char *array = arena_text(&memory, name, (size_t)(bracket - name));
  found = array != NULL ? fmi_find_variable(in, array) : SEAM_NONE;
  arena_release(&memory);
  if (found == SEAM_NONE || end != name + length - 1 || number < 1 || number > fmi_n_values(&in->variables[found]))
    return SEAM_NONE;
  *element = number - 1;
  return found;
}

static size_t variable_of(const fmi_description *in, const char *signal) {
  size_t element = 0;
  return variable_named(in, signal, &element);
}

fmi_type fmu_subsystem_type(const cosim_user_part *user, const char *signal) {
  const fmi_description *in = fmu_subsystem_description(user);
  const size_t variable = variable_of(in, signal);
  return variable != SEAM_NONE ? in->variables[variable].type : FMI_FLOAT64;
}

/* Returns where an FMU notes that a signal is in SI units. */
static bool *in_si(const cosim_user_part *user, bool input, const char *signal) {
  const size_t at = input ? reader_index_of(user->inputs, user->n_inputs, signal)
                          : reader_index_of(user->outputs, user->n_outputs, signal);
  return &((const struct fmu_subsystem *)user->context)->in_si[input][at];
}

void fmu_subsystem_use_si(const cosim_user_part *user, bool input, const char *signal) {
  *in_si(user, input, signal) = true;
}

fmi_unit fmu_subsystem_unit(const cosim_user_part *user, bool input, const char *signal) {
  const fmi_description *in = fmu_subsystem_description(user);
  const size_t variable = variable_of(in, signal);
  if (variable == SEAM_NONE || !((const struct fmu_subsystem *)user->context)->converts_units)
    return (fmi_unit){.name = NULL};
  fmi_unit unit = fmi_unit_of(in, variable);
  if (*in_si(user, input, signal))
    unit.factor = 1, unit.offset = 0;
  return unit;
}

bool fmu_subsystem_couples(fmi_type from, fmi_type to) {
  const bool is_whole = fmi_is_number(from) && !fmi_is_real(from);
  return fmi_is_real(to) || (to == FMI_BOOLEAN ? from == FMI_BOOLEAN : is_whole);
}

void fmu_subsystems_close(struct fmu_subsystem *first) {
  for (; first != NULL; first = first->next)
    fmi_fmu_close(first->fmu);
}

/* Hashes the data that determine how a saved run continues; also start values, from which an FMU may compute others. */
static uint64_t identity_of(const struct fmu_subsystem *self) {
  const cosim_fmu_def *def = &self->def;
  const fmi_variable *variables = fmi_fmu_description(self->fmu)->variables;
  uint64_t hash = HASH_NUMBERS(fmi_fmu_identity(self->fmu), def->communication_step, def->tolerance, def->origin,
                               (double)def->n_values, self->converts_units);
  for (size_t i = 0; i < def->n_values; i++) {
    const cosim_fmu_value *value = &def->values[i];
    hash = HASH_NUMBERS(hash, (double)value->variable, value->number);
    if (value->numbers != NULL)
      hash = hash_numbers(hash, value->numbers, fmi_n_values(&variables[value->variable]));
    hash = value->text != NULL ? hash_text(hash, value->text) : hash;
  }
  return hash;
}

static bool is_signal(const fmi_variable *variable, fmi_causality causality) {
  return variable->causality == causality && (fmi_is_number(variable->type) || variable->type == FMI_BOOLEAN);
}

/* Lists the variables of a causality and returns their number. First come those that couplings name, in their order,
 * since the signals of a coupling must follow one another; then others of type Float64; then other types. */
static size_t order(const reading *a, fmi_causality causality, const char *subsystem, size_t *variables) {
  const fmi_description *in = a->description;
  const char *coupled[MAX_COUPLED];
  const size_t n_coupled = cosim_section_coupled(a->r, subsystem, causality == FMI_INPUT, coupled, MAX_COUPLED);
  bool *taken = reader_allocate(a->r, in->n_variables, sizeof *taken);
  size_t n = 0;
  for (size_t i = 0; i < n_coupled && taken != NULL; i++) {
    const size_t variable = fmi_find_variable(in, coupled[i]);
    if (variable == SEAM_NONE || taken[variable] || !is_signal(&in->variables[variable], causality) ||
        in->variables[variable].type != FMI_FLOAT64)
      continue;
    taken[variable] = true;
    variables[n++] = variable;
  }
  for (int others = 0; others < 2; others++)
    for (size_t i = 0; i < in->n_variables && taken != NULL; i++)
      if (!taken[i] && is_signal(&in->variables[i], causality) &&
          (in->variables[i].type == FMI_FLOAT64) == (others == 0))
        variables[n++] = i;
  return n;
}

/* Lists the signals of a causality, a name for each element of each variable. */
static const char **list_signals(const reading *a, fmi_causality causality, const size_t **variables,
                                 size_t *n_variables, size_t *n_names) {
  const fmi_description *in = a->description;
  size_t n = 0;
  for (size_t i = 0; i < in->n_variables; i++)
    n += is_signal(&in->variables[i], causality) ? fmi_n_values(&in->variables[i]) : 0;
  const char **names = n <= MAX_SIGNALS ? reader_allocate(a->r, n, sizeof *names) : NULL;
  size_t *numbers = reader_allocate(a->r, in->n_variables, sizeof *numbers);
  *n_variables = names != NULL && numbers != NULL ? order(a, causality, a->made->def.name, numbers) : 0;
  for (size_t i = 0; i < *n_variables; i++) {
    const fmi_variable *variable = &in->variables[numbers[i]];
    const size_t n_values = fmi_n_values(variable);
    for (size_t k = 0; k < n_values; k++) {
      const char *name =
          variable->n_dimensions > 0 ? arena_print(a->r->memory, "%s[%zu]", variable->name, k + 1) : variable->name;
      if (name == NULL)
        return NULL;
      names[(*n_names)++] = name;
    }
  }
  *variables = numbers;
  return numbers != NULL ? names : NULL;
}

static bool is_input(const fmi_variable *variable) { return variable->causality == FMI_INPUT; }

static seam_status find_variable(const reading *a, const yaml_node *value, bool (*fits)(const fmi_variable *),
                                 size_t *variable, size_t *element) {
  const char *name = value->key->text;
  const fmi_variable *all = a->description->variables;
  nearest search = nearest_to(name);
  *variable = variable_named(a->description, name, element);
  if (*variable != SEAM_NONE && fits(&all[*variable]))
    return SEAM_OK;
  for (size_t i = 0; i < a->description->n_variables; i++)
    if (fits(&all[i]))
      nearest_try(&search, all[i].name);
  const char *noun = fits == is_input ? "an input" : "a parameter";
  if (*variable != SEAM_NONE)
    return reader_fail_unknown(a->r, value->key, &search, "", "'%.80s' of %s is not %s that takes a value, but %s %s",
                               name, a->r->subject, noun, fmi_variability_names[all[*variable].variability],
                               fmi_causality_names[all[*variable].causality]);
  if (strchr(name, '[') != NULL)
    return reader_fail(a->r, value->key, "write elements of an array as NAME[1] to NAME[n], each with one number",
                       "the FMU of %s does not have %s '%.80s'", a->r->subject, noun, name);
  return reader_fail_unknown(a->r, value->key, &search, "'seam check FILE.fmu' lists inputs and parameters of the FMU",
                             "the FMU of %s does not have %s '%.80s'", a->r->subject, noun, name);
}

/* Returns the record of a variable's values, if necessary a new one; NULL: memory is exhausted. The values of a new
 * array are its start values. */
static cosim_fmu_value *record_of(reading *a, size_t variable) {
  const fmi_variable *of = &a->description->variables[variable];
  const size_t n = fmi_n_values(of);
  size_t i = 0;
  while (i < a->made->def.n_values && a->values[i].variable != variable)
    i++;
  cosim_fmu_value *to = &a->values[i];
  if (i < a->made->def.n_values)
    return to;
  double *numbers = of->n_dimensions > 0 ? reader_allocate(a->r, n, sizeof *numbers) : NULL;
  for (size_t k = 0; k < n && numbers != NULL && of->n_start > 0; k++)
    numbers[k] = of->start[of->n_start == n ? k : 0];
  *to = (cosim_fmu_value){.variable = variable, .numbers = numbers};
  return of->n_dimensions == 0 || numbers != NULL ? to : NULL;
}

/* Reads a number within the type and the bounds of the variable. */
static seam_status read_number(const reading *a, yaml_node *value, const fmi_variable *variable, double *number) {
  char why[160];
  if (variable->type == FMI_BOOLEAN) {
    bool is_set = false;
    TRY(reader_flag(a->r, value, &is_set));
    *number = is_set;
    return SEAM_OK;
  }
  TRY(reader_number(a->r, value, ANY_NUMBER, number));
  if (!fmi_can_represent(variable, a->description->version, *number, why, sizeof why))
    return reader_fail(a->r, value, "give a number that the type of the variable can represent", "'%.80s' of %s %s",
                       variable->name, a->r->subject, why);
  const bool is_low = *number < variable->min;
  if (is_low || *number > variable->max)
    return reader_fail(a->r, value, "the modelDescription.xml of the FMU sets this bound: give a value within it",
                       "'%.80s' of %s must be at %s %g, but is %g", variable->name, a->r->subject,
                       is_low ? "least" : "most", is_low ? variable->min : variable->max, *number);
  return SEAM_OK;
}

/* Reads one number for all elements of an array, a list for all, or one number for a single element. */
static seam_status read_elements(const reading *a, yaml_node *value, const fmi_variable *variable, size_t element,
                                 double *numbers) {
  const size_t n = fmi_n_values(variable);
  double number = 0;
  if (value->kind != YAML_LIST) {
    TRY(read_number(a, value, variable, &number));
    for (size_t k = 0; k < n; k++)
      numbers[k] = element == SEAM_NONE || element == k ? number : numbers[k];
    return SEAM_OK;
  }
  if (element != SEAM_NONE || value->n_children != n)
    return reader_fail(
        a->r, value,
        element != SEAM_NONE ? "give one number"
                             : "give one number for all elements, or a list with a number for each element",
        "'%.80s' of %s takes %zu number%s, not a list of %zu", value->key->text, a->r->subject,
        element != SEAM_NONE ? (size_t)1 : n, element != SEAM_NONE || n == 1 ? "" : "s", value->n_children);
  yaml_node *one = value->first;
  for (size_t k = 0; k < n; k++, one = one->next)
    TRY(read_number(a, one, variable, &numbers[k]));
  return SEAM_OK;
}

/* Reads a start value of a variable for which `fits` is true. */
static seam_status read_value(reading *a, yaml_node *value, bool (*fits)(const fmi_variable *)) {
  size_t index = 0, element = SEAM_NONE;
  TRY(find_variable(a, value, fits, &index, &element));
  const fmi_variable *variable = &a->description->variables[index];
  cosim_fmu_value *to = record_of(a, index);
  TRY(reader_check_memory(a->r, to != NULL));
  if (variable->type == FMI_STRING) {
    TRY(reader_text(a->r, value, &to->text));
  } else if (!fmi_is_number(variable->type) && variable->type != FMI_BOOLEAN)
    return reader_fail(a->r, value, "leave it out",
                       "'%.80s' of %s is neither a number, a boolean nor a text, and takes no value", variable->name,
                       a->r->subject);
  else if (to->numbers != NULL)
    TRY(read_elements(a, value, variable, element, to->numbers));
  else
    TRY(read_number(a, value, variable, &to->number));
  if (to == &a->values[a->made->def.n_values]) /* the record is new */
    a->made->def.n_values++;
  return SEAM_OK;
}

/* If the value is that of a structural parameter, resizes the arrays that depend on it. Call this before signals and
 * values are read. */
static seam_status resize(reading *a, yaml_node *value) {
  const size_t variable = fmi_find_variable(a->description, value->key->text);
  double number = 0;
  if (variable == SEAM_NONE || a->description->variables[variable].causality != FMI_STRUCTURAL_PARAMETER)
    return SEAM_OK;
  TRY(read_number(a, value, &a->description->variables[variable], &number));
  if (!(number >= 0 && number <= MAX_SIGNALS))
    return reader_fail(a->r, value, NULL, "'%.80s' of %s is the size of arrays: it must be from 0 to %d, but is %.6g",
                       value->key->text, a->r->subject, MAX_SIGNALS, number);
  fmi_fmu_resize(a->made->fmu, variable, (size_t)number);
  return SEAM_OK;
}

static seam_status read_values(reading *a, yaml_node *map, bool (*fits)(const fmi_variable *)) {
  TRY(reader_check_kind(a->r, map, YAML_MAP, "write {NAME: VALUE}"));
  for (yaml_node *value = yaml_first(map, YAML_MAP); value != NULL; value = value->next)
    TRY(read_value(a, value, fits));
  return SEAM_OK;
}

/* Opens the FMU. The reader's result closes it, even if it is unusable. */
static seam_status open_fmu(reading *a, const yaml_node *value) {
  reader *r = a->r;
  const char *text = NULL;
  TRY(reader_text(r, value, &text));
  const char *path = reader_path(r, value);
  TRY(reader_check_memory(r, path != NULL));
  seam_status status = fmi_fmu_open(path, &a->made->fmu, &r->cause);
  a->made->next = r->result->fmus;
  r->result->fmus = a->made;
  THEN(status, fmi_fmu_find_binary(a->made->fmu, &r->cause));
  if (status != SEAM_OK)
    return reader_fail(r, value, "a path is relative to the folder of the model file; 'seam check' looks into an FMU",
                       "%s: %.800s", r->subject, r->cause.message);
  a->description = fmi_fmu_description(a->made->fmu);
  return reader_add_data_file(r, path, fmi_fmu_file_length(path));
}

seam_status fmu_subsystem_read(reader *r, yaml_node *value, const cosim_user_part **user) {
  yaml_node *values[N_KEYS];
  reading a = {.r = r};
  TRY(reader_map(r, value, keys, N_KEYS, values));
  const size_t n_values = yaml_count(values[PARAMETERS]) + yaml_count(values[INPUTS]);
  struct fmu_subsystem *made = a.made = reader_allocate(r, 1, sizeof *a.made);
  a.values = reader_allocate(r, n_values, sizeof *a.values);
  TRY(reader_check_memory(r, made != NULL && a.values != NULL));
  made->def.name = value->key->text;
  if (r->is_shown) {
    made->part.create = refuse;
    *user = &made->part;
    return SEAM_OK;
  }
  TRY(open_fmu(&a, values[FMU]));
  made->def.fmu = made->fmu;
  made->def.values = a.values;
  made->simulation = &r->result->simulation;
  TRY(reader_check_kind(r, values[PARAMETERS], YAML_MAP, "write {NAME: VALUE}"));
  for (yaml_node *one = yaml_first(values[PARAMETERS], YAML_MAP); one != NULL; one = one->next)
    TRY(resize(&a, one));
  made->part.inputs = list_signals(&a, FMI_INPUT, &made->def.inputs, &made->def.n_inputs, &made->part.n_inputs);
  made->part.outputs = list_signals(&a, FMI_OUTPUT, &made->def.outputs, &made->def.n_outputs, &made->part.n_outputs);
  made->def.is_connected = made->is_connected = reader_allocate(r, made->part.n_inputs, sizeof *made->is_connected);
  made->def.is_integral = made->is_integral = reader_allocate(r, made->part.n_outputs, sizeof *made->is_integral);
  made->def.output_in_si = made->in_si[0] = reader_allocate(r, made->part.n_outputs, sizeof(bool));
  made->def.input_in_si = made->in_si[1] = reader_allocate(r, made->part.n_inputs, sizeof(bool));
  if (made->in_si[0] == NULL || made->in_si[1] == NULL || made->is_integral == NULL || made->part.inputs == NULL ||
      made->part.outputs == NULL || made->is_connected == NULL)
    return seam_fail(r->error, SEAM_NO_MEMORY, "%s has more than %d signals, or memory is exhausted", r->subject,
                     MAX_SIGNALS);
  TRY(read_values(&a, values[PARAMETERS], fmi_may_be_set_before));
  TRY(read_values(&a, values[INPUTS], is_input));
  TRY(reader_number(r, values[COMMUNICATION_STEP], POSITIVE, &made->def.communication_step));
  yaml_node *rtol = yaml_get(yaml_get(r->root, "simulate"), "rtol"); /* the default tolerance, if the file gives it */
  TRY(reader_number(r, values[TOLERANCE] != NULL ? values[TOLERANCE] : rtol, POSITIVE, &made->def.tolerance));
  TRY(reader_number(r, values[START], ANY_NUMBER, &made->def.origin));
  made->converts_units = true;
  TRY(reader_flag(r, values[CONVERT_UNITS], &made->converts_units));
  if (made->part.n_outputs == 0)
    seam_note("%s: its FMU has no outputs that are numbers or booleans, and so no columns of signals.csv", r->subject);
  made->part.create = create;
  made->part.context = made;
  made->part.identity = identity_of(made);
  *user = &made->part;
  return SEAM_OK;
}
