/* Makes, runs and judges trials, each in a process of its own; fails where one is wrong, crashes or does not end.
 *
 * usage: seam_generator [--from SEED] [--count N] [--jobs N] [--list]    N trials; --list prints each of them
 *        seam_generator --seed SEED                                      one: its model file and all that was found
 *        seam_generator --twins [--from SEED] [--count N] [--jobs N] [--list] [--seed SEED]    the same of twins
 *
 * Without --count 300 trials, with SEAM_LONG in the environment 10 000; of twins 30. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/generator/report.h"
#include "tests/generator/twins.h"

enum {
  CPU_LIMIT = 60, /* s, of one trial */
  MAX_JOBS = 16
};
static const double LEAST_RIGHT = 0.7; /* of all trials: one that refuses everything would not be wrong either */

typedef struct arguments {
  uint64_t from, count, seed;
  int jobs;
  bool one, list;
} arguments;

static arguments read_arguments(int n, char **texts) {
  arguments a = {.from = 1, .count = getenv("SEAM_LONG") != NULL ? 10000 : 300, .jobs = 2};
  for (int i = 1; i < n; i++) {
    const uint64_t value = i + 1 < n ? strtoull(texts[i + 1], NULL, 10) : 0;
    if (strcmp(texts[i], "--seed") == 0) {
      a.one = true;
      a.seed = value;
    } else if (strcmp(texts[i], "--from") == 0) {
      a.from = value;
    } else if (strcmp(texts[i], "--count") == 0) {
      a.count = value;
    } else if (strcmp(texts[i], "--jobs") == 0) {
      a.jobs = (int)(value < 1 ? 1 : value > MAX_JOBS ? MAX_JOBS : value);
    } else if (strcmp(texts[i], "--list") == 0) {
      a.list = true;
    }
  }
  return a;
}

/* ---- One trial --------------------------------------------------------------------------------------------------- */

static int print_trial(uint64_t seed) {
  static trial t;
  record r;
  trial_make(&t, seed, false);
  fputs(t.yaml.at, stdout);
  fflush(stdout);
  judge(&t, &r.outcome, stdout);
  record_trial(&r, &t);
  fputs("# ", stdout);
  record_print(&r);
  return r.outcome.judgement == WRONG;
}

/* In a child: the record goes through the pipe, in one piece. */
static _Noreturn void try_trial(uint64_t seed, int pipe) {
  static trial t;
  record r;
  setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_LIMIT, CPU_LIMIT});
  trial_make(&t, seed, false);
  judge(&t, &r.outcome, NULL);
  record_trial(&r, &t);
  exit(write(pipe, &r, sizeof r) == (ssize_t)sizeof r ? 0 : 1); /* leaks are looked for */
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

typedef struct job {
  pid_t pid;
  uint64_t seed;
} job;

/* A child that wrote no record has crashed, or has used up its time. */
static record lost_trial(uint64_t seed) {
  static trial t;
  record r = {.outcome = {.judgement = LOST}};
  trial_make(&t, seed, false);
  record_trial(&r, &t);
  return r;
}

static void await_one(const arguments *a, job *jobs, const int *pipe, report *all) {
  int status = 0;
  record r;
  const pid_t pid = wait(&status);
  job *j = jobs;
  while (j->pid != pid)
    j++;
  j->pid = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    r = lost_trial(j->seed);
  else if (read(pipe[0], &r, sizeof r) != (ssize_t)sizeof r)
    abort();
  report_add(all, &r);
  if (a->list || r.outcome.judgement == WRONG || r.outcome.judgement == LOST)
    record_print(&r);
}

static void start_one(job *jobs, uint64_t seed, const int *pipe) {
  job *j = jobs;
  while (j->pid != 0)
    j++;
  fflush(stdout);
  *j = (job){fork(), seed};
  if (j->pid == 0)
    try_trial(seed, pipe[1]);
  if (j->pid < 0)
    abort();
}

int main(int n, char **texts) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  static report all;
  const arguments a = read_arguments(n, texts);
  for (int i = 1; i < n; i++)
    if (strcmp(texts[i], "--twins") == 0)
      return twins_main(n, texts);
  job jobs[MAX_JOBS] = {0};
  int pipes[2];
  if (a.one)
    return print_trial(a.seed);
  if (pipe(pipes) != 0)
    return 1;
  uint64_t started = 0, ended = 0;
  while (ended < a.count) {
    if (started < a.count && started - ended < (uint64_t)a.jobs)
      start_one(jobs, a.from + started++, pipes);
    else {
      await_one(&a, jobs, pipes, &all);
      ended++;
    }
  }
  report_print(&all);
  const size_t *counts = all.whole.count;
  return counts[WRONG] + counts[LOST] > 0 || (double)counts[RIGHT] < LEAST_RIGHT * (double)a.count;
}
