/* Pieces of work that last less than threads need to be woken are not worth a trial. Others are timed without and with
 * threads; these stay where they save a tenth. The shortest time counts: it is that of equal work, and without what
 * other processes do. */
#include "base/crew.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/thresholds.h"

thread_crew thread_crew_of(int n_threads, int most) {
  const long n_cores = sysconf(_SC_NPROCESSORS_ONLN);
  return (thread_crew){.n_threads = n_threads < most ? n_threads : most,
                       .highest = n_cores < most ? (int)n_cores : most};
}

void thread_crew_release(thread_crew *crew) {
  thread_pool_destroy(crew->pool);
  crew->pool = NULL;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void thread_crew_begin(thread_crew *crew) {
  if (crew->n_threads > 1 && crew->pool == NULL)
    crew->pool = thread_pool_create(crew->n_threads);
  if (crew->n_threads == 0)
    crew->begin = seconds();
}

static void choose(thread_crew *crew) {
  if (crew->n_timed == SEAM_TIMED_TURNS && crew->highest > 1 && crew->shortest[0] > seam_worth_waking)
    crew->pool = thread_pool_create(crew->highest);
  if (crew->n_timed == SEAM_TIMED_TURNS && crew->pool == NULL)
    crew->n_threads = 1;
  if (crew->n_timed < 2 * SEAM_TIMED_TURNS || crew->n_threads != 0)
    return;
  crew->n_threads = crew->shortest[1] < seam_gain_of_threads * crew->shortest[0] ? crew->highest : 1;
  if (crew->n_threads == 1)
    thread_crew_release(crew);
}

void thread_crew_end(thread_crew *crew) {
  if (crew->n_threads != 0)
    return;
  const bool threaded = crew->pool != NULL;
  const double duration = seconds() - crew->begin;
  if (crew->shortest[threaded] == 0 || duration < crew->shortest[threaded])
    crew->shortest[threaded] = duration;
  crew->n_timed++;
  choose(crew);
}

/* ---- Ranges ---- */

enum { unit = 8 };

typedef struct sharing {
  thread_crew_job *job;
  void *context;
  size_t n;
} sharing;

static size_t begin_of(size_t n, int number) {
  return number == THREAD_RANGES ? n : n / unit * (size_t)number / THREAD_RANGES * unit;
}

static void do_range(void *context, int number) {
  const sharing *self = context;
  const thread_range range = {begin_of(self->n, number), begin_of(self->n, number + 1), number};
  if (range.end > range.first)
    self->job(self->context, &range);
}

void thread_crew_call(const thread_crew *crew, size_t n, thread_crew_job *job, void *context) {
  sharing self = {job, context, n};
  if (crew == NULL || crew->pool == NULL)
    for (int number = 0; number < THREAD_RANGES; number++)
      do_range(&self, number);
  else
    thread_pool_run_in_parts(crew->pool, THREAD_RANGES, do_range, &self);
}

typedef struct copying {
  const double *from;
  double *to;
} copying;

static void copy_range(void *context, const thread_range *range) {
  const copying *self = context;
  memcpy(self->to + range->first, self->from + range->first, (range->end - range->first) * sizeof *self->to);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written by jobs */
void thread_crew_copy(const thread_crew *crew, size_t n, const double *from, double *to) {
  copying self = {from, to};
  thread_crew_share(crew, n, copy_range, &self);
}
