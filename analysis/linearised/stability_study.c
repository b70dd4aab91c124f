/* Studies the coupling schemes of a linearised mechanism over macro steps, and chooses one (<seam/analysis.h>). */
#include <math.h>

#include <seam/analysis.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/interrupt.h"
#include "base/then.h"
#include "cosim/schemes/condition.h"
#include "mbs/model/model.h"

/* ---- One scheme ---- */

seam_status seam_linearised_study(seam_linearised *self, double from, double to, size_t count, double wanted,
                                  const seam_interrupt *interrupt, seam_scheme_point *points, double *errors,
                                  seam_scheme_study *study, seam_error *error) {
  ARGUMENTS(error, self, points, errors, study);
  *study = (seam_scheme_study){.macro_step = NAN, .error = NAN};
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    const cosim_scheme *scheme = &self->cuts[k].scheme;
    study->n_unknowns += (size_t)cosim_n_conditions(&self->cuts[k]);
    study->repeats |= cosim_scheme_corrects(scheme) && scheme->iteration != COSIM_UPDATE;
  }
  seam_status status = seam_linearised_intervals(self, from, to, count, points, study->interval,
                                                 SEAM_MAX_STABLE_INTERVALS, &study->n_intervals, error);
  for (size_t i = 0; i < count && status == SEAM_OK; i++) {
    errors[i] = NAN; /* remains so for an unstable point */
    if (interrupt_is_requested(interrupt, points[i].macro_step))
      return seam_fail(error, SEAM_INTERRUPTED, "interrupted at a macro step of %.4g s", points[i].macro_step);
    if (points[i].verdict != SEAM_UNSTABLE)
      status = seam_linearised_error(self, points[i].macro_step, &errors[i], error);
  }
  if (status == SEAM_OK) {
    const double time = self->modal_release != NULL ? self->modal_release->time : 0;
    /* Finds the largest macro step that is accurate together with all smaller ones. The error of a longer step may be
     * small by chance, at a zero crossing. The step is at most a tenth of the slowest mode's time. Straight lines
     * between macro points then miss an oscillation by at most 5 %. Errors below rounding, which grows with the number
     * of macro steps, are ignored. */
    bool is_exceeded = false;
    for (size_t i = 0; i < count; i++) {
      const double rounding = points[i].uncertainty * time / points[i].macro_step;
      study->is_stable |= points[i].verdict != SEAM_UNSTABLE;
      study->has_error |= isfinite(errors[i]);
      is_exceeded |= errors[i] > fmax(wanted, rounding) || (isnan(errors[i]) && !isnan(study->macro_step));
      if (!is_exceeded && errors[i] <= wanted && points[i].macro_step <= analysis_share_of_time * time) {
        study->macro_step = points[i].macro_step;
        study->error = errors[i];
      }
    }
  }
  return status;
}

/* ---- All schemes ---- */

static bool is_at_rest(const mbs_model *model, const mbs_state *state) {
  if (!mbs_state_fits(model, state))
    return false;
  for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++)
    if (state->v[i] != 0 || state->a[i] != 0)
      return false;
  return true;
}

/* Returns true if *study is better than *than. Criteria in order of priority: larger macro step; fewer coupling
 * unknowns, hence fewer sensitivities of subsystems to compute; no repeated macro steps; smaller error. */
static bool is_better(const seam_scheme_study *study, const seam_scheme_study *than) {
  if (study->macro_step > than->macro_step * (1 + analysis_same_step))
    return true;
  if (!(study->macro_step > than->macro_step * (1 - analysis_same_step)))
    return false;
  if (study->n_unknowns != than->n_unknowns)
    return study->n_unknowns < than->n_unknowns;
  return study->repeats != than->repeats ? than->repeats : study->error < than->error;
}

seam_recommendation seam_recommend(const mbs_model *model, const mbs_state *state, bool turns,
                                   const seam_scheme_study *studies, size_t n) {
  n = studies == NULL ? 0 : n;
  bool is_stable = false, has_error = false;
  size_t best = SEAM_NONE;
  for (size_t i = 0; i < n; i++) {
    is_stable |= studies[i].is_stable;
    has_error |= studies[i].has_error;
    if (!isnan(studies[i].macro_step) && (best == SEAM_NONE || is_better(&studies[i], &studies[best])))
      best = i;
  }
  seam_advice advice = SEAM_TAKE_SCHEME;
  if (!is_at_rest(model, state))
    advice = SEAM_STATE_MOVES;
  else if (turns)
    advice = SEAM_DIRECTION_TURNS;
  else if (!is_stable)
    advice = SEAM_NONE_STABLE;
  else if (!has_error)
    advice = SEAM_NO_PREDICTION;
  else if (best == SEAM_NONE)
    advice = SEAM_NONE_ACCURATE;
  return (seam_recommendation){.advice = advice, .scheme = advice == SEAM_TAKE_SCHEME ? best : SEAM_NONE};
}
