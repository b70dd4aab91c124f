/* csv: comma-separated values, with numbers as base/number.h writes them and an empty field for NaN.
 *
 * npy: NumPy's format ([NumPy] NEP 1). The file begins with a magic word, a version, the length of the header, and the
 * header. The header is the text of a Python dictionary, filled with blanks so that the data begin at a multiple of 64
 * bytes. Then each row is a record of little-endian doubles. The version is 1 if the length fits into two bytes,
 * else 2.
 *
 * Names in a model file consist of letters, digits, _ and -, but those of FMUs and of user parts may be any text. csv
 * quotes such names; npy has escapes for quotes, backslashes and control characters. */
#include "app/results/row_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "base/bytes.h"
#include "base/memory_stream.h"
#include "base/number.h"

/* ---- csv ---- */

/* Returns the text that `write` writes, which the caller frees; NULL: no memory. */
static char *write_to_text(const seam_table *columns, void (*write)(FILE *to, const seam_table *columns),
                           size_t *size) {
  char *text = NULL;
  FILE *stream = memory_stream_open(&text, size);
  if (stream == NULL)
    return NULL;
  write(stream, columns);
  if (output_close(stream))
    return text;
  free(text);
  return NULL;
}

static void write_names(FILE *to, const seam_table *columns) {
  const size_t n = seam_table_n_columns(columns);
  for (size_t i = 0; i < n; i++) {
    csv_write_text(to, seam_table_column(columns, i)->name);
    fputc(i + 1 < n ? ',' : '\n', to);
  }
}

static char *csv_head(const seam_table *columns, size_t *size) { return write_to_text(columns, write_names, size); }

static size_t csv_max_row_size(size_t n_columns) { return n_columns * SHORTEST_ROOM; }

static char *csv_write_row(char *at, const double *row, size_t n_columns) {
  at = shortest_write_fields(at, row, n_columns);
  at[-1] = '\n';
  return at;
}

/* ---- npy ---- */

enum { ALIGNMENT = 64, MAX_COUNT = 20, SHORT_HEADER = 65535 };
static const char magic[] = "\x93NUMPY";
static const char shape_key[] = "'shape': (";

static void write_python_text(FILE *to, const char *text) {
  fputc('\'', to);
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f)
      fprintf(to, "\\x%02x", (unsigned)(unsigned char)*text);
    else
      fprintf(to, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
  fputc('\'', to);
}

static void write_dictionary(FILE *to, const seam_table *columns) {
  fputs("{'descr': [", to);
  for (size_t i = 0; i < seam_table_n_columns(columns); i++) {
    fputs(i > 0 ? ", (" : "(", to);
    write_python_text(to, seam_table_column(columns, i)->name);
    fputs(", '<f8')", to);
  }
  fprintf(to, "], 'fortran_order': False, %s", shape_key);
}

/* Writes the number of rows into the head, as the end of the dictionary, and then blanks up to the end of the head.
 * Returns the index of the first byte that changes. */
static size_t npy_count(char *head, size_t size, uint64_t n_rows) {
  const size_t tail = MAX_COUNT + sizeof ",), }";
  size_t at = size - tail;
  while (memcmp(head + at - (sizeof shape_key - 1), shape_key, sizeof shape_key - 1) != 0)
    at--;
  memset(head + at, ' ', size - at);
  const int written = snprintf(head + at, size - at, "%" PRIu64 ",), }", n_rows);
  head[at + (size_t)written] = ' ';
  head[size - 1] = '\n';
  return at;
}

static char *npy_head(const seam_table *columns, size_t *size) {
  size_t length = 0;
  char *text = write_to_text(columns, write_dictionary, &length);
  if (text == NULL)
    return NULL;
  const size_t needed = length + MAX_COUNT + sizeof ",), }";
  const int version = needed + ALIGNMENT > SHORT_HEADER ? 2 : 1;
  const size_t before = sizeof magic - 1 + 2 + (version == 1 ? 2 : 4);
  *size = (before + needed + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *head = calloc(1, *size);
  if (head != NULL) {
    memcpy(head, magic, sizeof magic - 1);
    head[sizeof magic - 1] = (char)version;
    for (size_t i = 0; i < (version == 1 ? 2 : 4); i++) /* little-endian */
      head[sizeof magic + 1 + i] = (char)((*size - before) >> 8 * i & 0xff);
    memcpy(head + before, text, length);
    npy_count(head, *size, 0);
  }
  free(text);
  return head;
}

static size_t npy_max_row_size(size_t n_columns) { return n_columns * sizeof(double); }

static char *npy_write_row(char *at, const double *row, size_t n_columns) {
  for (size_t i = 0; i < n_columns; i++, at += sizeof *row) {
    uint64_t bits;
    memcpy(&bits, &row[i], sizeof bits);
    bytes_put(at, bits);
  }
  return at;
}

const row_format row_formats[N_ROW_FORMATS] = {
    [ROW_CSV] = {"csv", csv_head, NULL, csv_max_row_size, csv_write_row},
    [ROW_NPY] = {"npy", npy_head, npy_count, npy_max_row_size, npy_write_row},
};
