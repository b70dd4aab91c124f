/* A prediction of `seam stability model` tried on the file's own motion. */
#ifndef APP_COMMANDS_STABILITY_TRIAL_H
#define APP_COMMANDS_STABILITY_TRIAL_H

#include <seam/analysis.h>

#include "app/schemes.h"

/* A trial; `setup` is assembled, in any state. */
typedef struct stability_trial {
  const app_setup *setup;
  const app_schemes *schemes;
  size_t scheme;
  double macro_step, wanted, ratio; /* fields of seam_trial_def */
  const seam_interrupt *interrupt;
} stability_trial;

/* Creates the file's own start, assembled. */
seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error);

/* Tries the prediction from the file's own start. A motion that cannot be tried is no failure: *cause has the reason
 * (status SEAM_OK: tried). SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status stability_trial_run(const stability_trial *self, seam_trial *found, seam_error *cause, seam_error *error);

/* Prints the result of the trial, and the command that confirms it; `parsed` is the command line. */
void stability_trial_print(const stability_trial *self, const app_options *parsed, const seam_trial *found);

/* Prints the distance between the file's own start and the present state, as " (it starts ... from this state)". */
seam_status stability_trial_print_distance(const app_setup *setup, seam_error *error);

#endif
