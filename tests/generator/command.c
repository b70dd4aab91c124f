#include "tests/generator/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct place {
  char directory[40], model[64], results[64];
} place;

static bool make_place(const trial *t, place *p) {
  snprintf(p->directory, sizeof p->directory, "/tmp/seam_generator.XXXXXX");
  if (mkdtemp(p->directory) == NULL)
    return false;
  snprintf(p->model, sizeof p->model, "%s/trial.yaml", p->directory);
  snprintf(p->results, sizeof p->results, "%s/results", p->directory);
  FILE *file = fopen(p->model, "w");
  if (file == NULL)
    return false;
  const bool written = fwrite(t->yaml.at, 1, t->yaml.length, file) == t->yaml.length;
  return fclose(file) == 0 && written;
}

static void remove_place(const place *p) {
  static const char *const names[] = {
      "trial.yaml",           "results/trajectory.csv", "results/couplings.csv",  "results/signals.csv",
      "results/summary.json", "results/lock",           "results/checkpoint.seam"};
  char path[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", p->directory, names[i]);
    unlink(path);
  }
  rmdir(p->results);
  rmdir(p->directory);
}

static int run_in_child(const trial *t, const place *p) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl(SEAM_COMMAND, "seam", "run", p->model, "-o", p->results, t->run == CUT ? "--cosim" : NULL, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

/* The last row: time, then x, y, phi and their rates of each body in the order of the file. */
static bool read_last_row(const trial *t, const place *p, sample *last) {
  char path[80], line[16384];
  double q[3 * MAX_BODIES], v[3 * MAX_BODIES];
  snprintf(path, sizeof path, "%s/trajectory.csv", p->results);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return false;
  while (fgets(line, sizeof line, file) != NULL) {
  }
  fclose(file);
  char *at = line;
  const double time = strtod(at, &at);
  for (int i = 0; i < 6 * t->n_bodies; i++) {
    if (*at++ != ',')
      return false;
    double *to = i % 6 < 3 ? q : v;
    to[i / 6 * 3 + i % 3] = strtod(at, &at);
  }
  straighten(t, time, q, v, last);
  return true;
}

int run_by_command(const trial *t, sample *last) {
  place p;
  if (!make_place(t, &p))
    return -1;
  int status = run_in_child(t, &p);
  if ((status == 0 || status == 3) && !read_last_row(t, &p, last))
    status = -1;
  remove_place(&p);
  return status;
}
