/* The ITP method (solvers/root.c) narrows a piece in which f leaves its side to the last digits of the time. Where f is
 * on its side at both ends, but its rate leads towards zero at the beginning and away from it at the end, the same
 * method finds the turn of f, a zero of its rate. */
#include "mbs/zeros.h"

#include <float.h>
#include <math.h>

static double resolution_at(double t) { return DBL_EPSILON * fabs(t); }

seam_status mbs_piece_turn(const mbs_piece *piece, double *turn, double *f_turn, seam_error *error) {
  seam_bracket in = {.a = piece->from, .b = piece->to};
  *turn = *f_turn = NAN;
  seam_status status = piece->rate.value(piece->rate.context, in.a, &in.fa, error);
  if (status == SEAM_OK && piece->side * in.fa < 0)
    status = piece->rate.value(piece->rate.context, in.b, &in.fb, error);
  if (status != SEAM_OK || !(piece->side * in.fa < 0 && piece->side * in.fb > 0))
    return status;
  status = seam_find_root(&piece->rate, mbs_piece_shift * (in.b - in.a), &in, error);
  *turn = in.b;
  return status == SEAM_OK ? piece->value.value(piece->value.context, in.b, f_turn, error) : status;
}

/* At the beginning f may be beyond zero by rounding, though it leads away: a place where it is not is looked for closer
 * and closer, since what bounces may come back soon. */
static seam_status leave_rounding(const mbs_piece *piece, seam_bracket *in, seam_error *error) {
  const double width = piece->to - piece->from;
  seam_status status = SEAM_OK;
  for (double part = mbs_piece_shift; status == SEAM_OK && !(piece->side * in->fa > 0); part /= 8) {
    if (!(part * width > 4 * resolution_at(piece->to)))
      return SEAM_OK;
    in->a = piece->from + part * width;
    status = piece->value.value(piece->value.context, in->a, &in->fa, error);
  }
  return status;
}

seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error) {
  seam_bracket in = {.a = piece->from, .b = piece->to, .fa = piece->f, .fb = piece->f_end};
  seam_status status = leave_rounding(piece, &in, error);
  *t = piece->from;
  if (status != SEAM_OK || !(piece->side * in.fa > 0))
    return status;
  status = seam_find_root(&piece->value, resolution_at(in.b), &in, error);
  *t = in.b;
  return status;
}
