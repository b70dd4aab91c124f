/* The state about which a mechanism is linearised. */
#ifndef APP_OPERATING_POINT_H
#define APP_OPERATING_POINT_H

#include "app/setup.h"

#define OPTION_AT                                                                                                      \
  {                                                                                                                    \
    "--at", "STATE", .help = "initial, equilibrium (default), or a time of the motion from the start, s",              \
                     .words = "initial equilibrium"                                                                    \
  }

/* Sets the state of the model that setup_read() has read. `at`: "initial", "equilibrium" (also if NULL), or a time of
 * the monolithic run. SEAM_BAD_INPUT: another text; errors of assembly, of the search for the equilibrium, or of the
 * run. */
seam_status operating_point_find(app_setup *setup, const char *at, seam_error *error);

/* Returns true if `at` is "equilibrium" or NULL, which is the default. */
bool operating_point_is_equilibrium(const char *at);

/* print() prints about which state the mechanism is linearised and, if bodies move or accelerate there, that
 * coefficients are frozen. print_contacts() prints which contacts are closed and which strands are taut; in the
 * linearisation they remain so. */
void operating_point_print(const app_setup *setup, const char *at);
void operating_point_print_contacts(const app_setup *setup);

#endif
