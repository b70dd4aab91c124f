/* A stream into a growing text. */
#ifndef BASE_MEMORY_STREAM_H
#define BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Does the same as open_memstream(), but reports exhausted memory. glibc's open_memstream() drops output silently.
 * *text is terminated; *text and *size hold the output up to the last flush. Returns NULL when memory is exhausted. */
FILE *memory_stream_open(char **text, size_t *size);

/* Closes the stream (NULL: it was not opened). Returns true if *text, which the caller frees, has all output; otherwise
 * frees it and stores NULL. */
bool memory_stream_close(FILE *stream, char **text);

#endif
