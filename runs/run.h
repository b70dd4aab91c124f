/* A run: definition, progress and results so far. */
#ifndef RUNS_RUN_H
#define RUNS_RUN_H

#include <seam/analysis.h>
#include <seam/runs.h>

#include "analysis/results/over_run.h"
#include "analysis/track.h"
#include "runs/event_watch.h"
#include "runs/peaks.h"

typedef struct run_table {
  seam_table *columns; /* NULL: the run does not write this table */
  double *row;         /* (columns) */
} run_table;

/* Progress of the rows of a co-simulated run. */
typedef struct run_macro_rows {
  seam_peaks *peaks;
  double near;      /* s; times closer than this are equal */
  bool is_watched;  /* the events have started */
  bool begins_anew; /* there is a jump at the beginning of the next macro step */
  bool are_between; /* a row lies between macro points */
} run_macro_rows;

/* Progress of the macro steps of a co-simulated run. */
typedef struct run_macro_steps {
  cosim_step_plan plan;
  seam_growth growth;
  size_t count;               /* macro steps taken so far */
  double t;                   /* s, the present macro point */
  bool is_within;             /* the present point is inside a macro step: at a kink of a law of time or a sample */
  double end_of_step;         /* s, end of that macro step */
  void *image, *events_image; /* states saved before the macro step; NULL: no event stops the run */
  bool ends_at_event;         /* the last macro step ends at an event */
} run_macro_steps;

/* Data and results of the check of a run. */
typedef struct run_check {
  mbs_state *start;  /* start of the run */
  judged_list *list; /* quantities by which the run is judged; NULL: not checked */
  track *rows;       /* values of these quantities in the run, with its energies */
  double *points;    /* (n_points) s, start and all macro points */
  size_t n_points, point_capacity;
  bool has_lost_points; /* `points` is incomplete: no memory, too many points, or a resumed run */
  bool is_going_on;
  seam_deviation error, forces; /* field `by` SEAM_TRUTH_NONE: not checked */
  seam_over_run *over_run;      /* statistics of the second run, for comparison; NULL: not checked */
  char faster[160];             /* note on an integrator that needs far fewer evaluations; else "" */
} run_check;

struct seam_run {
  seam_run_def def;
  const cosim_simulation *simulation; /* def.simulation or def.seen; NULL: monolithic */
  const seam_run_sink *sink;          /* receiver of results during the run */
  bool has_lost_sink;                 /* a function of the sink has failed */
  bool is_restored;
  double begin, end, time;    /* s; `time` is that reached so far */
  double output_step;         /* s */
  size_t row, rows;           /* number of the next row; number of rows taken */
  bool assumes_step;          /* as in seam_run_facts */
  seam_start_changes changes; /* as in seam_run_facts */
  run_table tables[SEAM_N_RUN_TABLES];
  event_watch events;
  seam_run_record record;
  double *residuals; /* (2 n_constraints) scratch */
  seam_over_run *over_run;
  mbs_quantity *quantities; /* (n_quantities) */
  size_t n_quantities;
  mbs_integrator *integrator; /* integrator of a monolithic run */
  run_macro_rows macro_rows;
  run_macro_steps macro_steps;
  run_check check;
  mbs_statistics statistics;
  seam_error beginning, ending; /* errors with which the run began and ended */
  bool has_begun, is_judged;
  seam_run_verdict verdict;
};

/* ---- Rows ---- */

double run_row_time(const seam_run *run, size_t row);

/* Passes the row of a table to the sink. */
seam_status run_take(seam_run *run, seam_run_table table, const seam_run_label *label, seam_error *error);
/* Takes a row of the trajectory, whose table must exist. */
seam_status run_take_state(seam_run *run, const mbs_state *state, seam_error *error);
/* Takes a row of the events from the state at the event; an event that stops ends the run, unless the caller advances
 * the simulation (def.seen). */
seam_status run_take_event(seam_run *run, const mbs_state *state, const mbs_event *event, seam_error *error);
/* Takes a row of an impact from the state after it; a contact gets at most SEAM_MAX_LISTED_IMPACTS rows. */
seam_status run_take_impact(seam_run *run, const mbs_state *state, const mbs_impact_event *impact, seam_error *error);
/* Adds a state, which must be computed, not interpolated, to the record for the verdict. */
void run_judge_state(seam_run *run, const mbs_state *state);

/* ---- The check ---- */

/* Prepares the check before the run begins; def.state is the start. */
seam_status run_check_prepare(seam_run *run, seam_error *error);
void run_check_release(seam_run *run);
/* Stores the judged quantities of a state and, if it is_computed (at a macro point or in a monolithic run), its
 * energies. */
void run_check_take(seam_run *run, const mbs_state *state, bool is_computed);
/* Stores the time t (s) of a macro point, for a second run with shorter macro steps. */
void run_check_point(seam_run *run, double t);
/* Calls the sink's between_steps(). */
seam_status run_between_steps(seam_run *run, double t, seam_error *error);

/* *error reports that the run became unstable at t (s). If a run of the undivided model has grown as much at t,
 * replaces *error by an error that blames the model. */
void run_check_unstable(seam_run *run, double t, seam_error *error);

/* Returns the options of the run's integrator, or of its file's. */
const mbs_integrator_options *run_integrator_options(const seam_run *run);
/* run_is_asked_to_end() returns true if the sink requests at time t (s) that the run end. run_interrupted() fills
 * *error for such an end and returns its status, SEAM_INTERRUPTED. */
bool run_is_asked_to_end(const seam_run *run, double t);
seam_status run_interrupted(double t, seam_error *error);

void run_note_start(const seam_run *run);

/* ---- Loops ---- */

seam_status run_monolithic(seam_run *run, seam_error *error);

/* Prepares the macro steps of a co-simulated run, and takes them. */
seam_status macro_steps_prepare(seam_run *run, seam_error *error);
seam_status macro_steps_carry_out(seam_run *run, seam_error *error);
/* Sets the present macro point after a restore. */
void macro_steps_restore(seam_run *run);
void macro_steps_release(seam_run *run);

seam_status macro_rows_prepare(seam_run *run, seam_error *error);
void macro_rows_begin(seam_run *run);
/* Takes the rows of the present macro point, t, and of the trajectory up to t. */
seam_status macro_rows_take(seam_run *run, double t, seam_error *error);
/* Adds a row for the last macro point, at t, of a run that ended early, if that point has no row. */
seam_status macro_rows_take_last(seam_run *run, double t, seam_error *error);

#endif
