/* The inverse of the standard normal distribution. */
#ifndef ANALYSIS_SWEEP_NORMAL_QUANTILE_H
#define ANALYSIS_SWEEP_NORMAL_QUANTILE_H

/* Returns x with Φ(x) = p, 0 < p < 1, to about 1e-16 relative. */
double normal_quantile(double p);

#endif
