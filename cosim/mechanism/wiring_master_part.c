/* Subsystems with bodies, of which a master couples some, become one part, with the signals of their places. */
#include <stdlib.h>

#include "base/then.h"
#include "cosim/mechanism/master_part.h"
#include "cosim/mechanism/wiring_internal.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to wire the subsystems");
}

/* ---- The master ---- */

/* Moves the master's parts from p->parts to `parts`; returns their number. */
static int take_parts(cosim_wiring_plan *p, cosim_part **parts, int *number) {
  int n = 0;
  for (size_t s = 0; s < p->self->partition->n_subsystems; s++)
    if (cosim_is_under_master(p->self->partition, s)) {
      number[s] = n;
      parts[n++] = p->parts[s];
      p->parts[s] = NULL;
    }
  return n;
}

static seam_status create_master(cosim_wiring_plan *p, const cosim_master_options *options, cosim_master **master,
                                 seam_error *error) {
  const cosim_partition *partition = p->self->partition;
  cosim_part **parts = calloc(partition->n_subsystems + 1, sizeof(cosim_part *));
  int *number = calloc(partition->n_subsystems + 1, sizeof *number);
  cosim_cut *cuts = calloc(partition->n_cuts + partition->n_part_couplings + 1, sizeof *cuts);
  seam_status status = SEAM_NO_MEMORY;
  if (parts == NULL || number == NULL || cuts == NULL) {
    no_memory(error);
  } else {
    const int n_parts = take_parts(p, parts, number);
    const int n_cuts = cosim_list_mastered(partition, number, cuts);
    status = cosim_master_create(parts, n_parts, cuts, n_cuts, options, master, error);
  }
  free(parts);
  free(number);
  free(cuts);
  return status;
}

/* ---- Its signals ---- */

static void mark_places(const cosim_wiring *self, size_t subsystem) {
  const cosim_partition *partition = self->partition;
  cosim_signal_place place;
  for (size_t i = 0; i < cosim_n_signal_places(partition); i++)
    for (int kind = 0; kind < 2 * COSIM_N_SIGNAL_KINDS && cosim_signal_place_of(partition, subsystem, i, &place);
         kind++) {
      const bool is_output = kind >= COSIM_N_SIGNAL_KINDS;
      const int number = cosim_signal_at(partition->parts[subsystem], &place, is_output, kind % COSIM_N_SIGNAL_KINDS);
      if (number >= 0)
        self->number[2 * subsystem + (size_t)is_output][number] = 0;
    }
  for (size_t i = 0; i < partition->n_quantities; i++) {
    const cosim_signal_quantity *at = &partition->quantities[i];
    if (at->subsystem == subsystem)
      self->number[2 * subsystem + 1][cosim_multibody_quantity(partition->parts[subsystem], at->number)] = 0;
  }
  for (const cosim_held_quantity *held = partition->held; held < partition->held + partition->n_held; held++)
    if (held->reader == subsystem)
      self->number[2 * subsystem][cosim_multibody_input(partition->parts[subsystem], held->port)] = 0;
}

/* Numbers the marked inputs, or outputs; returns how many. */
static int number_shown(const cosim_wiring *self, bool is_output, cosim_part_signal *signals) {
  int n = 0;
  int part = 0;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    if (!cosim_is_under_master(self->partition, s))
      continue;
    const cosim_part *of = self->partition->parts[s];
    int *number = self->number[2 * s + (size_t)is_output];
    for (int i = 0; i < (is_output ? of->n_outputs : of->n_inputs); i++)
      if (number[i] >= 0) {
        signals[n] = (cosim_part_signal){part, i};
        number[i] = n++;
      }
    part++;
  }
  return n;
}

seam_status cosim_wiring_create_master_part(cosim_wiring_plan *p, const cosim_master_options *options,
                                            seam_error *error) {
  cosim_wiring *self = p->self;
  size_t most = 1;
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    most += (size_t)(p->parts[s]->n_inputs + p->parts[s]->n_outputs);
  cosim_part_signal *signals = calloc(2 * most, sizeof *signals);
  if (signals == NULL)
    return no_memory(error);
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    if (cosim_is_under_master(self->partition, s) && cosim_is_mechanical(self->partition, s))
      mark_places(self, s);
  cosim_master_part_def def = {
      .name = self->n_members > 1 ? "the mechanism" : NULL, .inputs = signals, .outputs = signals + most};
  def.n_inputs = number_shown(self, false, signals);
  def.n_outputs = number_shown(self, true, signals + most);
  seam_status status = create_master(p, options, &def.master, error);
  THEN(status, cosim_master_part_create(&def, &self->master_part, error));
  free(signals);
  return status;
}
