/* IDAS solves F(t, y, y') = B y' - f(t, y) = 0 by BDF of orders 1 to 5. Each step finds y by Newton's iteration with
 * the matrix cj B - J, J = ∂f/∂y; cj is the leading coefficient of BDF divided by h. ([SUNDIALS])
 *
 * Multipliers, the unknowns of index 2, are left out of the error test and of Newton's convergence test. With the
 * relative round-off ε, a mass m and a velocity v, their rounding is about ε m v / h, which exceeds a tight tolerance.
 * Their effect on rates and positions is tested.
 *
 * Quadratures w' = P(t, y) are also unknowns of IDAS; they are corrected when Newton's iteration for y has converged.
 * IDAS's own quadratures are not used, because they do not influence its choice of the order. While y changes little (a
 * body that sticks), the order falls to 1; quadratures under error control then need a hundred times the steps.
 *
 * The errors of velocities are filtered. BDF of order k differentiates positions. Where stiffness determines a
 * position, the velocity has an error of order h^k. This error jumps when h or k changes, but does not affect later
 * steps. Without the filter the error rejects the step, shorter steps increase the error, and the step size cannot
 * recover. A bushing of 1e8 N/m took 1400 to 100000 steps at a tolerance of 1e-8, and takes 600 to 800 with the filter.
 *
 * The filter solves with the matrix c B - J; a larger c weakens the filter. c is c_filter if cj > 1.5 c_filter, else
 * cj. After each step c_filter becomes cj, but grows by 10 % at most.
 *
 * Each call of IDAS takes one step, so requested states do not influence the steps. IDAS's dense output gives these
 * states. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "base/then.h"
#include "solvers/dae.h"
#include "solvers/multistep.h"
#include "solvers/newton_matrix.h"
#include "solvers/thresholds.h"

typedef struct ida {
  seam_multistep base;
  seam_dae dae;
  seam_tolerances tolerances;
  double next_step;        /* next step that IDAS proposes */
  bool fresh;              /* the next step is the first from (now->t, y_now) */
  size_t rejected;         /* rejected steps before the last start */
  double *J;               /* (start[n]) Jacobian at IDAS's last request */
  double cj;               /* leading coefficient of BDF divided by h at this request */
  double c_factors;        /* c of the present factors of c B - J */
  double c_filter;         /* c that the filter takes instead of a much larger cj */
  bool has_error;          /* Newton's iteration has converged: IDAS now needs norms of errors */
  bool is_first;           /* the next norm of an error is the first of this attempt */
  bool filters;            /* errors are filtered: the last use of the filter reduced the error enough */
  long n_failures;         /* failed error tests since the last start */
  int n_equal_steps;       /* number of the next steps that must not become longer */
  seam_dae_blocks *blocks; /* NULL: there are none */
  seam_newton_matrix *newton_matrix;
  void *memory;      /* IDAS's memory */
  N_Vector state;    /* view of y_now: unknowns, then quadratures */
  N_Vector y, slope; /* y and y' at the end of a step; also scratch */
  N_Vector scratch;
  SUNMatrix matrix; /* empty: newton_matrix has the values */
  SUNLinearSolver solver;
  SUNNonlinearSolver newton;
  SUNNonlinSolConvTestFn has_converged; /* IDAS's convergence test, called by integrate(), and its context */
  void *of_test;
} ida;

/* ---- Callbacks of IDAS ---- */

static int n_all(const ida *self) { return self->dae.n + self->dae.n_quadratures; }

/* Evaluates f (n); if with_quadratures is true, also P, in the n_quadratures entries after f. */
static seam_status evaluate(ida *self, double t, const double *y, double *f, bool with_quadratures) {
  self->base.now->statistics.evaluations++;
  return self->dae.f(self->dae.context, t, y, f, with_quadratures ? f + self->dae.n : NULL, &self->base.cause);
}

static int residual(double t, N_Vector y, N_Vector slope, N_Vector out, void *context) {
  ida *self = context;
  const double *dy = N_VGetArrayPointer(slope);
  double *r = N_VGetArrayPointer(out);
  const seam_status status = evaluate(self, t, N_VGetArrayPointer(y), r, false);
  for (int i = 0; i < self->dae.n; i++)
    r[i] = self->dae.mass[i] * dy[i] - r[i];
  for (int i = self->dae.n; i < n_all(self); i++)
    r[i] = 0;
  return seam_multistep_callback_result(&self->base, status);
}

/* Evaluates the Jacobian for IDAS, whose own matrix stays empty. */
static int newton_matrix(double t, double cj, N_Vector y, N_Vector slope, N_Vector r, SUNMatrix out, void *context,
                         N_Vector scratch1, N_Vector scratch2, N_Vector scratch3) {
  (void)slope, (void)r, (void)out, (void)scratch1, (void)scratch2, (void)scratch3;
  ida *self = context;
  self->cj = cj;
  const seam_status status =
      self->dae.jacobian(self->dae.context, t, N_VGetArrayPointer(y), self->J, &self->base.cause);
  if (status == SEAM_OK && self->blocks != NULL)
    seam_dae_blocks_set_jacobian(self->blocks, self->J);
  return seam_multistep_callback_result(&self->base, status);
}

static int weights(N_Vector y, N_Vector out, void *context) {
  const ida *self = context;
  const double *value = N_VGetArrayPointer(y);
  double *weight = N_VGetArrayPointer(out);
  seam_weigh(&self->tolerances, (size_t)n_all(self), self->tolerances.rtol, self->tolerances.atol, value, weight);
  for (int i = 0; i < n_all(self); i++)
    weight[i] = i < self->dae.n && self->dae.index[i] == 2 ? 0 : 1 / weight[i];
  return 0;
}

/* ---- The linear solver that IDAS calls ---- */

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

/* Factorises c B - J. */
static seam_status factor(ida *self, double c) {
  bool replaced = false;
  self->base.now->statistics.factorisations++;
  self->c_factors = c;
  TRY(seam_newton_matrix_factor(self->newton_matrix, self->J, c, 0));
  return seam_newton_matrix_test(self->newton_matrix, self->J, &replaced);
}

static int solver_setup(SUNLinearSolver solver, SUNMatrix matrix) {
  (void)matrix;
  ida *self = solver->content;
  double t = self->base.end;
  IDAGetCurrentTime(self->memory, &t);
  const seam_status status = factor(self, self->cj);
  return seam_multistep_callback_result(&self->base,
                                        seam_newton_matrix_explain(self->newton_matrix, status, t, &self->base.cause));
}

static int solver_solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, double tolerance) {
  (void)tolerance;
  ida *self = solver->content;
  const int flag = self->c_factors == self->cj ? 0 : solver_setup(solver, matrix); /* the filter changes c_factors */
  N_VScale(1, b, x);
  seam_newton_matrix_solve(self->newton_matrix, N_VGetArrayPointer(x));
  return flag == 0 ? SUN_SUCCESS : SUNLS_PACKAGE_FAIL_REC;
}

/* ---- Errors ---- */

/* Content of a vector of IDAS, and the integrator that owns the vector. */
typedef struct owned_content {
  struct _N_VectorContent_Serial serial;
  ida *owner;
} owned_content;

/* Makes `owner` the owner of a vector; returns the vector. NULL: no vector, or no memory; the vector is destroyed. */
static N_Vector with_owner(N_Vector vector, ida *owner) {
  owned_content *extended = vector != NULL ? realloc(vector->content, sizeof *extended) : NULL;
  if (extended == NULL) {
    N_VDestroy(vector);
    return NULL;
  }
  extended->owner = owner;
  vector->content = extended;
  return vector;
}

static N_Vector clone(N_Vector like) {
  return with_owner(N_VClone_Serial(like), ((const owned_content *)like->content)->owner);
}

/* Filters the errors e: solves (c B - J) x = b, with c and J of the head of this file and
 *
 *   b = 0        in rows of positions
 *   b = c B e    in rows of rates and of other states
 *   b = -J e'    in rows of constraints
 *
 * e' is 0 for an algebraic unknown, the error of the rate divided by c for a position, and e for any other unknown.
 * Afterwards x = e is set for positions and quadratures. Without stiffness x is nearly e, except for multipliers.
 * Returns false if the matrix is singular. */
static bool filter(ida *self, const double *e, double *x) {
  const seam_dae *dae = &self->dae;
  const double c = self->cj > seam_filter_limit * self->c_filter ? self->c_filter : self->cj;
  if (c != self->c_factors && factor(self, c) != SEAM_OK)
    return false;
  for (int i = 0; i < dae->n; i++)
    x[i] = i < dae->n_positions ? 0 : c * dae->mass[i] * e[i];
  for (int j = 0; j < dae->n; j++) {
    const double e_j = dae->mass[j] == 0 ? 0 : j < dae->n_positions ? e[j + dae->n_positions] / c : e[j];
    for (int k = dae->start[j]; k < dae->start[j + 1] && e_j != 0; k++)
      if (dae->mass[dae->row[k]] == 0)
        x[dae->row[k]] -= self->J[k] * e_j;
  }
  seam_newton_matrix_solve(self->newton_matrix, x);
  for (int i = 0; i < n_all(self); i++)
    if (i >= dae->n || i < dae->n_positions)
      x[i] = e[i];
  return true;
}

/* Computes norms for IDAS. Before Newton's iteration has converged, e is a correction: returns its norm. Afterwards e
 * is an error: returns the smaller of its norm and the norm of the filtered error. The first error of an attempt is
 * filtered if `filters` is set or its norm exceeds 1. It then sets `filters` if the filter reduces the norm by more
 * than 30 %, else clears it. Later errors of the attempt are filtered if `filters` is set. */
static double norm(N_Vector e, N_Vector weight) {
  ida *self = ((const owned_content *)e->content)->owner;
  const double plain = N_VWrmsNorm_Serial(e, weight);
  const bool is_first = self->is_first;
  self->is_first = false;
  if (!self->has_error || !(self->filters || (is_first && plain > 1)))
    return plain;
  if (!filter(self, N_VGetArrayPointer(e), N_VGetArrayPointer(self->scratch)))
    return plain;
  const double filtered = N_VWrmsNorm_Serial(self->scratch, weight);
  if (is_first)
    self->filters = filtered < seam_filter_gain * plain;
  return fmin(plain, filtered);
}

/* ---- Newton's iteration, quadratures ---- */

/* The convergence test of Newton's iteration. It calls IDAS's own test, and also accepts an iteration that fails only
 * because of rounding. After convergence it corrects the quadratures w by δw, where cj δw = P(t, y) - w'. After a
 * failed error test at order k it forbids the next k + 2 steps to grow. */
static int integrate(SUNNonlinearSolver newton, N_Vector correction, N_Vector change, double tolerance, N_Vector weight,
                     void *context) {
  ida *self = context;
  int flag = self->has_converged(newton, correction, change, tolerance, weight, self->of_test);
  long n_failures = 0;
  int order = 1;
  IDAGetNumErrTestFails(self->memory, &n_failures);
  IDAGetCurrentOrder(self->memory, &order);
  /* A small last change may be rounding: near singular poses multipliers are ill conditioned, and shorter steps would
   * not help. */
  const struct _SUNNonlinearSolverContent_Newton *content = self->newton->content;
  const bool is_last = flag == SUN_NLS_CONTINUE && content->curiter + 1 >= content->maxiters;
  if ((flag == SUN_NLS_CONV_RECVR || is_last) && content->jcur &&
      N_VWrmsNorm_Serial(change, weight) <= seam_newton_tolerable)
    flag = SUN_SUCCESS;
  if (n_failures != self->n_failures) {
    self->n_failures = n_failures;
    self->n_equal_steps = order + 2;
    IDASetEtaFixedStepBounds(self->memory, 1, seam_ida_no_growth);
  }
  self->has_error = self->is_first = flag == SUN_SUCCESS;
  if (flag != SUN_SUCCESS || self->dae.n_quadratures == 0)
    return flag;
  double t = self->base.end, cj = 1;
  double *P = N_VGetArrayPointer(self->scratch);
  const double *slope = N_VGetArrayPointer(self->slope);
  double *corrected = N_VGetArrayPointer(correction);
  IDAGetCurrentTime(self->memory, &t);
  IDAGetCurrentCj(self->memory, &cj);
  IDAComputeY(self->memory, correction, self->y);
  IDAComputeYp(self->memory, correction, self->slope);
  const seam_status status = evaluate(self, t, N_VGetArrayPointer(self->y), P, true);
  for (int i = self->dae.n; i < n_all(self); i++)
    corrected[i] += (P[i] - slope[i]) / cj;
  return seam_multistep_callback_result(&self->base, status);
}

/* ---- Steps ---- */

/* Sets self->base.resolution: times that differ by less are equal for IDAS. */
static void set_resolution(ida *self) {
  self->base.resolution = seam_same_times * (fabs(self->base.end) + self->next_step);
}

static void begin(seam_multistep *base) {
  ida *self = (ida *)base;
  self->fresh = true;
  self->next_step = 0;
  set_resolution(self);
}

/* Sets y' from f, with 0 for multipliers. The first step is ½ √rtol / r. r is the largest |y'| / size of all unknowns
 * or, if larger, 1e-3 / time scale. If y'' is about r y', the step's error h² y'' / 2 is rtol/8 of the size. */
static seam_status start_steps(ida *self) {
  double *slope = N_VGetArrayPointer(self->slope);
  const seam_status status = evaluate(self, self->base.now->t, self->base.y_now, slope, self->dae.n_quadratures > 0);
  double *size = N_VGetArrayPointer(self->scratch);
  double fastest = seam_slowest_rate / seam_time_scale(&self->tolerances);
  seam_sizes(&self->tolerances, (size_t)n_all(self), self->base.y_now, size);
  for (int i = 0; i < self->dae.n; i++) {
    slope[i] = self->dae.mass[i] > 0 ? slope[i] / self->dae.mass[i] : 0;
    fastest = fmax(fastest, fabs(slope[i]) / (size[i] + fabs(self->base.y_now[i])));
  }
  self->next_step = fmin(0.5 * sqrt(self->tolerances.rtol) / fastest, self->tolerances.largest_step);
  self->rejected = self->base.now->statistics.rejected;
  self->c_filter = INFINITY;
  self->filters = false;
  self->n_failures = 0;
  self->n_equal_steps = 0;
  IDASetEtaFixedStepBounds(self->memory, 1, seam_ida_growth);
  IDAReInit(self->memory, self->base.now->t, self->state, self->slope);
  IDASetInitStep(self->memory, self->next_step);
  seam_multistep_callback_result(&self->base, status);
  return status;
}

static const seam_multistep_failure failures[] = {
    {IDA_ERR_FAIL, SEAM_STEP_FAILED, "the error stays above the tolerance however small the step: look for a jump"},
    {IDA_CONV_FAIL, SEAM_STEP_FAILED,
     "Newton's iteration does not converge however small the step: look for a jump or a singular configuration"},
    {IDA_TOO_MUCH_ACC, SEAM_STEP_FAILED, "the tolerance is below rounding: raise rtol or atol"},
    {IDA_MEM_FAIL, SEAM_NO_MEMORY, "no memory for a step"},
    {.text = NULL},
};

static seam_status step(seam_multistep *base, seam_error *error) {
  ida *self = (ida *)base;
  long n_errors = 0, n_failures = 0;
  self->base.cause.status = SEAM_OK;
  if (self->fresh && start_steps(self) != SEAM_OK)
    return seam_multistep_explain(base, IDA_FIRST_RES_FAIL, error);
  /* Two equal steps to the stop time are better than a long and a tiny one, after which steps must grow again. */
  const double left = base->now->stop - base->end;
  const double latest = self->next_step < left && left < 2 * self->next_step ? base->end + left / 2 : base->now->stop;
  double end = base->end;
  self->has_error = false;
  IDASetStopTime(self->memory, latest);
  const int flag = IDASolve(self->memory, latest, &end, self->y, self->slope, IDA_ONE_STEP);
  IDAGetNumErrTestFails(self->memory, &n_errors);
  IDAGetNumStepSolveFails(self->memory, &n_failures);
  base->now->statistics.rejected = self->rejected + (size_t)n_errors + (size_t)n_failures;
  if (flag < 0)
    return seam_multistep_explain(base, flag, error);
  if (!(end - self->base.end > seam_shortest_step(end, 0)) && end != latest)
    return seam_multistep_explain(base, IDA_ERR_FAIL, error);
  seam_statistics_add_step(&self->base.now->statistics, end - self->base.end);
  self->base.end = end;
  self->fresh = false;
  self->c_filter = fmin(self->cj, seam_filter_growth * self->c_filter);
  if (self->n_equal_steps == 0)
    IDASetEtaFixedStepBounds(self->memory, 1, seam_ida_growth);
  else
    self->n_equal_steps--;
  IDAGetCurrentStep(self->memory, &self->next_step);
  set_resolution(self);
  if (self->dae.begin_step == NULL)
    return SEAM_OK;
  /* y_now serves as scratch until a state is requested */
  memcpy(base->y_now, N_VGetArrayPointer(self->y), (size_t)n_all(self) * sizeof(double));
  base->next_begin.status =
      self->dae.begin_step(self->dae.owner, base->end, self->next_step, base->y_now, &base->next_begin);
  return SEAM_OK;
}

static seam_status find_state(seam_multistep *base, double t, seam_error *error) {
  (void)error;
  const ida *self = (const ida *)base;
  if (!self->fresh)
    IDAGetDky(self->memory, t, 0, self->state);
  return SEAM_OK;
}

static size_t worst_entry(const seam_multistep *base) {
  const ida *self = (const ida *)base;
  const double *weight = N_VGetArrayPointer(self->y);
  const double *error = N_VGetArrayPointer(self->slope);
  size_t worst = 0;
  double largest = -1;
  IDAGetErrWeights(self->memory, self->y);
  IDAGetEstLocalErrors(self->memory, self->slope);
  for (int i = 0; i < self->dae.n; i++) {
    const double part = weight[i] * fabs(error[i]);
    if (part > largest) {
      largest = part;
      worst = (size_t)i;
    }
  }
  return worst;
}

static void destroy(seam_multistep *base) {
  ida *self = (ida *)base;
  IDAFree(&self->memory);
  SUNNonlinSolFree(self->newton);
  SUNLinSolFreeEmpty(self->solver);
  SUNMatDestroy(self->matrix);
  N_Vector vectors[] = {self->state, self->y, self->slope, self->scratch};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    N_VDestroy(vectors[i]);
  seam_newton_matrix_destroy(self->newton_matrix);
  seam_dae_blocks_destroy(self->blocks);
  free(self->J);
}

static const seam_multistep_method method = {
    .name = "ida",
    .library = "IDAS",
    .failures = failures,
    .restarts_after_failure = true,
    .begin = begin,
    .step = step,
    .find_state = find_state,
    .worst_entry = worst_entry,
    .destroy = destroy,
};

/* ---- Creation ---- */

static bool allocate(ida *self) {
  const int n = self->dae.n;
  if (!seam_multistep_begin(&self->base, &method, (size_t)n_all(self)))
    return false;
  self->J = calloc((size_t)self->dae.start[n] + 1, sizeof *self->J);
  if (self->J == NULL)
    return false;
  self->memory = IDACreate(self->base.context);
  self->state = N_VMake_Serial(n_all(self), self->base.y_now, self->base.context);
  if (self->dae.n_positions > 0)
    self->state = with_owner(self->state, self);
  if (self->state != NULL && self->dae.n_positions > 0) { /* IDAS clones its own vectors from this one */
    self->state->ops->nvclone = clone;
    self->state->ops->nvwrmsnorm = norm;
  }
  self->y = N_VNew_Serial(n_all(self), self->base.context);
  self->slope = N_VNew_Serial(n_all(self), self->base.context);
  self->scratch = N_VNew_Serial(n_all(self), self->base.context);
  self->matrix = SUNSparseMatrix(n, n, 0, CSC_MAT, self->base.context);
  self->solver = SUNLinSolNewEmpty(self->base.context);
  self->newton = self->y != NULL ? SUNNonlinSol_Newton(self->y, self->base.context) : NULL;
  return self->memory != NULL && self->state != NULL && self->y != NULL && self->slope != NULL &&
         self->scratch != NULL && self->matrix != NULL && self->solver != NULL && self->newton != NULL;
}

/* IDASetNonlinearSolver() sets IDAS's own convergence test, which integrate() then replaces. */
static seam_status prepare(ida *self, seam_error *error) {
  void *memory = self->memory;
  N_VConst(0, self->slope);
  self->solver->content = self;
  self->solver->ops->gettype = solver_type;
  self->solver->ops->setup = solver_setup;
  self->solver->ops->solve = solver_solve;
  SUNDIALS_SILENCE(memory, IDASetErrFile);
  int flag = IDAInit(memory, residual, 0, self->state, self->slope);
  if (flag == IDA_SUCCESS)
    flag = IDASetLinearSolver(memory, self->solver, self->matrix);
  if (flag == IDA_SUCCESS)
    flag = IDASetNonlinearSolver(memory, self->newton);
  if (flag == IDA_SUCCESS) {
    SUNNonlinearSolverContent_Newton content = self->newton->content;
    self->has_converged = content->CTest;
    self->of_test = content->ctest_data;
    flag = SUNNonlinSolSetConvTestFn(self->newton, integrate, self);
  }
  if (flag == IDA_SUCCESS) {
    flag |= IDASetUserData(memory, self);
    flag |= IDAWFtolerances(memory, weights);
    flag |= IDASetJacFn(memory, newton_matrix);
    flag |= IDASetNonlinConvCoef(memory, fmax(seam_ida_newton, seam_ida_newton_rounding / self->tolerances.rtol));
    flag |= IDASetMaxStep(memory, self->tolerances.largest_step);
    flag |= IDASetMaxErrTestFails(memory, SEAM_MAX_FAILURES);
    flag |= IDASetMaxConvFails(memory, SEAM_MAX_FAILURES);
  }
  return flag == IDA_SUCCESS
             ? SEAM_OK
             : seam_multistep_refuse(&self->base, flag, flag == IDA_MEM_FAIL || flag == IDALS_MEM_FAIL, error);
}

seam_status seam_ida_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                            seam_error *error) {
  if (tolerances->step > 0)
    return seam_fail(error, SEAM_BAD_INPUT, "ida chooses its own steps: leave out 'step', or take radau");
  ida *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %d values", dae->n);
  self->dae = *dae;
  self->tolerances = *tolerances;
  const double typical_step = seam_typical_step * seam_time_scale(tolerances); /* for the order of pivots */
  seam_status status = allocate(self)
                           ? dae->jacobian(dae->context, dae->t_reference, dae->reference, self->J, error)
                           : seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %d values", dae->n);
  if (dae->blocks != NULL)
    THEN(status, seam_dae_blocks_create(&self->dae, &self->blocks, error));
  THEN(status, seam_newton_matrix_create(&self->dae, self->blocks, false, self->J, 1 / typical_step, 0,
                                         &self->newton_matrix, error));
  THEN(status, prepare(self, error));
  if (status == SEAM_OK)
    begin(&self->base);
  RETURN_CREATED(status, &self->base.base, integrator, seam_integrator_destroy);
}
