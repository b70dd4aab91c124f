/* Linear state-space subsystem, integrated exactly: z' = A z + B u, y = C z + D u. */
#ifndef COSIM_LINEAR_PART_H
#define COSIM_LINEAR_PART_H

#include "cosim/part.h"

typedef struct cosim_linear_def {
  const char *name; /* not copied; NULL: none */
  int n_states, n_inputs, n_outputs;
  const double *A, *B, *C, *D; /* (n_states x n_states), ..., row by row; copied */
  const bool *restarts; /* (n_states) set to zero at the beginning of every macro step, as integrals are; NULL: none */
} cosim_linear_def;

/* SEAM_NO_MEMORY. The state starts at zero. */
seam_status cosim_linear_part_create(const cosim_linear_def *def, cosim_part **part, seam_error *error);

#endif
