/* One step from (t, y) of length h:
 *
 *   k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y₁ = y + h Σ b_i k_i
 *
 * then projection, y₁ → ŷ₁. Let w be an entry's allowed error (the larger of those at both ends), E the largest value
 * of |h Σ e_i k_i| / w, and E₃ the largest value for a second estimate, with other e_i. The error ratio is the larger
 * of max |ŷ₁ - y₁| / w and
 *
 *   E,   or   E² / √(E² + E₃²/100)   with a second estimate
 *
 * ([Hairer-Norsett-Wanner] II.4, II.10). The change by projection counts as an error, because the estimates do not
 * detect a prescribed motion that varies between the times of the stages. A projection that only removes rounding
 * errors of earlier projections should not count. Therefore its w is at least 1e-11 of the entry's size. The
 * coefficients a_ij, b_i, c_i, d_ji and e_i are in tableau.c.
 *
 * The state at t + θ h inside a step is found from the slopes at its ends, k₁ and k̂ = f(t + h, ŷ₁), from further
 * stages, and from Δ = ŷ₁ - y ([Hairer-Norsett-Wanner] II.6):
 *
 *   u(θ) = y + θ(F₀ + (1-θ)(F₁ + θ(F₂ + (1-θ)(F₃ + ...)))),   F₀ = Δ,  F₁ = h k₁ - Δ,  F₂ = 2Δ - h(k₁ + k̂),
 *                                                              F_j = h Σ d_ji k_i
 *
 * with the last formula for j >= 3, then projection. The interpolant u is computed at its first use and stored, with
 * k̂, in the step's memory (onestep.h), which is part of images; the next step begins with k̂. */
#include "solvers/erk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/lanes.h"
#include "solvers/thresholds.h"

/* ---- A step by itself ---- */

/* The sum h Σ_j weight[j] k_j; terms of weight zero are left out. */
typedef struct combination {
  int n;
  double weight[SEAM_MAX_STAGES];
  const double *slope[SEAM_MAX_STAGES];
  /* Set by share_combination(): out = y + sum, for entries from `first` on. */
  const double *y; /* NULL: zero */
  size_t first;
  double *out;
} combination;

static void set_combination(combination *c, double *const *k, double h, const double *weight, int n_stages) {
  c->n = 0;
  for (int j = 0; j < n_stages; j++)
    if (weight[j] != 0) {
      c->weight[c->n] = h * weight[j];
      c->slope[c->n++] = k[j];
    }
}

/* out = y + combination for the 2 n_lanes entries from i on; y = NULL stands for zero. n_lanes is a constant after
 * inlining. */
static inline void combine_block(int n_lanes, const combination *c, const double *y, size_t i, double *out) {
  seam_lanes sum[8] = {{0}};
  for (int l = 0; l < n_lanes && y != NULL; l++)
    sum[l] = seam_lanes_load(y + i + 2 * l);
  for (int j = 0; j < c->n; j++) {
    const seam_lanes weight = seam_lanes_of(c->weight[j]);
    for (int l = 0; l < n_lanes; l++)
      sum[l] += weight * seam_lanes_load(c->slope[j] + i + 2 * l);
  }
  for (int l = 0; l < n_lanes; l++)
    seam_lanes_store(out + 2 * l, sum[l]);
}

/* Does the work of combine_block() for n entries from `first` on; reads each slope once. The last block may overlap the
 * block before. */
static void add_combination(const combination *c, const double *y, size_t first, size_t n, double *restrict out) {
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    combine_block(8, c, y, first + i, out + i);
  for (; i + 8 <= n; i += 8)
    combine_block(4, c, y, first + i, out + i);
  if (n < 8)
    for (; i < n; i++) {
      out[i] = y != NULL ? y[first + i] : 0;
      for (int j = 0; j < c->n; j++)
        out[i] += c->weight[j] * c->slope[j][first + i];
    }
  else if (n - i > 4)
    combine_block(4, c, y, first + n - 8, out + n - 8);
  else if (n - i > 2)
    combine_block(2, c, y, first + n - 4, out + n - 4);
  else if (n - i > 0)
    combine_block(1, c, y, first + n - 2, out + n - 2);
}

static void add_range(void *context, const thread_range *range) {
  const combination *c = context;
  add_combination(c, c->y, c->first + range->first, range->end - range->first, c->out + range->first);
}

static void share_combination(const seam_ode *ode, combination *c, const double *y, size_t first, size_t n,
                              double *out) {
  c->y = y;
  c->first = first;
  c->out = out;
  worker_group_share(ode->workers, n, add_range, c);
}

/* out = y + h Σ_j weight[j] k_j, n entries, over the first n_stages stages; y = NULL stands for zero. */
static void combine(const seam_ode *ode, size_t n, double *const *k, const double *y, double h, const double *weight,
                    int n_stages, double *restrict out) {
  const size_t end_constant = ode->first_constant + ode->n_constant;
  combination c;
  set_combination(&c, k, h, weight, n_stages);
  if (ode->n_constant == 0) {
    share_combination(ode, &c, y, 0, n, out);
    return;
  }
  share_combination(ode, &c, y, 0, ode->first_constant, out);
  if (y != NULL)
    memcpy(out + ode->first_constant, y + ode->first_constant, ode->n_constant * sizeof *out);
  else
    memset(out + ode->first_constant, 0, ode->n_constant * sizeof *out);
  share_combination(ode, &c, y, end_constant, n - end_constant, out + end_constant);
}

seam_status seam_erk_step(const seam_tableau *table, const seam_ode *ode, double t, double h, double *y,
                          double *scratch, seam_error *error) {
  double *stage = scratch;
  double *k[SEAM_ERK_SCRATCH];
  for (int i = 0; i < table->n_stages; i++) {
    k[i] = scratch + (size_t)(i + 1) * ode->n;
    combine(ode, ode->n, k, y, h, table->A[i], i, stage);
    const seam_status status = ode->rhs(ode->context, t + table->c[i] * h, stage, k[i], error);
    if (status != SEAM_OK)
      return status;
  }
  combine(ode, ode->n, k, y, h, table->b, table->n_stages, stage);
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
  bool have_slope;
  int n_estimates;                /* 1 or 2 */
  double *weight, *weight_of_end; /* (n) allowed errors of the step, and those at its end */
  double *size;                   /* (n) sizes of the entries at the end */
} erk;

/* Values of memory[0], which says whether the memory has an interpolant of the step. After memory[0] follow f at the
 * end of the step (n) and the terms F_j (n each). WITHOUT_SLOPE: the next step must not use this f, but evaluate its
 * first slope itself. */
enum { NO_INTERPOLANT, WITHOUT_SLOPE, WITH_SLOPE };

/* Returns the index of F_j in the memory; j = -1: index of f at the end. */
static size_t index_of(const erk *self, int j) { return 1 + (size_t)(j + 1) * self->base.n; }

#define ARRAYS(X)                                                                                                      \
  X(self, k[0], length)                                                                                                \
  X(self, stage, n)                                                                                                    \
  X(self, weight, n)                                                                                                   \
  X(self, weight_of_end, n)                                                                                            \
  X(self, size, n)

static void destroy(void *method) {
  erk *self = method;
  ARRAYS(FREE_ARRAY)
  free(self);
}

static seam_status slope(erk *self, double t, const double *y, double *k, seam_error *error) {
  self->base.count->evaluations++;
  return self->ode.rhs(self->ode.context, t, y, k, error);
}

static double longest_next_step(const erk *self) { return fmin(*self->base.next_step, self->tolerances.largest_step); }

/* Sets k[0], the slope at the beginning of a step. */
static seam_status first_slope(erk *self, double t, const double *y, seam_step_kind kind, const double *memory,
                               seam_error *error) {
  const bool is_known = kind == SEAM_NEW_STEP && self->base.n_memory > 0 && memory[0] == WITH_SLOPE;
  if (self->have_slope && kind == SEAM_RETRY)
    return SEAM_OK;
  if (is_known)
    memcpy(self->k[0], memory + index_of(self, -1), self->base.n * sizeof *memory);
  seam_status status = is_known ? SEAM_OK : slope(self, t, y, self->k[0], error);
  self->have_slope = status == SEAM_OK;
  if (!is_known && status == SEAM_OK && kind == SEAM_NEW_STEP && self->ode.begin_step != NULL)
    status = self->ode.begin_step(self->ode.context, t, longest_next_step(self), y, error);
  return status;
}

/* ---- Error ---- */

enum { piece = 64 }; /* number of entries handled at a time */

typedef struct peak {
  double value;
  size_t entry;
} peak;

/* Raises the peak to the largest ratio |h e| / w of n entries, if this ratio is larger. first: index in y of e[0],
 * since the peak stores an index in y. */
static void raise_peak(peak *p, const double *weight, double h, const double *e, size_t first, size_t n) {
  double ratio[piece];
  for (size_t i = 0; i < n; i++)
    ratio[i] = fabs(h * e[i]) / weight[i];
  for (size_t i = 0; i < n; i++)
    if (ratio[i] > p->value)
      *p = (peak){ratio[i], first + i};
}

/* Indices of peaks: both estimates, then the change by projection. */
enum { FIRST, SECOND, FARTHEST, N_PEAKS };

typedef struct judgement {
  const erk *method;
  combination estimate[2];
  const double *end;
  double h;
  bool of_rounding;
  size_t begin;                         /* first entry */
  peak highest[THREAD_RANGES][N_PEAKS]; /* peaks over each range of entries */
} judgement;

static void find_peaks_of_range(void *context, const thread_range *range) {
  judgement *self = context;
  const erk *method = self->method;
  peak *p = self->highest[range->number];
  const size_t to = self->begin + range->end;
  for (size_t from = self->begin + range->first; from < to; from += piece) {
    const size_t n = to - from < piece ? to - from : piece;
    double weight[piece], e[piece];
    memcpy(weight, method->weight + from, n * sizeof *weight);
    for (int k = 0; k < method->n_estimates; k++) {
      add_combination(&self->estimate[k], NULL, from, n, e);
      raise_peak(&p[k], weight, self->h, e, from, n);
    }
    for (size_t i = 0; i < n; i++)
      e[i] = self->end[from + i] - method->stage[from + i]; /* stage: the end before projection */
    for (size_t i = 0; i < n && self->of_rounding; i++)
      weight[i] = fmax(weight[i], seam_projection_rounding * method->size[from + i]);
    raise_peak(&p[FARTHEST], weight, 1, e, from, n);
  }
}

/* Finds the peaks of the entries from `from` to `to` - 1. A peak that exceeds the same peak in p (N_PEAKS) replaces it.
 * The workers share the entries. */
static void find_peaks(judgement *self, size_t from, size_t to, peak *p) {
  memset(self->highest, 0, sizeof self->highest);
  self->begin = from;
  worker_group_share(self->method->ode.workers, to - from, find_peaks_of_range, self);
  for (int i = 0; i < THREAD_RANGES; i++)
    for (int k = 0; k < N_PEAKS; k++)
      if (self->highest[i][k].value > p[k].value)
        p[k] = self->highest[i][k];
}

static double error_of(erk *self, const double *y, double h, const double *end, bool of_rounding) {
  const seam_tableau *table = self->table;
  const seam_tolerances *of = &self->tolerances;
  const size_t n = self->ode.n_controlled;
  judgement j = {.method = self, .end = end, .h = h, .of_rounding = of_rounding};
  const peak none = {0, self->base.worst_entry};
  peak p[N_PEAKS] = {none, none, none};
  seam_weigh(of, n, of->rtol, of->atol, y, self->weight);
  seam_weigh(of, n, of->rtol, of->atol, end, self->weight_of_end);
  for (size_t i = 0; i < n; i++)
    self->weight[i] = self->weight[i] > self->weight_of_end[i] ? self->weight[i] : self->weight_of_end[i];
  if (of_rounding)
    seam_sizes(of, n, end, self->size);
  set_combination(&j.estimate[FIRST], self->k, 1, table->e, table->n_stages);
  set_combination(&j.estimate[SECOND], self->k, 1, table->e3, table->n_stages);
  find_peaks(&j, 0, self->ode.first_constant, p);
  find_peaks(&j, self->ode.first_constant + self->ode.n_constant, n, p);
  self->base.worst_entry = p[FIRST].value < p[FARTHEST].value ? p[FARTHEST].entry : p[FIRST].entry;
  double error = p[FIRST].value;
  if (self->n_estimates == 2 && error > 0)
    error *= error / hypot(error, 0.1 * p[SECOND].value);
  return fmax(error, p[FARTHEST].value);
}

/* ---- One step ---- */

static seam_status attempt(void *method, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                           double *end, double *ratio, seam_error *error) {
  erk *self = method;
  const seam_tableau *table = self->table;
  seam_status status = first_slope(self, t, y, kind, memory, error);
  const bool judged =
      table->control_order > 0 && self->tolerances.step == 0 && self->base.tests_error && kind != SEAM_DENSE_OUTPUT;
  const int n_stages = judged ? table->n_stages : table->n_sum;
  for (int i = 1; i < n_stages && status == SEAM_OK; i++) {
    combine(&self->ode, self->base.n, self->k, y, h, table->A[i], i, self->stage);
    self->base.count->evaluations++; /* stages after the sum serve the estimate only */
    status = (i < table->n_sum ? self->ode.rhs : self->ode.controlled)(self->ode.context, t + table->c[i] * h,
                                                                       self->stage, self->k[i], error);
  }
  if (status != SEAM_OK)
    return status;
  combine(&self->ode, self->base.n, self->k, y, h, table->b, table->n_sum, end);
  if (judged)
    worker_group_copy(self->ode.workers, self->ode.n_controlled, end, self->stage);
  bool of_rounding = false;
  if (self->ode.project_near != NULL)
    status = self->ode.project_near(self->ode.context, t + h, end, &of_rounding, error);
  else if (self->ode.project != NULL)
    status = self->ode.project(self->ode.context, t + h, end, error);
  if (status == SEAM_OK && judged)
    *ratio = error_of(self, y, h, end, of_rounding);
  return status;
}

/* ---- Inside a step ---- */

static void forget_interpolant(const void *method, double *memory) {
  (void)method;
  memory[0] = NO_INTERPOLANT;
}

/* Computes the interpolant from the stages of the step. The next step begins with the slope found here and then does
 * not call begin_step(), so begin_step() is called here. If it fails, the next step evaluates its first slope and calls
 * begin_step() again, to get the message. */
static seam_status make_interpolant(erk *self, const seam_step *step, double *memory, seam_error *error) {
  const seam_tableau *table = self->table;
  const size_t n = self->base.n;
  const double h = step->end - step->begin;
  const double *first = self->k[0];
  const double *last = self->k[table->n_sum];
  double *F = memory + index_of(self, 0);
  seam_status status = slope(self, step->end, step->y_end, self->k[table->n_sum], error);
  if (status != SEAM_OK)
    return status;
  const bool may_continue =
      self->ode.begin_step == NULL ||
      self->ode.begin_step(self->ode.context, step->end, longest_next_step(self), step->y_end, NULL) == SEAM_OK;
  for (int i = table->n_sum + 1; i < table->n_slopes && status == SEAM_OK; i++) {
    combine(&self->ode, n, self->k, step->y_begin, h, table->A[i], i, self->stage);
    status = slope(self, step->begin + table->c[i] * h, self->stage, self->k[i], error);
  }
  if (status != SEAM_OK)
    return status;
  memcpy(memory + index_of(self, -1), last, n * sizeof *memory);
  for (size_t i = 0; i < n; i++) {
    const double rise = step->y_end[i] - step->y_begin[i];
    F[i] = rise;
    F[n + i] = h * first[i] - rise;
    F[2 * n + i] = 2 * rise - h * (first[i] + last[i]);
  }
  for (int j = 3; j < table->n_terms; j++)
    combine(&self->ode, n, self->k, NULL, h, table->D[j - 3], table->n_slopes, memory + index_of(self, j));
  memory[0] = may_continue ? WITH_SLOPE : WITHOUT_SLOPE;
  return SEAM_OK;
}

/* Finds the state at t by the interpolant, which is computed at its first use, and projects it. The interpolant cannot
 * be computed if a later attempt has overwritten the stages, or if an evaluation fails. In these cases takes a separate
 * step from the beginning to t. */
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
    F[j] = memory + index_of(self, j);
    weight[j] = product *= j % 2 == 0 ? theta : 1 - theta;
  }
  combine(&self->ode, self->base.n, F, step->y_begin, 1, weight, self->table->n_terms, y);
  return self->ode.project_inside != NULL ? self->ode.project_inside(self->ode.context, t, y, error) : SEAM_OK;
}

/* Finds a first step from (t, y) ([Hairer-Norsett-Wanner] II.4). A trial step gives y''. The result is the h with h^k
 * max(|y'|, |y''|) = 0.01 tolerances, where k is the control order and times are in units of the time scale. It is at
 * most 100 trial steps. */
static seam_status initial_step(void *method, double t, const double *y, double *h, seam_error *error) {
  erk *self = method;
  const size_t n = self->ode.n_controlled;
  const seam_status status = slope(self, t, y, self->k[0], error);
  if (status != SEAM_OK)
    return status;
  const double unit = seam_time_scale(&self->tolerances), one = 1;
  double rate = 0, curvature = 0;
  seam_weigh(&self->tolerances, n, self->tolerances.rtol, self->tolerances.atol, y, self->weight);
  const double first = seam_trial_step(n, y, self->k[0], self->weight, unit, &rate);
  combine(&self->ode, self->base.n, self->k, y, first, &one, 1, self->stage);
  if (slope(self, t + first, self->stage, self->k[1], NULL) == SEAM_OK)
    for (size_t i = 0; i < n; i++)
      curvature = fmax(curvature, fabs(self->k[1][i] - self->k[0][i]) / self->weight[i] * (unit / first) * unit);
  const double steepest = fmax(rate, curvature);
  const double second = steepest <= seam_first_zero_rate
                            ? fmax(seam_first_guess * unit, first * seam_first_if_constant)
                            : unit * pow(seam_first_fraction / steepest, 1.0 / self->table->control_order);
  *h = fmin(100 * first, second);
  return SEAM_OK;
}

seam_status seam_erk_create(const seam_ode *ode, const char *name, const seam_tolerances *tolerances,
                            seam_integrator **integrator, seam_error *error) {
  const size_t n = ode->n;
  const seam_tableau *table = seam_tableau_of(name);
  const int n_slopes = table->n_slopes > table->n_stages ? table->n_slopes : table->n_stages;
  const size_t length = n * (size_t)n_slopes;
  erk *self = calloc(1, sizeof *self);
  const bool enough = self != NULL ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    if (self != NULL)
      destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", n);
  }
  self->base = (seam_method){
      .n = n, .n_least = ode->n_controlled, .attempt = attempt, .initial_step = initial_step, .destroy = destroy};
  self->ode = *ode;
  self->tolerances = *tolerances;
  self->table = table;
  if (ode->controlled == NULL)
    self->ode.controlled = ode->rhs;
  self->n_estimates = 1;
  for (int s = 0; s < table->n_stages; s++)
    if (table->e3[s] != 0)
      self->n_estimates = 2;
  for (int i = 1; i < n_slopes; i++)
    self->k[i] = self->k[i - 1] + n;
  self->base.control_order = table->control_order;
  if (table->n_terms > 0) {
    self->base.n_memory = 1 + (size_t)(table->n_terms + 1) * n;
    self->base.n_head = 1;
    self->base.store = forget_interpolant;
    self->base.state_inside = state_inside;
  }
  return seam_onestep_create(&self->base, tolerances, integrator, error);
}
