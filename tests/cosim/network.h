/* Masses in one line, each a subsystem that is integrated exactly, coupled by springs and rigid bars; and the exact
 * motion of the whole. */
#ifndef TESTS_COSIM_NETWORK_H
#define TESTS_COSIM_NETWORK_H

#include "cosim/master.h"

enum { most_masses = 4, most_bars = 4 };

typedef struct network_mass {
  double m, c, d; /* c, d against the ground */
  double x, v;    /* at the start; moved to where rigid bars want them */
} network_mass;

typedef struct network_bar {
  int mass[2];
  bool rigid;
  double c, d; /* else */
  const char *scheme;
} network_bar;

typedef struct network_def {
  int n_masses, n_bars;
  network_mass mass[most_masses];
  network_bar bar[most_bars];
} network_def;

typedef struct network network;

/* Begins at time 0 with the exact past of macro steps H. */
network *network_create(const network_def *def, const cosim_master_options *options, double H);
void network_destroy(network *self);
cosim_master *network_master(network *self);

/* (x, v) of every mass, at the present and exactly. */
void network_state(const network *self, double state[2 * most_masses]);
void network_exact(const network *self, double t, double state[2 * most_masses]);

/* Largest error after n macro steps to the time `end`. */
double network_error(const network_def *def, const cosim_master_options *options, double end, int n);

#endif
