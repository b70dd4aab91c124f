/* Spectral radius and error over the macro step as a picture, drawn by gnuplot. */
#ifndef APP_PLOTS_STEPS_PLOT_H
#define APP_PLOTS_STEPS_PLOT_H

#include <seam/analysis.h>
#include <seam/models.h>

#include "app/plots/curves.h"

/* Starts the picture of a model and n_schemes schemes, with the error that is wanted. Whatever the result, free *made
 * with curves_free(). SEAM_NO_MEMORY. */
seam_status steps_plot_start(const seam_model_file *file, size_t n_schemes, double wanted, curve_picture *made,
                             seam_error *error);

/* Adds what was found for a scheme at n macro steps: points without a ρ, and errors that are not finite, are left out.
 * SEAM_NO_MEMORY. */
seam_status steps_plot_add(curve_picture *to, const char *scheme, const seam_scheme_point *points, const double *errors,
                           size_t n, seam_error *error);

/* DIRECTORY/stability.gp and what gnuplot draws from it, stability.png, .svg and .pdf. Without gnuplot a message says
 * so. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status steps_plot_draw(curve_picture *self, const char *directory, seam_error *error);

#endif
