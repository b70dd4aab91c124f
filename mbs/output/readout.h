/* Inside of a list of quantities that are read together. */
#ifndef MBS_READOUT_H
#define MBS_READOUT_H

#include "mbs/model/workspace.h"

/* Quantities of one group and element, one after the other in the list. */
typedef struct mbs_readout_step {
  const mbs_quantity_group *group; /* NULL: values of a measure, which are in the workspace from `element` on */
  int element;
  int first, n;  /* of the list */
  bool is_whole; /* the group, in its order */
} mbs_readout_step;

struct mbs_readout {
  int n;
  mbs_quantity *quantities; /* (n) the list */
  mbs_readout_step *steps;  /* (n_steps) */
  int n_steps;
  unsigned char *pick; /* (n) place of each quantity in its group, or among the values of its measure */
  int *measures;       /* (n_measures) that are needed, also by other measures; ascending */
  int n_measures;
  mbs_need needs;
  bool reads_loads;  /* of force elements, which laws of quantities drive */
  bool reads_inputs; /* of a part */
};

/* The values where what they need is in the workspace, with the values of measures. */
void mbs_read_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state, double *values);

/* The measures that they need, and their derivatives along a direction (NULL: none). */
void mbs_measures_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                          const mbs_direction *along);
/* Their derivatives along a direction; measures' own are in the workspace. */
void mbs_change_at_hand(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                        const mbs_direction *along, double *changes);
/* The exact derivatives (n) of the quantities along a direction; NaN where there is none. */
void mbs_read_changes(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                      double *changes);

/* Bodies, elements and states of which quantities are functions. */
typedef struct mbs_dependence {
  bool *bodies;     /* (n) without the ground */
  bool *forces;     /* (n_forces) */
  bool *joints;     /* (n_joints); NULL: not asked for, like the next */
  bool *variables;  /* (n_variables) */
  bool of_time;     /* by itself, not by way of laws */
  bool of_whole;    /* energies of the whole */
  bool follows;     /* a or lambda, which follow from the forces ... */
  bool accelerates; /* ... a */
  bool of_states;   /* z */
} mbs_dependence;

/* Adds those of one more quantity. */
void mbs_add_dependence(const mbs_model *model, mbs_quantity quantity, mbs_dependence *sum);

/* Looks up a quantity by its name (length characters). */
bool mbs_look_up(const mbs_model *model, const char *name, size_t length, mbs_quantity *found);
/* Looks up an element by its name. */
bool mbs_look_up_element(const mbs_model *model, const char *name, size_t length, mbs_quantity *first);
/* Suggests what may have been meant, or what there is instead. */
void mbs_suggest(const mbs_model *model, const char *name, size_t length, char *hint, size_t size);

#endif
