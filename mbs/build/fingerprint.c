#include <stdlib.h>

#include "base/hash.h"
#include "mbs/build/builder.h"
#include "mbs/model/cable.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"

static uint64_t hash_law(uint64_t hash, const seam_law *law) {
  if (law->value == NULL || law->identity != 0)
    return hash_word(hash, law->identity);
  seam_jet at_zero = {.value = law->value(law->data, (double[2]){0})};
  if (law->jet != NULL)
    law->jet(law->data, (double[2]){0}, &at_zero);
  return HASH_NUMBERS(hash, at_zero.value, at_zero.d[0], at_zero.d[1], at_zero.dd[0], at_zero.dd[1], at_zero.dd[2]);
}

static uint64_t hash_bodies(uint64_t hash, const int body[2], const mbs_vector marker[2]) {
  return HASH_NUMBERS(hash, body[0], body[1], marker[0].x, marker[0].y, marker[1].x, marker[1].y);
}

static uint64_t hash_curve(uint64_t hash, const mbs_curve_side *of) {
  const mbs_curve *curve = of->curve;
  if (curve == NULL)
    return hash;
  hash = HASH_NUMBERS(hash, of->side, curve->from, curve->to, curve->is_closed, curve->size);
  return hash_law(hash_law(hash, &curve->x), &curve->y);
}

/* Adds a joint and its Jacobian J to the hash. J stands for fields that are not hashed themselves: the radii of wheels,
 * and the coordinate of a motion. */
static uint64_t hash_joint(uint64_t hash, const mbs_joint *joint, const mbs_frame *frames) {
  mbs_relative_coordinate s[mbs_max_rows];
  const mbs_pair pair = mbs_joint_pair(joint, frames);
  const mbs_friction *f = &joint->friction;
  hash = hash_bodies(hash_text(hash, joint->name), joint->body, joint->marker);
  hash = HASH_NUMBERS(hash, joint->kind, joint->axis.x, joint->axis.y, joint->ratio);
  hash = hash_numbers(hash_law(hash, &joint->law), joint->rest, mbs_max_rows);
  if (mbs_joint_has_friction(joint))
    hash = HASH_NUMBERS(hash, f->coefficient, f->static_coefficient, f->stribeck_speed, f->radius, f->length,
                        f->slip_speed, f->viscous, f->preload, f->is_hard);
  hash = hash_curve(hash, &joint->curve);
  if (joint->curve.curve != NULL)
    hash = HASH_NUMBERS(hash, joint->radius[0]);
  joint->type->find_coordinates(joint, &pair, s);
  for (int row = 0; row < joint->type->n_rows; row++)
    hash = hash_numbers(hash, s[row].J, 6);
  return hash;
}

static uint64_t hash_force(uint64_t hash, const mbs_force *force) {
  const mbs_hydraulics *h = &force->hydraulics;
  const mbs_drag *drag = &force->drag;
  hash = hash_bodies(hash_text(hash, force->name), force->body, force->marker);
  hash = HASH_NUMBERS(hash, force->kind, force->axis.x, force->axis.y, force->body_axes);
  hash = HASH_NUMBERS(hash, h->areas[0], h->areas[1], h->length, h->dissipation, h->discharge, h->density, h->pump,
                      h->tank, h->bulk[0], h->bulk[1], h->valve_area);
  hash = HASH_NUMBERS(hash, drag->area, drag->coefficient, drag->density, drag->wind[0], drag->wind[1],
                      drag->resistance, drag->speed);
  hash = HASH_NUMBERS(hash, force->actuator.lag, force->actuator.limit, force->actuator.rate);
  hash = HASH_NUMBERS(hash, force->radius[0], force->radius[1], force->elastic[0].preload, force->elastic[0].exponent);
  hash = HASH_NUMBERS(hash, force->contact.has_line, force->contact.friction, force->contact.slip_speed);
  if (force->kind == MBS_STOP)
    hash = HASH_NUMBERS(hash, force->stop.of);
  if (force->type->is_hard)
    hash = HASH_NUMBERS(hash, force->contact.impact, force->contact.restitution, force->stop.lower, force->stop.upper);
  if (force->cable != NULL)
    hash = HASH_NUMBERS(hash, force->cable->rest, force->cable->is_two_sided);
  hash = hash_curve(hash_numbers(hash, force->rest, 3), &force->curve);
  for (int i = 0; i < 3; i++)
    hash = hash_law(HASH_NUMBERS(hash, force->elastic[i].stiffness, force->elastic[i].damping, force->elastic[i].zero),
                    &force->elastic[i].nonlinear);
  return hash_law(hash_law(hash, &force->load[0]), &force->load[1]);
}

/* Adds a function to the hash: its inputs, and its value for one choice of their values. */
static uint64_t hash_response(uint64_t hash, const mbs_response *response) {
  if (!mbs_is_function(response))
    return hash_word(hash, 0);
  const int n = response->inputs->n;
  double *x = calloc((size_t)n + 1, sizeof *x);
  for (int i = 0; i < n; i++) {
    const mbs_quantity quantity = response->inputs->quantities[i];
    hash = hash_word(hash_word(hash_word(hash, quantity.owner), quantity.element), quantity.number);
    if (x != NULL)
      x[i] = 0.1 * (i + 1);
  }
  hash = HASH_NUMBERS(hash, x != NULL ? response->function.value(response->function.data, x) : 0);
  free(x);
  return hash;
}

uint64_t mbs_fingerprint(const mbs_model *model, const mbs_frame *frames) {
  uint64_t hash = hash_numbers(HASH_START, model->gravity, 2);
  hash = hash_numbers(hash, model->mass, 3 * ((size_t)model->n_bodies + 1));
  for (int body = 0; body <= model->n_bodies; body++)
    hash = hash_text(hash, model->body_name[body]);
  for (int i = 0; i < model->n_joints; i++)
    hash = hash_joint(hash, &model->joints[i], frames);
  for (int i = 0; i < model->n_forces; i++)
    hash = hash_force(hash, &model->forces[i]);
  const mbs_laws *laws = &model->laws;
  for (int i = 0; i < laws->n_laws; i++)
    hash = hash_response(HASH_NUMBERS(hash, laws->law[i].force, laws->law[i].component), &laws->law[i].response);
  for (int i = 0; i < laws->n_variables; i++)
    hash = hash_response(HASH_NUMBERS(hash_text(hash, laws->variable[i].name), laws->variable[i].sample),
                         &laws->variable[i].response);
  return hash;
}
