/* `--set key.path=value`: values that replace or add values of the file before any expression is evaluated.
 *
 * A path descends the maps of the file. Named elements must exist. Missing keys below them are added, and checked later
 * like those of the file. */
#include <stdio.h>
#include <string.h>

#include "models/reader.h"
#include "models/sections/repeat_ranges.h"

enum { LONGEST_PATH = 256 };

/* Sections with named entries. */
static const struct {
  const char *section, *noun; /* noun: word for an entry, which must exist; NULL: the reader of the section checks it */
  bool of_entries;            /* overrides are applied after repeats, which may generate entries */
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
  const form *file_form; /* form of the entire file */
  yaml_node position;    /* position for messages about the option */
  size_t section;        /* index into `named`; N_NAMED: none */
} override;

static seam_status check_first(const override *o, const char *key) {
  nearest search = nearest_to(key);
  for (size_t i = 0; i < o->file_form->n; i++) {
    if (strcmp(o->file_form->keys[i].name, key) == 0)
      return SEAM_OK;
    nearest_try(&search, o->file_form->keys[i].name);
  }
  if (yaml_get(yaml_get(o->r->root, "parameters"), key) != NULL) {
    char fix[128];
    snprintf(fix, sizeof fix, "did you mean 'parameters.%.60s'?", key);
    return reader_fail(o->r, &o->position, fix, "there is no key '%.60s'", key);
  }
  return reader_fail_unknown(o->r, &o->position, &search, "", "there is no key '%.60s'", key);
}

/* Requires that the entry `key` exists. The message proposes the nearest name, or lists the names of the section. */
static seam_status check_second(const override *o, const yaml_node *section, const char *key) {
  if (o->section == N_NAMED || named[o->section].noun == NULL || yaml_get(section, key) != NULL)
    return SEAM_OK;
  char fix[200] = "known:";
  nearest search = nearest_to(key);
  if (section->n_children == 0)
    snprintf(fix, sizeof fix, "this section of the file is empty: write all its entries, --set '%s={%.60s: ...}'",
             named[o->section].section, key);
  for (const yaml_node *child = section->first; child != NULL; child = child->next) {
    const size_t used = strlen(fix);
    nearest_try(&search, child->key->text);
    snprintf(fix + used, sizeof fix - used, "%s %.60s", child == section->first ? "" : ",", child->key->text);
  }
  return reader_fail_unknown(o->r, &o->position, &search, fix, "there is no %s '%.60s'", named[o->section].noun, key);
}

/* Replaces the value at a path, and adds maps that are missing on the path. */
static seam_status replace(const override *o, char *path, const yaml_node *value) {
  reader *r = o->r;
  yaml_node *at = r->root;
  char *tail = path;
  for (size_t level = 0; tail != NULL; level++) {
    const char *key = tail;
    tail = strchr(tail, '.');
    if (tail != NULL)
      *tail++ = '\0';
    if (*key == '\0')
      return reader_fail(r, &o->position, "write --set key.path=value",
                         "the path before '=' has two dots in a row, or a dot at its beginning or end");
    if (at->kind != YAML_MAP) {
      char fix[200];
      char is[64];
      const char *name = at->key != NULL ? at->key->text : "";
      snprintf(is, sizeof is, at->text != NULL ? "'%.60s'" : "%.60s", at->text != NULL ? at->text : yaml_kind_text(at));
      snprintf(fix, sizeof fix, "set '%.60s' as a whole, as in '%.60s={%.60s: ...}'", name, name, key);
      return reader_fail(r, &o->position, fix, "'%.60s' is %s, not a map, and so cannot contain '%.60s'", name, is,
                         key);
    }
    TRY(level == 0 ? check_first(o, key) : level == 1 ? check_second(o, at, key) : SEAM_OK);
    yaml_node *child = yaml_get(at, key);
    if (child != NULL && yaml_is_empty(child))
      child->kind = YAML_MAP;
    if (child == NULL) {
      yaml_node *name = yaml_new(r->memory, YAML_SCALAR, &o->position);
      child = yaml_new(r->memory, YAML_MAP, &o->position);
      TRY(reader_check_memory(r, name != NULL && child != NULL));
      name->text = key;
      yaml_append(at, child, name);
    }
    at = child;
  }
  yaml_node *next = at->next;
  const yaml_node *key = at->key;
  *at = *value;
  at->next = next;
  at->key = key;
  return SEAM_OK;
}

seam_status overrides_apply(reader *r, const form *file_form, const char *const *overrides, size_t n_overrides,
                            bool to_entries) {
  for (size_t i = 0; i < n_overrides; i++) {
    const char *text = overrides[i];
    override o = {.r = r, .file_form = file_form};
    for (; o.section < N_NAMED; o.section++) {
      const size_t length = strlen(named[o.section].section);
      if (strncmp(text, named[o.section].section, length) == 0 && text[length] == '.')
        break;
    }
    if ((o.section < N_NAMED && named[o.section].of_entries) != to_entries)
      continue;
    const char *sign = strchr(text, '=');
    if (sign == NULL || sign == text || sign - text > LONGEST_PATH || strlen(sign + 1) > YAML_LARGEST)
      return seam_fail(r->error, SEAM_BAD_INPUT, "--set %.100s: error: this is not 'key.path=value'", text);
    char *path = arena_text(r->memory, text, (size_t)(sign - text));
    source *from = reader_allocate(r, 1, sizeof *from);
    const char *name = path != NULL ? arena_print(r->memory, "--set %s", path) : NULL;
    TRY(reader_check_memory(r, from != NULL && name != NULL));
    *from = (source){.name = name, .text = sign + 1, .length = strlen(sign + 1), .is_option = true};
    o.position = (yaml_node){.from = from};
    yaml_node *value = NULL;
    TRY(yaml_parse(from, r->memory, &value, r->error));
    if (value == NULL)
      return reader_fail(r, &o.position, "write --set key.path=value", "the value is missing");
    if (to_entries) /* else repeat_expand(), later, fills in the entire file */
      TRY(repeat_fill_in(r, value));
    TRY(replace(&o, path, value));
  }
  return SEAM_OK;
}
