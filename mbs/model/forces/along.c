#include "mbs/model/forces/along.h"

#include <string.h>

void mbs_along_distance(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)force;
  mbs_relative_distance(pair, s);
}

void mbs_along_distance_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  mbs_curvature_distance(pair, curvature);
}

void mbs_along_angle(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)force;
  mbs_relative_angle(pair, s);
}

void mbs_along_angle_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force, (void)pair;
  *curvature = (mbs_curvature){0};
}

double mbs_along_load(const mbs_force *force, const mbs_pair *pair, double f, double Q[6]) {
  mbs_relative_coordinate s;
  force->type->find_coordinates(force, pair, &s);
  for (int i = 0; i < 6; i++)
    Q[i] = f * s.J[i];
  return mbs_relative_rate(&s, pair);
}

void mbs_along_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                           double Kq[restrict 6][6], double Kv[restrict 6][6]) {
  (void)t;
  mbs_curvature curvature;
  force->type->curvature(force, pair, &curvature);
  memset(Kv, 0, 36 * sizeof(double));
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      Kq[i][j] = z[0] * curvature.H[i][j];
}
