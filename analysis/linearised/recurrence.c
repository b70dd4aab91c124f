/* Computes Φ, which the code names Phi, by macro steps. The exchange passes signals between subsystems, the master
 * couples them at cuts. The state x consists of values of the exchange's saved state (its image), then of the master's
 * saved state. Times, counts and sums in the image are not mapped linearly and are not in x. First, the coupled
 * subsystems take macro steps at rest. From there x is set to each unit vector in turn. A macro step then gives a
 * column of Φ. If there are samples, all macro steps of their common period are taken instead. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "analysis/thresholds.h"
#include "base/sample.h"
#include "base/then.h"

static seam_status check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise the signals of a mechanism");
}

/* ---- Periods of samples ---- */

/* If two periods P and T have P/T = a/b in lowest terms, their smallest common multiple is b P = a T, and their largest
 * common divisor is P/a = T/b. */

/* Returns the smallest integer 1 <= b <= ANALYSIS_MAX_DIVISORS for which b x is an integer; 0: there is none. */
static int denominator_of(double x) {
  for (int b = 1; b <= ANALYSIS_MAX_DIVISORS; b++)
    if (round(b * x) >= 1 && fabs(b * x - round(b * x)) <= analysis_same_step * b * x)
      return b;
  return 0;
}

seam_status analysis_common_period_add(analysis_common_period *self, double period, const char *name,
                                       seam_error *error) {
  if (self->period == 0) {
    *self = (analysis_common_period){period, period};
    return SEAM_OK;
  }
  const int of_multiple = denominator_of(self->period / period);
  const int of_divisor = denominator_of(period / self->divisor);
  const double multiple = of_multiple * self->period;
  const double divisor = of_divisor > 0 ? self->divisor / of_divisor : 0;
  if (of_multiple == 0 || of_divisor == 0 || multiple > (1 + analysis_same_step) * ANALYSIS_MAX_DIVISORS * divisor)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "'%s' is sampled every %.9g s and other samples repeat every %.9g s, but the stability of schemes "
                     "needs a common period of at most %d steps of a common divisor: set each 'sample' so that periods "
                     "are in ratios of small whole numbers",
                     name, period, self->period, ANALYSIS_MAX_DIVISORS);
  *self = (analysis_common_period){multiple, divisor};
  return SEAM_OK;
}

double analysis_common_period_fit(const analysis_common_period *self, double H) {
  return self->period > 0 ? self->divisor / fmax(1, round(self->divisor / H)) : H;
}

int analysis_common_period_steps(const analysis_common_period *self, double H) {
  return self->period > 0 ? (int)fmax(1, round(self->period / H)) : 1;
}

seam_status analysis_common_period_check(const analysis_common_period *self, double H, seam_error *error) {
  const double step = analysis_common_period_fit(self, H);
  if (fabs(step - H) <= analysis_same_step * H)
    return SEAM_OK;
  if (self->period == self->divisor)
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %.9g s does not divide the sample period, %.9g s: take %.9g s",
                     H, self->period, step);
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "macro step %.9g s does not divide all sample periods (common period %.9g s, common divisor %.9g s): take %.9g s",
      H, self->period, self->divisor, step);
}

/* ---- The state x ---- */

static cosim_part *part_of(const seam_linearised *self, int member) {
  return self->engine->exchange->parts->member[member].part;
}

static bool is_master(const seam_linearised *self, int member) {
  return part_of(self, member) == self->engine->master_part;
}

/* Returns true if the exchange's image is needed. A master that alone couples subsystems without samples needs none. */
static bool has_image(const seam_linearised *self) { return self->n_indices > 0 || self->has_samples_inside; }

void analysis_recurrence_get(seam_linearised *self, double *x) {
  if (has_image(self))
    cosim_exchange_save(self->engine->exchange, self->image);
  for (size_t i = 0; i < self->n_indices; i++)
    x[i] = self->image[self->index[i]];
  if (self->engine->master != NULL)
    cosim_master_save(self->engine->master, x + self->n_indices);
}

/* Returns the number of values of a member's state in x: all but the time of the next sample; 0 for the master, whose
 * state is saved separately. */
static size_t n_state_values(const seam_linearised *self, int member) {
  const cosim_part *part = part_of(self, member);
  return is_master(self, member) ? 0 : part->n_state - (cosim_is_sampled(part) ? 1 : 0);
}

static void add(seam_linearised *self, size_t from, size_t n) {
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

/* Lists the indices of the values of x in the exchange's saved state. These values are the states of members, past
 * outputs that are read, the last value and slope of each smoothing link, and values of corrections. */
static void list_indices(seam_linearised *self) {
  const cosim_exchange *exchange = self->engine->exchange;
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

/* Repeats the samples inside subsystems with the signals at the end of the macro step, as co-simulations do. */
static void repeat_samples(seam_linearised *self) {
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    analysis_undo_samples(self->parts[s].part);
  cosim_engine_set_inputs_before_samples(self->engine);
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    analysis_repeat_samples(self->parts[s].part);
}

static bool has_sample_inside(const seam_linearised *self, double from, double to) {
  bool has = false;
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    for (int k = 0; k < self->parts[s].n_samples; k++)
      has |= sample_is_due(self->parts[s].samples[k].period, from, to);
  return has;
}

static seam_status advance(seam_linearised *self, double H, seam_error *error) {
  cosim_exchange *exchange = self->engine->exchange;
  for (int k = 1; k <= self->n_steps; k++) {
    const double next = cosim_exchange_next_sample(exchange);
    double *time = &exchange->t;
    /* If the step misses a sample only by rounding, it is shifted to end at the sample. */
    if (fabs(*time + H - next) < analysis_near_sample * H)
      for (*time = next - H; *time + H < next;)
        *time = nextafter(*time, INFINITY);
    const double t = *time;
    TRY(cosim_exchange_advance(exchange, H, error));
    if (!has_sample_inside(self, t, t + H))
      continue;
    if (self->partition.by_exchange)
      repeat_samples(self);
    cosim_engine_update(self->engine);
  }
  return SEAM_OK;
}

/* Takes macro steps at rest until all past values are set. Saves the exchange's state in self->at_rest. */
static seam_status step_from_rest(seam_linearised *self, double H, seam_error *error) {
  cosim_exchange *exchange = self->engine->exchange;
  cosim_master *master = self->engine->master;
  double *state = self->image; /* zero, except the times of next samples: -∞, so that all samples are due now */
  memset(state, 0, self->n_image * sizeof *state);
  for (int m = 0; m < exchange->n; m++) {
    cosim_part *part = part_of(self, m);
    if (is_master(self, m))
      continue;
    if (cosim_is_sampled(part))
      state[part->n_state - 1] = -INFINITY;
    part->ops->restore(part, state);
    state[part->n_state > 0 ? part->n_state - 1 : 0] = 0;
  }
  if (master != NULL) {
    cosim_master_restore(master, state);
    cosim_master_begin(master, 0, NULL, 0);
  }
  cosim_exchange_start(exchange, 0);
  seam_status status = cosim_exchange_sample(exchange, error);
  for (int k = 0; k < COSIM_MAX_PAST && exchange->n_links > 0 && status == SEAM_OK; k++)
    status = advance(self, H, error);
  cosim_exchange_save(exchange, self->at_rest);
  return status;
}

/* ---- Phi ---- */

/* Returns true if value j of x adds only an eigenvalue 0 to Φ: no retained value depends on it, or it depends on no
 * retained value. */
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

static void store_full(seam_linearised *self) {
  const size_t n = self->n_x;
  const double *Phi = self->Phi;
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

seam_status analysis_recurrence_step(seam_linearised *self, double H, seam_error *error) {
  const size_t n = self->n_x;
  cosim_master *master = self->engine->master;
  if (H == self->macro_step)
    return SEAM_OK;
  self->macro_step = 0;
  self->n_steps = analysis_common_period_steps(&self->samples, H);
  TRY(analysis_common_period_check(&self->samples, H, error));
  TRY(step_from_rest(self, H, error));
  memset(self->unit, 0, n * sizeof *self->unit);
  for (size_t j = 0; j < n; j++) {
    self->unit[j] = 1;
    memcpy(self->image, self->at_rest, self->n_image * sizeof *self->image); /* also resets the times */
    for (size_t i = 0; i < self->n_indices; i++)
      self->image[self->index[i]] = self->unit[i];
    if (has_image(self))
      cosim_exchange_restore(self->engine->exchange, self->image);
    if (master != NULL)
      cosim_master_restore(master, self->unit + self->n_indices);
    if (self->has_samples_inside && master != NULL) /* after a sample, a step uses no past values */
      cosim_master_drop_past(master);
    self->unit[j] = 0;
    TRY(advance(self, H, error));
    analysis_recurrence_get(self, self->Phi + j * n);
  }
  if (self->full != NULL)
    store_full(self);
  self->n = drop_irrelevant(self->Phi, n, self->is_retained);
  self->macro_step = H;
  return SEAM_OK;
}

/* ---- Following a motion ---- */

seam_status analysis_recurrence_store_phi(seam_linearised *self, seam_error *error) {
  bool is_available = self->samples.period == 0 && self->engine->exchange->n_corrections == 0;
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    is_available = is_available && self->parts[s].w_of != NULL;
  if (!is_available)
    return SEAM_OK;
  self->full = calloc(self->n_x * self->n_x + 1, sizeof *self->full);
  self->nonzero = calloc(self->n_x + 1, sizeof *self->nonzero);
  return check_memory(self->full != NULL && self->nonzero != NULL, error);
}

void analysis_recurrence_apply(const seam_linearised *self, const double *x, double *y) {
  const size_t n = self->n_x;
  memset(y, 0, n * sizeof *y);
  for (int k = 0; k < self->n_nonzero; k++) {
    const double *column = self->full + (size_t)self->nonzero[k] * n;
    const double factor = x[self->nonzero[k]];
    for (size_t i = 0; i < n; i++)
      y[i] += column[i] * factor;
  }
}

size_t analysis_recurrence_index(const seam_linearised *self, size_t subsystem) {
  const int *member_of = self->engine->member_of, member = member_of[subsystem];
  size_t at = 0;
  for (size_t s = 0; s < subsystem && is_master(self, member); s++)
    at += member_of[s] == member ? self->parts[s].part->n_state : 0;
  for (int m = 0; m < member && !is_master(self, member); m++)
    at += n_state_values(self, m);
  return is_master(self, member) ? self->n_indices + at : at;
}

/* ---- Creation ---- */

seam_status analysis_recurrence_create(seam_linearised *self, seam_error *error) {
  const cosim_master *master = self->engine->master;
  self->n_image = cosim_exchange_n_state(self->engine->exchange);
  self->index = calloc(self->n_image + 1, sizeof *self->index);
  TRY(check_memory(self->index != NULL, error));
  list_indices(self);
  const size_t n = self->n_x = self->n_indices + (master != NULL ? cosim_master_n_state(master) : 0);
  self->at_rest = calloc(2 * self->n_image + n + 1, sizeof *self->at_rest);
  self->is_retained = malloc((n + 1) * sizeof *self->is_retained);
  self->Phi = malloc((n * n + 1) * sizeof *self->Phi);
  self->state = malloc((2 * n + 1) * sizeof *self->state);
  TRY(check_memory(self->at_rest != NULL && self->is_retained != NULL && self->Phi != NULL && self->state != NULL,
                   error));
  self->image = self->at_rest + self->n_image;
  self->unit = self->image + self->n_image;
  return SEAM_OK;
}
