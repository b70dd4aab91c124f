#include "models/sections/repeat_ranges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INDICES = 4, LONGEST_TEXT = 1000 /* bytes of a name or text that contains {expression} */ };

const form form_range = {.kind = FORM_NAMED,
                         .name = "range",
                         .meaning = "indices, each with its first and last value",
                         .least = 1,
                         .of = &form_2_numbers};

static seam_status read_range(reader *r, yaml_node *value, const index_values *outer, double range[2]) {
  static const char *const of_laws[] = {"s", "v", "t"};
  const yaml_node *key = value->key;
  const char *name = key->text;
  TRY(reader_check_name(r, key, true));
  if (outer != NULL && reader_index_of(outer->names, outer->n, name) < outer->n)
    return reader_fail(r, key, "choose another name", "the index '%.60s' is already that of the enclosing repeat",
                       name);
  if (expression_is_reserved(name) || table_find(&r->scope.parameters, name, strlen(name)) != NULL ||
      reader_index_of(of_laws, 3, name) < 3)
    return reader_fail(r, key, "choose another name",
                       "the index '%.60s' has the name of a parameter, a function, a constant or a variable of laws",
                       name);
  TRY(reader_vector(r, value, ANY_NUMBER, 2, range));
  for (int i = 0; i < 2; i++)
    if (range[i] != floor(range[i]) || fabs(range[i]) > 1e9)
      return reader_fail(r, i == 0 ? value->first : value->last, NULL,
                         "the range of '%.60s' must be two whole numbers, but has %.6g", name, range[i]);
  return SEAM_OK;
}

seam_status repeat_read_ranges(reader *r, yaml_node *map, repeat_ranges *ranges) {
  *ranges = (repeat_ranges){.outer = map->indices, .count = 1};
  if (map->kind != YAML_MAP || map->n_children == 0 || map->n_children > MAX_INDICES)
    return reader_fail(r, map, "write {i: [1, N]}", "'for' must be a map of one to %d indices", MAX_INDICES);
  const size_t n_outer = map->indices != NULL ? map->indices->n : 0;
  ranges->names = reader_allocate(r, map->n_children + n_outer, sizeof *ranges->names);
  ranges->limits = reader_allocate(r, map->n_children, sizeof *ranges->limits);
  TRY(reader_check_memory(r, ranges->names != NULL && ranges->limits != NULL));
  for (yaml_node *value = map->first; value != NULL; value = value->next) {
    double *limits = ranges->limits[ranges->n];
    TRY(read_range(r, value, map->indices, limits));
    ranges->names[ranges->n++] = value->key->text;
    ranges->count *= fmax(limits[1] - limits[0] + 1, 0);
  }
  for (size_t i = 0; i < n_outer; i++)
    ranges->names[ranges->n + i] = map->indices->names[i];
  return SEAM_OK;
}

index_values *repeat_indices(reader *r, const repeat_ranges *ranges, size_t number) {
  const size_t n_outer = ranges->outer != NULL ? ranges->outer->n : 0;
  index_values *indices = reader_allocate(r, 1, sizeof *indices);
  double *values = reader_allocate(r, ranges->n + n_outer, sizeof *values);
  if (indices == NULL || values == NULL)
    return NULL;
  for (size_t i = 0; i < n_outer; i++)
    values[ranges->n + i] = ranges->outer->values[i];
  for (size_t i = ranges->n; i-- > 0;) {
    const size_t length = (size_t)(ranges->limits[i][1] - ranges->limits[i][0] + 1);
    values[i] = ranges->limits[i][0] + (double)(number % length);
    number /= length;
  }
  *indices = (index_values){.n = ranges->n + n_outer, .names = ranges->names, .values = values};
  return indices;
}

/* Replaces each {expression} in a node's text by its integer value. */
static seam_status fill_in(reader *r, const yaml_node *node, const char **text) {
  const char *tail = node->text;
  if (strchr(tail, '{') == NULL)
    return SEAM_OK;
  if (strlen(tail) > LONGEST_TEXT)
    return reader_fail(r, node, NULL, "a text with {...} is longer than %d bytes", LONGEST_TEXT);
  char filled[8 * LONGEST_TEXT]; /* {i}, 3 bytes, becomes at most 17 bytes */
  size_t used = 0;
  for (const char *brace = strchr(tail, '{'); brace != NULL; brace = strchr(tail, '{')) {
    const char *end = strchr(brace, '}');
    if (end == NULL)
      return reader_fail(r, node, "close it with }", "'{' without '}' in '%.60s'", node->text);
    double value = 0;
    yaml_node inside = *node;
    inside.key = NULL;
    inside.text = arena_text(r->memory, brace + 1, (size_t)(end - brace - 1));
    inside.offset += (size_t)(brace + 1 - node->text);
    TRY(reader_check_memory(r, inside.text != NULL));
    reader_set_subject(r, "repeat", NULL);
    TRY(reader_number(r, &inside, ANY_NUMBER, &value));
    if (value != floor(value) || fabs(value) > 1e15)
      return reader_fail(r, node, NULL, "'{%.60s}' must be a whole number, but is %.6g", inside.text, value);
    used += (size_t)snprintf(filled + used, sizeof filled - used, "%.*s%.0f", (int)(brace - tail), tail, value + 0.0);
    tail = end + 1;
  }
  used += (size_t)snprintf(filled + used, sizeof filled - used, "%s", tail);
  *text = arena_text(r->memory, filled, used);
  return reader_check_memory(r, *text != NULL);
}

/* Returns true for a map with a key `for`, whose texts are filled later, with its own ranges. */
static bool repeats_itself(const yaml_node *map) {
  const yaml_node *ranges = map->kind == YAML_MAP ? yaml_get(map, "for") : NULL;
  return ranges != NULL && ranges->kind == YAML_MAP;
}

/* The recursion is as deep as the tree, which yaml_parse() limits. */
seam_status repeat_copy(reader *r, const yaml_node *from, const index_values *indices, bool fills, yaml_node **copy) {
  yaml_node *node = yaml_new(r->memory, from->kind, from);
  TRY(reader_check_memory(r, node != NULL));
  node->indices = indices;
  *copy = node;
  if (from->kind == YAML_SCALAR) {
    node->text = from->text;
    return node->text != NULL && fills ? fill_in(r, node, &node->text) : SEAM_OK;
  }
  fills = fills && !repeats_itself(from);
  for (const yaml_node *child = from->first; child != NULL; child = child->next) {
    yaml_node *key = NULL;
    yaml_node *value = NULL;
    if (child->key != NULL)
      TRY(repeat_copy(r, child->key, indices, fills, &key));
    TRY(repeat_copy(r, child, indices, fills, &value));
    yaml_append(node, value, key);
  }
  return SEAM_OK;
}

seam_status repeat_fill_in(reader *r, yaml_node *node) {
  if (node->kind == YAML_SCALAR)
    return node->text != NULL ? fill_in(r, node, &node->text) : SEAM_OK;
  if (repeats_itself(node))
    return SEAM_OK;
  for (yaml_node *child = node->first; child != NULL; child = child->next) {
    if (child->key != NULL && strchr(child->key->text, '{') != NULL) {
      yaml_node *key = yaml_new(r->memory, YAML_SCALAR, child->key);
      TRY(reader_check_memory(r, key != NULL));
      TRY(fill_in(r, child->key, &key->text));
      child->key = key;
    }
    TRY(repeat_fill_in(r, child));
  }
  return SEAM_OK;
}
