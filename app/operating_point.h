/* The state about which a mechanism is linearised. */
#ifndef APP_OPERATING_POINT_H
#define APP_OPERATING_POINT_H

#include "app/setup.h"

#define OPTION_AT                                                                                                      \
  {                                                                                                                    \
    "--at", "STATE", .help = "initial, equilibrium (default), or a time of the motion from the start, s",              \
                     .words = "initial equilibrium"                                                                    \
  }

/* Sets the state of the model that setup_read() has read: `at` is "initial", "equilibrium" (also NULL), or a time in
 * the monolithic run. SEAM_BAD_INPUT: another text; errors of assembly, of the search for the equilibrium, or of the
 * run. */
seam_status operating_point_find(app_setup *made, const char *at, seam_error *error);

/* Returns true for "equilibrium" and for NULL, the default. */
bool operating_point_is_equilibrium(const char *at);

/* The first prints at which state the mechanism is linearised and, if this state moves or accelerates, that
 * coefficients are frozen. The second prints which contacts are closed and which strands are taut; linearisation keeps
 * these so. */
void operating_point_print(const app_setup *made, const char *at);
void operating_point_print_contacts(const app_setup *made);

#endif
