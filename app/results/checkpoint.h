/* A checkpoint: one file from which a run can continue. It is written completely or not at all. */
#ifndef APP_RESULTS_CHECKPOINT_H
#define APP_RESULTS_CHECKPOINT_H

#include <stddef.h>

#include <seam/runs.h>

#include "app/results/table_file.h"

typedef struct app_block {
  const void *data;
  size_t size; /* bytes */
} app_block;

typedef struct app_checkpoint {
  app_extent extents[SEAM_N_RUN_TABLES][N_ROW_FORMATS]; /* of all tables at the time of the checkpoint */
  int n_arguments;
  char **arguments; /* (n_arguments) command line that began the run */
  app_block model;  /* text of the effective model, with its terminating zero */
  app_block run;    /* data of seam_run_save(), aligned for all types */
  void *memory;     /* bytes of the file, into which the members above point */
} app_checkpoint;

/* SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status checkpoint_write(const char *path, const app_checkpoint *checkpoint, seam_error *error);

/* Call checkpoint_free() even after a failure. SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_STATE: the file is not a
 * checkpoint, is incomplete, or is of another version of Seam. */
seam_status checkpoint_read(const char *path, app_checkpoint *read, seam_error *error);
void checkpoint_free(app_checkpoint *read);

#endif
