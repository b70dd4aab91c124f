/* `repeat:` a list of blocks whose entries are generated for every combination of values of their indices.
 *
 *     repeat:
 *       - for: {i: [1, N], j: [1, 2]}      # the last index changes fastest
 *         bodies: {"link{i}_{j}": {...}}
 *         cosim: {signals: [{from: "link{i}.y", ...}]}
 *
 * Generated nodes are appended to the sections of the file, so later readers see no repeats. In names and texts, also
 * outside repeats, an integer replaces `{expression}`. Numbers and laws may use the indices like parameters. */
#include <string.h>
#include <unistd.h>

#include "models/sections/repeat_ranges.h"

enum { NODE_MEMORY = 300 }; /* bytes, measured, for a generated key or value and its part of the mechanism */

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

/* Returns true for `cosim` and `corrections`, which contain sections. */
static bool has_sections(const yaml_node *part) {
  return part->kind == YAML_MAP &&
         (strcmp(part->key->text, "cosim") == 0 || strcmp(part->key->text, "corrections") == 0);
}

/* Appends copies of a block's entries under one key, for given indices, to the section with this key. Adds the section
 * if it is missing. In `cosim` and `corrections`, extends each inner section in this way. */
static seam_status generate(reader *r, yaml_node *parent, const yaml_node *part, const index_values *indices) {
  yaml_node *section = yaml_get(parent, part->key->text);
  yaml_node *copies = NULL;
  if (section != NULL && yaml_is_empty(section))
    section->kind = part->kind;
  if (section == NULL) {
    section = yaml_new(r->memory, part->kind, part);
    TRY(reader_check_memory(r, section != NULL));
    yaml_append(parent, section, part->key);
  }
  if (section->kind != part->kind)
    return reader_fail(r, section, NULL, "'%.60s' must be %s, because it is one under 'repeat'", part->key->text,
                       part->kind == YAML_MAP ? "a map" : "a list");
  if (has_sections(part)) {
    for (const yaml_node *child = part->first; child != NULL; child = child->next)
      TRY(generate(r, section, child, indices));
    return SEAM_OK;
  }
  TRY(repeat_copy(r, part, indices, true, &copies));
  for (yaml_node *copy = copies->first; copy != NULL;) {
    yaml_node *next = copy->next;
    copy->next = NULL;
    yaml_append(section, copy, copy->key);
    copy = next;
  }
  return SEAM_OK;
}

/* Checks the entries under one key of a block. Adds the number of entries that they generate to *spent. */
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
  for (const yaml_node *child = part->first; child != NULL; child = child->next)
    TRY(corrections && child->kind != YAML_LIST
            ? reader_fail(r, child, "write [{...}]", "'%.60s' in a repeat must be a list, but is %s", child->key->text,
                          yaml_kind_text(child))
            : check_part(r, child, true, count, spent));
  return SEAM_OK;
}

static seam_status expand_block(reader *r, yaml_node *block, budget *spent) {
  yaml_node *parts[N_KEYS];
  repeat_ranges ranges;
  reader_set_subject(r, "repeat", NULL);
  const double nodes_before = spent->nodes;
  TRY(reader_map(r, block, keys, N_KEYS, parts));
  TRY(repeat_read_ranges(r, parts[FOR], &ranges));
  for (size_t i = POINTS; i < N_KEYS; i++)
    if (parts[i] != NULL) {
      TRY(check_part(r, parts[i], false, ranges.count, spent));
      spent->nodes += ranges.count * (double)count_nodes(parts[i]);
    }
  r->n_generated = spent->entries;
  if (spent->nodes * NODE_MEMORY > spent->memory)
    return reader_fail(r, block, "make the ranges shorter",
                       "repeats generate %.6g entries, which need about %.2g GB, more than this machine has",
                       spent->entries, spent->nodes * NODE_MEMORY / 1e9);
  const size_t count = spent->nodes != nodes_before ? (size_t)ranges.count : 0;
  for (size_t number = 0; number < count; number++) {
    const index_values *indices = repeat_indices(r, &ranges, number);
    TRY(reader_check_memory(r, indices != NULL));
    for (size_t i = POINTS; i < N_KEYS; i++)
      if (parts[i] != NULL)
        TRY(generate(r, r->root, parts[i], indices));
  }
  return SEAM_OK;
}

seam_status repeat_expand(reader *r) {
  const yaml_node *repeat = yaml_get(r->root, "repeat");
  for (yaml_node *section = r->root->first; section != NULL; section = section->next)
    if (section != repeat && strcmp(section->key->text, "name") != 0)
      TRY(repeat_fill_in(r, section));
  if (repeat == NULL)
    return SEAM_OK;
  if (repeat->kind != YAML_LIST)
    return reader_fail(r, repeat, "write lines '- for: {i: [1, N]}'", "'repeat' must be a list of blocks, but is %s",
                       yaml_kind_text(repeat));
    /* The limit is physical memory. The kernel grants more, but may kill a process that uses it. */
#ifdef REPEAT_MEMORY /* for fuzzing, in which large valid files take too long */
  budget spent = {.memory = REPEAT_MEMORY};
#else
  budget spent = {.memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE)};
#endif
  for (yaml_node *block = repeat->first; block != NULL; block = block->next)
    TRY(expand_block(r, block, &spent));
  yaml_remove(r->root, repeat); /* its entries are in the sections now */
  return SEAM_OK;
}
