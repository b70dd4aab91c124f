/* The coupling variables of one cut: their past values, their new values, and their approximation over a macro step. τ
 * is the time since the beginning of the step, divided by its length H. */
#ifndef COSIM_COUPLING_H
#define COSIM_COUPLING_H

#include "cosim/parts/ensemble.h"
#include "cosim/schemes/condition.h"

/* A basis function of a rule over τ. Collocation: also values and slopes at inner nodes, and the curvature at τ = 1. */
typedef struct cosim_basis {
  double integral, end_slope;
  double value[COSIM_MAX_INNER], slope[COSIM_MAX_INNER], end_curvature;
} cosim_basis;

/* Rules by which a coupling variable is approximated, common to its components. */
typedef struct cosim_variable_rules {
  const cosim_variable *variable;
  int number; /* index of the variable in its scheme */
  int n_new;  /* number of new values per component */
  int n_used; /* number of past values that a step uses when the past is complete */
  cosim_rule predictor, corrector;
  int n_inner;                                                      /* number of inner nodes with collocation; else 0 */
  cosim_basis of_new[COSIM_MAX_NEW], of_history[COSIM_MAX_HISTORY]; /* of the corrector */
} cosim_variable_rules;

/* One component of a coupling variable. */
typedef struct cosim_slot {
  const cosim_variable_rules *rules;
  int component;
  double history[COSIM_MAX_HISTORY];   /* past values, newest first */
  double value[COSIM_MAX_NEW];         /* values at the new nodes */
  double last[COSIM_MAX_DEGREE + 1];   /* collocation: polynomial over the last step, coefficients in powers of τ;
                                          predictors through inner nodes: values at the inner nodes of the last step */
  double before[COSIM_MAX_DEGREE + 1]; /* collocation: coefficients of the polynomial over the last step but one */
} cosim_slot;

typedef struct cosim_coupling {
  const cosim_cut *cut;
  bool corrects;
  int row[COSIM_MAX_INNER]; /* row[j]: index of inner node j in parts->nodes, the nodes of all schemes */
  cosim_variable_rules rules[COSIM_MAX_VARIABLES];
  cosim_slot *slots; /* (n_slots) variable by variable */
  int n_slots;
  int first_unknown, n_unknowns; /* index of the coupling's first new value among all unknowns; number of new values */
  cosim_snapshot begin;          /* motions at the beginning of the macro step */
  cosim_step_outputs last;       /* outputs of the last step: motions, multipliers of prescribed accelerations */
  cosim_approximations w;        /* approximations of the variables over the last step */
  cosim_law_gradients gradients;
  cosim_motion before[2];    /* collocation: motions at the step's end, as found before the last correction */
  bool gradients_are_frozen; /* the law has a kink near the end: `gradients` remain those on one side of it */
} cosim_coupling;

/* slots: one for each component of each variable of the cut. */
void cosim_coupling_init(cosim_coupling *self, const cosim_cut *cut, cosim_slot *slots, int first_unknown);

/* Sets the rules of predictor and corrector for values known at the nodes `past`. */
void cosim_coupling_set_rules(cosim_coupling *self, const cosim_history_nodes *past);

/* Predicts the new values: in collocation from the polynomials over the last two steps, else from past values. `past`
 * (2): lengths of these two steps, newest first; 0: there is none. Without a last step, collocation predicts a
 * COSIM_MOTION by the present position and velocity, other variables as constants. */
void cosim_coupling_predict(cosim_coupling *self, double H, const double past[2]);

/* Return the signal of a slot over the step: by the predictor's rule; by the corrector's rule with the new values. */
cosim_signal cosim_predicted_signal(const cosim_slot *slot);
cosim_signal cosim_corrected_signal(const cosim_slot *slot);

/* Return the input of a side that a slot drives, and the input that the rate of a COSIM_MOTION drives; -1: none. */
int cosim_input_of(const cosim_cut *cut, int side, const cosim_slot *slot);
int cosim_rate_input_of(const cosim_cut *cut, int side, const cosim_slot *slot);
/* Returns -1 for a force on side 2, else 1. */
double cosim_sign_on(int side, const cosim_slot *slot);
/* Collocation at a joint in dd: adds terms to the acceleration that side 2 (`side` = 1) receives. They close the gap of
 * the joint over the macro step from t to t + H, and make side 2 follow a driven joint. Else does nothing. */
void cosim_add_gap_closing(const cosim_coupling *self, int side, int component, double t, double H,
                           cosim_signal *input);

/* Copies motion and multipliers of a side from the outputs (n_outputs) of its part. */
void cosim_copy_outputs(const cosim_cut *cut, int side, const double *outputs, cosim_snapshot *snapshot);
/* Copies motions and multipliers at the end and at inner nodes. `outputs`: member->node_outputs or changes of them. */
void cosim_copy_step_outputs(const cosim_coupling *self, int side, const cosim_member *member, const double *outputs,
                             cosim_step_outputs *step_outputs);
/* Stores the approximations of all variables over a macro step of length H in self->w. */
void cosim_evaluate_approximations(cosim_coupling *self, double H);
/* Returns the change of a variable's approximation over a step of length H per unit of one of its new values. */
cosim_approximation cosim_unit_approximation(const cosim_variable_rules *rules, int new_value, double H);

/* Returns the value of a slot: a force from wrench (4; NULL: from the law), another variable from the motions m. */
double cosim_value_of(const cosim_cut *cut, const cosim_slot *slot, const cosim_motion m[2], const double *wrench);
/* Stores in slot->last the line from `begin` at τ = 0 to `end` at τ = 1. */
void cosim_slot_store_line(cosim_slot *slot, double begin, double end);

#endif
