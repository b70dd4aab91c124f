/* User equations x' = f(t, x, u), y = g(t, x, u) as a linear part: δx' = A δx + B δu, δy = C δx + D δu. Sampled
 * equations have the next value δx⁺ in place of δx'. Linear equations need no linearisation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/equations.h>
#include <seam/measures.h>

#include "analysis/linearised/linearised_part.h"
#include "base/then.h"

static seam_status no_memory_for(const cosim_subsystem_def *def, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise subsystem '%s'", def->name);
}

typedef void along_function(const void *context, double t, const double *x, const double *u, const double *dx,
                            const double *du, double *change);

/* User equations, and the point (t, x, u) about which they are linearised. */
typedef struct equations {
  const cosim_subsystem_def *def;
  const cosim_ode_def *of;
  double t;
  double *x, *u, *dx, *du, *change;
  int *w_of;  /* index in the undivided model of each state that is not an integral */
  bool has_w; /* all states but the integrals are variables of the undivided model */
} equations;

/* Finds the quantity of a state or input `name` in the undivided model: SUBSYSTEM.name or, if an output has this name,
 * SUBSYSTEM.name.own. */
static seam_status find_quantity(const equations *e, const char *name, const mbs_model *undivided_model,
                                 mbs_quantity *found, seam_error *error) {
  char full[300];
  const int length = snprintf(full, sizeof full, "%s.%s.own", e->def->name, name);
  if (mbs_find_quantity(undivided_model, full, found, NULL) == SEAM_OK)
    return SEAM_OK;
  if (length < (int)sizeof full)
    full[length - (int)(sizeof ".own" - 1)] = '\0';
  return mbs_find_quantity(undivided_model, full, found, error);
}

/* Reads the values of states and inputs from a state of the undivided model. Integrals remain zero. */
static seam_status read_values(equations *e, const mbs_model *undivided_model, const mbs_state *state,
                               seam_error *error) {
  const size_t n = (size_t)(e->of->n_states - e->of->n_integrals);
  const size_t n_all = n + (size_t)e->of->n_inputs;
  mbs_workspace *ws = NULL;
  mbs_readout *readout = NULL;
  mbs_quantity *list = calloc(n_all + 1, sizeof *list);
  double *values = calloc(n_all + 1, sizeof *values);
  seam_status status =
      list != NULL && values != NULL ? mbs_workspace_create(undivided_model, &ws, error) : no_memory_for(e->def, error);
  for (size_t i = 0; i < n_all && status == SEAM_OK; i++) {
    status = find_quantity(e, i < n ? e->of->states[i] : e->def->user->inputs[i - n], undivided_model, &list[i], error);
    if (i < n && status == SEAM_OK) {
      e->has_w = e->has_w && list[i].owner == MBS_VARIABLES;
      e->w_of[i] = (int)mbs_variable_of(undivided_model, list[i].element).state;
    }
  }
  THEN(status, mbs_readout_create(undivided_model, list, n_all, &readout, error));
  if (status == SEAM_OK) {
    mbs_read(readout, ws, state, values);
    memcpy(e->x, values, n * sizeof *values);
    memcpy(e->u, values + n, (size_t)e->of->n_inputs * sizeof *values);
  }
  mbs_readout_destroy(readout);
  mbs_workspace_destroy(ws);
  free(list);
  free(values);
  return status;
}

/* Fills A and B, or C and D: derivatives with respect to x and to u. The matrices are stored row by row. */
static void fill(equations *e, along_function *along, int n_rows, double *of_x, double *of_u) {
  for (int j = 0; j < e->of->n_states + e->of->n_inputs; j++) {
    double *unit = j < e->of->n_states ? &e->dx[j] : &e->du[j - e->of->n_states];
    *unit = 1;
    along(e->of->context, e->t, e->x, e->u, e->dx, e->du, e->change);
    *unit = 0;
    for (int i = 0; i < n_rows; i++)
      if (j < e->of->n_states)
        of_x[i * e->of->n_states + j] = e->change[i];
      else
        of_u[i * e->of->n_inputs + j - e->of->n_states] = e->change[i];
  }
}

static seam_status linearise(equations *e, const mbs_model *undivided_model, const mbs_state *state,
                             analysis_linearised_part *made, seam_error *error) {
  const size_t n = (size_t)e->of->n_states;
  const size_t n_in = (size_t)e->of->n_inputs;
  const size_t n_out = (size_t)e->of->n_outputs;
  if (e->of->rates_along == NULL || undivided_model == NULL || (n > 0 && e->of->states == NULL))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the stability of schemes cannot be computed, because the undivided model lacks the equations of "
                     "subsystem '%s' or their derivatives: compare runs with several macro steps ('seam converge')",
                     e->def->name);
  double *A = calloc((n + n_out) * (n + n_in) + n + 3 * (n + n_in) + n_out + 1, sizeof *A);
  bool *restarts = calloc(n + 1, sizeof *restarts);
  made->w_of = e->w_of = calloc(n + 1, sizeof *made->w_of);
  e->t = state->t;
  e->has_w = made->period == 0 && e->of->n_integrals == 0;
  seam_status status = SEAM_OK;
  if (A == NULL || restarts == NULL || e->w_of == NULL)
    status = no_memory_for(e->def, error);
  else {
    double *B = A + n * n, *C = B + n * n_in, *D = C + n_out * n;
    double *zeros = D + n_out * n_in; /* (n) */
    e->x = zeros + n;
    e->u = e->x + n;
    e->dx = e->u + n_in;
    e->du = e->dx + n;
    e->change = e->du + n_in;
    status = read_values(e, undivided_model, state, error);
    if (status == SEAM_OK) {
      fill(e, e->of->rates_along, e->of->n_states, A, B);
      fill(e, e->of->outputs_along, e->of->n_outputs, C, D);
    }
    for (int i = e->of->n_states - e->of->n_integrals; i < e->of->n_states; i++)
      restarts[i] = true;
    const cosim_linear_def linear = {.name = e->def->name,
                                     .n_states = e->of->n_states,
                                     .n_inputs = e->of->n_inputs,
                                     .n_outputs = e->of->n_outputs,
                                     .A = A,
                                     .B = B,
                                     .C = C,
                                     .D = D,
                                     .restarts = restarts};
    THEN(status, made->period > 0
                     ? cosim_sampled_linear_part_create(&linear, made->period, e->of->states, zeros, &made->part, error)
                     : cosim_linear_part_create(&linear, &made->part, error));
  }
  if (!e->has_w) {
    free(made->w_of);
    made->w_of = NULL;
  }
  free(restarts);
  free(A);
  return status;
}

seam_status analysis_linearise_equations(const cosim_subsystem_def *def, const cosim_part *part,
                                         const mbs_model *undivided_model, const mbs_state *state,
                                         analysis_linearised_part *made, seam_error *error) {
  equations e = {.def = def, .of = cosim_ode_part_def(part, &made->period)};
  if (cosim_is_linear_part(part)) { /* the exchange changes the state of its part: it gets a new one */
    TRY(def->user->create(def->user->context, &made->part, error));
    made->part->name = def->name;
    return SEAM_OK;
  }
  if (e.of == NULL)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the stability of schemes cannot be computed, because subsystem '%s' does not consist of equations (an FMU, "
        "for example) and gives no derivatives: compare runs with several macro steps ('seam converge')",
        def->name);
  made->n_w = e.of->n_states;
  return linearise(&e, undivided_model, state, made, error);
}
