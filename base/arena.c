/* An arena is a list of blocks. Each block is twice as large as the one before, up to LARGEST_BLOCK. Memory is taken
 * from the newest block. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 16 };

struct arena_block {
  struct arena_block *older;
  size_t used, size;
  alignas(max_align_t) unsigned char bytes[];
};

void *arena_allocate(arena *from, size_t size) {
  const size_t alignment = alignof(max_align_t);
  if (size > SIZE_MAX / 2)
    return NULL;
  size = (size + alignment - 1) / alignment * alignment;
  struct arena_block *block = from->block;
  if (!block || block->size - block->used < size) {
    const size_t twice = !block ? FIRST_BLOCK : 2 * block->size;
    const size_t usual = twice < LARGEST_BLOCK ? twice : LARGEST_BLOCK;
    const size_t larger = size > usual ? size : usual;
    block = calloc(1, sizeof *block + larger);
    if (!block)
      return NULL;
    block->older = from->block;
    block->size = larger;
    from->block = block;
  }
  void *piece = block->bytes + block->used;
  block->used += size;
  return piece;
}

char *arena_text(arena *from, const char *text, size_t length) {
  char *copy = arena_allocate(from, length + 1);
  if (copy && length > 0)
    memcpy(copy, text, length);
  return copy;
}

char *arena_print(arena *from, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = arena_allocate(from, (size_t)length + 1);
  if (text == NULL)
    return NULL;
  va_start(arguments, format);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

void arena_release(arena *from) {
  while (from->block) {
    struct arena_block *older = from->block->older;
    free(from->block);
    from->block = older;
  }
}
