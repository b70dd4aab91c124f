/* Threads that do jobs 0 .. n-1 together; a pool of one thread does them in order, without any. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct thread_pool thread_pool;

/* NULL when memory is exhausted; with fewer threads where the machine refuses them. */
thread_pool *thread_pool_create(int n_threads);
void thread_pool_destroy(thread_pool *pool);

/* Returns when all jobs are done. */
void thread_pool_run(thread_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);

#endif
