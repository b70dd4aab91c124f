/* The limit code: chains only, with Seam's compiler options. Its cost is a practical lower limit of Seam's cost. */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

typedef struct limit_chain limit_chain;

/* Creates a chain of n rods as in the catalogue (`pendulum_chain`): 1 m, 1 kg each. Ends the program if there is no
 * memory. Free it with limit_chain_destroy(). */
limit_chain *limit_chain_create(int n);
void limit_chain_destroy(limit_chain *self);

/* Computes the angular accelerations (n) of all rods from their angles (n) and angular velocities `rate` (n). */
void limit_chain_evaluate(limit_chain *self, const double *angle, const double *rate, double *acceleration);

/* limit_chain_start() puts the chain at rest on a horizontal line. limit_chain_step() takes a step (s) of the classical
 * Runge-Kutta method, which has four evaluations. */
void limit_chain_start(limit_chain *self);
void limit_chain_step(limit_chain *self, double step);

#endif
