/* Computes Φ (recurrence.h) by macro steps. The exchange passes signals between subsystems, the master couples them at
 * cuts. The state x consists of values of the exchange's saved state (its image), then of the master's saved state.
 * Times, counts and sums in the image are not in x, since they are not mapped linearly. First, the coupled subsystems
 * take macro steps at rest. Then x is set to each unit vector in turn; the rest of the image remains as after these
 * steps. The next macro step gives a column of Φ. If there are samples, a column takes as many macro steps as their
 * common period. */
#include "analysis/linearised/recurrence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/linearised_part.h"
#include "analysis/thresholds.h"
#include "base/sample.h"
#include "base/then.h"
#include "cosim/mechanism/master_part.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise the signals of a mechanism");
}

/* ---- The state x ---- */

static cosim_part *part_of(const analysis_recurrence *self, int member) {
  return self->exchange->parts->member[member].part;
}

static bool is_master(const analysis_recurrence *self, int member) {
  return part_of(self, member) == self->wiring->master_part;
}

/* Returns true if the exchange's image is needed. If the master alone couples subsystems and nothing is sampled, the
 * master's state is complete without it. */
static bool has_image(const analysis_recurrence *self) { return self->n_indices > 0 || self->samples.n_inside > 0; }

void analysis_recurrence_get(analysis_recurrence *self, double *x) {
  if (has_image(self))
    cosim_exchange_save(self->exchange, self->image);
  for (size_t i = 0; i < self->n_indices; i++)
    x[i] = self->image[self->index[i]];
  if (self->master != NULL)
    cosim_master_save(self->master, x + self->n_indices);
}

/* Returns the number of values of a member's state that belong to x. The time of the next sample is not included.
 * Returns 0 for the master, whose state is saved separately. */
static size_t n_state_values(const analysis_recurrence *self, int member) {
  const cosim_part *part = part_of(self, member);
  return is_master(self, member) ? 0 : part->n_state - (cosim_is_sampled(part) ? 1 : 0);
}

static void add(analysis_recurrence *self, size_t from, size_t n) {
  for (size_t i = 0; i < n; i++)
    self->index[self->n_indices++] = from + i;
}

/* Returns true if a link reads this output of a member, or if there are corrections, which may read any output. */
static bool is_read(const cosim_exchange *exchange, int member, int output) {
  bool is_read = exchange->n_corrections > 0;
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++)
    is_read |= link->from == member && (link->output == output || link->rate == output);
  return is_read;
}

/* Lists in self->index the indices, in the exchange's saved state, of the values of x. They are the states of members,
 * past outputs that are read, the last value and slope of each link that smooths its signal, and values of
 * corrections. */
static void list_indices(analysis_recurrence *self) {
  const cosim_exchange *exchange = self->exchange;
  size_t at = cosim_exchange_n_counters(exchange);
  for (int m = 0; m < exchange->n; m++) {
    add(self, at, n_state_values(self, m));
    at += part_of(self, m)->n_state;
  }
  for (int m = 0; m < exchange->n; m++)
    for (int i = 0; i < COSIM_MAX_PAST; i++)
      for (int o = 0; o < part_of(self, m)->n_outputs; o++)
        add(self, at++, is_read(exchange, m, o) ? 1 : 0);
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++, at += 2)
    add(self, at, link->smooth ? 2 : 0);
  at += 3 * (size_t)exchange->n_bonds;
  for (int c = 0; c < exchange->n_corrections; c++) {
    const cosim_correction *correction = exchange->corrections[c];
    add(self, at + correction->n_counters, correction->n_state - correction->n_counters);
    at += correction->n_state;
  }
}

/* ---- Macro steps ---- */

/* Corrects the time of the exchange if the next macro step, of length H, misses a sample only by rounding. The step
 * then ends at the sample. */
static void align_with_sample(analysis_recurrence *self, double H) {
  const double next = cosim_exchange_next_sample(self->exchange);
  double *t = &self->exchange->t;
  if (!(fabs(*t + H - next) < analysis_near_sample * H))
    return;
  for (*t = next - H; *t + H < next;)
    *t = nextafter(*t, INFINITY);
}

/* Repeats the samples inside subsystems with the signals at the end of the macro step, as co-simulations do. */
static void repeat_samples(analysis_recurrence *self) {
  for (size_t s = 0; s < self->n_users; s++)
    if (self->mechanical[s] != NULL)
      analysis_undo_samples(self->mechanical[s]);
  cosim_wiring_set_inputs_before_samples(self->wiring);
  for (size_t s = 0; s < self->n_users; s++)
    if (self->mechanical[s] != NULL)
      analysis_repeat_samples(self->mechanical[s]);
}

/* Returns true if a sample inside a subsystem is due at the end of the macro step from t to t + H. */
static bool samples_inside(const analysis_samples *self, double t, double H) {
  bool some = false;
  for (int i = 0; i < self->n_inside; i++)
    some |= sample_is_due(self->inside[i], t, t + H);
  return some;
}

static seam_status advance(analysis_recurrence *self, double H, int n_steps, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int k = 1; k <= n_steps && status == SEAM_OK; k++) {
    align_with_sample(self, H);
    const double t = self->exchange->t;
    status = cosim_exchange_advance(self->exchange, H, error);
    if (status != SEAM_OK || !samples_inside(&self->samples, t, H))
      continue;
    if (self->wiring->partition->by_exchange)
      repeat_samples(self);
    cosim_wiring_update(self->wiring);
  }
  return status;
}

/* Takes macro steps at rest, until all past values that extrapolations need are set. Saves the exchange's state in
 * self->at_rest. */
static seam_status step_from_rest(analysis_recurrence *self, double H, int n_steps, seam_error *error) {
  double *state = self->image; /* zero, except the times of next samples: -∞, so that all samples are due now */
  memset(state, 0, self->n_image * sizeof *state);
  for (int m = 0; m < self->exchange->n; m++) {
    cosim_part *part = part_of(self, m);
    if (is_master(self, m))
      continue;
    if (cosim_is_sampled(part))
      state[part->n_state - 1] = -INFINITY;
    part->ops->restore(part, state);
    state[part->n_state > 0 ? part->n_state - 1 : 0] = 0;
  }
  if (self->master != NULL) {
    cosim_master_restore(self->master, state);
    cosim_master_begin(self->master, 0, NULL, 0);
  }
  cosim_exchange_start(self->exchange, 0);
  seam_status status = cosim_exchange_sample(self->exchange, error);
  for (int k = 0; k < COSIM_MAX_PAST && self->exchange->n_links > 0 && status == SEAM_OK; k++)
    status = advance(self, H, n_steps, error);
  cosim_exchange_save(self->exchange, self->at_rest);
  return status;
}

/* ---- Phi ---- */

/* Returns true if value j of x adds only an eigenvalue 0 to Φ. This is so if no retained value depends on value j, or
 * if value j depends on no retained value. */
static bool is_irrelevant(const double *Phi, size_t n, const bool *is_retained, size_t j) {
  bool is_used = false, uses = false;
  for (size_t i = 0; i < n; i++) {
    is_used = is_used || (is_retained[i] && Phi[i + j * n] != 0);
    uses = uses || (is_retained[i] && Phi[j + i * n] != 0);
  }
  return !(is_used && uses);
}

static int drop_irrelevant(double *Phi, size_t n, bool *is_retained) {
  bool some = true;
  for (size_t j = 0; j < n; j++)
    is_retained[j] = true;
  while (some) {
    some = false;
    for (size_t j = 0; j < n; j++)
      if (is_retained[j] && is_irrelevant(Phi, n, is_retained, j)) {
        is_retained[j] = false;
        some = true;
      }
  }
  size_t order = 0;
  for (size_t j = 0; j < n; j++)
    order += is_retained[j];
  double *to = Phi; /* never overtakes the entry that is read */
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      if (is_retained[j] && is_retained[i])
        *to++ = Phi[i + j * n];
  return (int)order;
}

static void store_full(analysis_recurrence *self, const double *Phi) {
  const size_t n = self->n;
  memcpy(self->full, Phi, n * n * sizeof *Phi);
  self->n_nonzero = 0;
  for (size_t j = 0; j < n; j++) {
    bool is_nonzero = false;
    for (size_t i = 0; i < n && !is_nonzero; i++)
      is_nonzero = Phi[i + j * n] != 0;
    if (is_nonzero)
      self->nonzero[self->n_nonzero++] = (int)j;
  }
}

seam_status analysis_recurrence_step(analysis_recurrence *self, double H, double *Phi, int *order, int *n_steps,
                                     seam_error *error) {
  const size_t n = self->n;
  bool *is_retained = malloc((n + 1) * sizeof *is_retained);
  if (is_retained == NULL)
    return no_memory(error);
  *n_steps = analysis_common_period_steps(&self->samples.common, H);
  seam_status status = analysis_common_period_check(&self->samples.common, H, error);
  THEN(status, step_from_rest(self, H, *n_steps, error));
  memset(self->unit, 0, n * sizeof *self->unit);
  for (size_t j = 0; j < n && status == SEAM_OK; j++) {
    self->unit[j] = 1;
    memcpy(self->image, self->at_rest, self->n_image * sizeof *self->image); /* also resets the times */
    for (size_t i = 0; i < self->n_indices; i++)
      self->image[self->index[i]] = self->unit[i];
    if (has_image(self))
      cosim_exchange_restore(self->exchange, self->image);
    if (self->master != NULL)
      cosim_master_restore(self->master, self->unit + self->n_indices);
    if (self->samples.n_inside > 0 && self->master != NULL) /* after a sample, a step uses no past values */
      cosim_master_drop_past(self->master);
    self->unit[j] = 0;
    status = advance(self, H, *n_steps, error);
    analysis_recurrence_get(self, Phi + j * n);
  }
  if (status == SEAM_OK && self->full != NULL)
    store_full(self, Phi);
  if (status == SEAM_OK)
    *order = drop_irrelevant(Phi, n, is_retained);
  free(is_retained);
  return status;
}

/* ---- Following a motion ---- */

seam_status analysis_recurrence_store_phi(analysis_recurrence *self, seam_error *error) {
  const cosim_partition *partition = self->wiring->partition;
  bool is_available = self->samples.common.period == 0 && self->exchange->n_corrections == 0;
  for (size_t s = 0; s < partition->n_subsystems; s++)
    is_available = is_available && (cosim_is_mechanical(partition, s) || self->users[s].w_of != NULL);
  if (!is_available)
    return SEAM_OK;
  self->full = calloc(self->n * self->n + 1, sizeof *self->full);
  self->nonzero = calloc(self->n + 1, sizeof *self->nonzero);
  return self->full != NULL && self->nonzero != NULL ? SEAM_OK : no_memory(error);
}

void analysis_recurrence_apply(const analysis_recurrence *self, const double *x, double *y) {
  const size_t n = self->n;
  memset(y, 0, n * sizeof *y);
  for (int k = 0; k < self->n_nonzero; k++) {
    const double *column = self->full + (size_t)self->nonzero[k] * n;
    const double factor = x[self->nonzero[k]];
    for (size_t i = 0; i < n; i++)
      y[i] += column[i] * factor;
  }
}

size_t analysis_recurrence_index(const analysis_recurrence *self, size_t subsystem) {
  const cosim_wiring *wiring = self->wiring;
  const int member = wiring->member_of[subsystem];
  size_t at = 0;
  for (size_t s = 0; s < subsystem && is_master(self, member); s++)
    at += wiring->member_of[s] == member ? self->mechanical[s]->n_state : 0;
  for (int m = 0; m < member && !is_master(self, member); m++)
    at += n_state_values(self, m);
  return is_master(self, member) ? self->n_indices + at : at;
}

/* ---- Creation ---- */

static seam_status linearise_users(analysis_recurrence *self, const cosim_partition *partition,
                                   const mbs_model *undivided_model, const mbs_state *state, seam_error *error) {
  seam_status status = SEAM_OK;
  for (size_t s = 0; s < partition->n_subsystems && status == SEAM_OK; s++) {
    if (cosim_is_mechanical(partition, s))
      continue;
    status = analysis_linearised_user_create(&partition->subsystems[s], partition->parts[s], undivided_model, state,
                                             &self->users[s], error);
    if (status == SEAM_OK && self->users[s].period > 0)
      status = analysis_common_period_add(&self->samples.common, self->users[s].period, partition->subsystems[s].name,
                                          error);
  }
  return status;
}

/* Rejects the model-based correction if a member of the exchange provides no derivatives. Sampled equations and the
 * master provide none. */
static seam_status check_derivatives(const analysis_recurrence *self, const cosim_definition *definition,
                                     seam_error *error) {
  for (int m = 0; m < self->exchange->n && definition->model_based != NULL; m++)
    if (!part_of(self, m)->gives_derivatives)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "the model-based correction identifies the derivatives of '%s', which has samples or couplings "
                       "with correctors, from the motion, which is a nonlinear operation: leave the correction out",
                       part_of(self, m)->name);
  return SEAM_OK;
}

seam_status analysis_recurrence_create(cosim_partition *partition, const cosim_definition *definition,
                                       const cosim_master_options *master, cosim_part **parts,
                                       const mbs_model *undivided_model, const mbs_state *state,
                                       const analysis_samples *inside, analysis_recurrence *made, seam_error *error) {
  *made = (analysis_recurrence){.samples = *inside,
                                .n_users = partition->n_subsystems,
                                .users = calloc(partition->n_subsystems + 1, sizeof *made->users)};
  made->mechanical = calloc(partition->n_subsystems + 1, sizeof *made->mechanical);
  if (made->users == NULL || made->mechanical == NULL)
    return no_memory(error);
  memcpy(made->mechanical, parts, partition->n_subsystems * sizeof(cosim_part *));
  seam_status status = linearise_users(made, partition, undivided_model, state, error);
  if (status == SEAM_OK) {
    cosim_part **all = malloc((partition->n_subsystems + 1) * sizeof(cosim_part *));
    for (size_t s = 0; s < partition->n_subsystems && all != NULL; s++) {
      cosim_part **one = cosim_is_mechanical(partition, s) ? &parts[s] : &made->users[s].part;
      all[s] = *one;
      *one = NULL;
    }
    status = cosim_wiring_create(partition, definition, master, all, &made->wiring, error);
  }
  if (status != SEAM_OK)
    return status;
  made->exchange = made->wiring->exchange;
  for (int k = 0; k < made->exchange->n_links; k++)
    made->exchange->links[k].offset = 0; /* Φ maps deviations, for which offsets are zero */
  status = check_derivatives(made, definition, error);
  if (status != SEAM_OK)
    return status;
  if (made->wiring->master_part != NULL)
    made->master = cosim_master_part_master(made->wiring->master_part);
  made->n_image = cosim_exchange_n_state(made->exchange);
  made->index = calloc(made->n_image + 1, sizeof *made->index);
  if (made->index == NULL)
    return no_memory(error);
  list_indices(made);
  made->n = made->n_indices + (made->master != NULL ? cosim_master_n_state(made->master) : 0);
  made->at_rest = calloc(2 * made->n_image + made->n + 1, sizeof *made->at_rest);
  if (made->at_rest == NULL)
    return no_memory(error);
  made->image = made->at_rest + made->n_image;
  made->unit = made->image + made->n_image;
  return SEAM_OK;
}

void analysis_recurrence_free(analysis_recurrence *self) {
  cosim_wiring_destroy(self->wiring);
  for (size_t s = 0; s < self->n_users && self->users != NULL; s++)
    analysis_linearised_user_free(&self->users[s]);
  free(self->users);
  free(self->full);
  free(self->nonzero);
  free(self->index);
  free(self->mechanical);
  free(self->at_rest);
}
