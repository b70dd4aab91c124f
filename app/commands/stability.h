/* The commands of the group `seam stability`. A new command needs a new file and a row of the table in stability.c. */
#ifndef APP_COMMANDS_STABILITY_H
#define APP_COMMANDS_STABILITY_H

#include "app/command.h"

extern const app_command stability_point_command;
extern const app_command stability_map_command;
extern const app_command stability_model_command;

#define OPTION_TEXTBOOK_MODEL                                                                                          \
  {                                                                                                                    \
    "--model", "NAME", .help = "constitutive, constraint, oscillators, rigid-oscillators or mbcorr",                   \
                       .words = "constitutive constraint oscillators rigid-oscillators mbcorr"                         \
  }

#endif
