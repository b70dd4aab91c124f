/* Reads `friction:` of a joint. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/then.h"
#include "models/sections/elements.h"

/* KIND_KEY is the key that depends on the kind of joint: `radius` of a pin, `length` of a guide; a slot has no such
 * key. */
enum { COEFFICIENT, STATIC, STRIBECK_SPEED, KIND_KEY, SLIP_SPEED, VISCOUS, PRELOAD, HARD, N_KEYS };

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

static const map_key pin_keys[N_KEYS] = {
    FIRST_KEYS,
    {"radius", true, &form_positive, "m", "radius of the pin of a revolute joint: the torque is μ N times the radius"},
    LAST_KEYS};
static const map_key guide_keys[N_KEYS] = {
    FIRST_KEYS,
    {"length", false, &form_positive, "m",
     "length of the guide of a prismatic joint, whose two ends press; default: torques add nothing to N"},
    LAST_KEYS};
static const map_key slot_keys[N_KEYS - 1] = {FIRST_KEYS, LAST_KEYS};

const form form_pin_friction = {.name = "pin_friction", .meaning = "friction of a pin", FORM_KEYS(pin_keys)};
const form form_guide_friction = {.name = "guide_friction", .meaning = "friction of a guide", FORM_KEYS(guide_keys)};
const form form_slot_friction = {.name = "slot_friction", .meaning = "friction of a slot", FORM_KEYS(slot_keys)};

static seam_status check(reader *r, const yaml_node *value, yaml_node *const values[N_KEYS], const mbs_friction *f) {
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

seam_status elements_read_friction(reader *r, yaml_node *value, element *to) {
  const mbs_joint_kind kind = to->joint.kind;
  mbs_friction *f = &to->joint.friction;
  const form *keys = kind == MBS_REVOLUTE    ? &form_pin_friction
                     : kind == MBS_PRISMATIC ? &form_guide_friction
                                             : &form_slot_friction;
  double *const numbers[N_KEYS] = {
      [COEFFICIENT] = &f->coefficient,
      [STATIC] = &f->static_coefficient,
      [STRIBECK_SPEED] = &f->stribeck_speed,
      [KIND_KEY] = kind == MBS_REVOLUTE ? &f->radius : &f->length,
      [SLIP_SPEED] = &f->slip_speed,
      [VISCOUS] = &f->viscous,
      [PRELOAD] = &f->preload,
  };
  yaml_node *values[N_KEYS] = {0};
  char subject[sizeof r->subject];
  memcpy(subject, r->subject, sizeof subject);
  snprintf(r->subject, sizeof r->subject, "'friction' of %.80s", subject);
  seam_status status = reader_map(r, value, keys->keys, keys->n, values);
  if (keys == &form_slot_friction) {
    memmove(values + KIND_KEY + 1, values + KIND_KEY, (N_KEYS - KIND_KEY - 1) * sizeof *values);
    values[KIND_KEY] = NULL;
  }
  for (int i = COEFFICIENT; i <= PRELOAD && status == SEAM_OK; i++)
    status = reader_number(r, values[i], guide_keys[i].form->within, numbers[i]);
  THEN(status, reader_flag(r, values[HARD], &f->is_hard));
  THEN(status, check(r, value, values, f));
  memcpy(r->subject, subject, sizeof subject);
  return status;
}
