/* The files of a run, monolithic or co-simulated: the rows of its trajectory, its checkpoints, its summary. */
#ifndef APP_COMMANDS_RUN_FILES_H
#define APP_COMMANDS_RUN_FILES_H

#include "app/progress.h"
#include "app/results/checkpoint.h"
#include "app/results/table_file.h"
#include "app/setup.h"

enum { N_RUN_TABLES = SEAM_N_RUN_TABLES };

typedef struct run_table_files {
  char *paths[N_ROW_FORMATS]; /* paths of all formats, allocated */
  app_table_file *file;       /* NULL: not open */
} run_table_files;

/* Label of a row of events.csv: "NAME,rising,", or "NAME,impact," followed by two impulses and the energy lost. */
typedef struct event_label {
  bool lists_impacts; /* rows have columns of impacts */
  row_label form;
  char *text; /* text of the last row */
} event_label;

typedef struct run_files {
  const app_options *options; /* options of the command line that began the run */
  const app_setup *setup;
  const app_checkpoint *from; /* checkpoint to continue; NULL: none */
  seam_run *run;              /* NULL: not prepared */
  seam_run_sink sink;         /* passes rows of the run to the files */
  char *directory, *summary_path, *checkpoint_path;
  run_table_files tables[N_RUN_TABLES];
  event_label label;
  double end, output_step; /* s */
  bool has_format[N_ROW_FORMATS];
  bool has_identifiers;    /* names of columns are identifiers, bar1_x */
  double handed_over;      /* wall time when rows were last handed to the operating system, s */
  double checkpoint_every; /* interval of checkpoints, s; infinite: never */
  size_t n_checkpoints;    /* checkpoints due so far */
  double wall, cpu;        /* wall time and CPU time of the run, s */
  int exit_status;
  bool quiet;
  double begun; /* simulated time from which this process runs, s */
  app_progress progress;
} run_files;

/* The first reads --checkpoint, --format and --names, the second the model's end and output step. SEAM_BAD_INPUT. */
seam_status run_files_read_options(run_files *self, seam_error *error);
seam_status run_files_read_times(run_files *self, seam_error *error);

/* Creates the run, and makes and locks its directory. In `def` the caller sets only the engine, its start and the
 * check. The run frees `directory` (allocated; NULL: returns SEAM_NO_MEMORY). The tables of a continued run must be
 * unchanged. `self` must not move from here on. SEAM_BAD_INPUT, SEAM_BAD_STATE, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status run_files_prepare(run_files *self, char *directory, const seam_run_def *def, seam_error *error);

/* Opens the tables and removes all other results of an earlier run: if this run is killed, they would pass for its
 * own. */
seam_status run_files_open(run_files *self, seam_error *error);
seam_status run_files_close(run_files *self, seam_error *error);

/* Creates a run without files; call it instead of run_files_prepare() and run_files_open(). Statistics are those of
 * def->quantities. SEAM_NO_MEMORY. */
seam_status run_files_open_none(run_files *self, const seam_run_def *def, seam_error *error);

/* Carries the run out and shows its progress. */
seam_status run_files_carry_out(run_files *self, seam_error *error);
/* Finds the error of the run by a second run, whose progress it shows. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status run_files_check(run_files *self, seam_error *error);

/* Returns the facts of the run, with the command's arguments, exit status and times. */
seam_run_facts run_files_facts(const run_files *self);
/* Writes summary.json. Call it after the files are closed and the run is concluded. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status run_files_summarise(const run_files *self, seam_error *error);
void run_files_free(run_files *self);

#endif
