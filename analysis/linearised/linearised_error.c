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
#include "base/argument.h"

enum { MAX_PAST = 4 };
static const double MAX_STEPS = 1e6;

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

/* Puts the master there at time 0, with its past, and takes its state. */
static seam_status begin(seam_linearised *self, double H, seam_error *error) {
  const size_t n_cuts = self->partition.n_cuts;
  double *state = calloc((size_t)self->n_states + 1, sizeof *state);
  cosim_snapshot *past = malloc((MAX_PAST * n_cuts + 1) * sizeof *past);
  if (state == NULL || past == NULL) {
    free(state);
    free(past);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the error of a scheme");
  }
  for (size_t i = 0; i < MAX_PAST * n_cuts; i++) {
    const size_t steps_back = i / n_cuts;
    analysis_modal_release_set_time(self->modal_release, -(double)steps_back * H);
    past[i] = snapshot_of(self, i % n_cuts);
  }
  analysis_modal_release_set_time(self->modal_release, 0);
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const analysis_linearised_part *part = &self->parts[s];
    for (int i = 0; i < 2 * part->f; i++)
      state[i] = analysis_modal_release_z(self->modal_release, self->first[s] + i % part->f, i / part->f);
    for (int i = 0; i < part->n_w; i++)
      state[2 * part->f + i] = analysis_modal_release_w(self->modal_release, part->w_of[i]);
    self->linear[s]->ops->restore(self->linear[s], state);
  }
  cosim_master_begin(self->master, 0, past, MAX_PAST);
  cosim_master_save(self->master, self->state);
  free(state);
  free(past);
  return SEAM_OK;
}

/* ---- The error ---- */

/* Of the parts' z in a state, at the time set, in the norm of the masses. */
static double distance(const seam_linearised *self, const double *state) {
  double sum = 0;
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    for (int i = 0; i < self->parts[s].f; i++)
      sum += pow(state[i] - analysis_modal_release_z(self->modal_release, self->first[s] + i, 0), 2);
    state += 2 * self->parts[s].f + self->parts[s].n_w;
  }
  return sqrt(sum);
}

static void multiply(int n, const double *Phi, const double *x, double *y) {
  memset(y, 0, (size_t)n * sizeof *y);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      y[i] += Phi[i + j * n] * x[j];
}

seam_status seam_linearised_error(seam_linearised *self, double H, double *relative, seam_error *error) {
  ARGUMENTS(error, self, relative);
  if (!(H > 0 && isfinite(H)))
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %g must be positive and finite", H);
  analysis_modal_release *release = self->modal_release;
  const double time = release != NULL ? analysis_modal_release_time(release) : 0;
  *relative = NAN;
  if (!(time > 0) || H > time || H * MAX_STEPS < time)
    return SEAM_OK;
  seam_status status = analysis_linearised_step(self, H, error);
  if (status == SEAM_OK)
    status = begin(self, H, error);
  if (status != SEAM_OK)
    return status;
  const int n = self->n;
  double largest = 0;
  for (int k = 1; k * H <= time * (1 + 1e-9); k++) {
    double *now = self->state + (k - 1) % 2 * n;
    double *next = self->state + k % 2 * n;
    multiply(n, self->Phi, now, next);
    analysis_modal_release_set_time(release, k * H);
    largest = fmax(largest, distance(self, next));
  }
  *relative = largest / analysis_modal_release_amplitude(release);
  return SEAM_OK;
}
