/* Linear complementarity problems, dense, of dozens of unknowns: for given M (n x n) and q (n), find z and w with
 *
 *   w = M z + q,   w >= 0,   z >= 0,   wᵀ z = 0. */
#ifndef SOLVERS_LCP_H
#define SOLVERS_LCP_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct seam_lcp seam_lcp;

/* SEAM_LCP_SOLVED: the solver found a solution. SEAM_LCP_RAY: it ended on a ray; then there is no solution if M is
 * copositive. SEAM_LCP_FAILED: rounding made the basis wrong, or the solver took too many steps. */
typedef enum seam_lcp_end { SEAM_LCP_SOLVED, SEAM_LCP_RAY, SEAM_LCP_FAILED } seam_lcp_end;

/* Creates a solver of problems of up to n unknowns. Fails with SEAM_NO_MEMORY. */
seam_status seam_lcp_create(int n, seam_lcp **created, seam_error *error);
void seam_lcp_destroy(seam_lcp *self);

/* Solves the problem of n unknowns; M is stored column by column (n x n). Entries of M and q should be of the size of
 * 1: ratios that differ by less than 1e-11 count as equal. */
seam_lcp_end seam_lcp_solve(seam_lcp *self, int n, const double *M, const double *q);

/* Results of the last problem: z and w (n). is_basic() returns true if z_i is in the basis. The columns of M for basic
 * z and the unit columns of the other rows are linearly independent. */
const double *seam_lcp_z(const seam_lcp *self);
const double *seam_lcp_w(const seam_lcp *self);
bool seam_lcp_is_basic(const seam_lcp *self, int i);

#endif
