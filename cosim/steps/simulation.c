/* Co-simulation of a mechanism: creation and start. An engine couples the parts of a partition at its cuts. */
#include "cosim/steps/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "base/vector.h"
#include "cosim/mechanism/definition.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/integrate/integrator.h"
#include "mbs/model/model.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
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

/* Projects positions and velocities onto all constraints, in parts and at cuts, by the smallest changes in the mass
 * norm. Sets `projected` to the energy that this adds, divided by the number of couplings that project. */
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
    n += cosim_projects(&self->partition.cuts[k]);
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
  X(self, crosses_kink, self->partition.n_subsystems)                                                                  \
  X(self, powers, 0)

static seam_status create(cosim_simulation *self, seam_error *error) {
  self->model = cosim_builder_model(self->builder);
  self->definition = *cosim_builder_definition(self->builder);
  const cosim_options *options = &self->definition.options;
  seam_status status = cosim_partition_make(self->model, &self->definition, &self->partition, error);
  THEN(status, mbs_integrator_options_check(&options->integrator, error));
  if (status != SEAM_OK)
    return status;
  const size_t n_evaluated = mbs_n_evaluated(self->model);
  self->fingerprint = cosim_fingerprint(self);
  bool enough = true SIMULATION_ARRAYS(ALLOCATE_ARRAY) ALLOCATE_ARRAY(self->powers, deviations[0], 2 * n_evaluated);
  enough = enough && mbs_workspace_create(self->model, &self->ws, error) == SEAM_OK;
  mbs_state **states[] = {&self->before, &self->now, &self->end, &self->scratch};
  for (int i = 0; i < 4; i++)
    enough = enough && mbs_state_create(self->model, states[i], error) == SEAM_OK;
  if (!enough)
    return no_memory(error);
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
  status = cosim_engine_create(&self->partition, &self->definition, &master, &self->engine, error);
  for (size_t s = 0; status == SEAM_OK && cosim_stages(self) > 0 && s < self->partition.n_subsystems; s++)
    if (cosim_is_mechanical(&self->partition, s))
      cosim_multibody_store_accelerations(self->partition.parts[s]);
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

size_t cosim_refine_parts(cosim_simulation *self, double parts, double tighter, const char **name) {
  size_t n_rigid = 0;
  self->ends_at_kinks = !cosim_has_joint_with_past(self);
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

/* ---- Start ---- */

static seam_status begin(cosim_simulation *self, const cosim_snapshot *past, int n_past, seam_error *error) {
  cosim_partition *partition = &self->partition;
  seam_status status = cosim_engine_begin(self->engine, self->now, past, n_past, error);
  THEN(status, cosim_repeat_first_samples(self, error));
  if (status != SEAM_OK)
    return status;
  memcpy(self->start_work, self->now->work, sizeof self->start_work);
  for (size_t k = 0; k < partition->n_cuts; k++) {
    cosim_element_cut *cut = &partition->cuts[k];
    cut->now.snapshot = past[k];
    if (cut->is_exchanged)
      cosim_engine_sample(self->engine, cut, self->now);
    cut->now.ledger = (cosim_energy_ledger){.creation.power = cosim_present_power(cut)};
  }
  if (self->definition.n_signals + partition->n_linked >
      0) { /* inputs and powers may depend on signals, which have values only now */
    cosim_wiring_set_inputs(self->engine->wiring);
    cosim_simulation_assemble_present(self);
    for (size_t k = 0; k < partition->n_cuts; k++)
      partition->cuts[k].now.ledger.creation.power = cosim_present_power(&partition->cuts[k]);
  }
  cosim_simulation_copy_outputs(self);
  cosim_part_ledgers_begin(self);
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
  seam_status status = state == NULL ? SEAM_OK : mbs_state_check(__func__, self->model, state, error);
  if (status != SEAM_OK)
    return status;
  self->has_started = false;
  cosim_switches_set(self, true);
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
  const seam_status status = cosim_simulation_check(self, error);
  if (status != SEAM_OK)
    return status;
  if (self->has_advanced)
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s(): macro steps have been taken already: give the past right after cosim_start()", __func__);
  const char *name = self->partition.subsystems[subsystem].name;
  const double known = cosim_engine_first_known(self->engine, subsystem);
  if (!(t < known) || !isfinite(t))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "subsystem '%s': its past at %.9g s: give times before %.9g s, the earliest known time", name, t,
                     known);
  if (!finite_all(outputs, self->partition.parts[subsystem]->n_outputs))
    return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s': its outputs at %.9g s are not finite", name, t);
  cosim_engine_remember(self->engine, subsystem, t, outputs);
  return SEAM_OK;
}
