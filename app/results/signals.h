/* signals.csv: a row for each macro point. Columns: `time` and every signal that the co-simulation names. */
#ifndef APP_RESULTS_SIGNALS_H
#define APP_RESULTS_SIGNALS_H

#include <seam/cosim.h>

typedef struct app_signals app_signals;

/* Opens the file anew and writes the header; or goes on after `length` bytes of one that is there. What is given must
 * outlive *opened, which is closed with signals_close() whatever the result, when it is not NULL. SEAM_NO_FILE,
 * SEAM_BAD_STATE, SEAM_NO_MEMORY. */
seam_status signals_open(const char *path, const cosim_simulation *simulation, app_signals **opened, seam_error *error);
seam_status signals_resume(const char *path, const cosim_simulation *simulation, size_t length, app_signals **opened,
                           seam_error *error);

/* Bytes up to the last whole row. */
size_t signals_length(const app_signals *file);

/* Writes the row of the present macro point. */
seam_status signals_write(app_signals *file, double time, seam_error *error);

/* Closes and frees; NULL is allowed. */
seam_status signals_close(app_signals *file, seam_error *error);

#endif
