/* Finds zeros of a function f(t) within a piece of a smooth motion, for events and for switches of modes. */
#ifndef MBS_ZEROS_H
#define MBS_ZEROS_H

#include "mbs/integrate/corners.h"
#include "mbs/thresholds.h"
#include "solvers/root.h"

/* A piece of the motion. At its beginning f is on one side of zero, up to round-off. */
typedef struct mbs_piece {
  seam_root_function value, rate;
  double from, to; /* s */
  double f;        /* f at `from` */
  double f_end;    /* f at `to` */
  double side;     /* 1 or -1: side of zero on which f begins */
  double noise;    /* round-off of f: at `from` it may be this far on the other side */
  bool has_rate;   /* `rate` is exact: extrema are found to rounding */
} mbs_piece;

/* Finds the extremum at which f, moving towards zero, turns back; at both ends of the piece f must be on the side
 * `side`. *turn: its time, *f_turn: f there. NaN: there is none. */
seam_status mbs_piece_turn(const mbs_piece *piece, double *turn, double *f_turn, seam_error *error);

/* Finds the first floating-point number *t after the first zero of f; at `to` f must be on the other side. */
seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error);

/* Marks the bodies (n) whose rotation within a step may give a function of these quantities several zeros. A body's own
 * quantities, such as phi, count only if the function is or may be periodic: it has turning(), or no corners(). */
void mbs_mark_turning(const mbs_model *model, const mbs_readout *inputs, const mbs_function *function, bool *turns);
/* Returns the rate of the marked body that turns fastest, rad/s; v: rates of all bodies. */
double mbs_fastest_turn(const mbs_model *model, const bool *turns, const double *v);
/* Returns the longest step, s, that mbs_divide_step() can divide at this rate, rad/s, even if the rate grows in it. */
static inline double mbs_step_beside_turn(double rate) {
  return MBS_MAX_PIECES * mbs_turn_of_piece / (mbs_growth_of_turn * rate);
}
/* Doubles the number of pieces of a step in which a body turns by up to `angle`, until it turns by at most an eighth of
 * a turn in a piece. SEAM_STEP_FAILED: too many pieces; the message has the time t. */
seam_status mbs_divide_step(double t, double angle, int *n_pieces, seam_error *error);

/* Measures how far the arguments of periodic functions move along a motion, as an angle: 2 pi for each period. */
typedef struct mbs_turning mbs_turning;

/* Lists the periodic functions among the sources of these corners; corners NULL: those of events, of the measures that
 * events read, and of laws of force elements. SEAM_NO_MEMORY. */
seam_status mbs_turning_create(const mbs_model *model, const mbs_corners *corners, mbs_turning **created,
                               seam_error *error);
void mbs_turning_destroy(mbs_turning *self);
/* Returns true if there are periodic functions. */
bool mbs_may_turn(const mbs_turning *self);
/* Sets the state from which angles are measured. */
void mbs_turning_begin(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Returns the largest angle from that state to another, rad. */
double mbs_turning_to(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Measures later angles from the state at t, which is the state from which they are measured now, or the last one given
 * to mbs_turning_to(). Returns false if neither is at t. */
bool mbs_turning_go_on(mbs_turning *self, double t);
/* Forgets both states. */
void mbs_turning_forget(mbs_turning *self);

/* Returns the largest rate, rad/s, at which something turns in the conditions of events: of a body at the end of the
 * motion searched so far, or the mean rate of the argument of a periodic function over its last piece. 0: nothing
 * turns, or it is not known. */
double mbs_events_turning(const mbs_events *self);

#endif
