/* Coupling schemes at constitutive cuts: what is exchanged, how it is approximated, which conditions are met.
 *
 * A scheme is a row: decomposition, method, order k. Each coupling variable w of a row is approximated over a macro
 * step by a rule, w(τ) = Σ w_new b_new(τ) + Σ w_history b_history(τ), linear in the values at nodes; the new values,
 * one or two, are found from as many conditions at the end of the step. (li-dissertation.txt 3.1, 3.4; recipes.md A.)
 */
#ifndef COSIM_SCHEME_H
#define COSIM_SCHEME_H

#include <seam/status.h>

#include "cosim/signal.h"

enum { cosim_most_order = 3, cosim_most_history = cosim_most_order + 1, cosim_most_variables = 4 };

/* What a coupling variable stands for. */
typedef enum cosim_kind { COSIM_FORCE, COSIM_POSITION, COSIM_VELOCITY } cosim_kind;

/* A second condition, which a second node at τ = 1/2 makes room for. */
typedef enum cosim_extension { COSIM_PLAIN, COSIM_D, COSIM_I } cosim_extension;

typedef enum cosim_iteration { COSIM_EXPLICIT, COSIM_SEMI, COSIM_IMPLICIT } cosim_iteration;

typedef struct cosim_variable {
  cosim_kind kind;
  int source; /* side whose motion a displacement is; a force belongs to both */
  int target; /* side that receives it; -1: both, with opposite signs */
} cosim_variable;

typedef struct cosim_scheme {
  int n_variables;
  cosim_variable variable[cosim_most_variables];
  cosim_extension extension;
  int order;
  cosim_iteration iteration;
} cosim_scheme;

/* Reads "ff-k1", "fd-d-k2-implicit", ...: SEAM_BAD_INPUT with the possible ones in the message. */
seam_status cosim_scheme_parse(const char *name, cosim_scheme *scheme, seam_error *error);

/* Approximation of one variable over a macro step. */
typedef struct cosim_rule {
  int n_new;     /* 1: value at τ = 1; 2: at 1 and at 1/2 */
  int n_history; /* values at τ = 0, -1, ... */
  cosim_signal of_new[2];
  cosim_signal of_history[cosim_most_history];
  double end_slope_new[2], end_slope_history[cosim_most_history]; /* of dw/dτ at τ = 1, as the D-extension takes it */
} cosim_rule;

/* Whether a variable of this kind has the second node. */
int cosim_has_second_node(cosim_extension extension, cosim_kind kind);

/* Rule of the corrector of order k; with less history than it wants, the highest order that history allows. */
cosim_rule cosim_corrector_rule(int order, int second_node, int n_history);
/* Rule of the predictor, and of explicit schemes: through τ = 0, -1, ..., -k. No new values. */
cosim_rule cosim_predictor_rule(int order, int n_history);

#endif
