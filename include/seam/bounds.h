/** @file
 * Bounds by which a run is judged. */
#ifndef SEAM_BOUNDS_H
#define SEAM_BOUNDS_H

/** Bounds of the words `accurate`, `rough` and `wrong` (<seam/verdict.h>), as shares. */
typedef struct seam_verdict_bounds {
  double accurate, rough; /**< largest errors, of the travel of a quantity */
  double energy;          /**< made or lost, of what moved */
  double constraints;     /**< of the size of the mechanism, and of its fastest motion */
} seam_verdict_bounds;

#define SEAM_DEFAULT_VERDICT_BOUNDS {0.01, 0.05, 0.05, 0.01}

#endif
