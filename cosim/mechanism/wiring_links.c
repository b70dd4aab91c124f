/* Links and power bonds of the definition, and those of exchanged couplings (cosim/mechanism/wiring.h). */
#include <math.h>
#include <stdio.h>

#include "base/then.h"
#include "cosim/mechanism/wiring_internal.h"

/* Adds a link of gain 1 without a rate. */
static cosim_link *add_link(cosim_wiring_plan *p, const char *name, cosim_terminal from, cosim_terminal to, int order) {
  cosim_link *link = &p->links[p->n_links++];
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

/* ---- Exchanged couplings ---- */

/* Returns the terminal of a signal of one side: in the side's subsystem, or in the evaluator. */
static cosim_terminal terminal_of(const cosim_wiring_plan *p, const cosim_element_cut *cut, int side, bool at_evaluator,
                                  bool is_output, int kind) {
  const size_t subsystem = at_evaluator ? cut->evaluator : cut->subsystem[side];
  const int port = at_evaluator ? cut->evaluator_port[side] : cut->port[side];
  const int number = cosim_port_signal(p->self->partition->parts[subsystem], port, is_output, kind);
  return cosim_wiring_terminal(p->self, is_output, (cosim_signal_ref){subsystem, number});
}

static void add_coupling_link(cosim_wiring_plan *p, const cosim_element_cut *cut, int side, bool from_evaluator,
                              int kind) {
  const cosim_terminal from = terminal_of(p, cut, side, from_evaluator, true, kind);
  const cosim_terminal to = terminal_of(p, cut, side, !from_evaluator, false, kind);
  add_link(p, cut->base.name, from, to, from_evaluator ? cut->force_order : cut->motion_order)->smooth = cut->smooth;
}

/* Adds a port with input λ and output v in the side's subsystem; at_evaluator: with ṽ and -λ in the evaluator. */
static void add_port(cosim_wiring_plan *p, const cosim_element_cut *cut, int side, bool at_evaluator, int component) {
  const int force = COSIM_OF_WRENCH + component;
  const int speed = COSIM_OF_VELOCITY + component;
  const cosim_terminal input = terminal_of(p, cut, side, at_evaluator, false, at_evaluator ? speed : force);
  const cosim_terminal output = terminal_of(p, cut, side, at_evaluator, true, at_evaluator ? force : speed);
  p->ports[p->n_ports++] = (cosim_bond_port){
      .part = input.member, .input = input.number, .output = output.number, .factor = at_evaluator ? -1 : 1};
}

/* Adds the bond of a coupling; its first ports are those of the sides that receive forces. */
static void bond_coupling(cosim_wiring_plan *p, cosim_element_cut *cut) {
  const cosim_element *element = &cut->law.base;
  cut->bond = p->n_bonds;
  cosim_bond *bond = &p->bonds[p->n_bonds++];
  *bond = (cosim_bond){
      .name = cut->base.name, .ports = p->ports + p->n_ports, .energy_scale = p->definition->options.energy_scale};
  for (int at_evaluator = 0; at_evaluator < 2; at_evaluator++)
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < element->n_forces && element->force[i] < 3 && cut->is_remote[side]; i++)
        add_port(p, cut, side, at_evaluator == 1, element->force[i]);
  bond->n_ports = (int)(p->ports + p->n_ports - bond->ports);
}

void cosim_wiring_link_couplings(cosim_wiring_plan *p) {
  const cosim_partition *partition = p->self->partition;
  for (cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++) {
    const cosim_element *element = &cut->law.base;
    if (!cut->is_exchanged)
      continue;
    for (int side = 0; side < 2; side++) {
      for (int rate = COSIM_OF_MOTION; rate <= COSIM_OF_VELOCITY; rate += COSIM_OF_VELOCITY)
        for (int i = 0; i < element->n_dims && cut->is_remote[side]; i++)
          add_coupling_link(p, cut, side, false, rate + element->dim[i]);
      for (int i = 0; i < element->n_forces && element->force[i] < 3 && cut->is_remote[side]; i++)
        add_coupling_link(p, cut, side, true, COSIM_OF_WRENCH + element->force[i]);
    }
    bond_coupling(p, cut);
  }
}

/* ---- Linked quantities ---- */

void cosim_wiring_link_quantities(cosim_wiring_plan *p) {
  const cosim_partition *partition = p->self->partition;
  for (const cosim_linked_quantity *linked = partition->linked; linked < partition->linked + partition->n_linked;
       linked++) {
    const int number = partition->quantities[linked->number].number;
    const cosim_signal_ref output = {linked->source,
                                     cosim_multibody_quantity(partition->parts[linked->source], number)};
    const cosim_signal_ref input = {linked->reader,
                                    cosim_multibody_input(partition->parts[linked->reader], linked->port)};
    const cosim_terminal from = cosim_wiring_terminal(p->self, true, output);
    const cosim_terminal to = cosim_wiring_terminal(p->self, false, input);
    add_link(p, linked->name, from, to, linked->order)->is_monitored =
        !cosim_multibody_reads_at_samples(partition->parts[linked->reader]);
  }
}

/* ---- Signals and bonds of the definition ---- */

static seam_status read_link(const cosim_wiring *self, const cosim_connection_def *def, cosim_link *link,
                             seam_error *error) {
  char subject[200];
  cosim_terminal from = {-1, -1};
  cosim_terminal to = {-1, -1};
  cosim_terminal rate = {-1, -1};
  snprintf(subject, sizeof subject, "link from '%s' to '%s'", def->from, def->to);
  if (def->order < 0 || def->order > COSIM_MAX_HOLD)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: 'order' is %d: take 0 to %d", subject, def->order, COSIM_MAX_HOLD);
  seam_status status = cosim_wiring_find(self, subject, def->from, true, &from, error);
  THEN(status, cosim_wiring_find(self, subject, def->to, false, &to, error));
  if (status == SEAM_OK && def->rate != NULL)
    status = cosim_wiring_find(self, subject, def->rate, true, &rate, error);
  if (status == SEAM_OK && def->rate != NULL && rate.member != from.member)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: the rate '%s' must be an output of the subsystem of '%s'", subject,
                     def->rate, def->from);
  if (status == SEAM_OK && cosim_is_held(self->partition->parts[self->subsystem_of[from.member]], from.number) &&
      (def->order > 0 || def->rate != NULL || def->smooth))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: '%s' is constant between its samples: leave out 'order', 'rate' and 'smooth'", subject,
                     def->from);
  if (status != SEAM_OK)
    return status;
  /* An input that the part reads only at its samples is not extrapolated, since macro steps end there. */
  *link = (cosim_link){.name = def->to,
                       .from = from.member,
                       .output = from.number,
                       .to = to.member,
                       .input = to.number,
                       .rate = rate.number,
                       .gain = def->gain,
                       .offset = def->offset,
                       .order = def->order,
                       .smooth = def->smooth,
                       .is_monitored = !cosim_is_sampled(self->partition->parts[self->subsystem_of[to.member]])};
  return SEAM_OK;
}

static seam_status read_port(const cosim_wiring *self, const cosim_bond_def *bond, const cosim_port_def *def,
                             cosim_bond_port *port, seam_error *error) {
  char subject[200];
  cosim_terminal input = {-1, -1};
  cosim_terminal output = {-1, -1};
  snprintf(subject, sizeof subject, "power bond '%s'", bond->name);
  seam_status status = cosim_wiring_find(self, subject, def->input, false, &input, error);
  THEN(status, cosim_wiring_find(self, subject, def->output, true, &output, error));
  if (status != SEAM_OK)
    return status;
  if (input.member != output.member)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' and '%s' belong to two subsystems: a port belongs to one",
                     subject, def->input, def->output);
  if (def->sign == 0 || !isfinite(def->sign))
    return seam_fail(error, SEAM_BAD_INPUT, "%s: the sign of port '%s' is %g: take 1, -1 or another factor", subject,
                     def->input, def->sign);
  *port = (cosim_bond_port){.part = input.member, .input = input.number, .output = output.number, .factor = def->sign};
  return SEAM_OK;
}

seam_status cosim_wiring_link_signals(cosim_wiring_plan *p, seam_error *error) {
  const cosim_definition *definition = p->definition;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < definition->n_signals && status == SEAM_OK; i++)
    status = read_link(p->self, &definition->signals[i], &p->links[p->n_links++], error);
  for (size_t k = 0; k < definition->n_bonds && status == SEAM_OK; k++) {
    const cosim_bond_def *def = &definition->bonds[k];
    p->bonds[p->n_bonds++] = (cosim_bond){.name = def->name,
                                          .ports = p->ports + p->n_ports,
                                          .n_ports = def->n_ports,
                                          .energy_scale = def->energy_scale,
                                          .tolerance = def->tolerance};
    for (int i = 0; i < def->n_ports && status == SEAM_OK; i++)
      status = read_port(p->self, def, &def->ports[i], &p->ports[p->n_ports++], error);
  }
  return status;
}
