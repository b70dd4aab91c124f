/* Stops of a coordinate s of two bodies, at a lower bound a, an upper bound b, or both; and ropes, whose length is such
 * a coordinate with an upper bound. d is the vector from the first marker to the second, e the axis of a slide:
 *
 *   angle  s = φ2 - φ1      distance  s = |d|      slide  s = e · d, e rotating with the first body */
#include "mbs/model/forces/stop.h"

#include <math.h>

#include "base/then.h"
#include "mbs/model/elastic.h"
#include "mbs/model/forces/along.h"
#include "mbs/model/forces/contact.h"
#include "mbs/model/forces/hard_contact.h"

/* ---- Coordinate ---- */

/* Length of a rope. Where the ends coincide, the rope is slack: its derivatives are zero there, not NaN. */
static void find_length(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)force;
  mbs_relative_distance(pair, s);
  if (s->s == 0)
    *s = (mbs_relative_coordinate){0};
}

static void curvature_length(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  mbs_relative_coordinate s;
  mbs_relative_distance(pair, &s);
  *curvature = (mbs_curvature){0};
  if (s.s != 0)
    mbs_curvature_distance(pair, curvature);
}

static bool is_rope(const mbs_force *force) { return !isfinite(force->stop.lower); }

void mbs_stop_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s) {
  if (force->stop.of == MBS_OF_ANGLE)
    mbs_relative_angle(pair, s);
  else if (force->stop.of == MBS_OF_DISTANCE)
    (is_rope(force) ? find_length : mbs_along_distance)(force, pair, s);
  else
    mbs_relative_along_body(pair, force->axis, s);
}

static void curvature_of(const mbs_force *force, const mbs_pair *pair, mbs_curvature *c) {
  *c = (mbs_curvature){0};
  if (force->stop.of == MBS_OF_DISTANCE)
    (is_rope(force) ? curvature_length : mbs_along_distance_curvature)(force, pair, c);
  else if (force->stop.of == MBS_OF_SLIDE)
    mbs_curvature_along_body(pair, force->axis, c);
}

/* ---- Hard stop and hard rope ---- */

/* A hard stop or rope is a hard contact without friction (mbs/model/unilateral.h). Its gap is the distance from the
 * bound or, with two bounds, from the nearer one:
 *
 *   g = s - a      or      g = b - s
 *
 * The force of a stop increases s at its lower bound and decreases s at its upper bound; a rope pulls. */

static double sense_of(const mbs_force *force, double s) {
  return s - force->stop.lower < force->stop.upper - s ? 1 : -1;
}

double mbs_hard_stop_sense(const mbs_force *force, const mbs_pair *pair) {
  mbs_relative_coordinate s;
  mbs_stop_coordinate(force, pair, &s);
  return sense_of(force, s.s);
}

static void find_gap(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *gap) {
  mbs_stop_coordinate(force, pair, gap);
  const double s = gap->s;
  const double sense = sense_of(force, s);
  mbs_scale_coordinate(sense, gap);
  gap->s = sense > 0 ? s - force->stop.lower : force->stop.upper - s;
}

static void curvature_gap(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  curvature_of(force, pair, curvature);
  mbs_scale_curvature(mbs_hard_stop_sense(force, pair), curvature);
}

static seam_status set_hard(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  mbs_relative_coordinate length;
  (void)error;
  if (force->kind == MBS_ROPE) {
    mbs_relative_distance(pair, &length);
    force->stop =
        (mbs_stop){.of = MBS_OF_DISTANCE, .lower = -INFINITY, .upper = isnan(def->rest) ? length.s : def->rest};
  } else if (def->has_axis)
    force->axis = mbs_rotate_back(pair->frame[0], force->axis);
  force->contact.friction = 0;
  force->contact.restitution = isnan(def->contact.restitution) ? 0 : def->contact.restitution;
  force->rest[0] = 0;
  return SEAM_OK;
}

#define GAP .find_coordinates = find_gap, .curvature = curvature_gap
static const mbs_force_type compliant = {MBS_BETWEEN_MARKERS, MBS_ELASTIC, .n_coordinates = 1, GAP};
static const mbs_force_type hard_stop = {MBS_HARD, GAP, .set_initial = set_hard, .compliant = &compliant};

/* ---- Stop ---- */

/* If s is beyond a bound by δ, the stop pushes s back with the law of a compliant contact (contact.c),
 * N = max(0, k δ^m (1 + χ δ')). Each bound has an elastic law along its own coordinate: s for the lower bound, -s for
 * the upper bound. */

int mbs_stop_senses(const mbs_force *force, double sense[2]) {
  int n = 0;
  if (isfinite(force->stop.lower))
    sense[n++] = 1;
  if (isfinite(force->stop.upper))
    sense[n++] = -1;
  return n;
}

static void find_coordinates(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  double sense[2];
  mbs_relative_coordinate s;
  const int n = mbs_stop_senses(force, sense);
  mbs_stop_coordinate(force, pair, &s);
  for (int k = 0; k < n; k++) {
    stretch[k] = s;
    mbs_scale_coordinate(sense[k], &stretch[k]);
  }
}

static void curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  double sense[2];
  mbs_curvature c;
  const int n = mbs_stop_senses(force, sense);
  curvature_of(force, pair, &c);
  for (int k = 0; k < n; k++) {
    curvature[k] = c;
    mbs_scale_curvature(sense[k], &curvature[k]);
  }
}

static seam_status set_initial(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  double sense[2];
  (void)error;
  const int n = mbs_stop_senses(force, sense);
  if (def->has_axis)
    force->axis = mbs_rotate_back(pair->frame[0], force->axis);
  for (int k = 0; k < n; k++) {
    force->rest[k] = sense[k] > 0 ? def->stop.lower : -def->stop.upper;
    force->elastic[k] = (mbs_elastic_law){
        .stiffness = def->stiffness[0], .damping = mbs_contact_damping(def), .exponent = def->contact.exponent};
  }
  return SEAM_OK;
}

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const mbs_stop *stop = &def->stop;
  if (stop->of != MBS_OF_ANGLE && stop->of != MBS_OF_DISTANCE && stop->of != MBS_OF_SLIDE)
    return seam_fail(error, SEAM_BAD_INPUT, "stop '%s': its coordinate 'of' must be an angle, a distance or a slide",
                     def->name);
  if (stop->of == MBS_OF_SLIDE && !def->has_axis)
    return seam_fail(error, SEAM_BAD_INPUT, "stop '%s': a slide needs a direction: set has_axis and axis", def->name);
  if (!isfinite(stop->lower) && !isfinite(stop->upper))
    return seam_fail(error, SEAM_BAD_INPUT, "stop '%s' has no bounds: give it a lower one, an upper one or both",
                     def->name);
  if (stop->lower >= stop->upper)
    return seam_fail(error, SEAM_BAD_INPUT, "stop '%s': its lower bound %g is not below the upper one, %g", def->name,
                     stop->lower, stop->upper);
  return def->contact.is_hard ? mbs_hard_check(def, "stop", error) : mbs_contact_check_law(def, "stop", error);
}

#define STOP                                                                                                           \
  MBS_BETWEEN_MARKERS, .set_initial = set_initial, MBS_ELASTIC, .check = check, .find_coordinates = find_coordinates,  \
                       .curvature = curvature
#define LENGTH .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false}
#define ANGLE .cut = {1, {2}, 1, {2}, false}

static const mbs_force_type at_one_end = {STOP, LENGTH, .switches = &mbs_one_sided, .n_coordinates = 1};
static const mbs_force_type of_angle = {STOP, ANGLE, .switches = &mbs_two_sided, .n_coordinates = 2};
static const mbs_force_type of_angle_at_one_end = {STOP, ANGLE, .switches = &mbs_one_sided, .n_coordinates = 1};

static const mbs_force_type *choose(const mbs_force_def *def) {
  if (def->contact.is_hard)
    return &hard_stop;
  const bool is_one = !isfinite(def->stop.lower) || !isfinite(def->stop.upper);
  if (def->stop.of == MBS_OF_ANGLE)
    return is_one ? &of_angle_at_one_end : &of_angle;
  return is_one ? &at_one_end : &mbs_force_stop;
}

const mbs_force_type mbs_force_stop = {STOP, LENGTH, .choose = choose, .switches = &mbs_two_sided, .n_coordinates = 2};

/* ---- Rope ---- */

/* A rope whose stretch is s = |d| - length pulls with T = k s + c ṡ where s > 0 and T > 0; elsewhere its force is
 * zero. Its potential is V = k s²/2 for s > 0. */

static seam_status set_rope(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  (void)def, (void)pair, (void)error;
  force->elastic[0].is_strand = true;
  return SEAM_OK;
}

static const mbs_force_type *choose_rope(const mbs_force_def *def) {
  return def->contact.is_hard ? &hard_stop : &mbs_force_rope;
}

static seam_status check_rope(const mbs_force_def *def, seam_error *error) {
  if (def->contact.is_hard)
    TRY(mbs_hard_check(def, "rope", error));
  if (!def->contact.is_hard && !(def->stiffness[0] > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "rope '%s': its stiffness must be positive", def->name);
  if (!isnan(def->rest) && !(def->rest > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "rope '%s': its length must be positive", def->name);
  return SEAM_OK;
}

const mbs_force_type mbs_force_rope = {
    MBS_BETWEEN_MARKERS,
    .choose = choose_rope,
    .set_initial = set_rope,
    MBS_ELASTIC,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .check = check_rope,
    .switches = &mbs_one_sided,
    .n_coordinates = 1,
    .find_coordinates = find_length,
    .curvature = curvature_length,
};
