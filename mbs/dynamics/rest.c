/* States z at rest: Z = 0 in a pose that stays. Those of force elements follow from the values of their laws; variables
 * are solved for by Newton's method,
 *
 *   Z(q, 0, z) = 0,   ∂Z/∂z δz = -Z          sampled ones: Z = f(q, 0, z) - z
 *
 * which has no single solution where a variable is an integral: integral_rest.c solves for it together with the pose.
 */
#include <math.h>

#include <lapacke.h>

#include "base/finite.h"
#include "base/largest.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/model/workspace.h"
#include "mbs/output/readout.h"
#include "mbs/thresholds.h"

void mbs_rest_forces(mbs_workspace *ws, mbs_state *state) {
  const mbs_model *model = ws->model;
  if (mbs_n_responses(&model->laws) > 0)
    mbs_respond(ws, state);
  for (int i = 0; i < model->n_stateful; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    const double u = mbs_command(force, ws->response, mbs_law_time(ws, state->t));
    force->type->states->rest(force, u, state->z + force->state);
  }
}

/* Z of the variables, into ws->rest.z. */
static void find_rates(mbs_workspace *ws, const mbs_state *state) {
  const mbs_laws *laws = &ws->model->laws;
  for (int i = 0; i < laws->n_variables; i++) {
    const double f = ws->response[laws->n_laws + i];
    const bool is_function = mbs_is_function(&laws->variable[i].response);
    const bool is_sampled = laws->variable[i].sample > 0;
    ws->rest.z[i] = !is_function ? 0 : is_sampled ? f - state->z[laws->first_state + i] : f;
  }
}

/* ∂Z/∂z (n x n); a variable without equation stays. */
static void find_matrix(mbs_workspace *ws, const mbs_state *state) {
  const mbs_laws *laws = &ws->model->laws;
  const int n = laws->n_variables;
  const int first = 6 * ws->model->n_bodies + laws->first_state;
  double *matrix = ws->rest.matrix;
  for (int i = 0; i < n; i++) {
    const mbs_response *response = &laws->variable[i].response;
    const bool is_function = mbs_is_function(response);
    for (int j = 0; j < n; j++)
      matrix[i + j * n] = i == j && (!is_function || laws->variable[i].sample > 0) ? -1 : 0;
    if (!is_function)
      continue;
    mbs_response_gradient(ws, state, laws->n_laws + i, ws->rest.gradient);
    for (int k = 0; k < response->n_columns; k++)
      if (response->column[k] >= first && response->column[k] < first + n)
        matrix[i + (response->column[k] - first) * n] += ws->rest.gradient[k];
  }
}

static seam_status no_rest(const mbs_workspace *ws, int number, seam_error *error) {
  return seam_fail(
      error, SEAM_NOT_CONVERGED,
      "variable '%s' does not rest in a pose that is held: its equation has no solution there; give it an equation "
      "that returns it, or run until all is at rest",
      ws->model->laws.variable[number].name);
}

static int largest_of(const double *x, int n) {
  int largest = 0;
  for (int i = 1; i < n; i++)
    if (!(fabs(x[i]) <= fabs(x[largest])))
      largest = i;
  return largest;
}

seam_status mbs_rest_states(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_laws *laws = &ws->model->laws;
  const int n = laws->n_variables;
  double *z = state->z + laws->first_state;
  for (int i = 0; i < MBS_MAX_STATE_STEPS; i++) {
    mbs_rest_forces(ws, state);
    if (n == 0)
      return SEAM_OK;
    mbs_respond(ws, state);
    mbs_respond_sampled(ws, state);
    find_rates(ws, state);
    find_matrix(ws, state);
    const int worst = largest_of(ws->rest.z, n);
    if (!finite_all(ws->rest.z, n) || !finite_all(ws->rest.matrix, n * n))
      return no_rest(ws, worst, error);
    const int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, ws->rest.matrix, n, ws->rest.pivot, ws->rest.z, n);
    if (info != 0)
      return no_rest(ws, info > 0 ? info - 1 : worst, error);
    for (int k = 0; k < n; k++)
      z[k] -= ws->rest.z[k];
    if (largest_size(ws->rest.z, (size_t)n) <= mbs_rest_states_settled * largest_size(z, (size_t)n))
      return SEAM_OK;
  }
  return no_rest(ws, largest_of(ws->rest.z, n), error);
}
