/* Position x = r + R s of a point fixed on a body, its velocity and its acceleration relative to the ground
 * (mbs_marker_motion()). Their components are along the axes of the ground or of a body with the angle φ: R(φ)ᵀ x,
 * R(φ)ᵀ ẋ, R(φ)ᵀ ẍ. */
#include <math.h>

#include "mbs/output/measurements.h"

/* Returns the changes of the point's position x, of ẋ and of ẍ if the coordinates and their rates change along a
 * direction. p = R s is the point's offset from the centre of mass, α the angular acceleration:
 *
 *   δx = δr + p⊥ δφ,   δẋ = δṙ + p⊥ δω - p ω δφ,   δẍ = δr̈ + p⊥ (δα - ω² δφ) - p (α δφ + 2 ω δω). */
static mbs_motion motion_change(const mbs_frame *f, mbs_vector marker, const double *a, const mbs_direction *along,
                                int body) {
  mbs_motion d = {.x = {0}};
  if (body == 0)
    return d;
  const mbs_vector p = mbs_rotate(f, marker);
  const double *dq = along->q + 3 * (body - 1);
  const double *dv = along->v + 3 * (body - 1);
  const double *da = along->a + 3 * (body - 1);
  const double inward[3] = {0, f->omega * dq[2], a[2] * dq[2] + 2 * f->omega * dv[2]};
  const double across[3] = {dq[2], dv[2], da[2] - f->omega * f->omega * dq[2]};
  const double *const of_body[3] = {dq, dv, da};
  double *const levels[3] = {d.x, d.v, d.a};
  for (int i = 0; i < 3; i++) {
    levels[i][0] = of_body[i][0] - p.y * across[i] - p.x * inward[i];
    levels[i][1] = of_body[i][1] + p.x * across[i] - p.y * inward[i];
  }
  return d;
}

static void find(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                 double *values) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  const int body = measure->body[0];
  const mbs_frame *axes = &ws->frames[measure->axes];
  const double *a = body == 0 ? NULL : state->a + 3 * (body - 1);
  const mbs_motion m = mbs_marker_motion(&ws->frames[body], measure->marker[0], a);
  mbs_motion d = {.x = {0}};
  if (along != NULL)
    d = motion_change(&ws->frames[body], measure->marker[0], a, along, body);
  const double *const levels[] = {m.x, m.v, m.a};
  const double *const changed[] = {d.x, d.v, d.a};
  for (int i = 0; i < 3; i++) {
    const mbs_vector at = {levels[i][0], levels[i][1]};
    const mbs_vector c = along == NULL ? mbs_components(axes, at)
                                       : mbs_components_change(axes, at, (mbs_vector){changed[i][0], changed[i][1]},
                                                               mbs_angle_change(along, measure->axes));
    values[2 * i] = c.x;
    values[2 * i + 1] = c.y;
  }
  values[6] = along == NULL ? hypot(m.v[0], m.v[1])
                            : mbs_length_change((mbs_vector){m.v[0], m.v[1]}, (mbs_vector){d.v[0], d.v[1]});
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
    .needs_dynamics = 1U << 4 | 1U << 5,
    .needs_accelerations = 1U << 4 | 1U << 5,
    .needs = MBS_FRAMES,
    .find = find,
};
static const mbs_quantity_group *const quantities[] = {&motion, NULL};

const mbs_measure_type mbs_measured_point = {
    .min_bodies = 1, .max_bodies = 1, .has_axes = true, .quantities = quantities};
