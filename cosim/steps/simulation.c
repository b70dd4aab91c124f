/* Creation and start of a co-simulation, and inputs that its user sets. */
#include "cosim/steps/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "base/vector.h"
#include "cosim/mechanism/definition.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/integrator.h"
#include "mbs/model/event.h"
#include "mbs/model/model.h"
#include "solvers/erk.h"

static seam_status check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
}

/* Returns the energy of the subsystems in the present state of the mechanism, without that of cut elements. */
static double energy_of_parts(const cosim_simulation *self) {
  double energy = mbs_energy_of(self->ws, self->now).total;
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    const cosim_element_cut *cut = &self->partition.cuts[k];
    if (cut->is_joint)
      continue;
    const mbs_force *force = &self->model->forces[cut->element];
    const mbs_pair pair = mbs_force_pair(force, self->ws->frames);
    energy -= force->type->potential == NULL ? 0 : force->type->potential(force, &pair);
  }
  return energy;
}

/* Projects the motion onto all constraints, in parts and at cuts, by the smallest changes in the mass norm. Sets
 * `projected` to the energy that this adds, divided by the number of couplings that project. */
static seam_status project(void *context, double t, seam_error *error) {
  cosim_simulation *self = context;
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (self->partition.subsystems[s].n_bodies > 0)
      cosim_multibody_store(self->partition.parts[s], self->now);
  const double before = energy_of_parts(self);
  const seam_status status = mbs_project(self->ws, t, self->now->q, self->now->v, error);
  const double added = energy_of_parts(self) - before;
  size_t n = 0;
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    n += self->partition.cuts[k].base.scheme.method == COSIM_PROJECTION;
  self->projected = added / (double)n;
  for (size_t s = 0; s < self->partition.n_subsystems && status == SEAM_OK; s++)
    if (self->partition.subsystems[s].n_bodies > 0)
      cosim_multibody_set_motion(self->partition.parts[s], self->now);
  return status;
}

/* ---- Creation ---- */

#define SIMULATION_ARRAYS(X)                                                                                           \
  X(self, undivided_snapshots, 2 * self->partition.n_cuts)                                                             \
  X(self, signals, self->partition.n_signals)                                                                          \
  X(self, crosses_kink, self->partition.n_mechanical)                                                                  \
  X(self, powers, 0)

/* Finds the properties that do not change, except ends_at_switches and ends_at_kinks. */
static void find_properties(cosim_simulation *self) {
  const cosim_partition *partition = &self->partition;
  const cosim_master *master = self->engine->master;
  const cosim_step_control *control = self->definition.step_control;
  self->stages = master != NULL && !partition->by_exchange ? cosim_master_stages(master) : 0;
  self->is_by_error = control != NULL && control->indicator == COSIM_ERROR_INDICATOR;
  for (size_t k = 0; k < partition->n_cuts; k++)
    self->has_joint |= partition->cuts[k].is_joint;
  for (int k = 0; master != NULL && k < master->n_couplings; k++)
    self->has_joint_with_past |=
        master->cuts[k].element->n_rows > 0 && master->cuts[k].scheme.method != COSIM_COLLOCATION;
  for (size_t s = 0; s < partition->n_subsystems; s++)
    self->has_fixed_steps |= partition->parts[s]->has_fixed_steps;
  self->can_shorten_steps = !self->has_fixed_steps && cosim_engine_n_state(self->engine) > 0;
  for (size_t s = 0; s < partition->n_subsystems && self->can_shorten_steps && !self->has_joint_with_past; s++)
    self->ends_at_part_events |= partition->parts[s]->ops->get_events != NULL;
}

static seam_status create(cosim_simulation *self, seam_error *error) {
  self->model = cosim_builder_model(self->builder);
  self->definition = *cosim_builder_definition(self->builder);
  const cosim_options *options = &self->definition.options;
  TRY(cosim_partition_make(self->model, &self->definition, &self->partition, error));
  TRY(mbs_integrator_options_check(&options->integrator, error));
  const size_t n_evaluated = mbs_n_evaluated(self->model);
  self->fingerprint = cosim_fingerprint(self);
  bool enough = true SIMULATION_ARRAYS(ALLOCATE_ARRAY) ALLOCATE_ARRAY(self->powers, deviations[0], 2 * n_evaluated);
  enough = enough && mbs_workspace_create(self->model, &self->ws, error) == SEAM_OK;
  mbs_state **states[] = {&self->before, &self->now, &self->end, &self->scratch};
  for (int i = 0; i < 4; i++)
    enough = enough && mbs_state_create(self->model, states[i], error) == SEAM_OK;
  TRY(check_memory(enough, error));
  self->powers->deviations[1] = self->powers->deviations[0] + n_evaluated;
  const cosim_master_options master = {.gauss_seidel = options->sequence == COSIM_GAUSS_SEIDEL,
                                       .differences = options->differences,
                                       .reuse = options->reuse,
                                       .tolerance = options->implicit_tolerance,
                                       .iterations = (int)options->implicit_iterations,
                                       .rtol = options->integrator.rtol,
                                       .atol = options->integrator.atol,
                                       .scales = mbs_scales_of(self->model),
                                       .n_threads = options->n_threads,
                                       .project = project,
                                       .predicted = cosim_control_predicted,
                                       .may_continue = cosim_control_may_continue,
                                       .context = self};
  TRY(cosim_engine_create(&self->partition, &self->definition, &master, cosim_partition_take_parts(&self->partition),
                          &self->engine, error));
  TRY(cosim_engine_store_starts(self->engine, error));
  find_properties(self);
  for (size_t k = 0; k < self->partition.n_mechanical && self->stages > 0; k++)
    cosim_multibody_store_accelerations(self->partition.mechanical[k]);
  TRY(cosim_switches_create(self, error));
  return cosim_control_create(self, error);
}

seam_status cosim_create(const cosim_builder *builder, cosim_simulation **created, seam_error *error) {
  ARGUMENTS(error, builder, created);
  TRY(cosim_definition_check(cosim_builder_definition(builder), error));
  cosim_simulation *self = calloc(1, sizeof *self);
  TRY(check_memory(self != NULL, error));
  seam_status status = cosim_builder_copy(builder, &self->builder, error);
  THEN(status, create(self, error));
  RETURN_CREATED(status, self, created, cosim_destroy);
}

size_t cosim_refine_parts(cosim_simulation *self, double parts, double tighter, const char **name) {
  size_t n_rigid = 0;
  self->ends_at_kinks = !self->has_joint_with_past;
  for (size_t s = 0; s < self->definition.n_subsystems; s++) {
    cosim_part *part = self->partition.parts[s];
    bool follows = cosim_is_mechanical(&self->partition, s); /* true: cosim_refine() has refined the part's steps */
    if (part->ops->refine != NULL)
      follows = part->ops->refine(part, parts, tighter);
    else
      follows |= cosim_is_linear_part(part) || cosim_is_sampled(part); /* such parts have no integration error */
    if (follows)
      continue;
    *name = n_rigid++ == 0 ? self->definition.subsystems[s].name : *name;
  }
  return n_rigid;
}

void cosim_destroy(cosim_simulation *self) {
  if (self == NULL)
    return;
  cosim_engine_destroy(self->engine);
  cosim_partition_free(&self->partition);
  if (self->powers != NULL)
    free(self->powers->deviations[0]);
  SIMULATION_ARRAYS(FREE_ARRAY)
  mbs_state_destroy(self->before);
  mbs_state_destroy(self->now);
  mbs_state_destroy(self->end);
  mbs_state_destroy(self->scratch);
  mbs_state_destroy(self->predicted);
  free(self->begin_image);
  mbs_workspace_destroy(self->ws);
  cosim_builder_destroy(self->builder);
  free(self);
}

/* ---- The past of a start ---- */

/* Context of rates(). y = (q, v, z) has n numbers; `now` is scratch. */
typedef struct backwards {
  mbs_workspace *ws;
  mbs_state *now;
  size_t n;
} backwards;

static seam_status rates(void *context, double t, const double *y, double *dy, seam_error *error) {
  backwards *self = context;
  const mbs_model *model = self->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  self->now->t = t;
  memcpy(self->now->q, y, self->n * sizeof *y);
  const seam_status status = mbs_accelerate(self->ws, self->now, error);
  for (size_t i = 0; i < n; i++) {
    dy[i] = self->now->v[i];
    dy[n + i] = self->now->a[i];
  }
  for (int i = 0; i < model->n_states; i++)
    dy[2 * n + (size_t)i] = self->ws->z_rates[i];
  return status;
}

/* The undivided mechanism is integrated backwards,
 *
 *   q' = v,   v' = a(t, q, v, z),   z' = Z(t, q, v, z),
 *
 * with the states z of equations and force elements, by the classical Runge-Kutta method. Steps are equal and negative,
 * each with a projection onto the constraints. The number of steps is doubled until (q, v, z) changes by at most 1e-12
 * times the larger of 1 and its largest number. */
seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error) {
  const size_t n = mbs_n_controlled(ws->model);
  double *y = calloc((2 + SEAM_ERK_SCRATCH) * n, sizeof *y); /* result; result with half as many steps; scratch */
  backwards self = {.ws = ws, .n = n};
  const seam_ode ode = {.n = n, .rhs = rates, .context = &self};
  bool agrees = false;
  seam_status status = mbs_state_create(ws->model, &self.now, error);
  if (status != SEAM_OK || y == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the past of the mechanism");
  for (int n_steps = COSIM_FIRST_HISTORY_STEPS; n_steps <= COSIM_MAX_HISTORY_STEPS && status == SEAM_OK && !agrees;
       n_steps *= 2) {
    const double h = H / n_steps;
    double size = 1;
    double difference = 0;
    memcpy(y + n, y, n * sizeof *y);
    memcpy(y, state->q, n * sizeof *y);
    for (int k = 0; k < n_steps && status == SEAM_OK; k++) {
      const double t = state->t - k * H / n_steps;
      status = seam_erk_step(seam_tableau_of("rk4"), &ode, t, -h, y, y + 2 * n, error);
      THEN(status, mbs_project(ws, t - h, y, y + 3 * ws->model->n_bodies, error));
    }
    for (size_t i = 0; i < n; i++) {
      size = fmax(size, fabs(y[n + i]));
      difference = fmax(difference, fabs(y[n + i] - y[i]));
    }
    agrees = n_steps > COSIM_FIRST_HISTORY_STEPS && difference <= cosim_history_tolerance * size;
  }
  if (status == SEAM_OK && agrees) {
    memcpy(state->q, y, n * sizeof *y);
    state->t -= H;
    status = mbs_evaluate(ws, state, error);
  } else if (status == SEAM_OK)
    status = seam_fail(
        error, SEAM_NOT_CONVERGED,
        "t = %.9g s: the mechanism cannot be integrated backwards by %.3g s: set 'history: raise' under 'cosim'",
        state->t, H);
  mbs_state_destroy(self.now);
  free(y);
  return status;
}

/* ---- Start ---- */

static seam_status begin(cosim_simulation *self, const cosim_snapshot *past, int n_past, seam_error *error) {
  cosim_partition *partition = &self->partition;
  TRY(cosim_engine_begin(self->engine, self->now, past, n_past, error));
  TRY(cosim_repeat_first_samples(self, error));
  memcpy(self->start_work, self->now->work, sizeof self->start_work);
  for (size_t k = 0; k < partition->n_cuts; k++) {
    cosim_element_cut *cut = &partition->cuts[k];
    cut->now.snapshot = past[k];
    if (cut->is_exchanged)
      cosim_engine_sample(self->engine, cut, self->now);
    cut->now.ledger = (cosim_energy_ledger){.creation.power = cosim_present_power(cut)};
  }
  if (self->definition.n_signals + partition->n_linked > 0) { /* powers may depend on signals, which have values now */
    cosim_engine_set_inputs(self->engine);
    cosim_simulation_assemble_present(self);
    for (size_t k = 0; k < partition->n_cuts; k++)
      partition->cuts[k].now.ledger.creation.power = cosim_present_power(&partition->cuts[k]);
  }
  cosim_simulation_copy_outputs(self);
  for (size_t k = 0; k < partition->n_part_couplings; k++) {
    cosim_part_ledger *ledger = &partition->part_couplings[k].ledger;
    *ledger = (cosim_part_ledger){0};
    cosim_master_snapshot(self->engine->master, (int)k, &ledger->last);
  }
  cosim_switches_begin(self);
  self->is_broken = self->has_advanced = self->is_beyond_kink = self->is_at_kink = self->is_at_switch = false;
  self->has_started = true;
  self->next_kink.from = INFINITY;
  mbs_state_copy(self->before, self->now);
  cosim_simulation_copy_signals(self);
  cosim_statistics_set(self, &(cosim_statistics){0});
  cosim_control_begin(self);
  return SEAM_OK;
}

seam_status cosim_start(cosim_simulation *self, const mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self);
  const int n_past = cosim_engine_n_past(self->engine);
  if (state == NULL && mbs_n_bodies(self->model) > 0)
    return seam_fail(error, SEAM_BAD_INPUT, "a mechanism needs an initial state: give an assembled state");
  if (state != NULL)
    TRY(mbs_state_check(__func__, self->model, state, error));
  self->has_started = false;
  cosim_switches_set(self, true);
  if (state != NULL)
    mbs_state_copy(self->now, state);
  else
    self->now->t = 0;
  TRY(mbs_evaluate(self->ws, self->now, error));
  TRY(mbs_begin_friction(self->ws, self->now, error));
  cosim_snapshot *past = calloc((size_t)n_past * self->partition.n_cuts + 1, sizeof *past);
  TRY(check_memory(past != NULL, error));
  seam_status status = SEAM_OK;
  mbs_state_copy(self->before, self->now);
  cosim_simulation_sample_undivided(self, self->now, past);
  for (int i = 1; i < n_past && status == SEAM_OK; i++) {
    status = cosim_integrate_back(self->ws, self->before, self->definition.options.macro_step, error);
    if (status != SEAM_OK)
      break;
    cosim_simulation_sample_undivided(self, self->before, past + (size_t)i * self->partition.n_cuts);
    cosim_engine_store_past(self->engine, i, self->before);
  }
  THEN(status, begin(self, past, n_past, error));
  free(past);
  return status;
}

seam_status cosim_remember(cosim_simulation *self, size_t subsystem, double t, const double *outputs,
                           seam_error *error) {
  ARGUMENTS(error, self, outputs);
  if (subsystem >= self->partition.n_subsystems || cosim_is_mechanical(&self->partition, subsystem))
    return seam_fail(error, SEAM_BAD_INPUT, "the past of subsystem %zu cannot be given: it is not a user part",
                     subsystem);
  TRY(cosim_simulation_check(self, error));
  if (self->has_advanced)
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s(): macro steps have been taken already: give the past right after cosim_start()", __func__);
  const char *name = self->partition.subsystems[subsystem].name;
  cosim_exchange *exchange = self->engine->exchange;
  const int member = self->engine->member_of[subsystem];
  const cosim_participant_history *history = &exchange->history[member];
  const double known = history->time[history->n_known - 1];
  if (!(t < known) || !isfinite(t))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "subsystem '%s': its past at %.9g s: give times before %.9g s, the earliest known time", name, t,
                     known);
  if (!finite_all(outputs, self->partition.parts[subsystem]->n_outputs))
    return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s': its outputs at %.9g s are not finite", name, t);
  if (!cosim_is_under_master(&self->partition, subsystem))
    cosim_exchange_remember(exchange, member, t, outputs);
  return SEAM_OK;
}

/* ---- Inputs set at a macro point, where quantities may then jump, as at a kink ---- */

seam_status cosim_set_inputs(cosim_simulation *self, mbs_events *events, const size_t *variables, const double *values,
                             size_t n, seam_error *error) {
  ARGUMENTS(error, self, variables, values);
  TRY(cosim_simulation_check(self, error));
  TRY(mbs_check_inputs(self->model, variables, values, n, self->now->t, error));
  for (size_t i = 0; i < n; i++)
    if (cosim_is_coupled_variable(self->model, variables[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: a signal drives '%s': remove the signal, or set its source",
                       self->now->t, mbs_variable_of(self->model, variables[i]).name);
  if (events != NULL && !(mbs_events_have_started(events) && mbs_events_searched(events) >= self->now->t))
    return seam_fail(error, SEAM_BAD_STATE, "cosim_set_inputs(): take the events up to %.9g s first", self->now->t);
  if (n == 0)
    return SEAM_OK;
  if (!self->is_beyond_kink)
    mbs_state_copy(self->end, self->now);
  self->is_beyond_kink = true;
  for (size_t i = 0; i < n; i++) {
    const size_t state = mbs_variable_of(self->model, variables[i]).state;
    self->now->z[state] = values[i];
    for (size_t k = 0; k < self->partition.n_mechanical; k++)
      cosim_multibody_set_state(self->partition.mechanical[k], (int)state, values[i]);
  }
  cosim_simulation_follow_parts(self);
  if (events != NULL)
    *mbs_events_mark(events) = NAN;
  return SEAM_OK;
}
