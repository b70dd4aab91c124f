/* Creates an exchange from its plan: links are sorted by receiver, all memory is allocated. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "cosim/coupling/exchange.h"
#include "cosim/parts/multibody_part.h"
#include "cosim/thresholds.h"

static seam_status no_memory(int n, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the exchange between %d subsystems", n);
}

/* ---- Links and bonds ---- */

static int by_receiver(const void *a, const void *b) {
  const cosim_link *first = a;
  const cosim_link *second = b;
  return first->to != second->to ? first->to - second->to : first->input - second->input;
}

static seam_status copy_links(cosim_exchange *self, const cosim_exchange_plan *plan, seam_error *error) {
  const size_t size = (size_t)plan->n_links * sizeof *self->links;
  self->links = malloc(size + 1);
  if (self->links == NULL)
    return no_memory(self->n, error);
  self->n_links = plan->n_links;
  if (size > 0)
    memcpy(self->links, plan->links, size);
  qsort(self->links, (size_t)self->n_links, sizeof *self->links, by_receiver);
  for (int p = 0, k = 0; p <= self->n; p++) {
    while (k < self->n_links && self->links[k].to < p)
      k++;
    self->history[p].first_link = k;
  }
  return SEAM_OK;
}

static seam_status copy_bonds(cosim_exchange *self, const cosim_exchange_plan *plan, seam_error *error) {
  size_t n_ports = 0;
  for (int k = 0; k < plan->n_bonds; k++)
    n_ports += (size_t)plan->bonds[k].n_ports;
  self->bonds = calloc((size_t)plan->n_bonds + 1, sizeof *self->bonds);
  self->ports = calloc(n_ports + 1, sizeof *self->ports);
  if (self->bonds == NULL || self->ports == NULL)
    return no_memory(self->n, error);
  cosim_bond_port *ports = self->ports;
  for (; self->n_bonds < plan->n_bonds; self->n_bonds++) {
    cosim_bond *bond = &self->bonds[self->n_bonds];
    *bond = plan->bonds[self->n_bonds];
    for (int i = 0; i < bond->n_ports; i++)
      ports[i] = bond->ports[i];
    bond->ports = ports;
    ports += bond->n_ports;
  }
  return SEAM_OK;
}

/* ---- Parts ---- */

static seam_status create_histories(cosim_exchange *self, const cosim_exchange_plan *plan, seam_error *error) {
  self->history = calloc((size_t)self->n + 1, sizeof *self->history);
  if (self->history == NULL)
    return no_memory(self->n, error);
  self->ticks = 1;
  for (int p = 0; p < self->n; p++) {
    const cosim_member_def *member = &plan->members[p];
    cosim_participant_history *history = &self->history[p];
    if (member->steps < 1)
      return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s': 'steps' is %d: take 1 or more",
                       member->part->name == NULL ? "" : member->part->name, member->steps);
    history->steps = member->steps;
    history->uncorrected = calloc((size_t)member->part->n_inputs + 1, sizeof *history->uncorrected);
    history->past = calloc(COSIM_MAX_PAST * ((size_t)member->part->n_outputs + 1), sizeof *history->past);
    if (history->uncorrected == NULL || history->past == NULL)
      return no_memory(self->n, error);
    int64_t ticks = self->ticks; /* grows to a common multiple of the numbers of steps */
    while (ticks % member->steps != 0)
      ticks += self->ticks;
    if (ticks > COSIM_MAX_TICKS)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "subsystem '%s': with %d of its macro steps in a common one, the subsystems' steps end at more "
                       "than %d different times: take numbers that divide each other",
                       member->part->name == NULL ? "" : member->part->name, member->steps, COSIM_MAX_TICKS);
    self->ticks = (int)ticks;
  }
  self->one_rate = true;
  for (int p = 0; p < self->n; p++) {
    self->history[p].stride = self->ticks / self->history[p].steps;
    self->one_rate = self->one_rate && self->history[p].stride == 1;
  }
  return SEAM_OK;
}

/* ---- Corrections, outputs with feedthrough ---- */

/* Binds the corrections, then allocates the parts with the seeds that the corrections need. */
static seam_status bind_corrections(cosim_exchange *self, seam_error *error) {
  int wanted = 0;
  for (int c = 0; c < self->n_corrections; c++) {
    cosim_correction *correction = self->corrections[c];
    const seam_status status = correction->ops->bind == NULL ? SEAM_OK : correction->ops->bind(correction, self, error);
    if (status != SEAM_OK)
      return status;
    wanted += correction->n_seeds_per_input;
  }
  self->needs_derivatives = wanted > 0;
  int *n_seeds = calloc((size_t)self->n + 1, sizeof *n_seeds);
  if (n_seeds == NULL)
    return no_memory(self->n, error);
  for (int p = 0; p < self->n; p++) {
    cosim_member *member = &self->parts->member[p];
    n_seeds[p] = member->part->gives_derivatives ? wanted * member->part->n_inputs : 0;
    member->n_seeds = n_seeds[p];
  }
  const seam_status status = cosim_parts_allocate(self->parts, n_seeds, error);
  free(n_seeds);
  return status;
}

static seam_status find_orders(cosim_exchange *self, seam_error *error) {
  int most = 0;
  for (int p = 0; p < self->n; p++) {
    const cosim_part *part = self->parts->member[p].part;
    most = part->n_inputs > most ? part->n_inputs : most;
    most = part->n_outputs > most ? part->n_outputs : most;
  }
  self->sampled = calloc((size_t)most + 1, sizeof *self->sampled);
  self->jumps = calloc((size_t)self->n + 1, sizeof *self->jumps);
  seam_status status = self->sampled != NULL && self->jumps != NULL ? SEAM_OK : no_memory(self->n, error);
  for (int i = 0; i < COSIM_N_OCCASIONS && status == SEAM_OK; i++)
    status = cosim_order_find(self, (cosim_occasion)i, &self->order[i], error);
  return status;
}

/* ---- Creation ---- */

static void destroy_corrections(cosim_correction *const *corrections, int n) {
  for (int c = 0; c < n; c++)
    if (corrections[c] != NULL)
      corrections[c]->ops->destroy(corrections[c]);
}

/* Destroys parts and corrections of a plan before an exchange owns them. */
static void drop_plan(const cosim_exchange_plan *plan) {
  for (int p = 0; p < plan->n_members; p++)
    cosim_part_destroy(plan->members[p].part);
  destroy_corrections(plan->corrections, plan->n_corrections);
}

/* Gives parts and corrections to *self. */
static seam_status take_ownership(cosim_exchange *self, const cosim_exchange_plan *plan, seam_error *error) {
  cosim_part **parts = calloc((size_t)plan->n_members + 1, sizeof *parts);
  self->corrections = calloc((size_t)plan->n_corrections + 1, sizeof(cosim_correction *));
  if (parts == NULL || self->corrections == NULL) {
    free(parts);
    drop_plan(plan);
    return no_memory(plan->n_members, error);
  }
  self->n_corrections = plan->n_corrections;
  for (int c = 0; c < plan->n_corrections; c++)
    self->corrections[c] = plan->corrections[c];
  for (int p = 0; p < plan->n_members; p++)
    parts[p] = plan->members[p].part;
  const seam_status status = cosim_parts_create(parts, plan->n_members, false, plan->n_threads, &self->parts, error);
  free(parts);
  if (status == SEAM_OK)
    self->n = plan->n_members;
  return status;
}

seam_status cosim_exchange_make(const cosim_exchange_plan *plan, cosim_exchange **created, seam_error *error) {
  cosim_exchange *self = calloc(1, sizeof *self);
  if (self == NULL) {
    drop_plan(plan);
    return no_memory(plan->n_members, error);
  }
  self->gauss_seidel = plan->gauss_seidel;
  seam_status status = take_ownership(self, plan, error);
  THEN(status, create_histories(self, plan, error));
  THEN(status, copy_links(self, plan, error));
  THEN(status, copy_bonds(self, plan, error));
  THEN(status, find_orders(self, error));
  THEN(status, bind_corrections(self, error));

  if (status != SEAM_OK) {
    cosim_exchange_destroy(self);
    return status;
  }
  *created = self;
  return SEAM_OK;
}

void cosim_exchange_destroy(cosim_exchange *self) {
  if (self == NULL)
    return;
  destroy_corrections(self->corrections, self->n_corrections);
  for (int p = 0; p < self->n && self->history != NULL; p++) {
    free(self->history[p].uncorrected);
    free(self->history[p].past);
  }
  cosim_parts_destroy(self->parts);
  free(self->corrections);
  free(self->history);
  free(self->links);
  free(self->bonds);
  free(self->ports);
  for (int i = 0; i < COSIM_N_OCCASIONS; i++)
    cosim_order_free(&self->order[i]);
  free(self->sampled);
  free(self->jumps);
  free(self);
}
