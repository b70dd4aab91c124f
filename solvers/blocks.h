/* Unsymmetric systems A x = b of blocks of order 1 to SEAM_MAX_BLOCK and one fixed pattern, which is symmetric; real or
 * complex. Blocks are eliminated in a given sequence, and pivots are exchanged inside blocks only, which the matrix
 * must allow. Equal values give equal bits.
 *
 * The plan (solvers/ldl.h) serves twice: for the lower triangle with the diagonal, and for the upper one, transposed.
 */
#ifndef SOLVERS_BLOCKS_H
#define SOLVERS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "solvers/ldl.h"

enum { SEAM_MAX_BLOCK = 6 };

typedef struct seam_blocks seam_blocks;

/* Returns NULL when memory is exhausted. The plan must outlive the solver. */
seam_blocks *seam_blocks_create(const seam_ldl_plan *plan, bool is_complex);
void seam_blocks_destroy(seam_blocks *solver);

/* Values of the matrix. Before each factorisation, which overwrites them, all must be written, zeros for entries
 * outside the pattern; imaginary parts follow the real ones. */
size_t seam_blocks_n_values(const seam_ldl_plan *plan);
double *seam_blocks_values(seam_blocks *solver);
/* Returns the place of the value in row k of block i and column l of block j, which must be in the pattern. */
size_t seam_blocks_place(const seam_ldl_plan *plan, int i, int j, int k, int l);

/* weight (unknowns in the sequence of elimination): scale of each equation, for pivots. Returns false if a block is
 * singular or not finite. No allocation. */
bool seam_blocks_factor(seam_blocks *solver, const double *weight);
/* Replaces the right-hand sides x, in the sequence of elimination (seam_ldl_reference_of()), imaginary parts last, by
 * the solution. No allocation. */
void seam_blocks_solve(const seam_blocks *solver, double *x);

#endif
