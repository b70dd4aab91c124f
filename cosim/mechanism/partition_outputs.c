/* Outputs of user parts that are read after steps: by couplings, and by variables of the model that follow them. */
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/partition.h"

static void mark(bool *wanted, int first, int n) {
  for (int i = 0; i < n && first >= 0; i++)
    wanted[first + i] = true;
}

static void mark_side(bool *wanted, const cosim_side *at, const cosim_cut *cut) {
  const cosim_element *element = cut->element;
  const int n = element->dim[element->n_dims - 1] + 1;
  mark(wanted, at->position, n);
  mark(wanted, at->velocity, n);
  mark(wanted, at->position_integral, n);
  mark(wanted, at->multiplier, element->n_rows);
  if (cosim_needs_accelerations(&cut->scheme, element->n_rows > 0))
    mark(wanted, at->acceleration, n);
}

/* Marks the shown signals that steps of the part leave out. */
static void leave_out(cosim_partition *self, size_t subsystem, const bool *wanted) {
  for (cosim_shown_signal *at = self->signals; at < self->signals + self->n_signals; at++)
    if (at->subsystem == subsystem)
      at->is_left_out = !wanted[at->output];
}

static void want_outputs(cosim_partition *self, size_t subsystem, bool *wanted) {
  cosim_part *part = self->parts[subsystem];
  for (const cosim_part_cut *at = self->part_couplings; at < self->part_couplings + self->n_part_couplings; at++)
    for (int side = 0; side < 2; side++)
      if (at->base.side[side].part == (int)subsystem)
        mark_side(wanted, &at->base.side[side], &at->base);
  for (const cosim_shown_signal *at = self->signals; at < self->signals + self->n_signals; at++)
    if (at->subsystem == subsystem && at->variable != SEAM_NONE)
      wanted[at->output] = true;
  if (part->ops->want_outputs(part, wanted))
    leave_out(self, subsystem, wanted);
}

seam_status cosim_partition_want_outputs(cosim_partition *self, seam_error *error) {
  size_t most = 0;
  for (size_t s = 0; s < self->n_subsystems; s++)
    most = (size_t)self->parts[s]->n_outputs > most ? (size_t)self->parts[s]->n_outputs : most;
  self->outputs = calloc(most + 1, sizeof *self->outputs);
  bool *wanted = calloc(most + 1, sizeof *wanted);
  for (size_t s = 0; s < self->n_subsystems && self->n_part_couplings > 0 && wanted != NULL; s++)
    if (!cosim_is_mechanical(self, s) && self->parts[s]->ops->want_outputs != NULL) {
      memset(wanted, 0, most * sizeof *wanted);
      want_outputs(self, s, wanted);
    }
  free(wanted);
  return wanted != NULL && self->outputs != NULL ? SEAM_OK
                                                 : seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu outputs", most);
}

double cosim_partition_read(const cosim_partition *self, const cosim_shown_signal *signal) {
  cosim_part *part = self->parts[signal->subsystem];
  part->ops->get_outputs(part, self->outputs);
  return self->outputs[signal->output];
}
