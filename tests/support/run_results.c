#include "tests/support/run_results.h"

#include <criterion/criterion.h>
#include <libfyaml.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"

static size_t count(const char *text, char wanted) {
  size_t n = 0;
  for (const char *c = text; *c; c++)
    n += *c == wanted;
  return n;
}

csv csv_read(const char *path) {
  char *text = read_text(path);
  const size_t n_lines = count(text, '\n');
  const size_t length = strcspn(text, "\n");
  csv table = {.header = strndup(text, length)};
  cr_assert_gt(n_lines, 0);
  table.n_rows = n_lines - 1;
  table.n_columns = count(table.header, ',') + 1;
  table.values = calloc(table.n_rows * table.n_columns + 1, sizeof *table.values);
  char *at = text + length + 1;
  for (size_t i = 0; i < table.n_rows * table.n_columns; i++) {
    char *end = NULL;
    table.values[i] = strtod(at, &end);
    cr_assert_neq(end, at, "no number in row %zu", i / table.n_columns);
    cr_assert_eq(*end, (i + 1) % table.n_columns ? ',' : '\n', "row %zu is torn", i / table.n_columns);
    at = end + 1;
  }
  cr_assert_eq(*at, '\0', "the file ends with a torn row");
  free(text);
  return table;
}

void csv_free(csv *table) {
  free(table->header);
  free(table->values);
}

double csv_at(const csv *table, size_t row, const char *column) {
  const char *name = table->header;
  cr_assert_lt(row, table->n_rows);
  for (size_t i = 0; i < table->n_columns; i++) {
    const size_t length = strcspn(name, ",");
    if (length == strlen(column) && strncmp(name, column, length) == 0)
      return table->values[row * table->n_columns + i];
    name += length + 1;
  }
  cr_assert_fail("no column %s in %s", column, table->header);
  return NAN;
}

double csv_last(const char *path, const char *column) {
  csv table = csv_read(path);
  const double value = csv_at(&table, table.n_rows - 1, column);
  csv_free(&table);
  return value;
}

char *json_at(const char *path, const char *place) {
  const struct fy_parse_cfg strict = {.flags = FYPCF_JSON_FORCE};
  struct fy_document *document = fy_document_build_from_file(&strict, path);
  cr_assert_not_null(document, "%s is not JSON", path);
  struct fy_node *node = fy_node_by_path(fy_document_root(document), place, FY_NT, FYNWF_DONT_FOLLOW);
  const char *scalar = node ? fy_node_get_scalar0(node) : NULL;
  char *text = scalar ? strdup(scalar) : NULL;
  fy_document_destroy(document);
  return text;
}

double json_number_at(const char *path, const char *place) {
  char *text = json_at(path, place);
  cr_assert_not_null(text, "%s has no %s", path, place);
  const double number = strtod(text, NULL);
  free(text);
  return number;
}
