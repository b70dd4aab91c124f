/* The coupling variables of one cut: their values in the past, new values, approximation over a macro step. */
#ifndef COSIM_MASTER_COUPLING_H
#define COSIM_MASTER_COUPLING_H

#include "cosim/parts/ensemble.h"
#include "cosim/schemes/condition.h"

/* Values of a signal by τ: value and slope at the inner nodes, second derivative at the end. */
typedef struct cosim_node_values {
  double value[COSIM_MAX_INNER], slope[COSIM_MAX_INNER], end_bend;
} cosim_node_values;

/* One coupling variable: how it is approximated. */
typedef struct cosim_quantity {
  const cosim_variable *variable;
  int number; /* of the variable in its scheme */
  int n_new;
  int n_used; /* past values that a step uses once all are known */
  cosim_rule predictor, corrector;
  double integral_new[COSIM_MAX_NEW], integral_history[COSIM_MAX_HISTORY]; /* over τ of the corrector's signals */
  int n_inner;                                                             /* nodes of collocation */
  cosim_node_values at_new[COSIM_MAX_NEW], at_history[COSIM_MAX_HISTORY];  /* of collocation */
} cosim_quantity;

/* One component of it: its values. */
typedef struct cosim_slot {
  const cosim_quantity *quantity;
  int component;
  double history[COSIM_MAX_HISTORY]; /* newest first */
  double value[COSIM_MAX_NEW];       /* at the new nodes */
  double last[COSIM_MAX_DEGREE + 1]; /* collocation: its polynomial over the last step, in powers of τ; else new values
                                        at its inner nodes, where the predictor takes them */
  double before[COSIM_MAX_DEGREE + 1]; /* collocation: over the step before that */
} cosim_slot;

typedef struct cosim_coupling {
  const cosim_cut *cut;
  bool corrects;
  int row[COSIM_MAX_INNER]; /* of the inner nodes among those of the parts */
  cosim_quantity quantity[COSIM_MAX_VARIABLES];
  cosim_slot *slots; /* (n_slots) variable by variable */
  int n_slots;
  int first_unknown, n_unknowns; /* new values, slot by slot, in the order of conditions */
  cosim_snapshot begin;          /* motions at the beginning of the macro step */
  cosim_step_outputs last;       /* step: motions, and wrenches of sides driven by accelerations */
  cosim_approximations w;        /* over the last step */
  cosim_law_gradients gradients;
  cosim_motion before[2]; /* collocation: at the end, before the last correction */
  bool keeps_slopes;      /* in the present step: the law bends near its end, and gradients are those of one side */
} cosim_coupling;

/* Number of slots of the cut; the coupling uses those from `slots` on. */
int cosim_n_slots(const cosim_cut *cut);
void cosim_coupling_init(cosim_coupling *self, const cosim_cut *cut, cosim_slot *slots, int first_unknown);

/* Sets the rules for a past. */
void cosim_coupling_set_rules(cosim_coupling *self, const cosim_history_nodes *past);

/* New values from the past, at the new nodes. Collocation continues its polynomials over the last steps, whose lengths
 * are `past` (2), the newest first; 0: there is none. Without any, forces or rates are constant. */
void cosim_coupling_predict(cosim_coupling *self, double H, const double past[2]);

/* Signal of a slot: extrapolated, or through the new values. */
cosim_signal cosim_predicted_signal(const cosim_slot *slot);
cosim_signal cosim_corrected_signal(const cosim_slot *slot);

/* Input of a side that a component of the variable drives, -1: none; and its sign. */
int cosim_input_of(const cosim_cut *cut, int side, const cosim_variable *variable, int component);
/* Input that the rate of a motion drives; -1: none. */
int cosim_rate_input_of(const cosim_cut *cut, int side, const cosim_variable *variable, int component);
double cosim_sign_on(int side, const cosim_variable *variable);
/* dd of collocation at joints: adds to side 2's acceleration what closes the gap at the beginning, at time t, over a
 * macro step H; nothing otherwise. */
void cosim_add_closing(const cosim_coupling *self, int side, int component, double t, double H, cosim_signal *input);

/* Reads outputs of the part on that side: motion, and multipliers of prescribed accelerations. */
void cosim_take_outputs(const cosim_cut *cut, int side, const double *outputs, cosim_snapshot *snapshot);
/* The same at the end and at the inner nodes, of outputs ((n_nodes + 1) x n_outputs) of a member. */
void cosim_take_outcome(const cosim_coupling *self, int side, const cosim_member *member, const double *outputs,
                        cosim_step_outputs *outcome);
/* Evaluates the approximations over a macro step H into self->w. */
void cosim_take_approximations(cosim_coupling *self, double H);
/* Approximation of a unit change of one new value of a variable. */
cosim_approximation cosim_unit_approximation(const cosim_quantity *quantity, int new_value, double H);

/* The value of a variable that meets its condition at the end, from motions and wrench (NULL: by the law). */
double cosim_value_of(const cosim_cut *cut, const cosim_variable *variable, int component, const cosim_motion m[2],
                      const double *wrench);
/* Inserts `value` as the newest one of the past. */
void cosim_slot_remember(cosim_slot *slot, double value);
/* Keeps the polynomial of the present new values as the last one; a line between two values. */
void cosim_slot_keep_polynomial(cosim_slot *slot);
/* Keeps the new values at inner nodes. */
void cosim_slot_keep_inner(cosim_slot *slot);
void cosim_slot_keep_line(cosim_slot *slot, double begin, double end);

#endif
