/* `--set key.path=value`: values that replace or complete those of the file before any evaluation.
 *
 * A path descends the maps of the file. Named elements must exist; deeper keys are added if missing, and are then
 * checked by the section's table of keys like keys of the file. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/then.h"
#include "models/reader.h"
#include "models/sections/repeat_ranges.h"

enum { LONGEST_PATH = 256 };

/* Sections with named entries, which must exist, and two whose entries have keys of their own. */
static const struct {
  const char *section, *noun; /* NULL: names are not checked here */
  bool of_entries;            /* repeats may generate the name: overrides are applied after repeats */
} named[] = {
    {"parameters", "parameter", false}, {"tables", "table", false},
    {"points", "point", true},          {"bodies", "body", true},
    {"joints", "joint", true},          {"forces", "force", true},
    {"measures", "measure", true},      {"events", "event", true},
    {"equations", NULL, true},          {"cosim", NULL, true},
};

enum { N_NAMED = sizeof named / sizeof *named };

typedef struct override {
  reader *r;
  const form *whole; /* form of the file */
  yaml_node place;   /* place of the whole option */
  const char *path;
  size_t section; /* row of `named`, or N_NAMED */
} override;

static seam_status fail_key(const override *o, const char *noun, const char *key, nearest *search) {
  char fix[128];
  nearest_hint(search, fix, sizeof fix);
  return reader_fail(o->r, &o->place, fix, "there is no %s '%.60s'", noun, key);
}

static seam_status fail_parameter(const override *o, const char *key) {
  char fix[128];
  snprintf(fix, sizeof fix, "did you mean 'parameters.%.60s'?", key);
  return reader_fail(o->r, &o->place, fix, "there is no key '%.60s'", key);
}

static seam_status check_first(const override *o, const char *key) {
  for (size_t i = 0; i < o->whole->n; i++)
    if (strcmp(o->whole->keys[i].name, key) == 0)
      return SEAM_OK;
  nearest search = nearest_to(key);
  for (size_t i = 0; i < o->whole->n; i++)
    nearest_try(&search, o->whole->keys[i].name);
  const yaml_node *parameters = yaml_get(o->r->root, "parameters");
  if (parameters != NULL && parameters->kind == YAML_MAP && yaml_get(parameters, key) != NULL)
    return fail_parameter(o, key);
  return fail_key(o, "key", key, &search);
}

static seam_status fail_section(const override *o, const char *key) {
  char fix[200];
  snprintf(fix, sizeof fix, "the file has none: write them all, --set '%s={%.60s: ...}'", named[o->section].section,
           key);
  return reader_fail(o->r, &o->place, fix, "there is no %s '%.60s'", named[o->section].noun, key);
}

/* Lists the names in the section. */
static seam_status fail_among(const override *o, const yaml_node *section, const char *key) {
  char fix[200] = "known:";
  for (const yaml_node *child = section->first; child != NULL; child = child->next) {
    const size_t used = strlen(fix);
    snprintf(fix + used, sizeof fix - used, "%s %.60s", child == section->first ? "" : ",", child->key->text);
  }
  return reader_fail(o->r, &o->place, fix, "there is no %s '%.60s'", named[o->section].noun, key);
}

static seam_status check_second(const override *o, const yaml_node *section, const char *key) {
  if (o->section == N_NAMED || named[o->section].noun == NULL || yaml_get(section, key) != NULL)
    return SEAM_OK;
  if (section->n_children == 0)
    return fail_section(o, key);
  nearest search = nearest_to(key);
  for (const yaml_node *child = section->first; child != NULL; child = child->next)
    nearest_try(&search, child->key->text);
  return search.name == NULL ? fail_among(o, section, key) : fail_key(o, named[o->section].noun, key, &search);
}

/* Goes to a child of a map; adds a missing one as an empty map. */
static seam_status descend(const override *o, yaml_node **at, const char *key) {
  reader *r = o->r;
  yaml_node *child = yaml_get(*at, key);
  if (child != NULL && child->kind == YAML_SCALAR && child->text == NULL)
    child->kind = YAML_MAP;
  if (child == NULL) {
    yaml_node *name = yaml_new(&r->memory, YAML_SCALAR, &o->place);
    child = yaml_new(&r->memory, YAML_MAP, &o->place);
    if (name == NULL || child == NULL)
      return reader_no_memory(r);
    name->text = key;
    yaml_append(*at, child, name);
  }
  *at = child;
  return SEAM_OK;
}

static void replace(yaml_node *old, const yaml_node *value) {
  yaml_node *next = old->next;
  const yaml_node *key = old->key;
  *old = *value;
  old->next = next;
  old->key = key;
}

static seam_status fail_parent(const override *o, const yaml_node *parent, const char *key) {
  char fix[200];
  const char *name = parent->key != NULL ? parent->key->text : "";
  char is[64];
  snprintf(is, sizeof is, parent->text != NULL ? "'%.60s'" : "%.60s",
           parent->text != NULL ? parent->text : yaml_kind_text(parent));
  snprintf(fix, sizeof fix, "set '%.60s' as a whole, as in '%.60s={%.60s: ...}'", name, name, key);
  return reader_fail(o->r, &o->place, fix, "'%.60s' is %s, not a map that could have '%.60s'", name, is, key);
}

static seam_status walk(const override *o, char *path, const yaml_node *value) {
  yaml_node *at = o->r->root;
  char *rest = path;
  for (size_t level = 0; rest != NULL; level++) {
    const char *key = rest;
    rest = strchr(rest, '.');
    if (rest != NULL)
      *rest++ = '\0';
    if (*key == '\0')
      return reader_fail(o->r, &o->place, "write --set key.path=value", "the path has an empty part");
    if (at->kind != YAML_MAP)
      return fail_parent(o, at, key);
    seam_status status = level == 0 ? check_first(o, key) : level == 1 ? check_second(o, at, key) : SEAM_OK;
    THEN(status, descend(o, &at, key));
    if (status != SEAM_OK)
      return status;
  }
  replace(at, value);
  return SEAM_OK;
}

static size_t section_of(const char *text) {
  size_t i = 0;
  while (i < N_NAMED &&
         (strncmp(text, named[i].section, strlen(named[i].section)) != 0 || text[strlen(named[i].section)] != '.'))
    i++;
  return i;
}

static seam_status apply(reader *r, const form *whole, const char *text, size_t section, bool to_entries) {
  const char *sign = strchr(text, '=');
  if (sign == NULL || sign == text || sign - text > LONGEST_PATH || strlen(sign + 1) > YAML_LARGEST)
    return seam_fail(r->error, SEAM_BAD_INPUT, "--set %.100s: error: this is not 'key.path=value'", text);
  const size_t length = (size_t)(sign - text);
  char *path = arena_text(&r->memory, text, length);
  source *from = arena_take(&r->memory, sizeof *from);
  char *name = arena_take(&r->memory, length + sizeof "--set ");
  if (path == NULL || from == NULL || name == NULL)
    return reader_no_memory(r);
  sprintf(name, "--set %s", path);
  *from = (source){.name = name, .text = sign + 1, .length = strlen(sign + 1), .is_option = true};

  yaml_node *value = NULL;
  const seam_status status = yaml_parse(from, &r->memory, &value, r->error);
  if (status != SEAM_OK)
    return status;
  const override o = {.r = r, .whole = whole, .place = {.from = from}, .path = path, .section = section};
  if (value == NULL)
    return reader_fail(r, &o.place, "write --set key.path=value", "the value is missing");
  const seam_status filled = to_entries ? repeat_fill_in(r, value) : SEAM_OK; /* else filled in later, with the file */
  return filled == SEAM_OK ? walk(&o, path, value) : filled;
}

seam_status overrides_apply(reader *r, const form *whole, const char *const *overrides, size_t n_overrides,
                            bool to_entries) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n_overrides && status == SEAM_OK; i++) {
    const size_t section = section_of(overrides[i]);
    const bool of_entries = section < N_NAMED && named[section].of_entries;
    if (of_entries == to_entries)
      status = apply(r, whole, overrides[i], section, to_entries);
  }
  return status;
}
