/* A point fixed on a body: p = r + R s, its velocity and acceleration against the ground (mbs_marker_motion()), each by
 * its components along the axes of the ground or, with their angle φ, of a body: R(φ)ᵀ p, R(φ)ᵀ ṗ, R(φ)ᵀ p̈. */
#include <math.h>

#include "mbs/workspace.h"

static void read(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  const int body = measure->body[0];
  const mbs_frame *axes = &ws->frames[measure->axes];
  const double *a = body == 0 ? NULL : state->a + 3 * (body - 1);
  const mbs_motion m = mbs_marker_motion(&ws->frames[body], measure->marker[0], a);
  const double *const levels[] = {m.x, m.v, m.a};
  for (int i = 0; i < 3; i++) {
    values[2 * i] = axes->cos * levels[i][0] + axes->sin * levels[i][1];
    values[2 * i + 1] = axes->cos * levels[i][1] - axes->sin * levels[i][0];
  }
  values[6] = hypot(m.v[0], m.v[1]);
}

static const mbs_quantity_group motion = {
    .n = 7,
    .row = {{"x", "m", "position of the point"},
            {"y", "m", "position of the point"},
            {"vx", "m/s", "velocity of the point"},
            {"vy", "m/s", "velocity of the point"},
            {"ax", "m/s2", "acceleration of the point"},
            {"ay", "m/s2", "acceleration of the point"},
            {"speed", "m/s", "magnitude of the velocity"}},
    .is_usual = true,
    .needs = MBS_FRAMES,
    .read = read,
};
static const mbs_quantity_group *const quantities[] = {&motion, NULL};

const mbs_measure_type mbs_measured_point = {
    .min_bodies = 1, .max_bodies = 1, .has_axes = true, .quantities = quantities};
