/* Names of coupling schemes: DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION]. */
#ifndef MODELS_SCHEME_NAME_H
#define MODELS_SCHEME_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* What is wrong with a name. */
typedef struct scheme_name_error {
  size_t column; /* bytes from the start */
  char cause[160];
} scheme_name_error;

/* Whether a text is a scheme name by its grammar; which schemes fit which cut is another question. */
bool scheme_name_check(const char *text, scheme_name_error *error);

#endif
