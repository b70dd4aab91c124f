/* Spectral radius of one round of an exchange of linear parts. */
#ifndef TESTS_SUPPORT_EXCHANGE_RADIUS_H
#define TESTS_SUPPORT_EXCHANGE_RADIUS_H

#include "cosim/coupling/exchange.h"

/* Unit vectors of the whole state are pushed through a round of length H, with all macro points given before. */
double exchange_radius(cosim_exchange *exchange, double H);

#endif
