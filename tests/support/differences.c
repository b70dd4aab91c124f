#include "tests/support/differences.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MAX_ARGUMENTS = 128, MAX_VALUES = 128, n_levels = 4 };

/* (f(x + h e_j) - f(x - h e_j)) / 2h */
static void difference(vector_function *f, const void *context, const double *x, int n_x, int j, double h, int n_y,
                       double *slope) {
  double moved[MAX_ARGUMENTS];
  double back[MAX_VALUES];
  memcpy(moved, x, (size_t)n_x * sizeof *x);
  moved[j] = x[j] - h;
  f(context, moved, back);
  moved[j] = x[j] + h;
  f(context, moved, slope);
  for (int i = 0; i < n_y; i++)
    slope[i] = (slope[i] - back[i]) / (2 * h);
}

void differentiate(vector_function *f, const void *context, const double *x, int n_x, int n_y, double *J) {
  cr_assert(n_x <= MAX_ARGUMENTS && n_y <= MAX_VALUES);
  for (int j = 0; j < n_x; j++) {
    double table[n_levels][MAX_VALUES];
    for (int level = 0; level < n_levels; level++) {
      difference(f, context, x, n_x, j, 0.01 / (1 << level), n_y, table[level]);
      for (int k = level - 1; k >= 0; k--) {
        const double gain = 1.0 / ((1 << (2 * (level - k))) - 1);
        for (int i = 0; i < n_y; i++)
          table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) * gain;
      }
    }
    for (int i = 0; i < n_y; i++)
      J[i * n_x + j] = table[0][i];
  }
}

void expect_close(const double *a, const double *b, int n, double tolerance, const char *what) {
  double size = 1;
  for (int i = 0; i < n; i++)
    size = fmax(size, fabs(b[i]));
  for (int i = 0; i < n; i++)
    cr_assert_float_eq(a[i], b[i], tolerance * size, "%s: value %d is %.15g, not %.15g", what, i, a[i], b[i]);
}
