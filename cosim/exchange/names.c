/* An exchange whose signals have names, "part.signal": names become numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/exchange/exchange.h"

/* ---- Names ---- */

static int find_part(const cosim_member_def *members, int n, const char *name, size_t length) {
  for (int p = 0; p < n; p++) {
    const char *candidate = members[p].part->name;
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

static seam_status find_signal(const cosim_member_def *members, int n_members, const char *place, const char *name,
                               bool input, int *part, int *signal, seam_error *error) {
  char known[200];
  const size_t length = strcspn(name, ".");
  *part = find_part(members, n_members, name, length);
  if (*part < 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' is not a signal: there is no subsystem '%.*s'", place, name,
                     (int)length, name);
  const cosim_member_def *member = &members[*part];
  const char *const *names = input ? member->inputs : member->outputs;
  const int n = input ? member->part->n_inputs : member->part->n_outputs;
  for (*signal = 0; *signal < n && name[length] == '.'; (*signal)++)
    if (strcmp(names[*signal], name + length + 1) == 0)
      return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' is not an %s of subsystem '%s', which has: %s", place, name,
                   input ? "input" : "output", member->part->name, list_names(names, n, known, sizeof known));
}

seam_status cosim_exchange_find_input(const cosim_exchange *self, const char *place, const char *name, int *part,
                                      int *input, seam_error *error) {
  return find_signal(self->members, self->n, place, name, true, part, input, error);
}

seam_status cosim_exchange_find_output(const cosim_exchange *self, const char *place, const char *name, int *part,
                                       int *output, seam_error *error) {
  return find_signal(self->members, self->n, place, name, false, part, output, error);
}

/* ---- Links ---- */

static seam_status take_link(const cosim_exchange_def *of, const cosim_connection_def *def, cosim_link *link,
                             seam_error *error) {
  char place[200];
  int part = -1;
  snprintf(place, sizeof place, "link from '%s' to '%s'", def->from, def->to);
  *link = (cosim_link){.name = def->to,
                       .rate = -1,
                       .gain = def->gain,
                       .offset = def->offset,
                       .order = def->order,
                       .smooth = def->smooth};
  if (def->order < 0 || def->order > COSIM_MAX_HOLD)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: a hold of order %d: take 0 to %d", place, def->order, COSIM_MAX_HOLD);
  seam_status status =
      find_signal(of->members, of->n_members, place, def->from, false, &link->from, &link->output, error);
  if (status == SEAM_OK)
    status = find_signal(of->members, of->n_members, place, def->to, true, &link->to, &link->input, error);
  if (status != SEAM_OK || def->rate == NULL)
    return status;
  status = find_signal(of->members, of->n_members, place, def->rate, false, &part, &link->rate, error);
  if (status == SEAM_OK && part != link->from)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: the rate '%s' belongs to another subsystem", place, def->rate);
  return status;
}

/* ---- Bonds ---- */

static seam_status take_port(const cosim_exchange_def *of, const cosim_bond_def *bond, const cosim_port_def *def,
                             cosim_bond_port *port, seam_error *error) {
  char place[200];
  int part = -1;
  snprintf(place, sizeof place, "power bond '%s'", bond->name);
  port->sign = def->sign;
  seam_status status =
      find_signal(of->members, of->n_members, place, def->input, true, &port->part, &port->input, error);
  if (status == SEAM_OK)
    status = find_signal(of->members, of->n_members, place, def->output, false, &part, &port->output, error);
  if (status != SEAM_OK)
    return status;
  if (part != port->part)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' and '%s' belong to two subsystems: a port belongs to one", place,
                     def->input, def->output);
  if (def->sign != 1 && def->sign != -1)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: the sign of port '%s' is %d: take 1 or -1", place, def->input,
                     def->sign);
  return SEAM_OK;
}

/* ---- Creation ---- */

/* Memory of a plan. */
typedef struct numbered {
  cosim_link *links;
  cosim_bond *bonds;
  cosim_bond_port *ports;
} numbered;

static bool allocate(const cosim_exchange_def *def, numbered *to) {
  size_t n_ports = 0;
  for (int k = 0; k < def->n_bonds; k++)
    n_ports += (size_t)def->bonds[k].n_ports;
  to->links = calloc((size_t)def->n_links + 1, sizeof *to->links);
  to->bonds = calloc((size_t)def->n_bonds + 1, sizeof *to->bonds);
  to->ports = calloc(n_ports + 1, sizeof *to->ports);
  return to->links != NULL && to->bonds != NULL && to->ports != NULL;
}

static seam_status number(const cosim_exchange_def *def, numbered *to, seam_error *error) {
  seam_status status = SEAM_OK;
  cosim_bond_port *port = to->ports;
  for (int k = 0; k < def->n_links && status == SEAM_OK; k++)
    status = take_link(def, &def->links[k], &to->links[k], error);
  for (int k = 0; k < def->n_bonds && status == SEAM_OK; k++) {
    const cosim_bond_def *bond = &def->bonds[k];
    to->bonds[k] =
        (cosim_bond){.name = bond->name, .ports = port, .n_ports = bond->n_ports, .energy_scale = bond->energy_scale};
    for (int i = 0; i < bond->n_ports && status == SEAM_OK; i++)
      status = take_port(def, bond, &bond->ports[i], port++, error);
  }
  return status;
}

seam_status cosim_exchange_create(const cosim_exchange_def *def, cosim_exchange **created, seam_error *error) {
  numbered to;
  const bool enough = allocate(def, &to);
  const cosim_exchange_plan plan = {.members = def->members,
                                    .n_members = def->n_members,
                                    .links = to.links,
                                    .n_links = def->n_links,
                                    .bonds = to.bonds,
                                    .n_bonds = def->n_bonds,
                                    .corrections = def->corrections,
                                    .n_corrections = def->n_corrections,
                                    .gauss_seidel = def->gauss_seidel};
  seam_status status =
      enough ? number(def, &to, error) : seam_fail(error, SEAM_NO_MEMORY, "no memory for the names of signals");
  if (status == SEAM_OK)
    status = cosim_exchange_make(&plan, created, error);
  else
    cosim_exchange_plan_drop(&plan);
  free(to.links);
  free(to.bonds);
  free(to.ports);
  return status;
}
