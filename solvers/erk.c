/* One step from (t, y) of length h:
 *
 *   k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y₁ = y + h Σ b_i k_i
 *
 * then projection, y₁ → ŷ₁. With the weights w = rtol |y| + atol of each entry, E = max |h Σ e_i k_i| / w and, where
 * there is a second estimate, E₃ alike, the error ratio is
 *
 *   E   or   E² / √(E² + E₃²/100)   or   max |ŷ₁ - y₁| / w,
 *
 * whichever is larger of the last and the one that the method has ([Hairer-Norsett-Wanner] II.4, II.10). What
 * projection moves is error too: the estimates do not see that a law of time bends between the stages. Coefficients:
 * tableau.c.
 *
 * States inside a step, with k₁ and k̂ = f(t + h, ŷ₁) at its ends, further stages, and Δ = ŷ₁ - y
 * ([Hairer-Norsett-Wanner] II.6):
 *
 *   u(θ) = y + θ(F₀ + (1-θ)(F₁ + θ(F₂ + (1-θ)(F₃ + ...)))),   F₀ = Δ,  F₁ = h k₁ - Δ,  F₂ = 2Δ - h(k₁ + k̂),
 *                                                              F_j = h Σ d_ji k_i
 *
 * then projection. It is made when the first of them is asked for, and kept with k̂ in the memory that goes into images;
 * the next step begins with k̂. */
#include "solvers/erk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A step by itself ---- */

/* out = y + h Σ_j weight[j] k_j over the first n_stages stages, in pieces that stay in the cache. y of NULL is zero. */
static void combine(size_t n, double *const *k, const double *y, double h, const double *weight, int n_stages,
                    double *restrict out) {
  enum { piece = 512 };
  for (size_t first = 0; first < n; first += piece) {
    const size_t end = first + piece < n ? first + piece : n;
    if (y != NULL)
      memcpy(out + first, y + first, (end - first) * sizeof *out);
    else
      memset(out + first, 0, (end - first) * sizeof *out);
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
  double *k[SEAM_MAX_STAGES]; /* k[0] = f(t, y) is reused while (t, y) is unchanged */
  double *stage;              /* (n) */
  bool have_slope, has_second_estimate;
} erk;

/* First number of the memory between steps. Behind it are f at the end (n) and the terms F_j (n each). */
enum { NO_INTERPOLANT, WITHOUT_SLOPE, WITH_SLOPE };

/* Place of F_j in the memory; of the slope for j = -1. */
static size_t place_of(const erk *self, int j) { return 1 + (size_t)(j + 1) * self->base.n; }

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

/* At the beginning of a step. */
static seam_status first_slope(erk *self, double t, const double *y, seam_step_kind kind, const double *memory,
                               seam_error *error) {
  const bool at_hand = kind == SEAM_NEW_STEP && self->base.n_memory > 0 && memory[0] == WITH_SLOPE;
  if (self->have_slope && kind == SEAM_RETRY)
    return SEAM_OK;
  if (at_hand)
    memcpy(self->k[0], memory + place_of(self, -1), self->base.n * sizeof *memory);
  seam_status status = at_hand ? SEAM_OK : slope(self, t, y, self->k[0], error);
  self->have_slope = status == SEAM_OK;
  if (!at_hand && status == SEAM_OK && kind == SEAM_NEW_STEP && self->ode.begin_step != NULL)
    status = self->ode.begin_step(self->ode.context, t, y, error);
  return status;
}

/* ---- Error ---- */

static double weight_of(const erk *self, double y, double end) {
  return self->tolerances.atol + self->tolerances.rtol * fmax(fabs(y), fabs(end));
}

/* Σ weight[s] k_s of entry i. */
static double sum_of_slopes(const erk *self, const double *weight, size_t i) {
  double sum = 0;
  for (int s = 0; s < self->table->n_stages; s++)
    if (weight[s] != 0)
      sum += weight[s] * self->k[s][i];
  return sum;
}

/* `stage` is the end before projection. */
static double error_of(erk *self, const double *y, double h, const double *end) {
  const seam_tableau *table = self->table;
  double worst = 0;
  double first = 0;
  double second = 0;
  double farthest = 0;
  for (size_t i = 0; i < self->ode.n_controlled; i++) {
    const double weight = weight_of(self, y[i], end[i]);
    const double e = fabs(h * sum_of_slopes(self, table->e, i)) / weight;
    const double moved = self->ode.project != NULL ? fabs(end[i] - self->stage[i]) / weight : 0;
    if (!(fmax(e, moved) <= worst)) {
      worst = fmax(e, moved);
      self->base.worst_entry = i;
    }
    first = fmax(first, e);
    farthest = fmax(farthest, moved);
    if (self->has_second_estimate)
      second = fmax(second, fabs(h * sum_of_slopes(self, table->e3, i)) / weight);
  }
  if (self->has_second_estimate && first > 0)
    first *= first / hypot(first, 0.1 * second);
  return fmax(first, farthest);
}

/* ---- One step ---- */

/* The end of a step, right after an evaluation near it. */
static seam_status project_end(const erk *self, double t, double *end, seam_error *error) {
  if (self->ode.project_near != NULL)
    return self->ode.project_near(self->ode.context, t, end, error);
  return self->ode.project != NULL ? self->ode.project(self->ode.context, t, end, error) : SEAM_OK;
}

static seam_status attempt(void *method, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                           double *end, double *ratio, seam_error *error) {
  erk *self = method;
  const seam_tableau *table = self->table;
  seam_status status = first_slope(self, t, y, kind, memory, error);
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
  status = project_end(self, t + h, end, error);
  if (status == SEAM_OK && judged)
    *ratio = error_of(self, y, h, end);
  return status;
}

/* ---- Inside a step ---- */

static void forget_interpolant(const void *method, double *memory) {
  (void)method;
  memory[0] = NO_INTERPOLANT;
}

static void fill_terms(const erk *self, const seam_step *step, double *memory) {
  const size_t n = self->base.n;
  const double h = step->end - step->begin;
  const seam_tableau *table = self->table;
  const double *first = self->k[0];
  const double *last = self->k[table->n_sum];
  double *F = memory + place_of(self, 0);
  for (size_t i = 0; i < n; i++) {
    const double rise = step->y_end[i] - step->y_begin[i];
    F[i] = rise;
    F[n + i] = h * first[i] - rise;
    F[2 * n + i] = 2 * rise - h * (first[i] + last[i]);
  }
  for (int j = 3; j < table->n_terms; j++)
    combine(n, self->k, NULL, h, table->D[j - 3], table->n_slopes, memory + place_of(self, j));
}

/* From the stages of the step. What begin_step has against the end is asked again by the next step. */
static seam_status make_interpolant(erk *self, const seam_step *step, double *memory, seam_error *error) {
  const seam_tableau *table = self->table;
  const double h = step->end - step->begin;
  seam_status status = slope(self, step->end, step->y_end, self->k[table->n_sum], error);
  if (status != SEAM_OK)
    return status;
  const bool goes_on =
      self->ode.begin_step == NULL || self->ode.begin_step(self->ode.context, step->end, step->y_end, NULL) == SEAM_OK;
  for (int i = table->n_sum + 1; i < table->n_slopes && status == SEAM_OK; i++) {
    combine(self->base.n, self->k, step->y_begin, h, table->A[i], i, self->stage);
    status = slope(self, step->begin + table->c[i] * h, self->stage, self->k[i], error);
  }
  if (status != SEAM_OK)
    return status;
  memcpy(memory + place_of(self, -1), self->k[table->n_sum], self->base.n * sizeof *memory);
  fill_terms(self, step, memory);
  memory[0] = goes_on ? WITH_SLOPE : WITHOUT_SLOPE;
  return SEAM_OK;
}

/* A step that cannot be evaluated everywhere, or whose stages are lost, has its states by shorter steps. */
static seam_status state_inside(void *method, const seam_step *step, double t, double *memory, double *y,
                                seam_error *error) {
  erk *self = method;
  const double h = step->end - step->begin;
  const double theta = (t - step->begin) / h;
  if (memory[0] == NO_INTERPOLANT && (!step->is_last || make_interpolant(self, step, memory, NULL) != SEAM_OK))
    return attempt(self, step->begin, step->y_begin, t - step->begin, SEAM_DENSE_OUTPUT, memory, y, NULL, error);
  double *F[SEAM_MAX_TERMS];
  double weight[SEAM_MAX_TERMS];
  double product = 1;
  for (int j = 0; j < self->table->n_terms; j++) {
    F[j] = memory + place_of(self, j);
    weight[j] = product *= j % 2 == 0 ? theta : 1 - theta;
  }
  combine(self->base.n, F, step->y_begin, 1, weight, self->table->n_terms, y);
  return self->ode.project != NULL ? self->ode.project(self->ode.context, t, y, error) : SEAM_OK;
}

/* A step over which an Euler step would move y and f by a hundredth, y by a tolerance at least: where y is nearly zero
 * a hundredth of it is nothing ([Hairer-Norsett-Wanner] II.4). */
static seam_status initial_step(void *method, double t, const double *y, double *h, seam_error *error) {
  erk *self = method;
  const size_t n = self->ode.n_controlled;
  const seam_status status = slope(self, t, y, self->k[0], error);
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
  size_t n_slopes = 2; /* of initial_step() */
  n_slopes = (size_t)self->table->n_stages > n_slopes ? (size_t)self->table->n_stages : n_slopes;
  n_slopes = (size_t)self->table->n_slopes > n_slopes ? (size_t)self->table->n_slopes : n_slopes;
  self->k[0] = calloc(n_slopes * n + 1, sizeof(double));
  self->stage = calloc(n + 1, sizeof(double));
  if (self->k[0] == NULL || self->stage == NULL)
    return false;
  for (size_t i = 1; i < n_slopes; i++)
    self->k[i] = self->k[0] + i * n;
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
  for (int s = 0; s < self->table->n_stages; s++)
    self->has_second_estimate = self->has_second_estimate || self->table->e3[s] != 0;
  if (!allocate(self)) {
    destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  }
  self->base.control_order = self->table->control_order;
  if (self->table->n_terms > 0) {
    self->base.n_memory = 1 + (size_t)(self->table->n_terms + 1) * ode->n;
    self->base.n_head = 1;
    self->base.store = forget_interpolant;
    self->base.state_inside = state_inside;
  }
  return seam_onestep_create(&self->base, tolerances, integrator, error);
}
