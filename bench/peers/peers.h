/* Programs that bench_work_precision measures beside Seam, on mechanisms without closed loops. Code by hand is written
 * for one mechanism. MuJoCo and Simbody need Debian's libmujoco-dev and libsimbody-dev. */
#ifndef BENCH_PEERS_PEERS_H
#define BENCH_PEERS_PEERS_H

#include <stdbool.h>

enum { PEER_MAX_RODS = 1000 };

/* A mechanism of rods in minimal coordinates: y has the angles of n rods in global axes, then their rates. */
typedef struct peer_mechanism {
  const char *name; /* name of the case in bench/work_precision.c */
  int n;
  double end;                /* s */
  double angle[4];           /* rad, at the start, where all rates are zero; all rods after the fourth have angle[3] */
  double length[4], mass[4]; /* m, kg; all rods after the fourth are like the fourth */
  int first_of_tree;         /* index of the rod that begins a second tree; 0: there is one tree */
  double pivot[2][2];        /* m, pivots of the trees on the ground */
  /* Computes the slopes (2n) of y. */
  void (*slope)(const struct peer_mechanism *self, const double *y, double *slope);
  void (*load)(const double *y, double torque[4]); /* generalised forces of the bushing; NULL: there is none */
  void *limit;                                     /* limit_chain of a chain */
} peer_mechanism;

/* Returns the index of a rod's data in angle, length and mass. */
static inline int peer_kind_of(int rod) { return rod < 3 ? rod : 3; }
static inline bool peer_begins_tree(const peer_mechanism *self, int rod) {
  return rod == 0 || rod == self->first_of_tree;
}

/* Returns the static mechanism of a case; NULL: the case has closed loops. */
peer_mechanism *peer_mechanism_of(const char *case_name);
/* Writes the positions (x, y) of the rods' centres of mass, m. */
void peer_positions(const peer_mechanism *self, const double *y, double *positions);

/* A program. Its settings are steps (s) or tolerances, each `factor` times the previous one. */
typedef struct peer {
  const char *name;
  double first, factor;
  /* Prepares the program for a mechanism. Returns false if the program cannot simulate the mechanism. */
  bool (*prepare)(const peer_mechanism *mechanism);
  /* Makes the run with a setting; fills y (2n) at its end. Returns false if the run fails. */
  bool (*run)(const peer_mechanism *mechanism, double setting, double *y);
  void (*release)(void); /* frees what prepare() has made */
} peer;

/* Returns the programs; *n: their number. */
const peer *peer_list(int *n);

extern const peer peer_mujoco, peer_simbody; /* each is defined only if its library is installed */

#endif
