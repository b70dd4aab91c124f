/* A description of a published figure or table (models/published/SOURCE/NAME.yaml): its studies, and the numbers and
 * claims that the source states. Its keys are in docs/cli.md. */
#ifndef APP_REPRODUCE_DESCRIPTION_H
#define APP_REPRODUCE_DESCRIPTION_H

#include <seam/status.h>

#include "base/arena.h"
#include "base/json_tree.h"

/* Descriptions that are compiled in, with their names "SOURCE/NAME". */
typedef struct published_row {
  const char *name;
  const unsigned char *text; /* terminated */
} published_row;
extern const published_row published_rows[];
extern const size_t published_size;

typedef struct description {
  char *source, *name; /* read from a file: "file", and the file's name without ending */
  const char *text;    /* YAML */
  char *owned;         /* text read from a file */
  char *json;
  const json_node *root, *studies, *tables; /* `tables` NULL: nothing is compared */
  arena memory;
} description;

/* The first reads number `i` of the compiled-in descriptions, the second a file. Whatever the result, free *self with
 * description_free(). SEAM_BAD_INPUT, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status description_read(size_t i, description *self, seam_error *error);
seam_status description_read_file(const char *path, description *self, seam_error *error);
void description_free(description *self);

/* Returns SEAM_BAD_INPUT with a message on `part` of the description. */
seam_status description_fail(const description *self, const char *part, seam_error *error, const char *format, ...)
    SEAM_PRINTF(4, 5);

/* Return a text of one line: the first the title, the second the claim as a sentence (NULL: no claim). */
const char *description_title(const description *self);
const char *description_claim(const description *self);
/* Returns true if the figure takes only a moment. */
bool description_is_quick(const description *self);

/* Returns the indices of all published_rows, sorted by name, with 3.9 before 3.10. To be freed; NULL: no memory. */
size_t *description_order(void);

#endif
