/* A polynomial p is fitted to the forces w of the last two steps: to their values at inner nodes and ends and, with
 * less weight, to the slopes at the ends (τ: time since the beginning of a step, divided by its length),
 *
 *   Σ (p - w)² + Σ (p' - w')² / 100 = min.
 *
 * The degree of p is s + 2, or s + 1 at joints if s < 4, where s is the number of stages. Continued over the present
 * step, p has errors three to five times smaller than the polynomial of the last step alone. The highest coefficients
 * of that polynomial have errors by round-off and by changes of the step length, which continuation amplifies. p is a
 * sum of Chebyshev polynomials on the interval of all three steps. */
#include "cosim/coupling/guess.h"

#include <math.h>

#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

/* Finds the Chebyshev polynomials T_0 to T_(n-1) at x, and their derivatives. */
static void chebyshev(double x, int n, double *value, double *slope) {
  value[0] = 1;
  slope[0] = 0;
  value[1] = x;
  slope[1] = 1;
  for (int j = 2; j < n; j++) {
    value[j] = 2 * x * value[j - 1] - value[j - 2];
    slope[j] = 2 * value[j - 1] + 2 * x * slope[j - 1] - slope[j - 2];
  }
}

/* Adds the rows of a past step to `known`. end, length: end and length of this step in τ of the present step; middle,
 * half: middle and half length of the interval of the Chebyshev polynomials. */
static void add_step(cosim_guess *self, double middle, double half, double end, double length) {
  double slope[COSIM_MAX_GUESSED];
  double *row = NULL;
  for (int i = 0; i < self->rule->n_new - 1; i++) {
    row = self->known[self->n_known++];
    chebyshev((end - length * (1 - self->rule->node[i]) - middle) / half, self->n, row, slope);
  }
  row = self->known[self->n_known++];
  chebyshev((end - middle) / half, self->n, slope, row);
  for (int j = 0; j < self->n; j++)
    row[j] *= cosim_guess_of_slope * length / half;
}

bool cosim_guess_begin(cosim_guess *self, const cosim_rule *rule, bool is_joint, double H, double last, double before) {
  const double begin = -(last + before) / H;
  const double middle = (begin + 1) / 2;
  const double half = (1 - begin) / 2;
  double slope[COSIM_MAX_GUESSED];
  const int s = rule->n_new - 1;
  if (s == 1 || !(last < cosim_guess_differs * before && before < cosim_guess_differs * last))
    return false;
  self->rule = rule;
  self->n = is_joint && s < 4 ? s + 2 : s + 3;
  self->n_known = 0;
  add_step(self, middle, half, 0, last / H);
  add_step(self, middle, half, -last / H, before / H);
  for (int i = 0; i < rule->n_new; i++)
    chebyshev((rule->node[i] - middle) / half, self->n, self->at[i], slope);
  for (int i = 0; i < self->n; i++) /* Cholesky factor of knownᵀ known */
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < self->n_known; k++)
        sum += self->known[k][i] * self->known[k][j];
      for (int k = 0; k < j; k++)
        sum -= self->factor[i][k] * self->factor[j][k];
      if (i == j && !(sum > cosim_guess_pivot))
        return false;
      self->factor[i][j] = i == j ? sqrt(sum) : sum / self->factor[j][j];
    }
  return true;
}

/* Adds the terms of one past step to knownᵀ w, the right-hand side of the fit. row: first row of this step in `known`;
 * c: coefficients of w over this step in powers of τ. */
static void add_known(const cosim_guess *self, const double *c, int row, double *sum) {
  const int n = self->rule->n_new - 1;
  for (int i = 0; i <= n; i++) {
    double w = 0; /* a value or, in the last row, the slope at the end */
    for (int j = COSIM_MAX_DEGREE; j >= 0 && i < n; j--)
      w = w * self->rule->node[i] + c[j];
    for (int j = 1; j <= COSIM_MAX_DEGREE && i == n; j++)
      w += j * c[j];
    if (i == n)
      w *= cosim_guess_of_slope;
    for (int j = 0; j < self->n; j++)
      sum[j] += w * self->known[row + i][j];
  }
}

void cosim_guess_values(const cosim_guess *self, const double *last, const double *before, double *values) {
  double x[COSIM_MAX_GUESSED] = {0};
  add_known(self, last, 0, x);
  add_known(self, before, self->rule->n_new, x);
  for (int i = 0; i < self->n; i++) {
    for (int j = 0; j < i; j++)
      x[i] -= self->factor[i][j] * x[j];
    x[i] /= self->factor[i][i];
  }
  for (int i = self->n - 1; i >= 0; i--) {
    for (int j = i + 1; j < self->n; j++)
      x[i] -= self->factor[j][i] * x[j];
    x[i] /= self->factor[i][i];
  }
  for (int i = 0; i < self->rule->n_new; i++) {
    values[i] = 0;
    for (int j = 0; j < self->n; j++)
      values[i] += self->at[i][j] * x[j];
  }
}
