/* `couplings:` of `cosim:`: single elements between two subsystems. */
#include <string.h>

#include "base/nearest.h"
#include "base/then.h"
#include "models/sections/cosim_section.h"

static const form form_hold = {.kind = FORM_COUNT, .least = 0, .most = COSIM_MAX_HOLD};
static const map_key order_keys[] = {
    {"force", true, &form_hold, "", "order of the hold of forces"},
    {"motion", true, &form_hold, "", "order of the hold of motions"},
};
static const form form_orders = {.name = "orders", .meaning = "orders of the holds", FORM_KEYS(order_keys)};

enum { SCHEME, ORDERS, SMOOTH, N_KEYS };
static const map_key keys[N_KEYS] = {
    [SCHEME] = {"scheme", false, &form_name, "", "scheme of this coupling; default: that of its kind"},
    [ORDERS] = {"orders", false, &form_orders, "",
                "orders of the holds of an exchanged coupling, in place of the scheme's k"},
    [SMOOTH] = {"smooth", false, &form_flag, "",
                "let jumps of an exchanged coupling fade over a macro step; default: false"},
};
static const form form_coupling = {.name = "coupling", .meaning = "a single coupling", FORM_KEYS(keys)};
static const form *const either[] = {&form_coupling, &form_part_coupling};
static const form form_any_coupling = {FORM_FORMS(either)};
const form form_couplings = {.kind = FORM_NAMED, .least = 1, .of = &form_any_coupling};

seam_status cosim_section_check_coupling(const cosim_section *c, const yaml_node *name) {
  reader *r = c->r;
  const char *text = NULL;
  const seam_status status = reader_text(r, name, &text);
  if (status != SEAM_OK)
    return status;
  if (table_find(&c->cuts, text, strlen(text)))
    return SEAM_OK;
  if (table_find(&r->entry_names, text, strlen(text)))
    return reader_fail(r, name, "only joints and forces between two subsystems are couplings",
                       "'%.60s' is not a coupling: it does not join two subsystems", text);
  char fix[128];
  nearest search = nearest_to(text);
  for (size_t i = 0; i < r->n_entries; i++)
    if (table_find(&c->cuts, r->entries[i].name, strlen(r->entries[i].name)))
      nearest_try(&search, r->entries[i].name);
  nearest_hint(&search, fix, sizeof fix);
  return reader_fail(r, name, fix, "unknown coupling '%.60s'", text);
}

static seam_status read_orders(const cosim_section *c, yaml_node *value, cosim_coupling_options *options) {
  int *const orders[] = {&options->force_order, &options->motion_order};
  yaml_node *values[2];
  seam_status status = reader_take_map(c->r, value, order_keys, 2, values);
  for (size_t i = 0; i < 2 && status == SEAM_OK; i++) {
    size_t order = 0;
    status = reader_count(c->r, values[i], 0, COSIM_MAX_HOLD, &order);
    *orders[i] = (int)order;
  }
  options->has_orders = true;
  return status;
}

static bool is_joint(const cosim_section *c, const char *coupling) {
  const table_slot *slot = table_find(&c->r->entry_names, coupling, strlen(coupling));
  return slot != NULL && c->r->entries[slot->value].kind == ENTRY_JOINT;
}

static seam_status read_coupling(cosim_section *c, yaml_node *value) {
  yaml_node *values[N_KEYS];
  cosim_coupling_options options = cosim_default_coupling_options();
  options.element = value->key->text;
  reader_set_subject(c->r, "couplings", NULL);
  seam_status status = cosim_section_check_coupling(c, value->key);
  THEN(status, cosim_section_once(c, &c->coupled, value->key, "coupling", options.element));
  reader_set_subject(c->r, "coupling", value);
  THEN(status, reader_take_map(c->r, value, keys, N_KEYS, values));
  if (status == SEAM_OK && values[SCHEME])
    status = cosim_section_scheme_name(c, values[SCHEME], is_joint(c, options.element), &options.scheme);
  if (status == SEAM_OK && values[ORDERS])
    status = read_orders(c, values[ORDERS], &options);
  THEN(status, cosim_section_flag(c->r, values[SMOOTH], &options.smooth));
  return status != SEAM_OK ? status : cosim_set_coupling(c->builder, &options, c->r->error);
}

seam_status cosim_section_couplings(cosim_section *c, yaml_node *value) {
  if (value->kind != YAML_MAP)
    return reader_fail(c->r, value, "write {NAME: {scheme: ff-k1}}", "'couplings' must be a map");
  seam_status status = SEAM_OK;
  for (yaml_node *child = value->first; child && status == SEAM_OK; child = child->next)
    status = child->kind == YAML_MAP && yaml_get(child, "sides") != NULL ? cosim_section_part_coupling(c, child)
                                                                         : read_coupling(c, child);
  return status;
}
