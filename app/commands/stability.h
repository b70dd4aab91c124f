/* The verbs of `seam stability`. A new one is a new file and a row of the table in stability.c. */
#ifndef APP_COMMANDS_STABILITY_H
#define APP_COMMANDS_STABILITY_H

#include "app/options.h"

/* Each returns the exit status. */
int stability_point(const app_options *parsed);
int stability_map(const app_options *parsed);
int stability_figure(const app_options *parsed);
int stability_model(const app_options *parsed);

/* Says what is wrong with the command line and how to fix it; returns 2. */
int stability_wrong(const char *what, const char *fix);

/* Reads --threads; 0 when it was not given, -1 when it is not a number of threads. */
int stability_threads(const app_options *parsed);

#endif
