/* The exchange, the engine that passes signals between parts; the other engine is the master (master.h). Parts receive
 * outputs of other parts, extrapolated over a step by polynomials (holds). No coupling conditions are solved, and no
 * step is repeated. A round is a macro step of the exchange; each part takes one or more equal steps in it.
 *
 * An input of a part is u(t) = Σ (gain · hold(t) + offset) over its links. Corrections change inputs and outputs. */
#ifndef COSIM_COUPLING_EXCHANGE_H
#define COSIM_COUPLING_EXCHANGE_H

#include "cosim/coupling/hold_errors.h"
#include "cosim/parts/ensemble.h"

/* Stored macro points. A hold of order k uses k + 1 of them; the step control predicts the newest from k + 2 others. */
enum { COSIM_MAX_PAST = COSIM_MAX_HOLD + 3 };

typedef struct cosim_exchange cosim_exchange;
typedef struct cosim_correction cosim_correction;

void cosim_exchange_destroy(cosim_exchange *self);

/* cosim_exchange_start() begins at t with the outputs under zero inputs; FMUs in their initialization mode have none
 * before cosim_exchange_begin_fmus(). cosim_exchange_prescribe() replaces the newest outputs (n_outputs) of a part;
 * cosim_exchange_remember() adds older ones, newest first, up to COSIM_MAX_PAST points. */
void cosim_exchange_start(cosim_exchange *self, double t);
void cosim_exchange_prescribe(cosim_exchange *self, int part, const double *outputs);
void cosim_exchange_remember(cosim_exchange *self, int part, double t, const double *outputs);

/* Sets those inputs of FMUs that links give, and ends the initialization mode of the FMUs. An FMU comes after the parts
 * whose outputs determine its inputs. Then evaluates outputs with feedthrough. H: length of a macro step.
 * SEAM_BAD_INPUT naming the part; errors of cosim_order_evaluate(). */
seam_status cosim_exchange_begin_fmus(cosim_exchange *self, double H, seam_error *error);

/* Takes one round of length H > 0. SEAM_NOT_FINITE or an error of a part, both naming the part, or an error of a
 * correction. After a failure the exchange can only continue from a saved state. */
seam_status cosim_exchange_advance(cosim_exchange *self, double H, seam_error *error);

/* Advances the time by H, after the caller has advanced the only part by a step of this length. */
void cosim_exchange_advance_time(cosim_exchange *self, double H);

/* Returns the time of the next sample; INFINITY: no part is sampled. */
double cosim_exchange_next_sample(const cosim_exchange *self);
/* Takes all samples that are due. They read outputs from before all these samples. If a sample changes outputs, then
 * evaluates outputs with feedthrough. cosim_exchange_advance() ends with this call. Errors name the part. */
seam_status cosim_exchange_sample(cosim_exchange *self, seam_error *error);

/* Return the newest output of a part, and the input that links give a part from the newest outputs. */
double cosim_exchange_output(const cosim_exchange *self, int part, int output);
double cosim_exchange_input(const cosim_exchange *self, int part, int input);
/* Outputs jump at a macro point with samples. cosim_exchange_store_before() stores the outputs of a part just before;
 * cosim_exchange_input_before() returns the input that links give from the stored outputs. */
void cosim_exchange_store_before(cosim_exchange *self, int part);
double cosim_exchange_input_before(const cosim_exchange *self, int part, int input);
/* Returns the sum of the offsets of an input's links. */
double cosim_exchange_offset(const cosim_exchange *self, int part, int input);

/* State: n_state numbers, from which a run continues bit-identically; 0 if some part cannot restore a state. */
size_t cosim_exchange_n_state(const cosim_exchange *self);
void cosim_exchange_save(const cosim_exchange *self, double *state);
void cosim_exchange_restore(cosim_exchange *self, const double *state);

/* Creates a model-based correction ([Haid]). At the end of a macro step it corrects the errors that extrapolated inputs
 * cause in the outputs. An offset of the inputs over the next step corrects the errors of the states. Nothing is
 * corrected until the derivatives of all parts are known, since corrections of some parts may excite the others. `def`
 * must live until the exchange is created. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status cosim_model_based_correction_create(const cosim_model_based_def *def, cosim_correction **correction,
                                                seam_error *error);
/* Offsets δu of a part's inputs (n_inputs) over its next step; callers may change them. */
double *cosim_model_based_offset(cosim_correction *base, int part);
/* Returns true if the derivatives of a part are given or identified. */
bool cosim_model_based_is_identified(const cosim_correction *base, int part);
/* Finds in one exchange what cosim_unidentified_part() finds in a simulation. */
const char *cosim_exchange_unidentified_part(const cosim_exchange *self);

/* ---- Internals ---- */

/* Errors of holds of orders 0 to COSIM_MAX_HOLD for one signal, at the next macro point (hold_errors.c). */
typedef struct cosim_hold_statistics {
  double n, mean, square;                  /* number of macro points; mean of values; Σ (value - mean)² */
  double square_error[COSIM_MAX_HOLD + 1]; /* Σ error² */
} cosim_hold_statistics;

typedef struct cosim_link {
  const char *name;            /* name for messages */
  int from, output, to, input; /* indices of parts and of their signals */
  int rate;                    /* output that is the signal's rate; -1: no output is */
  double rate_gain;            /* factor of that output */
  double gain, offset;
  int order;
  bool smooth;
  cosim_signal hold;           /* hold over the receiver's present step, without gain and offset */
  double end_value, end_slope; /* value and slope (per second) of the hold at the end of the receiver's present step */
  double value_at_step;        /* newest value of the source up to the receiver's step; only under Gauss-Seidel,
                                  if lengths of steps differ */
  double before;               /* gain · value + offset at the present macro point, before samples change the value */
  bool is_monitored;
  cosim_hold_statistics statistics; /* errors of the hold, if is_monitored */
} cosim_link;

/* Present and past macro points of one part; history[p] belongs to part p. Its inputs after corrections, outputs and
 * derivatives are in parts->member[p]. */
typedef struct cosim_participant_history {
  int steps;
  int stride;     /* number of ticks in a step */
  int first_link; /* index of the first link to the part's inputs; its links end before first_link of the next part */
  double t, H;    /* s, time of the part's present macro point; length of its present or last step (0: no step yet) */
  cosim_signal *uncorrected; /* (n_inputs) inputs over the present or last step, without corrections */
  int n_known;               /* number of known macro points; `time` and `past` list the newest first */
  double time[COSIM_MAX_PAST];
  double *past; /* (COSIM_MAX_PAST x n_outputs) outputs at the known macro points */
} cosim_participant_history;

typedef struct cosim_bond_port {
  int part, input, output;
  double factor;
  double link_value; /* value that links give the input at the beginning of the round */
} cosim_bond_port;

/* Ports that exchange power with each other. Residual power of the round from T to T + H: Σ factor · u(T) · y(T + H)
 * over ports, with the inputs u before corrections and the outputs y. It is positive if the exchange creates energy. */
typedef struct cosim_bond {
  const char *name;
  cosim_bond_port *ports;
  int n_ports;
  double energy_scale; /* J */
  double tolerance;    /* tolerance r of the residual energy (step_control.c); 0: the tolerance of the step control */
  cosim_bond_energy energy;
} cosim_bond;

/* Occasions of an evaluation of outputs. At the start: all except motions of bodies. At macro points: outputs of
 * algebraic parts and of loops. At samples: outputs with feedthrough from sampled outputs. */
typedef enum cosim_occasion { COSIM_AT_START, COSIM_AT_POINTS, COSIM_AT_SAMPLES, COSIM_N_OCCASIONS } cosim_occasion;

/* An input or output of a member of an exchange. */
typedef struct cosim_terminal {
  int member, number;
} cosim_terminal;

/* Outputs of one member that are evaluated together, or the outputs of an algebraic loop. */
typedef struct cosim_group {
  int first, n; /* range in `nodes` */
  bool is_loop;
} cosim_group;

/* Outputs with feedthrough, each one after the outputs on which it depends. */
typedef struct cosim_order {
  cosim_terminal *nodes; /* outputs, in the order of dependence */
  cosim_group *groups;
  int n_nodes, n_groups;
  int n_in_loop;   /* number of nodes of the largest loop */
  double *scratch; /* memory of Newton's method; NULL: not needed yet */
  int *pivots;
} cosim_order;

struct cosim_exchange {
  cosim_parts *parts;
  cosim_participant_history *history; /* (n) */
  int n;
  cosim_link *links; /* sorted by receiver */
  int n_links;
  cosim_bond *bonds;
  int n_bonds;
  cosim_bond_port *ports; /* ports of all bonds */
  cosim_order order[COSIM_N_OCCASIONS];
  double *sampled; /* scratch: inputs of a part, or outputs before a sample */
  bool *jumps;     /* (n) scratch: a sample may have changed the part's outputs; at the start: the part begins next */
  cosim_correction **corrections;
  int n_corrections;
  bool gauss_seidel, one_rate;
  bool needs_derivatives; /* some correction needs derivatives of the parts */
  int ticks;   /* number of ticks: equal intervals of a round, such that every part's step ends at the end of a tick */
  double t, H; /* s, beginning of the present round or end of the last one; length of the round */
  bool begun;  /* the first round has begun */
  bool was_sampled;  /* a sample changed outputs at the present macro point */
  bool ends_at_jump; /* set before a round: a function of time may jump at its end */
};

static inline bool cosim_is_sampled(const cosim_part *part) { return part->ops->sample != NULL; }
static inline bool cosim_is_held(const cosim_part *part, int output) {
  return cosim_is_sampled(part) && (part->held == NULL || part->held[output]);
}

/* ---- Corrections: embed as first member; every hook except destroy may be NULL ---- */

typedef struct cosim_correction_ops {
  /* Checks names and allocates memory; called once, when the exchange has its parts and links. */
  seam_status (*bind)(cosim_correction *self, cosim_exchange *exchange, seam_error *error);
  /* Called before the first round, when outputs and past are known. */
  void (*start)(cosim_correction *self, cosim_exchange *exchange);
  /* Called before a step from history[part].t: may change member[part].inputs, fills in member[part].seeds. */
  void (*adjust_inputs)(cosim_correction *self, cosim_exchange *exchange, int part);
  /* Called after a part's step: may change its newest outputs, history[part].past[0 .. n_outputs). */
  void (*observe)(cosim_correction *self, cosim_exchange *exchange, int part);
  /* Called at the end of a round, at exchange->t, when bonds are up to date: may change newest outputs. */
  seam_status (*end_round)(cosim_correction *self, cosim_exchange *exchange, seam_error *error);
  /* Copies n_state numbers; not called if self->state is set. */
  void (*copy_state)(cosim_correction *self, cosim_image *image);
  void (*destroy)(cosim_correction *self);
  /* Returns the counts of rounds, and of rounds in which the limit was reached. */
  cosim_limit_reached (*limit_reached)(const cosim_correction *self);
} cosim_correction_ops;

struct cosim_correction {
  const cosim_correction_ops *ops;
  double *state;         /* (n_state) zero before the first round; NULL: copy_state() copies the state */
  size_t n_state;        /* known after bind() */
  size_t n_counters;     /* number of times and counts, with which the state begins; a round is not linear in them */
  int n_seeds_per_input; /* seeds (directions of differentiation) per input; member[part].seeds lists them by input */
};

/* Evaluates outputs with feedthrough, as before the first round. H: length of a macro step. Does nothing for
 * COSIM_AT_POINTS if a model-based correction computes these outputs. Errors of cosim_order_evaluate(). */
seam_status cosim_exchange_evaluate(cosim_exchange *self, cosim_occasion occasion, double H, seam_error *error);
/* Returns the least order of the holds, except those of sampled outputs, which are exact; COSIM_MAX_HOLD: no links. */
int cosim_exchange_least_order(const cosim_exchange *self);

/* ---- Outputs with feedthrough: order.c ---- */

/* Finds the order of evaluation on one occasion. The exchange must have its members and links. Free with
 * cosim_order_free(), also after a failure. SEAM_NO_MEMORY. */
seam_status cosim_order_find(const cosim_exchange *exchange, cosim_occasion occasion, cosim_order *order,
                             seam_error *error);
void cosim_order_free(cosim_order *order);

/* Evaluates the outputs order->nodes of the members that have reached t; H is the length of a macro step. A link
 * transmits the newest output of its source. If the source has not reached t, the link transmits the end value of its
 * hold. A part that cannot evaluate outputs takes a step of 1e-9 H and is restored. SEAM_NOT_CONVERGED naming a loop;
 * SEAM_NOT_FINITE and errors of a part, both naming the part. */
seam_status cosim_order_evaluate(cosim_exchange *exchange, cosim_order *order, double t, double H, seam_error *error);

/* Checks outputs (n_outputs) of a part: SEAM_NOT_FINITE naming the part. */
seam_status cosim_exchange_check_outputs(const cosim_exchange *self, int part, const double *outputs,
                                         seam_error *error);

/* ---- Quality: hold_errors.c ---- */

/* Adds the errors of holds in this round to the sums of their links; called after its steps, before its samples. */
void cosim_exchange_add_hold_errors(cosim_exchange *self);
/* Find in one exchange what cosim_worst_hold() and cosim_most_limited() find in a simulation. */
bool cosim_exchange_worst_hold(const cosim_exchange *self, cosim_hold_error *found);
bool cosim_exchange_most_limited(const cosim_exchange *self, cosim_limit_reached *found);

/* ---- Creation ---- */

typedef struct cosim_member_def {
  cosim_part *part;
  int steps; /* macro steps in a round, at least 1 */
} cosim_member_def;

/* Contents of an exchange. cosim_exchange_make() copies links, bonds and the ports of bonds. */
typedef struct cosim_exchange_plan {
  cosim_member_def *members;
  int n_members;
  cosim_link *links; /* only the fields up to `smooth`, and is_monitored, are set */
  int n_links;
  cosim_bond *bonds;
  int n_bonds;
  cosim_correction **corrections;
  int n_corrections; /* number of corrections, which act in the order of the list */
  bool gauss_seidel;
  int n_threads; /* 0: chosen by trial */
} cosim_exchange_plan;

/* Takes ownership of parts and corrections, also on failure. SEAM_BAD_INPUT naming the part; SEAM_NO_MEMORY. */
seam_status cosim_exchange_make(const cosim_exchange_plan *plan, cosim_exchange **created, seam_error *error);

/* Creates an energy correction of a part for n_bonds >= 1 bonds, given by their indices in the exchange. Each bond has
 * a port at this part for every coordinate of the force, in the same order. An index of -1 says that a bond is missing:
 * creating the exchange then fails. Definitions of corrections must live until the exchange is created. */
seam_status cosim_energy_correction_at(const cosim_energy_correction_def *def, const int *bonds, int n_bonds, int part,
                                       cosim_correction **correction, seam_error *error);
typedef struct cosim_balance_signals {
  int part, input;
  int integral_of, integral; /* part, and its output that is the integral of the linked signal; -1: no output is */
} cosim_balance_signals;
seam_status cosim_balance_correction_at(const cosim_balance_correction_def *def, const cosim_balance_signals *signals,
                                        cosim_correction **correction, seam_error *error);

/* Returns how many numbers at the beginning of a saved state are times, counts and sums. A round of linear parts and
 * corrections maps the numbers after them linearly. */
size_t cosim_exchange_n_counters(const cosim_exchange *self);

#endif
