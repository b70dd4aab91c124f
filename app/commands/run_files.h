/* The files of a run, monolithic or co-simulated: the rows of its trajectory, its checkpoints, its summary. */
#ifndef APP_COMMANDS_RUN_FILES_H
#define APP_COMMANDS_RUN_FILES_H

#include "app/results/checkpoint.h"
#include "app/results/event_list.h"
#include "app/results/statistics.h"
#include "app/results/table_file.h"
#include "app/setup.h"

typedef struct run_table {
  char *paths[N_ROW_FORMATS]; /* of all formats, allocated */
  seam_table *columns;        /* until the file takes them; NULL: this run has no such table */
  app_table_file *file;       /* NULL: not open */
} run_table;

typedef struct run_files {
  const app_options *options; /* of the command line that began the run */
  const app_setup *setup;
  const app_checkpoint *from; /* NULL: from the beginning */
  char *directory, *summary_path, *checkpoint_path;
  run_table tables[N_RUN_TABLES];
  double end, output_step; /* s */
  bool has_format[N_ROW_FORMATS];
  bool has_identifiers;    /* for names of columns */
  double handed_over;      /* wall time when rows were handed to the system last, s */
  double checkpoint_every; /* s; infinite: never */
  size_t n_checkpoints;    /* that are due so far */
  size_t row;              /* the next */
  app_summary summary;
  app_statistics statistics;
  event_list events;
  bool passes_stops; /* events do not end the run */
} run_files;

/* Reads --checkpoint, --format and --names. SEAM_BAD_INPUT. */
seam_status run_files_read_options(run_files *self, seam_error *error);

/* Takes end and output step of the model. SEAM_BAD_INPUT: it has no end, or too many rows. */
seam_status run_files_read_times(run_files *self, seam_error *error);

/* Makes the columns of all tables, of the co-simulation too (NULL: a monolithic run), and takes `directory` (allocated;
 * NULL: memory is exhausted), which it creates and locks. The tables that the run continues must be beside the
 * checkpoint, as the run wrote them. SEAM_BAD_INPUT, SEAM_BAD_STATE, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status run_files_prepare(run_files *self, char *directory, const cosim_simulation *simulation, seam_error *error);

/* Opens the tables and removes older results: if this run is killed, they must not be taken for its results. */
seam_status run_files_open(run_files *self, seam_error *error);
seam_status run_files_close(run_files *self, seam_error *error);

/* In place of run_files_prepare() and run_files_open(), for a run that leaves no files: statistics are those of the n
 * quantities. SEAM_NO_MEMORY. */
seam_status run_files_open_none(run_files *self, const cosim_simulation *simulation, const mbs_quantity *quantities,
                                size_t n, seam_error *error);

/* What the states say of a run of this co-simulation, or of an integrator with these options (the other is NULL); a
 * failure keeps its own status and message. */
void run_files_judge(run_files *self, const cosim_simulation *simulation, const mbs_integrator_options *options,
                     app_ending *ending);
/* Writes summary.json, once the files are closed; `cosim` is NULL for a monolithic run. */
seam_status run_files_summarise(const run_files *self, const app_cosim_run *cosim, const app_ending *ending,
                                seam_error *error);
void run_files_free(run_files *self);

/* Number of the last row, which is at the end: that need not be a multiple of the output step. */
size_t run_last_row(const run_files *self);
double run_row_time(const run_files *self, size_t row);

/* Writes a row of the trajectory, which must be there. */
seam_status run_write_row(run_files *self, const mbs_state *state, seam_error *error);
/* Writes a row of the events, whose state it is; one that stops ends the run. */
seam_status run_write_event(run_files *self, const mbs_state *state, const mbs_event *event, seam_error *error);
/* The same of an impact, from the state behind it; after MAX_LISTED_IMPACTS of a contact there is none. */
seam_status run_write_impact(run_files *self, const mbs_state *state, const mbs_impact_event *impact,
                             seam_error *error);
/* Takes a state that was computed, not interpolated, into the verdict. */
void run_judge_state(run_files *self, const mbs_state *state);

/* Hands rows to the system, now and then; to be called before what may take long. The next row reports what fails.
 */
void run_hand_over_rows(run_files *self);

/* Whether a checkpoint is due at time t. */
bool run_checkpoint_is_due(run_files *self, double t);

/* Writes one: `checkpoint` has the fields that depend on the kind of run, its image included. */
seam_status run_write_checkpoint(const run_files *self, app_checkpoint *checkpoint, seam_error *error);

#endif
