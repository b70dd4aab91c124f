/* A run, monolithic or co-simulated, and its files: tables, checkpoints, summary. */
#ifndef APP_COMMANDS_RUN_FILES_H
#define APP_COMMANDS_RUN_FILES_H

#include "app/progress.h"
#include "app/results/checkpoint.h"
#include "app/results/table_file.h"
#include "app/setup.h"

typedef struct run_files {
  const app_options *options; /* options with which the run began; the same for a resumed run */
  const app_setup *setup;
  const app_checkpoint *from; /* checkpoint from which the run continues; NULL: none */
  cosim_builder *builder;
  cosim_simulation *simulation; /* NULL: the run is monolithic, or run_files_create_cosim() was not called */
  seam_run *run;                /* NULL: run_files_prepare() was not called */
  seam_run_sink sink;           /* writes rows and checkpoints of the run */
  char *directory, *summary_path, *checkpoint_path;
  char *paths[SEAM_N_RUN_TABLES][N_ROW_FORMATS]; /* path of each table in each format */
  app_table_file *tables[SEAM_N_RUN_TABLES];     /* NULL: the table is not open */
  row_label event_label;                         /* label of the rows of events.csv: its columns and greatest length */
  char *event_text;        /* label of the last event, as "NAME,rising," or "NAME,impact,IMPULSE,IMPULSE,ENERGY," */
  double end, output_step; /* s */
  bool has_format[N_ROW_FORMATS]; /* the tables are written in this format */
  bool has_identifiers;           /* names of columns are identifiers, as bar1_x */
  double flushed;                 /* s, wall time when rows were last passed to the operating system */
  double checkpoint_every;        /* s, interval of checkpoints; INFINITY: none are written */
  size_t n_checkpoints;           /* number of checkpoints due so far */
  double wall, cpu;               /* s, wall time and CPU time of the run */
  int exit_status;
  bool quiet;
  double begun; /* s, simulated time at which this process begins the run */
  app_progress progress;
} run_files;

/* read_options() reads --checkpoint, --format and --names; read_times() the model's end and output step.
 * SEAM_BAD_INPUT. */
seam_status run_files_read_options(run_files *self, seam_error *error);
seam_status run_files_read_times(run_files *self, seam_error *error);

/* Creates the builder and the simulation from the model and the options --scheme and --threads. SEAM_BAD_INPUT,
 * SEAM_NO_MEMORY, errors of cosim_create(). */
seam_status run_files_create_cosim(run_files *self, seam_error *error);

/* Creates the run, and makes and locks self->directory, which the caller has allocated (NULL: returns SEAM_NO_MEMORY).
 * The caller sets these members of *def: `check`; `state` (NULL: setup->state); for a monolithic run `integrator`; for
 * a co-simulation `builder`, `macro_step`, and `simulation` or `seen`. *self must not be moved. Tables of a resumed run
 * must still have the rows before the checkpoint. SEAM_BAD_INPUT, SEAM_BAD_STATE, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status run_files_prepare(run_files *self, const seam_run_def *def, seam_error *error);

/* Opens the tables and removes other files of an earlier run: if this run is killed, none of them seems its own. */
seam_status run_files_open(run_files *self, seam_error *error);
seam_status run_files_close(run_files *self, seam_error *error);

/* Replaces prepare() and open() for a run without files, which has statistics of def->quantities. SEAM_NO_MEMORY. */
seam_status run_files_create_unsaved(run_files *self, const seam_run_def *def, seam_error *error);

/* Makes the run, shows its progress, measures its times and closes the tables. */
seam_status run_files_carry_out(run_files *self, seam_error *error);
/* Finds the error of the run by a second run, whose progress it shows. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status run_files_check(run_files *self, seam_error *error);

/* Returns data of the run, with the arguments, exit status and times of the command. */
seam_run_facts run_files_facts(const run_files *self);
/* Writes summary.json. Call it after run_files_close() and seam_run_conclude(). SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status run_files_summarise(const run_files *self, seam_error *error);
void run_files_free(run_files *self); /* *self may be used again */

#endif
