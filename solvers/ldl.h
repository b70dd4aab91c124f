/* Symmetric quasi-definite systems A x = b of blocks of order 1 to 3 and one fixed pattern, solved again and again.
 *
 *   A = [P Bᵀ; B -N],  P and N positive definite:  A = L D Lᵀ in whatever order the blocks are eliminated
 * ([Vanderbei]).
 *
 * A plan is constant: order of elimination, pattern of the factors, places of all updates. A solver holds the numbers,
 * one for a thread, or for the threads of a group of workers. Equal values give equal bits, with any number of threads.
 */
#ifndef SOLVERS_LDL_H
#define SOLVERS_LDL_H

#include <stdbool.h>

#include <seam/status.h>

#include "base/worker_group.h"

typedef struct seam_ldl_plan seam_ldl_plan;
typedef struct seam_ldl seam_ldl;

/* A matrix of n_blocks x n_blocks blocks; the unknowns of block i, order[i] of them, follow those of block i - 1.
 * edge (n_edges pairs): blocks that may not be zero, (i, j) standing for (j, i) too; in any order, repeated or not.
 * sequence (n_blocks): in which the blocks are eliminated, or any other with the same factors. All are copied.
 * in_jobs: parts that do not depend on each other may be factorised by several threads. SEAM_NO_MEMORY. */
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

/* A sequence (n_blocks) with little fill (CAMD, [Amestoy-Davis-Duff]). What is long and thin is eliminated in n_parts
 * (1, 2 or 4) that do not wait for each other: two from its ends, two more with twice the fill. SEAM_NO_MEMORY. */
seam_status seam_ldl_order(int n_blocks, int n_edges, const int (*edge)[2], int n_parts, int *sequence,
                           seam_error *error);
/* The same of blocks that have turns (n_blocks, below n_blocks, which are left as they are). */
seam_status seam_ldl_order_in_turns(int n_blocks, int n_edges, const int (*edge)[2], int *turn, int *sequence,
                                    seam_error *error);

int seam_ldl_n_values(const seam_ldl_plan *plan);
/* Multiplications of one factorisation. */
double seam_ldl_cost(const seam_ldl_plan *plan);
/* Returns true if block i is eliminated before block j. */
bool seam_ldl_is_before(const seam_ldl_plan *plan, int i, int j);
/* First of the values of block (i, j), row by row; it must be in the pattern, j = i or eliminated before i. A diagonal
 * block is read on and below its diagonal. */
int seam_ldl_block(const seam_ldl_plan *plan, int i, int j);
/* Returns the first reference of block i. */
int seam_ldl_reference_of(const seam_ldl_plan *plan, int i);
/* Values in rows and columns of those of the first n unknowns that `of` marks, but the diagonal: writes them, unless
 * `values` is NULL, and returns how many they are. */
int seam_ldl_couplings(const seam_ldl_plan *plan, int n, const bool *of, int *values);

/* NULL when memory is exhausted. The plan must outlive the solver. */
seam_ldl *seam_ldl_create(const seam_ldl_plan *plan);
void seam_ldl_destroy(seam_ldl *solver);
/* Sets the workers whose threads factorise and solve, where the plan is in jobs; it must outlive the solver. NULL: one
 * thread. */
void seam_ldl_set_workers(seam_ldl *solver, const worker_group *workers);

/* Numbers to be written before each factorisation, which overwrites the first: values (seam_ldl_n_values), zero where
 * nothing is written since seam_ldl_clear(), and what each pivot is measured by: the sum of all that is added to it,
 * negative in N. */
void seam_ldl_clear(seam_ldl *solver);
double *seam_ldl_values(seam_ldl *solver);
double *seam_ldl_references(seam_ldl *solver);

/* Returns -1, or the unknown whose pivot is lost: this row depends, to rounding, on others. No allocation. */
int seam_ldl_factor(seam_ldl *solver);
/* The same, and seam_ldl_solve(), in less time than one after the other and with the same bits; b has no meaning where
 * a pivot is lost. */
int seam_ldl_factor_and_solve(seam_ldl *solver, int n, double *b);
/* Unknown of the last factors' smallest pivot against its reference, and this quotient: how close its row is to
 * depending on others. */
int seam_ldl_weakest(const seam_ldl *solver, double *quotient);
/* These quotients of the first n unknowns. */
void seam_ldl_quotients(const seam_ldl *solver, int n, double *quotient);
/* Solves with the last factors for the first n unknowns: b (n), zero for the others, becomes x. No allocation. */
void seam_ldl_solve(seam_ldl *solver, int n, double *b);
/* The largest sum of absolute values in a column of the inverse, of its first n unknowns, by a few solutions; seldom
 * estimated to less than a third ([Higham 1988]). scratch (2n). */
double seam_ldl_inverse_norm(seam_ldl *solver, int n, double *scratch);

#endif
