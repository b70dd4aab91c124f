#include "mbs/model/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/arrays.h"
#include "base/table.h"

struct mbs_names {
  arena texts;
  table numbers;     /* from texts to indices of entries */
  mbs_name *entries; /* (numbers.count) */
  size_t capacity;
};

mbs_names *mbs_names_create(void) { return calloc(1, sizeof(mbs_names)); }

void mbs_names_destroy(mbs_names *names) {
  if (names == NULL)
    return;
  arena_release(&names->texts);
  table_release(&names->numbers);
  free(names->entries);
  free(names);
}

const mbs_name *mbs_names_find_part(const mbs_names *names, const char *text, size_t length) {
  const table_slot *found = names == NULL ? NULL : table_find(&names->numbers, text, length);
  return found == NULL ? NULL : &names->entries[found->value];
}

const mbs_name *mbs_names_find(const mbs_names *names, const char *text) {
  return mbs_names_find_part(names, text, strlen(text));
}

const mbs_name *mbs_names_at(const mbs_names *names, size_t number) {
  return names != NULL && number < names->numbers.count ? &names->entries[number] : NULL;
}

const mbs_name *mbs_names_add(mbs_names *names, const char *text, mbs_name_kind kind, int index) {
  const size_t length = strlen(text);
  const size_t number = names->numbers.count;
  mbs_name *grown = array_grow(names->entries, &names->capacity, number + 1, sizeof *grown);
  if (grown == NULL)
    return NULL;
  names->entries = grown;
  const char *copy = arena_text(&names->texts, text, length);
  if (copy == NULL || !table_add(&names->numbers, copy, length, number))
    return NULL;
  names->entries[number] = (mbs_name){.text = copy, .kind = kind, .index = index};
  return &names->entries[number];
}
