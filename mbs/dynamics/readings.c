/* Functions that read quantities and loads of a state. They first run the stages and evaluate the laws that the
 * readings need. */
#include <math.h>

#include "mbs/dynamics/responses.h"
#include "mbs/model/workspace.h"
#include "mbs/output/measurements.h"
#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"

/* Runs the stages and evaluates the measures that the quantities need. Unless `along` is NULL, also finds the
 * derivatives of these measures along this direction. */
static void stage(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along) {
  const bool needs_laws = self->reads_loads && ws->model->laws.n_laws > 0;
  const bool has_stages = mbs_has_stages(ws, state);
  if (!has_stages && (self->needs >= MBS_FRAMES || along != NULL))
    mbs_stage_kinematics(ws, state->q, state->v);
  if (self->reads_inputs)
    mbs_set_port_frames(ws, state->t);
  if (!has_stages && self->needs >= MBS_ROWS) {
    mbs_load_stick_states(ws, state->z);
    mbs_stage_constraints(ws, state->t);
    mbs_mark_stages(ws, state);
  }
  if (needs_laws)
    mbs_respond(ws, state);
  if (needs_laws && along != NULL)
    mbs_respond_along(ws, state, along);
  mbs_measures_evaluated(self, ws, state, along);
}

void mbs_read(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, double *values) {
  if (!mbs_state_fits(ws->model, state)) {
    mbs_fill_nan(values, (size_t)self->n);
    return;
  }
  stage(self, ws, state, NULL);
  mbs_read_evaluated(self, ws, state, NULL, values);
}

void mbs_read_changes(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                      double *changes) {
  stage(self, ws, state, along);
  mbs_read_evaluated(self, ws, state, along, changes);
}

/* ---- Single force elements ---- */

static mbs_pair load(mbs_workspace *ws, const mbs_state *state, const mbs_force *force, double Q[6]) {
  mbs_stage_kinematics_of(ws, force->body, state->q, state->v);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_power power = {0};
  double buffer[2];
  if (force->law_is_state_dependent) {
    mbs_stage_kinematics(ws, state->q, state->v);
    mbs_respond(ws, state);
  }
  force->type->load(force, &pair, mbs_law_time(ws, state->t), mbs_numbers(ws, force, state->z, buffer), Q, &power);
  return pair;
}

double mbs_force_push(mbs_workspace *ws, const mbs_state *state, size_t force_index) {
  if (force_index >= mbs_n_forces(ws->model) || !mbs_state_fits(ws->model, state))
    return NAN;
  const mbs_force *force = &ws->model->forces[force_index];
  if (force->type->n_coordinates != 1)
    return 0;
  double Q[6];
  mbs_relative_coordinate s;
  const mbs_pair pair = load(ws, state, force, Q);
  force->type->find_coordinates(force, &pair, &s);
  return mbs_force_along(s.J, Q);
}

void mbs_force_wrench(mbs_workspace *ws, const mbs_state *state, size_t force_index, double wrench[3]) {
  if (force_index >= mbs_n_forces(ws->model) || !mbs_state_fits(ws->model, state)) {
    mbs_fill_nan(wrench, 3);
    return;
  }
  const mbs_force *force = &ws->model->forces[force_index];
  double Q[6];
  const mbs_pair pair = load(ws, state, force, Q);
  mbs_wrench_at(pair.frame[0], force->marker[0], Q, wrench);
}
