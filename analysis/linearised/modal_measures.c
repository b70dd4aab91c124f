/* Measures in modes. A mode δq = Re(φ e^(s t)) about a state at rest has δv = s φ; with its δz, the linearised
 * mechanism gives δa and δλ. A measure changes by its derivative along (δq, δv, δz, δa, δλ), real and imaginary part.
 */
#include "analysis/linearised/modal_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"

typedef struct modal_reading {
  const mbs_model *model;
  const mbs_state *state;
  const analysis_minimal_state *at;
  mbs_readout *measures;
  size_t n;               /* number of measured quantities */
  double *v, *a, *lambda; /* (3n, 3n, m) direction */
} modal_reading;

static bool is_at_rest(const mbs_model *model, const mbs_state *state) {
  for (int i = 0; i < 3 * model->n_bodies; i++)
    if (state->v[i] != 0)
      return false;
  return true;
}

/* Reads one part; part 0: Re(s φ) = σ φ_r - ω φ_i; part 1: Im(s φ) = σ φ_i + ω φ_r. */
static void read_part(const modal_reading *r, const seam_mode *mode, int part, double *amplitudes) {
  const double sign = part == 0 ? -1 : 1;
  for (int i = 0; i < 3 * r->model->n_bodies; i++)
    r->v[i] = mode->s[0] * mode->shape[part][i] + sign * mode->s[1] * mode->shape[1 - part][i];
  const mbs_model *model = r->model;
  memset(r->a, 0, 3 * (size_t)model->n_bodies * sizeof *r->a);
  memset(r->lambda, 0, (size_t)model->n_rows * sizeof *r->lambda);
  mbs_linearised_solve(r->at->linear, r->at->ws, mode->shape[part], r->v, mode->states[part], r->a, r->lambda);
  for (int i = 0; i < model->n_rows && model->n_redundant > 0; i++) /* of least norm, without derivative here */
    r->lambda[i] = NAN;
  const mbs_direction along = {mode->shape[part], r->v, r->a, r->lambda, mode->states[part], NULL};
  mbs_read_changes(r->measures, r->at->ws, r->state, &along, amplitudes);
}

static bool reading_create(modal_reading *r) {
  const size_t n = 3 * (size_t)r->model->n_bodies;
  mbs_quantity *list = calloc(r->n + 1, sizeof *list);
  r->v = calloc(2 * n + (size_t)r->model->n_rows + 1, sizeof *r->v);
  if (list != NULL && r->v != NULL) {
    r->a = r->v + n;
    r->lambda = r->a + n;
    seam_measured_quantities(r->model, list);
    (void)mbs_readout_create(r->model, list, r->n, &r->measures, NULL);
  }
  free(list);
  return r->measures != NULL;
}

seam_status analysis_measure_modes(const mbs_model *model, const mbs_state *state, const analysis_minimal_state *at,
                                   seam_modes *modes, seam_error *error) {
  modal_reading r = {.model = model, .state = state, .at = at, .n = seam_measured_quantities(model, NULL)};
  if (r.n == 0)
    return SEAM_OK;
  modes->amplitudes = calloc(2 * r.n * modes->n + 1, sizeof *modes->amplitudes);
  const bool has_memory = modes->amplitudes != NULL && reading_create(&r);
  if (has_memory) {
    const bool is_possible = is_at_rest(r.model, r.state) && mbs_stage_factor(r.at->ws, r.model->inverse_mass) < 0;
    for (size_t k = 0; k < modes->n; k++)
      for (int part = 0; part < 2; part++) {
        double *amplitudes = modes->amplitudes + (2 * k + (size_t)part) * r.n;
        modes->mode[k].measures[part] = amplitudes;
        if (is_possible)
          read_part(&r, &modes->mode[k], part, amplitudes);
        else
          mbs_fill_nan(amplitudes, r.n);
      }
  }
  mbs_readout_destroy(r.measures);
  free(r.v);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for measures of %zu modes", modes->n);
}
