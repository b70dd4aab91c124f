/* Springs: elements with an elastic law along each of their coordinates (elastic.h). d is the vector from the first
 * marker to the second. */
#include <math.h>

#include "base/vector.h"
#include "mbs/model/elastic.h"
#include "mbs/model/forces/along.h"

/* ---- Spring-damper ---- */

/* A force F(s, v), v = ṡ, along the distance of two points, or along an axis of global direction e. d is the vector
 * between the points:
 *
 *   distance  s = |d| - length              axis  s = e · d - length
 *
 * A linear spring of length 0, with stiffness k and damping c, has the force k d + c ḋ. Where its points coincide, the
 * direction u = ∂s/∂d is therefore that of ḋ. If c = 0 or ḋ = 0, the force is zero there, and s is a tiny δ in place of
 * 0. Then F ∂²s/∂q² = (k δ) (∂dᵀ P ∂d) / δ stays finite, with P = I - u uᵀ and the derivatives ∂d of d by q. */

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

/* Fields of springs along one coordinate. */
#define SPRING                                                                                                         \
  .may_have_law = true, .law_is_elastic = true, .n_laws = 1, .unit_load = mbs_elastic_unit_load, MBS_ELASTIC,          \
  .n_coordinates = 1

static const mbs_force_type along_axis = {
    SPRING,
    .cut = {2, {0, 1}, 2, {0, 1}, true},
    .find_coordinates = find_axis_coordinate,
    .curvature = curvature_axis,
};

static const mbs_force_type *choose_spring(const mbs_force_def *def) {
  return def->has_axis ? &along_axis : &mbs_force_spring_damper;
}

/* The type with the name of the kind: a spring along the distance of its points. */
const mbs_force_type mbs_force_spring_damper = {
    MBS_BETWEEN_MARKERS,
    SPRING,
    .choose = choose_spring,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .find_coordinates = find_distance_coordinate,
    .curvature = curvature_distance,
};

/* ---- Torsion spring ---- */

/* A torque F(s, v) against the relative angle s = φ2 - φ1 - angle, v = ṡ. A positive F acts counter-clockwise on the
 * first body and clockwise on the second. */

const mbs_force_type mbs_force_torsion = {
    .min_bodies = 2,
    .max_bodies = 2,
    SPRING,
    .cut = {1, {2}, 1, {2}, true},
    .find_coordinates = mbs_along_angle,
    .curvature = mbs_along_angle_curvature,
};

/* ---- Bushing ---- */

/* Linear spring-dampers in two directions and in the angle between two markers. Along each coordinate Δ they pull with
 * λ = k Δ + c Δ̇, with the stiffness k and damping c. φ° is the value of φ2 - φ1 without torque.
 *
 *   markers     Δ = (d_x, d_y, φ2 - φ1 - φ°) in global axes; each force acts at its own marker ([Li] 3.3).
 *               Conserves momentum and, undamped, energy, but not angular momentum: the two forces act at points a
 *               distance |d| apart.
 *   consistent  Δ = (e_ξ · d, e_η · d, φ2 - φ1 - φ°). The axes e_ξ and e_η rotate with the first body, and start as
 *               the global ones. Both forces act at the second marker. Conserves angular momentum too, and a rigid
 *               rotation of both bodies causes no force. */

static void find_marker_gap(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  (void)force;
  mbs_relative_gap(pair, stretch);
  mbs_relative_angle(pair, &stretch[2]);
}

/* Computes Q = (f, a1 × f + τ, -f, -(a2 × f + τ)). f is the pulling force, τ the torque; a1, a2 are the arms of the
 * markers. */
static void load_bushing(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                         mbs_power *power) {
  (void)t, (void)z;
  const mbs_frame *f1 = pair->frame[0];
  const mbs_frame *f2 = pair->frame[1];
  const mbs_elastic_law *law = force->elastic;
  const seam_lanes a1 = mbs_arm(f1, pair->marker[0]);
  const seam_lanes a2 = mbs_arm(f2, pair->marker[1]);
  const seam_lanes stretch = (seam_lanes){f2->x, f2->y} + a2 - (seam_lanes){f1->x, f1->y} - a1;
  const seam_lanes rate = (seam_lanes){a1[1], -a1[0]} * f1->omega - (seam_lanes){f1->vx, f1->vy} +
                          (seam_lanes){f2->vx, f2->vy} + (seam_lanes){-a2[1], a2[0]} * f2->omega;
  const seam_lanes damping = {law[0].damping, law[1].damping};
  const seam_lanes f =
      (seam_lanes){law[0].stiffness, law[1].stiffness} * (stretch - (seam_lanes){force->rest[0], force->rest[1]}) +
      damping * rate;
  const seam_lanes lost = damping * rate * rate;
  const double spin = f2->omega - f1->omega;
  const double torque = law[2].stiffness * (f2->phi - f1->phi - force->rest[2]) + law[2].damping * spin;
  power->dissipated = power->dissipated + lost[0] + lost[1] + law[2].damping * spin * spin;
  Q[0] = f[0], Q[1] = f[1], Q[2] = a1[0] * f[1] - a1[1] * f[0] + torque;
  Q[3] = -f[0], Q[4] = -f[1], Q[5] = a2[1] * f[0] - a2[0] * f[1] - torque;
}

static void add_bushings(const mbs_force *forces, int n, const mbs_frame *frames, double *Q, mbs_power *power) {
  mbs_power sum = *power;
  for (const mbs_force *force = forces; force < forces + n; force++) {
    const mbs_pair pair = mbs_force_pair(force, frames);
    double of_force[6];
    load_bushing(force, &pair, 0, NULL, of_force, &sum);
    mbs_add_load(force, of_force, Q);
  }
  *power = sum;
}

static void curvature_markers(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  mbs_curvature_gap(pair, curvature);
  curvature[2] = (mbs_curvature){0};
}

static void find_consistent_coordinates(const mbs_force *force, const mbs_pair *pair,
                                        mbs_relative_coordinate *stretch) {
  mbs_relative_along_body(pair, force->axis, &stretch[0]);
  mbs_relative_along_body(pair, mbs_perp(force->axis), &stretch[1]);
  mbs_relative_angle(pair, &stretch[2]);
}

static void curvature_consistent(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along_body(pair, force->axis, &curvature[0]);
  mbs_curvature_along_body(pair, mbs_perp(force->axis), &curvature[1]);
  curvature[2] = (mbs_curvature){0};
}

static const mbs_force_type consistent = {
    MBS_ELASTIC,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .n_coordinates = 3,
    .find_coordinates = find_consistent_coordinates,
    .curvature = curvature_consistent,
};

static const mbs_force_type *choose_bushing(const mbs_force_def *def) {
  return def->consistent ? &consistent : &mbs_force_bushing;
}

/* The type of a bushing with the law `markers`; choose_bushing() also returns the type of the other law. */
const mbs_force_type mbs_force_bushing = {
    MBS_BETWEEN_MARKERS,
    .choose = choose_bushing,
    .load = load_bushing,
    .add_loads = add_bushings,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .cut = {3, {0, 1, 2}, 3, {0, 1, 2}, true},
    .n_coordinates = 3,
    .find_coordinates = find_marker_gap,
    .curvature = curvature_markers,
};

static const double quarter_turn = 3.14159265358979323846 / 2;

/* ---- Beam ---- */

/* A straight, slender rod without mass, clamped at both ends to two markers ([Przemieniecki]; in axes that follow the
 * chord: large rotations, small strains). EA and EI are its stiffnesses against stretch and bending, V its potential, L
 * its unloaded length. The chord d has the length l. γ is the change of the chord's angle relative to the first body
 * since the initial configuration. φ° is the initial value of φ2 - φ1, and θ = φ2 - φ1 - φ°. Relative to the chord, the
 * ends rotate by θ1 = -γ and θ2 = θ - γ:
 *
 *   V = EA/L (l - L)²/2 + EI/L (2 θ1² + 2 θ1 θ2 + 2 θ2²)
 *     = EA/L (l - L)²/2 + 3 EI/L (θ1 + θ2)²/2 + EI/L (θ1 - θ2)²/2
 *
 * So stretch, shear and bending are three coordinates, l, θ1 + θ2 and θ, each with a spring. The damping of each is
 * c = τ k, with its stiffness k and a time τ that is the same for all.
 *
 * θ1 + θ2 is the mesh of two wheels of radii -1 and 1, except for a constant. A full revolution of d would change it by
 * 4π; of its possible values it takes the one nearest to 0, so the chord may make full revolutions. If |θ1 + θ2|/2
 * exceeds π/2, the ends have passed each other, and the shear is NaN: the beam never jumps to another value unnoticed.
 */

static const double beam_ends[2] = {-1, 1};

static void find_beam(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  mbs_relative_distance(pair, &stretch[0]);
  mbs_relative_mesh(pair, beam_ends, force->rest[1], &stretch[1]);
  mbs_relative_angle(pair, &stretch[2]);
  if (!(fabs(stretch[1].s - force->rest[1]) < 2 * quarter_turn))
    stretch[1].s = NAN;
}

static void curvature_beam(const mbs_force *force, const mbs_pair *pair, mbs_curvature *c) {
  (void)force;
  mbs_curvature_distance(pair, &c[0]);
  mbs_curvature_mesh(pair, beam_ends, &c[1]);
  c[2] = (mbs_curvature){0};
}

/* The beam is straight in the initial configuration. It has no load there unless the definition gives its length. */
static seam_status set_beam(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  mbs_relative_coordinate length;
  mbs_relative_coordinate mesh;
  mbs_relative_distance(pair, &length);
  mbs_relative_mesh(pair, beam_ends, 0, &mesh);
  const double L = length.s;
  if (!(L > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "force '%s': both ends of the beam coincide: move them apart", def->name);
  const double k[3] = {def->stiffness[0] / L, 3 * def->stiffness[1] / L, def->stiffness[1] / L};
  for (int i = 0; i < 3; i++)
    force->elastic[i] = (mbs_elastic_law){.stiffness = k[i], .damping = def->damping[0] * k[i]};
  force->rest[0] = isnan(def->rest) ? L : def->rest;
  force->rest[1] = mesh.s;
  force->rest[2] = pair->frame[1]->phi - pair->frame[0]->phi;
  return SEAM_OK;
}

const mbs_force_type mbs_force_beam = {
    MBS_BETWEEN_MARKERS,
    .set_initial = set_beam,
    MBS_ELASTIC,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .n_coordinates = 3,
    .find_coordinates = find_beam,
    .curvature = curvature_beam,
    .not_finite =
        "its ends meet, or are turned against its chord by more than π/2 on average, where its law ends: make "
        "the beam stiffer, or divide it into shorter beams with bodies between them",
};

/* ---- Belt ---- */

/* An elastic belt or chain over two pulleys. θ is the direction of d, the line of their centres. The radii r1 and r2
 * have opposite signs for a crossed belt. The stretch of each straight strand, with l(d) of kinematics.c, is
 *
 *   s = l(d) ± (r2 (φ2 - θ) - r1 (φ1 - θ)) - s°
 *
 * The sign is + for the strand that touches the second pulley on the right of the line of centres. s° is the value of
 * the other terms without load. A strand leaves each pulley at a point of its rim; ṡ is the speed at which these two
 * points move apart along the strand. The tension acts along the strand (involute geometry, as for an unwinding
 * string). A strand with the preload T°, stiffness k and damping c pulls with
 *
 *   T = max(0, T° + k s + c ṡ) where T° + k s > 0, else it is slack: T = 0
 *
 * A full revolution of θ would change the second term of s by 2π (r1 - r2). Of its possible values, the term takes the
 * one nearest to its value without load (mbs_relative_mesh()). If these two differ by more than a quarter of 2π (r1 -
 * r2), s is NaN: the belt never jumps by a full revolution unnoticed. */

enum { N_STRANDS = 2 };

static void find_belt(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  const double difference = fabs(force->radius[1] - force->radius[0]);
  const double unloaded = (force->rest[0] - force->rest[1]) / 2;
  mbs_relative_coordinate mesh;
  mbs_relative_mesh(pair, force->radius, unloaded, &mesh);
  if (difference > 0 && !(fabs(mesh.s - unloaded) < quarter_turn * difference))
    mesh.s = NAN;
  mbs_strand_coordinates(pair, force->radius, &mesh, N_STRANDS, stretch);
}

static void curvature_belt(const mbs_force *force, const mbs_pair *pair, mbs_curvature *c) {
  mbs_strand_curvatures(pair, force->radius, N_STRANDS, c);
}

/* Both strands have the given tension in the initial configuration. */
static seam_status set_belt(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
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

static seam_status check_belt(const mbs_force_def *def, seam_error *error) {
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
    .set_initial = set_belt,
    MBS_ELASTIC,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .check = check_belt,
    .switches = &mbs_two_sided,
    .n_coordinates = N_STRANDS,
    .find_coordinates = find_belt,
    .curvature = curvature_belt,
    .not_finite = "its pulleys overlap, or the belt is stretched by more than π/2 times the difference of the radii, "
                  "where the rotation of its line of centres is ambiguous: make the belt stiffer, or the radii equal",
};
