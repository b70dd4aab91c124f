/* Subsystems under a master as one part of an explicit exchange: over a macro step of it the master takes one. */
#ifndef COSIM_MECHANISM_MASTER_PART_H
#define COSIM_MECHANISM_MASTER_PART_H

#include "cosim/master/master.h"

/* A signal of one of the master's parts. */
typedef struct cosim_terminal {
  int part, number;
} cosim_terminal;

typedef struct cosim_composite_def {
  const char *name;             /* outlives the part */
  cosim_master *master;         /* taken, also on failure */
  const cosim_terminal *inputs; /* (n_inputs) that no coupling of the master drives; copied, as those below */
  const cosim_terminal *outputs;
  int n_inputs, n_outputs;
} cosim_composite_def;

/* SEAM_NO_MEMORY. */
seam_status cosim_composite_part_create(const cosim_composite_def *def, cosim_part **part, seam_error *error);
cosim_master *cosim_composite_master(const cosim_part *base);

#endif
