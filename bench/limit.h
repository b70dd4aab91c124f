/* The limit code computes the motion of chains and nothing else, and is compiled with Seam's own flags. Its cost is a
 * practical lower limit of the cost of Seam. */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

typedef struct limit_chain limit_chain;

/* Creates a chain of n rods like that of the catalogue (`pendulum_chain`): 1 m, 1 kg each. Ends the program if memory
 * is exhausted. Free with limit_chain_destroy(). */
limit_chain *limit_chain_create(int n);
void limit_chain_destroy(limit_chain *self);

/* Finds the angular accelerations (n) of all rods from angles (n) and rates (n), the only coordinates of a chain. */
void limit_chain_evaluate(limit_chain *self, const double *angle, const double *rate, double *acceleration);

/* The first sets the chain at rest in a horizontal line. The second takes a step (s) of the classical Runge-Kutta
 * method, which has four evaluations. */
void limit_chain_start(limit_chain *self);
void limit_chain_step(limit_chain *self, double step);

#endif
