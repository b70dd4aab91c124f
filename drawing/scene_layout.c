/* Points of bodies and elements as they are drawn.
 *
 * In models of oscillators, coordinates are displacements from rest, so bodies that slide along one line coincide. Such
 * bodies are drawn apart: side by side along the line, in the order of the file, at equal distances S. S is four times
 * the largest length of their springs. Springs to the ground end at a distance S from the body. Since these bodies do
 * not rotate, all that belongs to them is shifted by a constant in their frames. Thus the rules of scene.h apply, and
 * displacements are drawn to scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/scene_parts.h"

static size_t other_of(const size_t bodies[2], size_t body) { return bodies[0] == body ? bodies[1] : bodies[0]; }

/* Returns true if there are as many joints as bodies, and all joints are welds of two bodies or parallel prismatic
 * joints with the ground. `axis`: must be zero; becomes the direction of the last prismatic joint. */
static bool all_slide_along(const scene_maker *maker, double axis[2]) {
  const mbs_model *model = maker->model;
  size_t n_counted = 0;
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    n_counted++;
    if (joint.kind == MBS_FIXED && joint.bodies[0] != MBS_GROUND && joint.bodies[1] != MBS_GROUND)
      continue;
    if (joint.kind != MBS_PRISMATIC || joint.bodies[0] != MBS_GROUND)
      return false;
    const bool is_first = axis[0] == 0 && axis[1] == 0;
    if (!is_first && fabs(axis[0] * joint.axis[1] - axis[1] * joint.axis[0]) > 1e-9)
      return false;
    axis[0] = joint.axis[0];
    axis[1] = joint.axis[1];
  }
  return n_counted == mbs_n_bodies(model) && n_counted > 0;
}

void scene_lay_out(scene_maker *maker) {
  double axis[2] = {0, 0};
  double least = INFINITY; /* shortest length, in the first pose, of springs that have an axis */
  double most = 0;         /* longest length of these springs in all poses */
  if (!all_slide_along(maker, axis))
    return;
  for (size_t f = 0; f < mbs_n_forces(maker->model); f++) {
    const mbs_force_info force = mbs_force_of(maker->model, f);
    const bool has_axis = force.kind == MBS_SPRING_DAMPER && !isnan(force.axis[0]);
    for (size_t k = 0; k < maker->poses.n && has_axis; k++) {
      const double *q = maker->poses.q + 3 * mbs_n_bodies(maker->model) * k;
      double p[2][2];
      for (int side = 0; side < 2; side++)
        scene_point(q, force.bodies[side], force.markers[side], p[side]);
      const double length = hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]);
      least = k == 0 ? fmin(least, length) : least;
      most = fmax(most, length);
    }
  }
  if (least > 0.05 * most)
    return;
  const bool is_upright = fabs(axis[0]) < 1e-9;
  const double sign = is_upright ? (axis[1] > 0 ? -1 : 1) : (axis[0] > 0 ? 1 : -1);
  maker->scene->apart = most > 0 ? 4 * most : 1;
  for (int i = 0; i < 2; i++)
    maker->along[i] = sign * axis[i];
}

static void add_in_frame(const scene_maker *maker, size_t body, const double shift[2], double at[2]) {
  double pose[3];
  double own[2];
  scene_pose(maker->poses.q, body, pose);
  path_apply(path_rotation(-pose[2]), shift, own);
  at[0] += own[0];
  at[1] += own[1];
}

static void shift_of(const scene_maker *maker, size_t body, double shift[2]) {
  for (int i = 0; i < 2; i++)
    shift[i] = body == MBS_GROUND ? 0 : maker->scene->apart * (double)body * maker->along[i];
}

void scene_centre(const scene_maker *maker, size_t body, double at[2]) {
  double shift[2];
  at[0] = at[1] = 0;
  shift_of(maker, body, shift);
  add_in_frame(maker, body, shift, at);
}

bool scene_joint_point(const scene_maker *maker, size_t joint, int side, double at[2]) {
  double shift[2];
  const mbs_joint_info info = mbs_joint_of(maker->model, joint);
  memcpy(at, info.markers[side], sizeof info.markers[side]);
  if (isnan(at[0]) || maker->scene->apart == 0)
    return !isnan(at[0]);
  if (info.bodies[side] != MBS_GROUND)
    scene_centre(maker, info.bodies[side], at);
  else {
    shift_of(maker, other_of(info.bodies, MBS_GROUND), shift);
    add_in_frame(maker, MBS_GROUND, shift, at);
  }
  return true;
}

/* Returns the index of a force element among those between the same two bodies, which are drawn side by side. *n:
 * number of these elements. */
static size_t lane_of(const mbs_model *model, size_t force, size_t *n) {
  const mbs_force_info own = mbs_force_of(model, force);
  size_t lane = 0;
  *n = 0;
  for (size_t f = 0; f < mbs_n_forces(model); f++) {
    const mbs_force_info info = mbs_force_of(model, f);
    const bool is_beside = !isnan(info.markers[1][0]) && other_of(info.bodies, own.bodies[0]) == own.bodies[1] &&
                           other_of(info.bodies, own.bodies[1]) == own.bodies[0];
    lane += is_beside && f < force;
    *n += is_beside;
  }
  return lane;
}

bool scene_force_point(const scene_maker *maker, size_t force, int side, double at[2]) {
  double shift[2];
  const mbs_force_info info = mbs_force_of(maker->model, force);
  memcpy(at, info.markers[side], sizeof info.markers[side]);
  if (isnan(at[0]) || maker->scene->apart == 0)
    return !isnan(at[0]);
  size_t n_lanes = 0;
  const double lane = (double)lane_of(maker->model, force, &n_lanes) - ((double)n_lanes - 1) / 2;
  const double across[2] = {-maker->along[1] * 3.4 * maker->scene->unit * lane,
                            maker->along[0] * 3.4 * maker->scene->unit * lane};
  if (info.bodies[side] != MBS_GROUND)
    scene_centre(maker, info.bodies[side], at);
  else {
    const size_t body = other_of(info.bodies, MBS_GROUND);
    const bool is_before = 2 * (body + 1) <= mbs_n_bodies(maker->model) || (body == 0 && fabs(maker->along[0]) > 1e-9);
    shift_of(maker, body, shift);
    for (int i = 0; i < 2; i++)
      shift[i] += (is_before ? -1 : 1) * maker->scene->apart * maker->along[i];
    add_in_frame(maker, MBS_GROUND, shift, at);
  }
  add_in_frame(maker, info.bodies[side], across, at);
  return true;
}

static void visit_body(const scene_maker *maker, size_t body, scene_visitor visit, void *context) {
  const seam_model_file *file = maker->file;
  const double half = seam_model_rod_length(file, body) / 2;
  double at[2];
  scene_centre(maker, body, at);
  visit(context, body, false, at);
  if (!isnan(half))
    for (int end = -1; end <= 1; end += 2)
      visit(context, body, false, (double[2]){at[0] + end * half, at[1]});
  for (size_t k = 0; k < seam_model_n_outlines(file, body); k++) {
    const seam_outline *part = seam_model_outline(file, body, k);
    for (size_t i = 0; i < part->n && part->points != NULL; i++)
      visit(context, body, false, (double[2]){at[0] + part->points[i][0], at[1] + part->points[i][1]});
    for (int i = 0; i < 4 && part->points == NULL; i++)
      visit(context, body, false,
            (double[2]){at[0] + part->center[0] + part->radius * (i < 2 ? 2 * i - 1 : 0),
                        at[1] + part->center[1] + part->radius * (i < 2 ? 0 : 2 * i - 5)});
  }
}

void scene_visit_points(const scene_maker *maker, scene_visitor visit, void *context) {
  const mbs_model *model = maker->model;
  double at[2];
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    visit_body(maker, b, visit, context);
  for (int side = 0; side < 2; side++) {
    for (size_t j = 0; j < mbs_n_joints(model); j++) {
      const mbs_joint_info joint = mbs_joint_of(model, j);
      if (scene_joint_point(maker, j, side, at))
        visit(context, joint.bodies[side], joint.kind != MBS_PRISMATIC, at);
    }
    for (size_t f = 0; f < mbs_n_forces(model); f++)
      if (scene_force_point(maker, f, side, at))
        visit(context, mbs_force_of(model, f).bodies[side], false, at);
  }
}
