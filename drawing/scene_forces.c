/* Symbols of force elements, one function for each kind. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/curves.h>
#include <seam/measures.h>

#include "drawing/scene_parts.h"

/* A force element while it is drawn. */
typedef struct drawn_force {
  size_t number;
  mbs_force_info info;
  scene_ends ends;
  double length; /* m, mean of the shortest and the longest distance of both ends over all poses */
} drawn_force;

static double distance_at(const scene_ends *ends, const double *q) {
  double p[2][2];
  for (int side = 0; side < 2; side++)
    scene_point(q, ends->bodies[side], ends->at[side], p[side]);
  return hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]);
}

/* Moves the ends on bodies that are drawn as blocks to the edges of the blocks. */
static void move_to_edges(const scene_maker *maker, scene_ends *ends) {
  for (int side = 0; side < 2; side++) {
    const size_t body = ends->bodies[side];
    double centre[2];
    double other[2];
    if (body == MBS_GROUND || !maker->is_block[body])
      continue;
    scene_centre(maker, body, centre);
    scene_point(maker->poses.q, ends->bodies[1 - side], ends->at[1 - side], other);
    scene_local(maker->poses.q, body, other, other);
    const double *at = ends->at[side];
    const double direction[2] = {other[0] - at[0], other[1] - at[1]};
    const double length = hypot(direction[0], direction[1]);
    const double half = SCENE_HALF_BLOCK * maker->scene->unit;
    if (hypot(at[0] - centre[0], at[1] - centre[1]) < half && length > 2 * half)
      for (int i = 0; i < 2; i++)
        ends->at[side][i] += half * direction[i] / length;
  }
}

static drawn_force force_of(const scene_maker *maker, size_t number) {
  drawn_force force = {.number = number, .info = mbs_force_of(maker->model, number)};
  double least = INFINITY;
  double most = 0;
  for (int side = 0; side < 2; side++) {
    force.ends.bodies[side] = force.info.bodies[side];
    scene_force_point(maker, number, side, force.ends.at[side]);
  }
  if (force.info.kind != MBS_ELASTIC_BELT && force.info.kind != MBS_CONTACT) /* these have their own surfaces */
    move_to_edges(maker, &force.ends);
  for (size_t k = 0; k < maker->poses.n; k++) {
    const double length = distance_at(&force.ends, maker->poses.q + 3 * mbs_n_bodies(maker->model) * k);
    least = fmin(least, length);
    most = fmax(most, length);
  }
  force.length = (least + most) / 2;
  return force;
}

/* ---- On one body ---- */

static void add_viscous(scene_maker *maker, const drawn_force *force) {
  double at[2];
  scene_centre(maker, force->info.bodies[0], at);
  scene_upright(maker, SCENE_ELEMENT, force->info.bodies[0], at, 0,
                "M-1.6 -2.9A0.55 0 0 -0.6 -2.9A0.55 0 1 0.4 -2.9A0.55 0 0 1.4 -2.9"
                "M-1.6 -3.7A0.55 0 0 -0.6 -3.7A0.55 0 1 0.4 -3.7A0.55 0 0 1.4 -3.7");
}

/* Draws an arrow in the direction of the force at t = 0. If the force is zero at this time, draws it along x. */
static void add_force(scene_maker *maker, const drawn_force *force) {
  double load[2];
  const mbs_force_info *info = &force->info;
  const double *at = force->ends.at[0];
  for (int i = 0; i < 2; i++)
    load[i] = info->load[i].value != NULL ? info->load[i].value(info->load[i].data, (double[2]){0, 0}) : 0;
  const bool has_direction = isfinite(load[0]) && isfinite(load[1]) && (load[0] != 0 || load[1] != 0);
  const double angle = has_direction ? atan2(load[1], load[0]) : 0;
  void (*add)(scene_maker *, scene_class, size_t, const double *, double, const char *) =
      info->in_body_axes ? scene_symbol : scene_upright;
  add(maker, SCENE_LOAD, info->bodies[0], at, angle, "M-9 0L-2.5 0");
  add(maker, SCENE_LOAD_HEAD, info->bodies[0], at, angle, "M-0.8 0L-2.9 0.85L-2.9 -0.85Z");
  scene_name(maker, info->bodies[0], at);
}

/* Draws a circular arrow about the hinge (scene_hinge()), for a torque or a rotary actuator. */
static void add_torque(scene_maker *maker, const drawn_force *force) {
  double at[2];
  const size_t body = scene_hinge(maker, force->info.bodies, at);
  scene_upright(maker, SCENE_LOAD, body, at, 0, scene_arc);
  scene_upright(maker, SCENE_LOAD_HEAD, body, at, 0, scene_arc_head);
  scene_ring_and_name(maker, body, at);
}

static void add_rotary_actuator(scene_maker *maker, const drawn_force *force) { add_torque(maker, force); }

/* Draws streamlines that end at the marker of the element. */
static void add_drag(scene_maker *maker, const drawn_force *force) {
  const size_t body = force->info.bodies[0];
  scene_upright(maker, SCENE_LOAD, body, force->ends.at[0], 0, "M-5 0L-1.5 0M-4.4 1L-1.5 1M-4.4 -1L-1.5 -1");
  scene_name(maker, body, force->ends.at[0]);
}

/* ---- Between two points ---- */

/* For each end on the ground draws a wall, perpendicular to the line to the other end. */
static void add_walls(scene_maker *maker, const scene_ends *ends) {
  for (int side = 0; side < 2; side++) {
    if (ends->bodies[side] != MBS_GROUND)
      continue;
    double other[2];
    scene_point(maker->poses.q, ends->bodies[1 - side], ends->at[1 - side], other);
    const double *at = ends->at[side];
    scene_ground_wall(maker, at, atan2(other[1] - at[1], other[0] - at[0]) - acos(0));
  }
}

/* Draws a spring as a zigzag, with 4 to 12 coils. Within this range the coils are about as long as high. `shift`: m,
 * distance from the line between the ends. */
static void draw_zigzag(scene_maker *maker, const drawn_force *force, double inset, double shift) {
  path_list *path = &maker->scene->paths;
  const double unit = maker->scene->unit;
  const double height = shift == 0 ? 1.3 * unit : 0.9 * unit;
  const double end_share = 0.12;
  const int n = (int)fmax(4, fmin(12, floor((1 - 2 * end_share) * force->length / (2.4 * unit))));
  scene_between(maker, SCENE_ELEMENT, SCENE_STRETCHED, &force->ends, inset);
  path_move(path, 0, shift);
  path_line(path, end_share, shift);
  for (int i = 0; i < 2 * n; i++)
    path_line(path, end_share + (1 - 2 * end_share) * (i + 0.5) / (2 * n), shift + (i % 2 == 0 ? height : -height));
  path_line(path, 1 - end_share, shift);
  path_line(path, 1, shift);
  scene_end(maker);
}

/* Draws a dashpot. The housing begins at a distance `inset` from the first end, the piston rod at the same distance
 * from the second end. `shift`: m, distance from the line between the ends. */
static void draw_dashpot(scene_maker *maker, const drawn_force *force, double inset, double shift) {
  const double unit = maker->scene->unit;
  const double length = force->length - 2 * inset;
  const double housing = fmin(0.34 * length, 6 * unit);
  const double base = (length - housing) / 2;
  const double height = shift == 0 ? 1.2 * unit : 0.9 * unit;
  path_list *path = &maker->scene->paths;
  scene_between(maker, SCENE_ELEMENT, SCENE_AT_FIRST, &force->ends, inset);
  path_move(path, 0, shift);
  path_line(path, base, shift);
  path_symbol(path, "M1 1L0 1L0 -1L1 -1", path_compose(path_scale(housing, height), path_translation(base, shift)));
  scene_end(maker);
  scene_between(maker, SCENE_ELEMENT, SCENE_AT_SECOND, &force->ends, inset);
  path_move(path, 0, shift);
  path_line(path, -length / 2, shift);
  path_symbol(path, "M0 -0.7L0 0.7", path_compose(path_scale(1, height), path_translation(-length / 2, shift)));
  scene_end(maker);
}

/* Draws the arrow that marks nonlinear elements, across the middle of the element. */
static void draw_arrow_across(scene_maker *maker, const drawn_force *force) {
  const double unit = maker->scene->unit;
  scene_between(maker, SCENE_ELEMENT, SCENE_STRETCHED, &force->ends, 0);
  path_symbol(&maker->scene->paths, "M-2.2 -2.4L2.2 2.4M0.9 2L2.2 2.4L1.9 1.1",
              path_compose(path_scale(unit / fmax(force->length, unit), unit), path_translation(0.5, 0)));
  scene_end(maker);
}

/* Draws a spring, a damper or both, side by side between two yokes; an element with a law is drawn as a spring. */
static void add_spring_damper(scene_maker *maker, const drawn_force *force) {
  const mbs_force_info *info = &force->info;
  const double unit = maker->scene->unit;
  if (info->damping[0] > 0 && info->stiffness[0] > 0) {
    const double yoke = fmin(0.1 * force->length, 2 * unit);
    for (int side = 0; side < 2; side++)
      scene_at_end(maker, SCENE_ELEMENT, &force->ends, side, side == 0 ? yoke : -yoke, "M0 0L1 0M1 -1.5L1 1.5");
    draw_zigzag(maker, force, yoke, 1.5 * unit);
    draw_dashpot(maker, force, yoke, -1.5 * unit);
  } else if (info->damping[0] > 0)
    draw_dashpot(maker, force, 0, 0);
  else
    draw_zigzag(maker, force, 0, 0);
  if (isnan(info->stiffness[0]))
    draw_arrow_across(maker, force);
  add_walls(maker, &force->ends);
  scene_cut_and_name(maker, &force->ends);
}

/* Draws a beam as straight, without its deflection. */
static void add_beam(scene_maker *maker, const drawn_force *force) {
  scene_stretched(maker, SCENE_ELEMENT, &force->ends, 0, "M0 0.45L1 0.45M0 -0.45L1 -0.45");
  for (int side = 0; side < 2; side++)
    scene_at_end(maker, SCENE_ELEMENT, &force->ends, side, force->length, "M0 -1L0 1");
  add_walls(maker, &force->ends);
  scene_cut_and_name(maker, &force->ends);
}

/* Draws a cylinder: a housing and the bar behind it, fixed to the first end, and a rod, fixed to the second end. */
static void draw_cylinder(scene_maker *maker, const drawn_force *force, const char *housing, const char *bar,
                          const char *rod) {
  scene_at_end(maker, SCENE_HOUSING, &force->ends, 0, force->length, housing);
  scene_at_end(maker, SCENE_ELEMENT, &force->ends, 0, force->length, bar);
  scene_at_end(maker, SCENE_GUIDE, &force->ends, 1, force->length, rod);
}

static void add_hydraulic_cylinder(scene_maker *maker, const drawn_force *force) {
  draw_cylinder(maker, force, "M0.12 -1.3L0.66 -1.3L0.66 1.3L0.12 1.3Z", "M0 0L0.12 0",
                "M0 0L-0.6 0M-0.6 1.1L-0.6 -1.1");
  scene_pins(maker, &force->ends);
  scene_cut_and_name(maker, &force->ends);
}

/* Draws a housing and a rod, with the arrow of nonlinear elements. */
static void add_actuator(scene_maker *maker, const drawn_force *force) {
  draw_cylinder(maker, force, "M0.1 -0.9L0.6 -0.9L0.6 0.9L0.1 0.9Z", "M0 0L0.1 0", "M0 0L-0.6 0");
  draw_arrow_across(maker, force);
  add_walls(maker, &force->ends);
  scene_cut_and_name(maker, &force->ends);
}

static void add_belt(scene_maker *maker, const drawn_force *force) {
  const scene_ends *ends = &force->ends;
  for (int side = 0; side < 2; side++)
    scene_circle(maker, SCENE_PITCH, ends->bodies[side], ends->at[side], fabs(force->info.radii[side]));
  const double distance = distance_at(ends, maker->poses.q);
  if (distance > 0)
    scene_strands(maker, ends, distance, force->info.radii);
  scene_cut_and_name(maker, ends);
}

/* Draws the surfaces in contact: circles, a line with hatching on its solid side, or a curve. */
static void add_contact(scene_maker *maker, const drawn_force *force) {
  const mbs_force_info *info = &force->info;
  const scene_ends *ends = &force->ends;
  for (int side = 0; side < 2; side++)
    if (info->radii[side] != 0 && (side == 1 || info->curve == SEAM_NONE))
      scene_circle(maker, SCENE_PITCH, ends->bodies[side], ends->at[side], fabs(info->radii[side]));
  if (info->curve != SEAM_NONE)
    scene_curve(maker, info->curve, ends->bodies[0], ends->at[0]);
  if (!isnan(info->axis[0]))
    scene_symbol(maker, SCENE_ELEMENT, ends->bodies[0], ends->at[0], atan2(info->axis[1], info->axis[0]),
                 "M-5 0L5 0M-4 0L-5 -1M-2 0L-3 -1M0 0L-1 -1M2 0L1 -1M4 0L3 -1");
  scene_cut_and_name(maker, ends);
}

static void add_rope(scene_maker *maker, const drawn_force *force) {
  scene_stretched(maker, SCENE_ELEMENT, &force->ends, 0, "M0 0L1 0");
  scene_cut_and_name(maker, &force->ends);
}

/* Draws the discs of a span of a cable and, with the first span, the line of all spans. */
static void add_cable(scene_maker *maker, const drawn_force *force) {
  const mbs_force_info *info = &force->info;
  const scene_ends *ends = &force->ends;
  const bool is_first = info->places[0] == 0 && info->places[1] == 1;
  for (int side = is_first ? 0 : 1; side < 2 && info->places[1] == info->places[0] + 1; side++)
    if (info->radii[side] != 0)
      scene_circle(maker, SCENE_PITCH, ends->bodies[side], ends->at[side], fabs(info->radii[side]));
  if (!is_first)
    return;
  scene_cable(maker, force->number);
  scene_cut_and_name(maker, ends);
}

/* Draws a stop of a distance as buffers at both ends, a stop of an angle as an arc about the hinge. */
static void add_stop(scene_maker *maker, const drawn_force *force) {
  static const char buffer[] = "M0 0L1.2 0M1.2 -1.2L1.2 1.2";
  mbs_quantity turning;
  char name[256];
  snprintf(name, sizeof name, "%s.omega", force->info.name);
  if (mbs_find_quantity(maker->model, name, &turning, NULL) == SEAM_OK) {
    double at[2];
    const size_t body = scene_hinge(maker, force->info.bodies, at);
    scene_upright(maker, SCENE_ELEMENT, body, at, 0, scene_arc);
    scene_name(maker, body, at);
    return;
  }
  scene_at_end(maker, SCENE_ELEMENT, &force->ends, 0, maker->scene->unit, buffer);
  scene_at_end(maker, SCENE_ELEMENT, &force->ends, 1, -maker->scene->unit, buffer);
  scene_cut_and_name(maker, &force->ends);
}

/* ---- At a point ---- */

/* Draws a spiral spring: its radius grows from 1.2 to 3 units over two and a half turns. */
static void add_torsion(scene_maker *maker, const drawn_force *force) {
  enum { n = 60 };
  const double unit = maker->scene->unit;
  double at[2];
  const size_t body = scene_hinge(maker, force->info.bodies, at);
  scene_begin(maker, SCENE_ELEMENT, SCENE_ON_BODY)->bodies[0] = body;
  for (int i = 0; i <= n; i++) {
    const double angle = 5 * acos(-1) * i / n;
    const double radius = (1.2 + 1.8 * i / n) * unit;
    (i == 0 ? path_move : path_line)(&maker->scene->paths, at[0] + radius * cos(angle), at[1] + radius * sin(angle));
  }
  scene_end(maker);
  scene_ring_and_name(maker, body, at);
}

/* Draws a soft ring on the first body, around a pin on the second body. */
static void add_bushing(scene_maker *maker, const drawn_force *force) {
  const double unit = maker->scene->unit;
  const scene_ends *ends = &force->ends;
  scene_circle(maker, SCENE_RUBBER, ends->bodies[0], ends->at[0], 1.6 * unit);
  scene_circle(maker, SCENE_PIN, ends->bodies[1], ends->at[1], 0.7 * unit);
  for (int side = 0; side < 2; side++)
    if (ends->bodies[side] == MBS_GROUND)
      scene_ground_pivot(maker, ends->at[side], ends->bodies[1 - side]);
  if (maker->is_cut)
    scene_circle(maker, SCENE_CUT, ends->bodies[0], ends->at[0], SCENE_CUT_RADIUS * unit);
  scene_name(maker, ends->bodies[1], ends->at[1]);
}

void scene_add_forces(scene_maker *maker) {
  static void (*const add[])(scene_maker * maker, const drawn_force *force) = {
#define SCENE_ADD(kind, name) [kind] = add_##name,
      MBS_FORCE_TABLE(SCENE_ADD)
#undef SCENE_ADD
  };
  for (size_t f = 0; f < mbs_n_forces(maker->model); f++) {
    const drawn_force force = force_of(maker, f);
    maker->owner = force.info.name;
    maker->kind = mbs_force_kind_text(force.info.kind);
    maker->is_cut = maker->force_is_cut[f] && force.info.kind != MBS_TORQUE; /* a torque is a load, no coupling */
    add[force.info.kind](maker, &force);
  }
}
