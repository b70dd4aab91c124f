/* Lengths H of macro steps: equal, or controlled by the indicator of the last step (cosim/coupling/step_control.c). In
 * that step, a coupling has created the residual energy δE and transmitted the power P. E0 is the scale of energy, r
 * the tolerance, k the order of the schemes. ε is the estimated error of collocation: the largest error of angles, and
 * of positions divided by the scale of length (cosim/coupling/estimate.c). For other schemes, e is the error of
 * velocities by Milne's device (indicate_error()), and V the largest speed so far, both in the mass norm; atol is the
 * integrators' absolute tolerance.
 *
 *   energy       √(mean over couplings of (δE / (r (E0 + |P H|)))²)
 *   prediction   deviation of coupling variables from the polynomial of order k + 1, at most 2, through earlier points,
 *                divided by its tolerance
 *   local error  10 ε / tolerance if all couplings have collocation schemes; else e / (tolerance V + atol)
 *
 * If follows_motion is set, steps become longer than the user's macro step only if there is motion: an indicator above
 * round-off or, for the local error, a speed that is not negligible for the integrators. The step after a kink has at
 * most the length of the first step (first_length()).
 *
 * The indicators energy and prediction show a fast change only after the step that contains it. Under follows_motion,
 * steps longer than the user's macro step are therefore limited to half a radian of the fastest motion so far. Its
 * angular frequency is estimated by max |Δa / H| / max |a| in the mass norm, which is exact for harmonic motion. */
#include <math.h>
#include <stdlib.h>

#include "base/argument.h"
#include "base/then.h"
#include "cosim/coupling/step_control.h"
#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/scales.h"
#include "mbs/integrate/kinks.h"
#include "mbs/model/model.h"

/* ---- Macro steps of equal length ---- */

seam_status cosim_step_plan_make(double macro_step, double end, cosim_step_plan *plan, seam_error *error) {
  ARGUMENTS(error, plan);
  if (!(macro_step > 0) || !isfinite(macro_step))
    return seam_fail(error, SEAM_BAD_INPUT, "the macro step must be positive and finite, not %g s", macro_step);
  if (!(end > 0) || !isfinite(end))
    return seam_fail(error, SEAM_BAD_INPUT, "the end of a co-simulation must be positive and finite, not %g s", end);
  if (macro_step > (1 + cosim_plan_slack) * end)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the macro step of %g s is longer than the run of %g s: take a smaller one (cosim.macro_step, --macro-step)",
        macro_step, end);
  if (end / macro_step > cosim_max_plan)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "a run of %g s needs more than %g macro steps: take a macro step longer than %g s", end,
                     cosim_max_plan, macro_step);
  *plan = (cosim_step_plan){macro_step, end, (size_t)fmax(1, ceil(end / macro_step - cosim_plan_slack))};
  return SEAM_OK;
}

double cosim_step_plan_time(const cosim_step_plan *plan, size_t step) {
  if (plan == NULL || step > plan->count)
    return NAN;
  return step < plan->count ? (double)step * plan->macro_step : plan->end;
}

double cosim_step_plan_length(const cosim_step_plan *plan, size_t step) {
  if (plan == NULL || step >= plan->count)
    return NAN;
  const double remaining = plan->end - (double)step * plan->macro_step;
  return remaining < (1 - cosim_plan_slack) * plan->macro_step ? remaining : plan->macro_step;
}

/* ---- Controlled macro steps ---- */

seam_status cosim_control_create(cosim_simulation *self, seam_error *error) {
  if (self->is_by_error || self->ends_at_switches || self->ends_at_part_events) {
    self->begin_image = malloc((cosim_engine_n_state(self->engine) + 1) * sizeof *self->begin_image);
    if (self->begin_image == NULL)
      return seam_fail(error, SEAM_NO_MEMORY, "no memory for macro steps that are repeated");
  }
  if (self->definition.step_control == NULL)
    return SEAM_OK;
  self->control.rule = *self->definition.step_control;
  self->control.rule.order = 0;
  TRY(cosim_step_control_check(&self->control.rule, error));
  TRY(cosim_engine_check_control(self->engine, &self->control.rule, error));
  if (!self->is_by_error)
    return SEAM_OK;
  if (mbs_state_create(self->model, &self->predicted, error) != SEAM_OK)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the control of macro steps");
  return SEAM_OK;
}

/* ---- Norms: √(Σ m v²) over all coordinates, the root of twice the kinetic energy; also for accelerations ---- */

static double speed_of(const mbs_model *model, const double *v) {
  double sum = 0;
  for (size_t i = 0; i < 3 * (size_t)model->n_bodies; i++)
    sum += model->mass[3 + i] * v[i] * v[i];
  return sqrt(sum);
}

double cosim_distance(const mbs_model *model, const double *v, const double *other) {
  double sum = 0;
  for (size_t i = 0; i < 3 * (size_t)model->n_bodies; i++) {
    const double change = v[i] - other[i];
    sum += model->mass[3 + i] * change * change;
  }
  return sqrt(sum);
}

/* Returns the integrators' absolute tolerance of a speed, times √m to fit the mass norm; m is the scale of mass. */
static double absolute_tolerance(const cosim_simulation *self) {
  const mbs_scales *scales = &self->model->scales;
  const mbs_integrator_options *of = &self->definition.options.integrator;
  return (of->atol > 0 ? of->atol : of->rtol * scales->speed) * sqrt(scales->mass);
}

/* ---- The first step, and steps after kinks ---- */

/* Returns the length H of the first macro step, chosen as integrators do ([Hairer-Norsett-Wanner] II.4). The
 * accelerations a at the start are compared with those, ã, at t + h, with a trial length h. They give a time scale T
 * and an amplitude A of the motion:
 *
 *   ã = a(t + h, q + h v + h²/2 a, v + h a),   T = h max(|a|, |ã|) / |ã - a|,   A = T² max |ã|
 *
 * For a harmonic motion of angular frequency ω, T = 1/ω. A step of s stages has the error A (H/T)^p with p = 2s + 1.
 * Interpolated results inside the step limit p to 6 (longest_for_rows()). The error equals the tolerance of a step for
 *
 *   H = T (tolerance / A)^(1/p)
 *
 * The estimate of T is poor if h is far shorter than H. Therefore h grows, at most tenfold at a time, until h >= H or h
 * = longest. */
static double first_step_of_collocation(cosim_simulation *self, double longest) {
  const double tolerance = cosim_share_of_step * self->control.rule.tolerance;
  const double usual = fmin(self->definition.options.macro_step, longest);
  const double *a = self->now->a;
  const double *ahead = self->scratch->a;
  double h = usual;
  for (;;) {
    if (cosim_extrapolate_state(self, self->now, h, NULL) != SEAM_OK)
      return usual;
    const double change = cosim_distance(self->model, ahead, a);
    const double T = h * fmax(speed_of(self->model, a), speed_of(self->model, ahead)) / change;
    const double A = T * T * mbs_largest_motion(self->model, ahead, 0) / self->model->scales.length;
    const double H = T * pow(tolerance / A, 1 / fmin(2 * self->stages + 1, 6));
    if (!isfinite(H) || !(H > 0)) /* accelerations do not change */
      return usual;
    if (!(H > h && h < longest))
      return fmin(H, longest);
    h = fmin(fmin(H, cosim_first_growth * h), longest);
  }
}

static double first_length(cosim_simulation *self) {
  const cosim_step_control *rule = &self->control.rule;
  const double usual = self->definition.options.macro_step;
  if (!rule->chooses_first || !self->is_by_error || self->stages == 0)
    return usual;
  const double kink = cosim_kink_after(self, self->now->t + cosim_close_kinks * usual);
  return first_step_of_collocation(self, fmin(rule->longest, kink - self->now->t));
}

void cosim_control_begin(cosim_simulation *self) {
  self->control.rule.before = -1;
  self->control.next = fmin(fmax(first_length(self), self->control.rule.shortest), self->control.rule.longest);
  self->control.speed =
      speed_of(self->model, self->now->v) + self->definition.options.macro_step * speed_of(self->model, self->now->a);
  self->control.acceleration = speed_of(self->model, self->now->a);
  self->control.jerk = 0;
  self->control.progress.t = self->now->t;
  self->control.progress.steps = 0;
  self->control.progress.repeated = self->others.repeated;
}

static void get_bodies(const cosim_simulation *self, mbs_state *undivided) {
  for (size_t k = 0; k < self->partition.n_mechanical; k++)
    cosim_multibody_store(self->partition.mechanical[k], undivided);
}

void cosim_control_predicted(void *context) {
  cosim_simulation *self = context;
  if (self->predicted != NULL)
    get_bodies(self, self->predicted);
}

void cosim_control_record_motion(cosim_simulation *self, double H) {
  cosim_control *control = &self->control;
  const double change = cosim_distance(self->model, self->now->a, self->before->a);
  control->speed = fmax(control->speed, speed_of(self->model, self->now->v));
  control->acceleration = fmax(control->acceleration, speed_of(self->model, self->now->a));
  control->jerk = fmax(control->jerk, change / H);
}

bool cosim_takes_long_steps(const cosim_simulation *self) { return self != NULL && self->stages > 0; }

/* Returns, after a collocation step, the length of a step inside which results are as accurate as at its ends. Quintics
 * through q, v and a interpolate them. In the middle of the step the cubic through q and v deviates from the straight
 * line by c, and the quintic from the cubic by d. For harmonic motions the error of the quintic is 0.4 d²/c, of order
 * H⁶. */
static double longest_for_rows(const cosim_simulation *self, double H) {
  const mbs_state *a = self->before;
  const mbs_state *b = self->is_beyond_kink ? self->end : self->now;
  double c = 0;
  double d = 0;
  for (size_t i = 0; i < 3 * (size_t)self->model->n_bodies; i++) {
    const double curvature = H * (a->v[i] - b->v[i]);
    const double unit = mbs_coordinate_scale(&self->model->scales, (int)(i % 3), false);
    c = fmax(c, fabs(curvature) / (8 * unit));
    d = fmax(d, fabs(curvature / 32 + H * H * (a->a[i] + b->a[i]) / 64) / unit);
  }
  const double quintic_error = 0.4 * d * d / c;
  return self->stages > 0 && quintic_error > 0
             ? H * pow(cosim_share_of_step * self->control.rule.tolerance / quintic_error, 1.0 / 6)
             : INFINITY;
}

static double length_after(cosim_simulation *self, double indicator, double H) {
  cosim_control *control = &self->control;
  const int s = self->stages;
  const bool by_error = self->is_by_error;
  const double first = self->definition.options.macro_step;
  const double atol = absolute_tolerance(self);
  const double next = s > 0 && by_error ? cosim_step_of_collocation(&control->rule, indicator, H, s)
                                        : cosim_step_after(&control->rule, indicator, H);
  const bool shows_motion =
      by_error ? (s > 0 ? 1 : control->rule.tolerance) * control->speed > atol : cosim_shows_motion(indicator);
  double longest = INFINITY;
  if (control->rule.follows_motion && !shows_motion)
    longest = fmax(first, H);
  else if (control->rule.follows_motion && !by_error && control->jerk != 0)
    longest = fmax(first, cosim_phase_of_step * control->acceleration / control->jerk);
  return fmin(next, longest);
}

/* Returns the times over which errors of velocities become errors of positions. One is the time scale of the motion so
 * far, 1/ω if it is harmonic. The other, for contact or friction, is the remaining time of the run. It is limited,
 * since the end may be far away. */
static cosim_durations durations_of(const cosim_simulation *self) {
  const cosim_control *control = &self->control;
  return (cosim_durations){.motion = control->acceleration > 0 ? control->speed / control->acceleration : 0,
                           .remaining =
                               fmin(control->remaining, cosim_acting_time * self->definition.options.macro_step)};
}

/* Returns the indicator of a step before its acceptance. If all couplings have collocation schemes, it is the larger of
 * two errors, divided by the tolerance of a step: the estimate by cosim_master_estimate() and the error by a kink of a
 * law. The estimate after the first correction is used if it is safely below the tolerance and corrections contract
 * fast.
 *
 * In all other cases the indicator follows from Milne's device for schemes of order k. Let w be a smooth coupling
 * variable in a macro step from T to T + H, and w^(k+1) its derivative of order k + 1. w_P is the predictor's
 * polynomial of order k through past points. w_C is the corrector's polynomial, which also passes through the point at
 * T + H. At T + τ H,
 *
 *   w - w_P = w^(k+1)/(k+1)! H^(k+1) τ (τ + 1) ... (τ + k)
 *
 *   w - w_C = w^(k+1)/(k+1)! H^(k+1) (τ - 1) τ ... (τ + k - 1)
 *
 * The integral of w - w_C over the step is the error e of the velocities, as in Adams's formulas. The corrector changes
 * velocities from v_P to v_C, and e is a fixed fraction of this change, of order H^(k+2):
 *
 *   e = C |v_C - v_P|,   C = |∫ (w - w_C)| / |∫ (w_C - w_P)| = 1/2, 1/6, 1/10, 19/270   for k = 0, 1, 2, 3.
 *
 * In the mass norm, |v|² = Σ m v², translations and rotations of all bodies count by their energy. C is for equal steps
 * and plain schemes; extensions with more nodes or slopes are more accurate. The integrators' absolute tolerance is
 * added to the tolerance of e. */
static double indicate_error(const cosim_simulation *self, double H) {
  static const double C[] = {1.0 / 2, 1.0 / 6, 1.0 / 10, 19.0 / 270};
  const cosim_control *control = &self->control;
  const cosim_step_control *rule = &control->rule;
  if (self->stages > 0) {
    const cosim_durations of = durations_of(self);
    const cosim_law_kink kink = self->engine->master->law_kink;
    const double of_kink = (kink.position + of.remaining * kink.velocity) / (cosim_share_of_step * rule->tolerance);
    if (control->early_indicator > 0 && control->early_indicator * cosim_estimate_margin < 1 &&
        cosim_master_contracts(self->engine->master))
      return fmax(control->early_indicator, of_kink);
    return fmax(cosim_master_estimate(self->engine->master, H, &of, true) / (cosim_share_of_step * rule->tolerance),
                of_kink);
  }
  get_bodies(self, self->now);
  const double speed = fmax(control->speed, speed_of(self->model, self->now->v));
  const double error = C[rule->order] * cosim_distance(self->model, self->now->v, self->predicted->v);
  const double atol = absolute_tolerance(self);
  return error / (rule->tolerance * speed + atol);
}

static bool is_shortest(const cosim_simulation *self, double H) {
  return H <= fmax(self->control.rule.shortest, cosim_shortest_piece * self->definition.options.macro_step);
}

bool cosim_control_may_continue(void *context, double H) {
  cosim_simulation *self = context;
  cosim_control *control = &self->control;
  if (!control->checks_early || is_shortest(self, H))
    return true;
  const cosim_durations of = durations_of(self);
  control->early_indicator =
      cosim_master_estimate(self->engine->master, H, &of, false) / (cosim_share_of_step * control->rule.tolerance);
  return !(control->early_indicator > cosim_estimate_margin);
}

double cosim_length_by_error(cosim_simulation *self, cosim_step_search *search, double H) {
  cosim_control *control = &self->control;
  const double shortest = control->rule.shortest;
  const int s = self->stages;
  if (!search->checks_error)
    return 0;
  control->checks_early = false;
  search->indicator = search->status == SEAM_OK                          ? indicate_error(self, H)
                      : control->early_indicator > cosim_estimate_margin ? control->early_indicator
                                                                         : INFINITY;
  if (search->status == SEAM_OK && (search->indicator <= 1 || (shortest > 0 && H <= shortest)))
    return 0;
  if (search->status == SEAM_OK && is_shortest(self, H))
    search->status = seam_fail(search->cause, SEAM_NOT_CONVERGED,
                               "the estimated local error is %.3g times the 'tolerance' under 'step_control' even for "
                               "a macro step of %.3g s: raise this tolerance",
                               search->indicator, H);
  if (search->status == SEAM_NO_MEMORY || (search->status != SEAM_OK && is_shortest(self, H)))
    return 0;
  search->is_restarted = true;
  return s > 0 ? cosim_step_of_collocation(&control->rule, search->indicator, H, s)
               : cosim_repeated_length(&control->rule, search->indicator, H);
}

/* Returns the length of the next step after a step of length H; `wanted`: first length that was tried for this one.
 * After a step that repetitions have shortened, the next one is not longer. After a switch it has the first length or
 * `wanted`, whichever is shorter. */
static double length_after_repetitions(cosim_simulation *self, const cosim_step_search *search, double wanted,
                                       double H) {
  double next = fmin(length_after(self, search->indicator, H), fmax(longest_for_rows(self, H), H / 2));
  if (self->is_at_switch)
    next = fmin(wanted, first_length(self));
  else if (H < wanted)
    next = fmin(next, H);
  const bool reuses = self->definition.options.reuse == COSIM_REUSE_ALWAYS && self->stages == 0;
  return reuses && next > cosim_unchanged_from * H && next < cosim_unchanged_to * H ? H : next;
}

/* ---- A controlled step: its plan, its length, and the next length ---- */

typedef struct planned_step {
  double H;     /* s, length up to the first known obstacle */
  double usual; /* s, length that the step would have without obstacles */
  double kink;  /* s, time of the next kink */
} planned_step;

/* Fits the length H of a step to the remaining time: a longer step, or half of that time, avoids a tiny last step. */
static double fit(double H, double remaining, bool is_controlled) {
  if (fabs(remaining - H) <= cosim_same_time * H)
    return H;
  if (remaining < cosim_last_step * H)
    return remaining;
  return is_controlled && remaining < 2 * H ? remaining / 2 : H;
}

/* Plans the next step, with `remaining` (s) to the end of the run. */
static planned_step plan_step(cosim_simulation *self, double remaining) {
  self->control.remaining = remaining;
  if (self->definition.step_control == NULL)
    return (planned_step){.H = fit(self->definition.options.macro_step, remaining, false)};
  const double usual = self->control.next;
  /* If coupling variables use past values, kinks closer than `near` stay inside a step. */
  const double near =
      self->stages > 0 ? mbs_same_time(self->now->t) : cosim_close_kinks * self->definition.options.macro_step;
  const double kink = cosim_kink_after(self, self->now->t + near);
  const double event = fmin(kink, cosim_sample_after(self));
  const double H = fit(usual, fmin(remaining, event - self->now->t), true);
  return (planned_step){.H = cosim_length_to_sample(self, H, usual), .usual = usual, .kink = kink};
}

/* An indicator of low order asks for tiny steps. Returns advice, to stand before "a larger 'tolerance'"; "": none. */
static const char *higher_order(const cosim_step_control *rule) {
  if (rule->indicator == COSIM_PREDICTION_INDICATOR && rule->prediction_order == 0)
    return "a larger 'prediction_order', or ";
  return rule->order == 0 ? "a scheme of order 1 or 2, or " : "";
}

/* Fails if the run would need too many steps of the length that the last ones had on average (solvers/stepper.c). The
 * limit on their number is a hundredth of that for integrators, since a macro step costs a hundred times more. If the
 * control has a shortest length, any progress is accepted. */
static seam_status check_progress(cosim_simulation *self, double remaining, seam_error *error) {
  cosim_control *control = &self->control;
  if (control->rule.shortest > 0 || ++control->progress.steps < COSIM_PROGRESS_STEPS)
    return SEAM_OK;
  const double gained = self->now->t - control->progress.t;
  const bool is_doubtful = 3 * (self->others.repeated - control->progress.repeated) >= COSIM_PROGRESS_STEPS;
  const double span = fmax(remaining, self->now->t);
  control->progress.t = self->now->t;
  control->progress.steps = 0;
  control->progress.repeated = self->others.repeated;
  if (gained * (is_doubtful ? cosim_repeated_limit : cosim_step_limit) >= COSIM_PROGRESS_STEPS * span)
    return SEAM_OK;
  const cosim_partition *partition = &self->partition;
  const int of_master = self->engine->master == NULL ? -1 : self->engine->master->law_kink.coupling;
  const char *coupling = NULL; /* first coupling whose law has kinks, or had one in the last step */
  for (const cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++)
    if (coupling == NULL && (cut->law.base.has_kinks || (of_master >= 0 && cut->master_index == of_master)))
      coupling = cut->base.name;
  self->is_broken = true;
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: the last %d controlled macro steps advance the time by only %.3g s in all%s%s%s, or "
                   "take %sa larger 'tolerance' under 'step_control'",
                   self->now->t, COSIM_PROGRESS_STEPS, gained,
                   coupling == NULL ? ": look for a force that jumps" : ", and the law of '",
                   coupling == NULL ? "" : coupling,
                   coupling == NULL ? "" : "' has kinks or jumps: make jumps steep slopes, cut at other elements",
                   higher_order(&control->rule));
}

seam_status cosim_advance_controlled(cosim_simulation *self, double end, seam_error *error) {
  ARGUMENTS(error, self);
  cosim_control *control = &self->control;
  const double remaining = end - self->now->t;
  if (!(remaining > 0 && isfinite(remaining)))
    return seam_fail(error, SEAM_BAD_INPUT, "a macro step must end after the present time, t = %.9g s", self->now->t);
  TRY(cosim_simulation_check(self, error));
  const planned_step plan = plan_step(self, remaining);
  if (self->definition.step_control == NULL)
    return cosim_advance(self, plan.H, error);
  const double shortest = cosim_shortest_piece * self->definition.options.macro_step;
  /* cosim_length_by_error() checks steps controlled by the local error. */
  if (!self->is_by_error && !(control->rule.shortest > 0) && !(plan.usual >= shortest)) {
    seam_error cause = {0};
    seam_fail(&cause, SEAM_NOT_CONVERGED,
              "the step control asks for a macro step of %.3g s, which is too short, after an error of %.3g times "
              "the tolerance; take %sa larger 'tolerance', or set 'shortest' under 'step_control'",
              plan.usual, control->rule.before, higher_order(&control->rule));
    return cosim_fail_run(self, SEAM_NOT_CONVERGED, &cause, error);
  }
  double next = plan.H;
  if (cosim_follows_undivided(self, plan.H, plan.usual))
    TRY(cosim_simulation_step(self, plan.H, plan.usual, error));
  else if (self->is_by_error) {
    cosim_step_search search = {.checks_error = true};
    double H = plan.H;
    TRY(cosim_take_step(self, &search, &H, error));
    next = length_after_repetitions(self, &search, plan.H, H);
  } else {
    double indicator = 0;
    TRY(cosim_advance(self, plan.H, error));
    if (cosim_engine_indicate(self->engine, &control->rule, plan.H, &indicator))
      next = length_after(self, indicator, plan.H);
  }
  /* A step that an obstacle has shortened does not limit the next one; but a kink does. */
  control->next = plan.H < plan.usual && next >= plan.H ? fmax(next, plan.usual) : next;
  if (control->rule.follows_motion && self->now->t >= plan.kink - cosim_same_time * plan.H)
    control->next = fmin(control->next, first_length(self));
  return check_progress(self, end - self->now->t, error);
}
