/* Sites of mechanical subsystems that the signals, bonds and corrections of the options name: "subsystem.BODY.x" and
 * "subsystem.ELEMENT.x". Names that are none of these are left to the exchange, which knows the signals of all. */
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/partition.h"

static bool is(const char *name, const char *text, size_t length) {
  return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* ---- A name ---- */

/* Texts from `port` over `length` characters. */
typedef struct signal_port_name {
  const char *place, *whole, *port;
  size_t length;
  size_t subsystem;
  bool is_input;
} signal_port_name;

/* false: no name of a port of a mechanical subsystem. */
static bool split(const cosim_partition *self, signal_port_name *name) {
  const size_t length = strcspn(name->whole, ".");
  const char *last = strrchr(name->whole, '.');
  if (last == NULL || last == name->whole + length)
    return false;
  name->port = name->whole + length + 1;
  name->length = (size_t)(last - name->port);
  for (name->subsystem = 0; name->subsystem < self->n_subsystems; name->subsystem++)
    if (is(self->subsystems[name->subsystem].name, name->whole, length))
      return cosim_is_mechanical(self, name->subsystem);
  return false;
}

/* Signals of an exchanged coupling: "M", or "M.1" where a subsystem has both sides. */
static bool is_coupling(const cosim_partition *self, const signal_port_name *name) {
  for (const cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    const size_t length = strlen(cut->name);
    const bool here = cut->evaluator == name->subsystem || cut->subsystem[0] == name->subsystem ||
                      cut->subsystem[1] == name->subsystem;
    if (cut->is_exchanged && here && strncmp(cut->name, name->port, length) == 0 &&
        (name->length == length || (name->length == length + 2 && name->port[length] == '.')))
      return true;
  }
  return false;
}

static size_t find_body(const cosim_partition *self, const signal_port_name *name) {
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    if (self->subsystem_of[b] == name->subsystem && is(mbs_body_name(self->model, b), name->port, name->length))
      return b;
  return SEAM_NONE;
}

/* A force element on one body, which is in the subsystem. */
static size_t find_force(const cosim_partition *self, const signal_port_name *name) {
  for (size_t i = 0; i < mbs_n_forces(self->model); i++) {
    size_t bodies[2];
    mbs_force_bodies(self->model, i, bodies);
    const bool one = (bodies[0] == MBS_GROUND) != (bodies[1] == MBS_GROUND);
    if (one && self->subsystem_of[bodies[bodies[0] == MBS_GROUND]] == name->subsystem &&
        is(mbs_force_name(self->model, i), name->port, name->length))
      return i;
  }
  return SEAM_NONE;
}

static seam_status refuse(const cosim_partition *self, const signal_port_name *name, bool is_body, seam_error *error) {
  const char *of = self->subsystems[name->subsystem].name;
  if (is_body)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%s: '%s': body '%.*s' takes no signals: wrenches are added at a force element on one body, such as "
        "a `force` with x: 0, y: 0",
        name->place, name->whole, (int)name->length, name->port);
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s: '%s' is no signal: subsystem '%s' has no %sforce element on one body named '%.*s'", name->place,
                   name->whole, of, name->is_input ? "" : "body and no ", (int)name->length, name->port);
}

/* ---- Sites ---- */

static void add_signal_port(cosim_partition *self, const cosim_signal_port *wanted) {
  for (cosim_signal_port *port = self->signal_ports; port < self->signal_ports + self->n_signal_ports; port++)
    if (port->subsystem == wanted->subsystem && port->at.is_body == wanted->at.is_body &&
        port->at.number == wanted->at.number) {
      port->has_inputs = port->has_inputs || wanted->has_inputs;
      return;
    }
  self->signal_ports[self->n_signal_ports++] = *wanted;
}

static seam_status take_name(cosim_partition *self, const char *place, const char *text, bool is_input,
                             seam_error *error) {
  signal_port_name name = {.place = place, .whole = text, .is_input = is_input};
  if (text == NULL || !split(self, &name) || is_coupling(self, &name))
    return SEAM_OK;
  const size_t body = find_body(self, &name);
  const size_t force = body == SEAM_NONE ? find_force(self, &name) : SEAM_NONE;
  if (body == SEAM_NONE ? force == SEAM_NONE : is_input)
    return refuse(self, &name, body != SEAM_NONE, error);
  add_signal_port(self, &(cosim_signal_port){.subsystem = name.subsystem,
                                             .at = {body != SEAM_NONE, body != SEAM_NONE ? body : force},
                                             .has_inputs = is_input});
  return SEAM_OK;
}

static seam_status take_signals(cosim_partition *self, const cosim_definition *options, seam_error *error) {
  seam_status status = SEAM_OK;
  for (const cosim_connection_def *link = options->signals; link < options->signals + options->n_signals && !status;
       link++) {
    status = take_name(self, "signal", link->from, false, error);
    if (status == SEAM_OK)
      status = take_name(self, "signal", link->to, true, error);
    if (status == SEAM_OK)
      status = take_name(self, "rate of a signal", link->rate, false, error);
  }
  return status;
}

static seam_status take_bonds(cosim_partition *self, const cosim_definition *options, seam_error *error) {
  seam_status status = SEAM_OK;
  for (const cosim_bond_def *bond = options->bonds; bond < options->bonds + options->n_bonds; bond++)
    for (const cosim_port_def *port = bond->ports; port < bond->ports + bond->n_ports && !status; port++) {
      status = take_name(self, "power bond", port->input, true, error);
      if (status == SEAM_OK)
        status = take_name(self, "power bond", port->output, false, error);
    }
  return status;
}

static seam_status take_balances(cosim_partition *self, const cosim_definition *options, seam_error *error) {
  seam_status status = SEAM_OK;
  const cosim_balance_correction_def *end = options->balance_corrections + options->n_balance_corrections;
  for (const cosim_balance_correction_def *def = options->balance_corrections; def < end && !status; def++) {
    status = take_name(self, "balance correction", def->input, true, error);
    if (status == SEAM_OK)
      status = take_name(self, "balance correction", def->integral, false, error);
  }
  return status;
}

seam_status cosim_partition_find_signal_ports(cosim_partition *self, const cosim_definition *options,
                                              seam_error *error) {
  size_t most = 3 * options->n_signals + 2 * options->n_balance_corrections + 1;
  for (size_t i = 0; i < options->n_bonds; i++)
    most += 2 * (size_t)options->bonds[i].n_ports;
  self->signal_ports = calloc(most, sizeof *self->signal_ports);
  if (self->signal_ports == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the signals of the mechanism");
  seam_status status = take_signals(self, options, error);
  if (status == SEAM_OK)
    status = take_bonds(self, options, error);
  return status == SEAM_OK ? take_balances(self, options, error) : status;
}
