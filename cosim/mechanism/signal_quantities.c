/* Quantities of the model as outputs of the subsystem on whose motion they depend. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/signal_names.h"
#include "mbs/output/readout.h"

/* ---- Names ---- */

bool cosim_is_quantity(const cosim_partition *partition, const char *name, mbs_quantity *quantity) {
  const size_t s = cosim_partition_first_name(partition, name);
  /* Signals are named "subsystem.output" (of user equations) or "subsystem.marker.kind" (of bodies). */
  const bool is_signal =
      s != SEAM_NONE && (!cosim_is_mechanical(partition, s) || strchr(name, '.') != strrchr(name, '.'));
  return !is_signal && mbs_find_quantity_of_length(partition->model, name, strlen(name), quantity);
}

const cosim_signal_quantity *cosim_find_quantity(const cosim_partition *partition, const char *name) {
  for (size_t i = 0; i < partition->n_quantities; i++)
    if (strcmp(partition->quantities[i].name, name) == 0)
      return &partition->quantities[i];
  return NULL;
}

/* ---- Subsystems on which a quantity depends ---- */

/* If the quantity depends on an exchanged force element, proposes the signals of this element; if not, other ways to
 * get the quantity. */
static seam_status refuse_several(const cosim_partition *self, const char *subject, const char *name,
                                  const bool *needed, const mbs_dependence *on, seam_error *error) {
  char list[200] = "";
  char fix[300];
  size_t used = 0;
  for (size_t s = 0; s < self->n_subsystems; s++)
    if (needed[s] && used < sizeof list)
      used +=
          (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", used > 0 ? ", " : "", self->subsystems[s].name);
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
                   name, list, fix);
}

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

seam_status cosim_add_quantity(cosim_partition *self, const char *subject, const char *name, bool is_model_based,
                               seam_error *error) {
  cosim_signal_quantity added = {.name = name};
  if (cosim_find_quantity(self, name) != NULL || !cosim_is_quantity(self, name, &added.quantity))
    return SEAM_OK;
  mbs_dependence on = {.bodies = calloc(mbs_n_bodies(self->model) + 1, sizeof *on.bodies),
                       .forces = calloc(mbs_n_forces(self->model) + 1, sizeof *on.forces)};
  bool *needed = calloc(self->n_subsystems + 1, sizeof *needed);
  seam_status status = SEAM_OK;
  if (on.bodies == NULL || on.forces == NULL || needed == NULL) {
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the signals of the mechanism");
  } else {
    mbs_add_dependence(self->model, added.quantity, &on);
    added.subsystem = cosim_owner_of_listed(self, added.quantity);
    if (added.subsystem == SEAM_NONE)
      status = choose(self, subject, name, &on, needed, &added.subsystem, error);
    if (status == SEAM_OK && on.of_states && is_model_based)
      status = seam_fail(error, SEAM_BAD_INPUT,
                         "%s: '%s' depends on pressures, and 'model_based' needs its derivative by these, which is not "
                         "computed: leave out 'model_based'",
                         subject, name);
  }
  free(on.bodies);
  free(on.forces);
  free(needed);
  if (status == SEAM_OK)
    self->quantities[self->n_quantities++] = added;
  return status;
}
