#include "cosim/signal.h"

#include <math.h>
#include <string.h>

/* Coefficients of p(x + shift) in powers of x. */
static void shift_polynomial(const double *c, double shift, double *shifted) {
  memcpy(shifted, c, (cosim_most_degree + 1) * sizeof *c);
  for (int k = 0; k < cosim_most_degree; k++)
    for (int j = cosim_most_degree - 1; j >= k; j--)
      shifted[j] += shift * shifted[j + 1];
}

cosim_signal cosim_signal_refine(const cosim_signal *signal, int n_pieces) {
  cosim_signal fine = {.n_pieces = n_pieces};
  const int parts = n_pieces / signal->n_pieces;
  for (int p = 0; p < n_pieces; p++)
    shift_polynomial(signal->c[p / parts], (double)(p % parts) / n_pieces, fine.c[p]);
  return fine;
}

void cosim_signal_add(cosim_signal *sum, double factor, const cosim_signal *signal) {
  const int n_pieces = signal->n_pieces > sum->n_pieces ? signal->n_pieces : sum->n_pieces;
  if (sum->n_pieces != n_pieces)
    *sum = cosim_signal_refine(sum, n_pieces);
  const cosim_signal fine = cosim_signal_refine(signal, n_pieces);
  for (int p = 0; p < n_pieces; p++)
    for (int j = 0; j <= cosim_most_degree; j++)
      sum->c[p][j] += factor * fine.c[p][j];
}

static double polynomial(const double *c, double x) {
  double value = 0;
  for (int j = cosim_most_degree; j >= 0; j--)
    value = value * x + c[j];
  return value;
}

double cosim_signal_value(const cosim_signal *signal, double tau) {
  int piece = (int)ceil(tau * signal->n_pieces) - 1;
  if (piece < 0)
    piece = 0;
  if (piece >= signal->n_pieces)
    piece = signal->n_pieces - 1;
  return polynomial(signal->c[piece], tau - (double)piece / signal->n_pieces);
}

double cosim_signal_end(const cosim_signal *signal) {
  return polynomial(signal->c[signal->n_pieces - 1], 1.0 / signal->n_pieces);
}

double cosim_signal_end_slope(const cosim_signal *signal) {
  const double *c = signal->c[signal->n_pieces - 1];
  const double x = 1.0 / signal->n_pieces;
  double slope = 0;
  for (int j = cosim_most_degree; j >= 1; j--)
    slope = slope * x + j * c[j];
  return slope;
}

double cosim_signal_integral(const cosim_signal *signal) {
  const double x = 1.0 / signal->n_pieces;
  double sum = 0;
  for (int p = 0; p < signal->n_pieces; p++) {
    double integral = 0;
    for (int j = cosim_most_degree; j >= 0; j--)
      integral = integral * x + signal->c[p][j] / (j + 1);
    sum += integral * x;
  }
  return sum;
}

cosim_signal cosim_lagrange(int n, const double *node, int which) {
  cosim_signal signal = {.n_pieces = 1, .c = {{1}}};
  double *c = signal.c[0];
  for (int i = 0, degree = 0; i < n; i++) {
    if (i == which)
      continue;
    const double gap = node[which] - node[i];
    degree++;
    for (int j = degree; j >= 0; j--)
      c[j] = ((j > 0 ? c[j - 1] : 0) - node[i] * c[j]) / gap;
  }
  return signal;
}
