/* Texts to be read, and messages that refer to positions in them. */
#ifndef MODELS_SOURCE_H
#define MODELS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

/* A text. It must outlive all nodes that refer to it. */
typedef struct source {
  const char *name; /* file name, or "--set key.path" */
  const char *text; /* UTF-8 */
  size_t length;    /* bytes */
  bool is_option;   /* true: a value from the command line, so messages have no line numbers */
  bool is_made;     /* true: made from a system of FMUs; users never see this text, so messages have no positions */
} source;

/* Returns the number of bytes from the start of the text to the character at `line` and `column`, which both count from
 * 0. */
size_t source_offset(const source *of, size_t line, size_t column);

/* Fails with SEAM_BAD_INPUT and a message like that of a compiler. If of->is_made, the message has no position.
 *     NAME:LINE:COLUMN: error: CAUSE
 *     the offending line
 *               ^
 *     FIX
 * `offset` is in bytes from the start of the text. `fix` may be NULL or empty. `format` gives the cause. */
seam_status source_fail(const source *of, size_t offset, seam_error *error, const char *fix, const char *format, ...)
    SEAM_PRINTF(5, 6);

#endif
