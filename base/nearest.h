/* The known name nearest to a misspelt one, for hints. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

typedef struct nearest {
  const char *wanted;
  const char *name; /* best candidate; NULL: none is near enough */
  size_t distance;  /* edit distance of `name`; without a candidate, the smallest distance that is too large */
} nearest;

/* Starts a search; `wanted` and the candidates must outlive it. */
nearest nearest_to(const char *wanted);

void nearest_try(nearest *search, const char *candidate);

/* Writes "did you mean 'NAME'?" to hint (size). The text is empty when no candidate is near enough. */
void nearest_hint(const nearest *search, char *hint, size_t size);

#endif
