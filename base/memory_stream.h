/* A stream into a text that grows. */
#ifndef BASE_MEMORY_STREAM_H
#define BASE_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream(), but ferror() and fclose() know when memory was exhausted: open_memstream() of glibc drops what
 * does not fit without a word. *text is terminated, to be freed by the caller after fclose(), whatever the result; it
 * and *size are those of the last flush. NULL when memory is exhausted. */
FILE *memory_stream_open(char **text, size_t *size);

#endif
