/* The linear system of all couplings: a column for each new value of a coupling variable, a row for each condition. The
 * matrix is sparse, or dense if it is small. The first filling records which entries exist, including zeros; later
 * fillings add the same entries in the same order. */
#ifndef COSIM_INTERFACE_H
#define COSIM_INTERFACE_H

#include "cosim/parts/part.h"

typedef struct cosim_interface cosim_interface;

/* Creates an interface of order n. NULL when memory is exhausted. */
cosim_interface *cosim_interface_create(int n);
void cosim_interface_destroy(cosim_interface *self);

/* Ends the first filling, which needs no cosim_interface_begin(). SEAM_NO_MEMORY. */
seam_status cosim_interface_end_pattern(cosim_interface *self, seam_error *error);

void cosim_interface_begin(cosim_interface *self);
void cosim_interface_add(cosim_interface *self, int row, int column, double value);
/* Sets the expected size of a row's entries: if all are below 1e-12 of `size`, the matrix is singular. */
void cosim_interface_expect(cosim_interface *self, int row, double size);
/* Factors the matrix filled since cosim_interface_begin(). SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status cosim_interface_factor(cosim_interface *self, seam_error *error);
/* Replaces b (n) by the solution. */
void cosim_interface_solve(cosim_interface *self, double *b);

/* Copies to or from an image: a flag (0: not factored), the values of the first factored matrix, which fixes the pivots
 * of sparse matrices, and those of the present one. NULL: copies nothing. A copy from an image has the errors of
 * cosim_interface_factor(). */
seam_status cosim_interface_copy(cosim_interface *self, cosim_image *image, seam_error *error);

#endif
