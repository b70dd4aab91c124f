/* Spectral radii of co-simulated runs near an equilibrium, and what is predicted for them. Of such a run, y a
 * coordinate, the last macro points give
 *
 *   y(k + 2) = a y(k + 1) + b y(k)      by least squares
 *
 * and the largest root of r² = a r + b is the spectral radius once its motion outweighs all others. */
#ifndef TESTS_SUPPORT_RUN_RADIUS_H
#define TESTS_SUPPORT_RUN_RADIUS_H

#include <seam/analysis.h>

#include "tests/support/cosim_fixture.h"

enum { MAX_SAMPLES = 1200 };

/* A file at the equilibrium of its mechanism. */
cosim_fixture at_rest(const char *text, const char *const *overrides);

/* About the equilibrium, or, of a model with signals, the start of the whole. */
seam_linearised *linearise(const cosim_fixture *f);
double predicted_radius(const cosim_fixture *f, double H);
/* The limit of the first interval of stable macro steps. */
double border_of(const cosim_fixture *f, double from, double to);

/* Distances of coordinate `c`, which the mode moves, from rest, until one is larger than `most`; returns how many. */
size_t run_distances(const cosim_fixture *f, double H, size_t c, double first, double most, size_t n, double *y);
double fitted_radius(const double *y, size_t n);

/* Where predictions and runs agree: rho to `accuracy` at 1.03 of the border, and what the runs say 2 % around it. */
void expect_border(const cosim_fixture *f, double H, size_t c, double accuracy);

#endif
