#include "tests/support/named_exchange.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MAX_NAMED = 64 };

static cosim_terminal find(const named_member *members, int n_members, const char *name, bool is_input) {
  const size_t length = strcspn(name, ".");
  for (int m = 0; m < n_members; m++) {
    const char *const *names = is_input ? members[m].inputs : members[m].outputs;
    const int n = is_input ? members[m].part->n_inputs : members[m].part->n_outputs;
    if (strncmp(members[m].part->name, name, length) != 0 || members[m].part->name[length] != '\0')
      continue;
    for (int i = 0; i < n; i++)
      if (strcmp(names[i], name + length + 1) == 0)
        return (cosim_terminal){m, i};
  }
  cr_assert_fail("no signal %s", name);
  return (cosim_terminal){-1, -1};
}

static cosim_link link_of(const named_exchange *def, const cosim_connection_def *of) {
  const cosim_terminal from = find(def->members, def->n_members, of->from, false);
  const cosim_terminal to = find(def->members, def->n_members, of->to, true);
  return (cosim_link){.name = of->to,
                      .from = from.member,
                      .output = from.number,
                      .to = to.member,
                      .input = to.number,
                      .rate = of->rate != NULL ? find(def->members, def->n_members, of->rate, false).number : -1,
                      .rate_gain = of->rate_gain,
                      .gain = of->gain,
                      .offset = of->offset,
                      .order = of->order,
                      .smooth = of->smooth};
}

static cosim_bond_port port_of(const named_exchange *def, const cosim_port_def *of) {
  const cosim_terminal input = find(def->members, def->n_members, of->input, true);
  const cosim_terminal output = find(def->members, def->n_members, of->output, false);
  return (cosim_bond_port){.part = input.member, .input = input.number, .output = output.number, .factor = of->sign};
}

seam_status named_exchange_create(const named_exchange *def, cosim_exchange **created, seam_error *error) {
  cosim_member_def members[MAX_NAMED];
  cosim_link links[MAX_NAMED];
  cosim_bond bonds[MAX_NAMED];
  cosim_bond_port ports[MAX_NAMED];
  int n_ports = 0;
  for (int m = 0; m < def->n_members; m++)
    members[m] = (cosim_member_def){def->members[m].part, def->members[m].steps};
  for (int k = 0; k < def->n_links; k++)
    links[k] = link_of(def, &def->links[k]);
  for (int k = 0; k < def->n_bonds; k++) {
    const cosim_bond_def *bond = &def->bonds[k];
    bonds[k] = (cosim_bond){.name = bond->name,
                            .ports = ports + n_ports,
                            .n_ports = bond->n_ports,
                            .energy_scale = bond->energy_scale,
                            .tolerance = bond->tolerance};
    for (int i = 0; i < bond->n_ports; i++)
      ports[n_ports++] = port_of(def, &bond->ports[i]);
  }
  return cosim_exchange_make(&(cosim_exchange_plan){.members = members,
                                                    .n_members = def->n_members,
                                                    .links = links,
                                                    .n_links = def->n_links,
                                                    .bonds = bonds,
                                                    .n_bonds = def->n_bonds,
                                                    .corrections = def->corrections,
                                                    .n_corrections = def->n_corrections,
                                                    .gauss_seidel = def->gauss_seidel},
                             created, error);
}

cosim_exchange *named_exchange_start_corrected(named_exchange def, const cosim_energy_correction_def *wanted) {
  cosim_correction *correction = NULL;
  cosim_exchange *self = NULL;
  seam_error error = {0};
  int bond = 0;
  int member = 0;
  while (bond < def.n_bonds && strcmp(def.bonds[bond].name, wanted->bond) != 0)
    bond++;
  while (member < def.n_members && strcmp(def.members[member].part->name, wanted->part) != 0)
    member++;
  cr_assert_lt(bond, def.n_bonds);
  cr_assert_lt(member, def.n_members);
  cr_assert_eq(cosim_energy_correction_at(wanted, &bond, 1, member, &correction, &error), SEAM_OK, "%s", error.message);
  def.corrections = &correction;
  def.n_corrections = 1;
  cr_assert_eq(named_exchange_create(&def, &self, &error), SEAM_OK, "%s", error.message);
  cosim_exchange_start(self, 0);
  return self;
}

cosim_correction *named_balance_correction(const named_member *members, int n_members,
                                           const cosim_balance_correction_def *def) {
  cosim_correction *correction = NULL;
  const cosim_terminal input = find(members, n_members, def->input, true);
  cosim_balance_signals at = {input.member, input.number, -1, -1};
  if (def->integral != NULL) {
    const cosim_terminal integral = find(members, n_members, def->integral, false);
    at.integral_of = integral.member;
    at.integral = integral.number;
  }
  cr_assert_eq(cosim_balance_correction_at(def, &at, &correction, NULL), SEAM_OK);
  return correction;
}
