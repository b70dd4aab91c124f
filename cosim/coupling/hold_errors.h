/* Quality of an exchange since the start of the run: the misses of holds, and corrections that reach their limit. */
#ifndef COSIM_COUPLING_HOLD_ERRORS_H
#define COSIM_COUPLING_HOLD_ERRORS_H

#include <seam/cosim.h>

/* Difference between the hold of a signal, continued to the next macro point, and its value there. */
typedef struct cosim_hold_error {
  const char *name;    /* the input that receives the signal, or the quantity; owned by the simulation */
  int order;           /* of the hold */
  double share;        /* root of the mean square of the miss, of the signal's standard deviation so far */
  int better;          /* the least order that would not lag, or else the best; */
  double better_share; /* its share */
} cosim_hold_error;

/* The signal between subsystems whose hold misses by the largest share. Sampled signals, which are exact, and
 * exchanged couplings, which have schemes, are left out. false: there is no such signal, it is constant but for 1e-12
 * of its size, or there are too few macro steps, less than ten. */
bool cosim_worst_hold(const cosim_simulation *self, cosim_hold_error *found);

/* Returns true if the share exceeds 0.02: motions that follow such a signal are off by as much. */
bool cosim_hold_lags(const cosim_hold_error *hold);

/* Count of the macro steps in which an energy correction wanted more than its limit. */
typedef struct cosim_limit_reached {
  const char *name;       /* of the coupling or bond; owned by the simulation */
  double limit;           /* of the force there */
  size_t rounds, reached; /* macro steps, and those in which the limit was reached */
} cosim_limit_reached;

/* The energy correction that did so in the largest share of macro steps; false: there is none, or none did. */
bool cosim_most_limited(const cosim_simulation *self, cosim_limit_reached *found);

#endif
