/* The quantile function of the standard normal distribution. */
#ifndef ANALYSIS_SWEEP_NORMAL_QUANTILE_H
#define ANALYSIS_SWEEP_NORMAL_QUANTILE_H

/* Returns x with Φ(x) = p for 0 < p < 1, where Φ is the distribution function; relative error about 1e-16. */
double normal_quantile(double p);

#endif
