/* Threads that share jobs, and groups of workers that use threads if they save time. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

/* ---- Threads, including the caller's, share jobs 0 .. n - 1; a pool of one thread does them in order ---- */

typedef struct thread_pool thread_pool;

/* n_threads includes the thread of the caller. The pool has fewer threads if the system allows no more. Returns NULL
 * when memory is exhausted. Destroying accepts NULL. */
thread_pool *thread_pool_create(int n_threads);
void thread_pool_destroy(thread_pool *pool);

/* Calls job for 0 .. n_jobs - 1; returns when all are done. Only one thread may call it at a time. */
void thread_pool_run(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);
/* Does the same as thread_pool_run(), for jobs whose neighbours share data. In each call a thread begins with the same
 * range of job numbers, whose data are in its core's cache. Then it takes other jobs. */
void thread_pool_run_in_chunks(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);

/* ---- Workers of repeated work ---- */

typedef struct worker_group {
  thread_pool *pool;  /* threads of the next call; NULL: only the thread of the caller */
  int n_threads;      /* 0: to be found by trial */
  int highest;        /* largest number of threads that the work can use and the machine has */
  int n_timed;        /* number of calls timed so far */
  double shortest[2]; /* s, shortest call without and with threads; 0: no such call yet */
  double begin;       /* s, time of worker_group_begin() */
} worker_group;

/* Returns workers for work that at most `most` threads can share. If n_threads is 0, a trial finds the number of
 * threads, at most the number of cores. */
worker_group worker_group_of(int n_threads, int most);
void worker_group_release(worker_group *workers);

/* Call these functions at the beginning and at the end of work that is repeated. Each repetition must be the same work,
 * because the trial compares durations without and with threads. */
void worker_group_begin(worker_group *workers);
void worker_group_end(worker_group *workers);

/* Number of ranges in worker_group_call(). Sums over items must be added up range by range: their rounding then does
 * not depend on the number of threads. */
enum { THREAD_RANGES = 8 };

/* A range of items, `first` to `end` - 1, and its number. Ranges are passed by address. A copy of a range whose members
 * have just been written stalls the processor; such copies took a fourth of the time of a small mechanism. */
typedef struct thread_range {
  size_t first, end;
  int number;
} thread_range;

typedef void worker_group_job(void *context, const thread_range *range);

/* Shares items 0 .. n - 1 among the threads of `workers` (may be NULL): calls job for up to THREAD_RANGES ranges, which
 * begin at multiples of 8. */
void worker_group_call(const worker_group *workers, size_t n, worker_group_job *job, void *context);

/* Does the same as worker_group_call(); without a pool, calls job only once, for all items. `workers` may be NULL. */
static inline void worker_group_share(const worker_group *workers, size_t n, worker_group_job *job, void *context) {
  if (workers == NULL || workers->pool == NULL)
    job(context, &(thread_range){0, n, 0});
  else
    worker_group_call(workers, n, job, context);
}

/* Copies n numbers by the threads of `workers`. */
void worker_group_copy(const worker_group *workers, size_t n, const double *from, double *to);

#endif
