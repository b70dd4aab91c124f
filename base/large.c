#include "base/large.h"

#include <stdint.h>
#include <stdlib.h>
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
