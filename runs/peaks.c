#include "runs/peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

seam_status peaks_create(const seam_table *columns, const cosim_simulation *simulation, seam_peaks **created,
                         seam_error *error) {
  static const char *const prefixes[SEAM_N_RESIDUAL_LEVELS] = {"g_", "gd_", "gdd_"};
  const size_t n_couplings = cosim_n_couplings(simulation);
  const size_t n_powers = n_couplings + cosim_n_part_couplings(simulation) + cosim_n_bonds(simulation) + 1;
  const size_t n = SEAM_N_RESIDUAL_LEVELS * n_couplings + n_powers;
  const size_t n_columns = seam_table_n_columns(columns);
  seam_peaks *self = calloc(1, sizeof *self);
  if (self != NULL)
    *self = (seam_peaks){simulation, n, calloc(n, sizeof *self->peaks), n_columns,
                         calloc(n_columns, sizeof *self->peak_of)};
  if (self == NULL || self->peaks == NULL || self->peak_of == NULL) {
    peaks_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  }
  /* Columns are listed for all couplings, then all couplings of user equations, then all bonds. Each of
   * these has one column residual_power, after its residuals. At this column `number` increases by 1. */
  size_t number = 0;
  for (size_t i = 0; i < n_columns; i++) {
    const char *quantity = seam_table_column(columns, i)->quantity;
    self->peak_of[i] = SEAM_NONE;
    for (size_t level = 0; level < SEAM_N_RESIDUAL_LEVELS; level++)
      if (strncmp(quantity, prefixes[level], strlen(prefixes[level])) == 0)
        self->peak_of[i] = SEAM_N_RESIDUAL_LEVELS * number + level;
    if (strcmp(quantity, "residual_power") == 0)
      self->peak_of[i] = SEAM_N_RESIDUAL_LEVELS * n_couplings + number++;
  }
  *created = self;
  return SEAM_OK;
}

static void raise_peak(run_peak *peak, double value, double time) {
  if (!isnan(peak->value) && !(fabs(value) <= peak->value)) /* NaN counts as the largest */
    *peak = (run_peak){fabs(value), time};
}

void peaks_add(seam_peaks *self, const double *row) {
  for (size_t i = 0; i < self->n_columns; i++)
    if (self->peak_of[i] != SEAM_NONE)
      raise_peak(&self->peaks[self->peak_of[i]], row[i], row[0]);
  raise_peak(&self->peaks[self->n - 1], seam_interface_energy_of(self->simulation).residual_power, row[0]);
}

const run_peak *peaks_residual(const seam_peaks *self, size_t coupling, int level) {
  return &self->peaks[SEAM_N_RESIDUAL_LEVELS * coupling + (size_t)level];
}

const run_peak *peaks_power(const seam_peaks *self, size_t i) {
  return &self->peaks[SEAM_N_RESIDUAL_LEVELS * cosim_n_couplings(self->simulation) + i];
}

void peaks_destroy(seam_peaks *self) {
  if (self == NULL)
    return;
  free(self->peaks);
  free(self->peak_of);
  free(self);
}
