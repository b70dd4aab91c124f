/* Runs beside what `seam stability model` predicts: trials on the file's own motion, which begins at the start in the
 * model file and not at the studied state, and those of --verify. */
#ifndef APP_COMMANDS_STABILITY_TRIALS_H
#define APP_COMMANDS_STABILITY_TRIALS_H

#include <seam/analysis.h>

#include "app/study.h"

enum { STABILITY_POINTS, STABILITY_LIMITS, STABILITY_ADVICE, STABILITY_VERIFY }; /* indices in app_study.files */

/* check_verify() checks the factors of --verify. verify() tries the macro steps limit x factor, for the limits
 * (n_schemes) below `longest`, the longest macro step of the study: on the file's own motion and, if the studied state
 * is at rest, near this state. */
seam_status stability_check_verify(const app_options *parsed, seam_error *error);
seam_status stability_verify(app_study *study, const double *limits, double longest, seam_error *error);

/* Creates the assembled state at the start in the file. */
seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error);
/* Tries a prediction on the file's own motion. In `def` the caller sets macro_step, wanted and ratio. If it cannot be
 * tried, *cause has the reason, and SEAM_OK is returned. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status stability_trial_run(app_study *study, size_t scheme, seam_trial_def def, seam_trial *found,
                                seam_error *cause, seam_error *error);

#endif
