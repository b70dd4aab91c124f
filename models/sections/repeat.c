/* `repeat:` a list of blocks whose entries are generated for every value of their indices.
 *
 *     repeat:
 *       - for: {i: [1, N], j: [1, 2]}      # the last index runs fastest
 *         bodies: {"link{i}_{j}": {...}}
 *         cosim: {signals: [{from: "link{i}.y", ...}]}
 *
 * The generated nodes are appended to the sections of the file, so that nothing after this file knows of repeats. In
 * names and texts `{expression}` is replaced by its whole value; in numbers and laws the index is a name like any
 * parameter. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "models/expression/expression.h"
#include "models/reader.h"
#include "models/sections/repeat.h"

enum {
  MAX_INDICES = 4,
  LONGEST_TEXT = 1000, /* bytes of a name or text in a block */
  NODE_MEMORY = 300    /* bytes of a generated key or value and of what a mechanism makes of it, as measured */
};

enum { FOR, POINTS, BODIES, JOINTS, FORCES, MEASURES, EQUATIONS, EVENTS, COSIM, N_KEYS };

const form form_range = {.kind = FORM_NAMED,
                         .name = "range",
                         .meaning = "indices, each with its first and last value",
                         .least = 1,
                         .of = &form_2_numbers};

static const map_key cosim_keys[] = {
    {"subsystems", false, &form_subsystems, "", "more subsystems"},
    {"couplings", false, &form_couplings, "", "more couplings"},
    {"signals", false, &form_signals, "", "more signals"},
    {"bonds", false, &form_bonds, "", "more bonds"},
    {"corrections", false, &form_corrections, "", "more corrections, in lists"},
};
static const form form_in_cosim = {.name = "repeated_cosim", .meaning = "entries of 'cosim'", FORM_KEYS(cosim_keys)};

static const map_key keys[N_KEYS] = {
    [FOR] = {"for", true, &form_range, "", "indices, each with its first and last value"},
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

typedef struct budget {
  double entries, nodes; /* generated so far */
  double memory;         /* bytes that may be needed */
} budget;

/* That of the machine: the kernel hands out more than there is, and ends a process that uses it. */
static double available_memory(void) {
#ifdef REPEAT_MEMORY /* the fuzzer's: large files that are allowed would only slow it down */
  return REPEAT_MEMORY;
#else
  return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
#endif
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

static bool is_index(const index_values *indices, const char *name) {
  for (size_t i = 0; indices != NULL && i < indices->n; i++)
    if (strcmp(indices->names[i], name) == 0)
      return true;
  return false;
}

static seam_status check_index(reader *r, const yaml_node *key, const index_values *outer) {
  static const char *const of_laws[] = {"s", "v", "t"};
  const seam_status status = reader_check_name(r, key, true);
  if (status != SEAM_OK)
    return status;
  if (is_index(outer, key->text))
    return reader_fail(r, key, "choose another name", "the index '%.60s' is that of the repeat around it", key->text);
  bool taken =
      expression_is_reserved(key->text) || table_find(&r->parameter_names, key->text, strlen(key->text)) != NULL;
  for (size_t i = 0; i < sizeof of_laws / sizeof *of_laws; i++)
    taken |= strcmp(of_laws[i], key->text) == 0;
  if (!taken)
    return SEAM_OK;
  return reader_fail(r, key, "choose another name",
                     "the index '%.60s' has the name of a parameter, a function, a constant or a variable of laws",
                     key->text);
}

static seam_status read_range(reader *r, yaml_node *value, const index_values *outer, double range[2]) {
  seam_status status = check_index(r, value->key, outer);
  if (status == SEAM_OK)
    status = reader_vector(r, value, ANY_NUMBER, 2, range);
  if (status != SEAM_OK)
    return status;
  for (int i = 0; i < 2; i++)
    if (range[i] != floor(range[i]) || fabs(range[i]) > 1e9)
      return reader_fail(r, i == 0 ? value->first : value->last, NULL,
                         "the range of '%.60s' must be two whole numbers, but has %.6g", value->key->text, range[i]);
  return SEAM_OK;
}

seam_status repeat_read_ranges(reader *r, yaml_node *map, repeat_ranges *ranges) {
  *ranges = (repeat_ranges){.outer = map->indices, .count = 1};
  if (map->kind != YAML_MAP || map->n_children == 0 || map->n_children > MAX_INDICES)
    return reader_fail(r, map, "write {i: [1, N]}", "'for' must be a map of one to %d indices", MAX_INDICES);
  const size_t n_outer = map->indices != NULL ? map->indices->n : 0;
  ranges->names = arena_take(&r->memory, (map->n_children + n_outer) * sizeof *ranges->names);
  ranges->limits = arena_take(&r->memory, map->n_children * sizeof *ranges->limits);
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
  index_values *indices = arena_take(&r->memory, sizeof *indices);
  double *values = arena_take(&r->memory, (ranges->n + n_outer) * sizeof *values);
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

/* The whole value of the expression between braces. */
static seam_status evaluate_braces(reader *r, const yaml_node *node, const char *start, size_t length, double *value) {
  yaml_node inside = *node;
  inside.key = NULL;
  inside.text = arena_text(&r->memory, start, length);
  if (inside.text == NULL)
    return reader_no_memory(r);
  inside.offset += (size_t)(start - node->text);
  reader_set_subject(r, "repeat", NULL);
  const seam_status status = reader_number(r, &inside, ANY_NUMBER, value);
  if (status != SEAM_OK)
    return status;
  if (*value != floor(*value) || fabs(*value) > 1e15)
    return reader_fail(r, node, NULL, "'{%.60s}' must be a whole number, but is %.6g", inside.text, *value);
  return SEAM_OK;
}

/* Replaces each {expression} in the text of a node. */
static seam_status fill_in(reader *r, const yaml_node *node, const char **text) {
  const char *rest = node->text;
  if (strlen(rest) > LONGEST_TEXT)
    return reader_fail(r, node, NULL, "a text in a repeat is longer than %d bytes", LONGEST_TEXT);
  if (strchr(rest, '{') == NULL)
    return SEAM_OK;
  char filled[8 * LONGEST_TEXT]; /* {i}, 3 bytes, becomes at most 17 */
  size_t used = 0;
  for (const char *brace = strchr(rest, '{'); brace != NULL; brace = strchr(rest, '{')) {
    const char *end = strchr(brace, '}');
    if (end == NULL)
      return reader_fail(r, node, "close it with }", "'{' without '}' in '%.60s'", node->text);
    double value = 0;
    const seam_status status = evaluate_braces(r, node, brace + 1, (size_t)(end - brace - 1), &value);
    if (status != SEAM_OK)
      return status;
    used += (size_t)snprintf(filled + used, sizeof filled - used, "%.*s%.0f", (int)(brace - rest), rest, value + 0.0);
    rest = end + 1;
  }
  used += (size_t)snprintf(filled + used, sizeof filled - used, "%s", rest);
  *text = arena_text(&r->memory, filled, used);
  return *text != NULL ? SEAM_OK : reader_no_memory(r);
}

/* A map with ranges of its own: its texts wait for their values. */
static bool repeats_itself(const yaml_node *map) {
  const yaml_node *ranges = map->kind == YAML_MAP ? yaml_get(map, "for") : NULL;
  return ranges != NULL && ranges->kind == YAML_MAP;
}

/* The recursion is as deep as the tree, which yaml_parse() has bounded. */
static seam_status copy_tree(reader *r, const yaml_node *from, const index_values *indices, bool fills,
                             yaml_node **copy) {
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
    seam_status status = child->key != NULL ? copy_tree(r, child->key, indices, fills, &key) : SEAM_OK;
    if (status == SEAM_OK)
      status = copy_tree(r, child, indices, fills, &value);
    if (status != SEAM_OK)
      return status;
    yaml_append(node, value, key);
  }
  return SEAM_OK;
}

seam_status repeat_copy(reader *r, const yaml_node *from, const index_values *indices, yaml_node **copy) {
  return copy_tree(r, from, indices, true, copy);
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static size_t count_nodes(const yaml_node *node) {
  size_t n = 1;
  for (const yaml_node *child = node->first; child != NULL; child = child->next)
    n += 1 + count_nodes(child);
  return n;
}

/* These sections hold sections, which a block extends. */
static bool holds_sections(const yaml_node *part) {
  return part->kind == YAML_MAP &&
         (strcmp(part->key->text, "cosim") == 0 || strcmp(part->key->text, "corrections") == 0);
}

/* The section of the file that a part of a block extends; made when it is missing. */
static yaml_node *find_section(reader *r, yaml_node *parent, const yaml_node *part) {
  yaml_node *section = yaml_get(parent, part->key->text);
  if (section != NULL && section->kind == YAML_SCALAR && section->text == NULL)
    section->kind = part->kind;
  if (section != NULL)
    return section;
  section = yaml_new(&r->memory, part->kind, part);
  if (section != NULL)
    yaml_append(parent, section, part->key);
  return section;
}

static seam_status generate_entries(reader *r, yaml_node *section, const yaml_node *part, const index_values *indices) {
  yaml_node *copies = NULL;
  const seam_status status = repeat_copy(r, part, indices, &copies);
  if (status != SEAM_OK || copies == NULL)
    return status;
  for (yaml_node *copy = copies->first; copy != NULL;) {
    yaml_node *next = copy->next;
    copy->next = NULL;
    yaml_append(section, copy, copy->key);
    copy = next;
  }
  return SEAM_OK;
}

/* The recursion ends with what holds no sections. */
static seam_status generate(reader *r, yaml_node *parent, const yaml_node *part, const index_values *indices) {
  yaml_node *section = find_section(r, parent, part);
  if (section == NULL)
    return reader_no_memory(r);
  if (section->kind != part->kind)
    return reader_fail(r, section, NULL, "'%.60s' must be %s, as in the repeat that extends it", part->key->text,
                       part->kind == YAML_MAP ? "a map" : "a list");
  if (!holds_sections(part))
    return generate_entries(r, section, part, indices);
  seam_status status = SEAM_OK;
  for (const yaml_node *child = part->first; child != NULL && status == SEAM_OK; child = child->next)
    status = generate(r, section, child, indices);
  return status;
}

/* Adds the entries of a part, or of the sections it holds, to what is generated. */
static seam_status check_part(reader *r, const yaml_node *part, bool in_cosim, double count, budget *spent) {
  if (part->kind != YAML_MAP && !(in_cosim && part->kind == YAML_LIST))
    return reader_fail(r, part, in_cosim ? "write it outside of the repeat" : "write {name: {...}}",
                       "'%.60s' in a repeat must be a map%s, but is %s", part->key->text, in_cosim ? " or a list" : "",
                       yaml_kind_text(part));
  if (!holds_sections(part)) {
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

static seam_status check_budget(reader *r, const yaml_node *block, yaml_node *const *parts, double count,
                                budget *spent) {
  for (size_t i = POINTS; i < N_KEYS; i++) {
    if (parts[i] == NULL)
      continue;
    const seam_status status = check_part(r, parts[i], false, count, spent);
    if (status != SEAM_OK)
      return status;
    spent->nodes += count * (double)count_nodes(parts[i]);
  }
  r->n_generated = spent->entries;
  if (spent->nodes * NODE_MEMORY <= spent->memory)
    return SEAM_OK;
  return reader_fail(r, block, "make the ranges shorter",
                     "repeats generate %.6g entries, which need about %.2g GB, more than this machine has",
                     spent->entries, spent->nodes * NODE_MEMORY / 1e9);
}

static seam_status expand_block(reader *r, yaml_node *block, budget *spent) {
  yaml_node *parts[N_KEYS];
  repeat_ranges ranges;
  reader_set_subject(r, "repeat", NULL);
  const double nodes_before = spent->nodes;
  seam_status status = reader_take_map(r, block, keys, N_KEYS, parts);
  if (status == SEAM_OK)
    status = repeat_read_ranges(r, parts[FOR], &ranges);
  if (status == SEAM_OK)
    status = check_budget(r, block, parts, ranges.count, spent);
  if (status != SEAM_OK || spent->nodes == nodes_before)
    return status;
  const size_t count = (size_t)ranges.count;
  for (size_t number = 0; number < count; number++) {
    const index_values *indices = repeat_indices(r, &ranges, number);
    if (indices == NULL)
      return reader_no_memory(r);
    for (size_t i = POINTS; i < N_KEYS; i++) {
      status = parts[i] != NULL ? generate(r, r->root, parts[i], indices) : SEAM_OK;
      if (status != SEAM_OK)
        return status;
    }
  }
  return SEAM_OK;
}

seam_status repeat_expand(reader *r) {
  const yaml_node *repeat = yaml_get(r->root, "repeat");
  if (repeat == NULL)
    return SEAM_OK;
  if (repeat->kind != YAML_LIST)
    return reader_fail(r, repeat, "write lines '- for: {i: [1, N]}'", "'repeat' must be a list of blocks, but is %s",
                       yaml_kind_text(repeat));
  budget spent = {.memory = available_memory()};
  seam_status status = SEAM_OK;
  for (yaml_node *block = repeat->first; block != NULL && status == SEAM_OK; block = block->next)
    status = expand_block(r, block, &spent);
  if (status == SEAM_OK)
    yaml_remove(r->root, repeat); /* what it stands for is there now */
  return status;
}
