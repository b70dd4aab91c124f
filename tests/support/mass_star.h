/* Masses against one: each of the first n - 1 is held by a spring-damper and bears another one to the last, which is
 * held too; [Rodriguez] 4.1, 4.2. Masses 1 to n - 1 give the force on the last, from its position and
 * velocity (direct feed-through); the last gives those, from the sum of the forces. Symplectic Euler everywhere, one
 * step in each macro step. */
#ifndef TESTS_SUPPORT_MASS_STAR_H
#define TESTS_SUPPORT_MASS_STAR_H

#include "cosim/coupling/exchange.h"

enum { MASS_STAR_MAX_MASSES = 5 };

typedef struct mass_star_def {
  const char *name;
  int n;
  double m[MASS_STAR_MAX_MASSES]; /* of each mass */
  double k[MASS_STAR_MAX_MASSES]; /* N/m, against the ground */
  double kc;                      /* N/m, of each spring to the last mass */
  double c;                       /* of every damper: N s/m, or N (s/m)² */
  bool root_springs;              /* k sign(x) √|x| instead of k x */
  bool quadratic_dampers;         /* c v |v| instead of c v */
} mass_star_def;

typedef struct mass_star_coupling {
  double h_df, h_ndf; /* macro steps of the first masses; of the last */
  int order;          /* of the hold on the side with the smaller one */
  double mu, nu, limit;
  bool turns_force; /* the last mass takes the negative force, at a port with the factor -1 */
} mass_star_coupling;

typedef struct mass_star mass_star;

/* At x = 0 with 100 m/s, the last mass with -100 m/s. The def must live as long. */
mass_star *mass_star_create(const mass_star_def *def, const mass_star_coupling *how);
void mass_star_destroy(mass_star *self);
cosim_exchange *mass_star_exchange(mass_star *self);

/* (x1 .. xn, v1 .. vn) now, and exactly at t, not before the last time asked for. */
void mass_star_state(const mass_star *self, double *state);
void mass_star_exact(mass_star *self, double t, double *state);
double mass_star_energy(const mass_star_def *def, const double *state);

#endif
