#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mbs/model/laws.h"
#include "mbs/model/model.h"

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
