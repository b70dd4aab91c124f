#include "app/plots/gnuplot.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/failure.h"

#ifdef SEAM_WITHOUT_GNUPLOT
const bool gnuplot_is_built_in = false;
#else
const bool gnuplot_is_built_in = true;
#endif

enum { not_found = 127 }; /* exit status of a command that is not there, as in the shell */

/* Exit status of `gnuplot script` in the directory; -1 when it did not come to one. */
static int run_gnuplot(const char *directory, const char *script) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(directory) == 0)
      execlp("gnuplot", "gnuplot", script, (char *)NULL);
    _exit(not_found);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

seam_status gnuplot_draw(const char *directory, const char *script, seam_error *error) {
  fflush(NULL);
  const int exit_status = gnuplot_is_built_in ? run_gnuplot(directory, script) : not_found;
  seam_error missing = {0};
  if (exit_status == not_found) {
    seam_fail(&missing, SEAM_NO_FILE,
              "seam: gnuplot is %s, so there is no picture; the numbers are in %s. Install gnuplot "
              "(gnuplot-nox), then: cd %s && gnuplot %s",
              gnuplot_is_built_in ? "not installed" : "left out of this build (SEAM_WITH_GNUPLOT)", directory,
              directory, script);
    print_failure(&missing);
  } else if (exit_status != 0)
    return seam_fail(error, SEAM_NO_FILE, "%s: gnuplot could not draw %s; the numbers are complete", directory, script);
  return SEAM_OK;
}
