/* Memory of a workspace. */
#include <math.h>
#include <stdlib.h>

#include "base/argument.h"
#include "base/large.h"
#include "mbs/model/law.h"
#include "mbs/model/unilateral.h"
#include "mbs/model/workspace.h"

/* Of all that a loop needs, in one block. */
static size_t loop_length(const mbs_model *model) {
  const size_t n = (size_t)model->laws.n_loop;
  return n * (n + 2) + 3 * (size_t)model->n_bodies + (size_t)model->n_rows + 1;
}

/* The same to find variables at rest. */
static size_t rest_length(const mbs_model *model) {
  const size_t n = mbs_n_variables(model);
  return n * (n + 1) + 9 * (size_t)model->n_bodies + (size_t)model->n_states + (size_t)model->n_rows + 1;
}

seam_status mbs_workspace_create(const mbs_model *model, mbs_workspace **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  const size_t n = (size_t)model->n_bodies + 1;
  const size_t m = (size_t)model->n_rows + 1; /* never an empty array */
  mbs_workspace *ws = calloc(1, sizeof *ws);
  if (ws != NULL) {
    ws->model = model;
    ws->smooth.from = -INFINITY;
    ws->smooth.to = INFINITY;
    ws->frames = large_calloc(n + (size_t)model->n_ports, sizeof *ws->frames);
    ws->held = calloc((size_t)model->n_joints + 1, sizeof *ws->held);
    ws->staged = large_calloc(3 + mbs_n_controlled(model), sizeof *ws->staged);
    ws->Q = large_calloc(3 * n, sizeof *ws->Q);
    ws->loads = large_calloc(mbs_is_large(model) ? 6 * (size_t)model->n_forces + 1 : 1, sizeof *ws->loads);
    ws->z_rates = calloc((size_t)model->n_states + 1, sizeof *ws->z_rates);
    ws->g = large_calloc(m, sizeof *ws->g);
    ws->G = large_calloc(m, sizeof *ws->G);
    ws->gamma = large_calloc(m, sizeof *ws->gamma);
    ws->prescribed_rate = large_calloc(m, sizeof *ws->prescribed_rate);
    ws->port_power = calloc((size_t)model->n_ports + 1, sizeof *ws->port_power);
    ws->port_wrench = calloc(3 * (size_t)model->n_ports + 1, sizeof *ws->port_wrench);
    ws->measured = calloc((size_t)model->n_measured + 1, sizeof *ws->measured);
    ws->measured_changes = calloc((size_t)model->n_measured + 1, sizeof *ws->measured_changes);
    ws->switches = calloc((size_t)model->switching.n_switches + 1, sizeof *ws->switches);
    ws->inputs = calloc((size_t)model->max_inputs + 1, sizeof *ws->inputs);
    ws->input_changes = calloc((size_t)model->max_inputs + 1, sizeof *ws->input_changes);
    ws->response = calloc((size_t)mbs_n_responses(&model->laws) + 1, sizeof *ws->response);
    ws->response_change = calloc((size_t)mbs_n_responses(&model->laws) + 1, sizeof *ws->response_change);
    ws->still = calloc(3 * n + m, sizeof *ws->still);
    ws->unit = calloc(9 * n + (size_t)model->n_states + m, sizeof *ws->unit);
    ws->loop.value = calloc(loop_length(model), sizeof *ws->loop.value);
    ws->rest.z = calloc(rest_length(model), sizeof *ws->rest.z);
    ws->rest.pivot = calloc(mbs_n_variables(model) + 1, sizeof *ws->rest.pivot);
    ws->loop.pivot = calloc((size_t)model->laws.n_loop + 1, sizeof *ws->loop.pivot);
    ws->solver = seam_ldl_create(model->elimination.plan);
    ws->row = large_calloc(m, sizeof *ws->row);
    ws->correction = large_calloc(3 * n, sizeof *ws->correction);
    ws->ahead = calloc(3 * n, sizeof *ws->ahead);
    ws->quotient = calloc(m, sizeof *ws->quotient);
    ws->null_space = calloc((size_t)model->n_redundant * m + 1, sizeof *ws->null_space);
  }
  if (ws == NULL || ws->frames == NULL || ws->held == NULL || ws->staged == NULL || ws->Q == NULL ||
      ws->loads == NULL || ws->z_rates == NULL || ws->g == NULL || ws->G == NULL || ws->gamma == NULL ||
      ws->prescribed_rate == NULL || ws->port_power == NULL || ws->port_wrench == NULL || ws->measured == NULL ||
      ws->measured_changes == NULL || ws->switches == NULL || ws->inputs == NULL || ws->input_changes == NULL ||
      ws->response == NULL || ws->response_change == NULL || ws->still == NULL || ws->unit == NULL ||
      ws->loop.value == NULL || ws->loop.pivot == NULL || ws->rest.z == NULL || ws->rest.pivot == NULL ||
      ws->solver == NULL || ws->row == NULL || ws->correction == NULL || ws->ahead == NULL || ws->quotient == NULL ||
      ws->null_space == NULL) {
    mbs_workspace_destroy(ws);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the workspace of %d bodies", model->n_bodies);
  }
  seam_status status = mbs_unilateral_create(model, &ws->unilateral, error);
  if (status != SEAM_OK) {
    mbs_workspace_destroy(ws);
    return status;
  }
  ws->rest.matrix = ws->rest.z + model->laws.n_variables;
  ws->rest.gradient = ws->rest.matrix + model->laws.n_variables * model->laws.n_variables;
  ws->loop.error = ws->loop.value + model->laws.n_loop;
  ws->loop.matrix = ws->loop.error + model->laws.n_loop;
  ws->loop.a = ws->loop.matrix + model->laws.n_loop * model->laws.n_loop;
  ws->loop.lambda = ws->loop.a + 3 * model->n_bodies;
  ws->frames[0].cos = 1;
  ws->staged[0] = NAN;
  for (int j = 0; j < model->n_joints; j++)
    ws->held[j] = NAN;
  for (int i = 0; i < model->n_ports; i++)
    ws->frames[n + (size_t)i] = model->port_frames[i];
  *created = ws;
  return SEAM_OK;
}

void mbs_workspace_set_crew(mbs_workspace *ws, const thread_crew *crew) {
  ws->crew = crew;
  seam_ldl_set_crew(ws->solver, crew);
}

void mbs_workspace_destroy(mbs_workspace *ws) {
  if (ws == NULL)
    return;
  seam_ldl_destroy(ws->solver);
  mbs_unilateral_destroy(ws->unilateral);
  free(ws->frames);
  free(ws->held);
  free(ws->staged);
  free(ws->Q);
  free(ws->loads);
  free(ws->z_rates);
  free(ws->g);
  free(ws->G);
  free(ws->gamma);
  free(ws->prescribed_rate);
  free(ws->port_power);
  free(ws->port_wrench);
  free(ws->measured);
  free(ws->measured_changes);
  free(ws->switches);
  free(ws->inputs);
  free(ws->input_changes);
  free(ws->response);
  free(ws->response_change);
  free(ws->still);
  free(ws->unit);
  free(ws->loop.value);
  free(ws->loop.pivot);
  free(ws->rest.z);
  free(ws->rest.pivot);
  free(ws->row);
  free(ws->correction);
  free(ws->ahead);
  free(ws->quotient);
  free(ws->null_space);
  free(ws);
}
