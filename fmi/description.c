#include "fmi/description.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "fmi/xml.h"

/* ---- Names and types ---- */

const char *const fmi_causality_names[] = {"local",  "parameter",   "calculatedParameter", "input",
                                           "output", "independent", "structuralParameter", NULL};
const char *const fmi_variability_names[] = {"", "constant", "fixed", "tunable", "discrete", "continuous", NULL};
static const char *const initial_names[] = {"", "exact", "approx", "calculated", NULL};

#define EXACT_MAX 9007199254740991.0 /* 2^53 - 1 */

static const struct {
  const char *name2, *name3;
  double least, greatest;
} types[] = {
    [FMI_FLOAT64] = {"Real", "Float64", -INFINITY, INFINITY},
    [FMI_FLOAT32] = {NULL, "Float32", -FLT_MAX, FLT_MAX},
    [FMI_INT8] = {NULL, "Int8", INT8_MIN, INT8_MAX},
    [FMI_UINT8] = {NULL, "UInt8", 0, UINT8_MAX},
    [FMI_INT16] = {NULL, "Int16", INT16_MIN, INT16_MAX},
    [FMI_UINT16] = {NULL, "UInt16", 0, UINT16_MAX},
    [FMI_INT32] = {"Integer", "Int32", INT32_MIN, INT32_MAX},
    [FMI_UINT32] = {NULL, "UInt32", 0, UINT32_MAX},
    [FMI_INT64] = {NULL, "Int64", -EXACT_MAX, EXACT_MAX},
    [FMI_UINT64] = {NULL, "UInt64", 0, EXACT_MAX},
    [FMI_BOOLEAN] = {"Boolean", "Boolean", 0, 1},
    [FMI_ENUMERATION] = {"Enumeration", "Enumeration", -EXACT_MAX, EXACT_MAX},
    [FMI_STRING] = {"String", "String", 0, 0},
    [FMI_BINARY] = {NULL, "Binary", 0, 0},
    [FMI_CLOCK] = {NULL, "Clock", 0, 0},
};

const char *fmi_type_name(fmi_type type, fmi_version version) {
  if ((size_t)type >= sizeof types / sizeof *types)
    return NULL;
  return version == FMI_2 ? types[type].name2 : types[type].name3;
}

bool fmi_may_be_set_before(const fmi_variable *variable) {
  const bool is_started = variable->initial == FMI_EXACT || variable->initial == FMI_APPROX;
  return variable->variability != FMI_CONSTANT &&
         (variable->causality == FMI_PARAMETER || variable->causality == FMI_STRUCTURAL_PARAMETER ||
          ((variable->causality == FMI_OUTPUT || variable->causality == FMI_LOCAL) && is_started));
}

size_t fmi_n_values(const fmi_variable *variable) {
  size_t n = 1;
  for (size_t i = 0; i < variable->n_dimensions; i++)
    n *= variable->dimensions[i].size;
  return n;
}

bool fmi_is_real(fmi_type type) { return type == FMI_FLOAT64 || type == FMI_FLOAT32; }

bool fmi_is_number(fmi_type type) {
  return type != FMI_BOOLEAN && type != FMI_STRING && type != FMI_BINARY && type != FMI_CLOCK;
}

bool fmi_can_represent(const fmi_variable *variable, fmi_version version, double number, char *why, size_t size) {
  const fmi_type type = variable->type;
  const fmi_type stored = version == FMI_2 && type == FMI_ENUMERATION ? FMI_INT32 : type;
  const double least = types[stored].least, greatest = types[stored].greatest;
  if (fmi_is_real(type) && !isfinite(number))
    return true;
  if (!fmi_is_real(type) && round(number) != number)
    snprintf(why, size, "is a whole number, not %g", number);
  else if (number >= least && number <= greatest)
    return true;
  else
    snprintf(why, size, "is of the type %s, from %.16g to %.16g, not %.16g", fmi_type_name(type, version), least,
             greatest, number);
  return false;
}

size_t fmi_find_variable(const fmi_description *in, const char *name) {
  for (size_t i = 0; i < in->n_variables; i++)
    if (strcmp(in->variables[i].name, name) == 0)
      return i;
  return SEAM_NONE;
}

/* ---- Tables of attributes ---- */

static const fmi_row root_rows[] = {
    FMI_NEEDED("modelName", FMI_ROW_TEXT, fmi_description, model_name),
    {"guid", "instantiationToken", FMI_ROW_TEXT, offsetof(fmi_description, token), true, NULL},
    FMI_ROW("description", FMI_ROW_TEXT, fmi_description, description),
    FMI_ROW("generationTool", FMI_ROW_TEXT, fmi_description, tool),
    FMI_ROW("generationDateAndTime", FMI_ROW_TEXT, fmi_description, date),
};

#define CAN(field) FMI_ROW_FLAG, offsetof(fmi_capabilities, field), false, NULL
static const fmi_row capability_rows[] = {
    FMI_NEEDED("modelIdentifier", FMI_ROW_TEXT, fmi_capabilities, identifier),
    {"needsExecutionTool", "needsExecutionTool", CAN(needs_execution_tool)},
    {"canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess", CAN(only_once_per_process)},
    {"canNotUseMemoryManagementFunctions", NULL, CAN(no_memory_functions)},
    {"canGetAndSetFMUstate", "canGetAndSetFMUState", CAN(can_get_and_set_state)},
    {"canSerializeFMUstate", "canSerializeFMUState", CAN(can_serialize_state)},
    {"providesDirectionalDerivative", "providesDirectionalDerivatives", CAN(directional_derivatives)},
    {NULL, "providesAdjointDerivatives", CAN(adjoint_derivatives)},
    {"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize", CAN(variable_step)},
    {"canInterpolateInputs", NULL, CAN(interpolates_inputs)},
    {"canRunAsynchronuously", NULL, CAN(runs_asynchronously)}, /* spelled so in the schema */
    {NULL, "providesIntermediateUpdate", CAN(intermediate_update)},
    {NULL, "mightReturnEarlyFromDoStep", CAN(might_return_early)},
    {NULL, "canReturnEarlyAfterIntermediateUpdate", CAN(returns_early_when_asked)},
    {NULL, "hasEventMode", CAN(event_mode)},
    FMI_ROW("maxOutputDerivativeOrder", FMI_ROW_COUNT, fmi_capabilities, output_derivatives),
    {NULL, "fixedInternalStepSize", FMI_ROW_NUMBER, offsetof(fmi_capabilities, fixed_internal_step), false, NULL},
    {NULL, "recommendedIntermediateInputSmoothness", FMI_ROW_INT, offsetof(fmi_capabilities, intermediate_smoothness),
     false, NULL},
};

static const fmi_row experiment_rows[] = {
    FMI_ROW("startTime", FMI_ROW_NUMBER, fmi_experiment, start),
    FMI_ROW("stopTime", FMI_ROW_NUMBER, fmi_experiment, stop),
    FMI_ROW("tolerance", FMI_ROW_NUMBER, fmi_experiment, tolerance),
    FMI_ROW("stepSize", FMI_ROW_NUMBER, fmi_experiment, step),
};

static const fmi_row variable_rows[] = {
    FMI_NEEDED("name", FMI_ROW_TEXT, fmi_variable, name),
    FMI_NEEDED("valueReference", FMI_ROW_COUNT, fmi_variable, reference),
    FMI_ROW("description", FMI_ROW_TEXT, fmi_variable, description),
    FMI_NAMED("causality", fmi_variable, causality, fmi_causality_names, false),
    FMI_NAMED("variability", fmi_variable, variability, fmi_variability_names, false),
    FMI_NAMED("initial", fmi_variable, initial, initial_names, false),
    {NULL, "intermediateUpdate", FMI_ROW_FLAG, offsetof(fmi_variable, intermediate_update), false, NULL},
};

/* In FMI 2 these attributes stand in the element of the type (Real, ...). A table each: all types, numbers, reals. */
static const fmi_row typed_rows[] = {FMI_ROW("declaredType", FMI_ROW_TEXT, fmi_variable, declared_type)};
static const fmi_row number_rows[] = {
    FMI_ROW("min", FMI_ROW_NUMBER, fmi_variable, min),
    FMI_ROW("max", FMI_ROW_NUMBER, fmi_variable, max),
};
static const fmi_row real_rows[] = {
    FMI_ROW("unit", FMI_ROW_TEXT, fmi_variable, unit),
    FMI_ROW("nominal", FMI_ROW_NUMBER, fmi_variable, nominal),
};

/* ---- Reading: a table lists the elements, each with its parent and the function that reads its attributes ---- */

/* Kinds of elements. LEAF: no elements may stand inside; SKIPPED: any may, and are ignored. */
enum { OUTSIDE, ROOT, UNITS, UNIT, TYPES, TYPE, CATEGORIES, VARIABLES, VARIABLE, STRUCTURE, OUTPUTS, LEAF, SKIPPED };

typedef struct type_unit {
  const char *name, *unit;
} type_unit;

/* References of a variable, or of an output in ModelStructure, to other variables. They are resolved after all
 * variables are read. */
typedef struct unresolved {
  size_t variable;
  const char *derivative, *dependencies; /* texts of the attributes; NULL: none */
  size_t line;
} unresolved;

typedef struct by_reference {
  uint32_t reference;
  size_t variable;
} by_reference;

typedef struct reader {
  fmi_reader base; /* first member: handlers get it as context */
  fmi_description *result;
  fmi_list units, types, categories, variables, references;
  const char *type;     /* name of the present type definition */
  by_reference *sorted; /* all variables, by value reference, then by index */
} reader;

#define READ(r, table, tag, at) FMI_READ(&(r)->base, table, tag, at)
#define ADD_PROBLEM(r, ...) FMI_ADD_PROBLEM(&(r)->base, __VA_ARGS__)

/* ---- Head ---- */

static void read_root(reader *r, const fmi_tag *tag) {
  const char *version = fmi_attribute(tag, "fmiVersion");
  const bool is_two = version != NULL && strcmp(version, "2.0") == 0;
  const bool is_three = version != NULL && strncmp(version, "3.", 2) == 0;
  const bool is_draft = version != NULL && strchr(version, '-') != NULL; /* as "3.0-beta.2", whose functions differ */
  if (is_draft || !(is_two || is_three)) {
    ADD_PROBLEM(r, "FMI version '%s'; Seam reads 2.0 and 3.0%s", version != NULL ? version : "",
                is_draft || (version != NULL && version[0] == '1')
                    ? ": export the model again from its tool, for FMI 2.0"
                    : "");
    XML_StopParser(r->base.parser, XML_FALSE);
    return;
  }
  r->base.version = version[0] == '2' ? FMI_2 : FMI_3;
  r->result->version = r->base.version;
  r->result->version_text = fmi_reader_copy(&r->base, version);
  READ(r, root_rows, tag, r->result);
}

static void read_model_exchange(reader *r, const fmi_tag *tag) {
  (void)tag;
  r->result->has_model_exchange = true;
}

static void read_scheduled(reader *r, const fmi_tag *tag) {
  (void)tag;
  r->result->has_scheduled_execution = true;
}

/* The identifier becomes part of a file name: letters, digits and underscores alone, as the standard says. */
static void read_co_simulation(reader *r, const fmi_tag *tag) {
  fmi_capabilities *capabilities = &r->result->capabilities;
  READ(r, capability_rows, tag, capabilities);
  const char *identifier = capabilities->identifier;
  if (identifier == NULL)
    return;
  for (const char *at = identifier; at == identifier || *at != '\0'; at++)
    if (isalnum((unsigned char)*at) == 0 && *at != '_') {
      ADD_PROBLEM(r, "modelIdentifier is '%s', not an identifier of C", identifier);
      capabilities->identifier = NULL;
      return;
    }
}

static void read_experiment(reader *r, const fmi_tag *tag) { READ(r, experiment_rows, tag, &r->result->experiment); }

static const char *name_of(reader *r, const fmi_tag *tag) {
  const char *name = fmi_attribute(tag, "name");
  if (name == NULL)
    ADD_PROBLEM(r, "<%s> lacks the attribute name", tag->name);
  return name != NULL ? fmi_reader_copy(&r->base, name) : "";
}

static void read_unit(reader *r, const fmi_tag *tag) {
  const fmi_unit unit = {.name = name_of(r, tag)};
  fmi_reader_add(&r->base, &r->units, &unit, sizeof unit);
}

static void read_base_unit(reader *r, const fmi_tag *tag) {
  fmi_unit *unit = (fmi_unit *)r->units.items + r->units.n - 1;
  unit->factor = 1;
  READ(r, fmi_base_unit_rows, tag, unit);
}

static void read_category(reader *r, const fmi_tag *tag) {
  const char *name = name_of(r, tag);
  fmi_reader_add(&r->base, &r->categories, &name, sizeof name);
}

/* Reads the unit of a type definition. In FMI 2 the unit stands in an element inside that of the type. */
static void read_type(reader *r, const fmi_tag *tag) {
  const char *unit = fmi_attribute(tag, "unit");
  const char *name = fmi_attribute(tag, "name");
  r->type = name != NULL ? fmi_reader_copy(&r->base, name) : r->type;
  if (unit == NULL || r->type == NULL)
    return;
  const type_unit added = {r->type, fmi_reader_copy(&r->base, unit)};
  fmi_reader_add(&r->base, &r->types, &added, sizeof added);
}

/* ---- Variables ---- */

static fmi_variable *newest(reader *r) { return (fmi_variable *)r->variables.items + r->variables.n - 1; }

static void read_variable(reader *r, const fmi_tag *tag) {
  fmi_variable variable = {
      .derivative_of = SEAM_NONE, .min = NAN, .max = NAN, .nominal = NAN, .n_depends_on = SEAM_NONE};
  READ(r, variable_rows, tag, &variable);
  if (variable.name != NULL && variable.name[0] == '\0')
    ADD_PROBLEM(r, "<%s> has an empty name", tag->name);
  if (variable.name == NULL)
    variable.name = "";
  fmi_reader_add(&r->base, &r->variables, &variable, sizeof variable);
}

/* `tag` has the type as its name. */
static void read_type_of_variable(reader *r, const fmi_tag *tag) {
  fmi_variable *variable = newest(r);
  fmi_type type = FMI_FLOAT64;
  while (type < FMI_CLOCK &&
         (fmi_type_name(type, r->base.version) == NULL || strcmp(fmi_type_name(type, r->base.version), tag->name) != 0))
    type++;
  variable->type = type;
  READ(r, typed_rows, tag, variable);
  if (fmi_is_number(type))
    READ(r, number_rows, tag, variable);
  if (fmi_is_real(type))
    READ(r, real_rows, tag, variable);
  if (variable->unit != NULL && variable->unit[0] == '\0')
    variable->unit = NULL;
  const char *interval =
      fmi_attribute(tag, "intervalVariability"); /* clocks have one; "triggered" ones may never tick */
  variable->waits_for_importer =
      interval != NULL && strcmp(interval, "triggered") != 0 && variable->causality == FMI_INPUT;
  const char *start = fmi_attribute(tag, "start");
  if (start != NULL && type == FMI_STRING)
    variable->start_text = fmi_reader_copy(&r->base, start);
  else if (start != NULL && type != FMI_BINARY)
    variable->start = fmi_read_numbers(&r->base, variable->name, start, &variable->n_start);
  const char *derivative = fmi_attribute(tag, "derivative");
  if (derivative == NULL)
    return;
  const unresolved added = {.variable = r->variables.n - 1,
                            .derivative = fmi_reader_copy(&r->base, derivative),
                            .line = fmi_reader_line(&r->base)};
  fmi_reader_add(&r->base, &r->references, &added, sizeof added);
}

static void read_variable_3(reader *r, const fmi_tag *tag) {
  const size_t n = r->variables.n;
  read_variable(r, tag);
  if (r->variables.n > n)
    read_type_of_variable(r, tag);
}

/* The dimension's `variable` is a value reference until link_variables() replaces it by an index. */
static void read_dimension(reader *r, const fmi_tag *tag) {
  fmi_variable *variable = newest(r);
  const char *size = fmi_attribute(tag, "start"), *by = fmi_attribute(tag, "valueReference");
  fmi_dimension *all = fmi_reader_alloc(&r->base, (variable->n_dimensions + 1) * sizeof *all);
  if (all == NULL)
    return;
  if ((size == NULL) == (by == NULL))
    ADD_PROBLEM(r, "a dimension of '%s' needs either start or valueReference, and not both", variable->name);
  if (variable->n_dimensions > 0)
    memcpy(all, variable->dimensions, variable->n_dimensions * sizeof *all);
  all[variable->n_dimensions] = (fmi_dimension){
      .size = size != NULL ? (size_t)fmi_read_integer(&r->base, "start", size, 0, UINT32_MAX) : 1,
      .variable = by != NULL ? (size_t)fmi_read_integer(&r->base, "valueReference", by, 0, UINT32_MAX) : SEAM_NONE};
  variable->dimensions = all;
  variable->n_dimensions++;
}

static void read_start_text(reader *r, const fmi_tag *tag) {
  const char *value = fmi_attribute(tag, "value");
  if (value != NULL && newest(r)->type == FMI_STRING)
    newest(r)->start_text = fmi_reader_copy(&r->base, value);
}

/* Reads another name of the present variable. */
static void read_alias(reader *r, const fmi_tag *tag) {
  fmi_variable alias = *newest(r);
  alias.name = name_of(r, tag);
  const size_t size = alias.n_dimensions * sizeof *alias.dimensions;
  fmi_dimension *dimensions = fmi_reader_alloc(&r->base, size);
  if (dimensions != NULL && size > 0)
    memcpy(dimensions, alias.dimensions, size);
  alias.dimensions = dimensions;
  fmi_reader_add(&r->base, &r->variables, &alias, sizeof alias);
}

/* ---- Structure ---- */

static void read_output(reader *r, const fmi_tag *tag) {
  const char *name = r->base.version == FMI_2 ? "index" : "valueReference";
  const char *which = fmi_attribute(tag, name), *dependencies = fmi_attribute(tag, "dependencies");
  if (which == NULL)
    ADD_PROBLEM(r, "<%s> lacks the attribute %s", tag->name, name);
  if (which == NULL || dependencies == NULL)
    return;
  const unresolved added = {.variable = (size_t)fmi_read_integer(&r->base, name, which, 0, UINT32_MAX),
                            .dependencies = fmi_reader_copy(&r->base, dependencies),
                            .line = fmi_reader_line(&r->base)};
  fmi_reader_add(&r->base, &r->references, &added, sizeof added);
}

/* ---- Elements ---- */

enum { VERSION_2 = 1, VERSION_3 = 2, ANY = 3 };

typedef struct element {
  const char *name;
  int parent, inside, versions;
  void (*read)(reader *r, const fmi_tag *tag);
} element;

static const element elements[] = {
    {"fmiModelDescription", OUTSIDE, ROOT, ANY, read_root},
    {"ModelExchange", ROOT, SKIPPED, ANY, read_model_exchange},
    {"CoSimulation", ROOT, SKIPPED, ANY, read_co_simulation},
    {"ScheduledExecution", ROOT, SKIPPED, VERSION_3, read_scheduled},
    {"UnitDefinitions", ROOT, UNITS, ANY, NULL},
    {"Unit", UNITS, UNIT, ANY, read_unit},
    {"BaseUnit", UNIT, LEAF, ANY, read_base_unit},
    {"DisplayUnit", UNIT, SKIPPED, ANY, NULL},
    {"TypeDefinitions", ROOT, TYPES, ANY, NULL},
    {"SimpleType", TYPES, TYPE, VERSION_2, read_type},
    {"Real", TYPE, LEAF, VERSION_2, read_type},
    {"Integer", TYPE, LEAF, VERSION_2, NULL},
    {"Boolean", TYPE, LEAF, VERSION_2, NULL},
    {"String", TYPE, LEAF, VERSION_2, NULL},
    {"Enumeration", TYPE, SKIPPED, VERSION_2, NULL},
    {"LogCategories", ROOT, CATEGORIES, ANY, NULL},
    {"Category", CATEGORIES, SKIPPED, ANY, read_category},
    {"DefaultExperiment", ROOT, SKIPPED, ANY, read_experiment},
    {"VendorAnnotations", ROOT, SKIPPED, VERSION_2, NULL},
    {"ModelVariables", ROOT, VARIABLES, ANY, NULL},
    {"ScalarVariable", VARIABLES, VARIABLE, VERSION_2, read_variable},
    {"Real", VARIABLE, LEAF, VERSION_2, read_type_of_variable},
    {"Integer", VARIABLE, LEAF, VERSION_2, read_type_of_variable},
    {"Boolean", VARIABLE, LEAF, VERSION_2, read_type_of_variable},
    {"String", VARIABLE, LEAF, VERSION_2, read_type_of_variable},
    {"Enumeration", VARIABLE, LEAF, VERSION_2, read_type_of_variable},
    {"Dimension", VARIABLE, LEAF, VERSION_3, read_dimension},
    {"Start", VARIABLE, LEAF, VERSION_3, read_start_text},
    {"Alias", VARIABLE, LEAF, VERSION_3, read_alias},
    {"ModelStructure", ROOT, STRUCTURE, ANY, NULL},
    {"Outputs", STRUCTURE, OUTPUTS, VERSION_2, NULL},
    {"Unknown", OUTPUTS, LEAF, VERSION_2, read_output},
    {"Derivatives", STRUCTURE, SKIPPED, VERSION_2, NULL},
    {"DiscreteStates", STRUCTURE, SKIPPED, VERSION_2, NULL},
    {"InitialUnknowns", STRUCTURE, SKIPPED, VERSION_2, NULL},
    {"Output", STRUCTURE, SKIPPED, VERSION_3, read_output},
    {"ContinuousStateDerivative", STRUCTURE, SKIPPED, VERSION_3, NULL},
    {"ClockedState", STRUCTURE, SKIPPED, VERSION_3, NULL},
    {"InitialUnknown", STRUCTURE, SKIPPED, VERSION_3, NULL},
    {"EventIndicator", STRUCTURE, SKIPPED, VERSION_3, NULL},
};

/* Returns the row of an element inside its parent; a row without a name: the element may not stand there. In FMI 3 the
 * element of a variable has the name of its type, as "Float64", and that of a type definition is "Float64Type". */
static element find(const reader *r, int parent, const char *name) {
  const int version = r->base.version == FMI_2 ? VERSION_2 : VERSION_3;
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (elements[i].parent == parent && (elements[i].versions & version) != 0 && strcmp(elements[i].name, name) == 0)
      return elements[i];
  if (strcmp(name, "Annotations") == 0)
    return (element){name, parent, SKIPPED, ANY, NULL};
  for (fmi_type type = FMI_FLOAT64; type <= FMI_CLOCK && r->base.version == FMI_3; type++) {
    const char *known = fmi_type_name(type, FMI_3);
    const char *suffix = strncmp(name, known, strlen(known)) == 0 ? name + strlen(known) : NULL;
    if (suffix != NULL && parent == VARIABLES && suffix[0] == '\0')
      return (element){name, VARIABLES, VARIABLE, VERSION_3, read_variable_3};
    if (suffix != NULL && parent == TYPES && strcmp(suffix, "Type") == 0)
      return (element){name, TYPES, SKIPPED, VERSION_3, read_type};
  }
  return (element){.name = NULL};
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes) {
  reader *r = context;
  if (r->base.no_memory || r->base.depth + 1 >= FMI_MAX_DEPTH) {
    if (!r->base.no_memory)
      ADD_PROBLEM(r, "elements are nested in more than %d levels", FMI_MAX_DEPTH);
    XML_StopParser(r->base.parser, XML_FALSE);
    return;
  }
  const int parent = r->base.path[r->base.depth];
  element found = parent != SKIPPED ? find(r, parent, name) : (element){name, parent, SKIPPED, ANY, NULL};
  if (found.name == NULL) {
    ADD_PROBLEM(r, "element <%s> may not stand here", name);
    found.inside = SKIPPED;
  }
  const fmi_tag tag = {name, attributes};
  r->base.path[++r->base.depth] = found.inside;
  if (found.read != NULL)
    found.read(r, &tag);
}

static void XMLCALL on_end(void *context, const XML_Char *name) {
  reader *r = context;
  (void)name;
  if (r->base.depth > 0)
    r->base.depth--;
  if (r->base.path[r->base.depth] == TYPES)
    r->type = NULL;
}

/* ---- References ---- */

static int compare_references(const void *a, const void *b) {
  const by_reference *x = a, *y = b;
  if (x->reference != y->reference)
    return x->reference < y->reference ? -1 : 1;
  return x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* Returns the index of the variable to which a number refers. SEAM_NONE, with a problem added: there is none. In FMI 2
 * the number is the index from 1. In FMI 3 it is a value reference; of aliases, which share it, the first is meant. */
static size_t variable_of(reader *r, double number, size_t line) {
  const size_t n = r->result->n_variables;
  size_t variable = SEAM_NONE;
  if (r->base.version == FMI_2 && number >= 1 && number <= (double)n)
    variable = (size_t)number - 1;
  if (r->base.version == FMI_3) {
    const uint32_t reference = (uint32_t)number;
    size_t low = 0, high = n;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (r->sorted[middle].reference < reference)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < n && r->sorted[low].reference == reference)
      variable = r->sorted[low].variable;
  }
  if (variable == SEAM_NONE)
    fmi_reader_add_problem(&r->base, line, "%s %.0f belongs to no variable",
                           r->base.version == FMI_2 ? "index" : "value reference", number);
  return variable;
}

static void link_dependencies(reader *r, const unresolved *from) {
  const size_t output = variable_of(r, (double)from->variable, from->line);
  size_t n = 0;
  const double *numbers = fmi_read_numbers(&r->base, "dependencies", from->dependencies, &n);
  size_t *all = fmi_reader_alloc(&r->base, (n + 1) * sizeof *all);
  if (output == SEAM_NONE || all == NULL)
    return;
  for (size_t i = 0; i < n; i++)
    if (!(numbers[i] >= 0 && numbers[i] <= UINT32_MAX) ||
        (all[i] = variable_of(r, numbers[i], from->line)) == SEAM_NONE)
      return;
  r->result->variables[output].depends_on = all;
  r->result->variables[output].n_depends_on = n;
}

static void link_references(reader *r) {
  for (size_t i = 0; i < r->references.n; i++) {
    const unresolved *from = (unresolved *)r->references.items + i;
    if (from->dependencies != NULL)
      link_dependencies(r, from);
    size_t n = 0;
    const double *number =
        from->derivative != NULL ? fmi_read_numbers(&r->base, "derivative", from->derivative, &n) : NULL;
    if (n == 1 && number[0] >= 0 && number[0] <= UINT32_MAX)
      r->result->variables[from->variable].derivative_of = variable_of(r, number[0], from->line);
  }
}

static void link_dimensions(reader *r, fmi_variable *variable) {
  for (size_t i = 0; i < variable->n_dimensions; i++) {
    fmi_dimension *dimension = &variable->dimensions[i];
    if (dimension->variable == SEAM_NONE)
      continue;
    dimension->variable = variable_of(r, (double)dimension->variable, fmi_reader_line(&r->base));
    const fmi_variable *by = dimension->variable != SEAM_NONE ? &r->result->variables[dimension->variable] : NULL;
    if (by != NULL && by->n_start == 1 && by->start[0] >= 0 && by->start[0] <= UINT32_MAX)
      dimension->size = (size_t)by->start[0];
  }
}

static void check_names(reader *r) {
  table names = {0};
  for (size_t i = 0; i < r->result->n_variables; i++) {
    const char *name = r->result->variables[i].name;
    if (table_find(&names, name, strlen(name)) != NULL)
      ADD_PROBLEM(r, "two variables have the name '%s'", name);
    else if (!table_add(&names, name, strlen(name), i))
      r->base.no_memory = true;
  }
  table_release(&names);
}

/* Replaces references to variables (derivatives, dependencies, dimensions) by indices. Takes missing units from types,
 * sets variabilities that are not given, and finds names used twice. */
static void link_variables(reader *r) {
  fmi_description *result = r->result;
  r->sorted = fmi_reader_alloc(&r->base, (result->n_variables + 1) * sizeof *r->sorted);
  if (r->sorted == NULL)
    return;
  for (size_t i = 0; i < result->n_variables; i++)
    r->sorted[i] = (by_reference){result->variables[i].reference, i};
  qsort(r->sorted, result->n_variables, sizeof *r->sorted, compare_references);
  link_references(r);
  const type_unit *declared = r->types.items;
  for (fmi_variable *variable = result->variables; variable < result->variables + result->n_variables; variable++) {
    link_dimensions(r, variable);
    for (size_t i = 0; i < r->types.n && variable->unit == NULL && variable->declared_type != NULL; i++)
      if (strcmp(declared[i].name, variable->declared_type) == 0)
        variable->unit = declared[i].unit;
    const fmi_causality causality = variable->causality;
    const bool is_parameter =
        causality == FMI_PARAMETER || causality == FMI_CALCULATED_PARAMETER || causality == FMI_STRUCTURAL_PARAMETER;
    if (variable->variability == FMI_USUAL)
      variable->variability = is_parameter ? FMI_FIXED : fmi_is_real(variable->type) ? FMI_CONTINUOUS : FMI_DISCRETE;
  }
  check_names(r);
}

seam_status fmi_description_read(const char *text, size_t size, const char *location, fmi_description **created,
                                 seam_error *error) {
  fmi_description *result = calloc(1, sizeof *result);
  XML_Parser parser = XML_ParserCreate(NULL);
  *created = NULL;
  if (result == NULL || parser == NULL) {
    free(result);
    XML_ParserFree(parser);
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a model description", location);
  }
  *result = (fmi_description){.version = FMI_2,
                              .capabilities = {.fixed_internal_step = NAN},
                              .experiment = {.start = NAN, .stop = NAN, .tolerance = NAN, .step = NAN}};
  reader r = {.base = {.parser = parser, .location = location, .version = FMI_2, .memory = &result->memory},
              .result = result};
  fmi_reader_parse(&r.base, text, size, on_start, on_end);
  const size_t end = fmi_reader_line(&r.base);
  result->units = fmi_reader_move_list(&r.base, &r.units, sizeof *result->units, &result->n_units);
  result->log_categories =
      fmi_reader_move_list(&r.base, &r.categories, sizeof *result->log_categories, &result->n_log_categories);
  result->variables = fmi_reader_move_list(&r.base, &r.variables, sizeof *result->variables, &result->n_variables);
  if (r.base.problems.n == 0 && result->model_name == NULL)
    fmi_reader_add_problem(&r.base, end, "no model description");
  if (result->model_name != NULL && result->n_variables == 0)
    fmi_reader_add_problem(&r.base, end, "no variables");
  link_variables(&r);
  result->problems = fmi_reader_move_list(&r.base, &r.base.problems, sizeof *result->problems, &result->n_problems);
  XML_ParserFree(parser);
  free(r.types.items), free(r.references.items);
  if (r.base.no_memory) {
    fmi_description_destroy(result);
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a model description", location);
  }
  *created = result;
  return result->n_problems == 0 ? SEAM_OK : seam_fail(error, SEAM_BAD_INPUT, "%s", result->problems[0]);
}

void fmi_description_destroy(fmi_description *self) {
  if (self == NULL)
    return;
  arena_release(&self->memory);
  free(self);
}
