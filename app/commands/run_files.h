/* The files of a run, monolithic or co-simulated: the rows of its trajectory, its checkpoints, its summary. */
#ifndef APP_COMMANDS_RUN_FILES_H
#define APP_COMMANDS_RUN_FILES_H

#include "app/progress.h"
#include "app/results/checkpoint.h"
#include "app/results/event_lines.h"
#include "app/results/table_file.h"
#include "app/setup.h"

enum { N_RUN_TABLES = SEAM_N_RUN_TABLES };

typedef struct run_table_files {
  char *paths[N_ROW_FORMATS]; /* of all formats, allocated */
  app_table_file *file;       /* NULL: not open */
} run_table_files;

typedef struct run_files {
  const app_options *options; /* of the command line that began the run */
  const app_setup *setup;
  const app_checkpoint *from; /* NULL: from the beginning */
  seam_run *run;              /* NULL: not prepared */
  seam_run_sink sink;         /* of the run into the files */
  char *directory, *summary_path, *checkpoint_path;
  run_table_files tables[N_RUN_TABLES];
  event_label label;
  double end, output_step; /* s */
  bool has_format[N_ROW_FORMATS];
  bool has_identifiers;    /* for names of columns */
  double handed_over;      /* wall time when rows were handed to the system last, s */
  double checkpoint_every; /* s; infinite: never */
  size_t n_checkpoints;    /* that are due so far */
  double wall, cpu;        /* s, that the run took */
  int exit_status;
  bool quiet;
  double begun; /* s, where this process took it on */
  app_progress progress;
} run_files;

/* Reads --checkpoint, --format and --names. SEAM_BAD_INPUT. */
seam_status run_files_read_options(run_files *self, seam_error *error);

/* Takes end and output step of the model. SEAM_BAD_INPUT: it has no end, or too many rows. */
seam_status run_files_read_times(run_files *self, seam_error *error);

/* Makes the run of what goes on (`def`, with members that are of the engine alone) and takes `directory` (allocated;
 * NULL: memory is exhausted), which it creates and locks. The tables that the run continues must be beside the
 * checkpoint, as the run wrote them. `self` must not move from here on. SEAM_BAD_INPUT, SEAM_BAD_STATE, SEAM_NO_FILE,
 * SEAM_NO_MEMORY. */
seam_status run_files_prepare(run_files *self, char *directory, const seam_run_def *def, seam_error *error);

/* Opens the tables and removes older results: if this run is killed, they must not be taken for its results. */
seam_status run_files_open(run_files *self, seam_error *error);
seam_status run_files_close(run_files *self, seam_error *error);

/* In place of run_files_prepare() and run_files_open(), for a run that leaves no files: statistics are those of the
 * definition's quantities. SEAM_NO_MEMORY. */
seam_status run_files_open_none(run_files *self, const seam_run_def *def, seam_error *error);

/* Carries the run out, and shows its progress. */
seam_status run_files_carry_out(run_files *self, seam_error *error);

/* Finds its error by a second run. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status run_files_check(run_files *self, seam_error *error);

/* Returns the facts that the run and its files know. */
seam_run_facts run_files_facts(const run_files *self);
/* Writes summary.json, once the files are closed and the run is concluded. */
seam_status run_files_summarise(const run_files *self, seam_error *error);
void run_files_free(run_files *self);

#endif
