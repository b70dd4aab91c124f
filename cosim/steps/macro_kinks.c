/* Macro steps end at kinks of laws of time, since schemes assume smooth motions. A macro step with kinks inside is
 * divided into shorter ones. A kink close to a macro point leaves a short step of length δ.
 *
 * A short step is an ordinary step with collocation at force elements, since their forces follow from the motion. At
 * joints, round-off and earlier steps leave a gap ε. To close it within δ, multipliers would be of size ε/δ². In a
 * short step all coupling variables w therefore follow the motion of the undivided mechanism. Let q, v and a be its
 * positions, velocities and accelerations at the beginning:
 *
 *   w(τ) = w0 + τ (w1 - w0),   w0 at (q, v),   w1 at (q + δ v + δ²/2 a, v + δ a).
 *
 * Velocities then have an error of order δ³. Schemes that extrapolate past values cannot take short steps: close kinks
 * remain inside their steps.
 *
 * Macro steps also end at every sample k T of parts in discrete time. A macro point that misses a kink or sample only
 * by the round-off of summed step lengths is shifted to it. Samples of a part with bodies may depend on signals of
 * other subsystems, directly or through accelerations and reactions. If an exchange transmits these signals, macro
 * steps end at the samples of this part too. The samples are then taken again with the signals at the step's end. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/then.h"
#include "cosim/parts/part.h"
#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/kinks.h"
#include "mbs/model/model.h"

/* ---- The next kink ---- */

double cosim_kink_after(cosim_simulation *self, double t) {
  if (!(t >= self->next_kink.from && t < self->next_kink.at)) {
    self->next_kink.from = t;
    self->next_kink.at = mbs_next_kink(self->model, t).at;
  }
  return self->next_kink.at;
}

/* Checks only laws that drive cut joints; parts check the laws of joints inside subsystems. */
seam_status cosim_check_cut_motions(const cosim_simulation *self, double t, double end, seam_error *cause) {
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    const cosim_element_cut *cut = &self->partition.cuts[k];
    const mbs_joint *joint = cut->is_joint ? &self->model->joints[cut->element] : NULL;
    if (joint == NULL || !joint->type->is_rheonomic)
      continue;
    for (seam_kink kink = mbs_next_kink_of(&joint->law, t); kink.at <= end;
         kink = mbs_next_kink_of(&joint->law, kink.at))
      TRY(mbs_check_kink(self->model, joint, &kink, cause));
  }
  return SEAM_OK;
}

/* ---- Steps that end at kinks ---- */

static double length_to(double t, double kink) {
  double length = kink - t;
  while (t + length < kink)
    length = nextafter(length, INFINITY);
  return length;
}

double cosim_sum_rounding(const cosim_simulation *self, double H) {
  const double t = fabs(self->now->t);
  return fmin(cosim_rounding_of_sums * H, fmax(mbs_same_time(t), DBL_EPSILON * t * (t / H)));
}

double cosim_kink_or_jump_after(cosim_simulation *self, double t) {
  double first = cosim_kink_after(self, t);
  for (size_t s = 0; s < self->partition.n_subsystems && self->partition.by_exchange; s++) {
    const cosim_ode_def *ode = cosim_ode_part_def(self->partition.parts[s], NULL);
    if (ode != NULL && ode->next_kink != NULL)
      first = fmin(first, ode->next_kink(ode->context, t).at);
  }
  return first;
}

/* Returns the length up to a kink that differs from the end by round-off only; else `remaining`. */
static double length_to_end(cosim_simulation *self, double remaining, double H) {
  const double t = self->now->t;
  const double end = t + remaining;
  const double rounding = cosim_sum_rounding(self, H);
  double kink = cosim_kink_or_jump_after(self, t + mbs_same_time(end));
  if (kink < end - rounding)
    kink = cosim_kink_or_jump_after(self, end - rounding);
  return kink <= end + fmax(cosim_same_time * remaining, rounding) ? length_to(t, kink) : remaining;
}

double cosim_sample_after(const cosim_simulation *self) {
  double inside = INFINITY; /* s, next sample of a part with bodies that reads signals of other subsystems */
  const cosim_partition *partition = &self->partition;
  for (size_t k = 0; k < partition->n_mechanical && partition->by_exchange && !self->has_fixed_steps; k++)
    if (cosim_multibody_samples_inputs(partition->mechanical[k]))
      inside = fmin(inside, cosim_multibody_next_sample(partition->mechanical[k], self->now->t));
  return fmin(inside, cosim_exchange_next_sample(self->engine->exchange));
}

double cosim_length_to_sample(const cosim_simulation *self, double remaining, double H) {
  const double t = self->now->t;
  const double sample = cosim_sample_after(self);
  return sample > t && sample <= t + remaining + cosim_rounding_of_sums * H ? length_to(t, sample) : remaining;
}

bool cosim_has_reached(const cosim_simulation *self, double H, double end) {
  if (self == NULL)
    return false;
  return self->now->t >= end - (self->is_at_kink ? cosim_rounding_of_sums * H : 0);
}

double cosim_length_to_kink(cosim_simulation *self, double remaining, double H) {
  if (self->has_fixed_steps)
    return self->partition.by_exchange ? cosim_length_to_sample(self, remaining, H) : remaining;
  if (self->partition.by_exchange)
    remaining = cosim_length_to_sample(self, remaining, H);
  if (self->partition.by_exchange && !self->ends_at_kinks) /* kinks stay inside: extrapolations use equal steps */
    return length_to_end(self, remaining, H);
  double near = 0;
  if (self->stages == 0)
    near = H * (self->has_joint_with_past ? cosim_near_kink_at_joints : cosim_near_kink);
  /* Kinks closer than `near` to t or `end` do not end the step. */
  const double t = self->now->t;
  const double end = t + remaining;
  const double at_end = fmax(cosim_same_time * remaining, cosim_sum_rounding(self, H));
  const double kink = cosim_kink_or_jump_after(self, t + fmax(mbs_same_time(end), near));
  return kink < end - fmax(at_end, near) ? length_to(t, kink) : length_to_end(self, remaining, H);
}

/* ---- After kinks ---- */

seam_status cosim_repeat_first_samples(cosim_simulation *self, seam_error *error) {
  const cosim_partition *partition = &self->partition;
  const mbs_laws *laws = &self->model->laws;
  const double *first = self->model->initial + 6 * self->model->n_bodies + laws->first_state;
  seam_status status = SEAM_OK;
  bool some = false;
  for (size_t k = 0; k < partition->n_mechanical; k++)
    some |= cosim_multibody_samples_inputs(partition->mechanical[k]);
  if (!some || !partition->by_exchange)
    return SEAM_OK;
  /* A start from earlier results may have samples other than those of the model's initial state; they remain. */
  mbs_state_copy(self->scratch, self->now);
  double *z = self->scratch->z + laws->first_state;
  for (int i = 0; i <= laws->n_variables; i++) /* the last entry: time of the last sample */
    if (i == laws->n_variables || laws->variable[i].sample > 0)
      z[i] = first[i];
  if (mbs_sample(self->ws, self->scratch, NULL) != SEAM_OK ||
      memcmp(z, self->now->z + laws->first_state, (size_t)laws->n_variables * sizeof *z) != 0)
    return SEAM_OK;
  for (size_t k = 0; k < partition->n_mechanical; k++)
    cosim_multibody_undo_start_samples(partition->mechanical[k]);
  cosim_engine_set_inputs_before_samples(self->engine);
  for (size_t k = 0; k < partition->n_mechanical && status == SEAM_OK; k++)
    status = cosim_multibody_sample(partition->mechanical[k], error);
  cosim_engine_update(self->engine);
  return status;
}

void cosim_cross_kinks(cosim_simulation *self) {
  const cosim_partition *partition = &self->partition;
  const double near = cosim_same_time * (self->now->t - self->before->t);
  const double begin = self->before->t + (self->is_beyond_kink ? near : -near);
  self->is_beyond_kink = self->engine->exchange->was_sampled;
  for (size_t k = 0; k < partition->n_mechanical; k++) {
    self->crosses_kink[k] = cosim_multibody_cross_kink(partition->mechanical[k]);
    self->is_beyond_kink |= self->crosses_kink[k];
  }
  /* If variables at joints use past values, two more cases count as kinks: a kink inside the step, so close to one of
   * its ends that the step did not end there; and a switch of friction, a contact or a strand of a part, which may bend
   * forces at joints. */
  if (!self->is_beyond_kink && !(self->has_joint_with_past && (cosim_kink_after(self, begin) < self->now->t - near ||
                                                               cosim_has_switched_inside(self))))
    return;
  mbs_state_copy(self->end, self->now);
  for (const cosim_result_signal *at = partition->signals; at < partition->signals + partition->n_signals; at++)
    if (at->variable != SEAM_NONE && cosim_is_sampled(partition->parts[at->subsystem])) {
      const size_t state = mbs_variable_of(self->model, at->variable).state;
      self->end->z[state] = self->before->z[state]; /* `end` is the state before the sample */
    }
  bool samples = false; /* true: some part, whose step ended at a kink, must repeat its samples of inputs */
  for (size_t k = 0; k < partition->n_mechanical && partition->by_exchange; k++)
    samples |= self->crosses_kink[k] && cosim_multibody_samples_inputs(partition->mechanical[k]);
  if (samples) {
    for (size_t k = 0; k < partition->n_mechanical; k++)
      self->crosses_kink[k] = self->crosses_kink[k] && cosim_multibody_undo_samples(partition->mechanical[k]);
    cosim_engine_set_inputs_before_samples(self->engine);
    for (size_t k = 0; k < partition->n_mechanical; k++) /* the next step reports failures */
      if (self->crosses_kink[k])
        (void)cosim_multibody_sample(partition->mechanical[k], NULL);
  }
  cosim_simulation_follow_parts(self);
}

/* ---- Steps that follow the undivided mechanism ---- */

bool cosim_follows_undivided(const cosim_simulation *self, double H, double usual) {
  return self->has_joint && H < cosim_shortest_at_joints * usual && self->stages > 0;
}

seam_status cosim_prescribe_from_undivided(cosim_simulation *self, double H, seam_error *cause) {
  cosim_snapshot *begin = self->undivided_snapshots;
  cosim_snapshot *end = begin + self->partition.n_cuts;
  TRY(cosim_extrapolate_state(self, self->before, H, cause));
  cosim_simulation_sample_undivided(self, self->before, begin);
  cosim_simulation_sample_undivided(self, self->scratch, end);
  return cosim_engine_follow(self->engine, H, begin, end, cause);
}
