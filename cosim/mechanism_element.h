/* Elements of a mechanism as what was cut: its force elements and joints between two bodies. */
#ifndef COSIM_MECHANISM_ELEMENT_H
#define COSIM_MECHANISM_ELEMENT_H

#include <seam/mbs.h>

#include "cosim/element.h"
#include "mbs/force.h"
#include "mbs/joint.h"

typedef struct cosim_mechanism_element {
  cosim_element base;
  mbs_force force; /* the one or the other, with both markers at the origin of their frames */
  mbs_joint joint;
} cosim_mechanism_element;

/* Borrows laws and names from the model. SEAM_BAD_INPUT for one that acts on one body only. */
seam_status cosim_mechanism_element_of(const mbs_model *model, bool is_joint, size_t number,
                                       cosim_mechanism_element *element, seam_error *error);

#endif
