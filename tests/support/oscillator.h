/* Masses against one: each of the first n - 1 is held by a spring-damper and bears another one to the last, which is
 * held too; [Rodriguez] 4.1, 4.2. Masses 1 to n - 1 give the force on the last, from its position and
 * velocity (direct feed-through); the last gives those, from the sum of the forces. Symplectic Euler everywhere, one
 * step in each macro step. */
#ifndef TESTS_SUPPORT_OSCILLATOR_H
#define TESTS_SUPPORT_OSCILLATOR_H

#include "cosim/exchange/exchange.h"

enum { OSCILLATOR_MAX_MASSES = 5 };

typedef struct oscillator_def {
  const char *name;
  int n;
  double m[OSCILLATOR_MAX_MASSES]; /* of each mass */
  double k[OSCILLATOR_MAX_MASSES]; /* N/m, against the ground */
  double kc;                       /* N/m, of each spring to the last mass */
  double c;                        /* of every damper: N s/m, or N (s/m)² */
  bool root_springs;               /* k sign(x) √|x| instead of k x */
  bool quadratic_dampers;          /* c v |v| instead of c v */
} oscillator_def;

typedef struct oscillator_exchange {
  double h_df, h_ndf; /* macro steps of the first masses; of the last */
  int order;          /* of the hold on the side with the smaller one */
  double mu, nu, limit;
} oscillator_exchange;

typedef struct oscillator oscillator;

/* At x = 0 with 100 m/s, the last mass with -100 m/s. The def must live as long. */
oscillator *oscillator_create(const oscillator_def *def, const oscillator_exchange *how);
void oscillator_destroy(oscillator *self);
cosim_exchange *oscillator_exchange_of(oscillator *self);

/* (x1 .. xn, v1 .. vn) now, and exactly at t, not before the last time asked for. */
void oscillator_state(const oscillator *self, double *state);
void oscillator_exact(oscillator *self, double t, double *state);
double oscillator_energy(const oscillator_def *def, const double *state);

#endif
