#include "cosim/parts/signal.h"

#include <math.h>
#include <string.h>

#include "cosim/thresholds.h"

/* Fills the coefficients of the polynomial p(x + shift) in powers of x; c: those of p(x). */
static void shift_polynomial(const double *c, double shift, double *shifted) {
  memcpy(shifted, c, (COSIM_MAX_DEGREE + 1) * sizeof *c);
  for (int k = 0; k < COSIM_MAX_DEGREE; k++)
    for (int j = COSIM_MAX_DEGREE - 1; j >= k; j--)
      shifted[j] += shift * shifted[j + 1];
}

int cosim_signal_piece_at(const cosim_signal *signal, double tau) {
  int piece = signal->n_pieces - 1;
  while (piece > 0 && tau < cosim_signal_begin(signal, piece))
    piece--;
  return piece;
}

void cosim_signal_from(const cosim_signal *signal, int piece, double from, double *c) {
  shift_polynomial(signal->c[piece], from - cosim_signal_begin(signal, piece), c);
}

cosim_signal cosim_signal_between(const cosim_signal *signal, double from, double to) {
  cosim_signal between = {0};
  double begin = from;
  for (int p = cosim_signal_piece_at(signal, from + cosim_same_tau);
       p < signal->n_pieces && begin < to - cosim_same_tau; p++) {
    const double end = fmin(to, cosim_signal_begin(signal, p + 1));
    double *c = between.c[between.n_pieces];
    double factor = 1;
    cosim_signal_from(signal, p, begin, c);
    for (int k = 0; k <= COSIM_MAX_DEGREE; k++, factor *= to - from)
      c[k] *= factor;
    if (between.n_pieces > 0)
      between.border[between.n_pieces - 1] = (begin - from) / (to - from);
    between.n_pieces++;
    begin = end;
  }
  return between;
}

cosim_signal cosim_signal_rate(const cosim_signal *signal, double H) {
  cosim_signal rate = *signal;
  for (int p = 0; p < rate.n_pieces; p++) {
    for (int k = 0; k < COSIM_MAX_DEGREE; k++)
      rate.c[p][k] = (k + 1) * signal->c[p][k + 1] / H;
    rate.c[p][COSIM_MAX_DEGREE] = 0;
  }
  return rate;
}

/* Divides a signal of one piece at the borders of the signal `like`, and returns the result. */
static cosim_signal divide(const cosim_signal *undivided, const cosim_signal *like) {
  cosim_signal fine = {.n_pieces = like->n_pieces};
  memcpy(fine.border, like->border, sizeof fine.border);
  for (int p = 0; p < like->n_pieces; p++)
    shift_polynomial(undivided->c[0], cosim_signal_begin(like, p), fine.c[p]);
  return fine;
}

void cosim_signal_add(cosim_signal *sum, double factor, const cosim_signal *signal) {
  cosim_signal fine;
  if (sum->n_pieces < signal->n_pieces) {
    *sum = divide(sum, signal);
  } else if (signal->n_pieces < sum->n_pieces) {
    fine = divide(signal, sum);
    signal = &fine;
  }
  for (int p = 0; p < sum->n_pieces; p++)
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
      sum->c[p][j] += factor * signal->c[p][j];
}

static int add_end(double *tau, int n, double end) {
  int at = 0;
  while (tau[at] < end - cosim_same_tau)
    at++;
  if (tau[at] <= end + cosim_same_tau)
    return n;
  memmove(tau + at + 1, tau + at, (size_t)(n - at) * sizeof *tau);
  tau[at] = end;
  return n + 1;
}

int cosim_add_ends(double *tau, int n, const cosim_signal *signal) {
  for (int p = 1; p < signal->n_pieces; p++)
    n = add_end(tau, n, cosim_signal_begin(signal, p));
  return n;
}

int cosim_list_ends(double *tau, const cosim_step *step, int n_inputs, int n_seeds) {
  int n = 1;
  tau[0] = 1;
  for (int i = 0; i < n_inputs; i++)
    n = cosim_add_ends(tau, n, &step->inputs[i]);
  for (int d = 0; d < n_seeds; d++)
    n = cosim_add_ends(tau, n, &step->seeds[d].signal);
  return n;
}

int cosim_add_nodes(double *tau, int n, const cosim_step *step) {
  for (int k = 0; k < step->n_nodes; k++)
    n = add_end(tau, n, step->nodes[k]);
  return n;
}

/* Skips leading zeros: most polynomials have a low degree. */
static double polynomial(const double *c, double x) {
  double value = 0;
  int j = COSIM_MAX_DEGREE;
  while (j > 0 && c[j] == 0)
    j--;
  for (; j >= 0; j--)
    value = value * x + c[j];
  return value;
}

double cosim_signal_value(const cosim_signal *signal, double tau) {
  if (signal == NULL || signal->n_pieces < 1 || signal->n_pieces > COSIM_MAX_PIECES)
    return NAN;
  int piece = cosim_signal_piece_at(signal, tau);
  if (piece > 0 && tau == cosim_signal_begin(signal, piece))
    piece--;
  return polynomial(signal->c[piece], tau - cosim_signal_begin(signal, piece));
}

double cosim_signal_end(const cosim_signal *signal) {
  const int last = signal->n_pieces - 1;
  return polynomial(signal->c[last], cosim_signal_length(signal, last));
}

double cosim_signal_end_slope(const cosim_signal *signal) {
  const double *c = signal->c[signal->n_pieces - 1];
  const double x = cosim_signal_length(signal, signal->n_pieces - 1);
  double slope = 0;
  for (int j = COSIM_MAX_DEGREE; j >= 1; j--)
    slope = slope * x + j * c[j];
  return slope;
}

double cosim_signal_integral(const cosim_signal *signal) {
  double sum = 0;
  for (int p = 0; p < signal->n_pieces; p++) {
    const double x = cosim_signal_length(signal, p);
    double integral = 0;
    for (int j = COSIM_MAX_DEGREE; j >= 0; j--)
      integral = integral * x + signal->c[p][j] / (j + 1);
    sum += integral * x;
  }
  return sum;
}

/* Each piece adds the difference between its polynomial and the one before, integrated from its beginning to τ = 1. */
void cosim_signal_integrals(const cosim_signal *signal, int n, double *integrals) {
  memset(integrals, 0, (size_t)n * sizeof *integrals);
  for (int p = 0; p < signal->n_pieces; p++) {
    const double from = cosim_signal_begin(signal, p);
    double power = 1;
    double before[COSIM_MAX_DEGREE + 1] = {0};
    if (p > 0)
      cosim_signal_from(signal, p - 1, from, before);
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++, power *= 1 - from) {
      double integral = (signal->c[p][j] - before[j]) * power;
      for (int k = 0; k < n && integral != 0; k++)
        integrals[k] += integral *= (1 - from) / (j + k + 1);
    }
  }
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
