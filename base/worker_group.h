/* Threads for work that comes again and again, taken where they save time. */
#ifndef BASE_WORKER_GROUP_H
#define BASE_WORKER_GROUP_H

#include <stddef.h>

#include "base/pool.h"

typedef struct worker_group {
  thread_pool *pool;  /* of the work at hand; NULL: one thread does it */
  int n_threads;      /* 0: to be chosen by trial */
  int highest;        /* that the work can use and the machine has */
  int n_timed;        /* pieces of work */
  double shortest[2]; /* s, of a piece without and with threads; 0: none yet */
  double begin;       /* s, of the piece at hand */
} worker_group;

/* Returns workers for work that can be shared among `most` threads. n_threads of 0: their number is found by trial, at
 * most that of the cores. */
worker_group worker_group_of(int n_threads, int most);
void worker_group_release(worker_group *workers);

/* Begin and end each piece of work, which the trial times. Pieces are alike, or the shortest of them are. */
void worker_group_begin(worker_group *workers);
void worker_group_end(worker_group *workers);

/* The machine's order of additions does not depend on threads: what is added up over items is added up by range. */
enum { THREAD_RANGES = 8 };

/* Items from `first` up to `end`, the range of this number. Given by its place: copied in lanes right after it was
 * written word by word, it would make the processor wait, for a fourth of the time of a small mechanism. */
typedef struct thread_range {
  size_t first, end;
  int number;
} thread_range;

typedef void worker_group_job(void *context, const thread_range *range);

/* Shares items 0 .. n - 1 among the threads of a group of workers, which may be NULL: calls job for THREAD_RANGES of
 * them or fewer, which begin at multiples of 8. */
void worker_group_call(const worker_group *workers, size_t n, worker_group_job *job, void *context);

/* The same, without a pool in one call. Workers of NULL are one thread. */
static inline void worker_group_share(const worker_group *workers, size_t n, worker_group_job *job, void *context) {
  if (workers == NULL || workers->pool == NULL)
    job(context, &(thread_range){0, n, 0});
  else
    worker_group_call(workers, n, job, context);
}

/* The same to copy n numbers. */
void worker_group_copy(const worker_group *workers, size_t n, const double *from, double *to);

#endif
