/* Pages of `seam help`. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "app/command.h"

/* Both print to standard output and return the exit status. */
int help_overview(void);
int help_print(const app_command *command);

#endif
