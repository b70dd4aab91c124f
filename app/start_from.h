/* `--from RESULTS@TIME`: starts from a state in earlier results. */
#ifndef APP_START_FROM_H
#define APP_START_FROM_H

#include <seam/mbs.h>

#define OPTION_FROM                                                                                                    \
  { "--from", "RESULTS@TIME", .help = "start from the state of earlier results at a time, by default their last row" }

/* Time of a state, and times of the rows around it. */
typedef struct app_start_rows {
  double t, before, after; /* s; all equal at a row */
  char changes[400];       /* differences between the model and that of the results */
} app_start_rows;

/* Sets t, q, v and z of *state from results. given: folder or table, then "@" and a time, if any. json: effective
 * model. Between rows positions are cubic, velocities their derivatives; sampled states change at samples only, other
 * states are linear. SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: no time after "@", a time outside the rows, or other
 * bodies or states. */
seam_status start_from_read(const char *given, const mbs_model *model, const char *json, mbs_state *state,
                            app_start_rows *rows, seam_error *error);

/* Returns the path of the table that has these results, allocated with malloc(). NULL: there is none. */
char *start_from_table(const char *given);

/* SEAM_BAD_INPUT: a run that writes into `folder` would overwrite these results. */
seam_status start_from_check_folder(const char *given, const char *folder, seam_error *error);

#endif
