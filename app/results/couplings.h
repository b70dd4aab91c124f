/* couplings.csv: a row for each macro point. Columns: `time`; for each coupling the wrench on its first side (lambda_x,
 * lambda_y, lambda_phi), at joints residuals and their first and second rates (g_x, gd_x, gdd_x, ...), and
 * energies (residual_power, residual_energy, created_energy); for each bond the first two. */
#ifndef APP_RESULTS_COUPLINGS_H
#define APP_RESULTS_COUPLINGS_H

#include <seam/cosim.h>

enum { COUPLINGS_LEVELS = 3 }; /* g, gd, gdd */

typedef struct app_couplings app_couplings;

/* The largest absolute value seen, and when. */
typedef struct app_peak {
  double value;
  double time; /* s */
} app_peak;

/* Opens the file anew and writes the header; or goes on after `length` bytes of one that is there, with the peaks
 * (couplings_peaks_size() bytes) of that time. What is given must outlive *opened; close it with couplings_close() and
 * free it with couplings_free() whatever the result. SEAM_NO_FILE, SEAM_BAD_STATE, SEAM_NO_MEMORY. */
seam_status couplings_open(const char *path, const mbs_model *model, const cosim_simulation *simulation,
                           app_couplings **opened, seam_error *error);
seam_status couplings_resume(const char *path, const mbs_model *model, const cosim_simulation *simulation,
                             size_t length, const void *peaks, app_couplings **opened, seam_error *error);

/* Bytes up to the last whole row. */
size_t couplings_length(const app_couplings *file);

/* Writes the row of the present macro point. */
seam_status couplings_write(app_couplings *file, double time, seam_error *error);

/* Largest residual of a coupling so far, of level 0 to 2. Largest residual power of coupling i, then of bond
 * i - n_couplings, then of the sum over all. All peaks as one block of bytes. */
const app_peak *couplings_peak(const app_couplings *file, size_t coupling, int level);
const app_peak *couplings_peak_power(const app_couplings *file, size_t i);
size_t couplings_peaks_size(const cosim_simulation *simulation);
const void *couplings_peaks(const app_couplings *file);

/* Sums over all couplings and bonds; of energies created over couplings. */
cosim_bond_energy couplings_total(const cosim_simulation *simulation);
double couplings_created(const cosim_simulation *simulation);

/* Closes the file; the rest lives until couplings_free(). NULL is allowed. */
seam_status couplings_close(app_couplings *file, seam_error *error);
void couplings_free(app_couplings *file);

#endif
