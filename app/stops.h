/* Runs that are compared have one end. */
#ifndef APP_STOPS_H
#define APP_STOPS_H

#include "app/setup.h"

/* *end (s), or where an event stops the monolithic run before, which is said unless `quiet`. */
seam_status stops_shorten(const app_setup *setup, bool quiet, double *end, seam_error *error);

#endif
