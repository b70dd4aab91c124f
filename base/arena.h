/* Memory that is allocated in many calls and freed in one. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include <seam/status.h>

typedef struct arena {
  struct arena_block *block; /* newest block; NULL: empty */
} arena;

/* Returns `size` zeroed bytes, aligned for any type, valid until arena_release(); NULL when memory is exhausted. */
void *arena_allocate(arena *from, size_t size);

/* Returns a terminated copy of `length` bytes; NULL when memory is exhausted. */
char *arena_text(arena *from, const char *text, size_t length);

/* Returns a printed text; NULL when memory is exhausted. */
char *arena_print(arena *from, const char *format, ...) SEAM_PRINTF(2, 3);

/* Frees all memory of the arena and leaves it empty. */
void arena_release(arena *from);

#endif
