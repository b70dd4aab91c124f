/* Arc length from the start of a curve to a foot, and the angle by which the curve turns up to there. Both are
 * continuous, except for one turn of a closed curve. Gauss's rule finds lengths of arcs to round-off. */
#include "mbs/model/curves/curve.h"

#include <math.h>

/* Returns the length of an arc from its start to s. */
static double length_to(const mbs_curve *curve, int arc, double s) {
  enum { HALF = 4 };
  static const double node[HALF] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  static const double weight[HALF] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  const double from = curve->arcs[arc].s[0];
  const double half = (s - from) / 2;
  double sum = 0;
  for (int i = 0; i < 2 * HALF; i++) {
    const double shift = (i < HALF ? -1 : 1) * node[i % HALF];
    const mbs_vector d = mbs_curve_point_at(curve, arc, from + half * (1 + shift)).d;
    sum += weight[i % HALF] * hypot(d.x, d.y);
  }
  return half * sum;
}

static double angle_from(mbs_vector a, mbs_vector b) { return atan2(mbs_cross(a, b), mbs_dot(a, b)); }

void mbs_curve_measure_arcs(mbs_curve *curve) {
  double length = 0;
  double turned = 0;
  for (int i = 0; i < curve->n_arcs; i++) {
    mbs_arc *arc = &curve->arcs[i];
    const mbs_arc *next = &curve->arcs[(i + 1) % curve->n_arcs];
    arc->before = length;
    arc->turned = turned;
    length += length_to(curve, i, arc->s[1]);
    turned += angle_from(arc->t[0], arc->t[1]) + angle_from(arc->t[1], next->t[0]);
  }
  curve->length = length;
}

double mbs_curve_way(const mbs_curve *curve, const mbs_foot *foot, double *turned) {
  const mbs_arc *arc = &curve->arcs[foot->arc];
  *turned = arc->turned + angle_from(arc->t[0], foot->t);
  return arc->before + length_to(curve, foot->arc, foot->s);
}
