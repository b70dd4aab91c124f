/* Finds quantities by name. Each element has groups of quantities; a quantity is a row of such a group. */
#include <stdio.h>
#include <string.h>

#include "base/argument.h"
#include "base/nearest.h"
#include "mbs/output/readout.h"

static const char *const mechanism_names[] = {"time", "energy"};
enum { N_WHOLE = sizeof mechanism_names / sizeof *mechanism_names };

static const mbs_quantity_group *const nothing[] = {NULL};

mbs_quantity_groups mbs_groups_of(const mbs_model *model, mbs_owner owner, int element) {
  static const mbs_quantity_groups of_whole[N_WHOLE] = {mbs_quantities_of_time, mbs_quantities_of_energy};
  switch (owner) {
  case MBS_WHOLE:
    return of_whole[element];
  case MBS_BODIES:
    return mbs_quantities_of_body;
  case MBS_JOINTS:
    return mbs_quantities_of_joint(model, element);
  case MBS_FORCES:
    /* the first of the elements of one name, which make up a viscous element, has the quantities */
    return element > 0 && model->forces[element - 1].name == model->forces[element].name
               ? nothing
               : mbs_quantities_of_force(model, element);
  case MBS_MEASURES:
    return model->measures[element].type->quantities;
  case MBS_VARIABLES:
    return mbs_quantities_of_variable;
  case MBS_INPUTS:
    return mbs_quantities_of_input;
  default:
    return nothing;
  }
}

size_t mbs_n_elements(const mbs_model *model, mbs_owner owner) {
  if (model == NULL || (unsigned)owner > MBS_INPUTS)
    return 0;
  const size_t n[MBS_INPUTS + 1] = {N_WHOLE,
                                    mbs_n_bodies(model),
                                    mbs_n_joints(model),
                                    mbs_n_forces(model),
                                    (size_t)model->n_measures,
                                    mbs_n_variables(model),
                                    (size_t)model->n_ports};
  return n[owner];
}

size_t mbs_n_quantities(const mbs_model *model, mbs_owner owner, size_t element) {
  size_t n = 0;
  if (element < mbs_n_elements(model, owner))
    for (mbs_quantity_groups at = mbs_groups_of(model, owner, (int)element); *at != NULL; at++)
      n += (size_t)(*at)->n;
  return n;
}

static const char *element_name(const mbs_model *model, mbs_owner owner, size_t element) {
  switch (owner) {
  case MBS_WHOLE:
    return mechanism_names[element];
  case MBS_BODIES:
    return mbs_body_of(model, element).name;
  case MBS_JOINTS:
    return mbs_joint_of(model, element).name;
  case MBS_FORCES:
    return mbs_force_of(model, element).name;
  case MBS_MEASURES:
    return model->measures[element].name;
  case MBS_INPUTS:
    return "signal";
  default:
    return mbs_variable_of(model, element).name;
  }
}

mbs_quantity_info mbs_quantity_of(const mbs_model *model, mbs_quantity quantity) {
  if (quantity.element >= mbs_n_elements(model, quantity.owner))
    return (mbs_quantity_info){0};
  int index = 0;
  const mbs_quantity_group *group = mbs_group_of(model, quantity, &index);
  if (group == NULL)
    return (mbs_quantity_info){0};
  const mbs_quantity_row *row = &group->row[index];
  const char *own_unit = quantity.owner == MBS_MEASURES    ? model->measures[quantity.element].unit
                         : quantity.owner == MBS_VARIABLES ? model->laws.variable[quantity.element].unit
                                                           : NULL;
  return (mbs_quantity_info){
      .element = element_name(model, quantity.owner, quantity.element),
      .name = row->name,
      .unit = row->unit != NULL ? row->unit : own_unit,
      .meaning = row->meaning,
      .is_usual = group->is_usual && (model->n_bodies > 0 || group != *mbs_quantities_of_energy),
  };
}

const mbs_quantity_group *mbs_group_of(const mbs_model *model, mbs_quantity quantity, int *index) {
  mbs_quantity_groups at = mbs_groups_of(model, quantity.owner, (int)quantity.element);
  for (*index = (int)quantity.number; *at != NULL && *index >= (*at)->n; at++)
    *index -= (*at)->n;
  return *at;
}

bool mbs_find_element_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *found) {
  static const mbs_owner owners[] = {
      [MBS_NAME_BODY] = MBS_BODIES,      [MBS_NAME_JOINT] = MBS_JOINTS,       [MBS_NAME_FORCE] = MBS_FORCES,
      [MBS_NAME_MEASURE] = MBS_MEASURES, [MBS_NAME_VARIABLE] = MBS_VARIABLES,
  };
  const mbs_name *element = mbs_names_find_part(model->names, name, length);
  if (element != NULL && element->index >= 0 && element->kind != MBS_NAME_EVENT) {
    *found = (mbs_quantity){owners[element->kind], (size_t)element->index, 0};
    return true;
  }
  for (size_t i = 0; i < N_WHOLE; i++)
    if (strlen(mechanism_names[i]) == length && memcmp(mechanism_names[i], name, length) == 0) {
      *found = (mbs_quantity){MBS_WHOLE, i, 0};
      return true;
    }
  return false;
}

static bool find_number(const mbs_model *model, const char *name, size_t length, mbs_quantity *of) {
  of->number = 0;
  for (mbs_quantity_groups at = mbs_groups_of(model, of->owner, (int)of->element); *at != NULL; at++)
    for (int i = 0; i < (*at)->n; i++, of->number++)
      if (strlen((*at)->row[i].name) == length && memcmp((*at)->row[i].name, name, length) == 0)
        return true;
  return false;
}

/* Returns the number of characters before the last point of a name; `length` if the name has no point. */
static size_t element_length(const char *name, size_t length) {
  size_t end = length;
  while (end > 0 && name[end - 1] != '.')
    end--;
  return end > 0 ? end - 1 : length;
}

bool mbs_find_quantity_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *found) {
  if (mbs_find_element_of_length(model, name, length, found) && find_number(model, "", 0, found))
    return true;
  const size_t element = element_length(name, length);
  return element < length && mbs_find_element_of_length(model, name, element, found) &&
         find_number(model, name + element + 1, length - element - 1, found);
}

/* Returns the element's own name for the quantity `wanted`, as bodies and joints use different ones; NULL: none. */
static const char *other_name(const mbs_model *model, mbs_quantity of, const char *wanted) {
  static const char *const words[][2] = {{"angle", "phi"},    {"phi", "angle"},    {"theta", "phi"},
                                         {"theta", "angle"},  {"rate", "omega"},   {"speed", "omega"},
                                         {"speed", "rate"},   {"omega", "rate"},   {"length", "slide"},
                                         {"slide", "length"}, {"torque", "force"}, {"force", "torque"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i][0], wanted) == 0 && find_number(model, words[i][1], strlen(words[i][1]), &of))
      return words[i][1];
  return NULL;
}

static void suggest_quantity(const mbs_model *model, mbs_quantity of, const char *wanted, char *hint, size_t size) {
  nearest search = nearest_to(wanted);
  char list[256];
  size_t used = 0;
  list[0] = '\0';
  for (mbs_quantity_groups at = mbs_groups_of(model, of.owner, (int)of.element); *at != NULL; at++)
    for (int i = 0; i < (*at)->n; i++) {
      nearest_try(&search, (*at)->row[i].name);
      if (used < sizeof list)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", (*at)->row[i].name);
    }
  const char *element = element_name(model, of.owner, of.element);
  const char *other = other_name(model, of, wanted);
  if (other != NULL || (search.name != NULL && *search.name != '\0'))
    snprintf(hint, size, "did you mean '%.60s.%s'?", element, other != NULL ? other : search.name);
  else if (list[0] == '\0')
    snprintf(hint, size, "'%.60s' is a quantity itself", element);
  else
    snprintf(hint, size, "'%.60s' offers %s", element, list);
}

void mbs_suggest(const mbs_model *model, const char *name, size_t length, char *hint, size_t size) {
  char text[128];
  mbs_quantity of;
  const size_t element = element_length(name, length);
  const bool has_quantity = element < length;
  snprintf(text, sizeof text, "%.*s", has_quantity ? (int)(length - element - 1) : 0, name + element + has_quantity);
  if (mbs_find_element_of_length(model, name, element, &of)) {
    suggest_quantity(model, of, text, hint, size);
    return;
  }
  char complete[128];
  snprintf(text, sizeof text, "%.*s", (int)element, name);
  snprintf(complete, sizeof complete, "%.*s", (int)length, name);
  nearest search = nearest_to(text);
  nearest of_equations = nearest_to(complete); /* for names of variables that contain a point */
  for (size_t i = 0; i < N_WHOLE; i++)
    nearest_try(&search, mechanism_names[i]);
  for (size_t i = 0; mbs_names_at(model->names, i) != NULL; i++) {
    const mbs_name *at = mbs_names_at(model->names, i);
    if (at->kind != MBS_NAME_EVENT)
      nearest_try(strchr(at->text, '.') != NULL ? &of_equations : &search, at->text);
  }
  if (of_equations.name != NULL)
    nearest_hint(&of_equations, hint, size);
  else if (search.name != NULL && has_quantity)
    snprintf(hint, size, "did you mean '%.60s%.40s'?", search.name, name + element);
  else
    nearest_hint(&search, hint, size);
}

seam_status mbs_find_quantity(const mbs_model *model, const char *name, mbs_quantity *found, seam_error *error) {
  ARGUMENTS(error, model, name, found);
  const size_t length = strlen(name);
  if (mbs_find_quantity_of_length(model, name, length, found))
    return SEAM_OK;
  char hint[400];
  mbs_suggest(model, name, length, hint, sizeof hint);
  return seam_fail(error, SEAM_BAD_INPUT, "unknown quantity '%.100s'%s%s", name, hint[0] != '\0' ? "; " : "", hint);
}
