/* Builds a model from definitions. Each mbs_add_...() checks one definition, evaluates it in the initial configuration
 * and appends it to the model. mbs_build() does the steps that need all definitions. */
#include "mbs/build/builder.h"
#include "mbs/dynamics/assembly.h"
#include "mbs/dynamics/responses.h"
#include "mbs/dynamics/scales.h"
#include "mbs/model/cable.h"
#include "mbs/model/friction.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"

/* ---- Defaults ---- */

mbs_body_def mbs_default_body_def(void) {
  return (mbs_body_def){.cookie = MBS_DEFINITION_COOKIE, .mass = NAN, .inertia = NAN};
}

mbs_joint_def mbs_default_joint_def(void) {
  return (mbs_joint_def){.cookie = MBS_DEFINITION_COOKIE,
                         .angle = NAN,
                         .length = NAN,
                         .ratio = NAN,
                         .friction = {.coefficient = NAN, .static_coefficient = NAN}};
}

mbs_force_def mbs_default_force_def(void) {
  return (mbs_force_def){.cookie = MBS_DEFINITION_COOKIE,
                         .rest = NAN,
                         .hydraulics = {.pressures = {NAN, NAN}},
                         .actuator = {.limit = INFINITY, .rate = INFINITY, .start = NAN},
                         .contact = {.exponent = 1.5, .restitution = NAN},
                         .stop = {.lower = -INFINITY, .upper = INFINITY}};
}

/* ---- Builder and bodies ---- */

static bool grow_bodies(mbs_builder *builder, size_t n_frames) {
  mbs_model *model = builder->model;
  const struct {
    void **array;
    size_t item;
  } table[] = {{(void **)&model->body_name, sizeof *model->body_name},
               {(void **)&model->mass, 3 * sizeof *model->mass},
               {(void **)&model->inverse_mass, 3 * sizeof *model->inverse_mass},
               {(void **)&model->unit_weight, 3 * sizeof *model->unit_weight},
               {(void **)&model->is_rough, sizeof *model->is_rough},
               {(void **)&builder->frames, sizeof *builder->frames}};
  size_t capacity = builder->capacity_bodies;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    capacity = builder->capacity_bodies;
    if (!mbs_grow(table[i].array, &capacity, n_frames, table[i].item))
      return false;
  }
  builder->capacity_bodies = capacity;
  return true;
}

static void set_mass(mbs_model *model, int body, double mass, double inertia) {
  for (int i = 0; i < 3; i++) {
    const double m = i == 2 ? inertia : mass;
    model->mass[3 * body + i] = m;
    model->inverse_mass[3 * body + i] = m == 0 ? 0 : 1 / m;
    model->unit_weight[3 * body + i] = m == 0 ? 0 : 1;
  }
}

seam_status mbs_builder_create(mbs_builder **created, seam_error *error) {
  ARGUMENTS(error, created);
  mbs_builder *builder = calloc(1, sizeof *builder);
  if (builder != NULL)
    builder->model = calloc(1, sizeof *builder->model);
  if (builder != NULL && builder->model != NULL)
    builder->model->names = mbs_names_create();
  if (builder == NULL || builder->model == NULL || builder->model->names == NULL || !grow_bodies(builder, 1) ||
      !MBS_GROW(builder->model->joints, builder->capacity_joints, 1) ||
      !MBS_GROW(builder->model->forces, builder->capacity_forces, 1) ||
      mbs_names_add(builder->model->names, "ground", MBS_NAME_BODY, -1) == NULL) {
    mbs_builder_destroy(builder);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a builder");
  }
  builder->frames[0] = (mbs_frame){.cos = 1};
  set_mass(builder->model, 0, 0, 0);
  builder->model->is_rough[0] = false;
  builder->model->body_name[0] = "ground";
  *created = builder;
  return SEAM_OK;
}

void mbs_builder_destroy(mbs_builder *builder) {
  if (builder == NULL)
    return;
  mbs_model_destroy(builder->model);
  free(builder->frames);
  free(builder);
}

void mbs_set_gravity(mbs_builder *builder, const double gravity[2]) {
  if (builder != NULL && gravity != NULL)
    memcpy(builder->model->gravity, gravity, sizeof builder->model->gravity);
}

void mbs_set_duration(mbs_builder *builder, double duration) {
  if (builder != NULL)
    builder->model->duration = duration;
}

seam_status mbs_add_body(mbs_builder *builder, const mbs_body_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  mbs_model *model = builder->model;
  TRY(mbs_check_cookie(def->cookie, "body", error));
  TRY(mbs_check_name(model, def->name, "body", error));
  if (!(def->mass > 0 && def->inertia >= 0 && isfinite(def->mass) && isfinite(def->inertia)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "body '%s': mass %g must be positive, inertia %g positive or 0 (a point mass), both finite",
                     def->name, def->mass, def->inertia);
  if (def->inertia == 0 && def->velocity[2] != 0)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "body '%s' has inertia 0 (a point mass) and cannot rotate: leave out its angular velocity ('rate')", def->name);
  if (!finite_all(def->pose, 3) || !finite_all(def->velocity, 3))
    return seam_fail(error, SEAM_BAD_INPUT, "body '%s': its pose or velocity is not finite", def->name);
  TRY(mbs_check_point(def->pose, "body", def->name, error));
  const int body = model->n_bodies + 1;
  const bool has_room = grow_bodies(builder, (size_t)body + 1);
  const mbs_name *name = has_room ? mbs_names_add(model->names, def->name, MBS_NAME_BODY, body - 1) : NULL;
  if (name == NULL)
    return mbs_no_memory(def->name, error);
  model->body_name[body] = name->text;
  model->is_rough[body] = def->is_rough;
  set_mass(model, body, def->mass, def->inertia);
  builder->frames[body] = mbs_frame_at(def->pose, def->velocity);
  model->n_bodies = body;
  return SEAM_OK;
}

/* ---- Joints ---- */

static seam_status unit_vector(const double axis[2], const char *what, const char *name, mbs_vector *unit,
                               seam_error *error) {
  const double length = hypot(axis[0], axis[1]);
  if (!(length > 0) || !isfinite(length))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its axis [%g, %g] has no direction", what, name, axis[0],
                     axis[1]);
  *unit = (mbs_vector){axis[0] / length, axis[1] / length};
  return SEAM_OK;
}

static seam_status check_law(const seam_law *law, const char *what, const char *name, seam_error *error) {
  if (law->value == NULL || law->jet != NULL)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s '%s': its law has value() but no jet(): set jet(), which gives the value with its derivatives",
                   what, name);
}

static seam_status check_joint(const mbs_joint_def *def, seam_error *error) {
  TRY(mbs_check_kind((int)def->kind, MBS_JOINT_KINDS, "joint", def->name, error));
  if (def->kind == MBS_MOTION && ((int)def->of < 0 || (int)def->of >= MBS_MOTIONS))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "motion '%s': 'of' is %d, which is not a coordinate: take a value of mbs_motion_of", def->name,
                     (int)def->of);
  TRY(check_law(&def->law, "joint", def->name, error));
  TRY(mbs_check_markers(def->at, "joint", def->name, error));
  const mbs_joint_type *type = mbs_joint_type_of(def);
  if (type->check != NULL)
    TRY(type->check(def, error));
  if (!type->is_rheonomic && def->law.value != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "joint '%s' has a law, which only a motion takes: leave the law out",
                     def->name);
  if (isinf(def->angle) || isinf(def->length))
    return seam_fail(error, SEAM_BAD_INPUT, "joint '%s': its angle or length is not finite", def->name);
  return mbs_friction_check(def, error);
}

static seam_status add_joint(mbs_builder *builder, const mbs_joint_def *def, seam_error *error) {
  mbs_model *model = builder->model;
  mbs_joint joint = {.kind = def->kind,
                     .of = def->of,
                     .ratio = def->ratio,
                     .radius = {def->radii[0], def->radii[1]},
                     .law = def->law,
                     .friction = def->friction,
                     .row = model->n_rows};
  TRY(mbs_check_name(model, def->name, "joint", error));
  TRY(mbs_find_bodies(model, "joint", def->name, def->bodies, 2, joint.body, error));
  TRY(check_joint(def, error));
  memcpy(joint.frame, joint.body, sizeof joint.frame);
  joint.type = mbs_joint_type_of(def);
  if (def->kind == MBS_CURVE)
    TRY(mbs_find_joint_curve(model, def, &joint.curve, error));
  if (joint.type->has_axis) {
    TRY(unit_vector(def->axis, "joint", def->name, &joint.axis, error));
    joint.axis = mbs_rotate_back(&builder->frames[joint.body[0]], joint.axis);
  }
  for (int side = 0; side < 2; side++)
    if (joint.type->has_markers)
      joint.marker[side] = mbs_marker_position(&builder->frames[joint.body[side]], &def->at[side]);
  const int row = joint.type->rest_row;
  if (row >= 0) {
    const mbs_pair pair = mbs_joint_pair(&joint, builder->frames);
    mbs_relative_coordinate s[mbs_max_rows];
    joint.type->find_coordinates(&joint, &pair, s);
    double given = joint.type->rest_is_length ? def->length : def->angle;
    if (joint.type->is_rheonomic)
      given = def->from_initial ? NAN : 0;
    joint.rest[row] = isnan(given) ? s[row].s : given;
    if (joint.type->rest_is_length && !(joint.rest[row] > 0))
      return seam_fail(error, SEAM_BAD_INPUT, "distance '%s': its points coincide: move them apart, or give 'length'",
                       def->name);
    if (!isfinite(joint.rest[row]))
      return seam_fail(error, SEAM_BAD_INPUT, "joint '%s': its two centres coincide: move them apart", def->name);
  }
  const bool has_room = MBS_GROW(model->joints, builder->capacity_joints, model->n_joints + 1);
  const mbs_name *name = has_room ? mbs_names_add(model->names, def->name, MBS_NAME_JOINT, model->n_joints) : NULL;
  if (name == NULL)
    return mbs_no_memory(def->name, error);
  joint.name = name->text;
  model->joints[model->n_joints++] = joint;
  model->n_rows += joint.type->n_rows;
  return SEAM_OK;
}

seam_status mbs_add_joint(mbs_builder *builder, const mbs_joint_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  TRY(mbs_check_cookie(def->cookie, "joint", error));
  const seam_status status = add_joint(builder, def, error);
  if (status != SEAM_OK)
    mbs_destroy_law(&def->law);
  return status;
}

/* ---- Cables ---- */

static double radius_of(const mbs_force_def *def, int place) {
  return def->cable.radii != NULL ? def->cable.radii[place] : 0;
}

/* Fills *span with the force element of the span from place[0] to place[1]. Places are the points and discs along the
 * cable; body[k] is the body of place k. */
static void fill_span(const mbs_builder *builder, const mbs_force_def *def, const int *body, const int place[2],
                      mbs_cable *cable, mbs_force *span) {
  const bool from_disc = place[1] == place[0] + 1 && place[0] > 0 && radius_of(def, place[0]) != 0;
  const mbs_force_type *const types[2][2] = {{&mbs_force_cable, &mbs_cable_from_disc},
                                             {&mbs_hard_cable_span, &mbs_hard_cable_from_disc}};
  const bool is_contact = cable->is_hard && cable->n_spans == 0;
  *span = (mbs_force){.type = is_contact ? &mbs_hard_cable : types[cable->is_hard][from_disc],
                      .contact = def->contact,
                      .kind = MBS_CABLE,
                      .cut_port = -1,
                      .state = builder->model->n_states,
                      .law_is_state_dependent = true,
                      .law = {-1, -1},
                      .cable = cable,
                      .span = cable->n_spans++,
                      .place = {place[0], place[1]}};
  span->elastic[0] = (mbs_elastic_law){.stiffness = def->stiffness[0], .damping = def->damping[0]};
  span->contact.curve = NULL;
  span->contact.friction = 0;
  span->contact.restitution = isnan(def->contact.restitution) ? 0 : def->contact.restitution;
  for (int side = 0; side < 2; side++) {
    const int at = place[side];
    span->body[side] = span->frame[side] = body[at];
    span->marker[side] = mbs_marker_position(&builder->frames[body[at]], &def->cable.at[at]);
    span->radius[side] = radius_of(def, at);
  }
}

/* Writes the spans after the model's force elements; the caller adds them to n_forces. SEAM_BAD_INPUT,
 * SEAM_NO_MEMORY. */
static seam_status fill_spans(mbs_builder *builder, const mbs_force_def *def, mbs_cable *cable, seam_error *error) {
  mbs_model *model = builder->model;
  const size_t n = def->n_bodies;
  int *body = calloc(n, sizeof *body);
  if (body == NULL || !MBS_GROW(model->forces, builder->capacity_forces, (size_t)model->n_forces + n * (n - 1) / 2)) {
    free(body);
    return mbs_no_memory(def->name, error);
  }
  seam_status status = mbs_find_bodies(model, "force", def->name, def->bodies, n, body, error);
  mbs_force *spans = &model->forces[model->n_forces];
  bool has_two_bodies = false;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    has_two_bodies = has_two_bodies || body[i] != body[0];
  for (size_t i = 0; i + 1 < n && status == SEAM_OK; i++)
    status = mbs_check_markers(def->cable.at + i, "force", def->name, error);
  /* spans between neighbouring places, then spans that skip `distance` - 1 places, if all skipped places are discs */
  for (int distance = 1; distance < cable->n_places && status == SEAM_OK; distance++)
    for (int from = 0; from + distance < cable->n_places; from++) {
      bool past_discs = true;
      for (int k = from + 1; k < from + distance; k++)
        past_discs = past_discs && radius_of(def, k) != 0;
      if (past_discs)
        fill_span(builder, def, body, (int[2]){from, from + distance}, cable, &spans[cable->n_spans]);
    }
  free(body);
  if (status == SEAM_OK && !has_two_bodies)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cable '%s': all its places are on one body: put at least one place on another body", def->name);
  return status;
}

static seam_status add_cable_laws(mbs_builder *builder, const mbs_force_def *def, mbs_cable *cable, seam_error *error) {
  enum { N_INPUTS = 3 };
  mbs_model *model = builder->model;
  mbs_laws *laws = &model->laws;
  const size_t first = (size_t)(model->n_forces - cable->n_spans);
  const mbs_quantity inputs[N_INPUTS] = {{MBS_WHOLE, 0, 0}, {MBS_FORCES, first, 0}, {MBS_FORCES, first, 1}};
  const bool has_room = MBS_GROW(laws->law, laws->capacity_laws, laws->n_laws + MBS_CABLE_LAWS);
  seam_status status = has_room ? SEAM_OK : mbs_no_memory(def->name, error);
  const int before = laws->n_laws;
  for (int component = 0; component < MBS_CABLE_LAWS && status == SEAM_OK; component++) {
    mbs_law law = {.force = (int)first, .component = component, .n = cable->n_spans};
    status = mbs_readout_create(model, inputs, N_INPUTS, &law.response.inputs, error);
    if (status != SEAM_OK)
      break;
    law.response.function = mbs_cable_function(cable, component);
    for (int k = 0; k < cable->n_spans; k++)
      model->forces[first + (size_t)k].law[component] = laws->n_laws;
    mbs_laws_append(laws, law);
  }
  if (laws->n_laws == before) /* otherwise the first law owns the cable */
    free(cable);
  model->max_inputs = model->max_inputs > N_INPUTS ? model->max_inputs : N_INPUTS;
  return status;
}

/* Adds a force element for each span, and the two laws of quantities on which all spans depend. */
static seam_status add_cable(mbs_builder *builder, const mbs_force_def *def, seam_error *error) {
  mbs_model *model = builder->model;
  mbs_cable *cable = calloc(1, sizeof *cable);
  if (cable == NULL)
    return mbs_no_memory(def->name, error);
  cable->n_places = (int)def->n_bodies;
  cable->is_hard = def->contact.is_hard;
  cable->is_two_sided = def->cable.two_sided;
  cable->law = (mbs_elastic_law){.stiffness = def->stiffness[0], .damping = def->damping[0], .is_strand = true};
  cable->length = def->law;
  cable->length.destroy = NULL;
  seam_status status = fill_spans(builder, def, cable, error);
  mbs_force *first = &model->forces[model->n_forces];
  if (status == SEAM_OK) {
    mbs_cable_set_reference(cable, first, builder->frames);
    const double length = mbs_cable_length_of(first, builder->frames, NULL).length;
    const double rest = def->law.value != NULL ? def->law.value(def->law.data, (double[2]){0}) : def->rest;
    cable->rest = isnan(def->rest) ? length : def->rest;
    if (!isnan(rest) && !(rest > 0))
      status = seam_fail(error, SEAM_BAD_INPUT, "cable '%s': its length at t = 0 is %g m, but must be positive",
                         def->name, rest);
    else if (!isfinite(length))
      status = seam_fail(error, SEAM_BAD_INPUT,
                         "cable '%s' has no path in the initial configuration: one of its places is inside the next "
                         "disc, or two discs overlap; move the places apart, or check the signs of its radii",
                         def->name);
  }
  const mbs_name *name =
      status == SEAM_OK ? mbs_names_add(model->names, def->name, MBS_NAME_FORCE, model->n_forces) : NULL;
  if (name == NULL) {
    free(cable);
    return status == SEAM_OK ? mbs_no_memory(def->name, error) : status;
  }
  first->load[0] = def->law;
  for (int k = 0; k < cable->n_spans; k++)
    model->forces[model->n_forces++].name = name->text;
  return add_cable_laws(builder, def, cable, error);
}

/* ---- Force elements ---- */

static seam_status check_force(const mbs_model *model, const mbs_force_def *def, seam_error *error) {
  TRY(mbs_check_name(model, def->name, "force", error));
  TRY(mbs_check_kind((int)def->kind, MBS_FORCE_KINDS, "force", def->name, error));
  const mbs_force_type *row = mbs_force_kind_row(def->kind);
  if (row->law_is_elastic)
    TRY(check_law(&def->law, "force", def->name, error));
  TRY(mbs_check_markers(def->at, "force", def->name, error));
  TRY(mbs_check_n_bodies("force", def->name, def->n_bodies, row->min_bodies, row->max_bodies, error));
  if (def->bodies == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "force '%s': its list of bodies is NULL: give their names", def->name);
  if (row->needs_law && def->law.value == NULL && !def->law_is_state_dependent)
    return seam_fail(error, SEAM_BAD_INPUT, "force '%s' has no law of time: give it one", def->name);
  if (!row->may_have_law && def->law.value != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "force '%s': its type takes no law: leave the law out, or take a spring_damper, force or torque",
                     def->name);
  for (int i = 0; i < 3; i++)
    if (!(def->stiffness[i] >= 0 && def->damping[i] >= 0 && isfinite(def->stiffness[i]) && isfinite(def->damping[i])))
      return seam_fail(error, SEAM_BAD_INPUT, "force '%s': stiffness and damping must be finite and not negative",
                       def->name);
  if (isinf(def->rest))
    return seam_fail(error, SEAM_BAD_INPUT, "force '%s': its rest length or angle is not finite", def->name);
  return row->check != NULL ? row->check(def, error) : SEAM_OK;
}

static seam_status set_force_frame(mbs_builder *builder, const mbs_force_def *def, mbs_force *force,
                                   seam_error *error) {
  const mbs_force_type *row = mbs_force_kind_row(def->kind);
  force->type = row->choose != NULL ? row->choose(def) : row;
  force->kind = def->kind;
  force->body_axes = def->body_axes;
  force->hydraulics = def->hydraulics;
  force->drag = def->drag;
  force->actuator = def->actuator;
  force->contact = def->contact;
  force->stop = def->stop;
  force->contact.curve = NULL; /* the name belongs to *def, which may not outlive the model */
  if (def->kind == MBS_CONTACT && def->contact.curve != NULL)
    TRY(mbs_find_contact_curve(builder->model, def, &force->curve, error));
  if (def->has_axis)
    TRY(unit_vector(def->axis, "force", def->name, &force->axis, error));
  for (int side = 0; side < 2; side++)
    if (row->has_markers)
      force->marker[side] = mbs_marker_position(&builder->frames[force->body[side]], &def->at[side]);
  for (int i = 0; i < 3; i++)
    force->elastic[i] = (mbs_elastic_law){.stiffness = def->stiffness[i], .damping = def->damping[i]};
  if (def->consistent)
    force->axis = (mbs_vector){builder->frames[force->body[0]].cos, -builder->frames[force->body[0]].sin};
  const mbs_pair pair = mbs_force_pair(force, builder->frames);
  /* only the last coordinate of an element has a rest value; the last coordinate of a bushing is its angle */
  const int measured = force->type->n_coordinates - 1;
  if (measured >= 0) {
    mbs_relative_coordinate stretch[3];
    force->type->find_coordinates(force, &pair, stretch);
    force->rest[measured] = isnan(def->rest) ? stretch[measured].s : def->rest;
    if (row->law_is_elastic && def->law.value != NULL && !isfinite(def->law.value(def->law.data, (double[2]){0, 0})))
      force->elastic[0].zero = stretch[0].s - force->rest[0];
  }
  return force->type->set_initial != NULL ? force->type->set_initial(force, def, &pair, error) : SEAM_OK;
}

static seam_status add_force(mbs_builder *builder, const mbs_force_def *def, seam_error *error) {
  mbs_model *model = builder->model;
  TRY(check_force(model, def, error));
  if (def->kind == MBS_CABLE)
    return add_cable(builder, def, error);
  const mbs_force_type *row = mbs_force_kind_row(def->kind);
  const mbs_name *name = NULL;
  for (size_t first = 0; first < def->n_bodies; first += row->is_of_each_body ? 1 : 2) {
    mbs_force force = {.state = model->n_states,
                       .cut_port = -1,
                       .law = {-1, -1},
                       .law_is_state_dependent = def->law_is_state_dependent};
    const size_t n = def->n_bodies - first < 2 || row->is_of_each_body ? 1 : 2;
    TRY(mbs_find_bodies(model, "force", def->name, def->bodies + first, n, force.body, error));
    memcpy(force.frame, force.body, sizeof force.frame);
    TRY(set_force_frame(builder, def, &force, error));
    if (name == NULL)
      name = mbs_names_add(model->names, def->name, MBS_NAME_FORCE, model->n_forces);
    if (name == NULL)
      return mbs_no_memory(def->name, error);
    *(row->law_is_elastic ? &force.elastic[0].nonlinear : &force.load[0]) = def->law;
    force.load[1] = def->law_y;
    const mbs_force_states *states = force.type->states;
    if (states != NULL) { /* the definition gives the states at time 0; NaN stands for the steady state */
      const double *given = states->given(def);
      states->steady(&force, mbs_command(&force, NULL, 0), force.start);
      for (int k = 0; k < states->n; k++)
        force.start[k] = isnan(given[k]) ? force.start[k] : given[k];
      force.starts_steady = def->law_is_state_dependent && isnan(given[0]);
    }
    if (!MBS_GROW(model->forces, builder->capacity_forces, model->n_forces + 1))
      return mbs_no_memory(def->name, error);
    force.name = name->text;
    model->forces[model->n_forces++] = force; /* from now on the element owns the laws of def */
    model->n_states += states != NULL ? states->n : 0;
  }
  return SEAM_OK;
}

seam_status mbs_add_force(mbs_builder *builder, const mbs_force_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  TRY(mbs_check_cookie(def->cookie, "force", error));
  const int before = builder->model->n_forces;
  const seam_status status = add_force(builder, def, error);
  if (builder->model->n_forces == before) {
    mbs_destroy_law(&def->law);
    mbs_destroy_law(&def->law_y);
  }
  return status;
}

/* ---- Building ---- */

/* Evaluates the initial state and sets the scales. Then sets the steady states of those force elements whose laws
 * depend on quantities. */
static seam_status finish_start(mbs_model *model, seam_error *error) {
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  mbs_state *scratch = NULL;
  seam_status status = mbs_workspace_create(model, &ws, error);
  THEN(status, mbs_state_create(model, &state, error));
  THEN(status, mbs_state_create(model, &scratch, error));
  if (status == SEAM_OK) {
    mbs_stage_kinematics(ws, state->q, state->v);
    mbs_stage_laws(ws, state);
    for (int i = 0; i < model->n_stateful; i++) {
      const mbs_force *force = &model->forces[model->stateful[i]];
      if (!force->starts_steady)
        continue;
      double *z = state->z + force->state;
      force->type->states->steady(force, mbs_command(force, ws->response, 0), z);
      memcpy(model->initial + 6 * model->n_bodies + force->state, z, (size_t)force->type->states->n * sizeof *z);
    }
    mbs_scales_finish(model, ws, state, scratch);
  }
  mbs_state_destroy(scratch);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}

static seam_status finish(mbs_builder *builder, seam_error *error) {
  mbs_model *model = builder->model;
  const size_t n = (size_t)model->n_bodies;
  TRY(mbs_frictions_add(builder, error));
  TRY(mbs_laws_finish(model, error));
  if (!finite_all(model->gravity, 2))
    return seam_fail(error, SEAM_BAD_INPUT, "gravity (%g, %g) must be finite", model->gravity[0], model->gravity[1]);
  model->initial = malloc((mbs_n_controlled(model) + 1) * sizeof *model->initial);
  model->placed = malloc((3 * n + 1) * sizeof *model->placed);
  if (model->initial == NULL || model->placed == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a model of %zu bodies", n);
  for (size_t b = 0; b < n; b++) {
    const mbs_frame *f = &builder->frames[b + 1];
    memcpy(model->initial + 3 * b, (double[3]){f->x, f->y, f->phi}, 3 * sizeof(double));
    memcpy(model->initial + 3 * (n + b), (double[3]){f->vx, f->vy, f->omega}, 3 * sizeof(double));
  }
  memcpy(model->placed, model->initial, 3 * n * sizeof *model->placed);
  model->fingerprint = mbs_fingerprint(model, builder->frames);
  TRY(mbs_model_finish(model, error));
  TRY(mbs_point_masses_check(model, error));
  TRY(mbs_find_redundancy(model, error));
  TRY(mbs_frictions_check_reactions(model, error));
  return finish_start(model, error);
}

seam_status mbs_build(mbs_builder *builder, mbs_model **created, seam_error *error) {
  ARGUMENTS(error, builder, created);
  const seam_status status = finish(builder, error);
  if (status == SEAM_OK) {
    *created = builder->model;
    builder->model = NULL;
  }
  mbs_builder_destroy(builder);
  return status;
}
