#include "tests/generator/pool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CPU_LIMIT = 300 /* s, of one trial: the slowest of 10 000 takes 130 */ };

typedef struct job {
  pid_t pid;
  uint64_t seed;
} job;

/* In a child: the record goes through the pipe, in one piece. */
static _Noreturn void try_trial(const pool *self, uint64_t seed, int pipe) {
  char record[PIPE_BUF] = {0};
  setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_LIMIT, CPU_LIMIT});
  self->try_one(seed, record);
  exit(write(pipe, record, self->record_size) == (ssize_t)self->record_size ? 0 : 1); /* leaks are looked for */
}

static void start_one(const pool *self, job *jobs, uint64_t seed, const int *pipe) {
  job *j = jobs;
  while (j->pid != 0)
    j++;
  fflush(stdout);
  *j = (job){fork(), seed};
  if (j->pid == 0)
    try_trial(self, seed, pipe[1]);
  if (j->pid < 0)
    abort();
}

/* A child that wrote no record has crashed, or has used up its time. */
static void await_one(const pool *self, job *jobs, const int *pipe) {
  char record[PIPE_BUF] = {0};
  int status = 0;
  const pid_t pid = wait(&status);
  job *j = jobs;
  while (j->pid != pid)
    j++;
  j->pid = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    self->lose_one(j->seed, record);
  else if (read(pipe[0], record, self->record_size) != (ssize_t)self->record_size)
    abort();
  self->take(self->context, record);
}

void pool_run(const pool *self) {
  job jobs[MAX_JOBS] = {0};
  int pipes[2];
  if (self->record_size > PIPE_BUF || pipe(pipes) != 0)
    abort();
  uint64_t started = 0, ended = 0;
  while (ended < self->count) {
    if (started < self->count && started - ended < (uint64_t)self->jobs)
      start_one(self, jobs, self->from + started++, pipes);
    else {
      await_one(self, jobs, pipes);
      ended++;
    }
  }
  close(pipes[0]);
  close(pipes[1]);
}
