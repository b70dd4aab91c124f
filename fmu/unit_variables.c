/* Lists the variables of a unit in the order of value references, with names, units of measure and meanings. */
#include <math.h>
#include <string.h>

#include "fmu/unit.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/model.h"
#include "mbs/output/readout.h"
#include "models/model_file.h"

const double fmu_unit_shapes[FMU_N_SHAPES] = {[0] = 1, [8] = 1, [16] = 1, [24] = 1, [32] = 1, [40] = 1, [48] = 1};

/* ---- Kinds of signals at a marker -------------------------------------------------------------------------------- */

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

/* Adds a variable. Does nothing if the name is already listed: a signal may read a quantity that is an output at a cut.
 * Returns false if there is no memory for the variable, or there was none for its name (NULL). */
static bool add(fmu_unit *self, const fmu_variable *one) {
  if (one->name == NULL || table_find(&self->names, one->name, strlen(one->name)) != NULL)
    return one->name != NULL;
  self->variables[self->n_variables] = *one;
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

/* Adds a variable for each residual "g_x", ... of a joint. Its name is LABEL.PREFIX, followed by "x", .... `first`:
 * index of the first variable; if it is negative, nothing is added. Returns false if there is no memory. */
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

/* ---- Ports ------------------------------------------------------------------------------------------------------- */

/* Returns the name of the element of a port. If the part has ports at both sides of the element, adds the side of the
 * port's marker, as "M.1". NULL: no memory. */
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

static bool has_one(const bool *some, size_t n) {
  bool has = false;
  for (size_t i = 0; i < n; i++)
    has = has || some[i];
  return has;
}

/* Returns true if a quantity depends on sampled variables only. Also returns false if there is no memory. */
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
  bool is_held = has_one(on.variables, n_variables) && !has_one(all, n_bodies + n_forces + n_joints) && !on.of_time &&
                 !on.of_energies && !on.needs_dynamics;
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
  for (size_t i = 0; i < n; i++)
    if (!add(self, &(fmu_variable){.name = names[i], .unit = "", .meaning = "", .role = role, .number = (int)i}))
      return false;
  return true;
}

bool fmu_unit_samples(const fmu_unit *self) { return self->model != NULL && fmu_unit_next_sample(self, 0) < INFINITY; }

double fmu_unit_next_sample(const fmu_unit *self, double t) {
  return mbs_next_sample(cosim_multibody_view_of(self->part).sub->model, t);
}

size_t fmu_unit_count(const fmu_unit *self, fmu_role role) {
  size_t n = 0;
  for (size_t i = 0; i < self->n_variables; i++)
    n += self->variables[i].role == role;
  return n;
}

size_t fmu_unit_n_values(const fmu_unit *self, size_t reference) {
  const fmu_role role = reference < self->n_variables ? self->variables[reference].role : FMU_TIME;
  const size_t n = role == FMU_WANTED ? fmu_unit_count(self, FMU_OUTPUT) : 1;
  return role == FMU_DERIVATIVES ? self->n_derivatives : role == FMU_SHAPES ? FMU_N_SHAPES : n;
}

/* Adds the variables that only FMI 3 has. They are the last ones, so that all others have the same value references in
 * FMI 2 and FMI 3. */
static bool add_derivatives(fmu_unit *self) {
  static const fmu_variable variables[] = {
      {.name = COSIM_FMU_DEGREE,
       .meaning = "highest power of inputs over a step along which it has derivatives",
       .role = FMU_DEGREE,
       .start = -1},
      {.name = COSIM_FMU_DERIVATIVES_ARRAY,
       .meaning = "derivatives of outputs at the end of the last step by inputs over it",
       .role = FMU_DERIVATIVES},
      {.name = COSIM_FMU_SHAPES,
       .meaning = "coefficients of the shapes of inputs over a step along which it has derivatives",
       .role = FMU_SHAPES},
      {.name = COSIM_FMU_INPUT_DEGREE,
       .meaning = "highest degree that inputs have over a step",
       .role = FMU_INPUT_DEGREE,
       .start = COSIM_MAX_DEGREE},
      {.name = COSIM_FMU_WANTED,
       .unit = "",
       .meaning = "1: an output that is read after steps, 0: one that is not",
       .role = FMU_WANTED}};
  if (!self->part->gives_derivatives || self->part->n_inputs == 0 || self->part->n_outputs == 0)
    return true;
  const size_t n = fmu_unit_count(self, FMU_OUTPUT);
  double *ones = arena_allocate(&self->memory, n * sizeof *ones);
  if (ones == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    ones[i] = 1;
  self->wanted = ones;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (!add(self, &variables[i]))
      return false;
  return true;
}

seam_status fmu_unit_list(fmu_unit *self, const cosim_user_part *user, const cosim_probe *probes,
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
                                           .start = fmu->values[i]});
  has_memory = has_memory && (user != NULL ? add_user(self, user->inputs, user->n_inputs, FMU_INPUT) &&
                                                 add_user(self, user->outputs, user->n_outputs, FMU_OUTPUT)
                                           : add_mechanical(self, probes, quantities, n));
  if (!has_memory || !add_derivatives(self))
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the variables of the FMU");
  self->n_derivatives = fmu_unit_count(self, FMU_DERIVATIVES) * fmu_unit_count(self, FMU_INPUT) * COSIM_FMU_POWERS *
                        fmu_unit_count(self, FMU_OUTPUT);
  return SEAM_OK;
}
