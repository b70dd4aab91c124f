/* A path has points at the times τ_i, i = 0, ..., n - 1, in units of the step length H, with positions x_i and
 * velocities v_i. Between the points, coordinates follow Hermite's polynomial of degree 2 n - 1 through all x_i and
 * v_i. With Lagrange's polynomials l_i it is
 *
 *   x(τ) = Σ_i [x_i (1 - 2 l_i'(τ_i) (τ - τ_i)) + H v_i (τ - τ_i)] l_i(τ)²
 *
 * Two points give the cubic. With collocation the inner nodes are also points: the error of this polynomial then has
 * the same order in H as the errors of the x_i. */
#include "cosim/schemes/snapshot.h"

#include "cosim/parts/signal.h"

cosim_motion cosim_motion_between(const cosim_motion *begin, const cosim_motion *end, double H, double s) {
  cosim_motion m = {.x = {0}};
  for (int i = 0; i < COSIM_MAX_DIMS; i++) {
    const cosim_cubic at =
        cosim_cubic_at((cosim_cubic){begin->x[i], begin->v[i]}, (cosim_cubic){end->x[i], end->v[i]}, H, s);
    m.x[i] = at.x;
    m.v[i] = at.v;
  }
  return m;
}

void cosim_path_at(const cosim_path *path, double tau, cosim_motion m[2]) {
  for (int side = 0; side < 2; side++) {
    m[side] = (cosim_motion){.x = {0}};
    for (int k = 0; k < COSIM_MAX_DIMS; k++) /* start from x_0, so that round-off of a large x does not affect v */
      m[side].x[k] = path->motion[0][side].x[k];
  }
  for (int i = 0; i < path->n; i++) {         /* adds the terms of point i */
    double l = 1, slope = 0, slope_there = 0; /* l_i(τ), l_i'(τ) and l_i'(τ_i) */
    for (int j = 0; j < path->n; j++)
      if (j != i) {
        const double width = path->tau[i] - path->tau[j];
        slope = (slope * (tau - path->tau[j]) + l) / width;
        l *= (tau - path->tau[j]) / width;
        slope_there += 1 / width;
      }
    const double from = tau - path->tau[i], factor = 1 - 2 * slope_there * from;
    const double of_x = factor * l * l, of_v = path->H * from * l * l;
    const double rate_of_x = (2 * factor * slope - 2 * slope_there * l) * l / path->H;
    const double rate_of_v = (l + 2 * from * slope) * l;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < COSIM_MAX_DIMS; k++) {
        const double x = path->motion[i][side].x[k] - path->motion[0][side].x[k], v = path->motion[i][side].v[k];
        m[side].x[k] += of_x * x + of_v * v;
        m[side].v[k] += rate_of_x * x + rate_of_v * v;
      }
  }
}

int cosim_path_nodes(const cosim_path *path, double tau[COSIM_MAX_PATH_NODES], double weight[COSIM_MAX_PATH_NODES]) {
  static const double node[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
  static const double share[3] = {5. / 18, 8. / 18, 5. / 18};
  int n = 0;
  for (int i = 1; i < path->n; i++)
    for (int k = 0; k < 3; k++) {
      const double width = path->tau[i] - path->tau[i - 1];
      tau[n] = path->tau[i - 1] + node[k] * width;
      weight[n++] = share[k] * width * path->H;
    }
  return n;
}
