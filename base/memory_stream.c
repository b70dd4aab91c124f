#include "base/memory_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/arrays.h"

typedef struct memory_stream {
  char **text;
  size_t *size, capacity;
} memory_stream;

/* Returns n; 0 when memory is exhausted: the stream then sets its error flag. */
static ssize_t append(void *cookie, const char *bytes, size_t n) {
  memory_stream *self = cookie;
  char *grown = array_grow(*self->text, &self->capacity, *self->size + n + 1, 1);
  if (grown == NULL)
    return 0;
  *self->text = grown;
  memcpy(*self->text + *self->size, bytes, n);
  *self->size += n;
  (*self->text)[*self->size] = '\0';
  return (ssize_t)n;
}

static int release(void *cookie) {
  free(cookie);
  return 0;
}

bool memory_stream_close(FILE *stream, char **text) {
  const bool is_whole = stream != NULL && ferror(stream) == 0;
  if (stream != NULL && fclose(stream) == 0 && is_whole)
    return true;
  free(*text);
  *text = NULL;
  return false;
}

FILE *memory_stream_open(char **text, size_t *size) {
  enum { FIRST = 256 };
  memory_stream *self = malloc(sizeof *self);
  *text = calloc(FIRST, 1);
  *size = 0;
  FILE *made = NULL;
  if (self != NULL && *text != NULL) {
    *self = (memory_stream){text, size, FIRST};
    made = fopencookie(self, "w", (cookie_io_functions_t){.write = append, .close = release});
  }
  if (made == NULL) {
    free(self);
    free(*text);
    *text = NULL;
  }
  return made;
}
