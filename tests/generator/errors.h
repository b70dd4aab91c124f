/* The error that a run prints beside its true error (docs/reliability.md). */
#ifndef TESTS_GENERATOR_ERRORS_H
#define TESTS_GENERATOR_ERRORS_H

#include <seam/runs.h>

#include "tests/generator/trial.h"

/* ---- Tracks: what a run or its truth did ------------------------------------------------------------------------- */

typedef enum quantity_kind { PLACE, ANGLE, VELOCITY, RATE, SIGNAL } quantity_kind;

/* Components are columns of a track, one after the other. */
typedef struct quantity {
  char name[24];
  quantity_kind kind;
  int column, dimension;
} quantity;

enum { MAX_QUANTITIES = 4 * MAX_BODIES + 2 * MAX_BLOCKS + 4 * MAX_CONTROLS, MAX_COLUMNS = 2 * MAX_QUANTITIES };

typedef struct track {
  int n, room, width;
  double *time;  /* (n) ascending, plain */
  double *value; /* (n, width) plain */
} track;

void trace_add(track *self, double time, const double *row);
void trace_free(track *self);

/* What is judged of a trial: of rows of the trajectory, and of signals at macro points. */
typedef struct layout {
  int n, width;
  quantity quantity[MAX_QUANTITIES];
} layout;

enum { IN_ROWS, AT_MACRO_POINTS, N_TRACKS };

void layouts_of(const trial *t, layout layouts[N_TRACKS]);

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* What a run prints of its error. */
typedef struct printed {
  seam_word word;
  seam_truth by;
  bool is_bound;      /* the error is smaller */
  double error;       /* of the travel; NaN: none is printed */
  double time, until; /* plain: of the error, judged up to there */
  char name[24], why[160];
} printed;

/* Status and message of a run, its tracks and what it prints. */
typedef struct error_run {
  seam_error error;
  track track[N_TRACKS];
  double late;                /* plain, by how much jumps may be late */
  double length, speed, rate; /* plain scales of its mechanism */
  printed printed;
} error_run;

/* As the file says; `whole`: of a trial that is cut, undivided. */
void error_run_carry_out(const trial *t, bool whole, error_run *run);
void error_run_free(error_run *run);

/* ---- Truth ------------------------------------------------------------------------------------------------------- */

typedef enum truth_way { BY_CLOSED_FORM, BY_OWN_EQUATIONS, BY_INTEGRATOR, N_TRUTH_WAYS } truth_way;

typedef struct truth {
  truth_way way;
  bool is_edges;   /* its rows are the sides of jumps */
  double accuracy; /* relative to travels: its own error */
  track track[N_TRACKS];
  int n_jumps; /* ascending */
  double jump[MAX_JUMPS + MAX_SUBSETS * MAX_TRIAL_KINKS];
  track edges[N_TRACKS]; /* rows 2 j and 2 j + 1: left and right of jump j */
} truth;

/* At the times of a run; false: it is not known. */
bool truth_find(const trial *t, const error_run *run, truth *found);
void truth_free(truth *self);

/* ---- The error --------------------------------------------------------------------------------------------------- */

/* The largest deviation over its travel. */
typedef struct true_error {
  double error, time, travel, deviation;
  char name[24];
} true_error;

/* Scales of the least travels, the time up to which is judged, and by how much a jump may be late. */
typedef struct judged {
  double length, speed, rate, until, late;
} judged;

true_error error_between(const layout layouts[N_TRACKS], const track run[N_TRACKS], const truth *whole,
                         const judged *how);

#endif
