#include "tests/support/reference.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static size_t count_columns(FILE *file) {
  size_t n = 1;
  int c = 0;
  while ((c = fgetc(file)) != EOF && c != '\n')
    n += c == ',';
  return n;
}

reference reference_read(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/data/%s.csv", SEAM_SOURCE_DIR, name);
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file, "%s cannot be read", path);
  reference table = {.n_columns = count_columns(file)};
  size_t capacity = 0;
  size_t n = 0;
  double x = 0;
  while (fscanf(file, "%lf%*[,\n]", &x) == 1) {
    if (n == capacity) {
      capacity = 2 * capacity + 64;
      table.value = realloc(table.value, capacity * sizeof *table.value);
      cr_assert_not_null(table.value);
    }
    table.value[n++] = x;
  }
  fclose(file);
  cr_assert(n > 0 && n % table.n_columns == 0, "%s is torn", path);
  table.n_rows = n / table.n_columns;
  return table;
}

void reference_free(reference *self) { free(self->value); }
