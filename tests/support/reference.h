/* Tables of numbers in tests/data. */
#ifndef TESTS_SUPPORT_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_H

#include <stddef.h>

typedef struct reference {
  size_t n_rows, n_columns;
  double *value; /* (n_rows x n_columns) */
} reference;

/* Reads tests/data/NAME.csv: a line of names, then numbers. Fails the test when it cannot. */
reference reference_read(const char *name);
void reference_free(reference *self);

static inline const double *reference_row(const reference *self, size_t row) {
  return self->value + row * self->n_columns;
}

#endif
