/* `--from RESULTS@TIME`: a state of earlier results to start from. */
#ifndef APP_START_FROM_H
#define APP_START_FROM_H

#include <seam/mbs.h>

#define OPTION_FROM                                                                                                    \
  {                                                                                                                    \
    .name = "--from", .value = "RESULTS@TIME",                                                                         \
    .help = "start from the state of earlier results at a time, by default their last row"                             \
  }

/* Which rows a state was made of. */
typedef struct app_start_rows {
  double t, before, after; /* s; before = after: it is a row */
  char changes[400];       /* what the model has changed since, see model_changes.h */
} app_start_rows;

/* Fills t, q, v and z of a state of the model, whose effective text is `json`: `given` is a folder or table, "@", and a
 * time. Between rows positions are cubics, rates their derivatives, other states straight lines. SEAM_NO_FILE,
 * SEAM_NO_MEMORY; SEAM_BAD_INPUT: no time, one out of the rows, or results of other bodies or states, with their names.
 */
seam_status start_from_read(const char *given, const mbs_model *model, const char *json, mbs_state *state,
                            app_start_rows *rows, seam_error *error);

/* Checks that a folder is not the one that `given` reads: SEAM_BAD_INPUT, for a run there would destroy it. */
seam_status start_from_spare(const char *given, const char *folder, seam_error *error);

#endif
