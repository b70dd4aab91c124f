/* Point masses: bodies without inertia, which do not rotate. No element may exert a torque on them: the coordinates of
 * joints and force elements must not depend on the angle of a point mass in any pose, and forces must act at its centre
 * of mass. Their equation of rotation, J φ'' = 0, gets the inertia J = m L² (L: the scale of length), which has no
 * effect. */
#include <math.h>

#include "mbs/model/builder.h"
#include "mbs/thresholds.h"

/* Returns true if a coordinate of a pair of markers depends on the angle of the body on side 0 or 1 by more than
 * round-off. */
static bool depends_on_angle(const mbs_pair *pair, const mbs_relative_coordinate *coordinate, int side) {
  const mbs_frame *const *frame = pair->frame;
  const double distance = hypot(frame[1]->x - frame[0]->x, frame[1]->y - frame[0]->y);
  return fabs(coordinate->J[3 * side + 2]) > mbs_difference_rounding * distance;
}

static bool joint_has_torque(const mbs_joint *joint, int side) {
  const mbs_pair pair = mbs_generic_pair(joint->marker);
  mbs_relative_coordinate s[mbs_max_rows];
  joint->type->find_coordinates(joint, &pair, s);
  for (int i = 0; i < joint->type->n_rows; i++)
    if (depends_on_angle(&pair, &s[i], side))
      return true;
  return false;
}

static bool force_has_torque(const mbs_force *force, int side) {
  if (force->kind == MBS_VISCOUS)
    return false; /* a point mass has no angular rate */
  if (force->kind == MBS_TORQUE)
    return true;
  /* A force at a radius exerts a torque. But a cable slides over its discs without a torque, except at its ends: for
   * these the loop below tests J. */
  if (force->radius[side] != 0 && force->cable == NULL)
    return true;
  if (force->type->n_coordinates == 0)
    return force->marker[side].x != 0 || force->marker[side].y != 0;
  const mbs_pair pair = mbs_generic_pair(force->marker);
  mbs_relative_coordinate s[3];
  force->type->find_coordinates(force, &pair, s);
  for (int i = 0; i < force->type->n_coordinates; i++) {
    const mbs_elastic_law *law = &force->elastic[i];
    const bool is_used =
        force->kind != MBS_BUSHING || law->stiffness != 0 || law->damping != 0 || law->nonlinear.value != NULL;
    if (is_used && depends_on_angle(&pair, &s[i], side))
      return true;
  }
  return false;
}

static seam_status refuse(const mbs_model *model, int body, const char *what, const char *name, seam_error *error) {
  return seam_fail_about(error, SEAM_BAD_INPUT, name,
                         "%s '%s' exerts a torque on body '%s', which has inertia 0: place the element at the body's "
                         "centre of mass, take one without torque, or give the body an inertia",
                         what, name, model->body_name[body]);
}

seam_status mbs_point_masses_check(const mbs_model *model, seam_error *error) {
  if (model->n_points == 0)
    return SEAM_OK;
  for (int side = 0; side < 2; side++) {
    for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
      if (mbs_is_point(model, joint->body[side]) && joint_has_torque(joint, side))
        return refuse(model, joint->body[side], "joint", joint->name, error);
    for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
      if (mbs_is_point(model, force->body[side]) && force_has_torque(force, side))
        return refuse(model, force->body[side], "force", force->name, error);
  }
  return SEAM_OK;
}

void mbs_point_masses_finish(mbs_model *model) {
  model->n_points = 0;
  for (int b = 1; b <= model->n_bodies; b++) {
    if (!mbs_is_point(model, b))
      continue;
    model->n_points++;
    model->mass[3 * b + 2] = model->mass[3 * b] * model->scales.length * model->scales.length;
  }
}
