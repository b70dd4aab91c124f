/* Threads that share jobs 0 .. n-1, the caller's thread among them; a pool of one thread does them in order. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct thread_pool thread_pool;

/* NULL when memory is exhausted; with fewer threads where the system refuses them. Destroying takes NULL as well. */
thread_pool *thread_pool_create(int n_threads);
void thread_pool_destroy(thread_pool *pool);

/* Calls job for 0 .. n_jobs - 1; returns when all are done. One caller at a time. */
void thread_pool_run(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);
/* The same where neighbours belong to each other, round by round: each thread begins with the same part of the numbers,
 * whose data its core has at hand, and goes on with those of others. */
void thread_pool_run_in_parts(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);

#endif
