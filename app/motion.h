/* Motions: poses of all bodies over time, from results or by integration. */
#ifndef APP_MOTION_H
#define APP_MOTION_H

#include <seam/drawing.h>

#include "app/setup.h"

enum { MAX_MOTION_ROWS = 20000 };

typedef struct motion {
  double *t; /* (n) s, ascending */
  double *q; /* (n x 3 bodies) x, y, phi of all bodies of the model */
  size_t n;
  char label[96]; /* "monolithic", or scheme and macro step; then the mark of a run that did not succeed */
} motion;

/* Reads the poses from t = `from` to t = `to` of a trajectory. Of more than MAX_MOTION_ROWS rows keeps every k-th.
 * SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: columns of a body are missing, fewer than two rows are left, or a body
 * is too far away to draw. */
seam_status motion_read(const char *results, const mbs_model *model, double from, double to, motion *result,
                        seam_error *error);
/* Integrates the assembled model as its file says, until `to` or the end in the file, whichever is earlier. Keeps at
 * most about MAX_MOTION_ROWS rows, from t = `from` on. */
seam_status motion_integrate(const app_setup *setup, double from, double to, motion *result, seam_error *error);
void motion_free(motion *result);
seam_motion motion_of(const motion *of); /* for <seam/drawing.h>; valid while *of is unchanged */

/* Checks that both models have bodies of the same names. SEAM_BAD_INPUT: they do not; the message names the folders. */
seam_status motion_check_bodies(const char *folder, const mbs_model *model, const char *other_folder,
                                const mbs_model *other, seam_error *error);

/* Reads the model from summary.json of the results. SEAM_BAD_INPUT: there is no summary with a model. */
seam_status motion_read_model(const char *results, seam_model_file **file, seam_error *error);

#endif
