/* Error of a scheme on a motion of the linearised mechanism that is known exactly (modal_release.c). Where the parts
 * move as z, markers do as
 *
 *   x = X z,  v = X z',  a = X z'',
 *
 * which, with the wrenches, is what every cut saw at the macro points before the start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "analysis/thresholds.h"
#include "base/argument.h"

enum { MAX_PAST = 4 };

/* What a cut sees at the time set. */
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

/* Where a part is at the time set, into `state` (n_state of it) and the part. */
static void put_part(const seam_linearised *self, size_t s, double *state) {
  const analysis_modal_release *release = self->modal_release;
  const analysis_linearised_part *part = &self->parts[s];
  if (cosim_is_mechanical(&self->partition, s)) {
    for (int i = 0; i < 2 * part->f; i++)
      state[i] = analysis_modal_release_z(release, self->first[s] + i % part->f, i / part->f);
    for (int i = 0; i < part->n_w; i++)
      state[2 * part->f + i] = analysis_modal_release_w(release, part->w_of[i]);
    self->linear[s]->ops->restore(self->linear[s], state);
    return;
  }
  const analysis_linearised_user *user = &self->exchange.users[s];
  cosim_part *own = self->exchange.exchange->parts->member[self->exchange.wiring->member_of[s]].part;
  for (int i = 0; i < user->n_states; i++)
    state[i] = analysis_modal_release_w(release, user->w_of[i]);
  own->ops->restore(own, state);
}

/* The master begins there at time 0, with the past of the cuts that it couples. */
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

/* ---- Under the exchange ---- */

typedef struct follower {
  seam_linearised *self;
  double H;
  seam_status status;
  seam_error *error;
} follower;

static void put_at(void *context, size_t subsystem, double t, double *state) {
  const follower *f = context;
  analysis_modal_release_set_time(f->self->modal_release, t);
  put_part(f->self, subsystem, state);
}

static void give_outputs(void *context, size_t subsystem, const cosim_signal *inputs, double *outputs) {
  const seam_linearised *self = ((const follower *)context)->self;
  if (cosim_is_mechanical(&self->partition, subsystem)) {
    self->linear[subsystem]->ops->evaluate_outputs(self->linear[subsystem], 0, inputs, outputs);
    return;
  }
  cosim_part *own = self->exchange.exchange->parts->member[self->exchange.wiring->member_of[subsystem]].part;
  own->ops->evaluate_outputs(own, 0, inputs, outputs);
}

static void begin_master(void *context, cosim_master *master) {
  follower *f = context;
  f->status = begin_with_past(f->self, master, f->H, f->error);
}

/* ---- Both ---- */

/* Takes the state at time 0, with its past. */
static seam_status begin(seam_linearised *self, double H, seam_error *error) {
  if (self->master == NULL) {
    follower f = {self, H, SEAM_OK, error};
    const analysis_exchange_motion motion = {&f, put_at, give_outputs, begin_master};
    analysis_linearised_exchange_begin(&self->exchange, &motion, H, self->state);
    return f.status;
  }
  double *state = calloc((size_t)self->n_states + 1, sizeof *state);
  if (state == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the error of a scheme");
  analysis_modal_release_set_time(self->modal_release, 0);
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    put_part(self, s, state);
  free(state);
  const seam_status status = begin_with_past(self, self->master, H, error);
  cosim_master_save(self->master, self->state);
  return status;
}

/* ---- The error ---- */

/* Of the parts' z in a state, at the time set, in the norm of the masses. */
static double distance(const seam_linearised *self, const double *state) {
  double sum = 0;
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const size_t at = self->master != NULL || self->parts[s].f == 0
                          ? (size_t)self->first_state[s]
                          : analysis_linearised_exchange_place(&self->exchange, s);
    for (int i = 0; i < self->parts[s].f; i++)
      sum += pow(state[at + (size_t)i] - analysis_modal_release_z(self->modal_release, self->first[s] + i, 0), 2);
  }
  return sqrt(sum);
}

static void multiply(int n, const double *Phi, const double *x, double *y) {
  memset(y, 0, (size_t)n * sizeof *y);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      y[i] += Phi[i + j * n] * x[j];
}

static void follow(const seam_linearised *self, const double *now, double *next) {
  if (self->master != NULL)
    multiply(self->n, self->Phi, now, next);
  else
    analysis_linearised_exchange_follow(&self->exchange, now, next);
}

seam_status seam_linearised_error(seam_linearised *self, double H, double *relative, seam_error *error) {
  ARGUMENTS(error, self, relative);
  if (!(H > 0 && isfinite(H)))
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %g must be positive and finite", H);
  analysis_modal_release *release = self->modal_release;
  const double time = release != NULL ? analysis_modal_release_time(release) : 0;
  *relative = NAN;
  if (!(time > 0) || H > time || H * analysis_max_linear_steps < time)
    return SEAM_OK;
  seam_status status = analysis_linearised_step(self, H, error);
  if (status == SEAM_OK)
    status = begin(self, H, error);
  if (status != SEAM_OK)
    return status;
  const size_t n = self->master != NULL ? (size_t)self->n : self->exchange.n;
  double largest = 0;
  for (int k = 1; k * H <= time * (1 + analysis_slack_of_step); k++) {
    double *now = self->state + (size_t)((k - 1) % 2) * n;
    double *next = self->state + (size_t)(k % 2) * n;
    follow(self, now, next);
    analysis_modal_release_set_time(release, k * H);
    largest = fmax(largest, distance(self, next));
  }
  *relative = largest / analysis_modal_release_amplitude(release);
  return SEAM_OK;
}
