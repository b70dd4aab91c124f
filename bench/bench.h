/* Common parts of the benchmarks: repeated timing and its spread, the unit of costs, and the mechanisms. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdio.h>

#include <seam/models.h>

/* Return, in s, the CPU time of this process and the time of the clock. */
double bench_cpu(void);
double bench_wall(void);

/* Spread of repeated measurements: the machine's noise. */
typedef struct bench_spread {
  double median, least, most;
} bench_spread;

/* Returns the spread of n values, which it sorts. */
bench_spread bench_spread_of(double *values, int n);
/* Prints a line with the spread of n values, which it sorts, each printed with `decimals` decimals. */
void bench_print_spread(const char *what, int decimals, double *values, int n, const char *unit);

/* Returns the number of turns, which is the only argument of some benchmarks, at most BENCH_MAX_TURNS; `usual`: without
 * the argument. */
enum { BENCH_MAX_TURNS = 101 };
int bench_turns(int argc, char **argv, int usual);

typedef struct bench_cost {
  double wall, cpu; /* s */
} bench_cost;

/* Runs a command and returns its times. `arguments`: its path and its arguments, NULL at the end. Ends the program if
 * the command fails. */
bench_cost bench_command(const char *const *arguments);

/* Returns the spread of the CPU times of `run(data)`, s, from `repeats` runs (1 to 101). */
bench_spread bench_measure(void (*run)(void *data), void *data, int repeats);

/* One of several functions that are timed in turns (round-robin). Thus ratios of their times do not depend on changes
 * of the machine's speed. */
typedef struct bench_job {
  void (*run)(void *data);
  void *data;
  double parts;       /* number of equal parts in one run: steps, evaluations */
  bench_spread time;  /* s for one part */
  bench_spread ratio; /* time / time of the first job in the same turn */
} bench_job;

/* Fills `time` and `ratio` of all jobs. Takes `n_turns` turns (at most 15), or fewer, but at least three, if these last
 * longer than two seconds. In a turn each job runs for some milliseconds. */
void bench_take_turns(bench_job *jobs, int n_jobs, int n_turns);

/* Returns the job of the unit U, the cost of one evaluation of a chain of 1000 rods by the limit code (bench/limit.h):
 * a quarter of a step of the classical Runge-Kutta method. If it is the first job of bench_take_turns(), the ratios of
 * the other jobs are costs in U. Free `data` with limit_chain_destroy(). */
bench_job bench_unit(void);

/* Returns the file of `--csv FILE`, to which results are appended; NULL without this option. Ends the program on other
 * arguments. */
FILE *bench_csv(int argc, char **argv);

/* Writes a row of the table: case `name`, quantity, series (program or method), x, and the value at x. `csv` NULL: does
 * nothing. */
void bench_row(FILE *csv, const char *name, const char *quantity, const char *series, double x, bench_spread value);

/* Ends the program with a message when a call failed. */
void bench_check(seam_status status, const seam_error *error);

/* Returns a model of the catalogue with overrides ("parameters.N=100", NULL after the last). Free with
 * seam_model_file_destroy(). */
seam_model_file *bench_model(const char *name, const char *const *overrides);

/* A monolithic run over `duration` (s) from `start`, which also holds its end and statistics. */
typedef struct bench_run {
  const mbs_model *model;
  mbs_state *start, *end;
  mbs_integrator_options options;
  mbs_statistics statistics;
  double duration;
  seam_error error; /* error of the last run */
} bench_run;

/* The first creates a state of the model. The second creates a run from the assembled start of the model; free it with
 * bench_run_destroy(). */
mbs_state *bench_state(const mbs_model *model);
bench_run bench_run_create(const mbs_model *model, double duration);
void bench_run_destroy(bench_run *run);
/* Makes the run once; `data` is the bench_run. */
void bench_run_once(void *data);

/* Returns the largest distance, m, between the centres of mass of a body in state a and in state b. */
double bench_position_error(const mbs_model *model, const mbs_state *a, const mbs_state *b);

#endif
