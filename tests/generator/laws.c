/* Laws with kinks and their integrals; the motions that follow from them. */
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/generator/trial.h"
#include "tests/support/random.h"

/* ---- Laws with kinks --------------------------------------------------------------------------------------------- */

static void add_kink(broken_law *self, double c, double at, int power) {
  if (self->n >= MAX_KINKS)
    abort();
  self->kink[self->n++] = (struct kink){c, at, power};
}

__attribute__((format(printf, 2, 3))) static void write_law(broken_law *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(self->text, sizeof self->text, format, arguments);
  va_end(arguments);
}

/* Jumps. */

static void make_step(broken_law *self, uint64_t *random, double size, double end) {
  const double a = random_between(random, 0.02, 0.9) * end;
  if (random_below(random, 2) == 0)
    write_law(self, "if(@ < %.17g, 0, %.17g)", a, size);
  else
    write_law(self, "%.17g*(1 + sign(@ - %.17g))/2", size, a);
  add_kink(self, size, a, 0);
}

static void make_pulse(broken_law *self, uint64_t *random, double size, double end) {
  const double width = exp(random_between(random, log(1e-3), log(0.3))) * end;
  const double a = random_between(random, 0.02, 0.65) * end;
  write_law(self, "if(@ < %.17g, 0, if(@ < %.17g, %.17g, 0))", a, a + width, size);
  add_kink(self, size, a, 0);
  add_kink(self, -size, a + width, 0);
}

static void make_stairs(broken_law *self, uint64_t *random, double size, double end) {
  const int n = 2 + random_below(random, 4);
  const double period = end / (n + random_between(random, 0.1, 0.9));
  write_law(self, "%.17g*floor(@/%.17g)", size / n, period);
  for (int i = 1; i <= n; i++)
    add_kink(self, size / n, i * period, 0);
}

/* Kinks. */

static void make_ramp(broken_law *self, uint64_t *random, double size, double end) {
  const double a = random_between(random, 0.02, 0.8) * end;
  const double slope = size / (end - a);
  switch (random_below(random, 3)) {
  case 0:
    write_law(self, "%.17g*max(0, @ - %.17g)", slope, a);
    break;
  case 1:
    write_law(self, "if(@ >= %.17g, %.17g*(@ - %.17g), 0)", a, slope, a);
    break;
  default:
    write_law(self, "%.17g*(abs(@ - %.17g) + @ - %.17g)/2", slope, a, a);
  }
  add_kink(self, slope, a, 1);
}

static void make_triangle(broken_law *self, uint64_t *random, double size, double end) {
  const double half = exp(random_between(random, log(1e-2), log(0.2))) * end;
  const double middle = random_between(random, 0.23, 0.75) * end;
  const double slope = size / half;
  write_law(self, "%.17g*max(0, 1 - abs(@ - %.17g)/%.17g)", size, middle, half);
  add_kink(self, slope, middle - half, 1);
  add_kink(self, -2 * slope, middle, 1);
  add_kink(self, slope, middle + half, 1);
}

static void make_rise(broken_law *self, uint64_t *random, double size, double end) {
  const double a = random_between(random, 0.02, 0.6) * end;
  const double width = random_between(random, 0.02, 0.3) * end;
  const double slope = fabs(size) / width;
  const char *sign = size < 0 ? "-" : "";
  write_law(self, "%smin(%.17g, max(0, %.17g*(@ - %.17g)))", sign, fabs(size), slope, a);
  add_kink(self, copysign(slope, size), a, 1);
  add_kink(self, -copysign(slope, size), a + width, 1);
}

/* Kinks of the slope. */

static void make_parabola(broken_law *self, uint64_t *random, double size, double end) {
  const double a = random_between(random, 0.02, 0.7) * end;
  const double c = 2 * size / pow(end - a, 2);
  write_law(self, "if(@ < %.17g, 0, %.17g*(@ - %.17g)^2)", a, c / 2, a);
  add_kink(self, c, a, 2);
}

broken_law random_broken_law(uint64_t *random, double size, double end, int least) {
  static void (*const makers[])(broken_law *, uint64_t *, double, double) = {
      make_step, make_pulse, make_stairs, make_ramp, make_triangle, make_rise, make_parabola};
  static const int first[] = {0, 3, 6};
  broken_law law = {.text = ""};
  const int n = (int)(sizeof makers / sizeof *makers) - first[least];
  makers[first[least] + random_below(random, n)](&law, random, size, end);
  return law;
}

double broken_law_value(const broken_law *self, double t, int times) {
  double sum = 0;
  for (const struct kink *k = self->kink; k < self->kink + self->n; k++) {
    const int power = k->power + times;
    if (t > k->at && power >= 0)
      sum += k->c * pow(t - k->at, power) / tgamma(power + 1);
  }
  return sum;
}

/* ---- Oscillators ------------------------------------------------------------------------------------------------- */

/* (e^(s τ) - Σ_{i<j} (s τ)^i/i!) / s^j, the inverse Laplace transform of 1/(p^j (p - s)); j may be -1: s e^(s τ). */
static double complex exponential_rest(double complex s, double tau, int j) {
  if (j < 0)
    return s * cexp(s * tau);
  if (cabs(s * tau) > 1) {
    double complex sum = cexp(s * tau), term = 1;
    for (int i = 0; i < j; term *= s * tau / ++i)
      sum -= term;
    return sum / cpow(s, j);
  }
  double complex sum = 0, term = pow(tau, j) / tgamma(j + 1);
  for (int i = j; i < j + 30; term *= s * tau / ++i)
    sum += term;
  return sum;
}

/* Response of x'' + 2 d x' + w² x to τ^power/power!, power -1 to an impulse, -2 to its derivative. */
static double response(double w, double d, double tau, int power) {
  if (tau <= 0)
    return 0;
  if (w == 0 && d == 0)
    return power < -1 ? 1 : pow(tau, power + 2) / tgamma(power + 3);
  const double complex root = csqrt(d * d - w * w);
  const double complex s1 = -d + root, s2 = -d - root;
  return creal((exponential_rest(s1, tau, power + 1) - exponential_rest(s2, tau, power + 1)) / (s1 - s2));
}

/* Response to F cos(W t + P) from rest: the real part of Σ e^(p t)/Π(p - others) over p = iW, s1, s2. */
static double response_to_wave(const oscillator *o, double t, bool rate) {
  if (o->w == 0 && o->d == 0) {
    const double a = o->F / o->W;
    return rate ? a * (sin(o->W * t + o->P) - sin(o->P))
                : a / o->W * (cos(o->P) - cos(o->W * t + o->P)) - a * sin(o->P) * t;
  }
  const double complex root = csqrt(o->d * o->d - o->w * o->w);
  const double complex p[3] = {I * o->W, -o->d + root, -o->d - root};
  double complex sum = 0;
  for (int i = 0; i < 3; i++)
    sum += (rate ? p[i] : 1) * cexp(p[i] * t) / ((p[i] - p[(i + 1) % 3]) * (p[i] - p[(i + 2) % 3]));
  return creal(o->F * cexp(I * o->P) * sum);
}

static double free_motion(const oscillator *o, double t, bool rate) {
  if (t <= 0)
    return rate ? o->v0 : o->x0;
  const double h = response(o->w, o->d, t, -1);
  const double hd = response(o->w, o->d, t, -2);
  return rate ? -o->x0 * o->w * o->w * h + o->v0 * hd : o->x0 * (hd + 2 * o->d * h) + o->v0 * h;
}

void oscillator_at(const oscillator *self, double t, double *x, double *v) {
  const double w = self->w, d = self->d;
  *x = free_motion(self, t, false) + self->constant * response(w, d, t, 0);
  *v = free_motion(self, t, true) + self->constant * response(w, d, t, -1);
  for (int i = 0; self->law != NULL && i < self->law->n; i++) {
    const struct kink *k = &self->law->kink[i];
    *x += k->c * response(w, d, t - k->at, k->power);
    *v += k->c * response(w, d, t - k->at, k->power - 1);
  }
  if (self->F != 0) {
    *x += response_to_wave(self, t, false);
    *v += response_to_wave(self, t, true);
  }
}

/* ---- Pendulums --------------------------------------------------------------------------------------------------- */

/* Jacobi's amplitude am(u, k), 0 <= k < 1, by the arithmetic-geometric mean, and its derivative dn (Abramowitz, Stegun:
 * Handbook of mathematical functions, 16.4). */
static double jacobi_amplitude(double u, double k, double *dn) {
  double a[12] = {1}, c[12] = {k}, b = sqrt(1 - k * k);
  int n = 0;
  while (n < 11 && fabs(c[n]) > 1e-16) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
    n++;
  }
  double phi = ldexp(a[n] * u, n);
  for (; n > 0; n--)
    phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
  *dn = sqrt(1 - pow(k * sin(phi), 2));
  return phi;
}

/* sin(θ/2) = k sn(w t, k), k = rate/2w < 1; above, θ/2 = am(rate t/2, 1/k). */
void pendulum_at(double w, double start_rate, double t, double *turn, double *rate) {
  double dn;
  if (start_rate < 2 * w) {
    const double k = start_rate / (2 * w), am = jacobi_amplitude(w * t, k, &dn);
    *turn = 2 * asin(k * sin(am));
    *rate = start_rate * cos(am);
  } else {
    *turn = 2 * jacobi_amplitude(start_rate * t / 2, 2 * w / start_rate, &dn);
    *rate = start_rate * dn;
  }
}
