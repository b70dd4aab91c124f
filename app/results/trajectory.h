/* trajectory.csv: a row for each output time. Columns: `time`; x, y, phi, vx, vy, omega of each body; fx, fy, torque of
 * each joint's reaction; the states of each force element that has any, and its force (positive extends); the energies.
 * 17 significant digits. */
#ifndef APP_RESULTS_TRAJECTORY_H
#define APP_RESULTS_TRAJECTORY_H

#include <seam/mbs.h>

#include "app/results/rows.h"

typedef struct app_trajectory app_trajectory;

/* Opens the file anew and writes the header. `path` and `model` must outlive *opened, which is closed with
 * trajectory_close() whatever the result, when it is not NULL. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status trajectory_open(const char *path, const mbs_model *model, app_trajectory **opened, seam_error *error);

/* The same for a file that is there, see rows_resume(). */
seam_status trajectory_resume(const char *path, const mbs_model *model, size_t length, app_trajectory **opened,
                              seam_error *error);

/* Bytes up to the last whole row. */
size_t trajectory_length(const app_trajectory *file);

/* Writes one row and hands it to the system. SEAM_NOT_FINITE names the column, and the row is not written;
 * SEAM_NO_FILE. */
seam_status trajectory_write(app_trajectory *file, mbs_workspace *workspace, const mbs_state *state,
                             const mbs_energy *energy, seam_error *error);

/* Closes and frees; NULL is allowed. SEAM_NO_FILE when what was written could not be kept. */
seam_status trajectory_close(app_trajectory *file, seam_error *error);

#endif
