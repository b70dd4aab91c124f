/* The macro steps of a mechanism, one after the other:
 *
 *   plan      a length up to the first known obstacle: a kink of a law of time, a sample, the end (macro_kinks.c);
 *             under step control the length follows from earlier steps (step_size.c)
 *   begin     the present state of the undivided mechanism becomes the state at the beginning
 *   advance   the engine predicts the coupling variables, advances the parts and corrects (engine.c)
 *   look      for an obstacle inside the step: an error that is too large (step_size.c), a cut contact or
 *             strand that opens or closes (cut_switches.c), an event of a part (part_events.c)
 *   shorten   roll back and repeat the step up to the obstacle, or
 *   accept    assemble the state of the undivided mechanism at the step's end, with energies and signals (whole.c),
 *             and continue after kinks, switches and events
 *   record    counts, and the length of the next step
 *
 * A repeated step starts from the image of the engine at its beginning: its result is bit-identical to that of a first
 * attempt. Until a step is accepted, only the engine advances. */
#include <math.h>

#include "base/argument.h"
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"
#include "mbs/integrate/kinks.h"

/* ---- Begin, advance ---- */

static void swap_states(cosim_simulation *self) {
  mbs_state *now = self->now;
  self->now = self->before;
  self->before = now;
  self->powers->are_known = self->powers->are_compared = false;
}

static seam_status begin_step(cosim_simulation *self, double H, seam_error *cause) {
  cosim_exchange *exchange = self->engine->exchange;
  swap_states(self);
  const double end = self->before->t + H, same = fmax(cosim_same_time * H, mbs_same_time(end));
  exchange->ends_at_jump = exchange->gauss_seidel && cosim_kink_or_jump_after(self, end - same) <= end + same;
  return cosim_check_cut_motions(self, self->before->t, end, cause);
}

/* ---- Look, shorten ---- */

static void begin_search(cosim_simulation *self, cosim_step_search *search, double wanted) {
  *search = (cosim_step_search){.wanted = wanted,
                                .usual = search->checks_error ? wanted : search->usual,
                                .checks_error = search->checks_error,
                                .cause = search->cause,
                                .switches.high = INFINITY,
                                .events.widen = cosim_same_time};
  cosim_part_events_begin(self, search->usual);
}

/* Takes a step of length *H, or up to the first obstacle, in the engine only; sets *H to the length taken. */
static seam_status find_step(cosim_simulation *self, cosim_step_search *search, double *H, seam_error *cause) {
  /* Steps end at switches only if nothing is exchanged, at events only with user parts: never at both. */
  static cosim_obstacle *const obstacles[] = {cosim_length_by_error, cosim_length_by_switches, cosim_length_by_events};
  const bool repeats = search->checks_error || self->ends_at_switches || self->ends_at_part_events;
  search->cause = cause;
  begin_search(self, search, *H);
  if (repeats)
    cosim_exchange_save(self->engine->exchange, self->begin_image);
  for (;;) {
    double length = 0; /* s, length up to the first obstacle; 0: no obstacle */
    if (search->checks_error) {
      self->control.early_indicator = 0;
      self->control.checks_early = self->stages > 0;
    }
    search->status = begin_step(self, *H, cause);
    THEN(search->status, cosim_engine_advance(self->engine, *H, cause));
    for (int i = 0; i < 3 && repeats && length == 0; i++)
      length = obstacles[i](self, search, *H);
    if (length == 0 && search->status == SEAM_OK)
      return SEAM_OK;
    swap_states(self); /* back to the beginning, also in the engine and its counts */
    if (length == 0)
      return search->status;
    self->others.repeated++;
    self->others.macro_steps -= search->status == SEAM_OK;
    TRY(cosim_engine_restore(self->engine, self->begin_image, cause));
    if (search->switches.begins) { /* repeats the step from the state after the switch */
      search->switches.begins = false;
      self->others.switches++;
      cosim_master_cross_switch(self->engine->master);
      cosim_exchange_save(self->engine->exchange, self->begin_image);
    }
    *H = length;
    if (search->is_restarted)
      begin_search(self, search, length);
  }
}

static void accept(cosim_simulation *self, double H) {
  const double same = fmax(cosim_same_time * H, mbs_same_time(self->now->t));
  const cosim_master *master = self->engine->master;
  cosim_statistics *count = &self->others;
  cosim_simulation_assemble(self, H);
  bool has_kink = master != NULL && master->law_kink.coupling >= 0;
  for (size_t k = 0; k < self->partition.n_cuts; k++) { /* finds kinks of laws whose schemes do not search for them */
    const cosim_element_cut *cut = &self->partition.cuts[k];
    const cosim_element *element = &cut->law.base;
    if (!element->has_kinks || element->switches || cut->base.scheme.method == COSIM_COLLOCATION)
      continue;
    cosim_motion before[2];
    cosim_marker_motions(&self->partition, cut, self->before, before);
    has_kink |= cosim_law_has_kink(element, before, cut->now.snapshot.motion);
  }
  count->law_kinks += has_kink;
  cosim_simulation_copy_signals(self);
  if (self->definition.step_control != NULL)
    cosim_control_record_motion(self, H);
  cosim_cross_kinks(self);
  cosim_switches_update(self);
  cosim_part_events_handle(self, H);
  count->with_kinks += cosim_kink_after(self, self->before->t + same) < self->before->t + H - same;
  self->has_advanced = true;
  count->shortest = count->shortest > 0 ? fmin(count->shortest, H) : H;
  count->longest = fmax(count->longest, H);
}

/* ---- Failures ---- */

seam_status cosim_simulation_check(const cosim_simulation *self, seam_error *error) {
  if (!self->has_started)
    return seam_fail(error, SEAM_BAD_STATE, "the co-simulation has no state: start or restore it first");
  if (!self->is_broken)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_STATE,
                   "t = %.9g s: the last macro step failed: start the co-simulation again or restore a state first",
                   self->now->t);
}

/* Advice on schemes is left out if the status has other causes. In the first step a scheme cannot be unstable yet: a
 * value that is not finite then has other causes. */
seam_status cosim_fail_run(cosim_simulation *self, seam_status status, const seam_error *cause, seam_error *error) {
  const char *advice = "; if the co-simulation is unstable, take a smaller macro step or another scheme";
  bool prescribes_accelerations = false;
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    for (int side = 0; side < 2; side++)
      prescribes_accelerations |= cosim_scheme_drives(&self->partition.cuts[k].base.scheme, side, COSIM_ACCELERATION);
  if (status == SEAM_NOT_CONVERGED && self->model->n_stick_rows > 0)
    advice = "; where joints with hard friction stick or slip, take a scheme with one corrector, such as ff-index2-k1";
  else if (status == SEAM_NOT_CONVERGED || status == SEAM_NO_MEMORY || status == SEAM_INTERRUPTED ||
           status == SEAM_BAD_INPUT || status == SEAM_FMU_FAILED || (status == SEAM_NOT_FINITE && !self->has_advanced))
    advice = "";
  else if ((status == SEAM_SINGULAR || status == SEAM_BECAME_SINGULAR) && prescribes_accelerations)
    advice = "; the scheme prescribes accelerations of subsystems, which may be singular although the undivided "
             "mechanism is not: take a force/force scheme such as ff-colloc-s3";
  self->is_broken = true;
  return seam_fail(error, status == SEAM_SINGULAR ? SEAM_BECAME_SINGULAR : status,
                   "t = %.9g s: the macro step from here fails: %s%s", self->now->t, cause->message, advice);
}

/* ---- Steps ---- */

seam_status cosim_take_step(cosim_simulation *self, cosim_step_search *search, double *H, seam_error *error) {
  seam_error cause = {0};
  seam_status status = SEAM_OK;
  if (!search->checks_error &&
      cosim_follows_undivided(self, *H, search->usual)) { /* too short for coupling conditions */
    status = begin_step(self, *H, &cause);
    THEN(status, cosim_prescribe_from_undivided(self, *H, &cause));
    if (status != SEAM_OK)
      swap_states(self);
  } else
    status = find_step(self, search, H, &cause);
  if (status != SEAM_OK)
    return cosim_fail_run(self, status, &cause, error);
  accept(self, *H);
  return SEAM_OK;
}

seam_status cosim_simulation_step(cosim_simulation *self, double H, double usual, seam_error *error) {
  cosim_step_search search = {.usual = usual};
  return cosim_take_step(self, &search, &H, error);
}

seam_status cosim_advance_smooth(cosim_simulation *self, double H, double remaining, seam_error *error) {
  ARGUMENTS(error, self);
  if (!(H > 0 && isfinite(H) && remaining > 0 && isfinite(remaining)))
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %g s and remaining time %g s must be positive and finite", H,
                     remaining);
  TRY(cosim_simulation_check(self, error));
  const double sample = cosim_sample_after(self);
  const double length = cosim_length_to_kink(self, remaining, H);
  const seam_status status = cosim_simulation_step(self, length, H, error);
  self->is_at_kink =
      self->now->t >= sample || (length != remaining && fabs(length - remaining) <= cosim_sum_rounding(self, H));
  return status;
}

seam_status cosim_advance(cosim_simulation *self, double H, seam_error *error) {
  ARGUMENTS(error, self);
  const double begin = self->now->t;
  double remaining = H;
  do {
    const double t = self->now->t;
    TRY(cosim_advance_smooth(self, H, remaining, error));
    remaining = cosim_has_reached(self, H, t + remaining) ? 0 : begin + H - self->now->t;
  } while (remaining > 0);
  return SEAM_OK;
}
