#include "bench/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double *knot(const bench_reference *r, size_t i) { return r->knots + i * 3 * r->n; }

/* Returns coordinate i at the fraction `tau` of the interval h between two knots. */
static double between(const double *from, const double *to, size_t n, size_t i, double h, double tau) {
  const double v = h * from[n + i];
  const double a = h * h * from[2 * n + i];
  const double dq = to[i] - from[i] - v - a / 2;
  const double dv = h * to[n + i] - v - a;
  const double da = h * h * to[2 * n + i] - a;
  const double c3 = 10 * dq - 4 * dv + da / 2;
  const double c4 = -15 * dq + 7 * dv - da;
  const double c5 = 6 * dq - 3 * dv + da / 2;
  return from[i] + tau * (v + tau * (a / 2 + tau * (c3 + tau * (c4 + tau * c5))));
}

double bench_reference_error(const bench_reference *self, const mbs_state *state) {
  const double at = state->t / self->h;
  const size_t i = (size_t)fmin(fmax(floor(at), 0), (double)(self->n_knots - 2));
  double largest = 0;
  for (size_t k = 0; k < self->n; k++) {
    const double exact = between(knot(self, i), knot(self, i + 1), self->n, k, self->h, at - (double)i);
    if (!isfinite(state->q[k]))
      return INFINITY;
    largest = fmax(largest, fabs(state->q[k] - exact));
  }
  return largest;
}

/* Returns the error between knots. Every other knot from its neighbours, at twice the distance, has 64 times this error
 * (degree 5). */
static double interpolation_error(const bench_reference *r) {
  double largest = 0;
  for (size_t i = 1; i + 1 < r->n_knots; i += 2)
    for (size_t k = 0; k < r->n; k++)
      largest = fmax(largest, fabs(between(knot(r, i - 1), knot(r, i + 1), r->n, k, 2 * r->h, 0.5) - knot(r, i)[k]));
  return largest / 64;
}

bench_reference bench_reference_create(bench_run *run, size_t n_knots) {
  bench_reference r = {.n = 3 * mbs_n_bodies(run->model), .n_knots = n_knots};
  mbs_integrator *integrator = NULL;
  r.h = run->duration / (double)(n_knots - 1);
  r.knots = malloc(n_knots * 3 * r.n * sizeof(double));
  run->options = mbs_default_integrator_options();
  run->options.rtol = run->options.atol = 1e-13;
  bench_check(mbs_integrator_create(run->model, &run->options, &integrator, &run->error), &run->error);
  bench_check(mbs_integrator_start(integrator, run->start, &run->error), &run->error);
  for (size_t i = 0; i < n_knots; i++) {
    double *at = r.knots + i * 3 * r.n;
    bench_check(mbs_integrator_advance(integrator, (double)i * r.h, run->end, &run->error), &run->error);
    memcpy(at, run->end->q, r.n * sizeof(double));
    memcpy(at + r.n, run->end->v, r.n * sizeof(double));
    memcpy(at + 2 * r.n, run->end->a, r.n * sizeof(double));
  }
  mbs_integrator_destroy(integrator);
  r.interpolation_error = interpolation_error(&r);
  return r;
}

void bench_reference_destroy(bench_reference *self) {
  free(self->knots);
  self->knots = NULL;
}
