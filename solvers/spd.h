/* Symmetric positive definite systems S x = b of one fixed pattern, solved again and again.
 *
 * A plan is constant: pattern, symbolic factorisation, choice of method. A solver holds the numbers, one for a thread.
 * Pivots are taken in an order that the pattern alone decides, so equal values give equal bits. */
#ifndef SOLVERS_SPD_H
#define SOLVERS_SPD_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct seam_spd_plan seam_spd_plan;
typedef struct seam_spd seam_spd;

typedef enum seam_spd_method { SEAM_SPD_CHOOSE, SEAM_SPD_DENSE, SEAM_SPD_SPARSE } seam_spd_method;

/* Pattern of an (n x n) matrix, both triangles, in compressed columns: column_start (n + 1), row (sorted in each
 * column; the diagonal is there). Copied. With SEAM_SPD_CHOOSE the faster method is taken; the dense one replaces the
 * pattern by the full one. SEAM_NO_MEMORY. */
seam_status seam_spd_plan_create(int n, const int *column_start, const int *row, seam_spd_method method,
                                 seam_spd_plan **plan, seam_error *error);
void seam_spd_plan_destroy(seam_spd_plan *plan);

int seam_spd_n_values(const seam_spd_plan *plan);
/* Place of entry (i, j) among the values; it must be in the pattern. Entries of a column that follow each other in
 * the pattern follow each other in the values. */
int seam_spd_slot(const seam_spd_plan *plan, int i, int j);
/* Copies the pattern out: column_start (n + 1), row (seam_spd_n_values). */
void seam_spd_pattern(const seam_spd_plan *plan, int *column_start, int *row);
bool seam_spd_is_dense(const seam_spd_plan *plan);

/* NULL when memory is exhausted. The plan must outlive the solver. */
seam_spd *seam_spd_create(const seam_spd_plan *plan);
void seam_spd_destroy(seam_spd *solver);

/* Multiplies the diagonal by `factor`: above 1, a singular matrix becomes positive definite. */
void seam_spd_scale_diagonal(const seam_spd_plan *plan, double *values, double factor);
void seam_spd_set_diagonal(const seam_spd_plan *plan, double *values, int i, double value);

/* Factorises; values (seam_spd_n_values). Returns -1, or the row whose pivot is lost: this row depends, to rounding, on
 * others. No allocation. */
int seam_spd_factor(seam_spd *solver, double *values);
/* Row of the last factors' smallest pivot against its diagonal entry of values, and this quotient: how close the row is
 * to depending on others. */
int seam_spd_weakest_row(const seam_spd *solver, const double *values, double *quotient);
/* Solves with the last factors; b (n) becomes x. No allocation. */
void seam_spd_solve(seam_spd *solver, double *b);

#endif
