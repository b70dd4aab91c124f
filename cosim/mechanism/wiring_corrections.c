/* Corrections of the definition, with defaults for open values. */
#include <math.h>
#include <string.h>

#include "cosim/mechanism/wiring_internal.h"

/* ---- Energy ---- */

static const cosim_element_cut *find_cut(const cosim_wiring_plan *p, const char *name) {
  const cosim_partition *partition = p->self->partition;
  for (const cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++)
    if (strcmp(cut->base.name, name) == 0)
      return cut;
  return NULL;
}

/* Chooses the subsystem that receives the force. SEAM_BAD_INPUT: neither the definition nor the coupling names one. */
static seam_status choose_subsystem(const cosim_wiring_plan *p, const cosim_energy_correction_def *def,
                                    const cosim_element_cut *cut, size_t *subsystem, seam_error *error) {
  const cosim_subsystem_def *subsystems = p->self->partition->subsystems;
  if (def->part != NULL) {
    *subsystem = cosim_partition_find_subsystem(p->self->partition, def->part);
    return SEAM_OK;
  }
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

/* Returns -1 if there is none. */
static int find_bond(const cosim_wiring_plan *p, const char *name) {
  for (int k = 0; k < p->n_bonds; k++)
    if (strcmp(p->bonds[k].name, name) == 0)
      return k;
  return -1;
}

/* Returns the highest order of links into the bond's ports at members with `steps` steps. */
static int order_of_holds(const cosim_wiring_plan *p, const cosim_bond *bond, int steps) {
  int order = 0;
  for (const cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    for (const cosim_link *link = p->links; link < p->links + p->n_links; link++)
      if (p->members[port->part].steps == steps && link->to == port->part && link->input == port->input &&
          link->order > order)
        order = link->order;
  return order;
}

/* [Rodriguez] (20), (21); the uncorrected side is taken as the one with feed-through. */
static double find_fraction(const cosim_wiring_plan *p, const cosim_bond *bond, int corrected) {
  int steps = 1;
  int other = 1;
  for (const cosim_bond_port *port = bond->ports; port < bond->ports + bond->n_ports; port++)
    *(port->part == corrected ? &steps : &other) = p->members[port->part].steps;
  return cosim_energy_fraction((double)steps / other, order_of_holds(p, bond, steps > other ? steps : other));
}

static seam_status refuse_mastered(const cosim_element_cut *cut, seam_error *error) {
  char name[COSIM_SCHEME_NAME];
  if (cut->is_joint)
    return seam_fail_about(error, SEAM_BAD_INPUT, cut->base.name,
                           "energy correction of coupling '%s' (%s): it is for the exchange, which couples no joints",
                           cut->base.name, cut->base.scheme.name);
  return seam_fail_about(error, SEAM_BAD_INPUT, cut->base.name,
                         "energy correction of coupling '%s' (%s): it is for the exchange; write '%s'", cut->base.name,
                         cut->base.scheme.name, cosim_exchange_scheme(&cut->base.scheme, name));
}

static seam_status correct_energy(cosim_wiring_plan *p, const cosim_energy_correction_def *wanted, seam_error *error) {
  const cosim_element_cut *cut = find_cut(p, wanted->bond);
  const int bond = find_bond(p, wanted->bond);
  cosim_energy_correction_def def = *wanted;
  size_t subsystem = SEAM_NONE;
  if (bond < 0 && cut != NULL)
    return refuse_mastered(cut, error);
  const seam_status status = choose_subsystem(p, wanted, cut, &subsystem, error);
  if (status != SEAM_OK)
    return status;
  if (subsystem != SEAM_NONE)
    def.part = p->self->partition->subsystems[subsystem].name;
  if (subsystem != SEAM_NONE && cosim_is_under_master(p->self->partition, subsystem))
    return seam_fail_about(
        error, SEAM_BAD_INPUT, def.bond,
        "energy correction of '%s': the force would act on subsystem '%s', which has couplings under the "
        "master; give all of them schemes of the exchange, such as fd-k0-exchange",
        def.bond, def.part);
  const int member = subsystem == SEAM_NONE ? -1 : p->self->member_of[subsystem];
  if (isnan(def.mu))
    def.mu = bond < 0 ? 0 : find_fraction(p, &p->bonds[bond], member);
  return cosim_energy_correction_at(&def, bond, member, &p->corrections[p->n_corrections++], error);
}

/* ---- Balance ---- */

static seam_status correct_balance(cosim_wiring_plan *p, const cosim_balance_correction_def *def, seam_error *error) {
  const char *place = "balance correction";
  cosim_terminal input = {-1, -1};
  cosim_terminal integral = {-1, -1};
  seam_status status = cosim_wiring_find(p->self, place, def->input, false, &input, error);
  if (status == SEAM_OK && def->integral != NULL)
    status = cosim_wiring_find(p->self, place, def->integral, true, &integral, error);
  if (status != SEAM_OK)
    return status;
  const cosim_balance_signals signals = {input.member, input.number, integral.member, integral.number};
  return cosim_balance_correction_at(def, &signals, &p->corrections[p->n_corrections++], error);
}

seam_status cosim_wiring_correct(cosim_wiring_plan *p, seam_error *error) {
  const cosim_definition *definition = p->definition;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < definition->n_energy_corrections && status == SEAM_OK; i++)
    status = correct_energy(p, &definition->energy_corrections[i], error);
  for (size_t i = 0; i < definition->n_balance_corrections && status == SEAM_OK; i++)
    status = correct_balance(p, &definition->balance_corrections[i], error);
  if (status == SEAM_OK && definition->model_based != NULL)
    status = cosim_model_based_correction_create(definition->model_based, &p->corrections[p->n_corrections++], error);
  return status;
}
