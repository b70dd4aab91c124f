/* Threads, including the caller's, that share jobs 0 .. n-1; a pool of one thread does them in order. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct thread_pool thread_pool;

/* Returns NULL when memory is exhausted. The pool has fewer threads if the system allows no more. Destroying accepts
 * NULL. */
thread_pool *thread_pool_create(int n_threads);
void thread_pool_destroy(thread_pool *pool);

/* Calls job for 0 .. n_jobs - 1; returns when all are done. Only one thread may call it at a time. */
void thread_pool_run(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);
/* Does the same as thread_pool_run(), for jobs whose neighbours share data. In each call a thread begins with the same
 * range of job numbers, because their data are in its core's cache; then it takes other jobs. */
void thread_pool_run_in_chunks(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);

#endif
