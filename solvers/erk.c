/* One step from (t, y) of length h:
 *
 *   k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y₁ = y + h Σ b_i k_i,   e = h Σ (b_i - d_i) k_i
 *
 * then projection, y₁ → ŷ₁; the error ratio is the largest |e| / (rtol |y| + atol) or |ŷ₁ - y₁| / (rtol |y| + atol).
 * ([Hairer-Norsett-Wanner] II.4.) What projection moves is error too: e does not see that a law of time bends between
 * the stages. Coefficients: tableau.c.
 *
 * Fehlberg's 7(8) pair has one flaw: its e = 41/840 h (k₁ + k₁₁ - k₁₂ - k₁₃) is zero where f depends on t alone,
 * however wrong the step. Seven of its stages lie at 0, 1/6, ..., 1, and their sixth difference h Δ⁶k ~ h⁷ f⁽⁶⁾/6⁶ sees
 * what e does not; it is also zero to order 5 for any f. With F = h mean|k|, 2e-3 |hΔ⁶k|^(4/3) / F^(1/3) is of the
 * order of the step, stays below e where e sees, and is 1.8 times the true error for f = sin ωt. */
#include "solvers/erk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stages of Fehlberg's pair at 0, 1/6, ..., 1, and the weights of their sixth difference. */
static const int sixths[7] = {11, 7, 9, 5, 8, 6, 12};
static const double sixth_difference[7] = {1, -6, 15, -20, 15, -6, 1};

/* ---- A step by itself ---- */

/* out = y + h Σ_j weight[j] k_j over the first n_stages stages, in pieces that stay in the cache. */
static void combine(size_t n, double *const *k, const double *y, double h, const double *weight, int n_stages,
                    double *restrict out) {
  enum { piece = 512 };
  for (size_t first = 0; first < n; first += piece) {
    const size_t end = first + piece < n ? first + piece : n;
    memcpy(out + first, y + first, (end - first) * sizeof *out);
    for (int j = 0; j < n_stages; j++) {
      const double w = h * weight[j];
      const double *restrict slope = k[j];
      if (weight[j] == 0)
        continue;
      for (size_t i = first; i < end; i++)
        out[i] += w * slope[i];
    }
  }
}

seam_status seam_erk_step(const seam_tableau *table, const seam_ode *ode, double t, double h, double *y,
                          double *scratch, seam_error *error) {
  double *stage = scratch;
  double *k[SEAM_ERK_SCRATCH];
  for (int i = 0; i < table->n_stages; i++) {
    k[i] = scratch + (size_t)(i + 1) * ode->n;
    combine(ode->n, k, y, h, table->A[i], i, stage);
    const seam_status status = ode->rhs(ode->context, t + table->c[i] * h, stage, k[i], error);
    if (status != SEAM_OK)
      return status;
  }
  combine(ode->n, k, y, h, table->b, table->n_stages, stage);
  memcpy(y, stage, ode->n * sizeof *y);
  return SEAM_OK;
}

/* ---- The method ---- */

typedef struct erk {
  seam_method base;
  seam_ode ode;
  seam_tolerances tolerances;
  const seam_tableau *table;
  double e[SEAM_MAX_STAGES];  /* b - d */
  double *k[SEAM_MAX_STAGES]; /* k[0] = f(t, y) is reused while (t, y) is unchanged */
  double *stage;              /* (n) */
  bool have_slope;
} erk;

static void destroy(void *method) {
  erk *self = method;
  free(self->k[0]);
  free(self->stage);
  free(self);
}

static seam_status slope(erk *self, double t, const double *y, double *k, seam_error *error) {
  self->base.count->evaluations++;
  return self->ode.rhs(self->ode.context, t, y, k, error);
}

/* A slope without quadratures. */
static seam_status estimate(erk *self, double t, const double *y, double *k, seam_error *error) {
  self->base.count->evaluations++;
  return (self->ode.controlled != NULL ? self->ode.controlled : self->ode.rhs)(self->ode.context, t, y, k, error);
}

static seam_status first_slope(erk *self, double t, const double *y, bool fresh, seam_error *error) {
  if (self->have_slope && !fresh)
    return SEAM_OK;
  const seam_status status = slope(self, t, y, self->k[0], error);
  self->have_slope = status == SEAM_OK;
  return status;
}

/* ---- Error ---- */

static double weight_of(const erk *self, double y, double end) {
  return self->tolerances.atol + self->tolerances.rtol * fmax(fabs(y), fabs(end));
}

/* Cube of the part of the error that Fehlberg's estimate does not see, over its weight. */
static double unseen_cubed(const erk *self, double h, size_t i, double weight) {
  double difference = 0;
  double mean = 0;
  for (int s = 0; s < 7; s++) {
    const double k = self->k[sixths[s]][i];
    difference += sixth_difference[s] * k;
    mean += fabs(k) / 7;
  }
  if (mean == 0)
    return 0;
  const double x = fabs(h * difference);
  const double scale = 2e-3 / weight;
  return scale * scale * scale * x * x * x * (x / (h * mean));
}

/* `stage` is the end before projection. */
static double error_of(erk *self, const double *y, double h, const double *end) {
  const seam_tableau *table = self->table;
  double largest = 0;
  double unseen = 0;
  for (size_t i = 0; i < self->ode.n_controlled; i++) {
    double e = 0;
    for (int s = 0; s < table->n_stages; s++)
      if (self->e[s] != 0)
        e += self->e[s] * self->k[s][i];
    const double weight = weight_of(self, y[i], end[i]);
    const double moved = self->ode.project != NULL ? fabs(end[i] - self->stage[i]) : 0;
    const double relative = fmax(fabs(h * e), moved) / weight;
    if (!(relative <= largest)) {
      largest = relative;
      self->base.worst_entry = i;
    }
    if (table->blind_to_time)
      unseen = fmax(unseen, unseen_cubed(self, h, i, weight));
  }
  return fmax(largest, cbrt(unseen));
}

/* ---- One step ---- */

static seam_status attempt(void *method, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                           double *end, double *ratio, seam_error *error) {
  (void)memory;
  erk *self = method;
  const seam_tableau *table = self->table;
  seam_status status = first_slope(self, t, y, kind != SEAM_RETRY, error);
  if (status == SEAM_OK && kind == SEAM_NEW_STEP && self->ode.begin_step != NULL)
    status = self->ode.begin_step(self->ode.context, t, y, error);
  const bool judged = table->control_order > 0 && self->tolerances.step == 0 && kind != SEAM_DENSE_OUTPUT;
  const int n_stages = judged ? table->n_stages : table->n_sum;
  for (int i = 1; i < n_stages && status == SEAM_OK; i++) {
    combine(self->base.n, self->k, y, h, table->A[i], i, self->stage);
    const bool is_summed = i < table->n_sum;
    status = (is_summed ? slope : estimate)(self, t + table->c[i] * h, self->stage, self->k[i], error);
  }
  if (status != SEAM_OK)
    return status;
  combine(self->base.n, self->k, y, h, table->b, table->n_sum, end);
  if (judged)
    memcpy(self->stage, end, self->ode.n_controlled * sizeof *end);
  if (self->ode.project != NULL)
    status = self->ode.project(self->ode.context, t + h, end, error);
  if (status == SEAM_OK && judged)
    *ratio = error_of(self, y, h, end);
  return status;
}

/* A step over which an Euler step would move y and f by a hundredth, y by a tolerance at least: where y is nearly zero
 * a hundredth of it is nothing ([Hairer-Norsett-Wanner] II.4). */
static seam_status initial_step(void *method, double t, const double *y, double *h, seam_error *error) {
  erk *self = method;
  const size_t n = self->ode.n_controlled;
  const seam_status status = first_slope(self, t, y, true, error);
  if (status != SEAM_OK)
    return status;
  double size = 0;
  double rate = 0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(y[i]) / weight_of(self, y[i], y[i]));
    rate = fmax(rate, fabs(self->k[0][i]) / weight_of(self, y[i], y[i]));
  }
  const double first = size < 1e-5 || rate < 1e-5 ? 1e-6 : fmax(0.01 * size, 1) / rate;
  const double one = 1;
  combine(self->base.n, self->k, y, first, &one, 1, self->stage);
  double bend = 0;
  if (slope(self, t + first, self->stage, self->k[1], NULL) == SEAM_OK)
    for (size_t i = 0; i < n; i++)
      bend = fmax(bend, fabs(self->k[1][i] - self->k[0][i]) / weight_of(self, y[i], y[i]) / first);
  const double steepest = fmax(rate, bend);
  const double second =
      steepest <= 1e-15 ? fmax(1e-6, first * 1e-3) : pow(0.01 / steepest, 1.0 / self->table->control_order);
  *h = fmin(100 * first, second);
  return SEAM_OK;
}

static bool allocate(erk *self) {
  const size_t n = self->ode.n;
  self->k[0] = calloc((size_t)self->table->n_stages * n + n + 1, sizeof(double)); /* initial_step() needs two slopes */
  self->stage = calloc(n + 1, sizeof(double));
  if (self->k[0] == NULL || self->stage == NULL)
    return false;
  for (int i = 1; i <= self->table->n_stages && i < SEAM_MAX_STAGES; i++)
    self->k[i] = self->k[0] + (size_t)i * n;
  return true;
}

seam_status seam_erk_create(const seam_ode *ode, const char *name, const seam_tolerances *tolerances,
                            seam_integrator **integrator, seam_error *error) {
  erk *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  self->base = (seam_method){
      .n = ode->n, .n_least = ode->n_controlled, .attempt = attempt, .initial_step = initial_step, .destroy = destroy};
  self->ode = *ode;
  self->tolerances = *tolerances;
  self->table = seam_tableau_of(name);
  for (int i = 0; i < self->table->n_stages; i++)
    self->e[i] = self->table->b[i] - self->table->d[i];
  if (!allocate(self)) {
    destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  }
  self->base.control_order = self->table->control_order;
  return seam_onestep_create(&self->base, tolerances, integrator, error);
}
