/* Bushings by either law: hand-made cases, turns of both bodies, and what they keep. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/model/model.h"
#include "tests/support/mechanisms.h"

/* ---- Hand-made cases ---- */

/* A body in the origin and one at (1, 0), joined there by a bushing of stiffness (100, 200, 10), damping (1, 2, 0.5).
 */
static mechanism bushing_pair(bool consistent, bool stiff, bool damped) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 2, 0.5, (double[3]){0, 0, 0});
  add_body(builder, "second", 1, 0.3, (double[3]){1, 0, 0});
  mbs_force_def bushing = force_between("bushing", MBS_BUSHING, bodies, "first", "second", (double[2]){1, 0});
  if (stiff)
    memcpy(bushing.stiffness, (double[3]){100, 200, 10}, sizeof bushing.stiffness);
  if (damped)
    memcpy(bushing.damping, (double[3]){1, 2, 0.5}, sizeof bushing.damping);
  bushing.consistent = consistent;
  add_force(builder, &bushing);
  return mechanism_build(builder);
}

/* Second body moved by (0.01, -0.02) m and 0.1 rad, rates (0.3, 0.4, 0.5):
 * 100 * 0.01 + 1 * 0.3 = 1.3 N, 200 * -0.02 + 2 * 0.4 = -3.2 N, 10 * 0.1 + 0.5 * 0.5 = 1.25 Nm. */
Test(bushings, a_markers_bushing_by_hand) {
  mechanism m = bushing_pair(false, true, true);
  memcpy(m.state->q + 3, (double[3]){1.01, -0.02, 0.1}, 3 * sizeof(double));
  memcpy(m.state->v + 3, (double[3]){0.3, 0.4, 0.5}, 3 * sizeof(double));
  expect_first_wrench(&m, (double[3]){1.3, -3.2, 1.25});
  mechanism_free(&m);
}

/* Undamped, the first body turned by 90°: its marker is at (0, 1), its axes are e_ξ = (0, 1), e_η = (-1, 0). Second
 * body at (0.02, 1.01) and 90° + 0.1 rad: d = (0.02, 0.01), Δ = (0.01, -0.02, 0.1), hence f = 100 * 0.01 e_ξ + 200 *
 * -0.02 e_η = (4, 1) N. It acts at the second marker: torque about the first 10 * 0.1 + d × f = 1 + 0.02 * 1 - 0.01 * 4
 * = 0.98 Nm. */
Test(bushings, a_consistent_bushing_by_hand) {
  mechanism m = bushing_pair(true, true, false);
  m.state->q[2] = pi / 2;
  memcpy(m.state->q + 3, (double[3]){0.02, 1.01, pi / 2 + 0.1}, 3 * sizeof(double));
  expect_first_wrench(&m, (double[3]){4, 1, 0.98});
  mechanism_free(&m);
}

/* In the same place the law `markers` keeps to global axes: 100 * 0.02, 200 * 0.01, 10 * 0.1. */
Test(bushings, a_markers_bushing_does_not_turn_with_its_body) {
  mechanism m = bushing_pair(false, true, false);
  m.state->q[2] = pi / 2;
  memcpy(m.state->q + 3, (double[3]){0.02, 1.01, pi / 2 + 0.1}, 3 * sizeof(double));
  expect_first_wrench(&m, (double[3]){2, 2, 1});
  mechanism_free(&m);
}

/* Both bodies of a bushing turned by `angle` about the origin from a place in which it is drawn out. */
static void turn_stretched(mechanism *m, double angle, double rate) {
  const double c = cos(angle);
  const double s = sin(angle);
  const double x = 1.2;
  const double y = 0.3;
  memcpy(m->state->q, (double[6]){0, 0, angle, c * x - s * y, s * x + c * y, angle}, 6 * sizeof(double));
  memcpy(m->state->v, (double[6]){0, 0, rate, -rate * m->state->q[4], rate * m->state->q[3], rate}, 6 * sizeof(double));
}

Test(bushings, a_rigid_rotation_does_not_load_a_consistent_bushing) {
  mechanism m = bushing_pair(true, true, true);
  memcpy(m.state->q, (double[6]){0, 0, 0.7, cos(0.7), sin(0.7), 0.7}, 6 * sizeof(double));
  memcpy(m.state->v, (double[6]){0, 0, 2, -2 * sin(0.7), 2 * cos(0.7), 2}, 6 * sizeof(double));
  expect_first_wrench(&m, (double[3]){0, 0, 0});
  mechanism_free(&m);
}

Test(bushings, a_rigid_rotation_does_not_damp_a_stretched_consistent_bushing) {
  mechanism m = bushing_pair(true, false, true);
  turn_stretched(&m, 0.7, 2);
  expect_first_wrench(&m, (double[3]){0, 0, 0});
  mechanism_free(&m);
}

/* At 0 rad the stretch is d = (0.2, 0.3), its rate 2 rad/s * (-0.3, 0.2): forces 1 * -0.6 and 2 * 0.4. */
Test(bushings, a_rigid_rotation_damps_a_stretched_markers_bushing) {
  mechanism m = bushing_pair(false, false, true);
  turn_stretched(&m, 0, 2);
  expect_first_wrench(&m, (double[3]){-0.6, 0.8, 0});
  mechanism_free(&m);
}

Test(bushings, the_load_of_a_consistent_bushing_turns_with_the_bodies) {
  const double angle = 1.1;
  double before[3];
  mechanism m = bushing_pair(true, true, false);
  turn_stretched(&m, 0, 0);
  mbs_force_wrench(m.ws, m.state, 0, before);
  turn_stretched(&m, angle, 0);
  expect_first_wrench(&m, (double[3]){cos(angle) * before[0] - sin(angle) * before[1],
                                      sin(angle) * before[0] + cos(angle) * before[1], before[2]});
  mechanism_free(&m);
}

/* ---- What bushings keep: two free bodies, apart and turning, for 2 s ---- */

static double angular_momentum(const mechanism *m) {
  double sum = 0;
  for (int b = 0; b < 2; b++) {
    const double *q = m->state->q + 3 * b;
    const double *v = m->state->v + 3 * b;
    const double *mass = m->model->mass + 3 * (b + 1);
    sum += mass[0] * (q[0] * v[1] - q[1] * v[0]) + mass[2] * v[2];
  }
  return sum;
}

typedef struct change {
  double energy, angular; /* relative to the first values */
} change;

static change free_run(bool consistent, bool damped) {
  mechanism m = bushing_pair(consistent, true, damped);
  turn_stretched(&m, 0.3, 2);
  m.state->v[0] = 0.5;
  mechanism_assemble(&m);
  const double energy = mbs_energy_of(m.ws, m.state).total;
  const double angular = angular_momentum(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-11, 0);
  mechanism_advance(&m, integrator, 2);
  const change c = {mbs_energy_of(m.ws, m.state).total / energy - 1, angular_momentum(&m) / angular - 1};
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
  return c;
}

Test(bushings, a_consistent_bushing_keeps_angular_momentum) {
  cr_expect_float_eq(free_run(true, false).angular, 0, 1e-9);
}

Test(bushings, a_damped_consistent_bushing_keeps_angular_momentum) {
  cr_expect_float_eq(free_run(true, true).angular, 0, 1e-9);
}

Test(bushings, an_undamped_consistent_bushing_keeps_energy) {
  cr_expect_float_eq(free_run(true, false).energy, 0, 1e-9);
}

Test(bushings, an_undamped_markers_bushing_keeps_energy) { cr_expect_float_eq(free_run(false, false).energy, 0, 1e-9); }

Test(bushings, a_markers_bushing_does_not_keep_angular_momentum) {
  cr_expect_gt(fabs(free_run(false, false).angular), 1e-3);
}
