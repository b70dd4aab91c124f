/* Sampled variables change at multiples of their sampling periods and are constant in between. */
#include <math.h>

#include "base/sample.h"
#include "base/vector.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"

double mbs_next_sample(const mbs_model *model, double t) {
  const mbs_laws *laws = &model->laws;
  double first = INFINITY;
  for (int i = 0; i < laws->n_variables; i++) {
    const double period = laws->variable[i].sample;
    if (period > 0)
      first = fmin(first, sample_after(period, t));
  }
  return fmax(first, nextafter(t, INFINITY));
}

static double *time_of_last(const mbs_laws *laws, const mbs_state *state) {
  return state->z + laws->first_state + laws->n_variables;
}

bool mbs_is_sample_due(const mbs_model *model, const mbs_state *state) {
  const mbs_laws *laws = &model->laws;
  const mbs_responses_at *set = &laws->at[MBS_SAMPLED];
  bool is_due = false;
  for (int i = 0; i < set->n; i++)
    is_due |= sample_is_due(laws->variable[set->number[i] - laws->n_laws].sample, *time_of_last(laws, state), state->t);
  return is_due;
}

bool mbs_samples_read_forces(const mbs_model *model) {
  const mbs_responses_at *set = &model->laws.at[MBS_SAMPLED];
  const int first = 6 * model->n_bodies + model->n_states; /* first column of a; columns of λ follow */
  bool has_forces = false;
  for (int i = 0; i < set->n; i++) {
    const mbs_response *response = mbs_response_of(&model->laws, set->number[i]);
    for (int k = 0; k < response->n_columns; k++)
      has_forces |= response->column[k] >= first;
  }
  return has_forces;
}

seam_status mbs_sample(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_laws *laws = &ws->model->laws;
  const mbs_responses_at *set = &laws->at[MBS_SAMPLED];
  if (set->n == 0)
    return SEAM_OK;
  const double before = *time_of_last(laws, state);
  const seam_status status = mbs_accelerate(ws, state, error);
  if (status != SEAM_OK)
    return status;
  mbs_respond_phase(ws, state, MBS_SAMPLED);
  for (int i = 0; i < set->n; i++) {
    const int variable = set->number[i] - laws->n_laws;
    const double period = laws->variable[variable].sample;
    if (sample_number(period, state->t) > sample_number(period, before))
      state->z[laws->first_state + variable] = ws->response[set->number[i]];
  }
  *time_of_last(laws, state) = state->t;
  return finite_all(state->z, ws->model->n_states) ? SEAM_OK : mbs_law_not_finite(ws, state->t, error);
}

double mbs_variable_rate(mbs_workspace *ws, const mbs_state *state, size_t variable) {
  if (ws == NULL || !mbs_state_fits(ws->model, state) || variable >= mbs_n_variables(ws->model))
    return NAN;
  const mbs_laws *laws = &ws->model->laws;
  const mbs_variable *of = &laws->variable[variable];
  if (!mbs_is_function(&of->response))
    return of->sample > 0 ? state->z[laws->first_state + (int)variable] : 0;
  mbs_respond(ws, state);
  mbs_respond_sampled(ws, state);
  return ws->response[laws->n_laws + (int)variable];
}

void mbs_copy_constant_states(const mbs_model *model, const mbs_state *from, const mbs_state *to, mbs_state *between) {
  const mbs_laws *laws = &model->laws;
  for (int i = 0; i < laws->n_variables; i++) {
    const double period = laws->variable[i].sample;
    const int k = laws->first_state + i;
    if (period > 0)
      between->z[k] = sample_number(period, between->t) > sample_number(period, from->t) ? to->z[k] : from->z[k];
  }
  const mbs_switching_table *table = &model->switching;
  for (const mbs_switching *row = table->row; row < table->row + table->n; row++)
    for (int k = 0; k < row->type->n_modes; k++) {
      const int entry = row->first_mode + k;
      between->z[entry] = k < row->type->n_modes - row->type->n_records ? MBS_BY_MOTION : from->z[entry];
    }
}
