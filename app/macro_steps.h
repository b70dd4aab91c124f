/* Series of macro steps, as given by --macro-steps. */
#ifndef APP_MACRO_STEPS_H
#define APP_MACRO_STEPS_H

#include <stddef.h>

#include <seam/status.h>

enum { MAX_MACRO_STEPS = 100 };

/* Macro steps in descending order. The length of the run is a multiple of each. */
typedef struct app_macro_steps {
  size_t n;
  double H[MAX_MACRO_STEPS]; /* s */
} app_macro_steps;

/* Reads "FROM:TO:COUNT", with COUNT from 1 to 1e9. Returns the text after COUNT; NULL: the text has another form. */
const char *range_read(const char *text, double *from, double *to, size_t *count);

/* Reads "FROM:TO:COUNT": COUNT macro steps in geometric progression. Replaces each by the nearest macro step of
 * which `end` (s) is a multiple, and removes duplicates. SEAM_BAD_INPUT: another form, or a macro step longer than
 * the run. */
seam_status macro_steps_read(const char *text, double end, app_macro_steps *result, seam_error *error);

#endif
