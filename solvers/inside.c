#include "solvers/inside.h"

#include <math.h>
#include <string.h>

#include "solvers/thresholds.h"

/* Values of memory[0]. BEGUN: only the rates at the beginning are known; GOOD + n: 1 + n evaluations inside. */
enum { UNKNOWN, BEGUN, BAD, GOOD };

enum { N_INSIDE = 2 };
static const double inside[N_INSIDE] = {1.0 / 3, 2.0 / 3}; /* θ of the evaluations inside */

static size_t length_of(const seam_dae *dae) { return (size_t)dae->n + (size_t)dae->n_quadratures; }

size_t seam_inside_length(const seam_dae *dae) { return 1 + (2 + N_INSIDE) * length_of(dae); }

/* ---- Polynomials ---- */

/* p(θ) and two derivatives. */
typedef struct value {
  double p, d, dd;
} value;

/* Returns (θ - x) p + c. */
static value step_up(value p, double theta, double x, double c) {
  return (value){p.p * (theta - x) + c, p.d * (theta - x) + p.p, p.dd * (theta - x) + 2 * p.d};
}

/* Hermite polynomial of a position by divided differences (Newton's form); v and a are h q' and h² q''. */
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

/* Hermite polynomial of another unknown; r is h z'. */
static value of_other(double z0, double z1, double r0, double r1, double theta) {
  const double rise = z1 - z0;
  value p = {r0 + r1 - 2 * rise, 0, 0};
  p = step_up(p, theta, 1, rise - r0);
  p = step_up(p, theta, 0, r0);
  return step_up(p, theta, 0, z0);
}

/* Returns s² or s³ and derivatives. */
static value power_of_s(double theta, int power) {
  const double s = theta * (1 - theta);
  const double slope = 1 - 2 * theta;
  const double below = power == 2 ? 1 : s; /* s^(power - 2) */
  return (value){below * s * s, power * below * s * slope, power * below * ((power - 1) * slope * slope - 2 * s)};
}

/* Functions added by evaluation n inside; the second has no q'' (or z') at the first evaluation. */
static value added_to_position(int n, double theta) {
  const value cube = power_of_s(theta, 3);
  return n == 0 ? cube : step_up(cube, theta, -1.0 / 3, 0);
}

static value added_to_other(int n, double theta) {
  const value square = power_of_s(theta, 2);
  return n == 0 ? square : step_up(square, theta, 2.0 / 3, 0);
}

/* ---- A step ---- */

static bool is_multiplier(const seam_dae *dae, size_t i) { return i < (size_t)dae->n && !(dae->mass[i] > 0); }

typedef struct piece {
  const seam_dae *dae;
  const double *y0, *y1;
  double h;
  double *rate[2];     /* (as y) rates at the beginning and at the end */
  double *k[N_INSIDE]; /* (as y) factors of the added functions, except for velocities */
} piece;

static piece piece_of(const seam_dae *dae, const seam_step *step, double *memory) {
  const size_t n = length_of(dae);
  double *first = memory + 1;
  return (piece){
      dae, step->y_begin, step->y_end, step->end - step->begin, {first, first + n}, {first + 2 * n, first + 3 * n}};
}

static value sum(value a, double factor, value b) {
  return (value){a.p + factor * b.p, a.d + factor * b.d, a.dd + factor * b.dd};
}

/* Returns position i, with n evaluations inside. */
static value position(const piece *p, size_t i, double theta, int n) {
  const size_t v = i + (size_t)p->dae->n_positions;
  const double h = p->h;
  value q =
      of_position(p->y0[i], p->y1[i], h * p->y0[v], h * p->y1[v], h * h * p->rate[0][v], h * h * p->rate[1][v], theta);
  for (int m = 0; m < n; m++)
    q = sum(q, p->k[m][i], added_to_position(m, theta));
  return q;
}

static value other(const piece *p, size_t i, double theta, int n) {
  value z = of_other(p->y0[i], p->y1[i], p->h * p->rate[0][i], p->h * p->rate[1][i], theta);
  for (int m = 0; m < n; m++)
    z = sum(z, p->k[m][i], added_to_other(m, theta));
  return z;
}

static void find(const piece *p, double theta, int n, double *y) {
  const size_t n_positions = (size_t)p->dae->n_positions;
  for (size_t i = 0; i < n_positions; i++) {
    const value q = position(p, i, theta, n);
    y[i] = q.p;
    y[n_positions + i] = q.d / p->h;
  }
  for (size_t i = 2 * n_positions; i < length_of(p->dae); i++)
    if (!is_multiplier(p->dae, i))
      y[i] = other(p, i, theta, n).p;
}

/* Replaces the rates of evaluation n in p->k[n] by factors. The rates of positions are velocities and not needed. */
static void find_factors(const piece *p, int n) {
  const size_t n_positions = (size_t)p->dae->n_positions;
  const double theta = inside[n];
  double *k = p->k[n];
  for (size_t i = 0; i < n_positions; i++)
    k[i] = (p->h * p->h * k[i + n_positions] - position(p, i, theta, n).dd) / added_to_position(n, theta).dd;
  for (size_t i = 2 * n_positions; i < length_of(p->dae); i++)
    if (!is_multiplier(p->dae, i))
      k[i] = (p->h * k[i] - other(p, i, theta, n).d) / added_to_other(n, theta).d;
}

/* Returns the larger of two numbers; NaN stays. */
static double larger(double a, double b) { return isnan(a) || b <= a ? a : b; }

/* Returns the largest part of the tolerance that evaluation n adds anywhere in the step; weight: scratch. */
static double largest_change(const piece *p, int n, const seam_tolerances *tolerances, double *weight) {
  /* Largest values of the added functions and of their slopes. */
  static const double in_position[N_INSIDE] = {1.0 / 64, 0.0134}, in_velocity[N_INSIDE] = {0.0537, 0.0507},
                      in_other[N_INSIDE] = {1.0 / 16, 0.0165};
  const size_t n_positions = (size_t)p->dae->n_positions;
  double largest = 0;
  seam_weigh(tolerances, length_of(p->dae), tolerances->rtol, tolerances->atol, p->y1, weight);
  for (size_t i = 0; i < n_positions; i++) {
    const double k = fabs(p->k[n][i]);
    largest = larger(largest, k * in_position[n] / weight[i]);
    largest = larger(largest, k * in_velocity[n] / p->h / weight[i + n_positions]);
  }
  for (size_t i = 2 * n_positions; i < length_of(p->dae); i++)
    if (!is_multiplier(p->dae, i))
      largest = larger(largest, fabs(p->k[n][i]) * in_other[n] / weight[i]);
  return largest;
}

bool seam_inside_prepare(const seam_dae *dae, const seam_tolerances *tolerances, const seam_step *step, double *memory,
                         double *scratch, size_t *n_evaluations) {
  if (memory[0] >= BAD)
    return memory[0] >= GOOD;
  const bool has_begun = memory[0] == BEGUN;
  memory[0] = BAD;
  const piece p = piece_of(dae, step, memory);
  *n_evaluations += has_begun ? 1 : 2;
  if (!has_begun && dae->rates_at(dae->watcher, step->begin, step->y_begin, p.rate[0], NULL) != SEAM_OK)
    return false;
  if (dae->rates_at(dae->watcher, step->end, step->y_end, p.rate[1], NULL) != SEAM_OK)
    return false;
  for (int n = 0; n < N_INSIDE && memory[0] == BAD; n++) {
    find(&p, inside[n], n, scratch);
    ++*n_evaluations;
    if (dae->rates_at(dae->watcher, step->begin + inside[n] * p.h, scratch, p.k[n], NULL) != SEAM_OK)
      return false;
    find_factors(&p, n);
    if (largest_change(&p, n, tolerances, scratch) <= seam_inside_acceptable)
      memory[0] = GOOD + n;
  }
  return memory[0] >= GOOD;
}

void seam_inside_go_on(const seam_dae *dae, double *memory) {
  const size_t n = length_of(dae);
  const bool is_known = memory[0] >= GOOD;
  memory[0] = is_known ? BEGUN : UNKNOWN;
  if (is_known)
    memcpy(memory + 1, memory + 1 + n, n * sizeof *memory);
}

void seam_inside_find(const seam_dae *dae, const seam_step *step, double t, double *memory, double *y) {
  const piece p = piece_of(dae, step, memory);
  find(&p, (t - step->begin) / p.h, (int)memory[0] - GOOD + 1, y);
}
