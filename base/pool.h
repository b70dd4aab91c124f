/* Threads that do jobs 0 .. n-1 together; a pool of one thread does them in order, without any. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct cosim_pool cosim_pool;

/* NULL when memory is exhausted; with fewer threads where the machine refuses them. */
cosim_pool *cosim_pool_create(int n_threads);
void cosim_pool_destroy(cosim_pool *pool);

/* Returns when all jobs are done. */
void cosim_pool_run(cosim_pool *pool, int n_jobs, void (*job)(void *context, int number), void *context);

#endif
