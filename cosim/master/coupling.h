/* The coupling variables of one cut: their values in the past, new values, approximation over a macro step. */
#ifndef COSIM_MASTER_COUPLING_H
#define COSIM_MASTER_COUPLING_H

#include "cosim/master/condition.h"

/* One coupling variable: how it is approximated. */
typedef struct cosim_quantity {
  const cosim_variable *variable;
  int number; /* of the variable in its scheme */
  int n_new;
  int n_used; /* past values that a step uses once all are known */
  cosim_rule predictor, corrector;
  double integral_new[COSIM_MAX_NEW], integral_history[COSIM_MAX_HISTORY]; /* over τ of the corrector's signals */
} cosim_quantity;

/* One component of it: its values. */
typedef struct cosim_slot {
  const cosim_quantity *quantity;
  int component;
  double history[COSIM_MAX_HISTORY]; /* newest first */
  double value[COSIM_MAX_NEW];       /* at the new nodes */
} cosim_slot;

typedef struct cosim_coupling {
  const cosim_cut *cut;
  bool corrects;
  cosim_quantity quantity[COSIM_MAX_VARIABLES];
  cosim_slot *slots; /* (n_slots) variable by variable */
  int n_slots;
  int first_unknown, n_unknowns; /* new values, slot by slot, in the order of conditions */
  cosim_snapshot begin;          /* motions at the beginning of the macro step */
  cosim_snapshot end;            /* of the last step: motions, and wrenches of sides driven by accelerations */
  cosim_approximations w;        /* over the last step */
  cosim_law_gradients gradients;
} cosim_coupling;

/* Number of slots of the cut; the coupling uses those from `slots` on. */
int cosim_n_slots(const cosim_cut *cut);
void cosim_coupling_init(cosim_coupling *self, const cosim_cut *cut, cosim_slot *slots, int first_unknown);

/* Sets the rules for a past. */
void cosim_coupling_set_rules(cosim_coupling *self, const cosim_past *past);

/* New values from the past, at the new nodes. */
void cosim_coupling_predict(cosim_coupling *self);

/* Signal of a slot: extrapolated, or through the new values. */
cosim_signal cosim_predicted_signal(const cosim_slot *slot);
cosim_signal cosim_corrected_signal(const cosim_slot *slot);

/* Input of a side that a component of the variable drives, -1: none; and its sign. */
int cosim_input_of(const cosim_cut *cut, int side, const cosim_variable *variable, int component);
double cosim_sign_on(int side, const cosim_variable *variable);

/* Reads the outputs of the part on that side: motion, and multipliers of prescribed accelerations. */
void cosim_take_outputs(const cosim_cut *cut, int side, const double *outputs, cosim_snapshot *snapshot);
/* Evaluates the approximations over a macro step H into self->w. */
void cosim_take_approximations(cosim_coupling *self, double H);
/* Approximation of a unit change of one new value of a variable. */
cosim_approximation cosim_unit_approximation(const cosim_quantity *quantity, int new_value, double H);

/* The value of a variable that meets its condition at the end, from motions and wrench (NULL: by the law). */
double cosim_value_of(const cosim_cut *cut, const cosim_variable *variable, int component, const cosim_motion m[2],
                      const double *wrench);
/* Inserts `value` as the newest one of the past. */
void cosim_slot_remember(cosim_slot *slot, double value);

#endif
