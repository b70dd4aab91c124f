/* Contents of a builder, from which a co-simulation is created. */
#ifndef COSIM_MECHANISM_DEFINITION_H
#define COSIM_MECHANISM_DEFINITION_H

#include <seam/cosim.h>

/* Lists and options; fields are those of <seam/cosim.h>. */
typedef struct cosim_definition {
  cosim_options options;
  const cosim_subsystem_def *subsystems;
  size_t n_subsystems;
  const cosim_coupling_options *coupling_options;
  size_t n_coupling_options;
  const cosim_coupling_def *part_couplings;
  size_t n_part_couplings;
  const cosim_connection_def *signals;
  size_t n_signals;
  const cosim_bond_def *bonds;
  size_t n_bonds;
  const cosim_energy_correction_def *energy_corrections;
  size_t n_energy_corrections;
  const cosim_balance_correction_def *balance_corrections;
  size_t n_balance_corrections;
  const cosim_model_based_def *model_based; /* NULL: none */
  const cosim_step_control *step_control;   /* NULL: none */
} cosim_definition;

/* Definition of a builder, valid as long as the builder. */
const cosim_definition *cosim_builder_definition(const cosim_builder *self);

/* A builder with copies of the contents of a definition. SEAM_NO_MEMORY. */
seam_status cosim_builder_of(const mbs_model *model, const cosim_definition *definition, cosim_builder **created,
                             seam_error *error);

#endif
