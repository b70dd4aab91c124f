/* Trials by the command `seam run`, for the way from the file to the results. */
#ifndef TESTS_GENERATOR_COMMAND_H
#define TESTS_GENERATOR_COMMAND_H

#include "tests/generator/run.h"

/* Runs a trial; fills *last from the last row of its results and returns the exit status, -1 where it crashes or where
 * results are missing though it is done. */
int run_by_command(const trial *t, sample *last);

#endif
