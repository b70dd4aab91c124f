/* Co-simulation of a mechanism, parts and cuts of a partition under an engine: creation and start. */
#include "cosim/steps/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/finite.h"
#include "base/largest.h"
#include "base/then.h"
#include "cosim/mechanism/definition.h"
#include "cosim/steps/exact_history.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/scales.h"
#include "mbs/integrate/integrator.h"
#include "mbs/integrate/kinks.h"
#include "mbs/model/friction.h"
#include "mbs/model/model.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
}

/* ---- Projection ---- */

static bool has_bodies(const cosim_simulation *self, size_t subsystem) {
  return self->partition.subsystems[subsystem].n_bodies > 0;
}

static size_t count_projecting(const cosim_simulation *self) {
  size_t n = 0;
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    n += cosim_projects(&self->partition.cuts[k]);
  return n;
}

/* Returns the energy of the subsystems without cut elements at the present state of the whole. */
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

/* Projects positions and velocities onto all constraints, in parts and at cuts, with least mass-norm changes. */
static seam_status project(void *context, double t, seam_error *error) {
  cosim_simulation *self = context;
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (has_bodies(self, s))
      cosim_multibody_give(self->partition.parts[s], self->now);
  const double before = energy_of_parts(self);
  const seam_status status = mbs_project(self->ws, t, self->now->q, self->now->v, error);
  const double added = energy_of_parts(self) - before;
  self->projected = added / (double)count_projecting(self);
  for (size_t s = 0; s < self->partition.n_subsystems && status == SEAM_OK; s++)
    if (has_bodies(self, s))
      cosim_multibody_put(self->partition.parts[s], self->now);
  return status;
}

/* ---- Creation ---- */

static seam_status create_engine(cosim_simulation *self, seam_error *error) {
  const cosim_options *options = &self->definition.options;
  cosim_master_options master = cosim_default_master_options();
  master.gauss_seidel = options->sequence == COSIM_GAUSS_SEIDEL;
  master.differences = options->differences;
  master.reuse = options->reuse;
  master.tolerance = options->implicit_tolerance;
  master.iterations = (int)options->implicit_iterations;
  master.rtol = options->integrator.rtol;
  master.scales = mbs_scales_of(self->model);
  master.atol = options->integrator.atol;
  master.n_threads = options->n_threads;
  master.project = project;
  master.predicted = cosim_control_predicted;
  master.goes_on = cosim_control_goes_on;
  master.context = self;
  return cosim_engine_create(&self->partition, &self->definition, &master, &self->engine, error);
}

static seam_status create(cosim_simulation *self, seam_error *error) {
  self->model = cosim_builder_model(self->builder);
  self->definition = *cosim_builder_definition(self->builder);
  seam_status status = cosim_partition_make(self->model, &self->definition, &self->partition, error);
  THEN(status, mbs_integrator_options_check(&self->definition.options.integrator, error));
  if (status != SEAM_OK)
    return status;
  self->fingerprint = cosim_fingerprint(self);
  self->of_whole = calloc(2 * self->partition.n_cuts + 1, sizeof *self->of_whole);
  self->signals = calloc(self->partition.n_signals + 1, sizeof *self->signals);
  self->powers = calloc(1, sizeof *self->powers);
  const size_t n_following = 3 * (size_t)self->model->n_bodies + (size_t)self->model->n_rows;
  double *off = calloc(2 * n_following + 1, sizeof *off);
  if (self->powers != NULL) {
    self->powers->off[0] = off;
    self->powers->off[1] = off == NULL ? NULL : off + n_following;
  } else
    free(off);
  self->passes_kink = calloc(self->partition.n_subsystems + 1, sizeof *self->passes_kink);
  if (mbs_workspace_create(self->model, &self->ws, error) != SEAM_OK ||
      mbs_state_create(self->model, &self->before, error) != SEAM_OK ||
      mbs_state_create(self->model, &self->now, error) != SEAM_OK ||
      mbs_state_create(self->model, &self->end, error) != SEAM_OK ||
      mbs_state_create(self->model, &self->scratch, error) != SEAM_OK || self->of_whole == NULL ||
      self->signals == NULL || self->powers == NULL || self->powers->off[0] == NULL || self->passes_kink == NULL)
    return no_memory(error);
  status = create_engine(self, error);
  for (size_t s = 0; status == SEAM_OK && cosim_stages(self) > 0 && s < self->partition.n_subsystems; s++)
    if (cosim_is_mechanical(&self->partition, s))
      cosim_multibody_keep_accelerations(self->partition.parts[s]);
  THEN(status, cosim_switches_create(self, error));
  if (status == SEAM_OK)
    cosim_part_events_create(self);
  return status == SEAM_OK ? cosim_control_create(self, error) : status;
}

seam_status cosim_create(const cosim_builder *builder, cosim_simulation **created, seam_error *error) {
  ARGUMENTS(error, builder, created);
  seam_status status = cosim_definition_check(cosim_builder_definition(builder), error);
  if (status != SEAM_OK)
    return status;
  cosim_simulation *self = calloc(1, sizeof *self);
  if (self == NULL)
    return no_memory(error);
  status = cosim_builder_copy(builder, &self->builder, error);
  THEN(status, create(self, error));
  if (status != SEAM_OK) {
    cosim_destroy(self);
    return status;
  }
  *created = self;
  return SEAM_OK;
}

void cosim_destroy(cosim_simulation *self) {
  if (self == NULL)
    return;
  cosim_control_destroy(self);
  cosim_engine_destroy(self->engine);
  cosim_partition_free(&self->partition);
  free(self->of_whole);
  free(self->passes_kink);
  free(self->signals);
  if (self->powers != NULL)
    free(self->powers->off[0]);
  free(self->powers);
  mbs_state_destroy(self->before);
  mbs_state_destroy(self->now);
  mbs_state_destroy(self->end);
  mbs_state_destroy(self->scratch);
  mbs_workspace_destroy(self->ws);
  cosim_builder_destroy(self->builder);
  free(self);
}

/* ---- Start ---- */

/* Fills n_past snapshots of the whole at t, t - H, ... */
static seam_status sample_past(cosim_simulation *self, cosim_snapshot *past, int n_past, seam_error *error) {
  mbs_state_copy(self->before, self->now);
  cosim_simulation_sample_whole(self, self->now, past);
  for (int i = 1; i < n_past; i++) {
    const seam_status status = cosim_integrate_back(self->ws, self->before, self->definition.options.macro_step, error);
    if (status != SEAM_OK)
      return status;
    cosim_simulation_sample_whole(self, self->before, past + (size_t)i * self->partition.n_cuts);
    cosim_engine_store_past(self->engine, i, self->before);
  }
  return SEAM_OK;
}

static void sample_start(cosim_simulation *self, cosim_element_cut *cut, const cosim_snapshot *start) {
  cut->now.snapshot = *start;
  if (cut->is_exchanged)
    cosim_engine_sample(self->engine, cut, self->now);
  cut->now.ledger = (cosim_energy_ledger){.creation.power = cosim_present_power(cut)};
}

/* Evaluates accelerations and reactions of the start with its signals. */
static void take_start_inputs(cosim_simulation *self) {
  cosim_wiring_take_inputs(self->engine->wiring);
  cosim_simulation_take_present(self);
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    self->partition.cuts[k].now.ledger.creation.power = cosim_present_power(&self->partition.cuts[k]);
}

static seam_status begin(cosim_simulation *self, const cosim_snapshot *past, int n_past, seam_error *error) {
  seam_status status = cosim_engine_begin(self->engine, self->now, past, n_past, error);
  THEN(status, cosim_sample_start_anew(self, error));
  if (status != SEAM_OK)
    return status;
  memcpy(self->start_work, self->now->work, sizeof self->start_work);
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    sample_start(self, &self->partition.cuts[k], &past[k]);
  if (self->definition.n_signals + self->partition.n_held > 0)
    take_start_inputs(self);
  cosim_simulation_follow(self);
  cosim_part_ledgers_begin(self);
  cosim_switches_begin(self);
  self->is_broken = self->has_advanced = self->is_beyond_kink = self->is_at_kink = self->is_at_switch = false;
  self->has_started = true;
  self->powers->were_between = false;
  self->next_kink.from = INFINITY;
  mbs_state_copy(self->before, self->now);
  cosim_simulation_take_signals(self);
  cosim_statistics_begin(self);
  cosim_control_begin(self);
  return SEAM_OK;
}

seam_status cosim_start(cosim_simulation *self, const mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self);
  const int n_past = cosim_engine_n_past(self->engine);
  if (state == NULL && mbs_n_bodies(self->model) > 0)
    return seam_fail(error, SEAM_BAD_INPUT, "a mechanism starts at a state: give an assembled one");
  seam_status status = state == NULL ? SEAM_OK : mbs_state_check(__func__, self->model, state, error);
  if (status != SEAM_OK)
    return status;
  self->has_started = false;
  cosim_switches_free(self);
  if (state != NULL)
    mbs_state_copy(self->now, state);
  else
    self->now->t = 0;
  status = mbs_evaluate(self->ws, self->now, error);
  THEN(status, mbs_begin_friction(self->ws, self->now, error));
  if (status != SEAM_OK)
    return status;
  cosim_snapshot *past = calloc((size_t)n_past * self->partition.n_cuts + 1, sizeof *past);
  if (past == NULL)
    return no_memory(error);
  status = sample_past(self, past, n_past, error);
  THEN(status, begin(self, past, n_past, error));
  free(past);
  return status;
}

/* Checks that a past point is before all known points and its outputs are finite. */
static seam_status check_past(const cosim_simulation *self, size_t subsystem, double t, const double *outputs,
                              seam_error *error) {
  const char *name = self->partition.subsystems[subsystem].name;
  const double known = cosim_engine_first_known(self->engine, subsystem);
  if (!(t < known) || !isfinite(t))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "subsystem '%s': a past at %.9g s: give times before %.9g s, the earliest that is known", name, t,
                     known);
  if (!finite_all(outputs, self->partition.parts[subsystem]->n_outputs))
    return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s': its outputs at %.9g s are not finite", name, t);
  return SEAM_OK;
}

seam_status cosim_remember(cosim_simulation *self, size_t subsystem, double t, const double *outputs,
                           seam_error *error) {
  ARGUMENTS(error, self, outputs);
  if (subsystem >= self->partition.n_subsystems || cosim_is_mechanical(&self->partition, subsystem))
    return seam_fail(error, SEAM_BAD_INPUT, "subsystem %zu is not a user part, whose past could be given", subsystem);
  seam_status status = cosim_simulation_check(self, error);
  if (status == SEAM_OK && self->has_advanced)
    return seam_fail(error, SEAM_BAD_STATE, "%s(): macro steps are taken: give the past right after the start",
                     __func__);
  THEN(status, check_past(self, subsystem, t, outputs, error));
  if (status == SEAM_OK)
    cosim_engine_remember(self->engine, subsystem, t, outputs);
  return status;
}
