/* Dense against sparse factorisation and solution of symmetric positive definite systems: the measurement behind the
 * choice in solvers/spd.c. Full matrices, and the block-tridiagonal ones of chains. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "solvers/spd.h"

typedef struct job {
  seam_spd *solver;
  double *value, *b;
  int turns;
} job;

static void run(void *data) {
  job *j = data;
  for (int i = 0; i < j->turns; i++) {
    seam_spd_factor(j->solver, j->value);
    seam_spd_solve(j->solver, j->b);
  }
}

/* Median microseconds of one factorisation and solution. */
static double time_of(int n, int half_band, seam_spd_method method) {
  int *start = malloc(((size_t)n + 1) * sizeof *start);
  int *row = malloc((size_t)n * (size_t)n * sizeof *row);
  seam_spd_plan *plan = NULL;
  seam_error error = {0};
  int k = 0;
  for (int c = 0; c < n; c++) {
    start[c] = k;
    for (int r = 0; r < n; r++)
      if (abs(r - c) <= half_band)
        row[k++] = r;
  }
  start[n] = k;
  bench_check(seam_spd_plan_create(n, start, row, method, &plan, &error), &error);
  job j = {.solver = seam_spd_create(plan), .turns = 200000 / n};
  j.value = calloc((size_t)seam_spd_n_values(plan), sizeof *j.value);
  j.b = calloc((size_t)n, sizeof *j.b);
  for (int c = 0; c < n; c++) {
    for (int i = start[c]; i < start[c + 1]; i++)
      j.value[seam_spd_slot(plan, row[i], c)] = -1;
    j.value[seam_spd_slot(plan, c, c)] = n + 1;
  }
  const double median = bench_measure(run, &j, 5).median * 1e6 / j.turns;
  seam_spd_destroy(j.solver);
  seam_spd_plan_destroy(plan);
  free(j.value);
  free(j.b);
  free(start);
  free(row);
  return median;
}

int main(void) {
  static const int orders[] = {2, 3, 4, 6, 8, 9, 10, 11, 12, 16, 20, 30, 60, 120};
  printf("microseconds    full: dense   sparse    chain: dense   sparse\n");
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    const int n = orders[i];
    printf("  order %4d   %11.3f %8.3f   %12.3f %8.3f\n", n, time_of(n, n, SEAM_SPD_DENSE),
           time_of(n, n, SEAM_SPD_SPARSE), time_of(n, 3, SEAM_SPD_DENSE), time_of(n, 3, SEAM_SPD_SPARSE));
  }
  return 0;
}
