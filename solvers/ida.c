/* IDAS solves F(t, y, y') = B y' - f(t, y) = 0 by BDF of orders 1 to 5; each step ends in a Newton iteration with the
 * matrix cj B - ∂f/∂y, cj the leading coefficient of BDF over h. (Hindmarsh et al.: SUNDIALS, ACM TOMS 31, 2005.)
 *
 * Multipliers, the unknowns of index 2, count neither in the error test nor in the test of Newton's iteration: there
 * rounding alone, of the order ε m v / h, exceeds a tight tolerance. What they do to rates and positions counts.
 *
 * IDAS takes one step at a call, so that the states asked for change no step; its dense output gives them. */
#include "solvers/ida.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "solvers/lu.h"

enum { MAX_FAILURES = 30 }; /* of a step, with the error test or with Newton's iteration */

/* Newton's error below this part of the tolerance is small enough. IDAS's own 0.33 leaves so much of it that the
 * estimates of high orders suffer: twice as many steps at rtol 1e-10, each less accurate. */
static const double newton_target = 0.01;

/* Followed in memory by y with its quadratures: the state at the time of the last advance. */
typedef struct present {
  double t;
  double stop;
  seam_statistics statistics;
} present;

typedef struct ida {
  seam_integrator base;
  seam_dae dae;
  seam_tolerances tolerances;
  present *now; /* the block of image_size() */
  double *y_now;
  double end;       /* of the last step */
  double next_step; /* proposed */
  bool fresh;       /* the next step is the first from (now->t, y_now) */
  size_t rejected;  /* before the last start */
  seam_error cause; /* what the equations said in the present step; its status is SEAM_OK when they did not fail */
  int *diagonal;    /* (n) place of each diagonal entry in the Newton matrix */
  double *f;        /* (n) */
  seam_lu *lu;
  SUNContext context;
  void *memory;              /* of IDAS */
  N_Vector state, integrals; /* y_now; integrals are NULL without quadratures */
  N_Vector y, slope;         /* scratch */
  SUNMatrix matrix;          /* its values only; lu has the pattern */
  SUNLinearSolver solver;
} ida;

static size_t n_values(const ida *self) { return (size_t)self->dae.n + (size_t)self->dae.n_quadratures; }

static size_t image_size(const seam_integrator *base) {
  return sizeof(present) + n_values((const ida *)base) * sizeof(double);
}

/* ---- What IDAS calls ---- */

/* IDAS takes 1 for "try a smaller step", -1 for "give up". */
static int reply(ida *self, seam_status status) {
  if (status == SEAM_OK)
    return 0;
  self->cause.status = status;
  return status == SEAM_NOT_FINITE || status == SEAM_SINGULAR ? 1 : -1;
}

static seam_status evaluate(ida *self, double t, const double *y, double *f, double *quadrature) {
  self->now->statistics.evaluations++;
  return self->dae.f(self->dae.context, t, y, f, quadrature, &self->cause);
}

static int residual(double t, N_Vector y, N_Vector slope, N_Vector out, void *context) {
  ida *self = context;
  const double *dy = N_VGetArrayPointer(slope);
  double *r = N_VGetArrayPointer(out);
  const seam_status status = evaluate(self, t, N_VGetArrayPointer(y), r, NULL);
  for (int i = 0; i < self->dae.n; i++)
    r[i] = self->dae.mass[i] * dy[i] - r[i];
  return reply(self, status);
}

static int quadrature_slopes(double t, N_Vector y, N_Vector slope, N_Vector out, void *context) {
  (void)slope;
  ida *self = context;
  return reply(self, evaluate(self, t, N_VGetArrayPointer(y), self->f, N_VGetArrayPointer(out)));
}

/* value: ∂f/∂y on entry, cj B - ∂f/∂y on return. */
static void form_matrix(const ida *self, double cj, double *value) {
  for (int k = 0; k < self->dae.start[self->dae.n]; k++)
    value[k] = -value[k];
  for (int i = 0; i < self->dae.n; i++)
    value[self->diagonal[i]] += cj * self->dae.mass[i];
}

static int newton_matrix(double t, double cj, N_Vector y, N_Vector slope, N_Vector r, SUNMatrix out, void *context,
                         N_Vector scratch1, N_Vector scratch2, N_Vector scratch3) {
  (void)slope, (void)r, (void)scratch1, (void)scratch2, (void)scratch3;
  ida *self = context;
  double *value = SUNSparseMatrix_Data(out);
  const seam_status status = self->dae.jacobian(self->dae.context, t, N_VGetArrayPointer(y), value, &self->cause);
  form_matrix(self, cj, value);
  return reply(self, status);
}

static int weights(N_Vector y, N_Vector out, void *context) {
  const ida *self = context;
  const double *value = N_VGetArrayPointer(y);
  double *weight = N_VGetArrayPointer(out);
  for (int i = 0; i < self->dae.n; i++)
    weight[i] = self->dae.index[i] == 2 ? 0 : 1 / (self->tolerances.rtol * fabs(value[i]) + self->tolerances.atol);
  return 0;
}

/* Its messages are given by name and place in IDAS, ours by time and cause: see explain(). The type is IDAS's.
 * NOLINTNEXTLINE(readability-non-const-parameter) */
static void ignore_message(int flag, const char *module, const char *function, char *message, void *context) {
  (void)flag, (void)module, (void)function, (void)message, (void)context;
}

/* ---- The linear solver IDAS calls ---- */

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

static int solver_setup(SUNLinearSolver solver, SUNMatrix matrix) {
  ida *self = solver->content;
  self->now->statistics.factorisations++;
  if (seam_lu_factor(self->lu, SUNSparseMatrix_Data(matrix)))
    return SUNLS_SUCCESS;
  double t = self->end;
  IDAGetCurrentTime(self->memory, &t);
  reply(self, seam_fail(&self->cause, SEAM_SINGULAR,
                        "t = %.9g s: the Newton matrix is singular: look for a singular configuration", t));
  return SUNLS_LUFACT_FAIL;
}

static int solver_solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, double tolerance) {
  (void)matrix, (void)tolerance;
  const ida *self = solver->content;
  N_VScale(1, b, x);
  seam_lu_solve(self->lu, N_VGetArrayPointer(x));
  return SUNLS_SUCCESS;
}

static int solver_free(SUNLinearSolver solver) {
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

/* ---- Steps ---- */

static void start_anew(ida *self) {
  self->fresh = true;
  self->end = self->now->t;
  self->next_step = 0;
}

/* y' from f; of multipliers it is not known and taken as zero. A first step of order 1 has the error h² y'' / 2, where
 * y'' is about y' times the fastest rate. */
static seam_status begin(ida *self) {
  const int n = self->dae.n;
  double *slope = N_VGetArrayPointer(self->slope);
  const seam_status status = evaluate(self, self->now->t, self->y_now, slope, NULL);
  double fastest = 1e-3;
  for (int i = 0; i < n; i++) {
    slope[i] = self->dae.mass[i] > 0 ? slope[i] / self->dae.mass[i] : 0;
    fastest = fmax(fastest, fabs(slope[i]) / (1 + fabs(self->y_now[i])));
  }
  self->next_step = fmin(0.5 * sqrt(self->tolerances.rtol) / fastest, self->tolerances.largest_step);
  self->rejected = self->now->statistics.rejected;
  IDAReInit(self->memory, self->now->t, self->state, self->slope);
  IDASetInitStep(self->memory, self->next_step);
  if (self->integrals != NULL)
    IDAQuadReInit(self->memory, self->integrals);
  reply(self, status);
  return status;
}

/* A failure of IDAS, and what it means. */
typedef struct meaning {
  int flag;
  seam_status status;
  const char *text;
} meaning;

static const meaning meanings[] = {
    {IDA_ERR_FAIL, SEAM_STEP_FAILED, "the error stays above the tolerance however small the step: look for a jump"},
    {IDA_CONV_FAIL, SEAM_STEP_FAILED,
     "Newton's iteration does not converge however small the step: look for a jump or a singular configuration"},
    {IDA_TOO_MUCH_ACC, SEAM_STEP_FAILED, "the tolerance is below rounding: raise rtol or atol"},
    {IDA_MEM_FAIL, SEAM_NO_MEMORY, "no memory for a step"},
};

/* What the equations said explains more than that no step could be taken. */
static seam_status explain(const ida *self, int flag, seam_error *error) {
  if (self->cause.status != SEAM_OK) {
    if (error != NULL)
      *error = self->cause;
    return self->cause.status;
  }
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (flag == meanings[i].flag)
      return seam_fail(error, meanings[i].status, "t = %.9g s: %s", self->end, meanings[i].text);
  return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: IDAS gives up (its flag %d): try the integrator radau",
                   self->end, flag);
}

/* Where the next step ends at the latest. Two equal steps to the stop time are better than a long one and a sliver,
 * from which the step size would have to grow again. */
static double latest_end(const ida *self) {
  const double left = self->now->stop - self->end;
  return self->next_step < left && left < 2 * self->next_step ? self->end + left / 2 : self->now->stop;
}

static void count_rejected(ida *self) {
  long n_errors = 0;
  long n_failures = 0;
  IDAGetNumErrTestFails(self->memory, &n_errors);
  IDAGetNumStepSolveFails(self->memory, &n_failures);
  self->now->statistics.rejected = self->rejected + (size_t)n_errors + (size_t)n_failures;
}

static void count_step(ida *self, double h) {
  seam_statistics *count = &self->now->statistics;
  count->smallest_step = count->steps == 0 ? h : fmin(count->smallest_step, h);
  count->largest_step = fmax(count->largest_step, h);
  count->steps++;
}

static seam_status step(ida *self, seam_error *error) {
  self->cause.status = SEAM_OK;
  if (self->fresh && begin(self) != SEAM_OK)
    return explain(self, IDA_FIRST_RES_FAIL, error);
  const double latest = latest_end(self);
  double end = self->end;
  IDASetStopTime(self->memory, latest);
  const int flag = IDASolve(self->memory, latest, &end, self->y, self->slope, IDA_ONE_STEP);
  count_rejected(self);
  if (flag < 0)
    return explain(self, flag, error);
  if (!(end - self->end > 1e-14 * fmax(1, fabs(end))) && end != latest)
    return explain(self, IDA_ERR_FAIL, error);
  count_step(self, end - self->end);
  self->end = end;
  self->fresh = false;
  IDAGetCurrentStep(self->memory, &self->next_step);
  return SEAM_OK;
}

/* To IDAS times closer than this are the same. */
static bool is_reached(const ida *self, double t) {
  return t - self->end <= 100 * DBL_EPSILON * (fabs(self->end) + self->next_step);
}

/* ---- The interface ---- */

static void start_at(ida *self, double t, const double *y, const seam_statistics *so_far) {
  *self->now = (present){.t = t, .stop = INFINITY, .statistics = *so_far};
  memcpy(self->y_now, y, n_values(self) * sizeof *y);
  start_anew(self);
}

static seam_status start(seam_integrator *base, double t, const double *y, seam_error *error) {
  (void)error;
  start_at((ida *)base, t, y, &(seam_statistics){0});
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
  ida *self = (ida *)base;
  const seam_statistics so_far = self->now->statistics;
  if (n != n_values(self))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: ida integrates all of its %zu values, not %zu", t,
                     n_values(self), n);
  start_at(self, t, y, &so_far);
  return SEAM_OK;
}

static seam_status restore(seam_integrator *base, const void *image, seam_error *error) {
  (void)error;
  ida *self = (ida *)base;
  memcpy(self->now, image, image_size(base));
  start_anew(self);
  return SEAM_OK;
}

static void save(const seam_integrator *base, void *image) {
  memcpy(image, ((const ida *)base)->now, image_size(base));
}

static void set_stop(seam_integrator *base, double t) { ((ida *)base)->now->stop = t; }

static seam_statistics statistics(const seam_integrator *base) { return ((const ida *)base)->now->statistics; }

/* After a failure the next step starts anew from the last good state. */
static seam_status advance(seam_integrator *base, double t, double *y, double *reached, seam_error *error) {
  ida *self = (ida *)base;
  seam_status status = SEAM_OK;
  while (status == SEAM_OK && !is_reached(self, t)) {
    status = seam_integrator_check_interrupt(base, self->end, error);
    if (status == SEAM_OK)
      status = step(self, error);
  }
  self->now->t = status == SEAM_OK ? t : self->end;
  if (!self->fresh) {
    IDAGetDky(self->memory, self->now->t, 0, self->state);
    if (self->integrals != NULL)
      IDAGetQuadDky(self->memory, self->now->t, 0, self->integrals);
  }
  if (status != SEAM_OK)
    start_anew(self);
  memcpy(y, self->y_now, n_values(self) * sizeof *y);
  *reached = self->now->t;
  return status;
}

static size_t worst_entry(const seam_integrator *base) {
  const ida *self = (const ida *)base;
  const double *weight = N_VGetArrayPointer(self->y);
  const double *error = N_VGetArrayPointer(self->slope);
  size_t worst = 0;
  double largest = -1;
  IDAGetErrWeights(self->memory, self->y);
  IDAGetEstLocalErrors(self->memory, self->slope);
  for (int i = 0; i < self->dae.n; i++) {
    const double part = weight[i] * fabs(error[i]);
    if (part > largest)
      largest = part, worst = (size_t)i;
  }
  return worst;
}

static void destroy(seam_integrator *base) {
  ida *self = (ida *)base;
  IDAFree(&self->memory);
  if (self->solver != NULL)
    SUNLinSolFree(self->solver);
  if (self->matrix != NULL)
    SUNMatDestroy(self->matrix);
  N_Vector vectors[] = {self->state, self->integrals, self->y, self->slope};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (vectors[i] != NULL)
      N_VDestroy(vectors[i]);
  SUNContext_Free(&self->context);
  seam_lu_destroy(self->lu);
  free(self->diagonal);
  free(self->f);
  free(self->now);
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

/* ---- Creation ---- */

static bool allocate(ida *self) {
  const int n = self->dae.n;
  const int n_integrals = self->dae.n_quadratures;
  self->now = calloc(1, image_size(&self->base));
  self->diagonal = calloc((size_t)n + 1, sizeof *self->diagonal);
  self->f = calloc((size_t)n + 1, sizeof *self->f);
  if (self->now == NULL || self->diagonal == NULL || self->f == NULL)
    return false;
  if (SUNContext_Create(NULL, &self->context) != 0)
    return false;
  self->y_now = (double *)(self->now + 1);
  self->memory = IDACreate(self->context);
  self->state = N_VMake_Serial(n, self->y_now, self->context);
  self->y = N_VNew_Serial(n, self->context);
  self->slope = N_VNew_Serial(n, self->context);
  self->matrix = SUNSparseMatrix(n, n, self->dae.start[n], CSC_MAT, self->context);
  self->solver = SUNLinSolNewEmpty(self->context);
  if (n_integrals > 0)
    self->integrals = N_VMake_Serial(n_integrals, self->y_now + n, self->context);
  return self->memory != NULL && self->state != NULL && self->y != NULL && self->slope != NULL &&
         self->matrix != NULL && self->solver != NULL && (n_integrals == 0 || self->integrals != NULL);
}

/* Pivots are ordered for the reference state and a step in the middle of what is usual. */
static seam_status order_pivots(ida *self, seam_error *error) {
  const seam_dae *dae = &self->dae;
  const double usual_step = 1e-3;
  double *value = SUNSparseMatrix_Data(self->matrix);
  seam_dae_find_diagonal(dae, self->diagonal);
  const seam_status status = dae->jacobian(dae->context, dae->t_reference, dae->reference, value, error);
  if (status != SEAM_OK)
    return status;
  form_matrix(self, 1 / usual_step, value);
  return seam_lu_create(dae->n, dae->start, dae->row, false, value, &self->lu, error);
}

/* Under error control: without it an integral would grow wild at high order when steps are often cut short. */
static bool prepare_quadratures(ida *self) {
  const seam_tolerances *given = &self->tolerances;
  return IDAQuadInit(self->memory, quadrature_slopes, self->integrals) == IDA_SUCCESS &&
         IDAQuadSStolerances(self->memory, given->rtol, given->atol) == IDA_SUCCESS &&
         IDASetQuadErrCon(self->memory, SUNTRUE) == IDA_SUCCESS;
}

/* False when memory is exhausted. */
static bool prepare(ida *self) {
  N_VConst(0, self->slope);
  self->solver->content = self;
  self->solver->ops->gettype = solver_type;
  self->solver->ops->setup = solver_setup;
  self->solver->ops->solve = solver_solve;
  self->solver->ops->free = solver_free;
  IDASetErrHandlerFn(self->memory, ignore_message, NULL);
  return IDAInit(self->memory, residual, 0, self->state, self->slope) == IDA_SUCCESS &&
         IDASetUserData(self->memory, self) == IDA_SUCCESS && IDAWFtolerances(self->memory, weights) == IDA_SUCCESS &&
         IDASetLinearSolver(self->memory, self->solver, self->matrix) == IDA_SUCCESS &&
         IDASetJacFn(self->memory, newton_matrix) == IDA_SUCCESS &&
         IDASetNonlinConvCoef(self->memory, fmax(newton_target, 10 * DBL_EPSILON / self->tolerances.rtol)) ==
             IDA_SUCCESS &&
         IDASetMaxStep(self->memory, self->tolerances.largest_step) == IDA_SUCCESS &&
         IDASetMaxErrTestFails(self->memory, MAX_FAILURES) == IDA_SUCCESS &&
         IDASetMaxConvFails(self->memory, MAX_FAILURES) == IDA_SUCCESS &&
         (self->integrals == NULL || prepare_quadratures(self));
}

seam_status seam_ida_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                            seam_error *error) {
  if (tolerances->step > 0)
    return seam_fail(error, SEAM_BAD_INPUT, "ida chooses its own steps: leave `step` out or take radau");
  ida *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %d values", dae->n);
  self->base.ops = &ops;
  self->dae = *dae;
  self->tolerances = *tolerances;
  seam_status status = SEAM_NO_MEMORY;
  if (allocate(self))
    status = order_pivots(self, error);
  else
    seam_fail(error, status, "no memory for an integrator of %d values", dae->n);
  if (status == SEAM_OK && !prepare(self))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %d values", dae->n);
  if (status != SEAM_OK) {
    destroy(&self->base);
    return status;
  }
  start_anew(self);
  *integrator = &self->base;
  return SEAM_OK;
}
