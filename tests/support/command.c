#include "tests/support/command.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char scratch[] = "/tmp/seam-test-XXXXXX";

void enter_scratch(void) {
  cr_assert_not_null(mkdtemp(scratch));
  cr_assert_eq(chdir(scratch), 0);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)type, (void)place;
  return remove(path);
}

void leave_scratch(void) {
  cr_assert_eq(chdir("/"), 0);
  nftw(scratch, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

pid_t start_command(const char *const arguments[], int err_descriptor) {
  pid_t child = 0;
  sigset_t interrupts; /* scripts start their background jobs deaf to them */
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigdefault(&attributes, &interrupts);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, err_descriptor, STDERR_FILENO);
  const int failed =
      posix_spawn(&child, SEAM_BINARY_DIR "/app/seam", &actions, &attributes, (char *const *)arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  cr_assert_eq(failed, 0, "the command cannot be started: %s", strerror(failed));
  return child;
}

int wait_command(pid_t child) {
  int status = 0;
  cr_assert_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Takes the lines of the written files from what was printed. */
static char *take_written(char *err) {
  char *at = strncmp(err, "wrote ", 6) == 0 ? err : strstr(err, "\nwrote ");
  if (at == NULL)
    return strdup("");
  at += *at == '\n';
  char *wrote = strdup(at);
  *at = '\0';
  return wrote;
}

outcome run_seam(const char *const arguments[]) {
  const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  cr_assert_geq(err, 0);
  outcome result = {.exit_status = wait_command(start_command(arguments, err))};
  close(err);
  result.out = read_text("stdout");
  result.err = read_text("stderr");
  result.wrote = take_written(result.err);
  /* CTest looks for sanitizers in what the test prints. */
  if (has(result.err, "Sanitizer") || has(result.err, "runtime error:"))
    fputs(result.err, stderr);
  return result;
}

void outcome_free(outcome *result) {
  free(result->out);
  free(result->err);
  free(result->wrote);
}

outcome expect_success(outcome result) {
  cr_assert_eq(result.exit_status, 0, "%s", result.err);
  return result;
}

void expect_refused_untouched(outcome result, const char *message) {
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_empty(result.out);
  cr_expect(has(result.err, message), "'%s' is not in: %s", message, result.err);
  cr_expect_not(file_exists("results"), "a refused input touches nothing");
  outcome_free(&result);
}

char *read_text(const char *path) {
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file, "%s cannot be read", path);
  cr_assert_eq(fseek(file, 0, SEEK_END), 0);
  const long length = ftell(file);
  cr_assert_geq(length, 0);
  rewind(file);
  char *text = calloc((size_t)length + 1, 1);
  cr_assert_not_null(text);
  cr_assert_eq(fread(text, 1, (size_t)length, file), (size_t)length);
  fclose(file);
  return text;
}

void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  cr_assert_not_null(file);
  cr_assert_geq(fputs(text, file), 0);
  cr_assert_eq(fclose(file), 0);
}

void write_without_macro_step(const char *path, const char *model) {
  outcome text = expect_success(SEAM("models", model));
  char *line = strstr(text.out, "  macro_step:");
  cr_assert_not_null(line, "%s", model);
  const char *next = strchr(line, '\n') + 1;
  memmove(line, next, strlen(next) + 1);
  write_text(path, text.out);
  outcome_free(&text);
}

bool file_exists(const char *path) { return access(path, F_OK) == 0; }

bool is_same_file(const char *one, const char *two) {
  FILE *files[2] = {fopen(one, "rb"), fopen(two, "rb")};
  cr_assert(files[0] != NULL && files[1] != NULL, "%s, %s", one, two);
  int bytes[2] = {0, 0};
  while (bytes[0] == bytes[1] && bytes[0] != EOF)
    for (int i = 0; i < 2; i++)
      bytes[i] = fgetc(files[i]);
  fclose(files[0]);
  fclose(files[1]);
  return bytes[0] == bytes[1];
}

bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }
