/* Arrays of an object, from one table in which each has a row X(object, member, length): the table takes and frees
 * them.
 *
 *   #define ARRAYS(X) X(self, values, n) X(self, records, n)
 *
 *   const bool enough = true ARRAYS(TAKE_ARRAY);
 *   ARRAYS(FREE_ARRAY)
 */
#ifndef BASE_ARRAYS_H
#define BASE_ARRAYS_H

#include <stdlib.h>

#include "base/large.h"

/* Zeros, one more than the length: no array is empty. Lengths are size_t, in terms of what is known there. */
#define TAKE_ARRAY(object, member, length)                                                                             \
  &&((object)->member = large_calloc((length) + 1, sizeof *(object)->member)) != NULL
#define FREE_ARRAY(object, member, length) free((object)->member);

#endif
