#include "solvers/inside.h"

#include <math.h>
#include <string.h>

#include "solvers/thresholds.h"

/* Values of memory[0]. UNKNOWN: nothing is stored. BEGUN: only the rates at the beginning are known. BAD: no polynomial
 * is accurate enough. GOOD + n: the polynomial uses 1 + n evaluations inside the step. */
enum { UNKNOWN, BEGUN, BAD, GOOD };

enum { N_INSIDE = 3, DEGREE = N_INSIDE + 3 };
static const double inside[N_INSIDE] = {1.0 / 3, 2.0 / 3, 1.0 / 6}; /* θ of the evaluations inside */

/* Coefficients, in ascending powers of θ, of s², s² (θ - 2/3) and s² (1/3 - s) with s = θ (1 - θ). Then the largest
 * absolute values of these polynomials in [0, 1]. */
static const double added[N_INSIDE][DEGREE + 1] = {
    {0, 0, 1, -2, 1, 0, 0}, {0, 0, -2.0 / 3, 7.0 / 3, -8.0 / 3, 1, 0}, {0, 0, 1.0 / 3, -5.0 / 3, 10.0 / 3, -3, 1}};
static const double largest_added[N_INSIDE] = {1.0 / 16, 0.0165, 4.0 / 729};

static size_t length_of(const seam_dae *dae) { return (size_t)dae->n + (size_t)dae->n_quadratures; }

size_t seam_inside_length(const seam_dae *dae) { return 1 + (2 + N_INSIDE) * length_of(dae); }

/* ---- Polynomials of θ ---- */

static double value_of(const double *c, double theta) {
  double sum = 0;
  for (int j = DEGREE; j >= 0; j--)
    sum = sum * theta + c[j];
  return sum;
}

static double slope_of(const double *c, double theta) {
  double sum = 0;
  for (int j = DEGREE; j > 0; j--)
    sum = sum * theta + j * c[j];
  return sum;
}

/* Returns the integral, from 0 to θ, of the polynomial with the coefficients c (DEGREE + 1). */
static double integral_of(const double *c, double theta) {
  double sum = 0;
  for (int j = DEGREE; j >= 0; j--)
    sum = (sum + c[j] / (j + 1)) * theta;
  return sum;
}

/* ---- A step ---- */

static bool is_multiplier(const seam_dae *dae, size_t i) { return i < (size_t)dae->n && !(dae->mass[i] > 0); }

typedef struct piece {
  const seam_dae *dae;
  const double *y0, *y1;
  double h;
  double *rate[2];     /* (n + n_quadratures) rates at the beginning and at the end */
  double *k[N_INSIDE]; /* (n + n_quadratures) factors k of the added polynomials */
} piece;

static piece piece_of(const seam_dae *dae, const seam_step *step, double *memory) {
  const size_t n = length_of(dae);
  double *first = memory + 1;
  return (piece){.dae = dae,
                 .y0 = step->y_begin,
                 .y1 = step->y_end,
                 .h = step->end - step->begin,
                 .rate = {first, first + n},
                 .k = {first + 2 * n, first + 3 * n, first + 4 * n}};
}

/* Finds the polynomial of unknown i by the first n evaluations inside. c (DEGREE + 1): ascending powers of θ. */
static void find_polynomial(const piece *p, size_t i, int n, double *c) {
  const double rise = p->y1[i] - p->y0[i];
  const double r0 = p->h * p->rate[0][i], r1 = p->h * p->rate[1][i];
  const double cubic[4] = {p->y0[i], r0, 3 * rise - 2 * r0 - r1, r0 + r1 - 2 * rise};
  for (int j = 0; j <= DEGREE; j++) {
    c[j] = j < 4 ? cubic[j] : 0;
    for (int m = 0; m < n; m++)
      c[j] += p->k[m][i] * added[m][j]; /* NOLINT(clang-analyzer-core.*): n is at most N_INSIDE */
  }
}

static void find(const piece *p, double theta, int n, double *y) {
  const size_t n_positions = (size_t)p->dae->n_positions;
  const double ramp = theta * theta * (3 - 2 * theta);
  double c[DEGREE + 1];
  for (size_t i = n_positions; i < length_of(p->dae); i++) {
    if (is_multiplier(p->dae, i))
      continue;
    find_polynomial(p, i, n, c);
    y[i] = value_of(c, theta);
    if (i >= 2 * n_positions)
      continue;
    const size_t q = i - n_positions;
    const double gap = p->y1[q] - p->y0[q] - p->h * integral_of(c, 1);
    y[q] = p->y0[q] + p->h * integral_of(c, theta) + gap * ramp;
  }
}

/* Returns the larger of two numbers; NaN if one of them is NaN. */
static double larger(double a, double b) { return isnan(a) || b <= a ? a : b; }

/* Returns the largest change that evaluation n makes to an unknown's polynomial anywhere in the step, divided by its
 * tolerance. The changes of positions follow from those of their velocities. weight (n + n_quadratures): scratch. */
static double largest_change(const piece *p, int n, const seam_tolerances *tolerances, double *weight) {
  const size_t n_positions = (size_t)p->dae->n_positions;
  double largest = 0;
  seam_weigh(tolerances, length_of(p->dae), tolerances->rtol, tolerances->atol, p->y1, weight);
  for (size_t i = n_positions; i < length_of(p->dae); i++) {
    const double change = fabs(p->k[n][i]) * largest_added[n];
    if (!is_multiplier(p->dae, i))
      largest = larger(largest, change / weight[i]);
    if (i < 2 * n_positions)
      largest = larger(largest, p->h * change / weight[i - n_positions]);
  }
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
  if (!has_begun && dae->rates_at(dae->owner, step->begin, step->y_begin, p.rate[0], NULL) != SEAM_OK)
    return false;
  if (dae->rates_at(dae->owner, step->end, step->y_end, p.rate[1], NULL) != SEAM_OK)
    return false;
  for (int n = 0; n < N_INSIDE && memory[0] == BAD; n++) {
    find(&p, inside[n], n, scratch);
    ++*n_evaluations;
    if (dae->rates_at(dae->owner, step->begin + inside[n] * p.h, scratch, p.k[n], NULL) != SEAM_OK)
      return false;
    for (size_t i = (size_t)dae->n_positions; i < length_of(dae); i++) { /* replaces rates by the factors k */
      double c[DEGREE + 1];
      find_polynomial(&p, i, n, c);
      p.k[n][i] = (p.h * p.k[n][i] - slope_of(c, inside[n])) / slope_of(added[n], inside[n]);
    }
    if (largest_change(&p, n, tolerances, scratch) <= seam_inside_acceptable)
      memory[0] = GOOD + n;
  }
  return memory[0] >= GOOD;
}

void seam_inside_begin_next(const seam_dae *dae, double *memory) {
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
