#include "fmi/ssd.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scratch.h"
#include "base/then.h"
#include "fmi/archive.h"
#include "fmi/xml.h"

#define DESCRIPTION "SystemStructure.ssd"
#define SPACE "http://ssp-standard.org/SSP1/"
enum { SEPARATOR = '|' };            /* expat writes NAMESPACE|NAME */
enum { LARGEST = 50 * 1000 * 1000 }; /* bytes, largest description or parameter set */

const char *const ssd_kind_names[] = {"input", "output", "parameter", "calculatedParameter", "inout", NULL};
enum { ANY, CO_SIMULATION = 2 };
static const char *const implementation_names[] = {"any", "ModelExchange", "CoSimulation", "ScheduledExecution", NULL};
static const char *const base_names[] = {"SSD", "component", NULL};

/* Kinds of elements. */
enum {
  SSD_OUTSIDE,
  SSD_IN_ROOT,
  SSD_IN_SYSTEM,
  SSD_IN_ELEMENTS,
  SSD_IN_COMPONENT,
  SSD_IN_CONNECTORS,
  SSD_IN_CONNECTOR,
  SSD_IN_CONNECTIONS,
  SSD_IN_CONNECTION,
  SSD_IN_BINDINGS,
  SSD_IN_BINDING,
  SSD_IN_VALUES,
  SSD_IN_MAPPINGS,
  SSD_IN_MAPPING,
  SSD_IN_ENTRY,
  SSD_IN_SET,
  SSD_IN_PARAMETERS,
  SSD_IN_PARAMETER,
  SSD_IN_UNITS,
  SSD_IN_UNIT,
  SSD_IN_ANNOTATIONS,
  SSD_IN_ANNOTATION,
  SSD_SKIPPED
};

/* A row of a parameter mapping: target = factor · source + offset, where `source` is a value of the parameter set. */
typedef struct ssd_mapping {
  const char *source, *target;
  double factor, offset;
} ssd_mapping;

typedef struct ssd_reader {
  fmi_reader base; /* first member, since handlers get it as context */
  ssd_system *result;
  const char *archive; /* path */
  int root;            /* root element that the file must have */
  fmi_list components, connectors, values, connections, units;
  const char *system;               /* path of the present system, "inner.innermost"; NULL: the outermost */
  const char *outer[FMI_MAX_DEPTH]; /* systems around the present one */
  size_t n_outer;
  fmi_list mapping; /* mapping of the present binding */
  bool has_mapping;
  size_t first_value;        /* index of the first value of the present binding */
  size_t component;          /* index of the present component; SEAM_NONE: not inside a component */
  const char *prefix, *name; /* prefix of the present binding, name of the present value */
  size_t scope, n_scopes;
  seam_status status; /* status of reading the last separate file */
  seam_error error;
} ssd_reader;

const char *ssd_entry(arena *memory, const char *uri) {
  char *entry = arena_text(memory, uri, strlen(uri));
  if (entry == NULL || uri[0] == '\0' || uri[0] == '/' || strcspn(uri, ":") < strcspn(uri, "/") || strchr(uri, '#'))
    return NULL;
  if (strncmp(uri, "./", 2) == 0)
    uri += 2;
  const char *end = fmi_uri_decode(uri, entry);
  return strstr(entry, "..") == NULL && strlen(entry) == (size_t)(end - entry) ? entry : NULL;
}

/* Reads the entry that a URI names. Its root element must be `root`: SSD_IN_ROOT, SSD_IN_SET or SSD_IN_MAPPING. */
static void read_entry(ssd_reader *r, const char *uri, int root);

/* ---- Attributes ---- */

typedef struct binding {
  const char *type, *source, *prefix;
  int base;
} binding;

typedef struct implementation {
  const char *name, *type, *source;
  int kind;
} implementation;

static const fmi_row component_table[] = {
    FMI_NEEDED("name", FMI_ROW_TEXT, implementation, name),
    FMI_ROW("type", FMI_ROW_TEXT, implementation, type),
    FMI_NEEDED("source", FMI_ROW_TEXT, implementation, source),
    FMI_NAMED("implementation", implementation, kind, implementation_names, false),
};
static const fmi_row connector_table[] = {
    FMI_NEEDED("name", FMI_ROW_TEXT, ssd_connector, name),
    FMI_NAMED("kind", ssd_connector, kind, ssd_kind_names, true),
};
static const fmi_row connection_table[] = {
    FMI_ROW("startElement", FMI_ROW_TEXT, ssd_connection, from_element),
    FMI_NEEDED("startConnector", FMI_ROW_TEXT, ssd_connection, from),
    FMI_ROW("endElement", FMI_ROW_TEXT, ssd_connection, to_element),
    FMI_NEEDED("endConnector", FMI_ROW_TEXT, ssd_connection, to),
    FMI_ROW("suppressUnitConversion", FMI_ROW_FLAG, ssd_connection, suppresses_unit_conversion),
};
static const fmi_row transformation_table[] = {
    FMI_ROW("factor", FMI_ROW_NUMBER, ssd_connection, factor),
    FMI_ROW("offset", FMI_ROW_NUMBER, ssd_connection, offset),
};
static const fmi_row hold_table[] = {FMI_ROW("order", FMI_ROW_COUNT, ssd_connection, order)};
static const fmi_row exchange_table[] = {FMI_ROW("macroStep", FMI_ROW_NUMBER, ssd_system, macro_step)};
static const fmi_row experiment_table[] = {
    FMI_ROW("startTime", FMI_ROW_NUMBER, ssd_system, start),
    FMI_ROW("stopTime", FMI_ROW_NUMBER, ssd_system, stop),
};
static const fmi_row binding_table[] = {
    FMI_ROW("type", FMI_ROW_TEXT, binding, type),
    FMI_ROW("source", FMI_ROW_TEXT, binding, source),
    FMI_ROW("prefix", FMI_ROW_TEXT, binding, prefix),
    FMI_NAMED("sourceBase", binding, base, base_names, false),
};
static const fmi_row number_table[] = {FMI_NEEDED("value", FMI_ROW_NUMBER, ssd_value, number)};
static const fmi_row entry_table[] = {
    FMI_NEEDED("source", FMI_ROW_TEXT, ssd_mapping, source),
    FMI_NEEDED("target", FMI_ROW_TEXT, ssd_mapping, target),
};
static const fmi_row mapped_table[] = {
    FMI_ROW("factor", FMI_ROW_NUMBER, ssd_mapping, factor),
    FMI_ROW("offset", FMI_ROW_NUMBER, ssd_mapping, offset),
};
static const fmi_row text_table[] = {FMI_NEEDED("value", FMI_ROW_TEXT, ssd_value, text)};

#define READ(r, table, tag, at) FMI_READ(&(r)->base, table, tag, at)
#define ADD_PROBLEM(r, ...) FMI_ADD_PROBLEM(&(r)->base, __VA_ARGS__)

static const char *text_of(ssd_reader *r, const fmi_tag *tag, const char *attribute) {
  const char *text = fmi_attribute(tag, attribute);
  return text != NULL ? fmi_reader_copy(&r->base, text) : NULL;
}

/* Returns the attribute `unit`; NULL: it is missing or empty. */
static const char *unit_of(ssd_reader *r, const fmi_tag *tag) {
  const char *unit = text_of(r, tag, "unit");
  return unit != NULL && unit[0] == '\0' ? NULL : unit;
}

/* ---- The system ---- */

static void read_experiment(ssd_reader *r, const fmi_tag *tag) { READ(r, experiment_table, tag, r->result); }

static void read_root(ssd_reader *r, const fmi_tag *tag) {
  const char *version = fmi_attribute(tag, "version");
  if (version == NULL || (strncmp(version, "1.", 2) != 0 && strcmp(version, "2.0") != 0))
    ADD_PROBLEM(r, "version '%s' of SSP: write the system in version 1.0 or 2.0", version != NULL ? version : "");
}

/* Returns a name with the names of all systems around it, as "inner.name". */
static const char *qualified(ssd_reader *r, const char *name) {
  if (r->system == NULL)
    return name;
  const char *full = arena_print(r->base.memory, "%s.%s", r->system, name);
  r->base.no_memory |= full == NULL;
  return full;
}

static void enter_system(ssd_reader *r, const fmi_tag *tag) {
  const char *name = text_of(r, tag, "name");
  if (name == NULL)
    ADD_PROBLEM(r, "<%s> lacks the attribute name", tag->name);
  r->outer[r->n_outer++] = r->system;
  r->system = qualified(r, name != NULL ? name : "");
}

static void read_component(ssd_reader *r, const fmi_tag *tag) {
  implementation of = {.name = "", .source = ""};
  READ(r, component_table, tag, &of);
  const ssd_component added = {qualified(r, of.name), of.source, fmi_reader_line(&r->base)};
  fmi_reader_add(&r->base, &r->components, &added, sizeof added);
  r->component = r->components.n - 1;
  if (of.type != NULL && strcmp(of.type, "application/x-fmu-sharedlibrary") != 0)
    ADD_PROBLEM(r, "component '%s' is of the type '%s': Seam takes FMUs, application/x-fmu-sharedlibrary", of.name,
                of.type);
  else if (of.kind != ANY && of.kind != CO_SIMULATION)
    ADD_PROBLEM(r, "component '%s' is for %s: Seam takes FMUs for co-simulation", of.name,
                implementation_names[of.kind]);
}

static void refuse_dictionary(ssd_reader *r, const fmi_tag *tag) {
  (void)tag;
  ADD_PROBLEM(r, "Seam reads no signal dictionaries: connect the components to each other");
}

/* ---- Connectors and connections ---- */

static void read_connector(ssd_reader *r, const fmi_tag *tag) {
  ssd_connector added = {.component = r->component, .name = "", .line = fmi_reader_line(&r->base)};
  READ(r, connector_table, tag, &added);
  added.is_nested = r->component == SEAM_NONE && r->system != NULL;
  if (added.is_nested)
    added.name = qualified(r, added.name);
  fmi_reader_add(&r->base, &r->connectors, &added, sizeof added);
}

/* Finds a type by its name. SSP 1 has the types of FMI 2, and Binary; SSP 2 has those of FMI 3. */
static bool type_named(const char *name, fmi_type *type) {
  for (*type = FMI_FLOAT64; *type < FMI_CLOCK; ++*type) {
    const char *known = fmi_type_name(*type, FMI_2);
    if ((known != NULL && strcmp(known, name) == 0) || strcmp(fmi_type_name(*type, FMI_3), name) == 0)
      return true;
  }
  return false;
}

static void read_connector_type(ssd_reader *r, const fmi_tag *tag) {
  ssd_connector *of = (ssd_connector *)r->connectors.items + r->connectors.n - 1;
  of->has_type = type_named(tag->name, &of->type);
  if (!of->has_type)
    ADD_PROBLEM(r, "element <%s> may not stand here: it is not of SSP 1.0", tag->name);
  of->unit = unit_of(r, tag);
}

static ssd_connection *newest(const ssd_reader *r) {
  return (ssd_connection *)r->connections.items + r->connections.n - 1;
}

static void read_connection(ssd_reader *r, const fmi_tag *tag) {
  ssd_connection added = {.from = "", .to = "", .factor = 1, .line = fmi_reader_line(&r->base)};
  READ(r, connection_table, tag, &added);
  added.from_element = added.from_element != NULL ? qualified(r, added.from_element) : r->system;
  added.to_element = added.to_element != NULL ? qualified(r, added.to_element) : r->system;
  fmi_reader_add(&r->base, &r->connections, &added, sizeof added);
}

static void read_transformation(ssd_reader *r, const fmi_tag *tag) {
  ssd_connection *of = newest(r);
  READ(r, transformation_table, tag, of);
  if (!isfinite(of->factor) || !isfinite(of->offset) || of->factor == 0)
    ADD_PROBLEM(r, "a transformation by %g x + %g: give finite numbers, and a factor that is not 0", of->factor,
                of->offset);
}

static void refuse_transformation(ssd_reader *r, const fmi_tag *tag) {
  ADD_PROBLEM(r, "<%s>: Seam connects real variables, which take a LinearTransformation", tag->name);
}

/* ---- Values of parameters ---- */

static void read_binding(ssd_reader *r, const fmi_tag *tag) {
  binding of = {0};
  READ(r, binding_table, tag, &of);
  r->prefix = of.prefix != NULL ? of.prefix : "";
  r->first_value = r->values.n;
  r->mapping.n = 0;
  r->has_mapping = false;
  if (of.type != NULL && strcmp(of.type, "application/x-ssp-parameter-set") != 0)
    ADD_PROBLEM(r, "a parameter binding of the type '%s': write an application/x-ssp-parameter-set", of.type);
  else if (of.source != NULL && of.base != 0)
    ADD_PROBLEM(r, "parameters within a component: put '%s' beside the .ssd, with sourceBase=\"SSD\"", of.source);
  else if (of.source != NULL && of.source[0] != '\0')
    read_entry(r, of.source, SSD_IN_SET);
}

static void read_mapping(ssd_reader *r, const fmi_tag *tag) {
  binding of = {0};
  READ(r, binding_table, tag, &of);
  r->has_mapping = true;
  if (of.source != NULL && of.base != 0)
    ADD_PROBLEM(r, "a mapping within a component: put '%s' beside the .ssd, with sourceBase=\"SSD\"", of.source);
  else if (of.source != NULL && of.source[0] != '\0')
    read_entry(r, of.source, SSD_IN_MAPPING);
}

static void read_mapping_entry(ssd_reader *r, const fmi_tag *tag) {
  ssd_mapping added = {.source = "", .target = "", .factor = 1};
  READ(r, entry_table, tag, &added);
  fmi_reader_add(&r->base, &r->mapping, &added, sizeof added);
}

static void read_entry_transformation(ssd_reader *r, const fmi_tag *tag) {
  ssd_mapping *of = (ssd_mapping *)r->mapping.items + r->mapping.n - 1;
  READ(r, mapped_table, tag, of);
  if (!isfinite(of->factor) || !isfinite(of->offset))
    ADD_PROBLEM(r, "a transformation of '%s' by %g x + %g: give finite numbers", of->source, of->factor, of->offset);
}

static const char *name_of_value(ssd_reader *r, const char *plain) {
  const char *name = arena_print(r->base.memory, "%s%s", r->prefix, plain);
  r->base.no_memory |= name == NULL;
  return r->component == SEAM_NONE && name != NULL ? qualified(r, name) : name;
}

/* Replaces the values of the present binding by those that its mapping, if any, makes of them. */
static void map_values(ssd_reader *r) {
  const size_t first = r->first_value, n = r->values.n;
  if (!r->has_mapping)
    return;
  for (size_t e = 0; e < r->mapping.n; e++) {
    const ssd_mapping *by = (ssd_mapping *)r->mapping.items + e;
    for (size_t i = first; i < n; i++) {
      ssd_value value = ((ssd_value *)r->values.items)[i];
      if (strcmp(value.plain, by->source) != 0)
        continue;
      value.name = name_of_value(r, by->target);
      if (by->factor != 1 || by->offset != 0) {
        value.number = by->factor * value.number + by->offset;
        value.type = value.type == FMI_INT32 ? FMI_FLOAT64 : value.type;
      }
      fmi_reader_add(&r->base, &r->values, &value, sizeof value);
    }
  }
  ssd_value *values = r->values.items;
  if (n > first)
    memmove(values + first, values + n, (r->values.n - n) * sizeof *values);
  r->values.n -= n - first;
}

static void read_set(ssd_reader *r, const fmi_tag *tag) {
  (void)tag;
  r->scope = ++r->n_scopes;
}

static void read_parameter(ssd_reader *r, const fmi_tag *tag) { r->name = text_of(r, tag, "name"); }

static void read_value(ssd_reader *r, const fmi_tag *tag) {
  const char *name = r->name != NULL ? r->name : "";
  ssd_value value = {.component = r->component,
                     .number = NAN,
                     .scope = r->scope,
                     .file = r->base.location,
                     .line = fmi_reader_line(&r->base)};
  if (!type_named(tag->name, &value.type) || value.type == FMI_ENUMERATION || value.type == FMI_BINARY) {
    ADD_PROBLEM(r, "parameter '%s' is of the type %s: give it a Real, Integer, Boolean or String", name, tag->name);
    return;
  }
  bool is_set = false;
  const fmi_row flag[] = {{"value", "value", FMI_ROW_FLAG, 0, true, NULL}};
  if (value.type == FMI_BOOLEAN)
    READ(r, flag, tag, &is_set);
  else if (value.type == FMI_STRING)
    READ(r, text_table, tag, &value);
  else
    READ(r, number_table, tag, &value);
  value.unit = unit_of(r, tag);
  if (value.type == FMI_BOOLEAN)
    value.number = is_set;
  else if (value.type != FMI_STRING && !isfinite(value.number))
    ADD_PROBLEM(r, "parameter '%s' has no finite value", name);
  if (value.type == FMI_INT32 && floor(value.number) != value.number)
    ADD_PROBLEM(r, "parameter '%s' is an Integer, but its value is %g", name, value.number);
  value.plain = name;
  value.name = name_of_value(r, name);
  value.depth = r->n_outer + (r->component != SEAM_NONE);
  fmi_reader_add(&r->base, &r->values, &value, sizeof value);
}

/* ---- Units and annotations ---- */

static void read_unit(ssd_reader *r, const fmi_tag *tag) {
  const ssd_unit added = {{.name = text_of(r, tag, "name")}, r->scope};
  fmi_reader_add(&r->base, &r->units, &added, sizeof added);
}

static void read_base_unit(ssd_reader *r, const fmi_tag *tag) {
  fmi_unit *unit = &((ssd_unit *)r->units.items + r->units.n - 1)->unit;
  unit->factor = 1;
  READ(r, fmi_base_unit_rows, tag, unit);
}

/* Reads our annotation of the system or of the newest connection. */
static void read_annotation(ssd_reader *r, const fmi_tag *tag) {
  bool is_of_connection = false;
  for (size_t i = 0; i <= r->base.depth; i++)
    is_of_connection = is_of_connection || r->base.path[i] == SSD_IN_CONNECTION;
  if (strcmp(tag->name, "Hold") == 0 && is_of_connection && r->connections.n > 0)
    READ(r, hold_table, tag, newest(r));
  else if (strcmp(tag->name, "Exchange") == 0)
    READ(r, exchange_table, tag, r->result);
}

/* ---- Elements ---- */

typedef struct element {
  const char *name; /* NULL: any other name */
  int parent, inside;
  void (*read)(ssd_reader *r, const fmi_tag *tag);
} element;

static const element elements[] = {
    {"SystemStructureDescription", SSD_OUTSIDE, SSD_IN_ROOT, read_root},
    {"ParameterSet", SSD_OUTSIDE, SSD_IN_SET, read_set},
    {"ParameterMapping", SSD_OUTSIDE, SSD_IN_MAPPING, NULL},
    {"System", SSD_IN_ROOT, SSD_IN_SYSTEM, NULL},
    {"Enumerations", SSD_IN_ROOT, SSD_SKIPPED, NULL},
    {"Units", SSD_IN_ROOT, SSD_IN_UNITS, NULL},
    {"DefaultExperiment", SSD_IN_ROOT, SSD_SKIPPED, read_experiment},
    {"Connectors", SSD_IN_SYSTEM, SSD_IN_CONNECTORS, NULL},
    {"ElementGeometry", SSD_IN_SYSTEM, SSD_SKIPPED, NULL},
    {"ParameterBindings", SSD_IN_SYSTEM, SSD_IN_BINDINGS, NULL},
    {"Elements", SSD_IN_SYSTEM, SSD_IN_ELEMENTS, NULL},
    {"Connections", SSD_IN_SYSTEM, SSD_IN_CONNECTIONS, NULL},
    {"SignalDictionaries", SSD_IN_SYSTEM, SSD_SKIPPED, refuse_dictionary},
    {"SystemGeometry", SSD_IN_SYSTEM, SSD_SKIPPED, NULL},
    {"GraphicalElements", SSD_IN_SYSTEM, SSD_SKIPPED, NULL},
    {"SimulationInformation", SSD_IN_SYSTEM, SSD_SKIPPED, NULL}, /* drafts of SSP had this */
    {"Component", SSD_IN_ELEMENTS, SSD_IN_COMPONENT, read_component},
    {"System", SSD_IN_ELEMENTS, SSD_IN_SYSTEM, enter_system},
    {"SignalDictionaryReference", SSD_IN_ELEMENTS, SSD_SKIPPED, refuse_dictionary},
    {"Connectors", SSD_IN_COMPONENT, SSD_IN_CONNECTORS, NULL},
    {"ElementGeometry", SSD_IN_COMPONENT, SSD_SKIPPED, NULL},
    {"ParameterBindings", SSD_IN_COMPONENT, SSD_IN_BINDINGS, NULL},
    {"Connector", SSD_IN_CONNECTORS, SSD_IN_CONNECTOR, read_connector},
    {"ConnectorGeometry", SSD_IN_CONNECTOR, SSD_SKIPPED, NULL},
    {NULL, SSD_IN_CONNECTOR, SSD_SKIPPED, read_connector_type},
    {"Connection", SSD_IN_CONNECTIONS, SSD_IN_CONNECTION, read_connection},
    {"LinearTransformation", SSD_IN_CONNECTION, SSD_SKIPPED, read_transformation},
    {"ConnectionGeometry", SSD_IN_CONNECTION, SSD_SKIPPED, NULL},
    {NULL, SSD_IN_CONNECTION, SSD_SKIPPED, refuse_transformation},
    {"ParameterBinding", SSD_IN_BINDINGS, SSD_IN_BINDING, read_binding},
    {"ParameterValues", SSD_IN_BINDING, SSD_IN_VALUES, NULL},
    {"ParameterMapping", SSD_IN_BINDING, SSD_IN_MAPPINGS, read_mapping},
    {"ParameterMapping", SSD_IN_MAPPINGS, SSD_IN_MAPPING, NULL},
    {"MappingEntry", SSD_IN_MAPPING, SSD_IN_ENTRY, read_mapping_entry},
    {"LinearTransformation", SSD_IN_ENTRY, SSD_SKIPPED, read_entry_transformation},
    {NULL, SSD_IN_ENTRY, SSD_SKIPPED, refuse_transformation},
    {"ParameterSet", SSD_IN_VALUES, SSD_IN_SET, read_set},
    {"Parameters", SSD_IN_SET, SSD_IN_PARAMETERS, NULL},
    {"Enumerations", SSD_IN_SET, SSD_SKIPPED, NULL},
    {"Units", SSD_IN_SET, SSD_IN_UNITS, NULL},
    {"Parameter", SSD_IN_PARAMETERS, SSD_IN_PARAMETER, read_parameter},
    {NULL, SSD_IN_PARAMETER, SSD_SKIPPED, read_value},
    {"Unit", SSD_IN_UNITS, SSD_IN_UNIT, read_unit},
    {"BaseUnit", SSD_IN_UNIT, SSD_SKIPPED, read_base_unit},
    {"Annotation", SSD_IN_ANNOTATIONS, SSD_IN_ANNOTATION, NULL},
};
static const element annotations = {"Annotations", SSD_SKIPPED, SSD_IN_ANNOTATIONS, NULL};
static const element skipped = {"", SSD_SKIPPED, SSD_SKIPPED, NULL};
static const element our_annotation = {"", SSD_IN_ANNOTATION, SSD_SKIPPED, read_annotation};

/* Finds the row of an element. `full` is NAMESPACE|NAME, with a namespace of SSP, our own, or another. */
static const element *find(ssd_reader *r, const char *full, fmi_tag *tag) {
  const int parent = r->base.path[r->base.depth];
  const char *bar = strrchr(full, SEPARATOR);
  const size_t length = bar != NULL ? (size_t)(bar - full) : 0;
  tag->name = bar != NULL ? bar + 1 : full;
  if (parent == SSD_SKIPPED)
    return &skipped;
  if (parent == SSD_IN_ANNOTATION)
    return length == strlen(SSD_ANNOTATION_SPACE) && strncmp(full, SSD_ANNOTATION_SPACE, length) == 0 ? &our_annotation
                                                                                                      : &skipped;
  const bool is_known = strncmp(full, SPACE, strlen(SPACE)) == 0;
  if (is_known && parent != SSD_OUTSIDE && strcmp(tag->name, "Annotations") == 0)
    return &annotations;
  if (is_known && parent != SSD_OUTSIDE && (strcmp(tag->name, "MetaData") == 0 || strcmp(tag->name, "Signature") == 0))
    return &skipped;
  for (const element *e = elements; e < elements + sizeof elements / sizeof *elements && is_known; e++)
    if (e->parent == parent && (e->name == NULL || strcmp(e->name, tag->name) == 0) &&
        (parent != SSD_OUTSIDE || e->inside == r->root))
      return e;
  ADD_PROBLEM(r, "element <%s> may not stand here%s", tag->name, is_known ? "" : ": it is not of SSP 1.0");
  return &skipped;
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes) {
  ssd_reader *r = context;
  fmi_tag tag = {name, attributes};
  if (r->base.no_memory || r->status != SEAM_OK || r->base.depth + 1 >= FMI_MAX_DEPTH) {
    if (r->base.depth + 1 >= FMI_MAX_DEPTH)
      ADD_PROBLEM(r, "elements are nested in more than %d levels", FMI_MAX_DEPTH);
    XML_StopParser(r->base.parser, XML_FALSE);
    return;
  }
  const element *found = find(r, name, &tag);
  r->base.path[++r->base.depth] = found->inside;
  if (found->read != NULL)
    found->read(r, &tag);
}

static void XMLCALL on_end(void *context, const XML_Char *name) {
  ssd_reader *r = context;
  (void)name;
  if (r->base.depth == 0)
    return;
  const int left = r->base.path[r->base.depth--];
  if (left == SSD_IN_COMPONENT)
    r->component = SEAM_NONE;
  if (left == SSD_IN_SYSTEM && r->n_outer > 0)
    r->system = r->outer[--r->n_outer];
  if (left == SSD_IN_BINDING)
    map_values(r);
  if (left == SSD_IN_SET)
    r->scope = 0;
}

/* ---- Files of the archive ---- */

/* Reads an entry by way of a private folder. The caller frees *text. */
static seam_status extract(const char *archive, const char *entry, char **text, size_t *size, seam_error *error) {
  const fmi_limits limits = fmi_default_limits();
  char *folder = NULL;
  seam_status status = scratch_make(&folder, error);
  char *path = status == SEAM_OK ? file_path(folder, "entry") : NULL;
  if (status == SEAM_OK && path == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a path", archive);
  THEN(status, fmi_archive_extract_entry(archive, entry, path, &limits, error));
  *text = status == SEAM_OK ? file_read(path, LARGEST, size) : NULL;
  if (status == SEAM_OK && *text == NULL)
    status = errno == ENOMEM  ? seam_fail(error, SEAM_NO_MEMORY, "no memory for a system")
             : errno == EFBIG ? seam_fail(error, SEAM_BAD_INPUT, "%s/%s: more than %d bytes", archive, entry, LARGEST)
                              : seam_fail(error, SEAM_NO_FILE, "%s: %s", path, file_cause(errno));
  scratch_remove(folder);
  free(path);
  return status;
}

static void read_entry(ssd_reader *r, const char *uri, int root) {
  const ssd_reader outer = *r;
  char *text = NULL;
  size_t size = 0;
  const char *entry = ssd_entry(r->base.memory, uri);
  if (entry == NULL) {
    FMI_ADD_PROBLEM(&r->base, "'%s' is not an entry of the archive: give a path below its resources/", uri);
    return;
  }
  const char *location = arena_print(r->base.memory, "%s/%s", r->archive, entry);
  r->base.no_memory |= location == NULL;
  r->status = extract(r->archive, entry, &text, &size, &r->error);
  if (r->status == SEAM_OK && location != NULL) {
    r->base.location = location;
    r->base.depth = 0;
    r->root = root;
    r->base.parser = XML_ParserCreateNS(NULL, SEPARATOR);
    if (r->base.parser != NULL)
      fmi_reader_parse(&r->base, text, size, on_start, on_end);
    else
      r->base.no_memory = true;
    XML_ParserFree(r->base.parser);
  }
  free(text);
  r->base.parser = outer.base.parser;
  r->base.location = outer.base.location;
  r->base.depth = outer.base.depth;
  memcpy(r->base.path, outer.base.path, sizeof r->base.path);
  r->root = outer.root;
}

/* ---- The system ---- */

seam_status ssd_open(const char *path, ssd_system **opened, seam_error *error) {
  ssd_system *result = calloc(1, sizeof *result);
  *opened = NULL;
  if (result == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a system", path);
  result->start = result->stop = result->macro_step = NAN;
  ssd_reader r = {.base = {.version = FMI_2, .memory = &result->memory},
                  .result = result,
                  .archive = path,
                  .component = SEAM_NONE,
                  .prefix = ""};
  result->file = r.base.location = arena_print(&result->memory, "%s/" DESCRIPTION, path);
  if (result->file != NULL)
    read_entry(&r, DESCRIPTION, SSD_IN_ROOT);
  else
    r.base.no_memory = true;
  result->components = fmi_reader_move_list(&r.base, &r.components, sizeof *result->components, &result->n_components);
  result->connectors = fmi_reader_move_list(&r.base, &r.connectors, sizeof *result->connectors, &result->n_connectors);
  result->values = fmi_reader_move_list(&r.base, &r.values, sizeof *result->values, &result->n_values);
  result->connections =
      fmi_reader_move_list(&r.base, &r.connections, sizeof *result->connections, &result->n_connections);
  result->units = fmi_reader_move_list(&r.base, &r.units, sizeof *result->units, &result->n_units);
  seam_status status = r.status;
  if (r.base.no_memory)
    status = seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a system", path);
  else if (status != SEAM_OK)
    seam_fail(error, status, "%s", r.error.message);
  else if (r.base.problems.n > 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s", *(const char **)r.base.problems.items);
  free(r.mapping.items), free(r.base.problems.items);
  RETURN_CREATED(status, result, opened, ssd_close);
}

void ssd_close(ssd_system *self) {
  if (self == NULL)
    return;
  arena_release(&self->memory);
  free(self);
}
