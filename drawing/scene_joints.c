/* Symbols of joints, one function for each kind. */
#include <math.h>
#include <string.h>

#include <seam/curves.h>

#include "drawing/scene_parts.h"

/* Returns true if a symbol of the ground is already at this point. */
static bool is_grounded(const scene *result, const double at[2]) {
  for (size_t i = 0; i < result->n_shapes; i++) {
    const scene_shape *shape = &result->shapes[i];
    if (shape->class == SCENE_GROUND && hypot(shape->at[0][0] - at[0], shape->at[0][1] - at[1]) < 0.5 * result->unit)
      return true;
  }
  return false;
}

/* Adds a line on a body along the x axis of `map`, from x = `from`, m, with this length. */
static scene_shape *add_line(scene_maker *maker, scene_class class, size_t body, path_map map, double from,
                             double length) {
  scene_shape *line = scene_begin(maker, class, SCENE_ON_BODY);
  line->bodies[0] = body;
  path_symbol(&maker->scene->paths, "M0 0L1 0",
              path_compose(path_compose(path_scale(length, 1), path_translation(from, 0)), map));
  scene_end(maker);
  return line;
}

/* Adds a line of the ground along the x axis of `map`, from x = `from` to `to` (m), with hatching below it. */
static void add_ground_line(scene_maker *maker, path_map map, double from, double to) {
  const double unit = maker->scene->unit;
  path_apply(map, (double[2]){0, 0}, add_line(maker, SCENE_GROUND, MBS_GROUND, map, from, to - from)->at[0]);
  scene_begin(maker, SCENE_HATCHING, SCENE_ON_BODY);
  const int n = (int)fmin(2000, fmax(2, round((to - from) / (0.85 * unit))));
  for (int i = 0; i < n; i++)
    path_symbol(
        &maker->scene->paths, "M0 0L-0.8 -1",
        path_compose(path_compose(path_scale(unit, unit), path_translation(from + (i + 0.9) * (to - from) / n, 0)),
                     map));
  scene_end(maker);
}

static path_map map_to(const double at[2], double angle) {
  return path_compose(path_rotation(angle), path_translation(at[0], at[1]));
}

void scene_ground_wall(scene_maker *maker, const double at[2], double angle) {
  if (!is_grounded(maker->scene, at))
    add_ground_line(maker, map_to(at, angle), -2.2 * maker->scene->unit, 2.2 * maker->scene->unit);
}

/* The pivot is above the point if the body `carried` hangs from it, else below. */
void scene_ground_pivot(scene_maker *maker, const double at[2], size_t carried) {
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

typedef struct drawn_joint {
  size_t number;
  mbs_joint_info info;
  scene_ends ends; /* markers as they are drawn */
} drawn_joint;

/* Returns the side of the first body that is not the ground. */
static int non_ground_side(const size_t bodies[2]) { return bodies[0] == MBS_GROUND; }

void scene_ring_and_name(scene_maker *maker, size_t body, const double at[2]) {
  if (maker->is_cut)
    scene_circle(maker, SCENE_CUT, body, at, SCENE_CUT_RADIUS * maker->scene->unit);
  scene_name(maker, body, at);
}

/* Computes the range (m), over all poses, of the coordinate of the second marker along the axis of the joint. The
 * coordinate is 0 at the first marker. */
static void find_slide(const scene_maker *maker, const drawn_joint *joint, double range[2]) {
  const scene_ends *ends = &joint->ends;
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

static void add_revolute(scene_maker *maker, const drawn_joint *joint) {
  const scene_ends *ends = &joint->ends;
  const int side = non_ground_side(ends->bodies);
  if (ends->bodies[side] == MBS_GROUND)
    return;
  if (ends->bodies[1 - side] == MBS_GROUND)
    scene_ground_pivot(maker, ends->at[1 - side], ends->bodies[side]);
  scene_circle(maker, SCENE_PIN, ends->bodies[side], ends->at[side], maker->scene->unit);
  scene_ring_and_name(maker, ends->bodies[side], ends->at[side]);
}

static void add_prismatic(scene_maker *maker, const drawn_joint *joint) {
  const scene_ends *ends = &joint->ends;
  const double unit = maker->scene->unit;
  const double overhang = 5.5 * unit;
  const double direction = atan2(joint->info.axis[1], joint->info.axis[0]);
  double range[2];
  double pose[2][3];
  find_slide(maker, joint, range);
  if (ends->bodies[0] != MBS_GROUND)
    add_line(maker, SCENE_GUIDE, ends->bodies[0], map_to(ends->at[0], direction), range[0] - overhang,
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
  scene_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

/* Draws a slot with round ends, long enough for the pin in all poses. */
static void add_slot(scene_maker *maker, const drawn_joint *joint) {
  const double unit = maker->scene->unit;
  const scene_ends *ends = &joint->ends;
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
  scene_begin(maker, SCENE_BLOCK, SCENE_ON_BODY)->bodies[0] = ends->bodies[0];
  path_move(path, p[0][0], p[0][1]);
  path_line(path, p[1][0], p[1][1]);
  path_arc(path, half, false, true, p[2][0], p[2][1]);
  path_line(path, p[3][0], p[3][1]);
  path_arc(path, half, false, true, p[0][0], p[0][1]);
  path_close(path);
  scene_end(maker);
  if (ends->bodies[0] == MBS_GROUND)
    add_ground_line(maker, path_compose(path_translation(0, -half), map), corners[0][0], corners[1][0]);
  scene_circle(maker, SCENE_PIN, ends->bodies[1], ends->at[1], unit);
  scene_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

/* Draws a weld. If it is on the ground, the hatching is on the side away from the body. If bodies are drawn apart
 * (scene_layout.c), a bar joins the two bodies. */
static void add_fixed(scene_maker *maker, const drawn_joint *joint) {
  const scene_ends *ends = &joint->ends;
  const int side = non_ground_side(ends->bodies);
  double pose[3];
  scene_pose(maker->poses.q, ends->bodies[side], pose);
  if (maker->scene->apart > 0)
    scene_stretched(maker, SCENE_GUIDE, ends, 0, "M0 0L1 0");
  scene_symbol(maker, SCENE_SOLID, ends->bodies[side], ends->at[side], 0, "M-1 -1L1 -1L1 1L-1 1Z");
  if (ends->bodies[1 - side] == MBS_GROUND) {
    const double *at = ends->at[1 - side];
    const double angle = hypot(pose[0] - at[0], pose[1] - at[1]) > maker->scene->unit
                             ? atan2(pose[1] - at[1], pose[0] - at[0]) - acos(0)
                             : 0;
    scene_ground_wall(maker, at, angle);
  }
  scene_ring_and_name(maker, ends->bodies[side], ends->at[side]);
}

void scene_between(scene_maker *maker, scene_class class, scene_anchor anchor, const scene_ends *ends, double inset) {
  scene_shape *shape = scene_begin(maker, class, anchor);
  memcpy(shape->bodies, ends->bodies, sizeof shape->bodies);
  memcpy(shape->at, ends->at, sizeof shape->at);
  shape->inset = inset;
}

void scene_stretched(scene_maker *maker, scene_class class, const scene_ends *ends, double inset, const char *data) {
  scene_between(maker, class, SCENE_STRETCHED, ends, inset);
  path_symbol(&maker->scene->paths, data, path_scale(1, maker->scene->unit));
  scene_end(maker);
}

void scene_at_end(scene_maker *maker, scene_class class, const scene_ends *ends, int side, double scale,
                  const char *data) {
  scene_between(maker, class, side == 0 ? SCENE_AT_FIRST : SCENE_AT_SECOND, ends, 0);
  path_symbol(&maker->scene->paths, data, path_scale(scale, maker->scene->unit));
  scene_end(maker);
}

void scene_cut_and_name(scene_maker *maker, const scene_ends *ends) {
  double p[2];
  double q[2];
  double middle[2];
  const size_t body = ends->bodies[non_ground_side(ends->bodies)]; /* the name moves with this body */
  if (maker->is_cut)
    scene_stretched(maker, SCENE_CUT, ends, 0, "M0.5 -3.4L0.5 3.4");
  scene_point(maker->poses.q, ends->bodies[0], ends->at[0], p);
  scene_point(maker->poses.q, ends->bodies[1], ends->at[1], q);
  scene_local(maker->poses.q, body, (double[2]){(p[0] + q[0]) / 2, (p[1] + q[1]) / 2}, middle);
  scene_name(maker, body, middle);
}

void scene_pins(scene_maker *maker, const scene_ends *ends) {
  for (int side = 0; side < 2; side++) {
    if (ends->bodies[side] == MBS_GROUND)
      scene_ground_pivot(maker, ends->at[side], ends->bodies[1 - side]);
    scene_circle(maker, SCENE_PIN, ends->bodies[side], ends->at[side], 0.8 * maker->scene->unit);
  }
}

static void add_distance(scene_maker *maker, const drawn_joint *joint) {
  scene_stretched(maker, SCENE_GUIDE, &joint->ends, 0, "M0 0L1 0");
  scene_pins(maker, &joint->ends);
  scene_cut_and_name(maker, &joint->ends);
}

/* Returns the bodies of a gear and the centres of its wheels: the markers of the gear, else revolute joints of the
 * bodies, else their centres of mass. *distance: distance of the two centres, m. */
static scene_ends wheels_of(const scene_maker *maker, size_t gear, double *distance) {
  const mbs_model *model = maker->model;
  const mbs_joint_info info = mbs_joint_of(model, gear);
  scene_ends wheels = {.bodies = {info.bodies[0], info.bodies[1]}};
  double axle[2][2];
  for (int side = 0; side < 2; side++) {
    const size_t body = wheels.bodies[side];
    bool is_found = scene_joint_point(maker, gear, side, wheels.at[side]);
    if (!is_found)
      scene_centre(maker, body, wheels.at[side]);
    for (size_t j = 0; j < mbs_n_joints(model) && !is_found; j++) {
      const mbs_joint_info pin = mbs_joint_of(model, j);
      is_found = pin.kind == MBS_REVOLUTE && (pin.bodies[0] == body || pin.bodies[1] == body);
      if (is_found)
        scene_joint_point(maker, j, pin.bodies[1] == body, wheels.at[side]);
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

/* Wheels of a gear have radii r1 = |ratio| r2. If they rotate in opposite directions, they touch. Else one is inside
 * the other (is_internal()), or a belt joins them; the radii are then chosen to look well. */
bool scene_wheel_of(const scene_maker *maker, size_t joint, int side, scene_wheel *wheel) {
  const mbs_joint_info info = mbs_joint_of(maker->model, joint);
  const mbs_joint_kind kind = info.kind;
  double distance = 0;
  if (kind != MBS_GEAR && kind != MBS_BELT && !((kind == MBS_RACK || kind == MBS_ROLLING) && side == 1))
    return false;
  const scene_ends wheels = wheels_of(maker, joint, &distance);
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

/* The strands are tangents of both wheels. The radius to the point where a strand touches a wheel has an angle β to the
 * normal of the line of centres:
 *
 *   sin β = (r1 - r2)/D,   D: distance of the centres; r1, r2: radii, of opposite signs for crossed strands */
void scene_strands(scene_maker *maker, const scene_ends *wheels, double distance, const double radius[2]) {
  const double sine = fmax(-1, fmin(1, (radius[0] - radius[1]) / distance));
  const double cosine = sqrt(1 - sine * sine);
  path_list *path = &maker->scene->paths;
  scene_between(maker, SCENE_PITCH, SCENE_AT_FIRST, wheels, 0);
  for (int side = -1; side <= 1; side += 2) {
    path_move(path, radius[0] * sine, side * radius[0] * cosine);
    path_line(path, distance + radius[1] * sine, side * radius[1] * cosine);
  }
  scene_end(maker);
}

static void add_gear(scene_maker *maker, const drawn_joint *joint) {
  const mbs_joint_info *info = &joint->info;
  double distance = 0;
  double radius[2];
  const scene_ends wheels = wheels_of(maker, joint->number, &distance);
  for (int side = 0; side < 2; side++) {
    scene_wheel wheel = {0};
    scene_wheel_of(maker, joint->number, side, &wheel);
    radius[side] = wheel.radius;
    scene_circle(maker, SCENE_PITCH, wheels.bodies[side], wheel.centre, wheel.radius);
  }
  if (info->kind == MBS_BELT && distance > 0)
    scene_strands(maker, &wheels, distance, info->radii);
  else if (info->ratio > 0 && distance > 0 && !is_internal(info))
    scene_strands(maker, &wheels, distance, radius);
  scene_cut_and_name(maker, &wheels);
}

static void add_belt(scene_maker *maker, const drawn_joint *joint) { add_gear(maker, joint); }

/* Draws the wheel, and the line on which it rolls, long enough for all poses. The line has the direction of the axis.
 * For a rolling wheel it goes through the first marker. For a rack it is the pitch line, whose distance from this
 * marker is the radius of the pinion. */
static void add_rolling(scene_maker *maker, const drawn_joint *joint) {
  const scene_ends *ends = &joint->ends;
  const mbs_joint_info *info = &joint->info;
  const double overhang = 5.5 * maker->scene->unit;
  const double shift = info->kind == MBS_RACK ? -info->radii[0] : 0;
  double range[2];
  find_slide(maker, joint, range);
  const path_map along =
      path_compose(path_translation(0, shift), map_to(ends->at[0], atan2(info->axis[1], info->axis[0])));
  add_line(maker, SCENE_PITCH, ends->bodies[0], along, range[0] - overhang, range[1] - range[0] + 2 * overhang);
  scene_circle(maker, SCENE_PITCH, ends->bodies[1], ends->at[1], fabs(info->radii[0]));
  scene_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

static void add_rack(scene_maker *maker, const drawn_joint *joint) { add_rolling(maker, joint); }

static void add_skate(scene_maker *maker, const drawn_joint *joint) {
  const scene_ends *ends = &joint->ends;
  const double angle = atan2(joint->info.axis[1], joint->info.axis[0]);
  scene_begin(maker, SCENE_LINE, SCENE_ON_BODY)->bodies[0] = ends->bodies[0];
  path_symbol(&maker->scene->paths, "M-2.5 0L2.5 0",
              path_compose(path_scale(maker->scene->unit, maker->scene->unit), map_to(ends->at[0], angle)));
  scene_end(maker);
  scene_name(maker, ends->bodies[0], ends->at[0]);
}

/* Draws a curve on a body through points at equal steps of its parameter. */
void scene_curve(scene_maker *maker, size_t curve, size_t body, const double at[2]) {
  enum { n = 720 };
  path_list *path = &maker->scene->paths;
  double range[2];
  const bool is_closed = mbs_curve_range(maker->model, curve, range);
  scene_begin(maker, SCENE_LINE, SCENE_ON_BODY)->bodies[0] = body;
  for (int i = 0; i < (is_closed ? n : n + 1); i++) {
    double point[2];
    mbs_curve_at(maker->model, curve, i < n ? range[0] + (range[1] - range[0]) * i / n : range[1], point, NULL, NULL,
                 NULL);
    (i == 0 ? path_move : path_line)(path, at[0] + point[0], at[1] + point[1]);
  }
  if (is_closed)
    path_close(path);
  scene_end(maker);
}

static void add_curve(scene_maker *maker, const drawn_joint *joint) {
  const scene_ends *ends = &joint->ends;
  scene_curve(maker, joint->info.curve, ends->bodies[0], ends->at[0]);
  if (joint->info.radii[0] > 0)
    scene_circle(maker, SCENE_PITCH, ends->bodies[1], ends->at[1], joint->info.radii[0]);
  scene_circle(maker, SCENE_PIN, ends->bodies[1], ends->at[1], 0.7 * maker->scene->unit);
  scene_ring_and_name(maker, ends->bodies[1], ends->at[1]);
}

const char scene_arc[] = "M1.93 -2.3A3 1 1 -2.95 -0.52";
const char scene_arc_head[] = "M-3.56 -0.63L-2.34 -1.87L-2.34 -0.41Z";

size_t scene_hinge(const scene_maker *maker, const size_t bodies[2], double at[2]) {
  const mbs_model *model = maker->model;
  const size_t body = bodies[non_ground_side(bodies)];
  scene_centre(maker, body, at);
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info info = mbs_joint_of(model, j);
    const size_t *joined = info.bodies;
    const bool joins_both =
        (joined[0] == bodies[0] && joined[1] == bodies[1]) || (joined[0] == bodies[1] && joined[1] == bodies[0]);
    if (joins_both && info.kind == MBS_REVOLUTE) {
      scene_joint_point(maker, j, joined[1] == body, at);
      break;
    }
  }
  return body;
}

static void add_motion(scene_maker *maker, const drawn_joint *joint) {
  const mbs_motion_of of = joint->info.of;
  const scene_ends *ends = &joint->ends;
  const double unit = maker->scene->unit;
  if (of == MBS_OF_DISTANCE) {
    scene_stretched(maker, SCENE_DRIVE, ends, 1.8 * unit, "M0 0L1 0");
    for (int side = 0; side < 2; side++)
      scene_at_end(maker, SCENE_DRIVE_HEAD, ends, side, side == 0 ? unit : -unit, "M0.2 0L2 -0.7L2 0.7Z");
    scene_cut_and_name(maker, ends);
    return;
  }
  double at[2];
  double pose[3];
  const size_t body = scene_hinge(maker, ends->bodies, at);
  const bool turns = of == MBS_OF_ANGLE || of == MBS_OF_PHI;
  scene_pose(maker->poses.q, ends->bodies[0], pose);
  const double of_slide = atan2(joint->info.axis[1], joint->info.axis[0]) + pose[2];
  const double angle = of == MBS_OF_Y ? acos(0) : of == MBS_OF_SLIDE ? of_slide : 0;
  scene_upright(maker, SCENE_DRIVE, body, at, angle, turns ? scene_arc : "M2.2 0L5.5 0");
  scene_upright(maker, SCENE_DRIVE_HEAD, body, at, angle, turns ? scene_arc_head : "M7.2 0L5.4 -0.7L5.4 0.7Z");
  scene_ring_and_name(maker, body, at);
}

void scene_add_joints(scene_maker *maker) {
  static void (*const add[])(scene_maker * maker, const drawn_joint *joint) = {
#define SCENE_ADD(kind, name) [kind] = add_##name,
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
