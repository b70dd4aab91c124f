/* A subsystem as a user writes one in C: a mass on a hardening spring, a micro step of Runge and Kutta's method,
 *
 *   m x'' = f - c x - e x³ - d v + cc (x̃ - x) + dc (ṽ - v).
 */
#ifndef TESTS_SUPPORT_DUFFING_H
#define TESTS_SUPPORT_DUFFING_H

#include "cosim/coupling/master.h"

enum { duffing_force, duffing_position, duffing_velocity, duffing_inputs };
enum { duffing_x, duffing_v, duffing_a, duffing_p, duffing_outputs };

typedef struct duffing_def {
  const char *name;
  double m, c, e, d;
  double cc, dc; /* of the coupling, where the mass is driven by the motion of the other side */
  double x, v;   /* at the start */
  bool cannot_go_back, has_no_derivatives;
  bool is_silent;             /* fails without a message */
  double fails_at, breaks_at; /* s: returns an error; gives outputs that are not finite; 0: never */
  double pause;               /* s, that a step takes longer */
} duffing_def;

cosim_part *duffing_create(const duffing_def *def);

/* Its side of a cut; `part` its number. */
cosim_side duffing_side(int part);

/* (x, v) over one macro step. */
void duffing_step(const duffing_def *def, const cosim_step *step, double state[2]);

/* Two masses coupled by a spring-damper in one coordinate, taken from the first. */
typedef struct duffing_pair {
  duffing_def def[2];
  cosim_linear_element spring;
  cosim_master *master;
} duffing_pair;

/* cc, dc of the definitions are set where the scheme asks for them. */
void duffing_couple(duffing_pair *pair, const char *scheme, const cosim_master_options *options);

#endif
