/* The second part of [Haid]'s oscillator with the nonlinear coupling damper of eq. 43, and the whole oscillator. */
#ifndef TESTS_SUPPORT_NONLINEAR_DAMPER_H
#define TESTS_SUPPORT_NONLINEAR_DAMPER_H

#include <seam/cosim.h>

/* How the part gives derivatives: those of the part linearised where the step begins (eq. 7), those along the step, or
 * none, and no way back. */
typedef enum damper_derivatives { frozen, along, none } damper_derivatives;

/* Inputs s, v of the first mass; output: the force on it. State s2, v2. Fixed micro steps of Runge and Kutta's method.
 */
cosim_part *damper_part(double exponent, damper_derivatives derivatives, const double state[2]);

/* The first part, integrated exactly: input that force, outputs s1, v1. */
cosim_part *first_mass(const double state[2]);

/* The whole oscillator, x = (s1, v1, s2, v2), over dt (which may be negative); its outputs s1, v1, F. */
void damper_advance(double exponent, double dt, double x[4]);
void damper_outputs(double exponent, const double x[4], double y[3]);

#endif
