/* An exchange from its definition: names become numbers, links are sorted by their receivers, memory is taken once. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/exchange/exchange.h"

enum { MAX_TICKS = 100000000 };

static seam_status no_memory(int n, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the exchange between %d subsystems", n);
}

/* ---- Names ---- */

static int find_part(const cosim_exchange *self, const char *name, size_t length) {
  for (int p = 0; p < self->n; p++) {
    const char *candidate = self->parts->member[p].part->name;
    if (candidate != NULL && strlen(candidate) == length && strncmp(candidate, name, length) == 0)
      return p;
  }
  return -1;
}

/* "a, b, c"; those without a name are left out. */
static const char *list_names(const char *const *names, int n, char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  for (int i = 0; i < n && length < size; i++)
    if (names[i][0] != '\0')
      length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", names[i]);
  return length > 0 ? text : "none";
}

static seam_status find_signal(const cosim_exchange *self, const char *place, const char *name, bool input, int *part,
                               int *signal, seam_error *error) {
  char known[200];
  const size_t length = strcspn(name, ".");
  *part = find_part(self, name, length);
  if (*part < 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' is no signal: there is no subsystem '%.*s'", place, name,
                     (int)length, name);
  const cosim_part *owner = self->parts->member[*part].part;
  const char *const *names = input ? self->history[*part].inputs : self->history[*part].outputs;
  const int n = input ? owner->n_inputs : owner->n_outputs;
  for (*signal = 0; *signal < n && name[length] == '.'; (*signal)++)
    if (strcmp(names[*signal], name + length + 1) == 0)
      return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' is no %s of subsystem '%s', which has: %s", place, name,
                   input ? "input" : "output", owner->name, list_names(names, n, known, sizeof known));
}

seam_status cosim_exchange_find_input(const cosim_exchange *self, const char *place, const char *name, int *part,
                                      int *input, seam_error *error) {
  return find_signal(self, place, name, true, part, input, error);
}

seam_status cosim_exchange_find_output(const cosim_exchange *self, const char *place, const char *name, int *part,
                                       int *output, seam_error *error) {
  return find_signal(self, place, name, false, part, output, error);
}

/* ---- Links ---- */

static seam_status take_link(const cosim_exchange *self, const cosim_connection_def *def, cosim_link *link,
                             seam_error *error) {
  char place[200];
  int owner = -1;
  snprintf(place, sizeof place, "link from '%s' to '%s'", def->from, def->to);
  *link = (cosim_link){.rate = -1, .gain = def->gain, .order = def->order, .smooth = def->smooth};
  if (def->order < 0 || def->order > COSIM_MAX_HOLD)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: a hold of order %d: take 0 to %d", place, def->order, COSIM_MAX_HOLD);
  seam_status status = cosim_exchange_find_output(self, place, def->from, &link->from, &link->output, error);
  if (status == SEAM_OK)
    status = cosim_exchange_find_input(self, place, def->to, &link->to, &link->input, error);
  if (status != SEAM_OK || def->rate == NULL)
    return status;
  status = cosim_exchange_find_output(self, place, def->rate, &owner, &link->rate, error);
  if (status == SEAM_OK && owner != link->from)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: the rate '%s' belongs to another subsystem", place, def->rate);
  return status;
}

static int by_receiver(const void *a, const void *b) {
  const cosim_link *first = a;
  const cosim_link *second = b;
  return first->to != second->to ? first->to - second->to : first->input - second->input;
}

static seam_status take_links(cosim_exchange *self, const cosim_exchange_def *def, seam_error *error) {
  self->links = calloc((size_t)def->n_links + 1, sizeof *self->links);
  if (self->links == NULL)
    return no_memory(self->n, error);
  for (; self->n_links < def->n_links; self->n_links++) {
    const seam_status status = take_link(self, &def->links[self->n_links], &self->links[self->n_links], error);
    if (status != SEAM_OK)
      return status;
  }
  qsort(self->links, (size_t)self->n_links, sizeof *self->links, by_receiver);
  for (int p = 0, k = 0; p <= self->n; p++) {
    while (k < self->n_links && self->links[k].to < p)
      k++;
    self->history[p].first_link = k;
  }
  return SEAM_OK;
}

/* ---- Bonds ---- */

static seam_status take_port(const cosim_exchange *self, const cosim_bond_def *bond, const cosim_port_def *def,
                             cosim_bond_port *port, seam_error *error) {
  char place[200];
  int owner = -1;
  snprintf(place, sizeof place, "power bond '%s'", bond->name);
  port->sign = def->sign;
  seam_status status = cosim_exchange_find_input(self, place, def->input, &port->part, &port->input, error);
  if (status == SEAM_OK)
    status = cosim_exchange_find_output(self, place, def->output, &owner, &port->output, error);
  if (status != SEAM_OK)
    return status;
  if (owner != port->part)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' and '%s' belong to two subsystems: a port is of one", place,
                     def->input, def->output);
  if (def->sign != 1 && def->sign != -1)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: the sign of port '%s' is %d: take 1 or -1", place, def->input,
                     def->sign);
  return SEAM_OK;
}

static seam_status take_bonds(cosim_exchange *self, const cosim_exchange_def *def, seam_error *error) {
  size_t n_ports = 0;
  for (int k = 0; k < def->n_bonds; k++)
    n_ports += (size_t)def->bonds[k].n_ports;
  self->bonds = calloc((size_t)def->n_bonds + 1, sizeof *self->bonds);
  self->ports = calloc(n_ports + 1, sizeof *self->ports);
  if (self->bonds == NULL || self->ports == NULL)
    return no_memory(self->n, error);
  cosim_bond_port *port = self->ports;
  for (; self->n_bonds < def->n_bonds; self->n_bonds++) {
    const cosim_bond_def *bond = &def->bonds[self->n_bonds];
    self->bonds[self->n_bonds] =
        (cosim_bond){.name = bond->name, .ports = port, .n_ports = bond->n_ports, .energy_scale = bond->energy_scale};
    for (int i = 0; i < bond->n_ports; i++) {
      const seam_status status = take_port(self, bond, &bond->ports[i], port++, error);
      if (status != SEAM_OK)
        return status;
    }
  }
  return SEAM_OK;
}

/* ---- Parts ---- */

/* Least common multiple. */
static int64_t common_multiple(int64_t a, int64_t b) {
  int64_t multiple = a;
  while (multiple % b != 0)
    multiple += a;
  return multiple;
}

static seam_status take_members(cosim_exchange *self, const cosim_exchange_def *def, seam_error *error) {
  self->history = calloc((size_t)self->n + 1, sizeof *self->history);
  if (self->history == NULL)
    return no_memory(self->n, error);
  self->ticks = 1;
  for (int p = 0; p < self->n; p++) {
    const cosim_member_def *member = &def->members[p];
    cosim_participant_history *history = &self->history[p];
    if (member->steps < 1)
      return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s': %d macro steps in a round: take 1 or more",
                       member->part->name == NULL ? "" : member->part->name, member->steps);
    history->inputs = member->inputs;
    history->outputs = member->outputs;
    history->steps = member->steps;
    history->held = calloc((size_t)member->part->n_inputs + 1, sizeof *history->held);
    history->past = calloc(COSIM_MAX_PAST * ((size_t)member->part->n_outputs + 1), sizeof *history->past);
    if (history->held == NULL || history->past == NULL)
      return no_memory(self->n, error);
    const int64_t ticks = common_multiple(self->ticks, member->steps);
    if (ticks > MAX_TICKS)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "subsystem '%s': its %d macro steps in a round end at other times than those of others, at more "
                       "than %d in all: take numbers that divide each other",
                       member->part->name == NULL ? "" : member->part->name, member->steps, MAX_TICKS);
    self->ticks = (int)ticks;
  }
  self->one_rate = true;
  for (int p = 0; p < self->n; p++) {
    self->history[p].stride = self->ticks / self->history[p].steps;
    self->one_rate = self->one_rate && self->history[p].stride == 1;
  }
  return SEAM_OK;
}

/* ---- Corrections ---- */

static seam_status bind_corrections(cosim_exchange *self, seam_error *error) {
  for (int c = 0; c < self->n_corrections; c++) {
    cosim_correction *correction = self->corrections[c];
    const seam_status status = correction->ops->bind == NULL ? SEAM_OK : correction->ops->bind(correction, self, error);
    if (status != SEAM_OK)
      return status;
    self->answers = self->answers || correction->answers > 0;
  }
  return SEAM_OK;
}

static seam_status allocate_parts(cosim_exchange *self, seam_error *error) {
  int wanted = 0;
  for (int c = 0; c < self->n_corrections; c++)
    wanted += self->corrections[c]->answers;
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

/* ---- Creation ---- */

static void destroy_given(const cosim_exchange_def *def) {
  for (int p = 0; p < def->n_members; p++)
    cosim_part_destroy(def->members[p].part);
}

static void destroy_corrections(cosim_correction *const *corrections, int n) {
  for (int c = 0; c < n; c++)
    if (corrections[c] != NULL)
      corrections[c]->ops->destroy(corrections[c]);
}

/* Parts and corrections belong to *self from here on. */
static seam_status take_over(cosim_exchange *self, const cosim_exchange_def *def, seam_error *error) {
  cosim_part **parts = calloc((size_t)def->n_members + 1, sizeof *parts);
  self->corrections = calloc((size_t)def->n_corrections + 1, sizeof(cosim_correction *));
  if (parts == NULL || self->corrections == NULL) {
    free(parts);
    destroy_given(def);
    destroy_corrections(def->corrections, def->n_corrections);
    return no_memory(def->n_members, error);
  }
  self->n_corrections = def->n_corrections;
  for (int c = 0; c < def->n_corrections; c++)
    self->corrections[c] = def->corrections[c];
  for (int p = 0; p < def->n_members; p++)
    parts[p] = def->members[p].part;
  const seam_status status = cosim_parts_create(parts, def->n_members, false, 0, &self->parts, error);
  free(parts);
  if (status == SEAM_OK)
    self->n = def->n_members;
  return status;
}

seam_status cosim_exchange_create(const cosim_exchange_def *def, cosim_exchange **created, seam_error *error) {
  cosim_exchange *self = calloc(1, sizeof *self);
  if (self == NULL) {
    destroy_given(def);
    destroy_corrections(def->corrections, def->n_corrections);
    return no_memory(def->n_members, error);
  }
  self->gauss_seidel = def->gauss_seidel;
  seam_status status = take_over(self, def, error);
  if (status == SEAM_OK)
    status = take_members(self, def, error);
  if (status == SEAM_OK)
    status = take_links(self, def, error);
  if (status == SEAM_OK)
    status = take_bonds(self, def, error);
  if (status == SEAM_OK)
    status = bind_corrections(self, error);
  if (status == SEAM_OK)
    status = allocate_parts(self, error);
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
    free(self->history[p].held);
    free(self->history[p].past);
  }
  cosim_parts_destroy(self->parts);
  free(self->corrections);
  free(self->history);
  free(self->links);
  free(self->bonds);
  free(self->ports);
  free(self);
}
