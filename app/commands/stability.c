/* `seam stability`: a group of commands, and what they share. */
#include "app/commands/stability.h"

#include <stdio.h>
#include <stdlib.h>

int stability_wrong(const char *what, const char *fix) {
  fprintf(stderr, "seam: %s; %s\n", what, fix);
  return 2;
}

int stability_threads(const app_options *parsed) {
  const char *text = options_value(parsed, "--threads");
  char *end = NULL;
  if (text == NULL)
    return 0;
  const long n = strtol(text, &end, 10);
  return end == text || *end != '\0' || n < 1 || n > 256 ? -1 : (int)n;
}

static const app_command *const commands[] = {&stability_point_command, &stability_map_command,
                                              &stability_figure_command, &stability_model_command, NULL};

const app_command stability_command = {
    .name = "stability",
    .summary = "numerical stability of a coupling scheme",
    .operands = "[ARGUMENTS]",
    .details =
        "The spectral radius rho of one macro step of a co-simulation: of the textbook model, two damped oscillators\n"
        "joined by a spring-damper (constitutive) or rigidly (constraint) and cut there, or of your own mechanism,\n"
        "linearised. Stable when rho <= 1.",
    .commands = commands,
};
