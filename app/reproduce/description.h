/* A description of a published figure or table (models/published/SOURCE/NAME.yaml): its studies, and the numbers and
 * claims of the source (docs/cli.md). */
#ifndef APP_REPRODUCE_DESCRIPTION_H
#define APP_REPRODUCE_DESCRIPTION_H

#include <seam/status.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "base/json.h"

/* Descriptions compiled into the program, named "SOURCE/NAME". */
extern const embedded_file published_rows[];
extern const size_t published_size;

typedef struct description {
  char *source, *name;       /* a file has "file", and its name without ending */
  const char *text;          /* YAML */
  const char *title, *claim; /* texts of one line; claim NULL: there is none */
  bool is_quick;             /* the studies take little time */
  char *owned;               /* text of a file */
  char *json;
  const json_node *root, *studies, *tables; /* `tables` NULL: nothing is compared */
  arena memory;
} description;

/* description_read() reads published_rows[i], description_read_file() a file. Call description_free() even after a
 * failure. SEAM_BAD_INPUT, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status description_read(size_t i, description *self, seam_error *error);
seam_status description_read_file(const char *path, description *self, seam_error *error);
void description_free(description *self);

/* Returns SEAM_BAD_INPUT with a message about `part` of the description. */
seam_status description_fail(const description *self, const char *part, seam_error *error, const char *format, ...)
    SEAM_PRINTF(4, 5);

/* Returns the indices of published_rows sorted by name, 3.9 before 3.10. The caller frees them. NULL: no memory. */
size_t *description_order(void);

/* ---- Studies: commands of Seam, with options as keys; each writes a folder with its name ---- */

/* Makes all studies, into DIRECTORY/STUDY. SEAM_BAD_INPUT: a study is wrong, or its exit status is not its key `exit`;
 * errors of the commands. */
seam_status studies_run(const description *self, const char *directory, seam_error *error);

/* Returns the study of a path "STUDY" or "STUDY/FILE"; NULL: there is none. */
const json_node *studies_find(const description *self, const char *path);

/* Returns the file with the numbers of a study, for tables that name none; NULL: there is none. */
const char *studies_file(const json_node *study);

#endif
