#include "solvers/ldl_forest.h"

#include "solvers/ldl_kernels.h"

static inline void eliminate(int order, int rows, seam_ldl_forest at, const seam_ldl_link *link) {
  double *U = at.values + link->value;
  double *L = U + order * order;
  double *inverse = at.inverse + link->pivot;
  double Z[9];
  factor_diagonal(order, U, inverse);
  if (rows == 0)
    return;
  scale_rows(order, U, inverse, rows, L, Z);
  if (order == 2 && rows == 2)
    subtract_square(L, Z, at.values + link->target);
  else
    subtract(order, rows, rows, L, Z, at.values + link->target);
}

/* Forward sweep of one column of blocks: replaces its part of b by y = U⁻¹ b, and subtracts L y from the part of the
 * block below. */
static inline void go_forward(int order, int rows, seam_ldl_forest at, const seam_ldl_link *link, double *b) {
  const double *U = at.values + link->value;
  const double *L = U + order * order;
  double *y = b + link->first_unknown;
  double *below = b + link->first_below;
  if (order > 1)
    y[1] -= U[order] * y[0];
  if (order > 2)
    y[2] -= U[6] * y[0] + U[7] * y[1];
  if (order == 2 && rows == 2) {
    const seam_lanes sum =
        (seam_lanes){L[0], L[2]} * seam_lanes_of(y[0]) + (seam_lanes){L[1], L[3]} * seam_lanes_of(y[1]);
    seam_lanes_store(below, seam_lanes_load(below) - sum);
    return;
  }
  for (int i = 0; i < rows; i++, L += order) {
    double sum = L[0] * y[0];
    for (int k = 1; k < order; k++)
      sum += L[k] * y[k];
    below[i] -= sum;
  }
}

/* Backward sweep of one column of blocks: replaces its part y of the right-hand side by U⁻ᵀ (d⁻¹ y - Lᵀ x). U (unit
 * lower triangular), d (diagonal) and L (rows below) are the factors of this column (ldl.c), x is the solution in the
 * rows below. */
static inline void go_back(int order, int rows, seam_ldl_forest at, const seam_ldl_link *link, double *b) {
  const double *U = at.values + link->value;
  const double *L = U + order * order;
  const double *inverse = at.inverse + link->pivot;
  const double *below = b + link->first_below;
  double *x = b + link->first_unknown;
  double sum[3] = {0};
  for (int i = 0; i < rows; i++, L += order)
    for (int k = 0; k < order; k++)
      sum[k] += L[k] * below[i];
  for (int k = 0; k < order; k++)
    x[k] = x[k] * inverse[k] - sum[k];
  if (order == 2)
    x[0] -= U[2] * x[1];
  if (order > 2) {
    x[1] -= U[7] * x[2];
    x[0] -= U[6] * x[2];
    x[0] -= U[3] * x[1];
  }
}

/* Calls a kernel with constants for the link's kind. */
#define CASE(kernel, order, rows, ...)                                                                                 \
  case 4 * (order) + (rows):                                                                                           \
    kernel(order, rows, __VA_ARGS__);                                                                                  \
    break;
#define CASES(kernel, order, ...)                                                                                      \
  CASE(kernel, order, 0, __VA_ARGS__)                                                                                  \
  CASE(kernel, order, 1, __VA_ARGS__)                                                                                  \
  CASE(kernel, order, 2, __VA_ARGS__)                                                                                  \
  CASE(kernel, order, 3, __VA_ARGS__)
#define CALL(kernel, ...)                                                                                              \
  switch (link->kind) {                                                                                                \
    CASES(kernel, 1, __VA_ARGS__)                                                                                      \
    CASES(kernel, 2, __VA_ARGS__)                                                                                      \
    CASES(kernel, 3, __VA_ARGS__)                                                                                      \
  default:                                                                                                             \
    break;                                                                                                             \
  }

static inline void eliminate_and_go_forward(int order, int rows, seam_ldl_forest at, const seam_ldl_link *link,
                                            double *b) {
  eliminate(order, rows, at, link);
  go_forward(order, rows, at, link, b);
}

void seam_ldl_forest_eliminate(seam_ldl_forest at, double *b) {
  const seam_ldl_link *end = at.links + at.n;
  for (const seam_ldl_link *link = at.links; link < end && b == NULL; link++)
    CALL(eliminate, at, link)
  for (const seam_ldl_link *link = at.links; link < end && b != NULL; link++)
    CALL(eliminate_and_go_forward, at, link, b)
}

void seam_ldl_forest_go_forward(seam_ldl_forest at, double *b) {
  const seam_ldl_link *end = at.links + at.n;
  for (const seam_ldl_link *link = at.links; link < end; link++)
    CALL(go_forward, at, link, b)
}

void seam_ldl_forest_go_back(seam_ldl_forest at, double *b) {
  for (const seam_ldl_link *link = at.links + at.n; link-- > at.links;)
    CALL(go_back, at, link, b)
}
