/* If two periods P and T have P/T = a/b in lowest terms, their smallest common multiple is b P = a T, and their largest
 * common divisor is P/a = T/b. */
#include "analysis/linearised/common_period.h"

#include <math.h>

#include "analysis/thresholds.h"

/* Returns the smallest integer 1 <= b <= ANALYSIS_MAX_DIVISORS for which b x is an integer; 0: there is none. */
static int denominator_of(double x) {
  for (int b = 1; b <= ANALYSIS_MAX_DIVISORS; b++)
    if (round(b * x) >= 1 && fabs(b * x - round(b * x)) <= analysis_same_step * b * x)
      return b;
  return 0;
}

seam_status analysis_common_period_add(analysis_common_period *self, double period, const char *name,
                                       seam_error *error) {
  if (self->period == 0) {
    *self = (analysis_common_period){period, period};
    return SEAM_OK;
  }
  const int of_multiple = denominator_of(self->period / period);
  const int of_divisor = denominator_of(period / self->divisor);
  const double multiple = of_multiple * self->period;
  const double divisor = of_divisor > 0 ? self->divisor / of_divisor : 0;
  if (of_multiple == 0 || of_divisor == 0 || multiple > (1 + analysis_same_step) * ANALYSIS_MAX_DIVISORS * divisor)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "stability of schemes is computed over a common period of all samples: '%s' is sampled every %.9g "
                     "s, others repeat every %.9g s, and no common period has at most %d steps of a common divisor; "
                     "take periods in ratios of small whole numbers",
                     name, period, self->period, ANALYSIS_MAX_DIVISORS);
  *self = (analysis_common_period){multiple, divisor};
  return SEAM_OK;
}

double analysis_common_period_fit(const analysis_common_period *self, double H) {
  return self->period > 0 ? self->divisor / fmax(1, round(self->divisor / H)) : H;
}

int analysis_common_period_steps(const analysis_common_period *self, double H) {
  return self->period > 0 ? (int)fmax(1, round(self->period / H)) : 1;
}

seam_status analysis_common_period_check(const analysis_common_period *self, double H, seam_error *error) {
  const double step = analysis_common_period_fit(self, H);
  if (fabs(step - H) <= analysis_same_step * H)
    return SEAM_OK;
  if (self->period == self->divisor)
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %.9g s does not divide the sample period, %.9g s: take %.9g s",
                     H, self->period, step);
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "macro step %.9g s does not divide all sample periods (common period %.9g s, common divisor %.9g s): take %.9g s",
      H, self->period, self->divisor, step);
}
