/* Systems of user equations alone, without bodies: blocks of one or two states that signals join, linear or with a
 * cubic spring, continuous or sampled.
 *
 *   block k: x' = v, v' = -w² x - 2 d v - c x³ + u, or x' = -w x + u, or x+ = a x + b u at multiples of the period
 *   outputs: x, v, or x alone; u = Σ gain output + offset + F cos(W t) */
#ifndef TESTS_GENERATOR_NETWORK_H
#define TESTS_GENERATOR_NETWORK_H

#include <stdbool.h>

enum { MAX_BLOCKS = 5, MAX_WIRES = 12 };

typedef struct block {
  bool is_second;         /* of order two */
  bool is_linear_section; /* written as `linear` */
  double w, d, c, F, W, x0, v0;
  double period, a, b; /* of a sampled one; 0: continuous */
} block;

typedef struct wire {
  int from, to;
  bool takes_rate; /* v in place of x */
  double gain, offset;
  int order;
} wire;

typedef struct network {
  int n_blocks, n_wires; /* no blocks: the trial has bodies */
  block block[MAX_BLOCKS];
  wire wire[MAX_WIRES];
} network;

/* x and v at n ascending times: out[2 * MAX_BLOCKS * i + 2 * block], .. + 1. `rate`: of the fastest block. */
void network_follow(const network *net, double rate, double fineness, const double *times, int n, double *out);

#endif
