/* Solves symmetric quasi-definite systems A x = b with blocks of order 1 to 3 in one fixed pattern.
 *
 *   A = [P Bᵀ; B -N],  P and N positive definite:  A = L D Lᵀ exists for any order of elimination
 * ([Vanderbei]).
 *
 * A plan has the constant data: order of elimination, pattern of the factors, indices of all updates. A solver has the
 * numbers; one thread or a group of workers uses it. Equal values give equal bits, for any number of threads. */
#ifndef SOLVERS_LDL_H
#define SOLVERS_LDL_H

#include <stdbool.h>

#include <seam/status.h>

#include "base/pool.h"

typedef struct seam_ldl_plan seam_ldl_plan;
typedef struct seam_ldl seam_ldl;

/* A matrix of n_blocks x n_blocks blocks. Block i has order[i] unknowns, which follow those of block i - 1. edge
 * (n_edges pairs) lists the nonzero blocks off the diagonal, in any order. An edge may be repeated; (i, j) also stands
 * for (j, i). sequence (n_blocks): order of elimination; the plan may use another one that gives the same factors.
 * in_jobs: several threads may factorise independent parts. All arrays are copied. Fails with SEAM_NO_MEMORY. */
typedef struct seam_ldl_pattern {
  int n_blocks;
  const int *order;
  int n_edges;
  const int (*edge)[2];
  const int *sequence;
  bool in_jobs;
} seam_ldl_pattern;

seam_status seam_ldl_plan_create(const seam_ldl_pattern *pattern, seam_ldl_plan **plan, seam_error *error);
void seam_ldl_plan_destroy(seam_ldl_plan *plan);

/* Writes a sequence (n_blocks) with little fill (CAMD, [Amestoy-Davis-Duff]). n_parts: 1, 2 or 4. A long and thin graph
 * is eliminated in n_parts independent parts, other graphs in fewer parts. Two parts begin at both ends of the graph;
 * four parts have twice the fill. Fails with SEAM_NO_MEMORY. */
seam_status seam_ldl_order(int n_blocks, int n_edges, const int (*edge)[2], int n_parts, int *sequence,
                           seam_error *error);
/* Works like seam_ldl_order(), but eliminates the blocks in passes, even if this causes more fill. pass (n_blocks, not
 * changed): number of each block's pass, 0 to n_blocks - 1; lower numbers come first. */
seam_status seam_ldl_order_in_passes(int n_blocks, int n_edges, const int (*edge)[2], int *pass, int *sequence,
                                     seam_error *error);

int seam_ldl_n_values(const seam_ldl_plan *plan);
/* Returns the number of multiplications of one factorisation. */
double seam_ldl_cost(const seam_ldl_plan *plan);
/* Returns true if block i is eliminated before block j. */
bool seam_ldl_is_before(const seam_ldl_plan *plan, int i, int j);
/* Returns the index of the first value of block (i, j), which is stored row by row. The block must be in the pattern,
 * with j = i or j eliminated before i. A diagonal block is read on and below its diagonal. */
int seam_ldl_block(const seam_ldl_plan *plan, int i, int j);
/* Returns the index of block i's first pivot in the sequence of elimination, and in seam_ldl_references(). */
int seam_ldl_reference_of(const seam_ldl_plan *plan, int i);
/* Finds the values of A off the diagonal in rows and columns of marked unknowns. `of` (n) marks some of the first n
 * unknowns. Returns the number of these values. Writes their indices to `values`, unless it is NULL. */
int seam_ldl_couplings(const seam_ldl_plan *plan, int n, const bool *of, int *values);

/* Returns NULL when memory is exhausted. The plan must outlive the solver. */
seam_ldl *seam_ldl_create(const seam_ldl_plan *plan);
void seam_ldl_destroy(seam_ldl *solver);
/* Sets the workers for independent parts, which must outlive the solver; NULL: one thread. */
void seam_ldl_set_workers(seam_ldl *solver, const worker_group *workers);

/* Values (seam_ldl_n_values) and references must be written before each factorisation, which overwrites the values. The
 * reference of a pivot is the sum of all terms added to its diagonal value, negative for unknowns of N. A pivot that is
 * very small against its reference is only rounding; it is called lost. */
double *seam_ldl_values(seam_ldl *solver);
double *seam_ldl_references(seam_ldl *solver);

/* Factorises without allocation. Returns -1, or the unknown of a lost pivot: its row of A depends on other rows. */
int seam_ldl_factor(seam_ldl *solver);
/* Does the work of seam_ldl_factor() and seam_ldl_solve() faster, with equal bits. A lost pivot leaves b undefined. */
int seam_ldl_factor_and_solve(seam_ldl *solver, int n, double *b);
/* Returns the unknown with the smallest quotient of pivot and reference in the last factors, and the quotient. If it is
 * small, this unknown's row of A nearly depends on other rows. */
int seam_ldl_smallest_quotient(const seam_ldl *solver, double *quotient);
/* Writes the quotients of pivot and reference of the first n unknowns. */
void seam_ldl_quotients(const seam_ldl *solver, int n, double *quotient);
/* Solves with the last factors, without allocation. b (n): first n entries of the right-hand side; later entries are
 * zero. Replaces b by the first n unknowns of the solution. */
void seam_ldl_solve(seam_ldl *solver, int n, double *b);
/* Estimates the 1-norm of A⁻¹'s block for the first n unknowns, by a few solutions. The estimate is a lower bound,
 * seldom below a third of the norm ([Higham 1988]). scratch (2n). */
double seam_ldl_inverse_norm(seam_ldl *solver, int n, double *scratch);

#endif
