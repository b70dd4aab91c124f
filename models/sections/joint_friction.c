/* `friction:` of a joint. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/sections/elements.h"

enum { COEFFICIENT, STATIC, STRIBECK_SPEED, RADIUS, LENGTH, SLIP_SPEED, VISCOUS, PRELOAD, HARD, N_KEYS };

static seam_status read_numbers(reader *r, yaml_node *const values[N_KEYS], mbs_friction *f) {
  const struct {
    double *number;
    number_range within;
  } list[HARD] = {
      [COEFFICIENT] = {&f->coefficient, NOT_NEGATIVE},
      [STATIC] = {&f->static_coefficient, NOT_NEGATIVE},
      [STRIBECK_SPEED] = {&f->stribeck_speed, POSITIVE},
      [RADIUS] = {&f->radius, POSITIVE},
      [LENGTH] = {&f->length, POSITIVE},
      [SLIP_SPEED] = {&f->slip_speed, POSITIVE},
      [VISCOUS] = {&f->viscous, NOT_NEGATIVE},
      [PRELOAD] = {&f->preload, NOT_NEGATIVE},
  };
  seam_status status = SEAM_OK;
  for (int i = 0; i < HARD && status == SEAM_OK; i++)
    if (values[i] != NULL)
      status = reader_number(r, values[i], list[i].within, list[i].number);
  return status;
}

/* What is not hard fades. */
static seam_status check_hard(reader *r, const yaml_node *value, yaml_node *const values[N_KEYS],
                              const mbs_friction *f) {
  if (f->is_hard && values[SLIP_SPEED] != NULL)
    return reader_fail(r, values[SLIP_SPEED]->key, "hard friction does not fade: remove it",
                       "'slip_speed' in %s cannot stand beside 'hard'", r->subject);
  if (!f->is_hard && values[SLIP_SPEED] == NULL)
    return reader_fail(r, reader_place(value), "it fades below slip_speed, in m/s; hard: true sticks",
                       "%s needs 'slip_speed', or 'hard'", r->subject);
  return SEAM_OK;
}

/* 'static' and 'stribeck_speed' go together, where friction is not hard, and static friction is not the smaller one. */
static seam_status check_static(reader *r, yaml_node *const values[N_KEYS], const mbs_friction *f) {
  const yaml_node *alone = values[STATIC] == NULL ? values[STRIBECK_SPEED] : values[STATIC];
  const bool jumps = f->is_hard && values[STATIC] != NULL;
  if ((values[STATIC] == NULL) != (values[STRIBECK_SPEED] == NULL) && !jumps)
    return reader_fail(r, alone->key, NULL, "'%s' in %s needs '%s' beside it", alone->key->text, r->subject,
                       values[STATIC] == NULL ? "static" : "stribeck_speed");
  if (values[STATIC] == NULL || f->static_coefficient >= f->coefficient)
    return SEAM_OK;
  return reader_fail(r, values[STATIC], "friction at rest is not below that of slip",
                     "'static' in %s must be at least 'coefficient' %.6g, but is %.6g", r->subject, f->coefficient,
                     f->static_coefficient);
}

seam_status elements_read_friction(reader *r, yaml_node *value, element *to) {
  const bool is_pin = to->joint.kind == MBS_REVOLUTE;
  const bool is_guide = to->joint.kind == MBS_PRISMATIC;
  const map_key all[N_KEYS] = {
      [COEFFICIENT] = {"coefficient", true},
      [STATIC] = {"static", false},
      [STRIBECK_SPEED] = {"stribeck_speed", false},
      [RADIUS] = {"radius", true},
      [LENGTH] = {"length", false},
      [SLIP_SPEED] = {"slip_speed", false},
      [VISCOUS] = {"viscous", false},
      [PRELOAD] = {"preload", false},
      [HARD] = {"hard", false},
  };
  map_key keys[N_KEYS];
  yaml_node *values[N_KEYS] = {0};
  yaml_node *taken[N_KEYS];
  int place[N_KEYS];
  size_t n = 0;
  for (int i = 0; i < N_KEYS; i++)
    if ((i != RADIUS || is_pin) && (i != LENGTH || is_guide)) {
      place[n] = i;
      keys[n++] = all[i];
    }
  char subject[sizeof r->subject];
  memcpy(subject, r->subject, sizeof subject);
  snprintf(r->subject, sizeof r->subject, "'friction' of %.80s", subject);
  seam_status status = reader_take_map(r, value, keys, n, taken);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    values[place[i]] = taken[i];
  if (status == SEAM_OK)
    status = read_numbers(r, values, &to->joint.friction);
  if (status == SEAM_OK && values[HARD] != NULL)
    status = elements_read_flag(r, values[HARD], &to->joint.friction.is_hard);
  if (status == SEAM_OK)
    status = check_hard(r, value, values, &to->joint.friction);
  if (status == SEAM_OK)
    status = check_static(r, values, &to->joint.friction);
  memcpy(r->subject, subject, sizeof subject);
  return status;
}
