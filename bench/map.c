/* CPU time of a 41 x 41 stability map with one thread for several schemes, and of the same number of eigenvalue
 * problems alone. The latter is a lower bound for every method that finds propagation matrices. */
#include <stdio.h>
#include <stdlib.h>

#include <lapacke.h>

#include "bench/bench.h"

#include <seam/analysis.h>

enum { side = 41, n_points = side * side, MAX_STATE = 32 };

typedef struct job {
  seam_map map;
  seam_map_point points[n_points];
  lapack_int n_state;
} job;

static void find_map(void *data) {
  job *j = data;
  seam_error error = {0};
  bench_check(seam_stability_map(&j->map, j->points, NULL, NULL, &error), &error);
}

static void find_eigenvalues(void *data) {
  job *j = data;
  const lapack_int n = j->n_state;
  for (int point = 0; point < n_points; point++) {
    double A[MAX_STATE * MAX_STATE];
    double eigenvalue[2 * MAX_STATE];
    for (int i = 0; i < n * n; i++)
      A[i] = (i * 7919 + point) % 101 / 101.0;
    LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, eigenvalue, eigenvalue + n, NULL, 1, NULL, 1);
  }
}

int main(void) {
  static const char *const schemes[] = {"ff-k0",   "ff-k1",   "ff-k2",   "ff-k3",   "fd-k1",
                                        "fd-k3",   "dd-k1",   "dd-k3",   "ff-d-k2", "fd-d-k2",
                                        "dd-d-k2", "ff-i-k2", "fd-i-k2", "dd-i-k2", "dd-k3-explicit"};
  static job j;
  seam_error error = {0};
  bench_check(seam_map_default("constitutive", &j.map, &error), &error);
  printf("seconds            map    eigenvalues alone\n");
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    j.map.scheme = schemes[i];
    const bench_spread map = bench_measure(find_map, &j, 3);
    j.n_state = (lapack_int)j.points[0].found.n_state;
    const bench_spread eigenvalues = bench_measure(find_eigenvalues, &j, 3);
    printf("  %-14s %7.3f    %7.3f   (order %d)\n", schemes[i], map.median, eigenvalues.median, j.n_state);
  }
  return 0;
}
