/* Stability of an equilibrium of a mechanism with minimal coordinates ζ and states z, some of them sampled with the
 * period T. For x = (ζ, ζ', z) and its value x⁺ after a sample or a period, the linearised equations have matrices A
 * and P:
 *
 *   x' = A x            between samples, with sampled z constant
 *   x⁺ = P x            at a sample
 *   x⁺ = P e^(A T) x    over a period.
 *
 * A motion that belongs to an eigenvalue μ of P e^(A T) grows at the rate ln |μ| / T. If nothing is sampled, the modes
 * (eigenmodes.c) give the growth. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include <seam/analysis.h>

#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "mbs/model/laws.h"
#include "mbs/model/model.h"
#include "mbs/statics/equilibrium_with_states.h"
#include "solvers/expm.h"
#include "solvers/lapack.h"

static const double pi = 3.14159265358979323846;

/* Fills `flow` with A T and `sample` with P, (n x n) each, column by column, n = e->n + e->f; both are zero on entry.
 * The equation of a continuous z gives its rate, that of a sampled z gives (next value - z) / T
 * (mbs/statics/equilibrium_with_states.h). */
static void fill(const mbs_equilibrium_equations *e, double T, double *flow, double *sample) {
  const mbs_laws *laws = &e->model->laws;
  const int n = e->n + e->f;
  for (int j = 0; j < n; j++) {
    const bool is_rate = j >= e->f && j < 2 * e->f;
    /* derivatives of ζ'' and of z's equations with respect to component j of (ζ, ζ', z) */
    const double *column = is_rate ? e->D + (j - e->f) * e->n : e->J + (j < e->f ? j : j - e->f) * e->n;
    sample[j + j * n] = 1;
    if (is_rate)
      flow[j - e->f + j * n] = T;
    for (int i = 0; i < e->n; i++) {
      const int variable = i - e->f - laws->first_state; /* negative: ζ, or a state of another element */
      const bool is_sampled = variable >= 0 && laws->variable[variable].sample > 0;
      double *entry = (is_sampled ? sample : flow) + e->f + i + j * n;
      *entry += T * column[i];
    }
  }
}

/* Finds the fastest growth by the eigenvalues μ of P e^(A T). */
static seam_status find_growth(const mbs_equilibrium_equations *e, double T, seam_equilibrium_stability *found,
                               seam_error *error) {
  const int n = e->n + e->f;
  const size_t of_matrix = (size_t)n * (size_t)n;
  double *flow = calloc(4 * of_matrix + 2 * (size_t)n + 1, sizeof *flow);
  if (flow == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the stability of %d bodies", e->model->n_bodies);
  double *sample = flow + of_matrix;
  double *exponential = sample + of_matrix;
  double *product = exponential + of_matrix;
  double *real = product + of_matrix;
  fill(e, T, flow, sample);
  seam_status status = seam_expm(n, flow, exponential, error);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        product[i + j * n] += sample[i + k * n] * exponential[k + j * n];
  if (status == SEAM_OK)
    status =
        seam_lapack_check(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, product, n, real, real + n, NULL, 1, NULL, 1),
                          SEAM_NOT_CONVERGED, "the eigenvalues of the sampled mechanism", error);
  for (int k = 0; k < n && status == SEAM_OK; k++) {
    const double complex factor = real[k] + real[n + k] * I;
    const double growth = log(cabs(factor)) / T;
    if (cabs(factor) > 1 + analysis_double_zero && growth > found->growth) {
      found->growth = growth;
      found->frequency = fabs(carg(factor)) / (2 * pi * T);
    }
  }
  free(flow);
  return status;
}

static seam_status judge_sampled(const mbs_model *model, const mbs_state *at, double T,
                                 seam_equilibrium_stability *found, seam_error *error) {
  mbs_equilibrium_equations e = {0};
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_workspace_create(model, &ws, error);
  THEN(status, mbs_state_create(model, &state, error));
  THEN(status, mbs_equilibrium_equations_create(&e, ws, error));
  if (status == SEAM_OK) {
    mbs_state_copy(state, at);
    status = mbs_equilibrium_equations_linearise(&e, state, error);
  }
  THEN(status, find_growth(&e, T, found, error));
  mbs_equilibrium_equations_free(&e);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}

seam_status seam_equilibrium_stability_find(const mbs_model *model, const mbs_state *state,
                                            seam_equilibrium_stability *found, seam_error *error) {
  ARGUMENTS(error, model, state, found);
  seam_status status = mbs_state_check(__func__, model, state, error);
  if (status != SEAM_OK)
    return status;
  const mbs_laws *laws = &model->laws;
  double T = 0; /* s, common period of all sampled variables; 0: there are none; NaN: their periods differ */
  for (int i = 0; i < laws->n_variables; i++)
    if (laws->variable[i].sample > 0)
      T = T == 0 || T == laws->variable[i].sample ? laws->variable[i].sample : NAN;
  *found = (seam_equilibrium_stability){
      .period = isnan(T) ? 0 : T,
      .is_found = !isnan(T) && (T == 0 || model->n_hard == 0) &&
                  (model->n_states > model->switching.n_modes || mbs_n_responses(&model->laws) > 0)};
  if (!found->is_found)
    return SEAM_OK;
  if (T > 0)
    return judge_sampled(model, state, T, found, error);
  seam_modes *modes = NULL;
  status = seam_modes_create(model, state, &modes, error);
  if (status != SEAM_OK)
    return status;
  found->growth = seam_modes_growth(modes);
  for (size_t k = 0; k < modes->n; k++)
    if (!modes->mode[k].neutral && modes->mode[k].s[0] == found->growth)
      found->frequency = modes->mode[k].frequency;
  seam_modes_destroy(modes);
  return SEAM_OK;
}
