/* A cut between two parts: the cut element, its two sides, and the scheme that couples them. */
#ifndef COSIM_CUT_H
#define COSIM_CUT_H

#include "cosim/parts/part.h"
#include "cosim/schemes/element.h"
#include "cosim/schemes/scheme.h"

typedef struct cosim_cut {
  const char *name;
  cosim_side side[2];
  const cosim_element *element;
  cosim_scheme scheme;
} cosim_cut;

/* Checks that the law of the element suits the scheme; else SEAM_BAD_INPUT. The I-extension needs an affine law. If a
 * side receives a motion, collocation needs a law without kinks other than switches (element->switches). */
seam_status cosim_cut_check_law(const cosim_element *element, const cosim_scheme *scheme, seam_error *error);

/* Checks that the scheme suits the element, and that both parts have the inputs and outputs that it needs; else
 * SEAM_BAD_INPUT naming the cut. can_project: the method "projection" is available. */
seam_status cosim_cut_check(const cosim_cut *cut, const cosim_part *const sides[2], bool can_project,
                            seam_error *error);

#endif
