/* Symbols of joints and force elements, one function for each kind. Conventions: drawing/scene_parts.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/curves.h>
#include <seam/measures.h>

#include "drawing/scene_parts.h"

static const double half_block = 3.4; /* half the length of a sliding body, units */
static const double cut_radius = 2.7; /* radius of the ring about a cut element, units */

/* Returns the side of the first body that is not the ground. */
static int non_ground_side(const size_t bodies[2]) { return bodies[0] == MBS_GROUND; }

/* ---- The ground ---- */

/* Returns true if a symbol of the ground is already at this point. */
static bool is_grounded(const scene *result, const double at[2]) {
  for (size_t i = 0; i < result->n_shapes; i++) {
    const scene_shape *shape = &result->shapes[i];
    if (shape->class == SCENE_GROUND && hypot(shape->at[0][0] - at[0], shape->at[0][1] - at[1]) < 0.5 * result->unit)
      return true;
  }
  return false;
}

/* Adds a line of this length on a body, along the x axis of `map` from x = `from`, m. `at`: as for scene_begin(). */
static void add_line(scene_maker *maker, scene_class class, size_t body, const double *at, path_map map, double from,
                     double length) {
  scene_begin(maker, class, SCENE_ON_BODY, body, at);
  path_symbol(&maker->scene->paths, "M0 0L1 0",
              path_compose(path_compose(path_scale(length, 1), path_translation(from, 0)), map));
}

/* Adds a line of the ground, with hatching below it. It is on the x axis of `map`, from x = `from` to `to`, m. */
static void add_ground_line(scene_maker *maker, path_map map, double from, double to) {
  const double unit = maker->scene->unit;
  const double at[2] = {map.e, map.f};
  add_line(maker, SCENE_GROUND, MBS_GROUND, at, map, from, to - from);
  scene_begin(maker, SCENE_HATCHING, SCENE_ON_BODY, MBS_GROUND, NULL);
  const int n = (int)fmin(2000, fmax(2, round((to - from) / (0.85 * unit))));
  for (int i = 0; i < n; i++)
    path_symbol(
        &maker->scene->paths, "M0 0L-0.8 -1",
        path_compose(path_compose(path_scale(unit, unit), path_translation(from + (i + 0.9) * (to - from) / n, 0)),
                     map));
}

static path_map map_to(const double at[2], double angle) {
  return path_compose(path_rotation(angle), path_translation(at[0], at[1]));
}

/* Adds a wall through the point, rotated by `angle`, unless the ground has a symbol there. */
static void add_wall(scene_maker *maker, const double at[2], double angle) {
  if (!is_grounded(maker->scene, at))
    add_ground_line(maker, map_to(at, angle), -2.2 * maker->scene->unit, 2.2 * maker->scene->unit);
}

/* Adds a pivot that carries the body `carried`, unless the ground has a symbol there. The pivot is above the point if
 * the body hangs from it, else below. */
static void add_pivot(scene_maker *maker, const double at[2], size_t carried) {
  const double unit = maker->scene->unit;
  double pose[3];
  if (is_grounded(maker->scene, at))
    return;
  scene_pose(maker->poses.q, carried, pose);
  const double rise = pose[1] - at[1];
  const double angle = rise < -0.5 * fabs(pose[0] - at[0]) && rise < -2 * unit ? acos(-1) : 0;
  scene_symbol(maker, SCENE_GROUND, MBS_GROUND, at, angle, "M0 0L-1.5 -2.7L1.5 -2.7Z");
  const path_map base = path_compose(path_translation(0, -2.7 * unit), map_to(at, angle));
  add_ground_line(maker, base, -2.6 * unit, 2.6 * unit);
}

/* ---- Between two points ---- */

/* Two points, each in the frame of its body, m. */
typedef struct end_points {
  size_t bodies[2];
  double at[2][2];
} end_points;

/* Begins a shape whose anchor depends on two points. */
static void begin_between(scene_maker *maker, scene_class class, scene_anchor anchor, const end_points *ends,
                          double inset) {
  scene_shape *shape = scene_begin(maker, class, anchor, ends->bodies[0], ends->at[0]);
  shape->bodies[1] = ends->bodies[1];
  memcpy(shape->at[1], ends->at[1], sizeof shape->at[1]);
  shape->inset = inset;
}

/* Adds a symbol that is stretched between two points. In `data`, x is 0 to 1, and y is in units. */
static void add_stretched(scene_maker *maker, scene_class class, const end_points *ends, double inset,
                          const char *data) {
  begin_between(maker, class, SCENE_STRETCHED, ends, inset);
  path_symbol(&maker->scene->paths, data, path_scale(1, maker->scene->unit));
}

/* Adds a symbol at the end on side 0 or 1, along the line between the ends. In `data`, x is in multiples of `scale`
 * (m), and y is in units. */
static void add_at_end(scene_maker *maker, scene_class class, const end_points *ends, int side, double scale,
                       const char *data) {
  begin_between(maker, class, side == 0 ? SCENE_AT_FIRST : SCENE_AT_SECOND, ends, 0);
  path_symbol(&maker->scene->paths, data, path_scale(scale, maker->scene->unit));
}

/* Adds a pin at each of two points. A point on the ground also gets a pivot. */
static void add_pins(scene_maker *maker, const end_points *ends) {
  for (int side = 0; side < 2; side++) {
    if (ends->bodies[side] == MBS_GROUND)
      add_pivot(maker, ends->at[side], ends->bodies[1 - side]);
    scene_circle(maker, SCENE_PIN, ends->bodies[side], ends->at[side], 0.8 * maker->scene->unit);
  }
}

/* ---- Names, marks of cuts, and hinges ---- */

/* Adds the name of an element at a point; a cut element also gets a ring. */
static void add_ring_and_name(scene_maker *maker, size_t body, const double at[2]) {
  if (maker->is_cut)
    scene_circle(maker, SCENE_CUT, body, at, cut_radius * maker->scene->unit);
  scene_name(maker, body, at);
}

/* Adds the name of an element midway between two points; a cut element also gets a mark. */
static void add_mark_and_name(scene_maker *maker, const end_points *ends) {
  double p[2];
  double q[2];
  double middle[2];
  const size_t body = ends->bodies[non_ground_side(ends->bodies)]; /* the name moves with this body */
  if (maker->is_cut)
    add_stretched(maker, SCENE_CUT, ends, 0, "M0.5 -3.4L0.5 3.4");
  scene_point(maker->poses.q, ends->bodies[0], ends->at[0], p);
  scene_point(maker->poses.q, ends->bodies[1], ends->at[1], q);
  scene_local(maker->poses.q, body, (double[2]){(p[0] + q[0]) / 2, (p[1] + q[1]) / 2}, middle);
  scene_name(maker, body, middle);
}

/* Path data, in units, of a circular arrow and of its head. */
static const char arc[] = "M1.93 -2.3A3 1 1 -2.95 -0.52";
static const char arc_head[] = "M-3.56 -0.63L-2.34 -1.87L-2.34 -0.41Z";

/* Finds the hinge about which two bodies rotate relative to each other: their revolute joint. Without one, it is the
 * centre of mass of the first body that is not the ground. Returns the index of this body; `at` is in its frame. */
static size_t hinge_of(const scene_maker *maker, const size_t bodies[2], double at[2]) {
  const size_t body = bodies[non_ground_side(bodies)];
  scene_centre(maker, body, at);
  for (size_t on = scene_first_side(maker, body); on != SEAM_NONE; on = maker->next_side[on]) {
    const mbs_joint_info info = mbs_joint_of(maker->model, on / 2);
    const size_t *joined = info.bodies;
    const bool joins_both =
        (joined[0] == bodies[0] && joined[1] == bodies[1]) || (joined[0] == bodies[1] && joined[1] == bodies[0]);
    if (joins_both && info.kind == MBS_REVOLUTE) {
      scene_joint_point(maker, on / 2, on % 2, at);
      break;
    }
  }
  return body;
}

/* ---- Curves, wheels and belts ---- */

/* Draws a curve on a body through points at equal steps of its parameter. */
static void add_curve(scene_maker *maker, size_t curve, size_t body, const double at[2]) {
  enum { n = 720 };
  path_list *path = &maker->scene->paths;
  double range[2];
  const bool is_closed = mbs_curve_range(maker->model, curve, range);
  scene_begin(maker, SCENE_LINE, SCENE_ON_BODY, body, NULL);
  for (int i = 0; i < (is_closed ? n : n + 1); i++) {
    double point[2];
    mbs_curve_at(maker->model, curve, i < n ? range[0] + (range[1] - range[0]) * i / n : range[1], point, NULL, NULL,
                 NULL);
    (i == 0 ? path_move : path_line)(path, at[0] + point[0], at[1] + point[1]);
  }
  if (is_closed)
    path_close(path);
}

/* Returns the bodies of a gear and the centres of its wheels. Centres are markers of the gear, else revolute joints of
 * the bodies, else centres of mass. *distance: distance of the two centres, m. */
static end_points wheels_of(const scene_maker *maker, size_t gear, double *distance) {
  const mbs_model *model = maker->model;
  const mbs_joint_info info = mbs_joint_of(model, gear);
  end_points wheels = {.bodies = {info.bodies[0], info.bodies[1]}};
  double axle[2][2];
  for (int side = 0; side < 2; side++) {
    const size_t body = wheels.bodies[side];
    bool is_found = scene_joint_point(maker, gear, side, wheels.at[side]);
    if (!is_found)
      scene_centre(maker, body, wheels.at[side]);
    for (size_t on = scene_first_side(maker, body); on != SEAM_NONE && !is_found; on = maker->next_side[on]) {
      is_found = mbs_joint_of(model, on / 2).kind == MBS_REVOLUTE;
      if (is_found)
        scene_joint_point(maker, on / 2, on % 2, wheels.at[side]);
    }
    scene_point(maker->poses.q, body, wheels.at[side], axle[side]);
  }
  *distance = hypot(axle[1][0] - axle[0][0], axle[1][1] - axle[0][1]);
  return wheels;
}

/* Returns true if the gear is drawn as an internal gear, with one wheel inside the other: both wheels rotate in the
 * same direction, at different speeds, and markers give their centres. */
static bool is_internal(const mbs_joint_info *gear) {
  return gear->ratio > 0 && gear->ratio != 1 && !isnan(gear->markers[0][0]);
}

/* Wheels of a gear have radii r1 = |ratio| r2. Wheels that rotate in opposite directions touch. Otherwise one is inside
 * the other (is_internal()), or a belt joins them; the belt's radii are chosen to look well. */
bool scene_wheel_of(const scene_maker *maker, size_t joint, int side, scene_wheel *wheel) {
  const mbs_joint_info info = mbs_joint_of(maker->model, joint);
  const mbs_joint_kind kind = info.kind;
  double distance = 0;
  if (kind != MBS_GEAR && kind != MBS_BELT && !((kind == MBS_RACK || kind == MBS_ROLLING) && side == 1))
    return false;
  const end_points wheels = wheels_of(maker, joint, &distance);
  *wheel = (scene_wheel){.centre = {wheels.at[side][0], wheels.at[side][1]}};
  if (kind != MBS_GEAR) {
    wheel->radius = fabs(info.radii[kind == MBS_BELT ? side : 0]);
    return true;
  }
  const bool has_ring = is_internal(&info);
  const double unit = maker->scene->unit;
  const double share = side == 0 ? fabs(info.ratio) : 1;
  const double sum = distance > 4 * unit ? distance * (info.ratio < 0 ? 1 : 0.7) : 8 * unit;
  wheel->radius = share * (has_ring ? distance / fabs(1 - info.ratio) : sum / (1 + fabs(info.ratio)));
  wheel->is_ring = has_ring && (side == 0) == (info.ratio > 1);
  return true;
}

/* Adds the two strands of a belt over two wheels. They are tangents of both wheels. The wheels have radii r1 and r2, of
 * opposite signs for crossed strands, and their centres have the distance D. The radius to a point of contact has an
 * angle β to the normal of the line of centres, with sin β = (r1 - r2)/D. */
static void add_strands(scene_maker *maker, const end_points *wheels, double distance, const double radius[2]) {
  const double sine = fmax(-1, fmin(1, (radius[0] - radius[1]) / distance));
  const double cosine = sqrt(1 - sine * sine);
  path_list *path = &maker->scene->paths;
  begin_between(maker, SCENE_PITCH, SCENE_AT_FIRST, wheels, 0);
  for (int side = -1; side <= 1; side += 2) {
    path_move(path, radius[0] * sine, side * radius[0] * cosine);
    path_line(path, distance + radius[1] * sine, side * radius[1] * cosine);
  }
}

/* ---- Joints ---- */

typedef struct drawn_joint {
  size_t number;
  mbs_joint_info info;
  end_points ends; /* markers as they are drawn */
} drawn_joint;

/* Computes the range, over all poses, of the second marker's coordinate (m) along the axis from the first marker. */
static void find_slide(const scene_maker *maker, const drawn_joint *joint, double range[2]) {
  const end_points *ends = &joint->ends;
  const double *axis = joint->info.axis;
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (size_t k = 0; k < maker->poses.n; k++) {
    const double *q = maker->poses.q + 3 * mbs_n_bodies(maker->model) * k;
    double point[2];
    double local[2];
    scene_point(q, ends->bodies[1], ends->at[1], point);
    scene_local(q, ends->bodies[0], point, local);
    const double s = axis[0] * (local[0] - ends->at[0][0]) + axis[1] * (local[1] - ends->at[0][1]);
    range[0] = fmin(range[0], s);
    range[1] = fmax(range[1], s);
  }
}

static void add_joint_revolute(scene_maker *maker, const drawn_joint *joint) {
  const end_points *ends = &joint->ends;
  const int side = non_ground_side(ends->bodies);
  if (ends->bodies[side] == MBS_GROUND)
    return;
  if (ends->bodies[1 - side] == MBS_GROUND)
    add_pivot(maker, ends->at[1 - side], ends->bodies[side]);
  scene_circle(maker, SCENE_PIN, ends->bodies[side], ends->at[side], maker->scene->unit);
  add_ring_and_name(maker, ends->bodies[side], ends->at[side]);
}

static void add_joint_prismatic(scene_maker *maker, const drawn_joint *joint) {
  const end_points *ends = &joint->ends;
  const double unit = maker->scene->unit;
  const double overhang = 5.5 * unit;
  const double direction = atan2(joint->info.axis[1], joint->info.axis[0]);
  double range[2];
  double pose[2][3];
  find_slide(maker, joint, range);
  if (ends->bodies[0] != MBS_GROUND)
    add_line(maker, SCENE_GUIDE, ends->bodies[0], NULL, map_to(ends->at[0], direction), range[0] - overhang,
             range[1] - range[0] + 2 * overhang);
  else { /* the ground is below the sliding body or, if the axis is vertical, to its right */
    const bool is_back = cos(direction) < -1e-9 || (fabs(cos(direction)) <= 1e-9 && sin(direction) < 0);
    const path_map along =
        path_compose(path_translation(0, -2.3 * unit), map_to(ends->at[0], is_back ? direction + acos(-1) : direction));
    add_ground_line(maker, along, (is_back ? -range[1] : range[0]) - overhang,
                    (is_back ? -range[0] : range[1]) + overhang);
  }
  for (int side = 0; side < 2; side++)
    scene_pose(maker->poses.q, ends->bodies[side], pose[side]);
  const double angle = direction + pose[0][2] - pose[1][2];
  if (ends->bodies[1] == MBS_GROUND || !maker->is_block[ends->bodies[1]])
    scene_symbol(maker, SCENE_BLOCK, ends->bodies[1], ends->at[1], angle, "M-2.6 -1.5L2.6 -1.5L2.6 1.5L-2.6 1.5Z");
  if (ends->bodies[1] == MBS_GROUND)
    add_ground_line(maker, path_compose(path_translation(0, -1.5 * unit), map_to(ends->at[1], angle)), -3.5 * unit,
                    3.5 * unit);
  add_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

/* Draws a slot with round ends, long enough for the pin in all poses. */
static void add_joint_slot(scene_maker *maker, const drawn_joint *joint) {
  const double unit = maker->scene->unit;
  const end_points *ends = &joint->ends;
  double range[2];
  find_slide(maker, joint, range);
  const path_map map = map_to(ends->at[0], atan2(joint->info.axis[1], joint->info.axis[0]));
  const double half = 1.35 * unit;
  const double corners[4][2] = {{range[0] - 2 * unit, -half},
                                {range[1] + 2 * unit, -half},
                                {range[1] + 2 * unit, half},
                                {range[0] - 2 * unit, half}};
  double p[4][2];
  for (int i = 0; i < 4; i++)
    path_apply(map, corners[i], p[i]);
  path_list *path = &maker->scene->paths;
  scene_begin(maker, SCENE_BLOCK, SCENE_ON_BODY, ends->bodies[0], NULL);
  path_move(path, p[0][0], p[0][1]);
  path_line(path, p[1][0], p[1][1]);
  path_arc(path, half, false, true, p[2][0], p[2][1]);
  path_line(path, p[3][0], p[3][1]);
  path_arc(path, half, false, true, p[0][0], p[0][1]);
  path_close(path);
  if (ends->bodies[0] == MBS_GROUND)
    add_ground_line(maker, path_compose(path_translation(0, -half), map), corners[0][0], corners[1][0]);
  scene_circle(maker, SCENE_PIN, ends->bodies[1], ends->at[1], unit);
  add_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

/* Draws a weld. On the ground, hatching is on the side away from the body. Bodies drawn apart have a bar between. */
static void add_joint_fixed(scene_maker *maker, const drawn_joint *joint) {
  const end_points *ends = &joint->ends;
  const int side = non_ground_side(ends->bodies);
  double pose[3];
  scene_pose(maker->poses.q, ends->bodies[side], pose);
  if (maker->scene->apart > 0)
    add_stretched(maker, SCENE_GUIDE, ends, 0, "M0 0L1 0");
  scene_symbol(maker, SCENE_SOLID, ends->bodies[side], ends->at[side], 0, "M-1 -1L1 -1L1 1L-1 1Z");
  if (ends->bodies[1 - side] == MBS_GROUND) {
    const double *at = ends->at[1 - side];
    const double angle = hypot(pose[0] - at[0], pose[1] - at[1]) > maker->scene->unit
                             ? atan2(pose[1] - at[1], pose[0] - at[0]) - acos(0)
                             : 0;
    add_wall(maker, at, angle);
  }
  add_ring_and_name(maker, ends->bodies[side], ends->at[side]);
}

static void add_joint_distance(scene_maker *maker, const drawn_joint *joint) {
  add_stretched(maker, SCENE_GUIDE, &joint->ends, 0, "M0 0L1 0");
  add_pins(maker, &joint->ends);
  add_mark_and_name(maker, &joint->ends);
}

static void add_joint_gear(scene_maker *maker, const drawn_joint *joint) {
  const mbs_joint_info *info = &joint->info;
  double distance = 0;
  double radius[2];
  const end_points wheels = wheels_of(maker, joint->number, &distance);
  for (int side = 0; side < 2; side++) {
    scene_wheel wheel = {0};
    scene_wheel_of(maker, joint->number, side, &wheel);
    radius[side] = wheel.radius;
    scene_circle(maker, SCENE_PITCH, wheels.bodies[side], wheel.centre, wheel.radius);
  }
  if (info->kind == MBS_BELT && distance > 0)
    add_strands(maker, &wheels, distance, info->radii);
  else if (info->ratio > 0 && distance > 0 && !is_internal(info))
    add_strands(maker, &wheels, distance, radius);
  add_mark_and_name(maker, &wheels);
}

static void add_joint_belt(scene_maker *maker, const drawn_joint *joint) { add_joint_gear(maker, joint); }

/* Draws the wheel, and the line along the axis on which it rolls, long enough for all poses. The line of a rolling
 * wheel goes through the first marker. The pitch line of a rack is at the radius of the pinion from it. */
static void add_joint_rolling(scene_maker *maker, const drawn_joint *joint) {
  const end_points *ends = &joint->ends;
  const mbs_joint_info *info = &joint->info;
  const double overhang = 5.5 * maker->scene->unit;
  const double shift = info->kind == MBS_RACK ? -info->radii[0] : 0;
  double range[2];
  find_slide(maker, joint, range);
  const path_map along =
      path_compose(path_translation(0, shift), map_to(ends->at[0], atan2(info->axis[1], info->axis[0])));
  add_line(maker, SCENE_PITCH, ends->bodies[0], NULL, along, range[0] - overhang, range[1] - range[0] + 2 * overhang);
  scene_circle(maker, SCENE_PITCH, ends->bodies[1], ends->at[1], fabs(info->radii[0]));
  add_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

static void add_joint_rack(scene_maker *maker, const drawn_joint *joint) { add_joint_rolling(maker, joint); }

static void add_joint_skate(scene_maker *maker, const drawn_joint *joint) {
  const end_points *ends = &joint->ends;
  const double angle = atan2(joint->info.axis[1], joint->info.axis[0]);
  scene_begin(maker, SCENE_LINE, SCENE_ON_BODY, ends->bodies[0], NULL);
  path_symbol(&maker->scene->paths, "M-2.5 0L2.5 0",
              path_compose(path_scale(maker->scene->unit, maker->scene->unit), map_to(ends->at[0], angle)));
  scene_name(maker, ends->bodies[0], ends->at[0]);
}

static void add_joint_curve(scene_maker *maker, const drawn_joint *joint) {
  const end_points *ends = &joint->ends;
  add_curve(maker, joint->info.curve, ends->bodies[0], ends->at[0]);
  if (joint->info.radii[0] > 0)
    scene_circle(maker, SCENE_PITCH, ends->bodies[1], ends->at[1], joint->info.radii[0]);
  scene_circle(maker, SCENE_PIN, ends->bodies[1], ends->at[1], 0.7 * maker->scene->unit);
  add_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

static void add_joint_motion(scene_maker *maker, const drawn_joint *joint) {
  const mbs_motion_of of = joint->info.of;
  const end_points *ends = &joint->ends;
  const double unit = maker->scene->unit;
  if (of == MBS_OF_DISTANCE) {
    add_stretched(maker, SCENE_DRIVE, ends, 1.8 * unit, "M0 0L1 0");
    for (int side = 0; side < 2; side++)
      add_at_end(maker, SCENE_DRIVE_HEAD, ends, side, side == 0 ? unit : -unit, "M0.2 0L2 -0.7L2 0.7Z");
    add_mark_and_name(maker, ends);
    return;
  }
  double at[2];
  double pose[3];
  const size_t body = hinge_of(maker, ends->bodies, at);
  const bool turns = of == MBS_OF_ANGLE || of == MBS_OF_PHI;
  scene_pose(maker->poses.q, ends->bodies[0], pose);
  const double of_slide = atan2(joint->info.axis[1], joint->info.axis[0]) + pose[2];
  const double angle = of == MBS_OF_Y ? acos(0) : of == MBS_OF_SLIDE ? of_slide : 0;
  scene_upright(maker, SCENE_DRIVE, body, at, angle, turns ? arc : "M2.2 0L5.5 0");
  scene_upright(maker, SCENE_DRIVE_HEAD, body, at, angle, turns ? arc_head : "M7.2 0L5.4 -0.7L5.4 0.7Z");
  add_ring_and_name(maker, body, at);
}

void scene_add_joints(scene_maker *maker) {
  static void (*const add[])(scene_maker * maker, const drawn_joint *joint) = {
#define SCENE_ADD(kind, name) [kind] = add_joint_##name,
      MBS_JOINT_TABLE(SCENE_ADD)
#undef SCENE_ADD
  };
  for (size_t j = 0; j < mbs_n_joints(maker->model); j++) {
    drawn_joint joint = {.number = j, .info = mbs_joint_of(maker->model, j)};
    for (int side = 0; side < 2; side++) {
      joint.ends.bodies[side] = joint.info.bodies[side];
      scene_joint_point(maker, j, side, joint.ends.at[side]);
    }
    maker->owner = joint.info.name;
    maker->kind = mbs_joint_kind_text(joint.info.kind);
    maker->is_cut = scene_is_cut(maker->scene, joint.info.bodies);
    add[joint.info.kind](maker, &joint);
  }
}

/* ---- Force elements ---- */

/* A force element while it is drawn. */
typedef struct drawn_force {
  size_t number;
  mbs_force_info info;
  end_points ends;
  double length; /* m, mean of the shortest and the longest distance of both ends over all poses */
} drawn_force;

static double distance_at(const end_points *ends, const double *q) {
  double p[2][2];
  for (int side = 0; side < 2; side++)
    scene_point(q, ends->bodies[side], ends->at[side], p[side]);
  return hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]);
}

/* Moves the ends on bodies that are drawn as blocks to the edges of the blocks. */
static void move_to_edges(const scene_maker *maker, end_points *ends) {
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
    const double half = half_block * maker->scene->unit;
    if (hypot(at[0] - centre[0], at[1] - centre[1]) < half && length > 2 * half)
      for (int i = 0; i < 2; i++)
        ends->at[side][i] += half * direction[i] / length;
  }
}

/* ---- Force elements on one body ---- */

static void add_force_viscous(scene_maker *maker, const drawn_force *force) {
  double at[2];
  scene_centre(maker, force->info.bodies[0], at);
  scene_upright(maker, SCENE_ELEMENT, force->info.bodies[0], at, 0,
                "M-1.6 -2.9A0.55 0 0 -0.6 -2.9A0.55 0 1 0.4 -2.9A0.55 0 0 1.4 -2.9"
                "M-1.6 -3.7A0.55 0 0 -0.6 -3.7A0.55 0 1 0.4 -3.7A0.55 0 0 1.4 -3.7");
}

/* Draws an arrow in the direction of the force at t = 0. If the force is zero at this time, draws it along x. */
static void add_force_force(scene_maker *maker, const drawn_force *force) {
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

/* Draws a circular arrow about the hinge (hinge_of()), for a torque or a rotary actuator. */
static void add_force_torque(scene_maker *maker, const drawn_force *force) {
  double at[2];
  const size_t body = hinge_of(maker, force->info.bodies, at);
  scene_upright(maker, SCENE_LOAD, body, at, 0, arc);
  scene_upright(maker, SCENE_LOAD_HEAD, body, at, 0, arc_head);
  add_ring_and_name(maker, body, at);
}

static void add_force_rotary_actuator(scene_maker *maker, const drawn_force *force) { add_force_torque(maker, force); }

/* Draws streamlines that end at the marker of the element. */
static void add_force_drag(scene_maker *maker, const drawn_force *force) {
  const size_t body = force->info.bodies[0];
  scene_upright(maker, SCENE_LOAD, body, force->ends.at[0], 0, "M-5 0L-1.5 0M-4.4 1L-1.5 1M-4.4 -1L-1.5 -1");
  scene_name(maker, body, force->ends.at[0]);
}

/* ---- Force elements between two points ---- */

/* Draws a wall at each end on the ground, perpendicular to the line to the other end. */
static void add_walls(scene_maker *maker, const end_points *ends) {
  for (int side = 0; side < 2; side++) {
    if (ends->bodies[side] != MBS_GROUND)
      continue;
    double other[2];
    scene_point(maker->poses.q, ends->bodies[1 - side], ends->at[1 - side], other);
    const double *at = ends->at[side];
    add_wall(maker, at, atan2(other[1] - at[1], other[0] - at[0]) - acos(0));
  }
}

/* Draws a spring as a zigzag, with 4 to 12 coils. Within these limits a coil is about as long as high. `shift`: m,
 * distance from the line between the ends. */
static void draw_zigzag(scene_maker *maker, const drawn_force *force, double inset, double shift) {
  path_list *path = &maker->scene->paths;
  const double unit = maker->scene->unit;
  const double height = shift == 0 ? 1.3 * unit : 0.9 * unit;
  const double end_share = 0.12;
  const int n = (int)fmax(4, fmin(12, floor((1 - 2 * end_share) * force->length / (2.4 * unit))));
  begin_between(maker, SCENE_ELEMENT, SCENE_STRETCHED, &force->ends, inset);
  path_move(path, 0, shift);
  path_line(path, end_share, shift);
  for (int i = 0; i < 2 * n; i++)
    path_line(path, end_share + (1 - 2 * end_share) * (i + 0.5) / (2 * n), shift + (i % 2 == 0 ? height : -height));
  path_line(path, 1 - end_share, shift);
  path_line(path, 1, shift);
}

/* Draws a dashpot. The housing begins at a distance `inset` from the first end, the piston rod as far from the second.
 * `shift`: m, distance from the line between the ends. */
static void draw_dashpot(scene_maker *maker, const drawn_force *force, double inset, double shift) {
  const double unit = maker->scene->unit;
  const double length = force->length - 2 * inset;
  const double housing = fmin(0.34 * length, 6 * unit);
  const double base = (length - housing) / 2;
  const double height = shift == 0 ? 1.2 * unit : 0.9 * unit;
  path_list *path = &maker->scene->paths;
  begin_between(maker, SCENE_ELEMENT, SCENE_AT_FIRST, &force->ends, inset);
  path_move(path, 0, shift);
  path_line(path, base, shift);
  path_symbol(path, "M1 1L0 1L0 -1L1 -1", path_compose(path_scale(housing, height), path_translation(base, shift)));
  begin_between(maker, SCENE_ELEMENT, SCENE_AT_SECOND, &force->ends, inset);
  path_move(path, 0, shift);
  path_line(path, -length / 2, shift);
  path_symbol(path, "M0 -0.7L0 0.7", path_compose(path_scale(1, height), path_translation(-length / 2, shift)));
}

/* Draws the arrow that marks nonlinear elements, across the middle of the element. */
static void draw_arrow_across(scene_maker *maker, const drawn_force *force) {
  const double unit = maker->scene->unit;
  begin_between(maker, SCENE_ELEMENT, SCENE_STRETCHED, &force->ends, 0);
  path_symbol(&maker->scene->paths, "M-2.2 -2.4L2.2 2.4M0.9 2L2.2 2.4L1.9 1.1",
              path_compose(path_scale(unit / fmax(force->length, unit), unit), path_translation(0.5, 0)));
}

/* Draws a spring, a damper or both, side by side between two yokes; an element with a law is drawn as a spring. */
static void add_force_spring_damper(scene_maker *maker, const drawn_force *force) {
  const mbs_force_info *info = &force->info;
  const double unit = maker->scene->unit;
  if (info->damping[0] > 0 && info->stiffness[0] > 0) {
    const double yoke = fmin(0.1 * force->length, 2 * unit);
    for (int side = 0; side < 2; side++)
      add_at_end(maker, SCENE_ELEMENT, &force->ends, side, side == 0 ? yoke : -yoke, "M0 0L1 0M1 -1.5L1 1.5");
    draw_zigzag(maker, force, yoke, 1.5 * unit);
    draw_dashpot(maker, force, yoke, -1.5 * unit);
  } else if (info->damping[0] > 0)
    draw_dashpot(maker, force, 0, 0);
  else
    draw_zigzag(maker, force, 0, 0);
  if (isnan(info->stiffness[0]))
    draw_arrow_across(maker, force);
  add_walls(maker, &force->ends);
  add_mark_and_name(maker, &force->ends);
}

/* Draws a beam as straight, without its deflection. */
static void add_force_beam(scene_maker *maker, const drawn_force *force) {
  add_stretched(maker, SCENE_ELEMENT, &force->ends, 0, "M0 0.45L1 0.45M0 -0.45L1 -0.45");
  for (int side = 0; side < 2; side++)
    add_at_end(maker, SCENE_ELEMENT, &force->ends, side, force->length, "M0 -1L0 1");
  add_walls(maker, &force->ends);
  add_mark_and_name(maker, &force->ends);
}

/* Draws a cylinder. The housing and the bar behind it belong to the first end, the rod to the second. */
static void draw_cylinder(scene_maker *maker, const drawn_force *force, const char *housing, const char *bar,
                          const char *rod) {
  add_at_end(maker, SCENE_HOUSING, &force->ends, 0, force->length, housing);
  add_at_end(maker, SCENE_ELEMENT, &force->ends, 0, force->length, bar);
  add_at_end(maker, SCENE_GUIDE, &force->ends, 1, force->length, rod);
}

static void add_force_hydraulic_cylinder(scene_maker *maker, const drawn_force *force) {
  draw_cylinder(maker, force, "M0.12 -1.3L0.66 -1.3L0.66 1.3L0.12 1.3Z", "M0 0L0.12 0",
                "M0 0L-0.6 0M-0.6 1.1L-0.6 -1.1");
  add_pins(maker, &force->ends);
  add_mark_and_name(maker, &force->ends);
}

/* Draws a housing and a rod, with the arrow of nonlinear elements. */
static void add_force_actuator(scene_maker *maker, const drawn_force *force) {
  draw_cylinder(maker, force, "M0.1 -0.9L0.6 -0.9L0.6 0.9L0.1 0.9Z", "M0 0L0.1 0", "M0 0L-0.6 0");
  draw_arrow_across(maker, force);
  add_walls(maker, &force->ends);
  add_mark_and_name(maker, &force->ends);
}

static void add_force_belt(scene_maker *maker, const drawn_force *force) {
  const end_points *ends = &force->ends;
  for (int side = 0; side < 2; side++)
    scene_circle(maker, SCENE_PITCH, ends->bodies[side], ends->at[side], fabs(force->info.radii[side]));
  const double distance = distance_at(ends, maker->poses.q);
  if (distance > 0)
    add_strands(maker, ends, distance, force->info.radii);
  add_mark_and_name(maker, ends);
}

/* Draws the surfaces in contact: circles, a line with hatching on its solid side, or a curve. */
static void add_force_contact(scene_maker *maker, const drawn_force *force) {
  const mbs_force_info *info = &force->info;
  const end_points *ends = &force->ends;
  for (int side = 0; side < 2; side++)
    if (info->radii[side] != 0 && (side == 1 || info->curve == SEAM_NONE))
      scene_circle(maker, SCENE_PITCH, ends->bodies[side], ends->at[side], fabs(info->radii[side]));
  if (info->curve != SEAM_NONE)
    add_curve(maker, info->curve, ends->bodies[0], ends->at[0]);
  if (!isnan(info->axis[0]))
    scene_symbol(maker, SCENE_ELEMENT, ends->bodies[0], ends->at[0], atan2(info->axis[1], info->axis[0]),
                 "M-5 0L5 0M-4 0L-5 -1M-2 0L-3 -1M0 0L-1 -1M2 0L1 -1M4 0L3 -1");
  add_mark_and_name(maker, ends);
}

static void add_force_rope(scene_maker *maker, const drawn_force *force) {
  add_stretched(maker, SCENE_ELEMENT, &force->ends, 0, "M0 0L1 0");
  add_mark_and_name(maker, &force->ends);
}

/* Draws the discs of a span of a cable. The first span also draws the line of all spans. */
static void add_force_cable(scene_maker *maker, const drawn_force *force) {
  const mbs_force_info *info = &force->info;
  const end_points *ends = &force->ends;
  const bool is_first = info->places[0] == 0 && info->places[1] == 1;
  for (int side = is_first ? 0 : 1; side < 2 && info->places[1] == info->places[0] + 1; side++)
    if (info->radii[side] != 0)
      scene_circle(maker, SCENE_PITCH, ends->bodies[side], ends->at[side], fabs(info->radii[side]));
  if (!is_first)
    return;
  scene_cable(maker, force->number);
  add_mark_and_name(maker, ends);
}

/* Draws a stop of a distance as two buffers, a stop of an angle as an arc about the hinge. */
static void add_force_stop(scene_maker *maker, const drawn_force *force) {
  static const char buffer[] = "M0 0L1.2 0M1.2 -1.2L1.2 1.2";
  mbs_quantity turning;
  char name[256];
  snprintf(name, sizeof name, "%s.omega", force->info.name);
  if (mbs_find_quantity(maker->model, name, &turning, NULL) == SEAM_OK) {
    double at[2];
    const size_t body = hinge_of(maker, force->info.bodies, at);
    scene_upright(maker, SCENE_ELEMENT, body, at, 0, arc);
    scene_name(maker, body, at);
    return;
  }
  add_at_end(maker, SCENE_ELEMENT, &force->ends, 0, maker->scene->unit, buffer);
  add_at_end(maker, SCENE_ELEMENT, &force->ends, 1, -maker->scene->unit, buffer);
  add_mark_and_name(maker, &force->ends);
}

/* ---- Force elements at a point ---- */

/* Draws a spiral spring: its radius grows from 1.2 to 3 units over two and a half turns. */
static void add_force_torsion(scene_maker *maker, const drawn_force *force) {
  enum { n = 60 };
  const double unit = maker->scene->unit;
  double at[2];
  const size_t body = hinge_of(maker, force->info.bodies, at);
  scene_begin(maker, SCENE_ELEMENT, SCENE_ON_BODY, body, NULL);
  for (int i = 0; i <= n; i++) {
    const double angle = 5 * acos(-1) * i / n;
    const double radius = (1.2 + 1.8 * i / n) * unit;
    (i == 0 ? path_move : path_line)(&maker->scene->paths, at[0] + radius * cos(angle), at[1] + radius * sin(angle));
  }
  add_ring_and_name(maker, body, at);
}

/* Draws a soft ring on the first body, around a pin on the second body. */
static void add_force_bushing(scene_maker *maker, const drawn_force *force) {
  const double unit = maker->scene->unit;
  const end_points *ends = &force->ends;
  scene_circle(maker, SCENE_RUBBER, ends->bodies[0], ends->at[0], 1.6 * unit);
  scene_circle(maker, SCENE_PIN, ends->bodies[1], ends->at[1], 0.7 * unit);
  for (int side = 0; side < 2; side++)
    if (ends->bodies[side] == MBS_GROUND)
      add_pivot(maker, ends->at[side], ends->bodies[1 - side]);
  if (maker->is_cut)
    scene_circle(maker, SCENE_CUT, ends->bodies[0], ends->at[0], cut_radius * unit);
  scene_name(maker, ends->bodies[1], ends->at[1]);
}

void scene_add_forces(scene_maker *maker) {
  static void (*const add[])(scene_maker * maker, const drawn_force *force) = {
#define SCENE_ADD(kind, name) [kind] = add_force_##name,
      MBS_FORCE_TABLE(SCENE_ADD)
#undef SCENE_ADD
  };
  for (size_t f = 0; f < mbs_n_forces(maker->model); f++) {
    drawn_force force = {.number = f, .info = mbs_force_of(maker->model, f)};
    double least = INFINITY;
    double most = 0;
    for (int side = 0; side < 2; side++) {
      force.ends.bodies[side] = force.info.bodies[side];
      scene_force_point(maker, f, side, force.ends.at[side]);
    }
    if (force.info.kind != MBS_ELASTIC_BELT && force.info.kind != MBS_CONTACT) /* these have their own surfaces */
      move_to_edges(maker, &force.ends);
    for (size_t k = 0; k < maker->poses.n; k++) {
      const double length = distance_at(&force.ends, maker->poses.q + 3 * mbs_n_bodies(maker->model) * k);
      least = fmin(least, length);
      most = fmax(most, length);
    }
    force.length = (least + most) / 2;
    maker->owner = force.info.name;
    maker->kind = mbs_force_kind_text(force.info.kind);
    maker->is_cut = maker->force_is_cut[f] && force.info.kind != MBS_TORQUE; /* a torque is a load, no coupling */
    add[force.info.kind](maker, &force);
  }
}
