/* A state is one block of numbers: q (3n), v (3n), z (n_states), work (n_work), a (3n), lambda (m), contact (2 for each
 * hard contact), undetermined (1 for each hard contact). The values from q to work are integrated. */
#include "mbs/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"

static size_t block_length(const mbs_model *model) {
  return mbs_n_controlled(model) + (size_t)model->n_work + 3 * (size_t)model->n_bodies + (size_t)model->n_rows +
         3 * (size_t)model->n_hard;
}

seam_status mbs_state_create(const mbs_model *model, mbs_state **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  const size_t n = 3 * (size_t)model->n_bodies;
  mbs_state *state = malloc(sizeof *state);
  double *block = large_calloc(block_length(model), sizeof *block);
  if (state == NULL || block == NULL) {
    free(state);
    free(block);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a state of %d bodies", model->n_bodies);
  }
  double *work = block + mbs_n_controlled(model);
  *state = (mbs_state){.q = block,
                       .v = block + n,
                       .z = block + 2 * n,
                       .work = work,
                       .a = work + model->n_work,
                       .lambda = work + model->n_work + n,
                       .contact = work + model->n_work + n + model->n_rows,
                       .undetermined = work + model->n_work + n + model->n_rows + 2 * (size_t)model->n_hard,
                       .n_values = block_length(model)};
  memcpy(state->q, model->initial, mbs_n_controlled(model) * sizeof *block);
  *created = state;
  return SEAM_OK;
}

void mbs_state_destroy(mbs_state *state) {
  if (state == NULL)
    return;
  free(state->q);
  free(state);
}

bool mbs_state_fits(const mbs_model *model, const mbs_state *state) {
  const ptrdiff_t n = 3 * (ptrdiff_t)model->n_bodies;
  return state != NULL && state->n_values == block_length(model) && state->v - state->q == n &&
         state->work - state->z == model->n_states && state->lambda - state->a == n &&
         state->contact - state->lambda == model->n_rows;
}

double mbs_kinetic_energy(const mbs_model *model, const double *v) {
  double twice = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    twice += model->mass[3 + i] * v[i] * v[i];
  return twice / 2;
}

void mbs_fill_nan(double *x, size_t n) {
  for (size_t i = 0; i < n && x != NULL; i++)
    x[i] = NAN;
}

seam_status mbs_state_check(const char *function, const mbs_model *model, const mbs_state *state, seam_error *error) {
  if (!mbs_state_fits(model, state))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the state belongs to another model: create it with this one",
                     function);
  if (!isfinite(state->t))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the time of the state, %g s, is not finite", function, state->t);
  return SEAM_OK;
}

void mbs_state_copy(mbs_state *to, const mbs_state *from) {
  if (to == NULL || from == NULL || to->n_values != from->n_values)
    return;
  to->t = from->t;
  memcpy(to->q, from->q, from->n_values * sizeof *from->q);
}
