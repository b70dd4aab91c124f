/* Points and shapes of a scene, which other files combine to draw bodies, joints and force elements.
 *
 * In models of oscillators, coordinates are displacements from rest, so bodies that slide along one line coincide. Such
 * bodies are drawn apart: along the line, in the order of the file, at equal distances S. S is four times the largest
 * length of their springs, or 1 m if this length is 0. Springs to the ground end at a distance S from the body. The
 * bodies do not rotate, so that a shift in the frame of a body is constant. It applies to all shapes of the body. Thus
 * the rules of scene.h apply, and displacements are drawn to scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "drawing/scene_parts.h"

/* ---- Points in a pose ---- */

void scene_pose(const double *q, size_t body, double pose[3]) {
  static const double ground[3] = {0, 0, 0};
  memcpy(pose, body == MBS_GROUND ? ground : q + 3 * body, 3 * sizeof *pose);
}

static path_map frame_of(const double *q, size_t body) {
  double pose[3];
  scene_pose(q, body, pose);
  return path_compose(path_rotation(pose[2]), path_translation(pose[0], pose[1]));
}

void scene_point(const double *q, size_t body, const double at[2], double point[2]) {
  path_apply(frame_of(q, body), at, point);
}

void scene_local(const double *q, size_t body, const double point[2], double at[2]) {
  double pose[3];
  scene_pose(q, body, pose);
  path_apply(path_rotation(-pose[2]), (double[2]){point[0] - pose[0], point[1] - pose[1]}, at);
}

/* ---- Points as they are drawn ---- */

static size_t other_of(const size_t bodies[2], size_t body) { return bodies[0] == body ? bodies[1] : bodies[0]; }

/* Returns true if there are as many joints as bodies, and each joint is a weld of two bodies or a prismatic joint with
 * the ground, all parallel. `axis`: must be zero; becomes the direction of the last prismatic joint. */
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

size_t scene_first_side(const scene_maker *maker, size_t body) {
  return maker->first_side[body == MBS_GROUND ? mbs_n_bodies(maker->model) : body];
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

/* Returns the index of a force element among the *n between the same two bodies, which are drawn side by side. */
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

static void add_point(scene_maker *maker, size_t body, bool is_pin, double x, double y) {
  scene_body_point *points =
      scene_reserve(maker->scene, maker->points, maker->n_points, &maker->point_capacity, sizeof *points);
  if (points == NULL)
    return;
  maker->points = points;
  points[maker->n_points] = (scene_body_point){body, maker->n_points, is_pin, {x, y}};
  maker->n_points++;
}

static void add_points_of_body(scene_maker *maker, size_t body) {
  const seam_model_file *file = maker->file;
  const double half = seam_model_rod_length(file, body) / 2;
  double at[2];
  scene_centre(maker, body, at);
  add_point(maker, body, false, at[0], at[1]);
  if (!isnan(half))
    for (int end = -1; end <= 1; end += 2)
      add_point(maker, body, false, at[0] + end * half, at[1]);
  for (size_t k = 0; k < seam_model_n_outlines(file, body); k++) {
    const seam_outline *part = seam_model_outline(file, body, k);
    for (size_t i = 0; i < part->n && part->points != NULL; i++)
      add_point(maker, body, false, at[0] + part->points[i][0], at[1] + part->points[i][1]);
    for (int i = 0; i < 4 && part->points == NULL; i++)
      add_point(maker, body, false, at[0] + part->center[0] + part->radius * (i < 2 ? 2 * i - 1 : 0),
                at[1] + part->center[1] + part->radius * (i < 2 ? 0 : 2 * i - 5));
  }
}

void scene_list_points(scene_maker *maker) {
  const mbs_model *model = maker->model;
  double at[2];
  maker->n_points = 0;
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    add_points_of_body(maker, b);
  for (int side = 0; side < 2; side++) {
    for (size_t j = 0; j < mbs_n_joints(model); j++) {
      const mbs_joint_info joint = mbs_joint_of(model, j);
      if (scene_joint_point(maker, j, side, at))
        add_point(maker, joint.bodies[side], joint.kind != MBS_PRISMATIC, at[0], at[1]);
    }
    for (size_t f = 0; f < mbs_n_forces(model); f++)
      if (scene_force_point(maker, f, side, at))
        add_point(maker, mbs_force_of(model, f).bodies[side], false, at[0], at[1]);
  }
}

void scene_extend(void *box_to_extend, const double point[2]) {
  scene_box *box = box_to_extend;
  for (int i = 0; i < 2; i++) {
    box->low[i] = fmin(box->low[i], point[i]);
    box->high[i] = fmax(box->high[i], point[i]);
  }
}

scene_box scene_empty_box(void) { return (scene_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}; }

/* ---- Shapes and names ---- */

path_map scene_shape_map(const scene_shape *shape, const double *q) {
  double p[2];
  double to[2];
  if (shape->anchor == SCENE_ON_BODY)
    return frame_of(q, shape->bodies[0]);
  if (shape->anchor == SCENE_CABLE)
    return path_translation(0, 0);
  scene_point(q, shape->bodies[0], shape->at[0], p);
  if (shape->anchor == SCENE_UPRIGHT)
    return path_translation(p[0], p[1]);
  scene_point(q, shape->bodies[1], shape->at[1], to);
  const double length = hypot(to[0] - p[0], to[1] - p[1]);
  const double e[2] = {length > 0 ? (to[0] - p[0]) / length : 1, length > 0 ? (to[1] - p[1]) / length : 0};
  const double *from = shape->anchor == SCENE_AT_SECOND ? to : p;
  const double inset = shape->anchor == SCENE_AT_SECOND ? -shape->inset : shape->inset;
  const double x = shape->anchor == SCENE_STRETCHED ? fmax(length - 2 * shape->inset, 0) : 1;
  return (path_map){x * e[0], x * e[1], -e[1], e[0], from[0] + inset * e[0], from[1] + inset * e[1]};
}

void *scene_reserve(scene *result, void *items, size_t n, size_t *capacity, size_t size) {
  void *grown = array_grow(items, capacity, n + 1, size);
  result->paths.exhausted |= grown == NULL;
  return grown;
}

scene_shape *scene_begin(scene_maker *maker, scene_class class, scene_anchor anchor, size_t body, const double *at) {
  scene *result = maker->scene;
  scene_shape *shapes =
      scene_reserve(result, result->shapes, result->n_shapes, &result->shape_capacity, sizeof *shapes);
  if (shapes == NULL) {
    static scene_shape spare;
    return &spare;
  }
  result->shapes = shapes;
  shapes[result->n_shapes] = (scene_shape){.class = class,
                                           .anchor = anchor,
                                           .bodies = {body, MBS_GROUND},
                                           .at = {{at != NULL ? at[0] : 0, at != NULL ? at[1] : 0}},
                                           .owner = maker->owner,
                                           .kind = maker->kind,
                                           .first = result->paths.n};
  return &shapes[result->n_shapes++];
}

void scene_symbol(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                  const char *data) {
  const double unit = maker->scene->unit;
  scene_begin(maker, class, SCENE_ON_BODY, body, at);
  path_symbol(&maker->scene->paths, data,
              path_compose(path_compose(path_scale(unit, unit), path_rotation(angle)), path_translation(at[0], at[1])));
}

void scene_upright(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                   const char *data) {
  const double unit = maker->scene->unit;
  scene_begin(maker, class, SCENE_UPRIGHT, body, at);
  path_symbol(&maker->scene->paths, data, path_compose(path_scale(unit, unit), path_rotation(angle)));
}

void scene_circle(scene_maker *maker, scene_class class, size_t body, const double at[2], double radius) {
  scene_begin(maker, class, SCENE_ON_BODY, body, at);
  path_circle(&maker->scene->paths, at[0], at[1], radius);
}

void scene_name(scene_maker *maker, size_t body, const double at[2]) {
  scene *result = maker->scene;
  scene_label *labels =
      scene_reserve(result, result->labels, result->n_labels, &result->label_capacity, sizeof *labels);
  if (labels == NULL)
    return;
  result->labels = labels;
  labels[result->n_labels++] = (scene_label){.text = maker->owner,
                                             .kind = maker->kind,
                                             .is_body = strcmp(maker->kind, "body") == 0,
                                             .body = body,
                                             .at = {at[0], at[1]}};
}

bool scene_is_cut(const scene *result, const size_t bodies[2]) {
  return bodies[0] != MBS_GROUND && bodies[1] != MBS_GROUND &&
         result->subsystem[bodies[0]] != result->subsystem[bodies[1]];
}
