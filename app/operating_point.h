/* The state about which a mechanism is linearised. */
#ifndef APP_OPERATING_POINT_H
#define APP_OPERATING_POINT_H

#include "app/setup.h"

#define OPTION_AT                                                                                                      \
  {                                                                                                                    \
    .name = "--at", .value = "STATE",                                                                                  \
    .help = "initial, equilibrium (default), or a time of the motion from the start, s",                               \
    .words = "initial equilibrium"                                                                                     \
  }

/* Brings a setup that was read to "initial", "equilibrium" (NULL too) or a time of the monolithic run. SEAM_BAD_INPUT,
 * or what assembly, the search or the run return. */
seam_status operating_point_find(app_setup *made, const char *at, seam_error *error);

/* NULL: it is what `--at` means where it is not given. */
bool operating_point_is_equilibrium(const char *at);

/* Prints one line: the state, and the consequence where it moves or accelerates. */
void operating_point_print(const app_setup *made, const char *at);

/* Prints the modes of contacts and strands there, which a linearisation keeps to; nothing where there are none. */
void operating_point_print_contacts(const app_setup *made);

#endif
