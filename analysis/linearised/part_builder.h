/* A subsystem being linearised: equations (linearised_part.c), then outputs (part_outputs.c). */
#ifndef ANALYSIS_LINEARISED_PART_BUILDER_H
#define ANALYSIS_LINEARISED_PART_BUILDER_H

#include "analysis/linearised/linearised_part.h"
#include "analysis/linearised/minimal_state.h"
#include "cosim/parts/multibody_part.h"
#include "cosim/parts/port_change.h"

/* A row of P: the input ã that prescribes it, and the row of its multiplier. */
typedef struct analysis_held_row {
  int input, row;
} analysis_held_row;

/* State of the linearisation. E (f + n_w x width), row by row: (z'', w') = E (z, z', w, u). */
typedef struct analysis_part_builder {
  const char *name; /* name of the part */
  cosim_multibody_view part;
  analysis_minimal_state at;
  analysis_linearised_part *made;
  int f, n_w, n_in, n_out, width;
  int n_integrals, n_held; /* n_held: rows of P */
  int *state;              /* (n_w) numbers of w in the part's model */
  double *received;        /* (n_ports) scratch: quantities that ports receive */
  double *given;           /* (responses) their changes of laws and rates */
  analysis_held_row *held; /* (n_held) */
  double *E;               /* one block with all arrays below */
  double *S;               /* (n_samples x width), row by row: next values of sampled states */
  double *P;               /* (n_held x f) */
  double *mu;              /* (n_held x width) */
  double *PPt;             /* (n_held x n_held) */
  double *A, *B, *C, *D;   /* of the linear part */
  bool *restarts;
} analysis_part_builder;

/* Returns the number of components of z, z' and w. */
static inline int analysis_part_n_moving(const analysis_part_builder *b) { return 2 * b->f + b->n_w; }
static inline int analysis_part_n_states(const analysis_part_builder *b) {
  return analysis_part_n_moving(b) + b->n_integrals;
}

/* Fills X (3 x f), row by row: motion of a marker for each column of N; zero without a body. */
void analysis_part_fill_place(const analysis_part_builder *b, const mbs_port *at, double *X);
/* Returns a change: a motion of the part and a unit of an input (-1: no input). */
cosim_port_change analysis_part_change(const analysis_part_builder *b, const double *dq, const double *dv,
                                       const double *dz, int input);

/* Fills A to D from E and mu. SEAM_NO_MEMORY. */
seam_status analysis_part_put(analysis_part_builder *b, seam_error *error);

#endif
