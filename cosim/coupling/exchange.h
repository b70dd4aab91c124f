/* Explicit exchange of named signals, as corrections and the control of steps see it.
 *
 * An input of a part is u(t) = Σ gain · hold(t) + offset over its links; corrections change inputs and outputs. */
#ifndef COSIM_EXCHANGE_EXCHANGE_H
#define COSIM_EXCHANGE_EXCHANGE_H

#include "cosim/coupling/hold_errors.h"
#include "cosim/coupling/order.h"
#include "cosim/parts/ensemble.h"

/* Points of the past: a hold of order k needs k + 1, a prediction of order k + 1 beside the newest point k + 3. */
enum { COSIM_MAX_PAST = COSIM_MAX_HOLD + 3 };

typedef struct cosim_exchange cosim_exchange;
typedef struct cosim_correction cosim_correction;

void cosim_exchange_destroy(cosim_exchange *self);

/* Begins at t with the outputs of the parts under zero inputs. The outputs of a part (n_outputs) may then be prescribed
 * instead, and its past given, the newest point first; points beyond the highest order are not used. */
void cosim_exchange_start(cosim_exchange *self, double t);
void cosim_exchange_prescribe(cosim_exchange *self, int part, const double *outputs);
void cosim_exchange_remember(cosim_exchange *self, int part, double t, const double *outputs);

/* Takes one round of length H > 0. SEAM_NOT_FINITE, or what a part or a correction returned, naming the part; after a
 * failure the exchange can only continue from a saved state. */
seam_status cosim_exchange_advance(cosim_exchange *self, double H, seam_error *error);

double cosim_exchange_time(const cosim_exchange *self);
/* Advances its clock by a step that its only member took without it. */
void cosim_exchange_pass(cosim_exchange *self, double H);

/* The first sample of its parts that is ahead; INFINITY: none. */
double cosim_exchange_next_sample(const cosim_exchange *self);
/* Samples the parts that are due, all with the outputs before; renews the outputs that follow from theirs at once. The
 * end of a round does so itself. SEAM_NOT_FINITE, or what a part returned, naming the part. */
seam_status cosim_exchange_sample(cosim_exchange *self, seam_error *error);

/* The newest output of a part; the value that the links give to an input from the newest outputs. */
double cosim_exchange_output(const cosim_exchange *self, int part, int output);
double cosim_exchange_input(const cosim_exchange *self, int part, int input);
/* Keeps the newest outputs of a part as those at the present macro point before the samples there; gives the value of
 * an input from outputs so kept. */
void cosim_exchange_keep_before(cosim_exchange *self, int part);
double cosim_exchange_input_before(const cosim_exchange *self, int part, int input);
/* Constant part of the value of an input: the sum of the offsets of its links. */
double cosim_exchange_offset(const cosim_exchange *self, int part, int input);

/* Everything that determines the continuation, to the bit; n_state is 0 where a part cannot restore a state. */
size_t cosim_exchange_n_state(const cosim_exchange *self);
void cosim_exchange_save(const cosim_exchange *self, double *state);
void cosim_exchange_restore(cosim_exchange *self, const double *state);

cosim_bond_energy cosim_exchange_energy(const cosim_exchange *self, int bond);

/* The definition lives until the exchange is created. */
seam_status cosim_model_based_correction_create(const cosim_model_based_def *def, cosim_correction **correction,
                                                seam_error *error);

/* ---- Inside ---- */

/* Misses of the newest value of a signal by holds of orders 0 to COSIM_MAX_HOLD through the macro points before. */
typedef struct cosim_hold_watch {
  double n, mean, square;            /* macro points; of the values there, square deviations summed up */
  double missed[COSIM_MAX_HOLD + 1]; /* sums of squares */
} cosim_hold_watch;

typedef struct cosim_link {
  const char *name;            /* for messages at the creation */
  int from, output, to, input; /* numbers of parts and of their signals */
  int rate;                    /* output; -1: none */
  double gain, offset;
  int order;
  bool smooth;
  cosim_signal hold;           /* over the present step of the receiver, without gain and offset */
  double end_value, end_slope; /* of the hold at the end of that step; 1/s */
  double before;               /* its part of the input at the present macro point before the samples there */
  bool is_watched;
  cosim_hold_watch watch; /* ... by this */
} cosim_link;

/* A part at its macro points. Inputs (after corrections), outputs and derivatives are in parts->member[number]. */
typedef struct cosim_participant_history {
  int steps;
  int stride;         /* ticks that a step lasts */
  int first_link;     /* its links lie one after the other, up to those of the next part */
  double t, H;        /* its present macro point; its present, or else its last step, 0 before the first */
  cosim_signal *held; /* (n_inputs) the inputs by the links over that step, before corrections */
  int n_known;        /* macro points known, the newest first: */
  double time[COSIM_MAX_PAST];
  double *past; /* (COSIM_MAX_PAST x n_outputs) */
} cosim_participant_history;

typedef struct cosim_bond_port {
  int part, input, output;
  double factor;
  double given; /* value of the input at the beginning of the round, as the links give it */
} cosim_bond_port;

/* Residual: Σ factor · u(T) · y(T + H), positive when the exchange creates energy. */
typedef struct cosim_bond {
  const char *name;
  cosim_bond_port *ports;
  int n_ports;
  double energy_scale; /* J */
  double tolerance;    /* 0: that of the control of steps */
  cosim_bond_energy energy;
} cosim_bond;

struct cosim_exchange {
  cosim_parts *parts;
  cosim_participant_history *history; /* (n) */
  int n;
  cosim_link *links; /* in the order of their receivers */
  int n_links;
  cosim_bond *bonds;
  int n_bonds;
  cosim_bond_port *ports; /* of all bonds */
  cosim_order order[COSIM_N_OCCASIONS];
  double *sampled; /* scratch: inputs of a sample, or as many outputs before it */
  bool *jumps;     /* (n) scratch: parts whose outputs a sample has changed, perhaps */
  cosim_correction **corrections;
  int n_corrections;
  bool gauss_seidel, one_rate;
  bool needs_derivatives; /* some correction needs them */
  int ticks;              /* in a round: every macro point falls on one */
  double t, H;            /* beginning of the present round, after it its end; its length */
  bool begun;             /* a first round */
  bool was_sampled;       /* at the present macro point */
};

static inline bool cosim_is_sampled(const cosim_part *part) { return part->ops->sample != NULL; }
static inline bool cosim_is_held(const cosim_part *part, int output) {
  return cosim_is_sampled(part) && (part->held == NULL || part->held[output]);
}

/* ---- Corrections: embed as first member; every hook but destroy may be NULL ---- */

typedef struct cosim_correction_ops {
  /* Finds names and allocates, once the exchange is made. */
  seam_status (*bind)(cosim_correction *self, cosim_exchange *exchange, seam_error *error);
  /* The first round begins: outputs and past are known. */
  void (*start)(cosim_correction *self, cosim_exchange *exchange);
  /* A part begins the step t to t + H of its history: member[part].inputs may be changed, seeds filled in. */
  void (*shape)(cosim_correction *self, cosim_exchange *exchange, int part);
  /* A part has taken its step: the newest outputs of its history, time[0] and past[0 .. n_outputs), may be changed. */
  void (*observe)(cosim_correction *self, cosim_exchange *exchange, int part);
  /* End of a round: all parts have reached exchange->t; bonds are up to date. Newest outputs may be changed. */
  seam_status (*settle)(cosim_correction *self, cosim_exchange *exchange, seam_error *error);
  void (*save)(const cosim_correction *self, double *state);
  void (*restore)(cosim_correction *self, const double *state);
  void (*destroy)(cosim_correction *self);
  /* Counts the rounds in which it reached its limit. */
  cosim_limit_reached (*limit_reached)(const cosim_correction *self);
} cosim_correction_ops;

struct cosim_correction {
  const cosim_correction_ops *ops;
  size_t n_state;        /* numbers that save() writes; known after bind() */
  size_t n_clock;        /* the first of them that a round does not map linearly */
  int n_seeds_per_input; /* seeds for each input of the parts that give derivatives; member[part].seeds has them input
                  by input, member[part].derivatives the derivatives along them */
};

/* Newest outputs (n_outputs) of a part that are not finite: SEAM_NOT_FINITE, naming it. */
seam_status cosim_exchange_check_outputs(const cosim_exchange *self, int part, const double *outputs,
                                         seam_error *error);
/* Evaluates the outputs that follow inputs at once, under the newest outputs: before the first round, for macro steps
 * H, or after a kink or event. Fails as cosim_order_evaluate() does. */
seam_status cosim_exchange_evaluate(cosim_exchange *self, cosim_occasion occasion, double H, seam_error *error);
/* The least order of the holds, without those of sampled outputs, which are exact; COSIM_MAX_HOLD without links. */
int cosim_exchange_least_order(const cosim_exchange *self);

/* ---- What it shows of itself: watch.c ---- */

/* Adds the misses of holds, after the parts of a round and before its samples. */
void cosim_exchange_watch(cosim_exchange *self);
/* See cosim_worst_hold() and cosim_most_limited(). */
bool cosim_exchange_worst_hold(const cosim_exchange *self, cosim_hold_error *found);
bool cosim_exchange_most_limited(const cosim_exchange *self, cosim_limit_reached *found);

/* ---- Creation ---- */

typedef struct cosim_member_def {
  cosim_part *part;
  int steps; /* macro steps in a round, at least 1 */
} cosim_member_def;

/* Links and bonds, with their ports, are copied. */
typedef struct cosim_exchange_plan {
  const cosim_member_def *members;
  int n_members;
  const cosim_link *links; /* up to `smooth` */
  int n_links;
  const cosim_bond *bonds;
  int n_bonds;
  cosim_correction *const *corrections;
  int n_corrections; /* in the order in which they act */
  bool gauss_seidel;
  int n_threads; /* 0: by trial */
} cosim_exchange_plan;

/* Takes parts and corrections (destroyed with the exchange, also on failure). SEAM_BAD_INPUT naming the part;
 * SEAM_NO_MEMORY. */
seam_status cosim_exchange_make(const cosim_exchange_plan *plan, cosim_exchange **created, seam_error *error);
/* Destroys parts and corrections of a plan that were not taken. */
void cosim_exchange_plan_drop(const cosim_exchange_plan *plan);

/* Corrections: of bonds (n_bonds, at least 1; -1: there is none, which is refused) at one of their parts, which has the
 * same directions in each; of an input where, from `integral_of`, an output is its integral, -1: none. The definition
 * lives until the exchange is created. */
seam_status cosim_energy_correction_at(const cosim_energy_correction_def *def, const int *bonds, int n_bonds, int part,
                                       cosim_correction **correction, seam_error *error);
typedef struct cosim_balance_signals {
  int part, input, integral_of, integral;
} cosim_balance_signals;
seam_status cosim_balance_correction_at(const cosim_balance_correction_def *def, const cosim_balance_signals *signals,
                                        cosim_correction **correction, seam_error *error);

/* The first n_clock numbers of a saved state are times, counts and sums; the others, of linear parts and corrections,
 * are mapped linearly by a round. */
size_t cosim_exchange_n_clock(const cosim_exchange *self);

#endif
