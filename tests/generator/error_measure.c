/* The error of a quantity x beside its truth r: its largest deviation over its travel, the diameter of the path of r
 * after the straight line from its first to its last value is taken off of places and angles; never below a thousandth
 * of the scales. Beside a jump of a velocity, rate or signal its deviation is the least one from what r is within
 * `late` of the jump: what is late is not wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/generator/errors.h"

static const double FLOOR = 1e-3;  /* of the scale: the least travel */
static const double BESIDE = 1e-9; /* of the run: times */
static const double JUMPS = 1e-6;  /* of the travel: what jumps by more */

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
    double a[2] = {0}, b[2] = {0};
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
  const double scales[] = {how->length, 1, how->speed, how->rate, scale};
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

static const double *at_row(const track *x, const quantity *q, int row) {
  return x->value + x->width * row + q->column;
}

/* The least deviation from the truth within `late` of a jump of it. */
static double deviation_beside(const quantity *q, const double *x, const track *right, const track *edges, int jump,
                               double at, double late, int row) {
  double least = fmin(distance_of(x, at_row(edges, q, 2 * jump), q->dimension),
                      distance_of(x, at_row(edges, q, 2 * jump + 1), q->dimension));
  for (int i = row; i < right->n && right->time[i] <= at + late; i++)
    least = fmin(least, distance_of(x, at_row(right, q, i), q->dimension));
  for (int i = row; i >= 0 && right->time[i] >= at - late; i--)
    least = fmin(least, distance_of(x, at_row(right, q, i), q->dimension));
  return least;
}

static largest deviation_of(const quantity *q, const track *run, const track *right, const truth *whole, int which,
                            double travel, double late) {
  const track *edges = &whole->edges[which];
  largest found = {0, 0};
  for (int i = 0; i < run->n; i++) {
    const double *x = at_row(run, q, i);
    double d = distance_of(x, at_row(right, q, i), q->dimension);
    for (int j = 0; q->kind >= VELOCITY && j < whole->n_jumps && whole->jump[j] <= run->time[i] + late; j++)
      if (whole->jump[j] >= run->time[i] - late &&
          distance_of(at_row(edges, q, 2 * j), at_row(edges, q, 2 * j + 1), q->dimension) > JUMPS * travel)
        d = fmin(d, deviation_beside(q, x, right, edges, j, whole->jump[j], late, i));
    take(&found, d, run->time[i]);
  }
  return found;
}

/* The part up to `until`. */
static track judged_part(const track *x, double until) {
  track part = *x;
  while (part.n > 1 && part.time[part.n - 1] > until * (1 + BESIDE))
    part.n--;
  return part;
}

true_error error_between(const layout layouts[N_TRACKS], const track run[N_TRACKS], const truth *whole,
                         const judged *how) {
  true_error worst = {.error = 0};
  for (int k = 0; k < N_TRACKS; k++) {
    const track of = judged_part(&run[k], how->until), right = judged_part(&whole->track[k], how->until);
    const double late = of.n > 1 ? fmax(how->late, BESIDE * of.time[of.n - 1]) * (1 + BESIDE) : 0;
    for (const quantity *q = layouts[k].quantity; of.n > 1 && q < layouts[k].quantity + layouts[k].n; q++) {
      const double travel = travel_of(&right, q, how);
      const largest d = travel > 0 ? deviation_of(q, &of, &right, whole, k, travel, late) : (largest){0, 0};
      if (d.value <= worst.error * travel)
        continue;
      worst = (true_error){.error = d.value / travel, .time = d.time, .travel = travel, .deviation = d.value};
      snprintf(worst.name, sizeof worst.name, "%.23s", q->name);
    }
  }
  return worst;
}
