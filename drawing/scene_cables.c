/* Cables as lines; mbs/model/forces/cable.c explains their geometry. A cable touches some of its discs. It is straight
 * along the common tangent of successive touched discs, and wraps around each touched disc.
 *
 * At a touched disc the direction of the cable changes by an angle α towards the disc. If α would be negative, the
 * cable does not touch the disc. The geometry gives α up to multiples of 2π. The value nearest to that of the previous
 * pose is taken, in the first pose the value between -3π/4 and 5π/4. */
#include <math.h>
#include <stdlib.h>

#include "drawing/scene_parts.h"

enum { CHORDS = 12 }; /* number of chords that draw the arc around a disc */
static const double pi = 3.14159265358979323846;
static const double touch_tolerance = 1e-9; /* rad, change of direction at which the cable touches or leaves a disc */

/* A cable in a pose: n nodes, their centres (global, m), whether the cable touches them, and the angles α. */
typedef struct line {
  const scene_cable_node *node;
  size_t n;
  double (*centre)[2];
  bool *touched;
  double *angle;
} line;

typedef struct straight_piece {
  double from[2], along[2], length, direction;
} straight_piece;

static void tangent_point(const line *self, size_t node, double direction, double point[2]) {
  point[0] = self->centre[node][0] + self->node[node].radius * sin(direction);
  point[1] = self->centre[node][1] - self->node[node].radius * cos(direction);
}

static straight_piece straight_between(const line *self, size_t i, size_t j) {
  const double d[2] = {self->centre[j][0] - self->centre[i][0], self->centre[j][1] - self->centre[i][1]};
  const double distance = hypot(d[0], d[1]);
  const double sine = (self->node[j].radius - self->node[i].radius) / distance;
  straight_piece result = {.direction = atan2(d[1], d[0]) - (fabs(sine) <= 1 ? asin(sine) : 0)};
  result.along[0] = cos(result.direction);
  result.along[1] = sin(result.direction);
  result.length = distance * (fabs(sine) <= 1 ? sqrt(1 - sine * sine) : 1);
  tangent_point(self, i, result.direction, result.from);
  return result;
}

/* NOLINTBEGIN(clang-analyzer-*): a cable has two nodes at least, and touches the first and the last one */
static size_t neighbour(const line *self, size_t node, int step) {
  do
    node = step < 0 ? node - 1 : node + 1;
  while (!self->touched[node]);
  return node;
}

static double angle_at(const line *self, size_t k) {
  const size_t before = neighbour(self, k, -1);
  const size_t after = neighbour(self, k, 1);
  const double angle = straight_between(self, k, after).direction - straight_between(self, before, k).direction;
  const double middle = isnan(self->angle[k]) ? pi / 4 : self->angle[k];
  return remainder((self->node[k].radius < 0 ? -angle : angle) - middle, 2 * pi) + middle;
}

static bool may_leave(const line *self, size_t k) { return k > 0 && k + 1 < self->n && self->node[k].radius != 0; }

/* Finds the discs that the cable touches, and the angle α at each disc. */
static void find_touched(line *self) {
  for (size_t k = 0; k < self->n; k++)
    self->touched[k] = !may_leave(self, k) || !(self->angle[k] < 0);
  bool changes = true;
  for (size_t round = 0; round < 2 * self->n && changes; round++) {
    changes = false;
    for (size_t k = 1; k + 1 < self->n && !changes; k++) {
      if (!may_leave(self, k))
        continue;
      const double angle = angle_at(self, k);
      changes = self->touched[k] ? angle < -touch_tolerance : angle > touch_tolerance;
      self->touched[k] ^= changes;
    }
  }
  for (size_t k = 1; k + 1 < self->n; k++)
    if (may_leave(self, k)) {
      const double angle = angle_at(self, k);
      self->angle[k] = angle < -2 * pi ? angle + 2 * pi : angle;
    }
}

static size_t n_at(const line *self, size_t k) { return may_leave(self, k) ? CHORDS + 1 : 1; }

/* Computes the points of the line. Those on a disc that it does not touch coincide, on the line past the disc. */
static void compute_points(const line *self, double (*points)[2]) {
  double direction = 0;
  for (size_t k = 0; k < self->n;) {
    const bool is_last = k + 1 == self->n;
    const size_t next = is_last ? self->n : neighbour(self, k, 1);
    const straight_piece leaving = is_last ? (straight_piece){.direction = direction} : straight_between(self, k, next);
    const double angle = self->node[k].radius < 0 ? -self->angle[k] : self->angle[k];
    const size_t n = n_at(self, k);
    for (size_t i = 0; i < n; i++)
      tangent_point(self, k, (k == 0 ? leaving.direction : direction) + (n > 1 ? angle * (double)i / CHORDS : 0),
                    *points++);
    for (size_t passed = k + 1; passed < next && !is_last; passed++) {
      const double *centre = self->centre[passed];
      const double projection =
          (centre[0] - leaving.from[0]) * leaving.along[0] + (centre[1] - leaving.from[1]) * leaving.along[1];
      const double at = fmax(0, fmin(leaving.length, projection));
      for (size_t i = 0; i < n_at(self, passed); i++, points++) {
        (*points)[0] = leaving.from[0] + at * leaving.along[0];
        (*points)[1] = leaving.from[1] + at * leaving.along[1];
      }
    }
    direction = leaving.direction;
    k = next;
  }
}

size_t scene_cable_n_points(const scene *drawn, const scene_shape *shape) {
  const line self = {.node = drawn->nodes + shape->first_node, .n = shape->n_nodes};
  size_t n = 0;
  for (size_t k = 0; k < self.n; k++)
    n += n_at(&self, k);
  return n;
}

bool scene_cable_points(const scene *drawn, const scene_shape *shape, const double *q, double *angles,
                        double (*points)[2]) {
  const size_t n = shape->n_nodes;
  line self = {.node = drawn->nodes + shape->first_node,
               .n = n,
               .centre = malloc(n * sizeof *self.centre),
               .touched = malloc(n * sizeof *self.touched)};
  self.angle = angles + shape->first_node;
  const bool has_memory = self.centre != NULL && self.touched != NULL;
  if (has_memory) {
    for (size_t k = 0; k < n; k++)
      scene_point(q, self.node[k].body, self.node[k].at, self.centre[k]);
    find_touched(&self);
    compute_points(&self, points);
  }
  free(self.centre);
  free(self.touched);
  return has_memory;
}

double *scene_new_cable_angles(const scene *drawn) {
  double *angles = malloc((drawn->n_nodes + 1) * sizeof *angles);
  for (size_t k = 0; angles != NULL && k < drawn->n_nodes; k++)
    angles[k] = NAN;
  return angles;
}

bool scene_cable_path(const scene *drawn, const scene_shape *shape, const double *q, double *angles, path_list *path) {
  const size_t n = scene_cable_n_points(drawn, shape);
  double(*points)[2] = malloc(n * sizeof *points);
  const bool has_memory = points != NULL && scene_cable_points(drawn, shape, q, angles, points);
  for (size_t i = 0; i < n && has_memory; i++)
    (i == 0 ? path_move : path_line)(path, points[i][0], points[i][1]);
  free(points);
  return has_memory;
}

/* NOLINTEND(clang-analyzer-*) */

void scene_cable(scene_maker *maker, size_t force) {
  scene *result = maker->scene;
  scene_shape *shape = scene_begin(maker, SCENE_ELEMENT, SCENE_CABLE, MBS_GROUND, NULL);
  shape->first_node = result->n_nodes;
  for (size_t k = 0;; k++) {
    const int side = k > 0;
    const size_t span = force + k - (size_t)side;
    const mbs_force_info info = mbs_force_of(maker->model, span);
    if (info.name != mbs_force_of(maker->model, force).name || info.places[side] != k)
      break;
    scene_cable_node *nodes =
        scene_reserve(result, result->nodes, result->n_nodes, &result->node_capacity, sizeof *nodes);
    if (nodes == NULL)
      return;
    result->nodes = nodes;
    scene_cable_node *node = &nodes[result->n_nodes++];
    *node = (scene_cable_node){.body = info.bodies[side], .radius = info.radii[side]};
    scene_force_point(maker, span, side, node->at);
    shape->n_nodes++;
  }
  double *angles = scene_new_cable_angles(result);
  result->paths.exhausted |= angles == NULL || !scene_cable_path(result, shape, maker->poses.q, angles, &result->paths);
  free(angles);
}
