#include <math.h>
#include <stdlib.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/model/workspace.h"

/* ---- Hard contacts ---- */

/* All arrays, for n contacts, n3 coordinates, m constraints and r joints with friction. */
#define UNILATERAL_ARRAYS(X)                                                                                           \
  X(self, kinematics, n)                                                                                               \
  X(self, segment, (size_t)model->n_segments)                                                                          \
  X(self, z, (size_t)model->n_states)                                                                                  \
  X(self, mode, n)                                                                                                     \
  X(self, stuck_at, n)                                                                                                 \
  X(self, stored_mode, n)                                                                                              \
  X(self, force, 2 * n)                                                                                                \
  X(self, has_ended, n)                                                                                                \
  X(self, active, 2 * n)                                                                                               \
  X(self, of_a, 2 * n * n3)                                                                                            \
  X(self, of_lambda, 2 * n * m)                                                                                        \
  X(self, matrix, 4 * n * n)                                                                                           \
  X(self, right, 2 * n)                                                                                                \
  X(self, a, n3)                                                                                                       \
  X(self, lambda, m)                                                                                                   \
  X(self, v, n3)                                                                                                       \
  X(self, a_free, n3)                                                                                                  \
  X(self, pivot, 2 * n)                                                                                                \
  X(self, order, 2 * n)                                                                                                \
  X(self, before, 2 * n)                                                                                               \
  X(self, joint_friction, r)                                                                                           \
  X(self, friction_by_friction, r *r)                                                                                  \
  X(self, friction_by_contact, 2 * n * r)                                                                              \
  X(self, friction_lambda, r *m)                                                                                       \
  X(self, rate, 2 * n)                                                                                                 \
  X(self, restitution, n)                                                                                              \
  X(self, merges, n)                                                                                                   \
  X(self, ends_soon, n)                                                                                                \
  X(self, stops, n)                                                                                                    \
  X(self, returns, n)                                                                                                  \
  X(self, ended_normal, n)                                                                                             \
  X(self, impulse, 2 * n)                                                                                              \
  X(self, impact, n)                                                                                                   \
  X(self, problem.contact, n)                                                                                          \
  X(self, problem.A, 4 * n * n)                                                                                        \
  X(self, problem.b, 2 * n)                                                                                            \
  X(self, problem.mu, n)                                                                                               \
  X(self, problem.friction_offset, n)                                                                                  \
  X(self, problem.direction, n)                                                                                        \
  X(self, problem.two_sided, n)                                                                                        \
  X(self, problem.reduced, 2 * n * (2 * n + 1))                                                                        \
  X(self, problem.f, 2 * n)                                                                                            \
  X(self, problem.rate, 2 * n)                                                                                         \
  X(self, problem.mode, n)                                                                                             \
  X(self, hyperstatic.number, 2 * n)                                                                                   \
  X(self, hyperstatic.direction, 2 * n)                                                                                \
  X(self, hyperstatic.null, 4 * n * n)                                                                                 \
  X(self, hyperstatic.bound, 6 * n * n)                                                                                \
  X(self, hyperstatic.scale, 2 * n)                                                                                    \
  X(self, hyperstatic.eigenvalue, 2 * n)                                                                               \
  X(self, hyperstatic.before, 2 * n)                                                                                   \
  X(self, hyperstatic.f, 2 * n)                                                                                        \
  X(self, lcp_matrix, 16 * n * n)                                                                                      \
  X(self, lcp_right, 4 * n)                                                                                            \
  X(self, lcp_first, n)

static void destroy_unilateral(mbs_unilateral *self) {
  if (self == NULL)
    return;
  UNILATERAL_ARRAYS(FREE_ARRAY)
  seam_lcp_destroy(self->lcp);
  free(self);
}

/* *created becomes NULL if the model has no hard contacts. SEAM_NO_MEMORY. */
static seam_status create_unilateral(const mbs_model *model, mbs_unilateral **created, seam_error *error) {
  const size_t n = (size_t)model->n_hard, n3 = 3 * (size_t)model->n_bodies;
  const size_t m = (size_t)model->n_rows, r = (size_t)model->n_frictions;
  *created = NULL;
  if (n == 0)
    return SEAM_OK;
  mbs_unilateral *self = calloc(1, sizeof *self);
  const bool enough = self != NULL UNILATERAL_ARRAYS(ALLOCATE_ARRAY);
  if (!enough || seam_lcp_create(4 * model->n_hard, &self->lcp, NULL) != SEAM_OK) {
    destroy_unilateral(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d hard contacts", model->n_hard);
  }
  self->n = model->n_hard;
  *created = self;
  return SEAM_OK;
}

/* ---- Workspace ---- */

/* All arrays. n: number of bodies plus 1 for the ground; m: number of constraints. */
#define WORKSPACE_ARRAYS(X)                                                                                            \
  X(ws, frames, n + (size_t)model->n_ports)                                                                            \
  X(ws, stuck_at, (size_t)model->n_joints)                                                                             \
  X(ws, staged, 3 + mbs_n_controlled(model))                                                                           \
  X(ws, Q, 3 * n)                                                                                                      \
  X(ws, loads, mbs_is_large(model) ? 6 * (size_t)model->n_forces : 0)                                                  \
  X(ws, z_rates, (size_t)model->n_states)                                                                              \
  X(ws, g, m)                                                                                                          \
  X(ws, G, m)                                                                                                          \
  X(ws, gamma, m)                                                                                                      \
  X(ws, prescribed_rate, m)                                                                                            \
  X(ws, port_power, (size_t)model->n_ports)                                                                            \
  X(ws, port_wrench, 3 * (size_t)model->n_ports)                                                                       \
  X(ws, measured, (size_t)model->n_measured)                                                                           \
  X(ws, measured_changes, (size_t)model->n_measured)                                                                   \
  X(ws, switches, (size_t)model->switching.n_switches)                                                                 \
  X(ws, inputs, (size_t)model->max_inputs)                                                                             \
  X(ws, input_changes, (size_t)model->max_inputs)                                                                      \
  X(ws, response, (size_t)mbs_n_responses(&model->laws))                                                               \
  X(ws, response_change, (size_t)mbs_n_responses(&model->laws))                                                        \
  X(ws, zeros, 3 * n + m)                                                                                              \
  X(ws, unit, 9 * n + (size_t)model->n_states + m)                                                                     \
  X(ws, loop.value, n_loop)                                                                                            \
  X(ws, loop.error, n_loop)                                                                                            \
  X(ws, loop.matrix, n_loop *n_loop)                                                                                   \
  X(ws, loop.a, 3 * n)                                                                                                 \
  X(ws, loop.lambda, m)                                                                                                \
  X(ws, loop.gradient, 9 * n + (size_t)model->n_states + m)                                                            \
  X(ws, loop.pivot, n_loop)                                                                                            \
  X(ws, row, m)                                                                                                        \
  X(ws, correction, 3 * n)                                                                                             \
  X(ws, predicted_q, 3 * n)                                                                                            \
  X(ws, quotient, m)                                                                                                   \
  X(ws, null_space, (size_t)model->n_redundant *m)

seam_status mbs_workspace_create(const mbs_model *model, mbs_workspace **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  const size_t n = (size_t)model->n_bodies + 1;
  const size_t m = (size_t)model->n_rows;
  const size_t n_loop = (size_t)model->laws.n_loop;
  mbs_workspace *ws = calloc(1, sizeof *ws);
  if (ws != NULL) {
    ws->model = model;
    ws->smooth.from = -INFINITY;
    ws->smooth.to = INFINITY;
    ws->solver = seam_ldl_create(model->elimination.plan);
  }
  const bool enough = ws != NULL && ws->solver != NULL WORKSPACE_ARRAYS(ALLOCATE_ARRAY);
  const seam_status status =
      enough ? create_unilateral(model, &ws->unilateral, error)
             : seam_fail(error, SEAM_NO_MEMORY, "no memory for the workspace of %d bodies", model->n_bodies);
  if (status == SEAM_OK) {
    ws->frames[0].cos = 1;
    ws->staged[0] = NAN;
    for (int j = 0; j < model->n_joints; j++)
      ws->stuck_at[j] = NAN;
    for (int i = 0; i < model->n_ports; i++)
      ws->frames[n + (size_t)i] = model->port_frames[i];
  }
  RETURN_CREATED(status, ws, created, mbs_workspace_destroy);
}

void mbs_workspace_set_workers(mbs_workspace *ws, const worker_group *workers) {
  ws->workers = workers;
  seam_ldl_set_workers(ws->solver, workers);
}

void mbs_workspace_destroy(mbs_workspace *ws) {
  if (ws == NULL)
    return;
  seam_ldl_destroy(ws->solver);
  destroy_unilateral(ws->unilateral);
  WORKSPACE_ARRAYS(FREE_ARRAY)
  free(ws);
}
