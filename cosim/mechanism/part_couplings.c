/* Couplings of user parts by the master: springs with dampers, or rigid connections, between coordinates of two user
 * parts, or of one user part and a marker of the mechanism. */
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/partition.h"

static seam_status refuse(const cosim_coupling_def *def, seam_error *error, const char *why) {
  return seam_fail(error, SEAM_BAD_INPUT, "coupling '%s': %s", def->name, why);
}

/* ---- Sides ---- */

/* Finds the marker of a side. The marker belongs to a force element that acts on one body of the subsystem.
 * set_sides() (partition_parts.c) later sets the inputs and outputs of the side to those of the marker's port. */
static seam_status find_marker(const cosim_partition *self, const cosim_coupling_def *def, int number,
                               cosim_part_cut *element, cosim_side *side, seam_error *error) {
  const cosim_side_def *from = &def->side[number];
  const size_t subsystem = cosim_partition_find_subsystem(self, from->subsystem);
  const size_t force = mbs_find_force(self->model, from->element);
  const size_t body = mbs_single_body(self->model, force, NULL);
  if (body == SEAM_NONE || self->subsystem_of[body] != subsystem)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "coupling '%s': subsystem '%s' has no force element '%s' that acts on one body", def->name,
                     from->subsystem, from->element);
  if (from->first < 0 || from->first + def->n_dims > COSIM_MAX_DIMS)
    return refuse(def, error, "the coordinates of a marker are x, y and phi");
  element->force[number] = force;
  element->first[number] = from->first;
  *side = (cosim_side){(int)subsystem, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  return SEAM_OK;
}

static seam_status find_side(const cosim_partition *self, const cosim_coupling_def *def, int number, cosim_side *side,
                             seam_error *error) {
  const cosim_side_def *from = &def->side[number];
  const size_t subsystem = from->subsystem == NULL ? SEAM_NONE : cosim_partition_find_subsystem(self, from->subsystem);
  if (subsystem == SEAM_NONE || cosim_is_mechanical(self, subsystem))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "coupling '%s': side %d cannot be subsystem '%s': name a user part, or a marker of a subsystem with bodies",
        def->name, number + 1, from->subsystem == NULL ? "" : from->subsystem);
  const struct {
    const char *name;
    bool is_input;
    int *number;
  } rows[] = {{from->force_input, true, &side->force_input},
              {from->position_input, true, &side->position_input},
              {from->velocity_input, true, &side->velocity_input},
              {from->acceleration_input, true, &side->acceleration_input},
              {from->position, false, &side->position},
              {from->velocity, false, &side->velocity},
              {from->acceleration, false, &side->acceleration},
              {from->position_integral, false, &side->position_integral},
              {from->multiplier, false, &side->multiplier}};
  const cosim_user_part *of = self->subsystems[subsystem].user;
  side->part = (int)subsystem;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *const *names = rows[i].is_input ? of->inputs : of->outputs;
    const size_t n = rows[i].is_input ? of->n_inputs : of->n_outputs;
    *rows[i].number = -1;
    for (size_t k = 0; k < n && rows[i].name != NULL; k++)
      if (strcmp(names[k], rows[i].name) == 0)
        *rows[i].number = (int)k;
    if (*rows[i].number < 0 && rows[i].name != NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "coupling '%s': subsystem '%s' has no %s '%s'", def->name,
                       self->subsystems[subsystem].name, rows[i].is_input ? "input" : "output", rows[i].name);
  }
  return SEAM_OK;
}

/* Checks that no two couplings use the same input. */
static seam_status check_inputs(const cosim_partition *self, size_t number, const cosim_coupling_def *defs, int side,
                                seam_error *error) {
  const cosim_part_cut *couplings = self->part_couplings;
  const cosim_side *s = &couplings[number].base.side[side];
  const int inputs[] = {s->force_input, s->position_input, s->velocity_input, s->acceleration_input};
  for (size_t earlier = 0; earlier < 2 * number + (size_t)side; earlier++) {
    const cosim_side *other = &couplings[earlier / 2].base.side[earlier % 2];
    const int taken[] = {other->force_input, other->position_input, other->velocity_input, other->acceleration_input};
    for (int i = 0; i < 4 && other->part == s->part; i++)
      for (int j = 0; j < 4; j++)
        if (inputs[i] >= 0 && taken[j] >= 0 && inputs[i] < taken[j] + defs[earlier / 2].n_dims &&
            taken[j] < inputs[i] + defs[number].n_dims)
          return seam_fail(error, SEAM_BAD_INPUT,
                           "coupling '%s': input '%s' of subsystem '%s' already belongs to coupling '%s': give the "
                           "subsystem one input for each coupling and add the inputs in its equations",
                           defs[number].name, self->subsystems[s->part].user->inputs[inputs[i]],
                           self->subsystems[s->part].name, defs[earlier / 2].name);
  }
  return SEAM_OK;
}

/* ---- Couplings ---- */

static seam_status make_coupling(cosim_partition *self, size_t number, const cosim_coupling_def *def,
                                 seam_error *error) {
  cosim_part_cut *element = &self->part_couplings[number];
  cosim_cut *cut = &element->base;
  seam_error cause = {0};
  if (def->n_dims < 1 || def->n_dims > COSIM_MAX_DIMS)
    return refuse(def, error, "the number of its coordinates must be 1, 2 or 3");
  if (def->scheme == NULL && self->of_kind[def->is_rigid].name == NULL)
    return refuse(def, error, "it has no scheme: give it one, such as ff-k1");
  element->spring = cosim_linear_element_of(def->n_dims, def->stiffness, def->damping);
  element->rigid = cosim_joined_element_of(def->n_dims);
  element->force[0] = element->force[1] = SEAM_NONE;
  *cut = (cosim_cut){.name = def->name,
                     .element = def->is_rigid ? &element->rigid : &element->spring.base,
                     .scheme = self->of_kind[def->is_rigid]};
  if ((def->scheme != NULL && cosim_scheme_read(def->scheme, &cut->scheme, &cause) != SEAM_OK) ||
      cosim_scheme_at(&cut->scheme, def->is_rigid, &cause) != SEAM_OK)
    return refuse(def, error, cause.message);
  if (cut->scheme.iteration == COSIM_EXCHANGE)
    return refuse(def, error,
                  "a scheme that ends in '-exchange' couples elements of a mechanism only: take one that ends in "
                  "'-explicit', or signals");
  seam_status status = SEAM_OK;
  for (int side = 0; side < 2 && status == SEAM_OK; side++) {
    const bool is_marker = def->side[side].element != NULL && def->side[side].subsystem != NULL &&
                           cosim_partition_find_subsystem(self, def->side[side].subsystem) != SEAM_NONE;
    status = is_marker ? find_marker(self, def, side, element, &cut->side[side], error)
                       : find_side(self, def, side, &cut->side[side], error);
  }
  for (int side = 0; side < 2 && status == SEAM_OK; side++)
    if (element->force[side] != SEAM_NONE && !cosim_scheme_drives(&cut->scheme, side, COSIM_FORCE))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "coupling '%s': a marker takes forces, not motions: take an ff or %s scheme, or another order "
                       "of the sides",
                       def->name, side == 0 ? "fd" : "df");
  return status;
}

seam_status cosim_partition_couple_parts(cosim_partition *self, const cosim_definition *definition, seam_error *error) {
  const size_t n = definition->n_part_couplings;
  if (n == 0)
    return SEAM_OK;
  if (self->n_cuts > 0 || self->n_linked > 0)
    return refuse(
        definition->part_couplings, error,
        "a mechanism that is coupled to user parts cannot also be cut: put all its bodies into one subsystem");
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (self->subsystems[s].steps > 1)
      return refuse(definition->part_couplings, error,
                    "its subsystems take the common macro step: leave out 'macro_step' of subsystems ('steps')");
  if (definition->n_signals + definition->n_bonds + definition->n_energy_corrections +
              definition->n_balance_corrections >
          0 ||
      definition->model_based != NULL)
    return refuse(definition->part_couplings, error,
                  "couplings of user parts exclude signals, bonds and corrections: take the one or the other");
  if (definition->step_control != NULL && definition->step_control->indicator != COSIM_PREDICTION_INDICATOR)
    return refuse(
        definition->part_couplings, error,
        "macro steps of user parts are controlled by prediction alone: set 'method: predictor' under 'step_control'");
  self->part_couplings = calloc(n, sizeof *self->part_couplings);
  if (self->part_couplings == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu couplings", n);
  self->n_part_couplings = n;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = make_coupling(self, i, &definition->part_couplings[i], error);
  for (size_t i = 0; i < 2 * n && status == SEAM_OK; i++)
    status = check_inputs(self, i / 2, definition->part_couplings, (int)(i % 2), error);
  return status;
}
