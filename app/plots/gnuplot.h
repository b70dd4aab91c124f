/* Pictures from gnuplot's scripts. */
#ifndef APP_PLOTS_GNUPLOT_H
#define APP_PLOTS_GNUPLOT_H

#include <stdbool.h>

#include <seam/status.h>

/* False where Seam was built never to start gnuplot. */
extern const bool gnuplot_is_built_in;

/* Runs DIRECTORY/SCRIPT there. Where there is no gnuplot, a message says so and the result is SEAM_OK. SEAM_NO_FILE. */
seam_status gnuplot_draw(const char *directory, const char *script, seam_error *error);

#endif
