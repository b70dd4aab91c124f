/* Directories and files of results, and texts that are read completely. */
#ifndef APP_RESULTS_OUTPUT_H
#define APP_RESULTS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <seam/status.h>

/* Creates a directory and its parents, and removes unfinished files of killed processes. The directory stays open and
 * locked until the process ends, so files are written into it even if it is moved. Call this once for each directory.
 * SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: another process has the lock. */
seam_status output_make_directory(const char *directory, seam_error *error);

/* Returns "directory/name"; the caller frees it. NULL: no memory. */
char *output_path(const char *directory, const char *name);

/* Returns true if both paths name the same file or folder. */
bool output_is_same(const char *one, const char *other);

/* Opens a new file for writing and reading, in place of an existing one. SEAM_NO_FILE. */
seam_status output_open(const char *path, FILE **file, seam_error *error);
/* Closes a file. False: closing or an earlier write failed. */
bool output_close(FILE *file);
/* output_descriptor() opens a file, and returns what open() does. output_unlink() removes one; false: failed. */
int output_descriptor(const char *path, int flags);
bool output_unlink(const char *path);
/* Writes bytes to an open file, and returns their number. If it is less than n, errno has the cause. */
size_t output_bytes(int descriptor, const char *bytes, size_t n);

/* A file DIRECTORY/NAME to which text is appended; a zeroed struct is not open. If output_begin() fails, nothing is
 * open. output_flush() passes text to the operating system. output_end() closes an open file and frees the path. It
 * returns `status` or, if that is SEAM_OK, the status of closing. SEAM_NO_FILE, SEAM_NO_MEMORY. */
typedef struct output_file {
  char *path;
  FILE *file;
} output_file;
seam_status output_begin(output_file *self, const char *directory, const char *name, seam_error *error);
seam_status output_flush(const output_file *self, seam_error *error);
seam_status output_end(output_file *self, seam_status status, seam_error *error);

/* Stores text on the disk, where it survives a loss of power. SEAM_NO_FILE. */
seam_status output_sync(FILE *file, const char *path, seam_error *error);

/* A file that replaces `path` completely or not at all; `path` NULL: standard output. output_replace() opens it with a
 * random name. output_commit() stores it on the disk and, without errors, renames it to `path`. A loss of power may
 * undo the renaming, except that of output_commit_name(). SEAM_NO_FILE. */
typedef struct app_replacement {
  char temporary[FILENAME_MAX];
  const char *path;
  FILE *file;
} app_replacement;
seam_status output_replace(const char *path, app_replacement *self, seam_error *error);
seam_status output_commit(app_replacement *self, seam_error *error);
seam_status output_commit_name(app_replacement *self, seam_error *error);
void output_abandon(app_replacement *self); /* removes the file; called instead of a commit */
seam_status output_text(const char *path, const char *text, seam_error *error);

/* Reads a file into text with a terminating zero, which the caller frees. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status output_read(const char *path, char **text, seam_error *error);

/* Prints to stderr the names of the written files, in lines of 80 columns. */
void output_print_written(void);
/* Set *error to a message with the file and the cause in errno. output_failed(): it cannot be written;
 * output_not_read(): the `kind`, as "file", cannot be read. Return SEAM_NO_FILE or SEAM_NO_MEMORY. */
seam_status output_failed(const char *path, seam_error *error);
seam_status output_not_read(const char *path, const char *kind, seam_error *error);

#endif
