/* Relative coordinates: scalar functions s(q) of the poses q = (x1, y1, φ1, x2, y2, φ2) of two bodies.
 *
 * A joint constrains a few coordinates to zero; an elastic element has a force law for each of a few coordinates. All
 * terms of an element in the equations of motion follow from its coordinates: J = ∂s/∂q, H = ∂²s/∂q², J̇ = H v = ∂(J
 * v)/∂q, T = ∂(vᵀ H v)/∂q. */
#ifndef MBS_KINEMATICS_H
#define MBS_KINEMATICS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/lanes.h"

/* Pose and velocity of a body. In the ground's frame all fields are zero except cos = 1. */
typedef struct mbs_frame {
  double x, y, phi;
  double cos, sin;
  double vx, vy, omega;
} mbs_frame;

typedef struct mbs_vector {
  double x, y;
} mbs_vector;

/* A pair of markers: the frames of two bodies, and a marker in each frame (ξ, η). */
typedef struct mbs_pair {
  const mbs_frame *frame[2];
  mbs_vector marker[2];
} mbs_pair;

typedef struct mbs_relative_coordinate {
  double s;
  double J[6];
  double Jdot[6];
} mbs_relative_coordinate;

typedef struct mbs_curvature {
  double H[6][6];
  double T[6];
} mbs_curvature;

/* Returns a pair of two bodies in an arbitrary pose and motion without symmetry: an entry of J that is zero for this
 * pair is zero in every pose. */
mbs_pair mbs_generic_pair(const mbs_vector marker[2]);

/* Coupling across a cut through an element. dim: the coupled coordinates of each marker (0: x, 1: y, 2: φ). wrench: the
 * transmitted components (0: f_x, 1: f_y, 2: torque on the first marker, 3: torque on the second marker, if it is not
 * the opposite of the first). */
typedef struct mbs_cut_traits {
  int n_dims, dim[3]; /* n_dims = 0: an element on one body, which cannot be cut */
  int n_wrench, wrench[4];
  bool is_affine; /* s and the wrench are affine in the coupled coordinates, unless the law is nonlinear */
} mbs_cut_traits;

/* Finds the frames (n) of n bodies at poses q (3n), (x, y, φ) each, with velocities v (3n). */
void mbs_frames_at(const double *q, const double *v, int n, mbs_frame *frames);
static inline mbs_frame mbs_frame_at(const double pose[3], const double rate[3]) {
  mbs_frame frame;
  mbs_frames_at(pose, rate, 1, &frame);
  return frame;
}

static inline mbs_vector mbs_rotate(const mbs_frame *f, mbs_vector a) {
  return (mbs_vector){f->cos * a.x - f->sin * a.y, f->sin * a.x + f->cos * a.y};
}
/* Returns a vector of global axes in the axes of a frame. */
static inline mbs_vector mbs_rotate_back(const mbs_frame *f, mbs_vector a) {
  return (mbs_vector){f->cos * a.x + f->sin * a.y, f->cos * a.y - f->sin * a.x};
}
static inline mbs_vector mbs_perp(mbs_vector a) { return (mbs_vector){-a.y, a.x}; }
static inline double mbs_dot(mbs_vector a, mbs_vector b) { return a.x * b.x + a.y * b.y; }
static inline double mbs_cross(mbs_vector a, mbs_vector b) { return a.x * b.y - a.y * b.x; }

/* Returns the product of a row (6), such as J, with the velocities (vx, vy, omega) of both bodies. */
static inline double mbs_row_rate(const double row[6], const mbs_pair *pair) {
  const mbs_frame *f1 = pair->frame[0];
  const mbs_frame *f2 = pair->frame[1];
  return row[0] * f1->vx + row[1] * f1->vy + row[2] * f1->omega + row[3] * f2->vx + row[4] * f2->vy +
         row[5] * f2->omega;
}
/* Returns the rate J v of a coordinate. */
static inline double mbs_relative_rate(const mbs_relative_coordinate *coordinate, const mbs_pair *pair) {
  return mbs_row_rate(coordinate->J, pair);
}
/* Returns vᵀ H v; the second rate of the coordinate is J a + vᵀ H v. */
static inline double mbs_relative_convection(const mbs_relative_coordinate *coordinate, const mbs_pair *pair) {
  return mbs_row_rate(coordinate->Jdot, pair);
}

void mbs_scale_coordinate(double factor, mbs_relative_coordinate *coordinate);
void mbs_scale_curvature(double factor, mbs_curvature *curvature);

/* Motion of a marker: x is (x, y, φ), its position and angle; v has the rates of x, and a the second rates. */
typedef struct mbs_motion {
  double x[3], v[3], a[3];
} mbs_motion;

/* Returns the motion of a marker on a body at r, φ with second rates a = (r̈, α) (NULL: the result has zeros for its
 * second rates). With p = R(φ) times the marker, its offset in global axes:
 *
 *   x = (r + p, φ)   v = (ṙ + ω p⊥, ω)   a = (r̈ + α p⊥ - ω² p, α) */
static inline mbs_motion mbs_marker_motion(const mbs_frame *f, mbs_vector marker, const double *a) {
  const mbs_vector p = mbs_rotate(f, marker);
  const double omega2 = f->omega * f->omega;
  mbs_motion m = {.x = {f->x + p.x, f->y + p.y, f->phi},
                  .v = {f->vx - f->omega * p.y, f->vy + f->omega * p.x, f->omega}};
  if (a != NULL) {
    m.a[0] = a[0] - a[2] * p.y - omega2 * p.x;
    m.a[1] = a[1] + a[2] * p.x - omega2 * p.y;
    m.a[2] = a[2];
  }
  return m;
}

/* The gap d = p2 - p1 from the first marker to the second: two coordinates, its x and y components in global axes. */
void mbs_relative_gap(const mbs_pair *pair, mbs_relative_coordinate coordinate[2]);
void mbs_curvature_gap(const mbs_pair *pair, mbs_curvature curvature[2]);

/* Does the same as mbs_rotate(), with x and y in one vector register. */
static inline seam_lanes mbs_arm(const mbs_frame *f, mbs_vector marker) {
  return (seam_lanes){f->cos, f->sin} * seam_lanes_of(marker.x) +
         (seam_lanes){-f->sin, f->cos} * seam_lanes_of(marker.y);
}

/* The gap as two scalar constraints g = d: G = J, γ = -vᵀ H v = a2 ω2² - a1 ω1², with the markers' offsets a1, a2 from
 * the centres of mass in global axes. */
static inline void mbs_constrain_gap(const mbs_pair *pair, double g[2], double G[2][6], double gamma[2]) {
  const mbs_frame *f1 = pair->frame[0];
  const mbs_frame *f2 = pair->frame[1];
  const seam_lanes a1 = mbs_arm(f1, pair->marker[0]);
  const seam_lanes a2 = mbs_arm(f2, pair->marker[1]);
  const seam_lanes w1 = seam_lanes_of(f1->omega);
  const seam_lanes w2 = seam_lanes_of(f2->omega);
  seam_lanes_store(g, (seam_lanes){f2->x, f2->y} + a2 - (seam_lanes){f1->x, f1->y} - a1);
  seam_lanes_store(gamma, a2 * w2 * w2 - a1 * w1 * w1);
  G[0][0] = -1, G[0][1] = 0, G[0][2] = a1[1], G[0][3] = 1, G[0][4] = 0, G[0][5] = -a2[1];
  G[1][0] = 0, G[1][1] = -1, G[1][2] = -a1[0], G[1][3] = 0, G[1][4] = 1, G[1][5] = a2[0];
}

/* Component e · d of the gap along a unit vector e fixed in global axes. */
void mbs_relative_along(const mbs_pair *pair, mbs_vector e, mbs_relative_coordinate *coordinate);
void mbs_curvature_along(const mbs_pair *pair, mbs_vector e, mbs_curvature *curvature);

/* Component e · d of the gap along a unit vector e fixed on the first body; `local` is e in that body's frame. */
void mbs_relative_along_body(const mbs_pair *pair, mbs_vector local, mbs_relative_coordinate *coordinate);
void mbs_curvature_along_body(const mbs_pair *pair, mbs_vector local, mbs_curvature *curvature);

/* Distance |d| of the markers. J and J̇ are not finite where the markers coincide. */
void mbs_relative_distance(const mbs_pair *pair, mbs_relative_coordinate *coordinate);
void mbs_curvature_distance(const mbs_pair *pair, mbs_curvature *curvature);

/* Angle from the x axis of the first body to d, within ±π. */
void mbs_relative_chord(const mbs_pair *pair, mbs_relative_coordinate *coordinate);
void mbs_curvature_chord(const mbs_pair *pair, mbs_curvature *curvature);

/* Mesh of two wheels of radii r1 and r2: s = r2 (φ2 - θ) - r1 (φ1 - θ), θ: direction of d. A full revolution of d
 * changes s by 2π (r2 - r1), and this function does not count revolutions: it returns the possible value of s that is
 * nearest to `near`. */
void mbs_relative_mesh(const mbs_pair *pair, const double r[2], double near, mbs_relative_coordinate *coordinate);
void mbs_curvature_mesh(const mbs_pair *pair, const double r[2], mbs_curvature *curvature);

/* A strand of a belt or cable: a straight segment along a common tangent of two discs that wind it up or unwind it. */
/* Returns l(d), the part of a strand's stretch that depends only on the distance d of the centres (kinematics.c). The
 * radii have opposite signs if the strand crosses the line of centres. */
double mbs_strand_span(const double radius[2], double distance);

/* Finds n stretches: l(d) + mesh for the strand on the right of the line of centres, then l(d) - mesh for the left one.
 * mesh: length, m, by which rotation of the discs stretches the right strand (mbs_relative_mesh()). */
void mbs_strand_coordinates(const mbs_pair *pair, const double radius[2], const mbs_relative_coordinate *mesh, int n,
                            mbs_relative_coordinate *stretch);
/* Finds the curvatures of the n stretches for the mesh of mbs_curvature_mesh(). */
void mbs_strand_curvatures(const mbs_pair *pair, const double radius[2], int n, mbs_curvature *curvature);

/* Relative angle φ2 - φ1; its curvature is zero. */
void mbs_relative_angle(const mbs_pair *pair, mbs_relative_coordinate *coordinate);

#endif
