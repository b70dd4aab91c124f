#include "app/results/table_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"

/* Hands what was written to the system. */
static seam_status keep(app_table_file *self, seam_error *error) {
  if (fflush(self->file) != 0 || ferror(self->file))
    return output_failed(self->path, error);
  self->kept = (size_t)ftello(self->file);
  return SEAM_OK;
}

/* Names of a model file contain neither commas nor quotes: the reader refuses them. */
static seam_status begin(app_table_file *self, seam_error *error) {
  const size_t n = seam_table_n_columns(self->columns);
  const seam_status status = output_open(self->path, &self->file, error);
  if (status != SEAM_OK)
    return status;
  for (size_t i = 0; i < n; i++)
    fprintf(self->file, "%s%c", seam_table_column(self->columns, i)->name, i + 1 < n ? ',' : '\n');
  return keep(self, error);
}

static seam_status resume(app_table_file *self, size_t kept, seam_error *error) {
  struct stat found;
  self->kept = kept;
  if (stat(self->path, &found) != 0)
    return output_failed(self->path, error);
  if (found.st_size < (off_t)kept)
    return seam_fail(error, SEAM_BAD_STATE, "%s: the file is shorter than at the checkpoint; run the model again",
                     self->path);
  if (truncate(self->path, (off_t)kept) != 0)
    return output_failed(self->path, error);
  self->file = fopen(self->path, "a");
  return self->file != NULL ? SEAM_OK : output_failed(self->path, error);
}

seam_status table_file_open(const char *path, seam_table *columns, size_t kept, app_table_file **opened,
                            seam_error *error) {
  app_table_file *self = calloc(1, sizeof *self + seam_table_n_columns(columns) * sizeof *self->row);
  if (self == NULL) {
    seam_table_destroy(columns);
    return out_of_memory(error);
  }
  self->path = path;
  self->columns = columns;
  *opened = self;
  return kept > 0 ? resume(self, kept, error) : begin(self, error);
}

seam_status table_file_write(app_table_file *self, seam_error *error) {
  const size_t n = seam_table_n_columns(self->columns);
  for (size_t i = 0; i < n; i++)
    fprintf(self->file, "%.17g%c", self->row[i], i + 1 < n ? ',' : '\n');
  return keep(self, error);
}

size_t table_file_length(const app_table_file *self) { return self != NULL ? self->kept : 0; }

/* A number that lost its last digits would be read as another one. */
static void cut_torn_row(const app_table_file *self) {
  if (truncate(self->path, (off_t)self->kept) != 0)
    fprintf(stderr, "%s: the last row is incomplete\n", self->path);
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

seam_status trajectory_open(const char *path, const mbs_model *model, size_t kept, app_table_file **opened,
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
