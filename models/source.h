/* Texts to be read, and messages about positions in them. */
#ifndef MODELS_SOURCE_H
#define MODELS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

/* A text; it must outlive all nodes that refer to it. */
typedef struct source {
  const char *name; /* file name, or "--set key.path" */
  const char *text; /* UTF-8 */
  size_t length;    /* bytes */
  bool is_option;   /* a value from the command line: messages give no line numbers */
  bool is_made;     /* made from a system of FMUs: users never see it, so messages give no positions */
} source;

/* Returns the bytes from the start of the text to the character at `line` and `column`, both from 0. */
size_t source_offset(const source *of, size_t line, size_t column);

/* Fails with SEAM_BAD_INPUT and a message like a compiler's; a text with is_made gets no position.
 *     NAME:LINE:COLUMN: error: CAUSE
 *     the offending line
 *               ^
 *     FIX
 * `offset` counts bytes from the start of the text; `fix` may be NULL or empty. */
seam_status source_fail(const source *of, size_t offset, seam_error *error, const char *fix, const char *format, ...)
    SEAM_PRINTF(5, 6);

#endif
