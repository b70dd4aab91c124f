#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST = 16 };

void *array_grow(void *items, size_t *capacity, size_t needed, size_t size) {
  if (items != NULL && needed <= *capacity)
    return items;
  const size_t larger = needed < FIRST / 2 ? FIRST : 2 * needed;
  void *moved = needed <= SIZE_MAX / 2 / size ? realloc(items, larger * size) : NULL;
  if (moved != NULL)
    *capacity = larger;
  return moved;
}
