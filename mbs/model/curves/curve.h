/* Plane curves c(s), and the signed distance φ of a place from one, positive on its left.
 *
 * With t the direction of the curve, n = t⊥, κ its curvature (c'' = κ n by arc length) at the foot, the nearest point:
 *
 *   φ = n · (p - c),  ∂φ = n,  ∂²φ = b t tᵀ,  ∂n = b t tᵀ,  ∂t = -b n tᵀ
 *   b = -κ/(1 - κ φ),  ∂b/∂n = -b²,  ∂b/∂t = -κ'/(1 - κ φ)³,  κ' by arc length
 *
 * Where the nearest point is a corner or an end, φ = ± |p - c|, n = (p - c)/φ, b = 1/φ, ∂b/∂t = 0. */
#ifndef MBS_CURVE_H
#define MBS_CURVE_H

#include <seam/curves.h>

#include "mbs/model/kinematics.h"

/* A piece of a curve, smooth and hardly bent: it lies within `bulge` of its chord. */
typedef struct mbs_arc {
  double s[2];
  mbs_vector end[2], t[2]; /* places and directions at both ends, seen from the inside */
  double bulge;
  double before, turned; /* m, rad: of the curve from its beginning up to the arc's */
  mbs_vector near[6]; /* coefficients of the polynomial in (s - s0)/(s1 - s0) with the same place, c' and c'' at both */
} mbs_arc;

typedef struct mbs_box {
  mbs_vector low, high;
} mbs_box;

typedef struct mbs_curve {
  char *name;
  seam_law x, y;
  double from, to;
  bool is_closed;
  double size;      /* m, of its box */
  double length;    /* m */
  double inside;    /* 1: what a closed one encloses is on its left, -1: on its right */
  double bend[2];   /* least and largest curvature, 1/m ... */
  double bent[2];   /* ... and their s */
  double corner[2]; /* s of a corner to the right, to the left; NaN: there is none */
  int n_arcs;
  mbs_arc *arcs;  /* (n_arcs) in the order of s */
  mbs_box *boxes; /* (2 n_arcs - 1) of a tree: a node, those of the first half of its arcs, those of the other half */
} mbs_curve;

/* Place and derivatives by s within an arc. */
typedef struct mbs_curve_point {
  mbs_vector c, d, dd;
} mbs_curve_point;

typedef enum mbs_foot_kind { MBS_ON_ARC, MBS_AT_CORNER, MBS_BEYOND_END } mbs_foot_kind;

/* The foot of a place on a curve, and φ and its derivatives there. */
typedef struct mbs_foot {
  mbs_foot_kind kind;
  int arc;
  double s;
  double distance; /* φ; positive beyond an end */
  mbs_vector n, t;
  double b;
} mbs_foot;

mbs_curve_point mbs_curve_point_at(const mbs_curve *curve, int arc, double s);
/* Third derivative by s. */
mbs_vector mbs_curve_third(const mbs_curve *curve, int arc, double s);
double mbs_curve_bend(const mbs_curve_point *point); /* κ */

/* SEAM_BAD_INPUT, SEAM_NO_MEMORY; takes the laws when it succeeds. */
seam_status mbs_curve_create(const mbs_curve_def *def, mbs_curve **created, seam_error *error);
void mbs_curve_destroy(mbs_curve *curve);

/* The nearest point of all the curve. */
mbs_foot mbs_curve_foot(const mbs_curve *curve, mbs_vector place);
/* ∂b/∂t there. */
double mbs_foot_slope(const mbs_curve *curve, const mbs_foot *foot);

/* Its arc length from the beginning up to a foot, and the angle by which it has turned up to there. */
double mbs_curve_way(const mbs_curve *curve, const mbs_foot *foot, double *turned);
/* Measures the arcs for that: lengths and turns from the beginning of the curve. */
void mbs_curve_measure_arcs(mbs_curve *curve);

/* φ of the second marker, multiplied by side (1 or -1), in the frame of the first, as a measure. NaN beyond the ends
 * where `ends_at_end`. */
typedef struct mbs_curve_side {
  const mbs_curve *curve;
  double side;
  bool ends_at_end;
} mbs_curve_side;
mbs_foot mbs_curve_foot_of(const mbs_pair *pair, const mbs_curve_side *of);
void mbs_measure_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_measure *measure);
void mbs_curvature_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_curvature *curvature);

#endif
