/* Reads modelDescription.xml by expat. A table lists the elements, each with its parent and the function that reads its
 * attributes. References between variables are resolved after all elements are read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "fmi/description_reader.h"

/* Kinds of elements. SKIPPED: with its contents; LEAF: without elements inside. */
enum { OUTSIDE, ROOT, UNITS, UNIT, TYPES, TYPE, CATEGORIES, VARIABLES, VARIABLE, STRUCTURE, OUTPUTS, LEAF, SKIPPED };

/* ---- Head ---- */

static void read_root(fmi_reader *r, const fmi_tag *tag) {
  const char *version = fmi_attribute(tag, "fmiVersion");
  const char *names = fmi_attribute(tag, "variableNamingConvention");
  r->result->structured_names = names != NULL && strcmp(names, "structured") == 0;
  const bool is_two = version != NULL && strcmp(version, "2.0") == 0;
  const bool is_three = version != NULL && strncmp(version, "3.", 2) == 0;
  const bool is_draft = version != NULL && strchr(version, '-') != NULL; /* as "3.0-beta.2", whose functions differ */
  if (is_draft || !(is_two || is_three)) {
    FMI_ADD_PROBLEM(r, "FMI version '%s'; Seam reads 2.0 and 3.0%s", version != NULL ? version : "",
                    is_draft || (version != NULL && version[0] == '1')
                        ? ": export the model again from its tool, for FMI 2.0"
                        : "");
    XML_StopParser(r->parser, XML_FALSE);
    return;
  }
  r->version = version[0] == '2' ? FMI_2 : FMI_3;
  r->result->version = r->version;
  r->result->version_text = fmi_reader_copy(r, version);
  fmi_read_rows(r, &fmi_root_rows, tag, r->result);
}

static void read_model_exchange(fmi_reader *r, const fmi_tag *tag) {
  (void)tag;
  r->result->has_model_exchange = true;
}

static void read_scheduled(fmi_reader *r, const fmi_tag *tag) {
  (void)tag;
  r->result->has_scheduled_execution = true;
}

/* Reads capabilities. Refuses an identifier with other characters than letters, digits and underscores, because it
 * becomes part of a file name. The standard allows only these characters. */
static void read_co_simulation(fmi_reader *r, const fmi_tag *tag) {
  fmi_capabilities *capabilities = &r->result->capabilities;
  fmi_read_rows(r, &fmi_capability_rows, tag, capabilities);
  const char *identifier = capabilities->identifier;
  if (identifier == NULL)
    return;
  for (const char *at = identifier; at == identifier || *at != '\0'; at++)
    if (isalnum((unsigned char)*at) == 0 && *at != '_') {
      FMI_ADD_PROBLEM(r, "modelIdentifier is '%s', not an identifier of C", identifier);
      capabilities->identifier = NULL;
      return;
    }
}

static void read_experiment(fmi_reader *r, const fmi_tag *tag) {
  fmi_read_rows(r, &fmi_experiment_rows, tag, &r->result->experiment);
}

static const char *name_of(fmi_reader *r, const fmi_tag *tag) {
  const char *name = fmi_attribute(tag, "name");
  if (name == NULL)
    FMI_ADD_PROBLEM(r, "<%s> lacks the attribute name", tag->name);
  return name != NULL ? fmi_reader_copy(r, name) : "";
}

static void read_unit(fmi_reader *r, const fmi_tag *tag) {
  fmi_unit *unit = fmi_reader_grow(r, &r->units, sizeof *unit);
  if (unit == NULL)
    return;
  *unit = fmi_default_unit();
  unit->name = name_of(r, tag);
}

static void read_base_unit(fmi_reader *r, const fmi_tag *tag) {
  fmi_read_rows(r, &fmi_base_unit_rows, tag, (fmi_unit *)r->units.items + r->units.n - 1);
}

static void read_category(fmi_reader *r, const fmi_tag *tag) {
  const char **name = fmi_reader_grow(r, &r->categories, sizeof *name);
  if (name != NULL)
    *name = name_of(r, tag);
}

/* Reads a type definition, of which only the unit is used. In FMI 2 the unit stands in an element inside that of the
 * type. */
static void read_type(fmi_reader *r, const fmi_tag *tag) {
  const char *unit = fmi_attribute(tag, "unit");
  const char *name = fmi_attribute(tag, "name");
  r->type = name != NULL ? fmi_reader_copy(r, name) : r->type;
  if (unit == NULL || r->type == NULL)
    return;
  fmi_type_unit *added = fmi_reader_grow(r, &r->types, sizeof *added);
  if (added != NULL)
    *added = (fmi_type_unit){r->type, fmi_reader_copy(r, unit)};
}

/* ---- Variables ---- */

static fmi_variable *newest(fmi_reader *r) { return (fmi_variable *)r->variables.items + r->variables.n - 1; }

static void read_variable(fmi_reader *r, const fmi_tag *tag) {
  fmi_variable *variable = fmi_reader_grow(r, &r->variables, sizeof *variable);
  if (variable == NULL)
    return;
  *variable = fmi_default_variable();
  fmi_read_rows(r, &fmi_variable_rows, tag, variable);
  if (variable->name != NULL && variable->name[0] == '\0')
    FMI_ADD_PROBLEM(r, "<%s> has an empty name", tag->name);
  if (variable->name == NULL)
    variable->name = "";
}

/* Reads the element `tag`, whose name is the variable's type. */
static void read_type_of_variable(fmi_reader *r, const fmi_tag *tag) {
  fmi_variable *variable = newest(r);
  fmi_type type = FMI_FLOAT64;
  while (type < FMI_CLOCK &&
         (fmi_type_name(type, r->version) == NULL || strcmp(fmi_type_name(type, r->version), tag->name) != 0))
    type++;
  variable->type = type;
  fmi_read_rows(r, &fmi_typed_rows, tag, variable);
  if (fmi_is_number(type))
    fmi_read_rows(r, &fmi_number_rows, tag, variable);
  if (fmi_is_real(type))
    fmi_read_rows(r, &fmi_real_rows, tag, variable);
  if (variable->unit != NULL && variable->unit[0] == '\0')
    variable->unit = NULL;
  const char *start = fmi_attribute(tag, "start");
  if (start != NULL && type == FMI_STRING)
    variable->start_text = fmi_reader_copy(r, start);
  else if (start != NULL && type != FMI_BINARY)
    variable->start = fmi_read_numbers(r, variable->name, start, &variable->n_start);
  const char *derivative = fmi_attribute(tag, "derivative");
  fmi_reference *added = derivative != NULL ? fmi_reader_grow(r, &r->references, sizeof *added) : NULL;
  if (added != NULL)
    *added = (fmi_reference){
        .variable = r->variables.n - 1, .derivative = fmi_reader_copy(r, derivative), .line = fmi_reader_line(r)};
}

static void read_variable_3(fmi_reader *r, const fmi_tag *tag) {
  const size_t n = r->variables.n;
  read_variable(r, tag);
  if (r->variables.n > n)
    read_type_of_variable(r, tag);
}

/* Reads a dimension. Its `variable` is a value reference until link_variables() replaces it by an index. */
static void read_dimension(fmi_reader *r, const fmi_tag *tag) {
  fmi_variable *variable = newest(r);
  const char *size = fmi_attribute(tag, "start"), *by = fmi_attribute(tag, "valueReference");
  fmi_dimension *all = fmi_reader_alloc(r, (variable->n_dimensions + 1) * sizeof *all);
  if (all == NULL)
    return;
  if ((size == NULL) == (by == NULL))
    FMI_ADD_PROBLEM(r, "a dimension of '%s' has not exactly one of start and valueReference", variable->name);
  if (variable->n_dimensions > 0)
    memcpy(all, variable->dimensions, variable->n_dimensions * sizeof *all);
  all[variable->n_dimensions] = (fmi_dimension){
      .size = size != NULL ? (size_t)fmi_read_integer(r, "start", size, 0, UINT32_MAX) : 1,
      .variable = by != NULL ? (size_t)fmi_read_integer(r, "valueReference", by, 0, UINT32_MAX) : SEAM_NONE};
  variable->dimensions = all;
  variable->n_dimensions++;
}

static void read_start_text(fmi_reader *r, const fmi_tag *tag) {
  const char *value = fmi_attribute(tag, "value");
  if (value != NULL && newest(r)->type == FMI_STRING)
    newest(r)->start_text = fmi_reader_copy(r, value);
}

/* Reads another name of the present variable. */
static void read_alias(fmi_reader *r, const fmi_tag *tag) {
  fmi_variable *alias = fmi_reader_grow(r, &r->variables, sizeof *alias);
  if (alias == NULL)
    return;
  *alias = newest(r)[-1];
  alias->name = name_of(r, tag);
  const size_t size = alias->n_dimensions * sizeof *alias->dimensions;
  fmi_dimension *dimensions = fmi_reader_alloc(r, size);
  if (dimensions != NULL && size > 0)
    memcpy(dimensions, alias->dimensions, size);
  alias->dimensions = dimensions;
}

/* ---- Structure ---- */

static void read_output(fmi_reader *r, const fmi_tag *tag) {
  const char *name = r->version == FMI_2 ? "index" : "valueReference";
  const char *which = fmi_attribute(tag, name), *dependencies = fmi_attribute(tag, "dependencies");
  if (which == NULL)
    FMI_ADD_PROBLEM(r, "<%s> lacks the attribute %s", tag->name, name);
  fmi_reference *added =
      which != NULL && dependencies != NULL ? fmi_reader_grow(r, &r->references, sizeof *added) : NULL;
  if (added != NULL)
    *added = (fmi_reference){.variable = (size_t)fmi_read_integer(r, name, which, 0, UINT32_MAX),
                             .dependencies = fmi_reader_copy(r, dependencies),
                             .line = fmi_reader_line(r)};
}

/* ---- Elements ---- */

enum { VERSION_2 = 1, VERSION_3 = 2, ANY = 3 };

typedef struct element {
  const char *name;
  int parent, inside, versions;
  void (*read)(fmi_reader *r, const fmi_tag *tag);
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

/* Returns the table row of an element inside its parent; a row without a name: the element may not stand there. In FMI
 * 3 a variable's element has the name of its type, and a type definition's has this name with the suffix "Type". */
static element find(const fmi_reader *r, int parent, const char *name) {
  const int version = r->version == FMI_2 ? VERSION_2 : VERSION_3;
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (elements[i].parent == parent && (elements[i].versions & version) != 0 && strcmp(elements[i].name, name) == 0)
      return elements[i];
  if (strcmp(name, "Annotations") == 0)
    return (element){name, parent, SKIPPED, ANY, NULL};
  for (fmi_type type = FMI_FLOAT64; type <= FMI_CLOCK && r->version == FMI_3; type++) {
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
  fmi_reader *r = context;
  if (r->no_memory || r->depth + 1 >= FMI_MAX_DEPTH) {
    if (!r->no_memory)
      FMI_ADD_PROBLEM(r, "more than %d levels", FMI_MAX_DEPTH);
    XML_StopParser(r->parser, XML_FALSE);
    return;
  }
  const int parent = r->path[r->depth];
  element found = parent != SKIPPED ? find(r, parent, name) : (element){name, parent, SKIPPED, ANY, NULL};
  if (found.name == NULL) {
    FMI_ADD_PROBLEM(r, "element <%s> may not stand here", name);
    found.inside = SKIPPED;
  }
  const fmi_tag tag = {name, attributes};
  r->path[++r->depth] = found.inside;
  if (found.read != NULL)
    found.read(r, &tag);
}

static void XMLCALL on_end(void *context, const XML_Char *name) {
  fmi_reader *r = context;
  (void)name;
  if (r->depth > 0)
    r->depth--;
  if (r->path[r->depth] == TYPES)
    r->type = NULL;
}

static void XMLCALL on_entity(void *context, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                              const XML_Char *base, const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation) {
  fmi_reader *r = context;
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  FMI_ADD_PROBLEM(r, "entity '%s'; descriptions have none of their own", name);
  XML_StopParser(r->parser, XML_FALSE);
}

/* ---- References ---- */

/* A variable with its value reference. The list is sorted by reference, then by variable. */
typedef struct fmi_by_reference {
  uint32_t reference;
  size_t variable;
} by_reference;

static int compare_references(const void *a, const void *b) {
  const by_reference *x = a, *y = b;
  if (x->reference != y->reference)
    return x->reference < y->reference ? -1 : 1;
  return x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* Returns the index of the variable to which a number in ModelStructure refers; SEAM_NONE, with a problem added: there
 * is none. In FMI 2 the number is the index from 1. In FMI 3 it is a value reference; of several variables with this
 * reference (aliases) the first is meant. */
static size_t variable_of(fmi_reader *r, double number, size_t line) {
  const size_t n = r->result->n_variables;
  size_t variable = SEAM_NONE;
  if (r->version == FMI_2 && number >= 1 && number <= (double)n)
    variable = (size_t)number - 1;
  if (r->version == FMI_3) {
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
    fmi_reader_add_problem(r, line, "%s %.0f belongs to no variable", r->version == FMI_2 ? "index" : "value reference",
                           number);
  return variable;
}

static void link_dependencies(fmi_reader *r, const fmi_reference *from) {
  const size_t output = variable_of(r, (double)from->variable, from->line);
  size_t n = 0;
  const double *numbers = fmi_read_numbers(r, "dependencies", from->dependencies, &n);
  size_t *all = fmi_reader_alloc(r, (n + 1) * sizeof *all);
  if (output == SEAM_NONE || all == NULL)
    return;
  for (size_t i = 0; i < n; i++)
    if (!(numbers[i] >= 0 && numbers[i] <= UINT32_MAX) ||
        (all[i] = variable_of(r, numbers[i], from->line)) == SEAM_NONE)
      return;
  r->result->variables[output].depends_on = all;
  r->result->variables[output].n_depends_on = n;
}

static void link_references(fmi_reader *r) {
  for (size_t i = 0; i < r->references.n; i++) {
    const fmi_reference *from = (fmi_reference *)r->references.items + i;
    if (from->dependencies != NULL)
      link_dependencies(r, from);
    size_t n = 0;
    const double *number = from->derivative != NULL ? fmi_read_numbers(r, "derivative", from->derivative, &n) : NULL;
    if (n == 1 && number[0] >= 0 && number[0] <= UINT32_MAX)
      r->result->variables[from->variable].derivative_of = variable_of(r, number[0], from->line);
  }
}

static void link_dimensions(fmi_reader *r, fmi_variable *variable) {
  for (size_t i = 0; i < variable->n_dimensions; i++) {
    fmi_dimension *dimension = &variable->dimensions[i];
    if (dimension->variable == SEAM_NONE)
      continue;
    dimension->variable = variable_of(r, (double)dimension->variable, fmi_reader_line(r));
    const fmi_variable *by = dimension->variable != SEAM_NONE ? &r->result->variables[dimension->variable] : NULL;
    if (by != NULL && by->n_start == 1 && by->start[0] >= 0 && by->start[0] <= UINT32_MAX)
      dimension->size = (size_t)by->start[0];
  }
}

static void check_names(fmi_reader *r) {
  table names = {0};
  for (size_t i = 0; i < r->result->n_variables; i++) {
    const char *name = r->result->variables[i].name;
    if (table_find(&names, name, strlen(name)) != NULL)
      FMI_ADD_PROBLEM(r, "two variables have the name '%s'", name);
    else if (!table_add(&names, name, strlen(name), i))
      r->no_memory = true;
  }
  table_release(&names);
}

/* Called after all variables are read. Replaces references to variables (derivatives, dependencies, dimensions) by
 * indices. Takes missing units from types, sets variabilities that are not given, and finds names used twice. */
static void link_variables(fmi_reader *r) {
  fmi_description *result = r->result;
  r->sorted = fmi_reader_alloc(r, (result->n_variables + 1) * sizeof *r->sorted);
  if (r->sorted == NULL)
    return;
  for (size_t i = 0; i < result->n_variables; i++)
    r->sorted[i] = (by_reference){result->variables[i].reference, i};
  qsort(r->sorted, result->n_variables, sizeof *r->sorted, compare_references);
  link_references(r);
  const fmi_type_unit *types = r->types.items;
  for (fmi_variable *variable = result->variables; variable < result->variables + result->n_variables; variable++) {
    link_dimensions(r, variable);
    for (size_t i = 0; i < r->types.n && variable->unit == NULL && variable->declared_type != NULL; i++)
      if (strcmp(types[i].name, variable->declared_type) == 0)
        variable->unit = types[i].unit;
    const fmi_causality causality = variable->causality;
    const bool is_parameter =
        causality == FMI_PARAMETER || causality == FMI_CALCULATED_PARAMETER || causality == FMI_STRUCTURAL_PARAMETER;
    if (variable->variability == FMI_USUAL)
      variable->variability = is_parameter ? FMI_FIXED : fmi_is_real(variable->type) ? FMI_CONTINUOUS : FMI_DISCRETE;
  }
  check_names(r);
}

void fmi_reader_parse(fmi_reader *r, const char *text, size_t size, XML_StartElementHandler start,
                      XML_EndElementHandler end) {
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, start, end);
  XML_SetEntityDeclHandler(r->parser, on_entity);
  bool parsed = true;
  size_t left = size;
  for (const char *at = text; parsed && left > 0;) {
    const size_t piece = left < 1 << 20 ? left : 1 << 20;
    left -= piece;
    parsed = XML_Parse(r->parser, at, (int)piece, left == 0) == XML_STATUS_OK;
    at += piece;
  }
  if (size == 0)
    FMI_ADD_PROBLEM(r, "the file is empty");
  if (!parsed && XML_GetErrorCode(r->parser) != XML_ERROR_ABORTED)
    FMI_ADD_PROBLEM(r, "not well-formed XML, %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
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
  *result = fmi_default_description(FMI_2);
  fmi_reader r = {
      .parser = parser, .location = location, .result = result, .version = FMI_2, .memory = &result->memory};
  fmi_reader_parse(&r, text, size, on_start, on_end);
  const size_t end = fmi_reader_line(&r);
  result->units = fmi_reader_move_list(&r, &r.units, sizeof *result->units, &result->n_units);
  result->log_categories =
      fmi_reader_move_list(&r, &r.categories, sizeof *result->log_categories, &result->n_log_categories);
  result->variables = fmi_reader_move_list(&r, &r.variables, sizeof *result->variables, &result->n_variables);
  if (r.problems.n == 0 && result->model_name == NULL)
    fmi_reader_add_problem(&r, end, "no model description");
  if (result->model_name != NULL && result->n_variables == 0)
    fmi_reader_add_problem(&r, end, "no variables");
  link_variables(&r);
  result->problems = fmi_reader_move_list(&r, &r.problems, sizeof *result->problems, &result->n_problems);
  XML_ParserFree(parser);
  free(r.types.items), free(r.references.items);
  if (r.no_memory) {
    fmi_description_destroy(result);
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a model description", location);
  }
  *created = result;
  return result->n_problems == 0 ? SEAM_OK : seam_fail(error, SEAM_BAD_INPUT, "%s", result->problems[0]);
}
