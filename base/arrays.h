/* Arrays of an object, allocated and freed by one table with a row X(object, member, length) for each.
 *
 *   #define ARRAYS(X) X(self, values, n) X(self, records, n)
 *
 *   const bool enough = true ARRAYS(TAKE_ARRAY);
 *   ARRAYS(FREE_ARRAY) */
#ifndef BASE_ARRAYS_H
#define BASE_ARRAYS_H

#include <stdlib.h>

#include "base/large.h"

/* Allocates zeros, one more than the length, so that no array is empty. Lengths are size_t expressions. */
#define TAKE_ARRAY(object, member, length)                                                                             \
  &&((object)->member = large_calloc((length) + 1, sizeof *(object)->member)) != NULL
#define FREE_ARRAY(object, member, length) free((object)->member);

#endif
