/* csv: comma-separated values; base/number.h writes the numbers; NaN is an empty field.
 *
 * npy: NumPy's format ([NumPy] NEP 1). The header is the text of a Python dictionary. Before it are a magic word, a
 * version and the length of the header. Blanks fill it so that the data begin at a multiple of 64 bytes. Each row is a
 * record of little-endian doubles. The version is 1 if the length fits into two bytes, else 2.
 *
 * Names of FMUs and of user parts may be any text. csv quotes them; npy has escapes for quotes, backslashes and control
 * characters. Other names have letters, digits, _ and - only. */
#include "app/results/table_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/memory_stream.h"
#include "base/number.h"
#include "base/then.h"

/* ---- csv ---- */

/* Returns the text of `write`, which the caller frees; NULL: no memory. */
static char *write_to_text(const seam_table *columns, const row_label *label,
                           void (*write)(FILE *to, const seam_table *columns, const row_label *label), size_t *size) {
  char *text = NULL;
  FILE *stream = memory_stream_open(&text, size);
  if (stream == NULL)
    return NULL;
  write(stream, columns, label);
  memory_stream_close(stream, &text);
  return text;
}

static void write_names(FILE *to, const seam_table *columns, const row_label *label) {
  const size_t n = seam_table_n_columns(columns);
  fputs(label != NULL ? label->head : "", to);
  for (size_t i = 0; i < n; i++) {
    csv_write_text(to, seam_table_column(columns, i)->name);
    fputc(i + 1 < n ? ',' : '\n', to);
  }
}

static char *csv_head(const seam_table *columns, const row_label *label, size_t *size) {
  return write_to_text(columns, label, write_names, size);
}

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

static void write_dictionary(FILE *to, const seam_table *columns, const row_label *label) {
  (void)label;
  fputs("{'descr': [", to);
  for (size_t i = 0; i < seam_table_n_columns(columns); i++) {
    fputs(i > 0 ? ", (" : "(", to);
    write_python_text(to, seam_table_column(columns, i)->name);
    fputs(", '<f8')", to);
  }
  fprintf(to, "], 'fortran_order': False, %s", shape_key);
}

/* Ends the dictionary with the number of rows, and fills the head with blanks. Returns the first byte that changes. */
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

static char *npy_head(const seam_table *columns, const row_label *label, size_t *size) {
  size_t length = 0;
  char *text = write_to_text(columns, label, write_dictionary, &length);
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

static char *npy_write_row(char *at, const double *row, size_t n_columns) {
  for (size_t i = 0; i < n_columns; i++, at += sizeof *row) {
    uint64_t bits;
    memcpy(&bits, &row[i], sizeof bits);
    bytes_put(at, bits);
  }
  return at;
}

const row_format row_formats[N_ROW_FORMATS] = {
    [ROW_CSV] = {"csv", csv_head, NULL, SHORTEST_ROOM, csv_write_row},
    [ROW_NPY] = {"npy", npy_head, npy_count, sizeof(double), npy_write_row},
};

/* ---- A file ---- */

enum { BUFFER_SIZE = 1 << 16, MAX_PENDING = 1024 }; /* bytes and rows in the buffer */

struct row_file {
  const char *path;
  const row_format *format;
  size_t n_columns;
  FILE *file;
  char *head;
  size_t head_size;
  uint64_t complete_size; /* bytes up to the end of the last complete row */
  uint64_t rows;          /* complete rows in the file */
  int failure;            /* errno of the first incomplete write; 0: none */
  app_extent saved;       /* extent at the last checkpoint */
  char *buffer;           /* rows not yet passed to the operating system */
  size_t used;            /* bytes used in the buffer */
  size_t n_pending;
  size_t end[MAX_PENDING]; /* (n_pending) end of each row in the buffer */
};

/* ---- The file so far ---- */

/* Adds the bytes from `from` to `to`, or to the end of the file, to a checksum. False: reading failed. */
static bool add_to_checksum(int file, uint64_t from, uint64_t to, uint64_t *sum) {
  char bytes[1 << 14];
  ssize_t read = 1;
  for (; from < to && read > 0; from += (uint64_t)read) {
    read = pread(file, bytes, to - from < sizeof bytes ? (size_t)(to - from) : sizeof bytes, (off_t)from);
    if (read < 0)
      return false;
    *sum = checksum_add(*sum, bytes, (size_t)read);
  }
  return true;
}

/* O_NONBLOCK: a pipe in place of the file fails, without waiting for its other end. */
seam_status row_file_check(const char *path, const app_extent *extent, seam_error *error) {
  struct stat found;
  uint64_t sum = 0;
  const int file = output_descriptor(path, O_RDONLY | O_NONBLOCK);
  seam_status status = SEAM_OK;
  const bool is_found = file >= 0 && fstat(file, &found) == 0;
  const bool is_long = is_found && S_ISREG(found.st_mode) && (uint64_t)found.st_size >= extent->length;
  const bool is_read = is_found && (!is_long || (add_to_checksum(file, 0, extent->gap, &sum) &&
                                                 add_to_checksum(file, extent->gap_end, extent->length, &sum)));
  if (!is_read)
    status = output_failed(path, error);
  else if (!S_ISREG(found.st_mode))
    status =
        seam_fail(error, SEAM_BAD_STATE, "%s: this is not a file; put the table of the interrupted run there", path);
  else if (!is_long)
    status =
        seam_fail(error, SEAM_BAD_STATE, "%s: the file is shorter than at the checkpoint; run the model again", path);
  else if (sum != extent->checksum)
    status = seam_fail(error, SEAM_BAD_STATE,
                       "%s: the rows up to the checkpoint are not those that the run wrote; put back the file of the "
                       "interrupted run, or run the model again",
                       path);
  if (file >= 0)
    close(file);
  return status;
}

/* ---- Passing rows to the operating system ---- */

/* Writes the number of rows if the head has it, after the rows themselves. So a killed run leaves a readable file. */
static bool write_row_count(const row_file *self) {
  if (self->format->count == NULL)
    return true;
  const size_t at = self->format->count(self->head, self->head_size, self->rows);
  const size_t n = self->head_size - at;
  return pwrite(fileno(self->file), self->head + at, n, (off_t)at) == (ssize_t)n;
}

static seam_status failed(const row_file *self, seam_error *error) {
  errno = self->failure;
  return output_failed(self->path, error);
}

/* Passes the buffer to the operating system, and counts the complete rows in the file. Removes an incomplete row: a
 * number that lacks digits would be read as another number. */
static seam_status row_file_flush(row_file *self, seam_error *error) {
  size_t n = 0;
  if (self->failure != 0)
    return failed(self, error);
  if (self->n_pending == 0)
    return SEAM_OK;
  const size_t written = output_bytes(fileno(self->file), self->buffer, self->used);
  if (written < self->used)
    self->failure = errno;
  while (n < self->n_pending && self->end[n] <= written)
    n++;
  self->rows += n;
  self->complete_size += n > 0 ? self->end[n - 1] : 0;
  if (written < self->used && ftruncate(fileno(self->file), (off_t)self->complete_size) != 0) {
    print_name(self->path);
    fputs(": the last row is incomplete\n", stderr);
  }
  if (!write_row_count(self) && self->failure == 0)
    self->failure = errno;
  self->used = self->n_pending = 0;
  return self->failure == 0 ? SEAM_OK : failed(self, error);
}

/* ---- Opening, storing, closing ---- */

static seam_status begin(row_file *self, seam_error *error) {
  TRY(output_open(self->path, &self->file, error));
  if (self->format->count != NULL) {
    self->saved.gap = self->format->count(self->head, self->head_size, 0);
    self->saved.gap_end = self->saved.length = self->head_size;
    self->saved.checksum = checksum_add(0, self->head, self->saved.gap);
  }
  self->complete_size = self->head_size;
  const size_t written = output_bytes(fileno(self->file), self->head, self->head_size);
  return written == self->head_size ? SEAM_OK : output_failed(self->path, error);
}

static seam_status resume(row_file *self, const app_extent *extent, seam_error *error) {
  self->saved = *extent;
  self->complete_size = extent->length;
  self->rows = extent->rows;
  const int file = output_descriptor(self->path, O_RDWR);
  self->file = file >= 0 ? fdopen(file, "r+") : NULL;
  const bool is_truncated = self->file != NULL && ftruncate(fileno(self->file), (off_t)extent->length) == 0 &&
                            lseek(fileno(self->file), (off_t)extent->length, SEEK_SET) >= 0 && write_row_count(self);
  return is_truncated ? SEAM_OK : output_failed(self->path, error);
}

static seam_status row_file_open(const char *path, const row_format *format, const seam_table *columns,
                                 const row_label *label, const app_extent *extent, row_file **opened,
                                 seam_error *error) {
  const size_t n = seam_table_n_columns(columns);
  row_file *self = calloc(1, sizeof *self);
  TRY(check_memory(self != NULL, error));
  *self = (row_file){.path = path, .format = format, .n_columns = n};
  *opened = self;
  self->head = format->head(columns, label, &self->head_size);
  self->buffer = malloc(BUFFER_SIZE + n * format->max_number_size + (label != NULL ? label->max_length : 0) + 1);
  TRY(check_memory(self->head != NULL && self->buffer != NULL, error));
  return extent != NULL ? resume(self, extent, error) : begin(self, error);
}

/* ---- Tables ---- */

seam_status table_file_open(const char *const paths[N_ROW_FORMATS], const seam_table *columns, const row_label *label,
                            const app_extent extents[N_ROW_FORMATS], app_table_file **opened, seam_error *error) {
  app_table_file *self = calloc(1, sizeof *self + seam_table_n_columns(columns) * sizeof *self->row);
  TRY(check_memory(self != NULL, error));
  *opened = self;
  for (int i = 0; i < N_ROW_FORMATS; i++)
    if (paths[i] != NULL)
      TRY(row_file_open(paths[i], &row_formats[i], columns, label, extents != NULL ? &extents[i] : NULL,
                        &self->files[i], error));
  return SEAM_OK;
}

seam_status table_file_write_row(app_table_file *self, const double *row, seam_error *error) {
  for (int i = 0; i < N_ROW_FORMATS; i++) {
    row_file *file = self->files[i];
    if (file == NULL)
      continue;
    if (file->failure != 0)
      return failed(file, error);
    char *at = file->buffer + file->used;
    if (self->label != NULL)
      at = stpcpy(at, self->label);
    const char *end = file->format->write_row(at, row, file->n_columns);
    file->used = (size_t)(end - file->buffer);
    file->end[file->n_pending++] = file->used;
    if (file->used >= BUFFER_SIZE || file->n_pending == MAX_PENDING)
      TRY(row_file_flush(file, error));
  }
  return SEAM_OK;
}

seam_status table_file_flush(app_table_file *self, seam_error *error) {
  for (int i = 0; i < N_ROW_FORMATS && self != NULL; i++)
    if (self->files[i] != NULL)
      TRY(row_file_flush(self->files[i], error));
  return SEAM_OK;
}

seam_status table_file_store(app_table_file *self, app_extent extents[N_ROW_FORMATS], seam_error *error) {
  memset(extents, 0, N_ROW_FORMATS * sizeof *extents);
  for (int i = 0; i < N_ROW_FORMATS && self != NULL; i++) {
    row_file *file = self->files[i];
    if (file == NULL)
      continue;
    TRY(row_file_flush(file, error));
    TRY(output_sync(file->file, file->path, error));
    app_extent *saved = &file->saved;
    if (!add_to_checksum(fileno(file->file), saved->length, file->complete_size, &saved->checksum))
      return output_failed(file->path, error);
    saved->length = file->complete_size;
    saved->rows = file->rows;
    extents[i] = *saved;
  }
  return SEAM_OK;
}

seam_status table_file_close(app_table_file *self, seam_error *error) {
  seam_status status = SEAM_OK;
  bool is_first = true;
  for (int i = 0; i < N_ROW_FORMATS && self != NULL; i++) {
    row_file *file = self->files[i];
    if (file == NULL)
      continue;
    seam_error *reported = status == SEAM_OK ? error : NULL;
    seam_status closed = file->file != NULL && file->failure == 0 ? row_file_flush(file, reported) : SEAM_OK;
    if (file->file != NULL && fclose(file->file) != 0 && closed == SEAM_OK)
      closed = output_failed(file->path, reported);
    status = status == SEAM_OK ? closed : status;
    self->rows = is_first || file->rows < self->rows ? file->rows : self->rows;
    is_first = false;
    free(file->head);
    free(file->buffer);
    free(file);
    self->files[i] = NULL;
  }
  return status;
}

void table_file_free(app_table_file *self) {
  table_file_close(self, NULL);
  free(self);
}
