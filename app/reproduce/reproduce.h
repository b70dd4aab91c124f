/* A published figure or table that is computed again: its description (models/published/SOURCE/NAME.yaml; docs/cli.md),
 * its results beside the numbers of the source, and a page about several of them. */
#ifndef APP_REPRODUCE_REPRODUCE_H
#define APP_REPRODUCE_REPRODUCE_H

#include <stdbool.h>

#include <seam/status.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "base/json.h"

/* ---- Descriptions ---- */

/* Descriptions compiled into the program, named "SOURCE/NAME" and sorted by name, 3.9 before 3.10. */
extern const embedded_file published_rows[];
extern const size_t published_size;

typedef struct description {
  const char *source, *name; /* a file has "file", and its name without ending */
  const char *text;          /* YAML */
  const char *title, *claim; /* texts of one line; claim NULL: there is none */
  bool is_quick;             /* the studies take little time */
  char *json;
  const json_node *root, *studies, *tables; /* `tables` NULL: nothing is compared */
  arena memory;
} description;

/* Reads a row of the table above or, if is_file, the text of a file, whose path is the name of the row. The row must
 * outlive *self. Call description_free() even after a failure. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status description_read(const embedded_file *row, bool is_file, description *self, seam_error *error);
void description_free(description *self);

/* Returns SEAM_BAD_INPUT with a message about `part` of the description. */
seam_status description_fail(const description *self, const char *part, seam_error *error, const char *format, ...)
    SEAM_PRINTF(4, 5);

/* ---- Studies: commands of Seam, with options as keys; each writes a folder with its name ---- */

/* Makes all studies, into DIRECTORY/STUDY. SEAM_BAD_INPUT: a study is wrong, or its exit status is not its key `exit`;
 * errors of the commands. */
seam_status studies_run(const description *self, const char *directory, seam_error *error);

/* Returns the study of a path "STUDY" or "STUDY/FILE"; NULL: there is none. */
const json_node *studies_find(const description *self, const char *path);

/* Returns the file with the numbers of a study, for tables that name none; NULL: there is none. */
const char *studies_file(const json_node *study);

/* ---- Results beside the numbers and claims of the source ---- */

typedef enum statement {
  PRINTED,     /* the source prints the number */
  INDEPENDENT, /* others computed it from the equations of the source */
  ABOVE,       /* the source claims that the number is larger than another */
  BELOW,
  N_STATEMENTS
} statement;

/* Agreement of two numbers: in all printed digits; to a unit of the last one; within the key `within`; none. */
typedef enum agreement { ALL_DIGITS, WITHIN_UNIT, WITHIN_TOLERANCE, NO_AGREEMENT } agreement;

typedef struct finding {
  const char *table, *row, *column; /* names in the description; column NULL: the only column */
  statement kind;
  const char *stated; /* number as stated, or name of the row with the number to compare with */
  double found, other;
  double units; /* |difference| in units of the last printed digit; NaN for a claim */
  agreement agreement;
  bool holds; /* the claim is true, or the number agrees: within its tolerance or, without one, to one unit of the last
                 digit */
  const char *known_reason; /* reason why `holds` is false; NULL: it should be true */
} finding;

typedef struct comparison {
  finding *list; /* (n) */
  size_t n, n_allocated;
} comparison;

/* Compares all numbers of the description with results in `directory`. Call comparison_free() even after a failure.
 * SEAM_BAD_INPUT: a key or number of the description is wrong; SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status comparison_make(const description *of, const char *directory, comparison *result, seam_error *error);
void comparison_free(comparison *self);

/* comparison_write() writes DIRECTORY/values.csv (SEAM_NO_FILE), comparison_print() a line for each finding. */
seam_status comparison_write(const comparison *self, const char *directory, seam_error *error);
void comparison_print(const comparison *self);

/* Write in words the result of a finding, as "holds" or "all digits", and its kind. */
void finding_text(const finding *self, char *text, size_t size);
const char *finding_kind(const finding *self);
/* Returns true unless the finding differs without a known reason, or agrees in spite of one. */
static inline bool finding_is_expected(const finding *self) { return self->holds == (self->known_reason == NULL); }

/* ---- A page: a table of claims, then each figure with its pictures and numbers ---- */

typedef struct reproduced {
  description of;
  comparison found;
  char *directory; /* directory of the results */
  double cpu;      /* s, CPU time */
} reproduced;

/* Writes the HTML page of n >= 1 figures of one source, completely or not at all. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status page_write(const reproduced *list, size_t n, const char *path, seam_error *error);

/* Writes a summary of n figures: "3 of 4 printed numbers to the last digit, ...". */
void page_summarise(const reproduced *list, size_t n, char *text, size_t size);

#endif
