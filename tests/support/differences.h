/* Derivatives by differences, accurate enough to check exact ones. */
#ifndef TESTS_SUPPORT_DIFFERENCES_H
#define TESTS_SUPPORT_DIFFERENCES_H

/* y (n_y) = f(x) for x (n_x). */
typedef void vector_function(const void *context, const double *x, double *y);

/* J (n_y x n_x, row by row) = ∂f/∂x by central differences with steps 0.01, 0.005, 0.0025, 0.00125, extrapolated to
 * zero (Romberg): to about 1e-11 where f and its derivatives are of order 1. At most 128 values x and y. */
void differentiate(vector_function *f, const void *context, const double *x, int n_x, int n_y, double *J);

/* Fails unless a (n) equals b within `tolerance` times the largest of 1 and |b|. */
void expect_close(const double *a, const double *b, int n, double tolerance, const char *what);

#endif
