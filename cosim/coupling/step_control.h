/* Control of macro steps: common to rounds of the exchange and steps of a mechanism. */
#ifndef COSIM_EXCHANGE_STEP_CONTROL_H
#define COSIM_EXCHANGE_STEP_CONTROL_H

#include "cosim/coupling/exchange.h"

/* Checks a control. SEAM_BAD_INPUT naming a number that is out of its range. */
seam_status cosim_step_control_check(const cosim_step_control *self, seam_error *error);

/* Residual energy of one bond over a step of length H relative to the tolerated one; their root mean square is the
 * indicator. */
double cosim_energy_ratio(double tolerance, const cosim_bond_energy *energy, double energy_scale, double H);

/* Distance of y from its prediction, relative to the tolerated one; the largest is the indicator. */
double cosim_prediction_ratio(const cosim_step_control *self, double y, double predicted);
/* Points that it is predicted from. */
int cosim_prediction_points(const cosim_step_control *self);
/* past[0] predicted by the polynomial through the n points after it, at these times; `stride` numbers apart. */
double cosim_extrapolate(const double *time, const double *past, int stride, int n);

/* Indicator of the last round of an exchange; false: none is available yet. */
bool cosim_exchange_indicator(const cosim_step_control *self, const cosim_exchange *exchange, double *indicator);

/* Returns true if an indicator is more than rounding beside the tolerance. */
bool cosim_shows_motion(double indicator);
/* Length of the step after one of length H with this indicator, which is stored. */
double cosim_step_after(cosim_step_control *self, double indicator, double H);
/* Length after, or instead of, a step by collocation of s stages with this indicator of the error of positions. */
double cosim_step_of_collocation(const cosim_step_control *self, double indicator, double H, int s);
/* Length with which to repeat a step whose indicator exceeds 1. */
double cosim_step_again(const cosim_step_control *self, double indicator, double H);

#endif
