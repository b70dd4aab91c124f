#include "cosim/mechanism/signal_names.h"

#include <stdio.h>
#include <string.h>

#include "base/then.h"
#include "mbs/output/readout.h"

static bool is(const char *name, const char *text, size_t length) {
  return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* ---- Lists for messages: "a, b, c" ---- */

typedef struct name_list {
  char text[200];
  size_t length;
} name_list;

static void list_name(name_list *list, const char *name, const char *quote) {
  if (list->length < sizeof list->text)
    list->length += (size_t)snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s%s%s",
                                     list->length > 0 ? ", " : "", quote, name, quote);
}

/* ---- Quantities: outputs of the subsystem on whose motion they depend ---- */

/* Returns true if a name is that of a quantity of the model, not of a subsystem's signal. */
static bool is_quantity(const cosim_partition *partition, const char *name, mbs_quantity *quantity) {
  const size_t s = cosim_find_subsystem(partition, name, strcspn(name, "."));
  /* Signals are named "subsystem.output" (of user equations) or "subsystem.marker.kind" (of bodies). */
  const bool is_signal =
      s != SEAM_NONE && (!cosim_is_mechanical(partition, s) || strchr(name, '.') != strrchr(name, '.'));
  return !is_signal && mbs_find_quantity_of_length(partition->model, name, strlen(name), quantity);
}

/* Returns a quantity of the partition; NULL: no quantity has the name. */
static const cosim_signal_quantity *find_quantity(const cosim_partition *partition, const char *name) {
  for (size_t i = 0; i < partition->n_quantities; i++)
    if (strcmp(partition->quantities[i].name, name) == 0)
      return &partition->quantities[i];
  return NULL;
}

/* Fails. The message proposes signals of an exchanged force element on which the quantity depends, or other ways. */
static seam_status refuse_several(const cosim_partition *self, const char *subject, const char *name,
                                  const bool *needed, const mbs_dependence *on, seam_error *error) {
  name_list list = {.length = 0};
  char fix[300];
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (needed[s])
      list_name(&list, self->subsystems[s].name, "'");
  snprintf(fix, sizeof fix,
           "send a signal from each and combine them in equations, or put these bodies into one subsystem");
  for (const cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++)
    if (!cut->is_joint && cut->is_exchanged && on->forces[cut->element]) {
      snprintf(fix, sizeof fix, "the force of coupling '%.60s' is '%.60s.%.60s%s.fx', '.fy' and '.torque'",
               cut->base.name, self->subsystems[cut->evaluator].name, cut->base.name,
               cut->is_remote[0] && cut->is_remote[1] ? ".1" : "");
      break;
    }
  return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' depends on subsystems %s, but a signal comes from one: %s", subject,
                   name, list.text, fix);
}

/* Finds the one subsystem on whose motion a quantity depends. needed: (n_subsystems) scratch, zero. */
static seam_status choose(const cosim_partition *self, const char *subject, const char *name, const mbs_dependence *on,
                          bool *needed, size_t *subsystem, seam_error *error) {
  size_t n = 0;
  if (on->of_energies)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: '%s' is an energy of the undivided mechanism, which no subsystem can compute: take energies "
                     "of bodies, or of a measure with 'set'",
                     subject, name);
  if (on->needs_dynamics)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: '%s' depends on accelerations or reactions and so directly on inputs of its subsystem: take "
                     "quantities of positions and velocities",
                     subject, name);
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    if (on->bodies[b])
      needed[self->subsystem_of[b]] = true;
  for (size_t i = 0; i < mbs_n_forces(self->model); i++)
    if (on->forces[i] && self->evaluator_of[i] != SEAM_NONE)
      needed[self->evaluator_of[i]] = true;
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (needed[s]) {
      *subsystem = s;
      n++;
    }
  if (n == 0)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%s: '%s' depends on no body, so no subsystem computes it: write it in the equations, as a function of t",
        subject, name);
  return n == 1 ? SEAM_OK : refuse_several(self, subject, name, needed, on, error);
}

/* Adds the quantity with this name to self->quantities; ignores names of other signals. is_model_based: there is a
 * model-based correction, which needs derivatives of quantities. SEAM_BAD_INPUT: no single subsystem gives the
 * quantity, or it has direct feedthrough, or it lacks a needed derivative. */
static seam_status add_quantity(cosim_partition *self, const char *subject, const char *name, bool is_model_based,
                                seam_error *error) {
  cosim_signal_quantity added = {.name = name};
  if (find_quantity(self, name) != NULL || !is_quantity(self, name, &added.quantity))
    return SEAM_OK;
  mbs_dependence on = {.bodies = arena_allocate(&self->memory, mbs_n_bodies(self->model) * sizeof *on.bodies),
                       .forces = arena_allocate(&self->memory, mbs_n_forces(self->model) * sizeof *on.forces)};
  bool *needed = arena_allocate(&self->memory, self->n_subsystems * sizeof *needed);
  if (on.bodies == NULL || on.forces == NULL || needed == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the signals of the mechanism");
  mbs_add_dependence(self->model, added.quantity, &on);
  added.subsystem = cosim_owner_of_listed(self, added.quantity);
  if (added.subsystem == SEAM_NONE)
    TRY(choose(self, subject, name, &on, needed, &added.subsystem, error));
  if (on.of_states && is_model_based)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: '%s' depends on pressures, and 'model_based' needs its derivative by these, which is not "
                     "computed: leave out 'model_based'",
                     subject, name);
  self->quantities[self->n_quantities++] = added;
  return SEAM_OK;
}

/* ---- Signal ports ---- */

/* Returns true if a marker of the subsystem has the name of an exchanged coupling M: "M", "M.1" or "M.2". */
static bool is_coupling(const cosim_partition *self, size_t subsystem, const char *marker, size_t marker_length) {
  for (const cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    const size_t length = strlen(cut->base.name);
    const bool here = cut->evaluator == subsystem || cut->subsystem[0] == subsystem || cut->subsystem[1] == subsystem;
    if (cut->is_exchanged && here && strncmp(cut->base.name, marker, length) == 0 &&
        (marker_length == length || (marker_length == length + 2 && marker[length] == '.')))
      return true;
  }
  return false;
}

/* Adds the port or probe of a signal "subsystem.marker.kind" of a mechanical subsystem. Ignores other names, and
 * markers of couplings. */
static seam_status add_name(cosim_partition *self, const char *subject, const char *text, bool is_input,
                            seam_error *error) {
  if (text == NULL || strchr(text, '.') == strrchr(text, '.'))
    return SEAM_OK;
  const char *marker = strchr(text, '.') + 1;
  const size_t length = (size_t)(strrchr(text, '.') - marker);
  const size_t subsystem = cosim_find_subsystem(self, text, strcspn(text, "."));
  if (subsystem == SEAM_NONE || !cosim_is_mechanical(self, subsystem) || is_coupling(self, subsystem, marker, length))
    return SEAM_OK;
  size_t body = SEAM_NONE, force = SEAM_NONE; /* force: a force element on one body */
  for (size_t b = 0; b < mbs_n_bodies(self->model) && body == SEAM_NONE; b++)
    if (self->subsystem_of[b] == subsystem && is(mbs_body_of(self->model, b).name, marker, length))
      body = b;
  for (size_t i = 0; i < mbs_n_forces(self->model) && body == SEAM_NONE && force == SEAM_NONE; i++) {
    const size_t on = mbs_single_body(self->model, i, NULL);
    if (on != SEAM_NONE && self->subsystem_of[on] == subsystem && is(mbs_force_of(self->model, i).name, marker, length))
      force = i;
  }
  const size_t number = body != SEAM_NONE ? body : force;
  if (body != SEAM_NONE && is_input)
    return seam_fail_about(error, SEAM_BAD_INPUT, text,
                           "%s: '%s': body '%.*s' takes no signals; send the signal to a force element on this body, "
                           "such as a 'force' with 'x: 0' and 'y: 0'",
                           subject, text, (int)length, marker);
  if (number == SEAM_NONE)
    return seam_fail_about(error, SEAM_BAD_INPUT, text,
                           "%s: '%s' is not a signal: subsystem '%s' has no %sforce element on one body named '%.*s'",
                           subject, text, self->subsystems[subsystem].name, is_input ? "" : "body and no ", (int)length,
                           marker);
  cosim_signal_port *port = self->signal_ports, *end = port + self->n_signal_ports;
  while (port < end &&
         (port->subsystem != subsystem || port->at.is_body != (body != SEAM_NONE) || port->at.number != number))
    port++;
  if (port == end) {
    *port = (cosim_signal_port){.subsystem = subsystem, .at = {body != SEAM_NONE, number}};
    self->n_signal_ports++;
  }
  port->has_inputs = port->has_inputs || is_input;
  return SEAM_OK;
}

/* Adds the output with this name: a quantity of the model, or a signal of a marker. */
static seam_status add_output_name(cosim_partition *self, const cosim_definition *definition, const char *subject,
                                   const char *text, seam_error *error) {
  if (text != NULL)
    TRY(add_quantity(self, subject, text, definition->model_based != NULL, error));
  return add_name(self, subject, text, false, error);
}

seam_status cosim_partition_find_signal_ports(cosim_partition *self, const cosim_definition *definition,
                                              seam_error *error) {
  size_t most = 3 * definition->n_signals + 2 * definition->n_balance_corrections + self->n_linked;
  for (size_t i = 0; i < definition->n_bonds; i++)
    most += 2 * (size_t)definition->bonds[i].n_ports;
  self->signal_ports = arena_allocate(&self->memory, most * sizeof *self->signal_ports);
  self->quantities = arena_allocate(&self->memory, most * sizeof *self->quantities);
  if (self->signal_ports == NULL || self->quantities == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the signals of the mechanism");
  for (size_t i = 0; i < definition->n_signals; i++) {
    const cosim_connection_def *link = &definition->signals[i];
    TRY(add_output_name(self, definition, "signal", link->from, error));
    TRY(add_name(self, "signal", link->to, true, error));
    TRY(add_output_name(self, definition, "rate of a signal", link->rate, error));
  }
  for (size_t i = 0; i < definition->n_bonds; i++)
    for (int k = 0; k < definition->bonds[i].n_ports; k++) {
      TRY(add_name(self, "power bond", definition->bonds[i].ports[k].input, true, error));
      TRY(add_output_name(self, definition, "power bond", definition->bonds[i].ports[k].output, error));
    }
  for (size_t i = 0; i < definition->n_balance_corrections; i++) {
    const cosim_balance_correction_def *def = &definition->balance_corrections[i];
    mbs_quantity quantity;
    TRY(add_name(self, "balance correction", def->input, true, error));
    if (def->integral != NULL && is_quantity(self, def->integral, &quantity))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "balance correction: '%s' is a quantity of the motion, not an integral over a macro step: name "
                       "an integral of user equations",
                       def->integral);
    TRY(add_name(self, "balance correction", def->integral, false, error));
  }
  for (cosim_linked_quantity *linked = self->linked; linked < self->linked + self->n_linked; linked++) {
    const cosim_signal_quantity *taken = find_quantity(self, linked->name);
    linked->number = taken != NULL ? (int)(taken - self->quantities) : (int)self->n_quantities;
    if (taken == NULL)
      self->quantities[self->n_quantities++] =
          (cosim_signal_quantity){.name = linked->name, .subsystem = linked->source, .quantity = linked->quantity};
  }
  return SEAM_OK;
}

/* ---- Names of signals ---- */

enum { n_kinds = 9 };
static const char *const kinds[n_kinds] = {"x", "y", "phi", "vx", "vy", "omega", "fx", "fy", "torque"};

const char *cosim_signal_unit(const char *kind) {
  static const char *const units[n_kinds] = {"m", "m", "rad", "m/s", "m/s", "rad/s", "N", "N", "Nm"};
  int i = 0;
  while (i < n_kinds && strcmp(kind, kinds[i]) != 0)
    i++;
  return i < n_kinds ? units[i] : NULL;
}

int cosim_port_signal(const cosim_part *part, int port, bool is_output, int kind) {
  const cosim_side side = cosim_multibody_side(part, port);
  const bool is_wrench = kind >= COSIM_OF_WRENCH;
  const int of_wrench = is_output ? cosim_multibody_wrench(part, port) : side.force_input;
  const int of_motion = is_output ? side.position : side.position_input;
  const int first = is_wrench ? of_wrench : of_motion;
  return first < 0 ? -1 : first + kind - (is_wrench ? COSIM_OF_WRENCH : COSIM_OF_MOTION);
}

/* Adds the signal "subsystem.LABEL SIDE.KIND", without spaces, unless its number is -1. KIND "": the label alone. */
static void add(cosim_partition *self, size_t subsystem, bool is_output, int number, const char *label,
                const char *side, const char *kind) {
  if (number >= 0)
    self->names[self->n_names++] =
        (cosim_named_signal){.name = arena_print(&self->memory, "%s.%s%s%s%s", self->subsystems[subsystem].name, label,
                                                 side, *kind == '\0' ? "" : ".", kind),
                             .subsystem = subsystem,
                             .is_output = is_output,
                             .number = number};
}

/* Adds the signals at a marker, a port or probe of a subsystem's part. */
static void add_marker(cosim_partition *self, size_t subsystem, const char *label, const char *side, bool is_probe,
                       int number) {
  const cosim_part *part = self->parts[subsystem];
  for (int kind = 0; kind < n_kinds && !is_probe; kind++) {
    add(self, subsystem, false, cosim_port_signal(part, number, false, kind), label, side, kinds[kind]);
    add(self, subsystem, true, cosim_port_signal(part, number, true, kind), label, side, kinds[kind]);
  }
  for (int kind = 0; kind < COSIM_OF_WRENCH && is_probe; kind++)
    add(self, subsystem, true, cosim_multibody_probe(part, number) + kind, label, side, kinds[kind]);
}

/* Adds the signals of an exchanged coupling: a remote side has a marker in its own subsystem and in the evaluator. */
static void add_coupling(cosim_partition *self, const cosim_element_cut *cut) {
  static const char *const suffix_of_side[2] = {".1", ".2"};
  for (int side = 0; side < 2; side++)
    for (int at_evaluator = 0; at_evaluator < 2 && cut->is_remote[side]; at_evaluator++) {
      const bool has_both_sides =
          cut->is_remote[0] && cut->is_remote[1] && (at_evaluator || cut->subsystem[0] == cut->subsystem[1]);
      add_marker(self, at_evaluator ? cut->evaluator : cut->subsystem[side], cut->base.name,
                 has_both_sides ? suffix_of_side[side] : "", false,
                 at_evaluator ? cut->evaluator_port[side] : cut->port[side]);
    }
}

seam_status cosim_partition_name_signals(cosim_partition *self, seam_error *error) {
  enum { of_marker = 2 * n_kinds, of_coupling = 4 * of_marker }; /* largest numbers of signals */
  size_t most = self->n_quantities + of_coupling * self->n_cuts + of_marker * self->n_signal_ports;
  for (size_t s = 0; s < self->n_subsystems; s++)
    most += (size_t)(self->parts[s]->n_inputs + self->parts[s]->n_outputs);
  self->names = arena_allocate(&self->memory, most * sizeof *self->names);
  bool enough = self->names != NULL;
  for (const cosim_signal_quantity *at = self->quantities; at < self->quantities + self->n_quantities && enough; at++)
    self->names[self->n_names++] = (cosim_named_signal){
        at->name, at->subsystem, true, cosim_multibody_quantity(self->parts[at->subsystem], at->number)};
  for (size_t s = 0; s < self->n_subsystems && enough; s++) {
    const cosim_user_part *user = self->subsystems[s].user;
    for (int i = 0; user != NULL && i < self->parts[s]->n_inputs; i++)
      add(self, s, false, i, user->inputs[i], "", "");
    for (int i = 0; user != NULL && i < self->parts[s]->n_outputs; i++)
      add(self, s, true, i, user->outputs[i], "", "");
  }
  for (const cosim_element_cut *cut = self->cuts; cut < self->cuts + self->n_cuts && enough; cut++)
    if (cut->is_exchanged)
      add_coupling(self, cut);
  for (const cosim_signal_port *port = self->signal_ports; port < self->signal_ports + self->n_signal_ports && enough;
       port++)
    add_marker(self, port->subsystem,
               port->at.is_body ? mbs_body_of(self->model, port->at.number).name
                                : mbs_force_of(self->model, port->at.number).name,
               "", !port->has_inputs, port->number);
  for (size_t i = 0; i < self->n_names; i++)
    enough = enough && self->names[i].name != NULL;
  return enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the signals of the mechanism");
}

void cosim_mark_signals(const cosim_partition *partition, size_t subsystem, int *const number[2]) {
  for (const cosim_named_signal *at = partition->names; at < partition->names + partition->n_names; at++)
    if (at->subsystem == subsystem)
      number[at->is_output][at->number] = 0;
  for (size_t i = 0; i < partition->n_linked; i++)
    if (partition->linked[i].reader == subsystem)
      number[0][cosim_multibody_input(partition->parts[subsystem], partition->linked[i].port)] = 0;
}

seam_status cosim_find_signal(const cosim_partition *partition, const char *subject, const char *name, bool is_output,
                              size_t *subsystem, int *number, seam_error *error) {
  const cosim_named_signal *first = partition->names, *end = first + partition->n_names;
  for (const cosim_named_signal *at = first; at < end; at++)
    if (at->is_output == is_output && strcmp(at->name, name) == 0) {
      *subsystem = at->subsystem;
      *number = at->number;
      return SEAM_OK;
    }
  const size_t length = strcspn(name, ".");
  const size_t s = cosim_find_subsystem(partition, name, length);
  if (s == SEAM_NONE)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' is not a signal: there is no subsystem '%.*s'", subject, name,
                     (int)length, name);
  name_list known = {.length = 0};
  for (const cosim_named_signal *at = first + partition->n_quantities; at < end; at++)
    if (at->subsystem == s && at->is_output == is_output)
      list_name(&known, at->name + length + 1, "");
  if (known.length == 0)
    list_name(&known, "none", "");
  return seam_fail(error, SEAM_BAD_INPUT, "%s: '%s' is not an %s of subsystem '%s', which has: %s", subject, name,
                   is_output ? "output" : "input", partition->subsystems[s].name, known.text);
}
