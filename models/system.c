/* Converts a system of FMUs ([SSP]) to a model file. Each component, also of a nested system, becomes a subsystem. Each
 * connection, or chain of connections, becomes a signal.
 *
 *   component            cosim.subsystems.NAME: {fmu: "x.ssp/resources/name.fmu", parameters, inputs}
 *   connection           cosim.signals: {from, to, gain, offset, order}
 *   DefaultExperiment    simulate.end, and the start time of the FMUs
 *   macro step           cosim.macro_step: from Seam's annotation, else the shortest stepSize of the FMUs, else a
 *                        thousandth of the run or, if its length is not given, 1 ms */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "base/argument.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/nearest.h"
#include "base/note.h"
#include "base/then.h"
#include "fmi/library.h"
#include "fmi/ssd.h"
#include "models/model_file.h"
#include "models/thresholds.h"

typedef struct system_component {
  const char *name; /* name of the subsystem: letters, digits, underscores and hyphens */
  fmi_fmu *fmu;
  const fmi_description *about;
  const ssd_value **values; /* (n_variables) value of each variable; NULL: none is given */
  double *numbers;          /* (n_variables) these values in the units of the variables */
  size_t *connection_line;  /* (n_variables) line of the connection to the variable; 0: none */
} system_component;

/* A connection from an output of an FMU to an input of another. */
typedef struct system_link {
  size_t from, output, to, input; /* indices of two components and of their variables */
  double gain, offset;
  unsigned order;
} system_link;

typedef struct draft {
  arena memory;
  const char *path;
  ssd_system *ssd;
  system_component *components; /* (ssd->n_components) */
  system_link *links;
  size_t n_links;
  seam_error *error;
} draft;

/* Fails at a line of the system's description. */
#define FAIL_IN_LINE(d, line, format, ...)                                                                             \
  seam_fail((d)->error, SEAM_BAD_INPUT, "%.200s:%zu: " format, (d)->ssd->file, (size_t)(line), __VA_ARGS__)

static seam_status no_memory(const draft *d) {
  return seam_fail(d->error, SEAM_NO_MEMORY, "%s: no memory for a system", d->path);
}

/* Underscores replace invalid characters in the name of component c; further ones make it unique. */
static const char *subsystem_name(draft *d, size_t c) {
  const char *name = d->ssd->components[c].name;
  char *made = arena_allocate(&d->memory, strlen(name) + d->ssd->n_components + 2);
  char *to = made;
  if (made == NULL)
    return NULL;
  if (!isalpha((unsigned char)name[0]) && name[0] != '_')
    *to++ = '_';
  for (const char *at = name; *at != '\0'; at++)
    *to++ = (char)((unsigned char)*at < 0x80 && (isalnum((unsigned char)*at) || *at == '-') ? *at : '_');
  for (size_t i = 0; i < c;) { /* starts again at the first component after each change */
    const bool is_taken = strcmp(d->components[i].name, made) == 0;
    if (is_taken)
      *to++ = '_';
    i = is_taken ? 0 : i + 1;
  }
  return made;
}

static seam_status open_component(draft *d, size_t c) {
  const ssd_component *of = &d->ssd->components[c];
  system_component *made = &d->components[c];
  seam_error cause = {0};
  for (size_t i = 0; i < c; i++)
    if (strcmp(d->ssd->components[i].name, of->name) == 0)
      return FAIL_IN_LINE(d, of->line, "a component '%s' already exists, in line %zu: rename one", of->name,
                          d->ssd->components[i].line);
  made->name = subsystem_name(d, c);
  if (made->name == NULL)
    return no_memory(d);
  const char *resource = ssd_entry(&d->memory, of->source);
  if (resource == NULL)
    return FAIL_IN_LINE(d, of->line,
                        "component '%s': '%s' is not an entry of the archive: give a path below its resources/",
                        of->name, of->source);
  const char *path = arena_print(&d->memory, "%s/%s", d->path, resource);
  if (path == NULL)
    return no_memory(d);
  if (fmi_fmu_open(path, &made->fmu, &cause) != SEAM_OK)
    return FAIL_IN_LINE(d, of->line, "component '%s': %s", of->name, cause.message);
  made->about = fmi_fmu_description(made->fmu);
  const size_t n = made->about->n_variables + 1;
  made->values = arena_allocate(&d->memory, n * sizeof(const ssd_value *));
  made->numbers = arena_allocate(&d->memory, n * sizeof *made->numbers);
  made->connection_line = arena_allocate(&d->memory, n * sizeof *made->connection_line);
  return made->values != NULL && made->numbers != NULL && made->connection_line != NULL ? SEAM_OK : no_memory(d);
}

/* ---- Units and values of parameter sets -------------------------------------------------------------------------- */

/* [SSP] 5.4: a later value replaces an earlier one, and a value of an outer binding replaces that of an inner one. */

/* Looks into a scope, then into the system itself (scope 0), since inline parameter sets may use its units. */
static fmi_unit unit_of(const ssd_system *in, size_t scope, const char *name) {
  const ssd_unit *found = NULL;
  for (size_t i = 0; i < in->n_units && name != NULL; i++) {
    const ssd_unit *unit = &in->units[i];
    if (unit->unit.name != NULL && strcmp(unit->unit.name, name) == 0 && (unit->scope == scope || unit->scope == 0))
      found = found == NULL || unit->scope == scope ? unit : found;
  }
  return found != NULL ? found->unit : (fmi_unit){.name = name};
}

/* Fails at a value. In the system's own parameter sets, its name is COMPONENT.NAME or that of a connector. */
static seam_status refuse(const draft *d, const ssd_value *value, size_t component, const char *why) {
  if (value->component == SEAM_NONE)
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s:%zu: '%s' %s", value->file, value->line, value->name, why);
  return seam_fail(d->error, SEAM_BAD_INPUT, "%s:%zu: '%s' of component '%s' %s", value->file, value->line, value->name,
                   d->ssd->components[component].name, why);
}

/* Conversion of a value: first to a unit, then y = factor · x + offset. */
typedef struct conversion {
  fmi_unit unit;
  double factor, offset;
} conversion;

static seam_status set_value(draft *d, size_t component, size_t variable, const ssd_value *value,
                             const conversion *by) {
  system_component *to = &d->components[component];
  const fmi_variable *of = &to->about->variables[variable];
  double scale = 1, shift = 0;
  char why[200];
  if (!fmi_may_be_set_before(of) && of->causality != FMI_INPUT) {
    snprintf(why, sizeof why, "is %s %s: Seam sets parameters and inputs", fmi_variability_names[of->variability],
             fmi_causality_names[of->causality]);
    return refuse(d, value, component, why);
  }
  const bool is_word = of->type == FMI_BOOLEAN || of->type == FMI_STRING;
  const bool is_number =
      fmi_is_number(of->type) && (value->type == FMI_INT32 || (value->type == FMI_FLOAT64 && fmi_is_real(of->type)));
  if (!(is_word ? value->type == of->type : is_number)) {
    snprintf(why, sizeof why, "is of the type %s, but its value is of the type %s",
             fmi_type_name(of->type, to->about->version), fmi_type_name(value->type, FMI_2));
    return refuse(d, value, component, why);
  }
  if (fmi_is_number(of->type) && !fmi_convert(unit_of(d->ssd, value->scope, value->unit), by->unit, &scale, &shift)) {
    snprintf(why, sizeof why,
             "is in '%.40s', but its value is in '%.40s', which cannot be converted: give the value in the unit of the "
             "variable",
             by->unit.name, value->unit);
    return refuse(d, value, component, why);
  }
  to->values[variable] = value;
  to->numbers[variable] = by->factor * (scale * value->number + shift) + by->offset;
  if (fmi_is_number(of->type) && !fmi_can_represent(of, to->about->version, to->numbers[variable], why, sizeof why))
    return refuse(d, value, component, why);
  return SEAM_OK;
}

/* Returns the value of a connector of the system itself; NULL: none. */
static const ssd_value *value_of(const draft *d, const char *connector) {
  const ssd_value *found = NULL;
  for (size_t i = 0; i < d->ssd->n_values; i++)
    if (d->ssd->values[i].component == SEAM_NONE && strcmp(d->ssd->values[i].name, connector) == 0)
      found = &d->ssd->values[i];
  return found;
}

/* Assigns a value to its variable. If there is none, writes a note, as the standard requires. */
static seam_status read_value(draft *d, const ssd_value *value) {
  const bool is_of_system = value->component == SEAM_NONE;
  bool is_known = false;
  for (size_t i = 0; is_of_system && i < d->ssd->n_connectors; i++)
    is_known |= d->ssd->connectors[i].component == SEAM_NONE && strcmp(d->ssd->connectors[i].name, value->name) == 0;
  for (size_t c = 0; c < d->ssd->n_components; c++) {
    const char *name = d->ssd->components[c].name;
    const size_t length = strlen(name);
    const bool is_for_component =
        is_of_system ? strncmp(value->name, name, length) == 0 && value->name[length] == '.' : value->component == c;
    const size_t before = is_for_component && is_of_system ? length + 1 : 0; /* length of the prefix "COMPONENT." */
    const size_t variable =
        is_for_component ? fmi_find_variable(d->components[c].about, value->name + before) : SEAM_NONE;
    if (variable == SEAM_NONE)
      continue;
    is_known = true;
    /* The value is in the unit of the variable or, if it has none, of its connector. */
    const fmi_description *about = d->components[c].about;
    const fmi_variable *of = &about->variables[variable];
    conversion by = {fmi_unit_of(about, variable), 1, 0};
    for (size_t i = 0; i < d->ssd->n_connectors && of->unit == NULL; i++) {
      const ssd_connector *one = &d->ssd->connectors[i];
      if (one->component == c && strcmp(one->name, of->name) == 0)
        by.unit = unit_of(d->ssd, 0, one->unit);
    }
    TRY(set_value(d, c, variable, value, &by));
  }
  if (!is_known)
    seam_note("%s:%zu: no variable has the name '%s': the value is ignored", value->file, value->line, value->name);
  return SEAM_OK;
}

static seam_status read_values(draft *d) {
  size_t deepest = 0;
  for (size_t i = 0; i < d->ssd->n_values; i++)
    deepest = d->ssd->values[i].depth > deepest ? d->ssd->values[i].depth : deepest;
  for (size_t depth = deepest + 1; depth-- > 0;)
    for (size_t i = 0; i < d->ssd->n_values; i++)
      if (d->ssd->values[i].depth == depth)
        TRY(read_value(d, &d->ssd->values[i]));
  return SEAM_OK;
}

/* ---- Connectors and connections ---------------------------------------------------------------------------------- */

/* [SSP] 5.3: a link connects an output of an FMU, through all connectors between, with an input of an FMU. It combines
 * all unit conversions and linear transformations. Inputs of the system are constants from its parameter sets. */

typedef struct end {
  size_t component, variable; /* SEAM_NONE: a connector of the system itself */
  const ssd_connector *connector;
} end;

static seam_status check_connector(const draft *d, const ssd_connector *of) {
  if (of->component == SEAM_NONE)
    return SEAM_OK;
  const fmi_description *about = d->components[of->component].about;
  const char *component = d->ssd->components[of->component].name;
  const size_t variable = fmi_find_variable(about, of->name);
  if (variable == SEAM_NONE)
    return FAIL_IN_LINE(d, of->line, "the FMU of component '%s' has no variable '%s'", component, of->name);
  const fmi_variable *v = &about->variables[variable];
  if (strcmp(ssd_kind_names[of->kind], fmi_causality_names[v->causality]) != 0)
    return FAIL_IN_LINE(
        d, of->line,
        "connector '%s' of component '%s' is of the kind '%s', but the variable of the FMU is of the kind '%s'",
        of->name, component, ssd_kind_names[of->kind], fmi_causality_names[v->causality]);
  const bool is_integer = fmi_is_number(v->type) && !fmi_is_real(v->type) && v->type != FMI_ENUMERATION;
  const bool fits = fmi_is_real(of->type)   ? fmi_is_real(v->type)
                    : of->type == FMI_INT32 ? is_integer /* SSP 1 has a single type for all integers */
                                            : v->type == of->type;
  if (of->has_type && !fits)
    return FAIL_IN_LINE(
        d, of->line,
        "connector '%s' of component '%s' is of the type %s, but the variable of the FMU is of the type %s", of->name,
        component, fmi_type_name(of->type, of->type == FMI_BINARY ? FMI_3 : FMI_2),
        fmi_type_name(v->type, about->version));
  double factor = 1, offset = 0;
  if (!fmi_convert(unit_of(d->ssd, 0, of->unit), fmi_unit_of(about, variable), &factor, &offset) || factor != 1 ||
      offset != 0)
    return FAIL_IN_LINE(
        d, of->line,
        "connector '%s' of component '%s' has the unit '%s', but the variable of the FMU has the unit '%s'", of->name,
        component, of->unit, v->unit);
  return SEAM_OK;
}

static bool is_at(const ssd_connector *of, const char *element, const char *name) {
  const size_t length = strlen(element);
  return of->is_nested && strncmp(of->name, element, length) == 0 && of->name[length] == '.' &&
         strcmp(of->name + length + 1, name) == 0;
}

/* Finds the connector `name` of the component or nested system `element`; NULL: of the system itself. */
static seam_status find_end(const draft *d, size_t line, const char *element, const char *name, end *found) {
  const ssd_system *ssd = d->ssd;
  char hint[128];
  *found = (end){.component = SEAM_NONE, .variable = SEAM_NONE};
  for (size_t i = 0; element != NULL && i < ssd->n_connectors && found->connector == NULL; i++)
    if (is_at(&ssd->connectors[i], element, name))
      found->connector = &ssd->connectors[i];
  if (found->connector != NULL)
    return SEAM_OK;
  if (element != NULL) {
    size_t c = 0;
    while (c < ssd->n_components && strcmp(ssd->components[c].name, element) != 0)
      c++;
    if (c == ssd->n_components) {
      nearest search = nearest_to(element);
      for (size_t i = 0; i < ssd->n_components; i++)
        nearest_try(&search, ssd->components[i].name);
      nearest_hint(&search, hint, sizeof hint);
      return FAIL_IN_LINE(d, line, "the system has no component '%s'%s%s", element, hint[0] != '\0' ? ": " : "", hint);
    }
    found->component = c;
  }
  for (size_t i = 0; i < ssd->n_connectors && found->connector == NULL; i++)
    if (ssd->connectors[i].component == found->component && strcmp(ssd->connectors[i].name, name) == 0)
      found->connector = &ssd->connectors[i];
  if (found->connector == NULL) {
    nearest search = nearest_to(name);
    for (size_t i = 0; i < ssd->n_connectors; i++)
      if (ssd->connectors[i].component == found->component)
        nearest_try(&search, ssd->connectors[i].name);
    nearest_hint(&search, hint, sizeof hint);
    return FAIL_IN_LINE(d, line, "%s%s%s has no connector '%s'%s%s", element != NULL ? "component '" : "the system",
                        element != NULL ? element : "", element != NULL ? "'" : "", name, hint[0] != '\0' ? ": " : "",
                        hint);
  }
  if (element != NULL)
    found->variable = fmi_find_variable(d->components[found->component].about, name);
  return SEAM_OK;
}

/* Returns the unit at an end of a connection. If the connector gives no unit, it is that of the parameter value
 * (connector of the system) or of the variable (connector of an FMU). */
static fmi_unit unit_at(const draft *d, const end *of) {
  const char *name = of->connector->unit;
  const ssd_value *value = of->component == SEAM_NONE ? value_of(d, of->connector->name) : NULL;
  if (name == NULL && value != NULL)
    return unit_of(d->ssd, value->scope, value->unit);
  if (name == NULL && of->component != SEAM_NONE)
    return fmi_unit_of(d->components[of->component].about, of->variable);
  return unit_of(d->ssd, 0, name);
}

static seam_status transform(const draft *d, const ssd_connection *c, const end *from, const end *to, double *factor,
                             double *offset) {
  const fmi_unit first = unit_at(d, from), second = unit_at(d, to);
  double scale = 1, shift = 0;
  if (!c->suppresses_unit_conversion && !fmi_convert(first, second, &scale, &shift))
    return FAIL_IN_LINE(d, c->line,
                        "unit '%s' of '%s' cannot be converted into '%s' of '%s': define both with equal exponents "
                        "under <Units>, or say suppressUnitConversion=\"true\" and give a LinearTransformation",
                        first.name, c->from, second.name, c->to);
  *factor = c->factor * scale;
  *offset = c->factor * shift + c->offset;
  return SEAM_OK;
}

/* Rejects arrays and strings. The reader of the model file compares the types. */
static seam_status check_scalar(const draft *d, const ssd_connection *c, const end *of) {
  const fmi_description *about = d->components[of->component].about;
  const fmi_variable *variable = &about->variables[of->variable];
  if (variable->n_dimensions == 0 && (fmi_is_number(variable->type) || variable->type == FMI_BOOLEAN))
    return SEAM_OK;
  return FAIL_IN_LINE(d, c->line, "'%s' of component '%s' is %s: Seam connects scalar numbers and booleans",
                      of->connector->name, d->ssd->components[of->component].name,
                      variable->n_dimensions > 0 ? "an array" : fmi_type_name(variable->type, about->version));
}

/* While *from is a connector of a nested system, replaces it by the source of the connection to it; a connector has at
 * most one. Combines the factors and offsets of these connections; *order becomes the highest of their orders. */
static seam_status trace(const draft *d, end *from, double *factor, double *offset, uint32_t *order) {
  const ssd_connection *all = d->ssd->connections;
  const ssd_connection *behind = all + d->ssd->n_connections;
  for (size_t n = 0; from->connector->is_nested && n <= d->ssd->n_connections; n++) {
    const ssd_connection *c = all;
    while (c < behind && (c->to_element == NULL || !is_at(from->connector, c->to_element, c->to)))
      c++;
    if (c == behind)
      return SEAM_OK;
    const end to = *from;
    double scale = 1, shift = 0;
    TRY(find_end(d, c->line, c->from_element, c->from, from));
    TRY(transform(d, c, from, &to, &scale, &shift));
    *offset += *factor * shift;
    *factor *= scale;
    *order = c->order > *order ? c->order : *order;
  }
  return SEAM_OK;
}

static seam_status add(draft *d, const ssd_connection *c) {
  end from, to;
  double factor = 1, offset = 0;
  uint32_t order = c->order;
  TRY(find_end(d, c->line, c->from_element, c->from, &from));
  TRY(find_end(d, c->line, c->to_element, c->to, &to));
  const int from_kind = from.connector->kind, to_kind = to.connector->kind;
  const bool is_of_system = from.component == SEAM_NONE;
  const bool gives = (from_kind == SSD_OUTPUT) != is_of_system;
  const bool takes = to_kind == (to.component == SEAM_NONE ? SSD_OUTPUT : SSD_INPUT);
  if (!from.connector->is_nested && !to.connector->is_nested &&
      !(gives && (takes || (is_of_system && to_kind == SSD_PARAMETER))))
    return FAIL_IN_LINE(d, c->line,
                        "a connection from '%s', of the kind '%s', to '%s', of the kind '%s': Seam connects "
                        "outputs of components to inputs",
                        c->from, ssd_kind_names[from_kind], c->to, ssd_kind_names[to_kind]);
  if (to.component == SEAM_NONE)
    return SEAM_OK;
  size_t *connection_line = &d->components[to.component].connection_line[to.variable];
  if (*connection_line != 0)
    return FAIL_IN_LINE(d, c->line, "'%s' of component '%s' has two sources, here and in line %zu: keep one", c->to,
                        c->to_element, *connection_line);
  *connection_line = c->line;
  TRY(transform(d, c, &from, &to, &factor, &offset));
  TRY(trace(d, &from, &factor, &offset, &order));
  if (from.component == SEAM_NONE) {
    /* The FMU's input gets the value of the connector from the system's parameter sets, in the connector's unit.
     * Without such a value, it has its start value. */
    const ssd_value *value = value_of(d, from.connector->name);
    const char *unit = from.connector->unit;
    if (c->suppresses_unit_conversion && unit == NULL && value != NULL && value->unit != NULL)
      return FAIL_IN_LINE(
          d, c->line,
          "suppressUnitConversion=\"true\" needs a unit at connector '%s', whose value is in '%s': give "
          "the connector that unit, or remove suppressUnitConversion",
          c->from, value->unit);
    const conversion by = {unit_of(d->ssd, 0, unit), factor, offset};
    return value != NULL ? set_value(d, to.component, to.variable, value, &by) : SEAM_OK;
  }
  TRY(check_scalar(d, c, &from));
  TRY(check_scalar(d, c, &to));
  d->links[d->n_links++] =
      (system_link){from.component, from.variable, to.component, to.variable, factor, offset, order};
  return SEAM_OK;
}

static seam_status connect_all(draft *d) {
  d->links = arena_allocate(&d->memory, (d->ssd->n_connections + 1) * sizeof *d->links);
  if (d->links == NULL)
    return seam_fail(d->error, SEAM_NO_MEMORY, "no memory for a system");
  for (size_t i = 0; i < d->ssd->n_connectors; i++)
    TRY(check_connector(d, &d->ssd->connectors[i]));
  for (size_t i = 0; i < d->ssd->n_connections; i++)
    TRY(add(d, &d->ssd->connections[i]));
  return SEAM_OK;
}

/* ---- Text of the model file -------------------------------------------------------------------------------------- */

/* Returns the FMUs' time, s, at t = 0 of the run. */
static double start_of(const ssd_system *ssd) { return isnan(ssd->start) ? 0 : ssd->start; }

/* Returns the duration of the run, s; NaN: not given. */
static double duration(const ssd_system *ssd) { return ssd->stop - start_of(ssd); }

static seam_status check_times(const draft *d) {
  const ssd_system *ssd = d->ssd;
  if (!isnan(ssd->start) && !isfinite(ssd->start))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: startTime is %g s: give a finite time", ssd->file, ssd->start);
  if (!isnan(ssd->stop) && !(duration(ssd) > 0 && isfinite(ssd->stop)))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: stopTime is %g s: give a finite time after startTime", ssd->file,
                     ssd->stop);
  if (!isnan(ssd->macro_step) && !(ssd->macro_step > 0 && isfinite(ssd->macro_step)))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: macroStep is %g: give a positive number of seconds", ssd->file,
                     ssd->macro_step);
  return SEAM_OK;
}

/* Returns the macro step that the system gives, s, or else the shortest stepSize of its FMUs, at most the duration of
 * the run; 0: neither is given. */
static double given_step(const draft *d) {
  double shortest = INFINITY;
  if (!isnan(d->ssd->macro_step))
    return d->ssd->macro_step;
  for (size_t c = 0; c < d->ssd->n_components; c++) {
    const double step = d->components[c].about->experiment.step;
    if (step > 0 && step < shortest)
      shortest = step;
  }
  if (isfinite(shortest) && shortest > duration(d->ssd))
    return duration(d->ssd);
  return isfinite(shortest) ? shortest : 0;
}

static void write_number(FILE *to, const char *key, double number) {
  fputs(key, to);
  json_write_number(to, number);
}

/* Writes the values of parameters or, with of_inputs, the start values of inputs. */
static void write_values(FILE *to, const system_component *of, const char *key, bool of_inputs) {
  const char *separator = "";
  fprintf(to, ", %s: {", key);
  for (size_t v = 0; v < of->about->n_variables; v++) {
    const ssd_value *value = of->values[v];
    if (value == NULL || (of->about->variables[v].causality == FMI_INPUT) != of_inputs)
      continue;
    fprintf(to, "%s\n      ", separator);
    json_quote(to, of->about->variables[v].name);
    fputs(": ", to);
    if (value->type == FMI_STRING)
      json_quote(to, value->text);
    else if (value->type == FMI_BOOLEAN)
      fputs(of->numbers[v] != 0 ? "true" : "false", to);
    else
      json_write_number(to, of->numbers[v]);
    separator = ",";
  }
  fputc('}', to);
}

static void write_components(FILE *to, const draft *d) {
  const char *slash = strrchr(d->path, '/');
  arena scratch = {0};
  for (size_t c = 0; c < d->ssd->n_components; c++) {
    const char *resource = ssd_entry(&scratch, d->ssd->components[c].source);
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", slash != NULL ? slash + 1 : d->path, resource != NULL ? resource : "");
    fprintf(to, "    %s: {fmu: ", d->components[c].name);
    json_quote(to, path);
    fputs(", convert_units: false", to); /* the signals' gains and offsets convert */
    write_values(to, &d->components[c], "parameters", false);
    write_values(to, &d->components[c], "inputs", true);
    if (start_of(d->ssd) != 0)
      write_number(to, ", start: ", start_of(d->ssd));
    fputs("}\n", to);
  }
  arena_release(&scratch);
}

static void write_end(FILE *to, const draft *d, const char *key, size_t component, size_t variable) {
  const system_component *of = &d->components[component];
  char name[2048];
  snprintf(name, sizeof name, "%s.%s", of->name, of->about->variables[variable].name);
  fputs(key, to);
  json_quote(to, name);
}

static seam_status write_model(const draft *d, char **text) {
  const double given = given_step(d);
  const double assumed = isnan(d->ssd->stop) ? models_macro_step : duration(d->ssd) / models_steps_of_run;
  size_t size = 0;
  FILE *to = memory_stream_open(text, &size);
  if (to == NULL)
    return no_memory(d);
  fputs(given > 0 ? "" : SYSTEM_ASSUMES_STEP, to);
  fputs("seam: 1\n", to);
  if (!isnan(d->ssd->stop)) {
    write_number(to, "simulate: {end: ", duration(d->ssd));
    fputs("}\n", to);
  }
  write_number(to, "cosim:\n  macro_step: ", given > 0 ? given : assumed);
  fputs("\n  subsystems:\n", to);
  write_components(to, d);
  if (d->n_links > 0)
    fputs("  signals:\n", to);
  for (const system_link *link = d->links; link < d->links + d->n_links; link++) {
    write_end(to, d, "    - {from: ", link->from, link->output);
    write_end(to, d, ", to: ", link->to, link->input);
    write_number(to, ", gain: ", link->gain);
    write_number(to, ", offset: ", link->offset);
    fprintf(to, ", order: %u}\n", link->order);
  }
  return memory_stream_close(to, text) ? SEAM_OK : no_memory(d);
}

bool seam_is_system(const char *path) {
  const char *ending = path != NULL ? strrchr(path, '.') : NULL;
  return ending != NULL && strcmp(ending, ".ssp") == 0;
}

seam_status seam_system_model(const char *path, char **text, seam_error *error) {
  ARGUMENTS(error, path, text);
  draft d = {.path = path, .error = error};
  seam_status status = ssd_open(path, &d.ssd, error);
  const size_t n = status == SEAM_OK ? d.ssd->n_components : 0;
  THEN(status, check_times(&d));
  THEN(status, n == 0 ? seam_fail(error, SEAM_BAD_INPUT, "%s: the system has no components", d.ssd->file) : SEAM_OK);
  d.components = arena_allocate(&d.memory, (n + 1) * sizeof *d.components);
  THEN(status, d.components == NULL ? no_memory(&d) : SEAM_OK);
  for (size_t c = 0; c < n && status == SEAM_OK; c++)
    status = open_component(&d, c);
  THEN(status, read_values(&d));
  THEN(status, connect_all(&d));
  if (status == SEAM_OK && start_of(d.ssd) != 0)
    seam_note("%s: startTime is %.9g s, which is t = 0 in the results", d.ssd->file, d.ssd->start);
  THEN(status, write_model(&d, text));
  for (size_t c = 0; d.components != NULL && c < n; c++)
    fmi_fmu_close(d.components[c].fmu);
  ssd_close(d.ssd);
  arena_release(&d.memory);
  return status;
}
