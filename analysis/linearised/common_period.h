/* Common period and common divisor of samples of several periods. */
#ifndef ANALYSIS_LINEARISED_COMMON_PERIOD_H
#define ANALYSIS_LINEARISED_COMMON_PERIOD_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct analysis_common_period {
  double period;  /* s, smallest common multiple; 0: nothing is sampled */
  double divisor; /* s, largest common divisor */
} analysis_common_period;

/* Periods of all samples, also of those within parts. */
typedef struct analysis_samples {
  analysis_common_period common;
  const double *inside; /* (n_inside) s, periods within parts, which take their outputs anew behind a sample */
  int n_inside;
} analysis_samples;

/* Returns true if a sample within a part is due at the end of a macro step from t to t + H. */
bool analysis_samples_inside(const analysis_samples *self, double t, double H);

/* Takes one more period, that of the samples of `name`. SEAM_BAD_INPUT: the multiple exceeds 1000 divisors. */
seam_status analysis_common_period_add(analysis_common_period *self, double period, const char *name,
                                       seam_error *error);

/* Checks that a macro step divides all periods. SEAM_BAD_INPUT: it does not; the message gives the nearest one that
 * does. */
seam_status analysis_common_period_check(const analysis_common_period *self, double H, seam_error *error);

/* The macro step that divides all periods, next to H; H where nothing is sampled. */
double analysis_common_period_fit(const analysis_common_period *self, double H);

/* Macro steps of that length in the common period; 1 where nothing is sampled. */
int analysis_common_period_rounds(const analysis_common_period *self, double H);

#endif
