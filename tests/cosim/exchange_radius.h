/* Spectral radius of one round of an exchange of linear parts. */
#ifndef TESTS_COSIM_EXCHANGE_RADIUS_H
#define TESTS_COSIM_EXCHANGE_RADIUS_H

#include "cosim/exchange.h"

/* Unit vectors of the whole state are pushed through a round of length H, all macro points known before. */
double exchange_radius(cosim_exchange *exchange, double H);

#endif
