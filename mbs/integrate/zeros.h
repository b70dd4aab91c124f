/* Zeros of a function f(t) within a piece of a smooth motion, for events and switches, and the pieces of a step. */
#ifndef MBS_ZEROS_H
#define MBS_ZEROS_H

#include "mbs/integrate/corners.h"
#include "mbs/thresholds.h"
#include "solvers/root.h"

/* A piece of the motion, and f, which begins on the side `side` of zero up to round-off. */
typedef struct mbs_piece {
  seam_root_function value, rate;
  double from, to; /* s */
  double f;        /* f at `from` */
  double f_end;    /* f at `to` */
  double side;     /* 1 or -1 */
  double noise;    /* round-off of f, by which f at `from` may be on the other side */
  bool has_rate;   /* `rate` is exact, not a difference quotient: extrema are located to round-off */
} mbs_piece;

/* Finds the time *extremum of an extremum of f inside the piece, and its value, on either side of zero. f must be on
 * `side` at both ends. NaN: the rate of f does not lead towards zero at `from` and away from it at `to`. */
seam_status mbs_piece_extremum(const mbs_piece *piece, double *extremum, double *f_extremum, seam_error *error);

/* Finds the first floating-point number *t after the first zero of f in the piece; f at `to` must be on the side
 * opposite to `side`. Earlier pairs of zeros may be missed, see zeros.c. *t is `from` if f is not found on `side`. */
seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error);

/* Sets *rate to a difference quotient of a function at t, one-sided at the ends of the interval. */
seam_status mbs_difference_quotient(const seam_root_function *function, double t, double from, double to, double *rate,
                                    seam_error *error);

/* Marks in `depends_on_rotation` (n_bodies) the bodies whose rotation within a step may give a function of the
 * quantities `inputs` several zeros: the bodies on which these quantities depend. Other bodies keep their marks. If a
 * quantity depends on accelerations, multipliers, loads or the motion of all bodies, all bodies are marked. Quantities
 * of bodies other than accelerations, such as phi, mark no body if the function cannot be periodic. It cannot if it has
 * no value(), or if it has corners() but no turning(). */
void mbs_mark_rotating(const mbs_model *model, const mbs_readout *inputs, const mbs_function *function,
                       bool *depends_on_rotation);
/* Returns the largest |omega| of the marked bodies, rad/s; v (3n): velocities of all bodies. */
double mbs_fastest_rotation(const mbs_model *model, const bool *depends_on_rotation, const double *v);
/* Returns the longest step, s, that mbs_divide_step() can divide; rate: rad/s at its beginning, which may grow. */
static inline double mbs_longest_divisible_step(double rate) {
  return MBS_MAX_PIECES * mbs_rotation_of_piece / (mbs_rotation_growth * rate);
}
/* Doubles *n_pieces, the number of equal pieces of a step, until a body that rotates by `angle`, rad, in the step
 * rotates by at most mbs_rotation_of_piece in a piece. SEAM_STEP_FAILED: more than MBS_MAX_PIECES. */
seam_status mbs_divide_step(double t, double angle, int *n_pieces, seam_error *error);

/* Measures how the arguments of periodic functions change along a motion, as angles: 2 pi rad a period. */
typedef struct mbs_period_meter mbs_period_meter;

/* Lists the periodic functions among the sources of `corners`. If it is NULL, lists those of events, of measures that
 * events read and, if there are events, of all laws. SEAM_NO_MEMORY. */
seam_status mbs_period_meter_create(const mbs_model *model, const mbs_corners *corners, mbs_period_meter **created,
                                    seam_error *error);
void mbs_period_meter_destroy(mbs_period_meter *self);
/* Returns true if the list has a periodic function or a periodic law of time. */
bool mbs_period_meter_has_functions(const mbs_period_meter *self);
/* Makes *state the state from which angles are measured. */
void mbs_period_meter_begin(mbs_period_meter *self, mbs_workspace *ws, const mbs_state *state);
/* Returns the largest angle, rad, from the state of mbs_period_meter_begin() to *state. */
double mbs_period_meter_read(mbs_period_meter *self, mbs_workspace *ws, const mbs_state *state);
/* Measures angles from the state at t, if the last mbs_period_meter_begin() or _read() was there; false: it was not. */
bool mbs_period_meter_advance(mbs_period_meter *self, double t);
/* Forgets the states of mbs_period_meter_begin() and mbs_period_meter_read(). */
void mbs_period_meter_reset(mbs_period_meter *self);

#endif
