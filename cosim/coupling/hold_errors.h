/* Quality of an exchange since the start of the run: errors of holds, and corrections that reach their limit. */
#ifndef COSIM_COUPLING_HOLD_ERRORS_H
#define COSIM_COUPLING_HOLD_ERRORS_H

#include <seam/cosim.h>

/* Error of a signal's hold at the next macro point. */
typedef struct cosim_hold_error {
  const char *name; /* name of the input that receives the signal, or of the sent quantity; owned by the simulation */
  int order;        /* order of the hold */
  double share;     /* root mean square of the error, divided by the standard deviation of the signal */
  int better;       /* least order with a share of at most 0.02; if there is none, the order with the least share */
  double better_share; /* share with the order `better` */
} cosim_hold_error;

/* Finds the signal between subsystems whose hold has the largest relative error (`share`). Leaves out sampled signals,
 * whose holds are exact, and signals of exchanged couplings, whose schemes set the holds. Returns false if
 * there is none: a signal needs five observations, each with five earlier macro points, and a standard deviation above
 * 1e-12 of its mean. */
bool cosim_worst_hold(const cosim_simulation *self, cosim_hold_error *found);

/* Returns true if `share` exceeds 0.02. Motions that follow the signal then have relative errors of about `share`. */
bool cosim_hold_lags(const cosim_hold_error *hold);

/* Count of the macro steps in which the limit of an energy correction applied. */
typedef struct cosim_limit_reached {
  const char *name;       /* coupling or bond; owned by the simulation */
  double limit;           /* largest correction, relative to the force */
  size_t rounds, reached; /* numbers of macro steps, and of those in which the limit was reached */
} cosim_limit_reached;

/* Finds the energy correction that was limited in the largest share of macro steps. Returns false if there is none. */
bool cosim_most_limited(const cosim_simulation *self, cosim_limit_reached *found);

/* Returns the name of a part whose derivatives are not identified, so that the model-based correction corrects nothing;
 * NULL: there is none. */
const char *cosim_unidentified_part(const cosim_simulation *self);

#endif
