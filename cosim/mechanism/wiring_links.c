/* Links and power bonds: those of the options as they are, those of exchanged couplings as wiring.h says. */
#include "cosim/mechanism/wiring_internal.h"

/* ---- Exchanged couplings ---- */

static void link_up(cosim_wiring_plan *p, const char *from, const char *to, int order, bool smooth) {
  p->enough = p->enough && from != NULL && to != NULL;
  p->links[p->n_links++] = (cosim_connection_def){.from = from, .to = to, .gain = 1, .order = order, .smooth = smooth};
}

static void add_port(cosim_wiring_plan *p, const char *input, const char *output, int sign) {
  p->enough = p->enough && input != NULL && output != NULL;
  p->ports[p->n_ports++] = (cosim_port_def){input, output, sign};
}

static const char *signal_of(const cosim_wiring_plan *p, const cosim_element_cut *cut, int side, size_t subsystem,
                             int kind) {
  return cosim_wiring_coupling_signal(p->self, cut, side, subsystem, kind);
}

static void link_side(cosim_wiring_plan *p, const cosim_element_cut *cut, int side) {
  const cosim_element *element = &cut->law.base;
  const size_t remote = cut->subsystem[side];
  const size_t evaluator = cut->evaluator;
  for (int rate = 0; rate <= cosim_of_velocity; rate += cosim_of_velocity)
    for (int i = 0; i < element->n_dims; i++) {
      const int kind = rate + element->dim[i];
      link_up(p, signal_of(p, cut, side, remote, kind), signal_of(p, cut, side, evaluator, kind), cut->motion_order,
              cut->smooth);
    }
  for (int i = 0; i < element->n_forces && element->force[i] < 3; i++) {
    const int kind = cosim_of_wrench + element->force[i];
    link_up(p, signal_of(p, cut, side, evaluator, kind), signal_of(p, cut, side, remote, kind), cut->force_order,
            cut->smooth);
  }
}

/* Ports of the sides that are told forces first. */
static void bond_coupling(cosim_wiring_plan *p, const cosim_element_cut *cut) {
  const cosim_element *element = &cut->law.base;
  p->self->bond[cut - p->self->partition->cuts] = p->n_bonds;
  cosim_bond_def *bond = &p->bonds[p->n_bonds++];
  *bond = (cosim_bond_def){.name = cut->name, .ports = p->ports + p->n_ports, .energy_scale = p->options->energy_scale};
  const int first = p->n_ports;
  for (int evaluators = 0; evaluators < 2; evaluators++)
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < element->n_forces && element->force[i] < 3 && cut->is_remote[side]; i++) {
        const size_t subsystem = evaluators ? cut->evaluator : cut->subsystem[side];
        const char *force = signal_of(p, cut, side, subsystem, cosim_of_wrench + element->force[i]);
        const char *speed = signal_of(p, cut, side, subsystem, cosim_of_velocity + element->force[i]);
        add_port(p, evaluators ? speed : force, evaluators ? force : speed, evaluators ? -1 : 1);
      }
  bond->n_ports = p->n_ports - first;
}

void cosim_wiring_link_couplings(cosim_wiring_plan *p) {
  const cosim_partition *partition = p->self->partition;
  for (const cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++) {
    for (int side = 0; side < 2; side++)
      if (cut->is_exchanged && cut->is_remote[side])
        link_side(p, cut, side);
    if (cut->is_exchanged)
      bond_coupling(p, cut);
  }
}

/* ---- Signals and bonds of the options ---- */

void cosim_wiring_link_signals(cosim_wiring_plan *p) {
  const cosim_definition *options = p->options;
  for (size_t i = 0; i < options->n_signals; i++) {
    cosim_connection_def *link = &p->links[p->n_links++];
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
