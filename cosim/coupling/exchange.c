/* A round is divided into equal ticks, such that each step of a part ends at the end of a tick. At the end of a tick,
 * all parts whose steps end there take these steps. Jacobi: inputs are extrapolated from outputs known at the beginning
 * of the step. Gauss-Seidel: inputs use all outputs known just before the part takes the step, also new outputs of
 * parts with lower indices. Outputs that jump are an exception (form_hold()). */
#include "cosim/coupling/exchange.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/note.h"
#include "base/then.h"
#include "cosim/parts/fmu_part.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

/* ---- Creation ---- */

#define EXCHANGE_ARRAYS(X)                                                                                             \
  X(self, history, n)                                                                                                  \
  X(self, links, (size_t)plan->n_links)                                                                                \
  X(self, bonds, (size_t)plan->n_bonds)                                                                                \
  X(self, ports, n_ports)                                                                                              \
  X(self, sampled, most)                                                                                               \
  X(self, jumps, n)

static seam_status no_memory(int n, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the exchange between %d subsystems", n);
}

static seam_status allocate(cosim_exchange *self, const cosim_exchange_plan *plan, seam_error *error) {
  const size_t n = (size_t)self->n;
  size_t n_ports = 0;
  size_t most = 0; /* largest number of inputs or outputs of a part */
  for (int k = 0; k < plan->n_bonds; k++)
    n_ports += (size_t)plan->bonds[k].n_ports;
  for (const cosim_member *m = self->parts->member; m < self->parts->member + n; m++) {
    most = (size_t)m->part->n_inputs > most ? (size_t)m->part->n_inputs : most;
    most = (size_t)m->part->n_outputs > most ? (size_t)m->part->n_outputs : most;
  }
  bool enough = true EXCHANGE_ARRAYS(ALLOCATE_ARRAY);
  for (size_t p = 0; p < n && enough; p++) {
    const cosim_part *part = self->parts->member[p].part;
    cosim_participant_history *history = &self->history[p];
    history->uncorrected = calloc((size_t)part->n_inputs + 1, sizeof *history->uncorrected);
    history->past = calloc(COSIM_MAX_PAST * ((size_t)part->n_outputs + 1), sizeof *history->past);
    enough = history->uncorrected != NULL && history->past != NULL;
  }
  return enough ? SEAM_OK : no_memory(self->n, error);
}

static int by_receiver(const void *a, const void *b) {
  const cosim_link *first = a;
  const cosim_link *second = b;
  return first->to != second->to ? first->to - second->to : first->input - second->input;
}

static void copy_links_and_bonds(cosim_exchange *self, const cosim_exchange_plan *plan) {
  cosim_bond_port *ports = self->ports;
  self->n_links = plan->n_links;
  if (plan->n_links > 0)
    memcpy(self->links, plan->links, (size_t)plan->n_links * sizeof *self->links);
  qsort(self->links, (size_t)self->n_links, sizeof *self->links, by_receiver);
  for (int p = 0, k = 0; p <= self->n; p++) {
    while (k < self->n_links && self->links[k].to < p)
      k++;
    self->history[p].first_link = k;
  }
  for (; self->n_bonds < plan->n_bonds; self->n_bonds++) {
    cosim_bond *bond = &self->bonds[self->n_bonds];
    *bond = plan->bonds[self->n_bonds];
    for (int i = 0; i < bond->n_ports; i++)
      ports[i] = bond->ports[i];
    bond->ports = ports;
    ports += bond->n_ports;
  }
}

static seam_status find_ticks(cosim_exchange *self, const cosim_exchange_plan *plan, seam_error *error) {
  int64_t ticks = 1; /* grows to a common multiple of the numbers of steps */
  for (const cosim_member_def *member = plan->members; member < plan->members + self->n; member++) {
    const char *name = member->part->name == NULL ? "" : member->part->name;
    const int64_t before = ticks;
    if (member->steps < 1)
      return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s': 'steps' is %d: take 1 or more", name, member->steps);
    while (ticks % member->steps != 0)
      ticks += before;
    if (ticks > COSIM_MAX_TICKS)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "subsystem '%s' takes %d macro steps in one macro step of 'cosim', so that macro steps of subsystems end at "
          "more than %d different times in it: set 'macro_step' of the subsystems to multiples of each other",
          name, member->steps, COSIM_MAX_TICKS);
  }
  self->ticks = (int)ticks;
  self->one_rate = true;
  for (int p = 0; p < self->n; p++) {
    self->history[p].steps = plan->members[p].steps;
    self->history[p].stride = self->ticks / self->history[p].steps;
    self->one_rate = self->one_rate && self->history[p].stride == 1;
  }
  return SEAM_OK;
}

static seam_status bind_corrections(cosim_exchange *self, seam_error *error) {
  int wanted = 0;
  for (int c = 0; c < self->n_corrections; c++) {
    cosim_correction *correction = self->corrections[c];
    if (correction->ops->bind != NULL)
      TRY(correction->ops->bind(correction, self, error));
    wanted += correction->n_seeds_per_input;
  }
  self->needs_derivatives = wanted > 0;
  for (cosim_member *member = self->parts->member; member < self->parts->member + self->n; member++)
    member->n_seeds = member->part->gives_derivatives ? wanted * member->part->n_inputs : 0;
  return cosim_parts_allocate(self->parts, error);
}

static void destroy_corrections(cosim_correction *const *corrections, int n) {
  for (int c = 0; c < n; c++)
    if (corrections[c] != NULL)
      corrections[c]->ops->destroy(corrections[c]);
}

seam_status cosim_exchange_make(const cosim_exchange_plan *plan, cosim_exchange **created, seam_error *error) {
  cosim_exchange *self = calloc(1, sizeof *self);
  cosim_part **parts = calloc((size_t)plan->n_members + 1, sizeof *parts);
  cosim_correction **corrections = calloc((size_t)plan->n_corrections + 1, sizeof(cosim_correction *));
  if (self == NULL || parts == NULL || corrections == NULL) {
    for (int p = 0; p < plan->n_members; p++)
      cosim_part_destroy(plan->members[p].part);
    destroy_corrections(plan->corrections, plan->n_corrections);
    free(self);
    free(parts);
    free(corrections);
    return no_memory(plan->n_members, error);
  }
  self->gauss_seidel = plan->gauss_seidel;
  self->corrections = corrections;
  for (; self->n_corrections < plan->n_corrections; self->n_corrections++)
    corrections[self->n_corrections] = plan->corrections[self->n_corrections];
  for (int p = 0; p < plan->n_members; p++)
    parts[p] = plan->members[p].part;
  seam_status status = cosim_parts_create(parts, plan->n_members, false, plan->n_threads, &self->parts, error);
  free(parts);
  if (status == SEAM_OK) {
    self->n = plan->n_members;
    status = allocate(self, plan, error);
  }
  THEN(status, find_ticks(self, plan, error));
  if (status == SEAM_OK)
    copy_links_and_bonds(self, plan);
  for (int i = 0; i < COSIM_N_OCCASIONS; i++)
    THEN(status, cosim_order_find(self, (cosim_occasion)i, &self->order[i], error));
  THEN(status, bind_corrections(self, error));
  RETURN_CREATED(status, self, created, cosim_exchange_destroy);
}

void cosim_exchange_destroy(cosim_exchange *self) {
  if (self == NULL)
    return;
  destroy_corrections(self->corrections, self->n_corrections);
  for (int p = 0; p < self->n && self->history != NULL; p++) {
    free(self->history[p].uncorrected);
    free(self->history[p].past);
  }
  for (int i = 0; i < COSIM_N_OCCASIONS; i++)
    cosim_order_free(&self->order[i]);
  cosim_parts_destroy(self->parts);
  free(self->corrections);
  EXCHANGE_ARRAYS(FREE_ARRAY)
  free(self);
}

/* ---- Newest outputs, and inputs from them ---- */

double cosim_exchange_output(const cosim_exchange *self, int part, int output) {
  return self->history[part].past[output];
}

double cosim_exchange_input(const cosim_exchange *self, int part, int input) {
  double sum = 0;
  for (int k = self->history[part].first_link; k < self->history[part + 1].first_link; k++) {
    const cosim_link *link = &self->links[k];
    if (link->input == input)
      sum += link->gain * cosim_exchange_output(self, link->from, link->output) + link->offset;
  }
  return sum;
}

void cosim_exchange_store_before(cosim_exchange *self, int part) {
  for (cosim_link *k = self->links; k < self->links + self->n_links; k++)
    if (k->from == part)
      k->before = k->gain * cosim_exchange_output(self, part, k->output) + k->offset;
}

double cosim_exchange_input_before(const cosim_exchange *self, int part, int input) {
  double sum = 0;
  for (int k = self->history[part].first_link; k < self->history[part + 1].first_link; k++)
    sum += self->links[k].input == input ? self->links[k].before : 0;
  return sum;
}

double cosim_exchange_offset(const cosim_exchange *self, int part, int input) {
  double sum = 0;
  for (int k = self->history[part].first_link; k < self->history[part + 1].first_link; k++)
    sum += self->links[k].input == input ? self->links[k].offset : 0;
  return sum;
}

void cosim_exchange_prescribe(cosim_exchange *self, int part, const double *outputs) {
  const size_t n = (size_t)self->parts->member[part].part->n_outputs;
  memcpy(self->history[part].past, outputs, n * sizeof *outputs);
}

void cosim_exchange_remember(cosim_exchange *self, int part, double t, const double *outputs) {
  cosim_participant_history *history = &self->history[part];
  const size_t n = (size_t)self->parts->member[part].part->n_outputs;
  if (history->n_known == COSIM_MAX_PAST)
    return;
  history->time[history->n_known] = t;
  memcpy(history->past + (size_t)history->n_known * n, outputs, n * sizeof *outputs);
  history->n_known++;
}

seam_status cosim_exchange_evaluate(cosim_exchange *self, cosim_occasion occasion, double H, seam_error *error) {
  if (occasion == COSIM_AT_POINTS && self->needs_derivatives)
    return SEAM_OK;
  return cosim_order_evaluate(self, &self->order[occasion], self->t, H, error);
}

int cosim_exchange_least_order(const cosim_exchange *self) {
  int order = COSIM_MAX_HOLD;
  for (const cosim_link *link = self->links; link < self->links + self->n_links; link++)
    if (!cosim_is_held(self->parts->member[link->from].part, link->output))
      order = link->order < order ? link->order : order;
  return order;
}

/* ---- Start ---- */

void cosim_exchange_start(cosim_exchange *self, double t) {
  self->t = t;
  self->H = 0;
  self->begun = false;
  for (int p = 0; p < self->n; p++) {
    cosim_participant_history *history = &self->history[p];
    const cosim_part *part = self->parts->member[p].part;
    const bool is_initializing = cosim_fmu_part_initializes(part);
    if (is_initializing)
      memset(self->parts->member[p].outputs, 0, (size_t)part->n_outputs * sizeof(double));
    else
      part->ops->get_outputs(self->parts->member[p].part, self->parts->member[p].outputs);
    history->t = is_initializing ? -INFINITY : t;
    history->H = 0;
    history->n_known = 1;
    history->time[0] = t;
    cosim_exchange_prescribe(self, p, self->parts->member[p].outputs);
  }
  for (int k = 0; k < self->n_bonds; k++)
    self->bonds[k].energy = (cosim_bond_energy){0};
  for (int k = 0; k < self->n_links; k++)
    self->links[k].statistics = (cosim_hold_statistics){0};
}

/* ---- FMUs at the start ----
 *
 * FMUs compute their initial states from their inputs in initialization mode. An FMU leaves this mode ("begins") after
 * all parts whose outputs determine its inputs, by links or through feedthrough of parts in between. The FMUs of a loop
 * begin together, with inputs from the outputs that they have in initialization mode. */

typedef struct beginning {
  cosim_exchange *exchange;
  bool *depends; /* (n x n) depends[i n + j] is true if inputs of part i depend on outputs of FMU j */
  bool *begins;  /* (n) parts that begin next, together */
} beginning;

static cosim_part *part_of(const beginning *b, int part) { return b->exchange->parts->member[part].part; }
static bool has_not_begun(const beginning *b, int part) { return b->exchange->history[part].t < b->exchange->t; }

/* Returns true if some output may depend directly on this input. In an FMU that has not begun, every output may. */
static bool may_depend_on(const cosim_part *part, int input) {
  bool some = cosim_fmu_part_initializes(part);
  for (int o = 0; o < part->n_outputs && !part->is_mechanical; o++)
    some |= !cosim_is_held(part, o) && (part->feedthrough == NULL || part->feedthrough[o * part->n_inputs + input]);
  return some;
}

/* Sets b->depends. `reaches` (n x n), false at first: reaches[i n + j] is true if outputs of part i depend on FMU j. */
static void find_dependence(const beginning *b, bool *reaches) {
  const cosim_exchange *x = b->exchange;
  const size_t n = (size_t)x->n;
  for (bool grows = true; grows;) {
    grows = false;
    for (const cosim_link *link = x->links; link < x->links + x->n_links; link++)
      for (int source = 0; source < x->n; source++) {
        const size_t at = (size_t)link->to * n + (size_t)source;
        if (!has_not_begun(b, source) || !(link->from == source || reaches[(size_t)link->from * n + (size_t)source]))
          continue;
        b->depends[at] = true;
        if (!reaches[at] && may_depend_on(part_of(b, link->to), link->input))
          reaches[at] = grows = true;
      }
  }
}

/* Stores the present outputs of the parts that begin next, as their outputs at the start. */
static void store_start_outputs(const beginning *b) {
  cosim_exchange *x = b->exchange;
  for (int p = 0; p < x->n; p++)
    if (b->begins[p]) {
      part_of(b, p)->ops->get_outputs(part_of(b, p), x->parts->member[p].outputs);
      x->history[p].t = x->t;
      cosim_exchange_prescribe(x, p, x->parts->member[p].outputs);
    }
}

/* Chooses the parts that begin next. A part waits for parts that have not begun and determine its inputs, except for
 * parts in the same loop. *some: true if any part begins. Returns true if a part that begins is in a loop. */
static bool choose_next(const beginning *b, bool *some) {
  const size_t n = (size_t)b->exchange->n;
  bool has_loop = false;
  *some = false;
  for (size_t p = 0; p < n; p++) {
    b->begins[p] = has_not_begun(b, (int)p);
    for (size_t q = 0; q < n && b->begins[p]; q++)
      b->begins[p] = !(has_not_begun(b, (int)q) && b->depends[p * n + q] && !b->depends[q * n + p]);
    has_loop = has_loop || (b->begins[p] && b->depends[p * n + p]);
    *some |= b->begins[p];
  }
  return has_loop;
}

seam_status cosim_exchange_begin_fmus(cosim_exchange *self, double H, seam_error *error) {
  const size_t n = (size_t)self->n;
  bool *depends = calloc(2 * n * n + 1, sizeof *depends);
  const beginning b = {self, depends, self->jumps};
  bool some = true;
  seam_status status = depends != NULL
                           ? cosim_exchange_evaluate(self, COSIM_AT_START, H, error)
                           : seam_fail(error, SEAM_NO_MEMORY, "no memory for the start of %d subsystems", self->n);
  if (status == SEAM_OK)
    find_dependence(&b, depends + n * n);
  while (some && status == SEAM_OK) {
    seam_error cause = {0};
    if (choose_next(&b, &some)) { /* solves for the outputs that parts in loops have before they begin */
      store_start_outputs(&b);
      if (cosim_exchange_evaluate(self, COSIM_AT_START, H, &cause) != SEAM_OK)
        seam_note("at the start the inputs of some FMUs depend on each other, and no solution was found: these FMUs "
                  "begin with the last values of the search (%s)",
                  cause.message);
    }
    for (int p = 0; p < self->n && status == SEAM_OK; p++) {
      cosim_part *part = part_of(&b, p);
      for (int i = 0; i < part->n_inputs && b.begins[p]; i++) {
        const double value = cosim_exchange_input(self, p, i);
        self->sampled[i] = isfinite(value) ? value : 0;
      }
      if (b.begins[p])
        status = cosim_fmu_part_begin(part, self->sampled, error);
    }
    if (some && status == SEAM_OK) {
      store_start_outputs(&b);
      status = cosim_exchange_evaluate(self, COSIM_AT_START, H, error);
    }
  }
  free(depends);
  return status;
}

/* ---- Inputs of a step ---- */

/* Forms the hold of a link over the receiver's step, as a polynomial in τ: the line with the source's value and rate
 * or, without a rate, the polynomial through the last link->order + 1 macro points of the source. Under Gauss-Seidel
 * these points may be later than the receiver. Later points are left out if the round ends at a jump, or if the output
 * is constant between samples. */
static void form_hold(const cosim_exchange *self, cosim_link *link, const cosim_participant_history *to,
                      bool is_first) {
  const cosim_participant_history *from = &self->history[link->from];
  const cosim_part *source = self->parts->member[link->from].part;
  const bool leaves_out = self->ends_at_jump || cosim_is_held(source, link->output);
  double *c = link->hold.c[0];
  int first = 0;
  while (leaves_out && first < from->n_known && from->time[first] > to->t)
    first++;
  const double *past = from->past + first * source->n_outputs;
  link->hold = (cosim_signal){.n_pieces = 1};
  if (first == from->n_known) {
    c[0] = link->value_at_step;
  } else if (link->rate >= 0) {
    const double rate = link->rate_gain * past[link->rate];
    c[0] = past[link->output] + rate * (to->t - from->time[first]);
    c[1] = rate * to->H;
  } else {
    const int n = link->order < from->n_known - first ? link->order + 1 : from->n_known - first;
    double node[COSIM_MAX_PAST];
    for (int i = 0; i < n; i++)
      node[i] = (from->time[first + i] - to->t) / to->H;
    for (int i = 0; i < n; i++) {
      const cosim_signal basis = cosim_lagrange(n, node, i);
      cosim_signal_add(&link->hold, past[i * source->n_outputs + link->output], &basis);
    }
  }
  if (link->smooth && !is_first) { /* begins with the end value and slope of the last hold; the end does not change */
    const double jump = link->end_value - c[0];
    const double slope = link->end_slope * to->H - c[1];
    c[0] += jump;
    c[1] += slope;
    c[2] -= 3 * jump + 2 * slope;
    c[3] += 2 * jump + slope;
  }
  link->end_value = cosim_signal_end(&link->hold);
  link->end_slope = cosim_signal_end_slope(&link->hold) / to->H;
}

static void form_inputs(cosim_exchange *self, int part) {
  cosim_participant_history *history = &self->history[part];
  const cosim_member *member = &self->parts->member[part];
  const bool is_first = history->H == 0;
  history->H = self->H / history->steps;
  for (int i = 0; i < member->part->n_inputs; i++)
    history->uncorrected[i] = (cosim_signal){.n_pieces = 1};
  for (int k = history->first_link; k < history[1].first_link; k++) {
    cosim_link *link = &self->links[k];
    form_hold(self, link, history, is_first);
    cosim_signal_add(&history->uncorrected[link->input], link->gain, &link->hold);
    history->uncorrected[link->input].c[0][0] += link->offset;
  }
  memcpy(member->inputs, history->uncorrected, (size_t)member->part->n_inputs * sizeof *history->uncorrected);
  for (int c = 0; c < self->n_corrections; c++)
    if (self->corrections[c]->ops->adjust_inputs != NULL)
      self->corrections[c]->ops->adjust_inputs(self->corrections[c], self, part);
}

/* ---- Steps ---- */

/* Stores a part's values at the beginning of its step for each receiver whose step begins no earlier. Holds under
 * Gauss-Seidel need these values if the part takes many steps in one step of the receiver. */
static void store_values_at_step(cosim_exchange *self, int part) {
  const cosim_participant_history *history = &self->history[part];
  for (cosim_link *link = self->links; link < self->links + self->n_links; link++)
    if (link->from == part && history->time[0] <= self->history[link->to].t)
      link->value_at_step = history->past[link->output];
}

/* Takes the steps that end at a tick. Under Jacobi they run in parallel if the steps of all parts are equally long. */
static seam_status advance_tick(cosim_exchange *self, int tick, seam_error *error) {
  const double t = self->t + self->H * tick / self->ticks;
  const bool is_parallel = self->one_rate && !self->gauss_seidel;
  if (is_parallel)
    TRY(cosim_parts_advance(self->parts, self->history->t, self->history->H, COSIM_FIRST_PASS, self->needs_derivatives,
                            error));
  for (int p = 0; p < self->n; p++) {
    cosim_participant_history *history = &self->history[p];
    const size_t n = (size_t)self->parts->member[p].part->n_outputs;
    if (tick % history->stride != 0)
      continue;
    if (self->gauss_seidel)
      form_inputs(self, p);
    if (!is_parallel)
      TRY(cosim_parts_advance_one(self->parts, p, history->t, history->H, self->needs_derivatives, error));
    if (self->gauss_seidel && !self->one_rate)
      store_values_at_step(self, p);
    memmove(history->past + n, history->past, (COSIM_MAX_PAST - 1) * n * sizeof *history->past);
    memmove(history->time + 1, history->time, (COSIM_MAX_PAST - 1) * sizeof *history->time);
    cosim_exchange_prescribe(self, p, self->parts->member[p].outputs);
    history->t = history->time[0] = t;
    history->n_known += history->n_known < COSIM_MAX_PAST;
  }
  if (!self->needs_derivatives)
    TRY(cosim_order_evaluate(self, &self->order[COSIM_AT_POINTS], t, 0, error));
  for (int p = 0; p < self->n; p++)
    for (int c = 0; c < self->n_corrections && tick % self->history[p].stride == 0; c++)
      if (self->corrections[c]->ops->observe != NULL)
        self->corrections[c]->ops->observe(self->corrections[c], self, p);
  for (int p = 0; p < self->n; p++)
    if (!self->gauss_seidel && tick < self->ticks && tick % self->history[p].stride == 0)
      form_inputs(self, p);
  return SEAM_OK;
}

/* ---- Samples ---- */

static double next_sample(const cosim_exchange *self, int part) {
  const cosim_part *sampled = self->parts->member[part].part;
  return cosim_is_sampled(sampled) ? sampled->ops->next_sample(sampled) : INFINITY;
}

double cosim_exchange_next_sample(const cosim_exchange *self) {
  double first = INFINITY;
  for (int p = 0; p < self->n; p++) {
    const double next = next_sample(self, p);
    first = next > self->t ? fmin(first, next) : first;
  }
  return first;
}

static seam_status sample(cosim_exchange *self, int part, seam_error *error) {
  cosim_member *member = &self->parts->member[part];
  seam_error cause = {0};
  for (int i = 0; i < member->part->n_inputs; i++)
    self->sampled[i] = cosim_exchange_input(self, part, i);
  const seam_status status = member->part->ops->sample(member->part, self->t, self->sampled, &cause);
  if (status != SEAM_OK)
    return seam_fail(error, status, "subsystem '%s': %s", member->part->name, cause.message);
  const size_t size = (size_t)member->part->n_outputs * sizeof *self->sampled;
  memcpy(self->sampled, member->outputs, size);
  member->part->ops->get_outputs(member->part, member->outputs);
  self->jumps[part] = member->part->held == NULL || !self->begun || memcmp(self->sampled, member->outputs, size) != 0;
  return cosim_exchange_check_outputs(self, part, member->outputs, error);
}

/* At a jump of a law of time, samples read outputs that are evaluated with the law's value after the jump. The states
 * of the parts cross the jump later, when all samples are taken. */
seam_status cosim_exchange_sample(cosim_exchange *self, seam_error *error) {
  seam_status status = SEAM_OK;
  bool is_due = false;
  self->was_sampled = false;
  for (int p = 0; p < self->n; p++) {
    cosim_exchange_store_before(self, p);
    is_due = is_due || next_sample(self, p) <= self->t;
  }
  if (!is_due)
    return SEAM_OK;
  for (int p = 0; p < self->n; p++) {
    cosim_part *part = self->parts->member[p].part;
    if (part->ops->get_outputs_beyond != NULL && part->ops->get_outputs_beyond(part, self->sampled))
      cosim_exchange_prescribe(self, p, self->sampled);
  }
  for (int p = 0; p < self->n && status == SEAM_OK; p++) {
    self->jumps[p] = false;
    if (next_sample(self, p) <= self->t)
      status = sample(self, p, error);
    self->was_sampled |= self->jumps[p];
  }
  for (int p = 0; p < self->n; p++)
    if (self->jumps[p] || self->parts->member[p].part->ops->get_outputs_beyond != NULL)
      cosim_exchange_prescribe(self, p, self->parts->member[p].outputs);
  return self->was_sampled && status == SEAM_OK ? cosim_exchange_evaluate(self, COSIM_AT_SAMPLES, 0, error) : status;
}

/* ---- Rounds ---- */

seam_status cosim_exchange_advance(cosim_exchange *self, double H, seam_error *error) {
  self->H = H;
  for (int c = 0; c < self->n_corrections && !self->begun; c++) {
    cosim_correction *correction = self->corrections[c];
    if (correction->state != NULL)
      memset(correction->state, 0, correction->n_state * sizeof *correction->state);
    if (correction->ops->start != NULL)
      correction->ops->start(correction, self);
  }
  self->begun = true;
  for (cosim_bond *bond = self->bonds; bond < self->bonds + self->n_bonds; bond++)
    for (cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++)
      port->link_value = cosim_exchange_input(self, port->part, port->input);
  for (int p = 0; p < self->n && !self->gauss_seidel; p++)
    form_inputs(self, p);
  for (int tick = 1; tick <= self->ticks; tick++)
    TRY(advance_tick(self, tick, error));
  self->t += H;
  for (cosim_bond *bond = self->bonds; bond < self->bonds + self->n_bonds; bond++) {
    double residual[2] = {0, 0}; /* residual power: [0] at the part of the first port, [1] at other parts */
    bond->energy.power = 0;
    for (const cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++) {
      const double output = cosim_exchange_output(self, port->part, port->output);
      const bool is_other = port->part != bond->ports->part;
      residual[is_other] += port->factor * port->link_value * output;
      if (!is_other)
        bond->energy.power += port->factor * cosim_exchange_input(self, port->part, port->input) * output;
    }
    bond->energy.residual_power = residual[0] + residual[1];
    bond->energy.residual_energy += self->H * bond->energy.residual_power;
  }
  for (int c = 0; c < self->n_corrections; c++)
    if (self->corrections[c]->ops->end_round != NULL)
      TRY(self->corrections[c]->ops->end_round(self->corrections[c], self, error));
  cosim_exchange_add_hold_errors(self);
  return cosim_exchange_sample(self, error);
}

void cosim_exchange_advance_time(cosim_exchange *self, double H) {
  self->t += H;
  for (int p = 0; p < self->n; p++)
    self->history[p].t = self->t;
}

/* ---- State: times, counts and sums of hold errors, then all other numbers ---- */

enum { history_counters = 3 + COSIM_MAX_PAST, statistics_size = sizeof(cosim_hold_statistics) / sizeof(double) };

size_t cosim_exchange_n_counters(const cosim_exchange *self) {
  return 3 + history_counters * (size_t)self->n + statistics_size * (size_t)self->n_links;
}

static void copy_state(cosim_exchange *self, cosim_image *image) {
  double begun = self->begun;
  cosim_image_copy(image, &self->t, 1);
  cosim_image_copy(image, &self->H, 1);
  cosim_image_copy(image, &begun, 1);
  self->begun = begun != 0;
  for (cosim_participant_history *s = self->history; s < self->history + self->n; s++) {
    double n_known = s->n_known;
    cosim_image_copy(image, &s->t, 1);
    cosim_image_copy(image, &s->H, 1);
    cosim_image_copy(image, &n_known, 1);
    cosim_image_copy(image, s->time, COSIM_MAX_PAST);
    s->n_known = cosim_saved_count(n_known, 0, COSIM_MAX_PAST);
  }
  for (cosim_link *link = self->links; link < self->links + self->n_links; link++)
    cosim_image_copy(image, (double *)&link->statistics, statistics_size);
  cosim_parts_copy(self->parts, image);
  for (int p = 0; p < self->n; p++)
    cosim_image_copy(image, self->history[p].past, COSIM_MAX_PAST * (size_t)self->parts->member[p].part->n_outputs);
  for (cosim_link *link = self->links; link < self->links + self->n_links; link++) {
    cosim_image_copy(image, &link->end_value, 1);
    cosim_image_copy(image, &link->end_slope, 1);
  }
  for (cosim_bond *bond = self->bonds; bond < self->bonds + self->n_bonds; bond++) {
    cosim_image_copy(image, &bond->energy.residual_power, 1);
    cosim_image_copy(image, &bond->energy.residual_energy, 1);
    cosim_image_copy(image, &bond->energy.power, 1);
  }
  for (int c = 0; c < self->n_corrections; c++) {
    cosim_correction *correction = self->corrections[c];
    if (correction->state != NULL)
      cosim_image_copy(image, correction->state, correction->n_state);
    else if (correction->ops->copy_state != NULL)
      correction->ops->copy_state(correction, image);
  }
}

size_t cosim_exchange_n_state(const cosim_exchange *self) {
  cosim_image counts = {.saves = true};
  for (int p = 0; p < self->n; p++)
    if (!cosim_part_can_repeat(self->parts->member[p].part))
      return 0;
  copy_state((cosim_exchange *)self, &counts);
  return counts.n;
}

void cosim_exchange_save(const cosim_exchange *self, double *state) {
  copy_state((cosim_exchange *)self, &(cosim_image){.at = state, .saves = true});
}

void cosim_exchange_restore(cosim_exchange *self, const double *state) {
  copy_state(self, &(cosim_image){.at = (double *)state});
}
