/* Elastic belt or chain over two pulleys. d is the distance of the centres, θ the direction from the first to the
 * second. The radii r1 and r2 have opposite signs for a crossed belt. Each strand is straight for the length √(d² -
 * δ²), δ = r1 - r2. Its stretch is
 *
 *   s = l(d) ± (r2 (φ2 - θ) - r1 (φ1 - θ)) - s°,   l = √(d² - δ²) - |δ| acos(|δ|/d),   l' = √(d² - δ²)/d
 *
 * The sign is + for the strand that touches the second pulley on the right of the line of centres. s° is the value of
 * the other terms without load. A strand leaves each pulley at a point of its rim; ṡ is the speed at which these two
 * points move apart along the strand. The tension acts along the strand (involute geometry, as for an unwinding
 * string). A strand with the preload T°, stiffness k and damping c pulls with
 *
 *   T = max(0, T° + k s + c ṡ) where T° + k s > 0, else it is slack: T = 0
 *
 * A full revolution of θ would change the second term of s by 2π (r1 - r2). Of the possible values of this term, the
 * one nearest to its value without load is taken (mbs_relative_mesh()). If these two values differ by more than a
 * quarter of 2π (r1 - r2), s is NaN, so that the belt never jumps by a full revolution unnoticed. */
#include "mbs/model/elastic.h"

#include "base/vector.h"
#include "mbs/model/forces/strand.h"

enum { N_STRANDS = 2 };

static void find_coordinates(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  static const double quarter_turn = 3.14159265358979323846 / 2;
  const double difference = fabs(force->radius[1] - force->radius[0]);
  const double unloaded = (force->rest[0] - force->rest[1]) / 2;
  mbs_relative_coordinate mesh;
  mbs_relative_mesh(pair, force->radius, unloaded, &mesh);
  if (difference > 0 && !(fabs(mesh.s - unloaded) < quarter_turn * difference))
    mesh.s = NAN;
  mbs_strand_coordinates(pair, force->radius, &mesh, N_STRANDS, stretch);
}

static void curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_strand_curvatures(pair, force->radius, N_STRANDS, curvature);
}

/* Both strands have the given tension in the initial configuration. */
static seam_status set_initial(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  mbs_relative_coordinate distance;
  mbs_relative_coordinate mesh;
  mbs_relative_distance(pair, &distance);
  mbs_relative_mesh(pair, def->radii, 0, &mesh);
  const double least = fabs(def->radii[0] - def->radii[1]);
  if (!(distance.s > least))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "belt '%s': its centres are %g m apart, but pulleys of %g and %g m need more than %g m", def->name,
                     distance.s, fabs(def->radii[0]), fabs(def->radii[1]), least);
  const double span = mbs_strand_span(def->radii, distance.s);
  for (int k = 0; k < N_STRANDS; k++) {
    force->radius[k] = def->radii[k];
    force->rest[k] = k == 0 ? span + mesh.s : span - mesh.s;
    force->elastic[k] = (mbs_elastic_law){
        .stiffness = def->stiffness[0], .damping = def->damping[0], .is_strand = true, .preload = def->preload};
  }
  return SEAM_OK;
}

static seam_status check(const mbs_force_def *def, seam_error *error) {
  for (int i = 0; i < 2; i++)
    if (!isfinite(def->radii[i]) || def->radii[i] == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "belt '%s': the radii of its pulleys must be finite and not zero",
                       def->name);
  if (!(def->stiffness[0] > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "belt '%s': its stiffness must be positive", def->name);
  if (!is_size(def->preload))
    return seam_fail(error, SEAM_BAD_INPUT, "belt '%s': its initial tension must be finite and not negative",
                     def->name);
  return SEAM_OK;
}

const mbs_force_type mbs_force_belt = {
    MBS_BETWEEN_MARKERS,
    .set_initial = set_initial,
    MBS_ELASTIC,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .check = check,
    .switches = &mbs_two_sided,
    .n_coordinates = N_STRANDS,
    .find_coordinates = find_coordinates,
    .curvature = curvature,
    .not_finite = "its pulleys overlap, or the belt is stretched by more than π/2 times the difference of the radii, "
                  "where the rotation of its line of centres is ambiguous: make the belt stiffer, or the radii equal",
};
