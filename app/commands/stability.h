/* The commands of the group `seam stability`. A new one is a new file and a row of the table in stability.c. */
#ifndef APP_COMMANDS_STABILITY_H
#define APP_COMMANDS_STABILITY_H

#include "app/command.h"

extern const app_command stability_point_command;
extern const app_command stability_map_command;
extern const app_command stability_figure_command;
extern const app_command stability_model_command;

/* Rows that several of their tables share. */
#define OPTION_TEXTBOOK_MODEL                                                                                          \
  {                                                                                                                    \
    .name = "--model", .value = "NAME", .help = "the textbook model: constitutive, constraint or mbcorr",              \
    .words = "constitutive constraint mbcorr"                                                                          \
  }
#define OPTION_THREADS                                                                                                 \
  { .name = "--threads", .value = "N", .help = "threads; default: one for each processor" }
#define OPTION_RHO                                                                                                     \
  { .name = "--rho", .help = "colour the picture by rho" }

/* Prints what is wrong with the command line and how to fix it; returns 2. */
int stability_wrong(const char *what, const char *fix);

/* Reads --threads; 0 when it was not given, -1 when it is not a number of threads. */
int stability_threads(const app_options *parsed);

#endif
