#include "mbs/subsystem/subsystem.h"

#include "base/arrays.h"
#include "base/then.h"
#include "mbs/dynamics/redundancy.h"
#include "mbs/model/cable.h"

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

/* Returns true if the subsystem has the cable. A span between two points of the ground does not count as inside. */
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

/* Adds the cut force element, which acts between the body on the port's side and the port's frame on the other side. If
 * both bodies of the element are outside of the subsystem, the subsystem has two ports for this element. The second
 * port then uses the element that the first port has added. */
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

/* Checks a port; SEAM_BAD_INPUT. No port may be at a hard element, no MBS_PORT_MOTION at a joint, and no
 * MBS_PORT_ACCELERATION at an element that cannot prescribe accelerations. Except for MBS_PORT_MOTION, the body on the
 * port's side must be in the subsystem. At joints and for MBS_PORT_MOTION, the body on the other side must not be the
 * ground, and must be outside of the subsystem. */
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
    const seam_status status = check_port(from, def, error);
    if (status != SEAM_OK)
      return status;
    const int body = from->number[bodies_of(undivided, def)[def->side]];
    sub->ports[p].body = body < 0 ? 0 : body;
    sub->ports[p].marker = def->is_joint ? undivided->joints[def->element].marker[def->side]
                                         : undivided->forces[def->element].marker[def->side];
    add[def->kind](sub, from, def, mbs_frame_of_port(sub->model, p), &sub->ports[p]);
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
  copy_bodies(sub, from);
  copy_elements(sub, from);
  seam_status status = add_ports(sub, from, error);
  THEN(status, mbs_subsystem_add_laws(sub, from->undivided, from->is_left_out, error));
  const mbs_switching_table *table = &sub->model->switching;
  for (int i = 0; i < table->n && status == SEAM_OK; i++) {
    const mbs_switching *row = &table->row[i];
    const int first = row->is_joint ? from->undivided->joints[sub->joint_of[row->element]].mode
                                    : from->undivided->forces[sub->force_of[row->element]].state;
    for (int k = 0; k < row->type->n_modes; k++)
      sub->state_of[row->first_mode + k] = first + k;
  }
  THEN(status, mbs_model_finish(sub->model, error));
  for (int i = 0; i < sub->model->n_states && status == SEAM_OK; i++)
    sub->model->nominal[i] = from->undivided->nominal[sub->state_of[i]];
  THEN(status, mbs_find_redundancy(sub->model, error));
  const mbs_model *model = sub->model;
  for (int row = model->n_rows - model->n_prescribed; row < model->n_rows && status == SEAM_OK; row++)
    if (model->is_redundant[row]) /* the joints of the subsystem already determine this acceleration */
      return seam_fail(error, SEAM_BAD_INPUT,
                       "joint '%s': its accelerations cannot be prescribed in the subsystem of '%s', whose joints "
                       "leave too few degrees of freedom: take a force/force scheme, or prescribe on the other side",
                       model->joints[model->joint_of_row[row]].name, model->body_name[1]);
  return status;
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
  if (status != SEAM_OK)
    mbs_subsystem_destroy(sub);
  else
    *subsystem = sub;
  return status;
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
