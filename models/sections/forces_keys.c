/* Readers of keys that several types of force elements have. */
#include "models/sections/forces.h"

#include <stdio.h>
#include <string.h>

#include "models/sections/deferred.h"

seam_status forces_read_opposite(reader *r, yaml_node *value, element *to) {
  bool is_opposite = false;
  const seam_status status = reader_flag(r, value, &is_opposite);
  if (is_opposite)
    to->force.radii[0] = -to->force.radii[0];
  return status;
}

seam_status forces_read_axis(reader *r, yaml_node *value, element *to) {
  to->force.has_axis = true;
  return elements_read_direction(r, value, to->force.axis);
}

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

static const char *quantity_of(reader *r, const element *of, const char *quantity) {
  const size_t size = strlen(of->force.name) + strlen(quantity) + 2;
  char *name = arena_take(&r->memory, size);
  if (name != NULL)
    snprintf(name, size, "%s.%s", of->force.name, quantity);
  return name;
}

/* Sets the short names: t, and for two bodies also s and v. */
static seam_status take_own_names(reader *r, const element *of, own_names *own) {
  own_name *names = arena_take(&r->memory, 3 * sizeof *names);
  if (names == NULL)
    return reader_no_memory(r);
  const char *rate = of->force.kind == MBS_TORSION ? "omega" : "rate";
  *own = (own_names){names, of->force.kind == MBS_SPRING_DAMPER || of->force.kind == MBS_TORSION ? 3 : 1};
  names[0] = own_time;
  names[1] = (own_name){"s", quantity_of(r, of, "stretch")};
  names[2] = (own_name){"v", quantity_of(r, of, rate)};
  return names[1].quantity != NULL && names[2].quantity != NULL ? SEAM_OK : reader_no_memory(r);
}

/* Reads a law of its variables alone now; a law of quantities, which may not exist yet, is deferred. */
static seam_status read_law(reader *r, yaml_node *value, element *to, const char *const *variables, size_t n_variables,
                            int component) {
  seam_law *const laws[] = {&to->force.law, &to->force.law_y};
  if (!quantities_are_named(r, value, variables, n_variables))
    return reader_law(r, value, variables, n_variables, laws[component]);
  deferred law = {.name = to->force.name, .noun = "force", .node = to->node, .value = value, .component = component};
  const seam_status status = take_own_names(r, to, &law.own);
  to->force.law_is_state_dependent = true;
  return status == SEAM_OK ? deferred_add(r, DEFERRED_LAW, &law) : status;
}

/* The engine's law is positive for a pull; since version 2 a file's law is positive for a push, like the quantity
 * `force`. */
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to) {
  static const char *const variables[] = {"s", "v"};
  value->is_negated = r->version > 1;
  return read_law(r, value, to, variables, 2, 0);
}

seam_status forces_read_law_of_time(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &own_time.name, 1, 0);
}

seam_status forces_read_law_y(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &own_time.name, 1, 1);
}

/* ---- Combinations of keys ---------------------------------------------------------------------------------------- */

seam_status forces_check_together(reader *r, const element *read, const char *const *keys, size_t n, bool *is_given) {
  const yaml_node *given = NULL;
  const char *missing = NULL;
  for (size_t i = 0; i < n; i++) {
    const yaml_node *node = yaml_get(read->node, keys[i]);
    given = node != NULL ? node : given;
    missing = node == NULL ? keys[i] : missing;
  }
  *is_given = given != NULL;
  if (given == NULL || missing == NULL)
    return SEAM_OK;
  return reader_fail(r, given->key, NULL, "'%s' in %s needs '%s' beside it", given->key->text, r->subject, missing);
}
