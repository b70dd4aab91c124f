/* Arrays that grow. */
#ifndef BASE_GROW_H
#define BASE_GROW_H

#include <stddef.h>

/* Returns `items` with room for `needed` items of `size` bytes. If there was less room, items are copied, *capacity is
 * at least doubled, and new items are not initialised. NULL: memory is exhausted; nothing has changed. */
void *array_grow(void *items, size_t *capacity, size_t needed, size_t size);

#endif
