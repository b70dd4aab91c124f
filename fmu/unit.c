#include "fmu/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/then.h"
#include "cosim/mechanism/partition.h"
#include "fmu/resources.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/model.h"
#include "mbs/output/readout.h"
#include "models/model_file.h"

const double fmu_unit_shapes[FMU_N_SHAPES] = {[0] = 1, [8] = 1, [16] = 1, [24] = 1, [32] = 1, [40] = 1, [48] = 1};

/* ---- Variables: signals at a marker ---- */

typedef struct kind {
  const char *name, *unit, *meaning;
} kind;

enum { N_OF_WRENCH = 3, N_OF_OTHER = 6, N_OF_MOTION = 9, N_OF_SUM = 3 };

static const kind of_force[N_OF_WRENCH] = {{"fx", "N", "force on the marker, x"},
                                           {"fy", "N", "force on the marker, y"},
                                           {"torque", "Nm", "torque about the marker"}};

static const kind of_other[N_OF_OTHER] = {{"other.x", "m", "place of the other side's marker, x"},
                                          {"other.y", "m", "place of the other side's marker, y"},
                                          {"other.phi", "rad", "angle of the other side's body"},
                                          {"other.vx", "m/s", "velocity of the other side's marker, x"},
                                          {"other.vy", "m/s", "velocity of the other side's marker, y"},
                                          {"other.omega", "rad/s", "angular velocity of the other side's body"}};

static const kind of_motion[N_OF_MOTION] = {{"x", "m", "place of the marker, x"},
                                            {"y", "m", "place of the marker, y"},
                                            {"phi", "rad", "angle of the marker's body"},
                                            {"vx", "m/s", "velocity of the marker, x"},
                                            {"vy", "m/s", "velocity of the marker, y"},
                                            {"omega", "rad/s", "angular velocity of the marker's body"},
                                            {"ax", "m/s2", "acceleration of the marker, x"},
                                            {"ay", "m/s2", "acceleration of the marker, y"},
                                            {"alpha", "rad/s2", "angular acceleration of the marker's body"}};

static const kind of_sum[N_OF_SUM] = {{"sum_x", "m.s", "integral of x over the last step"},
                                      {"sum_y", "m.s", "integral of y over the last step"},
                                      {"sum_phi", "rad.s", "integral of phi over the last step"}};

static const kind of_reaction[N_OF_WRENCH] = {{"fx", "N", "force on the other side's marker, x"},
                                              {"fy", "N", "force on the other side's marker, y"},
                                              {"torque", "Nm", "torque about the other side's marker"}};

/* Adds a variable unless its name is listed: a signal may read a quantity that is an output at a cut. One without `n`
 * has a single value. Returns false if there is no memory, or there was none for the name (NULL). */
static bool add(fmu_unit *self, const fmu_variable *one) {
  if (one->name == NULL || table_find(&self->names, one->name, strlen(one->name)) != NULL)
    return one->name != NULL;
  self->variables[self->n_variables] = *one;
  self->variables[self->n_variables].n = one->n > 0 ? one->n : 1;
  return table_add(&self->names, one->name, strlen(one->name), self->n_variables++);
}

static bool add_kinds(fmu_unit *self, const char *label, const kind *kinds, int n, fmu_role role, int first) {
  for (int i = 0; i < n && first >= 0; i++)
    if (!add(self, &(fmu_variable){.name = arena_print(&self->memory, "%s.%s", label, kinds[i].name),
                                   .unit = kinds[i].unit,
                                   .meaning = kinds[i].meaning,
                                   .role = role,
                                   .number = first + i,
                                   .depends_on_accelerations = kinds == of_motion && i >= N_OF_OTHER}))
      return false;
  return true;
}

/* Adds a variable LABEL.PREFIXx, ... for each residual "g_x", ... of a joint. `first`: number of the first one;
 * negative: adds nothing. Returns false if there is no memory. */
static bool add_rows(fmu_unit *self, const cosim_multibody_port *port, const char *label, const char *prefix,
                     const char *meaning, fmu_role role, int first) {
  for (int i = 0; i < port->n_rows && first >= 0; i++) {
    const char *residual = self->model->joints[port->def.element].type->residual[i];
    if (!add(self, &(fmu_variable){.name = arena_print(&self->memory, "%s.%s%s", label, prefix, residual + 2),
                                   .unit = "",
                                   .meaning = meaning,
                                   .role = role,
                                   .number = first + i,
                                   .depends_on_accelerations = role == FMU_OUTPUT}))
      return false;
  }
  return true;
}

/* ---- Variables: ports ---- */

/* Returns the name of a port's element. If the part has ports at both sides of the element, the name ends with the side
 * of the port's marker, as "M.1". NULL: no memory. */
static const char *label_of(fmu_unit *self, const cosim_multibody_view *view, int port) {
  const mbs_port_def *def = &view->ports[port].def;
  const char *name = def->is_joint ? self->model->joints[def->element].name : self->model->forces[def->element].name;
  int n = 0;
  for (int p = 0; p < view->sub->model->n_ports; p++)
    n += view->ports[p].def.kind != MBS_PORT_QUANTITY && view->ports[p].def.is_joint == def->is_joint &&
         view->ports[p].def.element == def->element;
  if (n < 2)
    return name;
  const bool is_remote = def->kind == MBS_PORT_MOTION;
  return arena_print(&self->memory, "%s.%d", name, (is_remote ? 1 - def->side : def->side) + 1);
}

static bool add_input_port(fmu_unit *self, const cosim_multibody_view *view, int p) {
  const cosim_multibody_port *port = &view->ports[p];
  if (port->def.kind == MBS_PORT_QUANTITY) {
    const mbs_quantity_info info = mbs_quantity_of(self->model, port->def.quantity);
    const char *name =
        info.name[0] != '\0' ? arena_print(&self->memory, "%s.%s", info.element, info.name) : info.element;
    return add(self,
               &(fmu_variable){
                   .name = name, .unit = info.unit, .meaning = info.meaning, .role = FMU_INPUT, .number = port->input});
  }
  const char *label = label_of(self, view, p);
  if (label == NULL)
    return false;
  if (port->def.kind == MBS_PORT_ACCELERATION)
    return add_rows(self, port, label, "prescribed.", "prescribed acceleration along a residual of the joint",
                    FMU_INPUT, port->input);
  if (port->def.kind == MBS_PORT_MOTION)
    return add_kinds(self, label, of_other, N_OF_OTHER, FMU_INPUT, port->input);
  return add_kinds(self, label, of_force, N_OF_WRENCH, FMU_INPUT, port->input);
}

static bool add_output_port(fmu_unit *self, const cosim_multibody_view *view, int p) {
  const cosim_multibody_port *port = &view->ports[p];
  if (port->def.kind == MBS_PORT_QUANTITY)
    return true;
  const cosim_side side = cosim_multibody_side(self->part, p);
  const char *label = label_of(self, view, p);
  return label != NULL && add_kinds(self, label, of_motion, N_OF_MOTION, FMU_OUTPUT, port->output) &&
         add_kinds(self, label, of_sum, N_OF_SUM, FMU_OUTPUT, side.position_integral) &&
         add_rows(self, port, label, "lambda_",
                  "multiplier of the prescribed acceleration, as it acts on the first body", FMU_OUTPUT,
                  side.multiplier) &&
         add_kinds(self, label, of_reaction, N_OF_WRENCH, FMU_OUTPUT, port->wrench);
}

/* Returns true if a quantity depends on sampled variables only; false also without memory. */
static bool is_held(fmu_unit *self, mbs_quantity of) {
  const mbs_model *model = self->model;
  const size_t n_bodies = mbs_n_bodies(model), n_forces = mbs_n_forces(model), n_joints = mbs_n_joints(model);
  const size_t n_variables = mbs_n_variables(model);
  if (of.owner != MBS_VARIABLES && of.owner != MBS_MEASURES)
    return false;
  bool *all = arena_allocate(&self->memory, n_bodies + n_forces + n_joints + n_variables + 1);
  if (all == NULL)
    return false;
  mbs_dependence on = {.bodies = all,
                       .forces = all + n_bodies,
                       .joints = all + n_bodies + n_forces,
                       .variables = all + n_bodies + n_forces + n_joints};
  mbs_add_dependence(model, of, &on);
  bool is_held = memchr(on.variables, true, n_variables) != NULL &&
                 memchr(all, true, n_bodies + n_forces + n_joints) == NULL && !on.of_time && !on.of_energies &&
                 !on.needs_dynamics;
  for (size_t i = 0; i < n_variables; i++)
    is_held = is_held && (!on.variables[i] || model->laws.variable[i].sample > 0);
  return is_held;
}

static bool add_mechanical(fmu_unit *self, const cosim_probe *probes, const char *const *quantities,
                           size_t n_quantities) {
  const cosim_multibody_view view = cosim_multibody_view_of(self->part);
  bool has_memory = true;
  for (int p = 0; p < view.sub->model->n_ports && has_memory; p++)
    has_memory = add_input_port(self, &view, p);
  for (int p = 0; p < view.sub->model->n_ports && has_memory; p++)
    has_memory = add_output_port(self, &view, p);
  for (int p = 0; p < view.n_probes && has_memory; p++) { /* motion of a centre of mass or of a marker */
    const char *label = probes[p].is_body ? mbs_body_of(self->model, probes[p].number).name
                                          : mbs_force_of(self->model, probes[p].number).name;
    has_memory = add_kinds(self, label, of_motion, N_OF_OTHER, FMU_OUTPUT, view.probes[p].output);
  }
  for (size_t i = 0; i < n_quantities && has_memory; i++) {
    mbs_quantity found;
    mbs_quantity_info info = {0};
    const bool is_known = mbs_find_quantity(self->model, quantities[i], &found, NULL) == SEAM_OK;
    if (is_known)
      info = mbs_quantity_of(self->model, found);
    has_memory = add(self, &(fmu_variable){.name = quantities[i],
                                           .unit = info.unit,
                                           .meaning = info.meaning,
                                           .role = FMU_OUTPUT,
                                           .number = cosim_multibody_quantity(self->part, (int)i),
                                           .is_held = is_known && is_held(self, found),
                                           .depends_on_accelerations = true});
  }
  return has_memory;
}

static bool add_user(fmu_unit *self, const char *const *names, size_t n, fmu_role role) {
  static const double zero = 0;
  for (size_t i = 0; i < n; i++)
    if (!add(self, &(fmu_variable){.name = names[i],
                                   .unit = "",
                                   .meaning = "",
                                   .role = role,
                                   .number = (int)i,
                                   .start = role == FMU_INPUT ? &zero : NULL}))
      return false;
  return true;
}

size_t fmu_unit_count(const fmu_unit *self, fmu_role role) {
  size_t n = 0;
  for (size_t i = 0; i < self->n_variables; i++)
    n += self->variables[i].role == role;
  return n;
}

/* Adds the variables of FMI 3 alone, as the last ones: all others keep the value references of FMI 2. */
static bool add_derivatives(fmu_unit *self) {
  static const double no_degree = -1, highest_degree = COSIM_MAX_DEGREE;
  const size_t n_inputs = fmu_unit_count(self, FMU_INPUT), n_outputs = fmu_unit_count(self, FMU_OUTPUT);
  double *ones = arena_allocate(&self->memory, (n_outputs + 1) * sizeof *ones);
  const fmu_variable variables[] = {
      {.name = COSIM_FMU_DEGREE,
       .meaning = "highest power of inputs over a step along which it has derivatives",
       .role = FMU_DEGREE,
       .start = &no_degree},
      {.name = COSIM_FMU_DERIVATIVES_ARRAY,
       .meaning = "derivatives of outputs at the end of the last step by inputs over it",
       .role = FMU_DERIVATIVES,
       .n = n_inputs * COSIM_FMU_POWERS * n_outputs},
      {.name = COSIM_FMU_SHAPES,
       .meaning = "coefficients of the shapes of inputs over a step along which it has derivatives",
       .role = FMU_SHAPES,
       .n = FMU_N_SHAPES,
       .start = fmu_unit_shapes},
      {.name = COSIM_FMU_INPUT_DEGREE,
       .meaning = "highest degree that inputs have over a step",
       .role = FMU_INPUT_DEGREE,
       .start = &highest_degree},
      {.name = COSIM_FMU_WANTED,
       .unit = "",
       .meaning = "1: an output that is read after steps, 0: one that is not",
       .role = FMU_WANTED,
       .n = n_outputs,
       .start = ones}};
  if (!self->part->gives_derivatives || self->part->n_inputs == 0 || self->part->n_outputs == 0)
    return true;
  if (ones == NULL)
    return false;
  for (size_t i = 0; i < n_outputs; i++)
    ones[i] = 1;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (!add(self, &variables[i]))
      return false;
  return true;
}

/* Lists the variables of user equations; `user` NULL: of a multibody part with these probes and n quantities. */
static seam_status list_variables(fmu_unit *self, const cosim_user_part *user, const cosim_probe *probes,
                                  const char *const *quantities, size_t n, seam_error *error) {
  const model_fmu *fmu = &self->file->fmu;
  const size_t most = 6 + fmu->n_parameters + (size_t)self->part->n_inputs + (size_t)self->part->n_outputs;
  self->variables = arena_allocate(&self->memory, most * sizeof *self->variables);
  bool has_memory = self->variables != NULL &&
                    add(self, &(fmu_variable){.name = "time", .unit = "s", .meaning = "time", .role = FMU_TIME});
  for (size_t i = 0; i < fmu->n_parameters && has_memory; i++)
    has_memory = add(self, &(fmu_variable){.name = arena_print(&self->memory, "parameters.%s", fmu->parameters[i]),
                                           .unit = "",
                                           .meaning = "parameter of the model",
                                           .role = FMU_PARAMETER,
                                           .number = (int)i,
                                           .start = &fmu->values[i]});
  has_memory = has_memory && (user != NULL ? add_user(self, user->inputs, user->n_inputs, FMU_INPUT) &&
                                                 add_user(self, user->outputs, user->n_outputs, FMU_OUTPUT)
                                           : add_mechanical(self, probes, quantities, n));
  return has_memory && add_derivatives(self)
             ? SEAM_OK
             : seam_fail(error, SEAM_NO_MEMORY, "no memory for the variables of the FMU");
}

/* ---- Definition of a part ---- */

/* A definition and the arrays to which it points. */
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

/* The inputs listed in the file are variables of the mechanism, which the importer sets. */
static void add_inputs(draft *d) {
  const model_fmu *fmu = &d->unit->file->fmu;
  for (size_t i = 0; i < fmu->n_inputs; i++) {
    const size_t variable = mbs_find_variable(d->unit->model, fmu->inputs[i]);
    d->excluded[variable] = true;
    d->ports[d->def.n_ports++] = (mbs_port_def){.kind = MBS_PORT_QUANTITY, .quantity = {MBS_VARIABLES, variable, 0}};
  }
}

/* Adds a quantity unless its name is listed. Returns false if there is no memory, or the name is NULL for that reason.
 */
static bool add_quantity(draft *d, mbs_quantity quantity, const char *name) {
  if (name == NULL || table_find(&d->unit->quantities, name, strlen(name)) != NULL)
    return name != NULL;
  d->names[d->def.n_quantities] = name;
  d->quantities[d->def.n_quantities++] = quantity;
  return table_add(&d->unit->quantities, name, strlen(name), 0);
}

/* Adds the outputs listed in the file: all of them (`sub` is NULL), or those that this subsystem alone can compute. */
static seam_status add_outputs(draft *d, const mbs_subsystem *sub, seam_error *error) {
  const model_fmu *fmu = &d->unit->file->fmu;
  for (size_t i = 0; i < fmu->n_outputs; i++) {
    mbs_quantity found, own;
    TRY(mbs_find_quantity(d->unit->model, fmu->outputs[i], &found, error));
    if (sub == NULL || mbs_subsystem_quantity(sub, d->unit->model, found, &own))
      TRY(fmu_check_memory(add_quantity(d, found, fmu->outputs[i]), error));
  }
  return SEAM_OK;
}

static seam_status make_part(draft *d, seam_error *error) {
  d->def.name = seam_model_name(d->unit->file);
  TRY(cosim_multibody_part_create(&d->def, &d->unit->part, error));
  return list_variables(d->unit, NULL, d->probes, d->names, (size_t)d->def.n_quantities, error);
}

/* ---- The complete mechanism ---- */

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
        if (!add_quantity(d, at, arena_print(&d->unit->memory, "%s%s%s", info.element, dot, info.name)))
          return false;
      }
  return true;
}

static seam_status make_undivided(fmu_unit *self, seam_error *error) {
  const model_fmu *fmu = &self->file->fmu;
  draft d = {0};
  size_t n = fmu->n_outputs;
  TRY(seam_model_whole(self->file, &self->model, error));
  for (size_t o = 0; o < N_OWNERS && !fmu->has_outputs; o++)
    for (size_t e = 0; e < mbs_n_elements(self->model, owners[o]); e++)
      n += mbs_n_quantities(self->model, owners[o], e);
  TRY(fmu_check_memory(begin_draft(&d, self, 0, 0, n), error));
  memset(d.bodies, true, mbs_n_bodies(self->model));
  add_inputs(&d);
  TRY(fmu_check_memory(fmu->has_outputs || add_default_quantities(&d), error));
  TRY(add_outputs(&d, NULL, error));
  d.def.integrator = seam_model_simulation(self->file)->integrator;
  return make_part(&d, error);
}

/* ---- A subsystem ---- */

/* Adds the quantities of this subsystem that signals read. Copies their names: the caller frees the partition. */
static bool add_read_quantities(draft *d, const cosim_partition *partition, size_t subsystem) {
  const cosim_signal_quantity *end = partition->quantities + partition->n_quantities;
  bool has_memory = true;
  for (const cosim_signal_quantity *at = partition->quantities; at < end && has_memory; at++) {
    if (at->subsystem != subsystem)
      continue;
    has_memory = add_quantity(d, at->quantity, arena_text(&d->unit->memory, at->name, strlen(at->name)));
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
  TRY(fmu_check_memory(add_read_quantities(&d, partition, subsystem), error));
  add_inputs(&d);
  TRY(add_outputs(&d, view.sub, error));
  const mbs_integrator_options *given = partition->subsystems[subsystem].integrator;
  d.def.integrator = given != NULL ? *given : definition->options.integrator;
  /* Default order, as in the co-simulation: 8 at cuts with collocation, whose steps are long; else 5. */
  const bool is_chosen = d.def.integrator.order == 0;
  if (is_chosen)
    d.def.integrator.order = 5;
  for (const cosim_element_cut *cut = partition->cuts; is_chosen && cut < partition->cuts + partition->n_cuts; cut++)
    if ((cut->subsystem[0] == subsystem || cut->subsystem[1] == subsystem) &&
        cut->base.scheme.method == COSIM_COLLOCATION)
      d.def.integrator.order = 8;
  return make_part(&d, error);
}

static seam_status make_equations(fmu_unit *self, const cosim_subsystem_def *def, seam_error *error) {
  TRY(def->user->create(def->user->context, &self->part, error));
  if (self->part->ops->sample != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "subsystem '%s' is sampled, and FMUs take steps of any length: write its equations under "
                     "'equations' of the model, and export the undivided model or a subsystem that lists them",
                     def->name);
  self->model = NULL;
  return list_variables(self, def->user, NULL, NULL, 0, error);
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

/* ---- The unit ---- */

seam_status fmu_refuse_units(const seam_model_file *file, seam_error *error) {
  const yaml_node *subsystems = yaml_get(yaml_get(file->root, "cosim"), "subsystems");
  const bool is_map = subsystems != NULL && subsystems->kind == YAML_MAP;
  for (const yaml_node *one = is_map ? subsystems->first : NULL; one != NULL; one = one->next)
    if (yaml_get(one, "fmu") != NULL)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "subsystem '%.60s' is an FMU itself, which an exported FMU cannot contain: export a model without it",
          one->key->text);
  return SEAM_OK;
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
  }
  THEN(status, subsystem == NULL && mbs_n_events(self->model) > 0 ? mbs_events_create(self->model, &self->events, error)
                                                                  : SEAM_OK);
  RETURN_CREATED(status, self, created, fmu_unit_destroy);
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
  table_release(&self->quantities);
  arena_release(&self->memory);
  free(self);
}

/* ---- Start: the mechanism assembled, inputs as in the mechanism without cuts ---- */

/* Computes the wrench of a cut element on its marker of side at->side, in the mechanism without cuts. */
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
  mbs_state_destroy(self->start); /* from an earlier start, assembly could find another pose */
  self->start = NULL;
  TRY(mbs_state_create(self->model, &self->start, error));
  self->start->t = t;
  TRY(mbs_assemble(self->of_start, self->start, NULL, NULL, error));
  TRY(mbs_evaluate(self->of_start, self->start, error));
  cosim_multibody_start(self->part, self->start);
  const cosim_multibody_view view = cosim_multibody_view_of(self->part);
  for (int p = 0; p < view.sub->model->n_ports; p++)
    if (view.ports[p].def.kind == MBS_PORT_FORCE)
      wrench_at(self, &view.ports[p].def, view.inputs + view.ports[p].input);
  cosim_multibody_undo_start_samples(self->part);
  return SEAM_OK;
}

/* Without evaluate_outputs(), writes the inputs into the part's image, which ends with them, and restores the image. */
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

bool fmu_unit_samples(const fmu_unit *self) { return self->model != NULL && fmu_unit_next_sample(self, 0) < INFINITY; }

double fmu_unit_next_sample(const fmu_unit *self, double t) {
  return mbs_next_sample(cosim_multibody_view_of(self->part).sub->model, t);
}
