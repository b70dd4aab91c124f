/* The table doubles when half full. */
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Returns the name's slot or, if there is none, a free slot for it. The table always has a free slot. */
static table_slot *probe(const table *in, const char *name, size_t length) {
  const uint64_t hash = hash_bytes(HASH_START, name, length);
  size_t i = (size_t)(hash ^ hash >> 32);
  for (;; i++) {
    table_slot *slot = &in->slots[i & (in->capacity - 1)];
    if (!slot->name || (slot->length == length && memcmp(slot->name, name, length) == 0))
      return slot;
  }
}

const table_slot *table_find(const table *in, const char *name, size_t length) {
  if (in->count == 0)
    return NULL;
  const table_slot *slot = probe(in, name, length);
  return slot->name ? slot : NULL;
}

bool table_add(table *to, const char *name, size_t length, size_t value) {
  if (2 * (to->count + 1) > to->capacity) {
    table larger = {.capacity = to->capacity ? 2 * to->capacity : 16, .count = to->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
      return false;
    for (size_t i = 0; i < to->capacity; i++)
      if (to->slots[i].name)
        *probe(&larger, to->slots[i].name, to->slots[i].length) = to->slots[i];
    free(to->slots);
    *to = larger;
  }
  *probe(to, name, length) = (table_slot){.name = name, .length = length, .value = value};
  to->count++;
  return true;
}

void table_release(table *of) {
  free(of->slots);
  *of = (table){0};
}
