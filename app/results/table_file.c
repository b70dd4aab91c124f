#include "app/results/table_file.h"

#include <stdlib.h>

#include "app/failure.h"

seam_status table_file_open(const app_table_paths *paths, const seam_table *columns, const row_label *label,
                            const app_extents *kept, app_table_file **opened, seam_error *error) {
  app_table_file *self = calloc(1, sizeof *self + seam_table_n_columns(columns) * sizeof *self->row);
  if (self == NULL)
    return out_of_memory(error);
  *opened = self;
  seam_status status = SEAM_OK;
  for (int i = 0; i < N_ROW_FORMATS && status == SEAM_OK; i++)
    if (paths->of[i] != NULL)
      status = row_file_open(paths->of[i], &row_formats[i], columns, label, kept != NULL ? &kept->of[i] : NULL,
                             &self->files[i], error);
  return status;
}

seam_status table_file_write(app_table_file *self, seam_error *error) {
  return table_file_write_row(self, self->row, error);
}

seam_status table_file_write_row(app_table_file *self, const double *row, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < N_ROW_FORMATS && status == SEAM_OK; i++)
    if (self->files[i] != NULL)
      status = row_file_add(self->files[i], self->label, row, error);
  return status;
}

seam_status table_file_hand_over(app_table_file *self, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < N_ROW_FORMATS && self != NULL && status == SEAM_OK; i++)
    if (self->files[i] != NULL)
      status = row_file_hand_over(self->files[i], error);
  return status;
}

seam_status table_file_store(app_table_file *self, app_extents *kept, seam_error *error) {
  seam_status status = SEAM_OK;
  *kept = (app_extents){.of = {{0}}};
  for (int i = 0; i < N_ROW_FORMATS && self != NULL && status == SEAM_OK; i++)
    if (self->files[i] != NULL)
      status = row_file_store(self->files[i], &kept->of[i], error);
  return status;
}

seam_status table_file_close(app_table_file *self, seam_error *error) {
  seam_status status = SEAM_OK;
  bool is_first = true;
  for (int i = 0; i < N_ROW_FORMATS && self != NULL; i++) {
    uint64_t rows = 0;
    if (self->files[i] == NULL)
      continue;
    const seam_status closed = row_file_close(self->files[i], &rows, status == SEAM_OK ? error : NULL);
    self->files[i] = NULL;
    self->rows = is_first || rows < self->rows ? rows : self->rows;
    is_first = false;
    status = status == SEAM_OK ? closed : status;
  }
  return status;
}

void table_file_free(app_table_file *self) {
  table_file_close(self, NULL);
  free(self);
}
