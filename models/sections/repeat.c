/* `repeat:` a list of blocks whose entries are generated for every combination of values of their indices.
 *
 *     repeat:
 *       - for: {i: [1, N], j: [1, 2]}      # the last index changes fastest
 *         bodies: {"link{i}_{j}": {...}}
 *         cosim: {signals: [{from: "link{i}.y", ...}]}
 *
 * Generated nodes are appended to the sections of the file, so later readers see no repeats. In names and texts, also
 * outside repeats, the integer value of `expression` replaces `{expression}`. Numbers and laws may use the indices like
 * parameters. */
#include "models/sections/repeat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/then.h"

/* ---- Ranges of indices ------------------------------------------------------------------------------------------- */

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
  seam_status status = reader_check_name(r, key, true);
  if (status != SEAM_OK)
    return status;
  if (outer != NULL && reader_index_of(outer->names, outer->n, name) < outer->n)
    return reader_fail(r, key, "choose another name", "the index '%.60s' is already that of the enclosing repeat",
                       name);
  if (expression_is_reserved(name) || table_find(&r->parameter_names, name, strlen(name)) != NULL ||
      reader_index_of(of_laws, 3, name) < 3)
    return reader_fail(r, key, "choose another name",
                       "the index '%.60s' has the name of a parameter, a function, a constant or a variable of laws",
                       name);
  status = reader_vector(r, value, ANY_NUMBER, 2, range);
  for (int i = 0; i < 2 && status == SEAM_OK; i++)
    if (range[i] != floor(range[i]) || fabs(range[i]) > 1e9)
      return reader_fail(r, i == 0 ? value->first : value->last, NULL,
                         "the range of '%.60s' must be two whole numbers, but has %.6g", name, range[i]);
  return status;
}

seam_status repeat_read_ranges(reader *r, yaml_node *map, repeat_ranges *ranges) {
  *ranges = (repeat_ranges){.outer = map->indices, .count = 1};
  if (map->kind != YAML_MAP || map->n_children == 0 || map->n_children > MAX_INDICES)
    return reader_fail(r, map, "write {i: [1, N]}", "'for' must be a map of one to %d indices", MAX_INDICES);
  const size_t n_outer = map->indices != NULL ? map->indices->n : 0;
  ranges->names = arena_allocate(&r->memory, (map->n_children + n_outer) * sizeof *ranges->names);
  ranges->limits = arena_allocate(&r->memory, map->n_children * sizeof *ranges->limits);
  if (ranges->names == NULL || ranges->limits == NULL)
    return reader_no_memory(r);
  for (yaml_node *value = map->first; value != NULL; value = value->next) {
    double *limits = ranges->limits[ranges->n];
    const seam_status status = read_range(r, value, map->indices, limits);
    if (status != SEAM_OK)
      return status;
    ranges->names[ranges->n++] = value->key->text;
    ranges->count *= fmax(limits[1] - limits[0] + 1, 0);
  }
  for (size_t i = 0; i < n_outer; i++)
    ranges->names[ranges->n + i] = map->indices->names[i];
  return SEAM_OK;
}

index_values *repeat_indices(reader *r, const repeat_ranges *ranges, size_t number) {
  const size_t n_outer = ranges->outer != NULL ? ranges->outer->n : 0;
  index_values *indices = arena_allocate(&r->memory, sizeof *indices);
  double *values = arena_allocate(&r->memory, (ranges->n + n_outer) * sizeof *values);
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

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

/* Replaces each {expression} in a node's text by its value, which must be an integer. */
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
    inside.text = arena_text(&r->memory, brace + 1, (size_t)(end - brace - 1));
    inside.offset += (size_t)(brace + 1 - node->text);
    if (inside.text == NULL)
      return reader_no_memory(r);
    reader_set_subject(r, "repeat", NULL);
    const seam_status status = reader_number(r, &inside, ANY_NUMBER, &value);
    if (status != SEAM_OK)
      return status;
    if (value != floor(value) || fabs(value) > 1e15)
      return reader_fail(r, node, NULL, "'{%.60s}' must be a whole number, but is %.6g", inside.text, value);
    used += (size_t)snprintf(filled + used, sizeof filled - used, "%.*s%.0f", (int)(brace - tail), tail, value + 0.0);
    tail = end + 1;
  }
  used += (size_t)snprintf(filled + used, sizeof filled - used, "%s", tail);
  *text = arena_text(&r->memory, filled, used);
  return *text != NULL ? SEAM_OK : reader_no_memory(r);
}

/* Returns true for a map with a key `for`. Its texts are replaced later, with its own ranges. */
static bool repeats_itself(const yaml_node *map) {
  const yaml_node *ranges = map->kind == YAML_MAP ? yaml_get(map, "for") : NULL;
  return ranges != NULL && ranges->kind == YAML_MAP;
}

/* The recursion is as deep as the tree, which yaml_parse() limits. */
seam_status repeat_copy(reader *r, const yaml_node *from, const index_values *indices, bool fills, yaml_node **copy) {
  yaml_node *node = yaml_new(&r->memory, from->kind, from);
  if (node == NULL)
    return reader_no_memory(r);
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
    seam_status status = child->key != NULL ? repeat_copy(r, child->key, indices, fills, &key) : SEAM_OK;
    THEN(status, repeat_copy(r, child, indices, fills, &value));
    if (status != SEAM_OK)
      return status;
    yaml_append(node, value, key);
  }
  return SEAM_OK;
}

seam_status repeat_fill_in(reader *r, yaml_node *node) {
  if (node->kind == YAML_SCALAR)
    return node->text != NULL ? fill_in(r, node, &node->text) : SEAM_OK;
  if (repeats_itself(node))
    return SEAM_OK;
  seam_status status = SEAM_OK;
  for (yaml_node *child = node->first; child != NULL && status == SEAM_OK; child = child->next) {
    if (child->key != NULL && strchr(child->key->text, '{') != NULL) {
      yaml_node *key = yaml_new(&r->memory, YAML_SCALAR, child->key);
      status = key != NULL ? fill_in(r, child->key, &key->text) : reader_no_memory(r);
      child->key = key != NULL ? key : child->key;
    }
    THEN(status, repeat_fill_in(r, child));
  }
  return status;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

enum { FOR, POINTS, BODIES, JOINTS, FORCES, MEASURES, EQUATIONS, EVENTS, COSIM, N_KEYS };

static const map_key cosim_keys[] = {
    {"subsystems", false, &form_subsystems, "", "more subsystems"},
    {"couplings", false, &form_couplings, "", "more couplings"},
    {"signals", false, &form_signals, "", "more signals"},
    {"bonds", false, &form_bonds, "", "more bonds"},
    {"corrections", false, &form_corrections, "", "more corrections, in lists"},
};
static const form form_in_cosim = {.name = "repeated_cosim", .meaning = "entries of 'cosim'", FORM_KEYS(cosim_keys)};

static const map_key keys[N_KEYS] = {
    [FOR] = {"for", true, &form_range, "", "up to four indices, each with its first and last value"},
    [POINTS] = {"points", false, &form_points, "m", "more points"},
    [BODIES] = {"bodies", false, &form_bodies, "", "more bodies"},
    [JOINTS] = {"joints", false, &form_joints, "", "more joints"},
    [FORCES] = {"forces", false, &form_forces, "", "more force elements"},
    [MEASURES] = {"measures", false, &form_measures, "", "more measures"},
    [EQUATIONS] = {"equations", false, &form_equations, "", "more equations"},
    [EVENTS] = {"events", false, &form_events, "", "more events"},
    [COSIM] = {"cosim", false, &form_in_cosim, "", "more subsystems, couplings, signals, bonds and corrections"},
};
static const form form_block = {
    .name = "repeat_block", .meaning = "entries that are generated for every value of the indices", FORM_KEYS(keys)};
const form form_repeat = {.kind = FORM_LIST, .of = &form_block};

/* Memory in bytes, measured, for a generated key or value, including the resulting part of the mechanism. */
enum { NODE_MEMORY = 300 };

typedef struct budget {
  double entries, nodes; /* generated so far */
  double memory;         /* bytes of physical memory of the machine */
} budget;

static size_t count_nodes(const yaml_node *node) {
  size_t n = 1;
  for (const yaml_node *child = node->first; child != NULL; child = child->next)
    n += 1 + count_nodes(child);
  return n;
}

/* Returns true for `cosim` and `corrections`. They contain sections, and a block may add entries to each section. */
static bool has_sections(const yaml_node *part) {
  return part->kind == YAML_MAP &&
         (strcmp(part->key->text, "cosim") == 0 || strcmp(part->key->text, "corrections") == 0);
}

/* Copies a block's entries under one key for given indices. Appends them to the section of the file with this key, and
 * adds the section if it is missing. In `cosim` and `corrections`, extends each inner section in this way. */
static seam_status generate(reader *r, yaml_node *parent, const yaml_node *part, const index_values *indices) {
  yaml_node *section = yaml_get(parent, part->key->text);
  yaml_node *copies = NULL;
  seam_status status = SEAM_OK;
  if (section != NULL && section->kind == YAML_SCALAR && section->text == NULL)
    section->kind = part->kind;
  if (section == NULL) {
    section = yaml_new(&r->memory, part->kind, part);
    if (section == NULL)
      return reader_no_memory(r);
    yaml_append(parent, section, part->key);
  }
  if (section->kind != part->kind)
    return reader_fail(r, section, NULL, "'%.60s' must be %s, as in the repeat that extends it", part->key->text,
                       part->kind == YAML_MAP ? "a map" : "a list");
  if (has_sections(part)) {
    for (const yaml_node *child = part->first; child != NULL && status == SEAM_OK; child = child->next)
      status = generate(r, section, child, indices);
    return status;
  }
  status = repeat_copy(r, part, indices, true, &copies);
  for (yaml_node *copy = status == SEAM_OK ? copies->first : NULL; copy != NULL;) {
    yaml_node *next = copy->next;
    copy->next = NULL;
    yaml_append(section, copy, copy->key);
    copy = next;
  }
  return status;
}

/* Checks the entries under one key of a block. Adds the number of entries that they generate, including those in inner
 * sections, to *spent. */
static seam_status check_part(reader *r, const yaml_node *part, bool in_cosim, double count, budget *spent) {
  if (part->kind != YAML_MAP && !(in_cosim && part->kind == YAML_LIST))
    return reader_fail(r, part, in_cosim ? "write it outside of the repeat" : "write {name: {...}}",
                       "'%.60s' in a repeat must be a map%s, but is %s", part->key->text, in_cosim ? " or a list" : "",
                       yaml_kind_text(part));
  if (!has_sections(part)) {
    spent->entries += count * (double)part->n_children;
    return SEAM_OK;
  }
  const bool corrections = strcmp(part->key->text, "corrections") == 0;
  seam_status status = SEAM_OK;
  for (const yaml_node *child = part->first; child != NULL && status == SEAM_OK; child = child->next)
    status = corrections && child->kind != YAML_LIST
                 ? reader_fail(r, child, "write [{...}]", "'%.60s' in a repeat must be a list, but is %s",
                               child->key->text, yaml_kind_text(child))
                 : check_part(r, child, true, count, spent);
  return status;
}

static seam_status expand_block(reader *r, yaml_node *block, budget *spent) {
  yaml_node *parts[N_KEYS];
  repeat_ranges ranges;
  reader_set_subject(r, "repeat", NULL);
  const double nodes_before = spent->nodes;
  seam_status status = reader_map(r, block, keys, N_KEYS, parts);
  THEN(status, repeat_read_ranges(r, parts[FOR], &ranges));
  for (size_t i = POINTS; i < N_KEYS && status == SEAM_OK; i++)
    if (parts[i] != NULL) {
      status = check_part(r, parts[i], false, ranges.count, spent);
      spent->nodes += ranges.count * (double)count_nodes(parts[i]);
    }
  if (status != SEAM_OK)
    return status;
  r->n_generated = spent->entries;
  if (spent->nodes * NODE_MEMORY > spent->memory)
    return reader_fail(r, block, "make the ranges shorter",
                       "repeats generate %.6g entries, which need about %.2g GB, more than this machine has",
                       spent->entries, spent->nodes * NODE_MEMORY / 1e9);
  const size_t count = spent->nodes != nodes_before ? (size_t)ranges.count : 0;
  for (size_t number = 0; number < count; number++) {
    const index_values *indices = repeat_indices(r, &ranges, number);
    if (indices == NULL)
      return reader_no_memory(r);
    for (size_t i = POINTS; i < N_KEYS && status == SEAM_OK; i++)
      if (parts[i] != NULL)
        status = generate(r, r->root, parts[i], indices);
    if (status != SEAM_OK)
      return status;
  }
  return SEAM_OK;
}

seam_status repeat_expand(reader *r) {
  const yaml_node *repeat = yaml_get(r->root, "repeat");
  seam_status status = SEAM_OK;
  for (yaml_node *section = r->root->first; section != NULL && status == SEAM_OK; section = section->next)
    status = section != repeat && strcmp(section->key->text, "name") != 0 ? repeat_fill_in(r, section) : SEAM_OK;
  if (repeat == NULL || status != SEAM_OK)
    return status;
  if (repeat->kind != YAML_LIST)
    return reader_fail(r, repeat, "write lines '- for: {i: [1, N]}'", "'repeat' must be a list of blocks, but is %s",
                       yaml_kind_text(repeat));
    /* The limit is the physical memory of the machine, bytes. The kernel grants more memory, but may kill a process
     * that uses it. */
#ifdef REPEAT_MEMORY /* for fuzzing, in which large valid files take too long */
  budget spent = {.memory = REPEAT_MEMORY};
#else
  budget spent = {.memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE)};
#endif
  for (yaml_node *block = repeat->first; block != NULL && status == SEAM_OK; block = block->next)
    status = expand_block(r, block, &spent);
  if (status == SEAM_OK)
    yaml_remove(r->root, repeat); /* its entries are in the sections now */
  return status;
}
