/* Integrates a mechanism by a method of solvers/. Explicit methods and CVODE integrate the index-1 form, y = (q, v, z,
 * work, extra states) with the accelerations v' = a of dynamics.c, and project y onto the constraints after every step.
 * Radau and IDA integrate the stabilised index-2 form of ggl.c. */
#include "mbs/integrate/integrator_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/checksum.h"
#include "base/note.h"
#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/failure.h"
#include "mbs/dynamics/responses.h"
#include "mbs/dynamics/scales.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"
#include "solvers/erk.h"
#include "solvers/subnormal.h"

enum { options_cookie = 0x1e47 };

/* ---- Index-1 form ---- */

/* Returns the length of (q, v, z, work). */
static size_t state_length(const mbs_integrator *self) {
  return mbs_n_controlled(self->model) + (size_t)self->model->n_work;
}

/* Fills dy with the rates of (q, v, z, work) at (t, y), and sets *at to the evaluated state. Copies known rates if
 * self->evaluated has the state (t, y) and, with extra states, if the workspace has it too. */
static seam_status state_rates(mbs_integrator *self, double t, const double *y, double *dy, const mbs_state **at,
                               seam_error *error) {
  const size_t n = 3 * (size_t)self->model->n_bodies;
  const mbs_evaluated_state *known = &self->evaluated;
  const bool is_known = known->state != NULL && known->state->t == t && (known->in_workspace || self->n_extra == 0) &&
                        memcmp(known->state->q, y, mbs_n_controlled(self->model) * sizeof *y) == 0;
  const mbs_state *now = is_known ? known->state : self->now;
  seam_status status = SEAM_OK;
  if (!is_known) {
    self->evaluated.in_workspace = false;
    self->has_inside = false;
    self->now->t = t;
    worker_group_begin(&self->workers);
    worker_group_copy(&self->workers, mbs_n_controlled(self->model), y, self->now->q);
    status = mbs_accelerate(self->ws, self->now, error);
    worker_group_end(&self->workers);
  }
  worker_group_copy(&self->workers, n, y + n, dy);
  worker_group_copy(&self->workers, n, now->a, dy + n);
  if (is_known)
    memcpy(dy + 2 * n, known->rates, (state_length(self) - 2 * n) * sizeof *dy);
  else
    mbs_rates(self->ws, dy + 2 * n);
  *at = now;
  return status;
}

static seam_status rhs_without_extra_states(void *context, double t, const double *y, double *dy, seam_error *error) {
  const mbs_state *now;
  return state_rates(context, t, y, dy, &now, error);
}

static seam_status rhs(void *context, double t, const double *y, double *dy, seam_error *error) {
  mbs_integrator *self = context;
  const size_t own = state_length(self);
  const mbs_state *now;
  TRY(state_rates(self, t, y, dy, &now, error));
  if (self->n_extra == 0)
    return SEAM_OK;
  return self->extra.rates(self->extra.context, self->ws, now, self->n_extra, y + own, dy + own, error);
}

static seam_status project(void *context, double t, double *y, seam_error *error) {
  mbs_integrator *self = context;
  mbs_load_stick_states(self->ws, y + 6 * self->model->n_bodies);
  return mbs_project(self->ws, t, y, y + 3 * self->model->n_bodies, error);
}

static seam_status project_near(void *context, double t, double *y, bool *of_rounding, seam_error *error) {
  mbs_integrator *self = context;
  mbs_load_stick_states(self->ws, y + 6 * self->model->n_bodies);
  return mbs_project_step(self->ws, t, y, y + 3 * self->model->n_bodies, of_rounding, error);
}

static seam_status shake(void *context, double t, double h, const double *y, double *end, seam_error *error) {
  mbs_integrator *self = context;
  const size_t n = 3 * (size_t)self->model->n_bodies;
  mbs_load_stick_states(self->ws, y + 6 * self->model->n_bodies);
  return mbs_shake(self->ws, t, h, y, y + n, end, end + n, error);
}

/* Called before a step of length h, right after an evaluation at (t, y). In index-1 form the workspace has the factors
 * of S at y, or close to it if y has been projected since. SEAM_BECAME_SINGULAR: a singular configuration follows. */
static seam_status begin_step(void *context, double t, double h, const double *y, seam_error *error) {
  mbs_integrator *self = context;
  int dependent = -1;
  if (self->crossing == NULL)
    return SEAM_OK;
  if (self->ggl != NULL)
    dependent = mbs_stage_factor(self->ws, self->model->inverse_mass);
  if (dependent >= 0)
    return mbs_became_singular(self->model, t, dependent, error);
  if (!mbs_crossing_is_close(self->crossing))
    return SEAM_OK;
  mbs_integrator_read_y(self, t, y, self->now);
  return mbs_crossing_check(self->crossing, self->now, h, self->times.next.at, error);
}

/* ---- States inside steps ---- */

/* Projects y, interpolated at t inside a step, onto the constraints. Finds accelerations and multipliers with the
 * factors of S from the projection, unless self->of_motion is true. */
static seam_status project_inside(void *context, double t, double *y, seam_error *error) {
  mbs_integrator *self = context;
  mbs_state *now = self->now;
  self->evaluated.in_workspace = false;
  now->t = t;
  if (self->ggl != NULL)
    mbs_ggl_unpack(self->ggl, y, now);
  else
    memcpy(now->z, y + 6 * self->model->n_bodies, (size_t)self->model->n_states * sizeof *y);
  mbs_load_stick_states(self->ws, now->z);
  self->has_inside = false;
  TRY(mbs_project(self->ws, t, y, y + 3 * self->model->n_bodies, error));
  if (self->of_motion)
    return SEAM_OK;
  memcpy(now->q, y, 6 * (size_t)self->model->n_bodies * sizeof *y);
  TRY(mbs_evaluate_projected(self->ws, now, error));
  TRY(mbs_check_redundant(self->ws, t, error));
  self->has_inside = true;
  if (self->reader != NULL)
    mbs_copy_stages(self->reader, self->ws, now);
  return SEAM_OK;
}

/* Fills dy with the rates of y. Finds accelerations by the index-1 form: the multipliers in y are approximate. */
static seam_status rates_of_ggl(void *context, double t, const double *y, double *dy, seam_error *error) {
  mbs_integrator *self = context;
  mbs_integrator_read_y(self, t, y, self->now);
  self->has_inside = false;
  TRY(mbs_accelerate(self->ws, self->now, error));
  mbs_ggl_pack_rates(self->ggl, self->now, dy);
  return SEAM_OK;
}

/* ---- Methods ---- */

enum {
#define MBS_METHOD_NUMBER(name, steps) method_##name,
  MBS_METHOD_TABLE(MBS_METHOD_NUMBER)
#undef MBS_METHOD_NUMBER
      n_methods
};

static const struct {
  const char *name;
  int steps;
} methods[] = {
#define MBS_METHOD(name, steps) {#name, steps},
    MBS_METHOD_TABLE(MBS_METHOD)
#undef MBS_METHOD
};

static void weigh(void *context, const double *y, double rtol, double atol, double *weight) {
  const mbs_integrator *self = context;
  mbs_weigh(self->model, self->ggl != NULL, y, rtol, atol, weight);
}

/* Creates a method for the index-1 form: an explicit method, symplectic_euler or cvode. */
static seam_status create_index1(mbs_integrator *self, const seam_tolerances *tolerances, seam_error *error) {
  const size_t n = 3 * (size_t)self->model->n_bodies;
  seam_ode ode = {.n = state_length(self) + self->extra.n,
                  .n_controlled = state_length(self),
                  .first_constant = 2 * n + (size_t)self->model->switching.first_mode,
                  .n_constant = (size_t)self->model->switching.n_modes,
                  .n_positions = n,
                  .rhs = rhs,
                  .project = project,
                  .begin_step = begin_step,
                  .context = self};
  if (self->method == method_symplectic_euler) {
    ode.shake = shake;
    return seam_symplectic_create(&ode, tolerances, &self->integrator, error);
  }
  if (self->method == method_cvode) {
    TRY(mbs_newton_create(self->ws, self->now, &self->newton, error));
    const seam_newton newton = mbs_newton_solver(self->newton);
    return seam_cvode_create(&ode, SEAM_BDF, &newton, tolerances, &self->integrator, error);
  }
  ode.controlled = rhs_without_extra_states;
  if (self->model->n_ports == 0) /* states inside steps of subsystems are not projected */
    ode.project_inside = project_inside;
  if (self->method != method_euler) /* project_near() uses factors of the last stage; Euler's is at the beginning */
    ode.project_near = project_near;
  ode.workers = &self->workers;
  char erk[16];
  snprintf(erk, sizeof erk, "erk%u", self->order);
  const char *name = self->method == method_erk ? erk : methods[self->method].name;
  return seam_erk_create(&ode, name, tolerances, &self->integrator, error);
}

static seam_status create_stabilised(mbs_integrator *self, const seam_tolerances *tolerances, seam_error *error) {
  const mbs_model *model = self->model;
  TRY(mbs_ggl_create(self->ws, self->now, &self->ggl, error));
  if (self->ws->unilateral != NULL)
    self->ws->unilateral->drifts = true;
  seam_dae dae = *mbs_ggl_dae(self->ggl);
  dae.begin_step = begin_step;
  dae.n_positions = 3 * model->n_bodies;
  if (model->n_ports == 0 && model->n_hard == 0 && model->n_stick_rows == 0) {
    dae.rates_at = rates_of_ggl;
    dae.project_inside = project_inside;
  }
  dae.owner = self;
  return self->method == method_ida ? seam_ida_create(&dae, tolerances, &self->integrator, error)
                                    : seam_radau_create(&dae, tolerances, &self->integrator, error);
}

/* Properties of the methods. repeats, is_of_order_1: see mbs_integrator; integrates_hard: hard contacts;
 * integrates_skates: constraints on velocities alone; is_stabilised: integrates the stabilised index-2 form, without
 * extra states. */
static const struct {
  bool repeats, integrates_hard, integrates_skates, is_of_order_1, is_stabilised;
} properties[n_methods] = {
    [method_erk] = {.repeats = true, .integrates_hard = true, .integrates_skates = true},
    [method_radau] = {.repeats = true, .integrates_hard = true, .integrates_skates = true, .is_stabilised = true},
    [method_ida] = {.integrates_skates = true, .is_stabilised = true},
    [method_cvode] = {.integrates_skates = true},
    [method_euler] = {.repeats = true, .integrates_hard = true, .integrates_skates = true, .is_of_order_1 = true},
    [method_symplectic_euler] = {.repeats = true, .integrates_hard = true, .is_of_order_1 = true},
    [method_rk2] = {.repeats = true, .integrates_hard = true, .integrates_skates = true},
    [method_rk4] = {.repeats = true, .integrates_hard = true, .integrates_skates = true},
};

/* ---- Creation ---- */

mbs_integrator_options mbs_default_integrator_options(void) {
  return (mbs_integrator_options){.cookie = options_cookie,
                                  .method = "erk",
                                  .order = 8,
                                  .rtol = mbs_default_rtol,
                                  .largest_step = INFINITY,
                                  .n_threads = 1};
}

static int find_method(const char *name) {
  for (int i = 0; i < n_methods; i++)
    if (name != NULL && strcmp(methods[i].name, name) == 0)
      return i;
  return -1;
}

int mbs_method_steps(const char *method) {
  const int number = find_method(method);
  return number < 0 ? 0 : methods[number].steps;
}

bool mbs_is_multistep(const char *method) {
  const int number = find_method(method);
  return number == method_ida || number == method_cvode;
}

seam_status mbs_integrator_options_check(const mbs_integrator_options *options, seam_error *error) {
  if (options->cookie != options_cookie)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "integrator options are not initialised: start from mbs_default_integrator_options()");
  const int method = find_method(options->method);
  if (method < 0) {
    char names[128] = "";
    for (int i = 0; i < n_methods; i++)
      snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i == 0 ? "" : ", ", methods[i].name);
    return seam_fail(error, SEAM_BAD_INPUT, "integrator '%s' is unknown: take one of %s",
                     options->method == NULL ? "" : options->method, names);
  }
  if (method == method_erk && options->order != 0 && options->order != 4 && options->order != 5 && options->order != 8)
    return seam_fail(error, SEAM_BAD_INPUT, "erk has no method of order %d: take 4, 5 or 8", options->order);
  if (!(options->rtol >= mbs_least_rtol && options->rtol < 1 && options->atol >= 0 && isfinite(options->atol)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "rtol is %g and atol %g, but rtol must be at least 1e-15 and below 1, and atol positive (0: rtol "
                     "times the scales)",
                     options->rtol, options->atol);
  if (!(options->step >= 0 && isfinite(options->step) && options->largest_step > 0))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "step is %g and largest_step %g, but both must be positive (step 0: adaptive)", options->step,
                     options->largest_step);
  if (options->n_threads < 0)
    return seam_fail(error, SEAM_BAD_INPUT, "n_threads is %d, but must be 1 or more, or 0 to choose it by a trial",
                     options->n_threads);
  if ((methods[method].steps & (options->step > 0 ? MBS_FIXED_STEPS : MBS_ADAPTIVE_STEPS)) == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     options->step > 0
                         ? "integrator '%s' chooses its own steps: leave 'step' out or take radau"
                         : "integrator '%s' takes fixed steps only: give a step ('step' under 'simulate', --step)",
                     options->method);
  return SEAM_OK;
}

static seam_status create_method(mbs_integrator *self, const mbs_integrator_options *options, seam_error *error) {
  const seam_tolerances tolerances = {.rtol = options->rtol,
                                      .atol = options->atol,
                                      .step = options->step,
                                      .largest_step = options->largest_step,
                                      .time = options->atol > 0 ? 0 : self->model->scales.time,
                                      .weigh = weigh,
                                      .context = self};
  self->rtol = options->rtol;
  self->fixed_step = options->step;
  TRY(mbs_workspace_create(self->model, &self->ws, error));
  TRY(mbs_state_create(self->model, &self->now, error));
  TRY(mbs_root_finders_create(self, error));
  const bool is_large = mbs_is_large(self->model);
  self->workers = worker_group_of(is_large ? options->n_threads : 1, THREAD_RANGES);
  if (is_large)
    mbs_workspace_set_workers(self->ws, &self->workers);
  /* even if assembly fails, self->now is good enough to order pivots */
  mbs_assemble(self->ws, self->now, NULL, NULL, NULL);
  TRY(properties[self->method].is_stabilised ? create_stabilised(self, &tolerances, error)
                                             : create_index1(self, &tolerances, error));
  const size_t n = mbs_integrator_length(self, self->extra.n) + 1;
  const bool has_own_y = self->extra.n > 0 || self->ggl != NULL;
  self->y_step = calloc(n, sizeof *self->y_step);
  self->y = has_own_y ? calloc(n, sizeof *self->y) : NULL;
  if (self->y_step == NULL || (has_own_y && self->y == NULL))
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator");
  self->integrator->progress.may_jump = mbs_has_kinked_law(self->model) || self->finder.corners.n > 0;
  const bool may_pass = options->step == 0 && self->extra.n == 0 && self->model->n_ports == 0 &&
                        self->model->n_rows > 0 && self->model->n_hard == 0;
  return may_pass ? mbs_crossing_create(self->ws, options->rtol, options->atol, &self->crossing, error) : SEAM_OK;
}

/* Fails with SEAM_BAD_INPUT if the method cannot integrate the model's hard contacts, its skates (constraints on
 * velocities) or the extra states. No method integrates extra states in a model with hard contacts. */
static seam_status check_model(const mbs_model *model, const char *method, const mbs_extra_states *extra,
                               seam_error *error) {
  const int number = find_method(method);
  if (model->n_hard > 0 && extra != NULL && extra->n > 0)
    return mbs_refuse_hard(model, "a sensitivity or a quadrature along the motion", error);
  if (model->n_hard > 0 && !properties[number].integrates_hard)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s' is hard, which integrator '%s' does not support: take erk, radau or a method of fixed "
                     "steps, or leave out 'hard'",
                     mbs_force_kind_text(model->forces[model->hard[0]].kind), model->forces[model->hard[0]].name,
                     method);
  if (model->n_nonholonomic > 0 && !properties[number].integrates_skates) {
    const mbs_joint *joint = model->joints;
    while (!joint->type->is_nonholonomic)
      joint++;
    return seam_fail(error, SEAM_BAD_INPUT,
                     "skate '%s' constrains a velocity, but integrator '%s' takes constraints of positions only: take "
                     "erk, radau or rk4",
                     joint->name, method);
  }
  if (extra != NULL && properties[number].is_stabilised)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "integrator '%s' does not integrate quadratures or sensitivities: take an explicit one, such as erk", method);
  return SEAM_OK;
}

seam_status mbs_integrator_create_with(const mbs_model *model, const mbs_integrator_options *options,
                                       const mbs_extra_states *extra, mbs_integrator **integrator, seam_error *error) {
  TRY(mbs_integrator_options_check(options, error));
  TRY(check_model(model, options->method, extra, error));
  mbs_integrator *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator");
  self->model = model;
  self->reached = NAN;
  self->times = (mbs_times){
      .begin = -INFINITY, .stop = INFINITY, .next = {-INFINITY, -INFINITY}, .last = NAN, .last_switch = NAN};
  if (extra != NULL)
    self->extra = *extra;
  self->method = (uint32_t)find_method(options->method);
  self->order = options->order != 0 ? (uint32_t)options->order : 8;
  self->repeats = properties[self->method].repeats;
  self->is_of_order_1 = properties[self->method].is_of_order_1;
  const seam_status status = create_method(self, options, error);
  RETURN_CREATED(status, self, integrator, mbs_integrator_destroy);
}

seam_status mbs_integrator_create(const mbs_model *model, const mbs_integrator_options *options,
                                  mbs_integrator **created, seam_error *error) {
  ARGUMENTS(error, model, options, created);
  return mbs_integrator_create_with(model, options, NULL, created, error);
}

void mbs_integrator_destroy(mbs_integrator *self) {
  if (self == NULL)
    return;
  seam_integrator_destroy(self->integrator);
  mbs_newton_destroy(self->newton);
  mbs_crossing_destroy(self->crossing);
  mbs_root_finder_destroy(&self->finder);
  mbs_root_finder_destroy(&self->watched);
  mbs_ggl_destroy(self->ggl);
  free(self->y);
  free(self->y_step);
  mbs_state_destroy(self->now);
  mbs_workspace_destroy(self->ws);
  worker_group_release(&self->workers);
  free(self);
}

/* ---- Integration ---- */

/* Returns y for a state and n extra states r (NULL: zeros), in self->y or, if it is NULL, in the state itself. */
static const double *pack(mbs_integrator *self, const mbs_state *state, size_t n, const double *r) {
  const size_t own = state_length(self);
  if (self->y == NULL)
    return state->q;
  if (self->ggl != NULL) {
    mbs_ggl_pack(self->ggl, state, self->y);
    return self->y;
  }
  memcpy(self->y, state->q, own * sizeof *self->y);
  if (r != NULL)
    memcpy(self->y + own, r, n * sizeof *r);
  else
    memset(self->y + own, 0, n * sizeof *r);
  return self->y;
}

size_t mbs_integrator_length(const mbs_integrator *self, size_t n) {
  return self->ggl != NULL ? (size_t)mbs_ggl_dae(self->ggl)->n + (size_t)self->model->n_work : state_length(self) + n;
}

/* Resets the stop time, the last switch and the search for switches after a start or restart of the method at t. */
static void begin_at(mbs_integrator *self, double t) {
  self->times.begin = t;
  self->times.stop = INFINITY;
  self->times.last_switch = NAN;
  self->finder.begin_time = self->watch.end = NAN;
  mbs_integrator_apply_stop(self);
}

seam_status mbs_integrator_start(mbs_integrator *self, const mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self, state);
  TRY(mbs_state_check(__func__, self->model, state, error));
  mbs_state_copy(self->now, state);
  mbs_integrator_begin_smooth(self, state->t);
  TRY(mbs_make_consistent(self->ws, state->t, self->now->q, self->now->v, error));
  TRY(mbs_enter_modes(self->ws, self->now, true, error));
  TRY(mbs_sample(self->ws, self->now, error));
  TRY(mbs_accelerate(self->ws, self->now, error));
  self->n_extra = self->extra.n;
  self->times.start = state->t;
  const seam_status status =
      seam_integrator_start(self->integrator, state->t, pack(self, self->now, self->n_extra, NULL), error);
  begin_at(self, state->t);
  self->reached = status == SEAM_OK ? state->t : NAN;
  return status == SEAM_OK ? mbs_integrator_report_impacts(self, self->now, error) : status;
}

/* Advances to t, which must not be after the next kink or switch, and reads y there. If t is the time of the last
 * restart up to round-off, or of a kink or switch directly after it, reads y of the restart instead. If the method must
 * stop before a corner at t, reads y at this stop instead. *reached becomes t in all cases. */
static seam_status advance_method(mbs_integrator *self, double t, double *y, double *reached, seam_error *error) {
  const mbs_times *times = &self->times;
  const bool is_at_restart =
      t <= times->begin + mbs_same_time(t) || (t >= times->next.at && times->next.before <= times->begin);
  const bool is_at_corner = t > times->next.before && mbs_integrator_stops_at_corner(self);
  const double to = is_at_restart ? times->begin : is_at_corner ? times->next.before : t;
  TRY(seam_integrator_advance(self->integrator, to, y, reached, error));
  *reached = t;
  return SEAM_OK;
}

/* Also for t after an extrapolation through a singular configuration. SEAM_BECAME_SINGULAR: t lies within it. */
static seam_status advance(mbs_integrator *self, double t, double *y, double *reached, seam_error *error) {
  seam_status status = advance_method(self, t, y, reached, error);
  while (status == SEAM_BECAME_SINGULAR && mbs_integrator_is_crossing(self, *reached) &&
         t > mbs_crossing_end(self->crossing)) {
    status = mbs_integrator_pass_singularity(self, error);
    THEN(status, advance_method(self, t, y, reached, error));
  }
  return status;
}

/* Steps to t; on failure y and *reached become the end of the last good step. */
static seam_status step_to(mbs_integrator *self, double t, double *y, double *reached, seam_error *error) {
  const seam_status status = mbs_integrator_step_to(self, t, error);
  if (status != SEAM_OK)
    (void)seam_integrator_advance(self->integrator, seam_integrator_end(self->integrator), y, reached, NULL);
  return status;
}

void mbs_integrator_copy_inside(const mbs_integrator *self, mbs_state *state) {
  const mbs_model *model = self->model;
  memcpy(state->a, self->now->a, 3 * (size_t)model->n_bodies * sizeof *state->a);
  memcpy(state->lambda, self->now->lambda, (size_t)model->n_rows * sizeof *state->lambda);
  memcpy(state->contact, self->now->contact, 2 * (size_t)model->n_hard * sizeof *state->contact);
  memcpy(state->undetermined, self->now->undetermined, (size_t)model->n_hard * sizeof *state->undetermined);
}

static seam_status evaluate_state(mbs_integrator *self, mbs_state *state, seam_error *error) {
  if (self->has_inside && self->now->t == state->t) {
    mbs_integrator_copy_inside(self, state);
    return SEAM_OK;
  }
  const seam_status status = mbs_evaluate(self->ws, state, error);
  if (status == SEAM_SINGULAR || status == SEAM_NOT_FINITE)
    return mbs_integrator_explain(self, status, state, error);
  if (status == SEAM_OK && self->reader != NULL)
    mbs_copy_stages(self->reader, self->ws, state);
  return status == SEAM_OK ? mbs_check_redundant(self->ws, state->t, error) : status;
}

static bool passes_next(const mbs_integrator *self, double t) {
  const double at = self->times.next.at;
  return t >= at || (t >= at - mbs_same_time(t) && mbs_integrator_is_sample_at(self, t));
}

static seam_status reach(mbs_integrator *self, double t, mbs_state *state, double *r, bool evaluate,
                         seam_error *error) {
  double *y = self->y != NULL ? self->y : state->q;
  const double stop = self->times.stop;
  if (!(t <= stop + mbs_same_time(stop)))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s is beyond the stop time %.9g s: set a later one", t, stop);
  t = fmin(t, stop);
  self->target = t;
  self->has_inside = false;
  bool is_explained = false; /* errors at a kink, except SEAM_SINGULAR, have a complete message */
  seam_status status = step_to(self, t, y, &state->t, error);
  while (status == SEAM_OK && passes_next(self, t)) {
    status = advance(self, self->times.next.at, y, &state->t, error);
    if (status == SEAM_OK) {
      status = mbs_integrator_pass(self, y, error);
      is_explained = status != SEAM_OK && status != SEAM_SINGULAR;
    }
    THEN(status, step_to(self, t, y, &state->t, error));
  }
  THEN(status, advance(self, t, y, &state->t, error));
  if (self->y != NULL) {
    mbs_integrator_read_y(self, state->t, self->y, state);
    if (r != NULL)
      memcpy(r, self->y + state_length(self), self->n_extra * sizeof *r);
  }
  if (status == SEAM_BECAME_SINGULAR && mbs_integrator_is_crossing(self, state->t)) {
    mbs_crossing_state(self->crossing, t, state);
    return SEAM_OK;
  }
  if (status == SEAM_OK)
    return evaluate ? evaluate_state(self, state, error) : SEAM_OK;
  (void)mbs_evaluate(self->ws, state, NULL);
  return is_explained ? status : mbs_integrator_explain(self, status, state, error);
}

seam_status mbs_integrator_reach(mbs_integrator *self, double t, mbs_state *state, double *r, bool evaluate,
                                 seam_error *error) {
  const unsigned before = seam_subnormals_flush();
  const seam_status status = reach(self, t, state, r, evaluate, error);
  seam_subnormals_restore(before);
  return status;
}

seam_status mbs_integrator_advance(mbs_integrator *self, double t, mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self, state);
  TRY(mbs_state_check(__func__, self->model, state, error));
  TRY(mbs_integrator_check_time(self, __func__, t, error));
  const seam_status status = mbs_integrator_reach(self, t, state, NULL, true, error);
  self->reached = state->t;
  return status;
}

/* ---- Restarts for short runs ---- */

seam_status mbs_integrator_restart(mbs_integrator *self, const mbs_state *state, size_t n, const double *r,
                                   const seam_step_memory *memory, seam_error *error) {
  if (n > self->extra.n)
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: %zu extra states, but the integrator carries %zu at most",
                     state->t, n, self->extra.n);
  mbs_integrator_begin_smooth(self, state->t);
  const bool is_changed = self->ggl != NULL || self->model->switching.n > 0;
  if (is_changed) {
    mbs_state_copy(self->now, state);
    TRY(mbs_enter_modes(self->ws, self->now, false, error));
  }
  if (self->ggl != NULL)
    TRY(mbs_accelerate(self->ws, self->now, error));
  const double *y = pack(self, is_changed ? self->now : state, n, r);
  TRY(seam_integrator_restart(self->integrator, state->t, y, mbs_integrator_length(self, n), memory, error));
  self->n_extra = n;
  begin_at(self, state->t);
  return SEAM_OK;
}

bool mbs_integrator_repeat(mbs_integrator *self, const mbs_state *state, double end) {
  mbs_integrator_begin_smooth(self, state->t);
  if (self->ggl != NULL || self->model->switching.n > 0 || self->model->n_hard > 0 || self->times.next.at <= end)
    return false;
  const double *y = pack(self, state, 0, NULL);
  if (!seam_integrator_repeat(self->integrator, state->t, y, mbs_integrator_length(self, 0), end))
    return false;
  self->n_extra = 0;
  begin_at(self, state->t);
  return true;
}

/* ---- Checks and failures ---- */

seam_status mbs_integrator_check_time(const mbs_integrator *self, const char *function, double t, seam_error *error) {
  if (isnan(self->reached))
    return seam_fail(error, SEAM_BAD_STATE, "%s(): the integrator has no state: start or restore it first", function);
  if (!isfinite(t))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the time %g s is not finite", function, t);
  if (t < self->reached)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s(): the time %.17g s is before %.17g s, which is reached: ask for times in ascending order",
                     function, t, self->reached);
  return SEAM_OK;
}

seam_status mbs_integrator_explain(mbs_integrator *self, seam_status status, const mbs_state *state,
                                   seam_error *error) {
  if (status == SEAM_STEP_FAILED && self->is_explained)
    return status;
  const mbs_failure failure = {.status = status,
                               .state = state,
                               .entry = seam_integrator_worst_entry(self->integrator),
                               .has_multipliers = self->ggl != NULL,
                               .is_stalled = self->integrator->progress.is_stalled,
                               .rtol = self->rtol,
                               .step = self->fixed_step};
  return mbs_explain(self->ws, &failure, error);
}

bool mbs_integrator_is_crossing(const mbs_integrator *self, double t) {
  return self->crossing != NULL && mbs_crossing_end(self->crossing) > t;
}

/* ---- Settings and readings ---- */

void mbs_integrator_set_evaluated_state(mbs_integrator *self, const mbs_evaluated_state *evaluated) {
  self->evaluated = *evaluated;
}

void mbs_integrator_begin_smooth(mbs_integrator *self, double t) {
  const bool known = self->times.switching == 0 && t >= self->ws->smooth.from && t < self->times.next.at;
  if (!known)
    self->times.next = mbs_begin_smooth(self->ws, t);
  self->times.switching = 0;
}

void mbs_integrator_set_step_listener(mbs_integrator *self,
                                      seam_status (*hear)(void *context, const mbs_step_piece *piece,
                                                          seam_error *error),
                                      void *context) {
  self->steps = (mbs_step_listener){hear, context};
}

double mbs_integrator_rtol(const mbs_integrator *self) { return self->rtol; }
double mbs_integrator_last_kink(const mbs_integrator *self) { return self->times.last; }
double mbs_integrator_last_switch(const mbs_integrator *self) { return self->times.last_switch; }
void mbs_integrator_store_before_kinks(mbs_integrator *self, mbs_state *before) { self->before_kink = before; }
mbs_workspace *mbs_integrator_workspace(mbs_integrator *self) { return self->ws; }

seam_step_memory mbs_integrator_step_memory(const mbs_integrator *self) {
  return seam_integrator_step_memory(self->integrator);
}

mbs_statistics mbs_integrator_statistics(const mbs_integrator *self) {
  const seam_statistics s = self != NULL ? seam_integrator_statistics(self->integrator) : (seam_statistics){0};
  return (mbs_statistics){s.steps, s.rejected, s.evaluations, s.factorisations, s.smallest_step, s.largest_step};
}

void mbs_integrator_set_reader(mbs_integrator *self, mbs_workspace *reader) {
  if (self != NULL)
    self->reader = reader;
}

void mbs_integrator_set_interrupt(mbs_integrator *self, bool (*stop)(void *context, double t), void *context) {
  if (self != NULL)
    self->integrator->interrupt = (seam_interrupt){stop, context};
}

void mbs_integrator_set_stop(mbs_integrator *self, double t) {
  if (self == NULL || isnan(t))
    return;
  self->times.stop = t;
  mbs_integrator_apply_stop(self);
}

void mbs_integrator_read_y(mbs_integrator *self, double t, const double *y, mbs_state *state) {
  state->t = t;
  if (self->ggl != NULL)
    mbs_ggl_unpack(self->ggl, y, state);
  else
    memcpy(state->q, y, state_length(self) * sizeof *y);
}

/* ---- Image of an integrator ---- */

enum { image_magic = 0x5ea3401, image_version = 11 };

/* First part of an image (saved integrator), before the method's image and a checksum. */
typedef struct image_head {
  uint32_t magic, version, method, order;
  uint64_t n_bodies, n_rows, n_extra, model, size;
  mbs_times times; /* from here on images of the same integrator differ */
  double smooth_from, reached;
} image_head;

static image_head head_of(const mbs_integrator *self) {
  return (image_head){.magic = image_magic,
                      .version = image_version,
                      .method = self->method,
                      .order = self->order,
                      .n_bodies = (uint64_t)self->model->n_bodies,
                      .n_rows = (uint64_t)self->model->n_rows,
                      .n_extra = self->n_extra,
                      .model = self->model->fingerprint,
                      .size = mbs_integrator_image_size(self),
                      .times = self->times,
                      .smooth_from = self->ws->smooth.from,
                      .reached = self->reached};
}

size_t mbs_integrator_image_size(const mbs_integrator *self) {
  return self == NULL ? 0 : sizeof(image_head) + seam_integrator_image_size(self->integrator) + sizeof(uint64_t);
}

/* Returns the checksum of an image up to its last eight bytes, which have the checksum itself. */
static uint64_t checksum_of(const void *image, size_t size) { return checksum_add(0, image, size - sizeof(uint64_t)); }

void mbs_integrator_save(const mbs_integrator *self, void *image) {
  if (self == NULL || image == NULL)
    return;
  const image_head head = head_of(self);
  memcpy(image, &head, sizeof head);
  seam_integrator_save(self->integrator, (char *)image + sizeof head);
  const uint64_t sum = checksum_of(image, head.size);
  memcpy((char *)image + head.size - sizeof sum, &sum, sizeof sum);
}

seam_status mbs_integrator_restore(mbs_integrator *self, const void *image, size_t size, seam_error *error) {
  ARGUMENTS(error, self, image);
  image_head expected = head_of(self);
  image_head saved = {0};
  uint64_t sum = 0;
  if (size == expected.size) {
    memcpy(&saved, image, sizeof saved);
    memcpy(&sum, (const char *)image + size - sizeof sum, sizeof sum);
  }
  expected.n_extra = saved.n_extra;
  if (memcmp(&saved, &expected, offsetof(image_head, times)) != 0 || saved.n_extra > self->extra.n)
    return seam_fail(error, SEAM_BAD_STATE,
                     "the saved state belongs to another model, method or version of Seam: save it again");
  if (sum != checksum_of(image, size))
    return seam_fail(error, SEAM_BAD_STATE, "the saved state is damaged: save it again");
  const seam_status status = seam_integrator_restore(self->integrator, (const char *)image + sizeof saved, error);
  self->reached = status == SEAM_OK ? saved.reached : NAN;
  TRY(status);
  self->n_extra = (size_t)saved.n_extra;
  self->times = saved.times;
  self->finder.begin_time = self->watch.end = NAN;
  self->ws->smooth.from = saved.smooth_from;
  self->ws->smooth.to = saved.times.next.before;
  return SEAM_OK;
}
