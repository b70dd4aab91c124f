/* The master: couples subsystems at constitutive cuts over macro steps, by one generic predictor and corrector. */
#ifndef COSIM_MASTER_H
#define COSIM_MASTER_H

#include "cosim/part.h"
#include "cosim/scheme.h"

enum { cosim_most_dims = 3 };

/* Where a side of a cut stands among the inputs and outputs of its part: numbers of the first of n_dims that follow
 * each other; -1: there is none. */
typedef struct cosim_side {
  int part;
  int force_input;                      /* force on this side's marker */
  int position_input, velocity_input;   /* motion of the other side's marker, x̃ and ṽ */
  int position, velocity, acceleration; /* outputs: motion of this side's marker */
  int position_integral;                /* output: over the present macro step */
} cosim_side;

/* λ = c (x2 - x1) + d (v2 - v1) on the first side, -λ on the second. */
typedef struct cosim_cut {
  cosim_side side[2];
  int n_dims;
  double stiffness[cosim_most_dims], damping[cosim_most_dims];
  cosim_scheme scheme;
} cosim_cut;

typedef struct cosim_master cosim_master;

/* Takes the parts (destroyed with the master, also on failure); copies the cuts. SEAM_BAD_INPUT when a part offers no
 * rollback for a scheme with a corrector, SEAM_NO_MEMORY. */
seam_status cosim_master_create(cosim_part **parts, int n_parts, const cosim_cut *cuts, int n_cuts,
                                cosim_master **master, seam_error *error);
void cosim_master_destroy(cosim_master *master);

/* One macro step. SEAM_SINGULAR when the conditions do not determine the coupling variables, or what a part returned.
 */
seam_status cosim_master_step(cosim_master *master, double H, seam_error *error);

/* The whole state: of all parts, then of every coupling variable the history that its scheme uses, newest first.
 * Setting it gives every scheme its full history. */
size_t cosim_master_n_state(const cosim_master *master);
void cosim_master_save(const cosim_master *master, double *state);
void cosim_master_restore(cosim_master *master, const double *state);

#endif
