/* The state of the exchange is its clock and, mapped linearly by a round: the states of the parts, the past of their
 * outputs, where holds end, and what corrections keep; of the master its recurrence. Φ follows by pushing unit vectors
 * of these from the clock after macro steps at rest. What is sampled comes back to the same clock after a period. */
#include "analysis/linearised/linearised_exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/sampled_linear.h"
#include "analysis/thresholds.h"
#include "cosim/mechanism/master_part.h"
#include "cosim/parts/sampled_part.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise the signals of a mechanism");
}

/* ---- The state that is pushed ---- */

static cosim_part *part_of(const analysis_linearised_exchange *self, int member) {
  return self->exchange->parts->member[member].part;
}

/* Numbers of a part's state that are mapped linearly: not the time of the next sample. */
static size_t n_linear(const analysis_linearised_exchange *self, int member) {
  const cosim_part *part = part_of(self, member);
  return member == self->master_member ? 0 : part->n_state - (cosim_is_sampled(part) ? 1 : 0);
}

/* Of everything behind the states of the parts. */
static size_t n_behind(const analysis_linearised_exchange *self) {
  size_t n = 2 * (size_t)self->exchange->n_links;
  for (int m = 0; m < self->exchange->n; m++)
    n += COSIM_MAX_PAST * (size_t)part_of(self, m)->n_outputs;
  return n;
}

/* What corrections keep, behind that. */
static size_t n_of_corrections(const analysis_linearised_exchange *self) {
  size_t n = 0;
  for (int c = 0; c < self->exchange->n_corrections; c++)
    n += self->exchange->corrections[c]->n_state - self->exchange->corrections[c]->n_clock;
  return n;
}

static size_t n_of_master(const analysis_linearised_exchange *self) {
  return self->master != NULL ? cosim_master_n_state(self->master) : 0;
}

static size_t count(const analysis_linearised_exchange *self) {
  size_t n = n_behind(self) + n_of_corrections(self) + n_of_master(self);
  for (int m = 0; m < self->exchange->n; m++)
    n += n_linear(self, m);
  return n;
}

/* The numbers of corrections between x and the exchange's, behind those of its bonds from there on. */
static void copy_corrections(const analysis_linearised_exchange *self, double *x, double *image, bool to_image) {
  image += 3 * self->exchange->n_bonds;
  for (int c = 0; c < self->exchange->n_corrections; c++) {
    const cosim_correction *correction = self->exchange->corrections[c];
    const size_t n = correction->n_state - correction->n_clock;
    double *numbers = image + correction->n_clock;
    memcpy(to_image ? numbers : x, to_image ? x : numbers, n * sizeof *x);
    x += n;
    image += correction->n_state;
  }
}

/* To the rest's clock, with x (n). */
static void set(analysis_linearised_exchange *self, double *x) {
  double *to = self->image + cosim_exchange_n_clock(self->exchange);
  memcpy(self->image, self->rest, self->n_image * sizeof *self->image);
  for (int m = 0; m < self->exchange->n; m++) {
    memcpy(to, x, n_linear(self, m) * sizeof *x);
    x += n_linear(self, m);
    to += part_of(self, m)->n_state;
  }
  memcpy(to, x, n_behind(self) * sizeof *x);
  x += n_behind(self);
  copy_corrections(self, x, to + n_behind(self), true);
  cosim_exchange_restore(self->exchange, self->image);
  if (self->master != NULL)
    cosim_master_restore(self->master, x + n_of_corrections(self));
}

static void get(analysis_linearised_exchange *self, double *x) {
  double *from = self->image + cosim_exchange_n_clock(self->exchange);
  cosim_exchange_save(self->exchange, self->image);
  for (int m = 0; m < self->exchange->n; m++) {
    memcpy(x, from, n_linear(self, m) * sizeof *x);
    x += n_linear(self, m);
    from += part_of(self, m)->n_state;
  }
  memcpy(x, from, n_behind(self) * sizeof *x);
  x += n_behind(self);
  copy_corrections(self, x, from + n_behind(self), false);
  if (self->master != NULL)
    cosim_master_save(self->master, x + n_of_corrections(self));
}

/* ---- Macro steps ---- */

/* A macro step of length H that rounding alone keeps from ending at a sample ends there. */
static void meet_sample(analysis_linearised_exchange *self, double H) {
  const double next = cosim_exchange_next_sample(self->exchange);
  double *t = &self->exchange->t;
  if (!(fabs(*t + H - next) < analysis_near_sample * H))
    return;
  for (*t = next - H; *t + H < next;)
    *t = nextafter(*t, INFINITY);
}

/* As runs do behind samples within parts, which happen under the signals there. */
static void sample_anew(analysis_linearised_exchange *self) {
  for (size_t s = 0; s < self->n_users; s++)
    if (self->mechanical[s] != NULL)
      analysis_sampled_linear_take_back(self->mechanical[s]);
  cosim_wiring_take_before(self->wiring);
  for (size_t s = 0; s < self->n_users; s++)
    if (self->mechanical[s] != NULL)
      analysis_sampled_linear_sample(self->mechanical[s]);
  cosim_wiring_renew(self->wiring);
}

static seam_status advance(analysis_linearised_exchange *self, double H, int rounds, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int k = 1; k <= rounds && status == SEAM_OK; k++) {
    meet_sample(self, H);
    const double t = self->exchange->t;
    status = cosim_exchange_advance(self->exchange, H, error);
    if (status == SEAM_OK && analysis_samples_inside(&self->samples, t, H))
      sample_anew(self);
  }
  return status;
}

/* Everything at zero; samples begin with the first macro step. */
static void begin(analysis_linearised_exchange *self) {
  double *state = self->image;
  memset(state, 0, self->n_image * sizeof *state);
  for (int m = 0; m < self->exchange->n; m++) {
    cosim_part *part = part_of(self, m);
    if (m == self->master_member)
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
}

static seam_status rest(analysis_linearised_exchange *self, double H, int rounds, seam_error *error) {
  begin(self);
  seam_status status = cosim_exchange_sample(self->exchange, error);
  for (int k = 0; k < COSIM_MAX_PAST && status == SEAM_OK; k++)
    status = advance(self, H, rounds, error);
  cosim_exchange_save(self->exchange, self->rest);
  return status;
}

/* ---- Phi ---- */

/* A number that no kept one depends on, or that depends on none, adds an eigenvalue 0 and nothing else. */
static bool is_loose(const double *Phi, size_t n, const bool *is_kept, size_t j) {
  bool is_used = false;
  bool uses = false;
  for (size_t i = 0; i < n; i++) {
    is_used = is_used || (is_kept[i] && Phi[i + j * n] != 0);
    uses = uses || (is_kept[i] && Phi[j + i * n] != 0);
  }
  return !(is_used && uses);
}

static int drop_loose(double *Phi, size_t n, bool *is_kept) {
  bool some = true;
  for (size_t j = 0; j < n; j++)
    is_kept[j] = true;
  while (some) {
    some = false;
    for (size_t j = 0; j < n; j++)
      if (is_kept[j] && is_loose(Phi, n, is_kept, j)) {
        is_kept[j] = false;
        some = true;
      }
  }
  size_t order = 0;
  for (size_t j = 0; j < n; j++)
    order += is_kept[j];
  double *to = Phi; /* never beyond what is read */
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      if (is_kept[j] && is_kept[i])
        *to++ = Phi[i + j * n];
  return (int)order;
}

static void keep_full(analysis_linearised_exchange *self, const double *Phi) {
  const size_t n = self->n;
  memcpy(self->full, Phi, n * n * sizeof *Phi);
  self->n_reaching = 0;
  for (size_t j = 0; j < n; j++) {
    bool reaches = false;
    for (size_t i = 0; i < n && !reaches; i++)
      reaches = Phi[i + j * n] != 0;
    if (reaches)
      self->reaching[self->n_reaching++] = (int)j;
  }
}

seam_status analysis_linearised_exchange_step(analysis_linearised_exchange *self, double H, double *Phi, int *order,
                                              int *rounds, seam_error *error) {
  const size_t n = self->n;
  bool *is_kept = malloc((n + 1) * sizeof *is_kept);
  if (is_kept == NULL)
    return no_memory(error);
  *rounds = analysis_common_period_rounds(&self->samples.common, H);
  seam_status status = analysis_common_period_check(&self->samples.common, H, error);
  if (status == SEAM_OK)
    status = rest(self, H, *rounds, error);
  memset(self->unit, 0, n * sizeof *self->unit);
  for (size_t j = 0; j < n && status == SEAM_OK; j++) {
    self->unit[j] = 1;
    set(self, self->unit);
    if (self->samples.n_inside > 0 && self->master != NULL) /* a common period ends with a sample */
      cosim_master_forget_past(self->master);
    self->unit[j] = 0;
    status = advance(self, H, *rounds, error);
    get(self, Phi + j * n);
  }
  if (status == SEAM_OK && self->full != NULL)
    keep_full(self, Phi);
  if (status == SEAM_OK)
    *order = drop_loose(Phi, n, is_kept);
  free(is_kept);
  return status;
}

/* ---- A motion that is followed ---- */

bool analysis_linearised_exchange_keep(analysis_linearised_exchange *self) {
  const cosim_partition *partition = self->wiring->partition;
  bool knows = self->samples.common.period == 0 && self->exchange->n_corrections == 0;
  size_t n_outputs = 1;
  for (size_t s = 0; s < partition->n_subsystems; s++)
    knows = knows && (cosim_is_mechanical(partition, s) || self->users[s].w_of != NULL);
  for (int m = 0; m < self->exchange->n; m++)
    n_outputs += (size_t)part_of(self, m)->n_outputs;
  if (!knows)
    return false;
  self->full = calloc(self->n * self->n + 1, sizeof *self->full);
  self->reaching = calloc(self->n + 1, sizeof *self->reaching);
  self->outputs = calloc(n_outputs, sizeof *self->outputs);
  return self->full != NULL && self->reaching != NULL && self->outputs != NULL;
}

/* In self->outputs. */
static double *outputs_of(const analysis_linearised_exchange *self, int member) {
  double *outputs = self->outputs;
  for (int m = 0; m < member; m++)
    outputs += part_of(self, m)->n_outputs;
  return outputs;
}

static void form_inputs(const analysis_linearised_exchange *self, int member) {
  const cosim_exchange *exchange = self->exchange;
  cosim_signal *inputs = exchange->parts->member[member].inputs;
  for (int i = 0; i < part_of(self, member)->n_inputs; i++)
    inputs[i] = (cosim_signal){.n_pieces = 1};
  for (int k = exchange->history[member].first_link; k < exchange->history[member + 1].first_link; k++) {
    const cosim_link *link = &exchange->links[k];
    inputs[link->input].c[0][0] += link->gain * outputs_of(self, link->from)[link->output];
  }
}

/* States of all parts at t, and outputs, in as many passes as there are members because of feed-through. */
static void place(analysis_linearised_exchange *self, const analysis_exchange_motion *motion, double t) {
  const cosim_wiring *wiring = self->wiring;
  size_t n_outputs = 0;
  for (size_t s = 0; s < wiring->partition->n_subsystems; s++)
    motion->state(motion->context, s, t, self->unit);
  for (int m = 0; m < self->exchange->n; m++)
    n_outputs += (size_t)part_of(self, m)->n_outputs;
  memset(self->outputs, 0, n_outputs * sizeof *self->outputs);
  for (int pass = 0; pass <= self->exchange->n; pass++)
    for (int m = 0; m < self->exchange->n; m++) {
      cosim_part *part = part_of(self, m);
      form_inputs(self, m);
      if (m == self->master_member)
        part->ops->get_outputs(part, outputs_of(self, m));
      else
        motion->outputs(motion->context, wiring->subsystem_of[m], self->exchange->parts->member[m].inputs,
                        outputs_of(self, m));
    }
}

static void store_past(const analysis_linearised_exchange *self, int point, double *past) {
  for (int m = 0; m < self->exchange->n; m++) {
    const size_t n_outputs = (size_t)part_of(self, m)->n_outputs;
    memcpy(past + (size_t)point * n_outputs, outputs_of(self, m), n_outputs * sizeof *past);
    past += COSIM_MAX_PAST * n_outputs;
  }
}

/* Holds end where the next ones begin. */
static void store_ends(const analysis_linearised_exchange *self, double *ends) {
  for (const cosim_link *link = self->exchange->links; link < self->exchange->links + self->exchange->n_links; link++) {
    *ends++ = outputs_of(self, link->from)[link->output];
    *ends++ = 0;
  }
}

void analysis_linearised_exchange_begin(analysis_linearised_exchange *self, const analysis_exchange_motion *motion,
                                        double H, double *x) {
  double *past = x;
  for (int m = 0; m < self->exchange->n; m++)
    past += n_linear(self, m);
  double *ends = past + n_behind(self) - 2 * self->exchange->n_links;
  for (int point = COSIM_MAX_PAST - 1; point >= 0; point--) {
    place(self, motion, -point * H);
    store_past(self, point, past);
  }
  store_ends(self, ends);
  for (int m = 0; m < self->exchange->n; m++) {
    cosim_part *part = part_of(self, m);
    if (n_linear(self, m) > 0)
      part->ops->save(part, x);
    x += n_linear(self, m);
  }
  if (self->master != NULL) {
    motion->begin_master(motion->context, self->master);
    cosim_master_save(self->master, x + n_behind(self));
  }
}

void analysis_linearised_exchange_follow(const analysis_linearised_exchange *self, const double *x, double *y) {
  const size_t n = self->n;
  memset(y, 0, n * sizeof *y);
  for (int k = 0; k < self->n_reaching; k++) {
    const size_t j = (size_t)self->reaching[k];
    for (size_t i = 0; i < n && x[j] != 0; i++)
      y[i] += self->full[i + j * n] * x[j];
  }
}

size_t analysis_linearised_exchange_place(const analysis_linearised_exchange *self, size_t subsystem) {
  const cosim_wiring *wiring = self->wiring;
  const int member = wiring->member_of[subsystem];
  size_t at = 0;
  for (int m = 0; m < (member == self->master_member ? self->exchange->n : member); m++)
    at += n_linear(self, m);
  if (member != self->master_member)
    return at;
  at += n_behind(self) + n_of_corrections(self);
  for (size_t s = 0; s < subsystem; s++)
    if (wiring->member_of[s] == member)
      at += self->n_states[s];
  return at;
}

/* ---- Creation ---- */

static seam_status linearise_users(analysis_linearised_exchange *self, const cosim_partition *partition,
                                   const mbs_model *whole, const mbs_state *state, seam_error *error) {
  seam_status status = SEAM_OK;
  for (size_t s = 0; s < partition->n_subsystems && status == SEAM_OK; s++) {
    if (cosim_is_mechanical(partition, s))
      continue;
    status = analysis_linearised_user_create(&partition->subsystems[s], partition->parts[s], whole, state,
                                             &self->users[s], error);
    if (status == SEAM_OK && self->users[s].period > 0)
      status = analysis_common_period_add(&self->samples.common, self->users[s].period, partition->subsystems[s].name,
                                          error);
  }
  return status;
}

/* `parts` and those of users become the wiring's. */
static seam_status wire(analysis_linearised_exchange *self, cosim_partition *partition,
                        const cosim_definition *definition, const cosim_master_options *master, cosim_part **parts,
                        seam_error *error) {
  cosim_part **all = malloc((partition->n_subsystems + 1) * sizeof(cosim_part *));
  for (size_t s = 0; s < partition->n_subsystems && all != NULL; s++) {
    cosim_part **one = cosim_is_mechanical(partition, s) ? &parts[s] : &self->users[s].part;
    all[s] = *one;
    *one = NULL;
  }
  return cosim_wiring_create(partition, definition, master, all, &self->wiring, error);
}

/* Samples and the master give no derivatives. */
static seam_status check_derivatives(const analysis_linearised_exchange *self, const cosim_definition *definition,
                                     seam_error *error) {
  for (int m = 0; m < self->exchange->n && definition->model_based != NULL; m++)
    if (!part_of(self, m)->gives_derivatives)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "the model-based correction identifies the derivatives of '%s', where something is sampled or "
                       "coupled by the master, from the motion, which is not linear: leave it out",
                       part_of(self, m)->name);
  return SEAM_OK;
}

static seam_status prepare(analysis_linearised_exchange *self, seam_error *error) {
  const cosim_wiring *wiring = self->wiring;
  self->master_member = -1;
  for (int m = 0; m < wiring->n_members && wiring->master_part != NULL; m++)
    if (part_of(self, m) == wiring->master_part)
      self->master_member = m;
  if (wiring->master_part != NULL)
    self->master = cosim_master_part_master(wiring->master_part);
  self->n = count(self);
  self->n_image = cosim_exchange_n_state(self->exchange);
  self->rest = calloc(2 * self->n_image + self->n + 1, sizeof *self->rest);
  if (self->rest == NULL)
    return no_memory(error);
  self->image = self->rest + self->n_image;
  self->unit = self->image + self->n_image;
  return SEAM_OK;
}

seam_status analysis_linearised_exchange_create(cosim_partition *partition, const cosim_definition *definition,
                                                const cosim_master_options *master, cosim_part **parts,
                                                const mbs_model *whole, const mbs_state *state,
                                                const analysis_samples *inside, analysis_linearised_exchange *made,
                                                seam_error *error) {
  *made = (analysis_linearised_exchange){.samples = *inside,
                                         .n_users = partition->n_subsystems,
                                         .users = calloc(partition->n_subsystems + 1, sizeof *made->users)};
  made->n_states = calloc(partition->n_subsystems + 1, sizeof *made->n_states);
  made->mechanical = calloc(partition->n_subsystems + 1, sizeof *made->mechanical);
  if (made->users == NULL || made->n_states == NULL || made->mechanical == NULL)
    return no_memory(error);
  for (size_t s = 0; s < partition->n_subsystems; s++) {
    made->n_states[s] = parts[s] != NULL ? parts[s]->n_state : 0;
    made->mechanical[s] = parts[s];
  }
  seam_status status = linearise_users(made, partition, whole, state, error);
  if (status == SEAM_OK)
    status = wire(made, partition, definition, master, parts, error);
  if (status != SEAM_OK)
    return status;
  made->exchange = made->wiring->exchange;
  for (int k = 0; k < made->exchange->n_links; k++)
    made->exchange->links[k].offset = 0; /* of deviations */
  status = check_derivatives(made, definition, error);
  return status == SEAM_OK ? prepare(made, error) : status;
}

void analysis_linearised_exchange_free(analysis_linearised_exchange *self) {
  cosim_wiring_destroy(self->wiring);
  for (size_t s = 0; s < self->n_users && self->users != NULL; s++)
    analysis_linearised_user_free(&self->users[s]);
  free(self->users);
  free(self->full);
  free(self->reaching);
  free(self->outputs);
  free(self->n_states);
  free(self->mechanical);
  free(self->rest);
}
