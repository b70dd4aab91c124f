/* Names of signals: "LABEL.x", ..., "LABEL.torque", the label being a coupling, a body or a force element on one body.
 * Where a subsystem has both sides of a coupling it is "M.1" and "M.2". In the master part the name of the subsystem
 * comes before it. */
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/wiring_internal.h"

const char cosim_wiring_master_part_name[] = "the mechanism"; /* no subsystem's: it has a blank */

static const char *const kinds[cosim_of_marker] = {"x", "y", "phi", "vx", "vy", "omega", "fx", "fy", "torque"};

/* ---- Texts ---- */

/* Texts joined by dots, NULL ends them; NULL: no memory. */
static const char *join(cosim_wiring *self, const char *const *pieces) {
  size_t length = 0;
  for (const char *const *piece = pieces; *piece != NULL; piece++)
    length += strlen(*piece) + 1;
  if (self->n_texts == self->max_texts) {
    const size_t most = 2 * self->max_texts + 64;
    char **texts = realloc(self->texts, most * sizeof *texts);
    if (texts == NULL)
      return NULL;
    self->texts = texts;
    self->max_texts = most;
  }
  char *text = malloc(length + 1);
  if (text == NULL)
    return NULL;
  self->texts[self->n_texts++] = text;
  for (const char *const *piece = pieces; *piece != NULL; piece++) {
    const size_t n = strlen(*piece);
    memcpy(text, *piece, n);
    text += n;
    *text++ = piece[1] != NULL ? '.' : '\0';
  }
  return self->texts[self->n_texts - 1];
}

bool cosim_wiring_is_mastered(const cosim_wiring *self, size_t subsystem) {
  return self->partition->is_mixed && self->partition->subsystems[subsystem].n_bodies > 0;
}

size_t cosim_wiring_subsystem(const cosim_wiring *self, const char *name, size_t length) {
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    if (strlen(self->partition->subsystems[s].name) == length &&
        strncmp(self->partition->subsystems[s].name, name, length) == 0)
      return s;
  return SEAM_NONE;
}

const char *cosim_wiring_signal(cosim_wiring *self, const char *name, bool *enough) {
  if (name == NULL)
    return NULL;
  const size_t subsystem = cosim_wiring_subsystem(self, name, strcspn(name, "."));
  if (subsystem == SEAM_NONE || !cosim_wiring_is_mastered(self, subsystem))
    return name;
  const char *text = join(self, (const char *const[]){cosim_wiring_master_part_name, name, NULL});
  *enough = *enough && text != NULL;
  return text;
}

/* ---- Labels ---- */

static bool has_both(const cosim_element_cut *cut, size_t subsystem) {
  return cut->is_remote[0] && cut->is_remote[1] &&
         (cut->evaluator == subsystem || cut->subsystem[0] == cut->subsystem[1]);
}

/* As the subsystem itself calls it. */
static const char *coupling_label(cosim_wiring *self, const cosim_element_cut *cut, int side, size_t subsystem) {
  static const char *const sides[] = {"1", "2"};
  return has_both(cut, subsystem) ? join(self, (const char *const[]){cut->name, sides[side], NULL}) : cut->name;
}

const char *cosim_wiring_coupling_signal(cosim_wiring *self, const cosim_element_cut *cut, int side, size_t subsystem,
                                         int kind) {
  const char *label = coupling_label(self, cut, side, subsystem);
  const char *of = self->partition->subsystems[subsystem].name;
  if (label == NULL)
    return NULL;
  if (cosim_wiring_is_mastered(self, subsystem))
    return join(self, (const char *const[]){cosim_wiring_master_part_name, of, label, kinds[kind], NULL});
  return join(self, (const char *const[]){of, label, kinds[kind], NULL});
}

/* ---- Names of a part's signals ---- */

/* n kinds from `kind` on, from number `first` on. */
static bool name_some(cosim_wiring *self, size_t subsystem, bool outputs, int first, const char *label, int kind,
                      int n) {
  const bool inside = cosim_wiring_is_mastered(self, subsystem);
  const char *of = self->partition->subsystems[subsystem].name;
  const char **names = self->names[2 * subsystem + outputs];
  bool enough = label != NULL;
  for (int i = 0; i < n && first >= 0 && enough; i++) {
    const char *pieces[] = {of, label, kinds[kind + i], NULL};
    names[first + i] = join(self, inside ? pieces : pieces + 1);
    enough = names[first + i] != NULL;
  }
  return enough;
}

static bool name_port(cosim_wiring *self, const cosim_part *part, size_t subsystem, int number, const char *label) {
  const cosim_side side = cosim_multibody_side(part, number);
  return name_some(self, subsystem, false, side.force_input, label, cosim_of_wrench, 3) &&
         name_some(self, subsystem, false, side.position_input, label, cosim_of_motion, 6) &&
         name_some(self, subsystem, true, side.position, label, cosim_of_motion, 6) &&
         name_some(self, subsystem, true, cosim_multibody_wrench(part, number), label, cosim_of_wrench, 3);
}

static bool name_cut(cosim_wiring *self, cosim_part *const *parts, const cosim_element_cut *cut) {
  bool enough = true;
  for (int side = 0; side < 2 && enough; side++) {
    if (!cut->is_remote[side])
      continue;
    const size_t remote = cut->subsystem[side];
    enough = name_port(self, parts[remote], remote, cut->port[side], coupling_label(self, cut, side, remote)) &&
             name_port(self, parts[cut->evaluator], cut->evaluator, cut->evaluator_port[side],
                       coupling_label(self, cut, side, cut->evaluator));
  }
  return enough;
}

static bool name_signal_port(cosim_wiring *self, cosim_part *const *parts, const cosim_signal_port *port) {
  const mbs_model *model = self->partition->model;
  const char *label = port->at.is_body ? mbs_body_name(model, port->at.number) : mbs_force_name(model, port->at.number);
  const cosim_part *part = parts[port->subsystem];
  if (port->has_inputs)
    return name_port(self, part, port->subsystem, port->number, label);
  return name_some(self, port->subsystem, true, cosim_multibody_probe(part, port->number), label, cosim_of_motion, 6);
}

static bool name_none(const char ***names, int n) {
  *names = calloc((size_t)n + 1, sizeof **names);
  for (int i = 0; i < n && *names != NULL; i++)
    (*names)[i] = "";
  return *names != NULL;
}

static bool name_own(cosim_wiring *self, const cosim_part *part, size_t subsystem) {
  const cosim_user_part *own = self->partition->subsystems[subsystem].user;
  for (int i = 0; i < part->n_inputs; i++)
    self->names[2 * subsystem][i] = own->inputs[i];
  for (int i = 0; i < part->n_outputs; i++) {
    self->names[2 * subsystem + 1][i] = own->outputs[i];
    cosim_user_signal *signal = &self->signals[self->n_signals++];
    *signal = (cosim_user_signal){.member = self->member_of[subsystem], .output = i};
    signal->name = join(self, (const char *const[]){part->name, own->outputs[i], NULL});
    if (signal->name == NULL)
      return false;
  }
  return true;
}

bool cosim_wiring_name_all(cosim_wiring *self, cosim_part *const *parts) {
  const cosim_partition *partition = self->partition;
  bool enough = true;
  for (size_t s = 0; s < partition->n_subsystems && enough; s++)
    enough = name_none(&self->names[2 * s], parts[s]->n_inputs) &&
             name_none(&self->names[2 * s + 1], parts[s]->n_outputs) &&
             (cosim_is_mechanical(partition, s) || name_own(self, parts[s], s));
  for (size_t k = 0; k < partition->n_cuts && enough; k++)
    enough = !partition->cuts[k].is_exchanged || name_cut(self, parts, &partition->cuts[k]);
  for (size_t i = 0; i < partition->n_signal_ports && enough; i++)
    enough = name_signal_port(self, parts, &partition->signal_ports[i]);
  return enough;
}
