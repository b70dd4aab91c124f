/* Arrays that grow. */
#ifndef BASE_GROW_H
#define BASE_GROW_H

#include <stddef.h>

/* Returns `items`, moved if they have no room for `needed` ones of `size` bytes: *capacity is at least doubled then,
 * and new items are not initialised. NULL: memory is exhausted; items and capacity are as before. */
void *array_grow(void *items, size_t *capacity, size_t needed, size_t size);

#endif
