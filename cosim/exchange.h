/* Explicit exchange of named signals between parts: nobody goes back, nobody gives derivatives.
 *
 * Time runs in rounds. In a round of length H every part takes its own number of macro steps of equal length; at the
 * end of a round all stand at the same time. An input of a part is a sum over links,
 *
 *   u(t) = Σ gain · hold(t),
 *
 * where the hold of order k is the polynomial through the last k + 1 macro points of the source (fewer while fewer are
 * known), or value + rate (t - T) where the source gives its rate. Jacobi: all that a step sees is older than its
 * beginning. Gauss-Seidel: parts go in their order, and what earlier ones have reached is known to later ones.
 *
 * Corrections change inputs and outputs on the way (cosim/corrections/), controllers propose the length of the next
 * round (cosim/step_control.h). */
#ifndef COSIM_EXCHANGE_H
#define COSIM_EXCHANGE_H

#include "cosim/parts.h"

enum { cosim_most_hold = 4, cosim_most_past = cosim_most_hold + 1 };

/* ---- Definition: names are "part.signal"; texts and arrays are not needed after creation ---- */

typedef struct cosim_member_def {
  cosim_part *part;           /* its name is that of the member */
  const char *const *inputs;  /* (n_inputs) names */
  const char *const *outputs; /* (n_outputs) names */
  int steps;                  /* macro steps in a round, at least 1 */
} cosim_member_def;

typedef struct cosim_link_def {
  const char *from, *to; /* an output, an input */
  double gain;
  int order;        /* of the hold, 0 to 4 */
  const char *rate; /* output of the same part that is the derivative of `from`: then the order is 1; NULL: none */
  bool smooth;      /* what jumps at a macro point, value and slope, fades along a cubic over the step */
} cosim_link_def;

/* Power enters a part here: sign · input · output. */
typedef struct cosim_port_def {
  const char *input, *output; /* of one part */
  int sign;
} cosim_port_def;

/* Ports that exchange power with each other, component by component. */
typedef struct cosim_bond_def {
  const char *name;
  const cosim_port_def *ports;
  int n_ports;
} cosim_bond_def;

typedef struct cosim_correction cosim_correction;

typedef struct cosim_exchange_def {
  const cosim_member_def *members;
  int n_members;
  const cosim_link_def *links;
  int n_links;
  const cosim_bond_def *bonds;
  int n_bonds;
  cosim_correction *const *corrections; /* in the order in which they act */
  int n_corrections;
  bool gauss_seidel;
} cosim_exchange_def;

/* ---- The exchange: open to corrections and controllers ---- */

typedef struct cosim_link {
  int from, output, to, input; /* numbers of parts and of their signals */
  int rate;                    /* output; -1: none */
  double gain;
  int order;
  bool smooth;
  cosim_signal hold; /* over the present step of the receiver, without the gain */
} cosim_link;

/* A part at its macro points. Inputs (shaped), outputs and answers are in parts->member[number]. */
typedef struct cosim_station {
  const char *const *inputs, *const *outputs; /* names */
  int steps;
  double t, H;        /* its present macro point; its present, or else its last step */
  cosim_signal *held; /* (n_inputs) what the links give over that step, before corrections */
  int n_known;        /* macro points known, the newest first: */
  double time[cosim_most_past];
  double *past; /* (cosim_most_past x n_outputs) */
} cosim_station;

typedef struct cosim_port {
  int part, input, output;
  double sign;
  double given; /* value of the input at the beginning of the round, as the links give it */
} cosim_port;

/* Residual: Σ sign · u(T) · y(T + H), positive when the exchange creates energy. */
typedef struct cosim_bond {
  const char *name;
  cosim_port *ports;
  int n_ports;
  double residual_power;  /* W, of the last round */
  double residual_energy; /* J, summed since the start */
  double power;           /* W, into the part of the first port, at the present point */
} cosim_bond;

typedef struct cosim_exchange {
  cosim_parts *parts;
  cosim_station *station; /* (n) */
  int n;
  cosim_link *links;
  int n_links;
  cosim_bond *bonds;
  int n_bonds;
  cosim_port *ports; /* of all bonds */
  cosim_correction **corrections;
  int n_corrections;
  bool gauss_seidel;
  int ticks;   /* in a round: every macro point falls on one */
  double t, H; /* end of the last round, its length */
} cosim_exchange;

/* ---- Corrections: embed as first member; every hook may be NULL ---- */

typedef struct cosim_correction_ops {
  /* Once the exchange is made: find names, allocate. */
  seam_status (*bind)(cosim_correction *self, cosim_exchange *exchange, seam_error *error);
  /* First macro point: outputs and past are known. */
  void (*start)(cosim_correction *self, cosim_exchange *exchange);
  /* A part begins the step t to t + H of its station: member[part].inputs may be changed, directions filled in. */
  void (*shape)(cosim_correction *self, cosim_exchange *exchange, int part);
  /* A part has taken its step: its station's newest outputs, time[0] and past[0 .. n_outputs), may be changed. */
  void (*observe)(cosim_correction *self, cosim_exchange *exchange, int part);
  /* End of a round: all parts stand at exchange->t; bonds are up to date. Newest outputs may be changed. */
  seam_status (*settle)(cosim_correction *self, cosim_exchange *exchange, seam_error *error);
  void (*save)(const cosim_correction *self, double *state);
  void (*restore)(cosim_correction *self, const double *state);
  void (*destroy)(cosim_correction *self);
} cosim_correction_ops;

struct cosim_correction {
  const cosim_correction_ops *ops;
  size_t n_state; /* numbers that save() writes; known after bind() */
  int answers;    /* directions wanted for each input of the parts that give derivatives; member[part].directions holds
                     them input by input, member[part].changes the answers */
};

/* ---- Running ---- */

/* Takes parts and corrections (destroyed with the exchange, also on failure). SEAM_BAD_INPUT naming the link, port or
 * part; SEAM_NO_MEMORY. */
seam_status cosim_exchange_create(const cosim_exchange_def *def, cosim_exchange **created, seam_error *error);
void cosim_exchange_destroy(cosim_exchange *self);

/* Begins at t with the outputs that the parts measure; those of a part may then be prescribed instead (n_outputs), and
 * its past given, the newest first: each older than what is known. */
void cosim_exchange_start(cosim_exchange *self, double t);
void cosim_exchange_prescribe(cosim_exchange *self, int part, const double *outputs);
void cosim_exchange_remember(cosim_exchange *self, int part, double t, const double *outputs);

/* One round. What a part or correction returned, naming the part. */
seam_status cosim_exchange_advance(cosim_exchange *self, double H, seam_error *error);

/* The newest output of a part; what the links say to an input from the newest outputs. */
double cosim_exchange_output(const cosim_exchange *self, int part, int output);
double cosim_exchange_input(const cosim_exchange *self, int part, int input);

/* Number of a part and its signal by "part.signal"; SEAM_BAD_INPUT with `place` before the message. */
seam_status cosim_exchange_find_input(const cosim_exchange *self, const char *place, const char *name, int *part,
                                      int *input, seam_error *error);
seam_status cosim_exchange_find_output(const cosim_exchange *self, const char *place, const char *name, int *part,
                                       int *output, seam_error *error);

/* Everything that decides the future, to the bit; 0: a part cannot go back. */
size_t cosim_exchange_n_state(const cosim_exchange *self);
void cosim_exchange_save(const cosim_exchange *self, double *state);
void cosim_exchange_restore(cosim_exchange *self, const double *state);

#endif
