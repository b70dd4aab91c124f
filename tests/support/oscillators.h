/* Masses in one line, each a subsystem that is integrated exactly, coupled by springs and rigid bars; and the exact
 * motion of the whole. */
#ifndef TESTS_SUPPORT_OSCILLATORS_H
#define TESTS_SUPPORT_OSCILLATORS_H

#include "cosim/master/master.h"

enum { MAX_MASSES = 4, MAX_BARS = 4 };

typedef struct oscillators_mass {
  double m, c, d; /* c, d against the ground */
  double x, v;    /* at the start; moved to where rigid bars want them */
} oscillators_mass;

typedef struct oscillators_bar {
  int mass[2];
  bool rigid;
  double c, d; /* else */
  const char *scheme;
} oscillators_bar;

typedef struct oscillators_def {
  int n_masses, n_bars;
  oscillators_mass mass[MAX_MASSES];
  oscillators_bar bar[MAX_BARS];
} oscillators_def;

typedef struct oscillators oscillators;

/* Begins at time 0 with the exact past of macro steps H. */
oscillators *oscillators_create(const oscillators_def *def, const cosim_master_options *options, double H);
void oscillators_destroy(oscillators *self);
cosim_master *oscillators_master(oscillators *self);

/* (x, v) of every mass, at the present and exactly. */
void oscillators_state(const oscillators *self, double state[2 * MAX_MASSES]);
void oscillators_exact(const oscillators *self, double t, double state[2 * MAX_MASSES]);

/* Largest error after n macro steps to the time `end`. */
double oscillators_error(const oscillators_def *def, const cosim_master_options *options, double end, int n);

#endif
