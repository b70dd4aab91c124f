#include "drawing/scene.h"

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

/* ---- Placing ---- */

void scene_pose(const double *q, size_t body, double pose[3]) {
  static const double ground[3] = {0, 0, 0};
  memcpy(pose, body == MBS_GROUND ? ground : q + 3 * body, 3 * sizeof *pose);
}

static path_map frame_of(const double *q, size_t body) {
  double pose[3];
  scene_pose(q, body, pose);
  return path_then(path_turn(pose[2]), path_shift(pose[0], pose[1]));
}

void scene_point(const double *q, size_t body, const double at[2], double point[2]) {
  path_apply(frame_of(q, body), at, point);
}

void scene_local(const double *q, size_t body, const double point[2], double at[2]) {
  double pose[3];
  scene_pose(q, body, pose);
  path_apply(path_turn(-pose[2]), (double[2]){point[0] - pose[0], point[1] - pose[1]}, at);
}

path_map scene_place(const scene_shape *shape, const double *q) {
  double p[2];
  double to[2];
  if (shape->anchor == SCENE_ON_BODY)
    return frame_of(q, shape->bodies[0]);
  if (shape->anchor == SCENE_CABLE)
    return path_shift(0, 0);
  scene_point(q, shape->bodies[0], shape->at[0], p);
  if (shape->anchor == SCENE_UPRIGHT)
    return path_shift(p[0], p[1]);
  scene_point(q, shape->bodies[1], shape->at[1], to);
  const double length = hypot(to[0] - p[0], to[1] - p[1]);
  const double e[2] = {length > 0 ? (to[0] - p[0]) / length : 1, length > 0 ? (to[1] - p[1]) / length : 0};
  const double *from = shape->anchor == SCENE_AT_SECOND ? to : p;
  const double inset = shape->anchor == SCENE_AT_SECOND ? -shape->inset : shape->inset;
  const double x = shape->anchor == SCENE_STRETCHED ? fmax(length - 2 * shape->inset, 0) : 1;
  return (path_map){x * e[0], x * e[1], -e[1], e[0], from[0] + inset * e[0], from[1] + inset * e[1]};
}

/* ---- Shapes ---- */

scene_shape *scene_begin(scene_maker *maker, scene_class class, scene_anchor anchor) {
  scene *made = maker->made;
  if (made->n_shapes == made->shape_room) {
    const size_t room = 2 * made->shape_room + 64;
    scene_shape *grown = realloc(made->shapes, room * sizeof *grown);
    if (grown == NULL) {
      static scene_shape lost;
      made->paths.exhausted = true;
      return &lost;
    }
    made->shapes = grown;
    made->shape_room = room;
  }
  scene_shape *shape = &made->shapes[made->n_shapes++];
  *shape = (scene_shape){.class = class,
                         .anchor = anchor,
                         .bodies = {MBS_GROUND, MBS_GROUND},
                         .owner = maker->owner,
                         .kind = maker->kind,
                         .first = made->paths.n};
  return shape;
}

void scene_end(scene_maker *maker) {
  scene *made = maker->made;
  if (made->n_shapes == 0)
    return;
  scene_shape *shape = &made->shapes[made->n_shapes - 1];
  shape->length = made->paths.n - shape->first;
}

static void begin_on_body(scene_maker *maker, scene_class class, size_t body, const double at[2]) {
  scene_shape *shape = scene_begin(maker, class, SCENE_ON_BODY);
  shape->bodies[0] = body;
  memcpy(shape->at[0], at, sizeof shape->at[0]);
}

void scene_symbol(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                  const char *data) {
  const double unit = maker->made->unit;
  begin_on_body(maker, class, body, at);
  path_symbol(&maker->made->paths, data,
              path_then(path_then(path_scale(unit, unit), path_turn(angle)), path_shift(at[0], at[1])));
  scene_end(maker);
}

void scene_upright(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                   const char *data) {
  const double unit = maker->made->unit;
  scene_shape *shape = scene_begin(maker, class, SCENE_UPRIGHT);
  shape->bodies[0] = body;
  memcpy(shape->at[0], at, sizeof shape->at[0]);
  path_symbol(&maker->made->paths, data, path_then(path_scale(unit, unit), path_turn(angle)));
  scene_end(maker);
}

void scene_circle(scene_maker *maker, scene_class class, size_t body, const double at[2], double radius) {
  begin_on_body(maker, class, body, at);
  path_circle(&maker->made->paths, at[0], at[1], radius);
  scene_end(maker);
}

void scene_name(scene_maker *maker, size_t body, const double at[2]) {
  scene *made = maker->made;
  if (made->n_labels == made->label_room) {
    const size_t room = 2 * made->label_room + 64;
    scene_label *grown = realloc(made->labels, room * sizeof *grown);
    made->paths.exhausted |= grown == NULL;
    if (grown == NULL)
      return;
    made->labels = grown;
    made->label_room = room;
  }
  made->labels[made->n_labels++] = (scene_label){.text = maker->owner,
                                                 .kind = maker->kind,
                                                 .is_body = strcmp(maker->kind, "body") == 0,
                                                 .body = body,
                                                 .at = {at[0], at[1]}};
}

/* ---- Size ---- */

void scene_extend(void *box_to_extend, const double point[2]) {
  scene_box *box = box_to_extend;
  for (int i = 0; i < 2; i++) {
    box->low[i] = fmin(box->low[i], point[i]);
    box->high[i] = fmax(box->high[i], point[i]);
  }
}

scene_box scene_empty_box(void) { return (scene_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}; }

typedef struct place_box {
  const double *q;
  scene_box box;
} place_box;

static void extend_by_place(void *context, size_t body, scene_place_kind kind, const double at[2]) {
  (void)kind;
  place_box *places = context;
  double point[2];
  scene_point(places->q, body, at, point);
  scene_extend(&places->box, point);
}

/* Returns the width of a picture that shows a box; pictures have the ratio 4 : 3. */
static double width_of(const scene_box *box) {
  const double most = fmax(box->high[0] - box->low[0], (box->high[1] - box->low[1]) * 4 / 3);
  return most > 0 && isfinite(most) ? most : 1;
}

static double width_of_places(const scene_maker *maker) {
  place_box places = {maker->poses.q, scene_empty_box()};
  scene_visit_places(maker, extend_by_place, &places);
  return width_of(&places.box);
}

static int compare_lengths(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the first decile of lengths of rods and distance joints, m; INFINITY: there are none. */
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

/* A joint's radius is 5.5 pixels in a picture of 720 pixels, less for short rods. */
static void choose_unit(scene_maker *maker, double width) {
  maker->made->unit = fmax(fmin(width / 130, short_length(maker) / 8), width / 400);
  maker->made->text = width / 55;
}

static void find_box(scene_maker *maker) {
  scene *made = maker->made;
  made->box = scene_empty_box();
  const size_t n = 3 * mbs_n_bodies(maker->model);
  for (size_t k = 0; k < maker->poses.n; k++)
    for (size_t i = 0; i < made->n_shapes; i++) {
      const scene_shape *shape = &made->shapes[i];
      path_visit(made->paths.at + shape->first, shape->length, scene_place(shape, maker->poses.q + k * n), INFINITY,
                 scene_extend, &made->box);
    }
}

/* ---- Subsystems ---- */

static void join_bodies(scene_maker *maker, size_t subsystem, const cosim_subsystem_def *def) {
  for (size_t i = 0; i < def->n_bodies; i++) {
    const size_t body = mbs_find_body(maker->model, def->bodies[i]);
    if (body < mbs_n_bodies(maker->model))
      maker->made->subsystem[body] = subsystem;
  }
}

static size_t subsystem_of(const scene *made, size_t body) {
  return body == MBS_GROUND ? SEAM_NONE : made->subsystem[body];
}

static bool are_cut(const scene_maker *maker, const size_t bodies[2]) {
  return bodies[0] != MBS_GROUND && bodies[1] != MBS_GROUND &&
         subsystem_of(maker->made, bodies[0]) != subsystem_of(maker->made, bodies[1]);
}

static void find_cuts(scene_maker *maker) {
  for (size_t j = 0; j < mbs_n_joints(maker->model); j++)
    maker->joint_is_cut[j] = are_cut(maker, mbs_joint_of(maker->model, j).bodies);
  for (size_t f = 0; f < mbs_n_forces(maker->model); f++)
    maker->force_is_cut[f] |= are_cut(maker, mbs_force_of(maker->model, f).bodies);
}

/* Marks force elements that a subsystem lists and that act on bodies of others as cut. */
static void claim_forces(scene_maker *maker, size_t subsystem, const cosim_subsystem_def *def) {
  for (size_t i = 0; i < def->n_forces; i++) {
    const size_t force = mbs_find_force(maker->model, def->forces[i]);
    const mbs_force_info info = mbs_force_of(maker->model, force);
    for (int side = 0; side < 2 && force != SEAM_NONE; side++)
      maker->force_is_cut[force] |=
          info.bodies[side] != MBS_GROUND && subsystem_of(maker->made, info.bodies[side]) != subsystem;
  }
}

static seam_status read_subsystems(scene_maker *maker, bool with_cuts, seam_error *error) {
  scene *made = maker->made;
  const cosim_builder *builder = with_cuts ? seam_model_cosim(maker->file) : NULL;
  made->subsystem = malloc((mbs_n_bodies(maker->model) + 1) * sizeof *made->subsystem);
  maker->joint_is_cut = calloc(mbs_n_joints(maker->model) + 1, sizeof *maker->joint_is_cut);
  maker->force_is_cut = calloc(mbs_n_forces(maker->model) + 1, sizeof *maker->force_is_cut);
  maker->is_block = calloc(mbs_n_bodies(maker->model) + 1, sizeof *maker->is_block);
  made->n_subsystems = cosim_builder_definition(builder)->n_subsystems;
  made->subsystems = calloc(made->n_subsystems + 1, sizeof *made->subsystems);
  if (!made->subsystem || !maker->joint_is_cut || !maker->force_is_cut || !maker->is_block || !made->subsystems)
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  for (size_t b = 0; b < mbs_n_bodies(maker->model); b++)
    made->subsystem[b] = SEAM_NONE;
  for (size_t k = 0; k < made->n_subsystems; k++) {
    made->subsystems[k] = cosim_builder_definition(builder)->subsystems[k].name;
    join_bodies(maker, k, &cosim_builder_definition(builder)->subsystems[k]);
  }
  for (size_t k = 0; k < made->n_subsystems; k++)
    claim_forces(maker, k, &cosim_builder_definition(builder)->subsystems[k]);
  find_cuts(maker);
  return SEAM_OK;
}

/* ---- The whole ---- */

static int by_class(const void *a, const void *b) {
  const scene_shape *x = a;
  const scene_shape *y = b;
  if (x->class != y->class)
    return x->class < y->class ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

static void add_shapes(scene_maker *maker, double width) {
  maker->made->n_shapes = 0;
  maker->made->n_labels = 0;
  maker->made->paths.n = 0;
  maker->made->n_places = 0;
  choose_unit(maker, width);
  scene_add_bodies(maker);
  scene_add_joints(maker);
  scene_add_forces(maker);
  qsort(maker->made->shapes, maker->made->n_shapes, sizeof *maker->made->shapes, by_class);
  find_box(maker);
}

/* Sizes symbols by the places; once more by the box if outlines, wheels or other poses make the picture much larger. */
static void draw_shapes(scene_maker *maker) {
  scene_lay_out(maker);
  const double width = width_of_places(maker);
  add_shapes(maker, width);
  if (width_of(&maker->made->box) > 1.3 * width)
    add_shapes(maker, width_of(&maker->made->box));
  scene_place_labels(maker->made, maker->poses.q);
}

seam_status scene_create(const seam_model_file *file, bool with_cuts, scene_poses poses, scene *made,
                         seam_error *error) {
  const mbs_model *model = seam_model_mechanism(file);
  *made = (scene){.model = model, .name = seam_model_name(file)};
  mbs_gravity(model, made->gravity);
  scene_maker maker = {.made = made, .file = file, .model = model, .poses = poses};
  seam_status status = read_subsystems(&maker, with_cuts, error);
  if (status == SEAM_OK) {
    draw_shapes(&maker);
    status = made->paths.exhausted ? seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted") : SEAM_OK;
  }
  free(maker.joint_is_cut);
  free(maker.force_is_cut);
  free(maker.is_block);
  return status;
}

void scene_free(scene *made) {
  path_release(&made->paths);
  free(made->shapes);
  free(made->labels);
  free(made->places);
  free(made->subsystem);
  free((void *)made->subsystems);
  *made = (scene){0};
}
