/* Programs that Seam starts: gnuplot and ffmpeg. They run without a shell in a temporary folder, whose files have fixed
 * names: no name comes from the user. Their results are then copied from it. */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include <seam/status.h>

/* Returns why the program cannot be started, as "not installed"; NULL: it can. */
const char *program_missing(const char *name);

/* Starts arguments[0], found in PATH, in the folder; NULL follows the last argument. `in` and `out` become its standard
 * input and output (-1: /dev/null), and are closed here. Standard error is discarded. Returns the process; -1: fork()
 * failed, see errno. */
pid_t program_start(const char *const arguments[], const char *folder, int in, int out);

/* Opens a pipe: ends[0] to read, ends[1] to write. Programs inherit only ends passed to program_start(). False:
 * failed. */
bool program_pipe(int ends[2]);

/* Waits for the end of a program, and returns its exit status; 127: it could not be started; -1: it was killed. */
int program_wait(pid_t program);

/* Copies the file `name` of the folder to `path`, in place of an existing one. SEAM_NO_FILE. */
seam_status program_copy_result(const char *folder, const char *name, const char *path, seam_error *error);

#endif
