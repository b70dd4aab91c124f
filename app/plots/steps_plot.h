/* Spectral radius and error over the macro step as a picture, drawn by gnuplot. */
#ifndef APP_PLOTS_STEPS_PLOT_H
#define APP_PLOTS_STEPS_PLOT_H

#include <seam/analysis.h>
#include <seam/models.h>

#include "app/plots/plot.h"

/* Starts the picture, with a line at the wanted error. Call plot_free() even after a failure. SEAM_NO_MEMORY. */
seam_status steps_plot_start(const seam_model_file *file, double wanted, plot *result, seam_error *error);

/* Adds two curves of a scheme over n macro steps: ρ where it is finite, and the error where it is finite and
 * positive. */
void steps_plot_add(plot *to, const char *scheme, const seam_scheme_point *points, const double *errors, size_t n);

/* Writes DIRECTORY/stability.gp, from which gnuplot draws stability.png, .svg and .pdf. Does nothing if no curve of ρ
 * has a point. Errors of plot_draw(). */
seam_status steps_plot_draw(plot *self, const char *directory, seam_error *error);

#endif
