/* Spring-damper between two points: a pull F(s, v) along their distance, or along an axis of global direction e.
 *
 *   distance  s = |d| - length              axis  s = e · d - length */
#include "mbs/elastic.h"

static void measure_distance(const mbs_force *force, const mbs_pair *pair, mbs_measure *stretch) {
  (void)force;
  mbs_measure_distance(pair, stretch);
}

static void curvature_distance(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  mbs_curvature_distance(pair, curvature);
}

static void measure_axis(const mbs_force *force, const mbs_pair *pair, mbs_measure *stretch) {
  mbs_measure_along(pair, force->axis, stretch);
}

static void curvature_axis(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along(pair, force->axis, curvature);
}

const mbs_force_type mbs_spring_distance = {
    .load = mbs_elastic_load,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .n_measures = 1,
    .measure = measure_distance,
    .curvature = curvature_distance,
};

const mbs_force_type mbs_spring_axis = {
    .load = mbs_elastic_load,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .n_measures = 1,
    .measure = measure_axis,
    .curvature = curvature_axis,
};
