/* Comma-separated values ([RFC4180] 2). Quotes enclose a field with a comma, a quote (doubled) or a line break. */
#ifndef APP_RESULTS_CSV_TEXT_H
#define APP_RESULTS_CSV_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <seam/status.h>

void csv_write_text(FILE *file, const char *text);

/* Returns the line break, not in quotes, that ends the line at `at`; NULL: there is none before `end`. */
const char *csv_end_of_line(const char *at, const char *end);

/* Returns the number of fields of the line at `at`. The text must have a terminating zero. */
size_t csv_count_fields(const char *at);

/* Returns the field at *at, without quotes, terminated in place. *at becomes the next field; NULL: there is none. */
char *csv_next_field(char **at);

/* A table of texts. The first row has the names of columns. */
typedef struct csv_table {
  char *text;   /* owned; the cells are parts of it */
  char **cells; /* (n_rows x n_columns); NULL: the row has fewer fields */
  size_t n_rows, n_columns;
  bool is_cut; /* the last row has no line break: its last field may be incomplete */
} csv_table;

/* csv_table_read() reads a file; call csv_table_free() even after a failure. SEAM_NO_FILE, SEAM_NO_MEMORY.
 * csv_table_find() returns the index of a column; SEAM_NONE: there is none. */
seam_status csv_table_read(const char *path, csv_table *self, seam_error *error);
void csv_table_free(csv_table *self);
size_t csv_table_find(const csv_table *self, const char *name);

#endif
