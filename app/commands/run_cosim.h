/* A co-simulated run. A monolithic run precedes it: a co-simulation that leaves the bounds of that run is unstable. */
#ifndef APP_COMMANDS_RUN_COSIM_H
#define APP_COMMANDS_RUN_COSIM_H

#include <seam/analysis.h>

#include "app/commands/run_files.h"

typedef struct run_cosim run_cosim;

/* Follows the model and the options --scheme and --threads, and is as at the checkpoint `from` (NULL). SEAM_BAD_INPUT,
 * SEAM_BAD_STATE, SEAM_NO_MEMORY, or what cosim_create() returns. */
seam_status run_cosim_create(const app_options *options, const app_setup *setup, const app_checkpoint *from,
                             run_cosim **created, seam_error *error);
void run_cosim_destroy(run_cosim *run);

/* Carries the run out, from the state at t = 0 or from the checkpoint; `state` is scratch afterwards. */
seam_status run_cosim_carry_out(run_cosim *run, run_files *files, mbs_state *state, bool quiet, seam_error *error);

/* Results so far: the co-simulation, and the data of the summary, whose peaks are NULL before the run is carried out.
 */
const cosim_simulation *run_cosim_simulation(const run_cosim *run);
app_cosim_run run_cosim_results(const run_cosim *run);

#endif
