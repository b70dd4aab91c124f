/* An exchange whose members, signals and bonds have names, "member.signal". Names that do not exist fail the test. */
#ifndef TESTS_SUPPORT_NAMED_EXCHANGE_H
#define TESTS_SUPPORT_NAMED_EXCHANGE_H

#include "cosim/coupling/exchange.h"

typedef struct named_member {
  cosim_part *part;           /* its name is that of the member */
  const char *const *inputs;  /* (n_inputs) names */
  const char *const *outputs; /* (n_outputs) names */
  int steps;                  /* macro steps in a round */
} named_member;

typedef struct named_exchange {
  const named_member *members;
  int n_members;
  const cosim_connection_def *links;
  int n_links;
  const cosim_bond_def *bonds;
  int n_bonds;
  cosim_correction **corrections; /* in the order in which they act */
  int n_corrections;
  bool gauss_seidel;
} named_exchange;

/* As cosim_exchange_make(). */
seam_status named_exchange_create(const named_exchange *def, cosim_exchange **created, seam_error *error);
/* With an energy correction; starts at t = 0. */
cosim_exchange *named_exchange_start_corrected(named_exchange def, const cosim_energy_correction_def *wanted);
cosim_correction *named_balance_correction(const named_member *members, int n_members,
                                           const cosim_balance_correction_def *def);

#endif
