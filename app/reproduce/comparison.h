/* Numbers and claims of a source beside what was found. */
#ifndef APP_REPRODUCE_COMPARISON_H
#define APP_REPRODUCE_COMPARISON_H

#include <stdio.h>

#include "app/reproduce/description.h"

typedef enum statement {
  PRINTED,     /* the source prints the number */
  INDEPENDENT, /* computed by others from the source's equations */
  ABOVE,       /* the source says that it is larger than another one */
  BELOW
} statement;

/* How near a number is. */
typedef enum nearness { TO_THE_DIGIT, TO_ONE_UNIT, IN_ITS_BAND, FAR_OFF } nearness;

typedef struct finding {
  const char *table, *row, *column; /* `column` NULL: the table has one */
  statement kind;
  const char *said; /* the number as it stands in the description, or the name of the other row */
  double found, other;
  double units; /* by how many units of its last digit the printed number is off */
  nearness near;
  bool holds;          /* to one unit, or in its band */
  const char *differs; /* why it is known to differ; NULL: it should hold */
} finding;

typedef struct comparison {
  finding *list; /* (n) */
  size_t n, n_allocated;
} comparison;

/* Counts of findings. */
typedef struct comparison_counts {
  size_t printed, to_last_digit, to_one_unit, in_band, printed_differ; /* of printed numbers */
  size_t independent, independent_hold;
  size_t claims, claims_hold;
  size_t unexpected; /* that are not as the description says */
} comparison_counts;

/* Finds all numbers of the description's tables. Free *made with comparison_free(), whatever the result. As
 * tables_number(). */
seam_status comparison_make(const description *self, const char *directory, comparison *made, seam_error *error);
void comparison_free(comparison *self);

void comparison_count(const comparison *self, comparison_counts *sum);
bool finding_is_expected(const finding *self);
/* "holds", "within one unit", ..., into `text`. */
void finding_say(const finding *self, char *text, size_t size);
const char *finding_kind(const finding *self);

/* DIRECTORY/values.csv; a line each on stdout. SEAM_NO_FILE. */
seam_status comparison_write(const comparison *self, const char *directory, seam_error *error);
void comparison_print(const comparison *self);

#endif
