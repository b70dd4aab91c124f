/* Torsion spring-damper: a torque F(s, v) against the relative angle s = φ2 - φ1 - angle, v = ṡ. A positive F acts
 * counter-clockwise on the first body and clockwise on the second. */
#include "mbs/model/elastic.h"
#include "mbs/model/forces/along.h"

const mbs_force_type mbs_force_torsion = {
    .min_bodies = 2,
    .max_bodies = 2,
    .may_have_law = true,
    .law_is_elastic = true,
    .cut = {1, {2}, 1, {2}, true},
    .n_laws = 1,
    .unit_load = mbs_elastic_unit_load,
    MBS_ELASTIC,
    .n_coordinates = 1,
    .find_coordinates = mbs_along_angle,
    .curvature = mbs_along_angle_curvature,
};
