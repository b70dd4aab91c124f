/* Hard stops keep a coordinate s of two bodies (stop.c) above a lower bound a, below an upper bound b, or both; a hard
 * rope keeps the distance s of its ends below its length b. Each is a hard contact without friction
 * (mbs/model/unilateral.h). Its gap is the distance from the bound or, with two bounds, from the nearer one:
 *
 *   g = s - a      or      g = b - s
 *
 * The force of a stop increases s at its lower bound and decreases s at its upper bound; a rope pulls. */

#include <math.h>

#include "mbs/model/elastic.h"
#include "mbs/model/forces/hard_contact.h"
#include "mbs/model/forces/stop.h"

static double sense_of(const mbs_force *force, double s) {
  return s - force->stop.lower < force->stop.upper - s ? 1 : -1;
}

double mbs_hard_stop_sense(const mbs_force *force, const mbs_pair *pair) {
  mbs_relative_coordinate s;
  mbs_stop_coordinate(force, pair, &s);
  return sense_of(force, s.s);
}

static void find_coordinates(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *gap) {
  mbs_stop_coordinate(force, pair, gap);
  const double s = gap->s;
  const double sense = sense_of(force, s);
  mbs_scale_coordinate(sense, gap);
  gap->s = sense > 0 ? s - force->stop.lower : force->stop.upper - s;
}

static void curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_stop_curvature(force, pair, curvature);
  mbs_scale_curvature(mbs_hard_stop_sense(force, pair), curvature);
}

static seam_status set_initial(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
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

#define GAP .find_coordinates = find_coordinates, .curvature = curvature
static const mbs_force_type compliant = {MBS_BETWEEN_MARKERS, MBS_ELASTIC, .n_coordinates = 1, GAP};
const mbs_force_type mbs_hard_stop = {MBS_HARD, GAP, .set_initial = set_initial, .compliant = &compliant};
