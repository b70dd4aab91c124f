/* Functions that the benchmarks have in common: repeated timing and its spread, the unit of costs, and the
 * mechanisms. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdio.h>

#include <seam/models.h>

/* Return the CPU time of this process, and the wall time, s. */
double bench_cpu(void);
double bench_wall(void);

/* Spread of repeated measurements, which shows the noise of the machine. */
typedef struct bench_spread {
  double median, least, most;
} bench_spread;

/* Sorts n values and returns their spread. */
bench_spread bench_spread_of(double *values, int n);
/* Sorts n values and prints a line with their spread, with `decimals` decimals. */
void bench_print_spread(const char *what, int decimals, double *values, int n, const char *unit);

/* Returns the number of turns, at most BENCH_MAX_TURNS: the first argument of the benchmark or, without arguments,
 * `usual`. In a turn each of the compared variants runs once and is timed. */
enum { BENCH_MAX_TURNS = 101 };
int bench_turns(int argc, char **argv, int usual);

typedef struct bench_cost {
  double wall, cpu; /* s */
} bench_cost;

/* Runs a command and returns its times. arguments: its path and its arguments, NULL after the last. Ends the program if
 * the command fails. */
bench_cost bench_command(const char *const *arguments);

/* Returns the spread of the CPU times, s, of `repeats` (1 to 101) calls of run(data). */
bench_spread bench_measure(void (*run)(void *data), void *data, int repeats);

/* One of several functions that are timed in turns. Thus ratios of their times do not depend on changes of the speed of
 * the machine. */
typedef struct bench_job {
  void (*run)(void *data);
  void *data;
  double parts;       /* number of steps or evaluations in one call of run() */
  bench_spread time;  /* s, for one step or evaluation */
  bench_spread ratio; /* time, divided by the time of the first job in the same turn */
} bench_job;

/* Fills `time` and `ratio` of all jobs. Takes n_turns turns (at most 15), but fewer (at least three) if they would last
 * longer than two seconds. In a turn each job runs for some milliseconds. */
void bench_take_turns(bench_job *jobs, int n_jobs, int n_turns);

/* Returns the job that measures the unit U, the cost of one evaluation of a chain of 1000 rods by the limit code
 * (bench/limit.h): a quarter of a step of the classical Runge-Kutta method. If it is the first job of
 * bench_take_turns(), the ratios of the other jobs are costs in U. Free `data` with limit_chain_destroy(). */
bench_job bench_unit(void);

/* Returns the file of the option `--csv FILE`, to which results are appended; NULL: the option is not given. Ends the
 * program if there are other arguments. */
FILE *bench_csv(int argc, char **argv);

/* Writes a row of the table: case `name`, quantity, series (program or method), x, and the value at x. csv NULL: does
 * nothing. */
void bench_row(FILE *csv, const char *name, const char *quantity, const char *series, double x, bench_spread value);

/* Ends the program with a message unless the status is SEAM_OK. */
void bench_check(seam_status status, const seam_error *error);

/* Returns a model of the catalogue with overrides ("parameters.N=100", NULL after the last). Free it with
 * seam_model_file_destroy(). */
seam_model_file *bench_model(const char *name, const char *const *overrides);

/* A monolithic run over `duration` (s) from `start`, with its final state and statistics. */
typedef struct bench_run {
  const mbs_model *model;
  mbs_state *start, *end;
  mbs_integrator_options options;
  mbs_statistics statistics;
  double duration;
  seam_error error; /* error of the last run */
} bench_run;

/* bench_state() creates a state of the model. bench_run_create() creates a run from the assembled start of the model;
 * free it with bench_run_destroy(). */
mbs_state *bench_state(const mbs_model *model);
bench_run bench_run_create(const mbs_model *model, double duration);
void bench_run_destroy(bench_run *run);
/* Makes the run; `data` is the bench_run. */
void bench_run_once(void *data);

/* Returns the largest distance, m, between the centres of mass of the same body in states a and b. */
double bench_position_error(const mbs_model *model, const mbs_state *a, const mbs_state *b);

#endif
