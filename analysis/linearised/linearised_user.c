/* x' = f(t, x, u), y = g(t, x, u) become δx' = A δx + B δu, δy = C δx + D δu; sampled equations likewise, with δx⁺ in
 * the place of δx'. Linear parts are their own. */
#include "analysis/linearised/linearised_user.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/equations.h>
#include <seam/measures.h>

#include "cosim/parts/ode_part.h"
#include "cosim/parts/sampled_part.h"

static seam_status no_memory(const cosim_subsystem_def *def, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise subsystem '%s'", def->name);
}

/* ---- States and inputs in the whole ---- */

/* Values (n) of NAME.name. */
static seam_status read_values(const cosim_subsystem_def *def, const char *const *names, int n, const mbs_model *whole,
                               const mbs_state *state, double *values, seam_error *error) {
  mbs_workspace *ws = NULL;
  mbs_readout *readout = NULL;
  mbs_quantity *list = calloc((size_t)n + 1, sizeof *list);
  seam_status status = list != NULL ? mbs_workspace_create(whole, &ws, error) : no_memory(def, error);
  for (int i = 0; i < n && status == SEAM_OK; i++) {
    char name[300];
    snprintf(name, sizeof name, "%s.%s", def->name, names[i]);
    status = mbs_find_quantity(whole, name, &list[i], error);
  }
  if (status == SEAM_OK)
    status = mbs_readout_create(whole, list, (size_t)n, &readout, error);
  if (status == SEAM_OK)
    mbs_read(readout, ws, state, values);
  mbs_readout_destroy(readout);
  mbs_workspace_destroy(ws);
  free(list);
  return status;
}

/* ---- Matrices ---- */

typedef void along_function(const void *context, double t, const double *x, const double *u, const double *dx,
                            const double *du, double *change);

/* Equations of a part, and where they are linearised. */
typedef struct equations {
  const cosim_subsystem_def *def;
  const void *context;
  const char *const *states;
  int n_states, n_integrals, n_inputs, n_outputs;
  along_function *rates, *outputs;
  double t;
  double *x, *u, *dx, *du, *change;
} equations;

/* Columns of (A B) and (C D), row by row. */
static void fill(equations *e, along_function *along, int n_rows, double *of_x, double *of_u) {
  for (int j = 0; j < e->n_states + e->n_inputs; j++) {
    double *unit = j < e->n_states ? &e->dx[j] : &e->du[j - e->n_states];
    *unit = 1;
    along(e->context, e->t, e->x, e->u, e->dx, e->du, e->change);
    *unit = 0;
    for (int i = 0; i < n_rows; i++)
      if (j < e->n_states)
        of_x[i * e->n_states + j] = e->change[i];
      else
        of_u[i * e->n_inputs + j - e->n_states] = e->change[i];
  }
}

static seam_status find_matrices(equations *e, const mbs_model *whole, const mbs_state *state, double **matrices,
                                 seam_error *error) {
  const size_t n = (size_t)e->n_states;
  const size_t n_in = (size_t)e->n_inputs;
  const size_t n_out = (size_t)e->n_outputs;
  if (e->rates == NULL || e->outputs == NULL || whole == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "stability of schemes needs the equations of subsystem '%s' in the whole, with derivatives: it is "
                     "a part of its own",
                     e->def->name);
  double *scratch = calloc(3 * (n + n_in) + n_out + 1, sizeof *scratch);
  *matrices = calloc((n + n_out) * (n + n_in) + 1, sizeof **matrices);
  if (scratch == NULL || *matrices == NULL) {
    free(scratch);
    return no_memory(e->def, error);
  }
  e->t = state->t;
  e->x = scratch;
  e->u = e->x + n;
  e->dx = e->u + n_in;
  e->du = e->dx + n;
  e->change = e->du + n_in;
  seam_status status = read_values(e->def, e->states, e->n_states - e->n_integrals, whole, state, e->x, error);
  if (status == SEAM_OK)
    status = read_values(e->def, e->def->user->inputs, e->n_inputs, whole, state, e->u, error);
  if (status == SEAM_OK) {
    double *A = *matrices;
    fill(e, e->rates, e->n_states, A, A + n * n);
    fill(e, e->outputs, e->n_outputs, A + n * (n + n_in), A + n * (n + n_in) + n_out * n);
  }
  free(scratch);
  return status;
}

/* ---- Sampled parts ---- */

/* y = P x + Q u. */
static void combine(int n_rows, int n, int n_in, const double *P, const double *Q, const double *x, const double *u,
                    double *y) {
  for (int i = 0; i < n_rows; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += P[i * n + j] * x[j];
    for (int j = 0; j < n_in; j++)
      y[i] += Q[i * n_in + j] * u[j];
  }
}

static void updates(const void *context, double t, const double *x, const double *u, double *next) {
  const analysis_linearised_user *self = context;
  (void)t;
  combine(self->n_states, self->n_states, self->n_inputs, self->matrices,
          self->matrices + self->n_states * self->n_states, x, u, next);
}

static void outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const analysis_linearised_user *self = context;
  const double *C = self->matrices + self->n_states * (self->n_states + self->n_inputs);
  (void)t;
  combine(self->n_outputs, self->n_states, self->n_inputs, C, C + self->n_outputs * self->n_states, x, u, y);
}

static seam_status create_sampled(const cosim_subsystem_def *def, const cosim_sampled_def *of, const mbs_model *whole,
                                  const mbs_state *state, analysis_linearised_user *made, seam_error *error) {
  equations e = {.def = def,
                 .context = of->context,
                 .states = of->states,
                 .n_states = of->n_states,
                 .n_inputs = of->n_inputs,
                 .n_outputs = of->n_outputs,
                 .rates = of->updates_along,
                 .outputs = of->outputs_along};
  seam_status status = find_matrices(&e, whole, state, &made->matrices, error);
  if (status != SEAM_OK)
    return status;
  double *start = calloc((size_t)of->n_states + 1, sizeof *start);
  if (start == NULL)
    return no_memory(def, error);
  made->period = of->period;
  made->n_states = of->n_states;
  made->n_inputs = of->n_inputs;
  made->n_outputs = of->n_outputs;
  const cosim_sampled_def sampled = {.name = def->name,
                                     .states = of->states,
                                     .n_states = of->n_states,
                                     .n_inputs = of->n_inputs,
                                     .n_outputs = of->n_outputs,
                                     .period = of->period,
                                     .context = made,
                                     .updates = updates,
                                     .outputs = outputs,
                                     .start = start};
  status = cosim_sampled_part_create(&sampled, &made->part, error);
  free(start);
  return status;
}

/* ---- Parts in continuous time ---- */

/* Of states by name; NULL: they are not all variables of the whole. */
static int *find_states(const cosim_subsystem_def *def, const cosim_ode_def *of, const mbs_model *whole) {
  int *numbers = of->n_integrals == 0 && of->states != NULL ? calloc((size_t)of->n_states + 1, sizeof *numbers) : NULL;
  for (int i = 0; i < of->n_states && numbers != NULL; i++) {
    char name[300];
    mbs_quantity found;
    snprintf(name, sizeof name, "%s.%s", def->name, of->states[i]);
    if (mbs_find_quantity(whole, name, &found, NULL) == SEAM_OK && found.owner == MBS_VARIABLES) {
      numbers[i] = (int)mbs_variable_state(whole, found.element);
    } else {
      free(numbers);
      numbers = NULL;
    }
  }
  return numbers;
}

static seam_status create_continuous(const cosim_subsystem_def *def, const cosim_ode_def *of, const mbs_model *whole,
                                     const mbs_state *state, analysis_linearised_user *made, seam_error *error) {
  equations e = {.def = def,
                 .context = of->context,
                 .states = of->states,
                 .n_states = of->n_states,
                 .n_integrals = of->n_integrals,
                 .n_inputs = of->n_inputs,
                 .n_outputs = of->n_outputs,
                 .rates = of->rates_along,
                 .outputs = of->outputs_along};
  const size_t n = (size_t)of->n_states;
  const size_t n_in = (size_t)of->n_inputs;
  double *matrices = NULL;
  bool *restarts = calloc(n + 1, sizeof *restarts);
  if (restarts == NULL)
    return no_memory(def, error);
  for (int i = of->n_states - of->n_integrals; i < of->n_states; i++)
    restarts[i] = true;
  seam_status status = find_matrices(&e, whole, state, &matrices, error);
  if (status == SEAM_OK) {
    const cosim_linear_def linear = {.name = def->name,
                                     .n_states = of->n_states,
                                     .n_inputs = of->n_inputs,
                                     .n_outputs = of->n_outputs,
                                     .A = matrices,
                                     .B = matrices + n * n,
                                     .C = matrices + n * (n + n_in),
                                     .D = matrices + n * (n + n_in) + (size_t)of->n_outputs * n,
                                     .restarts = restarts};
    status = cosim_linear_part_create(&linear, &made->part, error);
    made->n_states = of->n_states;
    made->w_of = find_states(def, of, whole);
  }
  free(restarts);
  free(matrices);
  return status;
}

/* Once more, at zero. */
static seam_status create_linear(const cosim_subsystem_def *def, analysis_linearised_user *made, seam_error *error) {
  const seam_status status = def->user->create(def->user->context, &made->part, error);
  if (status != SEAM_OK)
    return status;
  double *zero = calloc(made->part->n_state + 1, sizeof *zero);
  if (zero == NULL)
    return no_memory(def, error);
  made->part->ops->restore(made->part, zero);
  made->part->name = def->name;
  free(zero);
  return SEAM_OK;
}

seam_status analysis_linearised_user_create(const cosim_subsystem_def *def, const cosim_part *part,
                                            const mbs_model *whole, const mbs_state *state,
                                            analysis_linearised_user *made, seam_error *error) {
  const cosim_ode_def *ode = cosim_ode_part_def(part);
  const cosim_sampled_def *sampled = cosim_sampled_part_def(part);
  *made = (analysis_linearised_user){0};
  if (cosim_is_linear_part(part))
    return create_linear(def, made, error);
  if (sampled != NULL)
    return create_sampled(def, sampled, whole, state, made, error);
  if (ode != NULL)
    return create_continuous(def, ode, whole, state, made, error);
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "stability of schemes needs derivatives of subsystem '%s', which is a part of its own kind: try macro "
      "steps by runs",
      def->name);
}

void analysis_linearised_user_free(analysis_linearised_user *self) {
  cosim_part_destroy(self->part);
  free(self->w_of);
  free(self->matrices);
}
