/* Threads for work that comes again and again, taken where they save time. */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include <stddef.h>

#include "base/pool.h"

typedef struct thread_crew {
  thread_pool *pool;  /* of the work at hand; NULL: one thread does it */
  int n_threads;      /* 0: to be chosen by trial */
  int highest;        /* that the work can use and the machine has */
  int n_timed;        /* pieces of work */
  double shortest[2]; /* s, of a piece without and with threads; 0: none yet */
  double begin;       /* s, of the piece at hand */
} thread_crew;

/* Returns a crew for work that can be shared among `most` threads. n_threads of 0: their number is found by trial, at
 * most that of the cores. */
thread_crew thread_crew_of(int n_threads, int most);
void thread_crew_release(thread_crew *crew);

/* Begin and end each piece of work, which the trial times. Pieces are alike, or the shortest of them are. */
void thread_crew_begin(thread_crew *crew);
void thread_crew_end(thread_crew *crew);

/* The machine's order of additions does not depend on threads: what is added up over items is added up by range. */
enum { THREAD_RANGES = 8 };

/* Items from `first` up to `end`, the range of this number. Given by its place: copied in lanes right after it was
 * written word by word, it would make the processor wait, for a fourth of the time of a small mechanism. */
typedef struct thread_range {
  size_t first, end;
  int number;
} thread_range;

typedef void thread_crew_job(void *context, const thread_range *range);

/* Shares items 0 .. n - 1 among the threads of a crew, which may be NULL: calls job for THREAD_RANGES of them or fewer,
 * which begin at multiples of 8. */
void thread_crew_call(const thread_crew *crew, size_t n, thread_crew_job *job, void *context);

/* The same, without a pool in one call. crew of NULL is one thread. */
static inline void thread_crew_share(const thread_crew *crew, size_t n, thread_crew_job *job, void *context) {
  if (crew == NULL || crew->pool == NULL)
    job(context, &(thread_range){0, n, 0});
  else
    thread_crew_call(crew, n, job, context);
}

/* The same to copy n numbers. */
void thread_crew_copy(const thread_crew *crew, size_t n, const double *from, double *to);

#endif
