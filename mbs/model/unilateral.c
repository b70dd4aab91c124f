#include "mbs/model/unilateral.h"
#include "base/arrays.h"

#include <stdlib.h>

/* All arrays, for n contacts, n3 coordinates, m constraints and r joints with friction. */
#define ARRAYS(X)                                                                                                      \
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

seam_status mbs_unilateral_create(const mbs_model *model, mbs_unilateral **created, seam_error *error) {
  const size_t n = (size_t)model->n_hard, n3 = 3 * (size_t)model->n_bodies;
  const size_t m = (size_t)model->n_rows, r = (size_t)model->n_frictions;
  *created = NULL;
  if (n == 0)
    return SEAM_OK;
  mbs_unilateral *self = calloc(1, sizeof *self);
  const bool enough = self != NULL ARRAYS(ALLOCATE_ARRAY);
  if (!enough || seam_lcp_create(4 * model->n_hard, &self->lcp, NULL) != SEAM_OK) {
    mbs_unilateral_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d hard contacts", model->n_hard);
  }
  self->n = model->n_hard;
  *created = self;
  return SEAM_OK;
}

void mbs_unilateral_destroy(mbs_unilateral *self) {
  if (self == NULL)
    return;
  ARRAYS(FREE_ARRAY)
  seam_lcp_destroy(self->lcp);
  free(self);
}

double mbs_gap_at(const mbs_force *force, const mbs_frame *frames, const double *z, double t, double *rate) {
  if (force->cable != NULL) {
    const mbs_cable_slack slack = mbs_cable_slack_of(force, frames, z, t);
    *rate = slack.rate;
    return slack.gap;
  }
  const mbs_pair pair = mbs_force_pair(force, frames);
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, &pair, &gap);
  *rate = mbs_relative_rate(&gap, &pair);
  return gap.s;
}
