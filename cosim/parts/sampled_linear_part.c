/* Linear parts in discrete time. */
#include <stdlib.h>
#include <string.h>

#include "cosim/parts/ode_part.h"

static void combine(const cosim_linear_def *l, int n_rows, const double *of_x, const double *of_u, const double *x,
                    const double *u, double *made) {
  for (int i = 0; i < n_rows; i++) {
    made[i] = 0;
    for (int j = 0; j < l->n_states; j++)
      made[i] += of_x[i * l->n_states + j] * x[j];
    for (int j = 0; j < l->n_inputs; j++)
      made[i] += of_u[i * l->n_inputs + j] * u[j];
  }
}

static void update(const void *context, double t, const double *x, const double *u, double *next) {
  const cosim_linear_def *l = context;
  (void)t;
  combine(l, l->n_states, l->A, l->B, x, u, next);
}

static void give(const void *context, double t, const double *x, const double *u, double *y) {
  const cosim_linear_def *l = context;
  (void)t;
  combine(l, l->n_outputs, l->C, l->D, x, u, y);
}

static void update_along(const void *context, double t, const double *x, const double *u, const double *dx,
                         const double *du, double *change) {
  (void)x;
  (void)u;
  update(context, t, dx, du, change);
}

static void give_along(const void *context, double t, const double *x, const double *u, const double *dx,
                       const double *du, double *change) {
  (void)x;
  (void)u;
  give(context, t, dx, du, change);
}

/* Returns a copy of the definition and its matrices in one block. */
static cosim_linear_def *copy(const cosim_linear_def *linear) {
  const size_t n = (size_t)linear->n_states;
  const size_t n_in = (size_t)linear->n_inputs;
  const size_t n_out = (size_t)linear->n_outputs;
  const double *const from[] = {linear->A, linear->B, linear->C, linear->D};
  const size_t sizes[] = {n * n, n * n_in, n_out * n, n_out * n_in};
  cosim_linear_def *made = malloc(sizeof *made + (n + n_out) * (n + n_in) * sizeof(double));
  if (made == NULL)
    return NULL;
  const double **const matrices[] = {&made->A, &made->B, &made->C, &made->D};
  double *to = (double *)(made + 1);
  *made = *linear;
  for (int i = 0; i < 4; i++) {
    *matrices[i] = to;
    if (sizes[i] > 0)
      memcpy(to, from[i], sizes[i] * sizeof *to);
    to += sizes[i];
  }
  return made;
}

seam_status cosim_sampled_linear_part_create(const cosim_linear_def *linear, double period, const char *const *states,
                                             const double *start, cosim_part **part, seam_error *error) {
  cosim_linear_def *context = copy(linear);
  if (context == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a subsystem of %d states", linear->n_states);
  const cosim_sampled_def def = {.name = linear->name,
                                 .states = states,
                                 .n_states = linear->n_states,
                                 .n_inputs = linear->n_inputs,
                                 .n_outputs = linear->n_outputs,
                                 .period = period,
                                 .context = context,
                                 .updates = update,
                                 .outputs = give,
                                 .updates_along = update_along,
                                 .outputs_along = give_along,
                                 .start = start};
  const seam_status status = cosim_sampled_part_create(&def, part, error);
  if (status == SEAM_OK)
    cosim_ode_part_own(*part, context);
  else
    free(context);
  return status;
}
