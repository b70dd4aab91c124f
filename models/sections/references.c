/* Entries that refer to each other in any order, and `parameters:`, the simplest of them. References are followed
 * depth-first with an explicit stack, since chains may be long. */
#include "models/sections/references.h"

#include <stdio.h>
#include <string.h>

#include "models/expression/lexer.h"

typedef enum progress { UNREAD, OPEN, DONE } progress;

/* An entry whose references are being followed. */
typedef struct visit {
  size_t number;
  const char *cursor; /* position in the entry's text; NULL: it has no text */
  size_t n_names;     /* number of `names` that are done */
} visit;

typedef struct search {
  reader *r;
  const reference *all;
  table numbers;      /* indices of entries by name */
  progress *progress; /* (n) */
  visit *stack;
  size_t depth;
} search;

static seam_status fail_cycle(const search *s, size_t again) {
  size_t start = 0;
  while (s->stack[start].number != again)
    start++;
  char path[256];
  size_t used = 0;
  const reference *reported = NULL;
  for (size_t i = start; i < s->depth; i++) {
    const reference *one = &s->all[s->stack[i].number];
    if (used < sizeof path)
      used += (size_t)snprintf(path + used, sizeof path - used, "%.40s -> ", one->name);
    if (reported == NULL && one->aliases.n > 1)
      reported = one;
  }
  if (used >= sizeof path)
    snprintf(path + sizeof path - 8, 8, "... -> ");
  const reference *first = &s->all[again];
  const reference_rules *rules = reported != NULL ? reported->rules : first->rules;
  return reader_fail(s->r, first->value, rules->fix, "%s refer to each other in a circle: %s%.40s", rules->noun, path,
                     first->name);
}

/* Returns the entry to which a name refers: by a short name, by its own, or with a quantity ("a.x" for a). */
static const table_slot *find_entry(const search *s, const short_names *aliases, const char *name, size_t length) {
  for (size_t i = 0; i < aliases->n; i++)
    if (strlen(aliases->of[i].name) == length && memcmp(aliases->of[i].name, name, length) == 0) {
      const table_slot *slot = table_find(&s->numbers, aliases->of[i].quantity, strlen(aliases->of[i].quantity));
      if (slot != NULL)
        return slot;
      break;
    }
  const table_slot *slot = NULL;
  while (slot == NULL && length > 0) {
    slot = table_find(&s->numbers, name, length);
    while (length > 0 && name[--length] != '.')
      ;
  }
  return slot;
}

/* Returns the next unread entry to which the entry on top of the stack refers; NULL: none. */
static const table_slot *next_needed(search *s) {
  visit *now = &s->stack[s->depth - 1];
  const reference *one = &s->all[now->number];
  token name;
  while (now->cursor != NULL && lexer_next_name(&now->cursor, &name)) {
    const table_slot *slot = find_entry(s, &one->aliases, name.start, name.length);
    if (slot != NULL && s->progress[slot->value] != DONE)
      return slot;
  }
  while (now->n_names < one->n_names) {
    const char *other = one->names[now->n_names++];
    const table_slot *slot = find_entry(s, &(short_names){0}, other, strlen(other));
    if (slot != NULL && s->progress[slot->value] != DONE)
      return slot;
  }
  return NULL;
}

/* Reads an entry after those to which it refers. */
static seam_status read_one(search *s, size_t number) {
  for (;;) {
    s->progress[number] = OPEN;
    s->stack[s->depth++] = (visit){.number = number, .cursor = s->all[number].text};
    const table_slot *needed = next_needed(s);
    while (needed == NULL) {
      const size_t complete = s->stack[--s->depth].number;
      TRY(s->all[complete].rules->read(s->r, &s->all[complete]));
      s->progress[complete] = DONE;
      if (s->depth == 0)
        return SEAM_OK;
      needed = next_needed(s);
    }
    if (s->progress[needed->value] == OPEN)
      return fail_cycle(s, needed->value);
    number = needed->value;
  }
}

seam_status references_read(reader *r, const reference *all, size_t n) {
  search s = {
      .r = r,
      .all = all,
      .progress = reader_allocate(r, n, sizeof *s.progress),
      .stack = reader_allocate(r, n, sizeof *s.stack),
  };
  TRY(reader_check_memory(r, s.progress != NULL && s.stack != NULL));
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = reader_check_memory(r, table_add(&s.numbers, all[i].name, strlen(all[i].name), i));
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (s.progress[i] == UNREAD)
      status = read_one(&s, i);
  table_release(&s.numbers);
  return status;
}

/* ---- `parameters:` names of numbers, whose expressions may use each other in any order --------------------------- */

static seam_status read_parameter(reader *r, const reference *one) {
  reader_set_subject(r, "parameters", NULL);
  const size_t n = r->scope.parameters.count;
  TRY(reader_number(r, one->value, ANY_NUMBER, &r->scope.parameter_values[n]));
  r->scope.parameter_names[n] = one->name;
  return reader_check_memory(r, table_add(&r->scope.parameters, one->name, strlen(one->name), n));
}

seam_status parameters_read(reader *r) {
  static const reference_rules rules = {"parameters", "give one of them a number", read_parameter};
  const yaml_node *section = NULL;
  TRY(reader_section(r, "parameters", &section));
  size_t n = 0;
  reference *all = reader_allocate(r, section->n_children, sizeof *all);
  r->scope.parameter_names = reader_allocate(r, section->n_children, sizeof(char *));
  r->scope.parameter_values = reader_allocate(r, section->n_children, sizeof(double));
  TRY(reader_check_memory(r, all != NULL && r->scope.parameter_names != NULL && r->scope.parameter_values != NULL));
  for (yaml_node *value = section->first; value != NULL; value = value->next) {
    TRY(reader_check_name(r, value->key, true));
    if (expression_is_reserved(value->key->text))
      return reader_fail(r, value->key, "choose another name",
                         "'%s' is a function or a constant and cannot be a parameter", value->key->text);
    all[n++] = (reference){.rules = &rules, .name = value->key->text, .value = value, .text = value->text};
  }
  return references_read(r, all, n);
}
