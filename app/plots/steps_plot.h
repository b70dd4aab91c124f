/* Spectral radius and error over the macro step as a picture, drawn by gnuplot. */
#ifndef APP_PLOTS_STEPS_PLOT_H
#define APP_PLOTS_STEPS_PLOT_H

#include <seam/analysis.h>
#include <seam/models.h>

#include "app/plots/plot.h"

/* Starts the picture; a line shows the wanted error. Whatever the result, free *made with plot_free().
 * SEAM_NO_MEMORY. */
seam_status steps_plot_start(const seam_model_file *file, double wanted, plot *made, seam_error *error);

/* Adds two curves of a scheme over n macro steps: ρ, where it is finite, and the error, where it is finite and
 * positive. */
void steps_plot_add(plot *to, const char *scheme, const seam_scheme_point *points, const double *errors, size_t n);

/* Writes DIRECTORY/stability.gp and lets gnuplot draw stability.png, .svg and .pdf; does nothing if no curve of ρ has a
 * point. Without gnuplot a message is printed and the result is SEAM_OK. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status steps_plot_draw(plot *self, const char *directory, seam_error *error);

#endif
