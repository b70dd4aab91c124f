/* Adds a cable to a model: a force element for each span, and two laws of quantities that load all spans. */
#include <math.h>
#include <stdlib.h>

#include "base/then.h"
#include "mbs/model/builder.h"
#include "mbs/model/cable.h"
#include "mbs/output/readout.h"

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
  if (body == NULL || !mbs_grow((void **)&model->forces, &builder->capacity_forces,
                                (size_t)model->n_forces + n * (n - 1) / 2, sizeof *model->forces)) {
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

/* Sets the cable's initial angles (mbs_cable_set_reference()) and its free length. If the definition gives no length,
 * the free length is that of the path in the initial configuration. SEAM_BAD_INPUT. */
static seam_status set_initial(const mbs_builder *builder, const mbs_force_def *def, mbs_cable *cable,
                               seam_error *error) {
  const mbs_force *first = &builder->model->forces[builder->model->n_forces];
  mbs_cable_set_reference(cable, first, builder->frames);
  const double length = mbs_cable_length_of(first, builder->frames, NULL).length;
  const double rest = cable->length.value != NULL ? cable->length.value(cable->length.data, (double[2]){0}) : def->rest;
  cable->rest = isnan(def->rest) ? length : def->rest;
  if (!isnan(rest) && !(rest > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s': its length at t = 0 is %g m, but must be positive", def->name,
                     rest);
  if (isfinite(length))
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "cable '%s' has no path in the initial configuration: one of its places is inside the next disc, or "
                   "two discs overlap; move the places apart, or check the signs of its radii",
                   def->name);
}

static seam_status add_laws(mbs_builder *builder, const mbs_force_def *def, mbs_cable *cable, seam_error *error) {
  enum { N_INPUTS = 3 };
  mbs_model *model = builder->model;
  mbs_laws *laws = &model->laws;
  const size_t first = (size_t)(model->n_forces - cable->n_spans);
  const mbs_quantity inputs[N_INPUTS] = {{MBS_WHOLE, 0, 0}, {MBS_FORCES, first, 0}, {MBS_FORCES, first, 1}};
  const size_t needed = (size_t)laws->n_laws + MBS_CABLE_LAWS;
  seam_status status = mbs_grow((void **)&laws->law, &laws->capacity_laws, needed, sizeof *laws->law)
                           ? SEAM_OK
                           : mbs_no_memory(def->name, error);
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

seam_status mbs_add_cable(mbs_builder *builder, const mbs_force_def *def, seam_error *error) {
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
  THEN(status, set_initial(builder, def, cable, error));
  const mbs_name *name =
      status == SEAM_OK ? mbs_names_add(model->names, def->name, MBS_NAME_FORCE, model->n_forces) : NULL;
  if (name == NULL) {
    free(cable);
    return status == SEAM_OK ? mbs_no_memory(def->name, error) : status;
  }
  model->forces[model->n_forces].load[0] = def->law;
  for (int k = 0; k < cable->n_spans; k++)
    model->forces[model->n_forces++].name = name->text;
  return add_laws(builder, def, cable, error);
}
