#include "base/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct thread_pool {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  pthread_t *threads; /* (n_threads) beside the caller's */
  int n_threads;
  void (*job)(void *context, int number);
  void *context;
  int n_jobs, next, open; /* jobs, the next to be taken, those not yet done */
  unsigned round;
  bool closing;
};

/* Takes jobs until none is left; called and left with the lock held. */
static void work(thread_pool *pool) {
  while (pool->next < pool->n_jobs) {
    const int number = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    pool->job(pool->context, number);
    pthread_mutex_lock(&pool->lock);
    if (--pool->open == 0)
      pthread_cond_signal(&pool->end);
  }
}

static void *live(void *argument) {
  thread_pool *pool = argument;
  unsigned seen = 0;
  pthread_mutex_lock(&pool->lock);
  while (!pool->closing) {
    if (pool->round == seen) {
      pthread_cond_wait(&pool->begin, &pool->lock);
      continue;
    }
    seen = pool->round;
    work(pool);
  }
  pthread_mutex_unlock(&pool->lock);
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
  pthread_mutex_lock(&pool->lock);
  pool->closing = true;
  pthread_cond_broadcast(&pool->begin);
  pthread_mutex_unlock(&pool->lock);
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
  pthread_mutex_lock(&pool->lock);
  pool->job = job;
  pool->context = context;
  pool->n_jobs = pool->open = n_jobs;
  pool->next = 0;
  pool->round++;
  pthread_cond_broadcast(&pool->begin);
  work(pool);
  while (pool->open > 0)
    pthread_cond_wait(&pool->end, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}
