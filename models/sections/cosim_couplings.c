/* `scheme:` and `couplings:` of `cosim:`: how what joins two subsystems is coupled. */
#include <string.h>

#include "base/nearest.h"
#include "models/scheme_name.h"
#include "models/sections/cosim_section.h"

static seam_status read_scheme_name(const cosim_section *c, const yaml_node *value, const char **scheme) {
  const char *text = NULL;
  const seam_status status = reader_text(c->r, value, &text);
  if (status)
    return status;
  scheme_name_error error;
  if (!scheme_name_check(text, &error)) {
    yaml_node at = *value;
    at.offset += error.column;
    return reader_fail(c->r, &at, "write DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION], such as ff-k1",
                       "'%.60s' is not the name of a scheme: %s", text, error.cause);
  }
  *scheme = cosim_section_keep(c, text);
  return *scheme ? SEAM_OK : reader_no_memory(c->r);
}

seam_status cosim_section_scheme(cosim_section *c, yaml_node *value) {
  static const map_key kinds[] = {{"constitutive", false}, {"constraint", false}};
  cosim_definition *options = c->options;
  if (value->kind != YAML_MAP) {
    const seam_status status = read_scheme_name(c, value, &options->constitutive_scheme);
    options->constraint_scheme = options->constitutive_scheme;
    return status;
  }
  yaml_node *values[2];
  seam_status status = reader_take_map(c->r, value, kinds, 2, values);
  if (!status && values[0])
    status = read_scheme_name(c, values[0], &options->constitutive_scheme);
  if (!status && values[1])
    status = read_scheme_name(c, values[1], &options->constraint_scheme);
  return status;
}

/* ---- Single couplings -------------------------------------------------------------------------------------------- */

/* A force element that a subsystem evaluates couples it with the bodies it acts on. */
static bool is_coupling(const cosim_section *c, size_t number) {
  const entry *e = &c->r->entries[number];
  if (e->kind == ENTRY_FORCE && c->subsystem_of[number] != NO_SUBSYSTEM)
    return true;
  if (!e->joins || e->bodies[0] == MBS_GROUND || e->bodies[1] == MBS_GROUND)
    return false;
  return c->subsystem_of[e->bodies[0]] != c->subsystem_of[e->bodies[1]];
}

seam_status cosim_section_check_coupling(const cosim_section *c, const yaml_node *name) {
  reader *r = c->r;
  const char *text = NULL;
  const seam_status status = reader_text(r, name, &text);
  if (status)
    return status;
  const table_slot *slot = table_find(&r->entry_names, text, strlen(text));
  if (slot && is_coupling(c, slot->value))
    return SEAM_OK;
  if (slot)
    return reader_fail(r, name, "only joints and forces between two subsystems are couplings",
                       "'%.60s' is not a coupling: it does not join two subsystems", text);
  char fix[128];
  nearest search = nearest_to(text);
  for (size_t i = 0; i < r->n_entries; i++)
    if (is_coupling(c, i))
      nearest_try(&search, r->entries[i].name);
  nearest_hint(&search, fix, sizeof fix);
  return reader_fail(r, name, fix, "unknown coupling '%.60s'", text);
}

static seam_status read_orders(const cosim_section *c, yaml_node *value, cosim_coupling_options *choice) {
  static const map_key order_keys[] = {{"force", true}, {"motion", true}};
  int *const orders[] = {&choice->force_order, &choice->motion_order};
  yaml_node *values[2];
  seam_status status = reader_take_map(c->r, value, order_keys, 2, values);
  for (size_t i = 0; i < 2 && !status; i++) {
    size_t order = 0;
    status = reader_count(c->r, values[i], 0, COSIM_MAX_HOLD, &order);
    *orders[i] = (int)order;
  }
  choice->has_orders = true;
  return status;
}

static seam_status read_choice(cosim_section *c, yaml_node *value) {
  enum { SCHEME, ORDERS, SMOOTH, N_KEYS };
  static const map_key keys[N_KEYS] = {{"scheme", false}, {"orders", false}, {"smooth", false}};
  cosim_definition *options = c->options;
  yaml_node *values[N_KEYS];
  reader_set_subject(c->r, "couplings", NULL);
  seam_status status = cosim_section_check_coupling(c, value->key);
  if (status)
    return status;
  reader_set_subject(c->r, "coupling", value);
  const char *name = value->key->text;
  if (table_find(&c->couplings, name, strlen(name)))
    return reader_fail(c->r, value->key, "say it once", "%s is there twice", c->r->subject);
  cosim_coupling_options *new_one = (cosim_coupling_options *)&options->coupling_options[options->n_coupling_options];
  status = reader_take_map(c->r, value, keys, N_KEYS, values);
  if (!status && values[SCHEME])
    status = read_scheme_name(c, values[SCHEME], &new_one->scheme);
  if (!status && values[ORDERS])
    status = read_orders(c, values[ORDERS], new_one);
  if (!status)
    status = cosim_section_flag(c->r, values[SMOOTH], "false", "true", &new_one->smooth);
  if (status)
    return status;
  new_one->element = cosim_section_keep(c, name);
  if (!new_one->element || !table_add(&c->couplings, new_one->element, strlen(name), options->n_coupling_options))
    return reader_no_memory(c->r);
  options->n_coupling_options++;
  return SEAM_OK;
}

seam_status cosim_section_couplings(cosim_section *c, yaml_node *value) {
  if (value->kind != YAML_MAP)
    return reader_fail(c->r, value, "write {NAME: {scheme: ff-k1}}", "'couplings' must be a map");
  c->options->coupling_options = cosim_section_take(c, value->n_children, sizeof *c->options->coupling_options);
  if (!c->options->coupling_options)
    return reader_no_memory(c->r);
  seam_status status = SEAM_OK;
  for (yaml_node *child = value->first; child && !status; child = child->next)
    status = read_choice(c, child);
  return status;
}
