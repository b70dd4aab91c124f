/* The coupling variables of one cut: their values in the past, new values, approximation over a macro step. */
#ifndef COSIM_MASTER_COUPLING_H
#define COSIM_MASTER_COUPLING_H

#include "cosim/master/condition.h"

/* One component of one coupling variable. */
typedef struct cosim_slot {
  int component;
  double history[COSIM_MAX_HISTORY]; /* newest first */
  double value[COSIM_MAX_NEW];       /* at the new nodes */
} cosim_slot;

/* One coupling variable. */
typedef struct cosim_quantity {
  const cosim_variable *variable;
  cosim_rule predictor, corrector;
  double integral_new[COSIM_MAX_NEW], integral_history[COSIM_MAX_HISTORY]; /* over τ of the corrector's signals */
  cosim_slot *slots;                                                       /* (n_slots) */
  int n_slots;
  int n_new;
} cosim_quantity;

typedef struct cosim_coupling {
  const cosim_cut *cut;
  bool corrects;
  cosim_quantity quantity[COSIM_MAX_VARIABLES];
  int first_unknown, n_unknowns; /* new values in the order of conditions */
  cosim_motion begin[2];         /* motions at the beginning of the macro step */
  cosim_point point;             /* the end of the last step */
  cosim_law_gradients gradients;
} cosim_coupling;

/* Slots of the cut; the coupling takes them from `slots` on. */
int cosim_n_slots(const cosim_cut *cut);
cosim_coupling cosim_coupling_of(const cosim_cut *cut, cosim_slot *slots, int first_unknown);

/* Rules for a past. */
void cosim_coupling_set_rules(cosim_coupling *self, const cosim_past *past);

/* New values from the past, at the new nodes. */
void cosim_coupling_predict(cosim_coupling *self);

/* Signal of a slot: extrapolated, or through the new values. */
cosim_signal cosim_predicted_signal(const cosim_quantity *quantity, const cosim_slot *slot);
cosim_signal cosim_corrected_signal(const cosim_quantity *quantity, const cosim_slot *slot);

/* Input of a side that a component of the variable drives, -1: none; the sign with which it does. */
int cosim_input_of(const cosim_cut *cut, int side, const cosim_variable *variable, int component);
double cosim_sign_on(int side, const cosim_variable *variable);

/* Takes outputs of the part on that side into a point; p too, and multipliers, where there are any. */
void cosim_take_outputs(const cosim_cut *cut, int side, const double *outputs, cosim_point *point);
/* Takes the approximations over a macro step H into self->point. */
void cosim_take_approximations(cosim_coupling *self, double H);
/* Those of a unit change of one new value into *change, whose w is zero elsewhere. */
void cosim_take_unit(const cosim_coupling *self, int variable, int new_value, double H, cosim_approximation *change);

/* The value of a slot that its condition at the end asks for, from motions and wrench (NULL: by the law). */
double cosim_value_of(const cosim_cut *cut, const cosim_variable *variable, int component, const cosim_motion m[2],
                      const double *wrench);
/* Puts `value` before the others of the past. */
void cosim_slot_remember(cosim_slot *slot, double value);

#endif
