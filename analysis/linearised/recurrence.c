/* Computes Φ (recurrence.h) by macro steps. The exchange passes signals between subsystems, the master couples them at
 * cuts. The state x consists of values of the exchange's saved state (its image), then of the master's saved state.
 * Times, counts and sums in the image are not mapped linearly and are not in x. First, the coupled subsystems take
 * macro steps at rest. From there x is set to each unit vector in turn. A macro step then gives a column of Φ. If there
 * are samples, all macro steps of their common period are taken instead. */
#include "analysis/linearised/recurrence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/equations.h>
#include <seam/measures.h>

#include "analysis/linearised/linearised_part.h"
#include "analysis/thresholds.h"
#include "base/sample.h"
#include "base/then.h"
#include "cosim/parts/part.h"

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

/* ---- Subsystems of user equations ---- */

/* User equations x' = f(t, x, u), y = g(t, x, u) become δx' = A δx + B δu, δy = C δx + D δu. Sampled equations have the
 * next value δx⁺ in place of δx'. Linear equations need no linearisation. */

static seam_status no_memory_for(const cosim_subsystem_def *def, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise subsystem '%s'", def->name);
}

typedef void along_function(const void *context, double t, const double *x, const double *u, const double *dx,
                            const double *du, double *change);

/* User equations, and the point (t, x, u) about which they are linearised. */
typedef struct equations {
  const cosim_subsystem_def *def;
  const cosim_ode_def *of;
  double t;
  double *x, *u, *dx, *du, *change;
  int *w_of;  /* index in the undivided model of each state that is not an integral */
  bool has_w; /* all states but the integrals are variables of the undivided model */
} equations;

/* Finds the quantity of a state or input `name` in the undivided model: SUBSYSTEM.name or, if an output has this name,
 * SUBSYSTEM.name.own. */
static seam_status find_quantity(const equations *e, const char *name, const mbs_model *undivided_model,
                                 mbs_quantity *found, seam_error *error) {
  char full[300];
  const int length = snprintf(full, sizeof full, "%s.%s.own", e->def->name, name);
  if (mbs_find_quantity(undivided_model, full, found, NULL) == SEAM_OK)
    return SEAM_OK;
  if (length < (int)sizeof full)
    full[length - (int)(sizeof ".own" - 1)] = '\0';
  return mbs_find_quantity(undivided_model, full, found, error);
}

/* Reads the values of states and inputs from a state of the undivided model. Integrals remain zero. */
static seam_status read_values(equations *e, const mbs_model *undivided_model, const mbs_state *state,
                               seam_error *error) {
  const size_t n = (size_t)(e->of->n_states - e->of->n_integrals);
  const size_t n_all = n + (size_t)e->of->n_inputs;
  mbs_workspace *ws = NULL;
  mbs_readout *readout = NULL;
  mbs_quantity *list = calloc(n_all + 1, sizeof *list);
  double *values = calloc(n_all + 1, sizeof *values);
  seam_status status =
      list != NULL && values != NULL ? mbs_workspace_create(undivided_model, &ws, error) : no_memory_for(e->def, error);
  for (size_t i = 0; i < n_all && status == SEAM_OK; i++) {
    status = find_quantity(e, i < n ? e->of->states[i] : e->def->user->inputs[i - n], undivided_model, &list[i], error);
    if (i < n && status == SEAM_OK) {
      e->has_w = e->has_w && list[i].owner == MBS_VARIABLES;
      e->w_of[i] = (int)mbs_variable_of(undivided_model, list[i].element).state;
    }
  }
  THEN(status, mbs_readout_create(undivided_model, list, n_all, &readout, error));
  if (status == SEAM_OK) {
    mbs_read(readout, ws, state, values);
    memcpy(e->x, values, n * sizeof *values);
    memcpy(e->u, values + n, (size_t)e->of->n_inputs * sizeof *values);
  }
  mbs_readout_destroy(readout);
  mbs_workspace_destroy(ws);
  free(list);
  free(values);
  return status;
}

/* Fills A and B, or C and D: derivatives with respect to x and to u. The matrices are stored row by row. */
static void fill(equations *e, along_function *along, int n_rows, double *of_x, double *of_u) {
  for (int j = 0; j < e->of->n_states + e->of->n_inputs; j++) {
    double *unit = j < e->of->n_states ? &e->dx[j] : &e->du[j - e->of->n_states];
    *unit = 1;
    along(e->of->context, e->t, e->x, e->u, e->dx, e->du, e->change);
    *unit = 0;
    for (int i = 0; i < n_rows; i++)
      if (j < e->of->n_states)
        of_x[i * e->of->n_states + j] = e->change[i];
      else
        of_u[i * e->of->n_inputs + j - e->of->n_states] = e->change[i];
  }
}

static seam_status create_user(equations *e, const mbs_model *undivided_model, const mbs_state *state,
                               analysis_linearised_user *made, seam_error *error) {
  const size_t n = (size_t)e->of->n_states;
  const size_t n_in = (size_t)e->of->n_inputs;
  const size_t n_out = (size_t)e->of->n_outputs;
  if (e->of->rates_along == NULL || undivided_model == NULL || (n > 0 && e->of->states == NULL))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the stability of schemes cannot be computed, because the undivided model lacks the equations of "
                     "subsystem '%s' or their derivatives: compare runs with several macro steps ('seam converge')",
                     e->def->name);
  double *A = calloc((n + n_out) * (n + n_in) + n + 3 * (n + n_in) + n_out + 1, sizeof *A);
  bool *restarts = calloc(n + 1, sizeof *restarts);
  made->w_of = e->w_of = calloc(n + 1, sizeof *made->w_of);
  e->t = state->t;
  e->has_w = made->period == 0 && e->of->n_integrals == 0;
  seam_status status = SEAM_OK;
  if (A == NULL || restarts == NULL || e->w_of == NULL)
    status = no_memory_for(e->def, error);
  else {
    double *B = A + n * n, *C = B + n * n_in, *D = C + n_out * n;
    double *zeros = D + n_out * n_in; /* (n) */
    e->x = zeros + n;
    e->u = e->x + n;
    e->dx = e->u + n_in;
    e->du = e->dx + n;
    e->change = e->du + n_in;
    status = read_values(e, undivided_model, state, error);
    if (status == SEAM_OK) {
      fill(e, e->of->rates_along, e->of->n_states, A, B);
      fill(e, e->of->outputs_along, e->of->n_outputs, C, D);
    }
    for (int i = e->of->n_states - e->of->n_integrals; i < e->of->n_states; i++)
      restarts[i] = true;
    const cosim_linear_def linear = {.name = e->def->name,
                                     .n_states = e->of->n_states,
                                     .n_inputs = e->of->n_inputs,
                                     .n_outputs = e->of->n_outputs,
                                     .A = A,
                                     .B = B,
                                     .C = C,
                                     .D = D,
                                     .restarts = restarts};
    THEN(status, made->period > 0
                     ? cosim_sampled_linear_part_create(&linear, made->period, e->of->states, zeros, &made->part, error)
                     : cosim_linear_part_create(&linear, &made->part, error));
  }
  if (!e->has_w) {
    free(made->w_of);
    made->w_of = NULL;
  }
  free(restarts);
  free(A);
  return status;
}

/* ---- The state x ---- */

static cosim_part *part_of(const analysis_recurrence *self, int member) {
  return self->exchange->parts->member[member].part;
}

static bool is_master(const analysis_recurrence *self, int member) {
  return part_of(self, member) == self->engine->master_part;
}

/* Returns true if the exchange's image is needed. A master that alone couples subsystems without samples needs none. */
static bool has_image(const analysis_recurrence *self) { return self->n_indices > 0 || self->samples.n_inside > 0; }

void analysis_recurrence_get(analysis_recurrence *self, double *x) {
  if (has_image(self))
    cosim_exchange_save(self->exchange, self->image);
  for (size_t i = 0; i < self->n_indices; i++)
    x[i] = self->image[self->index[i]];
  if (self->master != NULL)
    cosim_master_save(self->master, x + self->n_indices);
}

/* Returns the number of values of a member's state in x: all but the time of the next sample; 0 for the master, whose
 * state is saved separately. */
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

/* Lists the indices of the values of x in the exchange's saved state. These values are the states of members, past
 * outputs that are read, the last value and slope of each smoothing link, and values of corrections. */
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

/* Repeats the samples inside subsystems with the signals at the end of the macro step, as co-simulations do. */
static void repeat_samples(analysis_recurrence *self) {
  for (size_t s = 0; s < self->n_users; s++)
    if (self->mechanical[s] != NULL)
      analysis_undo_samples(self->mechanical[s]);
  cosim_engine_set_inputs_before_samples(self->engine);
  for (size_t s = 0; s < self->n_users; s++)
    if (self->mechanical[s] != NULL)
      analysis_repeat_samples(self->mechanical[s]);
}

static seam_status advance(analysis_recurrence *self, double H, int n_steps, seam_error *error) {
  for (int k = 1; k <= n_steps; k++) {
    const double next = cosim_exchange_next_sample(self->exchange);
    double *time = &self->exchange->t;
    /* If the step misses a sample only by rounding, it is shifted to end at the sample. */
    if (fabs(*time + H - next) < analysis_near_sample * H)
      for (*time = next - H; *time + H < next;)
        *time = nextafter(*time, INFINITY);
    const double t = *time;
    TRY(cosim_exchange_advance(self->exchange, H, error));
    bool is_due = false; /* a sample inside a subsystem */
    for (int i = 0; i < self->samples.n_inside; i++)
      is_due |= sample_is_due(self->samples.inside[i], t, t + H);
    if (!is_due)
      continue;
    if (self->engine->partition->by_exchange)
      repeat_samples(self);
    cosim_engine_update(self->engine);
  }
  return SEAM_OK;
}

/* Takes macro steps at rest until all past values are set. Saves the exchange's state in self->at_rest. */
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
  TRY(check_memory(is_retained != NULL, error));
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
  const cosim_partition *partition = self->engine->partition;
  bool is_available = self->samples.common.period == 0 && self->exchange->n_corrections == 0;
  for (size_t s = 0; s < partition->n_subsystems; s++)
    is_available = is_available && (cosim_is_mechanical(partition, s) || self->users[s].w_of != NULL);
  if (!is_available)
    return SEAM_OK;
  self->full = calloc(self->n * self->n + 1, sizeof *self->full);
  self->nonzero = calloc(self->n + 1, sizeof *self->nonzero);
  return check_memory(self->full != NULL && self->nonzero != NULL, error);
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
  const cosim_engine *engine = self->engine;
  const int member = engine->member_of[subsystem];
  size_t at = 0;
  for (size_t s = 0; s < subsystem && is_master(self, member); s++)
    at += engine->member_of[s] == member ? self->mechanical[s]->n_state : 0;
  for (int m = 0; m < member && !is_master(self, member); m++)
    at += n_state_values(self, m);
  return is_master(self, member) ? self->n_indices + at : at;
}

/* ---- Creation ---- */

/* Linearises the subsystems of user equations. Fails with SEAM_BAD_INPUT if one has no derivatives, or if a state or
 * input is not in `undivided_model`; NULL: there is no such model. */
static seam_status linearise_users(analysis_recurrence *self, const cosim_partition *partition,
                                   const mbs_model *undivided_model, const mbs_state *state, seam_error *error) {
  for (size_t s = 0; s < partition->n_subsystems; s++) {
    const cosim_subsystem_def *def = &partition->subsystems[s];
    analysis_linearised_user *made = &self->users[s];
    if (cosim_is_mechanical(partition, s))
      continue;
    equations e = {.def = def, .of = cosim_ode_part_def(partition->parts[s], &made->period)};
    if (cosim_is_linear_part(partition->parts[s])) { /* the exchange changes the state of its part: it gets a new one */
      TRY(def->user->create(def->user->context, &made->part, error));
      made->part->name = def->name;
    } else if (e.of == NULL)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "the stability of schemes cannot be computed, because subsystem '%s' does not consist of equations (an FMU, "
          "for example) and gives no derivatives: compare runs with several macro steps ('seam converge')",
          def->name);
    else {
      made->n_states = e.of->n_states;
      TRY(create_user(&e, undivided_model, state, made, error));
    }
    if (made->period > 0)
      TRY(analysis_common_period_add(&self->samples.common, made->period, def->name, error));
  }
  return SEAM_OK;
}

/* Rejects the model-based correction if a member provides no derivatives. Sampled equations and the master do not. */
static seam_status check_derivatives(const analysis_recurrence *self, const cosim_definition *definition,
                                     seam_error *error) {
  for (int m = 0; m < self->exchange->n && definition->model_based != NULL; m++)
    if (!part_of(self, m)->gives_derivatives)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "the stability of schemes cannot be computed, because 'model_based' identifies the derivatives "
                       "of '%s', which has samples or couplings with correctors, from the motion, which is not linear: "
                       "leave out 'model_based'",
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
  TRY(check_memory(made->users != NULL && made->mechanical != NULL, error));
  memcpy(made->mechanical, parts, partition->n_subsystems * sizeof(cosim_part *));
  TRY(linearise_users(made, partition, undivided_model, state, error));
  cosim_part **all = malloc((partition->n_subsystems + 1) * sizeof(cosim_part *));
  for (size_t s = 0; s < partition->n_subsystems && all != NULL; s++) {
    cosim_part **one = cosim_is_mechanical(partition, s) ? &parts[s] : &made->users[s].part;
    all[s] = *one;
    *one = NULL;
  }
  TRY(cosim_engine_create(partition, definition, master, all, &made->engine, error));
  made->exchange = made->engine->exchange;
  for (int k = 0; k < made->exchange->n_links; k++)
    made->exchange->links[k].offset = 0; /* Φ maps deviations, for which offsets are zero */
  TRY(check_derivatives(made, definition, error));
  made->master = made->engine->master;
  made->n_image = cosim_exchange_n_state(made->exchange);
  made->index = calloc(made->n_image + 1, sizeof *made->index);
  TRY(check_memory(made->index != NULL, error));
  list_indices(made);
  made->n = made->n_indices + (made->master != NULL ? cosim_master_n_state(made->master) : 0);
  made->at_rest = calloc(2 * made->n_image + made->n + 1, sizeof *made->at_rest);
  TRY(check_memory(made->at_rest != NULL, error));
  made->image = made->at_rest + made->n_image;
  made->unit = made->image + made->n_image;
  return SEAM_OK;
}

void analysis_recurrence_free(analysis_recurrence *self) {
  cosim_engine_destroy(self->engine);
  for (size_t s = 0; s < self->n_users && self->users != NULL; s++) {
    cosim_part_destroy(self->users[s].part);
    free(self->users[s].w_of);
  }
  free(self->users);
  free(self->full);
  free(self->nonzero);
  free(self->index);
  free(self->mechanical);
  free(self->at_rest);
}
