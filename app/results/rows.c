#include "app/results/rows.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/results/output.h"

/* Hands what was written to the system. */
static seam_status keep(app_rows *rows, seam_error *error) {
  if (fflush(rows->file) != 0 || ferror(rows->file))
    return output_failed(rows->path, error);
  rows->kept = (size_t)ftello(rows->file);
  return SEAM_OK;
}

seam_status rows_open(const char *path, void (*write_header)(const void *table), const void *table, app_rows *rows,
                      seam_error *error) {
  *rows = (app_rows){.path = path};
  const seam_status status = output_open(path, &rows->file, error);
  if (status != SEAM_OK)
    return status;
  write_header(table);
  return keep(rows, error);
}

seam_status rows_resume(const char *path, size_t length, app_rows *rows, seam_error *error) {
  struct stat found;
  *rows = (app_rows){.path = path, .kept = length};
  if (stat(path, &found) != 0)
    return output_failed(path, error);
  if (found.st_size < (off_t)length)
    return seam_fail(error, SEAM_BAD_STATE, "%s: the file is shorter than at the checkpoint; run the model again",
                     path);
  if (truncate(path, (off_t)length) != 0)
    return output_failed(path, error);
  rows->file = fopen(path, "a");
  return rows->file ? SEAM_OK : output_failed(path, error);
}

seam_status rows_write(app_rows *rows, const double *values, size_t n, seam_error *error) {
  for (size_t i = 0; i < n; i++)
    fprintf(rows->file, "%.17g%c", values[i], i + 1 < n ? ',' : '\n');
  return keep(rows, error);
}

/* A number that lost its last digits would be read as another one. */
static void cut_torn_row(const app_rows *rows) {
  if (truncate(rows->path, (off_t)rows->kept) != 0)
    fprintf(stderr, "%s: the last row is incomplete\n", rows->path);
}

seam_status rows_close(app_rows *rows, seam_error *error) {
  if (!rows->file)
    return SEAM_OK;
  const bool written = !ferror(rows->file);
  const bool closed = fclose(rows->file) == 0;
  rows->file = NULL;
  if (!written)
    cut_torn_row(rows);
  return written && closed ? SEAM_OK : output_failed(rows->path, error);
}
