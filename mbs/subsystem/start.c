/* Assembly with prescribed coordinates and rates. During assembly the mechanism has a drive for each prescribed value:
 * a constraint s(q) = a + b t on a relative coordinate s. With J = ∂s/∂q,
 *
 *   positions   prescribed coordinates satisfy s = a (b = 0), with the least displacement of all bodies
 *   velocities  at that pose, prescribed rates satisfy J v = b, with the least change of all velocities
 *
 * At the end all values are compared with the prescribed ones: joints may leave too few degrees of freedom. */
#include "mbs/subsystem/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "mbs/dynamics/assembly.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/model/quantity.h"
#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"
#include "mbs/subsystem/subsystem.h"
#include "mbs/thresholds.h"

/* ---- Drives ---- */

/* Names of coordinates and rates that can be prescribed, by kind of owner. A row applies to a joint or force element
 * only if its group of quantities begins with `position`. Thus a `rate` is that of a slide or of a length. */
static const struct {
  mbs_owner owner;
  const char *position, *rate;
  mbs_motion_of of;
} coordinates[] = {
    {MBS_BODIES, "x", "vx", MBS_OF_X},
    {MBS_BODIES, "y", "vy", MBS_OF_Y},
    {MBS_BODIES, "phi", "omega", MBS_OF_PHI},
    {MBS_JOINTS, "angle", "omega", MBS_OF_ANGLE},
    {MBS_JOINTS, "slide", "rate", MBS_OF_SLIDE},
    {MBS_JOINTS, "length", "rate", MBS_OF_DISTANCE},
    {MBS_FORCES, "angle", "omega", MBS_OF_ANGLE},
    {MBS_FORCES, "length", "rate", MBS_OF_DISTANCE},
};
enum { N_COORDINATES = sizeof coordinates / sizeof *coordinates };

typedef struct drive {
  double line[2]; /* a and b of the constraint s = a + b t */
  bool is_rate;
  char name[80];
  char unit[8]; /* unit with a leading space, such as " rad" */
  double size;  /* scale of the prescribed value */
  mbs_joint joint;
} drive;

static double line_value(const void *data, const double x[2]) {
  const double *line = data;
  return line[0] + line[1] * x[0];
}

static void line_jet(const void *data, const double x[2], seam_jet *out) {
  const double *line = data;
  *out = (seam_jet){.value = line_value(data, x), .d = {line[1]}};
}

/* Returns a quantity's index in `coordinates`; N_COORDINATES: it cannot be prescribed. *is_rate: true for a rate. */
static size_t find_coordinate(const mbs_model *model, mbs_quantity quantity, bool *is_rate) {
  int index = 0;
  size_t i = 0;
  const mbs_quantity_group *group = mbs_group_of(model, quantity, &index);
  for (; i < N_COORDINATES && group != NULL; i++) {
    const char *name = group->row[index].name;
    *is_rate = strcmp(name, coordinates[i].rate) == 0;
    if (coordinates[i].owner == quantity.owner && (*is_rate || strcmp(name, coordinates[i].position) == 0) &&
        (quantity.owner == MBS_BODIES || strcmp(group->row[0].name, coordinates[i].position) == 0))
      break;
  }
  const mbs_force *force = quantity.owner == MBS_FORCES ? &model->forces[quantity.element] : NULL;
  const bool is_along_axis =
      force != NULL && force->kind == MBS_SPRING_DAMPER && (force->axis.x != 0 || force->axis.y != 0);
  return is_along_axis ? N_COORDINATES : i;
}

static seam_status make_drive(const mbs_model *model, const mbs_prescribed *prescribed, drive *made,
                              seam_error *error) {
  const mbs_quantity quantity = prescribed->quantity;
  const mbs_quantity_info info = mbs_quantity_of(model, quantity);
  if (info.element == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "a prescribed quantity does not exist: find quantities by mbs_find_quantity()");
  snprintf(made->name, sizeof made->name, "%.50s.%s", info.element, info.name);
  snprintf(made->unit, sizeof made->unit, " %s", info.unit);
  const size_t row = find_coordinate(model, quantity, &made->is_rate);
  if (row == N_COORDINATES)
    return seam_fail_about(
        error, SEAM_BAD_INPUT, made->name,
        "'%s' cannot be prescribed: take x, y, phi, vx, vy or omega of a body; angle, omega, slide, "
        "length or rate of a joint; length, angle or their rates of a force element between two points",
        made->name);
  if (!isfinite(prescribed->value))
    return seam_fail(error, SEAM_BAD_INPUT, "the value of '%s' is not finite", made->name);
  const mbs_joint_def def = {.kind = MBS_MOTION, .of = coordinates[row].of};
  const bool is_angle = def.of == MBS_OF_ANGLE || def.of == MBS_OF_PHI;
  made->size = (is_angle ? 1 : model->scales.length) / (made->is_rate ? model->scales.time : 1);
  made->joint = (mbs_joint){.kind = MBS_MOTION,
                            .name = made->name,
                            .type = mbs_joint_type_of(&def),
                            .law = {.value = line_value, .jet = line_jet, .data = made->line}};
  if (quantity.owner == MBS_BODIES) {
    made->joint.body[0] = made->joint.frame[0] = (int)quantity.element + 1;
    return SEAM_OK;
  }
  const mbs_joint *joint = quantity.owner == MBS_JOINTS ? &model->joints[quantity.element] : NULL;
  const mbs_force *force = joint == NULL ? &model->forces[quantity.element] : NULL;
  for (int side = 0; side < 2; side++) {
    made->joint.body[side] = made->joint.frame[side] = joint != NULL ? joint->body[side] : force->body[side];
    made->joint.marker[side] = joint != NULL ? joint->marker[side] : force->marker[side];
  }
  made->joint.axis = joint != NULL ? joint->axis : (mbs_vector){0};
  return SEAM_OK;
}

/* ---- Assembly with drives ---- */

typedef struct start {
  const mbs_model *model;
  const mbs_prescribed *prescribed;
  size_t n;
  drive *drives;            /* (n) one for each prescribed value */
  mbs_joint *accepted;      /* (n) joints of the drives that are used in the present assembly */
  mbs_state *origin;        /* state from which the present assembly begins */
  mbs_quantity *quantities; /* (n) the prescribed quantities */
  mbs_readout *readout;
  double *values;  /* (n) values of the prescribed quantities after assembly */
  double *sampled; /* (n_variables + 1) initial values of sampled variables and of the time of the last sample */
} start;

#define START_ARRAYS(X)                                                                                                \
  X(self, drives, self->n)                                                                                             \
  X(self, accepted, self->n)                                                                                           \
  X(self, quantities, self->n)                                                                                         \
  X(self, values, self->n)                                                                                             \
  X(self, sampled, (size_t)self->model->laws.n_variables)

static void copy_motion(const mbs_model *model, mbs_state *to, const mbs_state *from) {
  const size_t n = 3 * (size_t)model->n_bodies;
  to->t = from->t;
  memcpy(to->q, from->q, n * sizeof *to->q);
  memcpy(to->v, from->v, n * sizeof *to->v);
  memcpy(to->z, from->z, (size_t)model->n_states * sizeof *to->z);
}

/* The model with drives, with a workspace and a state of it. */
typedef struct driven_model {
  mbs_subsystem *part;
  mbs_workspace *ws;
  mbs_state *state;
} driven_model;

static void destroy_driven(driven_model *self) {
  mbs_state_destroy(self->state);
  mbs_workspace_destroy(self->ws);
  mbs_subsystem_destroy(self->part);
}

static seam_status create_driven(driven_model *self, const start *of, int n_accepted, const mbs_state *state,
                                 seam_error *error) {
  *self = (driven_model){0};
  TRY(mbs_driven_create(of->model, of->accepted, n_accepted, &self->part, error));
  TRY(mbs_workspace_create(self->part->model, &self->ws, error));
  TRY(mbs_state_create(self->part->model, &self->state, error));
  copy_motion(of->model, self->state, state);
  return SEAM_OK;
}

/* Changes positions until the first n_accepted drives in self->accepted are satisfied, by mbs_follow_path().
 * SEAM_NOT_ASSEMBLED: this is not possible; *state is then the last pose reached. */
static seam_status follow_drives(const start *self, int n_accepted, mbs_state *state, seam_error *error) {
  driven_model with;
  seam_status status = create_driven(&with, self, n_accepted, state, error);
  if (status == SEAM_OK) {
    status = mbs_follow_path(with.ws, with.state, error);
    copy_motion(self->model, state, with.state);
  }
  destroy_driven(&with);
  return status;
}

static bool is_near(const drive *d, double present, double wanted) {
  return fabs(present - wanted) <= mbs_start_met * fmax(d->size, fabs(wanted));
}

/* Returns the coordinate of a drive, s, in a state or, if is_rate is true, its rate. */
static double present_value(const drive *d, bool is_rate, mbs_workspace *ws, const mbs_state *state) {
  mbs_relative_coordinate now;
  mbs_stage_kinematics(ws, state->q, state->v);
  const mbs_pair pair = mbs_joint_pair(&d->joint, ws->frames);
  d->joint.type->find_coordinates(&d->joint, &pair, &now);
  return is_rate ? mbs_relative_rate(&now, &pair) : now.s;
}

/* ---- Refusals ---- */

static const char *owners_text(int n_accepted) {
  return n_accepted > 1 ? "the joints and the other prescribed values" : "the joints";
}

/* Returns true if the mechanism is at a dead centre of the coordinate of a drive. A motion of size e then changes the
 * coordinate only by terms of order e². So this drive cannot change the pose. n_accepted: number of the other drives in
 * use. */
static bool is_at_dead_centre(const start *self, int n_accepted, const drive *d, const mbs_state *state) {
  driven_model with;
  double before = 0;
  seam_status status = create_driven(&with, self, n_accepted, state, NULL);
  for (int i = 0; i < 3 * self->model->n_bodies && status == SEAM_OK; i++)
    with.state->v[i] = mbs_little_motion * cos(1 + i) * (i % 3 == 2 ? 1 : self->model->size);
  THEN(status, mbs_assemble_loosely(with.ws, with.state, NULL, NULL, NULL));
  if (status == SEAM_OK)
    before = present_value(d, false, with.ws, with.state);
  for (int i = 0; i < 3 * self->model->n_bodies && status == SEAM_OK; i++)
    with.state->q[i] += with.state->v[i];
  THEN(status, mbs_assemble_loosely(with.ws, with.state, NULL, NULL, NULL));
  const bool has_moved = status == SEAM_OK && fabs(present_value(d, false, with.ws, with.state) - before) >
                                                  mbs_dead_centre_noise * fmax(d->size, fabs(before));
  destroy_driven(&with);
  return has_moved;
}

static seam_status refuse_dead_centre(const drive *d, double wanted, double made, seam_error *error) {
  return seam_fail_about(error, SEAM_NOT_ASSEMBLED, d->name,
                         "'%s' = %.9g%s cannot be reached from a dead centre, where small motions leave it at %.9g%s: "
                         "prescribe another coordinate that changes it, or begin from poses beyond the dead centre",
                         d->name, wanted, d->unit, fabs(made) < mbs_start_none * d->size ? 0 : made, d->unit);
}

static seam_status refuse_determined(const drive *d, double wanted, double made, int n_accepted, seam_error *error) {
  return seam_fail_about(error, SEAM_NOT_ASSEMBLED, d->name, "'%s' = %.9g%s cannot be reached: %s make it %.9g%s",
                         d->name, wanted, d->unit, owners_text(n_accepted),
                         fabs(made) < mbs_start_none * d->size ? 0 : made, d->unit);
}

/* Fails for a wanted value that lies beyond `end`, the last value reached from the value `from`. The message gives a
 * value just before `end`, which can be prescribed. If `end` almost equals the wanted value, the message says that the
 * mechanism is singular there. */
static seam_status refuse_unreachable(const drive *d, double wanted, double from, double end, int n_accepted,
                                      seam_error *error) {
  const double nearest = end + copysign(mbs_inside_reach * fmax(fabs(end), fabs(end - from)), from - end);
  if (fabs(wanted - end) <= mbs_reach_ends * fmax(d->size, fabs(wanted)))
    return seam_fail_about(error, SEAM_NOT_ASSEMBLED, d->name,
                           "'%s' = %.9g%s cannot be reached: the mechanism is singular there; the closest reachable "
                           "value is %.7g%s, from %.7g%s",
                           d->name, wanted, d->unit, nearest, d->unit, from, d->unit);
  return seam_fail_about(error, SEAM_NOT_ASSEMBLED, d->name,
                         "'%s' = %.9g%s cannot be reached: from %.7g%s %s allow %s to %.7g%s on this branch; begin "
                         "from other poses of the bodies for another branch",
                         d->name, wanted, d->unit, from, d->unit, owners_text(n_accepted), end > from ? "up" : "down",
                         nearest, d->unit);
}

/* ---- Following the drives ---- */

/* Changes the pose of *state continuously until the drive d has the wanted value (follow_drives()). Also closes joints
 * that are open at the beginning. If the first attempt fails, closes the joints without d and tries again from there,
 * which may reach further. If this fails too, the message gives the value that it reached. */
static seam_status follow_position(start *self, int n_accepted, drive *d, double wanted, mbs_workspace *ws,
                                   mbs_state *state, seam_error *error) {
  d->line[0] = wanted;
  copy_motion(self->model, self->origin, state);
  seam_status status = follow_drives(self, n_accepted, state, error);
  if (status != SEAM_NOT_ASSEMBLED)
    return status;
  copy_motion(self->model, state, self->origin);
  TRY(follow_drives(self, n_accepted - 1, state, error));
  const double from = present_value(d, false, ws, state);
  status = follow_drives(self, n_accepted, state, error);
  if (status != SEAM_NOT_ASSEMBLED)
    return status;
  const double end = present_value(d, false, ws, state);
  if (is_near(d, end, from) && is_at_dead_centre(self, n_accepted - 1, d, state))
    return refuse_dead_centre(d, wanted, from, error);
  return is_near(d, end, from) ? refuse_determined(d, wanted, from, n_accepted, error)
                               : refuse_unreachable(d, wanted, from, end, n_accepted, error);
}

/* Prescribes one position after the other. Each assembly begins at a pose that satisfies all positions prescribed
 * before. */
static seam_status prescribe_positions(start *self, mbs_workspace *ws, mbs_state *state, seam_error *error) {
  int n = 0;
  for (size_t i = 0; i < self->n; i++) {
    drive *d = &self->drives[i];
    if (d->is_rate)
      continue;
    self->accepted[n++] = d->joint;
    TRY(follow_position(self, n, d, self->prescribed[i].value, ws, state, error));
  }
  return SEAM_OK;
}

/* Prescribes one rate after the other. If the joints and the preceding rates already determine a rate, this rate has no
 * drive: the function fails unless the rate has the wanted value. */
static seam_status prescribe_rates(start *self, mbs_workspace *ws, mbs_state *state, seam_error *error) {
  int n = 0;
  for (size_t i = 0; i < self->n; i++) {
    drive *d = &self->drives[i];
    if (!d->is_rate)
      continue;
    const double wanted = self->prescribed[i].value;
    const double present = present_value(d, true, ws, state);
    d->line[0] = present_value(d, false, ws, state) - wanted * state->t; /* at state->t, s keeps its present value */
    d->line[1] = wanted;
    self->accepted[n++] = d->joint;
    driven_model with;
    seam_status status = create_driven(&with, self, n, state, error);
    THEN(status, mbs_assemble_loosely(with.ws, with.state, NULL, NULL, error));
    if (status == SEAM_OK)
      copy_motion(self->model, state, with.state);
    destroy_driven(&with);
    if (status == SEAM_SINGULAR && is_near(d, present, wanted))
      n--;
    else if (status == SEAM_SINGULAR && is_at_dead_centre(self, n - 1, d, state))
      return refuse_dead_centre(d, wanted, present, error);
    else if (status == SEAM_SINGULAR)
      return refuse_determined(d, wanted, present, n, error);
    else if (status != SEAM_OK)
      return status;
  }
  return SEAM_OK;
}

/* Returns the index in z of a sampled variable or, for n_variables, of the time of the last sample; -1: not sampled. */
static int index_of_sample(const mbs_model *model, int variable) {
  const mbs_laws *laws = &model->laws;
  const bool is_sampled = variable == laws->n_variables ? laws->n_sampled > 0 : laws->variable[variable].sample > 0;
  return is_sampled ? laws->first_state + variable : -1;
}

/* Assembles with the initial values of sampled variables, so that these variables are sampled again. */
static seam_status assemble(const start *self, mbs_workspace *ws, mbs_state *state, mbs_assembly *report,
                            size_t *redundant, seam_error *error) {
  for (int i = 0; i <= self->model->laws.n_variables; i++)
    if (index_of_sample(self->model, i) >= 0)
      state->z[index_of_sample(self->model, i)] = self->sampled[i];
  return mbs_assemble(ws, state, report, redundant, error);
}

seam_status mbs_assemble_at(mbs_workspace *ws, mbs_state *state, const mbs_prescribed *prescribed, size_t n,
                            mbs_assembly *report, size_t *redundant, seam_error *error) {
  ARGUMENTS(error, ws, state, prescribed);
  TRY(mbs_state_check(__func__, ws->model, state, error));
  start all = {.model = ws->model, .prescribed = prescribed, .n = n};
  start *self = &all;
  const bool enough = true START_ARRAYS(ALLOCATE_ARRAY);
  seam_status status = enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to prescribe %zu coordinates", n);
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    self->quantities[i] = prescribed[i].quantity;
    status = make_drive(ws->model, &prescribed[i], &self->drives[i], error);
  }
  THEN(status, mbs_readout_create(ws->model, self->quantities, n, &self->readout, error));
  THEN(status, mbs_state_create(ws->model, &self->origin, error));
  for (int i = 0; i <= ws->model->laws.n_variables && status == SEAM_OK; i++)
    if (index_of_sample(ws->model, i) >= 0)
      self->sampled[i] = state->z[index_of_sample(ws->model, i)];
  THEN(status, prescribe_positions(self, ws, state, error));
  THEN(status, assemble(self, ws, state, report, redundant, error));
  THEN(status, prescribe_rates(self, ws, state, error));
  THEN(status, assemble(self, ws, state, report, redundant, error));
  if (status == SEAM_OK)
    mbs_read(self->readout, ws, state, self->values);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (!is_near(&self->drives[i], self->values[i], prescribed[i].value))
      status = refuse_determined(&self->drives[i], prescribed[i].value, self->values[i], (int)n, error);
  mbs_readout_destroy(self->readout);
  mbs_state_destroy(self->origin);
  START_ARRAYS(FREE_ARRAY)
  return status;
}

bool mbs_prescribes_coordinates(const mbs_model *model, const mbs_prescribed *prescribed, size_t n) {
  bool some = false;
  for (size_t i = 0; i < n; i++) {
    bool is_rate = false;
    find_coordinate(model, prescribed[i].quantity, &is_rate);
    some = some || !is_rate;
  }
  return some;
}

void mbs_model_start_at(mbs_model *model, const mbs_state *state, bool with_samples, bool is_asked) {
  const size_t n = 3 * (size_t)model->n_bodies;
  if (is_asked)
    memcpy(model->placed, state->q, n * sizeof *state->q);
  double *z = model->initial + 2 * n;
  memcpy(model->initial, state->q, n * sizeof *state->q);
  memcpy(model->initial + n, state->v, n * sizeof *state->v);
  const int first = model->laws.first_state, n_variables = model->laws.n_variables;
  for (int k = 0; k < model->n_states; k++) {
    const bool is_sample = k >= first && k <= first + n_variables && index_of_sample(model, k - first) >= 0;
    z[k] = is_sample && !with_samples ? z[k] : state->z[k];
  }
}

/* ---- The start of another mechanism ---- */

/* Copies values of variables by name, but not of a variable that is an input in only one of the models. If are_sampled:
 * copies variables that are sampled in both models, and the time of the last sample (after the variables in z).
 * Otherwise copies all others. */
static void copy_variables(const mbs_model *from_model, const mbs_state *from, const mbs_model *to_model,
                           bool are_sampled, mbs_state *to) {
  const mbs_laws *from_laws = &from_model->laws;
  const mbs_laws *to_laws = &to_model->laws;
  for (int i = 0; i < to_laws->n_variables; i++) {
    const size_t same = mbs_find_variable(from_model, to_laws->variable[i].name);
    if (same != SEAM_NONE && from_laws->variable[same].is_input == to_laws->variable[i].is_input &&
        are_sampled == (to_laws->variable[i].sample > 0 && from_laws->variable[same].sample > 0))
      to->z[to_laws->first_state + i] = from->z[from_laws->first_state + (int)same];
  }
  if (are_sampled && to_laws->n_sampled > 0 && from_laws->n_sampled > 0)
    to->z[to_laws->first_state + to_laws->n_variables] = from->z[from_laws->first_state + from_laws->n_variables];
}

seam_status mbs_copy_start(const mbs_model *from_model, const mbs_state *from, const mbs_model *to_model, mbs_state *to,
                           seam_error *error) {
  if (from_model == to_model) {
    mbs_state_copy(to, from);
    return SEAM_OK;
  }
  to->t = from->t;
  for (size_t i = 0; i < mbs_n_bodies(to_model); i++) {
    const size_t same = mbs_find_body(from_model, mbs_body_of(to_model, i).name);
    if (same == SEAM_NONE || same >= mbs_n_bodies(from_model))
      continue;
    memcpy(to->q + 3 * i, from->q + 3 * same, 3 * sizeof *to->q);
    memcpy(to->v + 3 * i, from->v + 3 * same, 3 * sizeof *to->v);
  }
  if (from_model->laws.first_state == to_model->laws.first_state)
    memcpy(to->z, from->z, (size_t)to_model->laws.first_state * sizeof *to->z);
  mbs_workspace *workspace = NULL;
  copy_variables(from_model, from, to_model, false, to);
  seam_status status = mbs_workspace_create(to_model, &workspace, error);
  THEN(status, mbs_sample(workspace, to, error)); /* for variables that are sampled only in to_model */
  copy_variables(from_model, from, to_model, true, to);
  THEN(status, mbs_evaluate(workspace, to, error));
  mbs_workspace_destroy(workspace);
  return status;
}
