/* Largest residuals of cut joints and largest residual powers in the rows of the couplings. */
#ifndef RUNS_PEAKS_H
#define RUNS_PEAKS_H

#include <seam/runs.h>

/* Largest absolute value so far, and its time. */
typedef struct run_peak {
  double value;
  double time; /* s */
} run_peak;

/* Makes peaks of zero. The simulation must outlive *created. SEAM_NO_MEMORY. */
seam_status peaks_create(const seam_table *columns, const cosim_simulation *simulation, seam_peaks **created,
                         seam_error *error);

/* Updates the peaks by a row (n_columns) of the present macro point. */
void peaks_add(seam_peaks *self, const double *row);

/* Return the peak of a coupling's residuals at level 0 (position) to SEAM_N_RESIDUAL_LEVELS - 1, and the peak of
 * residual power i: i counts couplings, then couplings of user parts, then bonds, then the sum over all. */
const run_peak *peaks_residual(const seam_peaks *self, size_t coupling, int level);
const run_peak *peaks_power(const seam_peaks *self, size_t i);

/* Return the size (bytes) and the address of the block with all peaks; size 0 for NULL. */
size_t peaks_size(const seam_peaks *self);
void *peaks_data(const seam_peaks *self);

void peaks_destroy(seam_peaks *self);

#endif
