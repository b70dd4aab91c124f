/* The constant model: names of its elements, properties of its elements, and the states that callers own. If the model
 * is NULL, counts are 0 and no name is found. */
#include "mbs/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/argument.h"
#include "base/arrays.h"
#include "base/table.h"
#include "mbs/model/laws.h"

/* ---- Names ---- */

struct mbs_names {
  arena texts;
  table numbers;     /* from texts to indices of entries */
  mbs_name *entries; /* (numbers.count) */
  size_t capacity;
};

mbs_names *mbs_names_create(void) { return calloc(1, sizeof(mbs_names)); }

void mbs_names_destroy(mbs_names *names) {
  if (names == NULL)
    return;
  arena_release(&names->texts);
  table_release(&names->numbers);
  free(names->entries);
  free(names);
}

const mbs_name *mbs_names_find_part(const mbs_names *names, const char *text, size_t length) {
  const table_slot *found = names == NULL ? NULL : table_find(&names->numbers, text, length);
  return found == NULL ? NULL : &names->entries[found->value];
}

const mbs_name *mbs_names_find(const mbs_names *names, const char *text) {
  return mbs_names_find_part(names, text, strlen(text));
}

const mbs_name *mbs_names_at(const mbs_names *names, size_t number) {
  return names != NULL && number < names->numbers.count ? &names->entries[number] : NULL;
}

const mbs_name *mbs_names_add(mbs_names *names, const char *text, mbs_name_kind kind, int index) {
  const size_t length = strlen(text);
  const size_t number = names->numbers.count;
  mbs_name *grown = array_grow(names->entries, &names->capacity, number + 1, sizeof *grown);
  if (grown == NULL)
    return NULL;
  names->entries = grown;
  const char *copy = arena_text(&names->texts, text, length);
  if (copy == NULL || !table_add(&names->numbers, copy, length, number))
    return NULL;
  names->entries[number] = (mbs_name){.text = copy, .kind = kind, .index = index};
  return &names->entries[number];
}

/* ---- Counts, kinds and numbers ---- */

size_t mbs_n_bodies(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_bodies; }
size_t mbs_n_joints(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_joints; }
size_t mbs_n_forces(const mbs_model *model) {
  return model == NULL ? 0 : (size_t)(model->n_forces - model->n_frictions);
}
size_t mbs_n_variables(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->laws.n_variables; }
size_t mbs_n_constraints(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_rows; }
size_t mbs_n_states(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_states; }

const mbs_force_type *mbs_force_kind_row(mbs_force_kind kind) {
  static const mbs_force_type *const rows[] = {
#define MBS_FORCE_ROW(kind, name) &mbs_force_##name,
      MBS_FORCE_TABLE(MBS_FORCE_ROW)};
  return rows[kind];
}

#define MBS_TEXT(kind, name) #name,
const char *mbs_force_kind_text(mbs_force_kind kind) {
  static const char *const names[] = {MBS_FORCE_TABLE(MBS_TEXT)};
  return (unsigned)kind < MBS_FORCE_KINDS ? names[kind] : NULL;
}

static size_t find(const mbs_model *model, const char *name, mbs_name_kind kind) {
  const mbs_name *found = model == NULL || name == NULL ? NULL : mbs_names_find(model->names, name);
  if (found == NULL || found->kind != kind)
    return SEAM_NONE;
  return found->index < 0 ? MBS_GROUND : (size_t)found->index;
}

size_t mbs_find_body(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_BODY); }
size_t mbs_find_joint(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_JOINT); }
size_t mbs_find_force(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_FORCE); }
size_t mbs_find_measure(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_MEASURE); }
size_t mbs_find_variable(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_VARIABLE); }

mbs_motion mbs_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                              const double *v, const double *a) {
  const int body = is_joint ? model->joints[element].body[side] : model->forces[element].body[side];
  const mbs_vector marker = is_joint ? model->joints[element].marker[side] : model->forces[element].marker[side];
  if (body == 0)
    return mbs_marker_motion(&(mbs_frame){.cos = 1}, marker, NULL);
  const int first = 3 * (body - 1);
  const mbs_frame f = mbs_frame_at(q + first, v + first);
  return mbs_marker_motion(&f, marker, a == NULL ? NULL : a + first);
}

/* ---- Properties of elements ---- */

#define MBS_NO_PAIR                                                                                                    \
  { NAN, NAN }

static size_t number_of_body(int body) { return body == 0 ? MBS_GROUND : (size_t)body - 1; }

static size_t number_of_curve(const mbs_model *model, const mbs_curve *curve) {
  for (int i = 0; curve != NULL && i < model->n_curves; i++)
    if (model->curves[i] == curve)
      return (size_t)i;
  return SEAM_NONE;
}

void mbs_gravity(const mbs_model *model, double gravity[2]) {
  for (int i = 0; i < 2; i++)
    gravity[i] = model == NULL ? NAN : model->gravity[i];
}

mbs_body_info mbs_body_of(const mbs_model *model, size_t body) {
  if (body >= mbs_n_bodies(model))
    return (mbs_body_info){body == MBS_GROUND ? "ground" : NULL, NAN, NAN};
  const double *mass = model->mass + 3 * (body + 1);
  return (mbs_body_info){model->body_name[body + 1], mass[0], mbs_is_point(model, (int)body + 1) ? 0 : mass[2]};
}

mbs_joint_info mbs_joint_of(const mbs_model *model, size_t joint) {
  mbs_joint_info info = {.kind = MBS_JOINT_KINDS,
                         .bodies = {SEAM_NONE, SEAM_NONE},
                         .first_constraint = SEAM_NONE,
                         .markers = {MBS_NO_PAIR, MBS_NO_PAIR},
                         .axis = MBS_NO_PAIR,
                         .ratio = NAN,
                         .radii = MBS_NO_PAIR,
                         .of = MBS_MOTIONS,
                         .curve = SEAM_NONE};
  if (joint >= mbs_n_joints(model))
    return info;
  const mbs_joint *at = &model->joints[joint];
  info.name = at->name;
  info.kind = at->kind;
  info.first_constraint = (size_t)at->row;
  info.curve = number_of_curve(model, at->curve.curve);
  info.is_affine = at->type->cut.is_affine;
  for (int side = 0; side < 2; side++) {
    info.bodies[side] = number_of_body(at->body[side]);
    if (at->type->has_markers)
      memcpy(info.markers[side], &at->marker[side], sizeof info.markers[side]);
  }
  if (at->type->has_axis)
    memcpy(info.axis, &at->axis, sizeof info.axis);
  if (at->kind == MBS_RACK || at->kind == MBS_BELT || at->kind == MBS_CURVE || at->kind == MBS_ROLLING)
    memcpy(info.radii, at->radius, sizeof info.radii);
  if (at->kind == MBS_GEAR)
    info.ratio = at->ratio;
  if (at->kind == MBS_MOTION)
    info.of = at->of;
  return info;
}

mbs_force_info mbs_force_of(const mbs_model *model, size_t force) {
  mbs_force_info info = {.kind = MBS_FORCE_KINDS,
                         .bodies = {SEAM_NONE, SEAM_NONE},
                         .markers = {MBS_NO_PAIR, MBS_NO_PAIR},
                         .axis = MBS_NO_PAIR,
                         .radii = MBS_NO_PAIR,
                         .places = {SEAM_NONE, SEAM_NONE},
                         .stiffness = {NAN, NAN, NAN},
                         .damping = {NAN, NAN, NAN},
                         .curve = SEAM_NONE};
  if (force >= mbs_n_forces(model))
    return info;
  const mbs_force *at = &model->forces[force];
  const mbs_force_type *row = mbs_force_kind_row(at->kind);
  const bool is_applied = at->kind == MBS_POINT_FORCE || at->kind == MBS_TORQUE;
  const bool is_along = at->kind == MBS_SPRING_DAMPER && (at->axis.x != 0 || at->axis.y != 0);
  info.name = at->name;
  info.kind = at->kind;
  info.curve = number_of_curve(model, at->curve.curve);
  info.has_impacts = at->type->is_hard && at->has_modes;
  info.in_body_axes = is_applied && at->body_axes;
  for (int side = 0; side < 2; side++) {
    info.bodies[side] = number_of_body(at->body[side]);
    if (row->has_markers && (size_t)side < row->max_bodies)
      memcpy(info.markers[side], &at->marker[side], sizeof info.markers[side]);
    if (is_applied)
      info.load[side] = at->load[side];
  }
  if (is_along || (at->kind == MBS_CONTACT && at->contact.has_line))
    memcpy(info.axis, &at->axis, sizeof info.axis);
  if (at->kind == MBS_ELASTIC_BELT || at->kind == MBS_CONTACT || at->kind == MBS_CABLE)
    memcpy(info.radii, at->radius, sizeof info.radii);
  for (int side = 0; side < 2 && at->cable != NULL; side++)
    info.places[side] = (size_t)at->place[side];
  const bool is_linear = at->elastic[0].nonlinear.value == NULL && !mbs_is_one_sided(&at->elastic[0]);
  for (int i = 0; i < 3 && is_linear; i++) {
    info.stiffness[i] = at->elastic[i].stiffness;
    info.damping[i] = at->elastic[i].damping;
  }
  return info;
}

size_t mbs_single_body(const mbs_model *model, size_t force, int *side) {
  const mbs_force_info info = mbs_force_of(model, force);
  const int own = info.bodies[0] == MBS_GROUND;
  if (side != NULL)
    *side = own;
  return info.bodies[1 - own] == MBS_GROUND ? info.bodies[own] : SEAM_NONE;
}

mbs_constraint_info mbs_constraint_of(const mbs_model *model, size_t constraint) {
  if (constraint >= mbs_n_constraints(model))
    return (mbs_constraint_info){SEAM_NONE, NULL};
  const int joint = model->joint_of_row[constraint];
  const mbs_joint *at = &model->joints[joint];
  return (mbs_constraint_info){(size_t)joint, at->type->residual[(int)constraint - at->row]};
}

mbs_variable_info mbs_variable_of(const mbs_model *model, size_t variable) {
  if (variable >= mbs_n_variables(model))
    return (mbs_variable_info){.sample = NAN, .state = SEAM_NONE};
  const mbs_variable *at = &model->laws.variable[variable];
  return (mbs_variable_info){at->name, at->sample, at->is_input, (size_t)model->laws.first_state + variable};
}

mbs_state_info mbs_state_of(const mbs_model *model, size_t state) {
  mbs_state_info info = {.force = SEAM_NONE, .nominal = NAN};
  if (state >= mbs_n_states(model))
    return info;
  info.nominal = model->nominal[state];
  info.is_mode = (int)state >= model->n_states - model->switching.n_modes;
  if ((int)state >= model->laws.first_state) {
    info.name = mbs_variable_of(model, state - (size_t)model->laws.first_state).name;
    return info;
  }
  int first = 0; /* the state belongs to one of the elements stateful[first] ... stateful[end - 1] */
  for (int end = model->n_stateful; end - first > 1;) {
    const int middle = first + (end - first) / 2;
    if (model->forces[model->stateful[middle]].state <= (int)state)
      first = middle;
    else
      end = middle;
  }
  info.force = (size_t)model->stateful[first];
  const mbs_force *force = &model->forces[info.force];
  info.name = force->type->states->name[(int)state - force->state];
  return info;
}

void mbs_state_text(const mbs_model *model, size_t state, char *text, size_t size) {
  const mbs_state_info info = mbs_state_of(model, state);
  const char *force = mbs_force_of(model, info.force).name;
  if (text != NULL && size > 0)
    snprintf(text, size, "%s%s%s", force != NULL ? force : "", force != NULL ? "." : "",
             info.name != NULL ? info.name : "");
}

size_t mbs_n_events(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_events; }

mbs_event_info mbs_event_of(const mbs_model *model, size_t event) {
  if (event >= mbs_n_events(model))
    return (mbs_event_info){NULL, false};
  return (mbs_event_info){model->events[event].name, model->events[event].stops};
}

/* ---- States ---- */

/* A state is one block of numbers: q (3n), v (3n), z (n_states), work (n_work), a (3n), lambda (m), contact (2 for each
 * hard contact), undetermined (1 for each hard contact). The values from q to work are integrated. */

static size_t block_length(const mbs_model *model) {
  return mbs_n_controlled(model) + (size_t)model->n_work + 3 * (size_t)model->n_bodies + (size_t)model->n_rows +
         3 * (size_t)model->n_hard;
}

seam_status mbs_state_create(const mbs_model *model, mbs_state **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  const size_t n = 3 * (size_t)model->n_bodies;
  mbs_state *state = malloc(sizeof *state);
  double *block = large_calloc(block_length(model), sizeof *block);
  if (state == NULL || block == NULL) {
    free(state);
    free(block);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a state of %d bodies", model->n_bodies);
  }
  double *work = block + mbs_n_controlled(model);
  *state = (mbs_state){.q = block,
                       .v = block + n,
                       .z = block + 2 * n,
                       .work = work,
                       .a = work + model->n_work,
                       .lambda = work + model->n_work + n,
                       .contact = work + model->n_work + n + model->n_rows,
                       .undetermined = work + model->n_work + n + model->n_rows + 2 * (size_t)model->n_hard,
                       .n_values = block_length(model)};
  memcpy(state->q, model->initial, mbs_n_controlled(model) * sizeof *block);
  *created = state;
  return SEAM_OK;
}

void mbs_state_destroy(mbs_state *state) {
  if (state == NULL)
    return;
  free(state->q);
  free(state);
}

bool mbs_state_fits(const mbs_model *model, const mbs_state *state) {
  const ptrdiff_t n = 3 * (ptrdiff_t)model->n_bodies;
  return state != NULL && state->n_values == block_length(model) && state->v - state->q == n &&
         state->work - state->z == model->n_states && state->lambda - state->a == n &&
         state->contact - state->lambda == model->n_rows;
}

double mbs_kinetic_energy(const mbs_model *model, const double *v) {
  double twice = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    twice += model->mass[3 + i] * v[i] * v[i];
  return twice / 2;
}

void mbs_fill_nan(double *x, size_t n) {
  for (size_t i = 0; i < n && x != NULL; i++)
    x[i] = NAN;
}

seam_status mbs_state_check(const char *function, const mbs_model *model, const mbs_state *state, seam_error *error) {
  if (!mbs_state_fits(model, state))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the state belongs to another model: create it with this one",
                     function);
  if (!isfinite(state->t))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the time of the state, %g s, is not finite", function, state->t);
  return SEAM_OK;
}

void mbs_state_copy(mbs_state *to, const mbs_state *from) {
  if (to == NULL || from == NULL || to->n_values != from->n_values)
    return;
  to->t = from->t;
  memcpy(to->q, from->q, from->n_values * sizeof *from->q);
}
