/* Macros that allocate and free all arrays of an object from one list, with an entry X(object, member, length) for each
 * array. In the example, `enough` is true if every allocation succeeded.
 *
 *   #define ARRAYS(X) X(self, values, n) X(self, records, n)
 *
 *   const bool enough = true ARRAYS(ALLOCATE_ARRAY);
 *   ARRAYS(FREE_ARRAY) */
#ifndef BASE_ARRAYS_H
#define BASE_ARRAYS_H

#include <stdlib.h>

#include "base/large.h"

/* Allocates length + 1 zeroed items, so that no allocation is empty. `length` is a size_t expression. */
#define ALLOCATE_ARRAY(object, member, length)                                                                         \
  &&((object)->member = large_calloc((length) + 1, sizeof *(object)->member)) != NULL
#define FREE_ARRAY(object, member, length) free((object)->member);

#endif
