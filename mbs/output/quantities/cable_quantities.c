/* Quantities of a cable: its length, a sum over its spans, and its tension T(s, ṡ) as a function of its stretch s. */
#include "mbs/model/cable.h"
#include "mbs/model/elastic.h"
#include "mbs/model/unilateral.h"
#include "mbs/output/measurements.h"

static mbs_cable_length length_change(const mbs_force *first, const mbs_frame *frames, const double *z,
                                      const mbs_direction *along) {
  const uint64_t touched = mbs_cable_touched(first, frames, z);
  mbs_cable_length sum = {0};
  for (int k = 0, next; k < first->cable->n_places - 1; k = next) {
    next = mbs_cable_next(first->cable, touched, k);
    const mbs_force *span = mbs_cable_span(first, k, next);
    const mbs_pair pair = mbs_force_pair(span, frames);
    mbs_relative_coordinate s;
    double changes[2];
    mbs_cable_coordinate(span, &pair, &s);
    mbs_gap_change(&s, span->body, along, changes);
    sum.length += changes[0];
    sum.rate += changes[1];
  }
  return sum;
}

static void find_length(const mbs_reading *at, int number, double *values) {
  const mbs_force *first = &at->ws->model->forces[number];
  const mbs_cable_length path = at->along == NULL ? mbs_cable_length_of(first, at->ws->frames, at->state->z)
                                                  : length_change(first, at->ws->frames, at->state->z, at->along);
  values[0] = path.length;
  values[1] = path.rate;
  values[2] = 0;
  const uint64_t touched = at->along == NULL ? mbs_cable_touched(first, at->ws->frames, at->state->z) : 0;
  for (int k = 1; k < first->cable->n_places - 1; k++)
    values[2] += first[k].radius[0] != 0 && (touched >> k & 1);
}

const mbs_quantity_group mbs_quantity_cable_length = {
    .n = 3,
    .row = {{"length", "m", "sum of its straight parts and arcs, with what was wound up since the start"},
            {"rate", "m/s", "rate of the length"},
            {"discs", "", "number of discs between its ends that it touches"}},
    .needs = MBS_FRAMES,
    .find = find_length,
};

static void find_tension(const mbs_reading *at, int number, double *values) {
  const mbs_force *first = &at->ws->model->forces[number];
  const mbs_elastic_law *law = &first->cable->law;
  const double t = mbs_law_time(at->ws, at->state->t);
  const mbs_cable_length path = mbs_cable_length_of(first, at->ws->frames, at->state->z);
  double s[2];
  mbs_cable_stretch(first->cable, path, t, s);
  const seam_jet total = mbs_elastic_jet(law, s[0], s[1], MBS_BY_MOTION);
  const seam_jet undamped = mbs_elastic_static_jet(law, s[0], MBS_BY_MOTION);
  const double damping = total.value - undamped.value;
  if (at->along == NULL) {
    const double own[] = {total.value, s[0], -total.value * path.rate, damping * s[1],
                          mbs_cable_potential(first, at->ws->frames, at->state->z, t)};
    for (int i = 0; i < mbs_quantity_tension.n; i++)
      values[i] = own[i];
    return;
  }
  const mbs_cable_length change = length_change(first, at->ws->frames, at->state->z, at->along);
  const double dT = total.d[0] * change.length + total.d[1] * change.rate;
  values[0] = dT;
  values[1] = change.length;
  values[2] = -dT * path.rate - total.value * change.rate;
  values[3] = (dT - undamped.d[0] * change.length) * s[1] + damping * change.rate;
  values[4] = undamped.value * change.length;
}

const mbs_quantity_group mbs_quantity_tension = {
    .n = 5,
    .row = {{"tension", "N", "tension all along it, 0 where it is slack"},
            {"stretch", "m", "length less that of rest"},
            {"power", "W", "rate of its work on the bodies"},
            {"loss", "W", "power lost in its damper"},
            {"potential", "J", "potential energy, zero without load"}},
    .needs = MBS_FRAMES,
    .find = find_tension,
};

/* ---- A hard cable ---- */

enum { TENSION, SLACK, POWER, MODE };

/* The force is a multiplier. A change of the state does not determine its change: NaN. */
static void find_hard(const mbs_reading *at, int number, double *values) {
  const mbs_force *first = &at->ws->model->forces[number];
  if (at->along != NULL) {
    values[TENSION] = values[POWER] = NAN;
    values[SLACK] = -length_change(first, at->ws->frames, at->state->z, at->along).length;
    values[MODE] = 0;
    return;
  }
  const mbs_cable_slack slack =
      mbs_cable_slack_of(first, at->ws->frames, at->state->z, mbs_law_time(at->ws, at->state->t));
  values[TENSION] = at->state->contact[2 * first->hard];
  values[SLACK] = slack.gap;
  values[POWER] = values[TENSION] * (slack.rate - slack.drive);
  values[MODE] = first->has_modes ? at->state->z[first->state] : 0;
}

static const mbs_quantity_group hard_cable = {
    .n = MODE + 1,
    .row = {{"tension", "N", "tension all along it, 0 where it is slack"},
            {"slack", "m", "length of the cable less that of its path"},
            {"power", "W", "rate of its work on the bodies"},
            {"mode", "", "1 slack, 2 taut without a force, 3 taut"}},
    .needs_dynamics = 1U << TENSION | 1U << POWER,
    .needs = MBS_FRAMES,
    .find = find_hard,
};

const mbs_quantity_group *const mbs_quantities_of_hard_cable[] = {&mbs_quantity_cable_length, &hard_cable,
                                                                  &mbs_quantity_impacts, NULL};

double mbs_cable_potential_change(const mbs_reading *at, int number) {
  enum { OF_POTENTIAL = 4, N = 5 };
  double changes[N];
  find_tension(at, number, changes);
  return changes[OF_POTENTIAL];
}
