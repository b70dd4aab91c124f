/* Steps of a partition, each from those before it:
 *
 *   bodies, force elements -> subsystems -> cuts (joints, then force elements, between two subsystems) -> schemes
 *   -> names of signals -> signal ports (signal_names.c) -> ports -> parts (partition_parts.c) */
#include "cosim/mechanism/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "cosim/thresholds.h"
#include "mbs/model/cable.h"
#include "mbs/model/model.h"

/* ---- Bodies ---- */

static seam_status assign_forces(cosim_partition *self, seam_error *error) {
  for (size_t i = 0; i < mbs_n_forces(self->model); i++)
    self->evaluator_of[i] = SEAM_NONE;
  for (size_t s = 0; s < self->n_subsystems; s++)
    for (size_t i = 0; i < self->subsystems[s].n_forces; i++) {
      const char *of = self->subsystems[s].name, *name = self->subsystems[s].forces[i];
      const size_t force = mbs_find_force(self->model, name);
      if (force == SEAM_NONE)
        return seam_fail_about(
            error, SEAM_BAD_INPUT, of,
            "subsystem '%s': there is no body or force element '%s': list only elements of the model", of, name);
      if (self->evaluator_of[force] != SEAM_NONE)
        return seam_fail_about(error, SEAM_BAD_INPUT, of,
                               "force element '%s' is in subsystem '%s' and in subsystem '%s': list each one once",
                               name, self->subsystems[self->evaluator_of[force]].name, of);
      self->evaluator_of[force] = s;
    }
  return SEAM_OK;
}

static seam_status assign_bodies(cosim_partition *self, seam_error *error) {
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    self->subsystem_of[b] = SEAM_NONE;
  for (size_t s = 0; s < self->n_subsystems; s++) {
    const cosim_subsystem_def *def = &self->subsystems[s];
    const char *name = def->name;
    const bool is_mechanical = def->n_bodies > 0 || def->n_forces > 0 || def->n_equations > 0;
    if (!is_mechanical && def->user == NULL)
      return seam_fail_about(error, SEAM_BAD_INPUT, name, "subsystem '%s' has no bodies: give it some or leave it out",
                             name);
    if (is_mechanical && def->user != NULL)
      return seam_fail_about(error, SEAM_BAD_INPUT, name,
                             "subsystem '%s' has user equations and also bodies, force elements or equations of the "
                             "model: split it into two",
                             name);
    if (def->steps > COSIM_MAX_STEPS)
      return seam_fail_about(error, SEAM_BAD_INPUT, name,
                             "subsystem '%s' takes %zu macro steps in one macro step of 'cosim', but at most %d are "
                             "possible: set a longer 'macro_step' of this subsystem",
                             name, def->steps, COSIM_MAX_STEPS);
    for (size_t i = 0; i < def->n_bodies; i++) {
      const size_t body = mbs_find_body(self->model, def->bodies[i]);
      if (body == SEAM_NONE || body == MBS_GROUND)
        return seam_fail_about(
            error, SEAM_BAD_INPUT, name,
            "subsystem '%s': there is no body '%s'; list bodies of the model, the ground belongs to all", name,
            def->bodies[i]);
      if (self->subsystem_of[body] != SEAM_NONE)
        return seam_fail_about(error, SEAM_BAD_INPUT, name,
                               "body '%s' is in subsystem '%s' and in subsystem '%s': list each body once",
                               def->bodies[i], self->subsystems[self->subsystem_of[body]].name, name);
      self->subsystem_of[body] = s;
    }
  }
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    if (self->subsystem_of[b] == SEAM_NONE)
      return seam_fail_about(error, SEAM_BAD_INPUT, mbs_body_of(self->model, b).name,
                             "body '%s' is in no subsystem: every body belongs to exactly one",
                             mbs_body_of(self->model, b).name);
  return SEAM_OK;
}

/* ---- Cuts ---- */

static void try_cut(cosim_partition *self, bool is_joint, size_t element) {
  cosim_element_cut cut = {.is_joint = is_joint, .element = element, .port = {-1, -1}, .evaluator_port = {-1, -1}};
  const mbs_joint_info joint = mbs_joint_of(self->model, is_joint ? element : SEAM_NONE);
  const mbs_force_info force = mbs_force_of(self->model, is_joint ? SEAM_NONE : element);
  cut.base.name = is_joint ? joint.name : force.name;
  cut.evaluator = is_joint ? SEAM_NONE : self->evaluator_of[element];
  memcpy(cut.body, is_joint ? joint.bodies : force.bodies, sizeof cut.body);
  for (int side = 0; side < 2; side++) {
    if (cut.body[side] == MBS_GROUND && cut.evaluator == SEAM_NONE)
      return;
    cut.subsystem[side] = cut.body[side] == MBS_GROUND ? cut.evaluator : self->subsystem_of[cut.body[side]];
    cut.is_remote[side] = cut.evaluator != SEAM_NONE && cut.subsystem[side] != cut.evaluator;
  }
  if (cut.evaluator != SEAM_NONE ? cut.is_remote[0] || cut.is_remote[1] : cut.subsystem[0] != cut.subsystem[1])
    self->cuts[self->n_cuts++] = cut;
}

/* Checks that all bodies of a cable are in one subsystem. */
static seam_status check_cable(const cosim_partition *self, size_t element, seam_error *error) {
  const mbs_force *first = &self->model->forces[element];
  size_t found = self->evaluator_of[element];
  const size_t n_ends = first->cable != NULL && first->span == 0 ? 2 * (size_t)first->cable->n_spans : 0;
  for (size_t i = 0; i < n_ends; i++) {
    const int body = first[i / 2].body[i % 2];
    const size_t subsystem = body > 0 ? self->subsystem_of[body - 1] : found;
    if (found != SEAM_NONE && subsystem != found)
      return seam_fail_about(error, SEAM_BAD_INPUT, first->name,
                             "cable '%s' leads over bodies of the subsystems '%s' and '%s', but cables cannot be cut; "
                             "put all of its bodies into one subsystem, and cut at a joint or bushing instead",
                             first->name, self->subsystems[found].name, self->subsystems[subsystem].name);
    found = subsystem;
  }
  return SEAM_OK;
}

static seam_status check_cuts(const cosim_partition *self, const cosim_definition *definition, seam_error *error) {
  const bool has_bodies = mbs_n_bodies(self->model) > 0;
  if (self->n_linked + self->n_cuts + definition->n_signals + definition->n_part_couplings > 0 ||
      (definition->n_subsystems == 1 && !has_bodies))
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   has_bodies ? "no joint, bushing or spring joins two subsystems, so that there is nothing to couple: "
                                "put two bodies that such an element joins into different subsystems"
                              : "nothing is coupled: add signals from outputs of subsystems to inputs, or couplings");
}

/* ---- Schemes ---- */

cosim_element_cut *cosim_find_cut(const cosim_partition *self, const char *name) {
  for (cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++)
    if (cut->base.name != NULL && strcmp(cut->base.name, name) == 0)
      return cut;
  return NULL;
}

/* Applies the options of one coupling to its cut. An order of -1 stands for the scheme's order. */
static seam_status apply_options(cosim_partition *self, const cosim_coupling_options *choice, seam_error *error) {
  cosim_element_cut *cut = cosim_find_cut(self, choice->element);
  if (cut == NULL)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "'%s' is not a coupling: schemes are given to joints and force elements between two subsystems%s%s%s",
        choice->element, self->n_cuts > 0 ? ", such as '" : "", self->n_cuts > 0 ? self->cuts->base.name : "",
        self->n_cuts > 0 ? "'" : "");
  seam_error cause = {0};
  if (choice->scheme != NULL && cosim_scheme_read(choice->scheme, &cut->base.scheme, &cause) != SEAM_OK)
    return seam_fail_about(error, cause.status, cut->base.name, "coupling '%s': %s", cut->base.name, cause.message);
  if (choice->has_orders) {
    if (choice->force_order < 0 || choice->force_order > COSIM_MAX_HOLD || choice->motion_order < 0 ||
        choice->motion_order > COSIM_MAX_HOLD)
      return seam_fail_about(error, SEAM_BAD_INPUT, cut->base.name,
                             "coupling '%s': the orders of its holds are %d and %d: take 0 to %d", cut->base.name,
                             choice->force_order, choice->motion_order, COSIM_MAX_HOLD);
    cut->force_order = choice->force_order;
    cut->motion_order = choice->motion_order;
  }
  cut->smooth = choice->smooth;
  return SEAM_OK;
}

seam_status cosim_choose_schemes(cosim_partition *self, const cosim_definition *definition, seam_error *error) {
  const char *const names[2] = {definition->options.constitutive_scheme, definition->options.constraint_scheme};
  for (int kind = 0; kind < 2; kind++)
    if (names[kind] != NULL)
      TRY(cosim_scheme_read(names[kind], &self->of_kind[kind], error));
  for (cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    cut->base.scheme = self->of_kind[cut->is_joint];
    cut->force_order = cut->motion_order = -1;
    if (cut->base.scheme.name == NULL && cut->evaluator != SEAM_NONE)
      TRY(cosim_scheme_read("fd-k0-exchange", &cut->base.scheme, error));
  }
  for (size_t i = 0; i < definition->n_coupling_options; i++)
    TRY(apply_options(self, &definition->coupling_options[i], error));
  return SEAM_OK;
}

/* Returns a cut force element if `cut` is a joint, else a cut joint. NULL: there is none. */
static const cosim_element_cut *other_kind(const cosim_partition *self, const cosim_element_cut *cut) {
  for (const cosim_element_cut *other = self->cuts; other < self->cuts + self->n_cuts; other++)
    if (other->is_joint != cut->is_joint)
      return other;
  return NULL;
}

/* Checks that a scheme is for the kind of its cut. If both kinds are cut, the message proposes two schemes. */
static seam_status check_kind(const cosim_partition *self, cosim_element_cut *cut, seam_error *error) {
  const cosim_element_cut *other = other_kind(self, cut);
  const seam_status status = cosim_scheme_at(&cut->base.scheme, cut->is_joint, error);
  if (status == SEAM_OK || other == NULL)
    return status;
  return seam_fail(error, status,
                   "this is a %s and '%s' a %s, which need different schemes: write 'scheme: {constitutive: ff-k1, "
                   "constraint: ff-index2-k1}'",
                   cut->is_joint ? "joint" : "force element", other->base.name,
                   cut->is_joint ? "force element" : "joint");
}

static seam_status make_couplings(cosim_partition *self, seam_error *error) {
  for (cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    if (cut->base.scheme.name != NULL)
      continue;
    /* If both kinds are cut, the message proposes two names: one alone would also replace the other kind's scheme. */
    const char *one = cut->is_joint ? "ff-index2-k1" : "ff-k1";
    return seam_fail_about(error, SEAM_BAD_INPUT, cut->base.name,
                           "coupling '%s' has no scheme: add 'scheme: %s' under 'cosim'", cut->base.name,
                           other_kind(self, cut) != NULL ? "{constitutive: ff-k1, constraint: ff-index2-k1}" : one);
  }
  for (cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    seam_error cause = {0};
    cut->base.element = &cut->law.base;
    seam_status status = cosim_mechanism_element_of(self->model, cut->is_joint, cut->element, &cut->law, &cause);
    THEN(status, check_kind(self, cut, &cause));
    THEN(status, cosim_cut_check_law(cut->base.element, &cut->base.scheme, &cause));
    if (status != SEAM_OK)
      return seam_fail_about(error, status, cut->base.name, "coupling '%s': %s", cut->base.name, cause.message);
  }
  return SEAM_OK;
}

/* ---- Couplings of user parts: between coordinates of two user parts, or of one and a marker ---- */

static seam_status refuse(const cosim_coupling_def *def, seam_error *error, const char *why) {
  return seam_fail(error, SEAM_BAD_INPUT, "coupling '%s': %s", def->name, why);
}

/* Finds the marker of a side: the marker of a force element that acts on one body of the subsystem. set_sides()
 * (partition_parts.c) later sets the side's inputs and outputs to those of the marker's port. */
static seam_status find_marker(const cosim_partition *self, const cosim_coupling_def *def, int number, size_t subsystem,
                               cosim_part_cut *element, seam_error *error) {
  const cosim_side_def *from = &def->side[number];
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
  element->base.side[number] = (cosim_side){(int)subsystem, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  return SEAM_OK;
}

static seam_status find_side(const cosim_partition *self, const cosim_coupling_def *def, int number,
                             cosim_part_cut *element, seam_error *error) {
  const cosim_side_def *from = &def->side[number];
  cosim_side *side = &element->base.side[number];
  const size_t subsystem =
      from->subsystem == NULL ? SEAM_NONE : cosim_find_subsystem(self, from->subsystem, strlen(from->subsystem));
  if (subsystem != SEAM_NONE && from->element != NULL)
    return find_marker(self, def, number, subsystem, element, error);
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
  for (int side = 0; side < 2; side++)
    TRY(find_side(self, def, side, element, error));
  for (int side = 0; side < 2; side++)
    if (element->force[side] != SEAM_NONE && !cosim_scheme_drives(&cut->scheme, side, COSIM_FORCE))
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "coupling '%s': a marker takes forces, not motions: take an ff or %s scheme, or exchange the two sides",
          def->name, side == 0 ? "fd" : "df");
  return SEAM_OK;
}

static seam_status couple_parts(cosim_partition *self, const cosim_definition *definition, seam_error *error) {
  const size_t n = definition->n_part_couplings;
  if (n == 0)
    return SEAM_OK;
  if (self->n_cuts > 0 || self->n_linked > 0)
    return refuse(
        definition->part_couplings, error,
        "a mechanism that is coupled to equations or FMUs cannot also be cut: put all its bodies into one subsystem");
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (self->subsystems[s].steps > 1)
      return refuse(definition->part_couplings, error,
                    "couplings of equations or FMUs need one macro step for all subsystems: leave out 'macro_step' of "
                    "subsystems (in C: steps)");
  if (definition->n_signals + definition->n_bonds + definition->n_energy_corrections +
              definition->n_balance_corrections >
          0 ||
      definition->model_based != NULL)
    return refuse(definition->part_couplings, error,
                  "couplings of equations or FMUs cannot stand beside signals, bonds and corrections: remove this "
                  "coupling, or all of these");
  if (definition->step_control != NULL && definition->step_control->indicator != COSIM_PREDICTION_INDICATOR)
    return refuse(definition->part_couplings, error,
                  "couplings of equations or FMUs allow step control by prediction only: set 'method: predictor' under "
                  "'step_control'");
  self->part_couplings = arena_allocate(&self->memory, n * sizeof *self->part_couplings);
  if (self->part_couplings == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu couplings", n);
  self->n_part_couplings = n;
  for (size_t i = 0; i < n; i++)
    TRY(make_coupling(self, i, &definition->part_couplings[i], error));
  for (size_t i = 0; i < 2 * n; i++)
    TRY(check_inputs(self, i / 2, definition->part_couplings, (int)(i % 2), error));
  return SEAM_OK;
}

/* ---- Engines: the scheme of a cut determines if the master or the exchange couples it ---- */

const char *cosim_exchange_scheme(const cosim_scheme *scheme, char name[COSIM_SCHEME_NAME]) {
  const bool is_df = cosim_scheme_receives_motion(scheme, 0) && !cosim_scheme_receives_motion(scheme, 1);
  snprintf(name, COSIM_SCHEME_NAME, "%s-k%d-exchange", is_df ? "df" : "fd",
           scheme->order < COSIM_MAX_ORDER ? scheme->order : COSIM_MAX_ORDER);
  return name;
}

/* Refuses options that are for exchanged couplings only. */
static seam_status check_master_cut(const cosim_partition *self, const cosim_element_cut *cut, bool is_model_based,
                                    seam_error *error) {
  const char *coupling = cut->base.name, *scheme = cut->base.scheme.name;
  char name[COSIM_SCHEME_NAME];
  cosim_exchange_scheme(&cut->base.scheme, name);
  if (cut->evaluator != SEAM_NONE)
    return seam_fail_about(error, SEAM_BAD_INPUT, coupling,
                           "coupling '%s': subsystem '%s' lists this force element, which needs an '-exchange' scheme, "
                           "not '%s'; write '%s'",
                           coupling, self->subsystems[cut->evaluator].name, scheme, name);
  if ((cut->force_order >= 0 || cut->smooth) && cut->is_joint)
    return seam_fail_about(error, SEAM_BAD_INPUT, coupling,
                           "coupling '%s': 'orders' and 'smooth' are for force elements with an '-exchange' scheme, "
                           "not for a joint: leave them out",
                           coupling);
  if (cut->force_order >= 0 || cut->smooth)
    return seam_fail_about(error, SEAM_BAD_INPUT, coupling,
                           "coupling '%s': 'orders' and 'smooth' need an '-exchange' scheme, not '%s'; write '%s'",
                           coupling, scheme, name);
  if (cosim_mechanism_states(&cut->law) > 0)
    return seam_fail_about(error, SEAM_BAD_INPUT, coupling,
                           "coupling '%s' has states, which scheme '%s' cannot couple: list the force element in a "
                           "subsystem and write '%s'",
                           coupling, scheme, name);
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (self->subsystems[s].n_bodies > 0 && self->subsystems[s].steps > 1)
      return seam_fail_about(
          error, SEAM_BAD_INPUT, self->subsystems[s].name,
          "subsystem '%s' cannot take %zu macro steps in one macro step of 'cosim', because coupling '%s' (%s) "
          "needs the same macro step for all bodies; %s%s%s",
          self->subsystems[s].name, self->subsystems[s].steps, coupling, scheme,
          cut->is_joint ? "cut force elements instead of joints" : "write '", cut->is_joint ? "" : name,
          cut->is_joint ? "" : "'");
  if (is_model_based && cut->is_joint)
    return seam_fail_about(
        error, SEAM_BAD_INPUT, coupling,
        "coupling '%s' (%s): the model-based correction needs '-exchange' schemes, which joints cannot have", coupling,
        scheme);
  if (is_model_based)
    return seam_fail_about(error, SEAM_BAD_INPUT, coupling,
                           "coupling '%s' (%s): the model-based correction needs an '-exchange' scheme; write '%s'",
                           coupling, scheme, name);
  return SEAM_OK;
}

static seam_status choose_engines(cosim_partition *self, const cosim_definition *definition, seam_error *error) {
  /* True if something is exchanged: a cut, a signal, a bond, a correction, or a part without bodies. */
  bool has_exchange = self->n_linked > 0 || definition->n_signals > 0 || definition->n_bonds > 0 ||
                      definition->n_energy_corrections > 0 || definition->n_balance_corrections > 0 ||
                      definition->model_based != NULL;
  for (size_t s = 0; s < self->n_subsystems; s++)
    has_exchange = has_exchange || !cosim_is_mechanical(self, s) || self->subsystems[s].n_bodies == 0;
  for (cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    const cosim_scheme *scheme = &cut->base.scheme;
    cut->is_exchanged = scheme->iteration == COSIM_EXCHANGE;
    cut->master_index = cut->is_exchanged ? -1 : self->n_master_cuts++;
    if (!cut->is_exchanged) {
      TRY(check_master_cut(self, cut, definition->model_based != NULL, error));
      continue;
    }
    has_exchange = true;
    if (cut->evaluator == SEAM_NONE) { /* the side driven by motion evaluates the element */
      const int side = cosim_scheme_receives_motion(scheme, 1);
      cut->evaluator = cut->subsystem[side];
      cut->is_remote[1 - side] = true;
    }
    if (cut->force_order < 0)
      cut->force_order = cut->motion_order = scheme->order;
  }
  self->by_exchange = self->n_part_couplings == 0 && has_exchange;
  return SEAM_OK;
}

/* ---- Redundancy ---- */

/* Refuses a cut joint with a redundant constraint, one that other joints imply: its force is undetermined. Redundant
 * constraints have nonzero coefficients in ws->null_space, a basis of the left null space of the constraint Jacobian.
 * Redundant joints within a subsystem do no harm. */
static seam_status refuse_redundant(const cosim_partition *self, const mbs_workspace *ws, seam_error *error) {
  const mbs_model *model = self->model;
  for (const cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    if (!cut->is_joint)
      continue;
    const mbs_joint *joint = &model->joints[cut->element];
    for (int k = 0; k < model->n_redundant; k++)
      for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
        const double part = ws->null_space[(size_t)k * (size_t)model->n_rows + (size_t)row];
        if (part > cosim_redundant_row || part < -cosim_redundant_row)
          return seam_fail_about(error, SEAM_BAD_INPUT, joint->name,
                                 "coupling '%s': other joints imply its constraint %s, and its force is undetermined; "
                                 "put both of its bodies into one subsystem, or free a joint",
                                 joint->name, joint->type->residual[row - joint->row]);
      }
  }
  return SEAM_OK;
}

static seam_status check_redundancy(const cosim_partition *self, seam_error *error) {
  if (self->model->n_redundant == 0)
    return SEAM_OK;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_workspace_create(self->model, &ws, error);
  THEN(status, mbs_state_create(self->model, &state, error));
  /* If the model cannot be assembled, the start reports it. */
  if (status == SEAM_OK && mbs_assemble(ws, state, NULL, NULL, NULL) == SEAM_OK &&
      mbs_evaluate(ws, state, NULL) == SEAM_OK)
    status = refuse_redundant(self, ws, error);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}

/* ---- All steps ---- */

seam_status cosim_partition_cut(const mbs_model *model, const cosim_definition *definition, cosim_partition *made,
                                seam_error *error) {
  *made =
      (cosim_partition){.model = model, .subsystems = definition->subsystems, .n_subsystems = definition->n_subsystems};
  const size_t n_elements = mbs_n_joints(model) + mbs_n_forces(model);
  made->subsystem_of = arena_allocate(&made->memory, mbs_n_bodies(model) * sizeof *made->subsystem_of);
  made->evaluator_of = arena_allocate(&made->memory, n_elements * sizeof *made->evaluator_of);
  made->cuts = arena_allocate(&made->memory, n_elements * sizeof *made->cuts);
  made->parts = arena_allocate(&made->memory, made->n_subsystems * sizeof(cosim_part *));
  made->mechanical = arena_allocate(&made->memory, made->n_subsystems * sizeof(cosim_part *));
  if (made->subsystem_of == NULL || made->evaluator_of == NULL || made->cuts == NULL || made->parts == NULL ||
      made->mechanical == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to cut the mechanism");
  TRY(assign_bodies(made, error));
  TRY(assign_forces(made, error));
  for (size_t j = 0; j < mbs_n_joints(model); j++)
    try_cut(made, true, j);
  for (size_t i = 0; i < mbs_n_forces(model); i++) {
    TRY(check_cable(made, i, error));
    try_cut(made, false, i);
  }
  return SEAM_OK;
}

seam_status cosim_partition_make(const mbs_model *model, const cosim_definition *definition, cosim_partition *made,
                                 seam_error *error) {
  TRY(cosim_partition_cut(model, definition, made, error));
  TRY(cosim_partition_add_equations(made, definition, error));
  TRY(check_cuts(made, definition, error));
  TRY(cosim_choose_schemes(made, definition, error));
  TRY(make_couplings(made, error));
  TRY(couple_parts(made, definition, error));
  TRY(choose_engines(made, definition, error));
  TRY(check_redundancy(made, error));
  TRY(cosim_partition_find_signal_ports(made, definition, error));
  return cosim_partition_make_parts(made, definition, error);
}

size_t cosim_find_subsystem(const cosim_partition *self, const char *name, size_t length) {
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (strlen(self->subsystems[s].name) == length && strncmp(self->subsystems[s].name, name, length) == 0)
      return s;
  return SEAM_NONE;
}

cosim_part **cosim_partition_take_parts(cosim_partition *self) {
  cosim_part **parts = malloc((self->n_subsystems + 1) * sizeof(cosim_part *));
  if (parts != NULL)
    memcpy(parts, self->parts, self->n_subsystems * sizeof(cosim_part *));
  self->parts_are_taken = parts != NULL;
  return parts;
}

void cosim_partition_free(cosim_partition *self) {
  for (size_t s = 0; s < self->n_subsystems && self->parts != NULL && !self->parts_are_taken; s++)
    cosim_part_destroy(self->parts[s]);
  free(self->linked);
  arena_release(&self->memory);
}
