/* A rail: masses on a lane with links, walls, dry friction and controllers. Its motion follows from the generator's own
 * equations, with the steps and events of rail_motion.c.
 *
 *   m_i x_i'' = m_i g + Σ pulls + F cos(W t + P) + pulses + controllers + dry friction
 *
 * x_i is the way of mass i along the lane since the start, s = x_b - x_a and v = s' of a link, x_GROUND = 0; all in
 * plain units. */
#ifndef TESTS_GENERATOR_RAIL_H
#define TESTS_GENERATOR_RAIL_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_MASSES = 4, MAX_LINKS = 10, MAX_CONTROLS = 2, MAX_OUTPUTS = 2 * MAX_CONTROLS };

#define RAIL_SPACING 1.5 /* of masses on the lane */

typedef enum rail_law {
  RAIL_SPRING,  /* pull c s + d v */
  RAIL_CUBIC,   /* pull c s + e s³ + d v */
  RAIL_TANH,    /* pull c tanh(v/e): friction that fades at rest */
  RAIL_ZONE,    /* pull c exp(-((s - at)/e)²) */
  RAIL_CONTACT, /* push c δ (1 + d δ'), δ = -(s + at) > 0, never a pull */
  RAIL_HARD     /* of the ground: s + at >= 0, restitution e */
} rail_law;

typedef struct rail_link {
  rail_law law;
  int a, b; /* masses; a may be GROUND */
  double c, d, e, at;
} rail_link;

/* F = kp (target - x) - kd f + ki I of a mass, I' = target - x, f' = filter (v - f); where it is sampled f is v, and
 * I+ = I + period (target - x). */
typedef struct rail_control {
  int mass;
  double kp, kd, ki, filter, target;
  double period;    /* 0: continuous */
  bool has_signals; /* a subsystem of its own that signals reach; else an entry of `equations` */
  bool is_listed;   /* ... that a subsystem lists */
  int order;        /* of its signals */
  int number;       /* among those of the trial */
  int element;      /* number of the force element that it acts by */
} rail_control;

typedef struct rail {
  int subset;   /* its number in the trial */
  int n, first; /* masses, the first one's number among the bodies */
  double mass[MAX_MASSES], inertia[MAX_MASSES], v0[MAX_MASSES];
  double place[MAX_MASSES]; /* on the lane at the start */
  double rubs[MAX_MASSES];  /* N, dry friction against the ground */
  double F[MAX_MASSES], W[MAX_MASSES], P[MAX_MASSES];
  double pulse[MAX_MASSES], pulse_at[MAX_MASSES], pulse_width[MAX_MASSES]; /* F exp(-((t - at)/width)²) */
  double weight;                                                           /* gravity along the lane */
  bool guided;
  int n_links, n_controls;
  rail_link link[MAX_LINKS];
  rail_control control[MAX_CONTROLS];
} rail;

enum { MAX_JUMPS = 4000 };

/* A motion at a time: ways, speeds, and F and I of controllers. */
typedef struct rail_point {
  double x[MAX_MASSES], v[MAX_MASSES], out[MAX_OUTPUTS];
} rail_point;

/* Where velocities or outputs jump, and both sides of it. */
typedef struct rail_jumps {
  int n;
  double at[MAX_JUMPS];
  rail_point left[MAX_JUMPS], right[MAX_JUMPS];
} rail_jumps;

/* At n ascending times; outputs of a sample from its time on; I of a sampled controller with signals is the one that
 * its F was computed with. `rate`: of the fastest motion; `fineness`: 1, or more for shorter steps. False: too many
 * jumps, or masses go through each other. */
bool rail_follow(const rail *r, double rate, double fineness, const double *times, int n, rail_point *points,
                 rail_jumps *jumps);

#endif
