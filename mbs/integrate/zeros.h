/* Finds zeros of a function f(t) within a piece of a smooth motion, for events and for switches of modes. */
#ifndef MBS_ZEROS_H
#define MBS_ZEROS_H

#include "mbs/integrate/corners.h"
#include "mbs/thresholds.h"
#include "solvers/root.h"

/* A piece of the motion, and the function f. Up to round-off, f at `from` is on the side `side` of zero. */
typedef struct mbs_piece {
  seam_root_function value, rate;
  double from, to; /* s */
  double f;        /* f at `from` */
  double f_end;    /* f at `to` */
  double side;     /* 1 or -1: side of zero on which f begins */
  double noise;    /* round-off of f, by which f at `from` may be on the other side of zero */
  bool has_rate;   /* `rate` is exact, not a difference quotient, so that extrema are located to round-off */
} mbs_piece;

/* Finds an extremum of f inside the piece, if the rate of f leads towards zero at `from` and away from zero at `to`; f
 * must be on the side `side` at both ends. *extremum: time of the extremum; NaN: the rates do not fulfil this
 * condition. *f_extremum: value of f at *extremum, on either side of zero. */
seam_status mbs_piece_extremum(const mbs_piece *piece, double *extremum, double *f_extremum, seam_error *error);

/* Finds the first floating-point number *t after the first zero of f in the piece; f at `to` must be on the side
 * opposite to `side`. Earlier pairs of zeros may be missed, see zeros.c. If no time is found at which f is on `side`,
 * *t is `from`. */
seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error);

/* Marks in `depends_on_rotation` (n_bodies) the bodies whose rotation within a step may give a function of the
 * quantities `inputs` several zeros. These are the bodies on which the quantities depend. Other bodies keep their
 * marks. If the function is not periodic, skips quantities of bodies, such as phi, except accelerations. A function is
 * not periodic if its value() is NULL, or if it has corners() but no turning(). Marks all bodies if a quantity depends
 * on accelerations, multipliers, loads or the motion of all bodies. */
void mbs_mark_rotating(const mbs_model *model, const mbs_readout *inputs, const mbs_function *function,
                       bool *depends_on_rotation);
/* Returns the largest |omega| of the marked bodies, rad/s; v (3n): velocities of all bodies. */
double mbs_fastest_rotation(const mbs_model *model, const bool *depends_on_rotation, const double *v);
/* Returns the longest step, s, that mbs_divide_step() can divide. A body rotates at `rate`, rad/s, at the beginning of
 * the step, and at up to mbs_rotation_growth times this rate later in the step. */
static inline double mbs_longest_divisible_step(double rate) {
  return MBS_MAX_PIECES * mbs_rotation_of_piece / (mbs_rotation_growth * rate);
}
/* Doubles *n_pieces, the number of equal pieces of a step in which a body rotates by `angle`, rad, until it rotates by
 * at most mbs_rotation_of_piece in each piece. SEAM_STEP_FAILED: this needs more than MBS_MAX_PIECES pieces; t is the
 * time for the message. */
seam_status mbs_divide_step(double t, double angle, int *n_pieces, seam_error *error);

/* Measures by how many periods the arguments of periodic functions change along a motion, as an angle: 2 pi rad for
 * each period. */
typedef struct mbs_period_meter mbs_period_meter;

/* Lists the periodic functions whose arguments are measured. If `corners` is not NULL, these are the periodic functions
 * among its sources. If `corners` is NULL, they are the periodic functions of events, of the measures that events read
 * and, if there are events, of all laws. SEAM_NO_MEMORY. */
seam_status mbs_period_meter_create(const mbs_model *model, const mbs_corners *corners, mbs_period_meter **created,
                                    seam_error *error);
void mbs_period_meter_destroy(mbs_period_meter *self);
/* Returns true if the list has a periodic function or a periodic law of time. */
bool mbs_period_meter_has_functions(const mbs_period_meter *self);
/* Makes *state the state from which angles are measured. */
void mbs_period_meter_begin(mbs_period_meter *self, mbs_workspace *ws, const mbs_state *state);
/* Returns the largest angle, rad, from the state of mbs_period_meter_begin() to *state. */
double mbs_period_meter_read(mbs_period_meter *self, mbs_workspace *ws, const mbs_state *state);
/* Makes the state at time t the state from which angles are measured, if it was the last argument of
 * mbs_period_meter_begin() or mbs_period_meter_read(). Returns false if neither state was at t. */
bool mbs_period_meter_advance(mbs_period_meter *self, double t);
/* Forgets the states of mbs_period_meter_begin() and mbs_period_meter_read(). */
void mbs_period_meter_reset(mbs_period_meter *self);

#endif
