/* Zeros of a function of time within a piece of a smooth motion, for events and for switches of modes. */
#ifndef MBS_ZEROS_H
#define MBS_ZEROS_H

#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"
#include "solvers/root.h"

/* A piece, at whose beginning f is on one side of zero, except for rounding. */
typedef struct mbs_piece {
  seam_root_function value, rate;
  double from, to; /* s */
  double f;        /* at `from` */
  double f_end;    /* at `to` */
  double side;     /* 1 or -1 */
  double noise;    /* f may be beyond zero by this much at `from` */
  bool has_rate;   /* its rate is exact: turns are found to rounding */
} mbs_piece;

/* Finds the time at which f turns on its way to zero and back, if both ends are on its side; *f_turn: f there. NaN:
 * there is none. */
seam_status mbs_piece_turn(const mbs_piece *piece, double *turn, double *f_turn, seam_error *error);

/* Finds the first floating-point number after the zero of f, which is beyond zero at `to`. */
seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error);

/* Returns the rate of the body that turns fastest, rad/s; v: rates of all bodies. */
double mbs_fastest_turn(const mbs_model *model, const double *v);
/* Doubles the number of pieces of a step from time t on, in which a body turns by up to `angle`, until none turns by
 * more than an eighth of a turn in a piece. SEAM_STEP_FAILED: too many pieces. */
seam_status mbs_divide_step(double t, double angle, int *n_pieces, seam_error *error);

/* Angles by which arguments of periodic functions turn along a motion. */
typedef struct mbs_turning mbs_turning;

/* Takes the periodic functions of a model: of its events, of the measures that they read, and of laws of force
 * elements. SEAM_NO_MEMORY. */
seam_status mbs_turning_create(const mbs_model *model, mbs_turning **created, seam_error *error);
void mbs_turning_destroy(mbs_turning *self);
/* Returns true if the model has periodic functions. */
bool mbs_may_turn(const mbs_turning *self);
/* Sets the state from which turns count. */
void mbs_turning_begin(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Returns the largest turn from that state to another, rad. */
double mbs_turning_to(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Sets that state to the one at t if it is stored, as the beginning or end of the last turn; returns true if so. */
bool mbs_turning_go_on(mbs_turning *self, double t);
void mbs_turning_forget(mbs_turning *self);

#endif
