/* Corrections as the options want them, with what they leave open. */
#include <math.h>
#include <string.h>

#include "cosim/mechanism/wiring_internal.h"

static const cosim_element_cut *find_cut(const cosim_wiring_plan *p, const char *name) {
  const cosim_partition *partition = p->self->partition;
  for (const cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++)
    if (strcmp(cut->name, name) == 0)
      return cut;
  return NULL;
}

/* The side that is told the force; NULL: it is not clear, *error says why. */
static const char *default_part(const cosim_wiring_plan *p, const cosim_energy_correction_def *def, seam_error *error) {
  const cosim_element_cut *cut = find_cut(p, def->bond);
  const cosim_subsystem *subsystems = p->self->partition->subsystems;
  if (cut == NULL || !cut->is_exchanged) {
    seam_fail(error, SEAM_BAD_INPUT, "energy correction of bond '%s': say which subsystem gets the force", def->bond);
    return NULL;
  }
  if (cut->is_remote[0] && cut->is_remote[1] && cut->subsystem[0] != cut->subsystem[1]) {
    seam_fail(error, SEAM_BAD_INPUT,
              "energy correction of coupling '%s': say which subsystem gets the force, '%s' or '%s'", def->bond,
              subsystems[cut->subsystem[0]].name, subsystems[cut->subsystem[1]].name);
    return NULL;
  }
  return subsystems[cut->subsystem[cut->is_remote[1]]].name;
}

static const cosim_bond_def *find_bond(const cosim_wiring_plan *p, const char *name) {
  for (int k = 0; k < p->n_bonds; k++)
    if (strcmp(p->bonds[k].name, name) == 0)
      return &p->bonds[k];
  return NULL;
}

static int steps_of(const cosim_wiring_plan *p, const char *signal) {
  const size_t subsystem = cosim_wiring_subsystem(p->self, signal, strcspn(signal, "."));
  const size_t steps = subsystem == SEAM_NONE ? 1 : p->self->partition->subsystems[subsystem].steps;
  return steps == 0 ? 1 : (int)steps;
}

/* Of the links into the ports of the parts that take so many steps. */
static int order_of_holds(const cosim_wiring_plan *p, const cosim_bond_def *bond, int steps) {
  int order = 0;
  for (const cosim_port_def *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    for (const cosim_connection_def *link = p->links; link < p->links + p->n_links; link++)
      if (steps_of(p, port->input) == steps && strcmp(link->to, port->input) == 0 && link->order > order)
        order = link->order;
  return order;
}

/* By the rules for a side with feed-through, here the one that is not corrected. */
static double find_fraction(const cosim_wiring_plan *p, const cosim_energy_correction_def *def) {
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

static seam_status correct_energy(cosim_wiring_plan *p, const cosim_energy_correction_def *wanted, seam_error *error) {
  const cosim_element_cut *cut = find_cut(p, wanted->bond);
  cosim_energy_correction_def def = *wanted;
  if (find_bond(p, wanted->bond) == NULL && cut != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "energy correction: coupling '%s' (%s) is not by explicit exchange: give it fd-k0-explicit, "
                     "df-k0-explicit, ...",
                     cut->name, cut->scheme);
  if (def.part == NULL)
    def.part = default_part(p, wanted, error);
  if (def.part == NULL)
    return SEAM_BAD_INPUT;
  const size_t subsystem = cosim_wiring_subsystem(p->self, def.part, strlen(def.part));
  if (subsystem != SEAM_NONE && cosim_wiring_is_mastered(p->self, subsystem))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "energy correction of '%s': the force would act on subsystem '%s', which has couplings under the "
                     "master: give all of them explicit schemes such as fd-k0-explicit",
                     def.bond, def.part);
  if (isnan(def.mu))
    def.mu = find_fraction(p, &def);
  return cosim_energy_correction_create(&def, &p->corrections[p->n_corrections++], error);
}

seam_status cosim_wiring_correct(cosim_wiring_plan *p, seam_error *error) {
  const cosim_definition *options = p->options;
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
