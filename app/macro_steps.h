/* A series of macro steps, as --macro-steps gives it. */
#ifndef APP_MACRO_STEPS_H
#define APP_MACRO_STEPS_H

#include <stddef.h>

#include <seam/status.h>

enum { MAX_MACRO_STEPS = 100 };

/* Macro steps in descending order; each divides the length of the run. */
typedef struct app_macro_steps {
  size_t n;
  double H[MAX_MACRO_STEPS]; /* s */
} app_macro_steps;

/* Reads "FROM:TO:COUNT", COUNT from 1 to 1e9. Returns the text after it; NULL: the text has another form. */
const char *range_read(const char *text, double *from, double *to, size_t *count);

/* Reads "FROM:TO:COUNT": COUNT macro steps in geometric progression, each then replaced by the nearest that divides the
 * run up to `end`, without duplicates. SEAM_BAD_INPUT: another form, or a macro step longer than the run. */
seam_status macro_steps_read(const char *text, double end, app_macro_steps *made, seam_error *error);

#endif
