/* Explicit exchanges whose energy is corrected. A failure here fails the test. */
#ifndef TESTS_SUPPORT_CORRECTED_EXCHANGE_H
#define TESTS_SUPPORT_CORRECTED_EXCHANGE_H

#include "cosim/exchange/exchange.h"

/* The exchange of `def`, with that correction alone, started at 0. */
cosim_exchange *start_corrected_exchange(cosim_exchange_def def, const cosim_energy_correction_def *wanted);

#endif
