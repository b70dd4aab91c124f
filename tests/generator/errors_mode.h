/* The mode --errors: what runs print of their error beside their true error, in three tables. */
#ifndef TESTS_GENERATOR_ERRORS_MODE_H
#define TESTS_GENERATOR_ERRORS_MODE_H

#include <stdbool.h>
#include <stdint.h>

/* Exit statuses. One trial: its model file and what was found. Many: 1 where a goal is missed. */
int errors_print_trial(uint64_t seed);
int errors_run_trials(uint64_t from, uint64_t count, int jobs, bool list);

#endif
