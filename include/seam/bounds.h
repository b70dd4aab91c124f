/** @file
 * Bounds by which a run is judged. */
#ifndef SEAM_BOUNDS_H
#define SEAM_BOUNDS_H

/** Bounds of the verdicts `accurate`, `rough` and `wrong` (<seam/verdict.h>), all ratios. */
typedef struct seam_verdict_bounds {
  double accurate, rough; /**< largest error, relative to the quantity's travel (seam_deviation) */
  double energy;          /**< energy created or lost by errors, relative to energy exchanged (seam_run_verdict) */
  double constraints;     /**< residuals, relative to the mechanism's size and its fastest motion */
} seam_verdict_bounds;

#define SEAM_DEFAULT_VERDICT_BOUNDS                                                                                    \
  { 0.01, 0.05, 0.05, 0.01 }

#endif
