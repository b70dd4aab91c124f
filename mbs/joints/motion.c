/* Motion: one measure of two bodies, or a coordinate of one, follows a law of time.
 *
 *   g_m = φ2 - φ1 - f(t)  or  |d| - f(t);   x - f(t), y - f(t), φ - f(t) of the first body, the second being the ground
 *
 * A rheonomic constraint: ġ = G v - f', g̈ = G a - γ° - f''. Its force works: the driven power is -λ f'. */
#include "mbs/joint.h"

static void no_curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  (void)pair;
  *c = (mbs_curvature){0};
}

static void measure_angle(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  (void)joint;
  mbs_measure_angle(pair, s);
}

static void measure_distance(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  (void)joint;
  mbs_measure_distance(pair, s);
}

static void curvature_distance(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  mbs_curvature_distance(pair, c);
}

static void measure_x(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  (void)joint;
  *s = (mbs_measure){.s = pair->frame[0]->x, .J = {[0] = 1}};
}

static void measure_y(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  (void)joint;
  *s = (mbs_measure){.s = pair->frame[0]->y, .J = {[1] = 1}};
}

static void measure_phi(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  (void)joint;
  *s = (mbs_measure){.s = pair->frame[0]->phi, .J = {[2] = 1}};
}

#define MOTION(measure_function, curvature_function)                                                                   \
  {                                                                                                                    \
    .n_rows = 1, .residual = {"g_m"}, .rest_row = -1, .is_rheonomic = true, .measure = measure_function,               \
    .curvature = curvature_function                                                                                    \
  }

const mbs_joint_type mbs_motions[MBS_MOTIONS] = {
    [MBS_OF_ANGLE] = MOTION(measure_angle, no_curvature),
    [MBS_OF_DISTANCE] = MOTION(measure_distance, curvature_distance),
    [MBS_OF_X] = MOTION(measure_x, no_curvature),
    [MBS_OF_Y] = MOTION(measure_y, no_curvature),
    [MBS_OF_PHI] = MOTION(measure_phi, no_curvature),
};
