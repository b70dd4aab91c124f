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

/* ---- Size ---- */

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
