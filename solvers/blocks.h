/* Solves unsymmetric systems A x = b, real or complex, with blocks of order 1 to SEAM_MAX_BLOCK in one fixed, symmetric
 * pattern. Blocks are eliminated in a given sequence. Rows are exchanged only inside a block, so no diagonal block may
 * be singular at its elimination. Equal values give bitwise equal results.
 *
 * The plan (solvers/ldl.h) describes the lower triangle with the diagonal, and the transposed upper triangle. */
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

/* Values of the matrix: n_values real parts, then as many imaginary parts if it is complex. A factorisation overwrites
 * them. So all must be written before each factorisation, also zeros for entries that A lacks. */
size_t seam_blocks_n_values(const seam_ldl_plan *plan);
double *seam_blocks_values(seam_blocks *solver);
/* Returns the index in seam_blocks_values() of row k, column l of block (i, j), which must be in the pattern. */
size_t seam_blocks_index(const seam_ldl_plan *plan, int i, int j, int k, int l);

/* Factorises the matrix, without allocation. weight: a factor of each row, in the sequence of elimination; pivots are
 * chosen by the size of entries times these factors. Returns false if a block is singular or not finite. */
bool seam_blocks_factor(seam_blocks *solver, const double *weight);
/* Replaces the right-hand side x by the solution, without allocation. Both are in the sequence of elimination
 * (seam_ldl_reference_of()), with all imaginary parts last. */
void seam_blocks_solve(const seam_blocks *solver, double *x);

#endif
