/* Cables as lines, with the terms of mbs/model/cable.c. A cable touches some of its discs. It is straight along the
 * common tangent of successive touched discs, and wraps around each touched disc.
 *
 * At a touched disc the direction of the cable changes by an angle α >= 0 towards the disc. The geometry gives α up to
 * multiples of 2π. Of these values, the nearest to that of the previous pose is taken; in the first pose, the value
 * between -3π/4 and 5π/4. */
#include <math.h>
#include <stdlib.h>

#include "drawing/scene_parts.h"

enum { CHORDS = 12 }; /* number of chords that draw the arc around a disc */
static const double pi = 3.14159265358979323846;
static const double touch = 1e-9; /* rad, smallest change of direction that lets the cable touch or leave a disc */

/* A cable in a pose: n places, their centres (global, m), whether the cable touches them, and the angles α. */
typedef struct line {
  const scene_cable_place *place;
  size_t n;
  double (*centre)[2];
  bool *touched;
  double *turn;
} line;

typedef struct straight {
  double from[2], along[2], length, direction;
} straight;

static void put_tangent(const line *self, size_t place, double direction, double point[2]) {
  point[0] = self->centre[place][0] + self->place[place].radius * sin(direction);
  point[1] = self->centre[place][1] - self->place[place].radius * cos(direction);
}

static straight straight_of(const line *self, size_t i, size_t j) {
  const double d[2] = {self->centre[j][0] - self->centre[i][0], self->centre[j][1] - self->centre[i][1]};
  const double distance = hypot(d[0], d[1]);
  const double sine = (self->place[j].radius - self->place[i].radius) / distance;
  straight made = {.direction = atan2(d[1], d[0]) - (fabs(sine) <= 1 ? asin(sine) : 0)};
  made.along[0] = cos(made.direction);
  made.along[1] = sin(made.direction);
  made.length = distance * (fabs(sine) <= 1 ? sqrt(1 - sine * sine) : 1);
  put_tangent(self, i, made.direction, made.from);
  return made;
}

/* NOLINTBEGIN(clang-analyzer-*): a cable has two places at least, and touches the first and the last one */
static size_t neighbour(const line *self, size_t place, int step) {
  do
    place = step < 0 ? place - 1 : place + 1;
  while (!self->touched[place]);
  return place;
}

static double turn_at(const line *self, size_t k) {
  const size_t before = neighbour(self, k, -1);
  const size_t after = neighbour(self, k, 1);
  const double turn = straight_of(self, k, after).direction - straight_of(self, before, k).direction;
  const double middle = isnan(self->turn[k]) ? pi / 4 : self->turn[k];
  return remainder((self->place[k].radius < 0 ? -turn : turn) - middle, 2 * pi) + middle;
}

static bool may_leave(const line *self, size_t k) { return k > 0 && k + 1 < self->n && self->place[k].radius != 0; }

/* Finds the discs that the cable touches, and the angle α at each disc. */
static void find_touched(line *self) {
  for (size_t k = 0; k < self->n; k++)
    self->touched[k] = !may_leave(self, k) || !(self->turn[k] < 0);
  bool changes = true;
  for (size_t round = 0; round < 2 * self->n && changes; round++) {
    changes = false;
    for (size_t k = 1; k + 1 < self->n && !changes; k++) {
      if (!may_leave(self, k))
        continue;
      const double turn = turn_at(self, k);
      changes = self->touched[k] ? turn < -touch : turn > touch;
      self->touched[k] ^= changes;
    }
  }
  for (size_t k = 1; k + 1 < self->n; k++)
    if (may_leave(self, k)) {
      const double turn = turn_at(self, k);
      self->turn[k] = turn < -2 * pi ? turn + 2 * pi : turn;
    }
}

/* ---- Points ---- */

static size_t n_at(const line *self, size_t k) { return may_leave(self, k) ? CHORDS + 1 : 1; }

/* Computes the points of the line. All points of a disc that the cable does not touch coincide in a point of the
 * straight line past the disc. */
static void put_points(const line *self, double (*points)[2]) {
  double direction = 0;
  for (size_t k = 0; k < self->n;) {
    const bool is_last = k + 1 == self->n;
    const size_t next = is_last ? self->n : neighbour(self, k, 1);
    const straight on = is_last ? (straight){.direction = direction} : straight_of(self, k, next);
    const double turn = self->place[k].radius < 0 ? -self->turn[k] : self->turn[k];
    const size_t n = n_at(self, k);
    for (size_t i = 0; i < n; i++)
      put_tangent(self, k, (k == 0 ? on.direction : direction) + (n > 1 ? turn * (double)i / CHORDS : 0), *points++);
    for (size_t passed = k + 1; passed < next && !is_last; passed++) {
      const double *centre = self->centre[passed];
      const double way = (centre[0] - on.from[0]) * on.along[0] + (centre[1] - on.from[1]) * on.along[1];
      const double at = fmax(0, fmin(on.length, way));
      for (size_t i = 0; i < n_at(self, passed); i++, points++) {
        (*points)[0] = on.from[0] + at * on.along[0];
        (*points)[1] = on.from[1] + at * on.along[1];
      }
    }
    direction = on.direction;
    k = next;
  }
}

size_t scene_cable_n_points(const scene *drawn, const scene_shape *shape) {
  const line self = {.place = drawn->places + shape->first_place, .n = shape->n_places};
  size_t n = 0;
  for (size_t k = 0; k < self.n; k++)
    n += n_at(&self, k);
  return n;
}

bool scene_cable_points(const scene *drawn, const scene_shape *shape, const double *q, double *turns,
                        double (*points)[2]) {
  const size_t n = shape->n_places;
  line self = {.place = drawn->places + shape->first_place,
               .n = n,
               .centre = malloc(n * sizeof *self.centre),
               .touched = malloc(n * sizeof *self.touched)};
  self.turn = turns + shape->first_place;
  const bool enough = self.centre != NULL && self.touched != NULL;
  if (enough) {
    for (size_t k = 0; k < n; k++)
      scene_point(q, self.place[k].body, self.place[k].at, self.centre[k]);
    find_touched(&self);
    put_points(&self, points);
  }
  free(self.centre);
  free(self.touched);
  return enough;
}

double *scene_new_turns(const scene *drawn) {
  double *turns = malloc((drawn->n_places + 1) * sizeof *turns);
  for (size_t k = 0; turns != NULL && k < drawn->n_places; k++)
    turns[k] = NAN;
  return turns;
}

bool scene_cable_path(const scene *drawn, const scene_shape *shape, const double *q, double *turns, path_list *path) {
  const size_t n = scene_cable_n_points(drawn, shape);
  double(*points)[2] = malloc(n * sizeof *points);
  const bool enough = points != NULL && scene_cable_points(drawn, shape, q, turns, points);
  for (size_t i = 0; i < n && enough; i++)
    (i == 0 ? path_move : path_line)(path, points[i][0], points[i][1]);
  free(points);
  return enough;
}

/* NOLINTEND(clang-analyzer-*) */

/* ---- The shape ---- */

void scene_cable(scene_maker *maker, size_t force) {
  scene *made = maker->made;
  scene_shape *shape = scene_begin(maker, SCENE_ELEMENT, SCENE_CABLE);
  shape->first_place = made->n_places;
  for (size_t k = 0;; k++) {
    const int side = k > 0;
    const size_t span = force + k - (size_t)side;
    const mbs_force_info info = mbs_force_of(maker->model, span);
    if (info.name != mbs_force_of(maker->model, force).name || info.places[side] != k)
      break;
    scene_cable_place *places = scene_room(made, made->places, made->n_places, &made->place_room, sizeof *places);
    if (places == NULL)
      return;
    made->places = places;
    scene_cable_place *place = &places[made->n_places++];
    *place = (scene_cable_place){.body = info.bodies[side], .radius = info.radii[side]};
    scene_force_place(maker, span, side, place->at);
    shape->n_places++;
  }
  double *turns = scene_new_turns(made);
  made->paths.exhausted |= turns == NULL || !scene_cable_path(made, shape, maker->poses.q, turns, &made->paths);
  free(turns);
  scene_end(maker);
}
