/* `parameters:` names for numbers, which may refer to each other in any order.
 *
 * Each is evaluated after those it names, by a depth-first search with an explicit stack, because the file decides how
 * long a chain of names is. */
#include <stdio.h>
#include <string.h>

#include "models/expression/expression.h"
#include "models/expression/lexer.h"
#include "models/reader.h"

typedef enum progress { UNTOUCHED, OPEN, DONE } progress;

typedef struct search {
  reader *r;
  yaml_node **values;  /* of all parameters, in file order */
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
  return reader_fail(s->r, value, "give one of them a number", "parameters refer to each other in a circle: %s%.40s",
                     path, value->key->text);
}

static seam_status evaluate(search *s, size_t position) {
  reader *r = s->r;
  yaml_node *value = s->values[position];
  reader_set_subject(r, "parameters", NULL);
  parameter *next = &r->parameters[r->n_parameters];
  const seam_status status = reader_number(r, value, ANY_NUMBER, &next->value);
  if (status != SEAM_OK)
    return status;
  next->name = value->key->text;
  if (!table_add(&r->parameter_names, next->name, strlen(next->name), r->n_parameters))
    return reader_no_memory(r);
  r->n_parameters++;
  s->progress[position] = DONE;
  return SEAM_OK;
}

static void open(search *s, size_t position) {
  s->progress[position] = OPEN;
  s->cursor[s->depth] = s->values[position]->text;
  s->stack[s->depth++] = position;
}

/* The next parameter that the innermost open one names and that is not done yet; NULL: there is none left. */
static const table_slot *next_needed(search *s) {
  const char **cursor = &s->cursor[s->depth - 1];
  if (*cursor == NULL)
    return NULL;
  for (token t = lexer_next(*cursor); t.kind != TOKEN_END; t = lexer_next(*cursor)) {
    *cursor = t.start + t.length;
    if (t.kind != TOKEN_NAME)
      continue;
    const table_slot *slot = table_find(&s->positions, t.start, t.length);
    if (slot != NULL && s->progress[slot->value] != DONE)
      return slot;
  }
  return NULL;
}

static seam_status evaluate_with_needed(search *s, size_t position) {
  open(s, position);
  while (s->depth > 0) {
    const table_slot *needed = next_needed(s);
    if (needed != NULL && s->progress[needed->value] == OPEN)
      return fail_cycle(s, needed->value);
    if (needed != NULL) {
      open(s, needed->value);
      continue;
    }
    const seam_status status = evaluate(s, s->stack[s->depth - 1]);
    if (status != SEAM_OK)
      return status;
    s->depth--;
  }
  return SEAM_OK;
}

static seam_status check_names(search *s, const yaml_node *section) {
  reader *r = s->r;
  size_t n = 0;
  for (yaml_node *value = section->first; value != NULL; value = value->next) {
    const char *name = value->key->text;
    const seam_status status = reader_check_name(r, value->key, true);
    if (status != SEAM_OK)
      return status;
    if (expression_is_reserved(name))
      return reader_fail(r, value->key, "choose another name",
                         "'%s' is a function or a constant and cannot be a parameter", name);
    if (!table_add(&s->positions, name, strlen(name), n))
      return reader_no_memory(r);
    s->values[n++] = value;
  }
  return SEAM_OK;
}

static seam_status evaluate_all(search *s, const yaml_node *section) {
  seam_status status = check_names(s, section);
  for (size_t i = 0; i < section->n_children && status == SEAM_OK; i++)
    if (s->progress[i] == UNTOUCHED)
      status = evaluate_with_needed(s, i);
  return status;
}

seam_status parameters_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "parameters", &section);
  if (status != SEAM_OK || section == NULL)
    return status;
  const size_t n = section->n_children;
  search s = {
      .r = r,
      .values = arena_take(&r->memory, n * sizeof *s.values),
      .progress = arena_take(&r->memory, n * sizeof *s.progress),
      .stack = arena_take(&r->memory, n * sizeof *s.stack),
      .cursor = arena_take(&r->memory, n * sizeof *s.cursor),
  };
  r->parameters = arena_take(&r->memory, n * sizeof *r->parameters);
  if (s.values == NULL || s.progress == NULL || s.stack == NULL || s.cursor == NULL || r->parameters == NULL)
    return reader_no_memory(r);
  status = evaluate_all(&s, section);
  table_release(&s.positions);
  return status;
}
