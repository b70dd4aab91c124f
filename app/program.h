/* Programs that Seam starts: gnuplot and ffmpeg. They run without a shell in a temporary folder. Their files have fixed
 * names, so they receive no name that comes from the user. Afterwards the results are copied from the folder. */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include <seam/status.h>

/* Returns the reason why the program `name` cannot be started, as "not installed"; NULL: it can be started. */
const char *program_missing(const char *name);

/* Starts the program arguments[0], which is searched for in PATH, in the folder. The last argument is NULL. `in` and
 * `out` become its standard input and output (-1: /dev/null); this function closes them. Standard error is discarded.
 * Returns the process; -1: fork() failed, see errno. */
pid_t program_start(const char *const arguments[], const char *folder, int in, int out);

/* Opens a pipe: ends[0] for reading, ends[1] for writing. Programs inherit only the ends passed to program_start().
 * False: failed. */
bool program_pipe(int ends[2]);

/* Waits for the end of a program. Returns its exit status, which is also 127 if it could not be started; -1: it was
 * killed. */
int program_wait(pid_t program);

/* Copies the file `name` from the folder to `path`, and replaces an existing file there. SEAM_NO_FILE. */
seam_status program_copy_result(const char *folder, const char *name, const char *path, seam_error *error);

#endif
