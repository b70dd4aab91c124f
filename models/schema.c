/* Writes a JSON Schema (draft-07) of model files from the tables of keys that the readers use.
 *
 * Named forms, and types of joints and force elements, become definitions. The schema rejects unknown keys and values
 * of a wrong kind. It accepts all files that the reader accepts, and some others. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/argument.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/then.h"
#include "models/sections/elements.h"

enum { MAX_KEYS = 64 }; /* largest number of keys of a map, and of types of a family */

/* A definition of the schema: a named form, or a type of a family of elements. */
typedef struct definition {
  const form *form;
  const element_family *family;
  const element_type *type;
  struct definition *next;
} definition;

typedef struct writer {
  json_writer json;
  arena memory;
  definition *first, *last; /* linked list of the definitions that have been referred to */
  bool no_memory;
} writer;

static void write_name(const definition *d, const char *prefix, char *name, size_t size) {
  if (d->type != NULL)
    snprintf(name, size, "%s%s_%s", prefix, d->family->noun, d->type->name);
  else
    snprintf(name, size, "%s%s", prefix, d->form->name);
}

/* Writes a reference to a definition, and lists the definition. */
static void refer(writer *w, definition to) {
  char address[160];
  write_name(&to, "#/definitions/", address, sizeof address);
  json_string(&w->json, "$ref", address);
  for (const definition *d = w->first; d != NULL; d = d->next)
    if (d->form == to.form && d->type == to.type)
      return;
  definition *added = arena_allocate(&w->memory, sizeof *added);
  w->no_memory |= added == NULL;
  if (added == NULL)
    return;
  *added = to;
  *(w->last != NULL ? &w->last->next : &w->first) = added;
  w->last = added;
}

static void write_content(writer *w, const form *of);

static void write_description(writer *w, const char *unit, const char *meaning) {
  char text[512];
  if (meaning == NULL)
    return;
  snprintf(text, sizeof text, unit != NULL && unit[0] != '\0' ? "%s [%s]" : "%s", meaning, unit);
  json_string(&w->json, "description", text);
}

/* Writes a form as an object under `key`. */
// NOLINTNEXTLINE(misc-no-recursion)
static void write_form(writer *w, const char *key, const form *of, const char *unit, const char *meaning) {
  json_open(&w->json, key, '{');
  write_description(w, unit, meaning);
  if (of->name != NULL)
    refer(w, (definition){.form = of});
  else
    write_content(w, of);
  json_close(&w->json, '}');
}

static void write_texts(writer *w, const char *key, const char *const *texts, size_t n) {
  json_open(&w->json, key, '[');
  for (size_t i = 0; i < n; i++)
    json_string(&w->json, NULL, texts[i]);
  json_close(&w->json, ']');
}

/* Writes two alternatives: a number within bounds, or an expression, a string. */
static void write_bounded(writer *w, const form *of) {
  json_open(&w->json, "anyOf", '[');
  json_open(&w->json, NULL, '{');
  json_string(&w->json, "type", of->kind == FORM_COUNT ? "integer" : "number");
  if (of->kind == FORM_COUNT) {
    json_count(&w->json, "minimum", of->least);
    json_count(&w->json, "maximum", of->most);
  } else {
    json_count(&w->json, of->within == POSITIVE && of->least == 0 ? "exclusiveMinimum" : "minimum", of->least);
  }
  json_close(&w->json, '}');
  json_open(&w->json, NULL, '{');
  json_string(&w->json, "type", "string");
  json_close(&w->json, '}');
  json_close(&w->json, ']');
}

static void write_no_others(writer *w) { json_raw(&w->json, "additionalProperties", "false"); }

// NOLINTNEXTLINE(misc-no-recursion)
static void write_map(writer *w, const form *of) {
  const char *required[MAX_KEYS];
  size_t n_required = 0;
  json_string(&w->json, "type", "object");
  json_open(&w->json, "properties", '{');
  for (const map_key *key = of->keys; key < of->keys + of->n; key++) {
    if (key->form != NULL)
      write_form(w, key->name, key->form, key->unit, key->meaning);
    if (key->required)
      required[n_required++] = key->name;
  }
  json_close(&w->json, '}');
  if (n_required > 0)
    write_texts(w, "required", required, n_required);
  write_no_others(w);
}

static void write_constant_type(writer *w, const char *name) {
  json_open(&w->json, "type", '{');
  json_string(&w->json, "const", name);
  json_close(&w->json, '}');
}

static void write_elements(writer *w, const element_family *family) {
  const char *names[MAX_KEYS] = {NULL};
  for (size_t i = 0; i < family->n_types; i++)
    names[i] = family->types[i]->name;
  json_string(&w->json, "type", "object");
  json_raw(&w->json, "required", "[\"type\"]");
  json_open(&w->json, "properties", '{');
  json_open(&w->json, "type", '{');
  write_texts(w, "enum", names, family->n_types);
  json_close(&w->json, '}');
  json_close(&w->json, '}');
  json_open(&w->json, "allOf", '[');
  for (size_t i = 0; i < family->n_types; i++) {
    json_open(&w->json, NULL, '{');
    json_open(&w->json, "if", '{');
    json_open(&w->json, "properties", '{');
    write_constant_type(w, names[i]);
    json_close(&w->json, '}');
    json_close(&w->json, '}');
    json_open(&w->json, "then", '{');
    refer(w, (definition){.family = family, .type = family->types[i]});
    json_close(&w->json, '}');
    json_close(&w->json, '}');
  }
  json_close(&w->json, ']');
}

static void write_element_type(writer *w, const element_type *type) {
  const form list = {.kind = FORM_LIST,
                     .least = type->min_bodies,
                     .most = type->max_bodies < SIZE_MAX ? type->max_bodies : 0,
                     .of = &form_name};
  const map_key *bodies = &element_common[ELEMENT_BODIES], *body = &element_common[ELEMENT_BODY];
  const char *required[N_ELEMENT_COMMON + ELEMENT_MAX_KEYS] = {element_common[ELEMENT_TYPE].name};
  size_t n_required = 1;
  json_string(&w->json, "type", "object");
  json_open(&w->json, "properties", '{');
  write_constant_type(w, type->name);
  write_form(w, bodies->name, &list, bodies->unit, bodies->meaning);
  if (type->min_bodies == 1)
    write_form(w, body->name, body->form, body->unit, body->meaning);
  else
    required[n_required++] = bodies->name;
  for (const element_key *key = type->keys; key < type->keys + type->n_keys; key++) {
    write_form(w, key->name, key->form, key->unit, key->meaning);
    if (key->required)
      required[n_required++] = key->name;
  }
  json_close(&w->json, '}');
  write_texts(w, "required", required, n_required);
  write_no_others(w);
}

// NOLINTNEXTLINE(misc-no-recursion)
static void write_content(writer *w, const form *of) {
  static const char *const texts[] = {"string", "number", "boolean"};
  static const char *const numbers[] = {"number", "string"};
  static const char *const maps[] = {"object", "null"};
  if (of->kind == FORM_TEXT) {
    write_texts(w, "type", texts, FORM_COUNT_OF(texts));
  } else if (of->kind == FORM_NAME) {
    json_string(&w->json, "type", "string");
  } else if (of->kind == FORM_NUMBER && of->within == ANY_NUMBER) {
    write_texts(w, "type", numbers, FORM_COUNT_OF(numbers));
  } else if (of->kind == FORM_NUMBER || of->kind == FORM_COUNT) {
    write_bounded(w, of);
  } else if (of->kind == FORM_FLAG) { /* in effective models flags are texts */
    json_raw(&w->json, "enum", "[true, false, \"true\", \"false\"]");
  } else if (of->kind == FORM_WORD) {
    write_texts(w, "enum", of->words, of->n);
  } else if (of->kind == FORM_LIST) {
    json_string(&w->json, "type", "array");
    write_form(w, "items", of->of, NULL, NULL);
    if (of->least > 0)
      json_count(&w->json, "minItems", of->least);
    if (of->most > 0)
      json_count(&w->json, "maxItems", of->most);
  } else if (of->kind == FORM_NAMED) {
    if (of->least == 0)
      write_texts(w, "type", maps, FORM_COUNT_OF(maps));
    else
      json_string(&w->json, "type", "object");
    write_form(w, "additionalProperties", of->of, NULL, NULL);
  } else if (of->kind == FORM_MAP) {
    write_map(w, of);
  } else if (of->kind == FORM_ELEMENTS) {
    write_elements(w, of->family);
  } else if (of->kind == FORM_EITHER) {
    json_open(&w->json, "anyOf", '[');
    for (size_t i = 0; i < of->n; i++)
      write_form(w, NULL, of->forms[i], NULL, NULL);
    json_close(&w->json, ']');
  } else {
    json_string(&w->json, "type", "null");
  }
}

seam_status seam_model_schema(char **text, seam_error *error) {
  ARGUMENTS(error, text);
  char *made = NULL;
  size_t size = 0;
  writer w = {.json.file = memory_stream_open(&made, &size)};
  TRY(seam_check_memory(w.json.file != NULL, error));
  json_open(&w.json, NULL, '{');
  json_string(&w.json, "$schema", "http://json-schema.org/draft-07/schema#");
  json_string(&w.json, "title", "Seam: a model file");
  write_content(&w, &form_file);
  json_open(&w.json, "definitions", '{');
  for (const definition *d = w.first; d != NULL; d = d->next) {
    char name[128];
    write_name(d, "", name, sizeof name);
    json_open(&w.json, name, '{');
    write_description(&w, NULL, d->type != NULL ? d->type->meaning : d->form->meaning);
    if (d->type != NULL)
      write_element_type(&w, d->type);
    else
      write_content(&w, d->form);
    json_close(&w.json, '}');
  }
  json_close(&w.json, '}');
  json_close(&w.json, '}');
  arena_release(&w.memory);
  if (memory_stream_close(w.json.file, &made) && !w.no_memory) {
    *text = made;
    return SEAM_OK;
  }
  free(made);
  return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
}
