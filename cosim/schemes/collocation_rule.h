/* Nodes and polynomials of collocation couplings. */
#ifndef COSIM_MASTER_COLLOCATION_RULE_H
#define COSIM_MASTER_COLLOCATION_RULE_H

#include "cosim/schemes/scheme.h"

/* Returns the rule of a variable of this kind. */
cosim_rule cosim_collocation_rule(const cosim_scheme *scheme, cosim_kind kind);

#endif
