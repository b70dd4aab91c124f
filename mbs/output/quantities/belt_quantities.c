/* Tensions T(s, ṡ) of the two strands of an elastic belt, with the coordinate s of each strand. */
#include "mbs/model/elastic.h"
#include "mbs/output/measurements.h"

static void find_strands(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                         double *values) {
  const mbs_force *force = &ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_relative_coordinate s[3];
  force->type->find_coordinates(force, &pair, s);
  for (int k = 0; k < 2; k++) {
    const seam_jet tension = mbs_elastic_jet(&force->elastic[k], s[k].s - force->rest[k],
                                             mbs_relative_rate(&s[k], &pair), mbs_mode_along_in(force, state, k));
    double ds[2];
    values[k] = tension.value;
    if (along == NULL)
      continue;
    mbs_gap_change(&s[k], force->body, along, ds);
    values[k] = tension.d[0] * ds[0] + tension.d[1] * ds[1];
  }
  values[2] = values[0] - values[1];
}

const mbs_quantity_group mbs_quantity_strands = {
    .n = 3,
    .row = {{"right", "N", "tension of the strand that touches the second pulley on the right, seen from the first"},
            {"left", "N", "tension of the other strand"},
            {"pull", "N", "right less left"}},
    .needs = MBS_FRAMES,
    .find = find_strands,
};
