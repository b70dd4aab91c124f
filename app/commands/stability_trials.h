/* Runs beside what `seam stability model` predicts: trials on the file's own motion, which begins at the start in the
 * model file and not at the studied state, and those of --verify. */
#ifndef APP_COMMANDS_STABILITY_TRIALS_H
#define APP_COMMANDS_STABILITY_TRIALS_H

#include <seam/analysis.h>

#include "app/plots/plot.h"
#include "app/study.h"

enum { MAX_FACTORS = 8 };
enum { STABILITY_POINTS, STABILITY_LIMITS, STABILITY_ADVICE, STABILITY_VERIFY }; /* indices in app_study.files */

/* The study of the command, about one state or states along a motion. */
typedef struct stability_study {
  app_study base;
  double from, to;             /* range of macro steps, s */
  size_t n_samples;            /* number of macro steps studied in this range */
  double n_times;              /* number of states along the motion */
  double factors[MAX_FACTORS]; /* (n_factors) values of --verify */
  size_t n_factors;
  double wanted;                /* largest error of a recommended scheme and macro step */
  const char *turning_joint;    /* first cut joint whose reaction rotates with its bodies; NULL: there is none */
  size_t n_studied, n_to_study; /* studies of a scheme about a state: done, and in all */
  plot picture;                 /* of the study about one state */
} stability_study;

/* read_verify() reads the factors of --verify. verify() tries the macro steps limit x factor, for the limits
 * (n_schemes) inside the range of the study: on the file's own motion and, if the studied state is at rest, near this
 * state. */
seam_status stability_read_verify(stability_study *study, seam_error *error);
seam_status stability_verify(stability_study *study, const double *limits, seam_error *error);

/* Creates the assembled state at the start in the file. */
seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error);
/* Tries a prediction on the file's own motion. In `def` the caller sets macro_step, wanted and ratio. If it cannot be
 * tried, *cause has the reason, and SEAM_OK is returned. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status stability_trial_run(stability_study *study, size_t scheme, seam_trial_def def, seam_trial *found,
                                seam_error *cause, seam_error *error);

#endif
