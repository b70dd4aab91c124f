/* A subsystem as the master sees it: inputs in, one macro step on, outputs out. */
#ifndef COSIM_PART_H
#define COSIM_PART_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

#include "cosim/signal.h"

typedef struct cosim_part cosim_part;

typedef struct cosim_part_ops {
  /* From time t to t + H under the inputs (n_inputs); writes the outputs (n_outputs) at the end. */
  seam_status (*advance)(cosim_part *self, double t, double H, const cosim_signal *inputs, double *outputs,
                         seam_error *error);
  /* The outputs at the present state, under the inputs at the end of the last step. */
  void (*measure)(const cosim_part *self, double *outputs);
  /* State (n_state) out and back in, to the bit; NULL: no rollback. */
  void (*save)(const cosim_part *self, double *state);
  void (*restore)(cosim_part *self, const double *state);
  /* Derivative of the outputs (n_outputs) of the last advance with respect to a factor of `signal` added to one input;
   * exact; NULL: the master takes differences. */
  seam_status (*derivative)(cosim_part *self, double H, int input, const cosim_signal *signal, double *outputs,
                            seam_error *error);
  void (*destroy)(cosim_part *self);
} cosim_part_ops;

/* First member of every part. */
struct cosim_part {
  const cosim_part_ops *ops;
  int n_inputs, n_outputs;
  size_t n_state;
};

static inline void cosim_part_destroy(cosim_part *self) {
  if (self != NULL)
    self->ops->destroy(self);
}

#endif
