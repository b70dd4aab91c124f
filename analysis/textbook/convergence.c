/* Convergence of coupling schemes on the linear test models: two masses on springs and dampers to the ground, coupled.
 * The matrix exponential of the monolithic model gives the exact solution for the positions and velocities (x1, v1, x2,
 * v2). m are masses. c and d are stiffnesses and dampings to the ground; cc and dc are stiffness and damping of the
 * coupling. λ is the force of the coupling:
 *
 *   constitutive   m1 x1'' = -c1 x1 - d1 x1' + λ,  m2 x2'' = -c2 x2 - d2 x2' - λ,  λ = cc (x2 - x1) + dc (x2' - x1')
 *   constraint     x1'' = x2'' = (-c1 x1 - d1 x1' - c2 x2 - d2 x2') / (m1 + m2)
 *
 * A local error is the error of one macro step that starts from the co-simulation's own state. If a scheme for rigid
 * coupling leaves x2 ≠ x1, the exact solution starts from the state of the first mass (this reproduces published
 * orders). */
#include <float.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>

#include "analysis/errors.h"
#include "analysis/textbook/test_model.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "solvers/expm.h"

enum { n_states = 4 };

/* ---- The monolithic model ---- */

/* Computes the matrix E, column by column, that maps a state to the state after the time t. */
static seam_status propagator(const analysis_oscillators *model, double t, double *E, seam_error *error) {
  const analysis_oscillator *o = model->side;
  double A[n_states * n_states] = {0};
  for (int side = 0; side < 2; side++) {
    A[2 * side + n_states * (2 * side + 1)] = t;
    for (int i = 0; i < 2; i++) { /* i = 0: derivatives with respect to positions; 1: to velocities */
      const double load = i == 0 ? -o[side].stiffness : -o[side].damping;
      const double coupling = i == 0 ? model->stiffness : model->damping;
      const int row = 2 * side + i;
      const int other = 2 * (1 - side) + i;
      if (model->rigid) {
        A[1 + n_states * row] = t * load / (o[0].mass + o[1].mass);
        A[3 + n_states * row] = A[1 + n_states * row];
      } else {
        A[2 * side + 1 + n_states * row] = t * (load - coupling) / o[side].mass;
        A[2 * side + 1 + n_states * other] = t * coupling / o[side].mass;
      }
    }
  }
  return seam_expm(n_states, A, E, error);
}

static void propagate(const double *E, const double *from, double *to) {
  double next[n_states] = {0};
  for (int j = 0; j < n_states; j++)
    for (int i = 0; i < n_states; i++)
      next[i] += E[i + n_states * j] * from[j];
  memcpy(to, next, sizeof next);
}

/* ---- One run ---- */

/* Starts the co-simulation at t = 0 in `state`, with exact coupling variables. With exact_history, the past values at
 * -H, -2H, ... are exact too. */
static seam_status begin(analysis_test_model *coupled, const analysis_oscillators *model, const double *state,
                         bool exact_history, double H, seam_error *error) {
  cosim_snapshot past[COSIM_MAX_HISTORY];
  const int n_past = exact_history ? COSIM_MAX_HISTORY : 1;
  double back[n_states * n_states];
  double earlier[n_states];
  memcpy(earlier, state, sizeof earlier);
  const seam_status status = propagator(model, -H, back, error);
  for (int i = 0; i < n_past && status == SEAM_OK; i++) {
    past[i] = analysis_test_model_snapshot(model, earlier);
    propagate(back, earlier, earlier);
  }
  analysis_test_model_set(coupled, state);
  cosim_master_begin(analysis_test_model_master(coupled), 0, past, n_past);
  return status;
}

/* Errors of the positions and velocities of both masses, and of the coupling force λ. */
typedef struct run_errors {
  analysis_column position[2], velocity[2], force;
} run_errors;

static void add_errors(run_errors *self, const double *exact, const double *state) {
  for (int side = 0; side < 2; side++) {
    analysis_column_add(&self->position[side], 1, exact[2 * side], state[2 * side]);
    analysis_column_add(&self->velocity[side], 1, exact[2 * side + 1], state[2 * side + 1]);
  }
}

/* Returns the rounding error of a collocation motion, in units of ε. The motion is a sum of powers of τ, the relative
 * time in the step, with large coefficients of alternating signs. The error does not grow from step to step. */
static double motion_rounding(const cosim_scheme *scheme) {
  static const cosim_history_nodes past = {.n = 1};
  double largest = 0;
  for (int v = 0; v < scheme->n_variables; v++) {
    if (scheme->variable[v].kind != COSIM_MOTION)
      continue;
    const cosim_rule rule = cosim_corrector_rule(scheme, COSIM_MOTION, &past);
    for (int i = 0; i < rule.n_new; i++) {
      double sum = 0;
      for (int k = 0; k <= COSIM_MAX_DEGREE; k++)
        sum += fabs(rule.of_new[i].c[0][k]);
      largest = fmax(largest, sum);
    }
  }
  return largest;
}

static double nrmse(const analysis_column *columns, size_t n, bool overflowed) {
  const double error = analysis_combined(columns, n, NULL);
  return overflowed || !isfinite(error) ? INFINITY : error;
}

static seam_status run(const analysis_oscillators *model, cosim_master *master, const double *E, const double *start,
                       double end, double H, double rounding, seam_test_errors *errors, seam_error *error) {
  run_errors global = {0}, local = {0};
  double exact[n_states], from[n_states], state[n_states];
  seam_status status = SEAM_OK;
  memcpy(exact, start, sizeof exact);
  memcpy(state, start, sizeof state);
  const long n_steps = lround(end / H);
  for (long n = 0; n < n_steps && status == SEAM_OK; n++) {
    propagate(E, exact, exact);
    memcpy(from, state, sizeof from);
    if (model->rigid) /* the exact solution starts from the state of the first mass */
      memcpy(from + 2, from, 2 * sizeof *from);
    propagate(E, from, from);
    status = cosim_master_step(master, H, error);
    const cosim_motion *motion = cosim_master_motions(master, 0);
    for (int side = 0; side < 2; side++) {
      state[2 * side] = motion[side].x[0];
      state[2 * side + 1] = motion[side].v[0];
    }
    add_errors(&global, exact, state);
    double W[COSIM_MAX_FORCES];
    cosim_master_wrench(master, 0, W);
    analysis_column_add(&global.force, 1, analysis_test_model_snapshot(model, exact).wrench[0][0], W[0]);
    add_errors(&local, from, state);
  }
  const bool overflowed = status == SEAM_NOT_FINITE;
  *errors = (seam_test_errors){
      .global_position = nrmse(global.position, 2, overflowed),
      .global_velocity = nrmse(global.velocity, 2, overflowed),
      .local_position = nrmse(local.position, 2, overflowed),
      .local_velocity = nrmse(local.velocity, 2, overflowed),
      .global_rounding = DBL_EPSILON * (5 * (double)n_steps + rounding),
      .local_rounding = DBL_EPSILON * (20 + rounding),
      .global_force = nrmse(&global.force, 1, overflowed),
  };
  return overflowed ? SEAM_OK : status;
}

static seam_status check_step(double end, double H, seam_error *error) {
  if (H > 0 && fabs(end / H - round(end / H)) < analysis_integer_steps && H <= end)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "the macro step %g s does not divide the %g s of the test model", H, end);
}

seam_status seam_oscillators_default(bool rigid, const char *scheme_name, seam_oscillators *model, seam_error *error) {
  ARGUMENTS(error, scheme_name, model);
  cosim_scheme scheme;
  const seam_status status = cosim_scheme_for(scheme_name, rigid, &scheme, error);
  if (status != SEAM_OK)
    return status;
  *model = (seam_oscillators){.m1 = 1, .c1 = 1000, .d1 = 10, .m2 = scheme.method == COSIM_PLAIN ? 1 : 2};
  model->c2 = model->cc = model->c1;
  model->d2 = model->dc = model->d1;
  model->x1 = 1;
  model->x2 = rigid ? 1 : 0;
  model->end = SEAM_TEST_MODEL_END;
  return SEAM_OK;
}

seam_status seam_oscillators_errors(const seam_oscillators *parameters, bool rigid, const char *scheme_name,
                                    bool exact_history, double H, seam_test_errors *errors, seam_error *error) {
  ARGUMENTS(error, parameters, scheme_name, errors);
  const double start[n_states] = {parameters->x1, parameters->v1, parameters->x2, parameters->v2};
  double E[n_states * n_states];
  cosim_scheme scheme;
  analysis_oscillators model;
  analysis_test_model *coupled = NULL;
  seam_status status = analysis_oscillators_with(parameters, rigid, 1, &model, error);
  THEN(status, check_step(parameters->end, H, error));
  THEN(status, cosim_scheme_for(scheme_name, rigid, &scheme, error));
  THEN(status, propagator(&model, H, E, error));
  THEN(status, analysis_test_model_create(&model, &scheme, &coupled, error));
  THEN(status, begin(coupled, &model, start, exact_history, H, error));
  THEN(status, run(&model, analysis_test_model_master(coupled), E, start, parameters->end, H, motion_rounding(&scheme),
                   errors, error));
  analysis_test_model_destroy(coupled);
  return status;
}

static seam_status find_published(bool rigid, const char *scheme, bool exact_history, double H,
                                  seam_test_errors *errors, seam_error *error) {
  seam_oscillators model;
  seam_status status = seam_oscillators_default(rigid, scheme, &model, error);
  THEN(status, seam_oscillators_errors(&model, rigid, scheme, exact_history, H, errors, error));
  return status;
}

seam_status seam_constitutive_errors(const char *scheme, bool exact_history, double H, seam_test_errors *errors,
                                     seam_error *error) {
  ARGUMENTS(error, scheme, errors);
  return find_published(false, scheme, exact_history, H, errors, error);
}

seam_status seam_constraint_errors(const char *scheme, bool exact_history, double H, seam_test_errors *errors,
                                   seam_error *error) {
  ARGUMENTS(error, scheme, errors);
  return find_published(true, scheme, exact_history, H, errors, error);
}
