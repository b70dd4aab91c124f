/* A series of macro steps, as --macro-steps gives it. */
#ifndef APP_MACRO_STEPS_H
#define APP_MACRO_STEPS_H

#include <stddef.h>

#include <seam/status.h>

enum { MAX_MACRO_STEPS = 100 };

/* Descending; each divides the end. */
typedef struct app_macro_steps {
  size_t n;
  double H[MAX_MACRO_STEPS]; /* s */
} app_macro_steps;

/* "FROM:TO:COUNT", with a count from 1 on; returns what follows it. NULL: the text is none. */
const char *range_read(const char *text, double *from, double *to, size_t *count);

/* "FROM:TO:COUNT": COUNT macro steps in geometric progression, each moved to the nearest one that divides `end`; equal
 * ones are kept once. SEAM_BAD_INPUT. */
seam_status macro_steps_read(const char *text, double end, app_macro_steps *made, seam_error *error);

#endif
