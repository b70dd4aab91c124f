/* `--from RESULTS@TIME`: starts from a state in earlier results. */
#ifndef APP_START_FROM_H
#define APP_START_FROM_H

#include <seam/mbs.h>

#define OPTION_FROM                                                                                                    \
  { "--from", "RESULTS@TIME", .help = "start from the state of earlier results at a time, by default their last row" }

/* Time of a state in results, and times of the rows before and after it. */
typedef struct app_start_rows {
  double t, before, after; /* s; all equal if the state is that of a row */
  char changes[400];       /* differences of the model from that of the results (model_changes.h) */
} app_start_rows;

/* Sets t, q, v and z of *state from results. given: folder or table, then "@" and a time, if any. json: effective
 * model. Between rows positions are cubic, velocities are their derivatives, sampled states change only at samples, and
 * other states are linear. SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: the text after "@" is not a time, the
 * time is outside the rows, or the results have other bodies or states. */
seam_status start_from_read(const char *given, const mbs_model *model, const char *json, mbs_state *state,
                            app_start_rows *rows, seam_error *error);

/* Returns SEAM_BAD_INPUT if a run that writes into `folder` would overwrite the results that `given` names. */
seam_status start_from_check_folder(const char *given, const char *folder, seam_error *error);

#endif
