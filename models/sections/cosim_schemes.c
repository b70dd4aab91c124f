/* `scheme:` of `cosim:` and of couplings. */
#include "models/sections/cosim_section.h"

static const map_key kind_keys[] = {
    {"constitutive", false, &form_name, "", "scheme of cut force elements, such as ff-k1"},
    {"constraint", false, &form_name, "", "scheme of cut joints, such as ff-index2-k1"},
};
static const form form_kinds = {
    .name = "schemes", .meaning = "a scheme for each kind of coupling", FORM_KEYS(kind_keys)};
const form form_scheme = {FORM_ANY_OF(&form_name, &form_kinds)};

/* Kind of coupling for which a scheme is given; EITHER: for both kinds. */
typedef enum scheme_kind { CONSTITUTIVE, CONSTRAINT, EITHER } scheme_kind;

/* Reads a scheme; accepts NULL for a missing key. */
static seam_status read_scheme(const cosim_section *c, const yaml_node *value, scheme_kind kind, cosim_scheme *scheme) {
  static const struct {
    const char *name, *fix;
  } kinds[] = {[CONSTITUTIVE] = {"force elements", "take a scheme of force elements, such as ff-k1"},
               [CONSTRAINT] = {"joints", "take a scheme of joints, such as ff-index2-k1"}};
  const char *text = NULL;
  const seam_status status = reader_text(c->r, value, &text);
  if (text == NULL)
    return status;
  size_t column = 0;
  if (cosim_scheme_parse(text, scheme, &column, &c->r->cause) != SEAM_OK) {
    yaml_node at = *value;
    at.offset += column;
    return reader_fail(c->r, &at,
                       "write DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION], such as ff-k1, or "
                       "DECOMPOSITION-colloc-sSTAGES[-ITERATION], such as ff-colloc-s3",
                       "'%.60s' is not the name of a scheme: %s", text, c->r->cause.message);
  }
  if (kind == EITHER || scheme->at_both || kind == (scheme->at_constraint ? CONSTRAINT : CONSTITUTIVE))
    return SEAM_OK;
  return reader_fail(c->r, value, kinds[kind].fix, "'%.60s' is a scheme of %s, not of %s", value->text,
                     kinds[1 - kind].name, kinds[kind].name);
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
    status = reader_map(c->r, value, kind_keys, 2, values);
  for (int kind = 0; kind < 2 && status == SEAM_OK; kind++)
    status = read_scheme(c, values[kind], (scheme_kind)kind, &c->of_kind[kind]);
  c->options.constitutive_scheme = c->of_kind[CONSTITUTIVE].name;
  c->options.constraint_scheme = c->of_kind[CONSTRAINT].name;
  return status;
}

/* Parses the schemes of single couplings, which are read later. An invalid name is ignored here; the later reader
 * rejects it. */
bool cosim_section_collocates(const cosim_section *c, const yaml_node *couplings) {
  bool any = false;
  bool all = true;
  for (const cosim_scheme *scheme = c->of_kind; scheme < c->of_kind + 2; scheme++) {
    any = any || scheme->name != NULL;
    all = all && (scheme->name == NULL || scheme->method == COSIM_COLLOCATION);
  }
  for (const yaml_node *one = yaml_first(couplings, YAML_MAP); one != NULL; one = one->next) {
    const yaml_node *scheme = yaml_get(one, "scheme");
    const bool is_given = scheme != NULL && scheme->text != NULL;
    cosim_scheme parsed;
    any = any || is_given;
    all = all && !(is_given && cosim_scheme_parse(scheme->text, &parsed, NULL, NULL) == SEAM_OK &&
                   parsed.method != COSIM_COLLOCATION);
  }
  return any && all;
}
