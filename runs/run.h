/* A run: definition, progress and results so far. */
#ifndef RUNS_RUN_H
#define RUNS_RUN_H

#include <seam/analysis.h>
#include <seam/events.h>
#include <seam/runs.h>

#include "analysis/results/over_run.h"
#include "analysis/track.h"

typedef struct run_table {
  seam_table *columns; /* NULL: the run does not write this table */
  double *row;         /* (columns) */
} run_table;

/* Events of a run, the event that ended it, and impacts of hard contacts. */
typedef struct run_events {
  mbs_events *of_model;       /* NULL: the model has no events */
  mbs_event end;              /* the event that ended the run; number SEAM_NONE: none */
  size_t n_contacts;          /* number of hard contacts */
  size_t *contacts;           /* (n_contacts) indices of their force elements */
  mbs_impact_record *impacts; /* (n_contacts) impacts up to the last row of the trajectory */
  size_t n_undetermined; /* largest number, in any state, of hard contacts whose forces the motion does not determine */
  mbs_state *after_impact; /* scratch: state after an impact; NULL: impacts get no rows in the events table */
} run_events;

/* Progress of a run, except that of the objects which its image saves as blocks (runs/image.c). */
typedef struct run_progress {
  size_t row, rows;           /* index of the next row; number of rows added so far */
  size_t macro_steps;         /* number of macro steps taken so far */
  double begin, time;         /* s; `time` is the time of the last row or macro point */
  bool assumes_step;          /* see seam_run_facts */
  bool has_rows_between;      /* some row lies between macro points */
  seam_growth growth;         /* growth of a co-simulated run */
  seam_start_changes changes; /* see seam_run_facts */
  seam_run_record record;
} run_progress;

/* Largest absolute value so far, and its time. NaN counts as the largest. */
typedef struct run_peak {
  double value;
  double time; /* s */
} run_peak;

/* Largest residuals of cut joints and largest residual powers, over the rows of the couplings table. */
struct seam_peaks {
  size_t n;
  run_peak *peaks;                              /* (n) all peaks: the residuals, then the powers */
  run_peak (*residual)[SEAM_N_RESIDUAL_LEVELS]; /* residuals of each coupling; level 0: positions */
  run_peak *power; /* powers of couplings, then of couplings of user equations, of bonds, and the sum of all */
  size_t n_columns;
  size_t *peak_of; /* (n_columns) index of the peak that a column updates; SEAM_NONE: none */
};

void peaks_destroy(seam_peaks *self);

/* Progress of the rows of a co-simulated run. */
typedef struct run_macro_rows {
  seam_peaks *peaks;
  double time_slack;       /* s; times that differ by less are equal */
  bool has_started_events; /* the events of the model have been started */
  bool restarts;           /* the state jumps at the beginning of the next macro step */
} run_macro_rows;

/* Progress of the macro steps of a co-simulated run. */
typedef struct run_macro_steps {
  cosim_step_plan plan;
  double t;            /* s, the present macro point */
  bool is_inside_step; /* the present macro point is inside a planned step, at a kink of a function of time or at a
                          sample */
  double end_of_step;  /* s, end of that planned step */
  void *image, *events_image; /* saved before each macro step, to repeat it; NULL: no event stops the run */
  bool ends_at_event;         /* the last macro step was shortened to end at an event */
} run_macro_steps;

/* Data and results of the check of a run. */
typedef struct run_check {
  mbs_state *start;           /* state at the start of the run */
  mbs_state *undivided_start; /* start values of the undivided model's own states, as equations; NULL: none */
  compared_list *list;        /* quantities to compare; NULL: the run is not checked */
  track *rows;                /* values of these quantities, and energies, in the run */
  double *points;             /* (n_points) s, the start and all macro points */
  size_t n_points, point_capacity;
  bool lacks_points; /* `points` is incomplete: memory is exhausted, there are too many, or the run was resumed */
  bool is_running;
  seam_deviation error, forces; /* errors of the run, and of its forces; by = SEAM_TRUTH_NONE: not checked */
  seam_over_run *over_run;      /* statistics of the second run, for comparison; NULL: not available */
  char faster_note[160];        /* note on an integrator that needs far fewer evaluations; "": none */
} run_check;

struct seam_run {
  seam_run_def def;
  const cosim_simulation *simulation; /* def.simulation or def.seen; NULL: the run is monolithic */
  const seam_run_sink *sink;          /* receiver of results during the run */
  bool has_failed_sink;               /* a callback of the sink has failed */
  bool is_restored;
  double end, output_step; /* s */
  run_progress at;
  run_table tables[SEAM_N_RUN_TABLES];
  run_events events;
  double *residuals; /* (2 n_constraints) scratch */
  seam_over_run *over_run;
  mbs_quantity *quantities; /* (n_quantities) */
  size_t n_quantities;
  mbs_integrator *integrator; /* NULL for a co-simulated run */
  run_macro_rows macro_rows;
  run_macro_steps macro_steps;
  run_check check;
  mbs_statistics statistics;
  seam_error beginning, ending; /* errors with which the run began and ended; SEAM_OK: none */
  bool has_begun, is_judged;
  seam_run_verdict verdict;
};

/* Returns true if an event of the model has ended the run. */
static inline bool run_has_ended(const seam_run *run) { return run->events.end.number != SEAM_NONE; }

/* ---- The check ---- */

/* Prepares the check before the run begins; def.state is the initial state. */
seam_status run_check_prepare(seam_run *run, seam_error *error);
/* Stores the compared quantities of a state; if is_computed (a macro point, or a monolithic run), also its energies. */
void run_check_add_row(seam_run *run, const mbs_state *state, bool is_computed);
/* Stores the time t (s) of a macro point, for a repeated run with shorter macro steps. */
void run_check_add_point(seam_run *run, double t);

/* Call this after *error reports that the run became unstable at t (s). If the undivided model, integrated to t, is
 * unstable as well, replaces *error by a message that says so. */
void run_check_unstable(seam_run *run, double t, seam_error *error);

/* Returns the integrator's options of the run's definition, or else of the model file. */
const mbs_integrator_options *run_integrator_options(const seam_run *run);

void run_note_start(const seam_run *run);

/* ---- Loops ---- */

seam_status run_monolithic(seam_run *run, seam_error *error);

/* The first prepares a co-simulated run, the second carries out all its macro steps. The third sets the present macro
 * point after a restore. */
seam_status run_cosimulated_prepare(seam_run *run, seam_error *error);
seam_status run_cosimulated(seam_run *run, seam_error *error);
void run_cosimulated_restore(seam_run *run);

/* Adds the rows of all tables at the present macro point, t (s), and the rows of the trajectory up to t. */
seam_status run_add_macro_point(seam_run *run, double t, seam_error *error);
/* If a run ended early, adds a row to the trajectory at its last macro point, t (s), unless that point has a row. */
seam_status run_add_last_macro_point(seam_run *run, double t, seam_error *error);

#endif
