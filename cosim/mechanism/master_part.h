/* All subsystems that a master couples form one part of the exchange. In each macro step of the exchange, the master
 * takes one step. */
#ifndef COSIM_MECHANISM_MASTER_PART_H
#define COSIM_MECHANISM_MASTER_PART_H

#include "cosim/coupling/master.h"

/* A signal of one of the master's parts: indices of the part and of the signal in it. */
typedef struct cosim_part_signal {
  int part, number;
} cosim_part_signal;

typedef struct cosim_master_part_def {
  const char *name;                /* name for messages, outlives the part; NULL: no name */
  cosim_master *master;            /* the part owns the master; on failure the master is destroyed */
  const cosim_part_signal *inputs; /* (n_inputs) inputs that no coupling of the master drives; both lists are copied */
  const cosim_part_signal *outputs;
  int n_inputs, n_outputs;
} cosim_master_part_def;

/* Fails with SEAM_NO_MEMORY, after destroying def->master. */
seam_status cosim_master_part_create(const cosim_master_part_def *def, cosim_part **part, seam_error *error);
void cosim_master_part_set_inputs(cosim_part *base, const cosim_signal *inputs);
/* Returns the status of the last restore. */
seam_status cosim_master_part_restored(const cosim_part *base, seam_error *error);
cosim_master *cosim_master_part_master(const cosim_part *base);

#endif
