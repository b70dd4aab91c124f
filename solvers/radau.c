/* A step from (t, y) of length h solves B y' = f(t, y) with the diagonal matrix B. It has three stages Y_i = y + z_i at
 * t + c_i h, with B z = h A ⊗ f(Y). The matrix A and the nodes c_i are those of the method. As c_3 = 1, the result is
 * y₁ = y + z_3. Let T⁻¹ A⁻¹ T = diag(γ, [α -β; β α]) and z = T w. The simplified Newton iteration, with J = ∂f/∂y, then
 * splits into one real and one complex system:
 *
 *   (γ/h B - J) Δw₁               = (T⁻¹ f)₁ - γ/h B w₁
 *   ((α + iβ)/h B - J)(Δw₂ + iΔw₃) = (T⁻¹ f)₂ + i (T⁻¹ f)₃ - (α + iβ)/h B (w₂ + i w₃)
 *
 * J is exact, and is evaluated at the beginning of the step. While Newton's iteration converges fast, J of an earlier
 * step is used instead. Steps of the same length use the same factors. The memory of a step (onestep.h) has the state
 * of such an earlier J, so a restored integrator finds the same matrices.
 *
 * The error estimate is that of the embedded formula of order 3 with coefficients e_i,
 *
 *   (γ/h B - J)⁻¹ (f(t, y) + B Σ e_i z_i / h).
 *
 * Errors of unknowns of index 2 are multiplied by h. ([Hairer-Wanner] IV.8, VII.4; constants: the authors' code
 * RADAU5.) */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "solvers/inside.h"
#include "solvers/newton_matrix.h"
#include "solvers/onestep.h"
#include "solvers/thresholds.h"

static const double T[3][3] = {{9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
                               {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
                               {0.96604818261509293619, 1, 0}};
static const double T_inverse[3][3] = {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
                                       {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
                                       {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};

#define SQRT6 2.449489742783178098
/* γ and α ± iβ are the eigenvalues of A⁻¹. */
static const struct {
  double c[3], b[3]; /* nodes, weights */
  double e[3];       /* coefficients of the error estimate */
  double d[3];       /* e A (computed in double precision): coefficients of the error estimate of quadratures */
  double gamma, alpha, beta;
} radau5 = {
    .c = {(4 - SQRT6) / 10, (4 + SQRT6) / 10, 1},
    .b = {(16 - SQRT6) / 36, (16 + SQRT6) / 36, 1.0 / 9},
    .e = {-(13 + 7 * SQRT6) / 3, (-13 + 7 * SQRT6) / 3, -1.0 / 3},
    .d = {-1.5580782047249226, 0.89141153805825524, -0.33333333333333326},
    .gamma = 3.6378342527444962,
    .alpha = 2.6810828736277523,
    .beta = 3.0504301992474105,
};

/* Last part of the memory: the J that the next step may use. The state (n) at which it was evaluated follows. */
typedef struct stored_jacobian {
  double is_stored; /* 1: the next step uses J */
  double t, h;      /* time of that state; step size of the factors */
} stored_jacobian;

typedef struct radau {
  seam_method base;
  seam_dae dae;
  seam_tolerances tolerances;
  double rtol, atol;    /* tolerances of the estimate of order 3 that give the step of order 5 the wanted error */
  int max_iterations;   /* larger for fixed steps, which cannot become shorter */
  double newton_target; /* largest Newton error, divided by the tolerance */
  double *J;
  double *y_J; /* (n) J was evaluated at (t_J, y_J) */
  double t_J;
  double h_factors;                   /* step size of the factors; 0: there are no factors for this J */
  bool is_old;                        /* J was evaluated in an earlier step */
  bool is_repaired;                   /* the factors have other pivots than a restored integrator would find */
  double rate;                        /* rate of convergence of Newton's iteration in the last attempt */
  seam_dae_blocks *blocks;            /* NULL: there are none */
  seam_newton_matrix *real, *complex; /* γ/h B - J, (α + iβ)/h B - J */
  double *z[3], *w[3], *f[3];         /* (n) one block of memory, which begins with z[0] */
  double *f0;                         /* (n) f(t, y) */
  double *scale;                      /* (n + n_quadratures) tolerance of each entry */
  double *stage;                      /* (n) stage, or error */
  double *pairs;                      /* (n pairs) right side, then solution, of the complex system */
  double *quadrature;                 /* (4 n_quadratures) P at the three stages, then at the beginning */
  double h;                           /* length of the last attempted step */
  double inside_from; /* start of a step inside an accepted step; -1: beginning of the accepted one, 0: its end */
} radau;

#define ARRAYS(X)                                                                                                      \
  X(self, J, (size_t)dae->start[n])                                                                                    \
  X(self, y_J, n)                                                                                                      \
  X(self, z[0], 9 * n)                                                                                                 \
  X(self, f0, n)                                                                                                       \
  X(self, scale, n + n_quadratures)                                                                                    \
  X(self, stage, n)                                                                                                    \
  X(self, pairs, 2 * n)                                                                                                \
  X(self, quadrature, 4 * n_quadratures)

static void destroy(void *method) {
  radau *self = method;
  seam_newton_matrix_destroy(self->real);
  seam_newton_matrix_destroy(self->complex);
  seam_dae_blocks_destroy(self->blocks);
  ARRAYS(FREE_ARRAY)
  free(self);
}

static seam_status evaluate(radau *self, double t, const double *y, double *f, double *quadrature, seam_error *error) {
  self->base.count->evaluations++;
  return self->dae.f(self->dae.context, t, y, f, quadrature, error);
}

/* ---- Newton matrices ---- */

static seam_status evaluate_jacobian(radau *self, double t, const double *y, seam_error *error) {
  const seam_status status = self->dae.jacobian(self->dae.context, t, y, self->J, error);
  if (status == SEAM_OK && self->blocks != NULL)
    seam_dae_blocks_set_jacobian(self->blocks, self->J);
  self->t_J = t;
  memcpy(self->y_J, y, (size_t)self->dae.n * sizeof *y);
  self->h_factors = 0;
  self->is_old = false;
  return status;
}

static seam_status factor(radau *self, double t, double h, seam_error *error) {
  if (h == self->h_factors)
    return SEAM_OK;
  self->h_factors = h;
  self->is_repaired = false;
  seam_status status = seam_newton_matrix_factor(self->real, self->J, radau5.gamma / h, 0);
  THEN(status, seam_newton_matrix_factor(self->complex, self->J, radau5.alpha / h, radau5.beta / h));
  return seam_newton_matrix_explain(self->real, status, t, error);
}

static size_t stored_offset(const radau *self) {
  return self->base.n_memory - (size_t)self->dae.n - sizeof(stored_jacobian) / sizeof(double);
}

/* Factorises the Newton matrices of a step. The first attempt of a new step uses the J that the memory records, if any,
 * and its factors if h is the same. If self->J is another one, J is evaluated again. Other attempts use J at (t, y). */
static seam_status prepare_matrices(radau *self, double t, const double *y, double h, seam_step_kind kind,
                                    const double *memory, seam_error *error) {
  const double *at = memory + stored_offset(self);
  stored_jacobian stored;
  seam_status status = SEAM_OK;
  memcpy(&stored, at, sizeof stored);
  const bool is_stored = kind == SEAM_NEW_STEP && stored.is_stored > 0;
  const bool fits = is_stored && fabs(stored.h - h) <= seam_same_step * h;
  if (is_stored) {
    const double *y_stored = at + sizeof stored / sizeof *at;
    if (stored.t != self->t_J || memcmp(y_stored, self->y_J, (size_t)self->dae.n * sizeof *y) != 0)
      status = evaluate_jacobian(self, stored.t, y_stored, error);
    self->is_old = true;
  } else if (kind != SEAM_RETRY || self->is_old)
    status = evaluate_jacobian(self, t, y, error);
  self->base.count->factorisations += !fits;
  return status == SEAM_OK ? factor(self, t, fits ? stored.h : h, error) : status;
}

/* ---- Newton iteration ---- */

static void transform(const radau *self, const double M[3][3], double *const from[3], double *const to[3]) {
  for (int i = 0; i < self->dae.n; i++) {
    const double x[3] = {from[0][i], from[1][i], from[2][i]};
    for (int r = 0; r < 3; r++)
      to[r][i] = M[r][0] * x[0] + M[r][1] * x[1] + M[r][2] * x[2];
  }
}

/* Returns the polynomial through the last step's stages for unknown i, minus the unknown at the end of that step. The
 * memory has three coefficients for each unknown and the step's length h. x: time since the end, divided by h. */
static double polynomial(const radau *self, const double *memory, int i, double x) {
  const int n = self->dae.n;
  const double *c = radau5.c;
  return x * (memory[i] + (x + 1 - c[1]) * (memory[n + i] + (x + 1 - c[0]) * memory[2 * n + i]));
}

/* Predicts the stages: extrapolates the polynomial of the last step, or interpolates it for a step inside that step. */
static void predict_stages(radau *self, double h, seam_step_kind kind, const double *memory) {
  const double before = memory[3 * self->dae.n];
  const double start = kind == SEAM_DENSE_OUTPUT ? self->inside_from : 0;
  for (int s = 0; s < 3; s++)
    for (int i = 0; i < self->dae.n; i++)
      self->z[s][i] = before > 0 ? polynomial(self, memory, i, start + radau5.c[s] * h / before) -
                                       polynomial(self, memory, i, start)
                                 : 0;
  transform(self, T_inverse, self->z, self->w);
}

static void store(const void *method, double *memory) {
  const radau *self = method;
  const int n = self->dae.n;
  const double *c = radau5.c;
  for (int i = 0; i < n; i++) {
    const double z1 = self->z[0][i], z2 = self->z[1][i], z3 = self->z[2][i];
    const double slope = (z1 - z2) / (c[0] - c[1]);
    memory[i] = (z2 - z3) / (c[1] - 1);
    memory[n + i] = (slope - memory[i]) / (c[0] - 1);
    memory[2 * n + i] = memory[n + i] - (slope - z1 / c[0]) / c[1];
  }
  memory[3 * n] = self->h;
  seam_inside_begin_next(&self->dae, memory + 3 * n + 1);
  const stored_jacobian stored = {
      .is_stored = self->rate <= seam_newton_fast && !self->is_repaired, .t = self->t_J, .h = self->h_factors};
  double *to = memory + stored_offset(self);
  memcpy(to, &stored, sizeof stored);
  memcpy(to + sizeof stored / sizeof *to, self->y_J, (size_t)n * sizeof *to);
}

static seam_status stage_slopes(radau *self, double t, const double *y, double h, seam_error *error) {
  for (int s = 0; s < 3; s++) {
    for (int i = 0; i < self->dae.n; i++)
      self->stage[i] = y[i] + self->z[s][i];
    TRY(evaluate(self, t + radau5.c[s] * h, self->stage, self->f[s], self->quadrature + s * self->dae.n_quadratures,
                 error));
  }
  return SEAM_OK;
}

/* Corrects w and z by one Newton iteration; returns the change divided by the tolerance. */
static double correct(radau *self, double h) {
  const int n = self->dae.n;
  const double gamma = radau5.gamma / h, alpha = radau5.alpha / h, beta = radau5.beta / h;
  double **w = self->w;
  transform(self, T_inverse, self->f, self->f);
  for (int i = 0; i < n; i++) {
    const double mass = self->dae.mass[i];
    self->f[0][i] -= gamma * mass * w[0][i];
    self->pairs[2 * i] = self->f[1][i] - mass * (alpha * w[1][i] - beta * w[2][i]);
    self->pairs[2 * i + 1] = self->f[2][i] - mass * (alpha * w[2][i] + beta * w[1][i]);
  }
  seam_newton_matrix_solve(self->real, self->f[0]);
  seam_newton_matrix_solve(self->complex, self->pairs);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double change[3] = {self->f[0][i], self->pairs[2 * i], self->pairs[2 * i + 1]};
    for (int s = 0; s < 3; s++) {
      w[s][i] += change[s];
      sum += change[s] * change[s] / (self->scale[i] * self->scale[i]);
    }
  }
  transform(self, T, self->w, self->z);
  return sqrt(sum / (3 * n));
}

/* Iterates until the remaining error is a small part of the tolerance, then sets *converged. Else it is false. */
static seam_status iterate(radau *self, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                           bool *converged, seam_error *error) {
  double before = 0, rate = 0;
  predict_stages(self, h, kind, memory);
  *converged = false;
  self->rate = 0;
  for (int k = 0; k < self->max_iterations; k++) {
    TRY(stage_slopes(self, t, y, h, error));
    const double change = correct(self, h);
    *converged = change <= seam_newton_negligible * self->newton_target; /* the rate of tiny changes may be rounding */
    if (*converged || !isfinite(change))
      return SEAM_OK;
    if (k > 0) {
      self->rate = change / before;
      rate = k == 1 ? self->rate : sqrt(self->rate * rate);
      const double left = rate < 1 ? rate / (1 - rate) * change : INFINITY;
      *converged = left <= self->newton_target;
      if (*converged)
        return SEAM_OK;
      if (rate >= seam_newton_stalls || left * pow(rate, self->max_iterations - 1 - k) > self->newton_target) {
        *converged = change <= seam_newton_tolerable; /* true: the change is only rounding */
        return SEAM_OK;
      }
    }
    before = change;
  }
  return SEAM_OK;
}

static seam_status reach_stages(radau *self, double t, const double *y, double h, seam_step_kind kind,
                                const double *memory, bool *converged, seam_error *error) {
  seam_status status = iterate(self, t, y, h, kind, memory, converged, self->is_old ? NULL : error);
  if (self->is_old && (status != SEAM_OK || !*converged)) {
    status = evaluate_jacobian(self, t, y, error);
    self->base.count->factorisations++;
    THEN(status, factor(self, t, h, error));
    THEN(status, iterate(self, t, y, h, kind, memory, converged, error));
  }
  if (status != SEAM_OK || *converged)
    return status;
  /* Inaccurate pivots may have prevented convergence. */
  bool real_replaced = false, complex_replaced = false;
  status = seam_newton_matrix_test(self->real, self->J, &real_replaced);
  THEN(status, seam_newton_matrix_test(self->complex, self->J, &complex_replaced));
  self->is_repaired = real_replaced || complex_replaced;
  status = seam_newton_matrix_explain(self->real, status, t, error);
  if (status == SEAM_OK && self->is_repaired)
    status = iterate(self, t, y, h, kind, memory, converged, error);
  return status;
}

/* ---- Error ---- */

/* Returns the root mean square of the errors divided by their tolerances. Unknowns that never change do not count. x
 * (n): errors of the unknowns. Let P_j be the rate of a quadrature at stage j, and a_ij the entries of A. The
 * quadrature has the increments w_i = h Σ_j a_ij P_j at the stages, and the error
 *
 *   (γ/h)⁻¹ (P(t, y) + Σ e_i w_i / h)
 *
 * The Newton matrix does not filter this error, because quadratures have no stiffness. */
static double norm(radau *self, const double *x, double h) {
  const int n = self->dae.n, m = self->dae.n_quadratures;
  const double *P = self->quadrature;
  double sum = 0, largest = -1;
  for (int i = 0; i < n; i++) {
    const double part = fabs(x[i] / self->scale[i]);
    sum += part * part;
    if (part > largest) {
      largest = part;
      self->base.worst_entry = (size_t)i;
    }
  }
  for (int i = 0; i < m; i++) {
    double e = P[3 * m + i];
    for (int s = 0; s < 3; s++)
      e += radau5.d[s] * P[s * m + i];
    e *= h / radau5.gamma / self->scale[n + i];
    sum += e * e;
  }
  return sqrt(sum / (n + m - self->dae.n_constant));
}

/* Estimates the error. If the estimate would reject the step, a second solution filters the error of stiff elements
 * once more. Not so after a jump of rates or stiffness: the first step must resolve the motion of stiff elements. */
static seam_status estimate(radau *self, double t, const double *y, double h, double *ratio, seam_error *error) {
  const int n = self->dae.n;
  double *e = self->stage;
  double *embedded = self->w[0];
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int s = 0; s < 3; s++)
      sum += radau5.e[s] * self->z[s][i];
    embedded[i] = self->dae.mass[i] * sum / h;
    e[i] = self->f0[i] + embedded[i];
  }
  seam_newton_matrix_solve(self->real, e);
  *ratio = norm(self, e, h);
  if (*ratio < 1 || self->base.is_after_jump)
    return SEAM_OK;
  for (int i = 0; i < n; i++)
    self->w[1][i] = y[i] + e[i];
  TRY(evaluate(self, t, self->w[1], self->f[0], NULL, error));
  for (int i = 0; i < n; i++)
    e[i] = self->f[0][i] + embedded[i];
  seam_newton_matrix_solve(self->real, e);
  *ratio = norm(self, e, h);
  return SEAM_OK;
}

/* ---- One step ---- */

static void set_scale(radau *self, const double *y, double h) {
  const double coefficient = radau5.gamma / h;
  seam_weigh(&self->tolerances, (size_t)self->dae.n + (size_t)self->dae.n_quadratures, self->rtol, self->atol, y,
             self->scale);
  for (int i = 0; i < self->dae.n; i++) {
    if (self->dae.index[i] == 2)
      self->scale[i] /= h;
    if (self->dae.rounding != NULL)
      self->scale[i] = fmax(self->scale[i], coefficient * coefficient * self->dae.rounding[i]);
  }
}

static seam_status attempt(void *method, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                           double *end, double *ratio, seam_error *error) {
  radau *self = method;
  bool converged = false;
  if (kind != SEAM_RETRY)
    TRY(evaluate(self, t, y, self->f0, self->quadrature + 3 * self->dae.n_quadratures, error));
  if (kind == SEAM_NEW_STEP && self->dae.begin_step != NULL)
    TRY(self->dae.begin_step(self->dae.owner, t, fmin(*self->base.next_step, self->tolerances.largest_step), y, error));
  TRY(prepare_matrices(self, t, y, h, kind, memory, error));
  self->h = h;
  set_scale(self, y, h);
  TRY(reach_stages(self, t, y, h, kind, memory, &converged, error));
  if (!converged && kind == SEAM_DENSE_OUTPUT) {
    /* The polynomial of the surrounding step is accurate enough if h is short against it, since the error falls with
     * the fourth power of their ratio, or if that step is so short that rounding of t matters. */
    const double step = memory[3 * self->dae.n];
    converged = h <= seam_short_fraction * step || step <= seam_rounded_step * fabs(t);
    if (converged) {
      predict_stages(self, h, kind, memory);
      TRY(stage_slopes(self, t, y, h, error));
    }
  }
  if (!converged)
    return seam_fail(error, SEAM_NOT_CONVERGED,
                     "t = %.9g s: Newton's iteration does not converge in a step of %.3g s: %s", t, h,
                     self->tolerances.step > 0 ? "take smaller steps" : "loosen rtol");
  const int n = self->dae.n, n_quadratures = self->dae.n_quadratures;
  for (int i = 0; i < n; i++)
    end[i] = y[i] + self->z[2][i];
  for (int i = 0; i < n_quadratures; i++) {
    end[n + i] = y[n + i];
    for (int s = 0; s < 3; s++)
      end[n + i] += h * radau5.b[s] * self->quadrature[s * n_quadratures + i];
  }
  self->base.least_growth = self->rate <= seam_newton_fast ? seam_little_growth : 1;
  return kind != SEAM_DENSE_OUTPUT ? estimate(self, t, y, h, ratio, error) : SEAM_OK;
}

/* Takes a separate step from the beginning of `step` to t. Takes several shorter steps if Newton's iteration does not
 * converge, because the rates change sharply on the way. */
static seam_status step_inside(radau *self, const seam_step *step, double t, const double *memory, double *y,
                               seam_error *error) {
  const double shortest = seam_shortest_inside * (t - step->begin);
  double from = step->begin;
  double h = t - from;
  memcpy(y, step->y_begin, self->base.n * sizeof *y);
  while (from < t) {
    const bool is_last = h >= t - from;
    const bool may_halve = h > shortest;
    h = is_last ? t - from : h;
    self->inside_from = from > step->begin ? (from - step->end) / memory[3 * self->dae.n] : -1;
    const seam_status status = attempt(self, from, y, h, SEAM_DENSE_OUTPUT, memory, y, NULL, may_halve ? NULL : error);
    if (status == SEAM_OK)
      from = is_last ? t : from + h;
    else if (may_halve)
      h /= 2;
    else
      return status;
  }
  return SEAM_OK;
}

/* Finds multipliers by the polynomial through the stages, other unknowns by the polynomial of inside.h. Projects the
 * state onto the constraints. Without an accurate polynomial, takes a separate step from the beginning to t. */
static seam_status state_inside(void *method, const seam_step *step, double t, double *memory, double *y,
                                seam_error *error) {
  radau *self = method;
  const seam_dae *dae = &self->dae;
  double *of_ends = memory + 3 * dae->n + 1;
  if (dae->rates_at == NULL ||
      !seam_inside_prepare(dae, &self->tolerances, step, of_ends, y, &self->base.count->evaluations))
    return step_inside(self, step, t, memory, y, error);
  for (int i = 0; i < dae->n; i++)
    y[i] = step->y_end[i] + polynomial(self, memory, i, (t - step->end) / memory[3 * dae->n]);
  seam_inside_find(dae, step, t, of_ends, y);
  return dae->project_inside != NULL ? dae->project_inside(dae->owner, t, y, error) : SEAM_OK;
}

/* Writes ½ rtol^¼ T to *h, with the tolerance rtol of the estimate. T is the time in which the fastest unknown changes
 * by its size, but at most the time scale. */
static seam_status initial_step(void *method, double t, const double *y, double *h, seam_error *error) {
  radau *self = method;
  const seam_status status = evaluate(self, t, y, self->f0, NULL, error);
  double fastest = 1 / seam_time_scale(&self->tolerances);
  seam_sizes(&self->tolerances, (size_t)self->dae.n + (size_t)self->dae.n_quadratures, y, self->scale);
  for (int i = 0; i < self->dae.n && status == SEAM_OK; i++)
    if (self->dae.mass[i] > 0)
      fastest = fmax(fastest, fabs(self->f0[i]) / self->dae.mass[i] / self->scale[i]);
  *h = 0.5 * pow(self->rtol, 0.25) / fastest;
  return status;
}

/* ---- Creation ---- */

seam_status seam_radau_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                              seam_error *error) {
  radau *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %d values", dae->n);
  const size_t n = (size_t)dae->n, n_quadratures = (size_t)dae->n_quadratures;
  self->base = (seam_method){.n = n + n_quadratures,
                             .n_memory = 4 * n + 1 + seam_inside_length(dae) + sizeof(stored_jacobian) / sizeof(double),
                             .control_order = 4,
                             .attempt = attempt,
                             .store = store,
                             .state_inside = state_inside,
                             .initial_step = initial_step,
                             .destroy = destroy};
  self->dae = *dae;
  self->tolerances = *tolerances;
  self->rtol = seam_radau_tolerance * pow(tolerances->rtol, 2.0 / 3);
  self->atol = seam_radau_tolerance * pow(tolerances->atol, 2.0 / 3);
  self->max_iterations = tolerances->step > 0 ? SEAM_MAX_FIXED_NEWTON : SEAM_MAX_NEWTON;
  self->newton_target = fmax(DBL_EPSILON / self->rtol, fmin(seam_radau_newton, sqrt(self->rtol)));
  const double typical_step = seam_typical_step * seam_time_scale(tolerances); /* for the order of pivots */
  const bool enough = true ARRAYS(ALLOCATE_ARRAY);
  for (size_t s = 0; s < 3 && enough; s++) {
    self->z[s] = self->z[0] + s * n;
    self->w[s] = self->z[0] + (3 + s) * n;
    self->f[s] = self->z[0] + (6 + s) * n;
  }
  seam_status status = enough ? dae->jacobian(dae->context, dae->t_reference, dae->reference, self->J, error)
                              : seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator");
  if (dae->blocks != NULL)
    THEN(status, seam_dae_blocks_create(&self->dae, &self->blocks, error));
  THEN(status, seam_newton_matrix_create(&self->dae, self->blocks, false, self->J, radau5.gamma / typical_step, 0,
                                         &self->real, error));
  THEN(status, seam_newton_matrix_create(&self->dae, self->blocks, true, self->J, radau5.alpha / typical_step,
                                         radau5.beta / typical_step, &self->complex, error));
  if (status == SEAM_OK)
    return seam_onestep_create(&self->base, tolerances, integrator, error);
  destroy(self);
  return status;
}
