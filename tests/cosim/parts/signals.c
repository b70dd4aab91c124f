/* Signals: piecewise polynomials over a macro step. */
#include <criterion/criterion.h>
#include <math.h>

#include "cosim/parts/signal.h"

/* 1 + x - 3 x² on the first half, 2 x³ on the second. */
static const cosim_signal example = {.n_pieces = 2, .c = {{1, 1, -3, 0}, {0, 0, 0, 2}}};

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
  const cosim_signal whole = {.n_pieces = 1, .c = {{2, -1, 0.5, 3}}, {0}};
  for (int n = 1; n <= COSIM_MAX_PIECES; n++) {
    cosim_signal fine = {.n_pieces = n, .border = {0.2, n == 3 ? 0.7 : 0}};
    cosim_signal_add(&fine, 1, &whole);
    cr_expect_eq(fine.n_pieces, n);
    expect_same(&whole, &fine);
  }
}

Test(signals, a_polynomial_may_begin_anywhere_in_its_piece) {
  for (int p = 0; p < 6; p++) {
    double c[COSIM_MAX_DEGREE + 1];
    const double from = p / 6.0;
    cosim_signal_from(&example, cosim_signal_piece_at(&example, from + 0.05), from, c);
    const double x = 0.1;
    const double value = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    cr_expect_float_eq(value, cosim_signal_value(&example, from + x), 1e-15);
  }
}

Test(signals, ends_of_pieces_are_merged) {
  double tau[6] = {1};
  const cosim_signal halves = {.n_pieces = 2};
  const cosim_signal thirds = {.n_pieces = 3};
  const cosim_signal uneven = {.n_pieces = 3, .border = {0.2, 0.5}};
  const double expected[] = {0.2, 1.0 / 3, 0.5, 2.0 / 3, 1};
  int n = cosim_add_ends(tau, 1, &halves);
  n = cosim_add_ends(tau, n, &thirds);
  n = cosim_add_ends(tau, n, &uneven);
  cr_assert_eq(n, 5);
  for (int i = 0; i < n; i++)
    cr_expect_float_eq(tau[i], expected[i], 1e-15);
}

Test(signals, sums_have_the_pieces_of_both) {
  const cosim_signal line = {.n_pieces = 1, .c = {{1, 2}}};
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

/* ---- Parts of a signal and its rate ---- */

/* Of the highest degree, on uneven pieces. */
static const cosim_signal uneven = {.n_pieces = 3,
                                    .c = {{1, 1, -3, 0, 2, 0, 0, -4}, {0.3, -2, 0, 1, 0, 5}, {-1, 0, 0, 2, 0, 0, 7, 3}},
                                    .border = {0.2, 0.7}};

Test(signals, a_part_has_the_values_of_the_whole) {
  static const struct {
    double from, to;
    int n_pieces;
  } rows[] = {{0, 1, 3}, {0, 0.2, 1}, {0.05, 0.1, 1}, {0.1, 0.6, 2}, {0.2, 0.7, 1}, {0.15, 0.9, 3}, {0.7, 1, 1}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const double length = rows[r].to - rows[r].from;
    const cosim_signal part = cosim_signal_between(&uneven, rows[r].from, rows[r].to);
    cr_expect_eq(part.n_pieces, rows[r].n_pieces, "%g to %g: %d pieces", rows[r].from, rows[r].to, part.n_pieces);
    for (int i = 1; i < 40; i++)
      cr_expect_float_eq(cosim_signal_value(&part, i / 40.0),
                         cosim_signal_value(&uneven, rows[r].from + i / 40.0 * length), 1e-13);
    cr_expect_float_eq(cosim_signal_end(&part), cosim_signal_value(&uneven, rows[r].to), 1e-13);
  }
}

Test(signals, parts_together_are_the_whole) {
  static const double node[] = {0, 0.0485, 0.2, 0.5, 0.7, 0.96, 1};
  double sum = 0;
  for (int k = 0; k < 6; k++) {
    const cosim_signal part = cosim_signal_between(&uneven, node[k], node[k + 1]);
    sum += (node[k + 1] - node[k]) * cosim_signal_integral(&part);
  }
  cr_expect_float_eq(sum, cosim_signal_integral(&uneven), 1e-14);
}

Test(signals, the_rate_is_a_central_difference) {
  const double H = 0.25;
  const double h = 1e-5;
  const cosim_signal rate = cosim_signal_rate(&uneven, H);
  for (int i = 0; i < 20; i++) {
    const double tau = (i + 0.5) / 20;
    const double slope = (cosim_signal_value(&uneven, tau + h) - cosim_signal_value(&uneven, tau - h)) / (2 * h);
    cr_expect_float_eq(cosim_signal_value(&rate, tau), slope / H, 1e-6, "%g", tau);
  }
  cr_expect_float_eq(cosim_signal_end(&rate), cosim_signal_end_slope(&uneven) / H, 1e-13);
}
