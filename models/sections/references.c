/* A depth-first search with an explicit stack, because the file decides how long a chain of names is. */
#include "models/sections/references.h"

#include <stdio.h>
#include <string.h>

#include "models/expression/lexer.h"

typedef enum progress { UNTOUCHED, OPEN, DONE } progress;

typedef struct search {
  reader *r;
  const reference_rules *rules;
  yaml_node **values;  /* of all entries, in file order */
  table positions;     /* names to positions in `values` */
  progress *progress;  /* of each */
  size_t *stack;       /* positions of those that are open */
  const char **cursor; /* of each open one: where in its text the search goes on */
  size_t depth;
} search;

static seam_status fail_cycle(const search *s, size_t again) {
  size_t start = 0;
  while (s->stack[start] != again)
    start++;
  char path[256];
  size_t used = 0;
  for (size_t i = start; i < s->depth && used < sizeof path; i++)
    used += (size_t)snprintf(path + used, sizeof path - used, "%.40s -> ", s->values[s->stack[i]]->key->text);
  if (used >= sizeof path)
    snprintf(path + sizeof path - 8, 8, "... -> ");
  const yaml_node *value = s->values[again];
  return reader_fail(s->r, value, s->rules->fix, "%s refer to each other in a circle: %s%.40s", s->rules->noun, path,
                     value->key->text);
}

static void open(search *s, size_t position) {
  s->progress[position] = OPEN;
  s->cursor[s->depth] = s->rules->text(s->r, s->values[position]);
  s->stack[s->depth++] = position;
}

/* The next entry that the innermost open one names and that is not done yet; NULL: there is none left. */
static const table_slot *next_needed(search *s) {
  const char **cursor = &s->cursor[s->depth - 1];
  if (*cursor == NULL)
    return NULL;
  for (token t = lexer_next(*cursor); t.kind != TOKEN_END; t = lexer_next(*cursor)) {
    *cursor = t.start + t.length;
    if (t.kind != TOKEN_NAME)
      continue;
    *cursor += lexer_quantity_length(*cursor);
    const table_slot *slot = table_find(&s->positions, t.start, t.length);
    if (slot != NULL && s->progress[slot->value] != DONE)
      return slot;
  }
  return NULL;
}

static seam_status read_with_needed(search *s, size_t position) {
  open(s, position);
  while (s->depth > 0) {
    const table_slot *needed = next_needed(s);
    if (needed != NULL && s->progress[needed->value] == OPEN)
      return fail_cycle(s, needed->value);
    if (needed != NULL) {
      open(s, needed->value);
      continue;
    }
    const seam_status status = s->rules->read(s->r, s->values[s->stack[--s->depth]]);
    if (status != SEAM_OK)
      return status;
    s->progress[s->stack[s->depth]] = DONE;
  }
  return SEAM_OK;
}

static seam_status check_names(search *s, const yaml_node *section) {
  size_t n = 0;
  for (yaml_node *value = section->first; value != NULL; value = value->next) {
    const char *name = value->key->text;
    const seam_status status = s->rules->check_name(s->r, value->key);
    if (status != SEAM_OK)
      return status;
    if (!table_add(&s->positions, name, strlen(name), n))
      return reader_no_memory(s->r);
    s->values[n++] = value;
  }
  return SEAM_OK;
}

static seam_status read_all(search *s, const yaml_node *section) {
  seam_status status = check_names(s, section);
  for (size_t i = 0; i < section->n_children && status == SEAM_OK; i++)
    if (s->progress[i] == UNTOUCHED)
      status = read_with_needed(s, i);
  return status;
}

seam_status references_read(reader *r, const yaml_node *section, const reference_rules *rules) {
  const size_t n = section->n_children;
  search s = {
      .r = r,
      .rules = rules,
      .values = arena_take(&r->memory, n * sizeof *s.values),
      .progress = arena_take(&r->memory, n * sizeof *s.progress),
      .stack = arena_take(&r->memory, n * sizeof *s.stack),
      .cursor = arena_take(&r->memory, n * sizeof *s.cursor),
  };
  if (s.values == NULL || s.progress == NULL || s.stack == NULL || s.cursor == NULL)
    return reader_no_memory(r);
  const seam_status status = read_all(&s, section);
  table_release(&s.positions);
  return status;
}
