/* SUNDIALS 6.4 to 7: Seam uses the names of 7; this file maps them for 6. */
#ifndef SOLVERS_SUNDIALS_H
#define SOLVERS_SUNDIALS_H

#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

/* Turns SUNDIALS's messages off, because Seam's messages give time and cause. In version 7 a context without logger
 * prints no message; in version 6 each solver prints its messages. */
#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_SUCCESS 0
#define SUN_COMM_NULL NULL
#define SUNDIALS_SILENCE(solver, set_file) ((void)set_file(solver, NULL))
#else
#include <sundials/sundials_errors.h>
#define SUNDIALS_SILENCE(solver, set_file) ((void)(solver))
#endif

#endif
