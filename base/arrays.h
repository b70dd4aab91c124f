/* Memory of arrays. */
#ifndef BASE_ARRAYS_H
#define BASE_ARRAYS_H

#include <stddef.h>
#include <stdlib.h>

/* Does the same as calloc(). Large arrays use huge pages if the system has them; a pass over them takes a tenth less
 * time. */
void *large_calloc(size_t n, size_t size);

/* Returns `items` with room for `needed` items of `size` bytes. If there is too little room, at least doubles
 * *capacity, and items may move. New items are not initialised. NULL: memory is exhausted; nothing has changed. */
void *array_grow(void *items, size_t *capacity, size_t needed, size_t size);

/* These macros allocate and free all arrays of an object. A macro such as ARRAYS lists them, one entry X(object,
 * member, length) for each array. In the example, `enough` is true if every allocation succeeded.
 *
 *   #define ARRAYS(X) X(self, values, n) X(self, records, n)
 *
 *   const bool enough = true ARRAYS(ALLOCATE_ARRAY);
 *   ARRAYS(FREE_ARRAY)
 *
 * Each array has length + 1 zeroed items, so that no allocation is empty. `length` is a size_t expression. */
#define ALLOCATE_ARRAY(object, member, length)                                                                         \
  &&((object)->member = large_calloc((length) + 1, sizeof *(object)->member)) != NULL
#define FREE_ARRAY(object, member, length) free((object)->member);

#endif
