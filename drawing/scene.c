/* Makes the scene of a model (subsystems, scale, shapes, box, positions of names), and writes it as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "drawing/scene_parts.h"

#define SCENE_NAME(code, name) name,
static const char *const class_names[] = {SCENE_CLASS_TABLE(SCENE_NAME)};
static const char *const anchor_names[] = {SCENE_ANCHOR_TABLE(SCENE_NAME)};
#undef SCENE_NAME

const char *scene_class_name(scene_class class) { return class_names[class]; }

/* ---- Subsystems ---- */

/* Finds the subsystem of each body, and the cut force elements. These act between bodies of two subsystems, or one
 * subsystem lists them although they act on a body of another. */
static seam_status read_subsystems(scene_maker *maker, bool with_cuts, seam_error *error) {
  scene *result = maker->scene;
  const mbs_model *model = maker->model;
  const cosim_definition *definition = cosim_builder_definition(with_cuts ? seam_model_cosim(maker->file) : NULL);
  result->subsystem = malloc((mbs_n_bodies(model) + 1) * sizeof *result->subsystem);
  maker->force_is_cut = calloc(mbs_n_forces(model) + 1, sizeof *maker->force_is_cut);
  maker->is_block = calloc(mbs_n_bodies(model) + 1, sizeof *maker->is_block);
  result->n_subsystems = definition->n_subsystems;
  result->subsystems = calloc(result->n_subsystems + 1, sizeof *result->subsystems);
  TRY(seam_check_memory(result->subsystem && maker->force_is_cut && maker->is_block && result->subsystems, error));
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

static seam_status list_joints(scene_maker *maker, seam_error *error) {
  const size_t n = mbs_n_bodies(maker->model);
  maker->first_side = malloc((n + 1) * sizeof *maker->first_side);
  maker->next_side = malloc((2 * mbs_n_joints(maker->model) + 1) * sizeof *maker->next_side);
  TRY(seam_check_memory(maker->first_side != NULL && maker->next_side != NULL, error));
  for (size_t b = 0; b <= n; b++)
    maker->first_side[b] = SEAM_NONE;
  for (size_t at = 2 * mbs_n_joints(maker->model); at-- > 0;) {
    const mbs_joint_info joint = mbs_joint_of(maker->model, at / 2);
    const size_t body = joint.bodies[at % 2];
    if (at % 2 == 0 && joint.bodies[1] == body) /* a joint on one body counts once */
      continue;
    maker->next_side[at] = scene_first_side(maker, body);
    maker->first_side[body == MBS_GROUND ? n : body] = at;
  }
  return SEAM_OK;
}

/* ---- Scale and box ---- */

/* Returns the box of all points of the mechanism in the first pose. */
static scene_box box_of_points(scene_maker *maker) {
  scene_box box = scene_empty_box();
  scene_list_points(maker);
  for (size_t i = 0; i < maker->n_points; i++) {
    double point[2];
    scene_point(maker->poses.q, maker->points[i].body, maker->points[i].at, point);
    scene_extend(&box, point);
  }
  return box;
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

/* Returns the first decile of the lengths of rods and distance joints, m. INFINITY: there are none. */
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

/* Extends the scene's box to all shapes in all poses. Visits each path once; skips poses that cannot extend it. */
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

/* Adds all shapes. `width`: width of the picture, m. The unit is an eighth of short_length(), within limits: 1.8 to 5.5
 * pixels in a picture 720 pixels wide. */
static void add_shapes(scene_maker *maker, double width) {
  scene *result = maker->scene;
  result->n_shapes = result->n_labels = result->n_nodes = result->paths.n = 0;
  result->unit = fmax(fmin(width / 130, short_length(maker) / 8), width / 400);
  result->text = width / 55;
  scene_add_bodies(maker);
  scene_add_joints(maker);
  scene_add_forces(maker);
  for (size_t i = 0; i < result->n_shapes; i++)
    result->shapes[i].length =
        (i + 1 < result->n_shapes ? result->shapes[i + 1].first : result->paths.n) - result->shapes[i].first;
  qsort(result->shapes, result->n_shapes, sizeof *result->shapes, scene_by_class);
  result->box = scene_empty_box();
  extend_by_shapes(maker);
}

/* ---- Positions of names ----
 *
 * Names cover little of the drawing. A grid over the picture marks the cells that lines and names cover. Each name gets
 * the position around its point whose cells cost least. If it would cover another name there, it is not shown. */

/* MARGIN: cells around the shapes; LINE, NAME: cost of a cell with a line, with a name; MAX_CELLS: cells in x or y */
enum { MARGIN = 20, LINE = 1, NAME = 100, MAX_CELLS = 1000 };

typedef struct label_grid {
  double low[2], cell;
  int n[2];
  unsigned char *cost; /* (n[0] n[1]) cost of each cell */
  const scene *result;
} label_grid;

static unsigned char *cell_at(const label_grid *grid, const double point[2]) {
  const double x = floor((point[0] - grid->low[0]) / grid->cell);
  const double y = floor((point[1] - grid->low[1]) / grid->cell);
  return x >= 0 && y >= 0 && x < grid->n[0] && y < grid->n[1] ? &grid->cost[(size_t)y * (size_t)grid->n[0] + (size_t)x]
                                                              : NULL;
}

static void mark_cell(void *context, const double point[2]) {
  unsigned char *cell = cell_at(context, point);
  if (cell != NULL && *cell == 0)
    *cell = LINE;
}

static void visit_shapes(const scene *result, const double *q, double step, void (*visit)(void *, const double *),
                         void *context) {
  for (size_t i = 0; i < result->n_shapes; i++) {
    const scene_shape *shape = &result->shapes[i];
    path_visit(result->paths.at + shape->first, shape->length, scene_shape_map(shape, q), step, visit, context);
  }
}

void scene_label_size(const scene *from, const scene_label *label, double size[2]) {
  size_t n_letters = 0; /* characters of UTF-8 */
  for (const char *at = label->text; *at != '\0'; at++)
    n_letters += ((unsigned char)*at & 0xc0) != 0x80;
  size[0] = (0.56 * (double)n_letters + 0.2) * from->text;
  size[1] = from->text;
}

/* Returns the sum of the costs of the cells under a name. If `mark` is true, also marks the cells as covered. */
static double cost_under(const label_grid *grid, const double middle[2], const double size[2], bool mark) {
  const int half[2] = {(int)ceil(size[0] / 2 / grid->cell), (int)ceil(size[1] / 2 / grid->cell)};
  double cost = 0;
  for (int j = -half[1]; j <= half[1]; j++)
    for (int i = -half[0]; i <= half[0]; i++) {
      unsigned char *cell = cell_at(grid, (double[2]){middle[0] + i * grid->cell, middle[1] + j * grid->cell});
      if (cell == NULL)
        continue;
      cost += *cell;
      if (mark)
        *cell = NAME;
    }
  return cost;
}

static void position_label(label_grid *grid, const double *q, scene_label *label) {
  enum { n_angles = 16, n_rings = 4 };
  const double unit = grid->result->unit;
  double anchor[2];
  double size[2];
  double best = INFINITY;
  double best_cover = INFINITY;
  scene_point(q, label->body, label->at, anchor);
  scene_label_size(grid->result, label, size);
  for (int ring = 0; ring < n_rings; ring++)
    for (int i = 0; i < n_angles; i++) {
      const double angle = acos(-1) * (0.25 + 2.0 * i / n_angles);
      const double gap = (2.0 + 1.3 * ring) * unit;
      const double offset[2] = {cos(angle) * (gap + size[0] / 2), sin(angle) * (gap + size[1] / 2)};
      const double middle[2] = {anchor[0] + offset[0], anchor[1] + offset[1]};
      const double covered = cost_under(grid, middle, size, false);
      const double cost = 2 * covered + ring + 0.05 * i;
      if (cost < best) {
        best = cost;
        best_cover = covered;
        memcpy(label->offset, offset, sizeof offset);
      }
    }
  label->is_shown = best_cover < NAME;
  if (label->is_shown)
    cost_under(grid, (double[2]){anchor[0] + label->offset[0], anchor[1] + label->offset[1]}, size, true);
}

/* Chooses the positions of all names. */
static void position_labels(scene *result, const double *q) {
  label_grid grid = {.cell = result->text / 3, .result = result};
  scene_box box = scene_empty_box();
  visit_shapes(result, q, INFINITY, scene_extend, &box);
  for (int i = 0; i < 2; i++) {
    grid.low[i] = box.low[i] - MARGIN * grid.cell;
    grid.n[i] = (int)fmin(MAX_CELLS, ceil((box.high[i] - box.low[i]) / grid.cell) + 2 * MARGIN);
  }
  if (grid.n[0] <= 0 || grid.n[1] <= 0)
    return;
  grid.cost = calloc((size_t)grid.n[0] * (size_t)grid.n[1], 1);
  if (grid.cost == NULL)
    return;
  visit_shapes(result, q, grid.cell / 2, mark_cell, &grid);
  for (int bodies = 0; bodies < 2; bodies++) /* first joints and force elements: they have fewer free positions */
    for (size_t i = 0; i < result->n_labels; i++)
      if (result->labels[i].is_body == bodies)
        position_label(&grid, q, &result->labels[i]);
  free(grid.cost);
}

/* ---- The scene ---- */

seam_status scene_create(const seam_model_file *file, bool with_cuts, scene_poses poses, scene *result,
                         seam_error *error) {
  const mbs_model *model = seam_model_mechanism(file);
  *result = (scene){.model = model, .name = seam_model_name(file)};
  mbs_gravity(model, result->gravity);
  scene_maker maker = {.scene = result, .file = file, .model = model, .poses = poses};
  seam_status status = read_subsystems(&maker, with_cuts, error);
  THEN(status, list_joints(&maker, error));
  if (status == SEAM_OK) {
    scene_lay_out(&maker);
    const scene_box box = box_of_points(&maker);
    const double width = width_of(&box);
    add_shapes(&maker, width);
    /* if outlines, wheels or later poses extend the box much, makes all again with a larger scale */
    if (width_of(&result->box) > 1.3 * width)
      add_shapes(&maker, width_of(&result->box));
    position_labels(result, poses.q);
    status = seam_check_memory(!result->paths.exhausted, error);
  }
  free(maker.force_is_cut);
  free(maker.is_block);
  free(maker.first_side);
  free(maker.next_side);
  free(maker.points);
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

/* ---- As JSON ---- */

static void write_pair(json_writer *json, const char *key, const double pair[2]) {
  json_open(json, key, '[');
  json_number(json, NULL, pair[0]);
  json_number(json, NULL, pair[1]);
  json_close(json, ']');
}

/* Writes the index of a body; -1: the ground. */
static void write_body(json_writer *json, const char *key, size_t body) {
  json_number(json, key, body == MBS_GROUND ? -1 : (double)body);
}

static void write_shape(const scene *from, const scene_shape *shape, json_writer *json) {
  const bool is_cable = shape->anchor == SCENE_CABLE;
  const bool is_between = shape->anchor >= SCENE_AT_FIRST && !is_cable;
  json_open(json, NULL, '{');
  json_string(json, "class", class_names[shape->class]);
  json_string(json, "anchor", anchor_names[shape->anchor]);
  json_string(json, "owner", shape->owner);
  json_string(json, "kind", shape->kind);
  json_open(json, "bodies", '[');
  for (int side = 0; side <= is_between; side++)
    write_body(json, NULL, shape->bodies[side]);
  json_close(json, ']');
  if (is_cable) {
    json_open(json, "places", '[');
    for (size_t k = 0; k < shape->n_nodes; k++) {
      const scene_cable_node *node = &from->nodes[shape->first_node + k];
      json_open(json, NULL, '{');
      write_body(json, "body", node->body);
      write_pair(json, "at", node->at);
      json_number(json, "radius", node->radius);
      json_close(json, '}');
    }
    json_close(json, ']');
  } else if (shape->anchor != SCENE_ON_BODY) {
    json_open(json, "at", '[');
    for (int side = 0; side <= is_between; side++)
      write_pair(json, NULL, shape->at[side]);
    json_close(json, ']');
  }
  if (is_between)
    json_number(json, "inset", shape->inset);
  const int digits = (int)fmax(0, fmin(15, ceil(3 - log10(from->unit)))); /* enough for a thousandth of the unit */
  json_raw(json, "path", "\"");
  path_write(json->file, from->paths.at + shape->first, shape->length, path_translation(0, 0), digits);
  fputc('"', json->file);
  json_close(json, '}');
}

void scene_write_json(const scene *from, json_writer *json, const char *key) {
  json_open(json, key, '{');
  json_string(json, "name", from->name);
  json_number(json, "unit", from->unit);
  json_number(json, "text", from->text);
  write_pair(json, "gravity", from->gravity);
  json_number(json, "apart", from->apart);
  json_open(json, "box", '[');
  write_pair(json, NULL, from->box.low);
  write_pair(json, NULL, from->box.high);
  json_close(json, ']');
  json_open(json, "subsystems", '[');
  for (size_t k = 0; k < from->n_subsystems; k++)
    json_string(json, NULL, from->subsystems[k]);
  json_close(json, ']');
  json_open(json, "bodies", '[');
  for (size_t b = 0; b < mbs_n_bodies(from->model); b++) {
    json_open(json, NULL, '{');
    json_string(json, "name", mbs_body_of(from->model, b).name);
    json_number(json, "subsystem", from->subsystem[b] == SEAM_NONE ? -1 : (double)from->subsystem[b]);
    json_close(json, '}');
  }
  json_close(json, ']');
  json_open(json, "shapes", '[');
  for (size_t i = 0; i < from->n_shapes; i++)
    write_shape(from, &from->shapes[i], json);
  json_close(json, ']');
  json_open(json, "labels", '[');
  for (size_t i = 0; i < from->n_labels; i++) {
    const scene_label *label = &from->labels[i];
    if (!label->is_shown)
      continue;
    json_open(json, NULL, '{');
    json_string(json, "text", label->text);
    json_string(json, "kind", label->kind);
    write_body(json, "body", label->body);
    write_pair(json, "at", label->at);
    write_pair(json, "offset", label->offset);
    json_close(json, '}');
  }
  json_close(json, ']');
  json_close(json, '}');
}
