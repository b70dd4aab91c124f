/* Kinks of laws of time, and how an integrator passes kinks, switches and singular configurations: the method ends a
 * step at each of them and restarts.
 *
 * Positions are continuous at a kink. If a prescribed rate f' jumps from f'⁻ to f'⁺, constraint impulses Λ make the
 * velocities jump. With the masses M and the Jacobian G of the constraints,
 *
 *   M (v⁺ - v⁻) = -Gᵀ Λ,   G v⁺ = f'⁺     so that     v⁺ = v⁻ - M⁻¹ Gᵀ S⁻¹ (G v⁻ - f'⁺),   S = G M⁻¹ Gᵀ
 *
 * which is the projection of dynamics.c ([Pfeiffer-Glocker], impulsive motion of bilateral constraints). Only impulses
 * of prescribed motions do work:
 *
 *   -Λᵀ (f'⁻ + f'⁺) / 2 = (v⁺ᵀ M v⁺ - v⁻ᵀ M v⁻) / 2 */
#include "mbs/integrate/kinks.h"

#include <math.h>
#include <string.h>

#include <seam/events.h>

#include "base/note.h"
#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/integrator_internal.h"
#include "mbs/model/friction.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/output/readout.h"
#include "mbs/thresholds.h"

/* ---- Kinks of laws ---- */

static const seam_kink none = {INFINITY, INFINITY};

/* Returns next(data, t), or `none` if next() is NULL or does not return a kink after t. */
static seam_kink kink_after(seam_kink (*next)(const void *data, double t), const void *data, double t) {
  const seam_kink kink = next != NULL ? next(data, t) : none;
  return kink.at > t && kink.before <= kink.at ? kink : none;
}

seam_kink mbs_next_kink_of(const seam_law *law, double t) {
  return kink_after(law->value != NULL ? law->next_kink : NULL, law->data, t);
}

static seam_kink kink_of_function(const mbs_function *f, double t) {
  return kink_after(f->value != NULL ? f->next_kink : NULL, f->data, t);
}

static seam_kink earlier(seam_kink a, seam_kink b) { return b.at < a.at ? b : a; }

/* Returns the first kink after t of all laws of time, functions of quantities, and measures that they read. */
static seam_kink kink_of_laws(const mbs_model *model, double t) {
  seam_kink first = none;
  for (int j = 0; j < model->n_joints; j++)
    first = earlier(first, mbs_next_kink_of(&model->joints[j].law, t));
  for (int i = 0; i < model->n_forces; i++)
    for (int k = 0; k < 2; k++)
      first = earlier(first, mbs_next_kink_of(&model->forces[i].load[k], t));
  for (int i = 0; i < mbs_n_responses(&model->laws); i++)
    first = earlier(first, kink_of_function(&mbs_response_of(&model->laws, i)->function, t));
  for (int phase = 0; phase < MBS_EVAL_PHASES && mbs_n_responses(&model->laws) > 0; phase++) {
    const mbs_readout *readout = model->laws.at[phase].readout;
    for (int i = 0; i < readout->n_measures; i++)
      first = earlier(first, kink_of_function(&model->measures[readout->measures[i]].function, t));
  }
  return first;
}

/* A sample reads laws after all kinks at its time k T. By round-off of k T a condition of a law may change just before
 * (t < k T) or just after it (t <= k T). So the sample and all kinks near its time become one kink. */
seam_kink mbs_next_kink(const mbs_model *model, double t) {
  enum { MOST = 10 };
  if (model == NULL || isnan(t))
    return none;
  const double sample = mbs_next_sample(model, t);
  seam_kink first = kink_of_laws(model, t);
  if (!isfinite(sample) || !(fabs(first.at - sample) <= mbs_same_time(sample)))
    return earlier(first, (seam_kink){.before = sample, .at = sample});
  for (int i = 0; i < MOST; i++) {
    const double next = kink_of_laws(model, first.at).at;
    if (!(next - sample <= mbs_same_time(sample)))
      break;
    first.at = next;
  }
  return (seam_kink){.before = fmin(first.before, sample), .at = fmax(first.at, sample)};
}

seam_kink mbs_begin_smooth(mbs_workspace *ws, double t) {
  const seam_kink next = mbs_next_kink(ws->model, t);
  ws->smooth.from = t;
  ws->smooth.to = next.before;
  return next;
}

void mbs_set_laws_before(mbs_workspace *ws, double t) {
  ws->smooth.from = -INFINITY;
  ws->smooth.to = nextafter(t, -INFINITY);
}

seam_status mbs_check_kink(const mbs_model *model, const mbs_joint *joint, const seam_kink *kink, seam_error *error) {
  const double after = mbs_joint_prescribed_law(joint, kink->at).value;
  const double jump = after - mbs_joint_prescribed_law(joint, kink->before).value;
  if (fabs(jump) <= mbs_kink_jump * model->size + mbs_kink_jump_far * fabs(after))
    return SEAM_OK;
  if (!isfinite(after))
    return seam_fail(error, SEAM_CONSTRAINT_LOST,
                     "t = %.9g s: joint '%s' cannot follow its law, which is not a finite number from this time on: "
                     "check its expression",
                     kink->at, joint->name);
  return seam_fail(
      error, SEAM_CONSTRAINT_LOST,
      "t = %.9g s: joint '%s' cannot follow its law, which jumps by %.6g: replace the jump by a steep slope", kink->at,
      joint->name, jump);
}

/* ---- Passing a kink or a switch ---- */

/* Counts in *n_close successive kinks or switches that are close to their predecessors. The one at the time `at` is
 * close if it counts as later than its predecessor at *last (is_after) and at - *last <= close; otherwise *n_close
 * becomes 0. Sets *last to `at`. Returns true if *n_close is at most `most`. */
static bool count_close(double at, bool is_after, double close, size_t most, double *last, size_t *n_close) {
  const bool is_close = is_after && at - *last <= close;
  *n_close = is_close ? *n_close + 1 : 0;
  *last = at;
  return *n_close <= most;
}

/* Returns the length of the run, s, up to the latest end that is known at the time `at`. */
static double time_of_run(const mbs_integrator *self, double at) {
  const double stop = self->times.stop;
  return fmax(fmax(at, self->target), isfinite(stop) ? stop : at) - self->times.start;
}

/* Fails, naming the joint or force element whose law has too many kinks within almost no time. */
static seam_status refuse_kink(const mbs_model *model, const seam_kink *kink, seam_error *error) {
  const char *kind = "force";
  const char *name = "";
  double first = INFINITY;
  for (int j = 0; j < model->n_joints; j++) {
    const double at = mbs_next_kink_of(&model->joints[j].law, kink->before).at;
    if (at < first)
      first = at, kind = "joint", name = model->joints[j].name;
  }
  for (int i = 0; i < 2 * model->n_forces; i++) {
    const mbs_force *force = &model->forces[i / 2];
    const double at = mbs_next_kink_of(&force->load[i % 2], kink->before).at;
    if (at < first)
      first = at, kind = "force", name = force->name;
  }
  return seam_fail(error, SEAM_STEP_FAILED,
                   "t = %.9g s: the law of %s '%s' switches between its branches again and again within almost no "
                   "time, because its condition is zero except for rounding: write the condition in another form",
                   kink->at, kind, name);
}

/* Fails with SEAM_CONSTRAINT_LOST if the free length of a hard cable jumps below the length of its path, or, for a
 * two-sided cable, above it. */
static seam_status check_cables(mbs_workspace *ws, const seam_kink *kink, const mbs_state *state, seam_error *error) {
  mbs_stage_kinematics(ws, state->q, state->v);
  for (int k = 0; k < ws->model->n_hard; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    if (force->cable == NULL || force->cable->length.value == NULL)
      continue;
    const double gap = mbs_cable_slack_of(force, ws->frames, state->z, kink->at).gap;
    if ((mbs_is_two_sided(force) ? fabs(gap) : -gap) > mbs_kink_jump * ws->model->size)
      return seam_fail(
          error, SEAM_CONSTRAINT_LOST,
          "t = %.9g s: cable '%s' cannot follow its length, which jumps by %.6g m: replace the jump by a steep slope",
          kink->at, force->name, gap);
  }
  return SEAM_OK;
}

/* Changes `now` from the state just before the kink times.next to the state just after it. Adds the work of constraint
 * impulses to that of prescribed motions, work[1]. Then updates modes of contacts, samples, and modes of friction. */
static seam_status pass_kink(mbs_integrator *self, mbs_state *now, seam_error *error) {
  const mbs_model *model = self->model;
  mbs_workspace *ws = self->ws;
  mbs_times *times = &self->times;
  const seam_kink kink = times->next;
  mbs_state_copy(self->before_kink, now);
  const double close = fmax(mbs_endless_kinks * time_of_run(self, kink.at), mbs_close_kinks * fabs(kink.at));
  /* an argument that is zero up to round-off may change its sign without end; each change causes a kink */
  if (!count_close(kink.at, kink.at > times->last, close, MBS_MAX_CLOSE_KINKS, &times->last, &times->n_close))
    return refuse_kink(model, &kink, error);
  bool motion_jumps = false; /* a prescribed motion or its rate jumps */
  for (int j = 0; j < model->n_joints; j++) {
    const seam_jet before = mbs_joint_prescribed_law(&model->joints[j], kink.before);
    const seam_jet after = mbs_joint_prescribed_law(&model->joints[j], kink.at);
    motion_jumps |= after.value != before.value || after.d[0] != before.d[0];
    TRY(mbs_check_kink(model, &model->joints[j], &kink, error));
  }
  bool length_jumps = false; /* the rate of the free length of a hard cable jumps */
  for (int k = 0; k < model->n_hard; k++) {
    const mbs_cable *cable = model->forces[model->hard[k]].cable;
    length_jumps = length_jumps || (cable != NULL && mbs_cable_free_length(cable, kink.before).d[0] !=
                                                         mbs_cable_free_length(cable, kink.at).d[0]);
  }
  TRY(check_cables(ws, &kink, now, error));
  if (length_jumps && ws->unilateral->drifts) { /* drift would count as impacts */
    mbs_load_stick_states(ws, now->z);
    TRY(mbs_project(ws, now->t, now->q, now->v, error));
  }
  times->next = mbs_begin_smooth(ws, kink.at);
  now->t = kink.at;
  if (motion_jumps) {
    const double before = mbs_kinetic_energy(model, now->v);
    TRY(mbs_project(ws, now->t, now->q, now->v, error));
    now->work[1] += mbs_kinetic_energy(model, now->v) - before;
  }
  if (model->n_hard > 0) {
    const bool drifts = ws->unilateral->drifts;
    ws->unilateral->drifts = false; /* the state has been projected */
    ws->unilateral->is_due = length_jumps;
    const seam_status status = mbs_enter_modes(ws, now, false, error);
    ws->unilateral->drifts = drifts;
    TRY(status);
  }
  TRY(mbs_sample(ws, now, error));
  return mbs_resolve_friction_modes(ws, now, error);
}

seam_status mbs_integrator_restart_step(mbs_integrator *self, double begin, double end, seam_error *error) {
  const seam_progress progress = self->integrator->progress;
  double reached;
  seam_status status = seam_integrator_advance(self->integrator, begin, self->y_step, &reached, error);
  seam_step_memory memory = seam_integrator_step_memory(self->integrator);
  memory.next_step = end - begin;
  memory.is_after_jump = begin == self->times.last_switch;
  THEN(status, seam_integrator_restart(self->integrator, begin, self->y_step,
                                       mbs_integrator_length(self, self->n_extra), &memory, error));
  self->integrator->progress = progress;
  seam_integrator_set_stop(self->integrator, end);
  return status;
}

void mbs_extrapolate(const mbs_workspace *ws, double h, mbs_state *state) {
  const mbs_model *model = ws->model;
  for (int i = 0; i < 3 * model->n_bodies; i++) {
    state->q[i] += h * (state->v[i] + h / 2 * state->a[i]);
    state->v[i] += h * state->a[i];
  }
  for (int i = 0; i < model->switching.first_mode; i++)
    state->z[i] += h * ws->z_rates[i];
}

static bool repeats(const mbs_integrator *self) {
  const mbs_times *times = &self->times;
  return times->switching != 0 && self->repeats && times->next.before > times->step;
}

bool mbs_integrator_stops_at_corner(const mbs_integrator *self) {
  return repeats(self) && mbs_is_corner(&self->finder, (int)self->times.switching - 1);
}

static seam_status pass_switch(mbs_integrator *self, mbs_state *now, seam_error *error) {
  mbs_times *times = &self->times;
  const int number = (int)times->switching - 1;
  const double at = times->next.at;
  const size_t most = self->model->n_hard > 0 ? MBS_MAX_CLOSE_SWITCHES : MBS_MAX_CLOSE_KINKS;
  const bool goes_on = count_close(at, at >= times->last_switch, mbs_endless_switches * time_of_run(self, at), most,
                                   &times->last_switch, &times->n_close_switches);
  const bool halves = !goes_on && !mbs_root_finder_ignore(&self->finder, number);
  /* a first step that is too long may end even the right mode at once: halves this step */
  times->n_halvings = halves ? times->n_halvings + 1 : 0;
  if (times->n_halvings > MBS_MAX_HALVINGS_AT_SWITCH)
    return seam_fail(error, SEAM_STEP_FAILED,
                     "t = %.9g s: '%s' switches again and again within almost no time: make it compliant with damping "
                     "if it is hard, place it elsewhere, or end the run before this time",
                     at, mbs_root_finder_name(self, number));
  now->t = at;
  times->switched = times->switching;
  times->switching = 0;
  times->next = mbs_begin_smooth(self->ws, at);
  return mbs_pass_switch(self->ws, number, now, error);
}

seam_status mbs_integrator_pass(mbs_integrator *self, double *y, seam_error *error) {
  mbs_times *times = &self->times;
  const bool is_switch = times->switching != 0;
  const bool is_corner = is_switch && mbs_is_corner(&self->finder, (int)times->switching - 1);
  const bool stops_at_corner = mbs_integrator_stops_at_corner(self);
  const seam_progress progress = self->integrator->progress;
  mbs_state *now = self->now;
  seam_step_memory memory = {0};
  if (is_switch) {
    /* `before` is the time from the beginning of the last step to this switch. The next one may follow as soon, so
     * `before` limits the next step. Error tests do not limit steps in a free flight, where any step is exact; in a
     * very long step, round-off would hide the next switch. */
    const double before = isnan(times->last_switch) ? 0 : times->next.at - times->step;
    memory = stops_at_corner ? times->memory : seam_integrator_step_memory(self->integrator);
    memory.next_step = before > 0 ? fmin(memory.next_step, mbs_growth_after_switch * before) : memory.next_step;
    memory.is_after_jump = 1;
  }
  if (repeats(self) && !is_corner) {
    double reached;
    TRY(mbs_integrator_restart_step(self, times->step, times->next.at, error));
    TRY(seam_integrator_advance(self->integrator, times->next.at, y, &reached, error));
  }
  mbs_integrator_read_y(self, times->next.before, y, now);
  self->evaluated.in_workspace = false;
  self->has_inside = false;
  if (stops_at_corner ||
      (is_corner && times->next.before <= times->begin)) { /* y is still before the corner: moves it beyond */
    times->next.at = mbs_end_of_corner(self, (int)times->switching - 1, now);
    TRY(mbs_accelerate(self->ws, now, error));
    /* also moves velocities, since the argument of the corner may be a velocity */
    mbs_extrapolate(self->ws, times->next.at - times->next.before, now);
  }
  const seam_kink kink = times->next;
  TRY(is_switch ? pass_switch(self, now, error) : pass_kink(self, now, error));
  if (self->ggl != NULL) {
    TRY(mbs_accelerate(self->ws, now, error));
    mbs_ggl_pack(self->ggl, now, y);
  } else
    memcpy(y, now->q, mbs_integrator_length(self, 0) * sizeof *y);
  times->begin = kink.at;
  self->finder.begin_time = NAN;
  const seam_status status =
      seam_integrator_restart(self->integrator, kink.at, y, mbs_integrator_length(self, self->n_extra), &memory, error);
  mbs_integrator_apply_stop(self);
  if (is_corner) /* does not count as progress: a motion that stays at a jump of a law passes corners without end */
    self->integrator->progress = progress;
  return status == SEAM_OK ? mbs_integrator_report_impacts(self, now, error) : status;
}

seam_status mbs_integrator_pass_singularity(mbs_integrator *self, seam_error *error) {
  const double end = mbs_crossing_end(self->crossing);
  const double stop = self->times.stop;
  const seam_step_memory memory = seam_integrator_step_memory(self->integrator);
  seam_note(
      "t = %.9g s: the motion passes the singular configuration of joint '%s'; behind it several motions are possible, "
      "and the run takes the one with continuous velocities",
      end, mbs_crossing_joint(self->crossing));
  mbs_crossing_state(self->crossing, end, self->now);
  const seam_status status = mbs_integrator_restart(self, self->now, self->n_extra, NULL, &memory, error);
  mbs_integrator_set_stop(self, stop);
  return status;
}

/* ---- Kinks and corners of watched functions ---- */

static seam_kink find_watched(mbs_integrator *self, double from, double to) {
  mbs_watch *watch = &self->watch;
  seam_kink kink = none;
  seam_kink corner = none;
  int number = 0;
  for (int i = 0; i < mbs_n_watched(self->model); i++) {
    const mbs_watched watched = mbs_watched_of(self->model, i);
    kink = watched.function != NULL ? earlier(kink, kink_of_function(watched.function, from)) : kink;
  }
  bool stays = self->watched.n > 0;
  while (stays) { /* ignores corners at which the motion stays */
    corner = mbs_find_watched_corner(self, from, fmin(to, kink.before), &number);
    stays = isfinite(corner.at) &&
            !count_close(corner.at, corner.at >= watch->last, mbs_endless_switches * time_of_run(self, corner.at),
                         MBS_MAX_CLOSE_KINKS, &watch->last, &watch->n_close) &&
            mbs_root_finder_ignore(&self->watched, number);
  }
  const seam_kink first = corner.at < kink.at ? corner : kink;
  const double at = fmax(first.at, nextafter(from, INFINITY));
  return first.before < to ? (seam_kink){first.before, fmin(at, to)} : none;
}

seam_kink mbs_integrator_watched_kink(mbs_integrator *self, double from, double to) {
  mbs_watch *watch = &self->watch;
  if (mbs_n_watched(self->model) == 0 || !(from < to) || mbs_integrator_is_crossing(self, from))
    return none;
  if (!(watch->end == to && from >= watch->from && from < watch->next.at)) {
    watch->next = find_watched(self, from, to);
    watch->from = from;
    watch->end = to;
  }
  return watch->next;
}

/* ---- Kinks that are samples ---- */

bool mbs_integrator_is_sample_at(const mbs_integrator *self, double t) {
  const double at = self->times.next.at;
  const double sample = mbs_next_sample(self->model, self->times.begin);
  return self->times.switching == 0 && at > t && at >= sample && at - sample <= mbs_same_time(sample) &&
         mbs_next_sample(self->model, t) > at;
}

void mbs_integrator_apply_stop(mbs_integrator *self) {
  const bool is_at_sample = mbs_integrator_is_sample_at(self, self->times.stop);
  const bool is_alone = self->times.next.before == self->times.next.at; /* no law has a kink at the sample */
  if (is_at_sample && is_alone)
    self->times.next = (seam_kink){.before = self->times.stop, .at = self->times.stop};
  const double next = mbs_integrator_stops_at_corner(self) ? self->times.next.before : self->times.next.at;
  seam_integrator_set_stop(self->integrator, is_at_sample ? next : fmin(self->times.stop, next));
}

/* ---- Impacts of the last switch ---- */

void mbs_integrator_set_impact_listener(mbs_integrator *self,
                                        seam_status (*hear)(void *context, const mbs_impact_event *impact,
                                                            const mbs_state *state, seam_error *error),
                                        void *context) {
  if (self != NULL)
    self->listener = (mbs_impact_listener){hear, context};
}

seam_status mbs_integrator_report_impacts(const mbs_integrator *self, const mbs_state *state, seam_error *error) {
  const mbs_unilateral *of = self->ws->unilateral;
  for (int k = 0; of != NULL && self->listener.hear != NULL && k < of->n; k++) {
    const mbs_impact_result *impact = &of->impact[k];
    if (!(fabs(impact->normal) > 0))
      continue;
    const size_t force = (size_t)self->model->hard[k];
    const mbs_impact_event event = {.force = force,
                                    .time = state->t,
                                    .normal = impact->normal,
                                    .tangential = impact->tangential,
                                    .loss = impact->loss,
                                    .count = mbs_impact_record_of(self->model, state, force).count};
    TRY(self->listener.hear(self->listener.context, &event, state, error));
  }
  return SEAM_OK;
}
