/* Zeros of a function of time within a piece of a smooth motion, for events and for switches of modes. */
#ifndef MBS_ZEROS_H
#define MBS_ZEROS_H

#include <seam/mbs.h>

#include "mbs/thresholds.h"
#include "solvers/root.h"

/* f(t) on one side of zero, but for rounding, where the piece begins. */
typedef struct mbs_piece {
  seam_root_function value, rate;
  double from, to; /* s */
  double f;        /* at `from` */
  double f_end;    /* at `to` */
  double side;     /* 1 or -1 */
  double noise;    /* f may be beyond zero by that where the piece begins, and still be on its side */
  bool has_rate;   /* its rate is no difference quotient: turns are found to rounding */
} mbs_piece;

/* Finds the turn of f on its way to zero and back, on its side at both ends; f is *f_turn there. NaN: there is none. */
seam_status mbs_piece_turn(const mbs_piece *piece, double *turn, double *f_turn, seam_error *error);

/* The first number behind the zero of f, which has left its side at `to`. */
seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error);

/* rad/s, of the body that turns fastest; v: rates of all bodies. */
double mbs_fastest_turn(const mbs_model *model, const double *v);
/* Doubles the number of pieces of a step from time t on, in which a body turns by up to `angle`, until none turns by
 * more than an eighth of a turn in a piece. SEAM_STEP_FAILED: these are too many. */
seam_status mbs_divide_step(double t, double angle, int *n_pieces, seam_error *error);

#endif
