/* The largest residuals of cut joints and the largest residual powers in the rows of couplings.csv. */
#ifndef APP_RESULTS_PEAKS_H
#define APP_RESULTS_PEAKS_H

#include <seam/results.h>

/* The largest absolute value seen, and when. */
typedef struct app_peak {
  double value;
  double time; /* s */
} app_peak;

typedef struct app_peaks app_peaks;

/* Begins with `from` (peaks_size() bytes, as peaks_data() gave them), or with nothing seen (NULL). The simulation
 * must outlive *created. SEAM_NO_MEMORY. */
seam_status peaks_create(const seam_table *columns, const cosim_simulation *simulation, const void *from,
                         app_peaks **created, seam_error *error);

/* Takes a row (n_columns) of the present macro point into account. */
void peaks_add(app_peaks *self, const double *row);

/* Of a coupling's residuals, of level 0 to SEAM_N_RESIDUAL_LEVELS - 1. Of the residual power of coupling i, then of
 * bond i - n_couplings, then of the sum over all. */
const app_peak *peaks_residual(const app_peaks *self, size_t coupling, int level);
const app_peak *peaks_power(const app_peaks *self, size_t i);

/* All peaks as one block of bytes. */
size_t peaks_size(const cosim_simulation *simulation);
const void *peaks_data(const app_peaks *self);

void peaks_destroy(app_peaks *self);

#endif
