/* A part in discrete time: at the samples t = k T, with inputs u there,
 *
 *   y⁺ = g(t, x, u)      x⁺ = f(t, x, u)
 *
 * and in between both are held. Outputs are zero before the first sample, which is at the start, whatever its time. */
#ifndef COSIM_PARTS_SAMPLED_PART_H
#define COSIM_PARTS_SAMPLED_PART_H

#include "cosim/parts/part.h"

typedef struct cosim_sampled_def {
  const char *name;          /* not copied */
  const char *const *states; /* (n_states) names for messages, not copied */
  int n_states, n_inputs, n_outputs;
  double period;       /* s */
  const void *context; /* not copied */
  /* The next states (n_states), the outputs (n_outputs) at t, x and inputs u. */
  void (*updates)(const void *context, double t, const double *x, const double *u, double *next);
  void (*outputs)(const void *context, double t, const double *x, const double *u, double *y);
  /* Their derivatives along (dx, du); NULL: not known. */
  void (*updates_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change);
  void (*outputs_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change);
  const double *start; /* (n_states) copied */
} cosim_sampled_def;

/* SEAM_NO_MEMORY. The state of the part is (x, y, time of the next sample). */
seam_status cosim_sampled_part_create(const cosim_sampled_def *def, cosim_part **part, seam_error *error);
/* What it was made of; NULL: another kind of part. */
const cosim_sampled_def *cosim_sampled_part_def(const cosim_part *part);

#endif
