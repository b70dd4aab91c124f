/* A stream into a growing text. */
#ifndef BASE_MEMORY_STREAM_H
#define BASE_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* Does the same as open_memstream(), but ferror() and fclose() report exhausted memory. glibc's open_memstream() drops
 * output silently. *text is terminated; the caller frees it after fclose(), whatever the result. *text and *size hold
 * the output up to the last flush. Returns NULL when memory is exhausted. */
FILE *memory_stream_open(char **text, size_t *size);

#endif
