/* Linear algebra with 113 bits for small matrices: what double precision cannot decide. Matrices are stored by rows. */
#ifndef TESTS_SUPPORT_ORACLE_QUAD_H
#define TESTS_SUPPORT_ORACLE_QUAD_H

#include <stdbool.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* where the compiler has no other, this is the widest there is */
#endif

enum { QUAD_MAX_ORDER = 32 };

/* X (n x m) with A X = B, by Gaussian elimination with row pivoting; destroys A and leaves X in B. False when A is
 * singular. */
bool quad_solve(int n, int m, quad *A, quad *B);

/* E (n x n) = exp(A), n <= QUAD_MAX_ORDER. */
void quad_expm(int n, const quad *A, quad *E);

/* Largest modulus of the eigenvalues of A (n x n), which is destroyed, and the uncertainty that a double eigenvalue
 * would have. False when the iteration does not converge. */
bool quad_spectral_radius(int n, quad *A, double *rho, double *uncertainty);

#endif
