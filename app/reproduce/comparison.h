/* Compares results with the numbers and claims of a publication. */
#ifndef APP_REPRODUCE_COMPARISON_H
#define APP_REPRODUCE_COMPARISON_H

#include "app/reproduce/description.h"

typedef enum statement {
  PRINTED,     /* the source prints the number */
  INDEPENDENT, /* others computed it from the equations of the source */
  ABOVE,       /* the source claims that the number is larger than another */
  BELOW
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

/* Numbers of findings. */
typedef struct comparison_counts {
  /* numbers printed in the source, by agreement */
  size_t printed, all_digits, within_unit, within_tolerance, printed_differ;
  size_t independent, independent_hold;
  size_t claims, claims_hold;
  size_t unexpected; /* findings that differ without a known reason, or agree in spite of one */
} comparison_counts;

/* Compares all numbers of the description with results in `directory`. Call comparison_free() even after a failure.
 * SEAM_BAD_INPUT: a key or number of the description is wrong; SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status comparison_make(const description *self, const char *directory, comparison *result, seam_error *error);
void comparison_free(comparison *self);

void comparison_count(const comparison *self, comparison_counts *sum);
/* Writes the result: "holds", "all digits", .... */
void finding_text(const finding *self, char *text, size_t size);
const char *finding_kind(const finding *self);

/* comparison_write() writes DIRECTORY/values.csv (SEAM_NO_FILE), comparison_print() a line for each finding. */
seam_status comparison_write(const comparison *self, const char *directory, seam_error *error);
void comparison_print(const comparison *self);

#endif
