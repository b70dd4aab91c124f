/* Benchmarks share these functions: times in turns and their spread, the unit of costs, earlier times, models, runs. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <seam/models.h>

#include "base/clock.h"

/* bench_error is the error of the last call that failed. bench_check() ends the program with its message, unless the
 * status is SEAM_OK. */
extern seam_error bench_error;
void bench_check(seam_status status);

/* Spread of repeated measurements, which shows the noise of the machine. */
typedef struct bench_spread {
  double median, least, most;
} bench_spread;

enum { BENCH_MAX_TURNS = 400 };

/* Returns the spread of scale * times[i] / others[i] over n (1 to BENCH_MAX_TURNS) turns; others NULL: divides by 1. */
bench_spread bench_spread_of(double scale, const double *times, const double *others, int n);
void bench_print(const char *what, bench_spread value, const char *unit);

/* Returns the number of turns, at most BENCH_MAX_TURNS: the first argument of the benchmark, else `usual`. In a turn
 * each of the compared variants runs once and is timed. */
int bench_turns(int argc, char **argv, int usual);

typedef struct bench_cost {
  double wall, cpu; /* s */
} bench_cost;

/* Runs a command (path and arguments, NULL after the last) and returns its times. Ends the program if it fails. */
bench_cost bench_command(const char *const *arguments);

/* One of several functions that are timed in turns. Changes of the machine's speed then do not change ratios. */
typedef struct bench_job {
  void (*run)(void *data);
  void *data;
  int parts;          /* number of steps or evaluations in one call of run(); 0: one */
  bench_spread time;  /* s, for one step or evaluation */
  bench_spread ratio; /* time, divided by the time of the first job in the same turn */
} bench_job;

/* Fills `time` and `ratio` of all jobs. Takes n_turns turns, at most 15. Fewer turns, at least three, are taken if they
 * would last longer than two seconds. In a turn each job runs for some milliseconds. */
void bench_take_turns(bench_job *jobs, int n_jobs, int n_turns);

/* Returns the job that measures the unit U: the cost of one evaluation of a chain of 1000 rods by the limit code
 * (bench/limit.h). This is a quarter of a step of the classical Runge-Kutta method. As the first job of
 * bench_take_turns() it makes the ratios of the other jobs costs in U. */
bench_job bench_unit(void);

/* Opens the table of `--csv FILE`, to which bench_row() appends. Ends the program if there are other arguments. */
void bench_csv(int argc, char **argv);

/* Writes a row of the table, if any: case `name`, quantity, series (program or method), x, and the value there. */
void bench_row(const char *name, const char *quantity, const char *series, double x, bench_spread value);

/* Prints the earlier times of a `quantity` of case `name` at x: in units U (bench_unit()), and divided by `ours`, the
 * present time in U. Adds the earlier times to the table by bench_row(). */
void bench_print_past(const char *name, const char *quantity, double x, bench_spread ours);

/* Mechanisms of any size, made of rods (1 m, 1 kg) with revolute joints. They start at rest under gravity.
 *
 *   chain       a horizontal chain of n rods
 *   four_bars   n four-bars in series: n + 1 parallel rods on the ground, and a rod between the ends of successive ones
 *   grid        a grid of n x n squares that hangs from one of its corners; its rods have joints at the nodes
 *   hub         a disc on an axle, with n rods attached around its rim */
mbs_model *bench_chain(int n);
mbs_model *bench_four_bars(int n);
mbs_model *bench_grid(int n);
mbs_model *bench_hub(int n);

/* Reads a model from its text, or from the catalogue, with overrides ("parameters.N=100", NULL after the last). Free it
 * with seam_model_file_destroy(). */
seam_model_file *bench_parse(const char *name, const char *text, const char *const *overrides);
seam_model_file *bench_model(const char *name, const char *const *overrides);

/* A monolithic run over `duration` (s) from `start`, with its final state and statistics. */
typedef struct bench_run {
  seam_model_file *file; /* owned; NULL: the caller owns the model */
  const mbs_model *model;
  mbs_state *start, *end;
  mbs_integrator_options options;
  mbs_statistics statistics;
  double duration;
  seam_status status; /* status of the last run; bench_error has its message */
} bench_run;

mbs_state *bench_state(const mbs_model *model);

/* Return a run from the assembled start of a model or a file. The run owns the file; see bench_run_destroy(). */
bench_run bench_run_create(const mbs_model *model, double duration);
bench_run bench_run_of(seam_model_file *file, double duration);
void bench_run_destroy(bench_run *run);
/* Makes the run; `data` is the bench_run. */
void bench_run_once(void *data);
/* Creates an integrator with the run's options, at its start. */
mbs_integrator *bench_run_begin(const bench_run *run);

/* Returns the largest distance, m, of a centre of mass between states a and b. */
double bench_position_error(const mbs_model *model, const mbs_state *a, const mbs_state *b);

#endif
