/* Places names so that they cover little of the drawing. A grid over the picture marks the cells that lines and names
 * cover. Each name gets that position around its point for which the cells under it cost least. A name that would cover
 * another name in this position is not shown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/scene_parts.h"

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

void scene_label_size(const scene *result, const scene_label *label, double size[2]) {
  size_t n_letters = 0; /* characters of UTF-8 */
  for (const char *at = label->text; *at != '\0'; at++)
    n_letters += ((unsigned char)*at & 0xc0) != 0x80;
  size[0] = (0.56 * (double)n_letters + 0.2) * result->text;
  size[1] = result->text;
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

void scene_position_labels(scene *result, const double *q) {
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
