/* Bushing: linear spring-dampers in two directions and in the angle between two markers, λ = c Δ + d Δ̇.
 *
 *   markers     Δ = (d_x, d_y, φ2 - φ1 - φ°) in global axes; each force acts at its own marker
 *               ([Li] 3.3). Keeps momentum and, undamped, energy. Does not keep angular momentum: the
 *               two forces are d apart.
 *   consistent  Δ = (e_ξ · d, e_η · d, φ2 - φ1 - φ°) in axes that turn with the first body and start as the global
 *               ones; both forces act at the second marker. Keeps angular momentum too, and a rigid rotation of both
 *               bodies neither loads nor damps it. */
#include "mbs/elastic.h"

static void measure_markers(const mbs_force *force, const mbs_pair *pair, mbs_measure *stretch) {
  (void)force;
  mbs_measure_gap(pair, stretch);
  mbs_measure_angle(pair, &stretch[2]);
}

static void curvature_markers(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  mbs_curvature_gap(pair, curvature);
  curvature[2] = (mbs_curvature){0};
}

static void measure_consistent(const mbs_force *force, const mbs_pair *pair, mbs_measure *stretch) {
  mbs_measure_along_body(pair, force->axis, &stretch[0]);
  mbs_measure_along_body(pair, mbs_perp(force->axis), &stretch[1]);
  mbs_measure_angle(pair, &stretch[2]);
}

static void curvature_consistent(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along_body(pair, force->axis, &curvature[0]);
  mbs_curvature_along_body(pair, mbs_perp(force->axis), &curvature[1]);
  curvature[2] = (mbs_curvature){0};
}

static const mbs_force_type consistent = {
    .load = mbs_elastic_load,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .n_measures = 3,
    .measure = measure_consistent,
    .curvature = curvature_consistent,
};

static const mbs_force_type *choose(const mbs_force_def *def) {
  return def->consistent ? &consistent : &mbs_force_bushing;
}

/* Law `markers`. */
const mbs_force_type mbs_force_bushing = {
    .min_bodies = 2,
    .max_bodies = 2,
    .has_markers = true,
    .choose = choose,
    .load = mbs_elastic_load,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .cut = {3, {0, 1, 2}, 3, {0, 1, 2}, true},
    .n_measures = 3,
    .measure = measure_markers,
    .curvature = curvature_markers,
};
