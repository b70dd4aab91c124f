/* Reads tables of results, csv or npy: names of columns, and whole columns of numbers. */
#ifndef APP_RESULTS_TABLE_READER_H
#define APP_RESULTS_TABLE_READER_H

#include <seam/status.h>

typedef struct table_reader table_reader;

/* Opens a table; its first bytes decide the format. Messages name the file, and the line of a csv. SEAM_NO_FILE,
 * SEAM_NO_MEMORY; SEAM_BAD_INPUT: the file is empty, incomplete, or not a table. `path` must outlive *opened. Close
 * *opened with table_reader_close() (NULL is allowed). */
seam_status table_reader_open(const char *path, table_reader **opened, seam_error *error);
void table_reader_close(table_reader *self);

const char *table_reader_path(const table_reader *self);
size_t table_reader_n_rows(const table_reader *self);
size_t table_reader_n_columns(const table_reader *self);
const char *table_reader_name(const table_reader *self, size_t column); /* NULL beyond the last */
size_t table_reader_find(const table_reader *self, const char *name);   /* SEAM_NONE: there is none */

/* Reads n columns in one pass: column i of the list into `values` from i x n_rows on. Fields of other columns are only
 * counted. SEAM_BAD_INPUT: a row has more or fewer fields, or a field of these columns is not a finite number. */
seam_status table_reader_read(const table_reader *self, const size_t *columns, size_t n, double *values,
                              seam_error *error);

#endif
