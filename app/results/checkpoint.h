/* Checkpoints: all that a run needs to be continued, in one file that is written completely or not at all. */
#ifndef APP_RESULTS_CHECKPOINT_H
#define APP_RESULTS_CHECKPOINT_H

#include <stddef.h>

#include <seam/analysis.h>

#include "app/results/summary.h"
#include "app/results/table_file.h"

/* Tables that a run may write. */
enum {
  RUN_TRAJECTORY = SEAM_TRAJECTORY_TABLE,
  RUN_COUPLINGS = SEAM_COUPLINGS_TABLE,
  RUN_SIGNALS = SEAM_SIGNALS_TABLE,
  RUN_EVENTS = SEAM_EVENTS_TABLE,
  N_RUN_TABLES = SEAM_N_RUN_TABLES
};

/* How far a run is. */
typedef struct app_position {
  size_t row, macro_step;           /* the next row; macro steps done */
  app_extents tables[N_RUN_TABLES]; /* the files up to there */
  seam_run_bounds bounds;
  app_summary summary; /* its scratch is not used */
} app_position;

typedef struct app_block {
  const void *data;
  size_t size; /* bytes */
} app_block;

typedef struct app_checkpoint {
  app_position position;
  int n_arguments;
  char **arguments;   /* (n_arguments) the command line that began the run */
  app_block model;    /* the effective model, text with its terminating zero */
  app_block peaks;    /* seam_peaks_data() */
  app_block over_run; /* of seam_over_run_save() */
  app_block events;   /* of mbs_events_save() */
  app_block image;    /* of the integrator or the co-simulation; its data are aligned for any type */
  void *memory;       /* of one that was read */
} app_checkpoint;

/* SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status checkpoint_write(const char *path, const app_checkpoint *checkpoint, seam_error *error);

/* Whatever the result, free *read with checkpoint_free(). SEAM_NO_FILE; SEAM_BAD_STATE for a file that is torn, of
 * another version of Seam, or something else. */
seam_status checkpoint_read(const char *path, app_checkpoint *read, seam_error *error);
void checkpoint_free(app_checkpoint *read);

#endif
