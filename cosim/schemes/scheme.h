/* Coupling schemes: which variables are exchanged, how they are approximated, which conditions they meet.
 *
 * A scheme combines a decomposition, a method, and an order k or a number of stages s. A rule approximates each
 * coupling variable w over a macro step, 0 <= τ <= 1. It is linear in values of w at nodes,
 *
 *   w(τ) = Σ w_new b_new(τ) + Σ w_history b_history(τ)
 *
 * The new values follow from as many conditions, at the end of the step and, with collocation, at inner nodes. ([Li]
 * 3.1, 3.4, 4.1 to 4.3, 4.7; docs/conventions.md; docs/theory.md, Collocation.) */
#ifndef COSIM_SCHEME_H
#define COSIM_SCHEME_H

#include <stdbool.h>

#include <seam/status.h>

#include "cosim/parts/signal.h"

enum {
  COSIM_MAX_ORDER = 3, /* highest order of polynomials through the past */
  COSIM_MAX_HISTORY = COSIM_MAX_ORDER + 1,
  COSIM_MAX_VARIABLES = 4,
  COSIM_MAX_STAGES = 5, /* stages of collocation: nodes at which conditions hold, the last at the end of the step */
  COSIM_MAX_NEW = COSIM_MAX_STAGES + 1,
  COSIM_MAX_INNER = 2 * COSIM_MAX_STAGES /* nodes inside the step at which parts write outputs for collocation */
};

/* Meaning of a coupling variable. A COSIM_MOTION and its derivative are the inputs for position and velocity. */
typedef enum cosim_kind {
  COSIM_FORCE,
  COSIM_POSITION,
  COSIM_VELOCITY,
  COSIM_ACCELERATION,
  COSIM_MOTION,
  cosim_n_kinds
} cosim_kind;

typedef enum cosim_method {
  /* constitutive cuts */
  COSIM_PLAIN,
  COSIM_D,
  COSIM_I,
  /* constraint cuts */
  COSIM_BAUMGARTE,
  COSIM_WEIGHTED,
  COSIM_PROJECTION,
  COSIM_INDEX2,
  COSIM_INDEX1,
  /* both kinds of cuts */
  COSIM_COLLOCATION,
  cosim_n_methods
} cosim_method;

typedef enum cosim_iteration {
  COSIM_EXPLICIT, /* no correction by the master */
  COSIM_SEMI,     /* semi-implicit: one correction */
  COSIM_UPDATE,   /* one correction that does not repeat the step (corrector.c) */
  COSIM_IMPLICIT, /* corrections until they are small */
  COSIM_EXCHANGE  /* explicit exchange of signals, without the master (cosim/coupling/exchange.h) */
} cosim_iteration;

typedef struct cosim_variable {
  cosim_kind kind;
  int source; /* side whose motion the variable carries; -1: it carries no motion */
  int target; /* side that receives the variable; -1: both sides receive it, as forces of opposite signs */
} cosim_variable;

typedef enum cosim_decomposition { COSIM_FF, COSIM_FD, COSIM_DF, COSIM_DD, cosim_n_decompositions } cosim_decomposition;

typedef struct cosim_scheme {
  const char *name;   /* borrowed: the text that was read; NULL: no scheme */
  bool at_constraint; /* scheme for a cut joint; else for a cut force element */
  bool at_both;       /* scheme for both kinds of cuts: at_constraint is false until cosim_scheme_at() sets it */
  cosim_decomposition decomposition;
  int n_variables;
  cosim_variable variable[COSIM_MAX_VARIABLES];
  cosim_method method;
  int order; /* k; collocation: s, which is the degree of forces */
  cosim_iteration iteration;
  double beta, gamma;     /* Baumgarte: g + β g' + γ g'' = 0 */
  bool is_physical;       /* β in s, γ in s²; else in units of H, H² */
  double weight[3];       /* weighted: weights of the solutions of g = 0, g' = 0, g'' = 0; their sum is 1 */
  double nodes[2];        /* index2, index1: inner nodes of the multiplier, descending; 0: no node */
  bool predicts_by_inner; /* predictors go through inner nodes of the last step, [Li] (3.41), (4.67), (4.82); for k = 0
                             the alternative below (3.42) */
} cosim_scheme;

/* Reads DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION]: "ff-k1", "fd-d-k2-implicit",
 * "ff-baumgarte(index=2,mu=5)-k0", "ff-colloc-s3", ... SEAM_BAD_INPUT: *column (may be NULL) is the index of the byte
 * at which the error is. */
seam_status cosim_scheme_parse(const char *name, cosim_scheme *scheme, size_t *column, seam_error *error);
/* Reads a name by cosim_scheme_parse(). The message of SEAM_BAD_INPUT also names the scheme. */
seam_status cosim_scheme_read(const char *name, cosim_scheme *scheme, seam_error *error);
/* Sets the kind of cut, joint or force element. SEAM_BAD_INPUT if the scheme is for the other kind. */
seam_status cosim_scheme_at(cosim_scheme *scheme, bool at_constraint, seam_error *error);
/* Reads a scheme, then sets the kind of cut. */
seam_status cosim_scheme_for(const char *name, bool at_constraint, cosim_scheme *scheme, seam_error *error);

/* Writes the name of a semi-implicit scheme with default options, for one kind of cut. number: its place, from 0, in
 * the order of the tables in scheme.c. Returns false if there are fewer schemes. */
bool cosim_scheme_listed(bool at_constraint, size_t number, char *name, size_t size);

const char *cosim_decomposition_name(cosim_decomposition decomposition);
const char *cosim_method_name(cosim_method method);
const char *cosim_iteration_name(cosim_iteration iteration);

static inline bool cosim_scheme_corrects(const cosim_scheme *scheme) {
  return scheme->iteration == COSIM_SEMI || scheme->iteration == COSIM_UPDATE || scheme->iteration == COSIM_IMPLICIT;
}

/* Returns true if side 0 or 1 receives a variable of this kind. */
bool cosim_scheme_drives(const cosim_scheme *scheme, int side, cosim_kind kind);
/* Returns true if a side receives positions and velocities of the other side. */
bool cosim_scheme_receives_motion(const cosim_scheme *scheme, int side);

/* Returns the number of inner nodes, 0 without collocation, and lists them. The s - 1 nodes of forces and motions come
 * first (none in dd at joints), then the nodes of multipliers; each group descends. */
int cosim_inner_nodes(const cosim_scheme *scheme, const double **node);
/* Returns the number of multiplier nodes, 0 unless accelerations are prescribed. *first: index of the first one among
 * the inner nodes. */
int cosim_multiplier_nodes(const cosim_scheme *scheme, int *first);

/* Approximation of one variable over a macro step: w(τ) = Σ new value · of_new(τ) + Σ known value · of_history(τ). */
typedef struct cosim_rule {
  int n_new;     /* number of new values, at nodes from τ = 1 down; the last one of a motion is its slope at τ = 1 */
  int n_history; /* number of known values, at past nodes, newest first; or value and slope of a motion at τ = 0 */
  cosim_signal of_new[COSIM_MAX_NEW];
  cosim_signal of_history[COSIM_MAX_HISTORY];
  double node[COSIM_MAX_NEW];                                                /* τ of the new values */
  double end_slope_new[COSIM_MAX_NEW], end_slope_history[COSIM_MAX_HISTORY]; /* dw/dτ at τ = 1 */
} cosim_rule;

/* Returns the number of new values of a variable of this kind. */
int cosim_n_new(const cosim_scheme *scheme, cosim_kind kind);

/* Nodes of known values: τ = 0, -1, ... with equal macro steps. */
typedef struct cosim_history_nodes {
  int n;
  double node[COSIM_MAX_HISTORY];
} cosim_history_nodes;

/* Returns the corrector's rule for a variable of this kind. If fewer past values are known than the scheme's order
 * needs, the rule has the highest order that they allow. */
cosim_rule cosim_corrector_rule(const cosim_scheme *scheme, cosim_kind kind, const cosim_history_nodes *past);
/* Returns the rule of the predictor and of explicit schemes: a polynomial through past values, without new ones. */
cosim_rule cosim_predictor_rule(int order, const cosim_history_nodes *past);
/* Returns the rule of a predictor through τ = 0 and inner nodes of the last step. The rule takes the values at these
 * inner nodes in place of new values (of_new). ratio: length of the last step divided by that of the present one; 0:
 * there is no last step, and the rule is constant. */
cosim_rule cosim_inner_predictor_rule(const cosim_scheme *scheme, const cosim_rule *corrector, double ratio);
/* Returns the rule of order k through τ = 1, 0, -1, ..., -(k - 1). Its only new value is at τ = 1: an unknown of the
 * corrector or, in Gauss-Seidel, a value that a part has reached. */
cosim_rule cosim_rule_through_end(int order, const cosim_history_nodes *past);

#endif
