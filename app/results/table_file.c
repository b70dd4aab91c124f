#include "app/results/table_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/checksum.h"
#include "base/shortest.h"

/* ---- The file so far ---- */

/* Extends what is summed up by the bytes up to `length`, which the file may not have. */
static seam_status sum_up(const char *path, uint64_t length, app_extent *summed, seam_error *error) {
  char bytes[1 << 14];
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return output_failed(path, error);
  size_t read = fseeko(file, (off_t)summed->length, SEEK_SET) == 0;
  for (uint64_t rest = length - summed->length; rest > 0 && read > 0; rest -= read) {
    read = fread(bytes, 1, rest < sizeof bytes ? (size_t)rest : sizeof bytes, file);
    summed->checksum = checksum_add(summed->checksum, bytes, read);
    summed->length += read;
  }
  const bool failed = ferror(file) != 0;
  fclose(file);
  return failed ? output_failed(path, error) : SEAM_OK;
}

seam_status table_file_check(const char *path, const app_extent *kept, seam_error *error) {
  struct stat found;
  app_extent found_there = {0};
  if (stat(path, &found) != 0)
    return output_failed(path, error);
  if (!S_ISREG(found.st_mode))
    return seam_fail(error, SEAM_BAD_STATE, "%s: this is not a file; put the table of the interrupted run there", path);
  if ((uint64_t)found.st_size < kept->length)
    return seam_fail(error, SEAM_BAD_STATE, "%s: the file is shorter than at the checkpoint; run the model again",
                     path);
  const seam_status status = sum_up(path, kept->length, &found_there, error);
  if (status != SEAM_OK || found_there.checksum == kept->checksum)
    return status;
  return seam_fail(error, SEAM_BAD_STATE,
                   "%s: the rows up to the checkpoint are not those that the run wrote; put its own file back, or run "
                   "the model again",
                   path);
}

/* ---- Rows ---- */

static void put(app_table_file *self, const char *text) {
  const size_t length = strlen(text);
  fwrite(text, 1, length, self->file);
  self->written += length;
}

/* Hands what was written to the system. */
static seam_status keep(app_table_file *self, seam_error *error) {
  if (fflush(self->file) != 0 || ferror(self->file))
    return output_failed(self->path, error);
  self->kept = self->written;
  return SEAM_OK;
}

/* Names of a model file contain neither commas nor quotes: the reader refuses them. */
static seam_status begin(app_table_file *self, seam_error *error) {
  const size_t n = seam_table_n_columns(self->columns);
  const seam_status status = output_open(self->path, &self->file, error);
  if (status != SEAM_OK)
    return status;
  for (size_t i = 0; i < n; i++) {
    put(self, seam_table_column(self->columns, i)->name);
    put(self, i + 1 < n ? "," : "\n");
  }
  return keep(self, error);
}

static seam_status resume(app_table_file *self, const app_extent *kept, seam_error *error) {
  self->summed = *kept;
  self->kept = self->written = kept->length;
  if (truncate(self->path, (off_t)kept->length) != 0)
    return output_failed(self->path, error);
  self->file = fopen(self->path, "a");
  return self->file != NULL ? SEAM_OK : output_failed(self->path, error);
}

seam_status table_file_open(const char *path, seam_table *columns, const app_extent *kept, app_table_file **opened,
                            seam_error *error) {
  app_table_file *self = calloc(1, sizeof *self + seam_table_n_columns(columns) * sizeof *self->row);
  if (self == NULL) {
    seam_table_destroy(columns);
    return out_of_memory(error);
  }
  self->path = path;
  self->columns = columns;
  *opened = self;
  return kept != NULL ? resume(self, kept, error) : begin(self, error);
}

seam_status table_file_write(app_table_file *self, seam_error *error) {
  const size_t n = seam_table_n_columns(self->columns);
  for (size_t i = 0; i < n; i++) {
    char text[SHORTEST_ROOM];
    char *end = shortest_write(text, self->row[i]);
    *end++ = i + 1 < n ? ',' : '\n';
    fwrite(text, 1, (size_t)(end - text), self->file);
    self->written += (uint64_t)(end - text);
  }
  return keep(self, error);
}

seam_status table_file_store(app_table_file *self, app_extent *kept, seam_error *error) {
  *kept = (app_extent){0};
  if (self == NULL)
    return SEAM_OK;
  seam_status status = output_store(self->file, self->path, error);
  if (status == SEAM_OK)
    status = sum_up(self->path, self->kept, &self->summed, error);
  *kept = self->summed;
  return status;
}

/* A number that lost its last digits would be read as another one. */
static void cut_torn_row(const app_table_file *self) {
  if (truncate(self->path, (off_t)self->kept) == 0)
    return;
  print_name(self->path);
  fputs(": the last row is incomplete\n", stderr);
}

static seam_status close_file(const app_table_file *self, seam_error *error) {
  if (self->file == NULL)
    return SEAM_OK;
  const bool written = ferror(self->file) == 0;
  const bool closed = fclose(self->file) == 0;
  if (!written)
    cut_torn_row(self);
  return written && closed ? SEAM_OK : output_failed(self->path, error);
}

seam_status table_file_close(app_table_file *self, seam_error *error) {
  if (self == NULL)
    return SEAM_OK;
  const seam_status status = close_file(self, error);
  seam_table_destroy(self->columns);
  free(self);
  return status;
}

/* ---- Trajectories ---- */

seam_status trajectory_open(const char *path, const mbs_model *model, const app_extent *kept, app_table_file **opened,
                            seam_error *error) {
  seam_table *columns = NULL;
  const seam_status status = seam_trajectory_table_create(model, &columns, error);
  return status == SEAM_OK ? table_file_open(path, columns, kept, opened, error) : status;
}

seam_status trajectory_write(app_table_file *self, mbs_workspace *workspace, const mbs_state *state,
                             seam_error *error) {
  const seam_status status = seam_trajectory_row(self->columns, workspace, state, self->row, error);
  return status == SEAM_OK ? table_file_write(self, error) : status;
}
