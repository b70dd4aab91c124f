#include "base/arrays.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 2 << 20 };

void *large_calloc(size_t n, size_t size) {
  if (n == 0 || size == 0)
    return calloc(1, 1);
  if (n > (SIZE_MAX - PAGE) / size || n * size < PAGE)
    return calloc(n, size);
  const size_t length = (n * size + PAGE - 1) / PAGE * PAGE;
  void *memory = aligned_alloc(PAGE, length);
  if (memory == NULL)
    return NULL;
#ifdef MADV_HUGEPAGE
  (void)madvise(memory, length, MADV_HUGEPAGE); /* only a hint */
#endif
  return memset(memory, 0, length);
}

void *array_grow(void *items, size_t *capacity, size_t needed, size_t size) {
  enum { FIRST = 16 };
  if (items != NULL && needed <= *capacity)
    return items;
  const size_t larger = needed < FIRST / 2 ? FIRST : 2 * needed;
  void *moved = needed <= SIZE_MAX / 2 / size ? realloc(items, larger * size) : NULL;
  if (moved != NULL)
    *capacity = larger;
  return moved;
}
