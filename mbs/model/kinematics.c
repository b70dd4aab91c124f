/* Relative coordinates. r_i is the centre of mass of body i, m_i a marker's position in its frame, and a_i = R(φ_i) m_i
 * the marker's offset from r_i. ∂ are derivatives by q. With a⊥ = (-a_y, a_x), da/dφ = a⊥ and da⊥/dφ = -a:
 *
 *   gap       d = r2 + a2 - r1 - a1          ∂d = (-I, -a1⊥, I, a2⊥)     ∂²d/∂φ1² = a1,  ∂²d/∂φ2² = -a2
 *             ḋ = ṙ2 + ω2 a2⊥ - ṙ1 - ω1 a1⊥
 *   along     s = e · d, e fixed             J = e · ∂d
 *   in body   s = e · (w - a1), w = r2 + a2 - r1, e = R(φ1) e°, e° fixed; e · a1 is constant
 *             J = (-e, e⊥ · w, e, e · a2⊥)
 *   distance  s = |d|, u = d / s             J = u · ∂d,  u̇ = (ḋ - u (u · ḋ)) / s
 *   chord     s = angle(d) - φ1 - angle(e°), n = u⊥:  J = n · ∂d / s_d - ∂φ1, s_d = |d|
 *   angle     s = φ2 - φ1
 *   mesh      s = ρ2 angle - (ρ2 - ρ1) chord, with radii ρ1, ρ2, e° = (1, 0): the chord is the angle of d less φ1
 *   strand    s = l(D) ± mesh,  l = √(D² - δ²) - δ acos(δ/D),  l' = √(D² - δ²)/D,  δ = |ρ1 - ρ2|, D = |d|
 *
 * Planar kinematics as in any textbook on multibody dynamics (for example Nikravesh, Planar Multibody Dynamics). */
#include "mbs/model/kinematics.h"

#include <math.h>
#include <string.h>

#include "base/sines.h"

enum { X1, Y1, PHI1, X2, Y2, PHI2 };

void mbs_frames_at(const double *q, const double *v, int n, mbs_frame *frames) {
  for (int i = 0; i < n; i += 2, q += 6, v += 6) {
    const bool has_next = i + 1 < n;
    seam_lanes sine;
    seam_lanes cosine;
    seam_sines((seam_lanes){q[2], has_next ? q[5] : 0}, &sine, &cosine);
    frames[i] = (mbs_frame){q[0], q[1], q[2], cosine[0], sine[0], v[0], v[1], v[2]};
    if (has_next)
      frames[i + 1] = (mbs_frame){q[3], q[4], q[5], cosine[1], sine[1], v[3], v[4], v[5]};
  }
}

void mbs_scale_coordinate(double factor, mbs_relative_coordinate *coordinate) {
  coordinate->s *= factor;
  for (int i = 0; i < 6; i++) {
    coordinate->J[i] *= factor;
    coordinate->Jdot[i] *= factor;
  }
}

void mbs_scale_curvature(double factor, mbs_curvature *curvature) {
  for (int i = 0; i < 6; i++) {
    curvature->T[i] *= factor;
    for (int j = 0; j < 6; j++)
      curvature->H[i][j] *= factor;
  }
}

typedef struct arms {
  mbs_vector a1, a2;    /* offsets of the markers from the centres of mass, global axes */
  mbs_vector d, d_rate; /* gap and its rate */
  double omega1, omega2;
} arms;

static arms arms_of(const mbs_pair *pair) {
  const mbs_frame *f1 = pair->frame[0];
  const mbs_frame *f2 = pair->frame[1];
  arms r = {.a1 = mbs_rotate(f1, pair->marker[0]),
            .a2 = mbs_rotate(f2, pair->marker[1]),
            .omega1 = f1->omega,
            .omega2 = f2->omega};
  r.d.x = f2->x + r.a2.x - f1->x - r.a1.x;
  r.d.y = f2->y + r.a2.y - f1->y - r.a1.y;
  r.d_rate.x = f2->vx - f2->omega * r.a2.y - f1->vx + f1->omega * r.a1.y;
  r.d_rate.y = f2->vy + f2->omega * r.a2.x - f1->vy - f1->omega * r.a1.x;
  return r;
}

/* ---- Along a direction e fixed in global axes; e = (1, 0) and (0, 1) give the gap ---- */

static inline void along(const arms *r, mbs_vector e, double s, mbs_relative_coordinate *m) {
  *m = (mbs_relative_coordinate){
      .s = s,
      .J = {-e.x, -e.y, -mbs_dot(e, mbs_perp(r->a1)), e.x, e.y, mbs_dot(e, mbs_perp(r->a2))},
      .Jdot = {[PHI1] = mbs_dot(e, r->a1) * r->omega1, [PHI2] = -mbs_dot(e, r->a2) * r->omega2},
  };
}

static void curve_along(const arms *r, mbs_vector e, mbs_curvature *c) {
  memset(c, 0, sizeof *c);
  c->H[PHI1][PHI1] = mbs_dot(e, r->a1);
  c->H[PHI2][PHI2] = -mbs_dot(e, r->a2);
  c->T[PHI1] = mbs_dot(e, mbs_perp(r->a1)) * r->omega1 * r->omega1;
  c->T[PHI2] = -mbs_dot(e, mbs_perp(r->a2)) * r->omega2 * r->omega2;
}

void mbs_relative_gap(const mbs_pair *pair, mbs_relative_coordinate coordinate[2]) {
  const arms r = arms_of(pair);
  along(&r, (mbs_vector){1, 0}, r.d.x, &coordinate[0]);
  along(&r, (mbs_vector){0, 1}, r.d.y, &coordinate[1]);
}

void mbs_curvature_gap(const mbs_pair *pair, mbs_curvature curvature[2]) {
  const arms r = arms_of(pair);
  curve_along(&r, (mbs_vector){1, 0}, &curvature[0]);
  curve_along(&r, (mbs_vector){0, 1}, &curvature[1]);
}

mbs_pair mbs_generic_pair(const mbs_vector marker[2]) {
  static const mbs_frame frames[2] = {
      {.x = 0.3, .y = -0.7, .phi = 0.4, .cos = 0.6, .sin = 0.8, .vx = 0.7, .vy = 0.9, .omega = -0.6},
      {.x = -1.1, .y = 0.9, .phi = 1.3, .cos = 0.28, .sin = 0.96, .vx = -0.4, .vy = 1.2, .omega = 0.8}};
  return (mbs_pair){{&frames[0], &frames[1]}, {marker[0], marker[1]}};
}

void mbs_relative_along(const mbs_pair *pair, mbs_vector e, mbs_relative_coordinate *coordinate) {
  const arms r = arms_of(pair);
  along(&r, e, mbs_dot(e, r.d), coordinate);
}

void mbs_curvature_along(const mbs_pair *pair, mbs_vector e, mbs_curvature *curvature) {
  const arms r = arms_of(pair);
  curve_along(&r, e, curvature);
}

/* ---- Along a direction fixed on the first body ---- */

typedef struct body_axis {
  mbs_vector e, n;      /* direction and its perpendicular n = e⊥, in global axes */
  mbs_vector w, w_rate; /* vector from the first centre of mass to the second marker, and its rate */
  double e_a2, n_a2;    /* e · a2 and n · a2 */
} body_axis;

static body_axis body_axis_of(const mbs_pair *pair, mbs_vector local, const arms *r) {
  const mbs_vector e = mbs_rotate(pair->frame[0], local);
  const mbs_vector n = mbs_perp(e);
  return (body_axis){
      .e = e,
      .n = n,
      .w = {r->d.x + r->a1.x, r->d.y + r->a1.y},
      .w_rate = {r->d_rate.x - r->omega1 * r->a1.y, r->d_rate.y + r->omega1 * r->a1.x},
      .e_a2 = mbs_dot(e, r->a2),
      .n_a2 = mbs_dot(n, r->a2),
  };
}

void mbs_relative_along_body(const mbs_pair *pair, mbs_vector local, mbs_relative_coordinate *coordinate) {
  const arms r = arms_of(pair);
  const body_axis k = body_axis_of(pair, local, &r);
  const double w1 = r.omega1;
  *coordinate = (mbs_relative_coordinate){
      .s = mbs_dot(k.e, r.d),
      .J = {-k.e.x, -k.e.y, mbs_dot(k.n, k.w), k.e.x, k.e.y, -k.n_a2},
      .Jdot = {-w1 * k.n.x, -w1 * k.n.y, mbs_dot(k.n, k.w_rate) - w1 * mbs_dot(k.e, k.w), w1 * k.n.x, w1 * k.n.y,
               (w1 - r.omega2) * k.e_a2},
  };
}

void mbs_curvature_along_body(const mbs_pair *pair, mbs_vector local, mbs_curvature *c) {
  const arms r = arms_of(pair);
  const body_axis k = body_axis_of(pair, local, &r);
  const double w1 = r.omega1;
  const double w2 = r.omega2;
  memset(c, 0, sizeof *c);
  c->H[X1][PHI1] = c->H[PHI1][X1] = -k.n.x;
  c->H[Y1][PHI1] = c->H[PHI1][Y1] = -k.n.y;
  c->H[X2][PHI1] = c->H[PHI1][X2] = k.n.x;
  c->H[Y2][PHI1] = c->H[PHI1][Y2] = k.n.y;
  c->H[PHI1][PHI1] = -mbs_dot(k.e, k.w);
  c->H[PHI1][PHI2] = c->H[PHI2][PHI1] = k.e_a2;
  c->H[PHI2][PHI2] = -k.e_a2;
  /* vᵀ H v = 2 ω1 n · ẇ - ω1² e · w - ω2² e · a2 */
  c->T[X1] = w1 * w1 * k.e.x;
  c->T[Y1] = w1 * w1 * k.e.y;
  c->T[X2] = -w1 * w1 * k.e.x;
  c->T[Y2] = -w1 * w1 * k.e.y;
  c->T[PHI1] = -2 * w1 * mbs_dot(k.e, k.w_rate) - w1 * w1 * mbs_dot(k.n, k.w) - w2 * w2 * k.n_a2;
  c->T[PHI2] = (w1 - w2) * (w1 - w2) * k.n_a2;
}

/* ---- Distance ---- */

void mbs_relative_distance(const mbs_pair *pair, mbs_relative_coordinate *coordinate) {
  const arms r = arms_of(pair);
  const double s = hypot(r.d.x, r.d.y);
  const mbs_vector u = {r.d.x / s, r.d.y / s};
  const double stretch = mbs_dot(u, r.d_rate);
  const mbs_vector u_rate = {(r.d_rate.x - u.x * stretch) / s, (r.d_rate.y - u.y * stretch) / s};
  mbs_relative_coordinate turning;
  along(&r, u, s, coordinate);
  along(&r, u_rate, 0, &turning);
  for (int i = 0; i < 6; i++)
    coordinate->Jdot[i] += turning.J[i];
}

/* Chord d, s = |d|, u = d / s, n = u⊥: ∂u = n (n · ∂d) / s, ∂n = -u (n · ∂d) / s, ∂s = u · ∂d. */
typedef struct chord {
  double s;
  mbs_vector u, n;
  mbs_vector b;                           /* a1 ω1² - a2 ω2² */
  double stretch, transverse;             /* u · ḋ, n · ḋ */
  mbs_relative_coordinate radial, normal; /* derivatives of u · d and n · d with u and n fixed */
} chord;

static chord chord_of(const arms *r) {
  chord c = {.s = hypot(r->d.x, r->d.y),
             .b = {r->a1.x * r->omega1 * r->omega1 - r->a2.x * r->omega2 * r->omega2,
                   r->a1.y * r->omega1 * r->omega1 - r->a2.y * r->omega2 * r->omega2}};
  c.u = (mbs_vector){r->d.x / c.s, r->d.y / c.s};
  c.n = mbs_perp(c.u);
  c.stretch = mbs_dot(c.u, r->d_rate);
  c.transverse = mbs_dot(c.n, r->d_rate);
  along(r, c.u, 0, &c.radial);
  along(r, c.n, 0, &c.normal);
  return c;
}

/* H = ∂dᵀ P ∂d / s + u · ∂²d, P = I - u uᵀ; vᵀ H v = (|ḋ|² - (u · ḋ)²) / s + u · b. */
void mbs_curvature_distance(const mbs_pair *pair, mbs_curvature *curvature) {
  const arms r = arms_of(pair);
  const chord c = chord_of(&r);
  curve_along(&r, c.u, curvature); /* u · ∂²d and u · ∂b */
  for (int i = 0; i < 6; i++) {
    const double N = c.normal.J[i];
    for (int j = 0; j < 6; j++)
      curvature->H[i][j] += N * c.normal.J[j] / c.s;
    /* T is the derivative of vᵀ H v, whose first term is transverse² / s. normal.Jdot is the derivative of n · ḋ at
     * fixed n. */
    const double transverse_gradient = c.normal.Jdot[i] - c.stretch * N / c.s;
    curvature->T[i] += 2 * c.transverse * transverse_gradient / c.s -
                       c.transverse * c.transverse * c.radial.J[i] / (c.s * c.s) + mbs_dot(c.n, c.b) * N / c.s;
  }
}

/* ---- Angle of the chord ---- */

void mbs_relative_chord(const mbs_pair *pair, mbs_relative_coordinate *coordinate) {
  const arms r = arms_of(pair);
  const chord c = chord_of(&r);
  const mbs_vector e = mbs_rotate(pair->frame[0], (mbs_vector){1, 0});
  coordinate->s = atan2(mbs_cross(e, c.u), mbs_dot(e, c.u));
  for (int i = 0; i < 6; i++) {
    coordinate->J[i] = c.normal.J[i] / c.s;
    coordinate->Jdot[i] = (c.normal.Jdot[i] - (c.transverse * c.radial.J[i] + c.stretch * c.normal.J[i]) / c.s) / c.s;
  }
  coordinate->J[PHI1] -= 1;
}

/* H = n · ∂²d / s - ((n · ∂d)ᵀ (u · ∂d) + (u · ∂d)ᵀ (n · ∂d)) / s²,  vᵀ H v = n · b / s - 2 (u · ḋ) (n · ḋ) / s². */
void mbs_curvature_chord(const mbs_pair *pair, mbs_curvature *curvature) {
  const arms r = arms_of(pair);
  const chord c = chord_of(&r);
  const double s2 = c.s * c.s;
  const double *U = c.radial.J;
  const double *N = c.normal.J;
  curve_along(&r, c.n, curvature); /* n · ∂²d and n · ∂b */
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++)
      curvature->H[i][j] = curvature->H[i][j] / c.s - (N[i] * U[j] + U[i] * N[j]) / s2;
    const double stretch_gradient = c.radial.Jdot[i] + c.transverse * N[i] / c.s;
    const double transverse_gradient = c.normal.Jdot[i] - c.stretch * N[i] / c.s;
    curvature->T[i] = (curvature->T[i] - mbs_dot(c.u, c.b) * N[i] / c.s) / c.s - mbs_dot(c.n, c.b) * U[i] / s2 -
                      2 * (stretch_gradient * c.transverse + c.stretch * transverse_gradient) / s2 +
                      4 * c.stretch * c.transverse * U[i] / (s2 * c.s);
  }
}

void mbs_relative_angle(const mbs_pair *pair, mbs_relative_coordinate *coordinate) {
  *coordinate =
      (mbs_relative_coordinate){.s = pair->frame[1]->phi - pair->frame[0]->phi, .J = {[PHI1] = -1, [PHI2] = 1}};
}

/* ---- Mesh ---- */

void mbs_relative_mesh(const mbs_pair *pair, const double r[2], double near, mbs_relative_coordinate *coordinate) {
  static const double turn = 2 * 3.14159265358979323846;
  const double difference = r[1] - r[0];
  mbs_relative_coordinate line;
  mbs_relative_chord(pair, &line);
  mbs_relative_angle(pair, coordinate);
  coordinate->s = r[1] * coordinate->s - difference * line.s;
  if (fabs(difference) > 0) /* s then depends on full turns of d */
    coordinate->s = near + remainder(coordinate->s - near, turn * fabs(difference));
  for (int i = 0; i < 6; i++) {
    coordinate->J[i] = r[1] * coordinate->J[i] - difference * line.J[i];
    coordinate->Jdot[i] = -difference * line.Jdot[i];
  }
}

void mbs_curvature_mesh(const mbs_pair *pair, const double r[2], mbs_curvature *curvature) {
  mbs_curvature_chord(pair, curvature);
  mbs_scale_curvature(-(r[1] - r[0]), curvature);
}

/* ---- Strand ---- */

static const double side[2] = {1, -1};

/* l(d) and its first three derivatives by d. */
typedef struct span {
  double l, d1, d2, d3;
} span;

static span span_of(const double radius[2], double d) {
  const double delta = fabs(radius[0] - radius[1]);
  const double w = sqrt(d * d - delta * delta);
  const double square = delta * delta;
  return (span){w - delta * acos(delta / d), w / d, square / (d * d * w),
                -square * (2 / (d * d * d * w) + 1 / (d * w * w * w))};
}

double mbs_strand_span(const double radius[2], double distance) { return span_of(radius, distance).l; }

void mbs_strand_coordinates(const mbs_pair *pair, const double radius[2], const mbs_relative_coordinate *mesh, int n,
                            mbs_relative_coordinate *stretch) {
  mbs_relative_coordinate distance;
  mbs_relative_distance(pair, &distance);
  const span l = span_of(radius, distance.s);
  const double rate = mbs_relative_rate(&distance, pair);
  for (int k = 0; k < n; k++) {
    stretch[k].s = l.l + side[k] * mesh->s;
    for (int i = 0; i < 6; i++) {
      stretch[k].J[i] = l.d1 * distance.J[i] + side[k] * mesh->J[i];
      stretch[k].Jdot[i] = l.d1 * distance.Jdot[i] + l.d2 * rate * distance.J[i] + side[k] * mesh->Jdot[i];
    }
  }
}

/* The stretch is l(d) ± m, with the distance d and the mesh m. J_d and H_d are derivatives of d, H_m of m. The stretch
 * has H = l' H_d + l" J_dᵀ J_d ± H_m. T follows from vᵀ H v = l' vᵀ H_d v + l" ḋ² ± vᵀ H_m v. */
void mbs_strand_curvatures(const mbs_pair *pair, const double radius[2], int n, mbs_curvature *curvature) {
  mbs_relative_coordinate distance;
  mbs_curvature of_distance;
  mbs_curvature of_mesh;
  mbs_relative_distance(pair, &distance);
  mbs_curvature_distance(pair, &of_distance);
  mbs_curvature_mesh(pair, radius, &of_mesh);
  const span l = span_of(radius, distance.s);
  const double *J = distance.J;
  const double rate = mbs_relative_rate(&distance, pair);
  const double bent = l.d2 * mbs_relative_convection(&distance, pair) + l.d3 * rate * rate;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 6; i++) {
      curvature[k].T[i] =
          l.d1 * of_distance.T[i] + bent * J[i] + 2 * l.d2 * rate * distance.Jdot[i] + side[k] * of_mesh.T[i];
      for (int j = 0; j < 6; j++)
        curvature[k].H[i][j] = l.d1 * of_distance.H[i][j] + l.d2 * J[i] * J[j] + side[k] * of_mesh.H[i][j];
    }
}
