#include "runs/peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct seam_peaks {
  const cosim_simulation *simulation;
  run_peak *peaks; /* (n_couplings x SEAM_N_RESIDUAL_LEVELS) residuals, then the powers in the order of peaks_power() */
  size_t n_columns;
  size_t *peak_of; /* (n_columns) index of the peak that a column updates; SEAM_NONE: none */
};

static size_t count(const cosim_simulation *simulation) {
  const size_t n = cosim_n_couplings(simulation);
  return SEAM_N_RESIDUAL_LEVELS * n + n + cosim_n_part_couplings(simulation) + cosim_n_bonds(simulation) + 1;
}

size_t peaks_size(const seam_peaks *self) { return self != NULL ? count(self->simulation) * sizeof(run_peak) : 0; }

void *peaks_data(const seam_peaks *self) { return self->peaks; }

seam_status peaks_create(const seam_table *columns, const cosim_simulation *simulation, seam_peaks **created,
                         seam_error *error) {
  static const char *const prefixes[SEAM_N_RESIDUAL_LEVELS] = {"g_", "gd_", "gdd_"};
  seam_peaks *self = malloc(sizeof *self);
  run_peak *peaks = calloc(count(simulation), sizeof *peaks);
  const size_t n_columns = seam_table_n_columns(columns);
  size_t *peak_of = calloc(n_columns, sizeof *peak_of);
  if (self == NULL || peaks == NULL || peak_of == NULL) {
    free(self);
    free(peaks);
    free(peak_of);
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  }
  *self = (seam_peaks){simulation, peaks, n_columns, peak_of};
  /* Columns are listed for all couplings, then all couplings of user equations, then all bonds. Each of
   * these has one column residual_power, after its residuals. At this column `number` increases by 1. */
  size_t number = 0;
  for (size_t i = 0; i < n_columns; i++) {
    const char *quantity = seam_table_column(columns, i)->quantity;
    peak_of[i] = SEAM_NONE;
    for (size_t level = 0; level < SEAM_N_RESIDUAL_LEVELS; level++)
      if (strncmp(quantity, prefixes[level], strlen(prefixes[level])) == 0)
        peak_of[i] = SEAM_N_RESIDUAL_LEVELS * number + level;
    if (strcmp(quantity, "residual_power") == 0)
      peak_of[i] = SEAM_N_RESIDUAL_LEVELS * cosim_n_couplings(simulation) + number++;
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
  raise_peak(&self->peaks[count(self->simulation) - 1], seam_interface_energy_of(self->simulation).residual_power,
             row[0]);
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
