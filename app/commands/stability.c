/* `seam stability`: a group of commands. */
#include "app/commands/stability.h"

static const app_command *const commands[] = {&stability_point_command, &stability_map_command,
                                              &stability_model_command, NULL};

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
