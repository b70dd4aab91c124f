/* The exchange of a mechanism and of user equations: partition -> links, power bonds and corrections -> exchange.
 *
 * Let subsystem e evaluate the element of an exchanged coupling M, whose remote marker is in subsystem f. M becomes the
 * links
 *
 *   f.M.x, .y, .phi        -> e.M.x, ...      holds of the motion's order       x̃
 *   f.M.vx, .vy, .omega    -> e.M.vx, ...                                       ṽ
 *   e.M.fx, .fy, .torque   -> f.M.fx, ...     holds of the force's order        λ, on the marker in f
 *
 * for the coordinates that the element uses, with the symbols on the right. M also becomes a power bond. The bond's
 * ports at f have input λ and output v; its ports at e have input ṽ and output -λ. Its residual power over a round from
 * T to T + H is λ(T) · v(T + H) - ṽ(T) · λ(T + H), (8) and (9) of [Rodriguez].
 *
 * If a master couples some cuts, all subsystems with bodies form one member of the exchange, the master part. If a
 * master couples user parts, all subsystems form it. Its signals are those of the subsystems' markers
 * (cosim/mechanism/signal_names.h). */
#include "cosim/mechanism/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"

/* Largest numbers of links and ports of an exchanged coupling. */
enum { links_of_coupling = 18, ports_of_coupling = 12 };

/* Data from which the exchange is created. */
typedef struct wiring_plan {
  cosim_engine *self;
  cosim_part **parts; /* (n_subsystems) parts; NULL where the master or the exchange has taken the part */
  cosim_exchange_plan exchange;
  cosim_bond_port *ports; /* (n_ports) ports of all bonds, one bond after the other */
  int n_ports;
  struct {
    cosim_part **parts; /* (n_subsystems) */
    int *number;        /* (n_subsystems) index of a subsystem in the master */
    cosim_cut *cuts;
  } master; /* scratch: what it couples */
} wiring_plan;

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to wire the subsystems");
}

/* ---- Members and their signals ---- */

/* Numbers the members in the order of the subsystems; the master part takes the place of its first subsystem. Numbers
 * all signals except those of the master part. Returns false if memory is exhausted. */
static bool number_members(cosim_engine *self) {
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

/* Returns the terminal of a signal of a subsystem's part. */
static cosim_terminal terminal(const cosim_engine *self, size_t subsystem, bool is_output, int number) {
  return (cosim_terminal){self->member_of[subsystem], self->number[2 * subsystem + (size_t)is_output][number]};
}

/* Finds the terminal of a signal that the definition names; messages begin with `subject`. */
static seam_status find_terminal(const cosim_engine *self, const char *subject, const char *name, bool is_output,
                                 cosim_terminal *found, seam_error *error) {
  size_t subsystem = 0;
  int number = 0;
  TRY(cosim_find_signal(self->partition, subject, name, is_output, &subsystem, &number, error));
  *found = terminal(self, subsystem, is_output, number);
  return SEAM_OK;
}

/* ---- The master part: all subsystems under a master as one part of the exchange ---- */

typedef struct master_part {
  cosim_part base;
  cosim_master *master;
  cosim_terminal *inputs, *outputs; /* signals of this part: each is a signal of a part in the master */
  seam_error restored;              /* error of the last restore */
} master_part;

static void write_master_outputs(const master_part *self, double *outputs) {
  for (int i = 0; i < self->base.n_outputs; i++)
    outputs[i] = self->master->parts->member[self->outputs[i].member].outputs[self->outputs[i].number];
}

static void set_master_inputs(cosim_part *base, const cosim_signal *inputs) {
  const master_part *self = (const master_part *)base;
  for (int i = 0; i < base->n_inputs; i++)
    self->master->parts->member[self->inputs[i].member].inputs[self->inputs[i].number] = inputs[i];
}

/* Sets the inputs once: the master keeps them when it repeats the step internally. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status advance_master(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                                  seam_error *error) {
  const master_part *self = (const master_part *)base;
  (void)derivatives;
  if (self->restored.status != SEAM_OK)
    return seam_fail(error, self->restored.status, "%s", self->restored.message);
  set_master_inputs(base, step->inputs);
  const seam_status status = cosim_master_step(self->master, step->H, error);
  write_master_outputs(self, outputs);
  return status;
}

static void get_master_outputs(cosim_part *base, double *outputs) {
  const master_part *self = (const master_part *)base;
  cosim_parts_get_outputs(self->master->parts);
  write_master_outputs(self, outputs);
}

static void save_master(const cosim_part *base, double *state) {
  cosim_master_save_image(((const master_part *)base)->master, state);
}

static void restore_master(cosim_part *base, const double *state) {
  master_part *self = (master_part *)base;
  self->restored = (seam_error){0};
  cosim_master_restore_image(self->master, state, &self->restored);
}

static void destroy_master(cosim_part *base) {
  master_part *self = (master_part *)base;
  cosim_master_destroy(self->master);
  free(self->inputs);
  free(self);
}

/* Numbers the marked inputs, or outputs, of the subsystems under the master. Lists them and returns their count. */
static int number_marked(const cosim_engine *self, bool is_output, cosim_terminal *signals) {
  int n = 0;
  int part = 0;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    if (!cosim_is_under_master(self->partition, s))
      continue;
    const cosim_part *of = self->partition->parts[s];
    int *number = self->number[2 * s + (size_t)is_output];
    for (int i = 0; i < (is_output ? of->n_outputs : of->n_inputs); i++)
      if (number[i] >= 0) {
        signals[n] = (cosim_terminal){part, i};
        number[i] = n++;
      }
    part++;
  }
  return n;
}

/* Makes the part that owns the master; destroys the master on failure. */
static seam_status wrap_master(cosim_engine *self, cosim_master *master, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance_master,
                                     .get_outputs = get_master_outputs,
                                     .save = save_master,
                                     .restore = restore_master,
                                     .destroy = destroy_master};
  size_t most = 1;
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    most += (size_t)(self->partition->parts[s]->n_inputs + self->partition->parts[s]->n_outputs);
  master_part *made = calloc(1, sizeof *made);
  cosim_terminal *signals = calloc(2 * most, sizeof *signals);
  if (made == NULL || signals == NULL) {
    free(made);
    free(signals);
    cosim_master_destroy(master);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the subsystems under the master");
  }
  *made = (master_part){.base = {.ops = &ops,
                                 .name = self->n_members > 1 ? "the mechanism" : NULL,
                                 .n_inputs = number_marked(self, false, signals),
                                 .n_outputs = number_marked(self, true, signals + most),
                                 .is_mechanical = true,
                                 .n_state = cosim_master_image_size(master)},
                        .master = master,
                        .inputs = signals,
                        .outputs = signals + most};
  master->has_inputs = made->base.n_inputs > 0;
  self->master = master;
  self->master_part = &made->base;
  return SEAM_OK;
}

static seam_status create_master_part(wiring_plan *p, const cosim_master_options *options, seam_error *error) {
  cosim_engine *self = p->self;
  const cosim_partition *partition = self->partition;
  cosim_master *master = NULL;
  int n_parts = 0, n_cuts = 0;
  for (size_t s = 0; s < partition->n_subsystems; s++) {
    if (!cosim_is_under_master(partition, s))
      continue;
    if (cosim_is_mechanical(partition, s))
      cosim_mark_signals(partition, s, &self->number[2 * s]); /* these become signals of the master part */
    p->master.number[s] = n_parts;
    p->master.parts[n_parts++] = p->parts[s];
    p->parts[s] = NULL;
  }
  for (size_t k = 0; k < partition->n_cuts; k++)
    if (!partition->cuts[k].is_exchanged)
      p->master.cuts[n_cuts++] = partition->cuts[k].base;
  for (size_t k = 0; k < partition->n_part_couplings; k++)
    p->master.cuts[n_cuts++] = partition->part_couplings[k].base;
  for (int k = 0; k < 2 * n_cuts; k++) {
    cosim_side *side = &p->master.cuts[k / 2].side[k % 2];
    side->part = p->master.number[side->part]; /* index of a subsystem -> index in the master */
  }
  TRY(cosim_master_create(p->master.parts, n_parts, p->master.cuts, n_cuts, options, &master, error));
  return wrap_master(self, master, error);
}

/* ---- Links and bonds of exchanged couplings ---- */

/* Adds a link of gain 1 without a rate. */
static cosim_link *add_link(wiring_plan *p, const char *name, cosim_terminal from, cosim_terminal to, int order) {
  cosim_link *link = &p->exchange.links[p->exchange.n_links++];
  *link = (cosim_link){.name = name,
                       .from = from.member,
                       .output = from.number,
                       .to = to.member,
                       .input = to.number,
                       .rate = -1,
                       .gain = 1,
                       .order = order};
  return link;
}

/* Returns the terminal of a signal of one side, in the side's subsystem or in the evaluator. */
static cosim_terminal side_terminal(const wiring_plan *p, const cosim_element_cut *cut, int side, bool at_evaluator,
                                    bool is_output, int kind) {
  const size_t subsystem = at_evaluator ? cut->evaluator : cut->subsystem[side];
  const int port = at_evaluator ? cut->evaluator_port[side] : cut->port[side];
  const int number = cosim_port_signal(p->self->partition->parts[subsystem], port, is_output, kind);
  return terminal(p->self, subsystem, is_output, number);
}

static void add_coupling_link(wiring_plan *p, const cosim_element_cut *cut, int side, bool from_evaluator, int kind) {
  const cosim_terminal from = side_terminal(p, cut, side, from_evaluator, true, kind);
  const cosim_terminal to = side_terminal(p, cut, side, !from_evaluator, false, kind);
  add_link(p, cut->base.name, from, to, from_evaluator ? cut->force_order : cut->motion_order)->smooth = cut->smooth;
}

/* Adds the links and the bond of an exchanged coupling. */
static void link_coupling(wiring_plan *p, cosim_element_cut *cut) {
  const cosim_element *element = &cut->law.base;
  for (int side = 0; side < 2; side++) {
    for (int rate = COSIM_OF_MOTION; rate <= COSIM_OF_VELOCITY; rate += COSIM_OF_VELOCITY)
      for (int i = 0; i < element->n_dims && cut->is_remote[side]; i++)
        add_coupling_link(p, cut, side, false, rate + element->dim[i]);
    for (int i = 0; i < element->n_forces && element->force[i] < 3 && cut->is_remote[side]; i++)
      add_coupling_link(p, cut, side, true, COSIM_OF_WRENCH + element->force[i]);
  }
  cut->bond = p->exchange.n_bonds;
  cosim_bond *bond = &p->exchange.bonds[p->exchange.n_bonds++];
  *bond = (cosim_bond){.name = cut->base.name,
                       .ports = p->ports + p->n_ports,
                       .energy_scale = p->self->definition->options.energy_scale};
  for (int at_evaluator = 0; at_evaluator < 2; at_evaluator++) /* first the ports of the sides that receive forces */
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < element->n_forces && element->force[i] < 3 && cut->is_remote[side]; i++) {
        const int kinds[2] = {COSIM_OF_WRENCH + element->force[i], COSIM_OF_VELOCITY + element->force[i]};
        const cosim_terminal input = side_terminal(p, cut, side, at_evaluator, false, kinds[at_evaluator]);
        const cosim_terminal output = side_terminal(p, cut, side, at_evaluator, true, kinds[1 - at_evaluator]);
        p->ports[p->n_ports++] = (cosim_bond_port){
            .part = input.member, .input = input.number, .output = output.number, .factor = at_evaluator ? -1 : 1};
      }
  bond->n_ports = (int)(p->ports + p->n_ports - bond->ports);
}

/* ---- Linked quantities ---- */

static void link_quantities(wiring_plan *p) {
  const cosim_partition *partition = p->self->partition;
  for (size_t i = 0; i < partition->n_linked; i++) {
    const cosim_linked_quantity *linked = &partition->linked[i];
    const cosim_part *source = partition->parts[linked->source], *reader = partition->parts[linked->reader];
    const int output = cosim_multibody_quantity(source, partition->quantities[linked->number].number);
    const int input = cosim_multibody_input(reader, linked->port);
    const cosim_terminal from = terminal(p->self, linked->source, true, output);
    const cosim_terminal to = terminal(p->self, linked->reader, false, input);
    add_link(p, linked->name, from, to, linked->order)->is_monitored = !cosim_multibody_reads_at_samples(reader);
  }
}

/* ---- Signals and bonds of the definition ---- */

static seam_status link_signal(wiring_plan *p, const cosim_connection_def *def, seam_error *error) {
  const cosim_engine *self = p->self;
  char subject[200];
  cosim_terminal from = {-1, -1}, to = {-1, -1}, rate = {-1, -1};
  snprintf(subject, sizeof subject, "link from '%s' to '%s'", def->from, def->to);
  if (def->order < 0 || def->order > COSIM_MAX_HOLD)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: 'order' is %d: take 0 to %d", subject, def->order, COSIM_MAX_HOLD);
  TRY(find_terminal(self, subject, def->from, true, &from, error));
  TRY(find_terminal(self, subject, def->to, false, &to, error));
  if (def->rate != NULL)
    TRY(find_terminal(self, subject, def->rate, true, &rate, error));
  if (def->rate != NULL && rate.member != from.member)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: the rate '%s' must be an output of the subsystem of '%s'", subject,
                     def->rate, def->from);
  if (cosim_is_held(self->partition->parts[self->subsystem_of[from.member]], from.number) &&
      (def->order > 0 || def->rate != NULL || def->smooth))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: '%s' is constant between its samples: leave out 'order', 'rate' and 'smooth'", subject,
                     def->from);
  cosim_link *link = add_link(p, def->to, from, to, def->order);
  link->rate = rate.number;
  link->rate_gain = def->rate_gain;
  link->gain = def->gain;
  link->offset = def->offset;
  link->smooth = def->smooth;
  /* An input that the part reads only at its samples is not extrapolated, since macro steps end there. */
  link->is_monitored = !cosim_is_sampled(self->partition->parts[self->subsystem_of[to.member]]);
  return SEAM_OK;
}

static seam_status add_bond(wiring_plan *p, const cosim_bond_def *bond, seam_error *error) {
  char subject[200];
  snprintf(subject, sizeof subject, "power bond '%s'", bond->name);
  p->exchange.bonds[p->exchange.n_bonds++] = (cosim_bond){.name = bond->name,
                                                          .ports = p->ports + p->n_ports,
                                                          .n_ports = bond->n_ports,
                                                          .energy_scale = bond->energy_scale,
                                                          .tolerance = bond->tolerance};
  for (const cosim_port_def *def = bond->ports; def < bond->ports + bond->n_ports; def++) {
    cosim_terminal input = {-1, -1}, output = {-1, -1};
    TRY(find_terminal(p->self, subject, def->input, false, &input, error));
    TRY(find_terminal(p->self, subject, def->output, true, &output, error));
    if (input.member != output.member)
      return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' and '%s' belong to two subsystems: a port belongs to one",
                       subject, def->input, def->output);
    if (def->sign == 0 || !isfinite(def->sign))
      return seam_fail(error, SEAM_BAD_INPUT, "%s: the sign of port '%s' is %g: take 1, -1 or another factor", subject,
                       def->input, def->sign);
    p->ports[p->n_ports++] =
        (cosim_bond_port){.part = input.member, .input = input.number, .output = output.number, .factor = def->sign};
  }
  return SEAM_OK;
}

/* ---- Corrections ---- */

/* Chooses the subsystem that receives the force of an energy correction. SEAM_BAD_INPUT: nothing names one. */
static seam_status choose_subsystem(const wiring_plan *p, const cosim_energy_correction_def *def,
                                    const cosim_element_cut *cut, size_t *subsystem, seam_error *error) {
  const cosim_subsystem_def *subsystems = p->self->partition->subsystems;
  if (def->part != NULL) {
    *subsystem = cosim_find_subsystem(p->self->partition, def->part, strlen(def->part));
    return SEAM_OK;
  }
  if (def->bond == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "an energy correction has neither 'bond' nor 'part': give it one of them");
  if (cut == NULL || !cut->is_exchanged)
    return seam_fail_about(error, SEAM_BAD_INPUT, def->bond,
                           "energy correction of bond '%s': give 'subsystem', the one that gets the correcting force",
                           def->bond);
  if (cut->is_remote[0] && cut->is_remote[1] && cut->subsystem[0] != cut->subsystem[1])
    return seam_fail_about(
        error, SEAM_BAD_INPUT, def->bond,
        "energy correction of coupling '%s': give 'subsystem', the one that gets the correcting force, '%s' or '%s'",
        def->bond, subsystems[cut->subsystem[0]].name, subsystems[cut->subsystem[1]].name);
  *subsystem = cut->subsystem[cut->is_remote[1]];
  return SEAM_OK;
}

/* Lists the bonds of the couplings that exert a force on the subsystem. */
static seam_status list_received(const wiring_plan *p, const char *name, size_t subsystem, int *bonds, int *n_bonds,
                                 seam_error *error) {
  const cosim_partition *partition = p->self->partition;
  const cosim_element_cut *first = NULL;
  for (const cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++) {
    const bool receives[2] = {cut->is_remote[0] && cut->subsystem[0] == subsystem,
                              cut->is_remote[1] && cut->subsystem[1] == subsystem};
    if (!cut->is_exchanged || !(receives[0] || receives[1]))
      continue;
    const cosim_element *a = first != NULL ? &first->law.base : &cut->law.base, *b = &cut->law.base;
    if (a->n_forces != b->n_forces || memcmp(a->force, b->force, (size_t)a->n_forces * sizeof *a->force) != 0)
      return seam_fail_about(error, SEAM_BAD_INPUT, name,
                             "energy correction of the sum of all forces on subsystem '%s': couplings '%s' and '%s' "
                             "act in different directions; correct each coupling on its own by 'coupling'",
                             name, first->base.name, cut->base.name);
    if (first == NULL)
      first = cut;
    bonds[(*n_bonds)++] = cut->bond;
  }
  if (first == NULL)
    return seam_fail_about(error, SEAM_BAD_INPUT, name,
                           "energy correction of subsystem '%s': no coupling with an '-exchange' scheme applies a "
                           "force to it; name a coupling or bond",
                           name);
  return SEAM_OK;
}

/* Returns the default of mu by [Rodriguez] (20), (21). The corrected part takes the role of the part without
 * feedthrough there. */
static double find_fraction(const wiring_plan *p, const cosim_bond *bond, int corrected) {
  int steps = 1, other = 1;
  int order = 0; /* highest order of links into the bond's ports at the member that takes the most steps */
  const cosim_exchange_plan *plan = &p->exchange;
  for (const cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    *(port->part == corrected ? &steps : &other) = plan->members[port->part].steps;
  for (const cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    for (const cosim_link *link = plan->links; link < plan->links + plan->n_links; link++)
      if (plan->members[port->part].steps == (steps > other ? steps : other) && link->to == port->part &&
          link->input == port->input && link->order > order)
        order = link->order;
  return cosim_energy_fraction((double)steps / other, order);
}

static cosim_correction **next_correction(wiring_plan *p) {
  return &p->exchange.corrections[p->exchange.n_corrections++];
}

/* Corrects the bond that the definition names or, if it names none, all bonds whose forces a subsystem receives. */
static seam_status correct_energy(wiring_plan *p, const cosim_energy_correction_def *wanted, seam_error *error) {
  const cosim_partition *partition = p->self->partition;
  const cosim_element_cut *cut = wanted->bond != NULL ? cosim_find_cut(partition, wanted->bond) : NULL;
  cosim_energy_correction_def def = *wanted;
  size_t subsystem = SEAM_NONE;
  int bond = -1;
  for (int k = 0; k < p->exchange.n_bonds && wanted->bond != NULL && bond < 0; k++)
    if (strcmp(p->exchange.bonds[k].name, wanted->bond) == 0)
      bond = k;
  if (bond < 0 && cut != NULL) {
    char name[COSIM_SCHEME_NAME];
    return seam_fail_about(
        error, SEAM_BAD_INPUT, cut->base.name,
        "energy correction of coupling '%s' (%s): it needs an '-exchange' scheme%s%s%s", cut->base.name,
        cut->base.scheme.name, cut->is_joint ? ", which joints cannot have" : "; write '",
        cut->is_joint ? "" : cosim_exchange_scheme(&cut->base.scheme, name), cut->is_joint ? "" : "'");
  }
  TRY(choose_subsystem(p, wanted, cut, &subsystem, error));
  if (subsystem != SEAM_NONE)
    def.part = partition->subsystems[subsystem].name;
  if (subsystem != SEAM_NONE && cosim_is_under_master(partition, subsystem))
    return seam_fail_about(error, SEAM_BAD_INPUT, def.bond,
                           "energy correction of '%s': the force would act on subsystem '%s', which has couplings "
                           "without an '-exchange' scheme; give all of them schemes such as fd-k0-exchange",
                           def.bond != NULL ? def.bond : def.part, def.part);
  const int member = subsystem == SEAM_NONE ? -1 : p->self->member_of[subsystem];
  int *bonds = calloc((size_t)p->exchange.n_bonds + 1, sizeof *bonds);
  int n_bonds = 0;
  if (bonds == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an energy correction");
  seam_status status = SEAM_OK;
  if (def.bond == NULL)
    status = list_received(p, def.part, subsystem, bonds, &n_bonds, error);
  else
    bonds[n_bonds++] = bond;
  if (status == SEAM_OK && isnan(def.mu))
    def.mu = bonds[0] < 0 ? 0 : find_fraction(p, &p->exchange.bonds[bonds[0]], member);
  THEN(status, cosim_energy_correction_at(&def, bonds, n_bonds, member, next_correction(p), error));
  free(bonds);
  return status;
}

static seam_status add_corrections(wiring_plan *p, seam_error *error) {
  const cosim_definition *definition = p->self->definition;
  for (size_t i = 0; i < definition->n_energy_corrections; i++)
    TRY(correct_energy(p, &definition->energy_corrections[i], error));
  for (size_t i = 0; i < definition->n_balance_corrections; i++) {
    const cosim_balance_correction_def *def = &definition->balance_corrections[i];
    cosim_terminal input = {-1, -1}, integral = {-1, -1};
    TRY(find_terminal(p->self, "balance correction", def->input, false, &input, error));
    if (def->integral != NULL)
      TRY(find_terminal(p->self, "balance correction", def->integral, true, &integral, error));
    const cosim_balance_signals signals = {input.member, input.number, integral.member, integral.number};
    TRY(cosim_balance_correction_at(def, &signals, next_correction(p), error));
  }
  if (definition->model_based == NULL)
    return SEAM_OK;
  return cosim_model_based_correction_create(definition->model_based, next_correction(p), error);
}

/* ---- Creation ---- */

#define ENGINE_ARRAYS(X)                                                                                               \
  X(self, member_of, n)                                                                                                \
  X(self, subsystem_of, n)                                                                                             \
  X(self, number, 2 * n)                                                                                               \
  X(self, start, n)
#define PLAN_ARRAYS(X)                                                                                                 \
  X(&p->exchange, members, n)                                                                                          \
  X(&p->exchange, links, links_of_coupling * partition->n_cuts + d->n_signals + partition->n_linked)                   \
  X(&p->exchange, bonds, partition->n_cuts + d->n_bonds)                                                               \
  X(&p->exchange, corrections, d->n_energy_corrections + d->n_balance_corrections + 1)                                 \
  X(p, ports, n_ports)                                                                                                 \
  X(&p->master, parts, n)                                                                                              \
  X(&p->master, number, n)                                                                                             \
  X(&p->master, cuts, partition->n_cuts + partition->n_part_couplings)

static seam_status create_exchange(wiring_plan *p, const cosim_master_options *master, seam_error *error) {
  cosim_engine *self = p->self;
  const cosim_partition *partition = self->partition;
  const cosim_definition *d = p->self->definition;
  const size_t n = partition->n_subsystems;
  size_t n_ports = ports_of_coupling * partition->n_cuts;
  for (size_t k = 0; k < d->n_bonds; k++)
    n_ports += (size_t)d->bonds[k].n_ports;
  const bool enough = true ENGINE_ARRAYS(ALLOCATE_ARRAY) PLAN_ARRAYS(ALLOCATE_ARRAY);
  if (!enough || !number_members(self))
    return no_memory(error);
  p->exchange.n_members = self->n_members;
  if (partition->n_master_cuts > 0 || partition->n_part_couplings > 0)
    TRY(create_master_part(p, master, error));
  for (size_t s = 0; s < n; s++) {
    const bool is_under_master = cosim_is_under_master(partition, s);
    const size_t steps = partition->subsystems[s].steps;
    p->exchange.members[self->member_of[s]] =
        (cosim_member_def){.part = is_under_master ? self->master_part : p->parts[s],
                           .steps = is_under_master || steps == 0 ? 1 : (int)steps};
  }
  for (size_t i = 0; i < d->n_signals; i++)
    TRY(link_signal(p, &d->signals[i], error));
  for (size_t k = 0; k < d->n_bonds; k++)
    TRY(add_bond(p, &d->bonds[k], error));
  link_quantities(p);
  for (size_t k = 0; k < partition->n_cuts; k++)
    if (partition->cuts[k].is_exchanged)
      link_coupling(p, &partition->cuts[k]);
  TRY(add_corrections(p, error));
  const seam_status status = cosim_exchange_make(&p->exchange, &self->exchange, error);
  /* The exchange has taken parts and corrections, also if its creation failed. */
  for (size_t s = 0; s < n; s++)
    p->parts[s] = NULL;
  p->exchange.n_corrections = 0;
  if (status != SEAM_OK)
    self->master_part = NULL;
  return status;
}

seam_status cosim_engine_create(cosim_partition *partition, const cosim_definition *definition,
                                const cosim_master_options *master, cosim_part **parts, cosim_engine **created,
                                seam_error *error) {
  cosim_engine *self = calloc(1, sizeof *self);
  wiring_plan *p = &(wiring_plan){.self = self,
                                  .parts = parts,
                                  .exchange = {.gauss_seidel = definition->options.sequence == COSIM_GAUSS_SEIDEL,
                                               .n_threads = definition->options.n_threads}};
  if (self != NULL)
    *self = (cosim_engine){.partition = partition, .definition = definition};
  const seam_status status = self != NULL && parts != NULL ? create_exchange(p, master, error) : no_memory(error);
  for (size_t s = 0; parts != NULL && s < partition->n_subsystems; s++)
    cosim_part_destroy(parts[s]);
  for (int c = 0; c < p->exchange.n_corrections; c++)
    if (p->exchange.corrections[c] != NULL)
      p->exchange.corrections[c]->ops->destroy(p->exchange.corrections[c]);
  free(parts);
  PLAN_ARRAYS(FREE_ARRAY)
  RETURN_CREATED(status, self, created, cosim_engine_destroy);
}

void cosim_engine_destroy(cosim_engine *self) {
  if (self == NULL)
    return;
  if (self->exchange == NULL)
    cosim_part_destroy(self->master_part);
  cosim_exchange_destroy(self->exchange);
  for (size_t i = 0; i < 2 * self->partition->n_subsystems && self->number != NULL; i++)
    free(self->number[i]);
  for (size_t s = 0; s < self->partition->n_subsystems && self->start != NULL; s++)
    free(self->start[s]);
  ENGINE_ARRAYS(FREE_ARRAY)
  free(self->past_outputs[0]);
  free(self);
}

/* ---- Signals of mechanical parts after a kink or a sample ---- */

bool cosim_engine_is_mechanical(const cosim_engine *self, int member) {
  return self->exchange->parts->member[member].part == self->master_part ||
         cosim_is_mechanical(self->partition, self->subsystem_of[member]);
}

/* Sets the inputs of mechanical parts to the values of input() and evaluates their outputs, if the parts can do so. The
 * history of the exchange does not change. */
static void set_inputs(const cosim_engine *self, double input(const cosim_exchange *exchange, int part, int input)) {
  for (int m = 0; m < self->n_members; m++) {
    const cosim_member *member = &self->exchange->parts->member[m];
    if (!cosim_engine_is_mechanical(self, m))
      continue;
    for (int i = 0; i < member->part->n_inputs; i++)
      member->inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{input(self->exchange, m, i)}}};
    if (member->part == self->master_part)
      set_master_inputs(member->part, member->inputs);
    else if (member->part->ops->evaluate_outputs != NULL)
      member->part->ops->evaluate_outputs(member->part, self->exchange->t, member->inputs, member->outputs);
  }
}

void cosim_engine_set_inputs(const cosim_engine *self) {
  set_inputs(self, cosim_exchange_input);
  if (self->master != NULL)
    cosim_master_apply_inputs(self->master);
}

static void read_outputs(const cosim_engine *self, int member) {
  cosim_part *part = self->exchange->parts->member[member].part;
  double *outputs = self->exchange->parts->member[member].outputs;
  if (part->n_outputs == 0)
    return;
  part->ops->get_outputs(part, outputs);
  cosim_exchange_prescribe(self->exchange, member, outputs);
}

void cosim_engine_set_inputs_before_samples(const cosim_engine *self) {
  for (int m = 0; m < self->n_members; m++)
    if (cosim_engine_is_mechanical(self, m)) {
      read_outputs(self, m);
      cosim_exchange_store_before(self->exchange, m);
    }
  set_inputs(self, cosim_exchange_input_before);
  if (self->master != NULL)
    cosim_master_restart(self->master);
}

void cosim_engine_update(const cosim_engine *self) {
  for (int m = 0; m < self->n_members; m++)
    if (cosim_engine_is_mechanical(self, m) || self->exchange->parts->member[m].part->ops->get_events != NULL)
      read_outputs(self, m);
  (void)cosim_exchange_evaluate(self->exchange, COSIM_AT_POINTS, 0, NULL); /* the next step reports errors */
  set_inputs(self, cosim_exchange_input);
  if (self->master != NULL)
    cosim_master_restart(self->master);
}

void cosim_engine_force(const cosim_engine *self, const cosim_element_cut *cut, int side, double f[3]) {
  const size_t subsystem = cut->subsystem[side];
  const int first = cosim_port_signal(self->partition->parts[subsystem], cut->port[side], false, COSIM_OF_WRENCH);
  for (int i = 0; i < 3; i++) {
    const cosim_terminal at = terminal(self, subsystem, false, first + i);
    f[i] = cosim_exchange_input(self->exchange, at.member, at.number);
  }
}

/* Sets has_started, so that a later start resets user parts. */
seam_status cosim_engine_restore(cosim_engine *self, const double *state, seam_error *error) {
  const master_part *part = (const master_part *)self->master_part;
  cosim_exchange_restore(self->exchange, state);
  self->has_started = true;
  if (part == NULL || part->restored.status == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, part->restored.status, "%s", part->restored.message);
}
