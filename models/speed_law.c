/* A drive with the speed ω and the initial value f° follows
 *
 *   f(t) = f° + ∫₀ᵗ ω dτ,   f' = ω,   f'' = ω'
 *
 * The time between kinks of ω is divided into intervals (pieces) of at most a hundredth of the run. On each, ω becomes
 * a Chebyshev series through its values at N + 1 points. An interval is halved until the last terms fall to rounding.
 * With x from -1 to 1 over an interval and the Chebyshev polynomials T_k,
 *
 *   ω = Σ c_k T_k(x),   ∫ω dx = Σ b_k T_k(x),   b_1 = c_0 - c_2/2,   b_k = (c_(k-1) - c_(k+1)) / 2k
 *
 * b_0 makes the integral 0 at the start of the interval ([Trefethen] 3, 4, 19). */
#include "models/speed_law.h"

#include <math.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "models/expression/expression.h"
#include "models/thresholds.h"

enum { N = 16 };
static const double pi = 3.14159265358979323846;

typedef struct piece {
  double from, half; /* s: start, and half of the length */
  double before;     /* integral of ω from 0 to the start */
  double b[N + 2];
} piece;

typedef struct speed_law {
  seam_law speed;
  double start, end;
  piece *pieces; /* (n) intervals from 0 to `end` */
  size_t n, capacity;
  bool no_memory; /* memory was exhausted */
} speed_law;

/* Makes the series from a to b. Returns true if its last terms have fallen to rounding, or if it is not finite, since
 * halving the interval then does not help. */
static bool make_piece(const seam_law *speed, double a, double b, piece *made) {
  double w[N + 1];
  double c[N + 3];
  for (int j = 0; j <= N; j++) {
    const double t = (a + b) / 2 + (b - a) / 2 * cos(pi * j / N);
    w[j] = speed->value(speed->data, (double[2]){fmin(fmax(t, a), b), 0}); /* rounding must not move t past a kink */
  }
  for (int k = 0; k < N + 3; k++) {
    c[k] = 0;
    for (int j = 0; j <= N && k <= N; j++)
      c[k] += (j % N == 0 ? 1.0 : 2.0) / N * w[j] * cos(pi * ((j * k) % (2 * N)) / N);
  }
  c[0] /= 2;
  c[N] /= 2;
  made->from = a;
  made->half = (b - a) / 2;
  made->b[1] = c[0] - c[2] / 2;
  for (int k = 2; k < N + 2; k++)
    made->b[k] = (c[k - 1] - c[k + 1]) / (2 * k);
  made->b[0] = 0;
  for (int k = 1; k < N + 2; k++)
    made->b[0] -= k % 2 == 0 ? made->b[k] : -made->b[k];
  double tail = 0, largest = 0;
  for (int k = 0; k <= N; k++) {
    largest = fmax(largest, fabs(c[k]));
    tail = k >= N - 2 ? fmax(tail, fabs(c[k])) : tail;
  }
  return tail <= models_series_end * largest || tail * made->half <= models_negligible_integral ||
         !isfinite(made->b[0]);
}

/* Integrates from the start of the interval to t, by Clenshaw's recurrence. */
static double integral_in(const piece *p, double t) {
  const double x = p->half > 0 ? fmin((t - p->from) / p->half - 1, 1) : -1;
  double later = 0;
  double now = 0;
  for (int k = N + 1; k > 0; k--) {
    const double next = p->b[k] + 2 * x * now - later;
    later = now;
    now = next;
  }
  return p->half * (p->b[0] + x * now - later);
}

static bool store_piece(speed_law *self, const piece *p) {
  piece *larger = array_grow(self->pieces, &self->capacity, self->n + 1, sizeof *larger);
  self->no_memory = larger == NULL;
  if (larger == NULL)
    return false;
  self->pieces = larger;
  self->pieces[self->n++] = *p;
  return true;
}

/* Integrates ω from a to b, and stores the intervals in *store unless it is NULL. Returns false if there are too many
 * intervals, or if memory is exhausted. */
static bool integrate(const speed_law *self, double a, double b, speed_law *store, double *sum) {
  const seam_law *speed = &self->speed;
  const double longest = (self->end > 0 ? self->end : b - a) / 100; /* s, longest allowed interval */
  size_t n = 0;
  *sum = 0;
  for (double t = a; t < b;) {
    const seam_kink kink =
        speed->next_kink != NULL ? speed->next_kink(speed->data, t) : (seam_kink){INFINITY, INFINITY};
    const double end = fmin(b, kink.before);
    for (double length = longest; t < end;) {
      piece p;
      const double to = length < end - t ? t + length : end;
      if (to <= t || n == MODELS_MAX_SPEED_PIECES)
        return false;
      if (!make_piece(speed, t, to, &p)) {
        length = (to - t) / 2;
        continue;
      }
      p.before = *sum;
      if (store != NULL && !store_piece(store, &p))
        return false;
      *sum += integral_in(&p, to);
      t = to;
      length = fmin(2 * length, longest);
      n++;
    }
    t = fmax(t, fmin(b, kink.at));
  }
  return true;
}

static double integral(const speed_law *self, double a, double b) {
  double sum = 0;
  return integrate(self, a, b, NULL, &sum) ? sum : NAN;
}

static double value(const void *data, const double x[2]) {
  const speed_law *self = data;
  const double t = x[0];
  if (t < 0)
    return self->start - integral(self, t, 0);
  const double within = fmin(t, self->end);
  size_t low = 0; /* index of the interval that contains `within` */
  size_t high = self->n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(self->pieces[middle].from <= within ? &low : &high) = middle;
  }
  const piece *p = self->n > 0 ? &self->pieces[low] : NULL;
  const double sum = p != NULL ? p->before + integral_in(p, within) : 0;
  return self->start + sum + (t > within ? integral(self, within, t) : 0);
}

static void jet(const void *data, const double x[2], seam_jet *out) {
  const speed_law *self = data;
  seam_jet speed;
  self->speed.jet(self->speed.data, x, &speed);
  *out = (seam_jet){.value = value(data, x), .d = {speed.value}, .dd = {speed.d[0]}};
}

static seam_kink next_kink(const void *data, double t) {
  const speed_law *self = data;
  return self->speed.next_kink(self->speed.data, t);
}

static void destroy(void *data) {
  speed_law *self = data;
  law_discard(&self->speed);
  free(self->pieces);
  free(self);
}

seam_status speed_law_create(const seam_law *speed, double start, double end, seam_law *made, seam_error *error) {
  speed_law *self = calloc(1, sizeof *self);
  if (self == NULL) {
    law_discard(speed);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to integrate a speed");
  }
  *self = (speed_law){.speed = *speed, .start = start, .end = end > 0 ? end : 0};
  double total = 0;
  if (!integrate(self, 0, self->end, self, &total)) {
    const bool no_memory = self->no_memory;
    destroy(self);
    if (no_memory)
      return seam_fail(error, SEAM_NO_MEMORY, "no memory to integrate a speed");
    return seam_fail(error, SEAM_BAD_INPUT, "the speed varies too often to be integrated from 0 to %.9g s", end);
  }
  *made = (seam_law){.value = value,
                     .jet = jet,
                     .destroy = destroy,
                     .data = self,
                     .next_kink = speed->next_kink != NULL ? next_kink : NULL,
                     .has_kinks = speed->has_kinks,
                     .identity = ~speed->identity};
  return SEAM_OK;
}
