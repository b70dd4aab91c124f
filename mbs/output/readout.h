/* Inside of a readout: a list of quantities that are read together. */
#ifndef MBS_READOUT_H
#define MBS_READOUT_H

#include "mbs/model/workspace.h"

/* Quantities of one group and element that follow each other in the list. */
typedef struct mbs_readout_step {
  const mbs_quantity_group *group; /* NULL: a measure, whose values begin at `element` in the workspace */
  int element;
  int first, n;  /* its quantities in the list: `n` of them from `first` on */
  bool is_whole; /* all rows of the group, in order */
} mbs_readout_step;

struct mbs_readout {
  int n;
  mbs_quantity *quantities; /* (n) the list */
  mbs_readout_step *steps;  /* (n_steps) */
  int n_steps;
  unsigned char *pick; /* (n) row of each quantity in its group, or index among the values of its measure */
  int *measures;       /* (n_measures) needed measures, also those that other measures need; ascending */
  int n_measures;
  mbs_need needs;
  bool reads_loads;  /* loads of force elements, and so laws of quantities */
  bool reads_inputs; /* inputs of a part */
};

/* Finds the values; needed stages and measures must be in the workspace. */
void mbs_read_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state, double *values);

/* Finds the needed measures and, unless `along` is NULL, their derivatives. */
void mbs_measures_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                          const mbs_direction *along);
/* Finds the derivatives of the values along a direction; those of measures must be in the workspace. */
void mbs_change_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                        const mbs_direction *along, double *changes);
/* Runs the needed stages, then finds the exact derivatives (n) of the values along a direction, NaN if there is
 * none. */
void mbs_read_changes(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                      double *changes);

/* Bodies, elements and states on which quantities depend. */
typedef struct mbs_dependence {
  bool *bodies;     /* (n) without the ground */
  bool *forces;     /* (n_forces) */
  bool *joints;     /* (n_joints); this and the next may be NULL: not listed */
  bool *variables;  /* (n_variables) */
  bool of_time;     /* t itself, apart from laws */
  bool of_whole;    /* energies of the whole */
  bool follows;     /* a or lambda ... */
  bool accelerates; /* ... a */
  bool of_states;   /* z */
} mbs_dependence;

/* Adds the dependence of a quantity. */
void mbs_add_dependence(const mbs_model *model, mbs_quantity quantity, mbs_dependence *sum);

/* Looks up a quantity by its name (length characters). Returns false: unknown. */
bool mbs_find_quantity_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *found);
/* Looks up an element by its name; *first: its first quantity. */
bool mbs_find_element_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *first);
/* Writes a hint: a similar name, or a list of those that exist. */
void mbs_suggest(const mbs_model *model, const char *name, size_t length, char *hint, size_t size);

#endif
