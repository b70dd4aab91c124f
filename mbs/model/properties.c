/* Properties that the definitions of bodies and elements gave a model: places, axes, numbers. */
#include <math.h>
#include <string.h>

#include "mbs/model/model.h"

static const mbs_joint *joint_at(const mbs_model *model, size_t joint) {
  return joint < mbs_n_joints(model) ? &model->joints[joint] : NULL;
}

static const mbs_force *force_at(const mbs_model *model, size_t force) {
  return force < mbs_n_forces(model) ? &model->forces[force] : NULL;
}

/* NULL: there is none. */
static bool give(const mbs_vector *from, double to[2]) {
  to[0] = from != NULL ? from->x : NAN;
  to[1] = from != NULL ? from->y : NAN;
  return from != NULL;
}

void mbs_gravity(const mbs_model *model, double gravity[2]) {
  for (int i = 0; i < 2; i++)
    gravity[i] = model == NULL ? NAN : model->gravity[i];
}

void mbs_body_mass(const mbs_model *model, size_t body, double *mass, double *inertia) {
  const bool exists = body < mbs_n_bodies(model);
  *mass = exists ? model->mass[3 * (body + 1)] : NAN;
  *inertia = !exists ? NAN : mbs_is_point(model, (int)body + 1) ? 0 : model->mass[3 * (body + 1) + 2];
}

bool mbs_joint_marker(const mbs_model *model, size_t joint, int side, double place[2]) {
  const mbs_joint *at = joint_at(model, joint);
  const bool exists = at != NULL && at->type->has_markers && (side == 0 || side == 1);
  return give(exists ? &at->marker[side] : NULL, place);
}

bool mbs_force_marker(const mbs_model *model, size_t force, int side, double place[2]) {
  const mbs_force *at = force_at(model, force);
  const mbs_force_type *row = at != NULL ? mbs_force_kind_row(at->kind) : NULL;
  const bool exists = row != NULL && row->has_markers && side >= 0 && (size_t)side < row->max_bodies && side < 2;
  return give(exists ? &at->marker[side] : NULL, place);
}

bool mbs_joint_axis(const mbs_model *model, size_t joint, double axis[2]) {
  const mbs_joint *at = joint_at(model, joint);
  return give(at != NULL && at->type->has_axis ? &at->axis : NULL, axis);
}

bool mbs_force_axis(const mbs_model *model, size_t force, double axis[2]) {
  const mbs_force *at = force_at(model, force);
  const bool has_one = at != NULL && at->kind == MBS_SPRING_DAMPER && (at->axis.x != 0 || at->axis.y != 0);
  return give(has_one ? &at->axis : NULL, axis);
}

double mbs_joint_ratio(const mbs_model *model, size_t joint) {
  const mbs_joint *at = joint_at(model, joint);
  return at != NULL && at->kind == MBS_GEAR ? at->ratio : NAN;
}

bool mbs_joint_radii(const mbs_model *model, size_t joint, double radii[2]) {
  const mbs_joint *at = joint_at(model, joint);
  const bool has_radii =
      at != NULL && (at->kind == MBS_RACK || at->kind == MBS_BELT || at->kind == MBS_CURVE || at->kind == MBS_ROLLING);
  for (int i = 0; i < 2; i++)
    radii[i] = has_radii ? at->radius[i] : NAN;
  return has_radii;
}

bool mbs_force_radii(const mbs_model *model, size_t force, double radii[2]) {
  const mbs_force *at = force_at(model, force);
  const bool has_radii =
      at != NULL && (at->kind == MBS_ELASTIC_BELT || at->kind == MBS_CONTACT || at->kind == MBS_CABLE);
  for (int i = 0; i < 2; i++)
    radii[i] = has_radii ? at->radius[i] : NAN;
  return has_radii;
}

bool mbs_force_line(const mbs_model *model, size_t force, double line[2]) {
  const mbs_force *at = force_at(model, force);
  return give(at != NULL && at->kind == MBS_CONTACT && at->contact.has_line ? &at->axis : NULL, line);
}

mbs_motion_of mbs_joint_motion_of(const mbs_model *model, size_t joint) {
  const mbs_joint *at = joint_at(model, joint);
  return at != NULL && at->kind == MBS_MOTION ? at->of : MBS_MOTIONS;
}

void mbs_force_coefficients(const mbs_model *model, size_t force, double stiffness[3], double damping[3]) {
  const mbs_force *at = force_at(model, force);
  const bool exists = at != NULL && at->elastic[0].nonlinear.value == NULL && !mbs_is_one_sided(&at->elastic[0]);
  for (int i = 0; i < 3; i++) {
    stiffness[i] = exists ? at->elastic[i].stiffness : NAN;
    damping[i] = exists ? at->elastic[i].damping : NAN;
  }
}

void mbs_applied_load(const mbs_model *model, size_t force, double t, double load[2], bool *in_body_axes) {
  const mbs_force *at = force_at(model, force);
  const bool is_applied = at != NULL && (at->kind == MBS_POINT_FORCE || at->kind == MBS_TORQUE);
  for (int i = 0; i < 2; i++) {
    load[i] = is_applied ? 0 : NAN;
    if (is_applied && at->load[i].value != NULL)
      load[i] = at->load[i].value(at->load[i].data, (double[2]){t, 0});
  }
  if (in_body_axes != NULL)
    *in_body_axes = is_applied && at->body_axes;
}

size_t mbs_n_events(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_events; }

const char *mbs_event_name(const mbs_model *model, size_t event) {
  return event < mbs_n_events(model) ? model->events[event].name : NULL;
}

bool mbs_event_stops(const mbs_model *model, size_t event) {
  return event < mbs_n_events(model) && model->events[event].stops;
}
