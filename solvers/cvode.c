/* A step of order q finds y_k at t_k from the q values before it,
 *
 *   Σ α_i y_(k-i) = h f(t_k, y_k),   i = 0 ... q,
 *
 * by Newton's iteration with I - γ ∂f/∂y, γ = h / α_0. The matrix is factorised again when γ has changed by 30 %, after
 * 20 steps, or where the iteration does not converge; in between a correction is scaled for the change of γ. (Hindmarsh
 * et al.: SUNDIALS, ACM Transactions on Mathematical Software 31, 2005.) Then y_k is moved onto the invariant, and with
 * it the polynomial through the values before. (Eich: Convergence results for a coordinate projection method applied to
 * mechanical systems with algebraic constraints, SIAM Journal on Numerical Analysis 30, 1993.)
 *
 * Measured on pendulums and on the four-bar mechanism with a bushing, and so chosen:
 *   A projection that knows nothing of stiffness strains stiff elements by as much as it moves, and the next steps must
 *   follow how they recover. What Newton's matrix would drive back is taken out of the move, and the rest projected
 *   again, twice at most. A bushing of 1e8 N/m and 1e5 Ns/m then takes 202 instead of 1568 steps at rtol = 1e-6, 994
 *   instead of 11837 at 1e-8. Where nothing is stiff it costs one solution a step.
 *   The error estimate is not projected. It would save 15 % of the steps, ask for a second projection in each, and
 *   double the error.
 *   Quadratures take the rates of Newton's last evaluation. One more at the end of the step would double the
 *   evaluations and leave the error as it is.
 *   The first step is our guess. CVODES' own depends on the time asked for, and is as short as atol / |y'| when an
 *   entry of y begins at zero. */
#include "solvers/cvode.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>

/* What was handed out last; followed in memory by y. */
typedef struct known {
  double t, stop;
  seam_statistics statistics;
} known;

typedef struct cvode {
  seam_integrator base;
  seam_ode ode;
  seam_newton newton;
  seam_tolerances tolerances;
  known *out; /* the block of image_size() */
  double *y_out;
  double t;               /* end of the last step */
  double *y;              /* (n) there */
  double *trial;          /* (n) end of the step being tried */
  double *argument;       /* (n) y as the equations get it, with its quadratures */
  double *slope;          /* (n) of the last evaluation */
  long n_steps, n_failed; /* CVODES' counts since it began */
  seam_error cause;       /* what the equations said in this step */
  SUNContext context;
  void *solver;
  N_Vector controlled, quadratures; /* views of one y; no quadratures: NULL */
  SUNLinearSolver linear;
  SUNMatrix carrier; /* empty: CVODES sets up no system without a matrix */
} cvode;

/* ---- The equations, as CVODES calls them ---- */

/* CVODES tries a shorter step where the equations cannot be evaluated (1) and gives up on anything else (-1). */
static int flag_of(cvode *self, seam_status status) {
  if (status == SEAM_OK)
    return 0;
  self->cause.status = status;
  return status == SEAM_NOT_FINITE || status == SEAM_SINGULAR || status == SEAM_CONSTRAINT_LOST ? 1 : -1;
}

static double *values(N_Vector v) { return N_VGetArrayPointer_Serial(v); }

static double weight(const cvode *self, size_t i) {
  return self->tolerances.rtol * fabs(self->y[i]) + self->tolerances.atol;
}

static double *argument(cvode *self, N_Vector y) {
  return memcpy(self->argument, values(y), self->ode.n_controlled * sizeof(double));
}

static seam_status evaluate(cvode *self, double t, const double *y, seam_error *error) {
  self->out->statistics.evaluations++;
  return self->ode.rhs(self->ode.context, t, y, self->slope, error);
}

static int rhs(double t, N_Vector y, N_Vector dy, void *context) {
  cvode *self = context;
  const seam_status status = evaluate(self, t, argument(self, y), &self->cause);
  memcpy(values(dy), self->slope, self->ode.n_controlled * sizeof(double));
  return flag_of(self, status);
}

static int quadrature_rates(double t, N_Vector y, N_Vector rates, void *context) {
  (void)t, (void)y;
  const cvode *self = context;
  const size_t n = self->ode.n_controlled;
  memcpy(values(rates), self->slope + n, (self->ode.n - n) * sizeof(double));
  return 0;
}

static int set_up(double t, N_Vector y, N_Vector dy, SUNMatrix carrier, booleantype may_keep, booleantype *is_new,
                  double gamma, void *context, N_Vector a, N_Vector b, N_Vector c) {
  (void)dy, (void)carrier, (void)may_keep, (void)a, (void)b, (void)c;
  cvode *self = context;
  self->out->statistics.factorisations++;
  *is_new = SUNTRUE;
  return flag_of(self, self->newton.setup(self->newton.context, t, argument(self, y), gamma, &self->cause));
}

static int solve(SUNLinearSolver linear, SUNMatrix carrier, N_Vector x, N_Vector b, double tolerance) {
  (void)carrier, (void)tolerance;
  const cvode *self = linear->content;
  N_VScale(1, b, x);
  self->newton.solve(self->newton.context, values(x));
  return SUNLS_SUCCESS;
}

static SUNLinearSolver_Type direct(SUNLinearSolver linear) {
  (void)linear;
  return SUNLINEARSOLVER_DIRECT;
}

/* ---- Projection ---- */

/* Projects y + move and makes move the way there from y. */
static seam_status land(cvode *self, double t, const double *y, double *move) {
  const size_t n = self->ode.n_controlled;
  double *there = self->argument;
  for (size_t i = 0; i < n; i++)
    there[i] = y[i] + move[i];
  const seam_status status = self->ode.project(self->ode.context, t, there, &self->cause);
  for (size_t i = 0; i < n; i++)
    move[i] = there[i] - y[i];
  return status;
}

/* Takes out of move what stiffness would drive back: (I - γ ∂f/∂y)⁻¹ move. False when that is not worth another
 * landing. */
static bool relax(cvode *self, double *move) {
  const size_t n = self->ode.n_controlled;
  double *relaxed = self->argument;
  double largest = 0;
  memcpy(relaxed, move, n * sizeof *move);
  self->newton.solve(self->newton.context, relaxed);
  for (size_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(relaxed[i] - move[i]) / weight(self, i));
  if (!(largest > 0.1))
    return false;
  memcpy(move, relaxed, n * sizeof *move);
  return true;
}

static int project(double t, N_Vector y, N_Vector correction, double tolerance, N_Vector error, void *context) {
  (void)tolerance, (void)error;
  cvode *self = context;
  N_VConst(0, correction);
  seam_status status = land(self, t, values(y), values(correction));
  for (int k = 0; k < 2 && status == SEAM_OK && relax(self, values(correction)); k++)
    status = land(self, t, values(y), values(correction));
  return flag_of(self, status);
}

/* ---- Beginning ---- */

static void view(const cvode *self, double *y) {
  N_VSetArrayPointer_Serial(y, self->controlled);
  if (self->quadratures != NULL)
    N_VSetArrayPointer_Serial(y + self->ode.n_controlled, self->quadratures);
}

/* A step h with h²/2 |y''| of half a tolerance; y'' from a step over which y moves by a hundredth. */
static seam_status initial_step(cvode *self, double *h) {
  const size_t n = self->ode.n_controlled;
  double *slope = self->trial;
  double size = 0;
  double rate = 0;
  double bend = 0;
  const seam_status status = evaluate(self, self->t, self->y, &self->cause);
  if (status != SEAM_OK)
    return status;
  memcpy(slope, self->slope, n * sizeof *slope);
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(self->y[i]) / weight(self, i));
    rate = fmax(rate, fabs(slope[i]) / weight(self, i));
  }
  const double first = fmin(size < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * size / rate, self->out->stop - self->t);
  for (size_t i = 0; i < n; i++)
    self->argument[i] = self->y[i] + first * slope[i];
  if (evaluate(self, self->t + first, self->argument, NULL) == SEAM_OK)
    for (size_t i = 0; i < n; i++)
      bend = fmax(bend, fabs(self->slope[i] - slope[i]) / first / weight(self, i));
  *h = fmin(100 * first, 1 / sqrt(bend));
  return SEAM_OK;
}

/* Forgets all steps and begins at what was handed out last. */
static void begin(cvode *self) {
  self->t = self->out->t;
  memcpy(self->y, self->y_out, self->ode.n * sizeof *self->y);
  self->n_steps = self->n_failed = 0;
  view(self, self->y);
  CVodeReInit(self->solver, self->t, self->controlled);
  if (self->quadratures != NULL)
    CVodeQuadReInit(self->solver, self->quadratures);
}

static void start_at(cvode *self, double t, const double *y, const seam_statistics *so_far) {
  *self->out = (known){.t = t, .stop = INFINITY, .statistics = *so_far};
  memcpy(self->y_out, y, self->ode.n * sizeof *y);
  begin(self);
}

static seam_status start(seam_integrator *base, double t, const double *y, seam_error *error) {
  (void)error;
  start_at((cvode *)base, t, y, &(seam_statistics){0});
  return SEAM_OK;
}

/* Of no use to a start with order 1. */
static seam_step_memory step_memory(const seam_integrator *base) {
  (void)base;
  return (seam_step_memory){0};
}

static seam_status restart(seam_integrator *base, double t, const double *y, size_t n, const seam_step_memory *unused,
                           seam_error *error) {
  (void)unused;
  cvode *self = (cvode *)base;
  const seam_statistics so_far = self->out->statistics;
  if (n != self->ode.n)
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: cvode integrates all of its %zu values, not %zu", t,
                     self->ode.n, n);
  start_at(self, t, y, &so_far);
  return SEAM_OK;
}

static size_t image_size(const seam_integrator *base) {
  return sizeof(known) + ((const cvode *)base)->ode.n * sizeof(double);
}

static void save(const seam_integrator *base, void *image) {
  memcpy(image, ((const cvode *)base)->out, image_size(base));
}

static seam_status restore(seam_integrator *base, const void *image, seam_error *error) {
  (void)error;
  cvode *self = (cvode *)base;
  memcpy(self->out, image, image_size(base));
  begin(self);
  return SEAM_OK;
}

/* ---- Steps ---- */

/* What can end a run, by CVODES' flag. */
static const struct {
  int flag;
  const char *what;
} endings[] = {
    {CV_ERR_FAILURE, "the error stays above the tolerance however small the step"},
    {CV_CONV_FAILURE, "Newton's iteration does not converge however small the step"},
    {CV_SUCCESS, "the steps become too small"},
};

static seam_status explain(const cvode *self, int flag, seam_error *error) {
  if (self->cause.status != SEAM_OK)
    return seam_fail(error, self->cause.status, "%s", self->cause.message);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (endings[i].flag == flag)
      return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: %s: look for a jump in a law or loosen rtol and atol",
                       self->t, endings[i].what);
  return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: CVODES ends with flag %d: take another integrator", self->t,
                   flag);
}

static void count_step(cvode *self) {
  seam_statistics *count = &self->out->statistics;
  long steps = 0;
  long errors = 0;
  long iterations = 0;
  long projections = 0;
  CVodeGetNumSteps(self->solver, &steps);
  CVodeGetNumErrTestFails(self->solver, &errors);
  CVodeGetNumStepSolveFails(self->solver, &iterations);
  CVodeGetNumProjFails(self->solver, &projections);
  const long failed = errors + iterations + projections;
  count->rejected += (size_t)(failed - self->n_failed);
  if (steps > self->n_steps) {
    double h = 0;
    CVodeGetLastStep(self->solver, &h);
    count->smallest_step = count->steps == 0 ? h : fmin(count->smallest_step, h);
    count->largest_step = fmax(count->largest_step, h);
    count->steps++;
  }
  self->n_steps = steps;
  self->n_failed = failed;
}

/* Runs CVODES for one step. */
static int run(cvode *self, double *end) {
  self->cause = (seam_error){.status = SEAM_OK};
  if (self->n_steps == 0) {
    double h = 0;
    if (flag_of(self, initial_step(self, &h)) != 0)
      return CV_FIRST_RHSFUNC_ERR;
    CVodeSetInitStep(self->solver, h);
  }
  view(self, self->trial);
  CVodeSetStopTime(self->solver, self->out->stop);
  const int flag = CVode(self->solver, self->out->stop, self->controlled, end, CV_ONE_STEP);
  count_step(self);
  return flag;
}

static seam_status step(cvode *self, seam_error *error) {
  const double stop = self->out->stop;
  double end = self->t;
  if (!(self->t < stop))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: the stop time is reached: set a later one", self->t);
  const int flag = run(self, &end);
  if (flag < 0)
    return explain(self, flag, error);
  if (!(end - self->t > 1e-14 * fmax(1, fabs(self->t))) && end != stop)
    return explain(self, CV_SUCCESS, error);
  if (self->quadratures != NULL)
    CVodeGetQuad(self->solver, &end, self->quadratures);
  self->t = end;
  memcpy(self->y, self->trial, self->ode.n * sizeof *self->y);
  return SEAM_OK;
}

/* State at the end of the last step, or inside it on the polynomial that CVODES keeps. */
static seam_status look(cvode *self, double t, seam_error *error) {
  self->out->t = t;
  memcpy(self->y_out, self->y, self->ode.n * sizeof *self->y);
  if (t == self->t)
    return SEAM_OK;
  view(self, self->y_out);
  if (CVodeGetDky(self->solver, t, 0, self->controlled) != CV_SUCCESS)
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s is before the last step: ask for times in ascending order", t);
  if (self->quadratures != NULL)
    CVodeGetQuadDky(self->solver, t, 0, self->quadratures);
  return self->ode.project != NULL ? self->ode.project(self->ode.context, t, self->y_out, error) : SEAM_OK;
}

static seam_status advance(seam_integrator *base, double t, double *y, double *reached, seam_error *error) {
  cvode *self = (cvode *)base;
  seam_status status = SEAM_OK;
  while (status == SEAM_OK && t > self->t) {
    status = seam_integrator_check_interrupt(base, self->t, error);
    if (status == SEAM_OK)
      status = step(self, error);
  }
  if (status == SEAM_OK)
    status = look(self, t, error);
  if (status != SEAM_OK) {
    self->out->t = self->t;
    memcpy(self->y_out, self->y, self->ode.n * sizeof *y);
  }
  *reached = self->out->t;
  memcpy(y, self->y_out, self->ode.n * sizeof *y);
  return status;
}

static void set_stop(seam_integrator *base, double t) { ((cvode *)base)->out->stop = t; }

static seam_statistics statistics(const seam_integrator *base) { return ((const cvode *)base)->out->statistics; }

static size_t worst_entry(const seam_integrator *base) {
  const cvode *self = (const cvode *)base;
  size_t worst = 0;
  if (self->n_steps + self->n_failed == 0)
    return worst; /* CVODES has no errors yet */
  view(self, self->trial);
  CVodeGetEstLocalErrors(self->solver, self->controlled);
  for (size_t i = 1; i < self->ode.n_controlled; i++)
    if (!(fabs(self->trial[i]) / weight(self, i) <= fabs(self->trial[worst]) / weight(self, worst)))
      worst = i;
  return worst;
}

/* ---- Creation ---- */

static void destroy(seam_integrator *base) {
  cvode *self = (cvode *)base;
  CVodeFree(&self->solver);
  SUNLinSolFreeEmpty(self->linear);
  SUNMatFreeEmpty(self->carrier);
  N_VDestroy(self->controlled);
  N_VDestroy(self->quadratures);
  SUNContext_Free(&self->context);
  free(self->out);
  free(self->y);
  free(self);
}

static const seam_integrator_ops ops = {
    .start = start,
    .restart = restart,
    .step_memory = step_memory,
    .set_stop = set_stop,
    .advance = advance,
    .statistics = statistics,
    .worst_entry = worst_entry,
    .image_size = image_size,
    .save = save,
    .restore = restore,
    .destroy = destroy,
};

static bool allocate(cvode *self) {
  const size_t n = self->ode.n;
  const size_t n_controlled = self->ode.n_controlled;
  self->out = calloc(1, image_size(&self->base));
  self->y = calloc(4 * n + 1, sizeof *self->y);
  if (self->out == NULL || self->y == NULL || SUNContext_Create(NULL, &self->context) != 0)
    return false;
  self->y_out = (double *)(self->out + 1);
  self->trial = self->y + n;
  self->argument = self->y + 2 * n;
  self->slope = self->y + 3 * n;
  self->controlled = N_VMake_Serial((sunindextype)n_controlled, self->y, self->context);
  if (n > n_controlled)
    self->quadratures = N_VMake_Serial((sunindextype)(n - n_controlled), self->y + n_controlled, self->context);
  self->solver = CVodeCreate(CV_BDF, self->context);
  self->linear = SUNLinSolNewEmpty(self->context);
  self->carrier = SUNMatNewEmpty(self->context);
  return self->controlled != NULL && (n == n_controlled || self->quadratures != NULL) && self->solver != NULL &&
         self->linear != NULL && self->carrier != NULL;
}

static bool configure(cvode *self) {
  void *solver = self->solver;
  const seam_tolerances *tolerances = &self->tolerances;
  self->linear->content = self;
  self->linear->ops->gettype = direct;
  self->linear->ops->solve = solve;
  return CVodeSetErrFile(solver, NULL) == CV_SUCCESS && CVodeSetUserData(solver, self) == CV_SUCCESS &&
         CVodeInit(solver, rhs, 0, self->controlled) == CV_SUCCESS &&
         CVodeSStolerances(solver, tolerances->rtol, tolerances->atol) == CV_SUCCESS &&
         CVodeSetMaxStep(solver, tolerances->largest_step) == CV_SUCCESS &&
         CVodeSetLinearSolver(solver, self->linear, self->carrier) == CV_SUCCESS &&
         CVodeSetLinSysFn(solver, set_up) == CV_SUCCESS &&
         (self->ode.project == NULL ||
          (CVodeSetProjFn(solver, project) == CV_SUCCESS && CVodeSetProjErrEst(solver, SUNFALSE) == CV_SUCCESS)) &&
         (self->quadratures == NULL || CVodeQuadInit(solver, quadrature_rates, self->quadratures) == CV_SUCCESS);
}

seam_status seam_cvode_create(const seam_ode *ode, const seam_newton *newton, const seam_tolerances *tolerances,
                              seam_integrator **integrator, seam_error *error) {
  if (tolerances->step > 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cvode chooses its steps itself: leave out the fixed step of %g s or take a one-step method",
                     tolerances->step);
  cvode *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  self->base.ops = &ops;
  self->ode = *ode;
  self->newton = *newton;
  self->tolerances = *tolerances;
  if (!allocate(self) || !configure(self)) {
    destroy(&self->base);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  }
  self->out->stop = INFINITY;
  *integrator = &self->base;
  return SEAM_OK;
}
