/* A state is one block of numbers: q (3n), v (3n), work (n_work), a (3n), lambda (m). The first 6n + n_work
 * are what is integrated. */
#include "mbs/model.h"

#include <stdlib.h>
#include <string.h>

static size_t block_length(const mbs_model *model) {
  return 9 * (size_t)model->n_bodies + (size_t)model->n_work + (size_t)model->n_rows;
}

mbs_state *mbs_state_create(const mbs_model *model) {
  const size_t n = 3 * (size_t)model->n_bodies;
  mbs_state *state = malloc(sizeof *state);
  double *block = calloc(block_length(model), sizeof *block);
  if (state == NULL || block == NULL) {
    free(state);
    free(block);
    return NULL;
  }
  *state = (mbs_state){.q = block,
                       .v = block + n,
                       .work = block + 2 * n,
                       .a = block + 2 * n + model->n_work,
                       .lambda = block + 3 * n + model->n_work,
                       .n_values = block_length(model)};
  memcpy(state->q, model->initial, 2 * n * sizeof *block);
  return state;
}

void mbs_state_destroy(mbs_state *state) {
  if (state == NULL)
    return;
  free(state->q);
  free(state);
}

void mbs_state_copy(mbs_state *to, const mbs_state *from) {
  to->t = from->t;
  memcpy(to->q, from->q, from->n_values * sizeof *from->q);
}
