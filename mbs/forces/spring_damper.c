/* Spring-damper between two points: a force F(s, v) along their distance, or along an axis of global direction e.
 *
 *   distance  s = |d| - length              axis  s = e · d - length */
#include "mbs/elastic.h"
#include "mbs/forces/along.h"

static void measure_axis(const mbs_force *force, const mbs_pair *pair, mbs_measure *stretch) {
  mbs_measure_along(pair, force->axis, stretch);
}

static void curvature_axis(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along(pair, force->axis, curvature);
}

static const mbs_force_type along_axis = {
    .n_laws = 1,
    .push = mbs_elastic_push,
    .load = mbs_elastic_load,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .cut = {2, {0, 1}, 2, {0, 1}, true},
    .n_measures = 1,
    .measure = measure_axis,
    .curvature = curvature_axis,
};

static const mbs_force_type *choose(const mbs_force_def *def) {
  return def->has_axis ? &along_axis : &mbs_force_spring_damper;
}

/* Along the distance. */
const mbs_force_type mbs_force_spring_damper = {
    .min_bodies = 2,
    .max_bodies = 2,
    .has_markers = true,
    .takes_law = true,
    .law_is_elastic = true,
    .choose = choose,
    .n_laws = 1,
    .push = mbs_elastic_push,
    .load = mbs_elastic_load,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .n_measures = 1,
    .measure = mbs_along_distance,
    .curvature = mbs_along_distance_curvature,
};
