/* Largest residuals of cut joints and largest residual powers, over the rows of the couplings table. */
#ifndef RUNS_PEAKS_H
#define RUNS_PEAKS_H

#include <seam/runs.h>

/* Largest absolute value so far, and its time. NaN counts as the largest. */
typedef struct run_peak {
  double value;
  double time; /* s */
} run_peak;

/* The peaks are the residuals of all couplings, then the powers in the order of peaks_power(). */
struct seam_peaks {
  const cosim_simulation *simulation;
  size_t n; /* number of peaks */
  run_peak *peaks;
  size_t n_columns;
  size_t *peak_of; /* (n_columns) index of the peak that a column updates; SEAM_NONE: none */
};

/* Creates peaks with the value zero. The simulation must outlive *created. Fails with SEAM_NO_MEMORY. */
seam_status peaks_create(const seam_table *columns, const cosim_simulation *simulation, seam_peaks **created,
                         seam_error *error);

/* Updates the peaks by a row (n_columns) of the couplings table at the present macro point. */
void peaks_add(seam_peaks *self, const double *row);

/* The first returns the peak of a coupling's residuals at a level, from 0 (positions) to SEAM_N_RESIDUAL_LEVELS - 1.
 * The second returns the peak of residual power number i. The powers are those of couplings, then those of couplings of
 * user equations, then those of bonds, and last the sum of all. */
const run_peak *peaks_residual(const seam_peaks *self, size_t coupling, int level);
const run_peak *peaks_power(const seam_peaks *self, size_t i);

void peaks_destroy(seam_peaks *self);

#endif
