/* Reads tables of results, csv or npy: names of columns, and complete columns of numbers. */
#ifndef APP_RESULTS_TABLE_READER_H
#define APP_RESULTS_TABLE_READER_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct table_reader table_reader;

/* The first bytes of a table decide its format. `path` must outlive *opened. table_reader_close() accepts NULL.
 * SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: the file is empty, incomplete, or not a table. */
seam_status table_reader_open(const char *path, table_reader **opened, seam_error *error);
void table_reader_close(table_reader *self);

const char *table_reader_path(const table_reader *self);
size_t table_reader_n_rows(const table_reader *self);
size_t table_reader_n_columns(const table_reader *self);
const char *table_reader_name(const table_reader *self, size_t column); /* NULL: there is no such column */
size_t table_reader_find(const table_reader *self, const char *name);   /* index; SEAM_NONE: there is none */
/* Adds another name, which must outlive *self, unless a column has it already. False: memory is exhausted. */
bool table_reader_add_name(table_reader *self, const char *name, size_t column);

/* Reads n columns in one pass: column columns[i] into values[i x (number of rows)] and on. SEAM_BAD_INPUT: a row has a
 * wrong number of fields, or one of these fields is not a finite number. */
seam_status table_reader_read(const table_reader *self, const size_t *columns, size_t n, double *values,
                              seam_error *error);

#endif
