/* In a singular configuration the Jacobian G of the constraints loses rank, and the motion may continue on several
 * branches. S = G M⁻¹ Gᵀ, with the masses M, is singular; nearby, multipliers and projections are badly conditioned.
 * But the motion is smooth along each branch. So it is integrated backwards in time, away from the singular
 * configuration, and the polynomial through the states found in this way is extrapolated through the configuration.
 *
 * Let d be the sine of the angle between a constraint and those before it (approach.h). With a constant rate d', d
 * vanishes after the time T, and decreases by 0.04 in the time D = -0.04 / d'. Times count from the present state, y is
 * (q, v, z, work). The steps are
 *
 *   y and y' at T - D, T - 3 D, ..., T - 13 D (if T > D: at 0, -2 D, ..., -12 D) from the integration backwards,
 *   the polynomial of degree 13 with these values and slopes (Hermite, in Newton's form), used up to T + D,
 *   projection of y(T + D) onto the constraints.
 *
 * The extrapolation is accepted if d vanishes along the polynomial, and the energy balance changes by at most 1e-7 of
 * the energy. The last two terms of the polynomial and the displacement by the projection must also be below the
 * tolerance of the run plus 1e-8. Otherwise D/2, D/4 and D/8 are tried. Multipliers are interpolated between the nodes
 * and T + D. */
#include "mbs/integrate/crossing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/dynamics/approach.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/scales.h"
#include "mbs/thresholds.h"
#include "solvers/erk.h"

enum { N_NODES = 7, N_TERMS = 2 * N_NODES };

struct mbs_crossing {
  const mbs_model *model;
  mbs_workspace *ws;
  double rtol, atol;
  size_t n;                 /* length of (q, v, z, work) */
  seam_integrator *back;    /* integrates backwards: y(τ) at the time begin - τ */
  int n_steps;              /* number of steps of `back` */
  mbs_state *node;          /* scratch; after a successful check, the state at `end` */
  double *y;                /* (n) scratch */
  double *from;             /* (n) y at `begin` */
  double *weight;           /* (n) allowed errors at `end`, by the tolerances of the run */
  double *least_weight;     /* (n) allowed errors by mbs_crossing_tolerance, in addition to `weight` */
  double *term;             /* (N_TERMS n) coefficients of the polynomial in Newton's form */
  double *multipliers;      /* ((N_NODES + 1) m) coefficients of the polynomial through λ at the nodes and the end */
  double time[N_NODES + 1]; /* s, times of the nodes and the end */
  double begin, end;        /* s, interval in which the polynomial replaces steps */
  int row;                  /* number of the scalar constraint that depends on others */
  bool is_passable;
};

/* ---- Distance from singular configurations ---- */

bool mbs_crossing_is_close(const mbs_crossing *self) {
  double quotient = 0;
  seam_ldl_smallest_quotient(self->ws->solver, &quotient);
  return quotient < mbs_crossing_window * mbs_crossing_window;
}

/* ---- Integration backwards ---- */

static void load_node(mbs_crossing *self, double tau, const double *y) {
  self->node->t = self->begin - tau;
  memcpy(self->node->q, y, self->n * sizeof *y);
}

/* Fills dy with y' at the node, after an evaluation of self->node. */
static void rates_of_node(const mbs_crossing *self, double *dy) {
  const size_t n = 3 * (size_t)self->model->n_bodies;
  const mbs_state *node = self->node;
  memcpy(dy, node->v, n * sizeof *dy);
  memcpy(dy + n, node->a, n * sizeof *dy);
  mbs_rates(self->ws, dy + 2 * n);
}

static seam_status backwards(void *context, double tau, const double *y, double *dy, seam_error *error) {
  mbs_crossing *self = context;
  load_node(self, tau, y);
  const seam_status status = mbs_accelerate(self->ws, self->node, error);
  rates_of_node(self, dy);
  for (size_t i = 0; i < self->n; i++)
    dy[i] = -dy[i];
  return status;
}

static seam_status project(void *context, double tau, double *y, seam_error *error) {
  mbs_crossing *self = context;
  return mbs_project(self->ws, self->begin - tau, y, y + 3 * self->model->n_bodies, error);
}

static bool is_too_far(void *context, double tau) {
  mbs_crossing *self = context;
  (void)tau;
  return ++self->n_steps > MBS_MAX_CROSSING_STEPS;
}

/* ---- Polynomials ---- */

/* Replaces values c (n_terms x n) at the nodes by the coefficients, in Newton's form, of the polynomial through them.
 * If it has given slopes (n_nodes x n) at the nodes, c has the values at each node twice: n_terms = 2 n_nodes. */
static void divide_differences(double *c, const double *slope, const double *time, int n_terms, size_t n) {
  const int times = slope == NULL ? 1 : 2;
  for (int j = 1; j < n_terms; j++)
    for (int i = n_terms - 1; i >= j; i--) {
      const double span = time[i / times] - time[(i - j) / times];
      for (size_t k = 0; k < n; k++)
        c[(size_t)i * n + k] = span == 0 && slope != NULL ? slope[(size_t)(i / times) * n + k]
                                                          : (c[(size_t)i * n + k] - c[(size_t)(i - 1) * n + k]) / span;
    }
}

/* Returns the value at t of entry k of the polynomial; *rate: its derivative in time. */
static double value_at(const mbs_crossing *self, double t, size_t k, double *rate) {
  double p = self->term[(N_TERMS - 1) * self->n + k];
  double dp = 0;
  for (int i = N_TERMS - 2; i >= 0; i--) {
    const double x = t - self->time[i / 2];
    dp = dp * x + p;
    p = p * x + self->term[(size_t)i * self->n + k];
  }
  *rate = dp;
  return p;
}

/* ---- Extrapolation through a singular configuration ---- */

/* Integrates backwards from self->begin, and finds the polynomial of y through the nodes, and the multipliers there.
 * first: time, s, from the first node to self->begin; spacing: time between nodes. Returns false after a failure. */
static bool integrate_back(mbs_crossing *self, double first, double spacing) {
  const size_t m = (size_t)self->model->n_rows;
  double *slope = self->multipliers + (N_NODES + 1) * m;
  double reached = 0;
  self->n_steps = 0;
  memcpy(self->y, self->from, self->n * sizeof *self->y);
  if (project(self, 0, self->y, NULL) != SEAM_OK || seam_integrator_start(self->back, 0, self->y, NULL) != SEAM_OK)
    return false;
  seam_integrator_set_stop(self->back, first + (N_NODES - 1) * spacing);
  for (size_t k = 0; k < N_NODES; k++) {
    const double tau = first + (double)k * spacing;
    if (seam_integrator_advance(self->back, tau, self->y, &reached, NULL) != SEAM_OK)
      return false;
    load_node(self, tau, self->y);
    self->time[k] = self->node->t;
    for (size_t i = 0; i < 2; i++)
      memcpy(self->term + (2 * k + i) * self->n, self->y, self->n * sizeof *self->y);
    if (mbs_evaluate(self->ws, self->node, NULL) != SEAM_OK)
      return false;
    rates_of_node(self, slope + k * self->n);
    memcpy(self->multipliers + k * m, self->node->lambda, m * sizeof *self->multipliers);
  }
  divide_differences(self->term, slope, self->time, N_TERMS, self->n);
  return true;
}

static void read_polynomial(mbs_crossing *self, double t) {
  double rate;
  for (size_t k = 0; k < self->n; k++)
    self->y[k] = value_at(self, t, k, &rate);
}

static double distance_extrapolated(mbs_crossing *self, double t) {
  read_polynomial(self, t);
  return mbs_distance(self->ws, self->row, t, self->y, self->node->v);
}

/* Returns true if the sine of constraint self->row vanishes along the polynomial up to self->end: golden-section search
 * finds one below mbs_crossing_vanishing times d, the sine at self->begin. */
static bool is_singular_ahead(mbs_crossing *self, double d) {
  const double section = 0.61803398874989485;
  double a = self->begin;
  double b = self->end;
  double least = d;
  double left = distance_extrapolated(self, b - section * (b - a));
  double right = distance_extrapolated(self, a + section * (b - a));
  for (int i = 0; i < 30 && least > mbs_crossing_vanishing * d; i++) {
    if (left < right) {
      b = a + section * (b - a);
      right = left;
      left = distance_extrapolated(self, b - section * (b - a));
    } else {
      a = b - section * (b - a);
      left = right;
      right = distance_extrapolated(self, a + section * (b - a));
    }
    least = fmin(least, fmin(left, right));
  }
  return least <= mbs_crossing_vanishing * d;
}

static double balance(mbs_crossing *self, mbs_state *state) {
  const mbs_energy energy = mbs_energy_of(self->ws, state);
  return energy.kinetic + energy.potential + state->work[0] - state->work[1];
}

/* Sets self->node to the polynomial at self->end, projects and evaluates it. Returns true if the displacement by the
 * projection, the last terms of the polynomial and the change of the energy balance are within their bounds. */
static bool end_extrapolation(mbs_crossing *self) {
  const size_t controlled = mbs_n_controlled(self->model);
  mbs_state *node = self->node;
  const double end = self->end;
  load_node(self, 0, self->from);
  const double before = balance(self, node);
  read_polynomial(self, end);
  load_node(self, 0, self->y);
  node->t = end;
  if (mbs_project(self->ws, end, node->q, node->v, NULL) != SEAM_OK || mbs_evaluate(self->ws, node, NULL) != SEAM_OK)
    return false;
  mbs_weigh(self->model, false, node->q, self->rtol, self->atol, self->weight);
  mbs_weigh(self->model, false, node->q, mbs_crossing_tolerance, 0, self->least_weight);
  double product = 1;
  for (int i = 0; i < N_TERMS - 2; i++)
    product *= end - self->time[i / 2];
  for (size_t k = 0; k < controlled; k++) {
    const double moved = fabs(node->q[k] - self->y[k]);
    const double *term = self->term + (N_TERMS - 2) * self->n + k;
    const double last_terms = product * (term[0] + (end - self->time[N_NODES - 1]) * term[self->n]);
    if (!(fmax(moved, fabs(last_terms)) <= self->weight[k] + self->least_weight[k]))
      return false;
  }
  const mbs_energy energy = mbs_energy_of(self->ws, node);
  const double scale = energy.kinetic + fabs(energy.potential);
  return fabs(balance(self, node) - before) <= mbs_crossing_energy * scale;
}

/* ---- Interface ---- */

seam_status mbs_crossing_check(mbs_crossing *self, const mbs_state *state, double h, double latest, seam_error *error) {
  mbs_approach ahead;
  if (self->is_passable && self->begin == state->t && memcmp(self->from, state->q, self->n * sizeof(double)) == 0)
    return SEAM_BECAME_SINGULAR;
  self->is_passable = false;
  if (mbs_is_far_from_singular(self->ws, state) || !mbs_find_approach(self->ws, state, mbs_crossing_window, h, &ahead))
    return SEAM_OK;
  self->row = ahead.row;
  self->begin = state->t;
  memcpy(self->from, state->q, self->n * sizeof *self->from);
  load_node(self, 0, self->from);
  if (mbs_evaluate(self->ws, self->node, NULL) != SEAM_OK)
    return mbs_became_singular(self->model, state->t, ahead.row, error);
  ahead = mbs_approach_of(self->ws, ahead.row, self->node);
  if (!(ahead.time_left > 0 && mbs_is_approach(self->ws, self->node, self->node->a, &ahead)))
    return SEAM_OK;
  double half = mbs_crossing_reach / ahead.d * ahead.time_left; /* D */
  for (int i = 0; i < MBS_MAX_CROSSING_TRIALS && !self->is_passable; i++, half /= 2) {
    self->end = self->begin + ahead.time_left + half;
    const bool is_known = integrate_back(self, fmax(0, half - ahead.time_left), 2 * half);
    if (is_known && !is_singular_ahead(self, ahead.d))
      return SEAM_OK;
    self->is_passable = is_known && self->end < latest && end_extrapolation(self);
  }
  if (self->is_passable) {
    const size_t m = (size_t)self->model->n_rows;
    self->time[N_NODES] = self->node->t;
    memcpy(self->multipliers + N_NODES * m, self->node->lambda, m * sizeof *self->multipliers);
    divide_differences(self->multipliers, NULL, self->time, N_NODES + 1, m);
    return SEAM_BECAME_SINGULAR;
  }
  return ahead.d > mbs_crossing_nearest ? SEAM_OK : mbs_became_singular(self->model, state->t, ahead.row, error);
}

double mbs_crossing_end(const mbs_crossing *self) { return self->is_passable ? self->end : -INFINITY; }

const char *mbs_crossing_joint(const mbs_crossing *self) {
  return self->model->joints[self->model->joint_of_row[self->row]].name;
}

void mbs_crossing_state(const mbs_crossing *self, double t, mbs_state *state) {
  const size_t n = 3 * (size_t)self->model->n_bodies;
  double rate;
  if (t >= self->end) {
    mbs_state_copy(state, self->node);
    return;
  }
  state->t = t;
  for (size_t k = 0; k < self->n; k++) {
    state->q[k] = value_at(self, t, k, &rate);
    if (k >= n && k < 2 * n)
      state->a[k - n] = rate;
  }
  const size_t m = (size_t)self->model->n_rows;
  for (size_t k = 0; k < m; k++) {
    double p = self->multipliers[N_NODES * m + k];
    for (int i = N_NODES - 1; i >= 0; i--)
      p = p * (t - self->time[i]) + self->multipliers[(size_t)i * m + k];
    state->lambda[k] = p;
  }
}

static void weigh(void *context, const double *y, double rtol, double atol, double *weight) {
  mbs_weigh(((const mbs_crossing *)context)->model, false, y, rtol, atol, weight);
}

seam_status mbs_crossing_create(mbs_workspace *ws, double rtol, double atol, mbs_crossing **created,
                                seam_error *error) {
  const mbs_model *model = ws->model;
  const size_t m = (size_t)model->n_rows;
  const size_t n = mbs_n_controlled(model) + (size_t)model->n_work;
  mbs_crossing *self = calloc(1, sizeof *self);
  if (self != NULL)
    self->y = calloc((4 + N_TERMS + N_NODES) * n + (N_NODES + 1) * m, sizeof *self->y);
  if (self == NULL || self->y == NULL) {
    mbs_crossing_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to cross a singular pose");
  }
  self->model = model;
  self->ws = ws;
  self->rtol = rtol;
  self->atol = atol;
  self->n = n;
  self->from = self->y + self->n;
  self->weight = self->from + self->n;
  self->least_weight = self->weight + self->n;
  self->term = self->least_weight + self->n;
  self->multipliers = self->term + N_TERMS * self->n; /* followed by the slopes at the nodes */
  const seam_ode ode = {.n = self->n,
                        .n_controlled = mbs_n_controlled(model),
                        .rhs = backwards,
                        .project = project,
                        .project_inside = project,
                        .context = self};
  const seam_tolerances tolerances = {.rtol = mbs_accuracy_backwards,
                                      .largest_step = INFINITY,
                                      .time = model->scales.time,
                                      .weigh = weigh,
                                      .context = self};
  seam_status status = mbs_state_create(model, &self->node, error);
  THEN(status, seam_erk_create(&ode, "erk8", &tolerances, &self->back, error));
  if (status == SEAM_OK)
    self->back->interrupt = (seam_interrupt){is_too_far, self};
  RETURN_CREATED(status, self, created, mbs_crossing_destroy);
}

void mbs_crossing_destroy(mbs_crossing *self) {
  if (self == NULL)
    return;
  seam_integrator_destroy(self->back);
  mbs_state_destroy(self->node);
  free(self->y);
  free(self);
}
