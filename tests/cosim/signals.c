/* Signals: piecewise polynomials over a macro step. */
#include <criterion/criterion.h>
#include <math.h>

#include "cosim/signal.h"

/* 1 + x - 3 x² on the first half, 2 x³ on the second. */
static const cosim_signal example = {2, {{1, 1, -3, 0}, {0, 0, 0, 2}}};

Test(signals, the_left_piece_holds_at_a_boundary) {
  cr_expect_float_eq(cosim_signal_value(&example, 0), 1, 0);
  cr_expect_float_eq(cosim_signal_value(&example, 0.5), 0.75, 1e-15);
  cr_expect_float_eq(cosim_signal_value(&example, 0.75), 2.0 / 64, 1e-15);
  cr_expect_float_eq(cosim_signal_value(&example, 1), 0.25, 1e-15);
}

Test(signals, ends) {
  cr_expect_float_eq(cosim_signal_end(&example), 0.25, 1e-15);
  cr_expect_float_eq(cosim_signal_end_slope(&example), 1.5, 1e-15);
  cr_expect_float_eq(cosim_signal_integral(&example), 0.5 + 0.125 - 0.125 + 2.0 / 64, 1e-15);
}

static void expect_same(const cosim_signal *a, const cosim_signal *b) {
  for (int i = 0; i <= 60; i++)
    cr_expect_float_eq(cosim_signal_value(a, i / 60.0), cosim_signal_value(b, i / 60.0), 1e-14);
  cr_expect_float_eq(cosim_signal_integral(a), cosim_signal_integral(b), 1e-15);
}

Test(signals, more_pieces_change_nothing) {
  const cosim_signal whole = {1, {{2, -1, 0.5, 3}}};
  for (int n = 1; n <= cosim_most_pieces; n++) {
    const cosim_signal fine = cosim_signal_refine(&whole, n);
    cr_expect_eq(fine.n_pieces, n);
    expect_same(&whole, &fine);
  }
}

Test(signals, a_piece_of_six_is_that_of_two_or_three) {
  for (int p = 0; p < 6; p++) {
    double c[cosim_most_degree + 1];
    cosim_signal_piece(&example, 6, p, c);
    const double x = 0.1;
    const double value = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    cr_expect_float_eq(value, cosim_signal_value(&example, p / 6.0 + x), 1e-15);
  }
}

Test(signals, sums_have_the_pieces_of_both) {
  const cosim_signal line = {1, {{1, 2}}};
  cosim_signal sum = line;
  cosim_signal_add(&sum, -2, &example);
  cr_expect_eq(sum.n_pieces, 2);
  for (int i = 0; i <= 10; i++)
    cr_expect_float_eq(cosim_signal_value(&sum, i / 10.0), 1 + 0.2 * i - 2 * cosim_signal_value(&example, i / 10.0),
                       1e-15);
}

Test(signals, lagrange_polynomials_are_one_at_their_node) {
  static const double node[] = {1, 0, -0.7, -1.9};
  for (int n = 1; n <= 4; n++)
    for (int which = 0; which < n; which++) {
      const cosim_signal basis = cosim_lagrange(n, node, which);
      const double *c = basis.c[0];
      for (int i = 0; i < n; i++) {
        const double x = node[i];
        cr_expect_float_eq(c[0] + x * (c[1] + x * (c[2] + x * c[3])), i == which, 1e-14);
      }
    }
}
