/* Members of the exchange, its making, and its start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/wiring_internal.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to wire the subsystems");
}

/* ---- Members ---- */

/* In the order of the subsystems; the master part where its first one is. */
static void number_members(cosim_wiring *self) {
  int n = 0;
  int master_part = -1;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    const bool inside = cosim_wiring_is_mastered(self, s);
    if (inside && master_part < 0)
      master_part = n++;
    self->member_of[s] = inside ? master_part : n++;
  }
}

static void list_members(cosim_wiring_plan *p) {
  const cosim_wiring *self = p->self;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    const size_t steps = self->partition->subsystems[s].steps;
    const bool inside = cosim_wiring_is_mastered(self, s);
    const size_t named = inside ? self->partition->n_subsystems : s;
    if (self->member_of[s] < p->n_members)
      continue;
    p->members[p->n_members++] = (cosim_member_def){.part = inside ? self->master_part : p->parts[s],
                                                    .inputs = self->names[2 * named],
                                                    .outputs = self->names[2 * named + 1],
                                                    .steps = inside || steps == 0 ? 1 : (int)steps};
  }
}

/* ---- Creation ---- */

static bool allocate(cosim_wiring_plan *p) {
  cosim_wiring *self = p->self;
  const cosim_definition *options = p->options;
  const size_t n = self->partition->n_subsystems;
  const size_t n_cuts = self->partition->n_cuts;
  size_t n_ports = cosim_coupling_ports * n_cuts + 1;
  size_t n_outputs = 1;
  for (size_t k = 0; k < options->n_bonds; k++)
    n_ports += (size_t)options->bonds[k].n_ports;
  for (size_t s = 0; s < n; s++)
    n_outputs += (size_t)p->parts[s]->n_outputs;
  p->members = calloc(n + 1, sizeof *p->members);
  p->links = calloc(cosim_coupling_links * n_cuts + options->n_signals + 1, sizeof *p->links);
  p->bonds = calloc(n_cuts + options->n_bonds + 1, sizeof *p->bonds);
  p->ports = calloc(n_ports, sizeof *p->ports);
  p->corrections = calloc(options->n_energy_corrections + options->n_balance_corrections + 2, sizeof *p->corrections);
  self->member_of = calloc(n + 1, sizeof *self->member_of);
  self->names = calloc(2 * n + 2, sizeof *self->names);
  self->start = calloc(n + 1, sizeof *self->start);
  self->force_input = calloc(2 * n_cuts + 1, sizeof *self->force_input);
  self->bond = calloc(n_cuts + 1, sizeof *self->bond);
  self->signals = calloc(n_outputs, sizeof *self->signals);
  return p->members != NULL && p->links != NULL && p->bonds != NULL && p->ports != NULL && p->corrections != NULL &&
         self->member_of != NULL && self->force_input != NULL && self->bond != NULL && self->names != NULL &&
         self->start != NULL && self->signals != NULL;
}

static seam_status create_exchange(cosim_wiring_plan *p, seam_error *error) {
  const cosim_exchange_def def = {.members = p->members,
                                  .n_members = p->n_members,
                                  .links = p->links,
                                  .n_links = p->n_links,
                                  .bonds = p->bonds,
                                  .n_bonds = p->n_bonds,
                                  .corrections = p->corrections,
                                  .n_corrections = p->n_corrections,
                                  .gauss_seidel = p->options->gauss_seidel};
  const seam_status status = cosim_exchange_create(&def, &p->self->exchange, error);
  for (size_t s = 0; s < p->self->partition->n_subsystems; s++)
    p->parts[s] = NULL;
  p->n_corrections = 0;
  p->self->master_part = status == SEAM_OK ? p->self->master_part : NULL;
  if (status == SEAM_OK)
    p->self->exchange->parts->n_threads = p->options->n_threads;
  return status;
}

static seam_status allocate_past(cosim_wiring *self, seam_error *error) {
  size_t n = 1;
  for (int p = 0; p < self->exchange->n; p++)
    n += (size_t)self->exchange->parts->member[p].part->n_outputs;
  double *outputs = calloc(COSIM_MAX_HOLD * n, sizeof *outputs);
  for (int i = 0; i < COSIM_MAX_HOLD && outputs != NULL; i++)
    self->past[i].outputs = outputs + (size_t)i * n;
  return outputs != NULL ? SEAM_OK : no_memory(error);
}

/* Where the wrenches on sides that are away come in. */
static seam_status find_forces(cosim_wiring *self, seam_error *error) {
  const cosim_partition *partition = self->partition;
  seam_status status = SEAM_OK;
  for (size_t k = 0; k < partition->n_cuts; k++)
    for (int side = 0; side < 2 && status == SEAM_OK; side++) {
      const cosim_element_cut *cut = &partition->cuts[k];
      int member = 0;
      if (!cut->is_exchanged || !cut->is_remote[side])
        continue;
      const char *name = cosim_wiring_coupling_signal(self, cut, side, cut->subsystem[side], cosim_of_wrench);
      status = name == NULL ? no_memory(error)
                            : cosim_exchange_find_input(self->exchange, cut->name, name, &member,
                                                        &self->force_input[2 * k + (size_t)side], error);
    }
  return status;
}

/* States of one's own subsystems, for every start after the first. */
static seam_status keep_starts(cosim_wiring *self, seam_error *error) {
  const cosim_partition *partition = self->partition;
  for (size_t s = 0; s < partition->n_subsystems; s++) {
    const cosim_part *part = self->exchange->parts->member[self->member_of[s]].part;
    if (cosim_is_mechanical(partition, s) || !cosim_part_can_repeat(part))
      continue;
    self->start[s] = calloc(part->n_state + 1, sizeof *self->start[s]);
    if (self->start[s] == NULL)
      return no_memory(error);
    part->ops->save(part, self->start[s]);
  }
  return SEAM_OK;
}

static seam_status create(cosim_wiring_plan *p, const cosim_master_options *master, cosim_part *const *parts,
                          seam_error *error) {
  cosim_wiring *self = p->self;
  if (!allocate(p))
    return no_memory(error);
  number_members(self);
  if (!cosim_wiring_name_all(self, parts))
    return no_memory(error);
  seam_status status = SEAM_OK;
  for (size_t s = 0; s < self->partition->n_subsystems && self->master_part == NULL && status == SEAM_OK; s++)
    if (cosim_wiring_is_mastered(self, s))
      status = cosim_wiring_create_master_part(p, master, parts, error);
  if (status != SEAM_OK)
    return status;
  list_members(p);
  cosim_wiring_link_signals(p);
  cosim_wiring_link_couplings(p);
  status = p->enough ? cosim_wiring_correct(p, error) : no_memory(error);
  if (status == SEAM_OK)
    status = p->enough ? create_exchange(p, error) : no_memory(error);
  if (status == SEAM_OK)
    status = keep_starts(self, error);
  if (status == SEAM_OK)
    status = allocate_past(self, error);
  if (status == SEAM_OK)
    status = find_forces(self, error);
  return status;
}

/* Parts and corrections that nobody has taken. */
static void plan_free(cosim_wiring_plan *p) {
  for (size_t s = 0; s < p->self->partition->n_subsystems; s++)
    cosim_part_destroy(p->parts[s]);
  for (int c = 0; c < p->n_corrections; c++)
    if (p->corrections[c] != NULL)
      p->corrections[c]->ops->destroy(p->corrections[c]);
  free(p->parts);
  free(p->members);
  free(p->links);
  free(p->bonds);
  free(p->ports);
  free(p->corrections);
}

seam_status cosim_wiring_create(cosim_partition *partition, const cosim_definition *options,
                                const cosim_master_options *master, cosim_part **parts, cosim_wiring **created,
                                seam_error *error) {
  cosim_wiring *self = calloc(1, sizeof *self);
  if (self == NULL)
    return no_memory(error);
  self->partition = partition;
  cosim_wiring_plan p = {.self = self, .options = options, .parts = partition->parts, .enough = true};
  partition->parts = NULL;
  memcpy(parts, p.parts, partition->n_subsystems * sizeof(cosim_part *));
  const seam_status status = create(&p, master, parts, error);
  plan_free(&p);
  if (status != SEAM_OK)
    cosim_wiring_destroy(self);
  else
    *created = self;
  return status;
}

void cosim_wiring_destroy(cosim_wiring *self) {
  if (self == NULL)
    return;
  if (self->exchange == NULL && self->master_part != NULL)
    cosim_part_destroy(self->master_part);
  cosim_exchange_destroy(self->exchange);
  for (size_t i = 0; i < self->n_texts; i++)
    free(self->texts[i]);
  for (size_t i = 0; i < 2 * (self->partition->n_subsystems + 1) && self->names != NULL; i++)
    free(self->names[i]);
  free(self->texts);
  free(self->names);
  free(self->member_of);
  free(self->signals);
  for (size_t s = 0; s < self->partition->n_subsystems && self->start != NULL; s++)
    free(self->start[s]);
  free(self->start);
  free(self->past[0].outputs);
  free(self->force_input);
  free(self->bond);
  free(self);
}

/* ---- Forces ---- */

void cosim_wiring_force(const cosim_wiring *self, const cosim_element_cut *cut, int side, double f[3]) {
  const int member = self->member_of[cut->subsystem[side]];
  const int first = self->force_input[2 * (cut - self->partition->cuts) + side];
  for (int i = 0; i < 3; i++)
    f[i] = cosim_exchange_input(self->exchange, member, first + i);
}

cosim_bond_energy cosim_wiring_energy(const cosim_wiring *self, size_t cut) {
  return cosim_exchange_energy(self->exchange, self->bond[cut]);
}

/* ---- Start ---- */

static seam_status restart_own(cosim_wiring *self, seam_error *error) {
  const cosim_partition *partition = self->partition;
  for (size_t s = 0; s < partition->n_subsystems; s++) {
    cosim_part *part = self->exchange->parts->member[self->member_of[s]].part;
    if (cosim_is_mechanical(partition, s))
      continue;
    if (self->start[s] == NULL)
      return seam_fail(error, SEAM_BAD_STATE,
                       "subsystem '%s' cannot go back to its start: create the co-simulation anew", part->name);
    part->ops->restore(part, self->start[s]);
  }
  return SEAM_OK;
}

/* A part that does not tell its outputs shows them at the end of a step too short to move it; it goes back from that.
 */
static seam_status show_outputs(cosim_wiring *self, int number, double t, double H, const double *state,
                                seam_error *error) {
  const cosim_member *member = &self->exchange->parts->member[number];
  cosim_part *part = member->part;
  if (part->ops->evaluate_outputs != NULL) {
    part->ops->evaluate_outputs(part, t, member->inputs, member->outputs);
    for (int i = 0; i < part->n_outputs; i++)
      if (!isfinite(member->outputs[i]))
        return seam_fail(error, SEAM_NOT_FINITE,
                         "t = %.9g s: subsystem '%s': its outputs are not finite at the start: check its equations and "
                         "initial values",
                         t, part->name);
    return SEAM_OK;
  }
  const seam_status status = cosim_parts_advance_one(self->exchange->parts, number, t, 1e-9 * H, false, error);
  if (status == SEAM_OK)
    part->ops->restore(part, state);
  return status;
}

/* Outputs of one's own subsystems under what the links say, one after the other; with feed-through they wait for each
 * other. */
static seam_status measure_own(cosim_wiring *self, double t, double H, seam_error *error) {
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    const int number = self->member_of[s];
    const cosim_member *member = &self->exchange->parts->member[number];
    if (self->start[s] == NULL)
      continue;
    for (int i = 0; i < member->part->n_inputs; i++)
      member->inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{cosim_exchange_input(self->exchange, number, i)}}};
    const seam_status status = show_outputs(self, number, t, H, self->start[s], error);
    if (status != SEAM_OK)
      return status;
    cosim_exchange_prescribe(self->exchange, number, member->outputs);
  }
  return SEAM_OK;
}

seam_status cosim_wiring_start(cosim_wiring *self, double t, double H, seam_error *error) {
  seam_status status = self->has_started ? restart_own(self, error) : SEAM_OK;
  if (status != SEAM_OK)
    return status;
  self->has_started = true;
  cosim_exchange_start(self->exchange, t);
  for (int pass = 0; pass < self->exchange->n && status == SEAM_OK; pass++)
    status = measure_own(self, t, H, error);
  return status;
}
