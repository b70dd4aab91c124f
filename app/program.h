/* Programs that Seam starts: gnuplot and ffmpeg. No shell is between, they are started in a private folder, and all
 * files there have names of ours: no name from outside reaches them. What they made is copied from there to where it is
 * wanted. */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include <seam/status.h>

/* Why a program cannot be started, as "not installed"; NULL: it can. */
const char *program_missing(const char *name);

/* Starts arguments[0], which is looked for as a shell does, in the folder; the last argument is NULL. `in` and `out`
 * become its standard input and output (-1: none) and are closed; what it complains of is not shown. -1, with errno: it
 * was not started. */
pid_t program_start(const char *const arguments[], const char *folder, int in, int out);

/* A pipe to one, or between two: ends to read from and to write to. Programs that are not given one do not have it. */
bool program_pipe(int ends[2]);

/* Its exit status; -1 where it did not come to one. */
int program_wait(pid_t program);

/* Copies NAME in the folder to `path`, whose place it takes. SEAM_NO_FILE. */
seam_status program_take(const char *folder, const char *name, const char *path, seam_error *error);

#endif
