/* Functions for shapes and names of a scene, and for points of bodies in a pose (drawing/scene_parts.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/scene_parts.h"

#include "base/grow.h"

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

scene_shape *scene_begin(scene_maker *maker, scene_class class, scene_anchor anchor) {
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
                                           .bodies = {MBS_GROUND, MBS_GROUND},
                                           .owner = maker->owner,
                                           .kind = maker->kind,
                                           .first = result->paths.n};
  return &shapes[result->n_shapes++];
}

void scene_end(scene_maker *maker) {
  scene *result = maker->scene;
  if (result->n_shapes == 0)
    return;
  scene_shape *shape = &result->shapes[result->n_shapes - 1];
  shape->length = result->paths.n - shape->first;
}

static void begin_at(scene_maker *maker, scene_class class, scene_anchor anchor, size_t body, const double at[2]) {
  scene_shape *shape = scene_begin(maker, class, anchor);
  shape->bodies[0] = body;
  memcpy(shape->at[0], at, sizeof shape->at[0]);
}

void scene_symbol(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                  const char *data) {
  const double unit = maker->scene->unit;
  begin_at(maker, class, SCENE_ON_BODY, body, at);
  path_symbol(&maker->scene->paths, data,
              path_compose(path_compose(path_scale(unit, unit), path_rotation(angle)), path_translation(at[0], at[1])));
  scene_end(maker);
}

void scene_upright(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                   const char *data) {
  const double unit = maker->scene->unit;
  begin_at(maker, class, SCENE_UPRIGHT, body, at);
  path_symbol(&maker->scene->paths, data, path_compose(path_scale(unit, unit), path_rotation(angle)));
  scene_end(maker);
}

void scene_circle(scene_maker *maker, scene_class class, size_t body, const double at[2], double radius) {
  begin_at(maker, class, SCENE_ON_BODY, body, at);
  path_circle(&maker->scene->paths, at[0], at[1], radius);
  scene_end(maker);
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

void scene_extend(void *box_to_extend, const double point[2]) {
  scene_box *box = box_to_extend;
  for (int i = 0; i < 2; i++) {
    box->low[i] = fmin(box->low[i], point[i]);
    box->high[i] = fmax(box->high[i], point[i]);
  }
}

scene_box scene_empty_box(void) { return (scene_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}; }
