/* A run: its definition, its position and its results so far. */
#ifndef RUNS_RUN_H
#define RUNS_RUN_H

#include <seam/analysis.h>
#include <seam/runs.h>

#include "analysis/results/over_run.h"
#include "analysis/track.h"
#include "runs/event_watch.h"
#include "runs/peaks.h"

/* A table of rows. */
typedef struct run_table {
  seam_table *columns; /* NULL: the run has no such table */
  double *row;         /* (columns) */
} run_table;

/* Progress of the rows of a co-simulated run. */
typedef struct run_macro_rows {
  seam_peaks *peaks;
  double near;      /* s: rounding in quotients of times */
  bool is_watched;  /* the events have started */
  bool begins_anew; /* the macro step that comes, right of a jump */
} run_macro_rows;

/* Progress of the macro steps of a co-simulated run. */
typedef struct run_macro_steps {
  cosim_step_plan plan;
  seam_growth growth;
  size_t count;               /* taken so far */
  double t;                   /* s, the present macro point */
  bool is_within;             /* a macro step: the present point is a kink of a law of time or a sample, */
  double end_of_step;         /* s, where that macro step ends */
  void *image, *events_image; /* before the macro step; NULL: no event stops the run */
  bool ends_at_event;         /* the last macro step does */
} run_macro_steps;

/* Data and results of the check of a run. */
typedef struct run_check {
  mbs_state *start;  /* of the run */
  judged_list *list; /* judged quantities; NULL: none */
  track *rows;       /* of the run, with its energies */
  double *points;    /* (n_points) the start and all macro points, s */
  size_t n_points, point_capacity;
  bool has_lost_points; /* there was no memory for them, or the run was resumed */
  bool is_going_on;
  seam_deviation error, forces; /* SEAM_TRUTH_NONE: it was not checked */
} run_check;

struct seam_run {
  seam_run_def def;
  const cosim_simulation *simulation; /* taken on or seen; NULL: the run is monolithic */
  const seam_run_sink *sink;          /* while the run goes on */
  bool has_lost_sink;                 /* a function of it has failed */
  bool is_restored;
  double begin, end, time;    /* s; time: reached */
  double output_step;         /* s */
  size_t row, rows;           /* the next one, those that were taken */
  bool assumes_step;          /* as in seam_run_facts */
  seam_start_changes changes; /* as well */
  run_table tables[SEAM_N_RUN_TABLES];
  event_watch events;
  seam_run_record record;
  double *residuals; /* (2 n_constraints) scratch */
  seam_over_run *over_run;
  mbs_quantity *quantities; /* (n_quantities) */
  size_t n_quantities;
  mbs_integrator *integrator; /* of a monolithic run */
  run_macro_rows macro_rows;
  run_macro_steps macro_steps;
  run_check check;
  mbs_statistics statistics;
  seam_error ending;
  bool is_judged;
  seam_run_verdict verdict;
};

/* ---- Rows ---- */

double run_row_time(const seam_run *run, size_t row);

/* Gives the row of a table to the sink. */
seam_status run_take(seam_run *run, seam_run_table table, const seam_run_label *label, seam_error *error);
/* A row of the trajectory, which must be there. */
seam_status run_take_state(seam_run *run, const mbs_state *state, seam_error *error);
/* A row of the events, whose state it is; one that stops ends the run, unless others take it on. */
seam_status run_take_event(seam_run *run, const mbs_state *state, const mbs_event *event, seam_error *error);
/* The same of an impact, from the state behind it; after SEAM_MAX_LISTED_IMPACTS of a contact there is none. */
seam_status run_take_impact(seam_run *run, const mbs_state *state, const mbs_impact_event *impact, seam_error *error);
/* Takes a state that was computed, not interpolated, into the verdict. */
void run_judge_state(seam_run *run, const mbs_state *state);

/* ---- The check ---- */

/* Prepares the check before the run begins; its state is the start. */
seam_status run_check_prepare(seam_run *run, seam_error *error);
void run_check_release(seam_run *run);
/* Keeps the judged quantities of a state: at a macro point, or in a row of a monolithic run, with its energies. */
void run_check_take(seam_run *run, const mbs_state *state, bool is_computed);
/* Does the same for the last state; keeps a macro point at time t (s). */
void run_check_take_last(seam_run *run, const mbs_state *state);
void run_check_point(seam_run *run, double t);
/* The run is between steps. */
seam_status run_rest(seam_run *run, double t, seam_error *error);

/* Blames the model in *error where the undivided run grows as well up to t (s), where the run became unstable. */
void run_check_unstable(seam_run *run, double t, seam_error *error);

/* Returns true if the run is asked to end at time t (s); the status and error that it then ends with. */
bool run_is_asked_to_end(const seam_run *run, double t);
seam_status run_interrupted(double t, seam_error *error);

/* Notes what a user should know of the start. */
void run_note_start(const seam_run *run);

/* ---- Loops ---- */

seam_status run_monolithic(seam_run *run, seam_error *error);

/* Prepares the macro steps of a co-simulated run, and takes them. */
seam_status macro_steps_prepare(seam_run *run, seam_error *error);
seam_status macro_steps_carry_out(seam_run *run, seam_error *error);
/* Finds the present macro point after the simulation was restored. */
void macro_steps_restore(seam_run *run);
void macro_steps_release(seam_run *run);

seam_status macro_rows_prepare(seam_run *run, seam_error *error);
void macro_rows_begin(seam_run *run);
/* Takes the row of the present macro point, t, and those of the trajectory up to there. */
seam_status macro_rows_take(seam_run *run, double t, seam_error *error);
/* Takes the last macro point, at t, of a run that ended early: it gets a row where it has none. */
seam_status macro_rows_take_last(seam_run *run, double t, seam_error *error);

#endif
