/* Members of the exchange, the numbers of their signals, and the creation of the exchange. */
#include <stdlib.h>

#include "base/arrays.h"
#include "base/then.h"
#include "cosim/mechanism/master_part.h"
#include "cosim/mechanism/wiring_internal.h"

/* Largest numbers of links and ports of an exchanged coupling. */
enum { links_of_coupling = 18, ports_of_coupling = 12 };

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to wire the subsystems");
}

/* ---- Members and their signals ---- */

/* Numbers the members of the exchange in the order of the subsystems; the master part has the position of its first
 * subsystem. Numbers all signals except those of the master part. Returns false if memory is exhausted. */
static bool number_members(cosim_wiring *self) {
  int master_part = -1;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    const cosim_part *part = self->partition->parts[s];
    const int n[2] = {part->n_inputs, part->n_outputs};
    const bool is_under_master = cosim_is_under_master(self->partition, s);
    if (!is_under_master || master_part < 0) {
      self->member_of[s] = self->n_members++;
      self->subsystem_of[self->member_of[s]] = s;
    } else
      self->member_of[s] = master_part;
    if (is_under_master)
      master_part = self->member_of[s];
    for (int is_output = 0; is_output < 2; is_output++) {
      int *number = malloc(((size_t)n[is_output] + 1) * sizeof *number);
      if (number == NULL)
        return false;
      for (int i = 0; i < n[is_output]; i++)
        number[i] = is_under_master ? -1 : i;
      self->number[2 * s + (size_t)is_output] = number;
    }
  }
  return true;
}

cosim_terminal cosim_wiring_terminal(const cosim_wiring *self, bool is_output, cosim_signal_ref signal) {
  return (cosim_terminal){self->member_of[signal.subsystem],
                          self->number[2 * signal.subsystem + (size_t)is_output][signal.number]};
}

seam_status cosim_wiring_find(const cosim_wiring *self, const char *subject, const char *name, bool is_output,
                              cosim_terminal *found, seam_error *error) {
  cosim_signal_ref signal = {0, 0};
  const seam_status status = cosim_find_signal(self->partition, subject, name, is_output, &signal, error);
  if (status == SEAM_OK)
    *found = cosim_wiring_terminal(self, is_output, signal);
  return status;
}

/* ---- The master part ---- */

static void mark_signals(const cosim_wiring *self, size_t subsystem) {
  const cosim_partition *partition = self->partition;
  cosim_signal_marker marker;
  for (size_t i = 0; i < cosim_n_signal_markers(partition); i++)
    for (int kind = 0; kind < 2 * COSIM_N_SIGNAL_KINDS && cosim_signal_marker_of(partition, subsystem, i, &marker);
         kind++) {
      const bool is_output = kind >= COSIM_N_SIGNAL_KINDS;
      const int number = cosim_signal_at(partition->parts[subsystem], &marker, is_output, kind % COSIM_N_SIGNAL_KINDS);
      if (number >= 0)
        self->number[2 * subsystem + (size_t)is_output][number] = 0;
    }
  for (size_t i = 0; i < partition->n_quantities; i++) {
    const cosim_signal_quantity *at = &partition->quantities[i];
    if (at->subsystem == subsystem)
      self->number[2 * subsystem + 1][cosim_multibody_quantity(partition->parts[subsystem], at->number)] = 0;
  }
  for (const cosim_linked_quantity *linked = partition->linked; linked < partition->linked + partition->n_linked;
       linked++)
    if (linked->reader == subsystem)
      self->number[2 * subsystem][cosim_multibody_input(partition->parts[subsystem], linked->port)] = 0;
}

/* Numbers the inputs, or outputs, that mark_signals() has marked in the subsystems under the master. Lists them in
 * `signals` and returns their count. */
static int number_marked(const cosim_wiring *self, bool is_output, cosim_part_signal *signals) {
  int n = 0;
  int part = 0;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    if (!cosim_is_under_master(self->partition, s))
      continue;
    const cosim_part *of = self->partition->parts[s];
    int *number = self->number[2 * s + (size_t)is_output];
    for (int i = 0; i < (is_output ? of->n_outputs : of->n_inputs); i++)
      if (number[i] >= 0) {
        signals[n] = (cosim_part_signal){part, i};
        number[i] = n++;
      }
    part++;
  }
  return n;
}

/* Makes one part of the subsystems under a master. Its signals are those at the markers (signal_names.h) of these
 * subsystems. */
static seam_status create_master_part(cosim_wiring_plan *p, const cosim_master_options *options, seam_error *error) {
  cosim_wiring *self = p->self;
  const cosim_partition *partition = self->partition;
  size_t most = 1;
  for (size_t s = 0; s < partition->n_subsystems; s++)
    most += (size_t)(p->parts[s]->n_inputs + p->parts[s]->n_outputs);
  cosim_part_signal *signals = calloc(2 * most, sizeof *signals);
  cosim_part **parts = calloc(partition->n_subsystems + 1, sizeof(cosim_part *));
  int *number = calloc(partition->n_subsystems + 1, sizeof *number);
  cosim_cut *cuts = calloc(partition->n_cuts + partition->n_part_couplings + 1, sizeof *cuts);
  seam_status status = SEAM_OK;
  if (signals == NULL || parts == NULL || number == NULL || cuts == NULL) {
    status = no_memory(error);
  } else {
    int n_parts = 0;
    for (size_t s = 0; s < partition->n_subsystems; s++) {
      if (!cosim_is_under_master(partition, s))
        continue;
      if (cosim_is_mechanical(partition, s))
        mark_signals(self, s);
      number[s] = n_parts;
      parts[n_parts++] = p->parts[s];
      p->parts[s] = NULL;
    }
    cosim_master_part_def def = {
        .name = self->n_members > 1 ? "the mechanism" : NULL, .inputs = signals, .outputs = signals + most};
    def.n_inputs = number_marked(self, false, signals);
    def.n_outputs = number_marked(self, true, signals + most);
    const int n_cuts = cosim_list_master_couplings(partition, number, cuts);
    status = cosim_master_create(parts, n_parts, cuts, n_cuts, options, &def.master, error);
    THEN(status, cosim_master_part_create(&def, &self->master_part, error));
  }
  free(signals);
  free(parts);
  free(number);
  free(cuts);
  return status;
}

/* ---- Creation ---- */

#define WIRING_ARRAYS(X)                                                                                               \
  X(self, member_of, n)                                                                                                \
  X(self, subsystem_of, n)                                                                                             \
  X(self, number, 2 * n)
#define PLAN_ARRAYS(X)                                                                                                 \
  X(p, members, n)                                                                                                     \
  X(p, links, links_of_coupling *n_cuts + d->n_signals + self->partition->n_linked)                                    \
  X(p, bonds, n_cuts + d->n_bonds)                                                                                     \
  X(p, ports, n_ports)                                                                                                 \
  X(p, corrections, d->n_energy_corrections + d->n_balance_corrections + 1)

static bool allocate(cosim_wiring_plan *p) {
  cosim_wiring *self = p->self;
  const cosim_definition *d = p->definition;
  const size_t n = self->partition->n_subsystems, n_cuts = self->partition->n_cuts;
  size_t n_ports = ports_of_coupling * n_cuts;
  for (size_t k = 0; k < d->n_bonds; k++)
    n_ports += (size_t)d->bonds[k].n_ports;
  const bool enough = true WIRING_ARRAYS(ALLOCATE_ARRAY) PLAN_ARRAYS(ALLOCATE_ARRAY);
  return enough;
}

static seam_status create(cosim_wiring_plan *p, const cosim_master_options *master, seam_error *error) {
  cosim_wiring *self = p->self;
  if (!allocate(p) || !number_members(self))
    return no_memory(error);
  seam_status status = SEAM_OK;
  if (self->partition->n_master_cuts > 0 || self->partition->n_part_couplings > 0)
    status = create_master_part(p, master, error);
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    const bool is_under_master = cosim_is_under_master(self->partition, s);
    const size_t steps = self->partition->subsystems[s].steps;
    p->members[self->member_of[s]] = (cosim_member_def){.part = is_under_master ? self->master_part : p->parts[s],
                                                        .steps = is_under_master || steps == 0 ? 1 : (int)steps};
  }
  THEN(status, cosim_wiring_link_signals(p, error));
  if (status != SEAM_OK)
    return status;
  cosim_wiring_link_quantities(p);
  cosim_wiring_link_couplings(p);
  status = cosim_wiring_correct(p, error);
  if (status != SEAM_OK)
    return status;
  const cosim_exchange_plan plan = {.members = p->members,
                                    .n_members = self->n_members,
                                    .links = p->links,
                                    .n_links = p->n_links,
                                    .bonds = p->bonds,
                                    .n_bonds = p->n_bonds,
                                    .corrections = p->corrections,
                                    .n_corrections = p->n_corrections,
                                    .gauss_seidel = p->definition->options.sequence == COSIM_GAUSS_SEIDEL,
                                    .n_threads = p->definition->options.n_threads};
  status = cosim_exchange_make(&plan, &self->exchange, error);
  /* The exchange has taken ownership of parts and corrections, also if its creation failed. */
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    p->parts[s] = NULL;
  p->n_corrections = 0;
  if (status != SEAM_OK)
    self->master_part = NULL;
  return status;
}

seam_status cosim_wiring_create(cosim_partition *partition, const cosim_definition *definition,
                                const cosim_master_options *master, cosim_part **parts, cosim_wiring **created,
                                seam_error *error) {
  cosim_wiring *self = calloc(1, sizeof *self);
  cosim_wiring_plan *p = &(cosim_wiring_plan){.self = self, .definition = definition, .parts = parts};
  if (self != NULL)
    self->partition = partition;
  const seam_status status = self != NULL && parts != NULL ? create(p, master, error) : no_memory(error);
  for (size_t s = 0; parts != NULL && s < partition->n_subsystems; s++)
    cosim_part_destroy(parts[s]);
  for (int c = 0; c < p->n_corrections; c++)
    if (p->corrections[c] != NULL)
      p->corrections[c]->ops->destroy(p->corrections[c]);
  free(parts);
  PLAN_ARRAYS(FREE_ARRAY)
  if (status != SEAM_OK)
    cosim_wiring_destroy(self);
  else
    *created = self;
  return status;
}

void cosim_wiring_destroy(cosim_wiring *self) {
  if (self == NULL)
    return;
  if (self->exchange == NULL)
    cosim_part_destroy(self->master_part);
  cosim_exchange_destroy(self->exchange);
  for (size_t i = 0; i < 2 * self->partition->n_subsystems && self->number != NULL; i++)
    free(self->number[i]);
  WIRING_ARRAYS(FREE_ARRAY)
  free(self);
}

/* ---- Signals of mechanical parts after a kink or a sample ---- */

bool cosim_wiring_is_mechanical(const cosim_wiring *self, int member) {
  return self->exchange->parts->member[member].part == self->master_part ||
         cosim_is_mechanical(self->partition, self->subsystem_of[member]);
}

/* Sets the inputs of mechanical parts to the values of input() and evaluates their outputs, if the parts can do so.
 * Values in the history of the exchange do not change. */
static void set_inputs(const cosim_wiring *self, double input(const cosim_exchange *exchange, int part, int input)) {
  for (int m = 0; m < self->n_members; m++) {
    const cosim_member *member = &self->exchange->parts->member[m];
    if (!cosim_wiring_is_mechanical(self, m))
      continue;
    for (int i = 0; i < member->part->n_inputs; i++)
      member->inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{input(self->exchange, m, i)}}};
    if (member->part == self->master_part)
      cosim_master_part_set_inputs(member->part, member->inputs);
    else if (member->part->ops->evaluate_outputs != NULL)
      member->part->ops->evaluate_outputs(member->part, self->exchange->t, member->inputs, member->outputs);
  }
}

void cosim_wiring_set_inputs(const cosim_wiring *self) {
  set_inputs(self, cosim_exchange_input);
  if (self->master_part != NULL)
    cosim_master_apply_inputs(cosim_master_part_master(self->master_part));
}

static void read_outputs(const cosim_wiring *self, int member) {
  cosim_part *part = self->exchange->parts->member[member].part;
  double *outputs = self->exchange->parts->member[member].outputs;
  if (part->n_outputs == 0)
    return;
  part->ops->get_outputs(part, outputs);
  cosim_exchange_prescribe(self->exchange, member, outputs);
}

void cosim_wiring_set_inputs_before_samples(const cosim_wiring *self) {
  for (int m = 0; m < self->n_members; m++)
    if (cosim_wiring_is_mechanical(self, m)) {
      read_outputs(self, m);
      cosim_exchange_store_before(self->exchange, m);
    }
  set_inputs(self, cosim_exchange_input_before);
  if (self->master_part != NULL)
    cosim_master_restart(cosim_master_part_master(self->master_part));
}

void cosim_wiring_update(const cosim_wiring *self) {
  for (int m = 0; m < self->n_members; m++)
    if (cosim_wiring_is_mechanical(self, m) || self->exchange->parts->member[m].part->ops->get_events != NULL)
      read_outputs(self, m);
  (void)cosim_exchange_evaluate(self->exchange, COSIM_AT_POINTS, 0, NULL); /* the next step reports errors */
  set_inputs(self, cosim_exchange_input);
  if (self->master_part != NULL)
    cosim_master_restart(cosim_master_part_master(self->master_part));
}

/* ---- Forces ---- */

void cosim_wiring_force(const cosim_wiring *self, const cosim_element_cut *cut, int side, double f[3]) {
  const size_t subsystem = cut->subsystem[side];
  const int first = cosim_port_signal(self->partition->parts[subsystem], cut->port[side], false, COSIM_OF_WRENCH);
  for (int i = 0; i < 3; i++) {
    const cosim_terminal at = cosim_wiring_terminal(self, false, (cosim_signal_ref){subsystem, first + i});
    f[i] = cosim_exchange_input(self->exchange, at.member, at.number);
  }
}
