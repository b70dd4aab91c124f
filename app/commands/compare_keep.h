/* Files of the runs that `seam compare --keep` leaves: a folder for each scheme, and one for the reference. */
#ifndef APP_COMMANDS_COMPARE_KEEP_H
#define APP_COMMANDS_COMPARE_KEEP_H

#include <seam/analysis.h>

#include "app/commands/run_files.h"

typedef struct compare_keep {
  run_files options;      /* options common to all runs; nothing is open */
  const char *directory;  /* parent of the folders */
  const app_setup *whole; /* monolithic model of the reference */
  mbs_state *scratch;
  /* The present run: */
  const char *scheme;
  double macro_step;
  const cosim_builder *builder;
  double t;    /* s, the last macro point */
  double wall; /* time of the clock when it began, s */
  run_files files;
  seam_observer observer;
} compare_keep;

/* Reads the options of files; `self` must not move. Whatever the result, free it with compare_keep_free().
 * SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status compare_keep_create(compare_keep *self, const app_options *parsed, const app_setup *setup,
                                const app_setup *whole, seam_error *error);

/* Integrates the reference again to write its rows; its summary has the refusal (SEAM_OK: none). */
seam_status compare_keep_reference(compare_keep *self, const seam_reference *reference, const seam_error *refusal,
                                   bool quiet, seam_error *error);

/* Begins the run of a scheme, to be observed by `self->observer`. */
void compare_keep_begin(compare_keep *self, const char *scheme, double macro_step, const cosim_builder *builder);
/* Closes the run's tables and writes its summary; `run` NULL, for a run that broke off: no summary. */
seam_status compare_keep_end(compare_keep *self, const seam_comparison *run, seam_error *error);

void compare_keep_free(compare_keep *self);

#endif
