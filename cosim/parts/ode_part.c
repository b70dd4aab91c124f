/* A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). It takes micro
 * steps of fixed length, or error-controlled steps within each piece of the inputs. Rates use the inputs at the time of
 * each evaluation, outputs the inputs at the end of the macro step. Euler's methods keep inputs constant over a micro
 * step: their outputs use the inputs of the last micro step, as in [Rodriguez].
 *
 * Derivatives: the change s of the states along each seed w of the inputs is integrated with the states, s' = f_x s +
 * f_u w. With fixed steps this is the exact derivative of the numerical step.
 *
 * A part in discrete time changes at the samples t = k T, with inputs u at t,
 *
 *   y⁺ = g(t, x, u)      x⁺ = f(t, x, u)
 *
 * and is constant in between. The first sample is taken at the start, at any t; outputs are zero before it.
 *
 * The saved state is x, the inputs u for which outputs were last computed, t and, with error control, the memory of
 * step sizes; in discrete time x, y and the time of the next sample. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/sample.h"
#include "base/then.h"
#include "cosim/parts/part.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"
#include "solvers/dense.h"
#include "solvers/erk.h"

enum { directions_per_input = COSIM_MAX_DEGREE + 1 };

typedef struct ode_part {
  cosim_part base;
  cosim_ode_def def;           /* discrete time: `rates` gives the next states */
  double period;               /* s, period of samples; 0: continuous time */
  void *owned;                 /* context if the part owns it; else NULL */
  const seam_tableau *tableau; /* Runge-Kutta tableau of fixed micro steps; NULL: symplectic Euler, or error control */
  const cosim_step *step;      /* present step */
  seam_integrator *integrator; /* NULL: fixed micro steps or no states */
  seam_step_memory step_memory;
  int n_micro_steps; /* micro steps in the present macro step */
  struct {           /* outputs at nodes of the present step */
    int next;        /* index of the next node */
    double *outputs, *derivatives;
  } at_nodes;
  double t; /* s, present time; discrete time: time of the next sample */
  struct {
    double from;    /* s, time from which the next kink was searched */
    seam_kink next; /* rates are evaluated at times up to next.before */
  } smooth;
  double *nominal; /* (n_states) typical sizes of states, for atol = 0 */
  double *x;       /* (n_states) states; u follows in memory */
  double *u; /* (n_inputs) inputs of the last evaluation; a part in discrete time has its present outputs (n_outputs)
                here */
  double sampled;  /* s, time of the inputs u */
  double *y;       /* x, then its changes along each seed */
  double *scratch; /* SEAM_ERK_SCRATCH times the length of y */
  double *matrix;  /* BDF, Adams: (n_states x n_states) factors of Newton's matrix, with pivots */
  int *pivot;
  double *du;  /* (n_inputs) scratch */
  double *tau; /* scratch: ends of pieces of inputs and seeds */
} ode_part;

/* Names of the Runge-Kutta methods with fixed micro steps. */
static const char *const tableau_name[COSIM_ADAMS + 1] = {
    [COSIM_FORWARD_EULER] = "euler", [COSIM_MIDPOINT] = "rk2", [COSIM_RUNGE_KUTTA] = "rk4"};

static bool is_multistep(const cosim_ode_def *def) { return def->method == COSIM_BDF || def->method == COSIM_ADAMS; }

static bool controls_error(const cosim_ode_def *def) {
  return def->method == COSIM_ERROR_CONTROLLED || is_multistep(def);
}

/* ---- Rates ---- */

static seam_status fail_rate(const ode_part *self, double t, int state, seam_error *error) {
  const char *what = self->period > 0 ? "next value" : "rate";
  if (self->def.states != NULL)
    return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the %s of state '%s' is not finite", t, what,
                     self->def.states[state]);
  return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the %s of state %d is not finite", t, what, state + 1);
}

static void sample_inputs(ode_part *self, double t) {
  const double tau = (t - self->step->t) / self->step->H;
  for (int i = 0; i < self->base.n_inputs; i++)
    self->u[i] = cosim_signal_value(&self->step->inputs[i], tau);
  self->sampled = t;
}

/* Returns the change of the inputs along a seed at self->sampled. */
static const double *sample_direction(ode_part *self, int number) {
  const cosim_seed *seed = &self->step->seeds[number];
  memset(self->du, 0, (size_t)self->base.n_inputs * sizeof *self->du);
  self->du[seed->input] = cosim_signal_value(&seed->signal, (self->sampled - self->step->t) / self->step->H);
  return self->du;
}

/* Returns the time nearest to t within the present interval between two kinks. */
static double smooth_time(const ode_part *self, double t) {
  return fmin(fmax(t, self->smooth.from), self->smooth.next.before);
}

static seam_status evaluate(void *context, double t, const double *y, double *dy, seam_error *error) {
  ode_part *self = context;
  const cosim_ode_def *def = &self->def;
  sample_inputs(self, t);
  t = smooth_time(self, t);
  def->rates(def->context, t, y, self->u, dy);
  const int first = def->method == COSIM_SYMPLECTIC_EULER ? (def->n_states - def->n_integrals) / 2 : 0;
  for (int i = first; i < def->n_states; i++)
    if (!isfinite(dy[i]))
      return fail_rate(self, t, i, error);
  for (int d = 0, at = def->n_states; d < self->step->n_seeds; d++, at += def->n_states)
    def->rates_along(def->context, t, y, self->u, y + at, sample_direction(self, d), dy + at);
  return SEAM_OK;
}

/* Returns the number of integrated values: states, and their changes along n_seeds seeds. */
static size_t length_of(const ode_part *self, int n_seeds) {
  return (size_t)self->def.n_states * (1 + (size_t)n_seeds);
}

/* ---- Fixed micro steps ---- */

static seam_status take_symplectic_step(ode_part *self, double t, double h, seam_error *error) {
  const int n = (self->def.n_states - self->def.n_integrals) / 2;
  TRY(evaluate(self, t, self->y, self->scratch, error));
  double *y = self->y;
  const double *dy = self->scratch;
  for (int d = 0; d <= self->step->n_seeds; d++, y += self->def.n_states, dy += self->def.n_states) {
    for (int i = 0; i < n; i++) {
      y[n + i] += h * dy[n + i];
      y[i] += h * y[n + i];
    }
    for (int i = 2 * n; i < self->def.n_states; i++)
      y[i] += h * dy[i];
  }
  return SEAM_OK;
}

static seam_status take_micro_steps(ode_part *self, double from, double length, seam_error *error) {
  const double longest = self->def.micro_steps > 0 ? self->step->H / self->def.micro_steps : self->def.micro_step;
  const double n = fmax(1, ceil(length / longest - cosim_slack_of_steps));
  if (self->def.micro_steps == 0 && n > COSIM_MAX_MICRO_STEPS)
    return cosim_too_many_micro_steps(self->step->t, self->def.micro_step, error);
  const double h = length / n;
  const seam_ode ode = {.n = length_of(self, self->step->n_seeds), .rhs = evaluate, .context = self};
  for (int i = 0; i < (int)n; i++)
    TRY(self->tableau == NULL ? take_symplectic_step(self, from + i * h, h, error)
                              : seam_erk_step(self->tableau, &ode, from + i * h, h, self->y, self->scratch, error));
  return SEAM_OK;
}

/* ---- Outputs at nodes ---- */

static void write_outputs(ode_part *self, double t, double *outputs, double *derivatives) {
  const cosim_ode_def *def = &self->def;
  const cosim_step *step = self->step;
  if (def->method == COSIM_MIDPOINT || controls_error(def))
    sample_inputs(self, t);
  def->outputs(def->context, t, self->y, self->u, outputs);
  for (int d = 0; d < step->n_seeds; d++)
    def->outputs_along(def->context, t, self->y, self->u, self->y + (size_t)(d + 1) * (size_t)def->n_states,
                       sample_direction(self, d), derivatives + d * (step->n_nodes + 1) * self->base.n_outputs);
}

/* Returns the time of the next node, s; infinite after the last one. */
static double next_node(const ode_part *self) {
  const cosim_step *step = self->step;
  const int next = self->at_nodes.next;
  return next < step->n_nodes ? step->t + step->nodes[next] * step->H : INFINITY;
}

/* Writes outputs at the next node, which has been reached. */
static void write_node(ode_part *self) {
  const int row = self->at_nodes.next * self->base.n_outputs;
  write_outputs(self, next_node(self), self->at_nodes.outputs + row,
                self->step->n_seeds > 0 ? self->at_nodes.derivatives + row : NULL);
  self->at_nodes.next++;
}

/* ---- Error control ---- */

/* Advances under error control, with outputs at the nodes and a restart at each end of a signal's piece. */
static seam_status integrate(ode_part *self, double from, double length, seam_error *error) {
  const cosim_step *step = self->step;
  const bool stops = !cosim_interpolates_nodes(self->def.order, step->n_nodes);
  const int n_pieces = cosim_list_ends(self->tau, step, self->base.n_inputs, step->n_seeds);
  seam_status status = SEAM_OK;
  double begin = from;
  for (int p = 0; p < n_pieces && self->integrator != NULL && status == SEAM_OK; p++) {
    const double end = fmin(step->t + self->tau[p] * step->H, from + length);
    double reached = begin;
    if (!(end > begin))
      continue;
    status = seam_integrator_restart(self->integrator, begin, self->y, length_of(self, step->n_seeds),
                                     &self->step_memory, error);
    while (status == SEAM_OK && next_node(self) < end) {
      seam_integrator_set_stop(self->integrator, stops ? next_node(self) : end);
      status = seam_integrator_advance(self->integrator, next_node(self), self->y, &reached, error);
      if (status == SEAM_OK)
        write_node(self);
    }
    seam_integrator_set_stop(self->integrator, end);
    THEN(status, seam_integrator_advance(self->integrator, end, self->y, &reached, error));
    self->step_memory = seam_integrator_step_memory(self->integrator);
    begin = end;
    if (status == SEAM_INTERRUPTED)
      return cosim_too_many_micro_steps(reached, 0, error);
  }
  return status;
}

/* ---- The macro step ---- */

/* Advances over the macro step from kink to kink. Skips intervals as short as round-off. */
static seam_status take_pieces(ode_part *self, seam_error *error) {
  const bool controlled = controls_error(&self->def);
  const double end = self->step->t + self->step->H;
  const double rounding = cosim_end_of_micro_steps * fmax(self->step->H, fabs(end));
  self->n_micro_steps = 0;
  for (double t = self->step->t; t < end;) {
    if (cosim_count_micro_step(&self->n_micro_steps, t))
      return cosim_too_many_micro_steps(t, 0, error);
    if (!(t >= self->smooth.from && t < self->smooth.next.at)) {
      self->smooth.from = t;
      self->smooth.next =
          self->def.next_kink != NULL ? self->def.next_kink(self->def.context, t) : (seam_kink){INFINITY, INFINITY};
    }
    const double to = fmin(fmin(end, self->smooth.next.at), controlled ? INFINITY : next_node(self));
    const bool is_entire = t == self->step->t && to == end;
    if (t != self->step->t)
      self->step_memory = (seam_step_memory){0};
    if (is_entire || to - t > rounding)
      TRY((controlled ? integrate : take_micro_steps)(self, t, is_entire ? self->step->H : to - t, error));
    t = to;
    while (next_node(self) <= t)
      write_node(self);
  }
  return SEAM_OK;
}

/* ---- Operations ---- */

static int max_seeds(const ode_part *self) {
  return self->base.gives_derivatives && self->period == 0 ? directions_per_input * self->def.n_inputs : 0;
}

static void get_outputs(cosim_part *base, double *outputs) {
  const ode_part *self = (const ode_part *)base;
  self->def.outputs(self->def.context, self->t, self->x, self->u, outputs);
}

static void evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  ode_part *self = (ode_part *)base;
  for (int i = 0; i < base->n_inputs; i++)
    self->du[i] = cosim_signal_end(&inputs[i]);
  self->def.outputs(self->def.context, t, self->x, self->du, outputs);
}

static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  ode_part *self = (ode_part *)base;
  const cosim_ode_def *def = &self->def;
  if (step->n_seeds > max_seeds(self))
    return seam_fail(error, SEAM_BAD_INPUT, "a step takes at most %d seeds (directions of derivatives), not %d",
                     max_seeds(self), step->n_seeds);
  self->step = step;
  self->at_nodes.next = 0;
  self->at_nodes.outputs = outputs;
  self->at_nodes.derivatives = derivatives;
  memset(self->y, 0, length_of(self, step->n_seeds) * sizeof *self->y);
  memcpy(self->y, self->x, (size_t)(def->n_states - def->n_integrals) * sizeof *self->y);
  const seam_status status = take_pieces(self, error);
  memcpy(self->x, self->y, (size_t)def->n_states * sizeof *self->x);
  self->t = step->t + step->H;
  TRY(status);
  const int row = step->n_nodes * base->n_outputs;
  write_outputs(self, self->t, outputs + row, step->n_seeds > 0 ? derivatives + row : NULL);
  return SEAM_OK;
}

/* Returns the count of numbers in x and u, which are stored one after the other. */
static size_t n_numbers(const ode_part *self) {
  return (size_t)self->def.n_states + (size_t)(self->period > 0 ? self->def.n_outputs : self->def.n_inputs);
}

static void copy_state(ode_part *self, cosim_image image) {
  cosim_image_copy(&image, self->x, n_numbers(self));
  cosim_image_copy(&image, &self->t, 1);
  if (self->integrator != NULL)
    cosim_image_copy(&image, (double *)&self->step_memory, sizeof self->step_memory / sizeof(double));
}

static void save(const cosim_part *base, double *state) {
  copy_state((ode_part *)base, (cosim_image){.at = state, .saves = true});
}

static void restore(cosim_part *base, const double *state) {
  copy_state((ode_part *)base, (cosim_image){.at = (double *)state});
}

#define ODE_ARRAYS(X)                                                                                                  \
  X(self, x, n_numbers(self))                                                                                          \
  X(self, y, length)                                                                                                   \
  X(self, scratch, SEAM_ERK_SCRATCH *length)                                                                           \
  X(self, du, n_in)                                                                                                    \
  X(self, nominal, n)                                                                                                  \
  X(self, tau, (COSIM_MAX_PIECES - 1) * (n_in + (size_t)max_seeds(self)))                                              \
  X(self, matrix, of_newton *of_newton)                                                                                \
  X(self, pivot, of_newton)

static void destroy(cosim_part *base) {
  ode_part *self = (ode_part *)base;
  seam_integrator_destroy(self->integrator);
  ODE_ARRAYS(FREE_ARRAY)
  free(self->owned);
  free(self);
}

/* ---- In discrete time ---- */

static void get_sampled(cosim_part *base, double *outputs) {
  memcpy(outputs, ((const ode_part *)base)->u, (size_t)base->n_outputs * sizeof *outputs);
}

static void evaluate_sampled(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  (void)t;
  (void)inputs;
  get_sampled(base, outputs);
}

static seam_status advance_sampled(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                                   seam_error *error) {
  (void)error;
  get_sampled(base, outputs);
  if (step->n_seeds > 0)
    memset(derivatives, 0, (size_t)step->n_seeds * (size_t)base->n_outputs * sizeof *derivatives);
  return SEAM_OK;
}

static double next_sample(const cosim_part *base) { return ((const ode_part *)base)->t; }

static seam_status sample(cosim_part *base, double t, const double *inputs, seam_error *error) {
  ode_part *self = (ode_part *)base;
  const cosim_ode_def *def = &self->def;
  def->outputs(def->context, t, self->x, inputs, self->u);
  def->rates(def->context, t, self->x, inputs, self->y);
  for (int i = 0; i < def->n_states; i++)
    if (!isfinite(self->y[i]))
      return fail_rate(self, t, i, error);
  memcpy(self->x, self->y, (size_t)def->n_states * sizeof *self->x);
  self->t = sample_after(self->period, t);
  return SEAM_OK;
}

/* ---- Creation ---- */

/* Returns the number of error-controlled states. Integrals count only if there are no other states. */
static int n_controlled(const cosim_ode_def *def) {
  return def->n_states > def->n_integrals ? def->n_states - def->n_integrals : def->n_states;
}

static void weigh(void *context, const double *y, double rtol, double atol, double *weight) {
  const ode_part *self = context;
  for (int i = 0; i < n_controlled(&self->def); i++)
    weight[i] = rtol * fmax(fabs(y[i]), self->nominal[i]) + atol;
}

/* Factors I - γ ∂f/∂x, with differences if the part gives no derivatives. Omits integrals: no rate depends on them. */
static seam_status set_up_newton(void *context, double t, const double *x, double gamma, seam_error *error) {
  ode_part *self = context;
  const cosim_ode_def *def = &self->def;
  const int n = n_controlled(def);
  double *change = self->scratch, *rates = change + def->n_states, *column = rates + def->n_states;
  sample_inputs(self, t);
  const double at = smooth_time(self, t);
  memset(self->du, 0, (size_t)self->base.n_inputs * sizeof *self->du);
  if (def->rates_along == NULL)
    def->rates(def->context, at, x, self->u, rates);
  for (int j = 0; j < n; j++) {
    if (def->rates_along != NULL) {
      memset(change, 0, (size_t)def->n_states * sizeof *change);
      change[j] = 1;
      def->rates_along(def->context, at, x, self->u, change, self->du, column);
    } else {
      memcpy(change, x, (size_t)n * sizeof *change);
      change[j] += sqrt(DBL_EPSILON) * fmax(fabs(x[j]), fmax(self->nominal[j], def->atol / def->rtol));
      def->rates(def->context, at, change, self->u, column);
      for (int i = 0; i < def->n_states; i++)
        column[i] = (column[i] - rates[i]) / (change[j] - x[j]);
    }
    for (int i = 0; i < n; i++)
      self->matrix[i + j * n] = (i == j) - gamma * column[i];
  }
  return seam_dense_factor(n, self->matrix, self->pivot)
             ? SEAM_OK
             : seam_fail(error, SEAM_SINGULAR, "t = %.9g s: Newton's matrix of the states is singular", t);
}

static void solve_newton(void *context, double *b) {
  const ode_part *self = context;
  seam_dense_solve(n_controlled(&self->def), self->matrix, self->pivot, b);
}

static seam_status create_integrator(ode_part *self, seam_error *error) {
  const cosim_ode_def *def = &self->def;
  const seam_ode ode = {.n = length_of(self, max_seeds(self)),
                        .n_controlled = (size_t)n_controlled(def),
                        .rhs = evaluate,
                        .context = self};
  const seam_tolerances tolerances = {.rtol = def->rtol,
                                      .atol = def->atol,
                                      .step = def->micro_step,
                                      .largest_step = INFINITY,
                                      .weigh = def->atol == 0 ? weigh : NULL,
                                      .context = self};
  const seam_newton newton = {set_up_newton, solve_newton, self};
  char method[16];
  snprintf(method, sizeof method, "erk%d", def->order);
  const seam_formulas formulas = def->method == COSIM_ADAMS ? SEAM_ADAMS : SEAM_BDF;
  const seam_status status = is_multistep(def)
                                 ? seam_cvode_create(&ode, formulas, &newton, &tolerances, &self->integrator, error)
                                 : seam_erk_create(&ode, method, &tolerances, &self->integrator, error);
  if (status == SEAM_OK)
    self->integrator->interrupt = (seam_interrupt){cosim_count_micro_step, &self->n_micro_steps};
  return status;
}

static bool refine(cosim_part *base, double parts, double tighter) {
  ode_part *self = (ode_part *)base;
  seam_integrator *old = self->integrator;
  const double rtol = fmax(self->def.rtol / tighter, fmin(self->def.rtol, cosim_least_rtol));
  self->def.micro_step /= parts;
  self->def.atol *= self->def.rtol > 0 ? rtol / self->def.rtol : 1;
  self->def.rtol = rtol;
  if (old == NULL)
    return true;
  if (create_integrator(self, NULL) != SEAM_OK) {
    self->integrator = old;
    return false;
  }
  seam_integrator_destroy(old);
  return true;
}

static bool allocate(ode_part *self) {
  const size_t n = (size_t)self->def.n_states, n_in = (size_t)self->def.n_inputs;
  const size_t length = length_of(self, max_seeds(self));
  const size_t of_newton = is_multistep(&self->def) ? n : 0;
  const bool enough = true ODE_ARRAYS(ALLOCATE_ARRAY);
  if (!enough)
    return false;
  self->u = self->x + n;
  if (self->def.nominal != NULL)
    memcpy(self->nominal, self->def.nominal, n * sizeof *self->nominal);
  memcpy(self->x, self->def.start, n * sizeof *self->x);
  return true;
}

static seam_status check_memory(const cosim_ode_def *def, bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK
                   : seam_fail(error, SEAM_NO_MEMORY, "no memory for a subsystem of %d states", def->n_states);
}

static seam_status create(const cosim_ode_def *def, double period, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance,
                                     .get_outputs = get_outputs,
                                     .evaluate_outputs = evaluate_outputs,
                                     .save = save,
                                     .restore = restore,
                                     .refine = refine,
                                     .destroy = destroy};
  static const cosim_part_ops sampled_ops = {.advance = advance_sampled,
                                             .get_outputs = get_sampled,
                                             .evaluate_outputs = evaluate_sampled,
                                             .save = save,
                                             .restore = restore,
                                             .destroy = destroy,
                                             .next_sample = next_sample,
                                             .sample = sample};
  const bool controlled = period == 0 && controls_error(def) && def->n_states > 0;
  ode_part *self = calloc(1, sizeof *self);
  TRY(check_memory(def, self != NULL, error));
  self->def = *def;
  self->period = period;
  if (tableau_name[def->method] != NULL)
    self->tableau = seam_tableau_of(tableau_name[def->method]);
  self->base = (cosim_part){.ops = period > 0 ? &sampled_ops : &ops,
                            .name = def->name,
                            .n_inputs = def->n_inputs,
                            .n_outputs = def->n_outputs,
                            .n_state = n_numbers(self) + 1,
                            .gives_derivatives = period > 0 || (def->rates_along != NULL && !is_multistep(def)),
                            .gives_nodes = period == 0,
                            .feedthrough = def->feedthrough,
                            .is_algebraic = period == 0 && def->n_states == def->n_integrals};
  self->smooth.from = INFINITY;
  self->t = period > 0 ? -INFINITY : 0;
  seam_status status = check_memory(def, allocate(self), error);
  if (controlled)
    THEN(status, create_integrator(self, error));
  self->base.n_state += controlled ? sizeof self->step_memory / sizeof *self->x : 0;
  RETURN_CREATED(status, &self->base, part, destroy);
}

seam_status cosim_ode_part_create(const cosim_ode_def *def, cosim_part **part, seam_error *error) {
  ARGUMENTS(error, def, part);
  if (def->n_states < 0 || def->n_inputs < 0 || def->n_outputs < 0 || def->n_integrals < 0 ||
      def->n_integrals > def->n_states || (def->n_states > 0 && (def->rates == NULL || def->start == NULL)) ||
      def->outputs == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cosim_ode_part_create(): %d states, %d integrals, %d inputs, %d outputs: numbers must not be "
                     "negative, states need rates and a start, outputs a function",
                     def->n_states, def->n_integrals, def->n_inputs, def->n_outputs);
  if ((def->rates_along == NULL) != (def->outputs_along == NULL))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cosim_ode_part_create(): give the derivatives of both rates and outputs, or of neither");
  if (def->method < COSIM_FORWARD_EULER || def->method > COSIM_ADAMS)
    return seam_fail(error, SEAM_BAD_INPUT, "cosim_ode_part_create(): there is no method %d", (int)def->method);
  if (controls_error(def) && !((is_multistep(def) || def->order == 4 || def->order == 5 || def->order == 8) &&
                               def->rtol > 0 && (def->atol > 0 || (def->atol == 0 && def->nominal != NULL))))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cosim_ode_part_create(): order %d, rtol %g, atol %g: take order 4, 5 or 8, positive tolerances, "
                     "or atol 0 and nominal sizes",
                     def->order, def->rtol, def->atol);
  if (!controls_error(def) && !(def->micro_steps > 0 || def->micro_step > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "cosim_ode_part_create(): the method takes fixed steps: give micro_steps");
  return create(def, 0, part, error);
}

seam_status cosim_sampled_part_create(const cosim_sampled_def *def, cosim_part **part, seam_error *error) {
  ARGUMENTS(error, def, part);
  if (def->n_states < 0 || def->n_inputs < 0 || def->n_outputs < 0 || !(def->period > 0) || def->outputs == NULL ||
      def->updates == NULL || (def->n_states > 0 && def->start == NULL) ||
      (def->updates_along == NULL) != (def->outputs_along == NULL))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "cosim_sampled_part_create(): %d states, %d inputs, %d outputs, period %g s: numbers must not be negative, the "
        "period must be positive; give 'outputs' and 'updates', 'start' if there are states, and both or none of "
        "'outputs_along' and 'updates_along'",
        def->n_states, def->n_inputs, def->n_outputs, def->period);
  const cosim_ode_def of = {.name = def->name,
                            .states = def->states,
                            .n_states = def->n_states,
                            .n_inputs = def->n_inputs,
                            .n_outputs = def->n_outputs,
                            .context = def->context,
                            .rates = def->updates,
                            .outputs = def->outputs,
                            .rates_along = def->updates_along,
                            .outputs_along = def->outputs_along,
                            .start = def->start};
  return create(&of, def->period, part, error);
}

const cosim_ode_def *cosim_ode_part_def(const cosim_part *part, double *period) {
  if (part->ops->destroy != destroy)
    return NULL;
  if (period != NULL)
    *period = ((const ode_part *)part)->period;
  return &((const ode_part *)part)->def;
}

void cosim_ode_part_own(cosim_part *part, void *context) { ((ode_part *)part)->owned = context; }
