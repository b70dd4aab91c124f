/* Ordinary differential equations with Jacobians, for the tests of cvode. */
#ifndef TESTS_SUPPORT_CVODE_EQUATIONS_H
#define TESTS_SUPPORT_CVODE_EQUATIONS_H

#include "solvers/ode.h"

enum { MAX_CONTROLLED = 8 };

/* An equation with the Jacobian (n_controlled x n_controlled, by rows) of its controlled entries. */
typedef struct equation {
  seam_ode ode;
  void (*jacobian)(double t, const double *y, double *J);
  double start[8];
} equation;

extern const equation of_stiff;           /* y1 hastens to cos t at the rate 1e6; y2' = y1 */
extern const equation of_pendulum;        /* of length 1, index-1 form, projected; the last entry is a quadrature */
extern const equation of_halves;          /* a pendulum of two halves joined by a stiff damped bushing */
extern const equation of_pole;            /* y = 1 / (1 - t) */
extern const equation of_wave_until_half; /* fails after t = 0.5 */

/* Right-hand sides, Jacobians and a projection to be put into equations of one test. */
seam_status equation_pendulum(void *context, double t, const double *y, double *dy, seam_error *error);
void equation_pendulum_jacobian(double t, const double *y, double *J);
seam_status equation_fast_and_slow(void *context, double t, const double *y, double *dy, seam_error *error);
void equation_no_jacobian(double t, const double *y, double *J);
seam_status equation_recorded_wave(void *context, double t, const double *y, double *dy, seam_error *error);
seam_status equation_interrupted_wave(void *context, double t, const double *y, double *dy, seam_error *error);
seam_status equation_off_the_circle(void *context, double t, double *y, seam_error *error);

#endif
