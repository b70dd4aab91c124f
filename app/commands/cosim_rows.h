/* The rows of a co-simulated run, whoever advances it. */
#ifndef APP_COMMANDS_COSIM_ROWS_H
#define APP_COMMANDS_COSIM_ROWS_H

#include "app/commands/run_files.h"

typedef struct cosim_rows {
  run_files *files; /* open */
  const cosim_simulation *simulation;
  seam_peaks *peaks;
  mbs_state *state; /* scratch */
  double near;      /* s: rounding in quotients of times */
  bool is_watched;  /* the events have started */
  bool begins_anew; /* the macro step that comes, right of a jump */
} cosim_rows;

/* From the checkpoint of `files` where there is one; free with cosim_rows_end(). SEAM_NO_MEMORY. */
seam_status cosim_rows_start(cosim_rows *self, run_files *files, const cosim_simulation *simulation, mbs_state *scratch,
                             double macro_step, seam_error *error);

/* Writes the row of the present macro point, t, and those of the trajectory up to there. */
seam_status cosim_rows_write(cosim_rows *self, double t, seam_error *error);
/* Of a run that ended early: its last macro point, t, is worth a row where there is none. */
seam_status cosim_rows_write_last(cosim_rows *self, double t, seam_error *error);

void cosim_rows_end(cosim_rows *self);

#endif
