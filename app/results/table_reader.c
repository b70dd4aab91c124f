#include "app/results/table_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/table_reader_internal.h"

seam_status table_refused(const table_reader *self, seam_error *error, const char *what) {
  return seam_fail(error, SEAM_BAD_INPUT, "%s: error: %s", self->path, what);
}

static seam_status not_read(const table_reader *self, seam_error *error) {
  if (errno == ENOMEM)
    return out_of_memory(error);
  return seam_fail(error, SEAM_NO_FILE, "%s: the file cannot be read (%s)", self->path, strerror(errno));
}

static seam_status map_open_file(table_reader *self, int descriptor, seam_error *error) {
  struct stat found;
  if (fstat(descriptor, &found) != 0)
    return not_read(self, error);
  if (!S_ISREG(found.st_mode))
    return table_refused(self, error, "this is not a file; give a folder of results, or a table in one");
  if (found.st_size == 0)
    return table_refused(self, error, "the file is empty; run the model again");
  void *mapped = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (mapped == MAP_FAILED)
    return not_read(self, error);
  self->text = mapped;
  self->size = (size_t)found.st_size;
  return SEAM_OK;
}

static seam_status map_file(table_reader *self, seam_error *error) {
  const int descriptor = open(self->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return not_read(self, error);
  const seam_status status = map_open_file(self, descriptor, error);
  close(descriptor);
  return status;
}

seam_status table_reader_open(const char *path, table_reader **opened, seam_error *error) {
  table_reader *self = calloc(1, sizeof *self);
  *opened = self;
  if (self == NULL)
    return out_of_memory(error);
  self->path = path;
  const seam_status status = map_file(self, error);
  if (status != SEAM_OK)
    return status;
  self->format = npy_table.fits(self) ? &npy_table : &csv_table;
  return self->format->open(self, error);
}

void table_reader_close(table_reader *self) {
  if (self == NULL)
    return;
  if (self->text != NULL)
    munmap((void *)self->text, self->size);
  arena_release(&self->memory);
  free(self);
}

const char *table_reader_path(const table_reader *self) { return self->path; }

size_t table_reader_n_rows(const table_reader *self) { return self->n_rows; }

size_t table_reader_n_columns(const table_reader *self) { return self->n_columns; }

const char *table_reader_name(const table_reader *self, size_t column) {
  return column < self->n_columns ? self->names[column] : NULL;
}

size_t table_reader_find(const table_reader *self, const char *name) {
  for (size_t i = 0; i < self->n_columns; i++)
    if (strcmp(self->names[i], name) == 0)
      return i;
  return SEAM_NONE;
}

seam_status table_reader_read(const table_reader *self, const size_t *columns, size_t n, double *values,
                              seam_error *error) {
  return self->format->read(self, columns, n, values, error);
}
