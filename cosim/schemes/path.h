/* Motions of a cut's markers over a step, between points at which they are known.
 *
 * Coordinates follow Hermite's polynomial of degree 2 n - 1 through positions x_i and velocities v_i at τ_i, i = 0,
 * ..., n - 1. With Lagrange's polynomials l_i it is
 *
 *   x(τ) = Σ_i [x_i (1 - 2 l_i'(τ_i) (τ - τ_i)) + H v_i (τ - τ_i)] l_i(τ)²
 *
 * Two points give the cubic. With collocation the inner nodes are also points: the error of this polynomial then has
 * the same order in H as the errors of the x_i. */
#ifndef COSIM_SCHEMES_PATH_H
#define COSIM_SCHEMES_PATH_H

#include "cosim/schemes/snapshot.h"

enum { COSIM_MAX_PATH = COSIM_MAX_INNER + 2 };

/* Motions of both markers at points of a step of length H, s; τ ascends from 0 to 1. */
typedef struct cosim_path {
  double H, tau[COSIM_MAX_PATH];
  const cosim_motion *motion[COSIM_MAX_PATH];
  int n;
} cosim_path;

/* Sets x and v of both markers at τ; a and p are zero. */
void cosim_path_at(const cosim_path *path, double tau, cosim_motion m[2]);

/* Fills the times τ and weights (s) for an integral over the step by Gauss's rule. The rule has three times between two
 * neighbouring points of the path. Returns the number of times, 3 (n - 1). */
enum { COSIM_MAX_PATH_NODES = 3 * (COSIM_MAX_PATH - 1) };
int cosim_path_nodes(const cosim_path *path, double tau[COSIM_MAX_PATH_NODES], double weight[COSIM_MAX_PATH_NODES]);

#endif
