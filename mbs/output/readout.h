/* Fields of a readout, a list of quantities that are read together, and functions on readouts. */
#ifndef MBS_READOUT_H
#define MBS_READOUT_H

#include "mbs/model/workspace.h"

/* A step of reading: consecutive quantities of the list that belong to the same group of one element, or to one
 * measure. */
typedef struct mbs_readout_step {
  const mbs_quantity_group *group; /* NULL: a measure, whose values begin at `element` in the workspace */
  int element;
  int first, n;  /* index in the list of the first of these quantities, and their number */
  bool is_whole; /* they are all rows of the group, in order */
} mbs_readout_step;

struct mbs_readout {
  int n;
  mbs_quantity *quantities; /* (n) the list */
  mbs_readout_step *steps;  /* (n_steps) */
  int n_steps;
  unsigned char *pick; /* (n) row of each quantity in its group, or index among the values of its measure */
  int *measures;       /* (n_measures) measures in the list, and those that these read; ascending */
  int n_measures;
  mbs_need needs;
  bool reads_loads;  /* it reads loads of force elements, and so needs the values of laws */
  bool reads_inputs; /* it reads inputs of a part of a mechanism */
};

/* Finds the values (n) of the list at a state; the stages and measures that they need must be in the workspace. */
void mbs_read_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state, double *values);

/* Finds the values of the measures that the list needs and, unless `along` is NULL, their derivatives along it. Stores
 * both in the workspace, which must have the stages that the list needs. */
void mbs_measures_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                          const mbs_direction *along);
/* Finds the derivatives (n) of the values along a direction. The workspace must have the stages and the derivatives of
 * measures that they need. */
void mbs_change_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                        const mbs_direction *along, double *changes);
/* Runs the stages that the list needs, then finds the exact derivatives (n) of the values along a direction; NaN where
 * a derivative does not exist. */
void mbs_read_changes(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                      double *changes);

/* Bodies, elements and states on which quantities depend. */
typedef struct mbs_dependence {
  bool *bodies;     /* (n) without the ground */
  bool *forces;     /* (n_forces) force elements; this and the next two lists may be NULL: not wanted */
  bool *joints;     /* (n_joints) */
  bool *variables;  /* (n_variables) */
  bool of_time;     /* the quantities depend on t itself, not only on laws of time */
  bool of_whole;    /* they depend on energies of the whole mechanism */
  bool follows;     /* they depend on a or lambda */
  bool accelerates; /* they depend on a */
  bool of_states;   /* they depend on z */
} mbs_dependence;

/* Adds to *sum the bodies, elements and states on which a quantity depends. */
void mbs_add_dependence(const mbs_model *model, mbs_quantity quantity, mbs_dependence *sum);

/* Looks up a quantity by the first `length` characters of `name`. Returns false if there is none of this name. */
bool mbs_find_quantity_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *found);
/* Looks up an element by the first `length` characters of `name`; *first: its first quantity. */
bool mbs_find_element_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *first);
/* Writes a hint for a name that was not found: a similar name, or a list of names that exist. */
void mbs_suggest(const mbs_model *model, const char *name, size_t length, char *hint, size_t size);

#endif
