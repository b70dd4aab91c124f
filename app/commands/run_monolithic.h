/* A run of the whole mechanism by one integrator. */
#ifndef APP_COMMANDS_RUN_MONOLITHIC_H
#define APP_COMMANDS_RUN_MONOLITHIC_H

#include "app/commands/run_files.h"

/* Creates the integrator of the model's options, with n_threads (0: by trial), as it was at the checkpoint `from`
 * (NULL).
 */
seam_status run_monolithic_create(const app_setup *setup, int n_threads, const app_checkpoint *from,
                                  mbs_integrator **created, seam_error *error);

/* Carries the run out, from `state` at t = 0 or from the checkpoint of `files`. */
seam_status run_monolithic(mbs_integrator *integrator, run_files *files, mbs_state *state, bool quiet,
                           seam_error *error);

#endif
