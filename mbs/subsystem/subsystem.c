#include "mbs/subsystem/subsystem.h"

#include "base/arrays.h"
#include "base/then.h"
#include "mbs/dynamics/assembly.h"
#include "mbs/model/cable.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"

#include <stdlib.h>
#include <string.h>

/* The undivided mechanism, and the bodies, ports and drives that the new subsystem will have. */
typedef struct source {
  const mbs_model *undivided;
  const int *number; /* (n + 1) number in the subsystem of each body of `undivided`; 0: ground; -1: the subsystem lacks
                        the body */
  const bool *is_left_out; /* (n_variables) true: the subsystem must not have this variable; NULL: it may have all */
  const mbs_port_def *ports;
  int n_ports;
  const mbs_joint *drives; /* (n_drives) joints whose bodies are numbered as in `undivided` */
  int n_drives;
} source;

/* ---- Bodies ---- */

static void copy_three(double *to, int i, const double *from, int k) {
  memcpy(to + 3 * i, from + 3 * k, 3 * sizeof *to);
}

static void copy_bodies(mbs_subsystem *sub, const source *from) {
  const mbs_model *undivided = from->undivided;
  mbs_model *model = sub->model;
  const double *v = undivided->initial + 3 * undivided->n_bodies;
  for (int b = 0; b <= undivided->n_bodies; b++) {
    const int i = from->number[b];
    if (i < 0)
      continue;
    sub->body_of[i] = b;
    model->body_name[i] = undivided->body_name[b];
    copy_three(model->mass, i, undivided->mass, b);
    copy_three(model->inverse_mass, i, undivided->inverse_mass, b);
    copy_three(model->unit_weight, i, undivided->unit_weight, b);
    if (b > 0) {
      copy_three(model->initial, i - 1, undivided->initial, b - 1);
      copy_three(model->initial + 3 * model->n_bodies, i - 1, v, b - 1);
    }
  }
}

/* ---- Elements ---- */

static bool is_inside(const source *from, const int body[2]) {
  const int first = from->number[body[0]];
  const int second = from->number[body[1]];
  return first >= 0 && second >= 0 && first + second > 0;
}

static void renumber(const source *from, int body[2], int frame[2]) {
  for (int side = 0; side < 2; side++)
    frame[side] = body[side] = from->number[body[side]];
}

static void append_joint(mbs_subsystem *sub, const mbs_joint *joint, int of_whole) {
  mbs_model *model = sub->model;
  sub->joint_of[model->n_joints] = of_whole;
  model->joints[model->n_joints] = *joint;
  model->joints[model->n_joints].law.destroy = NULL;
  model->joints[model->n_joints++].row = model->n_rows;
  model->n_rows += joint->type->n_rows;
}

static void append_force(mbs_subsystem *sub, const mbs_force *force) {
  mbs_model *model = sub->model;
  mbs_force *copy = &model->forces[model->n_forces++];
  *copy = *force;
  copy->state = model->n_states;
  for (int k = 0; force->type->states != NULL && k < force->type->states->n; k++)
    sub->state_of[model->n_states++] = force->state + k;
  copy->elastic[0].nonlinear.destroy = NULL;
  copy->load[0].destroy = NULL;
  copy->load[1].destroy = NULL;
}

/* Returns true if a force element is cut: then add_ports() adds it to the subsystem, and copy_elements() does not. */
static bool is_cut(const source *from, size_t force) {
  for (int p = 0; p < from->n_ports; p++)
    if (!from->ports[p].is_joint && from->ports[p].element == force && from->ports[p].kind != MBS_PORT_SIGNAL &&
        from->ports[p].kind != MBS_PORT_QUANTITY)
      return true;
  return false;
}

/* Returns true if a span of the cable has both ends in the subsystem, or one there and the other on the ground. */
static bool has_cable(const source *from, const mbs_force *span) {
  for (int k = 0; k < span->cable->n_spans; k++)
    if (is_inside(from, (span - span->span)[k].body))
      return true;
  return false;
}

static void copy_elements(mbs_subsystem *sub, const source *from) {
  const mbs_model *undivided = from->undivided;
  for (int j = 0; j < undivided->n_joints; j++) {
    mbs_joint joint = undivided->joints[j];
    if (!is_inside(from, joint.body))
      continue;
    renumber(from, joint.body, joint.frame);
    append_joint(sub, &joint, j);
  }
  sub->n_own = sub->model->n_joints;
  for (int j = 0; j < from->n_drives; j++)
    append_joint(sub, &from->drives[j], -1);
  for (int i = 0; i < undivided->n_forces; i++) {
    mbs_force force = undivided->forces[i];
    if (!(force.cable != NULL ? has_cable(from, &undivided->forces[i]) : is_inside(from, force.body)) ||
        is_cut(from, (size_t)i))
      continue;
    renumber(from, force.body, force.frame);
    sub->force_of[sub->n_own_forces++] = i;
    append_force(sub, &force);
  }
}

/* ---- Ports ---- */

static const int *bodies_of(const mbs_model *undivided, const mbs_port_def *def) {
  return def->is_joint ? undivided->joints[def->element].body : undivided->forces[def->element].body;
}

static const char *name_of(const mbs_model *undivided, const mbs_port_def *def) {
  return def->is_joint ? undivided->joints[def->element].name : undivided->forces[def->element].name;
}

/* Adds the cut force element: it acts between the body on the port's side and the port's frame on the other side. If
 * both bodies are outside of the subsystem, the element has two ports. The second then uses the element that the first
 * has added. */
static void add_motion_port(mbs_subsystem *sub, const source *from, const mbs_port_def *def, int frame,
                            mbs_port *port) {
  const mbs_model *undivided = from->undivided;
  const int other_side = 1 - def->side;
  port->side = def->side;
  for (const mbs_port_def *other = from->ports; other < def && port->force < 0; other++)
    if (!other->is_joint && other->element == def->element && other->kind == MBS_PORT_MOTION)
      port->force = sub->ports[other - from->ports].force;
  if (port->force < 0) {
    mbs_force force = undivided->forces[def->element];
    force.body[def->side] = force.frame[def->side] = port->body;
    force.body[other_side] = 0;
    port->force = sub->model->n_forces;
    append_force(sub, &force);
  }
  sub->model->forces[port->force].cut_port = (int)(port - sub->ports);
  sub->model->forces[port->force].frame[other_side] = frame;
  sub->model->forces[port->force].marker[other_side] = (mbs_vector){0};
  const mbs_motion other = mbs_element_motion(undivided, false, def->element, other_side, undivided->initial,
                                              undivided->initial + 3 * undivided->n_bodies, NULL);
  sub->model->port_frames[port - sub->ports] = mbs_frame_at(other.x, other.v);
}

static void add_force_port(mbs_subsystem *sub, const source *from, const mbs_port_def *def, int frame, mbs_port *port) {
  const mbs_force wrench = {.type = &mbs_port_wrench,
                            .kind = MBS_POINT_FORCE,
                            .name = name_of(from->undivided, def),
                            .body = {port->body, 0},
                            .frame = {port->body, frame},
                            .law = {-1, -1},
                            .cut_port = def->kind == MBS_PORT_FORCE ? (int)(port - sub->ports) : -1,
                            .marker = {port->marker}};
  port->force = sub->model->n_forces;
  append_force(sub, &wrench);
}

static void add_acceleration_port(mbs_subsystem *sub, const source *from, const mbs_port_def *def, int frame,
                                  mbs_port *port) {
  const mbs_joint *cut = &from->undivided->joints[def->element];
  if (cut->type->prescribed == NULL) /* check_port() refuses this; the test helps the static analyser */
    return;
  const mbs_joint joint = {.type = cut->type->prescribed,
                           .kind = cut->kind,
                           .name = cut->name,
                           .body = {port->body, 0},
                           .frame = {port->body, frame},
                           .port = (int)(port - sub->ports),
                           .marker = {port->marker}};
  port->joint = sub->model->n_joints;
  append_joint(sub, &joint, (int)def->element);
  sub->model->n_prescribed += joint.type->n_rows;
}

/* Refuses an impossible port: SEAM_BAD_INPUT. No port may be at a hard force element, no MBS_PORT_MOTION at a joint. An
 * element of MBS_PORT_ACCELERATION must be able to prescribe accelerations. The body on the port's side must be in the
 * subsystem, except for MBS_PORT_MOTION. At joints and for MBS_PORT_MOTION, the body on the other side must be outside
 * of the subsystem, and not the ground. */
static seam_status check_port(const source *from, const mbs_port_def *def, seam_error *error) {
  const mbs_model *undivided = from->undivided;
  const char *name = name_of(undivided, def);
  if (!def->is_joint && undivided->forces[def->element].type->is_hard)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s' is hard and cannot be cut: put its bodies into one subsystem, or leave out 'hard'",
                     mbs_force_kind_text(undivided->forces[def->element].kind), name);
  const int *body = bodies_of(undivided, def);
  const bool here = from->number[body[def->side]] > 0;
  const bool is_remote = from->number[body[1 - def->side]] < 0;
  if (body[1 - def->side] == 0 && (def->is_joint || def->kind == MBS_PORT_MOTION))
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' acts on one body only: there is nothing to cut", name);
  if ((!here && def->kind != MBS_PORT_MOTION) || (!is_remote && (def->is_joint || def->kind == MBS_PORT_MOTION)))
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' must have exactly side %d in this subsystem: list its bodies again",
                     name, def->side + 1);
  if (def->kind == MBS_PORT_MOTION && def->is_joint)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s' has no force law that a motion could drive: prescribe forces "
                     "or accelerations",
                     name);
  if (def->kind == MBS_PORT_ACCELERATION &&
      (!def->is_joint || undivided->joints[def->element].type->prescribed == NULL))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "accelerations can be prescribed at revolute and fixed joints and at motions of an angle, not at "
                     "'%s': take a force/force scheme",
                     name);
  return SEAM_OK;
}

static seam_status add_ports(mbs_subsystem *sub, const source *from, seam_error *error) {
  static void (*const add[])(mbs_subsystem *, const source *, const mbs_port_def *, int,
                             mbs_port *) = {[MBS_PORT_FORCE] = add_force_port,
                                            [MBS_PORT_SIGNAL] = add_force_port,
                                            [MBS_PORT_MOTION] = add_motion_port,
                                            [MBS_PORT_ACCELERATION] = add_acceleration_port};
  const mbs_model *undivided = from->undivided;
  for (int p = 0; p < sub->model->n_ports; p++) {
    const mbs_port_def *def = &from->ports[p];
    sub->model->port_frames[p].cos = 1;
    sub->ports[p] = (mbs_port){.force = -1, .joint = -1};
    if (def->kind == MBS_PORT_QUANTITY) {
      sub->ports[p].is_quantity = true;
      sub->ports[p].quantity = def->quantity;
      continue;
    }
    TRY(check_port(from, def, error));
    const int body = from->number[bodies_of(undivided, def)[def->side]];
    sub->ports[p].body = body < 0 ? 0 : body;
    sub->ports[p].marker = def->is_joint ? undivided->joints[def->element].marker[def->side]
                                         : undivided->forces[def->element].marker[def->side];
    add[def->kind](sub, from, def, mbs_frame_of_port(sub->model, p), &sub->ports[p]);
  }
  return SEAM_OK;
}

/* ---- Quantities of the undivided mechanism ---- */

/* Returns the index in of_whole (n) of an element by its number in the undivided mechanism; -1: of_whole lacks it. */
static int find(const int *of_whole, int n, size_t number) {
  for (int i = 0; i < n; i++)
    if (of_whole[i] == (int)number)
      return i;
  return -1;
}

/* Returns the number in the subsystem of a body of the undivided mechanism; 0: ground; -1: the subsystem lacks it. */
static int find_body(const mbs_subsystem *sub, int body) {
  return find(sub->body_of, sub->model->n_bodies + 1, (size_t)body);
}

/* Returns the number in the subsystem of a force element of the undivided mechanism; -1: the subsystem lacks it. A
 * viscous element or cable consists of several elements of the same name; the result is -1 unless the subsystem has all
 * of them. */
static int find_force(const mbs_subsystem *sub, const mbs_model *undivided, size_t force) {
  const int own = find(sub->force_of, sub->n_own_forces, force);
  const char *name = undivided->forces[force].name;
  for (size_t i = force + 1; own >= 0 && i < mbs_n_forces(undivided) && undivided->forces[i].name == name; i++)
    if (find(sub->force_of, sub->n_own_forces, i) < 0)
      return -1;
  return own;
}

/* Returns the number in the subsystem of the element to which a quantity of the undivided mechanism belongs; -1: the
 * subsystem lacks it. Quantities of the entire mechanism, such as energies, are only in a subsystem with all bodies and
 * elements; time is in each subsystem. */
static int find_element(const mbs_subsystem *sub, const mbs_model *undivided, mbs_quantity quantity) {
  const bool is_all = sub->model->n_bodies == undivided->n_bodies && sub->n_own == undivided->n_joints &&
                      sub->n_own_forces == undivided->n_forces;
  switch (quantity.owner) {
  case MBS_WHOLE:
    return quantity.element == 0 || is_all ? (int)quantity.element : -1; /* element 0: time */
  case MBS_BODIES:
    return find_body(sub, (int)quantity.element + 1) - 1;
  case MBS_JOINTS:
    return find(sub->joint_of, sub->n_own, quantity.element);
  case MBS_FORCES:
    return find_force(sub, undivided, quantity.element);
  case MBS_VARIABLES:
    return find(sub->variable_of, sub->n_variables, quantity.element);
  default:
    return find(sub->measure_of, sub->model->n_measures, quantity.element);
  }
}

bool mbs_subsystem_quantity(const mbs_subsystem *sub, const mbs_model *undivided, mbs_quantity quantity,
                            mbs_quantity *own) {
  for (int p = 0; p < sub->model->n_ports; p++) {
    const mbs_quantity *of = &sub->ports[p].quantity;
    if (sub->ports[p].is_quantity && of->owner == quantity.owner && of->element == quantity.element &&
        of->number == quantity.number) {
      *own = (mbs_quantity){MBS_INPUTS, (size_t)p, 0};
      return true;
    }
  }
  const int element = find_element(sub, undivided, quantity);
  *own = (mbs_quantity){quantity.owner, (size_t)element, quantity.number};
  return element >= 0;
}

/* ---- Laws, measures and variables ---- */

/* Copies the laws of the subsystem's force elements, and the measures and variables whose inputs it has. So each
 * subsystem has the variables whose equations do not depend on the motion. */

static bool has_inputs(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_readout *inputs) {
  mbs_quantity own;
  bool has = true;
  for (int i = 0; inputs != NULL && i < inputs->n && has; i++)
    has = mbs_subsystem_quantity(sub, undivided, inputs->quantities[i], &own);
  return has;
}

static seam_status copy_inputs(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_readout *inputs,
                               mbs_readout **copy) {
  const size_t n = (size_t)inputs->n;
  mbs_quantity *own = calloc(n + 1, sizeof *own);
  if (own == NULL)
    return SEAM_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    (void)mbs_subsystem_quantity(sub, undivided, inputs->quantities[i], &own[i]);
  const seam_status status = mbs_readout_create(sub->model, own, n, copy, NULL);
  free(own);
  sub->model->max_inputs = inputs->n > sub->model->max_inputs ? inputs->n : sub->model->max_inputs;
  return status;
}

static bool has_all(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_named_measure *measure) {
  bool has = find_body(sub, measure->axes) >= 0 && has_inputs(sub, undivided, measure->inputs);
  for (int i = 0; i < measure->n_bodies && has; i++)
    has = find_body(sub, measure->body[i]) >= 0;
  return has && (!measure->type->has_joint || find(sub->joint_of, sub->n_own, (size_t)measure->joint) >= 0);
}

/* Appends a copy of measure `number` to the subsystem's model, which owns the copy even after a failure. */
static seam_status copy_measure(mbs_subsystem *sub, const mbs_model *undivided, int number) {
  mbs_model *model = sub->model;
  const mbs_named_measure *measure = &undivided->measures[number];
  mbs_named_measure *copy = &model->measures[model->n_measures];
  *copy = (mbs_named_measure){.type = measure->type,
                              .name = measure->name,
                              .body = malloc(((size_t)measure->n_bodies + 1) * sizeof *copy->body),
                              .n_bodies = measure->n_bodies,
                              .marker = {measure->marker[0], measure->marker[1]},
                              .axes = find_body(sub, measure->axes),
                              .function = measure->function,
                              .first = model->n_measured};
  copy->function.destroy = NULL;
  sub->measure_of[model->n_measures++] = number;
  model->n_measured += (int)mbs_n_quantities(model, MBS_MEASURES, (size_t)model->n_measures - 1);
  if (copy->body == NULL)
    return SEAM_NO_MEMORY;
  for (int i = 0; i < measure->n_bodies; i++)
    copy->body[i] = find_body(sub, measure->body[i]);
  if (measure->type->has_joint)
    copy->joint = find(sub->joint_of, sub->n_own, (size_t)measure->joint);
  if (measure->inputs == NULL)
    return SEAM_OK;
  copy->unit = strdup(measure->unit);
  return copy->unit != NULL ? copy_inputs(sub, undivided, measure->inputs, &copy->inputs) : SEAM_NO_MEMORY;
}

/* Finds the variables, except those in `is_left_out`, and the measures whose inputs the subsystem has. Measures may
 * read variables, and variables may read measures. So the function begins with all these variables. It removes those
 * that lack an input, until every remaining one has its inputs. Copies the measures; the caller copies variables. */
static seam_status find_variables(mbs_subsystem *sub, const mbs_model *undivided, const bool *is_left_out) {
  mbs_model *model = sub->model;
  seam_status status = SEAM_OK;
  int kept = 0;
  for (int i = 0; i < undivided->laws.n_variables; i++)
    if (is_left_out == NULL || !is_left_out[i])
      sub->variable_of[kept++] = i;
  do {
    sub->n_variables = kept;
    for (int i = 0; i < model->n_measures; i++)
      mbs_measure_release(&model->measures[i]);
    model->n_measures = model->n_measured = 0;
    model->laws.n_variables = sub->n_variables;
    for (int i = 0; i < undivided->n_measures && status == SEAM_OK; i++)
      if (has_all(sub, undivided, &undivided->measures[i]))
        status = copy_measure(sub, undivided, i);
    kept = 0;
    for (int i = 0; i < sub->n_variables; i++)
      if (has_inputs(sub, undivided, undivided->laws.variable[sub->variable_of[i]].response.inputs))
        sub->variable_of[kept++] = sub->variable_of[i];
  } while (status == SEAM_OK && kept < sub->n_variables);
  model->laws.n_variables = 0;
  return status;
}

/* Copies the inputs of a response, and borrows its function. */
static seam_status copy_response(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_response *from,
                                 mbs_response *to) {
  if (!mbs_is_function(from))
    return SEAM_OK;
  to->function = from->function;
  to->function.destroy = NULL;
  return copy_inputs(sub, undivided, from->inputs, &to->inputs);
}

static seam_status copy_variables(mbs_subsystem *sub, const mbs_model *undivided) {
  mbs_model *model = sub->model;
  mbs_laws *laws = &model->laws;
  laws->variable = calloc((size_t)sub->n_variables + 1, sizeof *laws->variable);
  bool is_sampled = false;
  for (int i = 0; laws->variable != NULL && i < sub->n_variables; i++) {
    const mbs_variable *variable = &undivided->laws.variable[sub->variable_of[i]];
    laws->variable[i] = (mbs_variable){.name = variable->name,
                                       .unit = strdup(variable->unit),
                                       .start = variable->start,
                                       .nominal = variable->nominal,
                                       .sample = variable->sample};
    laws->n_variables++;
    sub->state_of[model->n_states + i] = undivided->laws.first_state + sub->variable_of[i];
    is_sampled = is_sampled || variable->sample > 0;
    if (laws->variable[i].unit == NULL)
      return SEAM_NO_MEMORY;
  }
  for (int i = 0; i < laws->n_variables; i++) /* only now, since an equation may read any variable */
    if (copy_response(sub, undivided, &undivided->laws.variable[sub->variable_of[i]].response,
                      &laws->variable[i].response) != SEAM_OK)
      return SEAM_NO_MEMORY;
  if (is_sampled)
    sub->state_of[model->n_states + sub->n_variables] = undivided->laws.first_state + undivided->laws.n_variables;
  return laws->variable != NULL ? SEAM_OK : SEAM_NO_MEMORY;
}

static seam_status refuse_law(const mbs_model *undivided, const mbs_force *force, const mbs_response *response,
                              const mbs_subsystem *sub, seam_error *error) {
  mbs_quantity own;
  int missing = 0;
  while (mbs_subsystem_quantity(sub, undivided, response->inputs->quantities[missing], &own))
    missing++;
  const mbs_quantity_info info = mbs_quantity_of(undivided, response->inputs->quantities[missing]);
  const int entry = (int)strcspn(info.element, ".");
  const size_t variable = mbs_find_variable(undivided, info.element);
  if (variable != SEAM_NONE && undivided->laws.variable[variable].sample > 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the law of force '%s' reads '%s', which its subsystem does not have: list '%.*s' under "
                     "'equations' of this subsystem",
                     force->name, info.element, entry, info.element);
  if (info.element[entry] == '.')
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the law of force '%s' reads '%s', which its subsystem does not have: write '%.*s_part: "
                     "{equations: [%.*s]}' under 'cosim.subsystems', or keep both in one subsystem",
                     force->name, info.element, entry, info.element, entry, info.element);
  return seam_fail(error, SEAM_BAD_INPUT,
                   "the law of force '%s' reads '%s%s%s', which its subsystem does not have: keep both in one "
                   "subsystem, or, for a force or torque on one body, send its value to this element under 'signals'",
                   force->name, info.element, info.name[0] != '\0' ? "." : "", info.name);
}

static seam_status copy_laws(mbs_subsystem *sub, const mbs_model *undivided, seam_error *error) {
  mbs_model *model = sub->model;
  model->laws.law = calloc(2 * (size_t)model->n_forces + 1, sizeof *model->laws.law);
  if (model->laws.law == NULL)
    return SEAM_NO_MEMORY;
  for (int i = 0; i < model->n_forces; i++)
    for (int component = 0; component < 2; component++) {
      mbs_force *force = &model->forces[i];
      if (force->span != 0 || force->law[component] < 0) /* laws of a cable load all of its spans */
        continue;
      const mbs_law *law = &undivided->laws.law[force->law[component]];
      if (!has_inputs(sub, undivided, law->response.inputs))
        return refuse_law(undivided, force, &law->response, sub, error);
      mbs_law own = {.force = i, .component = component, .n = law->n};
      for (int k = 0; k < law->n; k++)
        force[k].law[component] = model->laws.n_laws;
      const seam_status status = copy_response(sub, undivided, &law->response, &own.response);
      mbs_laws_append(&model->laws, own);
      TRY(status);
    }
  return SEAM_OK;
}

/* ---- Creation ---- */

/* Arrays of a subsystem, and of its model; n: number of bodies including the ground. */
#define PART_ARRAYS(X)                                                                                                 \
  X(sub, body_of, n)                                                                                                   \
  X(sub, joint_of, n_joints)                                                                                           \
  X(sub, force_of, (size_t)undivided->n_forces)                                                                        \
  X(sub, measure_of, (size_t)undivided->n_measures)                                                                    \
  X(sub, variable_of, mbs_n_variables(undivided))                                                                      \
  X(sub, state_of, (size_t)undivided->n_states)                                                                        \
  X(sub, ports, n_ports)
#define MODEL_ARRAYS(X)                                                                                                \
  X(model, body_name, n)                                                                                               \
  X(model, mass, 3 * n)                                                                                                \
  X(model, inverse_mass, 3 * n)                                                                                        \
  X(model, unit_weight, 3 * n)                                                                                         \
  X(model, initial, 6 * n + (size_t)undivided->n_states)                                                               \
  X(model, port_frames, n_ports)                                                                                       \
  X(model, joints, n_joints)                                                                                           \
  X(model, forces, (size_t)undivided->n_forces + n_ports)                                                              \
  X(model, measures, (size_t)undivided->n_measures)

static bool allocate(mbs_subsystem *sub, const source *from, int n_bodies) {
  const mbs_model *undivided = from->undivided;
  const size_t n = (size_t)n_bodies + 1;
  const size_t n_ports = (size_t)from->n_ports;
  const size_t n_joints = (size_t)undivided->n_joints + n_ports + (size_t)from->n_drives;
  mbs_model *model = sub->model = calloc(1, sizeof *sub->model);
  if (!(model != NULL PART_ARRAYS(ALLOCATE_ARRAY)))
    return false;
  model->n_bodies = n_bodies;
  model->n_ports = from->n_ports;
  memcpy(model->gravity, undivided->gravity, sizeof model->gravity);
  model->scales = undivided->scales;
  return true MODEL_ARRAYS(ALLOCATE_ARRAY);
}

static seam_status make(mbs_subsystem *sub, const source *from, seam_error *error) {
  const mbs_model *undivided = from->undivided;
  copy_bodies(sub, from);
  copy_elements(sub, from);
  seam_status status = add_ports(sub, from, error);
  THEN(status, find_variables(sub, undivided, from->is_left_out));
  THEN(status, copy_variables(sub, undivided));
  THEN(status, copy_laws(sub, undivided, error));
  THEN(status, mbs_laws_finish(sub->model, error));
  if (status != SEAM_OK)
    return status == SEAM_NO_MEMORY ? seam_fail(error, status, "no memory for the laws of a subsystem") : status;
  const mbs_switching_table *table = &sub->model->switching;
  for (int i = 0; i < table->n; i++) {
    const mbs_switching *row = &table->row[i];
    const int first = row->is_joint ? undivided->joints[sub->joint_of[row->element]].mode
                                    : undivided->forces[sub->force_of[row->element]].state;
    for (int k = 0; k < row->type->n_modes; k++)
      sub->state_of[row->first_mode + k] = first + k;
  }
  TRY(mbs_model_finish(sub->model, error));
  for (int i = 0; i < sub->model->n_states; i++)
    sub->model->nominal[i] = undivided->nominal[sub->state_of[i]];
  TRY(mbs_find_redundancy(sub->model, error));
  const mbs_model *model = sub->model;
  for (int row = model->n_rows - model->n_prescribed; row < model->n_rows; row++)
    if (model->is_redundant[row]) /* the joints of the subsystem already determine this acceleration */
      return seam_fail(error, SEAM_BAD_INPUT,
                       "joint '%s': its accelerations cannot be prescribed in the subsystem of '%s', whose joints "
                       "leave too few degrees of freedom: take a force/force scheme, or prescribe on the other side",
                       model->joints[model->joint_of_row[row]].name, model->body_name[1]);
  return SEAM_OK;
}

/* is_included (n_bodies): bodies of the subsystem; NULL: all bodies. */
static seam_status create(source *from, const bool *is_included, mbs_subsystem **subsystem, seam_error *error) {
  int *number = malloc(((size_t)from->undivided->n_bodies + 1) * sizeof *number);
  mbs_subsystem *sub = calloc(1, sizeof *sub);
  seam_status status = SEAM_NO_MEMORY;
  from->number = number;
  int n_bodies = 0;
  for (int b = 0; b <= from->undivided->n_bodies && number != NULL; b++)
    number[b] = b == 0 ? 0 : is_included == NULL || is_included[b - 1] ? ++n_bodies : -1;
  if (number == NULL || sub == NULL || !allocate(sub, from, n_bodies))
    seam_fail(error, status, "no memory for a subsystem");
  else
    status = make(sub, from, error);
  free(number);
  RETURN_CREATED(status, sub, subsystem, mbs_subsystem_destroy);
}

seam_status mbs_subsystem_create(const mbs_model *undivided, const bool *is_included, const bool *is_left_out,
                                 const mbs_port_def *ports, int n_ports, mbs_subsystem **subsystem, seam_error *error) {
  return create(&(source){.undivided = undivided, .is_left_out = is_left_out, .ports = ports, .n_ports = n_ports},
                is_included, subsystem, error);
}

seam_status mbs_driven_create(const mbs_model *undivided, const mbs_joint *drives, int n_drives,
                              mbs_subsystem **subsystem, seam_error *error) {
  static const mbs_port_def no_ports[1];
  return create(&(source){.undivided = undivided, .ports = no_ports, .drives = drives, .n_drives = n_drives}, NULL,
                subsystem, error);
}

void mbs_subsystem_destroy(mbs_subsystem *sub) {
  if (sub == NULL)
    return;
  mbs_model_destroy(sub->model);
  PART_ARRAYS(FREE_ARRAY)
  free(sub);
}
