/* PPND16 of [Wichura] (M. J. Wichura: Algorithm AS 241, the percentage points of the normal distribution, Applied
 * Statistics 37 (1988) 477-484). The quantile of the probability p is, with the sign of q instead of ±,
 *
 *     |q| <= 0.425           q A(r)/B(r),      q = p - 1/2, r = 0.425² - q²
 *     else, with s = sqrt(-ln(min(p, 1 - p)))
 *     s <= 5                 ± C(s - 1.6)/D(s - 1.6)
 *     s > 5                  ± E(s - 5)/F(s - 5)
 *
 * A to F are polynomials of degree 7. */
#include "analysis/sweep/normal_quantile.h"

#include <math.h>

enum { N_COEFFICIENTS = 8 };
typedef struct quotient {
  double above[N_COEFFICIENTS], below[N_COEFFICIENTS]; /* coefficients of numerator, denominator; the constant first */
} quotient;

static const quotient middle = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
     4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
     3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}};
static const quotient tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
static const quotient far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};

static double polynomial(const double *c, double x) {
  double value = 0;
  for (int i = N_COEFFICIENTS - 1; i >= 0; i--)
    value = value * x + c[i];
  return value;
}

static double evaluate(const quotient *of, double x) { return polynomial(of->above, x) / polynomial(of->below, x); }

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (fabs(q) <= 0.425)
    return q * evaluate(&middle, 0.180625 - q * q);
  const double s = sqrt(-log(fmin(p, 1 - p)));
  const double size = s <= 5 ? evaluate(&tail, s - 1.6) : evaluate(&far_tail, s - 5);
  return copysign(size, q);
}
