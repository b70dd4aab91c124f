/* Sine and cosine of two angles x at once. Both lanes and all instruction sets give the same bits.
 *
 * Each x is reduced to r + e = x - k π/2, |r| ≤ π/4; the integer k is nearest to 2x/π. π/2 has three parts of 33, 33
 * and 53 bits ([Cody-Waite]). The products of k with the first two are exact. e is the rounding error of r. Then the
 * polynomials of fdlibm's __kernel_sin and __kernel_cos are evaluated, with constant coefficients S and C ([fdlibm]):
 *
 *   sin(r + e) = r + (S₀ r³ + ... + S₅ r¹³) + e        cos(r + e) = 1 - r²/2 + (C₀ r⁴ + ... + C₅ r¹⁴) - r e */
#ifndef BASE_SINES_H
#define BASE_SINES_H

#include <math.h>
#include <stdint.h>

#include "base/lanes.h"

typedef int64_t seam_integer_lanes __attribute__((vector_size(16)));

static inline seam_lanes seam_sine_near_zero(seam_lanes r, seam_lanes e, seam_lanes z) {
  static const double S[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,  -1.98412698298579493134e-04,
                             2.75573137070700676789e-06,  -2.50507602534068634195e-08, 1.58969099521155010221e-10};
  const seam_lanes z2 = z * z;
  const seam_lanes p = (S[1] + z * S[2]) + z2 * ((S[3] + z * S[4]) + z2 * S[5]);
  return r + (z * r * (S[0] + z * p) + e);
}

static inline seam_lanes seam_cosine_near_zero(seam_lanes r, seam_lanes e, seam_lanes z) {
  static const double C[] = {4.16666666666666019037e-02,  -1.38888888888741095749e-03, 2.48015872894767294178e-05,
                             -2.75573143513906633035e-07, 2.08757232129817482790e-09,  -1.13596475577881948265e-11};
  const seam_lanes z2 = z * z;
  const seam_lanes p = (C[0] + z * C[1]) + z2 * ((C[2] + z * C[3]) + z2 * (C[4] + z * C[5]));
  const seam_lanes half = 0.5 * z;
  const seam_lanes first = 1.0 - half;
  return first + (((1.0 - first) - half) + (z2 * p - r * e));
}

/* Returns bits of `yes` where the mask has ones, else bits of `no`. */
static inline seam_lanes seam_lanes_select(seam_integer_lanes mask, seam_lanes yes, seam_lanes no) {
  return (seam_lanes)((mask & (seam_integer_lanes)yes) | (~mask & (seam_integer_lanes)no));
}

/* Changes the sign of x if bit 1 of k is set. */
static inline seam_lanes seam_lanes_signed(seam_integer_lanes k, seam_lanes x) {
  return (seam_lanes)((seam_integer_lanes)x ^ ((k & 2) << 62));
}

/* Finds sine and cosine of two angles x, rad, with errors of at most 1 ulp; NaN for an angle that is not finite. */
static inline void seam_sines(seam_lanes x, seam_lanes *sine, seam_lanes *cosine) {
  static const double largest = 65536; /* for larger |x|, k has too many bits, and the C library is used */
  static const double two_by_pi = 6.36619772367581382433e-01;
  static const double to_integer = 6755399441055744; /* 1.5 2⁵²: adding it rounds to an integer, in the lowest bits */
  static const double half_pi[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21};
  const seam_lanes rounded = x * two_by_pi + to_integer;
  const seam_integer_lanes quadrant = (seam_integer_lanes)rounded;
  const seam_integer_lanes odd = -(quadrant & 1);
  const seam_lanes k = rounded - to_integer;
  const seam_lanes coarse = x - k * half_pi[0];
  const seam_lanes second = k * half_pi[1];
  const seam_lanes fine = coarse - second;
  const seam_lanes third = k * half_pi[2] - ((coarse - fine) - second);
  const seam_lanes r = fine - third;
  const seam_lanes e = (fine - r) - third;
  const seam_lanes s = seam_sine_near_zero(r, e, r * r);
  const seam_lanes c = seam_cosine_near_zero(r, e, r * r);
  *sine = seam_lanes_signed(quadrant, seam_lanes_select(odd, c, s));
  *cosine = seam_lanes_signed(quadrant + 1, seam_lanes_select(odd, s, c));
  for (int i = 0; i < 2; i++)
    if (!(fabs(x[i]) <= largest)) {
      (*sine)[i] = sin(x[i]);
      (*cosine)[i] = cos(x[i]);
    }
}

#endif
