/* Creates the corrections that the definition lists; parameters that it leaves open get defaults. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/wiring_internal.h"

/* ---- Energy ---- */

/* Chooses the subsystem that receives the force. SEAM_BAD_INPUT: neither the definition nor the coupling names one. */
static seam_status choose_subsystem(const cosim_wiring_plan *p, const cosim_energy_correction_def *def,
                                    const cosim_element_cut *cut, size_t *subsystem, seam_error *error) {
  const cosim_subsystem_def *subsystems = p->self->partition->subsystems;
  if (def->part != NULL) {
    *subsystem = cosim_partition_find_subsystem(p->self->partition, def->part);
    return SEAM_OK;
  }
  if (def->bond == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "an energy correction has neither 'bond' nor 'part': give it one of them");
  if (cut == NULL || !cut->is_exchanged)
    return seam_fail_about(error, SEAM_BAD_INPUT, def->bond,
                           "energy correction of bond '%s': name the subsystem that gets the force", def->bond);
  if (cut->is_remote[0] && cut->is_remote[1] && cut->subsystem[0] != cut->subsystem[1])
    return seam_fail_about(error, SEAM_BAD_INPUT, def->bond,
                           "energy correction of coupling '%s': name the subsystem that gets the force, '%s' or '%s'",
                           def->bond, subsystems[cut->subsystem[0]].name, subsystems[cut->subsystem[1]].name);
  *subsystem = cut->subsystem[cut->is_remote[1]];
  return SEAM_OK;
}

/* Lists in bonds (n_bonds) the bonds of the couplings that exert a force on the subsystem. */
static seam_status list_received(const cosim_wiring_plan *p, const char *name, size_t subsystem, int *bonds,
                                 int *n_bonds, seam_error *error) {
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

/* Returns the default of mu by [Rodriguez] (20), (21). In these formulas the corrected part counts as the part without
 * feedthrough. `order`: highest order of the links into those ports of the bond whose member takes the most steps. */
static double find_fraction(const cosim_wiring_plan *p, const cosim_bond *bond, int corrected) {
  int steps = 1, other = 1, order = 0;
  for (const cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    *(port->part == corrected ? &steps : &other) = p->members[port->part].steps;
  for (const cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    for (const cosim_link *link = p->links; link < p->links + p->n_links; link++)
      if (p->members[port->part].steps == (steps > other ? steps : other) && link->to == port->part &&
          link->input == port->input && link->order > order)
        order = link->order;
  return cosim_energy_fraction((double)steps / other, order);
}

static seam_status refuse_master_cut(const cosim_element_cut *cut, seam_error *error) {
  char name[COSIM_SCHEME_NAME];
  if (cut->is_joint)
    return seam_fail_about(
        error, SEAM_BAD_INPUT, cut->base.name,
        "energy correction of coupling '%s' (%s): it needs an '-exchange' scheme, which joints cannot have",
        cut->base.name, cut->base.scheme.name);
  return seam_fail_about(error, SEAM_BAD_INPUT, cut->base.name,
                         "energy correction of coupling '%s' (%s): it needs an '-exchange' scheme; write '%s'",
                         cut->base.name, cut->base.scheme.name, cosim_exchange_scheme(&cut->base.scheme, name));
}

/* Creates the correction of one bond. If the definition names none, corrects all bonds whose forces a subsystem
 * receives. */
static seam_status correct_energy(cosim_wiring_plan *p, const cosim_energy_correction_def *wanted, seam_error *error) {
  const cosim_partition *partition = p->self->partition;
  const cosim_element_cut *cut = NULL;
  int bond = -1;
  for (size_t k = 0; k < partition->n_cuts && wanted->bond != NULL && cut == NULL; k++)
    if (strcmp(partition->cuts[k].base.name, wanted->bond) == 0)
      cut = &partition->cuts[k];
  for (int k = 0; k < p->n_bonds && wanted->bond != NULL && bond < 0; k++)
    if (strcmp(p->bonds[k].name, wanted->bond) == 0)
      bond = k;
  cosim_energy_correction_def def = *wanted;
  size_t subsystem = SEAM_NONE;
  if (bond < 0 && cut != NULL)
    return refuse_master_cut(cut, error);
  seam_status status = choose_subsystem(p, wanted, cut, &subsystem, error);
  if (status != SEAM_OK)
    return status;
  if (subsystem != SEAM_NONE)
    def.part = partition->subsystems[subsystem].name;
  if (subsystem != SEAM_NONE && cosim_is_under_master(partition, subsystem))
    return seam_fail_about(error, SEAM_BAD_INPUT, def.bond,
                           "energy correction of '%s': the force would act on subsystem '%s', which has couplings "
                           "without an '-exchange' scheme; give all of them schemes such as fd-k0-exchange",
                           def.bond != NULL ? def.bond : def.part, def.part);
  const int member = subsystem == SEAM_NONE ? -1 : p->self->member_of[subsystem];
  int *bonds = calloc((size_t)p->n_bonds + 1, sizeof *bonds);
  int n_bonds = 0;
  if (bonds == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an energy correction");
  if (def.bond == NULL)
    status = list_received(p, def.part, subsystem, bonds, &n_bonds, error);
  else
    bonds[n_bonds++] = bond;
  if (status == SEAM_OK && isnan(def.mu))
    def.mu = bonds[0] < 0 ? 0 : find_fraction(p, &p->bonds[bonds[0]], member);
  if (status == SEAM_OK)
    status = cosim_energy_correction_at(&def, bonds, n_bonds, member, &p->corrections[p->n_corrections++], error);
  free(bonds);
  return status;
}

/* ---- All ---- */

seam_status cosim_wiring_correct(cosim_wiring_plan *p, seam_error *error) {
  const cosim_definition *definition = p->definition;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < definition->n_energy_corrections && status == SEAM_OK; i++)
    status = correct_energy(p, &definition->energy_corrections[i], error);
  for (size_t i = 0; i < definition->n_balance_corrections && status == SEAM_OK; i++) {
    const cosim_balance_correction_def *def = &definition->balance_corrections[i];
    cosim_terminal input = {-1, -1}, integral = {-1, -1};
    status = cosim_wiring_find(p->self, "balance correction", def->input, false, &input, error);
    if (status == SEAM_OK && def->integral != NULL)
      status = cosim_wiring_find(p->self, "balance correction", def->integral, true, &integral, error);
    if (status != SEAM_OK)
      return status;
    const cosim_balance_signals signals = {input.member, input.number, integral.member, integral.number};
    status = cosim_balance_correction_at(def, &signals, &p->corrections[p->n_corrections++], error);
  }
  if (status == SEAM_OK && definition->model_based != NULL)
    status = cosim_model_based_correction_create(definition->model_based, &p->corrections[p->n_corrections++], error);
  return status;
}
