#include "app/sweep/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/then.h"

/* ---- Rows in memory ---- */

seam_status sweep_rows_create(const sweep_plan *plan, sweep_rows *created, seam_error *error) {
  const size_t n = seam_design_n_runs(plan->design);
  *created = (sweep_rows){.n_runs = n,
                          .n_columns = plan->n_columns,
                          .values = calloc(n * plan->n_columns, sizeof *created->values),
                          .messages = calloc(n, sizeof *created->messages),
                          .is_done = calloc(n, sizeof *created->is_done)};
  return check_memory(created->values != NULL && created->messages != NULL && created->is_done != NULL, error);
}

void sweep_rows_free(sweep_rows *self) {
  for (size_t i = 0; i < self->n_runs && self->messages != NULL; i++)
    free(self->messages[i]);
  free(self->messages);
  free(self->values);
  free(self->is_done);
}

double *sweep_rows_at(const sweep_rows *self, size_t run) { return &self->values[run * self->n_columns]; }

seam_status sweep_rows_end_run(sweep_rows *self, size_t run, const char *message, seam_error *error) {
  char *copy = *message != '\0' ? strdup(message) : NULL;
  TRY(check_memory(*message == '\0' || copy != NULL, error));
  free(self->messages[run]);
  self->messages[run] = copy;
  self->n_done += !self->is_done[run];
  self->is_done[run] = true;
  return SEAM_OK;
}

/* ---- Blocks of a journal ---- */

/* A journal is a magic word and blocks. A block consists of its size in bytes, the bytes, and their checksum. The first
 * block is the header of the plan. Each other block is the record of a run: its number, its row, and its message with a
 * terminating zero. Numbers have eight bytes, the lowest first. */
static const char magic[] = "seam sweep 1\n";
enum { MAGIC_SIZE = sizeof magic - 1, NUMBER_SIZE = 8 };

void journal_path(const char *directory, size_t process, char path[FILENAME_MAX]) {
  const int n = snprintf(path, FILENAME_MAX, "%s/sweep.journal", directory);
  if (process > 0 && n < FILENAME_MAX)
    snprintf(path + n, (size_t)(FILENAME_MAX - n), ".%zu", process + 1);
}

static uint64_t get_number(const char *at) {
  uint64_t number = 0;
  for (int i = NUMBER_SIZE - 1; i >= 0; i--)
    number = number << 8 | (unsigned char)at[i];
  return number;
}

static size_t block_size(const char *block) { return (size_t)get_number(block) + 2 * (size_t)NUMBER_SIZE; }

/* Returns a block for `size` bytes at block + NUMBER_SIZE, without its checksum. NULL: no memory. */
static char *make_block(size_t size) {
  char *block = malloc(size + 2 * (size_t)NUMBER_SIZE);
  if (block != NULL)
    bytes_put(block, size);
  return block;
}

/* Returns the content (*size) of the block at *at, and moves *at behind it. NULL: it is incomplete or damaged. */
static const char *read_block(const char **at, const char *end, size_t *size) {
  const char *block = *at;
  if (end - block < 2 * NUMBER_SIZE || get_number(block) > (uint64_t)(end - block - 2 * NUMBER_SIZE))
    return NULL;
  *size = (size_t)get_number(block);
  if (checksum_add(0, block, NUMBER_SIZE + *size) != get_number(block + NUMBER_SIZE + *size))
    return NULL;
  *at = block + block_size(block);
  return block + NUMBER_SIZE;
}

static char *make_record(const sweep_rows *rows, size_t run) {
  const char *message = rows->messages[run] != NULL ? rows->messages[run] : "";
  const size_t length = strlen(message) + 1;
  char *block = make_block(NUMBER_SIZE + rows->n_columns * NUMBER_SIZE + length);
  if (block == NULL)
    return NULL;
  char *at = block + NUMBER_SIZE;
  bytes_put(at, run);
  for (size_t i = 0; i < rows->n_columns; i++) {
    uint64_t bits;
    memcpy(&bits, &sweep_rows_at(rows, run)[i], sizeof bits);
    bytes_put(at += NUMBER_SIZE, bits);
  }
  memcpy(at + NUMBER_SIZE, message, length);
  return block;
}

/* ---- Reading a journal ---- */

static seam_status read_record(const char *path, const char *record, size_t size, sweep_rows *rows, seam_error *error) {
  const size_t before = NUMBER_SIZE + rows->n_columns * NUMBER_SIZE;
  const uint64_t run = size > before && record[size - 1] == '\0' ? get_number(record) : rows->n_runs;
  if (run >= rows->n_runs)
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s: this file has a run that the sweep does not have; remove the file, and run the sweep again",
                     path);
  double *row = sweep_rows_at(rows, (size_t)run);
  for (size_t i = 0; i < rows->n_columns; i++)
    row[i] = bytes_get_double(record + NUMBER_SIZE + i * NUMBER_SIZE);
  return sweep_rows_end_run(rows, (size_t)run, record + before, error);
}

/* Reads a file; if there is none, *bytes remains NULL, which is SEAM_OK. */
static seam_status read_file(const char *path, char **bytes, size_t *size, seam_error *error) {
  *bytes = file_read(path, SIZE_MAX - 1, size);
  if (*bytes != NULL || errno == ENOENT)
    return SEAM_OK;
  return output_not_read(path, "file", error);
}

/* Returns the header (*size) of a journal, and moves *at behind it. NULL: there is no complete header. */
static const char *find_header(const char **at, const char *end, size_t *size) {
  if (end - *at < MAGIC_SIZE || memcmp(*at, magic, MAGIC_SIZE) != 0)
    return NULL;
  *at += MAGIC_SIZE;
  return read_block(at, end, size);
}

seam_status journal_read_header(const char *path, char **bytes, const char **header, size_t *size, seam_error *error) {
  size_t n = 0;
  TRY(read_file(path, bytes, &n, error));
  if (*bytes == NULL)
    return SEAM_OK;
  const char *at = *bytes;
  *header = find_header(&at, *bytes + n, size);
  return *header != NULL
             ? SEAM_OK
             : seam_fail(error, SEAM_BAD_STATE, "%s: this is not the journal of a sweep; run the sweep again", path);
}

seam_status journal_read(const char *path, const sweep_plan *plan, sweep_rows *rows, uint64_t *length,
                         seam_error *error) {
  char *bytes = NULL;
  size_t n = 0;
  size_t size = 0;
  *length = 0;
  seam_status status = read_file(path, &bytes, &n, error);
  if (status != SEAM_OK || bytes == NULL)
    return status;
  const char *at = bytes;
  const char *found = find_header(&at, bytes + n, &size); /* NULL: the process was killed before it was complete */
  if (found != NULL && (size != plan->header_size || memcmp(found, plan->header, size) != 0))
    status = seam_fail(error, SEAM_BAD_STATE,
                       "%s: these are runs of another sweep (its model, files, values or options differ); give another "
                       "folder with -o DIR, or remove this one",
                       path);
  while (status == SEAM_OK && found != NULL) {
    *length = (uint64_t)(at - bytes);
    found = read_block(&at, bytes + n, &size);
    if (found != NULL)
      status = read_record(path, found, size, rows, error);
  }
  free(bytes);
  return status;
}

/* ---- Writing a journal ---- */

static seam_status append(const journal *self, const char *bytes, size_t n, seam_error *error) {
  return output_bytes(self->descriptor, bytes, n) == n ? SEAM_OK : output_failed(self->path, error);
}

/* Sets the checksum of a block, appends it and frees it. If the process is killed, only the last one is incomplete. */
static seam_status add_block(const journal *self, char *block, seam_error *error) {
  TRY(check_memory(block != NULL, error));
  const size_t before_sum = block_size(block) - NUMBER_SIZE;
  bytes_put(block + before_sum, checksum_add(0, block, before_sum));
  const seam_status status = append(self, block, block_size(block), error);
  free(block);
  return status;
}

static seam_status begin(const journal *self, const sweep_plan *plan, seam_error *error) {
  TRY(append(self, magic, MAGIC_SIZE, error));
  char *header = make_block(plan->header_size);
  if (header != NULL)
    memcpy(header + NUMBER_SIZE, plan->header, plan->header_size);
  return add_block(self, header, error);
}

seam_status journal_open(const char *path, const sweep_plan *plan, uint64_t length, journal *opened,
                         seam_error *error) {
  *opened = (journal){.descriptor = output_descriptor(path, O_WRONLY | O_CREAT), .path = path};
  if (opened->descriptor >= 0 && flock(opened->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: another process writes this file; wait until the process has ended",
                     path);
  if (opened->descriptor < 0 || ftruncate(opened->descriptor, (off_t)length) != 0 ||
      lseek(opened->descriptor, 0, SEEK_END) < 0)
    return output_failed(path, error);
  return length > 0 ? SEAM_OK : begin(opened, plan, error);
}

seam_status journal_add(const journal *self, const sweep_rows *rows, size_t run, seam_error *error) {
  return add_block(self, make_record(rows, run), error);
}

void journal_close(journal *self) {
  if (self->descriptor >= 0)
    close(self->descriptor);
  self->descriptor = -1;
}

seam_status journal_write(const char *path, const sweep_plan *plan, const sweep_rows *rows, seam_error *error) {
  app_replacement out;
  TRY(output_replace(path, &out, error));
  const journal to = {fileno(out.file), path};
  seam_status status = begin(&to, plan, error);
  for (size_t run = 0; run < rows->n_runs && status == SEAM_OK; run++)
    if (rows->is_done[run])
      status = journal_add(&to, rows, run, error);
  if (status == SEAM_OK)
    return output_commit_name(&out, error);
  output_abandon(&out);
  return status;
}
