/* Measures of a model: elements that only have quantities (<seam/measures.h>). A measure reads only elements and
 * measures that were added before it. So measures are evaluated in the order of their numbers. */
#ifndef MBS_MEASURE_H
#define MBS_MEASURE_H

#include <seam/measures.h>

#include "mbs/model/kinematics.h"
#include "mbs/model/quantity.h"

/* One row of the table of measures, in mbs/output/measure_kinds.c. */
typedef struct mbs_measure_type {
  size_t min_bodies, max_bodies; /* both 0: the measure has no bodies */
  bool moves;                    /* its bodies must not include the ground */
  bool has_axes, has_joint, has_function;
  mbs_quantity_groups quantities;
} mbs_measure_type;

#define MBS_MEASURE_ROW(kind, name) extern const mbs_measure_type mbs_measured_##name;
MBS_MEASURE_TABLE(MBS_MEASURE_ROW)
#undef MBS_MEASURE_ROW

typedef struct mbs_named_measure {
  const mbs_measure_type *type;
  const char *name; /* owned by the model's names */
  char *unit;       /* unit of an expression */
  int *body;        /* (n_bodies) 0: the ground */
  int n_bodies;
  mbs_vector marker[2]; /* in the frames of the first two bodies */
  int axes;             /* number of the body along whose axes its components are; 0: global axes */
  int joint;
  mbs_readout *inputs;   /* of an expression: its inputs x */
  mbs_function function; /* f(x) of an expression; .value NULL: the measure equals its only input */
  bool is_watched; /* a run searches for kinks of the function, even if they do not affect the motion (readout.h) */
  int first;       /* index of its first value in ws->measured */
} mbs_named_measure;

void mbs_measure_release(mbs_named_measure *measure);

/* Returns SEAM_NONE if there is no such measure. */
size_t mbs_find_measure(const mbs_model *model, const char *name);

#endif
