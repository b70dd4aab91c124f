/* Bodies are drawn by their outlines. A body without outlines is drawn as follows:
 *
 *   a body with wheels (scene_wheel)     the pitch circles of its wheels
 *   another body with several points     the rounded hull of its points
 *   another body                         a block if it slides, else a disc, r² = 2 J/m within limits
 *
 * r: radius of the disc; J: inertia about the centre of mass; m: mass. The points of a body are its centre of mass, rod
 * ends, and markers of joints and force elements. Lengths in "units" are multiples of scene.unit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/scene_parts.h"

static const double half_width = 1.7; /* half the width of a link, units */

static int by_body(const void *a, const void *b) {
  const scene_body_point *x = a;
  const scene_body_point *y = b;
  if (x->body != y->body)
    return x->body < y->body ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static int compare_points(const void *a, const void *b) {
  const double *p = a;
  const double *q = b;
  const int i = p[0] != q[0] ? 0 : 1;
  return (p[i] > q[i]) - (p[i] < q[i]);
}

/* Finds the convex hull of n points, counter-clockwise, and returns the number of its points. `hull` must have room for
 * 2 n points. (Monotone chain, Andrew 1979.) */
static size_t find_hull(double (*points)[2], size_t n, double (*hull)[2]) {
  qsort(points, n, sizeof *points, compare_points);
  size_t k = 0;
  for (int half = 0; half < 2; half++) {
    const size_t begin = k > 0 ? k - 1 : 0;
    for (size_t i = 0; i < n; i++) {
      const double *p = points[half == 0 ? i : n - 1 - i];
      for (; k >= begin + 2; k--) {
        const double *a = hull[k - 2];
        const double *b = hull[k - 1];
        if (!((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0))
          break; /* p is to the left of the line from a to b */
      }
      if (k == 0 || hull[k - 1][0] != p[0] || hull[k - 1][1] != p[1])
        memcpy(hull[k++], p, sizeof *hull);
    }
  }
  return k > 1 ? k - 1 : k;
}

/* Draws a convex polygon whose edges are moved outwards by `radius`, with arcs around its vertices. */
static void draw_rounded(path_list *path, double (*hull)[2], size_t n, double radius) {
  for (size_t i = 0; i <= n; i++) {
    const double *p = hull[i % n];
    const double *q = hull[(i + 1) % n];
    const double length = hypot(q[0] - p[0], q[1] - p[1]);
    const double out[2] = {(q[1] - p[1]) / length * radius, -(q[0] - p[0]) / length * radius};
    if (i == 0)
      path_move(path, p[0] + out[0], p[1] + out[1]);
    else
      path_arc(path, radius, false, true, p[0] + out[0], p[1] + out[1]);
    if (i < n)
      path_line(path, q[0] + out[0], q[1] + out[1]);
  }
  path_close(path);
}

static void add_outlines(scene_maker *maker, size_t body) {
  path_list *path = &maker->scene->paths;
  double at[2];
  scene_centre(maker, body, at);
  for (size_t k = 0; k < seam_model_n_outlines(maker->file, body); k++) {
    const seam_outline *part = seam_model_outline(maker->file, body, k);
    const bool is_open = part->points != NULL && !part->closed;
    scene_begin(maker, is_open ? SCENE_LINE : SCENE_LINK, SCENE_ON_BODY, body, NULL);
    if (part->points == NULL)
      path_circle(path, at[0] + part->center[0], at[1] + part->center[1], part->radius);
    for (size_t i = 0; i < part->n && part->points != NULL; i++)
      (i == 0 ? path_move : path_line)(path, at[0] + part->points[i][0], at[1] + part->points[i][1]);
    if (part->closed)
      path_close(path);
  }
}

static bool add_wheel(scene_maker *maker, size_t body) {
  bool found = false;
  for (size_t at = scene_first_side(maker, body); at != SEAM_NONE; at = maker->next_side[at]) {
    scene_wheel wheel;
    if (!scene_wheel_of(maker, at / 2, at % 2, &wheel))
      continue;
    scene_circle(maker, wheel.is_ring ? SCENE_LINE : SCENE_LINK, body, wheel.centre, wheel.radius);
    scene_begin(maker, SCENE_GUIDE, SCENE_ON_BODY, body, NULL); /* a radius as a line, which shows the rotation */
    path_move(&maker->scene->paths, wheel.centre[0], wheel.centre[1]);
    path_line(&maker->scene->paths, wheel.centre[0] + wheel.radius, wheel.centre[1]);
    found = true;
  }
  return found;
}

/* Draws a body without outlines and wheels that has only one point or is drawn apart. It is a block along maker->along
 * or along its first prismatic joint; without either, a disc. */
static void add_block_or_disc(scene_maker *maker, size_t body, const double at[2]) {
  const double unit = maker->scene->unit;
  const mbs_body_info info = mbs_body_of(maker->model, body);
  double angle = NAN;
  if (maker->scene->apart > 0)
    angle = atan2(maker->along[1], maker->along[0]) - maker->poses.q[3 * body + 2];
  for (size_t on = scene_first_side(maker, body); on != SEAM_NONE && isnan(angle); on = maker->next_side[on]) {
    const mbs_joint_info joint = mbs_joint_of(maker->model, on / 2);
    double pose[2][3];
    if (joint.kind != MBS_PRISMATIC)
      continue;
    for (int side = 0; side < 2; side++)
      scene_pose(maker->poses.q, joint.bodies[side], pose[side]);
    angle = atan2(joint.axis[1], joint.axis[0]) + (joint.bodies[0] == body ? 0 : pose[0][2] - pose[1][2]);
  }
  maker->is_block[body] = !isnan(angle);
  if (maker->is_block[body])
    scene_symbol(maker, SCENE_LINK, body, at, angle, "M-3.4 -2.2L3.4 -2.2L3.4 2.2L-3.4 2.2Z");
  else
    scene_circle(maker, SCENE_LINK, body, at, fmax(2 * unit, fmin(sqrt(2 * info.inertia / info.mass), 3.5 * unit)));
}

static void add_link(scene_maker *maker, size_t body, const scene_body_point *body_points, size_t n) {
  const double unit = maker->scene->unit;
  double(*points)[2] = malloc(3 * (n + 1) * sizeof *points);
  if (points == NULL) {
    maker->scene->paths.exhausted = true;
    return;
  }
  size_t n_points = 0; /* counts points that are more than 0.2 units from all others */
  for (size_t i = 0; i < n; i++) {
    const double *at = body_points[i].at;
    bool is_new = true;
    for (size_t k = 0; k < n_points && is_new; k++)
      is_new = hypot(at[0] - points[k][0], at[1] - points[k][1]) > 0.2 * unit;
    if (is_new)
      memcpy(points[n_points++], at, sizeof *points);
  }
  if (n_points <= 1 || maker->scene->apart > 0)
    add_block_or_disc(maker, body, body_points[0].at);
  else {
    double(*hull)[2] = points + n_points;
    const size_t n_hull = find_hull(points, n_points, hull);
    scene_begin(maker, SCENE_LINK, SCENE_ON_BODY, body, NULL);
    draw_rounded(&maker->scene->paths, hull, n_hull, half_width * unit);
  }
  free(points);
}

/* Draws the centre of mass, a circle with two filled quarters, unless a joint has its symbol there. */
static void add_centre(scene_maker *maker, size_t body, const scene_body_point *body_points, size_t n) {
  const double *at = body_points[0].at;
  for (size_t i = 0; i < n; i++)
    if (body_points[i].is_pin &&
        hypot(body_points[i].at[0] - at[0], body_points[i].at[1] - at[1]) < 1.8 * maker->scene->unit)
      return;
  scene_circle(maker, SCENE_CENTRE, body, at, 0.8 * maker->scene->unit);
  scene_symbol(maker, SCENE_SOLID, body, at, 0, "M0 0L0.8 0A0.8 0 1 0 0.8ZM0 0L-0.8 0A0.8 0 1 0 -0.8Z");
}

void scene_add_bodies(scene_maker *maker) {
  scene_list_points(maker);
  if (maker->n_points > 0)
    qsort(maker->points, maker->n_points, sizeof *maker->points, by_body);
  const scene_body_point *body_points = maker->points;
  for (size_t b = 0; b < mbs_n_bodies(maker->model) && !maker->scene->paths.exhausted; b++) {
    size_t n = 0;
    while (body_points + n < maker->points + maker->n_points && body_points[n].body == b)
      n++;
    maker->owner = mbs_body_of(maker->model, b).name;
    maker->kind = "body";
    if (seam_model_n_outlines(maker->file, b) > 0)
      add_outlines(maker, b);
    else if (!add_wheel(maker, b))
      add_link(maker, b, body_points, n);
    add_centre(maker, b, body_points, n);
    scene_name(maker, b, body_points[0].at);
    body_points += n;
  }
}
