/* Error of a coupling scheme on an exactly known motion of the linearised mechanism (modal_release.c). The error is the
 * largest distance of the coupled subsystems from this motion, in the mass norm, divided by the motion's amplitude.
 * The time of comparison is the period of the slowest mode or, if this mode does not oscillate, 1/|s| with the mode's
 * eigenvalue s. The minimal coordinates z(t) of a subsystem give positions x, velocities v and accelerations a of its
 * markers by a constant matrix X (linearised_part.c):
 *
 *   x = X z,  v = X z',  a = X z''.
 *
 * At t = 0 all subsystems and cuts have their exact values, and exact past values at earlier macro points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"

enum { MAX_PAST = 4 };

/* Returns the exact motions and wrench of a cut at the time that analysis_modal_release_set_time() has set. */
static cosim_snapshot snapshot_of(const seam_linearised *self, size_t number) {
  cosim_snapshot now = {0};
  for (int side = 0; side < 2; side++) {
    const cosim_element_cut *cut = &self->partition.cuts[number];
    const analysis_linearised_part *part = &self->parts[cut->subsystem[side]];
    const int first = self->first[cut->subsystem[side]];
    cosim_motion *m = &now.motion[side];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < part->f; j++) {
        const double X = part->X[(3 * cut->port[side] + i) * part->f + j];
        m->x[i] += X * analysis_modal_release_z(self->modal_release, first + j, 0);
        m->v[i] += X * analysis_modal_release_z(self->modal_release, first + j, 1);
        m->a[i] += X * analysis_modal_release_z(self->modal_release, first + j, 2);
      }
  }
  analysis_modal_release_wrench(self->modal_release, number, now.wrench[0]);
  return now;
}

/* Sets a subsystem to its exact state at the time that analysis_modal_release_set_time() has set. `state` is
 * scratch. */
static void set_part(const seam_linearised *self, size_t s, double *state) {
  const analysis_modal_release *release = self->modal_release;
  const analysis_linearised_part *part = &self->parts[s];
  cosim_part *linear = self->linear[s];
  if (cosim_is_mechanical(&self->partition, s)) {
    for (int i = 0; i < 2 * part->f; i++)
      state[i] = analysis_modal_release_z(release, self->first[s] + i % part->f, i / part->f);
    for (int i = 0; i < part->n_w; i++)
      state[2 * part->f + i] = analysis_modal_release_w(release, part->w_of[i]);
  } else {
    const analysis_linearised_user *user = &self->recurrence.users[s];
    linear = self->recurrence.exchange->parts->member[self->recurrence.wiring->member_of[s]].part;
    for (int i = 0; i < user->n_states; i++)
      state[i] = analysis_modal_release_w(release, user->w_of[i]);
  }
  linear->ops->restore(linear, state);
}

/* Starts the master at time 0. The cuts that it couples get their exact past values at multiples of H. */
static seam_status begin_with_past(seam_linearised *self, cosim_master *master, double H, seam_error *error) {
  const size_t n_cuts = self->partition.n_cuts;
  cosim_snapshot *past = malloc((MAX_PAST * n_cuts + 1) * sizeof *past);
  if (past == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the error of a scheme");
  size_t n = 0;
  for (size_t i = 0; i < MAX_PAST * n_cuts; i++) {
    const size_t steps_back = i / n_cuts;
    analysis_modal_release_set_time(self->modal_release, -(double)steps_back * H);
    if (!self->partition.cuts[i % n_cuts].is_exchanged)
      past[n++] = snapshot_of(self, i % n_cuts);
  }
  analysis_modal_release_set_time(self->modal_release, 0);
  cosim_master_begin(master, 0, past, MAX_PAST);
  free(past);
  return SEAM_OK;
}

/* Sets all subsystems and couplings to their exact states at time 0, with exact past values at multiples of H. */
static seam_status begin(seam_linearised *self, double H, seam_error *error) {
  const analysis_recurrence *recurrence = &self->recurrence;
  cosim_exchange *exchange = recurrence->exchange;
  size_t n = 0; /* number of outputs of all members of the exchange */
  for (int m = 0; m < exchange->n; m++)
    n += (size_t)exchange->parts->member[m].part->n_outputs;
  double *state = calloc(recurrence->n + COSIM_MAX_PAST * n + 1, sizeof *state);
  if (state == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the error of a scheme");
  double *outputs = state + recurrence->n; /* (COSIM_MAX_PAST x n) outputs at the times -k H */
  seam_status status = SEAM_OK;
  for (int k = COSIM_MAX_PAST - 1; k >= 0 && status == SEAM_OK; k--) {
    double *to = outputs + (size_t)k * n;
    analysis_modal_release_set_time(self->modal_release, -k * H);
    for (size_t s = 0; s < self->partition.n_subsystems; s++)
      set_part(self, s, state);
    cosim_exchange_start(exchange, 0);
    status = cosim_exchange_evaluate(exchange, COSIM_AT_START, 0, error);
    for (int m = 0; m < exchange->n; to += exchange->parts->member[m++].part->n_outputs)
      memcpy(to, exchange->history[m].past, (size_t)exchange->parts->member[m].part->n_outputs * sizeof *to);
  }
  for (int k = 1; k < COSIM_MAX_PAST && status == SEAM_OK; k++) {
    const double *from = outputs + (size_t)k * n;
    for (int m = 0; m < exchange->n; from += exchange->parts->member[m++].part->n_outputs)
      cosim_exchange_remember(exchange, m, -k * H, from);
  }
  for (cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++) {
    /* links that smooth their signals start from these values */
    link->end_value = cosim_exchange_output(exchange, link->from, link->output);
    link->end_slope = 0;
  }
  free(state);
  if (recurrence->master != NULL)
    THEN(status, begin_with_past(self, recurrence->master, H, error));
  return status;
}

/* ---- The error ---- */

/* Returns the distance, in the mass norm, of all subsystems' z in `state` from the exact z. */
static double distance(const seam_linearised *self, const double *state) {
  double sum = 0;
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const size_t at = analysis_recurrence_index(&self->recurrence, s);
    for (int i = 0; i < self->parts[s].f; i++)
      sum += pow(state[at + (size_t)i] - analysis_modal_release_z(self->modal_release, self->first[s] + i, 0), 2);
  }
  return sqrt(sum);
}

seam_status seam_linearised_error(seam_linearised *self, double H, double *relative, seam_error *error) {
  ARGUMENTS(error, self, relative);
  if (!is_positive(H))
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %g must be positive and finite", H);
  analysis_modal_release *release = self->modal_release;
  const double time = release != NULL ? release->time : 0;
  *relative = NAN;
  if (!(time > 0) || H > time || H * analysis_max_linear_steps < time)
    return SEAM_OK;
  seam_status status = analysis_linearised_step(self, H, error);
  THEN(status, begin(self, H, error));
  if (status != SEAM_OK)
    return status;
  analysis_recurrence_get(&self->recurrence, self->state);
  const size_t n = self->recurrence.n;
  double largest = 0;
  for (int k = 1; k * H <= time * (1 + analysis_slack_of_step); k++) {
    double *now = self->state + (size_t)((k - 1) % 2) * n;
    double *next = self->state + (size_t)(k % 2) * n;
    analysis_recurrence_apply(&self->recurrence, now, next);
    analysis_modal_release_set_time(release, k * H);
    largest = fmax(largest, distance(self, next));
  }
  *relative = largest / release->amplitude;
  return SEAM_OK;
}
