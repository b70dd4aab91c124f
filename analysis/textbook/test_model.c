/* The linear test models of coupling, their stability and their convergence. The dimensionless parameters Λ and α
 * (seam_test_model) give masses m, stiffnesses c and dampings d to the ground, and cc and dc of the coupling. With
 * m1 = 1 and the macro step H = 1 ([Li] 3.31 and 4.63, inverted in docs/conventions.md):
 *
 *   c1 = Λr² + Λi²                         d1 = -2 Λr
 *   c2/m2 = (αr21 Λr)² + (αi21 Λi)²        d2/m2 = -2 αr21 Λr          m2 = αm21
 *   cc = α* [(αic1 Λi)² + (αrc1 Λr)²]      dc = -2 α* αrc1 Λr          α* = 2 αm21 / (1 + αm21)
 *
 * Each side has one of three inputs: the coupling force λ; the motion x̃, ṽ of the other mass, through the coupling; or
 * a prescribed acceleration ã of its own mass. A prescribed acceleration needs the force μ = ±(m ã + d v + c x), where
 * x and v are position and velocity of this mass. */
#include "analysis/textbook/test_model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/errors.h"
#include "analysis/spectrum.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "solvers/expm.h"

struct analysis_test_model {
  analysis_oscillators model;
  cosim_linear_element spring;
  cosim_element joined;
  cosim_part *part[2];
  cosim_master *master;
};

enum { X, V, P, n_side_states };
enum { x_out, v_out, a_out, p_out, mu_out, n_outputs };

seam_status analysis_oscillators_of(const seam_test_model *p, bool rigid, analysis_oscillators *model,
                                    seam_error *error) {
  const double values[] = {p->lambda_r,  p->lambda_i,  p->alpha_m21, p->alpha_r21,
                           p->alpha_i21, p->alpha_rc1, p->alpha_ic1};
  if (!finite_all(values, sizeof values / sizeof *values))
    return seam_fail(error, SEAM_BAD_INPUT, "a parameter of the test model is not finite");
  if (!(p->alpha_m21 > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "the mass ratio %g of the test model must be positive", p->alpha_m21);
  const double r = p->lambda_r, i = p->lambda_i;
  const double m2 = p->alpha_m21, mean = 2 * m2 / (1 + m2);
  const double r2 = p->alpha_r21 * r, i2 = p->alpha_i21 * i;
  const double rc = p->alpha_rc1 * r, ic = p->alpha_ic1 * i;
  *model = (analysis_oscillators){.side = {{1, r * r + i * i, -2 * r}, {m2, m2 * (r2 * r2 + i2 * i2), -2 * m2 * r2}},
                                  .rigid = rigid,
                                  .stiffness = mean * (ic * ic + rc * rc),
                                  .damping = -2 * mean * rc};
  return SEAM_OK;
}

/* Makes the oscillators from masses, stiffnesses and dampings, with H (s) as the unit of time. Fails with
 * SEAM_BAD_INPUT if a parameter is out of range. */
static seam_status oscillators_with(const seam_oscillators *p, bool rigid, double H, analysis_oscillators *model,
                                    seam_error *error) {
  const double values[] = {p->c1, p->d1, p->c2, p->d2, p->cc, p->dc, p->x1, p->v1, p->x2, p->v2, p->end};
  if (!finite_all(values, sizeof values / sizeof *values))
    return seam_fail(error, SEAM_BAD_INPUT, "a parameter of the test model is not finite");
  if (!is_positive(p->m1) || !is_positive(p->m2))
    return seam_fail(error, SEAM_BAD_INPUT, "the masses %g and %g of the test model must be positive and finite", p->m1,
                     p->m2);
  if (!is_positive(H))
    return seam_fail(error, SEAM_BAD_INPUT, "the macro step %g of the test model must be positive and finite", H);
  *model = (analysis_oscillators){.side = {{p->m1, p->c1 * H * H, p->d1 * H}, {p->m2, p->c2 * H * H, p->d2 * H}},
                                  .rigid = rigid,
                                  .stiffness = p->cc * H * H,
                                  .damping = p->dc * H};
  return SEAM_OK;
}

/* ---- Sides ---- */

/* Creates one mass; its state is x, v and p, the integral of x. */
static seam_status create_side(const analysis_oscillators *model, int side, const cosim_scheme *scheme,
                               cosim_part **part, seam_error *error) {
  static const bool restarts[n_side_states] = {[P] = true};
  static const char *const names[2] = {"1", "2"};
  const analysis_oscillator *o = &model->side[side];
  const double sign = side == 0 ? 1 : -1;
  double A[n_side_states][n_side_states] = {[X] = {[V] = 1}, [P] = {[X] = 1}};
  double C[n_outputs][n_side_states] = {[x_out] = {[X] = 1}, [v_out] = {[V] = 1}, [p_out] = {[P] = 1}};
  double B[2 * n_side_states] = {0}, D[2 * n_outputs] = {0};
  int n_inputs = 1;
  if (cosim_scheme_drives(scheme, side, COSIM_FORCE)) {
    A[V][X] = -(o->stiffness / o->mass);
    A[V][V] = -(o->damping / o->mass);
    B[V] = D[a_out] = 1 / o->mass;
  } else if (cosim_scheme_drives(scheme, side, COSIM_ACCELERATION)) {
    B[V] = D[a_out] = 1;
    C[mu_out][X] = sign * o->stiffness;
    C[mu_out][V] = sign * o->damping;
    D[mu_out] = sign * o->mass;
  } else { /* inputs x̃ and ṽ */
    n_inputs = 2;
    A[V][X] = -((o->stiffness + model->stiffness) / o->mass);
    A[V][V] = -((o->damping + model->damping) / o->mass);
    B[2 * V] = D[2 * a_out] = model->stiffness / o->mass;
    B[2 * V + 1] = D[2 * a_out + 1] = model->damping / o->mass;
  }
  memcpy(C[a_out], A[V], sizeof A[V]); /* a = v' */
  const cosim_linear_def def = {.name = names[side],
                                .n_states = n_side_states,
                                .n_inputs = n_inputs,
                                .n_outputs = n_outputs,
                                .A = A[0],
                                .B = B,
                                .C = C[0],
                                .D = D,
                                .restarts = restarts};
  return cosim_linear_part_create(&def, part, error);
}

/* ---- Coupling ---- */

/* Sets the states of both masses to their mean, weighted by mass ([Li] 4.22, 4.47). */
static seam_status project(void *context, double t, seam_error *error) {
  (void)t;
  (void)error;
  analysis_test_model *self = context;
  const double mass[2] = {self->model.side[0].mass, self->model.side[1].mass};
  double z[2][2];
  double mean[2];
  for (int side = 0; side < 2; side++)
    self->part[side]->ops->save(self->part[side], z[side]);
  for (int i = 0; i < 2; i++)
    mean[i] = (mass[0] * z[0][i] + mass[1] * z[1][i]) / (mass[0] + mass[1]);
  for (int side = 0; side < 2; side++)
    self->part[side]->ops->restore(self->part[side], mean);
  return SEAM_OK;
}

seam_status analysis_test_model_create(const analysis_oscillators *model, const cosim_scheme *scheme,
                                       analysis_test_model **created, seam_error *error) {
  analysis_test_model *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the test model");
  self->model = *model;
  self->spring = cosim_linear_element_of(1, &model->stiffness, &model->damping);
  self->joined = cosim_joined_element_of(1);
  seam_status status = create_side(model, 0, scheme, &self->part[0], error);
  THEN(status, create_side(model, 1, scheme, &self->part[1], error));
  if (status != SEAM_OK)
    cosim_part_destroy(self->part[0]);
  cosim_cut cut = {
      .name = "coupling", .element = self->model.rigid ? &self->joined : &self->spring.base, .scheme = *scheme};
  cosim_master_options options = cosim_default_master_options();
  options.tolerance = INFINITY; /* the coupling is linear, so one correction solves it up to rounding */
  options.n_threads = 1;
  options.project = project;
  options.context = self;
  for (int side = 0; side < 2; side++)
    cut.side[side] = (cosim_side){.part = side,
                                  .velocity_input = 1,
                                  .position = x_out,
                                  .velocity = v_out,
                                  .acceleration = a_out,
                                  .position_integral = p_out,
                                  .multiplier = mu_out};
  THEN(status, cosim_master_create(self->part, 2, &cut, 1, &options, &self->master, error)); /* owner of the parts */
  RETURN_CREATED(status, self, created, free);
}

void analysis_test_model_destroy(analysis_test_model *self) {
  if (self == NULL)
    return;
  cosim_master_destroy(self->master);
  free(self);
}

cosim_master *analysis_test_model_master(analysis_test_model *self) { return self->master; }

/* ---- Stability ---- */

static seam_status find_stability(const analysis_oscillators *model, const char *scheme_name,
                                  seam_stability_point *point, seam_error *error) {
  cosim_scheme scheme;
  analysis_test_model *coupled = NULL;
  TRY(cosim_scheme_for(scheme_name, model->rigid, &scheme, error));
  TRY(analysis_test_model_create(model, &scheme, &coupled, error));
  /* The entries of Φ have rounding errors: a matrix exponential loses accuracy in proportion to the norm of its matrix;
   * predictor and corrector add a few hundred rounding errors. Both were measured against quadruple precision
   * (tests/analysis/textbook/map.c). */
  double norm = 0;
  for (const analysis_oscillator *m = model->side; m < model->side + 2; m++)
    norm = fmax(norm, (m->stiffness + model->stiffness + fabs(m->damping + model->damping)) / m->mass);
  const double accuracy = analysis_propagation_rounding + DBL_EPSILON * norm + analysis_collocation_rounding(&scheme);
  const size_t n = point->n_state = cosim_master_n_state(coupled->master);
  double *Phi = malloc((n * n + 1) * sizeof *Phi);
  seam_status status = Phi != NULL ? analysis_propagation(coupled->master, 1, Phi, error)
                                   : seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %zu", n);
  THEN(status, analysis_spectral_radius((int)n, Phi, accuracy, &point->rho, &point->uncertainty, error));
  free(Phi);
  analysis_test_model_destroy(coupled);
  return status;
}

seam_status seam_constitutive_stability(const seam_test_model *parameters, const char *scheme,
                                        seam_stability_point *point, seam_error *error) {
  ARGUMENTS(error, parameters, scheme, point);
  analysis_oscillators model = {0};
  TRY(analysis_oscillators_of(parameters, false, &model, error));
  return find_stability(&model, scheme, point, error);
}

seam_status seam_constraint_stability(const seam_test_model *parameters, const char *scheme,
                                      seam_stability_point *point, seam_error *error) {
  ARGUMENTS(error, parameters, scheme, point);
  analysis_oscillators model = {0};
  TRY(analysis_oscillators_of(parameters, true, &model, error));
  return find_stability(&model, scheme, point, error);
}

seam_status seam_oscillators_stability(const seam_oscillators *parameters, bool rigid, const char *scheme, double H,
                                       seam_stability_point *point, seam_error *error) {
  ARGUMENTS(error, parameters, scheme, point);
  analysis_oscillators model = {0};
  TRY(oscillators_with(parameters, rigid, H, &model, error));
  return find_stability(&model, scheme, point, error);
}

/* ---- Convergence: the monolithic model ---- */

/* The matrix exponential of the monolithic model gives the exact positions and velocities (x1, v1, x2, v2):
 *
 *   constitutive   m1 x1'' = -c1 x1 - d1 x1' + λ,  m2 x2'' = -c2 x2 - d2 x2' - λ,  λ = cc (x2 - x1) + dc (x2' - x1')
 *   constraint     x1'' = x2'' = (-c1 x1 - d1 x1' - c2 x2 - d2 x2') / (m1 + m2)
 *
 * A local error is that of one macro step from the co-simulation's own state. If a scheme for rigid coupling leaves x2
 * ≠ x1, the exact solution starts from the state of the first mass, which reproduces published orders. */
enum { n_states = analysis_two_masses };

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

void analysis_propagate(const double *E, const double *from, double *to) {
  double next[n_states] = {0};
  for (int j = 0; j < n_states; j++)
    for (int i = 0; i < n_states; i++)
      next[i] += E[i + n_states * j] * from[j];
  memcpy(to, next, sizeof next);
}

/* ---- Convergence: one run ---- */

/* Returns the motions and wrenches of the cut in the state (x1, v1, x2, v2), for cosim_master_begin(). */
static cosim_snapshot snapshot_of(const analysis_oscillators *model, const double state[4]) {
  const analysis_oscillator *o = model->side;
  cosim_snapshot now = {0};
  double load[2];
  for (int side = 0; side < 2; side++) {
    now.motion[side].x[0] = state[2 * side];
    now.motion[side].v[0] = state[2 * side + 1];
    load[side] = -o[side].stiffness * state[2 * side] - o[side].damping * state[2 * side + 1];
  }
  const double a = (load[0] + load[1]) / (o[0].mass + o[1].mass);
  now.wrench[0][0] = model->rigid ? o[0].mass * a - load[0]
                                  : model->stiffness * (state[2] - state[0]) + model->damping * (state[3] - state[1]);
  now.motion[0].a[0] = (load[0] + now.wrench[0][0]) / o[0].mass;
  now.motion[1].a[0] = (load[1] - now.wrench[0][0]) / o[1].mass;
  return now;
}

/* Starts the co-simulation at t = 0 in `state`, with exact coupling variables. With exact_history, the past values at
 * -H, -2H, ... are exact too. */
static seam_status begin(analysis_test_model *coupled, const analysis_oscillators *model, const double *state,
                         bool exact_history, double H, seam_error *error) {
  cosim_snapshot past[COSIM_MAX_HISTORY];
  const int n_past = exact_history ? COSIM_MAX_HISTORY : 1;
  double back[n_states * n_states];
  double earlier[n_states];
  memcpy(earlier, state, sizeof earlier);
  TRY(propagator(model, -H, back, error));
  for (int i = 0; i < n_past; i++) {
    past[i] = snapshot_of(model, earlier);
    analysis_propagate(back, earlier, earlier);
  }
  for (int side = 0; side < 2; side++)
    coupled->part[side]->ops->restore(coupled->part[side], state + 2 * side);
  cosim_master_begin(coupled->master, 0, past, n_past);
  return SEAM_OK;
}

/* Adds the errors of a state to the columns of both positions, then of both velocities. */
static void add_errors(analysis_column columns[n_states], const double *exact, const double *state) {
  for (int i = 0; i < n_states; i++)
    analysis_column_add(&columns[i / 2 + 2 * (i % 2)], 1, exact[i], state[i]);
}

/* Returns the rounding error of a collocation motion, in units of ε: its powers of τ, the relative time in the step,
 * have large coefficients of alternating signs. The error does not grow from step to step. */
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

static double nrmse_of(const analysis_column *columns, size_t n, bool overflowed) {
  const double error = analysis_combined(columns, n, NULL);
  return overflowed || !isfinite(error) ? INFINITY : error;
}

static seam_status run(const analysis_oscillators *model, cosim_master *master, const double *E, const double *start,
                       double end, double H, double rounding, seam_test_errors *errors, seam_error *error) {
  analysis_column global[n_states] = {0}, local[n_states] = {0}, force = {0};
  double exact[n_states], from[n_states], state[n_states];
  seam_status status = SEAM_OK;
  memcpy(exact, start, sizeof exact);
  memcpy(state, start, sizeof state);
  const long n_steps = lround(end / H);
  for (long n = 0; n < n_steps && status == SEAM_OK; n++) {
    analysis_propagate(E, exact, exact);
    memcpy(from, state, sizeof from);
    if (model->rigid) /* the exact solution starts from the state of the first mass */
      memcpy(from + 2, from, 2 * sizeof *from);
    analysis_propagate(E, from, from);
    status = cosim_master_step(master, H, error);
    const cosim_motion *motion = cosim_master_motions(master, 0);
    for (int side = 0; side < 2; side++) {
      state[2 * side] = motion[side].x[0];
      state[2 * side + 1] = motion[side].v[0];
    }
    add_errors(global, exact, state);
    double W[COSIM_MAX_FORCES];
    cosim_master_wrench(master, 0, W);
    analysis_column_add(&force, 1, snapshot_of(model, exact).wrench[0][0], W[0]);
    add_errors(local, from, state);
  }
  const bool overflowed = status == SEAM_NOT_FINITE;
  *errors = (seam_test_errors){
      .global_position = nrmse_of(global, 2, overflowed),
      .global_velocity = nrmse_of(global + 2, 2, overflowed),
      .local_position = nrmse_of(local, 2, overflowed),
      .local_velocity = nrmse_of(local + 2, 2, overflowed),
      .global_rounding = DBL_EPSILON * (5 * (double)n_steps + rounding),
      .local_rounding = DBL_EPSILON * (20 + rounding),
      .global_force = nrmse_of(&force, 1, overflowed),
  };
  return overflowed ? SEAM_OK : status;
}

seam_status seam_oscillators_default(bool rigid, const char *scheme_name, seam_oscillators *model, seam_error *error) {
  ARGUMENTS(error, scheme_name, model);
  cosim_scheme scheme;
  TRY(cosim_scheme_for(scheme_name, rigid, &scheme, error));
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
  analysis_oscillators model = {0};
  analysis_test_model *coupled = NULL;
  TRY(oscillators_with(parameters, rigid, 1, &model, error));
  const double end = parameters->end;
  if (!(H > 0 && fabs(end / H - round(end / H)) < analysis_integer_steps && H <= end))
    return seam_fail(error, SEAM_BAD_INPUT, "the macro step %g s does not divide the %g s of the test model", H, end);
  TRY(cosim_scheme_for(scheme_name, rigid, &scheme, error));
  TRY(propagator(&model, H, E, error));
  TRY(analysis_test_model_create(&model, &scheme, &coupled, error));
  seam_status status = begin(coupled, &model, start, exact_history, H, error);
  THEN(status, run(&model, coupled->master, E, start, end, H, motion_rounding(&scheme), errors, error));
  analysis_test_model_destroy(coupled);
  return status;
}

static seam_status find_published(bool rigid, const char *scheme, bool exact_history, double H,
                                  seam_test_errors *errors, seam_error *error) {
  seam_oscillators model;
  TRY(seam_oscillators_default(rigid, scheme, &model, error));
  return seam_oscillators_errors(&model, rigid, scheme, exact_history, H, errors, error);
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
