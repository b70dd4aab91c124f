/* `scheme:` and `couplings:` of `cosim:`: schemes of the elements between two subsystems. */
#include <string.h>

#include "base/nearest.h"
#include "models/sections/cosim_section.h"

static const map_key kind_keys[] = {
    {"constitutive", false, &form_name, "", "of force elements, such as ff-k1"},
    {"constraint", false, &form_name, "", "of joints, such as ff-index2-k1"},
};
static const form form_kinds = {
    .name = "schemes", .meaning = "a scheme for each kind of coupling", FORM_KEYS(kind_keys)};
static const form *const schemes[] = {&form_name, &form_kinds};
const form form_scheme = {FORM_FORMS(schemes)};

static const form form_hold = {.kind = FORM_COUNT, .least = 0, .most = COSIM_MAX_HOLD};
static const map_key order_keys[] = {
    {"force", true, &form_hold, "", "order of the hold of forces"},
    {"motion", true, &form_hold, "", "order of the hold of motions"},
};
static const form form_orders = {.name = "orders", .meaning = "orders of the holds", FORM_KEYS(order_keys)};

enum { SCHEME, ORDERS, SMOOTH, N_KEYS };
static const map_key keys[N_KEYS] = {
    [SCHEME] = {"scheme", false, &form_name, "", "scheme; default: that of its kind"},
    [ORDERS] = {"orders", false, &form_orders, "", "of an exchanged coupling, in place of the scheme's order"},
    [SMOOTH] = {"smooth", false, &form_flag, "", "of an exchanged coupling: jumps fade over a step; default: false"},
};
static const form form_coupling = {.name = "coupling", .meaning = "a single coupling", FORM_KEYS(keys)};
static const form *const either[] = {&form_coupling, &form_part_coupling};
static const form form_any_coupling = {FORM_FORMS(either)};
const form form_couplings = {.kind = FORM_NAMED, .least = 1, .of = &form_any_coupling};

/* Of couplings of one kind, or of either. */
typedef enum scheme_kind { CONSTITUTIVE, CONSTRAINT, EITHER } scheme_kind;

static seam_status check_kind(const cosim_section *c, const yaml_node *value, const cosim_scheme *scheme,
                              scheme_kind kind) {
  static const struct {
    const char *name, *fix;
  } kinds[] = {[CONSTITUTIVE] = {"force elements", "take a scheme of force elements, such as ff-k1"},
               [CONSTRAINT] = {"joints", "take a scheme of joints, such as ff-index2-k1"}};
  if (kind == EITHER || scheme->at_both || kind == (scheme->at_constraint ? CONSTRAINT : CONSTITUTIVE))
    return SEAM_OK;
  return reader_fail(c->r, value, kinds[kind].fix, "'%.60s' is a scheme of %s, not of %s", value->text,
                     kinds[1 - kind].name, kinds[kind].name);
}

static seam_status read_scheme(const cosim_section *c, const yaml_node *value, scheme_kind kind, cosim_scheme *scheme) {
  const char *text = NULL;
  const seam_status status = reader_text(c->r, value, &text);
  if (status != SEAM_OK)
    return status;
  size_t column = 0;
  seam_error cause = {0};
  if (cosim_scheme_parse(text, scheme, &column, &cause) != SEAM_OK) {
    yaml_node at = *value;
    at.offset += column;
    return reader_fail(c->r, &at,
                       "write DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION], such as ff-k1, or "
                       "DECOMPOSITION-colloc-sSTAGES[-ITERATION], such as ff-colloc-s3",
                       "'%.60s' is not the name of a scheme: %s", text, cause.message);
  }
  return check_kind(c, value, scheme, kind);
}

seam_status cosim_section_scheme_name(const cosim_section *c, const yaml_node *value, bool at_joint,
                                      const char **name) {
  cosim_scheme scheme = {0};
  const seam_status status = read_scheme(c, value, at_joint ? CONSTRAINT : CONSTITUTIVE, &scheme);
  *name = scheme.name;
  return status;
}

seam_status cosim_section_scheme(cosim_section *c, yaml_node *value) {
  yaml_node *values[2] = {NULL, NULL};
  seam_status status = SEAM_OK;
  if (value->kind != YAML_MAP) {
    status = read_scheme(c, value, EITHER, &c->of_kind[CONSTITUTIVE]);
    c->of_kind[CONSTRAINT] = c->of_kind[CONSTITUTIVE];
  } else
    status = reader_take_map(c->r, value, kind_keys, 2, values);
  for (int kind = 0; kind < 2 && status == SEAM_OK; kind++)
    if (values[kind] != NULL)
      status = read_scheme(c, values[kind], (scheme_kind)kind, &c->of_kind[kind]);
  c->options.constitutive_scheme = c->of_kind[CONSTITUTIVE].name;
  c->options.constraint_scheme = c->of_kind[CONSTRAINT].name;
  return status;
}

/* Schemes of single couplings are looked at ahead; a text that does not name one is refused where it is read. */
bool cosim_section_collocates(const cosim_section *c, const yaml_node *couplings) {
  bool any = false;
  bool all = true;
  for (const cosim_scheme *scheme = c->of_kind; scheme < c->of_kind + 2; scheme++) {
    any = any || scheme->name != NULL;
    all = all && (scheme->name == NULL || scheme->method == COSIM_COLLOCATION);
  }
  const bool is_map = couplings != NULL && couplings->kind == YAML_MAP;
  for (const yaml_node *coupling = is_map ? couplings->first : NULL; coupling != NULL; coupling = coupling->next) {
    const yaml_node *scheme = coupling->kind == YAML_MAP ? yaml_get(coupling, "scheme") : NULL;
    const bool is_given = scheme != NULL && scheme->text != NULL;
    cosim_scheme parsed;
    any = any || is_given;
    all = all && !(is_given && cosim_scheme_parse(scheme->text, &parsed, NULL, NULL) == SEAM_OK &&
                   parsed.method != COSIM_COLLOCATION);
  }
  return any && all;
}

/* ---- Single couplings -------------------------------------------------------------------------------------------- */

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
  if (status == SEAM_OK)
    status = cosim_section_once(c, &c->coupled, value->key, "coupling", options.element);
  reader_set_subject(c->r, "coupling", value);
  if (status == SEAM_OK)
    status = reader_take_map(c->r, value, keys, N_KEYS, values);
  if (status == SEAM_OK && values[SCHEME])
    status = cosim_section_scheme_name(c, values[SCHEME], is_joint(c, options.element), &options.scheme);
  if (status == SEAM_OK && values[ORDERS])
    status = read_orders(c, values[ORDERS], &options);
  if (status == SEAM_OK)
    status = cosim_section_flag(c->r, values[SMOOTH], &options.smooth);
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
