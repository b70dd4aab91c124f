/* Creates an exchange from its plan: links are sorted by receiver, all memory is allocated. */
#include <stdint.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "cosim/coupling/exchange.h"
#include "cosim/thresholds.h"

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
  size_t most = 0; /* inputs or outputs of a part */
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
      return seam_fail(error, SEAM_BAD_INPUT,
                       "subsystem '%s': with %d of its macro steps in a common one, the subsystems' steps end at more "
                       "than %d different times: take numbers that divide each other",
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
  if (status == SEAM_OK)
    *created = self;
  else
    cosim_exchange_destroy(self);
  return status;
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
