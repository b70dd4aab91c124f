/* A step of order q and length h finds y_k at t_k from the q values before it,
 *
 *   Σ α_i y_(k-i) = h f(t_k, y_k),   i = 0 ... q,                     (BDF)
 *
 * or from y_(k-1) and q - 1 rates before it,
 *
 *   y_k - y_(k-1) = h Σ β_i f(t_(k-i), y_(k-i)),   i = 0 ... q - 1,    (Adams)
 *
 * with the coefficients α_i and β_i of these formulas. Newton's iteration has the matrix I - γ ∂f/∂y, where γ is h /
 * α_0 or h β_0. The matrix is factorised again after 20 steps, when γ has changed by 30 %, or without convergence.
 * Until then corrections are scaled for the change of γ. ([SUNDIALS]) Then y_k is projected onto the invariants; the
 * polynomial through the past values is changed by as much. (Eich: Convergence results for a coordinate projection
 * method applied to mechanical systems with algebraic constraints, SIAM Journal on Numerical Analysis 30, 1993.)
 *
 * Choices by measurements on pendulums and a four-bar mechanism with a bushing:
 *   A projection strains stiff elements by as much as it changes positions, and the next steps must resolve their
 *   relaxation. Newton's matrix removes the part of the change that would relax, and the remainder is projected
 *   again, at most twice. A bushing of 1e8 N/m and 1e5 Ns/m then takes 202 instead of 1568 steps at rtol = 1e-6, and
 *   994 instead of 11837 at 1e-8. Without stiffness this costs one linear solution in each step.
 *   The error estimate is not projected. Its projection would save 15 % of the steps, but need a second projection in
 *   each step and double the error.
 *   Quadratures take the rates of Newton's last evaluation. One more evaluation at the end of the step would double
 *   the evaluations for the same error.
 *   The first step is chosen here. CVODES's own first step depends on the requested time, and is as short as
 *   atol / |y'| when an entry of y begins at zero. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>

#include "base/then.h"
#include "solvers/multistep.h"
#include "solvers/ode.h"
#include "solvers/thresholds.h"

typedef struct cvode {
  seam_multistep base;
  seam_ode ode;
  seam_newton newton;
  seam_tolerances tolerances;
  double *y;              /* (n) y at the end of the last step */
  double *trial;          /* (n) y at the end of the step being tried */
  double *argument;       /* (n) argument of the equations, with quadratures; also scratch */
  double *slope;          /* (n) rates of the last evaluation */
  double *weight;         /* (n_controlled) allowed errors at the beginning of the step */
  long n_steps, n_failed; /* CVODES's counts since its start */
  void *solver;
  N_Vector controlled, quadratures; /* views of both parts of one y; quadratures: NULL if there are none */
  SUNLinearSolver linear;
  SUNMatrix placeholder; /* empty: CVODES needs a matrix object */
} cvode;

/* ---- The equations, as CVODES calls them ---- */

static double *values(N_Vector v) { return N_VGetArrayPointer_Serial(v); }

static void weigh(cvode *self, const double *y) {
  seam_weigh(&self->tolerances, self->ode.n_controlled, self->tolerances.rtol, self->tolerances.atol, y, self->weight);
}

static int weights(N_Vector y, N_Vector out, void *context) {
  cvode *self = context;
  double *weight = values(out);
  weigh(self, values(y));
  for (size_t i = 0; i < self->ode.n_controlled; i++)
    weight[i] = 1 / self->weight[i];
  return 0;
}

static double *argument(cvode *self, N_Vector y) {
  return memcpy(self->argument, values(y), self->ode.n_controlled * sizeof(double));
}

static seam_status evaluate(cvode *self, double t, const double *y, seam_error *error) {
  self->base.now->statistics.evaluations++;
  return self->ode.rhs(self->ode.context, t, y, self->slope, error);
}

static int rhs(double t, N_Vector y, N_Vector dy, void *context) {
  cvode *self = context;
  const seam_status status = evaluate(self, t, argument(self, y), &self->base.cause);
  memcpy(values(dy), self->slope, self->ode.n_controlled * sizeof(double));
  return seam_multistep_callback_result(&self->base, status);
}

static int quadrature_rates(double t, N_Vector y, N_Vector rates, void *context) {
  (void)t, (void)y;
  const cvode *self = context;
  const size_t n = self->ode.n_controlled;
  memcpy(values(rates), self->slope + n, (self->ode.n - n) * sizeof(double));
  return 0;
}

static int set_up(double t, N_Vector y, N_Vector dy, SUNMatrix placeholder, sunbooleantype may_keep,
                  sunbooleantype *is_new, double gamma, void *context, N_Vector a, N_Vector b, N_Vector c) {
  (void)dy, (void)placeholder, (void)may_keep, (void)a, (void)b, (void)c;
  cvode *self = context;
  self->base.now->statistics.factorisations++;
  *is_new = SUNTRUE;
  return seam_multistep_callback_result(
      &self->base, self->newton.setup(self->newton.context, t, argument(self, y), gamma, &self->base.cause));
}

static int solve(SUNLinearSolver linear, SUNMatrix placeholder, N_Vector x, N_Vector b, double tolerance) {
  (void)placeholder, (void)tolerance;
  const cvode *self = linear->content;
  N_VScale(1, b, x);
  self->newton.solve(self->newton.context, values(x));
  return SUN_SUCCESS;
}

static SUNLinearSolver_Type direct(SUNLinearSolver linear) {
  (void)linear;
  return SUNLINEARSOLVER_DIRECT;
}

/* ---- Projection ---- */

/* Projects y + change, with a guess `change`, onto the constraints. Replaces `change` by the result minus y. */
static seam_status project_change(cvode *self, double t, const double *y, double *change) {
  const size_t n = self->ode.n_controlled;
  double *projected = self->argument;
  for (size_t i = 0; i < n; i++)
    projected[i] = y[i] + change[i];
  const seam_status status = self->ode.project(self->ode.context, t, projected, &self->base.cause);
  for (size_t i = 0; i < n; i++)
    change[i] = projected[i] - y[i];
  return status;
}

/* Multiplies `change`, the change of y by a projection, by (I - γ ∂f/∂y)⁻¹. This removes the part that stiff elements
 * would undo by their relaxation. If entries would differ by a tenth of their tolerance at most, returns false. */
static bool relax(cvode *self, double *change) {
  const size_t n = self->ode.n_controlled;
  double *relaxed = self->argument;
  double largest = 0;
  memcpy(relaxed, change, n * sizeof *change);
  self->newton.solve(self->newton.context, relaxed);
  for (size_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(relaxed[i] - change[i]) / self->weight[i]);
  if (!(largest > seam_relaxed_differs))
    return false;
  memcpy(change, relaxed, n * sizeof *change);
  return true;
}

/* The projection that CVODES calls. In a smooth motion the projection changes entries by a few tolerances. The
 * error estimate does not include this change. So a change by more than a hundred tolerances fails with
 * SEAM_CONSTRAINT_LOST, and CVODES tries a shorter step. */
static int project(double t, N_Vector y, N_Vector correction, double tolerance, N_Vector error, void *context) {
  (void)tolerance, (void)error;
  cvode *self = context;
  double *change = values(correction);
  double largest = 0;
  N_VConst(0, correction);
  seam_status status = project_change(self, t, values(y), change);
  for (int k = 0; k < 2 && status == SEAM_OK && relax(self, change); k++)
    status = project_change(self, t, values(y), change);
  for (size_t i = 0; i < self->ode.n_controlled; i++)
    largest = fmax(largest, fabs(change[i]) / self->weight[i]);
  if (status == SEAM_OK && largest > 100)
    status = seam_fail(&self->base.cause, SEAM_CONSTRAINT_LOST,
                       "t = %.9g s: the projection onto the constraints moves a step by more than a hundred "
                       "tolerances: look for a jump in a law or loosen rtol and atol",
                       t);
  return seam_multistep_callback_result(&self->base, status);
}

/* ---- Beginning ---- */

static void view(const cvode *self, double *y) {
  N_VSetArrayPointer_Serial(y, self->controlled);
  if (self->quadratures != NULL)
    N_VSetArrayPointer_Serial(y + self->ode.n_controlled, self->quadratures);
}

/* Returns in *h the step for which the error h²/2 |y''| is half a tolerance. y'' is estimated by the change of y' over
 * a trial step. *h is at most 100 trial steps. */
static seam_status initial_step(cvode *self, double *h) {
  const size_t n = self->ode.n_controlled;
  double *slope = self->trial;
  double rate = 0, curvature = 0;
  TRY(evaluate(self, self->base.end, self->y, &self->base.cause));
  memcpy(slope, self->slope, n * sizeof *slope);
  weigh(self, self->y);
  const double first = fmin(seam_trial_step(n, self->y, slope, self->weight, seam_time_scale(&self->tolerances), &rate),
                            self->base.now->stop - self->base.end);
  for (size_t i = 0; i < n; i++)
    self->argument[i] = self->y[i] + first * slope[i];
  if (evaluate(self, self->base.end + first, self->argument, NULL) == SEAM_OK)
    for (size_t i = 0; i < n; i++)
      curvature = fmax(curvature, fabs(self->slope[i] - slope[i]) / first / self->weight[i]);
  *h = fmin(100 * first, 1 / sqrt(curvature));
  return SEAM_OK;
}

static void begin(seam_multistep *base) {
  cvode *self = (cvode *)base;
  memcpy(self->y, base->y_now, self->ode.n * sizeof *self->y);
  self->n_steps = self->n_failed = 0;
  view(self, self->y);
  CVodeReInit(self->solver, base->end, self->controlled);
  if (self->quadratures != NULL)
    CVodeQuadReInit(self->solver, self->quadratures);
}

/* ---- Steps ---- */

#define ADVICE ": look for a jump in a law or loosen rtol and atol"
static const seam_multistep_failure failures[] = {
    {CV_ERR_FAILURE, SEAM_STEP_FAILED, "the error stays above the tolerance however small the step" ADVICE},
    {CV_CONV_FAILURE, SEAM_STEP_FAILED, "Newton's iteration does not converge however small the step" ADVICE},
    {CV_SUCCESS, SEAM_STEP_FAILED, "the steps become too small" ADVICE},
    {.text = NULL},
};
#undef ADVICE

static seam_status step(seam_multistep *base, seam_error *error) {
  cvode *self = (cvode *)base;
  seam_statistics *count = &base->now->statistics;
  const double stop = base->now->stop;
  double end = base->end, h = 0;
  long steps = 0, errors = 0, iterations = 0, projections = 0;
  if (!(base->end < stop))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: the stop time is reached: set a later one", base->end);
  base->cause = (seam_error){.status = SEAM_OK};
  if (self->n_steps == 0) {
    if (seam_multistep_callback_result(base, initial_step(self, &h)) != 0)
      return seam_multistep_explain(base, CV_FIRST_RHSFUNC_ERR, error);
    CVodeSetInitStep(self->solver, fmax(h, seam_shortest_first_step(base->end, stop - base->end)));
  }
  view(self, self->trial);
  CVodeSetStopTime(self->solver, stop);
  const int flag = CVode(self->solver, stop, self->controlled, &end, CV_ONE_STEP);
  CVodeGetNumSteps(self->solver, &steps);
  CVodeGetNumErrTestFails(self->solver, &errors);
  CVodeGetNumStepSolveFails(self->solver, &iterations);
  CVodeGetNumProjFails(self->solver, &projections);
  const long failed = errors + iterations + projections;
  count->rejected += (size_t)(failed - self->n_failed);
  if (steps > self->n_steps) {
    CVodeGetLastStep(self->solver, &h);
    seam_statistics_add_step(count, h);
  }
  self->n_steps = steps;
  self->n_failed = failed;
  if (flag < 0)
    return seam_multistep_explain(base, flag, error);
  if (!(end - base->end > seam_shortest_step(base->end, 0)) && end != stop)
    return seam_multistep_explain(base, CV_SUCCESS, error);
  if (self->quadratures != NULL)
    CVodeGetQuad(self->solver, &end, self->quadratures);
  base->end = end;
  memcpy(self->y, self->trial, self->ode.n * sizeof *self->y);
  CVodeGetCurrentStep(self->solver, &h);
  if (self->ode.begin_step != NULL)
    base->next_begin.status = self->ode.begin_step(self->ode.context, end, h, self->y, &base->next_begin);
  return SEAM_OK;
}

/* Sets y_now to the state at t: the end of the last step or, by CVODES's polynomial, inside it. */
static seam_status find_state(seam_multistep *base, double t, seam_error *error) {
  cvode *self = (cvode *)base;
  memcpy(base->y_now, self->y, self->ode.n * sizeof *self->y);
  if (t == base->end)
    return SEAM_OK;
  view(self, base->y_now);
  if (CVodeGetDky(self->solver, t, 0, self->controlled) != CV_SUCCESS)
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s is before the last step: ask for times in ascending order", t);
  if (self->quadratures != NULL)
    CVodeGetQuadDky(self->solver, t, 0, self->quadratures);
  return self->ode.project != NULL ? self->ode.project(self->ode.context, t, base->y_now, error) : SEAM_OK;
}

static size_t worst_entry(const seam_multistep *base) {
  const cvode *self = (const cvode *)base;
  size_t worst = 0;
  if (self->n_steps + self->n_failed == 0)
    return worst; /* CVODES has no errors before the first step */
  view(self, self->trial);
  CVodeGetEstLocalErrors(self->solver, self->controlled);
  for (size_t i = 1; i < self->ode.n_controlled; i++)
    if (!(fabs(self->trial[i]) / self->weight[i] <= fabs(self->trial[worst]) / self->weight[worst]))
      worst = i;
  return worst;
}

/* ---- Creation ---- */

static void destroy(seam_multistep *base) {
  cvode *self = (cvode *)base;
  CVodeFree(&self->solver);
  SUNLinSolFreeEmpty(self->linear);
  SUNMatFreeEmpty(self->placeholder);
  N_VDestroy(self->controlled);
  N_VDestroy(self->quadratures);
  free(self->y);
}

static const seam_multistep_method method = {
    .name = "cvode",
    .library = "CVODES",
    .failures = failures,
    .begin = begin,
    .step = step,
    .find_state = find_state,
    .worst_entry = worst_entry,
    .destroy = destroy,
};

static bool allocate(cvode *self, seam_formulas formulas) {
  const size_t n = self->ode.n;
  const size_t n_controlled = self->ode.n_controlled;
  if (!seam_multistep_begin(&self->base, &method, n))
    return false;
  self->y = calloc(5 * n + 1, sizeof *self->y);
  if (self->y == NULL)
    return false;
  self->trial = self->y + n;
  self->argument = self->y + 2 * n;
  self->slope = self->y + 3 * n;
  self->weight = self->y + 4 * n;
  self->controlled = N_VMake_Serial((sunindextype)n_controlled, self->y, self->base.context);
  if (n > n_controlled)
    self->quadratures = N_VMake_Serial((sunindextype)(n - n_controlled), self->y + n_controlled, self->base.context);
  self->solver = CVodeCreate(formulas == SEAM_ADAMS ? CV_ADAMS : CV_BDF, self->base.context);
  self->linear = SUNLinSolNewEmpty(self->base.context);
  self->placeholder = SUNMatNewEmpty(self->base.context);
  return self->controlled != NULL && (n == n_controlled || self->quadratures != NULL) && self->solver != NULL &&
         self->linear != NULL && self->placeholder != NULL;
}

static seam_status prepare(cvode *self, seam_error *error) {
  self->linear->content = self;
  self->linear->ops->gettype = direct;
  self->linear->ops->solve = solve;
  void *solver = self->solver;
  SUNDIALS_SILENCE(solver, CVodeSetErrFile);
  int flag = CVodeInit(solver, rhs, 0, self->controlled);
  if (flag == CV_SUCCESS)
    flag = CVodeSetLinearSolver(solver, self->linear, self->placeholder);
  if (flag == CV_SUCCESS) {
    flag |= CVodeSetUserData(solver, self);
    flag |= CVodeWFtolerances(solver, weights);
    flag |= CVodeSetMaxStep(solver, self->tolerances.largest_step);
    flag |= CVodeSetMaxErrTestFails(solver, SEAM_MAX_FAILURES);
    flag |= CVodeSetLinSysFn(solver, set_up);
    if (self->ode.project != NULL) {
      const int projects = CVodeSetProjFn(solver, project);
      flag |= projects == CV_SUCCESS ? CVodeSetProjErrEst(solver, SUNFALSE) : projects;
    }
    if (self->quadratures != NULL)
      flag |= CVodeQuadInit(solver, quadrature_rates, self->quadratures);
  }
  return flag == CV_SUCCESS
             ? SEAM_OK
             : seam_multistep_refuse(&self->base, flag, flag == CV_MEM_FAIL || flag == CVLS_MEM_FAIL, error);
}

seam_status seam_cvode_create(const seam_ode *ode, seam_formulas formulas, const seam_newton *newton,
                              const seam_tolerances *tolerances, seam_integrator **integrator, seam_error *error) {
  if (tolerances->step > 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cvode chooses its own steps: leave out 'step' (%g s), or take a one-step method such as radau",
                     tolerances->step);
  cvode *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  self->ode = *ode;
  self->newton = *newton;
  self->tolerances = *tolerances;
  const seam_status status =
      allocate(self, formulas) ? prepare(self, error)
                               : seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  RETURN_CREATED(status, &self->base.base, integrator, seam_integrator_destroy);
}
