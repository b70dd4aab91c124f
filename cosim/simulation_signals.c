/* Signals and bonds of a co-simulated mechanism: there are none. */
#include "cosim/simulation.h"

size_t cosim_n_bonds(const cosim_simulation *self) {
  (void)self;
  return 0;
}

const char *cosim_bond_name(const cosim_simulation *self, size_t bond) { return self->options.bonds[bond].name; }

cosim_bond_energy cosim_bond_energy_of(const cosim_simulation *self, size_t bond) {
  (void)self, (void)bond;
  return (cosim_bond_energy){0};
}

size_t cosim_n_signals(const cosim_simulation *self) {
  (void)self;
  return 0;
}

const char *cosim_signal_name(const cosim_simulation *self, size_t signal) {
  return self->options.signals[signal].from;
}

double cosim_signal_now(const cosim_simulation *self, size_t signal) {
  (void)self, (void)signal;
  return 0;
}
