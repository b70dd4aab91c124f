/* Connectors and connections of a system ([SSP] 5.3). A link connects an output of an FMU, through all connectors
 * between, with an input of an FMU. It combines all unit conversions and linear transformations. Inputs of the system
 * itself are constants from its parameter sets. */
#include <string.h>

#include "base/nearest.h"
#include "base/then.h"
#include "models/system.h"

typedef struct end {
  size_t component, variable; /* SEAM_NONE: a connector of the system itself */
  const ssd_connector *connector;
} end;

static bool is_kind(fmi_causality causality, int kind) {
  return (kind == SSD_INPUT && causality == FMI_INPUT) || (kind == SSD_OUTPUT && causality == FMI_OUTPUT) ||
         (kind == SSD_PARAMETER && causality == FMI_PARAMETER) ||
         (kind == SSD_CALCULATED_PARAMETER && causality == FMI_CALCULATED_PARAMETER);
}

/* Returns true if a variable's type matches the type of its connector. SSP 1 has a single type for all integers. */
static bool is_type(fmi_type type, fmi_type of_connector) {
  const bool is_integer = fmi_is_number(type) && !fmi_is_real(type) && type != FMI_ENUMERATION;
  if (fmi_is_real(of_connector))
    return fmi_is_real(type);
  return of_connector == FMI_INT32 ? is_integer : type == of_connector;
}

static seam_status check_connector(const system_draft *d, const ssd_connector *of) {
  if (of->component == SEAM_NONE)
    return SEAM_OK;
  const fmi_description *about = d->components[of->component].about;
  const char *component = d->ssd->components[of->component].name;
  const size_t variable = fmi_find_variable(about, of->name);
  if (variable == SEAM_NONE)
    return SYSTEM_FAIL(d, of->line, "the FMU of component '%s' has no variable '%s'", component, of->name);
  const fmi_variable *v = &about->variables[variable];
  if (!is_kind(v->causality, of->kind))
    return SYSTEM_FAIL(
        d, of->line,
        "connector '%s' of component '%s' is of the kind '%s', but the variable of the FMU is of the kind '%s'",
        of->name, component, ssd_kind_names[of->kind], fmi_causality_names[v->causality]);
  if (of->has_type && !is_type(v->type, of->type))
    return SYSTEM_FAIL(
        d, of->line,
        "connector '%s' of component '%s' is of the type %s, but the variable of the FMU is of the type %s", of->name,
        component, fmi_type_name(of->type, of->type == FMI_BINARY ? FMI_3 : FMI_2),
        fmi_type_name(v->type, about->version));
  double factor = 1, offset = 0;
  if (!system_convert(of->unit, system_unit(d->ssd, 0, of->unit), v->unit, system_unit_of_fmu(about, v->unit), &factor,
                      &offset) ||
      factor != 1 || offset != 0)
    return SYSTEM_FAIL(
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

/* Finds the connector `name` of the component or nested system `element`; of the system itself if `element` is NULL. */
static seam_status find_end(const system_draft *d, size_t line, const char *element, const char *name, end *found) {
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
      return SYSTEM_FAIL(d, line, "the system has no component '%s'%s%s", element, hint[0] != '\0' ? ": " : "", hint);
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
    return SYSTEM_FAIL(d, line, "%s%s%s has no connector '%s'%s%s", element != NULL ? "component '" : "the system",
                       element != NULL ? element : "", element != NULL ? "'" : "", name, hint[0] != '\0' ? ": " : "",
                       hint);
  }
  if (element != NULL)
    found->variable = fmi_find_variable(d->components[found->component].about, name);
  return SEAM_OK;
}

static const fmi_variable *variable_of(const system_draft *d, const end *of) {
  return &d->components[of->component].about->variables[of->variable];
}

/* Returns the name of the unit at an end of a connection, NULL for none, and its definition in *unit. If the connector
 * gives no unit, a connector of the system has the unit of its parameter value, and a connector of an FMU has the unit
 * of its variable. */
static const char *unit_at(const system_draft *d, const end *of, const fmi_unit **unit) {
  const char *name = of->connector->unit;
  const ssd_value *value = of->component == SEAM_NONE ? system_value_of(d, of->connector->name) : NULL;
  if (name != NULL) {
    *unit = system_unit(d->ssd, 0, name);
  } else if (value != NULL) {
    name = value->unit;
    *unit = system_unit(d->ssd, value->scope, name);
  } else if (of->component != SEAM_NONE) {
    name = variable_of(d, of)->unit;
    *unit = system_unit_of_fmu(d->components[of->component].about, name);
  }
  return name;
}

static seam_status transform(const system_draft *d, const ssd_connection *c, const end *from, const end *to,
                             double *factor, double *offset) {
  const fmi_unit *first = NULL, *second = NULL;
  const char *from_name = unit_at(d, from, &first), *to_name = unit_at(d, to, &second);
  double scale = 1, shift = 0;
  if (!c->suppresses_unit_conversion && !system_convert(from_name, first, to_name, second, &scale, &shift))
    return SYSTEM_FAIL(d, c->line,
                       "unit '%s' of '%s' cannot be converted into '%s' of '%s': define both with equal exponents "
                       "under <Units>, or say suppressUnitConversion=\"true\" and give a LinearTransformation",
                       from_name, c->from, to_name, c->to);
  *factor = c->factor * scale;
  *offset = c->factor * shift + c->offset;
  return SEAM_OK;
}

/* Rejects arrays and strings. The reader of the model file later compares the types. */
static seam_status check_scalar(const system_draft *d, const ssd_connection *c, const end *of) {
  const fmi_variable *variable = variable_of(d, of);
  if (variable->n_dimensions == 0 && (fmi_is_number(variable->type) || variable->type == FMI_BOOLEAN))
    return SEAM_OK;
  return SYSTEM_FAIL(d, c->line, "'%s' of component '%s' is %s: Seam connects scalar numbers and booleans",
                     of->connector->name, d->ssd->components[of->component].name,
                     variable->n_dimensions > 0
                         ? "an array"
                         : fmi_type_name(variable->type, d->components[of->component].about->version));
}

/* Replaces *from by the source of the connection to it, as long as *from is a connector of a nested system. Combines
 * the factors and offsets of these connections in *factor and *offset. *order becomes the highest of their orders. A
 * connector has at most one source. */
static seam_status trace(const system_draft *d, end *from, double *factor, double *offset, uint32_t *order) {
  const ssd_connection *all = d->ssd->connections;
  const ssd_connection *behind = all + d->ssd->n_connections;
  seam_status status = SEAM_OK;
  for (size_t n = 0; from->connector->is_nested && status == SEAM_OK && n <= d->ssd->n_connections; n++) {
    const ssd_connection *c = all;
    while (c < behind && (c->to_element == NULL || !is_at(from->connector, c->to_element, c->to)))
      c++;
    if (c == behind)
      return SEAM_OK;
    const end to = *from;
    double scale = 1, shift = 0;
    status = find_end(d, c->line, c->from_element, c->from, from);
    THEN(status, transform(d, c, from, &to, &scale, &shift));
    *offset += *factor * shift;
    *factor *= scale;
    *order = c->order > *order ? c->order : *order;
  }
  return status;
}

static seam_status add(system_draft *d, const ssd_connection *c) {
  end from, to;
  double factor = 1, offset = 0;
  uint32_t order = c->order;
  seam_status status = find_end(d, c->line, c->from_element, c->from, &from);
  THEN(status, find_end(d, c->line, c->to_element, c->to, &to));
  if (status != SEAM_OK)
    return status;
  const int from_kind = from.connector->kind, to_kind = to.connector->kind;
  const bool is_of_system = from.component == SEAM_NONE;
  const bool gives = (from_kind == SSD_OUTPUT) != is_of_system;
  const bool takes = to_kind == (to.component == SEAM_NONE ? SSD_OUTPUT : SSD_INPUT);
  if (!from.connector->is_nested && !to.connector->is_nested &&
      !(gives && (takes || (is_of_system && to_kind == SSD_PARAMETER))))
    return SYSTEM_FAIL(d, c->line,
                       "a connection from '%s', of the kind '%s', to '%s', of the kind '%s': Seam connects "
                       "outputs of components to inputs",
                       c->from, ssd_kind_names[from_kind], c->to, ssd_kind_names[to_kind]);
  if (to.component == SEAM_NONE)
    return SEAM_OK;
  size_t *connection_line = &d->components[to.component].connection_line[to.variable];
  if (*connection_line != 0)
    return SYSTEM_FAIL(d, c->line, "'%s' of component '%s' has two sources, here and in line %zu: keep one", c->to,
                       c->to_element, *connection_line);
  *connection_line = c->line;
  status = transform(d, c, &from, &to, &factor, &offset);
  THEN(status, trace(d, &from, &factor, &offset, &order));
  if (status == SEAM_OK && from.component == SEAM_NONE) {
    /* The FMU's input gets the value that the system's parameter sets give to the connector, in the connector's unit.
     * If there is no such value, the input has its start value. */
    const ssd_value *value = system_value_of(d, from.connector->name);
    const char *unit = from.connector->unit;
    if (c->suppresses_unit_conversion && unit == NULL && value != NULL && value->unit != NULL)
      return SYSTEM_FAIL(d, c->line,
                         "suppressUnitConversion=\"true\" needs a unit at connector '%s', whose value is in '%s': give "
                         "the connector that unit, or remove suppressUnitConversion",
                         c->from, value->unit);
    const system_conversion conversion = {unit, system_unit(d->ssd, 0, unit), factor, offset};
    return value != NULL ? system_set_value(d, to.component, to.variable, value, &conversion) : SEAM_OK;
  }
  THEN(status, check_scalar(d, c, &from));
  THEN(status, check_scalar(d, c, &to));
  if (status == SEAM_OK)
    d->links[d->n_links++] =
        (system_link){from.component, from.variable, to.component, to.variable, factor, offset, order};
  return status;
}

seam_status system_connect(system_draft *d) {
  seam_status status = SEAM_OK;
  d->links = arena_allocate(&d->memory, (d->ssd->n_connections + 1) * sizeof *d->links);
  if (d->links == NULL)
    return seam_fail(d->error, SEAM_NO_MEMORY, "no memory for a system");
  for (size_t i = 0; i < d->ssd->n_connectors && status == SEAM_OK; i++)
    status = check_connector(d, &d->ssd->connectors[i]);
  for (size_t i = 0; i < d->ssd->n_connections && status == SEAM_OK; i++)
    status = add(d, &d->ssd->connections[i]);
  return status;
}
