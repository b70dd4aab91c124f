/* Programs that Seam starts: gnuplot and ffmpeg. They run without a shell in a temporary folder, on files with fixed
 * names. Thus they see no name that a user gave. Results are then copied from the folder. */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include <seam/status.h>

/* Returns why the program `name` cannot be started, as "not installed"; NULL: it can be started. */
const char *program_missing(const char *name);

/* Starts the program arguments[0], found along PATH, in the folder; the last argument is NULL. `in` and `out` become
 * its standard input and output (-1: /dev/null), and this function closes them; standard error is discarded. Returns
 * its process; -1, with errno: fork() failed. */
pid_t program_start(const char *const arguments[], const char *folder, int in, int out);

/* Opens a pipe: ends[0] for reading, ends[1] for writing. Programs inherit no ends but those given to
 * program_start(). */
bool program_pipe(int ends[2]);

/* Waits for the end of a program. Returns its exit status: 127 also if it could not be started; -1: it was killed. */
int program_wait(pid_t program);

/* Copies a file from the folder to `path`, where it replaces an existing one. SEAM_NO_FILE. */
seam_status program_take(const char *folder, const char *name, const char *path, seam_error *error);

#endif
