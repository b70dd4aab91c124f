/* A description of a published figure or table (models/published/SOURCE/NAME.yaml): the studies that make it, and what
 * the source prints or says of their numbers. docs/cli.md has its keys. */
#ifndef APP_REPRODUCE_DESCRIPTION_H
#define APP_REPRODUCE_DESCRIPTION_H

#include <seam/status.h>

#include "base/arena.h"
#include "base/json_tree.h"

/* Descriptions that are compiled in: a row each, by its name "SOURCE/NAME". */
typedef struct published_row {
  const char *name;
  const unsigned char *text; /* terminated */
} published_row;
extern const published_row published_rows[];
extern const size_t published_size;

typedef struct description {
  char *source, *name; /* of a file: "file" and its name without its ending */
  const char *text;    /* YAML */
  char *owned;         /* the text of a file */
  char *json;
  const json_node *root, *studies, *tables; /* `tables`: NULL where nothing is compared */
  arena memory;
} description;

/* Number `i` of those compiled in; or a file. Whatever the result, free *self with description_free().
 * SEAM_BAD_INPUT, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status description_read(size_t i, description *self, seam_error *error);
seam_status description_read_file(const char *path, description *self, seam_error *error);
void description_free(description *self);

/* SEAM_BAD_INPUT: `self` has something wrong in `part` of it. */
seam_status description_fail(const description *self, const char *part, seam_error *error, const char *format, ...)
    SEAM_PRINTF(4, 5);

/* One line each: title, and claim in a sentence (NULL: none). */
const char *description_title(const description *self);
const char *description_claim(const description *self);
/* Returns true if it is among those that take a moment. */
bool description_is_quick(const description *self);

/* Numbers of all (published_size), to be freed: those of a source follow each other, 3.9 before 3.10. NULL: no
 * memory. */
size_t *description_order(void);

#endif
