#include "mbs/model/forces/strand.h"

static const double side[2] = {1, -1};

/* Function l(d) of elastic_belt.c and its first three derivatives by d. */
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
