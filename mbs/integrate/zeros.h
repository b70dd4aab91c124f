/* Finds zeros of a function f(t) within a piece of a smooth motion, for events and for switches of modes. */
#ifndef MBS_ZEROS_H
#define MBS_ZEROS_H

#include "mbs/integrate/corners.h"
#include "mbs/thresholds.h"
#include "solvers/root.h"

/* A piece of the motion, and the function f. Up to round-off, f begins on the given side of zero. */
typedef struct mbs_piece {
  seam_root_function value, rate;
  double from, to; /* s */
  double f;        /* f at `from` */
  double f_end;    /* f at `to` */
  double side;     /* 1 or -1: side of zero on which f begins */
  double noise;    /* round-off of f: at `from` f may be beyond zero by this */
  bool has_rate;   /* `rate` is exact, not a difference quotient: extrema are found to rounding */
} mbs_piece;

/* Finds the extremum of f between a rate that leads towards zero at the beginning of the piece and one that leads away
 * from zero at its end. At both ends f must be on the side `side`. *turn: time of the extremum, NaN: there is none;
 * *f_turn: f there, on either side of zero. */
seam_status mbs_piece_turn(const mbs_piece *piece, double *turn, double *f_turn, seam_error *error);

/* Finds the first floating-point number *t after the first zero of f in the piece; f must be beyond zero at `to`.
 * Earlier pairs of zeros may be missed, see zeros.c. If f never leaves its noise, *t is `from`. */
seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error);

/* Marks in `turns` (n_bodies) the bodies on which these quantities depend, and whose rotation within a step may
 * therefore give the function several zeros; other bodies keep their marks. Skips a quantity of a body itself, such as
 * phi, unless it is an acceleration, if the function is not periodic: it has corners(), but no turning(), or is the
 * quantity alone. Marks all bodies if the function depends on accelerations, multipliers, loads or quantities of the
 * whole mechanism. */
void mbs_mark_turning(const mbs_model *model, const mbs_readout *inputs, const mbs_function *function, bool *turns);
/* Returns the largest |omega| of the marked bodies, rad/s; v (3n): velocities of all bodies. */
double mbs_fastest_turn(const mbs_model *model, const bool *turns, const double *v);
/* Returns the longest step, s, that mbs_divide_step() can divide if a body turns at `rate`, rad/s, at its beginning and
 * the rate grows by up to mbs_growth_of_turn in it. */
static inline double mbs_step_beside_turn(double rate) {
  return MBS_MAX_PIECES * mbs_turn_of_piece / (mbs_growth_of_turn * rate);
}
/* Doubles *n_pieces, the number of pieces of a step in which a body turns by `angle`, rad, until it turns by at most an
 * eighth of a turn in each piece. SEAM_STEP_FAILED: too many pieces; t is the time for the message. */
seam_status mbs_divide_step(double t, double angle, int *n_pieces, seam_error *error);

/* Measures how far the arguments of periodic functions move along a motion, as an angle: 2 pi for each period. */
typedef struct mbs_turning mbs_turning;

/* Lists the periodic functions whose arguments are to be measured: among the sources of these corners or, if `corners`
 * is NULL, those of events, of the measures that events read, and of laws of force elements. SEAM_NO_MEMORY. */
seam_status mbs_turning_create(const mbs_model *model, const mbs_corners *corners, mbs_turning **created,
                               seam_error *error);
void mbs_turning_destroy(mbs_turning *self);
/* Returns true if there are periodic functions. */
bool mbs_may_turn(const mbs_turning *self);
/* Makes *state, at its time t, the state from which angles are measured. */
void mbs_turning_begin(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Returns the largest angle from that state to another, rad. */
double mbs_turning_to(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Makes the state at t the state from which angles are measured, if it is the last one given to mbs_turning_begin() or
 * mbs_turning_to(). Returns false if neither of these is at t. */
bool mbs_turning_go_on(mbs_turning *self, double t);
/* Forgets both states. */
void mbs_turning_forget(mbs_turning *self);

/* Returns the largest rate, rad/s, at which the conditions of events turn: the rate of a body at the end of the motion
 * searched so far, or the mean rate of the argument of a periodic function over the last piece. 0: nothing turns, or
 * the rate is not known. */
double mbs_events_turning(const mbs_events *self);

#endif
