#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/scene_parts.h"

#define SCENE_NAME(code, name) name,
const char *scene_class_name(scene_class class) {
  static const char *const names[] = {SCENE_CLASS_TABLE(SCENE_NAME)};
  return names[class];
}

const char *scene_anchor_name(scene_anchor anchor) {
  static const char *const names[] = {SCENE_ANCHOR_TABLE(SCENE_NAME)};
  return names[anchor];
}
#undef SCENE_NAME

typedef struct point_box {
  const double *q;
  scene_box box;
} point_box;

static void extend_by_point(void *context, size_t body, bool is_pin, const double at[2]) {
  (void)is_pin;
  point_box *points = context;
  double point[2];
  scene_point(points->q, body, at, point);
  scene_extend(&points->box, point);
}

/* Returns the width, m, of a picture with the ratio 4 : 3 that contains a box. */
static double width_of(const scene_box *box) {
  const double most = fmax(box->high[0] - box->low[0], (box->high[1] - box->low[1]) * 4 / 3);
  return most > 0 && isfinite(most) ? most : 1;
}

static int compare_lengths(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns a short length of the mechanism, m: the first decile of the lengths of rods and distance joints. INFINITY:
 * there are none. */
static double short_length(const scene_maker *maker) {
  const mbs_model *model = maker->model;
  double *lengths = calloc(mbs_n_bodies(model) + mbs_n_joints(model) + 1, sizeof *lengths);
  size_t n = 0;
  if (lengths == NULL)
    return INFINITY;
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    if (!isnan(seam_model_rod_length(maker->file, b)))
      lengths[n++] = seam_model_rod_length(maker->file, b);
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    const double *p = joint.markers[0];
    const double *q = joint.markers[1];
    if (joint.kind == MBS_DISTANCE && hypot(p[0] - q[0], p[1] - q[1]) > 0)
      lengths[n++] = hypot(p[0] - q[0], p[1] - q[1]);
  }
  qsort(lengths, n, sizeof *lengths, compare_lengths);
  const double found = n > 0 ? lengths[n / 10] : INFINITY;
  free(lengths);
  return found;
}

bool scene_is_cut(const scene *result, const size_t bodies[2]) {
  return bodies[0] != MBS_GROUND && bodies[1] != MBS_GROUND &&
         result->subsystem[bodies[0]] != result->subsystem[bodies[1]];
}

/* Finds the subsystem of each body, and the cut force elements: those between bodies of two subsystems, and those that
 * a subsystem lists although they act on a body of another subsystem. */
static seam_status read_subsystems(scene_maker *maker, bool with_cuts, seam_error *error) {
  scene *result = maker->scene;
  const mbs_model *model = maker->model;
  const cosim_definition *definition = cosim_builder_definition(with_cuts ? seam_model_cosim(maker->file) : NULL);
  result->subsystem = malloc((mbs_n_bodies(model) + 1) * sizeof *result->subsystem);
  maker->force_is_cut = calloc(mbs_n_forces(model) + 1, sizeof *maker->force_is_cut);
  maker->is_block = calloc(mbs_n_bodies(model) + 1, sizeof *maker->is_block);
  result->n_subsystems = definition->n_subsystems;
  result->subsystems = calloc(result->n_subsystems + 1, sizeof *result->subsystems);
  if (!result->subsystem || !maker->force_is_cut || !maker->is_block || !result->subsystems)
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    result->subsystem[b] = SEAM_NONE;
  for (size_t k = 0; k < result->n_subsystems; k++) {
    const cosim_subsystem_def *def = &definition->subsystems[k];
    result->subsystems[k] = def->name;
    for (size_t i = 0; i < def->n_bodies; i++) {
      const size_t body = mbs_find_body(model, def->bodies[i]);
      if (body < mbs_n_bodies(model))
        result->subsystem[body] = k;
    }
  }
  for (size_t k = 0; k < result->n_subsystems; k++)
    for (size_t i = 0; i < definition->subsystems[k].n_forces; i++) {
      const size_t force = mbs_find_force(model, definition->subsystems[k].forces[i]);
      const mbs_force_info info = mbs_force_of(model, force);
      for (int side = 0; side < 2 && force != SEAM_NONE; side++)
        maker->force_is_cut[force] |= info.bodies[side] != MBS_GROUND && result->subsystem[info.bodies[side]] != k;
    }
  for (size_t f = 0; f < mbs_n_forces(model); f++)
    maker->force_is_cut[f] |= scene_is_cut(result, mbs_force_of(model, f).bodies);
  return SEAM_OK;
}

static void add_point(void *points, const double point[2]) { path_move(points, point[0], point[1]); }

/* Returns true if a box, mapped by `map`, lies inside `other`. */
static bool is_inside(const scene_box *box, path_map map, const scene_box *other) {
  const double half[2] = {(box->high[0] - box->low[0]) / 2, (box->high[1] - box->low[1]) / 2};
  const double reach[2] = {fabs(map.a) * half[0] + fabs(map.c) * half[1],
                           fabs(map.b) * half[0] + fabs(map.d) * half[1]};
  double middle[2];
  path_apply(map, (double[2]){box->low[0] + half[0], box->low[1] + half[1]}, middle);
  return middle[0] - reach[0] >= other->low[0] && middle[0] + reach[0] <= other->high[0] &&
         middle[1] - reach[1] >= other->low[1] && middle[1] + reach[1] <= other->high[1];
}

/* Extends the box of the scene so that it contains all shapes in all poses. Computes the points of each path once, and
 * skips poses that cannot extend the box. */
static void extend_by_shapes(scene_maker *maker) {
  scene *result = maker->scene;
  const size_t n = 3 * mbs_n_bodies(maker->model);
  path_list points = {0};
  for (size_t i = 0; i < result->n_shapes; i++) {
    const scene_shape *shape = &result->shapes[i];
    scene_box box = scene_empty_box();
    points.n = 0;
    path_visit(result->paths.at + shape->first, shape->length, path_translation(0, 0), INFINITY, add_point, &points);
    for (size_t p = 0; p < points.n; p++)
      scene_extend(&box, points.at[p].to);
    for (size_t k = 0; k < maker->poses.n; k++) {
      const path_map map = scene_shape_map(shape, maker->poses.q + k * n);
      if (is_inside(&box, map, &result->box))
        continue;
      for (size_t p = 0; p < points.n; p++) {
        double mapped[2];
        path_apply(map, points.at[p].to, mapped);
        scene_extend(&result->box, mapped);
      }
    }
  }
  result->paths.exhausted |= points.exhausted;
  path_release(&points);
}

int scene_by_class(const void *a, const void *b) {
  const scene_shape *x = a;
  const scene_shape *y = b;
  if (x->class != y->class)
    return x->class < y->class ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

/* Adds all shapes. `width`: width of the picture, m. Sets scene.unit, the radius of a revolute joint, to an eighth of
 * short_length(), within limits. In a picture of 720 pixels the limits are 1.8 and 5.5 pixels. */
static void add_shapes(scene_maker *maker, double width) {
  scene *result = maker->scene;
  result->n_shapes = result->n_labels = result->n_nodes = result->paths.n = 0;
  result->unit = fmax(fmin(width / 130, short_length(maker) / 8), width / 400);
  result->text = width / 55;
  scene_add_bodies(maker);
  scene_add_joints(maker);
  scene_add_forces(maker);
  qsort(result->shapes, result->n_shapes, sizeof *result->shapes, scene_by_class);
  result->box = scene_empty_box();
  extend_by_shapes(maker);
}

seam_status scene_create(const seam_model_file *file, bool with_cuts, scene_poses poses, scene *result,
                         seam_error *error) {
  const mbs_model *model = seam_model_mechanism(file);
  *result = (scene){.model = model, .name = seam_model_name(file)};
  mbs_gravity(model, result->gravity);
  scene_maker maker = {.scene = result, .file = file, .model = model, .poses = poses};
  seam_status status = read_subsystems(&maker, with_cuts, error);
  if (status == SEAM_OK) {
    scene_lay_out(&maker);
    point_box points = {poses.q, scene_empty_box()};
    scene_visit_points(&maker, extend_by_point, &points);
    const double width = width_of(&points.box);
    add_shapes(&maker, width);
    /* makes the shapes again with a larger scale if outlines, wheels or later poses extend the box much */
    if (width_of(&result->box) > 1.3 * width)
      add_shapes(&maker, width_of(&result->box));
    scene_position_labels(result, poses.q);
    status = result->paths.exhausted ? seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted") : SEAM_OK;
  }
  free(maker.force_is_cut);
  free(maker.is_block);
  return status;
}

void scene_free(scene *result) {
  path_release(&result->paths);
  free(result->shapes);
  free(result->labels);
  free(result->nodes);
  free(result->subsystem);
  free((void *)result->subsystems);
  *result = (scene){0};
}
