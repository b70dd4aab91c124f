/* Readouts: lists of quantities whose values are read together. */
#ifndef MBS_READOUT_H
#define MBS_READOUT_H

#include "mbs/model/workspace.h"

/* Consecutive quantities of a list that belong to the same group of one element, or to one measure. */
typedef struct mbs_readout_step {
  const mbs_quantity_group *group; /* NULL: quantities of a measure */
  int element;      /* number of the element; for a measure the index of its first value in ws->measured */
  int first, n;     /* index of the first of these quantities in the list; number of these quantities */
  bool is_complete; /* the quantities are all rows of the group, in their order */
} mbs_readout_step;

struct mbs_readout {
  int n;
  mbs_quantity *quantities; /* (n) the list */
  mbs_readout_step *steps;  /* (n_steps) */
  int n_steps;
  unsigned char *pick; /* (n) for each quantity its row in its group, or its index among the values of its measure */
  int *measures;       /* (n_measures) numbers of the measures in the list and of their input measures, ascending */
  int n_measures;
  mbs_need needs;
  bool reads_loads;  /* the list has loads of force elements, so that it needs the values of laws */
  bool reads_inputs; /* the list has inputs of a part of a mechanism */
};

/* Finds the values (n) of the list in a state; unless `along` is NULL, their derivatives along it. The workspace must
 * already contain the stages and the values or derivatives of measures that the list needs. */
void mbs_read_evaluated(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                        const mbs_direction *along, double *values);

/* Stores in the workspace the values of all measures in `measures`; unless `along` is NULL, also their derivatives
 * along it. The workspace must already contain the stages that the list needs. */
void mbs_measures_evaluated(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                            const mbs_direction *along);
/* Runs the stages that the list needs, then finds the exact derivatives (n) along a direction; NaN: there is none. */
void mbs_read_changes(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                      double *changes);

/* Bodies, elements and states on which quantities depend. */
typedef struct mbs_dependence {
  bool *bodies;             /* (n) without the ground; bodies, forces, joints and variables: NULL if not wanted */
  bool *forces;             /* (n_forces) force elements */
  bool *joints;             /* (n_joints) */
  bool *variables;          /* (n_variables) */
  bool of_time;             /* the quantities depend on t itself, not only on laws of time */
  bool of_energies;         /* the quantities depend on energies of the mechanism */
  bool needs_dynamics;      /* the quantities depend on a or lambda */
  bool needs_accelerations; /* the quantities depend on a */
  bool of_states;           /* the quantities depend on z */
} mbs_dependence;

void mbs_add_dependence(const mbs_model *model, mbs_quantity quantity, mbs_dependence *sum);

/* A function whose kinks and corners a run searches for within steps, even if it does not act on the motion. It is the
 * condition of an event; or a measure of a model file, of which the run may find the minimum, the mean or similar, and
 * whose jumps its check reads; or a measure that one of these reads. */
typedef struct mbs_watched {
  const char *name; /* of the event or measure */
  const mbs_readout *inputs;
  const mbs_function *function; /* NULL: this number has no such function */
} mbs_watched;

/* Watched functions have numbers below mbs_n_watched(); some numbers have no function. */
static inline int mbs_n_watched(const mbs_model *model) { return model->n_measures + model->n_events; }
mbs_watched mbs_watched_of(const mbs_model *model, int number);
/* Marks the measures that `inputs` read as watched. */
void mbs_watch_measures(mbs_model *model, const mbs_readout *inputs);

/* Finds a quantity by the first `length` characters of `name`. Returns false if there is no quantity with this name. */
bool mbs_find_quantity_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *found);
/* Copies to *first the first quantity of the element with this name, and returns false if there is none. */
bool mbs_find_element_of_length(const mbs_model *model, const char *name, size_t length, mbs_quantity *first);
/* Writes a hint for an unknown name to `hint` (size): a similar name, or a list of existing names. */
void mbs_suggest(const mbs_model *model, const char *name, size_t length, char *hint, size_t size);

#endif
