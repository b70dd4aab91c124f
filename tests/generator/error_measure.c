/* The error of a quantity: its largest deviation over its travel, the diameter of its path in the truth after the
 * straight line from the first to the last value is taken off of places and angles. Within a step of a jump of the
 * truth the deviation is the smallest over that stretch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/generator/errors.h"

static const double FLOOR = 1e-3;  /* of the scale: the least travel */
static const double BESIDE = 1e-9; /* of the run: rows at a jump are of either side */

static double distance_of(const double *a, const double *b, int dimension) {
  double sum = 0;
  for (int i = 0; i < dimension; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* ---- Travel ------------------------------------------------------------------------------------------------------ */

static void take_line_off(const track *x, const quantity *q, int row, double point[2]) {
  const double *at = x->value + x->width * row + q->column;
  const double *first = x->value + q->column, *last = x->value + x->width * (x->n - 1) + q->column;
  const double share = (x->time[row] - x->time[0]) / (x->time[x->n - 1] - x->time[0]);
  for (int i = 0; i < q->dimension; i++)
    point[i] = at[i] - (q->kind <= ANGLE ? first[i] + share * (last[i] - first[i]) : 0);
}

static double diameter_of(const track *x, const quantity *q) {
  double largest = 0, low = INFINITY, high = -INFINITY;
  for (int i = 0; i < x->n; i++) {
    double a[2], b[2];
    take_line_off(x, q, i, a);
    low = fmin(low, a[0]);
    high = fmax(high, a[0]);
    for (int j = 0; q->dimension > 1 && j < i; j++) {
      take_line_off(x, q, j, b);
      largest = fmax(largest, distance_of(a, b, q->dimension));
    }
  }
  return q->dimension > 1 ? largest : high - low;
}

static double travel_of(const track *x, const quantity *q, const judged *how) {
  double scale = 0;
  for (int i = 0; q->kind == SIGNAL && i < x->n; i++)
    scale = fmax(scale, fabs(x->value[x->width * i + q->column]));
  const double scales[] = {how->length, 1, how->length * how->rate, how->rate, scale};
  return fmax(diameter_of(x, q), FLOOR * scales[q->kind]);
}

/* ---- Deviation --------------------------------------------------------------------------------------------------- */

typedef struct largest {
  double value, time;
} largest;

static void take(largest *self, double value, double time) {
  if (!(value <= self->value))
    *self = (largest){value, time};
}

static largest deviation_of(const quantity *q, const track *run, const track *whole, const double *jumps, int n_jumps,
                            double step) {
  const double end = run->time[run->n - 1], reach = fmax(step * (1 + BESIDE), BESIDE * end);
  largest found = {0, 0};
  double *least = malloc((size_t)(n_jumps + 1) * sizeof *least);
  for (int j = 0; j < n_jumps; j++)
    least[j] = INFINITY;
  for (int i = 0; i < run->n; i++) {
    const double d =
        distance_of(run->value + run->width * i + q->column, whole->value + whole->width * i + q->column, q->dimension);
    bool is_near = false;
    for (int j = 0; j < n_jumps; j++)
      if (fabs(run->time[i] - jumps[j]) <= reach) {
        is_near = true;
        least[j] = fmin(least[j], d);
      }
    if (!is_near)
      take(&found, d, run->time[i]);
  }
  for (int j = 0; step > 0 && j < n_jumps; j++)
    if (isfinite(least[j]))
      take(&found, least[j], jumps[j]);
  free(least);
  return found;
}

/* The part up to `until`. */
static track judged_part(const track *x, double until) {
  track part = *x;
  while (part.n > 1 && part.time[part.n - 1] > until * (1 + BESIDE))
    part.n--;
  return part;
}

true_error error_between(const layout layouts[N_TRACKS], const track run[N_TRACKS], const track whole[N_TRACKS],
                         const double *jumps, int n_jumps, double step, const judged *how) {
  true_error worst = {.error = 0};
  for (int k = 0; k < N_TRACKS; k++) {
    const track of = judged_part(&run[k], how->until), right = judged_part(&whole[k], how->until);
    for (const quantity *q = layouts[k].quantity; of.n > 1 && q < layouts[k].quantity + layouts[k].n; q++) {
      const double travel = travel_of(&right, q, how);
      const largest d = deviation_of(q, &of, &right, jumps, n_jumps, step);
      if (d.value / travel <= worst.error || travel == 0)
        continue;
      worst = (true_error){.error = d.value / travel, .time = d.time, .travel = travel, .deviation = d.value};
      snprintf(worst.name, sizeof worst.name, "%.23s", q->name);
    }
  }
  return worst;
}
