/* Memory of what hard contacts need in a workspace. */
#include "mbs/model/unilateral.h"

#include <stdlib.h>

/* All arrays, for n contacts, n3 coordinates, m constraints and r joints with friction. */
#define ARRAYS(X)                                                                                                      \
  X(touch, n)                                                                                                          \
  X(mode, n)                                                                                                           \
  X(held_at, n)                                                                                                        \
  X(kept, n)                                                                                                           \
  X(force, 2 * n)                                                                                                      \
  X(has_ended, n)                                                                                                      \
  X(held, 2 * n)                                                                                                       \
  X(of_a, 2 * n * n3)                                                                                                  \
  X(of_lambda, 2 * n * m)                                                                                              \
  X(matrix, 4 * n * n)                                                                                                 \
  X(right, 2 * n)                                                                                                      \
  X(a, n3)                                                                                                             \
  X(lambda, m)                                                                                                         \
  X(v, n3)                                                                                                             \
  X(a_free, n3)                                                                                                        \
  X(pivot, 2 * n)                                                                                                      \
  X(order, 2 * n)                                                                                                      \
  X(before, 2 * n)                                                                                                     \
  X(rub, r)                                                                                                            \
  X(rub_by_rub, r *r)                                                                                                  \
  X(rub_by_contact, 2 * n * r)                                                                                         \
  X(rub_lambda, r *m)                                                                                                  \
  X(rate, 2 * n)                                                                                                       \
  X(restitution, n)                                                                                                    \
  X(settles, n)                                                                                                        \
  X(ends_soon, n)                                                                                                      \
  X(stops, n)                                                                                                          \
  X(returns, n)                                                                                                        \
  X(ended_normal, n)                                                                                                   \
  X(impulse, 2 * n)                                                                                                    \
  X(blow, n)                                                                                                           \
  X(problem.contact, n)                                                                                                \
  X(problem.A, 4 * n * n)                                                                                              \
  X(problem.b, 2 * n)                                                                                                  \
  X(problem.mu, n)                                                                                                     \
  X(problem.grip, n)                                                                                                   \
  X(problem.direction, n)                                                                                              \
  X(problem.f, 2 * n)                                                                                                  \
  X(problem.rate, 2 * n)                                                                                               \
  X(problem.mode, n)                                                                                                   \
  X(hyperstatic.number, 2 * n)                                                                                         \
  X(hyperstatic.direction, 2 * n)                                                                                      \
  X(hyperstatic.null, 4 * n * n)                                                                                       \
  X(hyperstatic.bound, 6 * n * n)                                                                                      \
  X(hyperstatic.scale, 2 * n)                                                                                          \
  X(hyperstatic.eigenvalue, 2 * n)                                                                                     \
  X(hyperstatic.before, 2 * n)                                                                                         \
  X(hyperstatic.f, 2 * n)                                                                                              \
  X(lcp_matrix, 16 * n * n)                                                                                            \
  X(lcp_right, 4 * n)                                                                                                  \
  X(lcp_first, n)

static bool allocate(mbs_unilateral *self, size_t n, size_t n3, size_t m, size_t r) {
#define ALLOCATE(array, length)                                                                                        \
  if ((self->array = calloc((length) + 1, sizeof *self->array)) == NULL)                                               \
    return false;
  ARRAYS(ALLOCATE)
#undef ALLOCATE
  return true;
}

seam_status mbs_unilateral_create(const mbs_model *model, mbs_unilateral **created, seam_error *error) {
  const size_t n = (size_t)model->n_hard;
  *created = NULL;
  if (n == 0)
    return SEAM_OK;
  mbs_unilateral *self = calloc(1, sizeof *self);
  if (self == NULL ||
      !allocate(self, n, 3 * (size_t)model->n_bodies, (size_t)model->n_rows, (size_t)model->n_frictions) ||
      seam_lcp_create(4 * model->n_hard, &self->lcp, NULL) != SEAM_OK) {
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
#define FREE(array, length) free(self->array);
  ARRAYS(FREE)
#undef FREE
  seam_lcp_destroy(self->lcp);
  free(self);
}
