#include "solvers/inside.h"

#include <math.h>
#include <string.h>

#include "solvers/thresholds.h"

enum { UNKNOWN, BEGUN, GOOD, BAD }; /* BEGUN: only the rates at the beginning are known */

static const double third = 1.0 / 3; /* where the evaluation inside is */

static size_t length_of(const seam_dae *dae) { return (size_t)dae->n + (size_t)dae->n_quadratures; }

/* Rates at the beginning, at the end, inside: a whole y each. */
static const double *rates_at(const seam_dae *dae, const double *memory, int point) {
  return memory + 1 + (size_t)point * length_of(dae);
}

size_t seam_inside_length(const seam_dae *dae) { return 1 + 3 * length_of(dae); }

/* ---- Polynomials ---- */

/* A function of θ and its derivatives. */
typedef struct value {
  double p, d, dd;
} value;

/* (θ - x) p + c */
static value step_up(value p, double theta, double x, double c) {
  return (value){p.p * (theta - x) + c, p.d * (theta - x) + p.p, p.dd * (theta - x) + 2 * p.d};
}

/* Newton's form, by divided differences. v and a are h q' and h² q''. */
static value of_position(double q0, double q1, double v0, double v1, double a0, double a1, double theta) {
  const double rise = q1 - q0;
  const double A = rise - v0;
  const double B = v1 - rise;
  const double c[6] = {q0, v0, a0 / 2, A - a0 / 2, B - 2 * A + a0 / 2, (a1 - a0) / 2 - 3 * B + 3 * A};
  value p = {c[5], 0, 0};
  p = step_up(p, theta, 1, c[4]);
  p = step_up(p, theta, 1, c[3]);
  p = step_up(p, theta, 0, c[2]);
  p = step_up(p, theta, 0, c[1]);
  return step_up(p, theta, 0, c[0]);
}

/* r is h z'. */
static value of_other(double z0, double z1, double r0, double r1, double theta) {
  const double rise = z1 - z0;
  value p = {r0 + r1 - 2 * rise, 0, 0};
  p = step_up(p, theta, 1, rise - r0);
  p = step_up(p, theta, 0, r0);
  return step_up(p, theta, 0, z0);
}

static double s_at(double theta) { return theta * (1 - theta); }

/* s³ and its derivatives; s². */
static value cube(double theta) {
  const double s = s_at(theta);
  const double slope = 1 - 2 * theta;
  return (value){s * s * s, 3 * s * s * slope, 6 * s * slope * slope - 6 * s * s};
}

static value square(double theta) {
  const double s = s_at(theta);
  const double slope = 1 - 2 * theta;
  return (value){s * s, 2 * s * slope, 2 * slope * slope - 4 * s};
}

/* ---- A step ---- */

static bool is_multiplier(const seam_dae *dae, size_t i) { return i < (size_t)dae->n && !(dae->mass[i] > 0); }

typedef struct piece {
  const seam_dae *dae;
  const double *y0, *y1;
  double h;
  const double *rate[3]; /* at the beginning, at the end, inside */
} piece;

static piece piece_of(const seam_dae *dae, const seam_step *step, const double *memory) {
  return (piece){dae,
                 step->y_begin,
                 step->y_end,
                 step->end - step->begin,
                 {rates_at(dae, memory, 0), rates_at(dae, memory, 1), rates_at(dae, memory, 2)}};
}

/* Position i without k. */
static value position(const piece *p, size_t i, double theta) {
  const size_t v = i + (size_t)p->dae->n_positions;
  const double h = p->h;
  return of_position(p->y0[i], p->y1[i], h * p->y0[v], h * p->y1[v], h * h * p->rate[0][v], h * h * p->rate[1][v],
                     theta);
}

static double k_of_position(const piece *p, size_t i) {
  const size_t v = i + (size_t)p->dae->n_positions;
  return (p->h * p->h * p->rate[2][v] - position(p, i, third).dd) / cube(third).dd;
}

static value other(const piece *p, size_t i, double theta) {
  return of_other(p->y0[i], p->y1[i], p->h * p->rate[0][i], p->h * p->rate[1][i], theta);
}

static double k_of_other(const piece *p, size_t i) {
  return (p->h * p->rate[2][i] - other(p, i, third).d) / square(third).d;
}

static void find(const piece *p, double theta, bool with_k, double *y) {
  const size_t n_positions = (size_t)p->dae->n_positions;
  const value of_third = cube(theta);
  for (size_t i = 0; i < n_positions; i++) {
    const value q = position(p, i, theta);
    const double k = with_k ? k_of_position(p, i) : 0;
    y[i] = q.p + k * of_third.p;
    y[n_positions + i] = (q.d + k * of_third.d) / p->h;
  }
  for (size_t i = 2 * n_positions; i < length_of(p->dae); i++)
    if (!is_multiplier(p->dae, i))
      y[i] = other(p, i, theta).p + (with_k ? k_of_other(p, i) * square(theta).p : 0);
}

/* Returns the larger of two numbers; NaN stays. */
static double larger(double a, double b) { return isnan(a) || b <= a ? a : b; }

/* The largest part of the tolerance that k adds anywhere in the step; weight: a whole y of scratch. */
static double largest_change(const piece *p, const seam_tolerances *tolerances, double *weight) {
  const size_t n_positions = (size_t)p->dae->n_positions;
  const double of_cube = 1.0 / 64;
  const double of_its_slope = 0.0537; /* where s = 1/5 */
  const double of_square = 1.0 / 16;
  double largest = 0;
  seam_weigh(tolerances, length_of(p->dae), tolerances->rtol, tolerances->atol, p->y1, weight);
  for (size_t i = 0; i < n_positions; i++) {
    const size_t v = i + n_positions;
    const double k = fabs(k_of_position(p, i));
    largest = larger(largest, k * of_cube / weight[i]);
    largest = larger(largest, k * of_its_slope / p->h / weight[v]);
  }
  for (size_t i = 2 * n_positions; i < length_of(p->dae); i++)
    if (!is_multiplier(p->dae, i))
      largest = larger(largest, fabs(k_of_other(p, i)) * of_square / weight[i]);
  return largest;
}

bool seam_inside_prepare(const seam_dae *dae, const seam_tolerances *tolerances, const seam_step *step, double *memory,
                         double *scratch, size_t *n_evaluations) {
  if (memory[0] == GOOD || memory[0] == BAD)
    return memory[0] == GOOD;
  const bool has_begun = memory[0] == BEGUN;
  memory[0] = BAD;
  const piece p = piece_of(dae, step, memory);
  double *rate[3];
  for (int i = 0; i < 3; i++)
    rate[i] = memory + 1 + (size_t)i * length_of(dae);
  *n_evaluations += has_begun ? 2 : 3;
  if (!has_begun && dae->rates_at(dae->watcher, step->begin, step->y_begin, rate[0], NULL) != SEAM_OK)
    return false;
  if (dae->rates_at(dae->watcher, step->end, step->y_end, rate[1], NULL) != SEAM_OK)
    return false;
  find(&p, third, false, scratch);
  if (dae->rates_at(dae->watcher, step->begin + third * p.h, scratch, rate[2], NULL) != SEAM_OK)
    return false;
  if (largest_change(&p, tolerances, scratch) <= seam_inside_acceptable)
    memory[0] = GOOD;
  return memory[0] == GOOD;
}

void seam_inside_go_on(const seam_dae *dae, double *memory) {
  const size_t n = length_of(dae);
  const bool is_known = memory[0] == GOOD;
  memory[0] = is_known ? BEGUN : UNKNOWN;
  if (is_known)
    memcpy(memory + 1, memory + 1 + n, n * sizeof *memory);
}

void seam_inside_find(const seam_dae *dae, const seam_step *step, double t, const double *memory, double *y) {
  const piece p = piece_of(dae, step, memory);
  find(&p, (t - step->begin) / p.h, true, y);
}
