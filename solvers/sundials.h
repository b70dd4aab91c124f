/* SUNDIALS from 6.4 to 7: Seam is written in the names of 7, and this file has what 6 calls otherwise. */
#ifndef SOLVERS_SUNDIALS_H
#define SOLVERS_SUNDIALS_H

#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

/* SUNDIALS's messages are given by name and place in it, ours by time and cause. A context of 7 without a logger prints
 * none; before 7 each solver prints its own. */
#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_SUCCESS 0
#define SUN_COMM_NULL NULL
#define SUNDIALS_HUSH(solver, set_file) ((void)set_file(solver, NULL))
#else
#include <sundials/sundials_errors.h>
#define SUNDIALS_HUSH(solver, set_file) ((void)(solver))
#endif

#endif
