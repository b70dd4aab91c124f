/* Trials in processes of their own, some at a time, each with a limit of processor time. */
#ifndef TESTS_GENERATOR_POOL_H
#define TESTS_GENERATOR_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct pool {
  uint64_t from, count; /* seeds */
  int jobs;
  size_t record_size; /* at most what a pipe takes in one piece */
  void *context;
  /* In the child: fills the record. */
  void (*try_one)(uint64_t seed, void *record);
  /* In the parent: fills the record of a trial that crashed, or used up its time. */
  void (*lose_one)(uint64_t seed, void *record);
  void (*take)(void *context, const void *record);
} pool;

enum { MAX_JOBS = 16 };

void pool_run(const pool *self);

#endif
