/* Control of macro steps, for rounds of an exchange and steps of a mechanism. */
#ifndef COSIM_STEP_CONTROL_H
#define COSIM_STEP_CONTROL_H

#include "cosim/coupling/exchange.h"

/* Checks a control. SEAM_BAD_INPUT naming a number that is out of its range. */
seam_status cosim_step_control_check(const cosim_step_control *self, seam_error *error);

/* Returns the residual energy of a bond over a step of length H, divided by the bond's tolerance. */
double cosim_energy_ratio(double tolerance, const cosim_bond_energy *energy, double energy_scale, double H);

/* Returns |y - predicted| divided by the tolerance of y. */
double cosim_prediction_ratio(const cosim_step_control *self, double y, double predicted);
/* Returns the number of past points that a prediction interpolates. */
int cosim_prediction_points(const cosim_step_control *self);
/* Extrapolates to time[0] by the polynomial through (time[i], past[i stride]), i = 1 to n; past[0] is not read. */
double cosim_extrapolate(const double *time, const double *past, int stride, int n);

/* Finds the indicator of an exchange's last round. Returns false if it is not available yet. */
bool cosim_exchange_indicator(const cosim_step_control *self, const cosim_exchange *exchange, double *indicator);

/* Returns true if the indicator exceeds round-off or is NaN. */
bool cosim_shows_motion(double indicator);
/* Returns the length of the step that follows a step of length H. Stores the indicator for the next call. */
double cosim_step_after(cosim_step_control *self, double indicator, double H);
/* Returns the length of the step that follows, or with indicator > 1 repeats, a collocation step of length H with s
 * stages. indicator: error of positions divided by its tolerance. */
double cosim_step_of_collocation(const cosim_step_control *self, double indicator, double H, int s);
/* Returns the length with which to repeat a step whose indicator exceeds 1. */
double cosim_repeated_length(const cosim_step_control *self, double indicator, double H);

#endif
