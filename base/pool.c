/* Jobs are taken by counting down, without a lock. Rounds follow each other closely, and to wake a thread takes longer
 * than a short job: a thread that waits looks for a while before it sleeps, and lets others have the core meanwhile. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LOOKS = 100 }; /* half a microsecond each */

struct thread_pool {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  pthread_t *threads; /* (n_threads) beside the caller's */
  int n_threads;
  void (*job)(void *context, int number);
  void *context;
  atomic_int left; /* jobs not yet taken; negative where threads looked for more */
  atomic_int open; /* jobs that are not yet done */
  atomic_uint round;
  int n_asleep; /* under the lock */
  atomic_bool closing;
};

/* Takes jobs until none is left. */
static void work(thread_pool *pool) {
  for (int number = atomic_fetch_sub(&pool->left, 1) - 1; number >= 0; number = atomic_fetch_sub(&pool->left, 1) - 1) {
    pool->job(pool->context, number);
    if (atomic_fetch_sub(&pool->open, 1) > 1)
      continue;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->end);
    pthread_mutex_unlock(&pool->lock);
  }
}

/* Until there is another round than the one seen last. */
static void wait_for_round(thread_pool *pool, unsigned seen) {
  for (int i = 0; i < LOOKS; i++) {
    if (atomic_load(&pool->round) != seen)
      return;
    sched_yield();
  }
  pthread_mutex_lock(&pool->lock);
  pool->n_asleep++;
  while (atomic_load(&pool->round) == seen)
    pthread_cond_wait(&pool->begin, &pool->lock);
  pool->n_asleep--;
  pthread_mutex_unlock(&pool->lock);
}

static void wait_for_end(thread_pool *pool) {
  for (int i = 0; i < LOOKS; i++) {
    if (atomic_load(&pool->open) == 0)
      return;
    sched_yield();
  }
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->open) > 0)
    pthread_cond_wait(&pool->end, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

static void begin_round(thread_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->round, 1);
  if (pool->n_asleep > 0)
    pthread_cond_broadcast(&pool->begin);
  pthread_mutex_unlock(&pool->lock);
}

static void *live(void *argument) {
  thread_pool *pool = argument;
  for (unsigned seen = 0; !atomic_load(&pool->closing);) {
    wait_for_round(pool, seen);
    seen = atomic_load(&pool->round);
    work(pool);
  }
  return NULL;
}

thread_pool *thread_pool_create(int n_threads) {
  thread_pool *pool = calloc(1, sizeof *pool);
  if (pool == NULL)
    return NULL;
  pool->threads = calloc((size_t)(n_threads > 1 ? n_threads : 1), sizeof *pool->threads);
  if (pool->threads == NULL) {
    free(pool);
    return NULL;
  }
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->begin, NULL);
  pthread_cond_init(&pool->end, NULL);
  while (pool->n_threads < n_threads - 1 && pthread_create(&pool->threads[pool->n_threads], NULL, live, pool) == 0)
    pool->n_threads++;
  return pool;
}

void thread_pool_destroy(thread_pool *pool) {
  if (pool == NULL)
    return;
  atomic_store(&pool->closing, true);
  begin_round(pool);
  for (int i = 0; i < pool->n_threads; i++)
    pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->begin);
  pthread_cond_destroy(&pool->end);
  pthread_mutex_destroy(&pool->lock);
  free(pool->threads);
  free(pool);
}

void thread_pool_run(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context) {
  if (pool->n_threads == 0 || n_jobs < 2) {
    for (int i = 0; i < n_jobs; i++)
      job(context, i);
    return;
  }
  pool->job = job;
  pool->context = context;
  atomic_store(&pool->open, n_jobs);
  atomic_store(&pool->left, n_jobs);
  begin_round(pool);
  work(pool);
  wait_for_end(pool);
}
