/* Quarter car of [Sadjina] IV: chassis (zc) on a wheel (zw) on a road that rises by 0.1 m at t = 0,
 *
 *   mc zc'' = -Fc,   mw zw'' = -Fw + Fc,   Fc = kc (zc - zw) + dc sign(s) |s|^p,  s = zc' - zw',   Fw = kw (zw - 0.1),
 *
 * cut in two ways: the spring-damper goes with the wheel (20), or with the chassis (21). */
#ifndef TESTS_SUPPORT_QUARTER_CAR_H
#define TESTS_SUPPORT_QUARTER_CAR_H

#include "cosim/coupling/exchange.h"

typedef struct quarter_car_def {
  bool nonlinear;
  bool spring_with_chassis;
  int wheel_steps; /* micro steps of Euler's method in the wheel's part; those of the chassis' are 10 */
  double end;      /* s */
} quarter_car_def;

/* At t = 0, all outputs zero; one power bond. */
cosim_exchange *quarter_car_create(const quarter_car_def *def);

/* (zc, zc', zw, zw'); state[0..3] is at t and becomes that at `until`. */
typedef struct quarter_car_motion quarter_car_motion;
quarter_car_motion *quarter_car_motion_create(bool nonlinear);
void quarter_car_motion_advance(quarter_car_motion *self, double until, double state[4]);
void quarter_car_motion_destroy(quarter_car_motion *self);

/* Fc in a state. */
double quarter_car_force(bool nonlinear, const double state[4]);

#endif
