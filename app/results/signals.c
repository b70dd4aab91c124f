#include "app/results/signals.h"

#include <stdlib.h>

#include "app/results/rows.h"

struct app_signals {
  const cosim_simulation *simulation;
  app_rows rows;
  size_t n_columns;
  double values[]; /* (n_columns) of the present row */
};

static seam_status create(const cosim_simulation *simulation, app_signals **created, seam_error *error) {
  const size_t n_columns = 1 + cosim_n_signals(simulation);
  app_signals *made = calloc(1, sizeof *made + n_columns * sizeof *made->values);
  if (!made)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  made->simulation = simulation;
  made->n_columns = n_columns;
  *created = made;
  return SEAM_OK;
}

static void write_header(const void *table) {
  const app_signals *file = table;
  fputs("time", file->rows.file);
  for (size_t i = 0; i + 1 < file->n_columns; i++)
    fprintf(file->rows.file, ",%s", cosim_signal_name(file->simulation, i));
  fputc('\n', file->rows.file);
}

seam_status signals_open(const char *path, const cosim_simulation *simulation, app_signals **opened,
                         seam_error *error) {
  const seam_status status = create(simulation, opened, error);
  return status == SEAM_OK ? rows_open(path, write_header, *opened, &(*opened)->rows, error) : status;
}

seam_status signals_resume(const char *path, const cosim_simulation *simulation, size_t length, app_signals **opened,
                           seam_error *error) {
  const seam_status status = create(simulation, opened, error);
  return status == SEAM_OK ? rows_resume(path, length, &(*opened)->rows, error) : status;
}

size_t signals_length(const app_signals *file) { return file->rows.kept; }

seam_status signals_write(app_signals *file, double time, seam_error *error) {
  file->values[0] = time;
  for (size_t i = 0; i + 1 < file->n_columns; i++)
    file->values[i + 1] = cosim_signal_now(file->simulation, i);
  return rows_write(&file->rows, file->values, file->n_columns, error);
}

seam_status signals_close(app_signals *file, seam_error *error) {
  if (!file)
    return SEAM_OK;
  const seam_status status = rows_close(&file->rows, error);
  free(file);
  return status;
}
