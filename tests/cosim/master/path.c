/* Paths of a cut's markers: polynomials that Hermite's interpolation repeats exactly. */
#include "cosim/schemes/snapshot.h"

#include <criterion/criterion.h>
#include <math.h>

/* Component k of a side at time t, or its rate: a polynomial of degree 2 n - 1, far from the origin. */
static double polynomial(int n, int side, int k, double t, bool is_rate) {
  double sum = is_rate ? 0 : 100;
  for (int p = 1; p < 2 * n; p++)
    sum += (1 + side - 0.3 * k) * (is_rate ? p * pow(t, p - 1) : pow(t, p)) / (1 + p);
  return sum;
}

enum { MOST = 5 };
static const double length = 0.5; /* s */

static cosim_path path_through(int n, cosim_motion points[MOST][2]) {
  static const double tau[MOST] = {0, 0.15, 0.4, 0.7, 1};
  cosim_path path = {.H = length, .n = n};
  for (int i = 0; i < n; i++) {
    path.tau[i] = i == n - 1 ? 1 : tau[i];
    path.motion[i] = points[i];
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < COSIM_MAX_DIMS; k++) {
        points[i][side].x[k] = polynomial(n, side, k, length * path.tau[i], false);
        points[i][side].v[k] = polynomial(n, side, k, length * path.tau[i], true);
      }
  }
  return path;
}

Test(path, n_points_repeat_a_polynomial_of_degree_2n_minus_1) {
  for (int n = 2; n <= MOST; n++) {
    cosim_motion points[MOST][2], m[2];
    const cosim_path path = path_through(n, points);
    for (int i = 0; i <= 10; i++) {
      const double s = i / 10.;
      cosim_path_at(&path, s, m);
      for (int side = 0; side < 2; side++)
        for (int k = 0; k < COSIM_MAX_DIMS; k++) {
          cr_expect_float_eq(m[side].x[k], polynomial(n, side, k, length * s, false), 1e-12, "%d points at %g", n, s);
          cr_expect_float_eq(m[side].v[k], polynomial(n, side, k, length * s, true), 1e-11, "%d points at %g", n, s);
        }
    }
  }
}

/* Three points between neighbours are exact to degree 5. */
Test(path, nodes_integrate_polynomials_of_degree_5) {
  cosim_motion points[MOST][2];
  double tau[COSIM_MAX_PATH_NODES], weight[COSIM_MAX_PATH_NODES];
  const cosim_path path = path_through(MOST, points);
  const int n = cosim_path_nodes(&path, tau, weight);
  cr_assert_eq(n, 3 * (MOST - 1));
  for (int p = 0; p <= 5; p++) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += weight[k] * pow(tau[k], p);
    cr_expect_float_eq(sum, length / (p + 1), 1e-15, "degree %d", p);
  }
}
