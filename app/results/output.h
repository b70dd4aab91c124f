/* Directories and files: of results, and texts that are read whole. */
#ifndef APP_RESULTS_OUTPUT_H
#define APP_RESULTS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <seam/status.h>

/* Makes a directory with its parents, where they do not exist, opens and locks it until the process ends: to be called
 * once for a directory. All functions below find what begins with its path in this very directory, also when it was
 * moved. What killed processes left of files under way is removed. SEAM_NO_FILE; SEAM_BAD_INPUT when another process
 * has it. */
seam_status output_make_directory(const char *directory, seam_error *error);

/* "directory/name", to be freed by the caller; NULL when memory is exhausted. */
char *output_path(const char *directory, const char *name);

/* Opens a file for writing, from nothing: another file takes the place of one that is there. Reading it is allowed.
 * SEAM_NO_FILE. */
seam_status output_open(const char *path, FILE **file, seam_error *error);
/* As open(): -1 with errno; and unlink(). */
int output_descriptor(const char *path, int flags);
bool output_unlink(const char *path);

/* A file of results that grows, DIRECTORY/NAME; zeroed, it is not open. A flush hands to the system what was written;
 * the end closes the file where it is open, frees the path, and returns `status`, or what fails there where that is
 * SEAM_OK. SEAM_NO_FILE, SEAM_NO_MEMORY. */
typedef struct output_file {
  char *path;
  FILE *file;
} output_file;
seam_status output_begin(output_file *self, const char *directory, const char *name, seam_error *error);
seam_status output_flush(const output_file *self, seam_error *error);
seam_status output_end(output_file *self, seam_status status, seam_error *error);

/* Stores on the disk what was written, so that not even a loss of power takes it. SEAM_NO_FILE. */
seam_status output_store(FILE *file, const char *path, seam_error *error);

/* A file that takes the place of `path` at once or not at all: it is written under a name by chance first, stored, and
 * given its own name by output_commit(), unless an error happened on the way. A loss of power may take the name again,
 * and leave what was there before, but not after output_commit_name(). NULL is the standard output. SEAM_NO_FILE. */
typedef struct app_replacement {
  char temporary[FILENAME_MAX];
  const char *path;
  FILE *file;
} app_replacement;
seam_status output_replace(const char *path, app_replacement *self, seam_error *error);
seam_status output_commit(app_replacement *self, seam_error *error);
seam_status output_commit_name(app_replacement *self, seam_error *error);
void output_abandon(app_replacement *self); /* in place of a commit: nothing is left of it */
seam_status output_text(const char *path, const char *text, seam_error *error);

/* Reads a file whole, terminated, to be freed by the caller. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status output_read(const char *path, char **text, seam_error *error);

/* Says on stderr, in lines of 80 columns, which files this process wrote; nothing where there are none. */
void output_say_written(void);

/* SEAM_NO_FILE with the file's name and the cause in errno. */
seam_status output_failed(const char *path, seam_error *error);

#endif
