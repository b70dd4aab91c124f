/* Beam: a straight, slender rod without mass, clamped at both ends to two markers ([Przemieniecki]; in axes that follow
 * the chord: large rotations, small strains). EA and EI are its stiffnesses against stretch and bending, V its
 * potential, L its unloaded length. The chord from the first marker to the second has the length l. γ is the change of
 * the chord's angle relative to the first body since the initial configuration. φ° is the initial value of φ2 - φ1, and
 * θ = φ2 - φ1 - φ°. The ends rotate by θ1 = -γ and θ2 = θ - γ relative to the chord:
 *
 *   V = EA/L (l - L)²/2 + EI/L (2 θ1² + 2 θ1 θ2 + 2 θ2²)
 *     = EA/L (l - L)²/2 + 3 EI/L (θ1 + θ2)²/2 + EI/L (θ1 - θ2)²/2
 *
 * So stretch, shear and bending are three coordinates, l, φ2 - φ1 - 2 γ and φ2 - φ1, each with a spring. The damping of
 * each is c = τ k, with its stiffness k and a time τ that is the same for all. */
#include "mbs/model/elastic.h"

static void find_coordinates(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  mbs_relative_coordinate chord;
  mbs_relative_distance(pair, &stretch[0]);
  mbs_relative_chord(pair, force->axis, &chord);
  mbs_relative_angle(pair, &stretch[2]);
  stretch[1].s = stretch[2].s - 2 * chord.s;
  for (int i = 0; i < 6; i++) {
    stretch[1].J[i] = stretch[2].J[i] - 2 * chord.J[i];
    stretch[1].Jdot[i] = -2 * chord.Jdot[i];
  }
}

static void curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_distance(pair, &curvature[0]);
  mbs_curvature_chord(pair, force->axis, &curvature[1]);
  mbs_scale_curvature(-2, &curvature[1]);
  curvature[2] = (mbs_curvature){0};
}

/* The beam is straight in the initial configuration. It has no load there unless the definition gives its length. */
static seam_status set_initial(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  mbs_relative_coordinate length;
  mbs_relative_coordinate gap[2];
  mbs_relative_distance(pair, &length);
  mbs_relative_gap(pair, gap);
  const double L = length.s;
  if (!(L > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "force '%s': both ends of the beam coincide: move them apart", def->name);
  force->axis = mbs_rotate_back(pair->frame[0], (mbs_vector){gap[0].s / L, gap[1].s / L});
  const double k[3] = {def->stiffness[0] / L, 3 * def->stiffness[1] / L, def->stiffness[1] / L};
  for (int i = 0; i < 3; i++)
    force->elastic[i] = (mbs_elastic_law){.stiffness = k[i], .damping = def->damping[0] * k[i]};
  force->rest[0] = isnan(def->rest) ? L : def->rest;
  force->rest[1] = force->rest[2] = pair->frame[1]->phi - pair->frame[0]->phi;
  return SEAM_OK;
}

const mbs_force_type mbs_force_beam = {
    MBS_BETWEEN_MARKERS,
    .set_initial = set_initial,
    MBS_ELASTIC,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .n_coordinates = 3,
    .find_coordinates = find_coordinates,
    .curvature = curvature,
};
