/* The commands of the group `seam stability`. A new command needs a new file and a row of the table in stability.c. */
#ifndef APP_COMMANDS_STABILITY_H
#define APP_COMMANDS_STABILITY_H

#include "app/command.h"
#include "app/plots/map_panel.h"

extern const app_command stability_point_command;
extern const app_command stability_map_command;
extern const app_command stability_model_command;

/* Options that several commands of the group share. */
#define OPTION_TEXTBOOK_MODEL                                                                                          \
  {                                                                                                                    \
    "--model", "NAME", .help = "constitutive, constraint, oscillators, rigid-oscillators or mbcorr",                   \
                       .words = "constitutive constraint oscillators rigid-oscillators mbcorr"                         \
  }
#define OPTION_THREADS                                                                                                 \
  { "--threads", "N", .help = "threads; default: one for each processor" }
#define OPTION_RHO                                                                                                     \
  { "--rho", .help = "colour the picture by rho" }

/* Computes n maps, writes them, draws them in pictures `name`, n_columns side by side, and frees their points. The
 * folder is the one of -o or, without -o, `usual`. A single map is written as map.csv; several maps as panel-01.csv,
 * ..., with their counts in panels.csv (map_panels_write()). SEAM_INTERRUPTED, SEAM_NO_FILE, SEAM_NO_MEMORY,
 * SEAM_BAD_INPUT. */
seam_status stability_draw(const app_options *parsed, map_panel *panels, size_t n, size_t n_columns, const char *usual,
                           const char *name, seam_error *error);

#endif
