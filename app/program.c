#include "app/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/results/output.h"

#ifdef SEAM_WITHOUT_GNUPLOT
static const bool with_gnuplot = false;
#else
static const bool with_gnuplot = true;
#endif

const char *program_missing(const char *name) {
  const char *folders = getenv("PATH");
  if (!with_gnuplot && strcmp(name, "gnuplot") == 0)
    return "left out of this build (SEAM_WITH_GNUPLOT)";
  while (folders != NULL && *folders != '\0') {
    const size_t length = strcspn(folders, ":");
    char path[FILENAME_MAX];
    snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, name);
    if (access(path, X_OK) == 0)
      return NULL;
    folders += length + (folders[length] == ':');
  }
  return "not installed";
}

/* In the child: makes `descriptor`, or /dev/null if it is -1, a standard stream. False: failed. */
static bool connect(int descriptor, int stream) {
  const int from = descriptor >= 0 ? descriptor : open("/dev/null", O_RDWR);
  return from >= 0 && dup2(from, stream) == stream;
}

pid_t program_start(const char *const arguments[], const char *folder, int in, int out) {
  enum { NOT_STARTED = 127 };
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGPIPE, SIG_DFL);
    if (connect(in, STDIN_FILENO) && connect(out, STDOUT_FILENO) && connect(-1, STDERR_FILENO) && chdir(folder) == 0)
      execvp(arguments[0], (char *const *)arguments);
    _exit(NOT_STARTED);
  }
  if (in >= 0)
    close(in);
  if (out >= 0)
    close(out);
  return child;
}

bool program_pipe(int ends[2]) {
  return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

int program_wait(pid_t program) {
  int status = 0;
  return program > 0 && waitpid(program, &status, 0) == program && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

seam_status program_copy_result(const char *folder, const char *name, const char *path, seam_error *error) {
  char *result = output_path(folder, name);
  FILE *from = result != NULL ? fopen(result, "rb") : NULL;
  app_replacement to;
  char block[1 << 16];
  free(result);
  if (from == NULL)
    return output_failed(path, error);
  seam_status status = output_replace(path, &to, error);
  if (status == SEAM_OK) {
    size_t n = 0;
    bool is_copied = true;
    while (is_copied && (n = fread(block, 1, sizeof block, from)) > 0)
      is_copied = fwrite(block, 1, n, to.file) == n;
    if (is_copied && ferror(from) == 0)
      status = output_commit(&to, error);
    else {
      status = output_failed(path, error);
      output_abandon(&to);
    }
  }
  fclose(from);
  return status;
}
