#include "fmu/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/then.h"
#include "cosim/mechanism/partition.h"
#include "fmu/resources.h"
#include "mbs/output/readout.h"
#include "models/model_file.h"

/* Definition of a part, and the arrays to which it points. */
typedef struct draft {
  fmu_unit *unit;
  cosim_multibody_def def;
  bool *bodies, *excluded;
  mbs_port_def *ports;
  cosim_probe *probes;
  mbs_quantity *quantities;
  const char **names; /* (def.n_quantities) names of the quantities */
} draft;

static bool begin_draft(draft *d, fmu_unit *unit, int n_ports, int n_probes, size_t n_quantities) {
  const mbs_model *model = unit->model;
  const size_t n_inputs = unit->file->fmu.n_inputs;
  arena *memory = &unit->memory;
  d->unit = unit;
  d->bodies = arena_allocate(memory, mbs_n_bodies(model) + 1);
  d->excluded = arena_allocate(memory, mbs_n_variables(model) + 1);
  d->ports = arena_allocate(memory, ((size_t)n_ports + n_inputs + 1) * sizeof *d->ports);
  d->probes = arena_allocate(memory, ((size_t)n_probes + 1) * sizeof *d->probes);
  d->quantities = arena_allocate(memory, (n_quantities + 1) * sizeof *d->quantities);
  d->names = arena_allocate(memory, (n_quantities + 1) * sizeof *d->names);
  d->def = (cosim_multibody_def){.model = model,
                                 .bodies = d->bodies,
                                 .excluded = d->excluded,
                                 .ports = d->ports,
                                 .probes = d->probes,
                                 .quantities = d->quantities};
  return d->bodies != NULL && d->excluded != NULL && d->ports != NULL && d->probes != NULL && d->quantities != NULL &&
         d->names != NULL;
}

/* Adds the inputs listed in the file. They are variables of the mechanism whose values the importer sets. */
static void add_inputs(draft *d) {
  const model_fmu *fmu = &d->unit->file->fmu;
  for (size_t i = 0; i < fmu->n_inputs; i++) {
    const size_t variable = mbs_find_variable(d->unit->model, fmu->inputs[i]);
    d->excluded[variable] = true;
    d->ports[d->def.n_ports++] = (mbs_port_def){.kind = MBS_PORT_QUANTITY, .quantity = {MBS_VARIABLES, variable, 0}};
  }
}

static void add_quantity(draft *d, mbs_quantity quantity, const char *name) {
  for (int i = 0; i < d->def.n_quantities; i++)
    if (strcmp(d->names[i], name) == 0)
      return;
  d->names[d->def.n_quantities] = name;
  d->quantities[d->def.n_quantities++] = quantity;
}

/* Adds the outputs listed in the file: all of them (`sub` is NULL), or those that this subsystem alone can compute. */
static seam_status add_outputs(draft *d, const mbs_subsystem *sub, seam_error *error) {
  const model_fmu *fmu = &d->unit->file->fmu;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < fmu->n_outputs && status == SEAM_OK; i++) {
    mbs_quantity found, own;
    status = mbs_find_quantity(d->unit->model, fmu->outputs[i], &found, error);
    if (status == SEAM_OK && (sub == NULL || mbs_subsystem_quantity(sub, d->unit->model, found, &own)))
      add_quantity(d, found, fmu->outputs[i]);
  }
  return status;
}

static seam_status make_part(draft *d, seam_error *error) {
  d->def.name = seam_model_name(d->unit->file);
  seam_status status = cosim_multibody_part_create(&d->def, &d->unit->part, error);
  THEN(status, fmu_unit_list(d->unit, NULL, d->probes, d->names, (size_t)d->def.n_quantities, error));
  return status;
}

/* ---- The complete mechanism ------------------------------------------------------------------------------------- */

static const mbs_owner owners[] = {MBS_BODIES, MBS_JOINTS, MBS_FORCES, MBS_MEASURES, MBS_VARIABLES, MBS_WHOLE};
enum { N_OWNERS = sizeof owners / sizeof *owners };

/* Adds the default quantities of results, except the time and inputs. Returns false if there is no memory. */
static bool add_default_quantities(draft *d) {
  const mbs_model *model = d->unit->model;
  for (size_t o = 0; o < N_OWNERS; o++)
    for (size_t e = 0; e < mbs_n_elements(model, owners[o]); e++)
      for (size_t k = 0; k < mbs_n_quantities(model, owners[o], e); k++) {
        const mbs_quantity at = {owners[o], e, k};
        const mbs_quantity_info info = mbs_quantity_of(model, at);
        const bool is_input = owners[o] == MBS_VARIABLES && d->excluded[e];
        if (!info.is_usual || is_input || strcmp(info.element, "time") == 0)
          continue;
        const char *dot = info.name[0] != '\0' ? "." : "";
        const char *name = arena_print(&d->unit->memory, "%s%s%s", info.element, dot, info.name);
        if (name == NULL)
          return false;
        add_quantity(d, at, name);
      }
  return true;
}

static seam_status make_undivided(fmu_unit *self, seam_error *error) {
  const model_fmu *fmu = &self->file->fmu;
  draft d = {0};
  size_t n = fmu->n_outputs;
  seam_status status = seam_model_whole(self->file, &self->model, error);
  if (status != SEAM_OK)
    return status;
  for (size_t o = 0; o < N_OWNERS && !fmu->has_outputs; o++)
    for (size_t e = 0; e < mbs_n_elements(self->model, owners[o]); e++)
      n += mbs_n_quantities(self->model, owners[o], e);
  if (!begin_draft(&d, self, 0, 0, n))
    return fmu_no_memory(error);
  memset(d.bodies, true, mbs_n_bodies(self->model));
  add_inputs(&d);
  if (!fmu->has_outputs && !add_default_quantities(&d))
    return fmu_no_memory(error);
  status = add_outputs(&d, NULL, error);
  d.def.integrator = seam_model_simulation(self->file)->integrator;
  return status == SEAM_OK ? make_part(&d, error) : status;
}

/* ---- A subsystem ------------------------------------------------------------------------------------------------- */

/* Adds the quantities of this subsystem that signals read. Copies their names, because the caller frees the
 * partition. */
static bool add_read_quantities(draft *d, const cosim_partition *partition, size_t subsystem) {
  const cosim_signal_quantity *end = partition->quantities + partition->n_quantities;
  bool has_memory = true;
  for (const cosim_signal_quantity *at = partition->quantities; at < end && has_memory; at++) {
    if (at->subsystem != subsystem)
      continue;
    const char *name = arena_text(&d->unit->memory, at->name, strlen(at->name));
    has_memory = name != NULL;
    if (has_memory)
      add_quantity(d, at->quantity, name);
  }
  return has_memory;
}

static seam_status make_mechanical(fmu_unit *self, const cosim_definition *definition, const cosim_partition *partition,
                                   size_t subsystem, seam_error *error) {
  const cosim_multibody_view view = cosim_multibody_view_of(partition->parts[subsystem]);
  draft d = {0};
  if (!begin_draft(&d, self, view.sub->model->n_ports, view.n_probes,
                   partition->n_quantities + self->file->fmu.n_outputs))
    return fmu_no_memory(error);
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    d.bodies[b] = partition->subsystem_of[b] == subsystem;
  for (size_t v = 0; cosim_has_equations(partition) && v < mbs_n_variables(self->model); v++)
    d.excluded[v] = partition->owner_of_variable[v] != SEAM_NONE && partition->owner_of_variable[v] != subsystem;
  for (int p = 0; p < view.sub->model->n_ports; p++) { /* ports have the same indices as in the co-simulation */
    d.ports[d.def.n_ports++] = view.ports[p].def;
    d.def.wrenches = d.def.wrenches || view.ports[p].def.kind == MBS_PORT_MOTION;
  }
  for (size_t i = 0; i < partition->n_signal_ports; i++)
    if (partition->signal_ports[i].subsystem == subsystem && !partition->signal_ports[i].has_inputs)
      d.probes[d.def.n_probes++] = partition->signal_ports[i].at;
  d.def.integrals = view.n_integrals > 0;
  if (!add_read_quantities(&d, partition, subsystem))
    return fmu_no_memory(error);
  add_inputs(&d);
  const seam_status status = add_outputs(&d, view.sub, error);
  const mbs_integrator_options *given = partition->subsystems[subsystem].integrator;
  d.def.integrator = given != NULL ? *given : definition->options.integrator;
  /* If the options do not give an order, it is as in the co-simulation: 8 for subsystems with a cut that has a
   * collocation scheme, because their steps are long; else 5. */
  const bool is_chosen = d.def.integrator.order == 0;
  if (is_chosen)
    d.def.integrator.order = 5;
  for (const cosim_element_cut *cut = partition->cuts; is_chosen && cut < partition->cuts + partition->n_cuts; cut++)
    if ((cut->subsystem[0] == subsystem || cut->subsystem[1] == subsystem) &&
        cut->base.scheme.method == COSIM_COLLOCATION)
      d.def.integrator.order = 8;
  return status == SEAM_OK ? make_part(&d, error) : status;
}

static seam_status make_equations(fmu_unit *self, const cosim_subsystem_def *def, seam_error *error) {
  const seam_status status = def->user->create(def->user->context, &self->part, error);
  if (status != SEAM_OK)
    return status;
  if (self->part->ops->sample != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "subsystem '%s' is sampled, and FMUs take steps of any length: write its equations under "
                     "'equations' of the model, and export the undivided model or a subsystem that lists them",
                     def->name);
  self->model = NULL;
  return fmu_unit_list(self, def->user, NULL, NULL, 0, error);
}

static seam_status make_subsystem(fmu_unit *self, const char *name, seam_error *error) {
  const cosim_builder *builder = seam_model_cosim(self->file);
  cosim_partition partition = {0};
  size_t subsystem = 0;
  if (builder == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "the model has no 'cosim', and so no subsystem '%s'", name);
  const cosim_definition *definition = cosim_builder_definition(builder);
  self->model = cosim_builder_model(builder);
  nearest search = nearest_to(name);
  char hint[128];
  while (subsystem < definition->n_subsystems && strcmp(definition->subsystems[subsystem].name, name) != 0)
    nearest_try(&search, definition->subsystems[subsystem++].name);
  nearest_hint(&search, hint, sizeof hint);
  if (subsystem == definition->n_subsystems)
    return seam_fail(error, SEAM_BAD_INPUT, "the model's 'cosim' has no subsystem '%s'%s%s", name,
                     hint[0] != '\0' ? "; " : "", hint);
  seam_status status = cosim_partition_make(self->model, definition, &partition, error);
  if (status == SEAM_OK)
    status = cosim_is_mechanical(&partition, subsystem)
                 ? make_mechanical(self, definition, &partition, subsystem, error)
                 : make_equations(self, &definition->subsystems[subsystem], error);
  else
    seam_model_place(self->file, error);
  cosim_partition_free(&partition);
  return status;
}

seam_status fmu_unit_create(seam_model_file *file, const char *subsystem, fmu_unit **created, seam_error *error) {
  fmu_unit *self = calloc(1, sizeof *self);
  if (self == NULL) {
    seam_model_file_destroy(file);
    return fmu_no_memory(error);
  }
  self->file = file;
  seam_status status = subsystem != NULL ? make_subsystem(self, subsystem, error) : make_undivided(self, error);
  if (status == SEAM_OK && self->model != NULL) {
    cosim_multibody_defer_samples(self->part);
    status = mbs_workspace_create(self->model, &self->of_start, error);
    THEN(status, mbs_state_create(self->model, &self->start, error));
  }
  if (status == SEAM_OK && subsystem == NULL && mbs_n_events(self->model) > 0)
    status = mbs_events_create(self->model, &self->events, error);
  if (status != SEAM_OK) {
    fmu_unit_destroy(self);
    return status;
  }
  *created = self;
  return SEAM_OK;
}

void fmu_unit_destroy(fmu_unit *self) {
  if (self == NULL)
    return;
  cosim_part_destroy(self->part);
  mbs_state_destroy(self->start);
  mbs_events_destroy(self->events);
  mbs_workspace_destroy(self->of_start);
  seam_model_file_destroy(self->file);
  table_release(&self->names);
  arena_release(&self->memory);
  free(self);
}

/* ---- Start: the mechanism assembled, inputs as in the mechanism without cuts ------------------------------------- */

/* Computes the wrench that a cut element exerts, in the mechanism without cuts, on its marker of side at->side. */
static void wrench_at(const fmu_unit *self, const mbs_port_def *at, double wrench[3]) {
  const mbs_state *state = self->start;
  cosim_mechanism_element law;
  cosim_motion m[2];
  double W[COSIM_MAX_FORCES] = {0};
  if (cosim_mechanism_element_of(self->model, at->is_joint, at->element, &law, NULL) != SEAM_OK)
    return;
  for (int side = 0; side < 2; side++)
    m[side] = cosim_element_motion(self->model, at->is_joint, at->element, side, state->q, state->v, state->a);
  if (at->is_joint) {
    double map[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
    const double *lambda = state->lambda + self->model->joints[at->element].row;
    law.base.ops->wrench_map(&law.base, m, map);
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      for (int row = 0; row < law.base.n_rows; row++)
        W[i] += map[i][row] * lambda[row];
  } else {
    law.z = state->z + law.force.state;
    law.base.ops->wrench(&law.base, m, W);
  }
  const double torque = at->side == 1 && law.base.n_forces == COSIM_MAX_FORCES ? W[3] : W[2];
  const double sign = at->side == 0 ? 1 : -1;
  wrench[0] = sign * W[0];
  wrench[1] = sign * W[1];
  wrench[2] = sign * torque;
}

seam_status fmu_unit_start(fmu_unit *self, double t, seam_error *error) {
  if (self->model == NULL)
    return SEAM_OK;
  self->start->t = t;
  seam_status status = mbs_assemble(self->of_start, self->start, NULL, NULL, error);
  THEN(status, mbs_evaluate(self->of_start, self->start, error));
  if (status != SEAM_OK)
    return status;
  cosim_multibody_start(self->part, self->start);
  const cosim_multibody_view view = cosim_multibody_view_of(self->part);
  for (int p = 0; p < view.sub->model->n_ports; p++)
    if (view.ports[p].def.kind == MBS_PORT_FORCE)
      wrench_at(self, &view.ports[p].def, view.inputs + view.ports[p].input);
  cosim_multibody_undo_start_samples(self->part);
  return SEAM_OK;
}

/* If a part has no evaluate_outputs(), its image ends with the inputs. Writes the new inputs into the image, and
 * restores the part from the image. */
void fmu_unit_outputs(const fmu_unit *self, double t, const cosim_signal *inputs, double *state, double *outputs) {
  cosim_part *part = self->part;
  if (self->model != NULL && cosim_multibody_is_sample_due(part)) { /* takes the sample, later undoes it */
    const cosim_multibody_view view = cosim_multibody_view_of(part);
    part->ops->save(part, state);
    for (int i = 0; i < part->n_inputs; i++)
      view.inputs[i] = inputs[i].c[0][0];
    (void)cosim_multibody_sample(part, NULL); /* a failure is reported by the next step */
    part->ops->evaluate_outputs(part, t, inputs, outputs);
    part->ops->restore(part, state);
    return;
  }
  if (part->ops->evaluate_outputs != NULL) {
    part->ops->evaluate_outputs(part, t, inputs, outputs);
    return;
  }
  part->ops->save(part, state);
  for (int i = 0; i < part->n_inputs; i++)
    state[part->n_state - (size_t)part->n_inputs + (size_t)i] = inputs[i].c[0][0];
  part->ops->restore(part, state);
  part->ops->get_outputs(part, outputs);
}
