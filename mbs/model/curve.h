/* Plane curves c(s), and the signed distance φ of a point p from a curve, positive on its left. ∂ are derivatives by p.
 *
 * The foot is the point of the curve nearest to p. There t is the direction of the curve, and n = t⊥ is t rotated to
 * the left by π/2. κ is the curvature (c'' = κ n by arc length):
 *
 *   φ = n · (p - c),  ∂φ = n,  ∂²φ = b t tᵀ,  ∂n = b t tᵀ,  ∂t = -b n tᵀ
 *   b = -κ/(1 - κ φ),  ∂b/∂n = -b²,  ∂b/∂t = -κ'/(1 - κ φ)³,  κ' by arc length
 *
 * ∂b/∂n and ∂b/∂t are derivatives for motions of p along n and t. If the foot is a corner or an end, φ = ± |p - c|,
 * n = (p - c)/φ, b = 1/φ, ∂b/∂t = 0. */
#ifndef MBS_CURVE_H
#define MBS_CURVE_H

#include <seam/curves.h>

#include "mbs/model/kinematics.h"

/* A smooth section of a curve. Its direction changes little; its points are nearer than `bulge` to its chord. */
typedef struct mbs_arc {
  double s[2];
  mbs_vector end[2], t[2]; /* positions and directions at both ends, as limits from inside the arc */
  double bulge;
  double before, direction_change; /* m, rad: length and change of direction of the curve before this arc */
  mbs_vector near[6]; /* coefficients of a polynomial in u = (s - s[0])/(s[1] - s[0]) with the c, c', c'' of the arc at
                         both ends */
} mbs_arc;

typedef struct mbs_box {
  mbs_vector low, high;
} mbs_box;

typedef struct mbs_curve {
  char *name;
  seam_law x, y;
  double from, to;
  bool is_closed;
  double size;              /* m, diagonal of the curve's box */
  double length;            /* m */
  double inside;            /* closed curve: 1 if its inside is on its left, -1 on its right */
  double curvature[2];      /* least and largest curvature, 1/m */
  double s_of_curvature[2]; /* s of the least and the largest curvature */
  double corner[2]; /* s of a corner where the curve bends [0] to the right, [1] to the left; NaN: there is none */
  int n_arcs;
  size_t capacity; /* of arcs */
  mbs_arc *arcs;   /* (n_arcs) in ascending order of s */
  mbs_box *boxes;  /* (2 n_arcs - 1) tree in preorder: a box of consecutive arcs, then the trees of their first and
                      second half */
} mbs_curve;

/* Point c of a curve, and the derivatives c' and c'' by s. */
typedef struct mbs_curve_point {
  mbs_vector c, d, dd;
} mbs_curve_point;

typedef enum mbs_foot_kind { MBS_ON_ARC, MBS_AT_CORNER, MBS_BEYOND_END } mbs_foot_kind;

/* Foot of a point p on a curve, with φ, n, t and b there. */
typedef struct mbs_foot {
  mbs_foot_kind kind;
  int arc;
  double s;
  double distance; /* φ, but |p - c| if p is beyond an end of the curve */
  mbs_vector n, t;
  double b;
} mbs_foot;

mbs_curve_point mbs_curve_point_at(const mbs_curve *curve, int arc, double s);
/* Returns the third derivative by s. */
mbs_vector mbs_curve_third(const mbs_curve *curve, int arc, double s);

static inline void mbs_destroy_law(const seam_law *law) {
  if (law->destroy != NULL)
    law->destroy(law->data);
}

/* SEAM_BAD_INPUT, SEAM_NO_MEMORY. On success the curve owns the laws. */
seam_status mbs_curve_create(const mbs_curve_def *def, mbs_curve **created, seam_error *error);
void mbs_curve_destroy(mbs_curve *curve);

/* Returns the point of the curve that is nearest to `p`. */
mbs_foot mbs_curve_foot(const mbs_curve *curve, mbs_vector p);

/* Returns the arc length, m, from the start of the curve to a foot; *direction_change: change of the curve's direction
 * up to the foot, rad. */
double mbs_curve_arc_length(const mbs_curve *curve, const mbs_foot *foot, double *direction_change);

/* A curve fixed on the first body of a pair, and one of its sides (1: left, -1: right). The coordinate of the pair is
 * `side` times φ of the second marker. If `ends_at_end` is true, the coordinate is NaN beyond the ends of the curve. */
typedef struct mbs_curve_side {
  const mbs_curve *curve;
  double side;
  bool ends_at_end;
} mbs_curve_side;
mbs_foot mbs_curve_foot_of(const mbs_pair *pair, const mbs_curve_side *of);
void mbs_relative_to_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_relative_coordinate *coordinate);
void mbs_curvature_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_curvature *curvature);

#endif
