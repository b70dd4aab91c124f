#include "mbs/integrate/corners.h"

#include <math.h>
#include <stdlib.h>

#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* ---- Sources of corners ---- */

static bool is_time(const mbs_quantity *quantity) { return quantity->owner == MBS_WHOLE && quantity->element == 0; }

/* Returns true if the rates of the inputs can be found: no input is a port input of a subsystem, a load of a force
 * element, or a measure that reads time. */
static bool has_rates(const mbs_model *model, const mbs_readout *inputs) {
  bool has = !inputs->reads_inputs && !inputs->reads_loads;
  for (int i = 0; i < inputs->n_measures && has; i++) {
    const mbs_readout *of_measure = model->measures[inputs->measures[i]].inputs;
    for (int k = 0; of_measure != NULL && k < of_measure->n; k++)
      has = has && !is_time(&of_measure->quantities[k]);
  }
  return has;
}

static void add(mbs_corners *self, mbs_corner_source source) {
  if (source.n == 0)
    return;
  source.first = self->n_corners;
  self->n_corners += source.n;
  self->source[self->n++] = source;
}

static void add_function(mbs_corners *self, const mbs_model *model, const mbs_readout *inputs,
                         const mbs_function *function, const char *name, bool reads_forces) {
  if (function->value == NULL || inputs == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    if (self->source[i].function == function)
      return;
  add(self, (mbs_corner_source){.inputs = inputs,
                                .function = function,
                                .name = name,
                                .reads_forces = reads_forces,
                                .has_rates = has_rates(model, inputs),
                                .n = (int)function->n_corners});
}

/* Adds the functions of measures, then those of laws and variables, which read measures. */
static void add_responses(mbs_corners *self, const mbs_model *model) {
  const mbs_laws *laws = &model->laws;
  for (mbs_eval_phase phase = MBS_EARLY; phase <= MBS_LATE; phase++) {
    const mbs_readout *readout = laws->at[phase].readout;
    for (int i = 0; i < readout->n_measures; i++) {
      const mbs_named_measure *measure = &model->measures[readout->measures[i]];
      add_function(self, model, measure->inputs, &measure->function, measure->name, phase == MBS_LATE);
    }
  }
  for (int i = 0; i < mbs_n_responses(laws); i++) {
    const mbs_response *response = mbs_response_of(laws, i);
    const char *owner;
    const char *name;
    mbs_response_text(model, i, &owner, &name);
    if (response->phase != MBS_SAMPLED)
      add_function(self, model, response->inputs, &response->function, name, response->phase == MBS_LATE);
  }
}

/* Returns true if the inputs of a watched function depend on accelerations or multipliers. */
static bool reads_forces(const mbs_model *model, const mbs_watched *watched) {
  mbs_dependence on = {0};
  for (int i = 0; i < watched->inputs->n; i++)
    mbs_add_dependence(model, watched->inputs->quantities[i], &on);
  const bool has_late_laws = model->laws.at[MBS_LATE].n > 0; /* true: loads may depend on such laws */
  return on.needs_dynamics || (watched->inputs->reads_loads && has_late_laws);
}

seam_status mbs_corners_create(const mbs_model *model, const mbs_corners *acting, mbs_corners *created) {
  const mbs_laws *laws = &model->laws;
  const size_t most = (size_t)(mbs_n_responses(laws) + mbs_n_watched(model) + 3 * model->n_forces) + 1;
  const size_t n_unknown = 3 * (size_t)model->n_bodies + (size_t)model->n_states + (size_t)model->n_rows + 1;
  *created = (mbs_corners){.source = calloc(most, sizeof *created->source)};
  if (created->source == NULL)
    return SEAM_NO_MEMORY;
  if (acting == NULL) {
    add_responses(created, model);
    for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
      for (int k = 0; k < force->type->n_coordinates; k++)
        if (force->elastic[k].nonlinear.value != NULL && force->cut_port < 0)
          add(created, (mbs_corner_source){.force = force,
                                           .coordinate = k,
                                           .name = force->name,
                                           .has_rates = true,
                                           .n = (int)force->elastic[k].nonlinear.n_corners});
  }
  for (int i = 0; i < mbs_n_watched(model) && acting != NULL; i++) {
    const mbs_watched of = mbs_watched_of(model, i);
    bool acts = false;
    for (int k = 0; k < acting->n; k++)
      acts = acts || acting->source[k].function == of.function;
    if (of.function != NULL && !acts)
      add_function(created, model, of.inputs, of.function, of.name, reads_forces(model, &of));
  }
  if (created->n == 0)
    return SEAM_OK;
  created->x = calloc(2 * ((size_t)model->max_inputs + 2) + n_unknown, sizeof *created->x);
  if (created->x == NULL)
    return SEAM_NO_MEMORY;
  created->dx = created->x + model->max_inputs + 2;
  created->unknown = created->dx + model->max_inputs + 2;
  mbs_fill_nan(created->unknown, n_unknown);
  return SEAM_OK;
}

void mbs_corners_release(mbs_corners *self) {
  free(self->source);
  free(self->x);
}

/* ---- Reading corners ---- */

static void read_inputs(const mbs_corners *self, const mbs_corner_source *source, mbs_workspace *ws,
                        const mbs_state *state, bool has_forces) {
  const mbs_readout *inputs = source->inputs;
  const mbs_direction along = {.q = state->v,
                               .v = has_forces ? state->a : self->unknown,
                               .a = self->unknown,
                               .lambda = self->unknown,
                               .z = self->unknown};
  if (inputs->needs >= MBS_ROWS && !has_forces)
    mbs_stage_constraints(ws, state->t);
  if (inputs->reads_inputs)
    mbs_set_port_frames(ws, state->t);
  if (inputs->reads_loads)
    mbs_respond(ws, state);
  mbs_measures_evaluated(inputs, ws, state, source->has_rates ? &along : NULL);
  mbs_read_evaluated(inputs, ws, state, NULL, self->x);
  if (source->has_rates)
    mbs_read_evaluated(inputs, ws, state, &along, self->dx);
  for (int i = 0; i < inputs->n; i++)
    self->dx[i] = is_time(&inputs->quantities[i]) ? 1 : source->has_rates ? self->dx[i] : NAN;
}

void mbs_corners_read(const mbs_corners *self, const mbs_corner_source *source, mbs_workspace *ws,
                      const mbs_state *state, bool has_forces, seam_corner *corners) {
  if (source->inputs != NULL) {
    read_inputs(self, source, ws, state, has_forces);
    source->function->corners(source->function->data, self->x, self->dx, corners);
    return;
  }
  const mbs_force *force = source->force;
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  const seam_law *law = &force->elastic[source->coordinate].nonlinear;
  mbs_relative_coordinate m[3] = {0};
  force->type->find_coordinates(force, &pair, m);
  self->x[0] = m[source->coordinate].s - force->rest[source->coordinate];
  self->x[1] = self->dx[0] = mbs_relative_rate(&m[source->coordinate], &pair);
  self->dx[1] = NAN;
  law->corners(law->data, self->x, self->dx, corners);
  /* Round-off of the coordinate grows with positions and angles of both bodies, since joints couple translations and
   * rotations. It is at least that of positions of the size L, the scale of length, or of angles of 1 rad. */
  const double L = ws->model->scales.length;
  const double *J = m[source->coordinate].J;
  double far = 1;
  for (int side = 0; side < 2; side++) {
    const mbs_frame *frame = pair.frame[side];
    far = fmax(far, fmax(fabs(frame->phi), hypot(frame->x, frame->y) / L));
  }
  const double rounding = mbs_difference_rounding * far * (J[0] != 0 || J[1] != 0 ? L : 1);
  for (int k = 0; k < source->n; k++) /* NaN: the argument depends on v, and gets no round-off of positions */
    if (!isnan(corners[k].rate))
      corners[k].noise += rounding * (corners[k].rate != 0 ? fabs(corners[k].rate / self->dx[0]) : 1);
}
