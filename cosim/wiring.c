#include "cosim/wiring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/composite_part.h"

enum { velocity = 3, wrench = 6, most_coupling_links = 18, most_coupling_ports = 12 };

/* What the exchange is made from. */
typedef struct plan {
  cosim_wiring *self;
  const cosim_options *options;
  cosim_part **parts; /* (n_subsystems) those that nobody has taken yet */
  cosim_member_def *members;
  int n_members;
  cosim_link_def *links;
  int n_links;
  cosim_bond_def *bonds;
  int n_bonds;
  cosim_port_def *ports;
  int n_ports;
  cosim_correction **corrections;
  int n_corrections;
  bool enough; /* memory */
} plan;

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to wire the subsystems");
}

/* ---- Members ---- */

static cosim_master *create_master(plan *p, const cosim_master_options *options, seam_error *error) {
  const cosim_partition *partition = p->self->partition;
  cosim_part **parts = calloc(partition->n_subsystems + 1, sizeof *parts);
  int *number = calloc(partition->n_subsystems + 1, sizeof *number);
  cosim_cut *cuts = calloc(partition->n_cuts + 1, sizeof *cuts);
  cosim_master *master = NULL;
  int n_parts = 0;
  int n_cuts = 0;
  if (parts == NULL || number == NULL || cuts == NULL) {
    no_memory(error);
  } else {
    for (size_t s = 0; s < partition->n_subsystems; s++)
      if (cosim_wiring_in_composite(p->self, s)) {
        number[s] = n_parts;
        parts[n_parts++] = p->parts[s];
        p->parts[s] = NULL;
      }
    for (size_t k = 0; k < partition->n_cuts; k++) {
      if (partition->cuts[k].is_exchanged)
        continue;
      cuts[n_cuts] = partition->couplings[k];
      for (int side = 0; side < 2; side++)
        cuts[n_cuts].side[side].part = number[partition->cuts[k].subsystem[side]];
      n_cuts++;
    }
    cosim_master_create(parts, n_parts, cuts, n_cuts, options, &master, error);
  }
  free(parts);
  free(number);
  free(cuts);
  return master;
}

/* All named signals (inputs, or outputs) of the subsystems with bodies; returns how many. */
static int collect(const plan *p, cosim_part *const *parts, bool outputs, cosim_terminal *terminals,
                   const char **names) {
  const cosim_wiring *self = p->self;
  int n = 0;
  int part = 0;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    if (!cosim_wiring_in_composite(self, s))
      continue;
    const int n_signals = outputs ? parts[s]->n_outputs : parts[s]->n_inputs;
    for (int i = 0; i < n_signals; i++)
      if (self->names[2 * s + outputs][i][0] != '\0') {
        terminals[n] = (cosim_terminal){part, i};
        names[n++] = self->names[2 * s + outputs][i];
      }
    part++;
  }
  return n;
}

static seam_status create_composite(plan *p, const cosim_master_options *options, cosim_part *const *parts,
                                    const char *name, seam_error *error) {
  cosim_wiring *self = p->self;
  size_t most = 1;
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    most += (size_t)(parts[s]->n_inputs + parts[s]->n_outputs);
  const char ***names = self->names + 2 * self->partition->n_subsystems;
  cosim_terminal *inputs = calloc(2 * most, sizeof *inputs);
  seam_error cause = {0};
  names[0] = calloc(most, sizeof **names);
  names[1] = calloc(most, sizeof **names);
  cosim_master *master = NULL;
  seam_status status = SEAM_NO_MEMORY;
  if (inputs == NULL || names[0] == NULL || names[1] == NULL) {
    no_memory(&cause);
  } else {
    const int n_inputs = collect(p, parts, false, inputs, names[0]);
    const int n_outputs = collect(p, parts, true, inputs + most, names[1]);
    master = create_master(p, options, &cause);
    status = master == NULL ? cause.status
                            : cosim_composite_part_create(&(cosim_composite_def){.name = name,
                                                                                 .master = master,
                                                                                 .inputs = inputs,
                                                                                 .outputs = inputs + most,
                                                                                 .n_inputs = n_inputs,
                                                                                 .n_outputs = n_outputs},
                                                          &self->composite, &cause);
  }
  free(inputs);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "%s", cause.message);
}

/* In the order of the subsystems; the composite where its first one is. */
static void number_members(cosim_wiring *self) {
  int n = 0;
  int composite = -1;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    const bool inside = cosim_wiring_in_composite(self, s);
    if (inside && composite < 0)
      composite = n++;
    self->member_of[s] = inside ? composite : n++;
  }
}

static void list_members(plan *p) {
  const cosim_wiring *self = p->self;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    const size_t steps = self->partition->subsystems[s].steps;
    const bool inside = cosim_wiring_in_composite(self, s);
    const size_t named = inside ? self->partition->n_subsystems : s;
    if (self->member_of[s] < p->n_members)
      continue;
    p->members[p->n_members++] = (cosim_member_def){.part = inside ? self->composite : p->parts[s],
                                                    .inputs = self->names[2 * named],
                                                    .outputs = self->names[2 * named + 1],
                                                    .steps = inside || steps == 0 ? 1 : (int)steps};
  }
}

/* ---- Exchanged couplings ---- */

static void link_up(plan *p, const char *from, const char *to, int order, bool smooth) {
  p->enough = p->enough && from != NULL && to != NULL;
  p->links[p->n_links++] = (cosim_link_def){.from = from, .to = to, .gain = 1, .order = order, .smooth = smooth};
}

static void add_port(plan *p, const char *input, const char *output, int sign) {
  p->enough = p->enough && input != NULL && output != NULL;
  p->ports[p->n_ports++] = (cosim_port_def){input, output, sign};
}

static const char *signal_of(const plan *p, const cosim_joint_cut *cut, int side, size_t subsystem, int kind) {
  return cosim_wiring_coupling_signal(p->self, cut, side, subsystem, kind);
}

static void link_side(plan *p, const cosim_joint_cut *cut, int side) {
  const cosim_element *element = &cut->law.base;
  const size_t far = cut->subsystem[side];
  const size_t owner = cut->owner;
  for (int rate = 0; rate <= velocity; rate += velocity)
    for (int i = 0; i < element->n_dims; i++) {
      const int kind = rate + element->dim[i];
      link_up(p, signal_of(p, cut, side, far, kind), signal_of(p, cut, side, owner, kind), cut->motion_order,
              cut->smooth);
    }
  for (int i = 0; i < element->n_forces && element->force[i] < 3; i++) {
    const int kind = wrench + element->force[i];
    link_up(p, signal_of(p, cut, side, owner, kind), signal_of(p, cut, side, far, kind), cut->force_order, cut->smooth);
  }
}

/* Ports of the sides that are told forces first. */
static void bond_coupling(plan *p, const cosim_joint_cut *cut) {
  const cosim_element *element = &cut->law.base;
  cosim_bond_def *bond = &p->bonds[p->n_bonds++];
  *bond = (cosim_bond_def){.name = cut->name, .ports = p->ports + p->n_ports, .energy_scale = p->options->energy_scale};
  const int first = p->n_ports;
  for (int owners = 0; owners < 2; owners++)
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < element->n_forces && element->force[i] < 3 && cut->is_away[side]; i++) {
        const size_t subsystem = owners ? cut->owner : cut->subsystem[side];
        const char *force = signal_of(p, cut, side, subsystem, wrench + element->force[i]);
        const char *speed = signal_of(p, cut, side, subsystem, velocity + element->force[i]);
        add_port(p, owners ? speed : force, owners ? force : speed, owners ? -1 : 1);
      }
  bond->n_ports = p->n_ports - first;
}

static void wire_couplings(plan *p) {
  const cosim_partition *partition = p->self->partition;
  for (const cosim_joint_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++) {
    for (int side = 0; side < 2; side++)
      if (cut->is_exchanged && cut->is_away[side])
        link_side(p, cut, side);
    if (cut->is_exchanged)
      bond_coupling(p, cut);
  }
}

/* ---- Signals and bonds of the options ---- */

static void wire_signals(plan *p) {
  const cosim_options *options = p->options;
  for (size_t i = 0; i < options->n_signals; i++) {
    cosim_link_def *link = &p->links[p->n_links++];
    *link = options->signals[i];
    link->from = cosim_wiring_signal(p->self, link->from, &p->enough);
    link->to = cosim_wiring_signal(p->self, link->to, &p->enough);
    link->rate = cosim_wiring_signal(p->self, link->rate, &p->enough);
  }
  for (size_t k = 0; k < options->n_bonds; k++) {
    const cosim_bond_def *def = &options->bonds[k];
    cosim_bond_def *bond = &p->bonds[p->n_bonds++];
    *bond = *def;
    bond->ports = p->ports + p->n_ports;
    for (int i = 0; i < def->n_ports; i++)
      add_port(p, cosim_wiring_signal(p->self, def->ports[i].input, &p->enough),
               cosim_wiring_signal(p->self, def->ports[i].output, &p->enough), def->ports[i].sign);
  }
}

/* ---- Corrections ---- */

static const cosim_joint_cut *find_cut(const plan *p, const char *name) {
  const cosim_partition *partition = p->self->partition;
  for (const cosim_joint_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++)
    if (strcmp(cut->name, name) == 0)
      return cut;
  return NULL;
}

/* The side that is told the force. */
static seam_status default_part(const plan *p, const cosim_energy_correction_def *def, const char **part,
                                seam_error *error) {
  const cosim_joint_cut *cut = find_cut(p, def->bond);
  const cosim_subsystem *subsystems = p->self->partition->subsystems;
  if (cut == NULL || !cut->is_exchanged)
    return seam_fail(error, SEAM_BAD_INPUT, "energy correction of bond '%s': say which subsystem gets the force",
                     def->bond);
  if (cut->is_away[0] && cut->is_away[1] && cut->subsystem[0] != cut->subsystem[1])
    return seam_fail(error, SEAM_BAD_INPUT,
                     "energy correction of coupling '%s': say which subsystem gets the force, '%s' or '%s'", def->bond,
                     subsystems[cut->subsystem[0]].name, subsystems[cut->subsystem[1]].name);
  *part = subsystems[cut->subsystem[cut->is_away[1]]].name;
  return SEAM_OK;
}

static const cosim_bond_def *find_bond(const plan *p, const char *name) {
  for (int k = 0; k < p->n_bonds; k++)
    if (strcmp(p->bonds[k].name, name) == 0)
      return &p->bonds[k];
  return NULL;
}

static int steps_of(const plan *p, const char *signal) {
  const size_t subsystem = cosim_wiring_subsystem(p->self, signal, strcspn(signal, "."));
  const size_t steps = subsystem == cosim_nowhere ? 1 : p->self->partition->subsystems[subsystem].steps;
  return steps == 0 ? 1 : (int)steps;
}

/* Of the links into the ports of the parts that take so many steps. */
static int order_of_holds(const plan *p, const cosim_bond_def *bond, int steps) {
  int order = 0;
  for (const cosim_port_def *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    for (const cosim_link_def *link = p->links; link < p->links + p->n_links; link++)
      if (steps_of(p, port->input) == steps && strcmp(link->to, port->input) == 0 && link->order > order)
        order = link->order;
  return order;
}

/* By the rules for a side with feed-through, here the one that is not corrected. */
static double find_fraction(const plan *p, const cosim_energy_correction_def *def) {
  const cosim_bond_def *bond = find_bond(p, def->bond);
  const size_t length = strlen(def->part);
  int steps = 1;
  int other = 1;
  for (int i = 0; bond != NULL && i < bond->n_ports; i++) {
    const char *input = bond->ports[i].input;
    const bool corrected = strcspn(input, ".") == length && strncmp(input, def->part, length) == 0;
    *(corrected ? &steps : &other) = steps_of(p, input);
  }
  return bond == NULL
             ? 0
             : cosim_energy_fraction((double)steps / other, order_of_holds(p, bond, steps > other ? steps : other));
}

static seam_status correct_energy(plan *p, const cosim_energy_correction_def *wanted, seam_error *error) {
  const cosim_joint_cut *cut = find_cut(p, wanted->bond);
  cosim_energy_correction_def def = *wanted;
  seam_status status = SEAM_OK;
  if (find_bond(p, wanted->bond) == NULL && cut != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "energy correction: coupling '%s' (%s) is not by explicit exchange: give it fd-k0-explicit, "
                     "df-k0-explicit, ...",
                     cut->name, cut->scheme);
  if (def.part == NULL)
    status = default_part(p, wanted, &def.part, error);
  if (status != SEAM_OK)
    return status;
  const size_t subsystem = cosim_wiring_subsystem(p->self, def.part, strlen(def.part));
  if (subsystem != cosim_nowhere && cosim_wiring_in_composite(p->self, subsystem))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "energy correction of '%s': the force would act on subsystem '%s', which has couplings under the "
                     "master: give all of them explicit schemes such as fd-k0-explicit",
                     def.bond, def.part);
  if (isnan(def.mu))
    def.mu = find_fraction(p, &def);
  return cosim_energy_correction_create(&def, &p->corrections[p->n_corrections++], error);
}

static seam_status wire_corrections(plan *p, seam_error *error) {
  const cosim_options *options = p->options;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < options->n_energy_corrections && status == SEAM_OK; i++)
    status = correct_energy(p, &options->energy_corrections[i], error);
  for (size_t i = 0; i < options->n_balance_corrections && status == SEAM_OK; i++) {
    cosim_balance_correction_def def = options->balance_corrections[i];
    def.input = cosim_wiring_signal(p->self, def.input, &p->enough);
    def.integral = cosim_wiring_signal(p->self, def.integral, &p->enough);
    status = cosim_balance_correction_create(&def, &p->corrections[p->n_corrections++], error);
  }
  if (status == SEAM_OK && options->model_based != NULL)
    status = cosim_model_based_correction_create(options->model_based, &p->corrections[p->n_corrections++], error);
  return status;
}

/* ---- Control of the macro step ---- */

static seam_status check_control(const cosim_wiring *self, const cosim_step_control *control, seam_error *error) {
  if (control->indicator == cosim_error_indicator)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the control of macro steps by local errors repeats them, which an explicit exchange of signals "
                     "does not: control by energies or predictions, or couple all under the master");
  if (control->indicator == cosim_energy_indicator && self->exchange->n_bonds == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the control of macro steps by energies needs a power bond or an explicit fd or df coupling");
  return SEAM_OK;
}

/* ---- Creation ---- */

static bool allocate(plan *p) {
  cosim_wiring *self = p->self;
  const cosim_options *options = p->options;
  const size_t n = self->partition->n_subsystems + 1;
  const size_t n_cuts = self->partition->n_cuts;
  size_t n_ports = most_coupling_ports * n_cuts + 1;
  size_t n_outputs = 1;
  for (size_t k = 0; k < options->n_bonds; k++)
    n_ports += (size_t)options->bonds[k].n_ports;
  for (size_t s = 0; s + 1 < n; s++)
    n_outputs += (size_t)p->parts[s]->n_outputs;
  p->members = calloc(n, sizeof *p->members);
  p->links = calloc(most_coupling_links * n_cuts + options->n_signals + 1, sizeof *p->links);
  p->bonds = calloc(n_cuts + options->n_bonds + 1, sizeof *p->bonds);
  p->ports = calloc(n_ports, sizeof *p->ports);
  p->corrections = calloc(options->n_energy_corrections + options->n_balance_corrections + 2, sizeof *p->corrections);
  self->member_of = calloc(n, sizeof *self->member_of);
  self->names = calloc(2 * n, sizeof *self->names);
  self->force_input = calloc(2 * n_cuts + 1, sizeof *self->force_input);
  self->signals = calloc(n_outputs, sizeof *self->signals);
  return p->members != NULL && p->links != NULL && p->bonds != NULL && p->ports != NULL && p->corrections != NULL &&
         self->member_of != NULL && self->force_input != NULL && self->names != NULL && self->signals != NULL;
}

static seam_status create_exchange(plan *p, seam_error *error) {
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
  p->self->composite = status == SEAM_OK ? p->self->composite : NULL;
  if (status == SEAM_OK)
    p->self->exchange->parts->n_threads = p->options->n_threads;
  return status;
}

static seam_status allocate_past(cosim_wiring *self, seam_error *error) {
  size_t n = 1;
  for (int p = 0; p < self->exchange->n; p++)
    n += (size_t)self->exchange->parts->member[p].part->n_outputs;
  double *outputs = calloc(cosim_most_hold * n, sizeof *outputs);
  for (int i = 0; i < cosim_most_hold && outputs != NULL; i++)
    self->past[i].outputs = outputs + (size_t)i * n;
  return outputs != NULL ? SEAM_OK : no_memory(error);
}

/* Where the wrenches on sides that are away come in. */
static seam_status find_forces(cosim_wiring *self, seam_error *error) {
  const cosim_partition *partition = self->partition;
  seam_status status = SEAM_OK;
  for (size_t k = 0; k < partition->n_cuts; k++)
    for (int side = 0; side < 2 && status == SEAM_OK; side++) {
      const cosim_joint_cut *cut = &partition->cuts[k];
      int member = 0;
      if (!cut->is_exchanged || !cut->is_away[side])
        continue;
      const char *name = cosim_wiring_coupling_signal(self, cut, side, cut->subsystem[side], wrench);
      status = name == NULL ? no_memory(error)
                            : cosim_exchange_find_input(self->exchange, cut->name, name, &member,
                                                        &self->force_input[2 * k + (size_t)side], error);
    }
  return status;
}

/* Their states, for every start after the first. */
static seam_status keep_start(cosim_wiring *self, seam_error *error) {
  const cosim_partition *partition = self->partition;
  size_t n = 1;
  for (size_t s = 0; s < partition->n_subsystems; s++)
    n += cosim_is_mechanical(partition, s) ? 0 : self->exchange->parts->member[self->member_of[s]].part->n_state;
  self->start = calloc(n, sizeof *self->start);
  if (self->start == NULL)
    return no_memory(error);
  double *state = self->start;
  for (size_t s = 0; s < partition->n_subsystems; s++) {
    const cosim_part *part = self->exchange->parts->member[self->member_of[s]].part;
    if (cosim_is_mechanical(partition, s) || !cosim_part_can_go_back(part))
      continue;
    part->ops->save(part, state);
    state += part->n_state;
  }
  return SEAM_OK;
}

static seam_status create(plan *p, const cosim_master_options *master, cosim_part *const *parts, seam_error *error) {
  cosim_wiring *self = p->self;
  if (!allocate(p))
    return no_memory(error);
  number_members(self);
  if (!cosim_wiring_name_all(self, parts))
    return no_memory(error);
  seam_status status = SEAM_OK;
  for (size_t s = 0; s < self->partition->n_subsystems && self->composite == NULL && status == SEAM_OK; s++)
    if (cosim_wiring_in_composite(self, s))
      status = create_composite(p, master, parts, cosim_wiring_member_name(self, s), error);
  if (status != SEAM_OK)
    return status;
  list_members(p);
  wire_signals(p);
  self->n_bonds = (size_t)p->n_bonds;
  wire_couplings(p);
  status = p->enough ? wire_corrections(p, error) : no_memory(error);
  if (status == SEAM_OK)
    status = p->enough ? create_exchange(p, error) : no_memory(error);
  if (status == SEAM_OK)
    status = keep_start(self, error);
  if (status == SEAM_OK)
    status = allocate_past(self, error);
  if (status == SEAM_OK)
    status = find_forces(self, error);
  self->is_controlled = p->options->step_control != NULL;
  return status == SEAM_OK && self->is_controlled ? check_control(self, p->options->step_control, error) : status;
}

/* Parts and corrections that nobody has taken. */
static void plan_free(plan *p) {
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

seam_status cosim_wiring_create(cosim_partition *partition, const cosim_options *options,
                                const cosim_master_options *master, cosim_part **parts, cosim_wiring **created,
                                seam_error *error) {
  cosim_wiring *self = calloc(1, sizeof *self);
  if (self == NULL)
    return no_memory(error);
  self->partition = partition;
  plan p = {.self = self, .options = options, .parts = partition->parts, .enough = true};
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
  if (self->exchange == NULL && self->composite != NULL)
    cosim_part_destroy(self->composite);
  cosim_exchange_destroy(self->exchange);
  for (size_t i = 0; i < self->n_texts; i++)
    free(self->texts[i]);
  for (size_t i = 0; i < 2 * (self->partition->n_subsystems + 1) && self->names != NULL; i++)
    free(self->names[i]);
  free(self->texts);
  free(self->names);
  free(self->member_of);
  free(self->signals);
  free(self->start);
  free(self->past[0].outputs);
  free(self->force_input);
  free(self);
}

/* ---- Forces ---- */

void cosim_wiring_force(const cosim_wiring *self, const cosim_joint_cut *cut, int side, double f[3]) {
  const int member = self->member_of[cut->subsystem[side]];
  const int first = self->force_input[2 * (cut - self->partition->cuts) + side];
  for (int i = 0; i < 3; i++)
    f[i] = cosim_exchange_input(self->exchange, member, first + i);
}

/* ---- Start ---- */

static seam_status restart_own(cosim_wiring *self, seam_error *error) {
  const cosim_partition *partition = self->partition;
  const double *state = self->start;
  for (size_t s = 0; s < partition->n_subsystems; s++) {
    cosim_part *part = self->exchange->parts->member[self->member_of[s]].part;
    if (cosim_is_mechanical(partition, s))
      continue;
    if (!cosim_part_can_go_back(part))
      return seam_fail(error, SEAM_BAD_STATE,
                       "subsystem '%s' cannot go back to its start: create the co-simulation anew", part->name);
    part->ops->restore(part, state);
    state += part->n_state;
  }
  return SEAM_OK;
}

seam_status cosim_wiring_start(cosim_wiring *self, double t, seam_error *error) {
  const seam_status status = self->has_started ? restart_own(self, error) : SEAM_OK;
  if (status != SEAM_OK)
    return status;
  self->has_started = true;
  cosim_exchange_start(self->exchange, t);
  return SEAM_OK;
}
