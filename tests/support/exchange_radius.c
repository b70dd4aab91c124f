#include "tests/support/exchange_radius.h"

#include <criterion/criterion.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From the clock of `from` and the values in `begin`; what becomes of the values. */
static void push(cosim_exchange *exchange, double H, const double *begin, double *end) {
  cosim_exchange_restore(exchange, begin);
  cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  cosim_exchange_save(exchange, end);
}

double exchange_radius(cosim_exchange *exchange, double H) {
  const size_t n_state = cosim_exchange_n_state(exchange);
  const size_t n_counters = cosim_exchange_n_counters(exchange);
  const size_t n = n_state - n_counters;
  cr_assert_gt(n_state, 0);
  double *memory = calloc(3 * n_state + n * n + 2 * n, sizeof *memory);
  double *begin = memory, *end = begin + n_state, *zero = end + n_state, *M = zero + n_state, *eigenvalues = M + n * n;
  for (int k = 0; k < COSIM_MAX_PAST; k++)
    cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  cosim_exchange_save(exchange, begin);
  memset(begin + n_counters, 0, n * sizeof *begin);
  push(exchange, H, begin, zero);
  for (size_t j = 0; j < n; j++) {
    begin[n_counters + j] = 1;
    push(exchange, H, begin, end);
    begin[n_counters + j] = 0;
    for (size_t i = 0; i < n; i++)
      M[i + j * n] = end[n_counters + i] - zero[n_counters + i];
  }
  const int order = (int)n;
  cr_assert_eq(
      LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', order, M, order, eigenvalues, eigenvalues + n, NULL, 1, NULL, 1), 0);
  double radius = 0;
  for (size_t i = 0; i < n; i++)
    radius = fmax(radius, hypot(eigenvalues[i], eigenvalues[n + i]));
  free(memory);
  return radius;
}
