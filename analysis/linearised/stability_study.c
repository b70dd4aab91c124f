/* Studies the coupling schemes of a linearised mechanism over macro steps, and chooses one (<seam/analysis.h>). Finds
 * the spectral radius ρ of the coupled mechanism over a macro step H. Then finds the intervals of H in which no motion
 * grows faster than the uncut mechanism, whose growth rate is σ:
 *
 *   ρ <= e^(1.05 σ H) (1 + 1e-10),   with 5 % for the scheme's own error.
 *
 * A point is a macro step for which ρ is known. It is undecided if this limit lies within the uncertainty of ρ. A point
 * that appears unstable is judged again: errors as large as a scheme's rounding are added to the propagation matrix of
 * the uncut mechanism, and the growth that they cause becomes the point's least uncertainty.
 *
 * Collocation with s stages has bands of H, a few per cent wide, in which lightly damped modes of angular frequency Ω
 * grow: near H Ω = π, 2 π, .., at most s + 1 bands (docs/theory.md, Collocation). There more macro steps are judged. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <lapacke.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "analysis/spectrum.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/interrupt.h"
#include "base/then.h"
#include "base/vector.h"
#include "cosim/schemes/condition.h"
#include "mbs/model/model.h"
#include "solvers/expm.h"
#include "solvers/lapack.h"

/* ---- The uncut mechanism over a macro step ---- */

/* Minimal coordinates ζ and states z obey x' = A x, x = (ζ, ζ', z) (minimal_state.h). Over a macro step H from time T,
 * the components of y = (ζ, H ζ', z) have comparable sizes for any H:
 *
 *   y(T + H) = e^B y(T),   B = H D⁻¹ A D,   D = diag(1, 1/H, 1).
 *
 * Errors δ of the entries of a matrix change a defective eigenvalue by δ^(1/p), where p is the size of its Jordan block
 * ([Golub-Van Loan] 7.2). Motions without resistance have such an eigenvalue: 0 of A, hence 1 of e^B and of the
 * propagation matrix of any scheme. To measure its change, all entries of e^B get irregular errors of the size of a
 * scheme's errors. */

/* Writes to *rho the spectral radius of e^B plus its uncertainty, with errors of `accuracy` times the norm of e^B. A
 * scheme with a radius up to *rho may be as stable as the mechanism, within rounding. */
static seam_status undivided_radius(const analysis_first_order *of, double H, double accuracy, double *rho,
                                    seam_error *error) {
  const int n = of->n;
  const size_t of_matrix = (size_t)n * (size_t)n;
  double *B = calloc(2 * of_matrix + (size_t)n + 1, sizeof *B);
  double *propagation = B + of_matrix;
  double *scale = propagation + of_matrix;
  double uncertainty = 0;
  lapack_int low, high;
  *rho = 0;
  if (B == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the %d x %d propagation matrix of a macro step", n, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      B[i + j * n] =
          H * of->matrix[i + j * n] * (i >= of->f && i < 2 * of->f ? H : 1) / (j >= of->f && j < 2 * of->f ? H : 1);
  seam_status status = seam_expm(n, B, propagation, error);
  if (status == SEAM_OK) /* balanced, since the states have different units */
    status = seam_lapack_check(LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', n, propagation, n, &low, &high, scale),
                               SEAM_NOT_CONVERGED, "the balancing factors of a propagation matrix", error);
  const double norm = largest_size(propagation, of_matrix);
  for (int k = 0; k < n * n; k++) { /* irregular: fractional parts of multiples of the golden ratio */
    const double golden = 0.6180339887498949;
    propagation[k] += accuracy * norm * (2 * fmod(golden * (k + 1), 1) - 1);
  }
  THEN(status, analysis_spectral_radius(n, propagation, accuracy, rho, &uncertainty, error));
  *rho += uncertainty;
  free(B);
  return status;
}

/* ---- Points ---- */

static seam_verdict judge(const seam_scheme_point *point, double sigma) {
  const double limit = exp(sigma * analysis_allowed_growth * point->macro_step) * (1 + analysis_stable_excess);
  return analysis_verdict_of(point->rho, point->uncertainty, limit);
}

/* Returns the errors of the entries of Φ, the propagation over a macro step H, divided by the norm of Φ. They are the
 * sum of the rounding of a step, of matrix exponentials, and of collocation. The rounding of exponentials is ε |s|² H²,
 * with the machine precision ε and the largest eigenvalue s of the uncut mechanism. */
static double accuracy_of(const seam_linearised *self, double H) {
  double of_schemes = 0;
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    of_schemes = fmax(of_schemes, analysis_collocation_rounding(&self->partition.cuts[k].base.scheme));
  return analysis_propagation_rounding + DBL_EPSILON * self->stiffness * H * H + of_schemes;
}

static bool is_same(double H, double than) { return fabs(H - than) <= analysis_same_step * H; }

seam_status seam_linearised_stability(seam_linearised *self, double H, seam_scheme_point *point, seam_error *error) {
  ARGUMENTS(error, self, point);
  if (!is_positive(H))
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %g must be positive and finite", H);
  seam_error cause = {0};
  const double accuracy = accuracy_of(self, H);
  *point = (seam_scheme_point){.macro_step = H, .rho = NAN, .verdict = SEAM_UNSTABLE};
  seam_status status = analysis_recurrence_step(self, H, &cause);
  THEN(status, analysis_spectral_radius(self->n, self->Phi, self->n_steps * accuracy, &point->rho, &point->uncertainty,
                                        &cause));
  if (status == SEAM_NO_MEMORY || status == SEAM_BAD_INPUT)
    return seam_fail(error, status, "%s", cause.message);
  if (status != SEAM_OK) {
    point->rho = NAN; /* undefined or infinite */
    return SEAM_OK;
  }
  if (self->n_steps != 1) {
    const double largest = pow(point->rho + point->uncertainty, 1.0 / self->n_steps);
    point->rho = pow(point->rho, 1.0 / self->n_steps);
    point->uncertainty = largest - point->rho;
  }
  point->verdict = judge(point, self->growth);
  if (point->verdict != SEAM_UNSTABLE || self->undivided_system.n == 0)
    return SEAM_OK;
  /* If the uncut mechanism with errors as large as those of Φ has a spectral radius above e^(σ H), the excess becomes
   * the point's least uncertainty. */
  double rho = 0;
  TRY(undivided_radius(&self->undivided_system, H, accuracy, &rho, error));
  point->uncertainty = fmax(point->uncertainty, rho - exp(self->growth * H));
  point->verdict = judge(point, self->growth);
  return SEAM_OK;
}

/* ---- Intervals ---- */

/* Bisects between `stable`, a macro step that is not unstable, and `grows`, an unstable one. Sets *at to the macro step
 * nearest to `grows` that was found not to be unstable. */
static seam_status bisect(seam_linearised *self, double stable, double grows, double *at, seam_error *error) {
  while (fabs(log(grows / stable)) > analysis_limit_width) {
    seam_scheme_point middle;
    const double H = analysis_common_period_fit(&self->samples, stable * sqrt(grows / stable));
    if (is_same(H, stable) || is_same(H, grows))
      break;
    TRY(seam_linearised_stability(self, H, &middle, error));
    if (middle.verdict == SEAM_UNSTABLE)
      grows = middle.macro_step;
    else
      stable = middle.macro_step;
  }
  *at = stable;
  return SEAM_OK;
}

typedef struct list {
  seam_stable_interval *interval;
  size_t n, capacity;
  bool is_open; /* the last interval has no end yet */
} list;

static seam_status add_point(seam_linearised *self, const seam_scheme_point *before, const seam_scheme_point *now,
                             list *found, seam_error *error) {
  const bool stable = now->verdict != SEAM_UNSTABLE;
  seam_status status = SEAM_OK;
  if (stable && !found->is_open && found->n < found->capacity) {
    seam_stable_interval *interval = &found->interval[found->n];
    *interval = (seam_stable_interval){.from = now->macro_step};
    found->is_open = true;
    if (before != NULL)
      status = bisect(self, now->macro_step, before->macro_step, &interval->from, error);
  }
  if (!found->is_open)
    return status;
  seam_stable_interval *interval = &found->interval[found->n];
  if (stable) {
    interval->to = now->macro_step;
    interval->has_undecided = interval->has_undecided || now->verdict == SEAM_UNDECIDED;
    return status;
  }
  found->is_open = false;
  found->n++;
  return bisect(self, interval->to, now->macro_step, &interval->to, error);
}

static bool may_be_in_band(const seam_linearised *self, int stages, double H) {
  for (const seam_mode *mode = self->modes->mode; mode < self->modes->mode + self->modes->n; mode++) {
    const double half_periods = H * hypot(mode->s[0], mode->s[1]) / acos(-1);
    if (mode->s[1] != 0 && mode->damping_ratio < analysis_band_damping && half_periods > analysis_first_band &&
        half_periods < stages + analysis_beyond_stages)
      return true;
  }
  return false;
}

/* Examines those macro steps between before->macro_step and `to` that may lie in bands of instability. *before becomes
 * the last point examined. */
static seam_status search_bands(seam_linearised *self, int stages, double to, seam_scheme_point *before, list *found,
                                seam_error *error) {
  for (double H = before->macro_step * analysis_band_step; H < to; H *= analysis_band_step) {
    seam_scheme_point now;
    if (!may_be_in_band(self, stages, H))
      continue;
    TRY(seam_linearised_stability(self, H, &now, error));
    TRY(add_point(self, before, &now, found, error));
    *before = now;
  }
  return SEAM_OK;
}

seam_status seam_linearised_intervals(seam_linearised *self, double from, double to, size_t count,
                                      seam_scheme_point *points, seam_stable_interval *intervals, size_t capacity,
                                      size_t *n, seam_error *error) {
  ARGUMENTS(error, self, n);
  TRY(argument_check_list(__func__, "intervals", intervals, capacity, error));
  if (!(from > 0 && to > from && isfinite(to) && isfinite(to / from)) || count < 2)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "macro steps from %g to %g, %zu of them: take 0 < from < to and two or more", from, to, count);
  list found = {.interval = intervals, .capacity = capacity};
  int stages = 0; /* largest number of stages of the collocation schemes */
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    if (self->partition.cuts[k].base.scheme.method == COSIM_COLLOCATION &&
        self->partition.cuts[k].base.scheme.order > stages)
      stages = self->partition.cuts[k].base.scheme.order;
  seam_scheme_point before = {0};
  for (size_t i = 0; i < count; i++) {
    const double H = analysis_common_period_fit(&self->samples, from * pow(to / from, (double)i / (double)(count - 1)));
    seam_scheme_point now = {0};
    if (i > 0 && is_same(H, before.macro_step)) {
      if (points != NULL)
        points[i] = before;
      continue;
    }
    if (i > 0 && stages > 0)
      TRY(search_bands(self, stages, H, &before, &found, error));
    TRY(seam_linearised_stability(self, H, &now, error));
    TRY(add_point(self, i == 0 ? NULL : &before, &now, &found, error));
    if (points != NULL)
      points[i] = now;
    before = now;
  }
  *n = found.n + (found.is_open ? 1 : 0);
  return SEAM_OK;
}

/* ---- The study of one scheme ---- */

seam_status seam_linearised_study(seam_linearised *self, double from, double to, size_t count, double wanted,
                                  const seam_interrupt *interrupt, seam_scheme_point *points, double *errors,
                                  seam_scheme_study *study, seam_error *error) {
  ARGUMENTS(error, self, points, errors, study);
  *study = (seam_scheme_study){.macro_step = NAN, .error = NAN};
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    const cosim_scheme *scheme = &self->partition.cuts[k].base.scheme;
    study->n_unknowns += (size_t)cosim_n_conditions(&self->partition.cuts[k].base);
    study->repeats |= cosim_scheme_corrects(scheme) && scheme->iteration != COSIM_UPDATE;
  }
  TRY(seam_linearised_intervals(self, from, to, count, points, study->interval, SEAM_MAX_STABLE_INTERVALS,
                                &study->n_intervals, error));
  for (size_t i = 0; i < count; i++) {
    errors[i] = NAN; /* remains so for an unstable point */
    if (interrupt_is_requested(interrupt, points[i].macro_step))
      return seam_fail(error, SEAM_INTERRUPTED, "interrupted at a macro step of %.4g s", points[i].macro_step);
    if (points[i].verdict != SEAM_UNSTABLE)
      TRY(seam_linearised_error(self, points[i].macro_step, &errors[i], error));
  }
  const double time = analysis_modal_release_time(self->modal_release);
  /* Finds the largest macro step that is accurate together with all smaller ones. A longer step's error may be small by
   * chance, at a zero crossing. The step is at most a tenth of the slowest mode's time. Straight lines between macro
   * points then miss an oscillation by at most 5 %. Errors below rounding, which grows with the number of macro steps,
   * are ignored. */
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
  return SEAM_OK;
}

/* ---- The choice of a scheme ---- */

/* Returns true if *study is better: by a larger macro step; else by fewer coupling unknowns, hence fewer sensitivities
 * of subsystems to compute; else by no repeated macro steps; else by a smaller error. */
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
  const size_t n_coordinates = 3 * mbs_n_bodies(model);
  if (!mbs_state_fits(model, state) || largest_size(state->v, n_coordinates) != 0 ||
      largest_size(state->a, n_coordinates) != 0)
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
