/* Common period and common divisor of samples. */
#ifndef ANALYSIS_LINEARISED_COMMON_PERIOD_H
#define ANALYSIS_LINEARISED_COMMON_PERIOD_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct analysis_common_period {
  double period;  /* s, smallest common multiple; 0: no samples */
  double divisor; /* s, largest common divisor */
} analysis_common_period;

/* Periods of all samples, including those within parts. */
typedef struct analysis_samples {
  analysis_common_period common;
  const double *inside; /* (n_inside) s, periods of samples within parts, whose outputs are updated after a sample */
  int n_inside;
} analysis_samples;

/* Returns true if a sample within a part is due at the end of a macro step from t to t + H. */
bool analysis_samples_inside(const analysis_samples *self, double t, double H);

/* Updates the common period and the common divisor by another period, s; `name` is that of the sampled part, for
 * messages. SEAM_BAD_INPUT: the common period exceeds 1000 common divisors. */
seam_status analysis_common_period_add(analysis_common_period *self, double period, const char *name,
                                       seam_error *error);

/* Returns SEAM_OK if all periods are multiples of the macro step H, s. SEAM_BAD_INPUT otherwise; the message has the
 * nearest macro step that fits. */
seam_status analysis_common_period_check(const analysis_common_period *self, double H, seam_error *error);

/* Returns the macro step nearest to H that divides all periods; H without samples. */
double analysis_common_period_fit(const analysis_common_period *self, double H);

/* Returns the number of macro steps H in the common period; 1 if there are no samples. */
int analysis_common_period_rounds(const analysis_common_period *self, double H);

#endif
