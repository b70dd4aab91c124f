/* The ITP method ([Oliveira]) for a zero of f in [a, b], fa = f(a), fb = f(b). x½ is the middle of [a, b]. w is the
 * width of the first interval, 2ε the width at which the search ends, and n½ = ceil(log2(w / 2ε)). Here κ₁ = 0.2/w, κ₂
 * = 2, n₀ = 1. After j values of f inside the first interval, the next one is computed at x:
 *
 *   xf = (fb a - fa b) / (fb - fa)                                             interpolation
 *   xt = xf + sign(x½ - xf) min(|x½ - xf|, max(κ₁ (b - a)^κ₂, ε))              truncation
 *   x  = nearest number to xt with |x - x½| <= ε 2^(n½ + n₀ - j) - (b - a)/2   projection
 *
 * The method needs at most n½ + n₀ values of f, n₀ more than bisection. It converges superlinearly if f is smooth. The
 * least shift ε is not in [Oliveira]; it shifts x beyond a zero that is close to an end. */
#include "solvers/root.h"

#include <math.h>
#include <stdbool.h>

seam_status seam_find_root(const seam_root_function *function, double resolution, seam_bracket *bracket,
                           seam_error *error) {
  seam_bracket *in = bracket;
  const double epsilon = resolution / 2;
  const double kappa = 0.2 / (in->b - in->a);
  double radius = 2 * epsilon * exp2(ceil(fmax(log2((in->b - in->a) / resolution), 0)));
  while (in->b - in->a > resolution) {
    const double width = in->b - in->a;
    const double middle = in->a + width / 2;
    const double interpolated = in->a - in->fa * (width / (in->fb - in->fa));
    const double shift = fmin(fabs(middle - interpolated), fmax(kappa * width * width, epsilon));
    const double truncated = interpolated + copysign(shift, middle - interpolated);
    const double r = fmax(radius - width / 2, 0);
    const double x = fabs(truncated - middle) <= r ? truncated : middle - copysign(r, middle - interpolated);
    if (!(x > in->a && x < in->b))
      break;
    double f = 0;
    const seam_status status = function->value(function->context, x, &f, error);
    if (status != SEAM_OK)
      return status;
    const bool is_before = f != 0 && (f > 0) == (in->fa > 0);
    *(is_before ? &in->a : &in->b) = x;
    *(is_before ? &in->fa : &in->fb) = f;
    radius /= 2;
  }
  return SEAM_OK;
}
