#include "app/couplings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/rows.h"

enum { N_WRENCH = 3 };

struct app_couplings {
  const mbs_model *model;
  const cosim_simulation *simulation;
  app_rows rows;
  app_peak *peaks; /* (n x COUPLINGS_LEVELS) */
  size_t n_columns;
  double values[]; /* (n_columns) of the present row */
};

/* ---- Columns ---- */

static size_t n_residuals(const mbs_model *model, const cosim_simulation *simulation, size_t coupling) {
  if (!cosim_coupling_is_joint(simulation, coupling))
    return 0;
  const size_t joint = cosim_coupling_element(simulation, coupling);
  const size_t next =
      joint + 1 < mbs_n_joints(model) ? mbs_joint_first_constraint(model, joint + 1) : mbs_n_constraints(model);
  return next - mbs_joint_first_constraint(model, joint);
}

static size_t count_columns(const mbs_model *model, const cosim_simulation *simulation) {
  size_t n = 1;
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    n += N_WRENCH + COUPLINGS_LEVELS * n_residuals(model, simulation, k);
  return n;
}

/* Residual names are "g_x", "g_y", ...: rates are "gd_x", "gdd_x". */
static void write_header(const app_couplings *file) {
  static const char *const components[N_WRENCH] = {"lambda_x", "lambda_y", "lambda_phi"};
  static const char *const levels[COUPLINGS_LEVELS] = {"g", "gd", "gdd"};
  FILE *to = file->rows.file;
  fputs("time", to);
  for (size_t k = 0; k < cosim_n_couplings(file->simulation); k++) {
    const char *name = cosim_coupling_name(file->simulation, k);
    const size_t n = n_residuals(file->model, file->simulation, k);
    for (int i = 0; i < N_WRENCH; i++)
      fprintf(to, ",%s.%s", name, components[i]);
    for (int level = 0; level < COUPLINGS_LEVELS && n > 0; level++) {
      const size_t first = mbs_joint_first_constraint(file->model, cosim_coupling_element(file->simulation, k));
      for (size_t i = 0; i < n; i++)
        fprintf(to, ",%s.%s%s", name, levels[level], mbs_constraint_name(file->model, first + i) + 1);
    }
  }
  fputc('\n', to);
}

/* ---- Rows ---- */

static double *gather(app_couplings *file, size_t coupling, double time, double *at) {
  double wrench[2][N_WRENCH];
  double residual[COUPLINGS_LEVELS][3];
  cosim_coupling_wrenches(file->simulation, coupling, wrench);
  memcpy(at, wrench[0], sizeof wrench[0]);
  at += N_WRENCH;
  const size_t n = cosim_coupling_residuals(file->simulation, coupling, residual[0], residual[1], residual[2]);
  for (int level = 0; level < COUPLINGS_LEVELS; level++)
    for (size_t i = 0; i < n; i++) {
      app_peak *peak = &file->peaks[COUPLINGS_LEVELS * coupling + (size_t)level];
      if (!(fabs(residual[level][i]) <= peak->value))
        *peak = (app_peak){fabs(residual[level][i]), time};
      *at++ = residual[level][i];
    }
  return at;
}

seam_status couplings_write(app_couplings *file, double time, seam_error *error) {
  double *at = file->values;
  *at++ = time;
  for (size_t k = 0; k < cosim_n_couplings(file->simulation); k++)
    at = gather(file, k, time, at);
  return rows_write(&file->rows, file->values, file->n_columns, error);
}

const app_peak *couplings_peak(const app_couplings *file, size_t coupling, int level) {
  return &file->peaks[COUPLINGS_LEVELS * coupling + (size_t)level];
}

size_t couplings_peaks_size(const cosim_simulation *simulation) {
  return COUPLINGS_LEVELS * cosim_n_couplings(simulation) * sizeof(app_peak);
}

const void *couplings_peaks(const app_couplings *file) { return file->peaks; }

/* ---- Files ---- */

static seam_status create(const mbs_model *model, const cosim_simulation *simulation, app_couplings **created,
                          seam_error *error) {
  const size_t n_columns = count_columns(model, simulation);
  app_couplings *made = calloc(1, sizeof *made + n_columns * sizeof *made->values);
  app_peak *peaks = calloc(1, couplings_peaks_size(simulation) + 1);
  if (!made || !peaks) {
    free(made);
    free(peaks);
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  }
  made->model = model;
  made->simulation = simulation;
  made->peaks = peaks;
  made->n_columns = n_columns;
  *created = made;
  return SEAM_OK;
}

seam_status couplings_open(const char *path, const mbs_model *model, const cosim_simulation *simulation,
                           app_couplings **opened, seam_error *error) {
  seam_status status = create(model, simulation, opened, error);
  if (status == SEAM_OK)
    status = rows_open(path, &(*opened)->rows, error);
  if (status != SEAM_OK)
    return status;
  write_header(*opened);
  return rows_keep(&(*opened)->rows, error);
}

seam_status couplings_resume(const char *path, const mbs_model *model, const cosim_simulation *simulation,
                             size_t length, const void *peaks, app_couplings **opened, seam_error *error) {
  const seam_status status = create(model, simulation, opened, error);
  if (status != SEAM_OK)
    return status;
  memcpy((*opened)->peaks, peaks, couplings_peaks_size(simulation));
  return rows_resume(path, length, &(*opened)->rows, error);
}

size_t couplings_length(const app_couplings *file) { return file->rows.kept; }

seam_status couplings_close(app_couplings *file, seam_error *error) {
  return file ? rows_close(&file->rows, error) : SEAM_OK;
}

void couplings_free(app_couplings *file) {
  if (!file)
    return;
  free(file->peaks);
  free(file);
}
