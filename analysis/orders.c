/* Orders of convergence and their confidence intervals. The order is the slope b of the straight line y = a + b x,
 * fitted by least squares to x = ln H, y = ln error, with the macro step H:
 *
 *   b = Sxy / Sxx,   Sxx, Sxy, Syy: sums of squares and products about the means of n points.
 *
 * The confidence interval is b ± t sqrt(s² / Sxx), s² = (Syy - b Sxy) / (n - 2). Here t is the quantile of Student's
 * distribution with n - 2 degrees of freedom.
 *
 * Errors C H^p + f stop falling at small H if there is a floor f, for example of the subsystems' tolerances. On this
 * plateau, the slope at the smallest macro steps is below 1/2, half of the lowest order of any scheme. */
#include <math.h>

#include <seam/analysis.h>

#include "analysis/thresholds.h"

/* ---- Student's distribution ---- */

/* Returns the probability of |T| < t, t = sqrt(freedom) tan(angle), for T of Student's distribution with `freedom`
 * degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
static double student_within(size_t freedom, double angle) {
  const bool is_odd = freedom % 2 == 1;
  const double square = cos(angle) * cos(angle);
  double term = sin(angle) * (is_odd ? cos(angle) : 1);
  double sum = 0;
  for (size_t i = is_odd ? 3 : 2; i <= freedom; i += 2) {
    sum += term;
    term *= square * (double)(i - 1) / (double)i;
  }
  return is_odd ? 2 / acos(-1) * (angle + sum) : sum;
}

/* Returns t with P(|T| < t) = analysis_confidence, by bisection of the angle. */
static double student_quantile(size_t freedom) {
  double low = 0, high = acos(0);
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    *(student_within(freedom, middle) < analysis_confidence ? &low : &high) = middle;
  }
  return sqrt((double)freedom) * tan(low);
}

/* ---- Fits ---- */

/* Means of points (x, y), and sums of squares and products about the means. */
typedef struct line {
  size_t n;
  double x, y;
  double xx, xy, yy;
} line;

static void line_add(line *self, double x, double y) {
  const double dx = x - self->x, dy = y - self->y;
  self->n++;
  self->x += dx / (double)self->n;
  self->y += dy / (double)self->n;
  self->xx += dx * (x - self->x);
  self->xy += dx * (y - self->y);
  self->yy += dy * (y - self->y);
}

static seam_order line_order(const line *self) {
  seam_order order = {.n = self->n, .slope = NAN, .interval = NAN};
  if (self->n < ANALYSIS_SLOPE_POINTS || !(self->xx > 0))
    return order;
  order.slope = self->xy / self->xx;
  const size_t freedom = self->n - 2;
  const double residual = fmax(self->yy - order.slope * self->xy, 0);
  order.interval = student_quantile(freedom) * sqrt(residual / (double)freedom / self->xx);
  return order;
}

/* ---- Plateau of the errors ---- */

static bool counts(const double *errors, const double *floors, double plateau, size_t i) {
  return isfinite(errors[i]) && errors[i] > fmax(plateau, floors == NULL ? 0 : floors[i]);
}

/* Returns the bound of the plateau: three times the largest error at the smallest two or three macro steps. Returns 0
 * if the errors fall without a plateau. Ignores errors that are not finite, or not above their floors. */
static double find_plateau(const double *macro_steps, const double *errors, const double *floors, size_t n) {
  line fine = {0};
  double largest = 0, plateau = 0;
  for (size_t i = n; i-- > 0 && fine.n < ANALYSIS_SLOPE_POINTS;) {
    if (!counts(errors, floors, 0, i))
      continue;
    line_add(&fine, log(macro_steps[i]), log(errors[i]));
    largest = fmax(largest, errors[i]);
    if (fine.n > 1 && fine.xx > 0 && fine.xy / fine.xx < analysis_lowest_slope)
      plateau = analysis_near_plateau * largest;
  }
  return plateau;
}

seam_orders seam_orders_fit(const double *macro_steps, const double *errors, const double *floors, size_t n) {
  n = macro_steps == NULL || errors == NULL ? 0 : n;
  line all = {0}, fine = {0};
  const double plateau = find_plateau(macro_steps, errors, floors, n);
  for (size_t i = n; i-- > 0;) {
    if (!counts(errors, floors, plateau, i))
      continue;
    const double x = log(macro_steps[i] / macro_steps[n - 1]);
    const double y = log(errors[i]);
    line_add(&all, x, y);
    if (all.n <= ANALYSIS_SLOPE_POINTS)
      line_add(&fine, x, y);
  }
  return (seam_orders){.all = line_order(&all), .fine = line_order(&fine), .plateau = plateau};
}
