/* Values of parameter sets, and units ([SSP] 5.4). A later value replaces an earlier one, and a value of an outer
 * binding replaces that of an inner one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/note.h"
#include "models/system.h"

bool system_convert(const char *from_name, const fmi_unit *from, const char *to_name, const fmi_unit *to,
                    double *factor, double *offset) {
  *factor = 1;
  *offset = 0;
  if (from_name == NULL || to_name == NULL)
    return true;
  if (from == NULL || to == NULL)
    return strcmp(from_name, to_name) == 0;
  *factor = from->factor / to->factor;
  *offset = (from->offset - to->offset) / to->factor;
  return from->kg == to->kg && from->m == to->m && from->s == to->s && from->A == to->A && from->K == to->K &&
         from->mol == to->mol && from->cd == to->cd && from->rad == to->rad && isfinite(*factor) && isfinite(*offset) &&
         *factor != 0;
}

const fmi_unit *system_unit_of_fmu(const fmi_description *about, const char *name) {
  for (size_t i = 0; i < about->n_units && name != NULL; i++)
    if (strcmp(about->units[i].name, name) == 0)
      return &about->units[i];
  return NULL;
}

/* Looks for the unit in the given scope, or else in the system (scope 0), since inline parameter sets may use the units
 * of the system. */
const fmi_unit *system_unit(const ssd_system *in, size_t scope, const char *name) {
  const fmi_unit *found = NULL;
  for (size_t i = 0; i < in->n_units && name != NULL; i++) {
    const ssd_unit *unit = &in->units[i];
    if (unit->unit.name != NULL && strcmp(unit->unit.name, name) == 0 && (unit->scope == scope || unit->scope == 0))
      found = found == NULL || unit->scope == scope ? &unit->unit : found;
  }
  return found;
}

/* Fails with a message about a value. In the system's own parameter sets, value->name is COMPONENT.NAME or the name of
 * a connector. */
static seam_status refuse(const system_draft *d, const ssd_value *value, size_t component, const char *why) {
  if (value->component == SEAM_NONE)
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s:%zu: '%s' %s", value->file, value->line, value->name, why);
  return seam_fail(d->error, SEAM_BAD_INPUT, "%s:%zu: '%s' of component '%s' %s", value->file, value->line, value->name,
                   d->ssd->components[component].name, why);
}

seam_status system_set_value(system_draft *d, size_t component, size_t variable, const ssd_value *value,
                             const system_conversion *conversion) {
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
  if (fmi_is_number(of->type) && !system_convert(value->unit, system_unit(d->ssd, value->scope, value->unit),
                                                 conversion->unit_name, conversion->unit, &scale, &shift)) {
    snprintf(why, sizeof why,
             "is in '%.40s', but its value is in '%.40s', which cannot be converted: give the value in the unit of the "
             "variable",
             conversion->unit_name, value->unit);
    return refuse(d, value, component, why);
  }
  to->values[variable] = value;
  to->numbers[variable] = conversion->factor * (scale * value->number + shift) + conversion->offset;
  if (fmi_is_number(of->type) && !fmi_can_represent(of, to->about->version, to->numbers[variable], why, sizeof why))
    return refuse(d, value, component, why);
  return SEAM_OK;
}

const ssd_value *system_value_of(const system_draft *d, const char *connector) {
  const ssd_value *found = NULL;
  for (size_t i = 0; i < d->ssd->n_values; i++)
    if (d->ssd->values[i].component == SEAM_NONE && strcmp(d->ssd->values[i].name, connector) == 0)
      found = &d->ssd->values[i];
  return found;
}

/* Assigns a value to its variable. If there is no such variable, ignores the value and writes a note, as the standard
 * requires. */
static seam_status read_value(system_draft *d, const ssd_value *value) {
  const bool is_of_system = value->component == SEAM_NONE;
  bool is_known = false;
  seam_status status = SEAM_OK;
  for (size_t i = 0; is_of_system && i < d->ssd->n_connectors; i++)
    is_known |= d->ssd->connectors[i].component == SEAM_NONE && strcmp(d->ssd->connectors[i].name, value->name) == 0;
  for (size_t c = 0; c < d->ssd->n_components && status == SEAM_OK; c++) {
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
    /* The value is in the unit of the variable; if the variable has none, in the unit of its connector. */
    const fmi_description *about = d->components[c].about;
    const fmi_variable *of = &about->variables[variable];
    system_conversion conversion = {of->unit, system_unit_of_fmu(about, of->unit), 1, 0};
    for (size_t i = 0; i < d->ssd->n_connectors && of->unit == NULL; i++) {
      const ssd_connector *one = &d->ssd->connectors[i];
      if (one->component == c && strcmp(one->name, of->name) == 0)
        conversion = (system_conversion){one->unit, system_unit(d->ssd, 0, one->unit), 1, 0};
    }
    status = system_set_value(d, c, variable, value, &conversion);
  }
  if (!is_known)
    seam_note("%s:%zu: no variable has the name '%s': the value is ignored", value->file, value->line, value->name);
  return status;
}

seam_status system_read_values(system_draft *d) {
  seam_status status = SEAM_OK;
  size_t deepest = 0;
  for (size_t i = 0; i < d->ssd->n_values; i++)
    deepest = d->ssd->values[i].depth > deepest ? d->ssd->values[i].depth : deepest;
  for (size_t depth = deepest + 1; depth-- > 0;)
    for (size_t i = 0; i < d->ssd->n_values && status == SEAM_OK; i++)
      if (d->ssd->values[i].depth == depth)
        status = read_value(d, &d->ssd->values[i]);
  return status;
}
