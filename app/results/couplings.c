#include "app/results/couplings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/results/rows.h"

enum { N_WRENCH = 3, N_ENERGY = 2 };

struct app_couplings {
  const mbs_model *model;
  const cosim_simulation *simulation;
  app_rows rows;
  app_peak *peaks; /* (n couplings x COUPLINGS_LEVELS), then powers of couplings, bonds and all together */
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
  size_t n = 1 + N_ENERGY * (cosim_n_couplings(simulation) + cosim_n_bonds(simulation)) + cosim_n_couplings(simulation);
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    n += N_WRENCH + COUPLINGS_LEVELS * n_residuals(model, simulation, k);
  return n;
}

static void write_energy_names(FILE *to, const char *name) {
  fprintf(to, ",%s.residual_power,%s.residual_energy", name, name);
}

/* Residual names are "g_x", "g_y", ...: rates are "gd_x", "gdd_x". */
static void write_header(const void *table) {
  const app_couplings *file = table;
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
    write_energy_names(to, name);
    fprintf(to, ",%s.created_energy", name);
  }
  for (size_t i = 0; i < cosim_n_bonds(file->simulation); i++)
    write_energy_names(to, cosim_bond_name(file->simulation, i));
  fputc('\n', to);
}

/* ---- Rows ---- */

cosim_bond_energy couplings_total(const cosim_simulation *simulation) {
  cosim_bond_energy sum = {0};
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++) {
    const cosim_bond_energy energy = cosim_coupling_energy(simulation, k);
    sum.residual_power += energy.residual_power;
    sum.residual_energy += energy.residual_energy;
  }
  for (size_t i = 0; i < cosim_n_bonds(simulation); i++) {
    const cosim_bond_energy energy = cosim_bond_energy_of(simulation, i);
    sum.residual_power += energy.residual_power;
    sum.residual_energy += energy.residual_energy;
  }
  return sum;
}

double couplings_created(const cosim_simulation *simulation) {
  double sum = 0;
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    sum += cosim_coupling_created(simulation, k);
  return sum;
}

static void raise_peak(app_peak *peak, double value, double time) {
  if (!(fabs(value) <= peak->value))
    *peak = (app_peak){fabs(value), time};
}

static app_peak *peak_power(const app_couplings *file, size_t i) {
  return &file->peaks[COUPLINGS_LEVELS * cosim_n_couplings(file->simulation) + i];
}

static double *gather(app_couplings *file, size_t coupling, double time, double *at) {
  double wrench[2][N_WRENCH];
  double residual[COUPLINGS_LEVELS][3];
  cosim_coupling_wrenches(file->simulation, coupling, wrench);
  memcpy(at, wrench[0], sizeof wrench[0]);
  at += N_WRENCH;
  const size_t n = cosim_coupling_residuals(file->simulation, coupling, residual[0], residual[1], residual[2]);
  for (int level = 0; level < COUPLINGS_LEVELS; level++)
    for (size_t i = 0; i < n; i++) {
      raise_peak(&file->peaks[COUPLINGS_LEVELS * coupling + (size_t)level], residual[level][i], time);
      *at++ = residual[level][i];
    }
  return at;
}

static double *gather_energy(app_couplings *file, size_t i, cosim_bond_energy energy, double time, double *at) {
  raise_peak(peak_power(file, i), energy.residual_power, time);
  at[0] = energy.residual_power;
  at[1] = energy.residual_energy;
  return at + N_ENERGY;
}

seam_status couplings_write(app_couplings *file, double time, seam_error *error) {
  const cosim_simulation *simulation = file->simulation;
  const size_t n_couplings = cosim_n_couplings(simulation);
  const size_t n_bonds = cosim_n_bonds(simulation);
  double *at = file->values;
  *at++ = time;
  for (size_t k = 0; k < n_couplings; k++) {
    at = gather(file, k, time, at);
    at = gather_energy(file, k, cosim_coupling_energy(simulation, k), time, at);
    *at++ = cosim_coupling_created(simulation, k);
  }
  for (size_t i = 0; i < n_bonds; i++)
    at = gather_energy(file, n_couplings + i, cosim_bond_energy_of(simulation, i), time, at);
  raise_peak(peak_power(file, n_couplings + n_bonds), couplings_total(simulation).residual_power, time);
  return rows_write(&file->rows, file->values, file->n_columns, error);
}

const app_peak *couplings_peak(const app_couplings *file, size_t coupling, int level) {
  return &file->peaks[COUPLINGS_LEVELS * coupling + (size_t)level];
}

const app_peak *couplings_peak_power(const app_couplings *file, size_t i) { return peak_power(file, i); }

size_t couplings_peaks_size(const cosim_simulation *simulation) {
  const size_t n_couplings = cosim_n_couplings(simulation);
  return (COUPLINGS_LEVELS * n_couplings + n_couplings + cosim_n_bonds(simulation) + 1) * sizeof(app_peak);
}

const void *couplings_peaks(const app_couplings *file) { return file->peaks; }

/* ---- Files ---- */

static seam_status create(const mbs_model *model, const cosim_simulation *simulation, app_couplings **created,
                          seam_error *error) {
  const size_t n_columns = count_columns(model, simulation);
  app_couplings *made = calloc(1, sizeof *made + n_columns * sizeof *made->values);
  app_peak *peaks = calloc(1, couplings_peaks_size(simulation));
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
  const seam_status status = create(model, simulation, opened, error);
  return status == SEAM_OK ? rows_open(path, write_header, *opened, &(*opened)->rows, error) : status;
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
