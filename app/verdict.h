/* Whether a co-simulation has become unstable. Beside a monolithic run: when it leaves the bounds of that one, see
 * seam_bounds_exceeded(). Where none can be made, as signals or user equations take part, bounds are the run's
 * own: a value of the state or of a signal must not exceed 1e6 times the largest one of the first hundredth of the run,
 * where it is above 1e9. What is not finite is unstable in both. */
#ifndef APP_VERDICT_H
#define APP_VERDICT_H

#include <seam/analysis.h>
#include <seam/cosim.h>

typedef struct app_bounds {
  bool are_own;
  seam_bounds monolithic;
  double largest; /* own: of the first hundredth of the run */
} app_bounds;

/* Judges the present macro point, at time t of a run to `end`. SEAM_BECAME_UNSTABLE. */
seam_status verdict_of(app_bounds *bounds, const mbs_model *model, const cosim_simulation *simulation, double t,
                       double end, seam_error *error);

#endif
