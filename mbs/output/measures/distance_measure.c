/* Distance of two points: s = |d|, ṡ = J v, s̈ = J a + vᵀ H v (mbs/model/kinematics.c), with d from the first point to
 * the second. If the points coincide, |d| has no derivative. Then ṡ and s̈ are the one-sided derivatives of |d| towards
 * later times. They follow from d = ḋ τ + d̈ τ²/2 after a time τ > 0:
 *
 *   ṡ = |ḋ|,   s̈ = u · d̈,  u = ḋ / |ḋ|;   if ḋ = 0 too, s̈ = |d̈| */
#include <math.h>

#include "mbs/output/measurements.h"

/* Derivatives along a direction are not finite if the points coincide. */
static void find(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                 double *values) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  const mbs_pair pair = {{&ws->frames[measure->body[0]], &ws->frames[measure->body[1]]},
                         {measure->marker[0], measure->marker[1]}};
  mbs_relative_coordinate distance;
  mbs_curvature curvature;
  mbs_relative_distance(&pair, &distance);
  if (along != NULL) {
    mbs_curvature_distance(&pair, &curvature);
    mbs_relative_motion_change(&distance, &curvature, measure->body, state->a, along, values);
    return;
  }
  mbs_relative_motion(&distance, &pair, measure->body, state->a, values);
  if (values[0] == 0) {
    mbs_relative_coordinate gap[2];
    double x[3], y[3];
    mbs_relative_gap(&pair, gap);
    mbs_relative_motion(&gap[0], &pair, measure->body, state->a, x);
    mbs_relative_motion(&gap[1], &pair, measure->body, state->a, y);
    values[1] = hypot(x[1], y[1]);
    values[2] = values[1] > 0 ? (x[1] * x[2] + y[1] * y[2]) / values[1] : hypot(x[2], y[2]);
  }
}

static const mbs_quantity_group length = {
    .n = 3,
    .row = {{"length", "m", "distance of the points"},
            {"rate", "m/s", "rate of the length"},
            {"acceleration", "m/s2", "second rate of the length"}},
    .is_usual = true,
    .needs_dynamics = 1U << 2,
    .needs_accelerations = 1U << 2,
    .needs = MBS_FRAMES,
    .find = find,
};
static const mbs_quantity_group *const quantities[] = {&length, NULL};

const mbs_measure_type mbs_measured_distance = {.min_bodies = 2, .max_bodies = 2, .quantities = quantities};
