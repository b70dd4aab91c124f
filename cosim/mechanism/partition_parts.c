/* Makes the part of each subsystem, with ports of cuts, markers, signal ports and linked quantities, in this order. */
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "cosim/mechanism/partition.h"
#include "mbs/integrate/integrator.h"

/* ---- Ports ---- */

typedef struct port_list {
  mbs_port_def *port;
  int n;
  cosim_probe *probe;
  int n_probes;
  mbs_quantity *quantity;
  int n_quantities;
  bool *bodies;          /* (n_bodies) true for bodies of the subsystem */
  bool *excluded;        /* (n_variables) true for variables of other subsystems */
  bool integrals;        /* integrals of positions are needed as outputs */
  bool accelerations;    /* some port prescribes an acceleration */
  bool no_accelerations; /* no coupling reads accelerations as outputs */
  bool collocates;       /* some port has a collocation scheme */
  bool is_exchanged;     /* the exchange links some of its signals */
} port_list;

/* Returns true if a scheme reads accelerations of the sides. At force elements, collocation and method D do. At joints
 * all schemes do except collocation in ff: its conditions are on positions and velocities. */
static bool needs_accelerations(const cosim_scheme *scheme) {
  if (scheme->method == COSIM_COLLOCATION)
    return !scheme->at_constraint || scheme->n_variables > 1 || scheme->variable[0].kind != COSIM_FORCE;
  return scheme->at_constraint || scheme->method == COSIM_D;
}

/* Adds the port of a side that the master couples by a scheme. Returns its index. */
static int add_master_port(port_list *list, const cosim_scheme *scheme, mbs_port_def port) {
  list->integrals |= scheme->method == COSIM_I;
  list->collocates |= scheme->method == COSIM_COLLOCATION;
  list->accelerations |= port.kind == MBS_PORT_ACCELERATION;
  list->no_accelerations &= !needs_accelerations(scheme);
  list->port[list->n] = port;
  return list->n++;
}

/* Lists the ports of an exchanged cut. In the evaluator, a port receives the motion of each remote side. It also gives
 * the motion of the opposite side, if that is on a body of the evaluator. */
static void list_exchange_ports(port_list *list, size_t subsystem, cosim_element_cut *cut) {
  for (int side = 0; side < 2; side++) {
    if (!cut->is_remote[side])
      continue;
    list->is_exchanged |= cut->subsystem[side] == subsystem || cut->evaluator == subsystem;
    if (cut->subsystem[side] == subsystem) {
      cut->port[side] = list->n;
      list->port[list->n++] = (mbs_port_def){.element = cut->element, .side = side, .kind = MBS_PORT_FORCE};
    }
    if (cut->evaluator == subsystem) {
      cut->evaluator_port[side] = list->n;
      if (!cut->is_remote[1 - side] && cut->body[1 - side] != MBS_GROUND)
        cut->port[1 - side] = list->n;
      list->port[list->n++] = (mbs_port_def){.element = cut->element, .side = 1 - side, .kind = MBS_PORT_MOTION};
    }
  }
}

static mbs_port_def signal_port(const cosim_partition *self, size_t force) {
  mbs_port_def port = {.element = force, .kind = MBS_PORT_SIGNAL};
  mbs_single_body(self->model, force, &port.side);
  return port;
}

static void list_ports(cosim_partition *self, size_t subsystem, port_list *list) {
  list->n = list->n_probes = list->n_quantities = 0;
  list->integrals = list->accelerations = list->collocates = list->is_exchanged = false;
  list->no_accelerations = true;
  for (cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    const cosim_scheme *scheme = &cut->base.scheme;
    if (cut->is_exchanged)
      list_exchange_ports(list, subsystem, cut);
    for (int side = 0; side < 2 && !cut->is_exchanged; side++)
      if (cut->subsystem[side] == subsystem) {
        const mbs_port_kind kind = cosim_scheme_drives(scheme, side, COSIM_ACCELERATION) ? MBS_PORT_ACCELERATION
                                   : cosim_scheme_receives_motion(scheme, side)          ? MBS_PORT_MOTION
                                                                                         : MBS_PORT_FORCE;
        cut->port[side] = add_master_port(
            list, scheme,
            (mbs_port_def){.is_joint = cut->is_joint, .element = cut->element, .side = side, .kind = kind});
      }
  }
  for (size_t k = 0; k < self->n_part_couplings; k++)
    for (int side = 0; side < 2; side++) { /* markers to which user parts are coupled */
      cosim_part_cut *cut = &self->part_couplings[k];
      if (cut->force[side] != SEAM_NONE && cut->base.side[side].part == (int)subsystem)
        cut->port[side] = add_master_port(list, &cut->base.scheme, signal_port(self, cut->force[side]));
    }
  for (cosim_signal_port *port = self->signal_ports; port < self->signal_ports + self->n_signal_ports; port++) {
    if (port->subsystem != subsystem)
      continue;
    list->is_exchanged = true;
    port->number = port->has_inputs ? list->n : list->n_probes;
    if (port->has_inputs)
      list->port[list->n++] = signal_port(self, port->at.number);
    else
      list->probe[list->n_probes++] = port->at;
  }
  for (cosim_signal_quantity *at = self->quantities; at < self->quantities + self->n_quantities; at++) {
    if (at->subsystem != subsystem)
      continue;
    list->is_exchanged = true;
    at->number = list->n_quantities;
    list->quantity[list->n_quantities++] = at->quantity;
  }
  for (cosim_linked_quantity *linked = self->linked; linked < self->linked + self->n_linked; linked++) {
    list->is_exchanged |= linked->reader == subsystem || linked->source == subsystem;
    if (linked->reader != subsystem)
      continue;
    linked->port = list->n;
    list->port[list->n++] = (mbs_port_def){.kind = MBS_PORT_QUANTITY, .quantity = linked->quantity};
  }
}

/* ---- Parts ---- */

static seam_status make_user_part(cosim_partition *self, size_t subsystem, seam_error *error) {
  const cosim_user_part *user = self->subsystems[subsystem].user;
  const char *name = self->subsystems[subsystem].name;
  seam_error cause = {0};
  if (user->create == NULL)
    return seam_fail_about(error, SEAM_BAD_INPUT, name, "subsystem '%s': its user part has no create()", name);
  const seam_status status = user->create(user->context, &self->parts[subsystem], &cause);
  const cosim_part *part = self->parts[subsystem];
  if (status != SEAM_OK || part == NULL)
    return seam_fail_about(error, status != SEAM_OK ? status : SEAM_BAD_INPUT, name, "subsystem '%s': %s", name,
                           cause.message[0] != '\0' ? cause.message : "its part was not created");
  const cosim_part_ops *ops = part->ops;
  if (ops == NULL || ops->advance == NULL || ops->get_outputs == NULL || ops->destroy == NULL ||
      (ops->save == NULL) != (ops->restore == NULL)) {
    self->parts[subsystem] = NULL; /* dropped, since a part that lacks functions cannot be destroyed */
    return seam_fail_about(
        error, SEAM_BAD_INPUT, name,
        "subsystem '%s': its part needs advance(), get_outputs() and destroy(), and save() together with restore()",
        name);
  }
  const bool is_sampled_alone = ops->sample != NULL && ops->pass_events == NULL;
  if ((ops->sample == NULL) != (ops->next_sample == NULL) || (is_sampled_alone && self->n_part_couplings > 0))
    return seam_fail_about(error, SEAM_BAD_INPUT, name,
                           "subsystem '%s' is sampled: its part needs sample() and next_sample(), and signals instead "
                           "of couplings of equations",
                           name);
  if ((size_t)part->n_inputs != user->n_inputs || (size_t)part->n_outputs != user->n_outputs)
    return seam_fail_about(
        error, SEAM_BAD_INPUT, name,
        "subsystem '%s' has %d inputs and %d outputs, but names for %zu and %zu: give each one a name", name,
        part->n_inputs, part->n_outputs, user->n_inputs, user->n_outputs);
  self->parts[subsystem]->name = name;
  return SEAM_OK;
}

/* Refuses multistep methods if a corrector needs derivatives. In each pass over a macro step they restart at order one,
 * and changed inputs change their steps. Differences between passes are then integration errors, not derivatives. */
static seam_status check_integrator(const cosim_partition *self, size_t subsystem, const char *method,
                                    seam_error *error) {
  for (size_t k = 0; k < self->n_cuts && mbs_is_multistep(method); k++) {
    const cosim_element_cut *cut = &self->cuts[k];
    const bool has_side = cut->subsystem[0] == subsystem || cut->subsystem[1] == subsystem;
    const cosim_scheme *scheme = &cut->base.scheme;
    const bool allows_radau =
        !cosim_scheme_drives(scheme, 0, COSIM_ACCELERATION) && !cosim_scheme_drives(scheme, 1, COSIM_ACCELERATION);
    if (!cut->is_exchanged && has_side && cosim_scheme_corrects(scheme))
      return seam_fail_about(
          error, SEAM_BAD_INPUT, cut->base.name,
          "subsystem '%s': integrator '%s' restarts at every macro point and so gives no interface derivatives, which "
          "the corrector of '%s' at coupling '%s' needs; take 'erk'%s as integrator%s",
          self->subsystems[subsystem].name, method, cut->base.scheme.name, cut->base.name,
          allows_radau ? " or 'radau'" : "",
          cut->is_joint ? "" : ", or a scheme that ends in '-explicit' or '-exchange'");
  }
  return SEAM_OK;
}

static seam_status make_part(cosim_partition *self, const cosim_definition *definition, size_t subsystem,
                             port_list *list, seam_error *error) {
  const cosim_subsystem_def *of = &self->subsystems[subsystem];
  const mbs_integrator_options *integrator = of->integrator != NULL ? of->integrator : &definition->options.integrator;
  seam_error cause = {0};
  TRY(check_integrator(self, subsystem, integrator->method, error));
  list_ports(self, subsystem, list);
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    list->bodies[b] = self->subsystem_of[b] == subsystem;
  for (size_t v = 0; v < mbs_n_variables(self->model); v++)
    list->excluded[v] = cosim_is_coupled_variable(self->model, v) ||
                        (cosim_has_equations(self) && self->owner_of_variable[v] != SEAM_NONE &&
                         self->owner_of_variable[v] != subsystem);
  mbs_integrator_options chosen = *integrator;
  if (chosen.order == 0) /* short macro steps need few evaluations; the long steps of collocation need a high order */
    chosen.order = list->collocates ? 8 : 5;
  const cosim_multibody_def def = {.name = of->name,
                                   .model = self->model,
                                   .bodies = list->bodies,
                                   .excluded = list->excluded,
                                   .ports = list->port,
                                   .n_ports = list->n,
                                   .probes = list->probe,
                                   .n_probes = list->n_probes,
                                   .quantities = list->quantity,
                                   .n_quantities = list->n_quantities,
                                   .integrals = list->integrals,
                                   .no_accelerations = list->no_accelerations && definition->model_based == NULL,
                                   .wrenches = list->is_exchanged,
                                   .integrator = chosen};
  const seam_status status = cosim_multibody_part_create(&def, &self->parts[subsystem], &cause);
  if (status == SEAM_OK)
    return SEAM_OK;
  return seam_fail_about(
      error, status, def.name, "subsystem '%s': %s%s", def.name, cause.message,
      status == SEAM_BAD_INPUT && list->accelerations
          ? " (ff-colloc-s3, ff-index2-k1, ff-index1-k1, ff-projection-k1, ff-baumgarte-k1, ff-weighted-k1)"
          : "");
}

/* ---- Variables ---- */

/* Checks that every variable has a subsystem that knows all quantities that it reads. */
static seam_status check_variables(const cosim_partition *self, seam_error *error) {
  for (size_t v = 0; v < mbs_n_variables(self->model); v++) {
    const char *name = mbs_variable_of(self->model, v).name;
    const int length = (int)strcspn(name, "."); /* length of the name of its equations */
    bool has = cosim_is_coupled_variable(self->model, v);
    for (size_t k = 0; k < self->n_mechanical && !has; k++) {
      const mbs_subsystem *sub = cosim_multibody_view_of(self->mechanical[k]).sub;
      for (int i = 0; i < sub->n_variables; i++)
        has = has || sub->variable_of[i] == (int)v;
    }
    if (!has)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "variable '%s' reads quantities of more than one subsystem: write '%.*s_part: {equations: "
                       "[%.*s]}' under 'cosim.subsystems', or cut elsewhere",
                       name, length, name, length, name);
  }
  return SEAM_OK;
}

/* ---- Signals in results ---- */

bool cosim_is_coupled_variable(const mbs_model *model, size_t variable) {
  return model->laws.variable[variable].is_input && strchr(mbs_variable_of(model, variable).name, '.') != NULL;
}

static void add_result(cosim_partition *self, const cosim_named_signal *signal, const char *unit, const char *meaning) {
  const size_t variable = mbs_find_variable(self->model, signal->name);
  const bool is_coupled = variable != SEAM_NONE && cosim_is_coupled_variable(self->model, variable);
  self->signals[self->n_signals++] = (cosim_result_signal){.name = signal->name,
                                                           .unit = unit,
                                                           .meaning = meaning,
                                                           .subsystem = signal->subsystem,
                                                           .output = signal->number,
                                                           .variable = is_coupled ? variable : SEAM_NONE};
}

static seam_status list_signals(cosim_partition *self, seam_error *error) {
  const cosim_named_signal *quantities = self->names, *others = quantities + self->n_quantities;
  self->signals = arena_allocate(&self->memory, self->n_names * sizeof *self->signals);
  if (self->signals == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to cut the mechanism");
  for (const cosim_named_signal *at = others; at < quantities + self->n_names; at++)
    if (at->is_output && !cosim_is_mechanical(self, at->subsystem))
      add_result(self, at, "", "");
  for (size_t i = 0; i < self->n_quantities; i++) {
    const mbs_quantity_info info = mbs_quantity_of(self->model, self->quantities[i].quantity);
    add_result(self, &quantities[i], info.unit, info.meaning);
  }
  return SEAM_OK;
}

/* Sets the inputs and outputs of the sides that are ports of mechanical parts. */
static void set_sides(cosim_partition *self) {
  for (cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++)
    for (int side = 0; side < 2 && !cut->is_exchanged; side++) {
      cut->base.side[side] = cosim_multibody_side(self->parts[cut->subsystem[side]], cut->port[side]);
      cut->base.side[side].part = (int)cut->subsystem[side];
    }
  for (size_t k = 0; k < 2 * self->n_part_couplings; k++) {
    cosim_part_cut *cut = &self->part_couplings[k / 2];
    const size_t side = k % 2;
    cosim_side *at = &cut->base.side[side];
    const int part = at->part;
    if (cut->force[side] == SEAM_NONE)
      continue;
    *at = cosim_multibody_side(self->parts[part], cut->port[side]);
    at->part = part;
    int *const numbers[] = {&at->force_input, &at->position, &at->velocity, &at->acceleration, &at->position_integral};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      *numbers[i] += *numbers[i] >= 0 ? cut->first[side] : 0;
  }
}

/* ---- Outputs that are read after steps: by couplings, and by variables of the model that follow them ---- */

static void mark(bool *wanted, int first, int n) {
  for (int i = 0; i < n && first >= 0; i++)
    wanted[first + i] = true;
}

static void mark_read_outputs(cosim_partition *self, size_t subsystem, bool *wanted) {
  cosim_part *part = self->parts[subsystem];
  for (size_t k = 0; k < 2 * self->n_part_couplings; k++) {
    const cosim_cut *cut = &self->part_couplings[k / 2].base;
    const cosim_side *at = &cut->side[k % 2];
    const int n = cut->element->dim[cut->element->n_dims - 1] + 1;
    if (at->part != (int)subsystem)
      continue;
    mark(wanted, at->position, n);
    mark(wanted, at->velocity, n);
    mark(wanted, at->position_integral, n);
    mark(wanted, at->multiplier, cut->element->n_rows);
    if (needs_accelerations(&cut->scheme))
      mark(wanted, at->acceleration, n);
  }
  for (const cosim_result_signal *at = self->signals; at < self->signals + self->n_signals; at++)
    if (at->subsystem == subsystem && at->variable != SEAM_NONE)
      wanted[at->output] = true;
  if (!part->ops->want_outputs(part, wanted))
    return;
  for (cosim_result_signal *at = self->signals; at < self->signals + self->n_signals; at++)
    if (at->subsystem == subsystem)
      at->is_skipped = !wanted[at->output];
}

/* If user parts are coupled, sets which outputs each of them must give after steps. */
static seam_status choose_outputs(cosim_partition *self, seam_error *error) {
  size_t most = 0;
  for (size_t s = 0; s < self->n_subsystems; s++)
    most = (size_t)self->parts[s]->n_outputs > most ? (size_t)self->parts[s]->n_outputs : most;
  self->outputs = arena_allocate(&self->memory, most * sizeof *self->outputs);
  bool *wanted = arena_allocate(&self->memory, most * sizeof *wanted);
  if (self->outputs == NULL || wanted == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu outputs", most);
  for (size_t s = 0; s < self->n_subsystems && self->n_part_couplings > 0; s++)
    if (!cosim_is_mechanical(self, s) && self->parts[s]->ops->want_outputs != NULL) {
      memset(wanted, 0, most * sizeof *wanted);
      mark_read_outputs(self, s, wanted);
    }
  return SEAM_OK;
}

/* ---- All ---- */

#define PORT_LIST_ARRAYS(X)                                                                                            \
  X(list, port, 3 * self->n_cuts + 2 * self->n_part_couplings + self->n_signal_ports + self->n_linked)                 \
  X(list, probe, self->n_signal_ports)                                                                                 \
  X(list, quantity, self->n_quantities)                                                                                \
  X(list, bodies, mbs_n_bodies(self->model))                                                                           \
  X(list, excluded, mbs_n_variables(self->model))

seam_status cosim_partition_make_parts(cosim_partition *self, const cosim_definition *definition, seam_error *error) {
  port_list *list = &(port_list){0};
  const bool enough = true PORT_LIST_ARRAYS(ALLOCATE_ARRAY);
  seam_status status = enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to cut the mechanism");
  for (size_t s = 0; s < self->n_subsystems && status == SEAM_OK; s++)
    status =
        cosim_is_mechanical(self, s) ? make_part(self, definition, s, list, error) : make_user_part(self, s, error);
  PORT_LIST_ARRAYS(FREE_ARRAY)
  TRY(status);
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (cosim_is_mechanical(self, s))
      self->mechanical[self->n_mechanical++] = self->parts[s];
  TRY(check_variables(self, error));
  set_sides(self);
  TRY(cosim_partition_name_signals(self, error));
  TRY(list_signals(self, error));
  return choose_outputs(self, error);
}
