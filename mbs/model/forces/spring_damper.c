/* Spring-damper between two points: a force F(s, v), v = ṡ, along their distance, or along an axis of global direction
 * e. d: from the first point to the second.
 *
 *   distance  s = |d| - length              axis  s = e · d - length
 *
 * A linear spring of length 0, with stiffness k and damping c, has the force k d + c ḋ. Therefore, where its points
 * coincide, the direction u = ∂s/∂d is that of ḋ. If the spring is undamped or ḋ = 0 there, s is set to a tiny δ
 * instead of 0. Then F ∂²s/∂q² = k δ ∂dᵀ P ∂d/δ is finite, with P = I - u uᵀ and the derivatives ∂d of d by q. */
#include "mbs/model/elastic.h"
#include "mbs/model/forces/along.h"

#include <math.h>

static void find_axis_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  mbs_relative_along(pair, force->axis, stretch);
}

static void curvature_axis(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along(pair, force->axis, curvature);
}

typedef struct meeting {
  bool is_met, is_smooth; /* the points coincide; the spring is undamped or ḋ = 0 */
  mbs_vector u;
  mbs_relative_coordinate gap[2];
} meeting;

static meeting meeting_of(const mbs_force *force, const mbs_pair *pair) {
  const mbs_elastic_law *law = &force->elastic[0];
  meeting m = {.u = {1, 0}};
  if (force->rest[0] != 0 || law->nonlinear.value != NULL || force->law_is_state_dependent)
    return m;
  mbs_relative_gap(pair, m.gap);
  m.is_met = m.gap[0].s == 0 && m.gap[1].s == 0;
  const mbs_vector rate = {mbs_relative_rate(&m.gap[0], pair), mbs_relative_rate(&m.gap[1], pair)};
  const double speed = hypot(rate.x, rate.y);
  m.is_smooth = speed == 0 || law->damping == 0;
  if (speed > 0)
    m.u = (mbs_vector){rate.x / speed, rate.y / speed};
  return m;
}

static const double shift = 0x1p-511; /* δ: its square is a normal number */

static void find_distance_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  const meeting m = meeting_of(force, pair);
  if (!m.is_met) {
    mbs_along_distance(force, pair, stretch);
    return;
  }
  mbs_relative_along(pair, m.u, stretch);
  if (m.is_smooth)
    stretch->s = shift;
}

static void curvature_distance(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  const meeting m = meeting_of(force, pair);
  if (!m.is_met) {
    mbs_along_distance_curvature(force, pair, curvature);
    return;
  }
  mbs_curvature_along(pair, m.u, curvature);
  double across[6]; /* n · ∂d, n = u⊥: P = n nᵀ */
  for (int i = 0; i < 6; i++)
    across[i] = -m.u.y * m.gap[0].J[i] + m.u.x * m.gap[1].J[i];
  for (int i = 0; i < 6 && m.is_smooth; i++)
    for (int j = 0; j < 6; j++)
      curvature->H[i][j] += across[i] * across[j] / shift;
}

static const mbs_force_type along_axis = {
    .n_laws = 1,
    .unit_load = mbs_elastic_unit_load,
    MBS_ELASTIC,
    .cut = {2, {0, 1}, 2, {0, 1}, true},
    .n_coordinates = 1,
    .find_coordinates = find_axis_coordinate,
    .curvature = curvature_axis,
};

static const mbs_force_type *choose(const mbs_force_def *def) {
  return def->has_axis ? &along_axis : &mbs_force_spring_damper;
}

/* The type with the name of the kind: a spring along the distance of its points. */
const mbs_force_type mbs_force_spring_damper = {
    MBS_BETWEEN_MARKERS,
    .may_have_law = true,
    .law_is_elastic = true,
    .choose = choose,
    .n_laws = 1,
    .unit_load = mbs_elastic_unit_load,
    MBS_ELASTIC,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .n_coordinates = 1,
    .find_coordinates = find_distance_coordinate,
    .curvature = curvature_distance,
};
