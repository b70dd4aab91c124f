#include "base/arrays.h"
#include "mbs/build/builder.h"
#include "mbs/dynamics/scales.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/contact/impact.h"
#include "mbs/model/friction.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/thresholds.h"

/* ---- Point masses ---- */

/* Point masses are bodies without inertia, which do not rotate. No element may exert a torque on them. So no coordinate
 * of a joint or force element may depend on their angle, in any pose, and forces must act at their centre of mass.
 * Their equation of rotation, J φ'' = 0, gets the inertia J = m L² (L: the scale of length), which has no effect. */

/* Returns true if a coordinate depends on the angle of the body on a side by more than round-off. */
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
  /* A force on the rim of a disc exerts a torque. But a cable slides over its discs without a torque. The discs at its
   * ends are an exception, which the loop below finds in J. */
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

/* ---- Lists and weights ---- */

/* Returns the distance, m, of a joint's marker from the centre of mass of its body. Returns 0 for the ground, and for
 * distances so small that they may be round-off of global coordinates. */
static double arm_of(const mbs_model *model, const mbs_joint *joint, int side) {
  if (joint->body[side] == 0)
    return 0;
  const double *q = model->initial + 3 * (joint->body[side] - 1);
  const double arm = hypot(joint->marker[side].x, joint->marker[side].y);
  return arm > mbs_difference_rounding * hypot(q[0], q[1]) ? arm : 0;
}

/* Fills drift_weight, with 1/r² for rotations (model.h). These entries hold r² until the last loop. */
static void weigh_drift(mbs_model *model) {
  double *weight = model->drift_weight;
  for (int i = 3; i < 3 * (model->n_bodies + 1); i++)
    weight[i] = i % 3 == 2 ? model->mass[i] / model->mass[i - 2] : 1;
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
    for (int side = 0; side < 2; side++) {
      const int rotation = 3 * joint->body[side] + 2;
      weight[rotation] = fmax(weight[rotation], pow(arm_of(model, joint, side), 2));
    }
  for (int i = 3; i < 3 * (model->n_bodies + 1); i++)
    weight[i] = weight[i] > 0 ? model->unit_weight[i] / weight[i] : 0;
}

static void list_states(mbs_model *model) {
  const double never = -1;
  double *start = model->initial + 6 * model->n_bodies;
  for (int i = 0; i < model->laws.n_variables; i++)
    start[model->laws.first_state + i] = model->laws.variable[i].start;
  if (model->laws.n_sampled > 0)
    start[model->laws.first_state + model->laws.n_variables] = never;
  for (int k = 0; k < model->switching.n_modes; k++)
    start[model->switching.first_mode + k] = MBS_BY_MOTION;
  for (int i = 0; i < model->n_forces; i++) {
    const mbs_force *force = &model->forces[i];
    if (force->type->states == NULL)
      continue;
    model->stateful[model->n_stateful++] = i;
    memcpy(start + force->state, force->start, (size_t)force->type->states->n * sizeof *force->start);
  }
}

/* Sets n_alike: counts consecutive elements of the same type, which are evaluated in one call. */
static void count_alike(mbs_model *model) {
  mbs_joint *joints = model->joints;
  mbs_force *forces = model->forces;
  for (int i = model->n_joints - 1; i >= 0; i--)
    joints[i].n_alike = i + 1 < model->n_joints && joints[i].type == joints[i + 1].type ? joints[i + 1].n_alike + 1 : 1;
  for (int i = model->n_forces - 1; i >= 0; i--) {
    const bool goes_on = i + 1 < model->n_forces && forces[i].type == forces[i + 1].type && forces[i].cut_port < 0 &&
                         forces[i + 1].cut_port < 0;
    forces[i].n_alike = goes_on ? forces[i + 1].n_alike + 1 : 1;
  }
}

static void list_rows(mbs_model *model) {
  for (int j = 0; j < model->n_joints; j++) {
    const mbs_joint *joint = &model->joints[j];
    const mbs_joint_type *type = joint->type;
    model->n_stick_rows += type->can_stick;
    model->n_nonholonomic += type->is_nonholonomic ? type->n_rows : 0;
    model->joint_rows[j] = (mbs_joint_rows){{joint->body[0], joint->body[1]}, joint->row, type->n_rows, type->is_pin};
    model->joint_geometry[j] = (mbs_joint_geometry){.frame = {joint->frame[0], joint->frame[1]},
                                                    .row = joint->row,
                                                    .marker = {joint->marker[0], joint->marker[1]},
                                                    .rest = type->rest_row >= 0 ? joint->rest[type->rest_row] : 0};
    for (int k = 0; k < type->n_rows; k++) {
      model->joint_of_row[joint->row + k] = j;
      model->row_is_angle[joint->row + k] = type->is_angle[k];
    }
  }
}

static void list_ends(mbs_model *model) {
  /* For each body: first the number of its joint ends, later the index at which its next end is stored. */
  int *next = model->first_end + 1;
  for (int j = 0; j < model->n_joints; j++)
    for (int side = 0; side < 2; side++)
      if (model->joints[j].body[side] != 0)
        next[model->joints[j].body[side]]++;
  for (int b = 0; b < model->n_bodies; b++)
    next[b + 1] += next[b];
  for (int j = 0; j < model->n_joints; j++)
    for (int side = 0; side < 2; side++) {
      const mbs_joint *joint = &model->joints[j];
      if (joint->body[side] != 0)
        model->joint_ends[next[joint->body[side] - 1]++] = (mbs_joint_end){
            joint->row, joint->type->n_rows, 6 * joint->row + 3 * side, joint->type->is_pin ? 2 * side - 1 : 0};
    }
}

/* Lists for each body the loads that act on it: fills load_ends and first_load (model.h). Hard contacts have no
 * loads. */
static void list_loads(mbs_model *model) {
  int *next = model->first_load + 1;
  for (int fill = 0; fill < 2; fill++) {
    for (int i = 0; i < model->n_forces; i++)
      for (int side = 0; side < 2; side++) {
        const int body = model->forces[i].body[side];
        if (body == 0 || model->forces[i].type->is_hard)
          continue;
        if (fill)
          model->load_ends[next[body - 1]++] = 6 * i + 3 * side;
        else
          next[body]++;
      }
    for (int b = 0; b < model->n_bodies && !fill; b++)
      next[b + 1] += next[b];
  }
}

/* ---- Model ---- */

#define FINISHED_ARRAYS(X)                                                                                             \
  X(model, nominal, (size_t)model->n_states)                                                                           \
  X(model, stateful, (size_t)model->n_states)                                                                          \
  X(model, hard, (size_t)model->n_forces)                                                                              \
  X(model, gravity_load, 3 * ((size_t)model->n_bodies + 1))                                                            \
  X(model, assembly_weight, 3 * ((size_t)model->n_bodies + 1))                                                         \
  X(model, drift_weight, 3 * ((size_t)model->n_bodies + 1))                                                            \
  X(model, joint_of_row, (size_t)model->n_rows)                                                                        \
  X(model, joint_rows, (size_t)model->n_joints)                                                                        \
  X(model, joint_geometry, (size_t)model->n_joints)                                                                    \
  X(model, joint_ends, 2 * (size_t)model->n_joints)                                                                    \
  X(model, first_end, (size_t)model->n_bodies + 2)                                                                     \
  X(model, load_ends, n_loads)                                                                                         \
  X(model, first_load, (size_t)model->n_bodies + 2)                                                                    \
  X(model, is_redundant, (size_t)model->n_rows)                                                                        \
  X(model, row_is_angle, (size_t)model->n_rows)

seam_status mbs_model_finish(mbs_model *model, seam_error *error) {
  model->n_work = 2 + model->n_ports;
  const size_t n_loads = mbs_is_large(model) ? 2 * (size_t)model->n_forces : 0;
  const bool enough = true FINISHED_ARRAYS(ALLOCATE_ARRAY);
  if (!enough)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a model of %d bodies", model->n_bodies);
  mbs_scales_begin(model);
  for (int b = 1; b <= model->n_bodies; b++)
    if (mbs_is_point(model, b)) {
      model->n_points++;
      model->mass[3 * b + 2] = model->mass[3 * b] * model->scales.length * model->scales.length;
    }
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
    model->size = fmax(model->size, fmax(arm_of(model, joint, 0), arm_of(model, joint, 1)));
  if (model->size == 0)
    model->size = model->scales.length;
  weigh_drift(model);
  for (int i = 0; i < 3 * (model->n_bodies + 1); i++) {
    model->assembly_weight[i] = model->unit_weight[i] / (i % 3 == 2 ? model->size * model->size : 1);
    model->gravity_load[i] = i % 3 == 2 ? 0 : model->mass[i] * model->gravity[i % 3];
  }
  for (int i = 0; i < model->n_forces; i++)
    if (model->forces[i].type->is_hard) {
      model->forces[i].hard = model->n_hard;
      model->hard[model->n_hard++] = i;
    } else if (model->forces[i].cable != NULL && model->forces[i].cable->is_hard)
      model->forces[i].hard = model->n_segments++;
  TRY(mbs_check_hard(model, error));
  list_states(model);
  count_alike(model);
  list_rows(model);
  list_ends(model);
  if (mbs_is_large(model))
    list_loads(model);
  return mbs_elimination_create(&model->elimination, model->joints, model->n_joints, model->n_bodies, error);
}

void mbs_model_destroy(mbs_model *model) {
  if (model == NULL)
    return;
  for (int i = 0; i < model->n_joints; i++)
    mbs_destroy_law(&model->joints[i].law);
  for (int i = 0; i < model->n_forces; i++) {
    mbs_destroy_law(&model->forces[i].elastic[0].nonlinear);
    for (int k = 0; k < 2; k++)
      mbs_destroy_law(&model->forces[i].load[k]);
  }
  for (int i = 0; i < model->n_measures; i++)
    mbs_measure_release(&model->measures[i]);
  for (int i = 0; i < model->n_events; i++)
    mbs_event_release(&model->events[i]);
  mbs_laws_release(&model->laws);
  for (int i = 0; i < model->n_curves; i++)
    mbs_curve_destroy(model->curves[i]);
  free((void *)model->curves);
  mbs_elimination_destroy(&model->elimination);
  mbs_names_destroy(model->names);
  FINISHED_ARRAYS(FREE_ARRAY)
  free(model->body_name);
  free(model->mass);
  free(model->inverse_mass);
  free(model->unit_weight);
  free(model->initial);
  free(model->placed);
  free(model->is_rough);
  free(model->port_frames);
  free(model->joints);
  free(model->forces);
  free(model->measures);
  free(model->events);
  free(model->switching.row);
  free(model->redundant);
  free(model->cleared);
  free(model);
}
