/* A cut between two parts: what was cut, where its sides stand, how it is coupled again. */
#ifndef COSIM_CUT_H
#define COSIM_CUT_H

#include "cosim/element.h"
#include "cosim/scheme.h"
#include "cosim/side.h"

typedef struct cosim_cut {
  const char *name;
  cosim_side side[2];
  const cosim_element *element;
  cosim_scheme scheme;
} cosim_cut;

#endif
