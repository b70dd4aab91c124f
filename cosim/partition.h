/* A mechanism cut into subsystems: which body belongs where, what is cut, and the ports and sides that follow. */
#ifndef COSIM_PARTITION_H
#define COSIM_PARTITION_H

#include "cosim/cut.h"
#include "cosim/mechanism_element.h"
#include "cosim/multibody_part.h"

/* An element between two subsystems. */
typedef struct cosim_joint_cut {
  bool is_joint;
  size_t element;      /* its number in the model */
  size_t body[2];      /* of the model */
  size_t subsystem[2]; /* of its two sides */
  const char *scheme;  /* borrowed from the options */
  cosim_mechanism_element law;
  int port[2]; /* of each side in its subsystem */
} cosim_joint_cut;

typedef struct cosim_partition {
  const mbs_model *model;
  size_t n_subsystems;
  size_t *subsystem_of;  /* (bodies) */
  cosim_joint_cut *cuts; /* (n_cuts) joints, then force elements, in the order of the model */
  cosim_cut *couplings;  /* (n_cuts) as the master wants them */
  size_t n_cuts;
  cosim_part **parts; /* (n_subsystems) owned by the partition until cosim_partition_release() */
} cosim_partition;

/* Texts of the options and the model outlive the partition. Whatever the result, free with cosim_partition_free().
 * SEAM_BAD_INPUT naming the subsystem, body or coupling; SEAM_NO_MEMORY. */
seam_status cosim_partition_make(const mbs_model *model, const cosim_options *options, cosim_partition *made,
                                 seam_error *error);
void cosim_partition_free(cosim_partition *self);

#endif
