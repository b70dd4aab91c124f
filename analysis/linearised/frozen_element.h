/* The element of a cut, linearised about its markers' motions: maps small changes to small changes. */
#ifndef ANALYSIS_LINEARISED_FROZEN_ELEMENT_H
#define ANALYSIS_LINEARISED_FROZEN_ELEMENT_H

#include "cosim/schemes/element.h"

typedef struct analysis_frozen_element {
  cosim_element base;
  cosim_gradient Wx, Wv;                      /* of a constitutive element */
  cosim_gradient J;                           /* of a constraint: g = J x, g' = J v, g'' = J a */
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS]; /* of a constraint: W = S μ */
} analysis_frozen_element;

/* Linearises `element` about the motions m (2) of its markers. A constraint's direction stays fixed. */
void analysis_freeze(const cosim_element *element, const cosim_motion m[2], analysis_frozen_element *frozen);

#endif
