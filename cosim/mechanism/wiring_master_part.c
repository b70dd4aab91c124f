/* Subsystems with bodies, of which a master couples some, become one part; its signals are all that have names. */
#include <stdlib.h>

#include "cosim/mechanism/master_part.h"
#include "cosim/mechanism/wiring_internal.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to wire the subsystems");
}

static cosim_master *create_master(cosim_wiring_plan *p, const cosim_master_options *options, seam_error *error) {
  const cosim_partition *partition = p->self->partition;
  cosim_part **parts = calloc(partition->n_subsystems + 1, sizeof *parts);
  int *number = calloc(partition->n_subsystems + 1, sizeof *number);
  cosim_cut *cuts = calloc(partition->n_cuts + 1, sizeof *cuts);
  cosim_master *master = NULL;
  int n_parts = 0;
  int n_cuts = 0;
  if (parts == NULL || number == NULL || cuts == NULL) {
    no_memory(error);
  } else {
    for (size_t s = 0; s < partition->n_subsystems; s++)
      if (cosim_wiring_is_mastered(p->self, s)) {
        number[s] = n_parts;
        parts[n_parts++] = p->parts[s];
        p->parts[s] = NULL;
      }
    for (size_t k = 0; k < partition->n_cuts; k++) {
      if (partition->cuts[k].is_exchanged)
        continue;
      cuts[n_cuts] = partition->couplings[k];
      for (int side = 0; side < 2; side++)
        cuts[n_cuts].side[side].part = number[partition->cuts[k].subsystem[side]];
      n_cuts++;
    }
    cosim_master_create(parts, n_parts, cuts, n_cuts, options, &master, error);
  }
  free(parts);
  free(number);
  free(cuts);
  return master;
}

/* All named signals (inputs, or outputs) of the subsystems with bodies; returns how many. */
static int collect(const cosim_wiring_plan *p, cosim_part *const *parts, bool outputs, cosim_part_signal *signals,
                   const char **names) {
  const cosim_wiring *self = p->self;
  int n = 0;
  int part = 0;
  for (size_t s = 0; s < self->partition->n_subsystems; s++) {
    if (!cosim_wiring_is_mastered(self, s))
      continue;
    const int n_signals = outputs ? parts[s]->n_outputs : parts[s]->n_inputs;
    for (int i = 0; i < n_signals; i++)
      if (self->names[2 * s + outputs][i][0] != '\0') {
        signals[n] = (cosim_part_signal){part, i};
        names[n++] = self->names[2 * s + outputs][i];
      }
    part++;
  }
  return n;
}

seam_status cosim_wiring_create_master_part(cosim_wiring_plan *p, const cosim_master_options *options,
                                            cosim_part *const *parts, seam_error *error) {
  cosim_wiring *self = p->self;
  size_t most = 1;
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    most += (size_t)(parts[s]->n_inputs + parts[s]->n_outputs);
  const char ***names = self->names + 2 * self->partition->n_subsystems;
  cosim_part_signal *inputs = calloc(2 * most, sizeof *inputs);
  seam_error cause = {0};
  names[0] = calloc(most, sizeof **names);
  names[1] = calloc(most, sizeof **names);
  cosim_master *master = NULL;
  seam_status status = SEAM_NO_MEMORY;
  if (inputs == NULL || names[0] == NULL || names[1] == NULL) {
    no_memory(&cause);
  } else {
    const int n_inputs = collect(p, parts, false, inputs, names[0]);
    const int n_outputs = collect(p, parts, true, inputs + most, names[1]);
    master = create_master(p, options, &cause);
    status = master == NULL ? cause.status
                            : cosim_master_part_create(&(cosim_master_part_def){.name = cosim_wiring_master_part_name,
                                                                                .master = master,
                                                                                .inputs = inputs,
                                                                                .outputs = inputs + most,
                                                                                .n_inputs = n_inputs,
                                                                                .n_outputs = n_outputs},
                                                       &self->master_part, &cause);
  }
  free(inputs);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "%s", cause.message);
}
