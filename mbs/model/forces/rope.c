/* Rope between two points, with d from the first to the second. With the stretch s = |d| - length it pulls with T = k s
 * + c ṡ where s > 0 and T > 0; elsewhere its force is zero. Its potential is V = k s²/2 for s > 0. */
#include <math.h>

#include "mbs/model/elastic.h"
#include "mbs/model/forces/along.h"
#include "mbs/model/forces/hard_contact.h"
#include "mbs/model/forces/stop.h"

static seam_status set_initial(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  (void)def;
  (void)pair;
  (void)error;
  force->elastic[0].is_strand = true;
  return SEAM_OK;
}

static const mbs_force_type *choose(const mbs_force_def *def) {
  return def->contact.is_hard ? &mbs_hard_stop : &mbs_force_rope;
}

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const seam_status status = def->contact.is_hard ? mbs_hard_check(def, "rope", error) : SEAM_OK;
  if (status != SEAM_OK)
    return status;
  if (!def->contact.is_hard && !(def->stiffness[0] > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "rope '%s': its stiffness must be positive", def->name);
  if (!isnan(def->rest) && !(def->rest > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "rope '%s': its length must be positive", def->name);
  return SEAM_OK;
}

const mbs_force_type mbs_force_rope = {
    MBS_BETWEEN_MARKERS,
    .choose = choose,
    .set_initial = set_initial,
    MBS_ELASTIC,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .check = check,
    .switches = &mbs_one_sided,
    .n_coordinates = 1,
    .find_coordinates = mbs_along_rope,
    .curvature = mbs_along_rope_curvature,
};
