/* A trial: a random mechanism as a model file, how it is run, and what is known of its motion.
 *
 * Subsets of bodies that do not touch each other make the mechanism. Most of them have a closed form. Their numbers are
 * of order one in *plain* units; a random frame turns, moves and scales all of it, and the motion of the mechanism is
 * judged after it has been turned, moved and scaled back. Every trial follows from its seed alone. */
#ifndef TESTS_GENERATOR_TRIAL_H
#define TESTS_GENERATOR_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/generator/network.h"
#include "tests/generator/rail.h"

enum {
  MAX_BODIES = 16,
  MAX_SUBSETS = 3,
  MAX_NUMBERS = 40,
  MAX_KINKS = 12,
  MAX_TRIAL_KINKS = 12 * MAX_KINKS,
  MAX_CUTTABLE = 64,
  N_ROWS = 96, /* of results */
  MAX_TEXT = 32768,
  MAX_LAW = 512,
};

typedef struct trial trial;

/* ---- Frame ------------------------------------------------------------------------------------------------------- */

/* In the file: position shift + length R(angle) r + velocity times time, angle φ + angle, time begin + time t, mass
 * mass m. Bodies and elements may stand in the other order. */
typedef struct frame {
  double angle, shift[2], length, mass, time;
  double velocity[2], begin;
  bool is_reversed;
} frame;

/* An absolute tolerance of 1 in plain units: positions, angles and their rates share one. */
double tolerance_unit(const frame *f);
/* The least one that is well above the rounding of coordinates and rates. */
double least_tolerance(const frame *f);

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

typedef struct text {
  char at[MAX_TEXT];
  size_t length;
} text;

void text_add(text *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Laws with kinks --------------------------------------------------------------------------------------------- */

/* f(t) = Σ c (t - at)₊^power / power!, power 0 (jump), 1 (kink) or 2 (kink of the slope): a text of the language of
 * model files, in '@' for the variable, and the same as a sum, which has exact integrals. */
typedef struct broken_law {
  char text[MAX_LAW];
  int n;
  struct kink {
    double c, at;
    int power;
  } kink[MAX_KINKS];
} broken_law;

/* A random law, 0 until some time after 0, about `size` large; kinks before `end`. `least`: least power. */
broken_law random_broken_law(uint64_t *random, double size, double end, int least);
/* f, integrated `times` times from 0 (negative: the derivative). */
double broken_law_value(const broken_law *self, double t, int times);

/* ---- Closed forms ------------------------------------------------------------------------------------------------ */

/* x'' + 2 d x' + w² x = f(t) + F cos(W t + P), x(0) = x0, x'(0) = v0. */
typedef struct oscillator {
  double w, d;
  double x0, v0;
  double constant; /* f is this and the law's */
  const broken_law *law;
  double F, W, P;
} oscillator;

void oscillator_at(const oscillator *self, double t, double *x, double *v);

/* Turn and rate of θ'' = -w² sin θ from its lowest point, θ' = start_rate > 0 there, not 2 w. */
void pendulum_at(double w, double start_rate, double t, double *turn, double *rate);

typedef struct subset subset;

/* A row of the table of kinds of subsets. */
typedef struct subset_kind {
  const char *name;
  void (*make)(trial *t, subset *s);
  /* Poses and rates (3 for each body of the subset) in plain units at t; NULL: not known. */
  void (*exact)(const trial *t, const subset *s, double time, double *q, double *v);
  bool has_kinks; /* laws of time with kinks */
  int smoothness; /* highest order of fixed steps that pass its kinks of the state; 0: it has none */
  int weight;     /* how often it is made */
  /* By how much a pose amplifies errors, where its constraints nearly depend on each other; NULL: not. */
  double (*amplification)(const trial *t, const subset *s, double time);
} subset_kind;

/* The kinds, by what they are about. */
extern const subset_kind smooth_kinds[], kinked_kinds[], contact_kinds[], wild_kinds[];
extern const size_t n_smooth_kinds, n_kinked_kinds, n_contact_kinds, n_wild_kinds;
extern const subset_kind rail_kinds[]; /* of trials of printed errors; their motion: rail.h */
extern const subset_kind still_kinds[];
extern const size_t n_rail_kinds, n_still_kinds;

/* A straight line e through a place on which bodies move, besides their free motion across it and their turning. */
typedef struct lane {
  double r[2], e[2], across, angle, rate;
} lane;

lane random_lane(trial *t);
/* One that gravity does not act along, or that it acts down along, with -g.e in *down (0 without gravity). */
lane level_lane(trial *t);
lane upright_lane(trial *t, double *down);
double gravity_along(const trial *t, const lane *l);
/* Pose and rates of a body at x, v on the lane; `guided`: neither across nor turning. */
void on_lane(const trial *t, const lane *l, double time, double x, double v, bool guided, double q[3], double qd[3]);
/* Place of x on the lane. */
void lane_place(const lane *l, double x, double P[2]);
/* Adds the bodies of a subset with what exact() gives at t = 0. */
void add_bodies(trial *t, subset *s, int n, const double *mass, const double *inertia);
/* A law along the lane acts on a body. */
void add_force_along(trial *t, int body, const lane *l, const char *law);

struct subset {
  const subset_kind *kind;
  int first, n; /* bodies */
  double rate;  /* 1/s: how fast it moves at most, frequencies of its elements between bodies included */
  lane lane;
  double number[MAX_NUMBERS];
  broken_law law[3];
  bool floats; /* nothing but gravity acts from outside */
};

/* ---- The trial --------------------------------------------------------------------------------------------------- */

/* An element between two bodies: what it takes to cut there. */
typedef struct cuttable {
  int body[2];
  char name[16];
  bool is_joint;
  bool turns; /* its direction turns: ff only, at joints */
} cuttable;

typedef enum run_kind { WHOLE, CUT } run_kind;

struct trial {
  uint64_t seed, random;
  frame frame;
  bool turned;     /* the frame may turn: elements are isotropic */
  bool scaled;     /* its units may be others */
  bool whole_only; /* an element cannot be cut */
  bool smooth;     /* no law has kinks */
  bool is_twin;    /* the file leaves the integrator and its tolerances open */
  double gravity[2];
  double end;  /* s */
  double rate; /* of the fastest subset */
  int n_bodies;
  double mass[MAX_BODIES], inertia[MAX_BODIES];
  double pose[MAX_BODIES][3]; /* initial */
  int n_subsets;
  subset subset[MAX_SUBSETS];
  int n_cuttable, n_elements;
  char element[16]; /* the newest */
  int n_kinks;
  double kink[MAX_SUBSETS * MAX_TRIAL_KINKS]; /* s, of its laws of time */
  cuttable cuttable[MAX_CUTTABLE];
  /* How it is run */
  run_kind run;
  char integrator[20];
  int order;
  double rtol, atol;
  double step; /* s; 0: adaptive */
  double macro_step;
  int scheme_order;    /* of the worst scheme: the error falls with at least this power of the macro step */
  bool keeps_momentum; /* wrenches on both sides of all cuts are opposite */
  char label[64];      /* integrator or scheme */
  text bodies, joints, forces, cosim;
  text yaml;
  /* What trials of printed errors have beside, error_trial_make() */
  bool any_step;          /* macro steps and tolerances may be far too large */
  bool may_be_cut;        /* it will be, if it can */
  bool is_hard, is_rough; /* there are hard contacts; hard friction */
  bool is_linear;         /* laws of all elements that may be cut are */
  int n_rails, n_controls;
  double period; /* shortest one of sampled controllers; 0: not drawn yet */
  rail rail[MAX_SUBSETS];
  network network;
  text equations, parts, signals; /* of the section `cosim` the last two */
};

/* What both kinds of trials are made of. */
frame random_frame(trial *t);
void add_subset(trial *t, const subset_kind *kind);
const subset_kind *random_kind_of(trial *t, const subset_kind *kinds, size_t n);
void choose_integrator(trial *t);
void write_model(trial *t, double rows);

/* A trial of printed errors, error_make.c; make_network(): of equations alone. */
void error_trial_make(trial *t, uint64_t seed, bool plain);
void make_network(trial *t, bool has_whole);
/* Adds a subsystem that no whole has: it integrates a signal from the beginning of each macro step on, which nothing
 * reads. */
void add_idle_part(text *parts, text *signals, const char *from);

/* Makes the trial of a seed; `plain`: in the plain frame, whatever its frame is. */
void trial_make(trial *t, uint64_t seed, bool plain);
/* The whole mechanism of a seed in some frame, as far as frames may turn and be in other units, without tolerances; its
 * own integrator is not kept. */
void trial_make_twin(trial *t, uint64_t seed, const frame *f);

/* ---- Writing elements; places and numbers in plain units --------------------------------------------------------- */

double draw(trial *t, double low, double high); /* uniform */
double draw_log(trial *t, double low, double high);
broken_law draw_broken_law(trial *t, double size, int least); /* within the run */
int draw_below(trial *t, int n);
bool draw_chance(trial *t, double probability);

enum { GROUND = -1 };

/* Returns its number. */
int add_body(trial *t, double mass, double inertia, const double pose[3], const double velocity[3]);
void add_joint(trial *t, const char *type, int first, int second, const double P[2], const double *axis);
void add_distance(trial *t, int first, const double P[2], int second, const double Q[2]);
void add_gear(trial *t, int first, int second, double ratio);
/* Law in '@', of the coordinate beyond its initial value. of: "angle", "phi"; "x", "y" in frames that do not turn;
 * "distance" from P on the first to Q on the second. */
void add_motion(trial *t, const char *of, int first, int second, const double P[2], const double Q[2], const char *law);
void add_spring(trial *t, int first, const double P[2], int second, const double Q[2], const double *axis, double c,
                double d);
/* Pull as a law of s (in '@') and v (in '#'), s from the initial distance. */
void add_spring_law(trial *t, int first, const double P[2], int second, const double Q[2], const double *axis,
                    const char *law, double stiffness);
void add_torsion(trial *t, int first, int second, double c, double d);
void add_torsion_law(trial *t, int first, int second, const char *law, double stiffness);
void add_bushing(trial *t, int first, int second, const double P[2], const double c[3], const double d[3],
                 bool consistent);
void add_viscous(trial *t, int body, double linear, double angular);
/* A cylinder of numbers of order one, from the ground; units must not be scaled, and the trial is not cut. */
void add_cylinder(trial *t, const double P[2], int second, const double Q[2]);
/* Laws in '@'; at the centre of mass, global axes. NULL: none. */
void add_force(trial *t, int body, const char *x, const char *y);
void add_torque(trial *t, int body, const char *law);

/* Of rails. Circles of together `reach` about two centres; a wall across e, `gap` behind a circle about Q; a guide with
 * hard friction under a load across. Stiffnesses of contacts do not count as rates. */
void add_contact(trial *t, int first, const double P[2], int second, const double Q[2], double reach, double c,
                 double d);
void add_wall(trial *t, int body, const double Q[2], const double e[2], double gap, double c, double d);
void add_hard_wall(trial *t, int body, const double Q[2], const double e[2], double gap, double restitution);
void add_rubbing_guide(trial *t, int body, const double P[2], const double *axis, double friction, double load);
void add_control(trial *t, const lane *l, const rail *r, rail_control *c);
/* Signals from controllers to the parts of their bodies, part_of (n_bodies). */
void write_actuators(trial *t, const rail *r, const int *part_of);

/* The sections 'cosim' of a trial that is cut. */
void cut_at_random(trial *t);

#endif
