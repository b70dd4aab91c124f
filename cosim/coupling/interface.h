/* The linear system of all couplings together, sparse unless it is small: one unknown for each new value, one row for
 * each condition.
 *
 * Its pattern is recorded in a first filling, whatever the values; every filling puts its entries in the same order. */
#ifndef COSIM_MASTER_INTERFACE_H
#define COSIM_MASTER_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

typedef struct cosim_interface cosim_interface;

/* Creates an interface of order n. NULL when memory is exhausted. */
cosim_interface *cosim_interface_create(int n);
void cosim_interface_destroy(cosim_interface *self);

/* Ends the first filling, which needs no cosim_interface_begin(). SEAM_NO_MEMORY. */
seam_status cosim_interface_learn(cosim_interface *self, seam_error *error);

void cosim_interface_begin(cosim_interface *self);
void cosim_interface_put(cosim_interface *self, int row, int column, double value);
/* A row whose entries are all below 1e-12 of `size` consists of rounding only: then the matrix is singular. */
void cosim_interface_expect(cosim_interface *self, int row, double size);
/* Factors what was put since the beginning. SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status cosim_interface_factor(cosim_interface *self, seam_error *error);
/* b (n) becomes the solution. */
void cosim_interface_solve(cosim_interface *self, double *b);

/* Image, so that a restored interface continues to the bit: whether there is a matrix, the one that decided the order
 * of pivots, and the present one. */
size_t cosim_interface_image_size(const cosim_interface *self);
void cosim_interface_save(const cosim_interface *self, double *image);
seam_status cosim_interface_restore(cosim_interface *self, const double *image, seam_error *error);

#endif
