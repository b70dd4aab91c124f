/* A depth-first search with an explicit stack, since chains of names may be long. */
#include "models/sections/references.h"

#include <stdio.h>
#include <string.h>

#include "models/expression/lexer.h"

typedef enum progress { UNTOUCHED, OPEN, DONE } progress;

/* An entry whose references are being read, and the progress of the search in it. */
typedef struct opened {
  size_t number;
  const char *cursor; /* place in the text; NULL: no text */
  size_t n_names;     /* number of `names` already done */
} opened;

typedef struct search {
  reader *r;
  const reference *all;
  table numbers;      /* names to indices */
  progress *progress; /* (n) */
  opened *stack;
  size_t depth;
} search;

static seam_status fail_cycle(const search *s, size_t again) {
  size_t start = 0;
  while (s->stack[start].number != again)
    start++;
  char path[256];
  size_t used = 0;
  const reference *blamed = NULL;
  for (size_t i = start; i < s->depth; i++) {
    const reference *one = &s->all[s->stack[i].number];
    if (used < sizeof path)
      used += (size_t)snprintf(path + used, sizeof path - used, "%.40s -> ", one->name);
    if (blamed == NULL && one->own.n > 1)
      blamed = one;
  }
  if (used >= sizeof path)
    snprintf(path + sizeof path - 8, 8, "... -> ");
  const reference *first = &s->all[again];
  const reference_rules *rules = blamed != NULL ? blamed->rules : first->rules;
  return reader_fail(s->r, first->value, rules->fix, "%s refer to each other in a circle: %s%.40s", rules->noun, path,
                     first->name);
}

static void open(search *s, size_t number) {
  s->progress[number] = OPEN;
  s->stack[s->depth++] = (opened){.number = number, .cursor = s->all[number].text};
}

static const table_slot *find_own(const search *s, const own_names *own, const char *name, size_t length) {
  for (size_t i = 0; i < own->n; i++)
    if (strlen(own->of[i].name) == length && memcmp(own->of[i].name, name, length) == 0)
      return table_find(&s->numbers, own->of[i].quantity, strlen(own->of[i].quantity));
  return NULL;
}

/* Returns the entry that a name with points refers to: by the whole name, or by a part before one of its points. */
static const table_slot *find_entry(const search *s, const own_names *own, const char *name, size_t length) {
  const table_slot *slot = find_own(s, own, name, length);
  while (slot == NULL && length > 0) {
    slot = table_find(&s->numbers, name, length);
    while (length > 0 && name[--length] != '.')
      ;
  }
  return slot;
}

/* Returns the next entry that the innermost open one refers to and that is not done; NULL: none. */
static const table_slot *next_needed(search *s) {
  opened *now = &s->stack[s->depth - 1];
  const reference *one = &s->all[now->number];
  while (now->cursor != NULL) {
    const token t = lexer_next(now->cursor);
    if (t.kind == TOKEN_END)
      break;
    now->cursor = t.start + t.length;
    if (t.kind != TOKEN_NAME)
      continue;
    now->cursor += lexer_quantity_length(now->cursor);
    const table_slot *slot = find_entry(s, &one->own, t.start, (size_t)(now->cursor - t.start));
    if (slot != NULL && s->progress[slot->value] != DONE)
      return slot;
  }
  while (now->n_names < one->n_names) {
    const char *name = one->names[now->n_names++];
    const table_slot *slot = find_entry(s, &(own_names){0}, name, strlen(name));
    if (slot != NULL && s->progress[slot->value] != DONE)
      return slot;
  }
  return NULL;
}

static seam_status read_with_needed(search *s, size_t number) {
  open(s, number);
  while (s->depth > 0) {
    const table_slot *needed = next_needed(s);
    if (needed != NULL && s->progress[needed->value] == OPEN)
      return fail_cycle(s, needed->value);
    if (needed != NULL) {
      open(s, needed->value);
      continue;
    }
    const size_t complete = s->stack[--s->depth].number;
    const seam_status status = s->all[complete].rules->read(s->r, &s->all[complete]);
    if (status != SEAM_OK)
      return status;
    s->progress[complete] = DONE;
  }
  return SEAM_OK;
}

static seam_status read_all(search *s, size_t n) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n; i++)
    if (!table_add(&s->numbers, s->all[i].name, strlen(s->all[i].name), i))
      return reader_no_memory(s->r);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (s->progress[i] == UNTOUCHED)
      status = read_with_needed(s, i);
  return status;
}

seam_status references_read(reader *r, const reference *all, size_t n) {
  search s = {
      .r = r,
      .all = all,
      .progress = arena_take(&r->memory, (n + 1) * sizeof *s.progress),
      .stack = arena_take(&r->memory, (n + 1) * sizeof *s.stack),
  };
  if (s.progress == NULL || s.stack == NULL)
    return reader_no_memory(r);
  const seam_status status = read_all(&s, n);
  table_release(&s.numbers);
  return status;
}
