/* Spectral radius and error over the macro step as a picture, drawn by gnuplot. */
#ifndef APP_PLOTS_STEPS_PLOT_H
#define APP_PLOTS_STEPS_PLOT_H

#include <seam/analysis.h>
#include <seam/models.h>

#include "app/plots/plot.h"

/* Starts the picture of a model, with the error that is wanted. Whatever the result, free *made with plot_free().
 * SEAM_NO_MEMORY. */
seam_status steps_plot_start(const seam_model_file *file, double wanted, plot *made, seam_error *error);

/* Adds what was found for a scheme at n macro steps: points without a ρ, and errors that are not finite, are left out.
 */
void steps_plot_add(plot *to, const char *scheme, const seam_scheme_point *points, const double *errors, size_t n);

/* DIRECTORY/stability.gp and what gnuplot draws from it, stability.png, .svg and .pdf. Without gnuplot a message says
 * so. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status steps_plot_draw(plot *self, const char *directory, seam_error *error);

#endif
