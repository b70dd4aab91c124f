#include "cosim/simulation.h"

/* Stands in until the control of macro steps lands. */
seam_status cosim_advance_controlled(cosim_simulation *self, double end, seam_error *error) {
  const double rest = end - self->now->t;
  const double H = self->options.macro_step;
  return cosim_advance(self, rest < H ? rest : H, error);
}
