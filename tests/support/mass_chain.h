/* Masses in one line, each a subsystem that is integrated exactly, coupled by springs and rigid bars; and the exact
 * motion of the whole. */
#ifndef TESTS_SUPPORT_MASS_CHAIN_H
#define TESTS_SUPPORT_MASS_CHAIN_H

#include "cosim/coupling/master.h"

enum { MAX_MASSES = 4, MAX_BARS = 4 };

typedef struct mass_chain_mass {
  double m, c, d; /* c, d against the ground */
  double x, v;    /* at the start; moved to where rigid bars want them */
} mass_chain_mass;

typedef struct mass_chain_bar {
  int mass[2];
  bool rigid;
  double c, d; /* else */
  const char *scheme;
} mass_chain_bar;

typedef struct mass_chain_def {
  int n_masses, n_bars;
  mass_chain_mass mass[MAX_MASSES];
  mass_chain_bar bar[MAX_BARS];
} mass_chain_def;

typedef struct mass_chain mass_chain;

/* Begins at time 0 with the exact past of macro steps H. */
mass_chain *mass_chain_create(const mass_chain_def *def, const cosim_master_options *options, double H);
void mass_chain_destroy(mass_chain *self);
cosim_master *mass_chain_master(mass_chain *self);

/* (x, v) of every mass, at the present and exactly. */
void mass_chain_state(const mass_chain *self, double state[2 * MAX_MASSES]);
void mass_chain_exact(const mass_chain *self, double t, double state[2 * MAX_MASSES]);

/* Largest error after n macro steps to the time `end`. */
double mass_chain_error(const mass_chain_def *def, const cosim_master_options *options, double end, int n);

#endif
