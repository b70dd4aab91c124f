/* Types of `joints:`, and readers of their keys. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/sections/elements.h"
#include "models/sections/quantities_section.h"
#include "models/speed_law.h"

/* ---- Gears, racks and rolling ------------------------------------------------------------------------------------ */

static seam_status read_nonzero(reader *r, yaml_node *value, const char *fix, double *number) {
  TRY(reader_number(r, value, ANY_NUMBER, number));
  if (*number != 0)
    return SEAM_OK;
  return reader_fail(r, value, fix, "'%s' in %s must not be zero", value->key->text, r->subject);
}

static seam_status read_ratio(reader *r, yaml_node *value, element *to) {
  return read_nonzero(r, value, "hold the second body by a joint instead", &to->joint.ratio);
}

static seam_status read_centres(reader *r, yaml_node *value, element *to) {
  to->joint.has_centres = true;
  return elements_read_two_positions(r, value, to);
}

static seam_status read_pinion_radius(reader *r, yaml_node *value, element *to) {
  return read_nonzero(r, value, "write the radius of the pinion's pitch circle or of the wheel, m",
                      &to->joint.radii[0]);
}

/* External wheels rotate in opposite directions. The flag `internal`, read later, reverses the sign. */
static seam_status read_teeth(reader *r, yaml_node *value, element *to) {
  double teeth[2];
  TRY(reader_vector(r, value, POSITIVE, 2, teeth));
  for (int i = 0; i < 2; i++)
    if (teeth[i] != floor(teeth[i]))
      return reader_fail(r, i == 0 ? value->first : value->last, "give 'ratio' for what has no teeth",
                         "'teeth' in %s must be whole, but %.6g is not", r->subject, teeth[i]);
  to->joint.ratio = -teeth[0] / teeth[1];
  return SEAM_OK;
}

#define NAME(code, name) name,
static const form form_coordinate = {FORM_ONE_OF(MBS_MOTION_TABLE(NAME))};
#undef NAME

static seam_status check_gear(reader *r, const element *read) {
  const yaml_node *ratio = yaml_get(read->node, "ratio");
  const yaml_node *teeth = yaml_get(read->node, "teeth");
  const yaml_node *internal = yaml_get(read->node, "internal");
  if (ratio == NULL && teeth == NULL)
    return reader_fail(r, reader_message_node(read->node), NULL, "%s needs 'ratio' or 'teeth'", r->subject);
  if (ratio != NULL && teeth != NULL)
    return reader_fail(r, teeth->key, "keep one of the two", "%s has 'ratio' and 'teeth'", r->subject);
  if (internal != NULL && teeth == NULL)
    return reader_fail(r, internal->key,
                       "remove 'internal': with a positive 'ratio' both wheels turn in the same direction",
                       "'internal' in %s has no effect without 'teeth'", r->subject);
  if (teeth != NULL && read->joint.ratio == 1)
    return reader_fail(r, teeth, "a ring has more teeth than the wheel in it",
                       "'teeth' in %s must differ, because one wheel is inside the other", r->subject);
  return SEAM_OK;
}

/* ---- Prescribed motions ------------------------------------------------------------------------------------------ */

static seam_status check_law(reader *r, const element *read, const char *key) {
  if (read->joint.law.value != NULL)
    return SEAM_OK;
  return reader_fail(r, reader_message_node(read->node), NULL, "%s needs '%s' or 'speed', a law of t", r->subject, key);
}

static seam_status check_motor(reader *r, const element *read) { return check_law(r, read, "angle"); }

typedef struct law_of_time {
  const reader *r;
  const yaml_node *value;
  const element *to;
} law_of_time;

/* Accepts the time only, since a prescribed motion would need the rates of other quantities. */
static bool find_time(void *context, const char *name, size_t length, size_t *index, expression_error *error) {
  const law_of_time *law = context;
  const char *key = law->value->key->text;
  const bool is_angle = law->to->joint.of == MBS_OF_ANGLE || law->to->joint.of == MBS_OF_PHI;
  const char *kind = is_angle ? "torsion" : "spring_damper";
  const char *force = is_angle ? "torque" : "force";
  const token read = {.start = name, .length = length};
  *index = 0;
  if (token_is(&read, time_name.quantity))
    return true;
  if (!quantities_is_possible_name(law->r, &read))
    return false;
  snprintf(error->cause, sizeof error->cause, "'%s' in %.60s may depend on t only, not on the quantity '%.*s'", key,
           law->r->subject, (int)(length < 50 ? length : 50), name);
  if (strcmp(key, "speed") == 0)
    snprintf(error->fix, sizeof error->fix,
             "use a %s with %s: \"d*(%s)\" instead: its speed is off by the load divided by d", kind, force,
             law->r->version > 1 ? "target - v" : "v - target");
  else
    snprintf(error->fix, sizeof error->fix, "use a %s with %s: 0 and %s: \"%s\" instead, which lags by about d/k", kind,
             is_angle ? "angle" : "length", force,
             law->r->version > 1 ? "-k*(s - target) - d*v" : "k*(s - target) + d*v");
  return false;
}

/* Reads a law of time. A drive has one, of its coordinate ('angle' of a motor, 'law' of a motion) or of its 'speed'. */
static seam_status read_law(reader *r, yaml_node *value, element *to) {
  law_of_time context = {r, value, to};
  const expression_names names = {.variables = &time_name.name,
                                  .n_variables = 1,
                                  .quantity = find_time,
                                  .quantities = &context,
                                  .are_of_time = true};
  if (to->joint.law.value != NULL)
    return reader_fail(r, value->key, "keep one of the two", "%s has both 'speed' and '%s'", r->subject,
                       yaml_get(to->node, "law") != NULL ? "law" : "angle");
  return reader_law(r, value, &names, &to->joint.law);
}

static seam_status read_start(reader *r, yaml_node *value, element *to) {
  if (yaml_get(to->node, "speed") == NULL)
    return reader_fail(r, value->key, "remove 'start', or give 'speed' in place of the law",
                       "'start' in %s has no effect without 'speed': the law gives the initial value", r->subject);
  return reader_number(r, value, ANY_NUMBER, &to->joint.angle);
}

/* Reads `speed`: the coordinate is f(t) = start + ∫₀ᵗ speed dτ. `start`, read before, is by default the value in the
 * initial configuration of the bodies. */
static seam_status read_speed(reader *r, yaml_node *value, element *to) {
  mbs_joint_def *def = &to->joint;
  TRY(read_law(r, value, to));
  const seam_law speed = def->law;
  def->law = (seam_law){0};
  def->from_initial = isnan(def->angle);
  const double end = r->result->simulation.end;
  const seam_status status = speed_law_create(&speed, def->from_initial ? 0 : def->angle, end, &def->law, &r->cause);
  if (status != SEAM_BAD_INPUT)
    return reader_check_call(r, value, status);
  return reader_fail(r, value, "give the coordinate as a function of t, in place of 'speed'", "'speed' in %s: %s",
                     r->subject, r->cause.message);
}

static const form form_motion_positions = {FORM_ANY_OF(&form_position, &form_two_positions)};

static seam_status read_motion_positions(reader *r, yaml_node *value, element *to) {
  return to->joint.of == MBS_OF_SLIDE ? elements_read_position(r, value, to)
                                      : elements_read_two_positions(r, value, to);
}

static seam_status check_motion(reader *r, const element *read) {
  const bool is_slide = read->joint.of == MBS_OF_SLIDE;
  const bool has_positions = read->joint.of == MBS_OF_DISTANCE || is_slide;
  const size_t n = read->joint.of >= MBS_OF_X ? 1 : 2;
  const yaml_node *at = yaml_get(read->node, "at");
  const yaml_node *axis = yaml_get(read->node, "axis");
  if (read->n_bodies != n)
    return reader_fail(r, yaml_get(read->node, "of"), n == 2 ? "'ground' counts as a body" : NULL,
                       "a motion of this coordinate needs %zu bod%s, but %s lists %zu", n, n == 1 ? "y" : "ies",
                       r->subject, read->n_bodies);
  if (n == 1 && read->bodies[0] == MBS_GROUND)
    return reader_fail(r, reader_message_node(read->node), "name a body", "%s acts on the ground, which does not move",
                       r->subject);
  if (at != NULL && !has_positions)
    return reader_fail(r, at->key, "remove it",
                       "'at' in %s has no effect: only a motion of a distance or slide has places", r->subject);
  if (at == NULL && has_positions)
    return reader_fail(r, yaml_get(read->node, "of"), is_slide ? "add at: P" : "add at: [P, Q]",
                       "%s needs 'at', as every motion of a %s does", r->subject, is_slide ? "slide" : "distance");
  if (axis != NULL && !is_slide)
    return reader_fail(r, axis->key, "remove it", "'axis' in %s has no effect: only a motion of a slide has one",
                       r->subject);
  if (axis == NULL && is_slide)
    return reader_fail(r, yaml_get(read->node, "of"), "add axis: [x, y]",
                       "%s needs 'axis', as every motion of a slide does", r->subject);
  return check_law(r, read, "law");
}

/* ---- Friction ---------------------------------------------------------------------------------------------------- */

/* KIND_KEY: `radius` of a pin, `length` of a guide; a slot has no such key. */
enum { COEFFICIENT, STATIC, STRIBECK_SPEED, KIND_KEY, SLIP_SPEED, VISCOUS, PRELOAD, HARD, N_FRICTION };

#define FIRST_KEYS                                                                                                     \
  {"coefficient", true, &form_not_negative, "", "coefficient μ of sliding; the friction is μ N"},                      \
      {"static", false, &form_not_negative, "", "coefficient μs at rest, at least μ; default: μ"}, {                   \
    "stribeck_speed", false, &form_positive, "m/s",                                                                    \
        "speed u0 of the Stribeck curve μ + (μs - μ) exp(-(u/u0)²); required beside 'static' unless 'hard'"        \
  }
#define LAST_KEYS                                                                                                      \
  {"slip_speed", false, &form_positive, "m/s", "speed below which friction fades; required unless 'hard'"},            \
      {"viscous", false, &form_not_negative, "Nms/rad or Ns/m", "viscous damping beside the friction; default: 0"},    \
      {"preload", false, &form_not_negative, "N", "part of N that acts without load; default: 0"}, {                   \
    "hard", false, &form_flag, "", "friction sticks exactly at rest, up to μs N; default: false"                      \
  }

static const map_key pin_friction_keys[N_FRICTION] = {
    FIRST_KEYS,
    {"radius", true, &form_positive, "m", "radius of the pin of a revolute joint: the torque is μ N times the radius"},
    LAST_KEYS};
static const map_key guide_friction_keys[N_FRICTION] = {
    FIRST_KEYS,
    {"length", false, &form_positive, "m",
     "length of the guide of a prismatic joint, whose two ends press; default: torques add nothing to N"},
    LAST_KEYS};
static const map_key slot_friction_keys[N_FRICTION - 1] = {FIRST_KEYS, LAST_KEYS};

static const form form_pin_friction = {
    .name = "pin_friction", .meaning = "friction of a pin", FORM_KEYS(pin_friction_keys)};
static const form form_guide_friction = {
    .name = "guide_friction", .meaning = "friction of a guide", FORM_KEYS(guide_friction_keys)};
static const form form_slot_friction = {
    .name = "slot_friction", .meaning = "friction of a slot", FORM_KEYS(slot_friction_keys)};

static seam_status check_friction(reader *r, const yaml_node *value, yaml_node *const values[N_FRICTION],
                                  const mbs_friction *f) {
  const yaml_node *at_rest = values[STATIC];
  const yaml_node *alone = at_rest == NULL ? values[STRIBECK_SPEED] : at_rest;
  if (f->is_hard && values[SLIP_SPEED] != NULL)
    return reader_fail(r, values[SLIP_SPEED]->key, "remove 'slip_speed': hard friction does not fade at low speeds",
                       "'slip_speed' in %s cannot stand beside 'hard'", r->subject);
  if (!f->is_hard && values[SLIP_SPEED] == NULL)
    return reader_fail(r, reader_message_node(value),
                       "add 'slip_speed' in m/s, below which friction fades, or 'hard: true' for friction that sticks",
                       "%s needs 'slip_speed', or 'hard'", r->subject);
  if ((at_rest == NULL) != (values[STRIBECK_SPEED] == NULL) && !(f->is_hard && at_rest != NULL))
    return reader_fail(r, alone->key, NULL, "'%s' in %s needs '%s' beside it", alone->key->text, r->subject,
                       at_rest == NULL ? "static" : "stribeck_speed");
  if (at_rest == NULL || f->static_coefficient >= f->coefficient)
    return SEAM_OK;
  return reader_fail(r, at_rest, "friction at rest is at least as large as friction of sliding",
                     "'static' in %s must be at least 'coefficient' %.6g, but is %.6g", r->subject, f->coefficient,
                     f->static_coefficient);
}

static seam_status read_friction(reader *r, yaml_node *value, element *to) {
  const mbs_joint_kind kind = to->joint.kind;
  mbs_friction *f = &to->joint.friction;
  const form *keys = kind == MBS_REVOLUTE    ? &form_pin_friction
                     : kind == MBS_PRISMATIC ? &form_guide_friction
                                             : &form_slot_friction;
  double *const numbers[N_FRICTION] = {
      [COEFFICIENT] = &f->coefficient,
      [STATIC] = &f->static_coefficient,
      [STRIBECK_SPEED] = &f->stribeck_speed,
      [KIND_KEY] = kind == MBS_REVOLUTE ? &f->radius : &f->length,
      [SLIP_SPEED] = &f->slip_speed,
      [VISCOUS] = &f->viscous,
      [PRELOAD] = &f->preload,
  };
  yaml_node *values[N_FRICTION] = {0};
  char subject[sizeof r->subject];
  memcpy(subject, r->subject, sizeof subject);
  snprintf(r->subject, sizeof r->subject, "'friction' of %.80s", subject);
  seam_status status = reader_map(r, value, keys->keys, keys->n, values);
  if (keys == &form_slot_friction) {
    memmove(values + KIND_KEY + 1, values + KIND_KEY, (N_FRICTION - KIND_KEY - 1) * sizeof *values);
    values[KIND_KEY] = NULL;
  }
  for (int i = COEFFICIENT; i <= PRELOAD && status == SEAM_OK; i++)
    status = reader_number(r, values[i], guide_friction_keys[i].form->within, numbers[i]);
  THEN(status, reader_flag(r, values[HARD], &f->is_hard));
  THEN(status, check_friction(r, value, values, f));
  memcpy(r->subject, subject, sizeof subject);
  return status;
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

static const element_key revolute_keys[] = {
    {"at", true, &form_position, "m", "common place of both bodies", BY(elements_read_position)},
    {"friction", false, &form_pin_friction, "", "friction of the pin; default: none", BY(read_friction)},
};
static const element_key prismatic_keys[] = {
    {"at", true, &form_position, "m", "place on the line", BY(elements_read_position)},
    {"axis", true, &form_2_numbers, "", "initial direction of the line, fixed on the first body",
     INTO_BY(joint.axis, elements_read_direction)},
    {"angle", false, &form_number, "rad", "angle φ2 - φ1 that is kept; default: the initial one", INTO(joint.angle)},
    {"friction", false, &form_guide_friction, "", "friction of the guide; default: none", BY(read_friction)},
};
static const element_key fixed_keys[] = {
    {"at", true, &form_position, "m", "common place of both bodies", BY(elements_read_position)},
    {"angle", false, &form_number, "rad", "angle φ2 - φ1 that is kept; default: the initial one", INTO(joint.angle)},
};
static const element_key distance_keys[] = {
    {"at", true, &form_two_positions, "m", "ends of the rod", BY(elements_read_two_positions)},
    {"length", false, &form_positive, "m", "length of the rod; default: the initial distance", INTO(joint.length)},
};
static const element_key slot_keys[] = {
    {"at", true, &form_position, "m", "point of the second body", BY(elements_read_position)},
    {"axis", true, &form_2_numbers, "", "initial direction of the line, fixed on the first body",
     INTO_BY(joint.axis, elements_read_direction)},
    {"friction", false, &form_slot_friction, "", "friction of the point; default: none", BY(read_friction)},
};
static const element_key gear_keys[] = {
    {"at", false, &form_two_positions, "m",
     "centres of the wheels, whose axles may move; default: none, angles are absolute", BY(read_centres)},
    {"ratio", false, &form_number, "",
     "ratio of φ2 to φ1, each from its start; negative for external wheels; or 'teeth'", BY(read_ratio)},
    {"teeth", false, &form_2_positive, "", "numbers of teeth [z1, z2]; or 'ratio'", BY(read_teeth)},
    {"internal", false, &form_flag, "", "one wheel is a ring about the other; default: false",
     INTO_BY(joint.ratio, elements_read_sign)},
};
static const element_key rack_keys[] = {
    {"at", true, &form_position, "m", "centre of the pinion", BY(elements_read_position)},
    {"axis", true, &form_2_numbers, "", "initial direction of the rack", INTO_BY(joint.axis, elements_read_direction)},
    {"radius", true, &form_number, "m",
     "radius of the pinion, positive if its centre is on the left of the axis, else negative", BY(read_pinion_radius)},
};
static const element_key belt_keys[] = {
    {"at", true, &form_two_positions, "m", "centres of the pulleys", BY(elements_read_two_positions)},
    {"radii", true, &form_2_positive, "m", "radii of the pulleys, of a chain in the ratio of its teeth",
     INTO(joint.radii)},
    {"crossed", false, &form_flag, "", "the belt is crossed: the pulleys turn against each other; default: false",
     INTO_BY(joint.radii, elements_read_sign)},
};
static const element_key curve_keys[] = {
    {"at", true, &form_position, "m", "point of the second body", BY(elements_read_second_position)},
    {"curve", true, &form_name, "", "name of a curve on the first body", INTO(joint.curve)},
    {"radius", false, &form_not_negative, "m", "radius of a roller about the point; default: 0, the point itself",
     INTO(joint.radii)},
    {"side", false, &form_side, "",
     "side of the curve on which the roller is; default: left, of a closed curve outside",
     INTO_BY(joint.side, elements_read_side)},
};
static const element_key rolling_keys[] = {
    {"at", true, &form_two_positions, "m", "a place on the line, and the centre of the wheel",
     BY(elements_read_two_positions)},
    {"axis", true, &form_2_numbers, "", "initial direction of the line", INTO_BY(joint.axis, elements_read_direction)},
    {"radius", true, &form_number, "m",
     "radius of the wheel, positive if its centre is on the left of the axis, else negative", BY(read_pinion_radius)},
};
static const element_key motion_keys[] = {
    {"of", true, &form_coordinate, "",
     "driven coordinate: angle φ2 - φ1, distance of two places, slide along an axis, or x, y, phi of one body",
     INTO(joint.of)},
    {"at", false, &form_motion_positions, "m", "places P and Q of a distance, or the place of a slide",
     BY(read_motion_positions)},
    {"axis", false, &form_2_numbers, "", "initial direction of a slide, fixed on the first body",
     INTO_BY(joint.axis, elements_read_direction)},
    {"law", false, &form_law, "m or rad", "value of the coordinate, a law of t; or 'speed'", BY(read_law)},
    {"start", false, &form_number, "m or rad", "first value, beside 'speed'; default: as the bodies are placed",
     BY(read_start)},
    {"speed", false, &form_law, "m/s or rad/s", "rate of the coordinate, a law of t; in place of its value",
     BY(read_speed)},
};
static const element_key motor_keys[] = {
    {"angle", false, &form_law, "rad", "angle φ2 - φ1, a law of t; or 'speed'", BY(read_law)},
    {"start", false, &form_number, "rad", "first value, beside 'speed'; default: as the bodies are placed",
     BY(read_start)},
    {"speed", false, &form_law, "rad/s", "rate of the angle, a law of t; or 'angle'", BY(read_speed)},
};

static const element_key skate_keys[] = {
    {"at", true, &form_position, "m", "a place of the body", BY(elements_read_position)},
    {"axis", true, &form_2_numbers, "", "direction in the initial configuration, fixed on the body: it moves along it",
     INTO_BY(joint.axis, elements_read_direction)},
};

static const element_type *const types[] = {
    ELEMENT_TYPE("revolute", MBS_REVOLUTE, 2, 2, true, revolute_keys, NULL, "a pin through both bodies"),
    ELEMENT_TYPE("prismatic", MBS_PRISMATIC, 2, 2, true, prismatic_keys, NULL, "a guide: a slide without rotation"),
    ELEMENT_TYPE("fixed", MBS_FIXED, 2, 2, true, fixed_keys, NULL, "both bodies are one"),
    ELEMENT_TYPE("distance", MBS_DISTANCE, 2, 2, true, distance_keys, NULL, "a massless rod between two pins"),
    ELEMENT_TYPE("slot", MBS_SLOT, 2, 2, true, slot_keys, NULL, "a point of the second body on a line of the first"),
    ELEMENT_TYPE("gear", MBS_GEAR, 2, 2, true, gear_keys, check_gear, "two wheels whose angles keep a ratio"),
    ELEMENT_TYPE("rack", MBS_RACK, 2, 2, true, rack_keys, NULL, "a pinion, the second body, rolls on a rack"),
    ELEMENT_TYPE("belt", MBS_BELT, 2, 2, true, belt_keys, NULL, "a belt or chain that neither stretches nor slips"),
    ELEMENT_TYPE("curve", MBS_CURVE, 2, 2, true, curve_keys, NULL, "a point or roller of the second body on a curve"),
    ELEMENT_TYPE("rolling", MBS_ROLLING, 2, 2, true, rolling_keys, NULL, "a wheel, the second body, rolls on a line"),
    ELEMENT_TYPE("skate", MBS_SKATE, 1, 1, true, skate_keys, NULL, "a knife edge or wheel that does not slip sideways"),
    ELEMENT_TYPE("motion", MBS_MOTION, 1, 2, true, motion_keys, check_motion, "a coordinate with a given course"),
    ELEMENT_TYPE("motor", MBS_MOTION, 2, 2, true, motor_keys, check_motor, "an angle with a given course"),
};

static void prepare(element *new_one, const char *name, int kind) {
  new_one->joint = mbs_default_joint_def();
  new_one->joint.name = name;
  new_one->joint.kind = (mbs_joint_kind)kind;
  new_one->at = new_one->joint.at;
}

static seam_status add(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error) {
  for (size_t i = 0; i < 2; i++)
    complete->joint.bodies[i] = i < complete->n_bodies ? bodies[i] : "ground";
  return mbs_add_joint(builder, &complete->joint, error);
}

static void discard(element *incomplete) { law_discard(&incomplete->joint.law); }

const element_family joints_family = {.section = "joints",
                                      .noun = "joint",
                                      .kind = ENTRY_JOINT,
                                      .types = types,
                                      .n_types = FORM_COUNT_OF(types),
                                      .other = &forces_family,
                                      .prepare = prepare,
                                      .add = add,
                                      .discard = discard};

static const form form_joint = {.kind = FORM_ELEMENTS, .name = "joint", .meaning = "a joint", .family = &joints_family};
const form form_joints = {.kind = FORM_NAMED, .of = &form_joint};

seam_status joints_read(reader *r) { return elements_read(r, &joints_family); }

/* ---- Gears on carriers ------------------------------------------------------------------------------------------- */

/* A gear without centres relates the absolute angles of its wheels: φ2 - φ2(0) = ratio (φ1 - φ1(0)). This equation is
 * wrong if a wheel turns on a body that can rotate itself (a carrier).
 *
 * To find such wheels, bodies are divided into groups. Bodies of a group cannot rotate against each other, because
 * fixed and prismatic joints connect them. A revolute joint between two groups is an axle of both. If a group has an
 * axle on the ground's group, the axle is at rest or only translates. */

typedef struct body_group {
  size_t parent;  /* another body of the same group; a body that is its own parent is the group's root */
  size_t carrier; /* in a root: body on the other side of the group's last axle; SEAM_NONE: no axle */
  bool at_rest;   /* in a root: the group contains the ground, or has an axle on the ground's group */
} body_group;

/* Returns the root of a body's group. Halves the chain of parents for later searches (Tarjan, van Leeuwen 1984). */
static size_t group_of(body_group *groups, size_t body) {
  while (groups[body].parent != body) {
    groups[body].parent = groups[groups[body].parent].parent;
    body = groups[body].parent;
  }
  return body;
}

/* Writes the indices of a joint's bodies; the ground has the index n_bodies. */
static void bodies_of(const mbs_model *model, const mbs_joint_info *joint, size_t bodies[2]) {
  for (int i = 0; i < 2; i++)
    bodies[i] = joint->bodies[i] == MBS_GROUND ? mbs_n_bodies(model) : joint->bodies[i];
}

seam_status gears_check(reader *r) {
  const mbs_model *model = r->result->mechanism;
  const size_t n_bodies = mbs_n_bodies(model);
  size_t bodies[2];
  body_group *groups = reader_allocate(r, n_bodies, sizeof *groups);
  TRY(reader_check_memory(r, groups != NULL));
  for (size_t b = 0; b <= n_bodies; b++)
    groups[b] = (body_group){.parent = b, .carrier = SEAM_NONE};
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    bodies_of(model, &joint, bodies);
    if (joint.kind == MBS_FIXED || joint.kind == MBS_PRISMATIC)
      groups[group_of(groups, bodies[0])].parent = group_of(groups, bodies[1]);
  }
  const size_t ground = group_of(groups, n_bodies);
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info axle = mbs_joint_of(model, j);
    bodies_of(model, &axle, bodies);
    const size_t of[2] = {group_of(groups, bodies[0]), group_of(groups, bodies[1])};
    for (int i = 0; i < 2 && axle.kind == MBS_REVOLUTE && of[0] != of[1]; i++) {
      groups[of[i]].at_rest |= of[1 - i] == ground;
      groups[of[i]].carrier = bodies[1 - i];
    }
  }
  groups[ground].at_rest = true;
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info gear = mbs_joint_of(model, j);
    bodies_of(model, &gear, bodies);
    const bool is_absolute = gear.kind == MBS_GEAR && isnan(gear.markers[0][0]);
    for (int i = 0; i < 2 && is_absolute; i++) {
      const body_group *wheel = &groups[group_of(groups, bodies[i])];
      if (!wheel->at_rest && wheel->carrier != SEAM_NONE)
        return reader_fail(
            r, yaml_get(yaml_get(r->root, "joints"), gear.name)->key,
            "add at: [P, Q], the centres of the two wheels: angles are then measured from the line through the centres",
            "wheel '%s' of gear '%s' has its axle on '%s', which can rotate, but a gear without 'at' needs axles that "
            "do not rotate",
            mbs_body_of(model, bodies[i]).name, gear.name, mbs_body_of(model, wheel->carrier).name);
    }
  }
  return SEAM_OK;
}
