/* Threads that share jobs, and groups of workers that use threads if they save time.
 *
 * The jobs of one call are a round. They are divided into parts, one for each thread, or are all in the first part.
 * Each part has an atomic count of jobs left; a thread takes a job by counting down. Each thread begins with a part of
 * its own. Rounds follow each other closely, and waking a thread takes longer than a short job. Therefore a waiting
 * thread first only polls, then polls and yields its core, then sleeps.
 *
 * A group times its work without and with threads, and uses threads if they save a tenth. It compares the shortest
 * times, which other processes disturbed least. Work shorter than the time to wake threads never gets threads. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thresholds.h"

/* ---- Threads ---- */

/* Number of jobs of a part that no thread has taken yet; negative after attempts to take more. Fills a cache line. */
typedef union part {
  atomic_int left;
  char line[64];
} part;

typedef struct member {
  struct thread_pool *pool;
  pthread_t thread;
  int number;
} member;

struct thread_pool {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  member *members; /* (n_threads + 1) the first is the caller */
  part *parts;     /* (n_threads + 1) */
  int n_threads;
  void (*job)(void *context, int number);
  void *context;
  int n_jobs;
  bool in_chunks;  /* false: all jobs are in the first part */
  atomic_int open; /* jobs not yet done */
  atomic_uint round;
  int n_asleep; /* guarded by the lock */
  atomic_bool is_closing;
};

static int begin_of(const thread_pool *pool, int number) {
  return (int)((long long)pool->n_jobs * number / (pool->n_threads + 1));
}

/* Does jobs until none is left, first the jobs of part `own`. A thread with a job may read the round's data, because
 * run() changes them only after all jobs are done. */
static void work(thread_pool *pool, int own) {
  int n_done = 0;
  for (int i = 0; i <= pool->n_threads; i++) {
    const int number = (own + i) % (pool->n_threads + 1);
    atomic_int *left = &pool->parts[number].left;
    if (atomic_load(left) <= 0)
      continue;
    for (int job = atomic_fetch_sub(left, 1) - 1; job >= 0; job = atomic_fetch_sub(left, 1) - 1, n_done++)
      pool->job(pool->context, pool->in_chunks ? begin_of(pool, number) + job : job);
  }
  if (n_done == 0 || atomic_fetch_sub(&pool->open, n_done) > n_done)
    return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_signal(&pool->end);
  pthread_mutex_unlock(&pool->lock);
}

/* Polls until the condition holds; returns false when it is time to sleep. Does not yield before SEAM_POLLS polls: a
 * thread that yields may lose its core for milliseconds. */
static bool poll_until(bool (*is_so)(thread_pool *pool, unsigned seen), thread_pool *pool, unsigned seen) {
  for (int i = 0; i < SEAM_POLLS + SEAM_YIELDS; i++) {
    if (is_so(pool, seen))
      return true;
    if (i >= SEAM_POLLS)
      sched_yield();
  }
  return false;
}

static bool is_new_round(thread_pool *pool, unsigned seen) { return atomic_load(&pool->round) != seen; }

static bool is_over(thread_pool *pool, unsigned seen) {
  (void)seen;
  return atomic_load(&pool->open) == 0;
}

static void begin_round(thread_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->round, 1);
  if (pool->n_asleep > 0)
    pthread_cond_broadcast(&pool->begin);
  pthread_mutex_unlock(&pool->lock);
}

static void *run_thread(void *argument) {
  const member *self = argument;
  thread_pool *pool = self->pool;
  for (unsigned seen = 0; !atomic_load(&pool->is_closing);) {
    if (!poll_until(is_new_round, pool, seen)) {
      pthread_mutex_lock(&pool->lock);
      pool->n_asleep++;
      while (!is_new_round(pool, seen))
        pthread_cond_wait(&pool->begin, &pool->lock);
      pool->n_asleep--;
      pthread_mutex_unlock(&pool->lock);
    }
    seen = atomic_load(&pool->round);
    work(pool, self->number);
  }
  return NULL;
}

thread_pool *thread_pool_create(int n_threads) {
  thread_pool *pool = calloc(1, sizeof *pool);
  if (pool == NULL)
    return NULL;
  const size_t n = (size_t)(n_threads > 1 ? n_threads : 1);
  pool->members = calloc(n, sizeof *pool->members);
  pool->parts = calloc(n, sizeof *pool->parts);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->begin, NULL);
  pthread_cond_init(&pool->end, NULL);
  if (pool->members == NULL || pool->parts == NULL) {
    thread_pool_destroy(pool);
    return NULL;
  }
  for (int i = 1; i < n_threads; i++) {
    pool->members[i] = (member){.pool = pool, .number = i};
    if (pthread_create(&pool->members[i].thread, NULL, run_thread, &pool->members[i]) != 0)
      break;
    pool->n_threads++;
  }
  return pool;
}

void thread_pool_destroy(thread_pool *pool) {
  if (pool == NULL)
    return;
  atomic_store(&pool->is_closing, true);
  begin_round(pool);
  for (int i = 1; i <= pool->n_threads; i++)
    pthread_join(pool->members[i].thread, NULL);
  pthread_cond_destroy(&pool->begin);
  pthread_cond_destroy(&pool->end);
  pthread_mutex_destroy(&pool->lock);
  free(pool->members);
  free(pool->parts);
  free(pool);
}

static void run(thread_pool *pool, int n_jobs, bool in_chunks, void (*job)(void *context, int number), void *context) {
  if (pool->n_threads == 0 || n_jobs < 2) {
    for (int i = 0; i < n_jobs; i++)
      job(context, i);
    return;
  }
  pool->job = job;
  pool->context = context;
  pool->n_jobs = n_jobs;
  pool->in_chunks = in_chunks;
  atomic_store(&pool->open, n_jobs);
  for (int i = 0; i <= pool->n_threads && in_chunks; i++)
    atomic_store(&pool->parts[i].left, begin_of(pool, i + 1) - begin_of(pool, i));
  if (!in_chunks)
    atomic_store(&pool->parts[0].left, n_jobs);
  begin_round(pool);
  work(pool, 0);
  if (poll_until(is_over, pool, 0))
    return;
  pthread_mutex_lock(&pool->lock);
  while (!is_over(pool, 0))
    pthread_cond_wait(&pool->end, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

void thread_pool_run(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context) {
  run(pool, n_jobs, false, job, context);
}

void thread_pool_run_in_chunks(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context) {
  run(pool, n_jobs, true, job, context);
}

/* ---- Groups of workers ---- */

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

static size_t begin_of_range(size_t n, int number) {
  return number == THREAD_RANGES ? n : n / unit * (size_t)number / THREAD_RANGES * unit;
}

static void do_range(void *context, int number) {
  const sharing *self = context;
  const thread_range range = {begin_of_range(self->n, number), begin_of_range(self->n, number + 1), number};
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
