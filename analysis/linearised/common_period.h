/* The common period and the common divisor of the periods of samples. */
#ifndef ANALYSIS_LINEARISED_COMMON_PERIOD_H
#define ANALYSIS_LINEARISED_COMMON_PERIOD_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct analysis_common_period {
  double period;  /* s, smallest common multiple of the periods; 0: no samples */
  double divisor; /* s, largest common divisor of the periods */
} analysis_common_period;

/* Periods of all samples, including those taken inside subsystems. */
typedef struct analysis_samples {
  analysis_common_period common;
  const double *inside; /* (n_inside) s, periods of samples inside subsystems; outputs are updated after such samples */
  int n_inside;
} analysis_samples;

/* Includes another period, s, in the common period and the common divisor. `name`: the sampled subsystem, for messages.
 * Fails with SEAM_BAD_INPUT if the common period exceeds 1000 common divisors. */
seam_status analysis_common_period_add(analysis_common_period *self, double period, const char *name,
                                       seam_error *error);

/* Returns SEAM_OK if all periods are multiples of the macro step H, s; else SEAM_BAD_INPUT, with a message that
 * proposes the nearest macro step for which they are. */
seam_status analysis_common_period_check(const analysis_common_period *self, double H, seam_error *error);

/* Returns the macro step, s, nearest to H that divides all periods; H if there are no samples. */
double analysis_common_period_fit(const analysis_common_period *self, double H);

/* Returns the number of macro steps of length H in the common period; 1 if there are no samples. */
int analysis_common_period_steps(const analysis_common_period *self, double H);

#endif
