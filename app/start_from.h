/* `--from RESULTS@TIME`: a state of earlier results to start from. */
#ifndef APP_START_FROM_H
#define APP_START_FROM_H

#include <seam/mbs.h>

#define OPTION_FROM                                                                                                    \
  { "--from", "RESULTS@TIME", .help = "start from the state of earlier results at a time, by default their last row" }

/* Time of a state in results, and the rows before and after it. */
typedef struct app_start_rows {
  double t, before, after; /* times of the state and of these rows, s; equal if the state is that of a row */
  char changes[400];       /* changes of the model since the results, by model_changes.h */
} app_start_rows;

/* Sets t, q, v and z of a state from results. `given`: folder or table, then perhaps "@" and a time. `json`: the
 * effective model. Between rows, positions are cubic, velocities their derivatives, other states linear, and sampled
 * ones constant. SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: no time, a time outside the rows, or other bodies or
 * states. */
seam_status start_from_read(const char *given, const mbs_model *model, const char *json, mbs_state *state,
                            app_start_rows *rows, seam_error *error);

/* Returns SEAM_BAD_INPUT if a run in the folder would overwrite the results that `given` names. */
seam_status start_from_spare(const char *given, const char *folder, seam_error *error);

#endif
