/* Comparison of a source's numbers and claims with results of runs. */
#ifndef APP_REPRODUCE_COMPARISON_H
#define APP_REPRODUCE_COMPARISON_H

#include <stdio.h>

#include "app/reproduce/description.h"

typedef enum statement {
  PRINTED,     /* the source prints the number */
  INDEPENDENT, /* others computed the number from the source's equations */
  ABOVE,       /* the source claims that the number is larger than another */
  BELOW
} statement;

/* Agreement of two numbers: in all printed digits, to one unit of the last digit, within the tolerance `within` of the
 * description, or none of these. */
typedef enum nearness { TO_THE_DIGIT, TO_ONE_UNIT, IN_ITS_BAND, FAR_OFF } nearness;

typedef struct finding {
  const char *table, *row, *column; /* `column` NULL: the table has only one */
  statement kind;
  const char *said; /* number in the description, or name of the row to compare with */
  double found, other;
  double units; /* difference in units of the last printed digit */
  nearness near;
  bool holds;          /* the claim is true; or the number agrees to one unit or, with a tolerance, within it */
  const char *differs; /* known reason of a difference; NULL: `holds` should be true */
} finding;

typedef struct comparison {
  finding *list; /* (n) */
  size_t n, n_allocated;
} comparison;

/* Counts of findings. */
typedef struct comparison_counts {
  size_t printed, to_last_digit, to_one_unit, in_band, printed_differ; /* counts of printed numbers */
  size_t independent, independent_hold;
  size_t claims, claims_hold;
  size_t unexpected; /* findings that contradict the description */
} comparison_counts;

/* Compares all numbers that the description's tables state with the computed ones. Free *made with comparison_free(),
 * whatever the result. Errors as of tables_number(). */
seam_status comparison_make(const description *self, const char *directory, comparison *made, seam_error *error);
void comparison_free(comparison *self);

void comparison_count(const comparison *self, comparison_counts *sum);
/* Writes the result as text: "holds", "all digits", .... */
void finding_say(const finding *self, char *text, size_t size);
const char *finding_kind(const finding *self);

/* The first writes DIRECTORY/values.csv, the second prints a line for each finding. SEAM_NO_FILE. */
seam_status comparison_write(const comparison *self, const char *directory, seam_error *error);
void comparison_print(const comparison *self);

#endif
