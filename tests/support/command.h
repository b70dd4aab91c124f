/* Runs the built `seam` as a user does, each test in an empty directory of its own. */
#ifndef TESTS_SUPPORT_COMMAND_H
#define TESTS_SUPPORT_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct outcome {
  int exit_status; /* -1 when a signal ended the command */
  char *out, *err; /* what it printed; NULL when it was not caught */
  char *wrote;     /* the end of that on stderr: which files it wrote; empty: none */
} outcome;

/* A suite's .init and .fini: makes the directory and goes there; removes it. */
void enter_scratch(void);
void leave_scratch(void);

/* Runs `seam` with the arguments (the last is NULL) and catches what it prints. */
outcome run_seam(const char *const arguments[]);
void outcome_free(outcome *result);

#define SEAM(...) run_seam((const char *const[]){"seam", __VA_ARGS__, NULL})

/* A command that did what was asked. */
outcome expect_success(outcome result);
/* One that refused its input with a message, and wrote nothing. Frees the outcome. */
void expect_refused_untouched(outcome result, const char *message);

/* Starts `seam` without waiting for it; its stderr goes to `err_descriptor`, its stdout to the file `stdout`. */
pid_t start_command(const char *const arguments[], int err_descriptor);

/* Exit status of a started command; -1 when a signal ended it. */
int wait_command(pid_t child);

/* Whole text of a file, to be freed; fails the test when there is none. */
char *read_text(const char *path);
void write_text(const char *path, const char *text);
/* Writes a model of the catalogue without its line of `macro_step`. */
void write_without_macro_step(const char *path, const char *model);
bool file_exists(const char *path);
/* Byte by byte; fails the test when one is not there. */
bool is_same_file(const char *one, const char *two);

/* Whether `text` holds `part`. */
bool has(const char *text, const char *part);

#endif
