/* Work shorter than the time to wake threads never gets threads. Other work is timed without and with threads; threads
 * are used if they save a tenth. The shortest times are compared, which other processes disturbed least. */
#include "base/worker_group.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thresholds.h"

worker_group worker_group_of(int n_threads, int most) {
  const long n_cores = sysconf(_SC_NPROCESSORS_ONLN);
  return (worker_group){.n_threads = n_threads < most ? n_threads : most,
                        .highest = n_cores < most ? (int)n_cores : most};
}

void worker_group_release(worker_group *workers) {
  thread_pool_destroy(workers->pool);
  workers->pool = NULL;
}

void worker_group_begin(worker_group *workers) {
  if (workers->n_threads > 1 && workers->pool == NULL)
    workers->pool = thread_pool_create(workers->n_threads);
  if (workers->n_threads == 0)
    workers->begin = clock_wall();
}

void worker_group_end(worker_group *workers) {
  if (workers->n_threads != 0)
    return;
  const bool threaded = workers->pool != NULL;
  const double duration = clock_wall() - workers->begin;
  if (workers->shortest[threaded] == 0 || duration < workers->shortest[threaded])
    workers->shortest[threaded] = duration;
  workers->n_timed++;
  if (workers->n_timed == SEAM_TIMED_CALLS && workers->highest > 1 && workers->shortest[0] > seam_shortest_shared_work)
    workers->pool = thread_pool_create(workers->highest);
  if (workers->n_timed == SEAM_TIMED_CALLS && workers->pool == NULL)
    workers->n_threads = 1;
  if (workers->n_timed < 2 * SEAM_TIMED_CALLS || workers->n_threads != 0)
    return;
  workers->n_threads = workers->shortest[1] < seam_gain_of_threads * workers->shortest[0] ? workers->highest : 1;
  if (workers->n_threads == 1)
    worker_group_release(workers);
}

/* ---- Ranges ---- */

enum { unit = 8 };

typedef struct sharing {
  worker_group_job *job;
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

void worker_group_call(const worker_group *workers, size_t n, worker_group_job *job, void *context) {
  sharing self = {job, context, n};
  if (workers == NULL || workers->pool == NULL)
    for (int number = 0; number < THREAD_RANGES; number++)
      do_range(&self, number);
  else
    thread_pool_run_in_chunks(workers->pool, THREAD_RANGES, do_range, &self);
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
void worker_group_copy(const worker_group *workers, size_t n, const double *from, double *to) {
  copying self = {from, to};
  worker_group_share(workers, n, copy_range, &self);
}
